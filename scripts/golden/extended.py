"""Matrices of 80-bit numbers, for which NumPy has products but no factorisations."""
import numpy as np


def matrix(values):
    return np.array(values, dtype=np.longdouble)


def eye(n):
    return np.eye(n, dtype=np.longdouble)


def solve(A, B):
    """A^-1 B by Gaussian elimination with row pivots."""
    A, X = A.copy(), B.copy()
    n = len(A)
    for k in range(n):
        pivot = k + int(np.argmax(abs(A[k:, k])))
        A[[k, pivot]], X[[k, pivot]] = A[[pivot, k]], X[[pivot, k]]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            A[i, k:] -= factor * A[k, k:]
            X[i] -= factor * X[k]
    for k in reversed(range(n)):
        X[k] = (X[k] - A[k, k + 1:] @ X[k + 1:]) / A[k, k]
    return X


def full_rank_factors(A):
    """A = Q B by Gram-Schmidt (twice), Q with orthonormal columns, B of full row rank."""
    columns = []
    for a in A.T:
        q = a.copy()
        for _ in range(2):
            for other in columns:
                q = q - other * (other @ q)
        if norm(q) > 1e-15 * norm(A):
            columns.append(q / norm(q))
    Q = np.array(columns).T
    return Q, Q.T @ A


def pseudo_inverse_times(A, B):
    """A^+ B: with A = Q R, R of full row rank, it is R' (R R')^-1 Q'B."""
    Q, R = full_rank_factors(A)
    return R.T @ solve(R @ R.T, Q.T @ B)


def norm(A):
    return np.sqrt(np.sum(np.square(A)))


def sigmoid(Z):
    return 1 / (1 + np.exp(-Z))
