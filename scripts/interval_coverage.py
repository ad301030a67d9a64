#!/usr/bin/env python3
"""How often the 95 % intervals of speed-ups have the median ratio of many runs: scripts/interval_coverage.py [RUNS [TRIALS [ROUNDS]]]

A small comparison of growth steps runs RUNS (40) times, each in a process of its own, with TRIALS (5) folds and ROUNDS (20) repetitions.
TRIALS = 1: one holdout, whose rounds alone give the interval. Right are 93 to 97 %, but for the chance of so few runs, which is printed."""

import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

RUNS, TRIALS, ROUNDS = ((int(sys.argv[i + 1]) if len(sys.argv) > i + 1 else default) for i, default in enumerate((40, 5, 20)))
CONFIG = {
    "name": "coverage", "seed": 1, "data": {"set": "friedman1", "samples": 1000, "noise": 1.0},
    "split": {"kind": "holdout"} if TRIALS == 1 else {"kind": "k_fold", "folds": TRIALS},
    "model": {"algorithms": ["standard", "existing", "alg1", "alg2", "alg3", "panel"], "reference": "none",
              "nodes": {"start": 2, "stop": 200, "report": [50, 200]}, "timing": {"at": [50, 200], "repetitions": ROUNDS}},
}

ratios = {}
with tempfile.TemporaryDirectory() as scratch:
    config = pathlib.Path(scratch) / "config.json"
    config.write_text(json.dumps(CONFIG))
    for _ in range(RUNS):
        subprocess.run(["build/elmx", "run", config, "-o", scratch + "/out", "--force"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(scratch + "/out/tables/time.csv", newline="") as table:
            for row in csv.DictReader(table):
                try:
                    values = [float(row[name]) for name in ("step_speedup", "step_speedup_low", "step_speedup_high")]
                except ValueError:
                    continue
                if all(map(math.isfinite, values)):
                    ratios.setdefault((row["nodes"], row["algorithm"]), []).append(values)

inside = count = 0
for (nodes, algorithm), values in ratios.items():
    median = statistics.median(value for value, _, _ in values)
    covered = sum(low <= median <= high for _, low, high in values)
    width = statistics.median(high / low for _, low, high in values)
    inside += covered
    count += len(values)
    print(f"{algorithm:10} {nodes:>4} nodes: speed-up {median:.3g}, intervals high / low {width:.3g}, {covered} of {len(values)} have it")
# The algorithms of a run share its reference: as if each run were one observation.
error = math.sqrt(0.95 * 0.05 / RUNS)
print(f"{100 * inside / count:.1f} % of {count} intervals; 95 % +- {200 * error:.1f} % (two standard errors, at worst) are right")
