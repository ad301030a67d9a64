#!/usr/bin/python3
"""Writes tests/models/golden/calibration.json: the probabilities of two classes by scikit-learn's sigmoid, and of
four by SciPy from the likelihood as src/models/calibration.hpp states it. Needs python3-sklearn of Debian, whose
Python this program asks for by name.
"""
import json
import pathlib

import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.calibration import _SigmoidCalibration

FILE = pathlib.Path(__file__).resolve().parents[2] / "tests/models/golden/calibration.json"


def drawn(classes, samples, rng):
    scores = np.round(rng.normal(size=(samples, classes)), 2)
    truth = np.array([rng.choice(classes, p=p) for p in softmax(1.5 * scores + np.arange(classes) / 2, axis=1)])
    return truth, scores


def of_two(samples, rng):
    truth, scores = drawn(2, samples, rng)
    difference = scores[:, 1] - scores[:, 0]
    p = _SigmoidCalibration().fit(difference, truth).predict(difference)
    p = np.column_stack([1 - p, p])
    return {"input": {"truth": truth.tolist(), "scores": scores.tolist()}, "expected": p.tolist()}


def of_more(classes, samples, rng):
    truth, scores = drawn(classes, samples, rng)
    counts = np.full((samples, classes), 1 / (samples + 2) / (classes - 1))
    counts[np.arange(samples), truth] = (samples + 1) / (samples + 2)

    def loss(x):
        return -np.sum(counts * log_softmax(x[0] * scores + x[1:], axis=1))

    x = minimize(loss, np.r_[1, np.zeros(classes)], method="BFGS", options={"gtol": 1e-6}).x
    return {"input": {"truth": truth.tolist(), "scores": scores.tolist()},
            "expected": softmax(x[0] * scores + x[1:], axis=1).tolist()}


def main():
    rng = np.random.default_rng(5)
    cases = {"two_classes": of_two(60, rng), "four_classes": of_more(4, 60, rng)}
    FILE.write_text(json.dumps({
        "description": "probabilities of two and four classes",
        "made_by": f"scripts/golden/calibration.py, scikit-learn {sklearn.__version__}, SciPy {scipy.__version__}",
        "rtol": 1e-4,
        "input": {name: case["input"] for name, case in cases.items()},
        "expected": {name: case["expected"] for name, case in cases.items()}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
