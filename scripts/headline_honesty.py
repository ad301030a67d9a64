#!/usr/bin/env python3
"""Checks that the headline of a run is what its saved model does on new rows.

    scripts/headline_honesty.py ELMX [SETS]

For SETS (50) data sets of pure noise and as many with a signal, half of each regressions and half classifications, `elmx run` chooses
among six methods and saves a model. The headline of the run is compared with the error of model.h5 on 5000 fresh rows. The mean
difference of each of the four groups has to be within two standard errors of zero; beside it stands the same for the method that is
best on the test parts, which is no honest number. Exit 1 where the headline fails. Needs NumPy.

The folds are not stratified, as in the config that `elmx run FILE` writes for such classes: where stratified folds have the classes in
the proportions of the whole file, the answer "the largest class" is as right on the test parts as it is on the file, although which
class is the largest was learnt from it (0.536 for 120 rows of two classes that are equally frequent).
"""
import csv
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROWS, FRESH, INPUTS = 120, 5000, 5
CONFIG = {
    "seed": 1, "data": {"path": "own.csv", "target": ["y"]}, "split": {"kind": "k_fold", "folds": 5, "stratified": False},
    "preprocess": {"inputs": "standard"}, "save_model": True,
    "cases": {
        "elm": {"model": {"family": "elm", "algorithms": ["panel"], "activation": ["tanh", "gaussian"], "reference": "none",
                          "weights": [-0.7, 0.7], "ridge": [0.001, 0.1, 10], "nodes": [12, 24, 48, 96]}},
        "rvfl": {"model": {"family": "rvfl", "algorithms": ["panel"], "activation": "tanh", "reference": "none",
                           "weights": [-0.7, 0.7], "ridge": [0.001, 0.1, 10], "nodes": [12, 48]}},
        "linear": {"model": {"family": "linear", "ridge": [0.1, 1, 10, 100]}},
        "kernel": {"model": {"family": "kernel"}},
        "mean": {"model": {"family": "mean"}},
        "stack": {"model": {"family": "stack"}},
    },
}


def draw(rng, rows, signal, classes):
    """Inputs and targets; of classes y is 0 or 1."""
    X = rng.normal(size=(rows, INPUTS))
    s = 1.5 * X[:, 0] + np.sin(2 * X[:, 1]) * X[:, 2] if signal else np.zeros(rows)
    s = s + rng.normal(size=rows)
    return X, (s > 0).astype(int) if classes else s


def write(path, X, y, classes):
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow([f"x{j}" for j in range(INPUTS)] + ["y"])
        for row, target in zip(X, y):
            table.writerow([f"{value:.9g}" for value in row] + ["ab"[target] if classes else f"{target:.9g}"])


def run(elmx, folder, *arguments):
    done = subprocess.run([elmx, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"elmx {' '.join(arguments)}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def error_on(elmx, folder, X, y, classes):
    """Accuracy or RMSE of model.h5 on rows that it has not seen, from its predictions."""
    write(folder / "fresh.csv", X, y, classes)
    rows = list(csv.DictReader(io.StringIO(run(elmx, folder, "predict", "out", "fresh.csv", "--format", "csv"))))
    column = next(name for name in rows[0] if name == "class" or name.startswith("predicted_"))
    predicted = [row[column] for row in rows]
    if classes:
        return np.mean([p == "ab"[t] for p, t in zip(predicted, y)])
    return np.sqrt(np.mean((np.array(predicted, dtype=float) - y) ** 2))


def best_on_test(folder, metric):
    """The number that is best on the test parts among the methods at their choices."""
    name = "classification" if metric == "test_acc" else "regression"
    with open(folder / "out" / "tables" / f"{name}.csv", newline="", encoding="utf-8") as file:
        values = [float(row[metric]) for row in csv.DictReader(file) if row.get("chosen") != "best on the test part"]
    return max(values) if metric == "test_acc" else min(values)


def one_set(elmx, seed, signal, classes):
    """Headline and best on the test parts, each minus the truth."""
    rng = np.random.default_rng([seed, signal, classes])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "own.csv", *draw(rng, ROWS, signal, classes), classes)
        config = CONFIG | {"seed": seed, "select": {"by": "loo_acc" if classes else "loo_mse"}}
        config["data"] = CONFIG["data"] | {"task": "classification" if classes else "regression"}
        if not classes:
            config["preprocess"] = {"inputs": "standard", "targets": {"scale": "standard"}}
        (folder / "c.json").write_text(json.dumps(config))
        run(elmx, folder, "run", "c.json", "-o", "out")
        with open(folder / "out" / "tables" / "headline.csv", newline="", encoding="utf-8") as file:
            told = {row["metric"]: float(row["expected"]) for row in csv.DictReader(file)}
        metric = "test_acc" if classes else "test_rmse"
        truth = error_on(elmx, folder, *draw(rng, FRESH, signal, classes), classes)
        return told[metric] - truth, best_on_test(folder, metric) - truth


def main():
    elmx, sets = str(Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 50
    honest = True
    print("data    task            sets  headline - truth         best on test - truth")
    for signal in (False, True):
        for classes in (True, False):
            differences = np.array([one_set(elmx, seed, signal, classes) for seed in range(1, (sets + 1) // 2 + 1)])
            mean, error = differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(len(differences))
            within = abs(mean[0]) <= 2 * error[0]
            honest = honest and within
            print(f"{'signal' if signal else 'noise':7} {'classification' if classes else 'regression':15} {len(differences):4}  "
                  f"{mean[0]:+.4f} ({mean[0] / error[0]:+.1f} s.e.)  {'' if within else 'NOT '}honest  "
                  f"{mean[1]:+.4f} ({mean[1] / error[1]:+.1f} s.e.)", flush=True)
    return 0 if honest else 1


if __name__ == "__main__":
    sys.exit(main())
