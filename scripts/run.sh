#!/bin/bash
# Builds elmx if need be and runs an experiment: scripts/run.sh [arguments of elmx run]
# Without arguments: the quick start, into out/quickstart.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$ROOT/scripts/setup.sh" release elmx >&2

if (($# == 0)); then
  cd "$ROOT"
  set -- configs/quickstart.json -o out/quickstart --force
fi
echo "run: elmx run $*" >&2
exec "$ROOT/build/elmx" run "$@"
