#!/bin/bash
# Builds elmx if need be and runs every test: scripts/test.sh [--sanitize | --debug] [arguments of ctest]
# --sanitize: under AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of its own.
# --debug: under both, a debug build of linear algebra, solvers and models, and their tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PRESET=release
if [[ ${1:-} == --sanitize || ${1:-} == --debug ]]; then
  PRESET=${1#--}
  # The program gives its threads stacks for signals, which AddressSanitizer would take for its own; sizes that no memory has are tried.
  export ASAN_OPTIONS=use_sigaltstack=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
  shift
fi

fail() {
  echo "test: $*" >&2
  exit 1
}

# Waiting threads sleep sooner than in the program: tests share the cores, and the thread that is waited for may have none.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-300}

scripts/setup.sh "$PRESET"

echo "test: stages include only earlier stages"
python3 scripts/check_layers.py || fail "the layer check failed"

echo "test: the format of C++ files"
find src apps tests -name '*.[ch]pp' -print0 | xargs -0 -n 64 -P "$(nproc)" clang-format --dry-run --Werror || fail "run clang-format -i"

echo "test: ctest, preset $PRESET, real data sets from ${ELMX_DATA:-data/}"
# One test a core, because some tests watch times and memory, and up to three that mostly wait (PROCESSORS in tests/).
exec ctest --preset "$PRESET" --parallel "$((4 * $(nproc) + 3))" "$@"
