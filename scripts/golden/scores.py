#!/usr/bin/python3
"""Writes tests/metrics/golden/scores.json: metrics of random outputs, with ties, as scikit-learn computes them. Needs
python3-sklearn of Debian, whose Python this program asks for by name.
"""
import json
import pathlib

import numpy as np
import sklearn
from sklearn import metrics as m

FILE = pathlib.Path(__file__).resolve().parents[2] / "tests/metrics/golden/scores.json"


def of_classes(classes, samples, rng):
    """Scores have one digit, so that many are equal, and rows of sum 1, which scikit-learn asks for."""
    truth = rng.integers(0, classes, samples)
    scores = np.round(rng.random((samples, classes)) + 0.5 * np.eye(classes)[truth], 1)
    scores /= scores.sum(axis=1, keepdims=True)
    predicted = scores.argmax(axis=1)
    two = classes == 2
    return {"input": {"truth": truth.tolist(), "scores": scores.tolist()}, "expected": {
        "auc": m.roc_auc_score(truth, scores[:, 1]) if two else m.roc_auc_score(truth, scores, multi_class="ovr",
                                                                                average="macro"),
        "log_loss": m.log_loss(truth, scores),
        "f1" if two else "macro_f1": m.f1_score(truth, predicted, average="binary" if two else "macro"),
        "mcc": m.matthews_corrcoef(truth, predicted),
        "bac": m.balanced_accuracy_score(truth, predicted),
        "acc": m.accuracy_score(truth, predicted),
        "sn": m.recall_score(truth, predicted, average="binary" if two else "macro"),
        "pe": m.precision_score(truth, predicted, average="binary" if two else "macro")}}


def of_targets(targets, samples, rng):
    T = rng.normal(size=(samples, targets)) * 10.0 ** np.arange(targets)
    P = T + rng.normal(size=T.shape) * 10.0 ** (0.7 * np.arange(targets) - 0.5)

    def judged(T, P):
        return {"mse": m.mean_squared_error(T, P), "rmse": m.mean_squared_error(T, P) ** 0.5,
                "r2": m.r2_score(T, P), "mae": m.mean_absolute_error(T, P),
                "median_ae": m.median_absolute_error(T, P)}

    each = {f"{name}[y{j + 1}]": value for j in range(targets) for name, value in judged(T[:, j], P[:, j]).items()}
    return {"input": {"T": T.tolist(), "P": P.tolist()}, "expected": {**judged(T, P), **each}}


def main():
    rng = np.random.default_rng(21)
    cases = {"two_classes": of_classes(2, 25, rng), "four_classes": of_classes(4, 40, rng),
             "three_targets": of_targets(3, 15, rng)}
    content = {"description": "metrics of two and four classes and of three targets",
               "made_by": f"scripts/golden/scores.py, scikit-learn {sklearn.__version__}",
               "rtol": 1e-13,
               "input": {name: case["input"] for name, case in cases.items()},
               "expected": {name: case["expected"] for name, case in cases.items()}}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
