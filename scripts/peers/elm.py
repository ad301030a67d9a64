"""Standard ELM on MNIST: elmx against NumPy + scikit-learn, and hpelm if it is installed, alternating, medians of several runs; ratios are what counts."""

import gzip
import importlib.util
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
from sklearn.linear_model import Ridge

NODES, RIDGE = 2200, 0.1
DATA = pathlib.Path(os.environ.get("ELMX_DATA") or "data")
CONFIG = {
    "name": "bench", "data": {"set": "mnist"}, "split": {"kind": "fixed"}, "preprocess": {"inputs": "zero_one"},
    "model": {"algorithms": ["standard"], "activation": "sigmoid", "weights": [-0.1, 0.1], "biases": [0, 1],
              "ridge": RIDGE, "reference": "none", "nodes": {"start": NODES, "stop": NODES, "report": [NODES]}},
}


def idx(name, header):
    with gzip.open(DATA / "mnist" / name) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def mnist():
    X = idx("train-images-idx3-ubyte.gz", 16).reshape(60000, 784)
    X_test = idx("t10k-images-idx3-ubyte.gz", 16).reshape(10000, 784)
    return X, idx("train-labels-idx1-ubyte.gz", 8), X_test, idx("t10k-labels-idx1-ubyte.gz", 8)


def elmx(precision):
    """Seconds for features + fit, and accuracy, from the record of one run."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.json"
        CONFIG["model"]["precision"] = precision
        config.write_text(json.dumps(CONFIG))
        subprocess.run(["build/elmx", "run", str(config), "-o", folder + "/out"], check=True, capture_output=True)
        record = json.loads((pathlib.Path(folder) / "out/records.jsonl").read_text())
    timing = record["timing"]
    return timing["features"] + timing["steps"][0]["total"], record["steps"][0]["metrics"]["test_acc"]


def peer(data, dtype):
    X, y, X_test, y_test = data
    X, X_test = (X / 255).astype(dtype), (X_test / 255).astype(dtype)
    Y = np.eye(10, dtype=dtype)[y]
    rng = np.random.default_rng(1)
    W, b = rng.uniform(-0.1, 0.1, (784, NODES)).astype(dtype), rng.uniform(0, 1, NODES).astype(dtype)
    begin = time.perf_counter()
    H = 1 / (1 + np.exp(-(X @ W + b)))
    model = Ridge(alpha=RIDGE, fit_intercept=False, solver="cholesky").fit(H, Y)
    seconds = time.perf_counter() - begin
    predicted = model.predict(1 / (1 + np.exp(-(X_test @ W + b)))).argmax(1)
    return seconds, float((predicted == y_test).mean())


def hpelm(data):
    from hpelm import ELM
    X, y, X_test, y_test = data
    X, X_test, Y = X / 255, X_test / 255, np.eye(10)[y]
    rng = np.random.default_rng(1)
    begin = time.perf_counter()
    model = ELM(784, 10, batch=5000, norm=RIDGE)
    model.add_neurons(NODES, "sigm", rng.uniform(-0.1, 0.1, (784, NODES)), rng.uniform(0, 1, NODES))
    model.train(X, Y)
    seconds = time.perf_counter() - begin
    return seconds, float((model.predict(X_test).argmax(1) == y_test).mean())


def main():
    repeats = int(sys.argv[1])
    data = mnist()
    rivals = {
        "elmx double": lambda: elmx("double"), "numpy double": lambda: peer(data, np.float64),
        "elmx mixed": lambda: elmx("mixed"), "elmx single": lambda: elmx("single"),
        "numpy single": lambda: peer(data, np.float32),
    }
    if importlib.util.find_spec("hpelm"):
        rivals["hpelm"] = lambda: hpelm(data)
    times = {name: [] for name in rivals}
    accuracy = {}
    for _ in range(repeats):
        for name, run in rivals.items():
            seconds, accuracy[name] = run()
            times[name].append(seconds)
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"standard ELM, MNIST 60000 x 784, {NODES} sigmoid nodes; median of {repeats}")
    print("| | seconds | x numpy double | x numpy single | test accuracy |\n|---|---:|---:|---:|---:|")
    for name, seconds in median.items():
        print(f"| {name} | {seconds:.2f} | {median['numpy double'] / seconds:.2f} | {median['numpy single'] / seconds:.2f} "
              f"| {100 * accuracy[name]:.2f} |")
    for ours, other in (("double", "numpy double"), ("mixed", "numpy double"), ("single", "numpy single"), ("double", "hpelm")):
        if other in median:
            ratios.note("elm", f"{ours} over {other}", median[other] / median[f"elmx {ours}"])


main()
