#!/bin/bash
# Installs what is missing on Debian 12, then configures and builds: scripts/setup.sh [release|sanitize|debug|coverage] [TARGET]
# TARGET: elmx for the program alone, without the tests and the packages that they need. Run it as often as you like: what is there
# already is left alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PRESET=${1:-release}
TARGET=${2:-}
PACKAGES=(
  build-essential g++ cmake ninja-build pkg-config git ca-certificates  # tools
  libarmadillo-dev libopenblas-pthread-dev                              # linear algebra
  libcli11-dev nlohmann-json3-dev libspdlog-dev                         # command line, JSON, log
  librandom123-dev                                                      # counter-based random numbers
  libarchive-dev libcurl4-openssl-dev libssl-dev zlib1g-dev             # fetching, checking and unpacking data
  libhdf5-dev                                                           # saved models
  liblbfgs-dev                                                          # L-BFGS
  libboost-math-dev                                                     # distributions of statistical tests
  libfmt-dev                                                            # text
  libutfcpp-dev                                                         # UTF-8
)
FOR_TESTS=(
  libgtest-dev libbenchmark-dev libvalijson-dev python3                 # tests; a validator of JSON Schema; the layer check
  libmatio-dev                                                          # writes the MATLAB files of the tests
  python3-numpy                                                         # the program of the golden files
  clang-format                                                          # the check of the format
  shellcheck                                                            # the check of the scripts that elmx slurm writes
  libopenmpi-dev openmpi-bin libscalapack-openmpi-dev                   # one network over several processes, where they are there
)
[[ $TARGET == elmx ]] || PACKAGES+=("${FOR_TESTS[@]}")

[[ $PRESET == release ]] || PACKAGES+=(clang libomp-dev)
[[ $PRESET != coverage ]] || PACKAGES+=(llvm)

fail() {
  echo "setup: $*" >&2
  exit 1
}

missing_packages() {
  local package
  for package in "${PACKAGES[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

install_packages() {
  local -a as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || fail "not root and no sudo; please have these packages installed: $*"
    as_root=(sudo "${as_root[@]}")
  fi
  echo "setup: installing $*"
  "${as_root[@]}" apt-get update -qq || fail "apt-get update failed"
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
    fail "apt-get install failed"
}

case $PRESET in
  release | sanitize | debug | coverage) ;;
  *) fail "unknown preset \"$PRESET\"; use release, sanitize, debug or coverage" ;;
esac
[[ -z $TARGET || $TARGET == elmx ]] || fail "unknown target \"$TARGET\"; use elmx, or no target to build everything"

if command -v dpkg-query >/dev/null; then
  mapfile -t MISSING < <(missing_packages)
  if ((${#MISSING[@]})); then
    install_packages "${MISSING[@]}"
  else
    echo "setup: all ${#PACKAGES[@]} packages are installed"
  fi
  # Optional: it draws the plots, which otherwise come as scripts for it.
  command -v gnuplot >/dev/null || (install_packages gnuplot-nox) || echo "setup: continuing without gnuplot"
  # Optional: the test of job scripts runs on a Slurm of this machine (scripts/slurm_here.sh), else it is skipped.
  [[ $TARGET == elmx ]] || command -v slurmctld >/dev/null || (install_packages slurm-wlm munge) ||
    echo "setup: continuing without Slurm"
else
  echo "setup: not a Debian system; assuming that the libraries in CONTRIBUTING.md are installed"
fi

echo "setup: configuring and building, preset $PRESET"
TESTING=ON
if [[ $TARGET == elmx ]]; then  # a folder that has the tests keeps them
  TESTING=$(sed -n 's/^BUILD_TESTING:BOOL=//p' build/CMakeCache.txt 2>/dev/null || true)
fi
cmake --preset "$PRESET" -DBUILD_TESTING="${TESTING:-OFF}" --log-level=WARNING || fail "configuring failed"
cmake --build --preset "$PRESET" ${TARGET:+--target "$TARGET"} --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" ||
  fail "the build failed"
