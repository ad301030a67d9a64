"""Updating a network by new samples: elmx against NumPy's block recursion and scikit-learn's partial_fit, in one run.

3080 nodes, 10 outputs, random features; 1000 samples are added. The speed-up is the time of training on 60000 samples
over that of the update, in NumPy and in elmx each on its own.
"""

import json
import statistics
import subprocess
import sys
import time

import numpy as np
import ratios
from sklearn.linear_model import SGDRegressor

SAMPLES, NODES, OUTPUTS, ADDED, RIDGE = 60000, 3080, 10, 1000, 1e-2


def seconds(work, repeats):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def recursion(Q, W, A, Y):
    """Block recursive least squares: Q = (A'A + lambda I)^-1."""
    B = A @ Q
    K = np.linalg.solve(np.eye(len(A)) + B @ A.T, B)
    return Q - B.T @ K, W + K.T @ (Y - A @ W)


def main(repeats):
    rng = np.random.default_rng(1)
    A, Y = rng.random((SAMPLES, NODES)) - 0.5, rng.random((SAMPLES, OUTPUTS)) - 0.5
    new, targets = A[-ADDED:], Y[-ADDED:]

    def retrain():
        return np.linalg.solve(A.T @ A + RIDGE * np.eye(NODES), A.T @ Y)

    again = seconds(retrain, repeats)
    Q = np.linalg.inv(A[:-ADDED].T @ A[:-ADDED] + RIDGE * np.eye(NODES))
    W = Q @ (A[:-ADDED].T @ Y[:-ADDED])
    block = seconds(lambda: recursion(Q, W, new, targets), repeats)
    error = np.linalg.norm(recursion(Q, W, new, targets)[1] - retrain()) / np.linalg.norm(W)

    models = [SGDRegressor(random_state=1).partial_fit(A[:ADDED], Y[:ADDED, j]) for j in range(OUTPUTS)]
    descent = seconds(lambda: [m.partial_fit(new, targets[:, j]) for j, m in enumerate(models)], repeats)
    del A, Q

    bench = subprocess.run(["build/tests/updated_ridge_bench", "--benchmark_filter=_1000/", "--benchmark_format=json"],
                           check=True, capture_output=True, text=True)
    print(f"NumPy: block recursion {block:.2f} s (error {error:.0e}), retraining {again:.2f} s: {again / block:.1f} x")
    print(f"scikit-learn: SGDRegressor.partial_fit, one pass, {OUTPUTS} outputs: {descent:.2f} s (no ridge solution)")
    for row in json.loads(bench.stdout)["benchmarks"]:
        print(f"elmx {row['name'].split('/')[1]}: {row['update_s']:.3f} s, {block / row['update_s']:.1f} x NumPy's recursion, "
              f"{row['speedup']:.1f} x retraining, {row['of_gemm']:.2f} of the gemm rate")
        name = row["name"].split("/")[1]
        ratios.note("updates", f"{name} over NumPy's recursion", block / row["update_s"])
        ratios.note("updates", f"{name} over retraining", row["speedup"])


main(int(sys.argv[1]))
