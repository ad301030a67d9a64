#!/usr/bin/env python3
"""Writes a regression with a known target as two .npy files, block by block: more than memory holds, if wanted.

    scripts/generate_samples.py ROWS INPUTS X.npy Y.npy [--type f8|f4] [--seed N]

    x uniform on [0, 1),  y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise,  noise normal, deviation 1

The target is Friedman's first, on the first five inputs: what no model can explain is a mean squared error of 1.
"""
import argparse

import numpy as np

BLOCK = 1 << 24  # numbers at once


def open_npy(path, shape, dtype):
    """A file with the header of numpy.save; the numbers come behind it."""
    file = open(path, "wb")
    np.lib.format.write_array_header_1_0(
        file, {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape})
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int)
    parser.add_argument("inputs", type=int)
    parser.add_argument("x")
    parser.add_argument("y")
    parser.add_argument("--type", default="f8", choices=["f8", "f4"])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.inputs < 5 or given.rows < 1:
        parser.error("expected at least 5 inputs and 1 row")

    random = np.random.default_rng(given.seed)
    with open_npy(given.x, (given.rows, given.inputs), given.type) as inputs, \
            open_npy(given.y, (given.rows,), given.type) as targets:
        at_once = max(1, BLOCK // given.inputs)
        for first in range(0, given.rows, at_once):
            x = random.random((min(at_once, given.rows - first), given.inputs)).astype(given.type)
            y = (10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
                 + random.standard_normal(len(x)))
            inputs.write(x.tobytes())
            targets.write(y.astype(given.type).tobytes())


if __name__ == "__main__":
    main()
