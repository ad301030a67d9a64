"""Hands the ratios of a benchmark to scripts/bench.sh. Each is a speed of elmx over another one, so that larger is better."""

import json
import os


def note(family, name, ratio):
    """Appends a ratio to the file that BENCH_RATIOS names; does nothing without it."""
    if path := os.environ.get("BENCH_RATIOS"):
        with open(path, "a", encoding="utf-8") as file:
            print(json.dumps({"family": family, "name": name, "ratio": round(ratio, 4)}), file=file)
