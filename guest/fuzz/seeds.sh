#!/bin/sh
# Writes seeds for the target "history": the recorded histories of host-test,
# behind the eleven bytes that choose a policy. From the folder guest/fuzz:
#   ./seeds.sh && (cd .. && cargo +nightly fuzz run history fuzz/corpus/history fuzz/seeds)
set -eu
cd "$(dirname "$0")"
mkdir -p seeds
for file in ../../host-test/fixtures/*/*.json ../../host-test/fixtures/*/*.jsonl; do
  case $file in *.expected.json) continue ;; esac
  name=$(basename "$(dirname "$file")")-$(basename "$file")
  { printf '\0\0\0\0\0\0\0\0\0\0\0'; cat "$file"; } >"seeds/$name"
done
