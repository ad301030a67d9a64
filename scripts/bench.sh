#!/bin/bash
# Measures how fast elmx is beside other programs and beside this machine: scripts/bench.sh [FAMILY...] [--repeats 3]
# Appends the ratios to results/bench/history.jsonl and draws them (results/bench/README.md, history.svg). Exit 1 if a ratio is more
# than 10 % below the last entry of the same kind of machine. Without a family: all of them, about half an hour on a quiet machine.
#
# machine: kernels and solvers against the gemm rate and the memory bandwidth.
# elm: standard ELM on MNIST (60000 x 784, 2200 sigmoid nodes, ridge 0.1), features + Gram matrix + solution, in double, single and
#      mixed precision, against NumPy + scikit-learn's Ridge, and against hpelm if python3 can import it.
# kernel: kernel matrix and solution at 8000 x 16 and 16000 x 16 against scikit-learn's KernelRidge, made-up data.
# bls: growth 1060 -> 3080 nodes on 60000 samples of MNIST: orig, chol-1 and d-rdg against NumPy's orig and direct ridge.
# dec: DEC(10) and L-BFGS(500) with 20 trials on cod-rna against NumPy + SciPy's L-BFGS-B.
# s3elm: S3ELM with 1000 nodes on banknote against NumPy as the paper writes the algorithm.
# rls: FNN on MNIST, the paper's CNN on CIFAR-10 images, LSTM on IMDB, against PyTorch.
# updates: 1000 samples more for 3080 nodes, against NumPy's block recursion and scikit-learn's partial_fit, made-up data.
# `elmx data fetch mnist cod-rna-both banknote cifar-10-jpeg imdb` gets the data.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "bench: $*" >&2
  exit 2
}

REPEATS=3
FAMILIES=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --repeats) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || fail "--repeats: expected a positive whole number"; REPEATS=$2; shift 2 ;;
    machine | elm | kernel | bls | dec | s3elm | rls | updates) FAMILIES+=("$1"); shift ;;
    *) fail "$1: unknown family; use machine, elm, kernel, bls, dec, s3elm, rls or updates" ;;
  esac
done
[[ ${#FAMILIES[@]} -gt 0 ]] || FAMILIES=(machine elm kernel bls updates s3elm dec rls)

scripts/setup.sh release >&2
declare -A NEEDS=([elm]=python3-sklearn [kernel]=python3-sklearn [dec]=python3-scipy [rls]=python3-torch [updates]=python3-sklearn)
PACKAGES=(python3-numpy)
for FAMILY in "${FAMILIES[@]}"; do [[ -z ${NEEDS[$FAMILY]:-} ]] || PACKAGES+=("${NEEDS[$FAMILY]}"); done
for PACKAGE in "${PACKAGES[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$PACKAGE" 2>/dev/null | grep -q installed || fail "$PACKAGE is missing; run apt-get install ${PACKAGES[*]}"
done

BENCH_RATIOS=$(mktemp)
export BENCH_RATIOS
trap 'rm -f "$BENCH_RATIOS"' EXIT
for FAMILY in "${FAMILIES[@]}"; do
  echo "## $FAMILY"
  /usr/bin/python3 "scripts/peers/$FAMILY.py" "$REPEATS"
done
/usr/bin/python3 scripts/bench_history.py "$BENCH_RATIOS" --elmx build/elmx
