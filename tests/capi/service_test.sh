#!/usr/bin/env bash
# service_test.sh SERVICE KERNEL: the example of a service compiles and searches at its first start, and neither at its second.
set -euo pipefail
cache=$(mktemp -d)
trap 'rm -rf -- "$cache"' EXIT
cold=$("$1" "$cache" "$2")
warm=$("$1" "$cache" "$2")
printf '%s\n--\n%s\n' "$cold" "$warm"
for words in 'kernel compiled, chosen by predicted' 'after the search: chosen by verified' '3 threads: yes, wrong results: 0'; do
  grep -q "$words" <<<"$cold" || { echo "FAILED: the first start does not say: $words"; exit 1; }
done
for words in 'kernel from the cache, chosen by verified' 'wrong results: 0' 'compiled: 0, candidates tried: 0'; do
  grep -q "$words" <<<"$warm" || { echo "FAILED: the second start does not say: $words"; exit 1; }
done
