#!/bin/bash
# Runs published tables and writes one page of how many of their cells have which verdict:
#   scripts/reproduce.sh [--full] [FAMILY | TABLE ...] [-- options of elmx reproduce]
# Without names: every table. What is finished is not run again; interrupted, the same command goes on. A table that disagrees, or
# whose data are not there, does not end it. The page: out/paper/tables/summary.md (also .csv, .tex, .json).
# --full: at full scale, in out/full, the cheapest first. It goes on with the trials that are published in results/, whatever program
# has made them; scripts/publish_results.py puts what is new there.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

FULL=0 OUT=out/paper
NAMES=() OPTIONS=()
while (($# > 0)) && [[ $1 != -- ]]; do
  if [[ $1 == --full ]]; then
    FULL=1 OUT=out/full OPTIONS=(--full --resume --force)
  else
    NAMES+=("${1,,}")
  fi
  shift
done
[[ ${1:-} == -- ]] && shift

scripts/setup.sh release elmx >&2

# "2 h 3 min" of the last column but one of `elmx list experiments`, in seconds, before each id
with_seconds() {
  build/elmx list experiments 2>/dev/null | awk -F'|' 'BEGIN {
      unit["s"] = 1; unit["min"] = 60; unit["h"] = 3600; unit["days"] = 86400; unit["day"] = 86400
    }
    NF > 4 && $2 !~ /^ *id *$|^:/ {
      n = split($4, word, " "); seconds = 0
      for (i = 1; i < n; i += 2) seconds += word[i] * unit[word[i + 1]]
      gsub(/ /, "", $2); print seconds, $2
    }'
}
if ((FULL)); then
  mapfile -t KNOWN < <(with_seconds | sort -s -n | cut -d' ' -f2)
else
  mapfile -t KNOWN < <(basename -s .json configs/paper/*.json | sort -V)
fi

# In the order of KNOWN
TABLES=()
for id in "${KNOWN[@]}"; do
  wanted=$((${#NAMES[@]} == 0))
  for name in "${NAMES[@]}"; do
    [[ $id == "$name" || $id == "$name"-* ]] && wanted=1
  done
  ((wanted)) && TABLES+=("$id")
done
for name in "${NAMES[@]}"; do
  found=0
  for id in "${KNOWN[@]}"; do
    [[ $id == "$name" || $id == "$name"-* ]] && found=1
  done
  if ((found == 0)); then
    echo "reproduce: $name: unknown family or table; use elm, bls, dec, s3elm, rls or a table of elmx list experiments" >&2
    exit 2
  fi
done

# The published trials that a run lacks or has failed at: it begins with them, or has them beside its own. A folder to which another
# process writes stays as it is.
take_published() {
  local records=$1 run=$2 lock code=0
  mkdir -p "$run"
  exec {lock}<"$run"
  flock -n "$lock" || code=$?
  if ((code == 1)); then  # 0: the lock is ours; more than 1: the file system has no locks
    echo "reproduce: $run: another run is writing to it" >&2
  else
    add_published "$records" "$run"
  fi
  exec {lock}<&-
}

add_published() {
  local records=$1 run=$2
  if [[ ! -e $run/records.jsonl ]]; then
    cp "$(dirname "$records")/experiment.json" "$run/"
    gzip -dc "$records" >"$run/.records.new"  # a half file would be taken for the whole
    mv "$run/.records.new" "$run/records.jsonl"
    printf 'experiment.json\nrecords.jsonl\n' >>"$run/.elmx-files"  # elmx replaces only files that this list names
    return
  fi
  [[ -z $(tail -c 1 "$run/records.jsonl") ]] || sed -i '$d' "$run/records.jsonl"  # a last line that is cut off
  gzip -dc "$records" | awk -F'"' '{ ok = /"fold":[0-9]+,"status":"ok"/ }
    !published { finished[$4]; if (ok) good[$4]; next }
    !($4 in finished) || ok && !($4 in good)' \
    published=0 "$run/records.jsonl" published=1 - >"$run/.records.new"
  cat "$run/.records.new" >>"$run/records.jsonl"
  rm "$run/.records.new"
}

if ((FULL)); then
  for records in results/*/records.jsonl.gz; do
    [[ -e $records ]] && take_published "$records" "$OUT/$(basename "$(dirname "$records")")"
  done
fi

FAILED=()
for id in "${TABLES[@]}"; do
  echo "reproduce: $id" >&2
  code=0
  build/elmx reproduce "$id" -o "$OUT" "${OPTIONS[@]}" "$@" >/dev/null || code=$?
  ((code == 130)) && exit 130
  ((code == 0 || code == 5)) || FAILED+=("$id (exit $code)")
done

build/elmx reproduce --summary -o "$OUT" "${TABLES[@]}"
if ((${#FAILED[@]})); then
  echo "reproduce: not finished: ${FAILED[*]}" >&2
  exit 4
fi
