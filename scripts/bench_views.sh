#!/bin/bash
# What the views of 20,000 trials take: scripts/bench_views.sh [ELMX]
# Runs a sweep of 200 ridge values x 2 algorithms x 50 folds on a generated set, then `table`, `compare`, `report` and the
# same run again, each under GNU time. Exit 1 where one of them takes more than 5 seconds or 500 MiB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

MOST_SECONDS=5
MOST_MIB=500
ELMX=$(realpath "${1:-build/elmx}")

fail() {
  echo "bench_views: $*" >&2
  exit 2
}

[[ -x $ELMX ]] || fail "$ELMX: no such program; build it first (scripts/setup.sh release)"
[[ -x /usr/bin/time ]] || fail "GNU time is missing; run apt-get install time"
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT

cat >"$FOLDER/sweep.json" <<'END'
{
  "name": "sweep",
  "repeats": 5,
  "data": {"set": "sinc"},
  "split": {"kind": "k_fold", "folds": 10},
  "model": {
    "family": "elm",
    "algorithms": ["standard", "chol-1"],
    "nodes": [10],
    "reference": "none",
    "ridge": {"logspace": [-6, 2, 200]}
  }
}
END

FAILED=0
measure() {
  local name=$1 seconds mib verdict=ok
  shift
  /usr/bin/time -o "$FOLDER/measured" -f "%e %M" "$ELMX" "$@" >/dev/null 2>"$FOLDER/messages" || {
    cat "$FOLDER/messages" >&2
    fail "elmx $name failed"
  }
  read -r seconds mib < <(awk '{print $1, int($2 / 1024)}' "$FOLDER/measured")
  awk -v s="$seconds" -v m="$mib" "BEGIN { exit !(s > $MOST_SECONDS || m > $MOST_MIB) }" && verdict="too much" && FAILED=1
  printf '%-10s %6.2f s %5d MiB  %s\n' "$name" "$seconds" "$mib" "$verdict"
}

"$ELMX" run "$FOLDER/sweep.json" -o "$FOLDER/results" >/dev/null 2>"$FOLDER/messages" || fail "the run failed: $(tail -1 "$FOLDER/messages")"
echo "$(wc -l <"$FOLDER/results/records.jsonl") trials on $(nproc) cores; at most $MOST_SECONDS s and $MOST_MIB MiB each"
measure table table "$FOLDER/results"
measure compare compare "$FOLDER/results"
measure report report "$FOLDER/results"
measure again run "$FOLDER/sweep.json" -o "$FOLDER/results"
exit $FAILED
