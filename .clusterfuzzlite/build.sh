#!/bin/bash -eu
# Builds every fuzz target, and puts dictionaries and seeds beside them.
cd "$SRC/laneproof"
cargo fuzz build --fuzz-dir fuzz/harness -O
built=fuzz/harness/target/x86_64-unknown-linux-gnu/release
for target in fuzz/harness/fuzz_targets/*.rs; do
  name=$(basename "$target" .rs)
  cp "$built/$name" "$OUT/"
  if [ -f "fuzz/harness/dictionaries/$name.dict" ]; then
    cp "fuzz/harness/dictionaries/$name.dict" "$OUT/"
  fi
done
zip -qj "$OUT/load_seed_corpus.zip" module/tests/accept/* module/tests/reject/*
zip -qj "$OUT/specification_seed_corpus.zip" semantics/spec/*/*.lps
