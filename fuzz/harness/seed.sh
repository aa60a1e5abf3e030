#!/bin/sh
# Puts seeds for every target that takes text or modules below the folder that is named.
# Usage, from the root of the repository: fuzz/harness/seed.sh fuzz/harness/corpus
set -eu
into=$1

# seeds TARGET ENDING FOLDER…: the folders' files with that ending, numbered.
seeds() {
  target=$1 ending=$2
  shift 2
  mkdir -p "$into/$target"
  number=0
  find "$@" -name "*.$ending" -size -40k | sort | while read -r file; do
    number=$((number + 1))
    cp "$file" "$into/$target/$number.${file##*.}"
  done
}

seeds load "spv*" module/tests/accept module/tests/reject
seeds specification lps semantics/spec
seeds glsl comp tests examples frontends proofs
seeds wgsl wgsl tests examples frontends proofs
seeds documents json tests docs/found
