"""Decomposition training of a perceptron (Grippo, Manno, Sciandrone): numbers in brackets are the paper's equations."""
import numpy as np

from golden.extended import eye, matrix, norm, pseudo_inverse_times, sigmoid, solve


class Perceptron:
    """X: P x n, first column -1; W: n x N; Lambda: N x C."""

    def __init__(self, given):
        self.X, self.Y = matrix(given["X_aug"]), matrix(given["Y"])
        self.tau_lambda = matrix(given["tau_lambda"])
        self.tau_w = matrix("0.01") / (given["n"] * given["N"])

    def hidden(self, W):
        return sigmoid(self.X @ W)

    def error(self, W, Lambda):  # (5), (7)
        R = self.hidden(W) @ Lambda - self.Y
        return (np.sum(R * R) + self.tau_lambda * np.sum(Lambda * Lambda) + self.tau_w * np.sum(W * W)) / 2

    def gradient_Lambda(self, W, Lambda):  # (9)
        H = self.hidden(W)
        return H.T @ (H @ Lambda - self.Y) + self.tau_lambda * Lambda

    def gradient_W(self, W, Lambda):  # (10), (11)
        H = self.hidden(W)
        return self.X.T @ (((H @ Lambda - self.Y) @ Lambda.T) * H * (1 - H)) + self.tau_w * W

    def best_Lambda(self, W):
        H = self.hidden(W)
        return solve(H.T @ H + self.tau_lambda * eye(H.shape[1]), H.T @ self.Y)

    def best_row(self, W, Lambda, j):
        """Lambda with the minimum over its row j (28): there row j of (9) is zero, which is linear in that row."""
        h, best = self.hidden(W)[:, j], Lambda.copy()
        best[j] = 0
        best[j] = h @ (self.Y - self.hidden(W) @ best) / (h @ h + self.tau_lambda)
        return best

    def armijo(self, W, Lambda, j, a, gamma, delta):
        """Algorithm 2 along -gradient of unit j: W after the step, its length, how often it was shortened."""
        g, E = self.gradient_W(W, Lambda)[:, j], self.error(W, Lambda)
        alpha, backtracks = matrix(a), 0
        while True:
            moved = W.copy()
            moved[:, j] -= alpha * g
            if self.error(moved, Lambda) - E <= -gamma * alpha * (g @ g):
                return moved, alpha, backtracks
            alpha, backtracks = alpha * delta, backtracks + 1


def conjugate_gradients(p, H, start, steps):
    """On (H'H + tau I) lambda = H'y, the first output: iterates and relative residuals."""
    N, y = H.shape[1], p.Y[:, 0]
    stacked = np.vstack([H, np.sqrt(p.tau_lambda) * eye(N)])  # (7)
    u = np.concatenate([y, np.zeros(N, dtype=np.longdouble)])
    x = start.copy()
    r = stacked.T @ (u - stacked @ x)
    d, iterates = r, []
    for k in range(1, steps + 1):
        q = stacked @ d
        step = (r @ r) / (q @ q)
        x, before = x + step * d, r @ r
        r = r - step * (stacked.T @ q)
        d = r + (r @ r) / before * d
        left = stacked @ x - u
        iterates.append({"iter": k, "lambda_col0": x, "normal_residual_rel": norm(stacked.T @ left) / norm(stacked.T @ u),
                         "ls_residual_rel": norm(left) / norm(u)})
    return iterates


def core(given):
    p, W, Lambda = Perceptron(given), matrix(given["W0"]), matrix(given["Lambda0"])
    H, best = p.hidden(W), p.best_Lambda(W)
    rows, along = [], []
    for j in range(given["N"]):
        updated = p.best_row(W, Lambda, j)
        rows.append({"j": j, "lambda_new": updated[j], "E": p.error(W, updated)})
    for alpha in (1.0, 0.25, 0.0625, 0.015625):
        moved = W.copy()
        moved[:, 1] -= alpha * p.gradient_W(W, Lambda)[:, 1]
        along.append({"alpha": alpha, "E": p.error(moved, Lambda)})
    return {"H": H, "Phi": H @ Lambda, "E": p.error(W, Lambda), "grad_Lambda": p.gradient_Lambda(W, Lambda),
            "grad_W": p.gradient_W(W, Lambda), "Lambda_min": best, "E_at_Lambda_min": p.error(W, best),
            "one_dim_updates": rows, "E_along_minus_grad_unit1": along,
            "cg_iterates": conjugate_gradients(p, H, Lambda[:, 0], 3)}


def sweep(given):
    """Algorithm 3 without an inner minimiser: DEC(maxiter) is maxiter full steps with a sweep between any two."""
    p, W, Lambda = Perceptron(given), matrix(given["W0"]), matrix(given["Lambda0"])
    armijo = [matrix(str(given[name])) for name in ("armijo_a", "armijo_gamma", "armijo_delta")]
    units, trace, k = [], [{"after": "init", "E": p.error(W, Lambda)}], 0
    for major in range(given["maxiter"]):
        Lambda, k = p.best_Lambda(W), k + 1
        trace.append({"after": "lambda", "E": p.error(W, Lambda)})
        if major + 1 == given["maxiter"]:
            break
        for j in range(given["N"]):
            g, E = p.gradient_W(W, Lambda)[:, j], p.error(W, Lambda)
            skipped = bool(norm(g) <= matrix(str(given["theta"]))**k)
            alpha, backtracks = 0.0, 0
            if not skipped:
                W, alpha, backtracks = p.armijo(W, Lambda, j, *armijo)
            after_w = p.error(W, Lambda)
            Lambda = p.best_row(W, Lambda, j)
            units.append({"j": j, "k": k, "E_before": E, "grad_w": g, "grad_norm": norm(g), "skipped": skipped,
                          "alpha": alpha, "backtracks": backtracks, "w_new": W[:, j].copy(), "E_after_w": after_w,
                          "lambda_new": Lambda[j].copy(), "E_after_lambda": p.error(W, Lambda)})
            k += 1
        trace.append({"after": "sweep", "E": p.error(W, Lambda)})
    return {"units": units, "W_final": W, "Lambda_final": Lambda, "E_trace": trace}


def minimum_norm(given):
    """Lambda = H^+ Y."""
    X, Y = matrix(given["X_aug"]), matrix(given["Y"])
    tall = sigmoid(X @ matrix(given["W0"]))
    wide = sigmoid(X[:5] @ matrix(given["W_wide"]))
    return {"tall": pseudo_inverse_times(tall, Y), "wide": pseudo_inverse_times(wide, Y[:5]),
            "rank_deficient": pseudo_inverse_times(np.hstack([tall, tall[:, 1:2]]), Y)}


FILES = {"nets/dec_core_scalar": core, "nets/dec_core_multi": core, "nets/dec_sweep_scalar": sweep,
         "nets/dec_sweep_multi": sweep, "nets/dec_sweep_skip": sweep, "nets/dec_elm_baseline": minimum_norm}
