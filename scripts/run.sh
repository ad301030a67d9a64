#!/bin/bash
# Builds elmx if need be and runs an experiment: scripts/run.sh [arguments of elmx run]
# Without arguments: the quick start, into out/quickstart, going on where it was interrupted.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$ROOT/scripts/setup.sh" release >&2

if (($# == 0)); then
  cd "$ROOT"
  set -- configs/quickstart.json -o out/quickstart --resume
fi
echo "run: elmx run $*" >&2
exec "$ROOT/build/elmx" run "$@"
