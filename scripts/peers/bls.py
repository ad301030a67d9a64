"""Broad learning systems on MNIST, growing 60 + 1000 -> 80 + 3000 nodes: elmx against NumPy, alternating, medians of several runs.

NumPy gets the time of the solution only, on an expanded input of the same size; so does elmx. Ratios are what counts."""

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

SAMPLES, CLASSES, SIZES, RIDGE = 60000, 10, (1060, 2070, 3080), 10.0  # large enough for single precision; times do not depend on it
CONFIG = {
    "name": "bench", "data": {"set": "mnist"}, "split": {"kind": "fixed"},
    "preprocess": {"inputs": "none", "targets": {"coding": "minus_one_one"}},
    "model": {"family": "bls", "ridge": RIDGE, "expanded_input": "stored",
              "features": {"groups": 6, "nodes": 10}, "enhancement": {"nodes": 1000},
              "growth": {"updates": 2, "feature_groups": 1, "enhancement": 1000}},
}


def elmx(algorithm, precision="double"):
    """Seconds of the whole growth, from the record of one run."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.json"
        CONFIG["model"] |= {"algorithms": [algorithm], "precision": precision}
        config.write_text(json.dumps(CONFIG))
        subprocess.run(["build/elmx", "run", str(config), "-o", f"{folder}/out"], check=True, capture_output=True)
        record = json.loads(pathlib.Path(folder, "out", "records.jsonl").read_text())
        assert record["status"] == "ok"
        assert record["steps"][-1]["nodes"] == SIZES[-1]
        return record["timing"]["steps"][-1]["total"]


def orig(A, Y):
    """Greville's recursion for the regularised pseudo-inverse, as the program of the original BLS has it."""
    k = SIZES[0]
    pinv = np.linalg.inv(A[:, :k].T @ A[:, :k] + RIDGE * np.eye(k)) @ A[:, :k].T
    W = pinv @ Y
    for size in SIZES[1:]:
        H = A[:, k:size]
        D = pinv @ H
        C = H - A[:, :k] @ D
        B = np.linalg.inv(C.T @ C + RIDGE * np.eye(size - k)) @ C.T
        pinv = np.vstack([pinv - D @ B, B])
        W = pinv @ Y
        k = size
    return W


def direct(A, Y):
    """The ridge solution anew at every size."""
    for k in SIZES:
        W = np.linalg.solve(A[:, :k].T @ A[:, :k] + RIDGE * np.eye(k), A[:, :k].T @ Y)
    return W


def timed(f, *arguments):
    begin = time.perf_counter()
    f(*arguments)
    return time.perf_counter() - begin


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    if not (pathlib.Path(os.environ.get("ELMX_DATA") or "data") / "mnist").is_dir():
        sys.exit("bench: no mnist/ in $ELMX_DATA or data/; run build/elmx data fetch mnist")
    rng = np.random.default_rng(1)
    A = np.asfortranarray(np.tanh(rng.uniform(-0.8, 0.8, (SAMPLES, SIZES[-1]))))
    Y = np.where(rng.integers(0, CLASSES, SAMPLES)[:, None] == np.arange(CLASSES), 1.0, -1.0)
    runs = {"NumPy orig": lambda: timed(orig, A, Y), "NumPy direct": lambda: timed(direct, A, Y),
            "elmx orig": lambda: elmx("orig"), "elmx chol-1": lambda: elmx("chol-1"), "elmx d-rdg": lambda: elmx("d-rdg"),
            "elmx chol-1, single": lambda: elmx("chol-1", "single")}
    seconds = {name: [] for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            seconds[name].append(run())
    median = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"growth {SIZES[0]} -> {SIZES[1]} -> {SIZES[2]} nodes on {SAMPLES} samples; medians of {repeats} runs\n")
    print("| program | seconds | x faster than NumPy orig | x faster than NumPy direct |\n|:--|--:|--:|--:|")
    for name, value in median.items():
        print(f"| {name} | {value:.2f} | {median['NumPy orig'] / value:.2f} | {median['NumPy direct'] / value:.2f} |")
    for ours, other in (("orig", "NumPy orig"), ("chol-1", "NumPy orig"), ("d-rdg", "NumPy direct"), ("chol-1, single", "NumPy direct")):
        ratios.note("bls", f"{ours} over {other}", median[other] / median[f"elmx {ours}"])


main()
