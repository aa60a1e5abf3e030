#!/bin/sh
# Puts seeds for every target below the folder that is named.
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

seeds load "spv*" module/tests tests/fixtures
seeds specification lps semantics/spec
seeds glsl comp tests examples frontends proofs
seeds wgsl wgsl tests examples frontends proofs
seeds documents json tests docs/found

# choices TARGET: for a target that takes its choices from bytes, which need many before anything comes of
# them. What is compressed has no pattern.
choices() {
  mkdir -p "$into/$1"
  find proofs -name "*.spvasm" | sort | xargs cat | gzip -9n | tail -c +11 | head -c 131072 |
    split -b 2048 -a 3 -d - "$into/$1/"
}

choices cross_check
choices whole_module
choices verify
choices flatten
