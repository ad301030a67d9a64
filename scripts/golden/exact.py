"""Experiments with rational results, in exact fractions: the samples and the results of the checks of families
in `elmx selftest`. Each method is computed from its definition; nothing is shared with elmx.

Every family can be given a problem whose result is rational, although its nodes are random or its functions
are not:

    range [1, 1] of weights, [2, 2] of biases   nodes are relu(a + b + c + 2)
    linear nodes without a penalty              any four of them span [1 X], which gives least squares
    a kernel of a tiny length                   k(x, z) = 1 if x = z, otherwise 0
    recursive least squares with forgetting     finds a linear relation without noise exactly
    range [0, 0] of the weights of sigmoids     all hidden units are 1/2

Iterations of other algorithms (L-BFGS, Adam, the graph of S3ELM) have no rational results.
"""
from fractions import Fraction as F
from itertools import product
from pathlib import Path

FILE = Path("src/experiment/selftest/exact_results.hpp")
NOISE = (-1, 3, -3, 2, -1, -1, -3, -3, -2, 1, 0, 1, -2, 2, 2, -3, -2, 3, 0, 1, -3, 1)
INPUTS = [x for _ in range(2) for x in product((-1, 1), repeat=3)] + [
    (2, 1, 0), (0, -1, 3), (1, 1, 1), (-2, 2, 1), (3, 0, -1), (-1, -1, 1)]
TRAINED = 16  # the other samples are the test part
PENALTY = F(1, 2)


def relation(x):
    """The linear relation: the target z, and without noise the target y."""
    return 2 * x[0] - x[1] + 3 * x[2] + 1


Y = [F(relation(x) + e) for x, e in zip(INPUTS, NOISE)]


def solved(A, b):
    """A^-1 b by elimination."""
    n = len(b)
    M = [[F(a) for a in row] + [F(right)] for row, right in zip(A, b)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if M[i][k] != 0)
        M[k], M[pivot] = M[pivot], M[k]
        M[k] = [a / M[k][k] for a in M[k]]
        for i in range(n):
            if i != k:
                M[i] = [a - M[i][k] * p for a, p in zip(M[i], M[k])]
    return [row[n] for row in M]


def dot(a, b):
    return sum((p * q for p, q in zip(a, b)), F(0))


def ridge(A, y, penalty):
    """(A'A + penalty I)^-1 A'y"""
    columns = list(zip(*A))
    gram = [[dot(p, q) + (penalty if i == j else 0) for j, q in enumerate(columns)] for i, p in enumerate(columns)]
    return solved(gram, [dot(p, y) for p in columns])


def fit(features, penalty):
    """Outputs for all samples of the ridge solution of the first TRAINED ones."""
    A = [features(x) for x in INPUTS]
    W = ridge(A[:TRAINED], Y[:TRAINED], penalty)
    return [dot(a, W) for a in A]


def left_out(features, penalty):
    """The output for each training sample of the ridge solution of the others."""
    A = [features(x) for x in INPUTS[:TRAINED]]
    outputs = []
    for i, a in enumerate(A):
        W = ridge(A[:i] + A[i + 1:], Y[:i] + Y[i + 1:TRAINED], penalty)
        outputs.append(dot(a, W))
    return outputs


def node(x):
    return max(sum(x) + 2, 0)


def layers(x):
    """[X H_1 H_2] with two equal nodes in each layer"""
    first = node(x)
    second = max(2 * first + sum(x) + 2, 0)
    return [*x, first, first, second, second]


def with_ones(x):
    return [1, *x]


def with_constant(x):
    return [256, *x]


def constant(_):
    return [1]


def kernel():
    """(K + penalty I) a + b = y, 1'a = 0"""
    K = [[F(x == z) for z in INPUTS[:TRAINED]] for x in INPUTS]
    system = [[k + (PENALTY if i == j else 0) for j, k in enumerate(row)] + [1] for i, row in enumerate(K[:TRAINED])]
    *a, b = solved(system + [[1] * TRAINED + [0]], Y[:TRAINED] + [F(0)])
    return [dot(row, a) + b for row in K]


def stack():
    """Non-negative least squares of the targets on the left-out outputs of both members."""
    members = [(constant, F(0)), (with_ones, F(0))]
    Z = [left_out(*member) for member in members]
    outputs = [fit(*member) for member in members]
    y = Y[:TRAINED]
    weights = solved([[dot(p, q) for q in Z] for p in Z], [dot(p, y) for p in Z])
    if min(weights) < 0:  # one member remains: the one with the smaller error
        alone = [max(dot(z, y) / dot(z, z), F(0)) for z in Z]
        errors = [sum((t - w * p) ** 2 for t, p in zip(y, z)) for w, z in zip(alone, Z)]
        weights = [w if error == min(errors) else F(0) for w, error in zip(alone, errors)]
    return [dot(weights, column) for column in zip(*outputs)]


def in_units():
    """Three hidden units that are all 1/2"""
    return fit(lambda _: [F(1, 2)] * 3, PENALTY)


OUTPUTS = {
    "mean": fit(constant, 0),
    "linear": fit(with_constant, PENALTY),
    "elm": fit(lambda x: [node(x)] * 3, PENALTY),
    "elm, linear nodes": fit(with_ones, 0),
    "elm, in steps": fit(lambda x: [node(x)] * 3, PENALTY),
    "rvfl": fit(layers, PENALTY),
    "bls": fit(with_ones, 0),
    "kernel": kernel(),
    "stack": stack(),
    "dec": in_units(),
    "dec, minimum norm": fit(constant, 0),
    "s3elm": fit(lambda x: [node(x)] * 3, PENALTY),
    "s3elm, pruned": fit(lambda x: [node(x)], 0),
    "rls": [F(relation(x)) for x in INPUTS],
}


def text():
    """The header with samples and results."""
    samples = ["part,a,b,c,y,z"]
    for i, x in enumerate(INPUTS):
        samples.append(",".join(map(str, ["train" if i < TRAINED else "test", *x, Y[i], relation(x)])))
    rows = []
    for name, outputs in OUTPUTS.items():
        targets = [F(relation(x)) for x in INPUTS] if name == "rls" else Y
        errors = [z - t for z, t in zip(outputs, targets)][TRAINED:]
        squares, absolute = (sum(value) / len(errors) for value in ([e * e for e in errors], [abs(e) for e in errors]))
        numbers = [squares.numerator, squares.denominator, absolute.numerator, absolute.denominator]
        assert max(numbers) < 2 ** 63, (name, numbers)
        rows.append(f'    {{"{name}", {", ".join(map(str, numbers))}}},')
    return "\n".join([
        "// Made by scripts/golden_values.py --write (scripts/golden/exact.py).",
        "#pragma once", "", "#include <array>", "#include <cstdint>", "#include <string_view>", "", "namespace elmx {", "",
        "// clang-format off",
        "inline constexpr std::string_view kExactSamples =", *(f'    "{line}\\n"' for line in samples[:-1]),
        f'    "{samples[-1]}\\n";', "",
        "/// The mean squared error and the mean absolute error of the test part, each as a fraction.",
        "struct ExactResult {", "  std::string_view of;  ///< name of the case",
        "  std::int64_t squares, of_squares, absolute, of_absolute;", "};", "",
        f"inline constexpr std::array<ExactResult, {len(rows)}> kExactResults{{{{", *rows, "}};", "// clang-format on", "",
        "}  // namespace elmx", ""])
