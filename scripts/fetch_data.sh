#!/bin/sh
# Downloads data sets into the data directory ($ELMX_DATA, else data/): scripts/fetch_data.sh [NAME...]
# Without a name: every set of the catalogue that has files.
cd "$(dirname "$0")/.." || exit 1
exec "${ELMX:-build/elmx}" data fetch "$@"
