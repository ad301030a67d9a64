"""Sparse semi-supervised ELM and what it is compared with: numbers in brackets are the equations of the S3ELM paper."""
import itertools

import numpy as np

from golden.extended import eye, matrix, norm, pseudo_inverse_times, sigmoid, solve


def rbf_nodes(X, A, b):  # (4)
    distances = ((X[:, :, None] - A[None]) ** 2).sum(axis=1)
    return np.exp(-b * distances)


def sigmoid_nodes(X, A, b):  # (3)
    return sigmoid(X @ A + b)


def hidden(given, nodes=None):
    nodes = nodes or given
    X, A, b = matrix(given["X"]), matrix(nodes["A_nodes"]), matrix(nodes["b_nodes"])
    return rbf_nodes(X, A, b) if given["activation"] == "rbf" else sigmoid_nodes(X, A, b)


def heat(X, sigma):
    A = np.exp(-matrix(str(sigma)) * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    np.fill_diagonal(A, 0)
    return A


def laplacian(A):  # (17)
    return np.diag(A.sum(axis=1)) - A


def one_hot(labels, classes=2):  # (7)
    return eye(classes)[labels]


def row_norms(W):
    return np.sqrt((W * W).sum(axis=1))


class Labelled:
    """The samples of a file, the first n labelled: J (15), Y~ (14), the Laplacian, the labels of the n."""

    def __init__(self, given):
        self.n, N = given["n_labelled"], given["N"]
        self.labels = one_hot(given["labels"])
        self.targets = np.vstack([self.labels, np.zeros((N - self.n, 2), dtype=np.longdouble)])
        self.J = np.diag(matrix([1] * self.n + [0] * (N - self.n)))
        self.Lap = laplacian(heat(matrix(given["X"]), given["sigma"]))


def basic(given):
    X, A, b = (matrix(given[name]) for name in ("X", "A_nodes", "b_nodes"))
    found = {"H_sigmoid": sigmoid_nodes(X, A, b), "H_rbf": rbf_nodes(X, A, b)}
    affinity = heat(X, given["sigma"])
    lists = np.zeros(affinity.shape, dtype=bool)
    for i, row in enumerate(affinity):
        lists[i, np.argsort(-row, kind="stable")[:given["knn"]]] = True
    found |= {"affinity": affinity, "laplacian": laplacian(affinity),
              "laplacian_knn3_or": laplacian(np.where(lists | lists.T, affinity, 0))}
    for gamma in (0.25, 16):
        for name, rows, labels in (("n_lt_L", given["n_labelled"], given["labels"]), ("n_ge_L", len(X), given["labels_all"])):
            H, ridge = found["H_rbf"][:rows], 1 / matrix(gamma)
            found[f"elm_gamma_{gamma}_{name}"] = solve(ridge * eye(H.shape[1]) + H.T @ H, H.T @ one_hot(labels))  # (9)
    return found


def iterations(given):
    """Algorithm 1 as it is printed, a system of size N and one of size s solved in every iteration."""
    p, H_all = Labelled(given), hidden(given)
    lam, tau, mu = (matrix(str(given[name])) for name in ("lambda", "tau", "mu"))
    M = eye(given["N"]) + tau * (1 - mu) * p.Lap + tau * mu * p.J

    def G(H, W, Y):  # (19) with tau mu in place of mu
        return (norm(H @ W - Y) ** 2 + lam * row_norms(W).sum() + tau * (1 - mu) * np.trace(Y.T @ p.Lap @ Y)
                + tau * mu * norm(p.J @ (Y - p.targets)) ** 2)

    if given["W0_init"] == "labelled":
        W = pseudo_inverse_times(H_all[:p.n], p.labels)
    else:
        W = pseudo_inverse_times(H_all, p.targets)
    start, S, H, steps = W, list(range(given["L"])), H_all, []
    for t in range(1, given["t_max"] + 1):
        Y = solve(M, H @ W + tau * mu * p.targets)  # (26)
        after_Y = G(H, W, Y)
        U = np.diag(1 / (2 * row_norms(W)))  # (28)
        new = solve(H.T @ H + lam * U, H.T @ Y)  # (27)
        delta = norm(new - W) ** 2
        norms, after_W = row_norms(new), G(H, new, Y)
        kept = [i for i in range(len(S)) if norms[i] >= given["prune_threshold"]]
        pruned = [S[i] for i in range(len(S)) if i not in kept]
        S = [S[i] for i in kept]
        W, H = new[kept], H[:, kept]
        steps.append({"t": t, "Y": Y, "G_after_Y": after_Y, "W": new, "row_norms": norms, "G_after_W": after_W,
                      "delta_W_sq": delta, "pruned": pruned, "active_after": list(S), "G_after_prune": G(H, W, Y)})
        if delta <= given["eps"]:
            break
    scores = H @ W
    return {"W_init": start, "iterations": steps, "active_final": S, "W_final": W, "scores_all_rows": scores,
            "predicted_classes": np.argmax(scores, axis=1)}


def constrained(given):
    """Three steps of (29), which imposes Y = HW."""
    p, H = Labelled(given), hidden(given)[:, given["nodes_used"]]
    lam, tau, mu = (matrix(str(given[name])) for name in ("lambda", "tau", "mu"))
    W, found = pseudo_inverse_times(H[:p.n], p.labels), []
    for _ in range(3):
        U = np.diag(1 / (2 * row_norms(W)))
        system = tau * (1 - mu) * H.T @ p.Lap @ H + tau * mu * H.T @ p.J @ H + lam * U
        W = solve(system, tau * mu * H.T @ p.J @ p.targets)
        objective = (lam * row_norms(W).sum() + tau * (1 - mu) * np.trace(W.T @ H.T @ p.Lap @ H @ W)
                     + tau * mu * norm(p.J @ (H @ W - p.targets)) ** 2)
        found.append({"W": W, "objective_times_lambda": objective})
    return found


def selm(given):
    """(16) as printed, and the minimum that it approximates."""
    p, found = Labelled(given), {}
    A = p.J + matrix(str(given["lambda"])) * p.Lap
    for name, nodes in given["nodes"].items():
        H = hidden(given, nodes)
        approximate = pseudo_inverse_times(A @ H, p.targets)
        if H.shape[1] < given["N"]:
            exact = pseudo_inverse_times(H.T @ A @ H, H.T @ p.targets)
        else:  # H of full row rank: H'A H W = H'Y~ where A H W = Y~
            exact = pseudo_inverse_times(H, solve(A, p.targets))
        found[name] = {"W_approx": approximate, "W_exact": exact}
    return found


def standardised(M):
    centred = M - M.mean(axis=0)
    return centred / np.sqrt((centred ** 2).sum(axis=0) / (len(M) - 1))


def least_squares(H, Y):
    return H @ pseudo_inverse_times(H, Y)


def greedy(H, Y):
    """(11): the column of largest ||h'(Y - H_S W_S)||_1, again and again."""
    order, criterion, residual = [], [], Y
    while len(order) < H.shape[1]:
        values = abs(H.T @ residual).sum(axis=1)
        values[order] = -1
        order.append(int(np.argmax(values)))
        criterion.append(values[order[-1]])
        residual = Y - least_squares(H[:, order], Y)
    return {"order": order, "criterion": criterion}


def mrsr(H, Y):
    """Multiresponse sparse regression. The smallest step at which an inactive column catches up is found from the signs:
    ||p - gamma q||_1 = (1 - gamma) c is linear for each choice of them."""
    T, order, steps, largest = np.zeros_like(Y), [], [], []
    while len(order) < H.shape[1]:
        values = abs(H.T @ (Y - T)).sum(axis=1)
        values[order] = -1
        order.append(int(np.argmax(values)))
        c = values[order[-1]]
        towards = least_squares(H[:, order], Y) - T
        gamma = matrix(1)
        for j in set(range(H.shape[1])) - set(order):
            p, q = H[:, j] @ (Y - T), H[:, j] @ towards
            for signs in itertools.product((1, -1), repeat=Y.shape[1]):
                s = matrix(signs)
                at = (s @ p - c) / (s @ q - c)
                if 0 < at < gamma and (s * (p - at * q) >= 0).all():
                    gamma = at
        T = T + gamma * towards
        largest.append(c)
        steps.append(gamma)
    return {"order": order, "c_max": largest, "gamma": steps}


def left_out(H, Y):
    """The mean squared error of every sample by the least squares of the others."""
    squares = 0
    for i in range(len(H)):
        others = np.arange(len(H)) != i
        W = pseudo_inverse_times(H[others], Y[others])
        squares += ((Y[i] - H[i] @ W) ** 2).sum()
    return squares / Y.size


def leave_one_out(H, Y, order):
    ones = np.ones((len(H), 1), dtype=np.longdouble)
    without = [left_out(H[:, order[:k]], Y) for k in range(1, len(order) + 1)]
    with_bias = [left_out(np.hstack([H[:, order[:k]], ones]), Y) for k in range(1, len(order) + 1)]
    k = len(without)  # nodes are taken away until the error would rise
    while k > 1 and without[k - 2] <= without[k - 1]:
        k -= 1
    return {"without_bias": without, "with_bias": with_bias, "argmin_size_without_bias": int(np.argmin(without)) + 1,
            "argmin_size_with_bias": int(np.argmin(with_bias)) + 1, "first_increase_size_without_bias": k}


def op_elm(given):
    H, Y = hidden(given), matrix(given["Y"])
    raw, scaled = greedy(H, Y), mrsr(standardised(H), standardised(Y))
    return {"rank_greedy_raw": raw, "rank_greedy_standardised": greedy(standardised(H), standardised(Y)),
            "rank_mrsr_standardised": scaled, "loo_mse_greedy_raw": leave_one_out(H, Y, raw["order"]),
            "loo_mse_mrsr_standardised": leave_one_out(H, Y, scaled["order"])}


def sparse_graph(given):
    """min ||theta||_1 s.t. [x_1 .. x_i-1 x_i+1 .. x_N I] theta = x_i: a vertex of the linear program has at most D entries
    that are not 0, so the best of all bases of D columns is the minimum."""
    X = matrix(given["X"])
    N, D = X.shape
    rows, affinity = [], np.zeros((N, N), dtype=np.longdouble)
    for i in range(N):
        B = np.hstack([np.delete(X, i, axis=0).T, eye(D)])
        best, theta = np.inf, None
        for basis in itertools.combinations(range(B.shape[1]), D):
            columns = B[:, basis]
            if abs(np.linalg.det(columns.astype(float))) < 1e-12:
                continue
            values = solve(columns, X[i])
            if abs(values).sum() < best:
                best, theta = abs(values).sum(), np.zeros(B.shape[1], dtype=np.longdouble)
                theta[list(basis)] = values
        rows.append({"theta": theta, "l1": best})
        affinity[i, np.arange(N) != i] = abs(theta[:N - 1])
    affinity = affinity + affinity.T
    return {"theta": rows, "affinity": affinity, "laplacian": laplacian(affinity)}


FILES = {"models/s3elm_basic": basic, "models/s3elm_sparse_graph": sparse_graph, "solvers/s3elm_hw_equals_y": constrained,
         "solvers/s3elm_selm": selm, "solvers/s3elm_opelm": op_elm}
FILES |= {f"solvers/s3elm_iter_{name}": iterations for name in ("rbf", "sigmoid", "prune", "padded_stop")}
