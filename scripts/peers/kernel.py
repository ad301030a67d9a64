"""Kernel ridge regression at 8000 x 16 and 16000 x 16: elmx against scikit-learn's KernelRidge, alternating, medians of several runs;
ratios are what counts. Kernel matrix and solution; the predictions of both are compared."""

import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import ratios
from sklearn.kernel_ridge import KernelRidge

RIDGE, INPUTS, TESTED = 0.1, 16, 1000
PRECISIONS = ("double", "mixed", "single")
KERNELS = {"gaussian": "rbf", "laplace_l1": "laplacian"}


def samples(n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n + TESTED, INPUTS))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(len(X))


def elmx(folder, n, kernel, precision):
    """(seconds of choice-free training, RMSE of the test rows, absolute length scale) of one run."""
    config = {"name": "bench", "data": {"path": "samples.csv", "target": "y"},
              "split": {"kind": "holdout", "test_samples": TESTED, "train_samples": n}, "preprocess": {"inputs": "none"},
              "save_model": True,
              "model": {"family": "kernel", "kernel": kernel, "length": 1, "ridge": RIDGE, "intercept": False, "precision": precision}}
    (folder / "config.json").write_text(json.dumps(config))
    subprocess.run([pathlib.Path("build/elmx").resolve(), "run", "config.json", "-o", "out", "--force"], check=True, capture_output=True,
                   cwd=folder)
    record = json.loads((folder / "out/records.jsonl").read_text())
    return record["timing"]["steps"][0]["total"], record["steps"][0]["metrics"]["test_rmse"]


def peer(X, y, n, kernel):
    # the mean distance of elmx, of up to 1000 samples: here of the first ones, which is as good for a time
    first = X[:1000]
    pairs = np.abs(first[:, None] - first[None])
    distance = pairs.sum(2) if kernel == "laplace_l1" else np.sqrt((pairs ** 2).sum(2))
    length = distance[np.triu_indices(len(first), 1)].mean()
    gamma = 1 / length if kernel == "laplace_l1" else 1 / length ** 2
    begin = time.perf_counter()
    model = KernelRidge(alpha=RIDGE, kernel=KERNELS[kernel], gamma=gamma).fit(X[:n], y[:n])
    seconds = time.perf_counter() - begin
    return seconds, float(np.sqrt(np.mean((model.predict(X[n:]) - y[n:]) ** 2)))


def main():
    repeats = int(sys.argv[1])
    for n in (8000, 16000):
        X, y = samples(n)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            with open(folder / "samples.csv", "w", newline="") as file:
                rows = csv.writer(file)
                rows.writerow([f"x{j}" for j in range(INPUTS)] + ["y"])
                rows.writerows(np.column_stack([X, y]).tolist())
            for kernel in KERNELS:
                times = {who: [] for who in ("scikit-learn", *PRECISIONS)}
                errors = {}
                for _ in range(repeats):
                    seconds, errors["scikit-learn"] = peer(X, y, n, kernel)
                    times["scikit-learn"].append(seconds)
                    for precision in PRECISIONS:
                        seconds, errors[precision] = elmx(folder, n, kernel, precision)
                        times[precision].append(seconds)
                medians = {who: statistics.median(all_times) for who, all_times in times.items()}
                print(f"{n} x {INPUTS}, {kernel}: scikit-learn {medians['scikit-learn']:.2f} s, RMSE {errors['scikit-learn']:.4f}; " +
                      "; ".join(f"elmx {p} {medians[p]:.2f} s, {medians['scikit-learn'] / medians[p]:.1f} x, RMSE {errors[p]:.4f}"
                                for p in PRECISIONS), flush=True)
                for p in PRECISIONS:
                    ratios.note("kernel", f"{kernel}, {n} samples, {p} over scikit-learn", medians["scikit-learn"] / medians[p])


if __name__ == "__main__":
    main()
