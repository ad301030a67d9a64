#!/bin/bash
# Side by side with what people use now, on the same data, in one run: scripts/bench_peers.sh elm|kernel|bls|dec|s3elm|rls|updates [REPEATS]
# elm: standard ELM on MNIST (60000 x 784, 2200 sigmoid nodes, ridge 0.1), features + Gram matrix + solve, and accuracy:
# elmx in double, single and mixed precision against NumPy + scikit-learn's Ridge.
# kernel: kernel matrix and solution at 8000 x 16 and 16000 x 16 against scikit-learn's KernelRidge, made-up data.
# bls: growth 1060 -> 3080 nodes on 60000 samples, elmx's orig, chol-1 and d-rdg against NumPy's orig and direct ridge.
# elm and bls need MNIST (elmx data fetch mnist).
# s3elm: S3ELM with 1000 nodes on banknote (elmx data fetch banknote) against NumPy as the paper writes the algorithm.
# dec: DEC(10) and L-BFGS(500) with 20 trials on cod-rna (elmx data fetch cod-rna-both) against NumPy + SciPy's L-BFGS-B.
# updates: 1000 samples more for 3080 nodes, against NumPy's block recursion and scikit-learn's partial_fit, made-up data.
# rls: FNN on MNIST, the paper's CNN on CIFAR-10 images, LSTM on IMDB (elmx data fetch mnist cifar-10-jpeg imdb) against PyTorch.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "bench_peers: $*" >&2
  exit 2
}

FAMILY=${1:-}
REPEATS=${2:-3}
[[ $FAMILY =~ ^(elm|kernel|bls|dec|s3elm|rls|updates)$ ]] || fail "\"$FAMILY\": unknown family; use elm, kernel, bls, dec, s3elm, rls or updates"

scripts/setup.sh release >&2
declare -A NEEDS=([elm]=python3-sklearn [kernel]=python3-sklearn [bls]="" [dec]=python3-scipy [s3elm]="" [rls]=python3-torch [updates]=python3-sklearn)
PACKAGES=(python3-numpy ${NEEDS[$FAMILY]})
for package in "${PACKAGES[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q installed || fail "$package is missing; run apt-get install ${PACKAGES[*]}"
done
exec /usr/bin/python3 "scripts/peers/$FAMILY.py" "$REPEATS"
