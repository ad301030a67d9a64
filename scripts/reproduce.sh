#!/bin/bash
# Runs published tables in their default scale and writes one page of how many of their cells agree, disagree or are undecided:
#   scripts/reproduce.sh [FAMILY | TABLE ...] [-- options of elmx reproduce]
# Without names: every table. What is finished is not run again; interrupted, the same command goes on. A table that disagrees, or
# whose data are not there, does not end it. The page: out/paper/tables/summary.md (also .csv, .tex, .json).
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

scripts/setup.sh release elmx >&2
mapfile -t KNOWN < <(basename -s .json configs/paper/*.json | sort -V)

NAMES=()
while (($# > 0)) && [[ $1 != -- ]]; do
  NAMES+=("$1")
  shift
done
[[ ${1:-} == -- ]] && shift

TABLES=()
if ((${#NAMES[@]} == 0)); then
  TABLES=("${KNOWN[@]}")
fi
for name in "${NAMES[@]}"; do
  found=0
  for id in "${KNOWN[@]}"; do
    [[ $id == "$name" || $id == "$name"-* ]] || continue
    TABLES+=("$id")
    found=1
  done
  if ((found == 0)); then
    echo "reproduce: $name: no such family or table; allowed: elm, bls, dec, s3elm, rls, or one of elmx list experiments" >&2
    exit 2
  fi
done

FAILED=()
for id in "${TABLES[@]}"; do
  echo "reproduce: $id" >&2
  code=0
  build/elmx reproduce "$id" "$@" >/dev/null || code=$?
  ((code == 130)) && exit 130
  ((code == 0 || code == 5)) || FAILED+=("$id (exit $code)")
done

build/elmx reproduce --summary "${TABLES[@]}"
if ((${#FAILED[@]})); then
  echo "reproduce: not finished: ${FAILED[*]}" >&2
  exit 4
fi
