#!/usr/bin/env python3
"""What `elmx run DATA` reaches on twelve data sets, beside RidgeCV, random forests and gradient boosting of scikit-learn and XGBoost on
the same folds. Writes a Markdown table.

    scripts/compare_methods.py ELMX [-o FILE] [SET ...]     needs python3-sklearn, python3-xgboost and the sets (elmx data fetch)

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
from sklearn.preprocessing import LabelEncoder, OneHotEncoder, StandardScaler
from xgboost import XGBClassifier, XGBRegressor

ROOT = Path(__file__).resolve().parent.parent
SETS = ["concrete", "yacht", "airfoil", "energy", "abalone", "cal_housing", "letter", "magic", "spambase", "wdbc", "wine", "pima"]
PENALTIES = np.logspace(-3, 3, 13)


PAGE = """# Twelve data sets, without a config

This page shows what `elmx run SET` reaches without a config, beside methods of scikit-learn and XGBoost on
the same five folds. A row has the RMSE of a regression or the accuracy of a classification, as the mean over
the test parts. The best value of a row is bold.

The number of elmx is that of the model that a user gets (`model.h5`). In each fold this is the case and point
with the best leave-one-out error of the training part, and among equal ones that with the fewest nodes. No
test part has an influence on the choice. RidgeCV chooses among 13 penalties. The random forest (100 trees),
boosting by histograms (HGB) and XGBoost have their defaults.

The seconds are those of a whole run on two cores. For elmx they include the choice among all points, five
folds and the final model, and for the others five trainings.

`scripts/compare_methods.py build/elmx -o docs/explanation/twelve_sets.md` makes this page again. It needs
`python3-sklearn`, `python3-xgboost` and the data sets. [Another page](../../results/beyond/README.md) ranks
nine algorithms on fifteen data sets.

"""
NAMES = ["elmx", "RidgeCV", "forest", "HGB", "XGBoost"]


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
    records = [json.loads(line) for line in (folder / name / "records.jsonl").read_text().splitlines()]
    by = json.loads((folder / name / "experiment.json").read_text())["config"]["select"]["by"]
    sign = -1 if by == "loo_mse" else 1
    best = {}
    for record in records:
        for step in record["steps"]:
            metrics = step["metrics"]
            if step["status"] != "ok" or by not in metrics:
                continue
            merit = (sign * metrics[by], -step["nodes"])
            if record["fold"] not in best or merit > best[record["fold"]][0]:
                best[record["fold"]] = (merit, metrics.get("test_acc", metrics.get("test_rmse")), record["case"])
    chosen = [case for _, _, case in best.values()]
    cases = ", ".join(f"{case} {chosen.count(case)}" for case in sorted(set(chosen), key=chosen.count, reverse=True))
    return [value for _, value, _ in best.values()], cases, seconds, folder / f"{name}.json"


def peers(classes):
    scaled = lambda model: make_pipeline(StandardScaler(), model)
    if classes:
        return [scaled(RidgeClassifierCV(PENALTIES)), RandomForestClassifier(100, random_state=1, n_jobs=-1),
                HistGradientBoostingClassifier(random_state=1), XGBClassifier(random_state=1, n_jobs=2)]
    return [scaled(RidgeCV(PENALTIES)), RandomForestRegressor(100, random_state=1, n_jobs=-1),
            HistGradientBoostingRegressor(random_state=1), XGBRegressor(random_state=1, n_jobs=2)]


def error(model, X, y, train, test, classes):
    model.fit(X[train], y[train])
    predicted = model.predict(X[test])
    return np.mean(predicted == y[test]) if classes else np.sqrt(np.mean((predicted - y[test]) ** 2))


def shown(value, classes):
    return f"{value:.4f}" if classes else f"{value:.4g}" if value < 10000 else f"{value:.0f}"


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
    lines = ["| set | rows | " + " | ".join(NAMES) + " | chosen in the folds | " + " | ".join(f"{n} (s)" for n in NAMES) + " |",
             "|:----|-----:" + "|-----:" * len(NAMES) + "|:--" + "|-----:" * len(NAMES) + "|"]
    better = [0] * (len(NAMES) - 1)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            classes = entries[name]["task"] == "classification"
            own, cases, seconds, config = run_elmx(elmx, name, Path(folder))
            X, y = read_set(entries[name], data)
            if classes:
                y = LabelEncoder().fit_transform(y)
            folds = folds_of(elmx, config)
            values, times = [np.mean(own)], [seconds]
            for model in peers(classes):
                begin = time.time()
                values.append(np.mean([error(model, X, y, *fold, classes) for fold in folds]))
                times.append(time.time() - begin)
            sign = 1 if classes else -1
            for i, other in enumerate(values[1:]):
                better[i] += sign * values[0] > sign * other
            best = max(sign * value for value in values)
            cells = [f"**{shown(v, classes)}**" if sign * v == best else shown(v, classes) for v in values]
            lines.append(f"| {name} | {len(y)} | " + " | ".join(cells) + f" | {cases} | " + " | ".join(f"{t:.1f}" for t in times) + " |")
            print(lines[-1], flush=True)
    lines += ["", f"Of {len(arguments.sets)} sets elmx is better than " +
              ", than ".join(f"{name} on {count}" for name, count in zip(NAMES[1:], better)) + "."]
    print(lines[-1])
    if arguments.output:
        arguments.output.write_text(PAGE + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
