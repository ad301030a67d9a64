#!/usr/bin/env python3
"""How often the bounds of `elmx predict --interval 0.9` have the target: scripts/prediction_coverage.py [HALVES [ELMX]]

Of each of ten regression sets at most 1500 rows are divided at random, HALVES (4) times: one half trains, the other is
predicted. Data sets are found through ELMX_DATA. Exit code 1: the mean over the sets is not between 0.87 and 0.93."""

import csv
import gzip
import json
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

HALVES = int(sys.argv[1]) if len(sys.argv) > 1 else 4
ELMX = str(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build/elmx").resolve())
SETS = ["abalone", "ailerons", "airfoil", "boston", "cal_housing", "concrete", "elevators", "energy", "house_16H", "yacht"]
MODELS = {
    "linear": {"family": "linear"},
    "elm": {"family": "elm", "algorithms": ["panel"], "activation": "sigmoid", "ridge": 0.1, "nodes": 100},
    "rvfl": {"family": "rvfl", "algorithms": ["panel"], "ridge": 1, "nodes": 40, "layers": 3, "ensemble": True},
}
DATA = pathlib.Path(os.environ.get("ELMX_DATA", "."))
CATALOGUE = json.loads((pathlib.Path(__file__).resolve().parent.parent / "data/catalogue.json").read_text())["sets"]
MOST_ROWS, LEVEL = 1500, 0.9


def elmx(*arguments, cwd):
    done = subprocess.run([ELMX, *map(str, arguments)], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"elmx {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def rows_of(name):
    """The rows of a set: inputs, and the target last."""
    files = next(one["files"] for one in CATALOGUE if one["name"] == name)
    path = DATA / files[0]["path"]
    text = (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)).read()
    lines = [line for line in text.splitlines() if line.strip() and line[0] not in "@%"]
    rows = [re.split(r"[,;\s]+", line.strip()) for line in lines]
    if not re.match(r"-?[\d.]+$", rows[0][-1]):
        rows.pop(0)
    return [row[:-1] for row in rows] if name == "energy" else rows  # its second target is no input


def coverage(model, train, test, header, target, folder):
    for name, rows in (("train.csv", train), ("test.csv", test)):
        with open(folder / name, "w", newline="") as table:
            csv.writer(table).writerows([header, *rows])
    config = {"name": "coverage", "save_model": True, "data": {"path": "train.csv", "header": "yes", "target": [target]},
              "split": {"kind": "k_fold", "folds": 2}, "preprocess": {"inputs": "standard", "targets": {"scale": "standard"}},
              "model": model}
    (folder / "config.json").write_text(json.dumps(config))
    elmx("run", "config.json", "-o", "out", "--force", cwd=folder)
    found = list(csv.DictReader(elmx("predict", "out", "test.csv", "--interval", LEVEL, cwd=folder).splitlines()))
    inside = [float(row[f"{target}_lower"]) <= float(row[f"target_{target}"]) <= float(row[f"{target}_upper"]) for row in found]
    return statistics.mean(inside)


def main():
    means = []
    print(f"{'set':12}" + "".join(f"{name:>9}" for name in MODELS))
    for name in SETS:
        found = {model: [] for model in MODELS}
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            rows = rows_of(name)
            header = [f"x{j + 1}" for j in range(len(rows[0]) - 1)] + ["y"]
            for half in range(HALVES):
                drawn = random.Random(half).sample(rows, min(MOST_ROWS, len(rows)))
                middle = len(drawn) // 2
                for model, options in MODELS.items():
                    found[model].append(coverage(options, drawn[:middle], drawn[middle:], header, "y", folder))
        print(f"{name:12}" + "".join(f"{statistics.mean(values):9.3f}" for values in found.values()), flush=True)
        means.append([statistics.mean(values) for values in found.values()])
    overall = [statistics.mean(column) for column in zip(*means)]
    print(f"{'mean':12}" + "".join(f"{value:9.3f}" for value in overall))
    sys.exit(0 if all(0.87 <= value <= 0.93 and math.isfinite(value) for value in overall) else 1)


if __name__ == "__main__":
    main()
