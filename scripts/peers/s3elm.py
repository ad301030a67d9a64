"""S3ELM on banknote authentication, 1000 sigmoid nodes, 2 labels a class: elmx against NumPy as the paper writes the algorithm, with
both inverses anew in every iteration; alternating, medians of several runs. Random nodes and labelled samples are each program's
own; random features are in neither time."""

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

NODES, LABELS, LAMBDA, TAU, EPS, MOST, PRUNE = 1000, 2, 1e-4, 200.0, 1e-5, 200, 1e-5
MU, SIGMAS = 0.5, (1.0, 64.0)
DATA = pathlib.Path(os.environ.get("ELMX_DATA") or "data")
CONFIG = {
    "name": "bench", "data": {"set": "banknote"}, "split": {"kind": "labelled", "labelled": LABELS},
    "preprocess": {"inputs": "centred"},
    "model": {"family": "s3elm", "algorithms": ["s3elm"], "nodes": NODES, "cross_validation": 0,
              "graph": {"sigma": list(SIGMAS)}, "s3elm": {"mu": [MU]}},
}


def elmx():
    """Training seconds (each with all of its graph and basis), iterations and accuracy of each sigma."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.json"
        config.write_text(json.dumps(CONFIG))
        subprocess.run(["build/elmx", "run", str(config), "-o", f"{folder}/out"], check=True, capture_output=True)
        record = json.loads(pathlib.Path(folder, "out", "records.jsonl").read_text())
        assert record["status"] == "ok"
        steps = sorted(zip(record["steps"], record["timing"]["steps"]), key=lambda pair: pair[0]["parameters"]["sigma"])
        return [(t["total"], s["metrics"]["iterations"], s["metrics"]["test_acc"]) for s, t in steps]


def s3elm(X, H, labelled, Y_labelled, sigma):
    """Algorithm 1, (26) and (27) to the letter."""
    N = len(X)
    squares = (X ** 2).sum(1)
    A = np.exp(-sigma * np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0))
    np.fill_diagonal(A, 0)
    L = np.diag(A.sum(1)) - A
    J, Y_known = np.zeros((N, N)), np.zeros((N, Y_labelled.shape[1]))
    J[labelled, labelled] = 1
    Y_known[labelled] = Y_labelled
    W = np.linalg.pinv(H[labelled]) @ Y_labelled
    active = np.arange(H.shape[1])
    for iteration in range(1, MOST + 1):
        Y = np.linalg.inv(np.eye(N) + TAU * (1 - MU) * L + TAU * MU * J.T @ J) @ (H @ W + TAU * MU * J.T @ J @ Y_known)
        U = np.diag(1 / (2 * np.linalg.norm(W, axis=1)))
        W_new = np.linalg.inv(H.T @ H + LAMBDA * U) @ H.T @ Y
        change = ((W_new - W) ** 2).sum()
        kept = np.linalg.norm(W_new, axis=1) >= PRUNE
        W, H, active = W_new[kept], H[:, kept], active[kept]
        if change <= EPS:
            break
    return W, active, iteration


def numpy_runs(seed):
    rows = np.loadtxt(DATA / "banknote" / "data_banknote_authentication.txt", delimiter=",")
    X, y = rows[:, :-1] - rows[:, :-1].mean(0), rows[:, -1].astype(int)
    X /= np.abs(X).max(0)
    rng = np.random.default_rng(seed)
    H = 1 / (1 + np.exp(-(X @ rng.random((X.shape[1], NODES)) + rng.random(NODES))))
    labelled = np.concatenate([rng.permutation(np.flatnonzero(y == k))[:LABELS] for k in range(2)])
    others = np.setdiff1d(np.arange(len(y)), labelled)
    results = []
    for sigma in SIGMAS:
        begin = time.perf_counter()
        W, active, iterations = s3elm(X, H, labelled, np.eye(2)[y[labelled]], sigma)
        seconds = time.perf_counter() - begin
        accuracy = ((H[others][:, active] @ W).argmax(1) == y[others]).mean()
        results.append((seconds, iterations, accuracy))
    return results


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    if not (DATA / "banknote").is_dir():
        sys.exit("bench: no banknote/ in $ELMX_DATA or data/; run build/elmx data fetch banknote")
    runs = {"NumPy": [], "elmx": []}
    for seed in range(repeats):
        runs["NumPy"].append(numpy_runs(seed))
        runs["elmx"].append(elmx())
    print(f"S3ELM on banknote, {NODES} nodes, mu {MU}; medians of {repeats} runs\n")
    print("| sigma | NumPy (s) | iterations | accuracy | elmx (s) | iterations | accuracy | x faster | x faster an iteration |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for i, sigma in enumerate(SIGMAS):
        peer, ours = ([statistics.median(run[i][k] for run in runs[name]) for k in range(3)] for name in ("NumPy", "elmx"))
        print(f"| {sigma:g} | {peer[0]:.2f} | {peer[1]:.0f} | {peer[2]:.3f} | {ours[0]:.2f} | {ours[1]:.0f} | {ours[2]:.3f} "
              f"| {peer[0] / ours[0]:.1f} | {peer[0] / peer[1] / ours[0] * ours[1]:.1f} |")
        ratios.note("s3elm", f"an iteration at sigma {sigma:g} over NumPy", peer[0] / peer[1] / ours[0] * ours[1])


main()
