"""Perceptrons of 20 hidden units on cod-rna (59535 x 8, raw, targets -1 and 1): DEC(10) and L-BFGS(500) of elmx against the same
algorithms in NumPy with SciPy's L-BFGS-B, from the same random start, alternating, medians of several runs. Ratios are what counts.

Columns: E at the end, accuracy on the training and the test part, iterations and evaluations of value and gradient by L-BFGS."""

import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import ratios
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.special import expit

UNITS, MAXITER, ITERATIONS, SEED = 20, 10, 500, 1
TAU_LAMBDA, TAU_W = 1e-3, 1e-2
LAYER, OUTPUT = 1, 7  # purposes of elmx's streams of random numbers
DATA = pathlib.Path(os.environ.get("ELMX_DATA") or "data")
CONFIG = {
    "name": "bench", "seed": SEED, "data": {"set": "cod-rna-both"}, "split": {"kind": "fixed"},
    "preprocess": {"inputs": "none", "targets": {"coding": "single_minus"}},
    "model": {"family": "dec", "nodes": [UNITS], "tau_lambda": TAU_LAMBDA, "tau_w": TAU_W,
              "dec": {"report": [MAXITER]}, "lbfgs": {"report": [ITERATIONS]}},
}


def libsvm(name):
    X, y = [], []
    with gzip.open(DATA / "cod-rna" / name, "rt") as file:
        for line in file:
            label, *fields = line.split()
            row = np.zeros(8)
            for field in fields:
                column, value = field.split(":")
                row[int(column) - 1] = float(value)
            X.append(row)
            y.append(1.0 if float(label) > 0 else -1.0)
    X = np.array(X)
    return np.asfortranarray(np.hstack([-np.ones((len(X), 1)), X])), np.array(y)


def uniform(purpose, count):
    """elmx's uniform(0), ..., uniform(count - 1) of repeat 0, fold 0: Philox4x32-10 (Salmon et al. 2011), its first 53 bits."""
    c = [np.arange(count, dtype=np.uint64), np.zeros(count, np.uint64), np.zeros(count, np.uint64), np.full(count, purpose << 24, np.uint64)]
    key, low = [SEED, 0], np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(second >> np.uint64(32)) ^ c[1] ^ np.uint64(key[0]), second & low, (first >> np.uint64(32)) ^ c[3] ^ np.uint64(key[1]), first & low]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return ((c[0] << np.uint64(32) | c[1]) >> np.uint64(11)).astype(float) * 2.0**-53


class Converged(Exception):
    """Ends L-BFGS-B, which tests the largest entry of the gradient and not its norm."""


def minimise_trial(X, w0, h0, r, s, tau_w, counts):
    """The Armijo step, then L-BFGS (Algorithm 2, tests (25) and (26)); E less its value at w0."""

    def change(w, h):
        return (h - h0) @ (r + 0.5 * s * (h + h0)) + 0.5 * tau_w * ((w - w0) @ (w + w0))

    def error(w):
        h = expit(X @ w)
        gradient = X.T @ ((r + s * h) * h * (1 - h)) + tau_w * w
        last[:] = [w.copy(), gradient]
        counts["evaluations"] += 1
        return change(w, h), gradient

    def test(w):
        gradient = last[1] if np.array_equal(w, last[0]) else error(w)[1]
        if np.linalg.norm(gradient) <= 1e-2 * max(1, np.linalg.norm(w)):
            raise Converged

    def after_iteration(w):
        counts["iterations"] += 1
        accepted[:] = [w.copy()]
        test(w)

    last, accepted = [None, None], []
    gradient = X.T @ ((r + s * h0) * h0 * (1 - h0)) + tau_w * w0
    slope = gradient @ gradient
    v, q, alpha = X @ w0, -(X @ gradient), 1.0
    for _ in range(60):
        value = change(w0 - alpha * gradient, expit(v + alpha * q))
        if value <= -1e-4 * alpha * slope:
            break
        alpha *= 0.5
    else:
        alpha, value = 0.0, 0.0
    w = w0 - alpha * gradient
    try:
        error(w)
        test(w)
        minimize(error, w, jac=True, method="L-BFGS-B", callback=after_iteration,
                 options={"maxcor": 5, "maxiter": 100, "maxfun": 10**6, "ftol": 0, "gtol": 0})
    except Converged:
        pass
    if accepted:
        inner = change(accepted[-1], expit(X @ accepted[-1]))
        if inner <= value and inner <= -1e-6 * np.sum((accepted[-1] - w0) ** 2):
            return accepted[-1]
    return w


def dec(X, y, W, counts):
    tau_w, W = TAU_W / W.size, W.copy(order="F")
    H = np.asfortranarray(expit(X @ W))
    for step in range(MAXITER):
        if step > 0:
            for j in range(UNITS):
                rest = R - H[:, j] * weights[j]
                w = minimise_trial(X, W[:, j].copy(), H[:, j].copy(), rest * weights[j], weights[j] ** 2, tau_w, counts)
                W[:, j] = w
                H[:, j] = h = expit(X @ w)
                weights[j] = -(h @ rest) / (h @ h + TAU_LAMBDA)
                R = rest + h * weights[j]
        weights = cho_solve(cho_factor(H.T @ H + TAU_LAMBDA * np.eye(UNITS)), H.T @ y)
        R = H @ weights - y
    return W, weights


def lbfgs(X, y, W, weights, counts):
    tau_w, shape, size = TAU_W / W.size, W.shape, W.size

    def error(x):
        W, weights = x[:size].reshape(shape, order="F"), x[size:]
        H = expit(X @ W)
        R = H @ weights - y
        grad_weights = H.T @ R + TAU_LAMBDA * weights
        D = R[:, None] * weights
        D *= H
        np.subtract(1, H, out=H)
        D *= H
        value = 0.5 * (R @ R + TAU_LAMBDA * (weights @ weights) + tau_w * np.sum(W * W))
        return value, np.concatenate([(X.T @ D + tau_w * W).ravel(order="F"), grad_weights])

    result = minimize(error, np.concatenate([W.ravel(order="F"), weights]), jac=True, method="L-BFGS-B",
                      options={"maxcor": 5, "maxiter": ITERATIONS, "maxfun": 10**6, "ftol": 0, "gtol": 0})
    counts["iterations"], counts["evaluations"] = result.nit, result.nfev
    return result.x[:size].reshape(shape, order="F"), result.x[size:]


def peer(train, test, algorithm):
    X, y = train
    W = (uniform(LAYER, 9 * UNITS) - 0.5).reshape(9, UNITS, order="F")
    counts = {"iterations": 0, "evaluations": 0}
    begin = time.perf_counter()
    W, weights = dec(X, y, W, counts) if algorithm == "dec" else lbfgs(X, y, W, uniform(OUTPUT, UNITS) - 0.5, counts)
    seconds = time.perf_counter() - begin

    def accuracy(X, y):
        return float(np.mean((expit(X @ W) @ weights > 0) == (y > 0)))

    R = expit(X @ W) @ weights - y
    error = 0.5 * (R @ R + TAU_LAMBDA * (weights @ weights) + TAU_W / W.size * np.sum(W * W))
    return {"seconds": seconds, "E": error, "train": accuracy(X, y), "test": accuracy(*test), **counts}


def elmx(algorithm):
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.json"
        CONFIG["model"]["algorithms"] = [algorithm]
        config.write_text(json.dumps(CONFIG))
        subprocess.run(["build/elmx", "run", str(config), "-o", f"{folder}/out"], check=True, capture_output=True)
        record = json.loads(pathlib.Path(folder, "out", "records.jsonl").read_text())
    step = record["steps"][-1]
    assert record["status"] == "ok"
    return {"seconds": record["timing"]["steps"][-1]["total"], "E": step["metrics"]["objective"], "train": step["metrics"]["train_acc"],
            "test": step["metrics"]["test_acc"], "iterations": ITERATIONS if algorithm == "lbfgs" else "-", "evaluations": "-"}


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    if not (DATA / "cod-rna").is_dir():
        sys.exit("bench: no cod-rna/ in $ELMX_DATA or data/; run build/elmx data fetch cod-rna-both")
    train, test = libsvm("cod-rna.gz"), libsvm("cod-rna.r.gz")
    print(f"{UNITS} trials, {train[0].shape[0]} samples; medians of {repeats} runs")
    for algorithm, title in (("dec", f"DEC({MAXITER})"), ("lbfgs", f"L-BFGS({ITERATIONS})")):
        runs = {"NumPy + SciPy": lambda: peer(train, test, algorithm), "elmx": lambda: elmx(algorithm)}
        results = {name: [] for name in runs}
        for _ in range(repeats):
            for name, run in runs.items():
                results[name].append(run())
        median = {name: statistics.median(one["seconds"] for one in all_runs) for name, all_runs in results.items()}
        print(f"\n| {title} | seconds | x faster | E | train, % | test, % | iterations | evaluations |\n|:--|--:|--:|--:|--:|--:|--:|--:|")
        for name, all_runs in results.items():
            one = all_runs[0]
            print(f"| {name} | {median[name]:.2f} | {median['NumPy + SciPy'] / median[name]:.2f} | {one['E']:.2f} | "
                  f"{100 * one['train']:.2f} | {100 * one['test']:.2f} | {one['iterations']} | {one['evaluations']} |")
        ratios.note("dec", f"{title} over NumPy + SciPy", median["NumPy + SciPy"] / median["elmx"])


main()
