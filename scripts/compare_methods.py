#!/usr/bin/env python3
"""What `elmx run DATA` reaches on twelve data sets, beside RidgeCV, random forests and gradient boosting of scikit-learn on the same
folds. Writes a Markdown table.

    scripts/compare_methods.py ELMX [-o FILE] [SET ...]     needs python3-sklearn, and the sets (elmx data fetch)

The number of elmx is that of the model which a user gets: in each fold the case and the point with the best leave-one-out error of the
training part, of equals the one with the fewest nodes. Nothing is chosen by a test part.
"""
import argparse
import csv
import gzip
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.ensemble import (HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier,
                              RandomForestRegressor)
from sklearn.linear_model import RidgeClassifierCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROOT = Path(__file__).resolve().parent.parent
SETS = ["concrete", "yacht", "airfoil", "energy", "abalone", "cal_housing", "letter", "magic", "spambase", "wdbc", "wine", "pima"]
# Five-fold means of elmx as a new user configured it at commit 7d3a00c, its choice among points by the training part.
BEFORE = {"concrete": 6.06, "yacht": 0.79, "airfoil": 2.87, "energy": 0.64, "abalone": 2.14, "cal_housing": 70200, "letter": .874,
          "magic": .866, "spambase": .909, "wdbc": .965, "wine": .983, "pima": .774}
PENALTIES = np.logspace(-3, 3, 13)


PAGE = """# Twelve data sets, without a config

This page shows what `elmx run SET` reaches where nobody has chosen anything, beside methods of scikit-learn
on the same five folds. It has the RMSE for numbers and the accuracy for classes, as means over the test
parts. The number of elmx is that of the model which a user gets (`model.h5`): in each fold the case and the
point with the best leave-one-out error of the training part, of equals the one with the fewest nodes. Nothing
is chosen by a test part. *Before* is what a new user got from an earlier elmx by a choice among points, on
other folds. RidgeCV has 13 penalties, the forest 100 trees, the boosting (histograms) its defaults.

`scripts/compare_methods.py build/elmx -o docs/explanation/twelve_sets.md` makes this page again (it needs
`python3-sklearn` and the sets). Seconds are of a whole run of elmx, with the final model, on two cores.

[Seven algorithms on fifteen sets](../../results/beyond/README.md) are ranked on another page.

"""


def column(wanted, header):
    if wanted in header:
        return header.index(wanted)
    number = int(wanted)
    return number - 1 if number > 0 else len(header) + number


def read_set(entry, folder):
    """X, y as scikit-learn takes them: numbers, categories one-hot."""
    path = folder / entry["files"][0]["path"]
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip()]
    rows = list(csv.reader(lines)) if "," in lines[0] else [line.split() for line in lines]
    rows = [[field.strip() for field in row] for row in rows]
    header = rows.pop(0) if entry.get("header") == "yes" else [str(j + 1) for j in range(len(rows[0]))]
    target = column(entry["target"][0], header)
    left_out = {target} | {column(c, header) for c in entry.get("drop", []) + entry.get("other_targets", [])}
    nominal = {column(c, header) for c in entry.get("nominal", [])}
    parts = []
    for j in range(len(header)):
        if j in left_out:
            continue
        values = [[row[j]] for row in rows]
        parts.append(OneHotEncoder(sparse_output=False).fit_transform(values) if j in nominal else np.array(values, dtype=float))
    y = np.array([row[target] for row in rows])
    return np.hstack(parts), y if entry["task"] == "classification" else y.astype(float)


def folds_of(elmx, config):
    """[(training rows, test rows)], counted from 0."""
    text = subprocess.run([elmx, "folds", config], check=True, capture_output=True, text=True).stdout
    folds = {}
    for row in csv.DictReader(text.splitlines()):
        folds.setdefault(int(row["fold"]), {"train": [], "test": []})[row["part"]].append(int(row["row"]) - 1)
    return [(np.array(f["train"]), np.array(f["test"])) for _, f in sorted(folds.items())]


def run_elmx(elmx, name, folder):
    """(error of each fold, how often each case was chosen, seconds, config)."""
    begin = time.time()
    subprocess.run([elmx, "run", name, "-o", folder / name], check=True, capture_output=True, cwd=folder)
    seconds = time.time() - begin
    rows = json.loads((folder / name / "tables" / "selected.json").read_text())["rows"]
    classes = "test_acc" in rows[0]
    best = {}
    for row in rows:
        merit = (row["value"] if classes else -row["value"], -row["nodes"])
        if row["fold"] not in best or merit > best[row["fold"]][0]:
            best[row["fold"]] = (merit, row["test_acc"] if classes else row["test_rmse"], row["case"])
    chosen = [case for _, _, case in best.values()]
    cases = ", ".join(f"{case} {chosen.count(case)}" for case in sorted(set(chosen), key=chosen.count, reverse=True))
    return [value for _, value, _ in best.values()], cases, seconds, folder / f"{name}.json"


def peers(classes):
    scaled = lambda model: make_pipeline(StandardScaler(), model)
    if classes:
        return [scaled(RidgeClassifierCV(PENALTIES)), RandomForestClassifier(100, random_state=1, n_jobs=-1),
                HistGradientBoostingClassifier(random_state=1)]
    return [scaled(RidgeCV(PENALTIES)), RandomForestRegressor(100, random_state=1, n_jobs=-1),
            HistGradientBoostingRegressor(random_state=1)]


def error(model, X, y, train, test, classes):
    model.fit(X[train], y[train])
    predicted = model.predict(X[test])
    return np.mean(predicted == y[test]) if classes else np.sqrt(np.mean((predicted - y[test]) ** 2))


def shown(value, classes):
    return f"{value:.3f}" if classes or value < 10 else f"{value:.2f}" if value < 1000 else f"{value:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("elmx")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    arguments = parser.parse_args()
    elmx = str(Path(arguments.elmx).resolve())
    entries = {entry["name"]: entry for entry in json.loads((ROOT / "data/catalogue.json").read_text())["sets"]}
    data = Path(os.environ.get("ELMX_DATA", "data"))
    os.environ["ELMX_DATA"] = str(data.resolve())
    lines = ["| set | rows | elmx | chosen in the folds | seconds | before | RidgeCV | random forest | boosting |",
             "|:----|-----:|-----:|:--------------------|--------:|-------:|--------:|--------------:|---------:|"]
    better = [0, 0, 0, 0]  # than before (or as good), RidgeCV, forest, boosting
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            classes = entries[name]["task"] == "classification"
            own, cases, seconds, config = run_elmx(elmx, name, Path(folder))
            X, y = read_set(entries[name], data)
            folds = folds_of(elmx, config)
            others = [np.mean([error(model, X, y, *fold, classes) for fold in folds]) for model in peers(classes)]
            sign = 1 if classes else -1
            mean = np.mean(own)
            # "before" has three digits
            better[0] += sign * mean >= sign * BEFORE[name] - 5e-4 * BEFORE[name]
            for i, other in enumerate(others):
                better[i + 1] += sign * mean > sign * other
            cells = [shown(v, classes) for v in [mean, BEFORE[name], *others]]
            lines.append(f"| {name} | {len(y)} | {cells[0]} | {cases} | {seconds:.1f} | " + " | ".join(cells[1:]) + " |")
            print(lines[-1], flush=True)
    count = len(arguments.sets)
    lines += ["", f"As good as before, or better, on {better[0]} of {count} sets; better than RidgeCV on {better[1]}, than",
              f"the random forest on {better[2]}, than boosting on {better[3]}."]
    print(*lines[-2:])
    if arguments.output:
        arguments.output.write_text(PAGE + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
