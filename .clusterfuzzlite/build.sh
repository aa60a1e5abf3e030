#!/bin/bash -eu
# Builds every fuzz target, and puts dictionaries and seeds beside them.
cd "$SRC/laneproof"
cargo xtask z3
cargo fuzz build --fuzz-dir fuzz/harness -O
built=fuzz/harness/target/x86_64-unknown-linux-gnu/release
fuzz/harness/seed.sh "$WORK/corpus"
for target in fuzz/harness/fuzz_targets/*.rs; do
  name=$(basename "$target" .rs)
  cp "$built/$name" "$OUT/"
  if [ -f "fuzz/harness/dictionaries/$name.dict" ]; then
    cp "fuzz/harness/dictionaries/$name.dict" "$OUT/"
  fi
  if [ -d "$WORK/corpus/$name" ]; then
    zip -qj "$OUT/${name}_seed_corpus.zip" "$WORK/corpus/$name"/*
  fi
done
# Proofs need Z3, which the image that runs the targets does not have.
library=$(cat .cargo/z3-directory)
if [ -n "$library" ]; then
  cp "$library"/libz3.so* "$OUT/"
  for name in verify flatten whole_module; do patchelf --set-rpath '$ORIGIN' "$OUT/$name"; done
fi
