#!/bin/bash
# Fuzzes the readers with clang's libFuzzer under AddressSanitizer and UBSan: scripts/fuzz.sh [TARGET...] [--seconds 600]
# Without a target: all of them, two at a time. New inputs are kept in build-sanitize/corpus, findings in build-sanitize/findings; exit 1 and
# their paths where there are any. docs/explanation/robustness.md says what is fuzzed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "fuzz: $*" >&2
  exit 2
}

SECONDS_EACH=600
TARGETS=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --seconds) [[ ${2:-} =~ ^[0-9]+$ ]] || fail "--seconds: expected a whole number"; SECONDS_EACH=$2; shift 2 ;;
    -*) fail "$1: unknown option; use --seconds" ;;
    *) [[ -f tests/fuzz/$1_fuzz.cpp ]] || fail "$1: unknown target; the targets are in tests/fuzz"; TARGETS+=("$1"); shift ;;
  esac
done
if [[ ${#TARGETS[@]} -eq 0 ]]; then
  for HARNESS in tests/fuzz/*_fuzz.cpp; do TARGETS+=("$(basename "$HARNESS" _fuzz.cpp)"); done
fi
command -v clang++ > /dev/null || fail "clang++ is not installed"

cmake --preset sanitize > /dev/null
ninja -C build-sanitize "${TARGETS[@]/%/_fuzz}"

# The longest input of a target: a record of CIFAR-10 has 3073 bytes, a member of a tar at least 1024.
longest() {
  case $1 in
    cifar | reviews | mat73 | hdf5) echo 16384 ;;
    config | records) echo 8192 ;;
    *) echo 4096 ;;
  esac
}

# The largest allocation in MB: some libraries believe what damaged files say of themselves, in a child process that has no part in it.
largest() {
  case $1 in
    models | mat73 | hdf5) echo 65536 ;;
    *) echo 512 ;;
  esac
}

fuzz() {
  local target=$1 folder=build-sanitize
  rm -rf "$folder/findings/$target"
  mkdir -p "$folder/corpus/$target" "$folder/seeds/$target" "$folder/findings/$target"
  tar -xzf "tests/fuzz/corpus/$target.tar.gz" -C "$folder/seeds/$target"
  # Time is that of the clock, and at nice 19 a busy machine makes a second of what needs a hundredth.
  local options=(-max_total_time="$SECONDS_EACH" -timeout=60 -report_slow_units=60 -rss_limit_mb=1024 -malloc_limit_mb="$(largest "$target")" -print_final_stats=1)
  options+=(-max_len="$(longest "$target")" -dict="tests/fuzz/dictionaries/$target.dict")
  nice -n 19 "$folder/tests/fuzz/${target}_fuzz" "${options[@]}" -artifact_prefix="$folder/findings/$target/" \
    "$folder/corpus/$target" "$folder/seeds/$target" > "$folder/findings/$target.log" 2>&1 || true
  echo "$target: $(grep -E '^#[0-9]+.*cov:' "$folder/findings/$target.log" | tail -1)"
}
export -f fuzz longest largest
# A child that reads for another (data/isolated) meets sizes that no memory has, and is to go on without.
export SECONDS_EACH OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=1
[[ -d /dev/shm ]] && export TMPDIR=/dev/shm

printf '%s\n' "${TARGETS[@]}" | xargs -P 2 -I TARGET bash -c 'fuzz TARGET'

FINDINGS=$(cd build-sanitize/findings && find "${TARGETS[@]}" -type f)
[[ -z $FINDINGS ]] || { echo "fuzz: findings:" >&2; echo "$FINDINGS"; exit 1; }
