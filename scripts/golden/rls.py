"""Recursive least squares optimisers for deep networks: numbers in brackets are that paper's equations.

A network is a function of its parameters; gradients are exact derivatives of its loss by dual numbers of one direction
at a time (`derivatives`), not by the rules of backward passes. The inverse P is that of A = lambda A + kappa x x' (35),
formed anew in every step.
"""
import numpy as np

from golden.extended import eye, matrix, norm, solve


class Dual:
    """a + b e with e^2 = 0: b is the derivative of a in one direction."""
    __array_priority__ = 1

    def __init__(self, a, b=0):
        self.a, self.b = a, b + np.zeros_like(a)

    def __add__(self, other):
        other = dual(other)
        return Dual(self.a + other.a, self.b + other.b)

    def __mul__(self, other):
        other = dual(other)
        return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

    def __matmul__(self, other):
        other = dual(other)
        return Dual(self.a @ other.a, self.a @ other.b + self.b @ other.a)

    def __getitem__(self, at):
        return Dual(self.a[at], self.b[at])

    def map(self, f, slope):
        return Dual(f(self.a), slope(self.a) * self.b)


def dual(value):
    return value if isinstance(value, Dual) else Dual(matrix(value))


def tanh(z):
    return z.map(np.tanh, lambda a: 1 - np.tanh(a) ** 2)


def relu(z):
    return z.map(lambda a: np.maximum(a, 0), lambda a: (a > 0).astype(np.longdouble))


def sigmoid(z):
    def of(a):
        return 1 / (1 + np.exp(-a))
    return z.map(of, lambda a: of(a) * (1 - of(a)))


def with_ones(Y):
    """[Y, 1] (2)"""
    ones = np.ones((len(Y.a), 1), dtype=np.longdouble)
    return Dual(np.hstack([Y.a, ones]), np.hstack([Y.b, 0 * ones]))


def derivatives(loss, parameters):
    """The derivative of loss(parameters).a by every entry of every parameter."""
    gradients = {}
    for name, Theta in parameters.items():
        gradients[name] = np.zeros_like(Theta)
        for place in np.ndindex(Theta.shape):
            direction = np.zeros_like(Theta)
            direction[place] = 1
            moved = {other: Dual(value, direction) if other == name else Dual(value) for other, value in parameters.items()}
            gradients[name][place] = loss(moved).b
    return gradients


def squared_error(Z, wanted):
    """||Z - Z*||^2 / (2M) (57), (87); Z: a list with one M x C matrix a step"""
    total = Dual(matrix(0))
    for z, z_wanted in zip(Z, wanted):
        e = z + -z_wanted
        total = total + Dual((e.a * e.a).sum(), 2 * (e.a * e.b).sum())
    return total * (1 / matrix(2 * len(wanted[0])))


def cross_entropy(Z, labels):
    """-log softmax of the label, mean over the batch"""
    total = Dual(matrix(0))
    for i, label in enumerate(labels):
        z = Z[0][i]
        powers = np.exp(z.a)
        total = total + Dual(np.log(powers.sum()) - z.a[label], (powers * z.b).sum() / powers.sum() - z.b[label])
    return total * (1 / matrix(len(labels)))


class Rls:
    """(53), (63) and (98) to (100) for one parameter."""

    def __init__(self, given, Theta, eta):
        option = lambda name, otherwise: matrix(str(given.get(name, otherwise)))  # noqa: E731
        self.forgetting, self.k, self.eta = option("lambda", 1), option("k", 0), matrix(str(eta))
        self.alpha, self.gamma = option("alpha", 0), option("gamma", 0)
        self.A, self.Omega = eye(len(Theta)), np.zeros_like(Theta)
        self.with_momentum = "alpha" in given

    def step(self, Theta, gradient, x, steps=1):
        """Theta after the step, and what is kept of it."""
        kappa, P = self.k * steps, solve(self.A, eye(len(x)))
        u = P @ x
        h = self.forgetting + kappa * (x @ u)
        self.A = self.forgetting * self.A + kappa * np.outer(x, x)  # (35)
        P_new = solve(self.A, eye(len(x)))
        self.Omega = self.alpha * self.Omega - self.eta / h * (P @ gradient)  # (99)
        Theta = Theta + self.Omega - self.gamma * (P_new @ np.sign(Theta))  # (98), (100)
        return Theta, {"xbar": x, "u": u, "h": h, "P": P_new, **({"Omega": self.Omega} if self.with_momentum else {})}


class Adam:
    rate, beta1, beta2, epsilon = (matrix(text) for text in ("0.001", "0.9", "0.999", "1e-8"))

    def __init__(self, Theta):
        self.m, self.v, self.t = np.zeros_like(Theta), np.zeros_like(Theta), 0

    def step(self, Theta, g):
        self.t += 1
        self.m = self.beta1 * self.m + (1 - self.beta1) * g
        self.v = self.beta2 * self.v + (1 - self.beta2) * g * g
        m, v = self.m / (1 - self.beta1 ** self.t), self.v / (1 - self.beta2 ** self.t)
        return Theta - self.rate * m / (np.sqrt(v) + self.epsilon), {"adam_m": self.m, "adam_v": self.v}


def clipped(gradients, limit):
    """(norm, factor) of all gradients together"""
    total = norm(matrix([norm(g) for g in gradients.values()]))
    return total, min(matrix(1), limit / (total + matrix("1e-6")))


def clip_of(given, gradients):
    """What a step says of clipping, and the factor."""
    if "clip" not in given:
        return {}, 1
    total, factor = clipped(gradients, matrix(str(given["clip"])))
    return {"grad_total_norm": total, "clip_coef": factor}, factor


def feed_forward(given, adam=()):
    """`adam`: the layers that Adam trains."""
    theta = {name: matrix(given[f"Theta_{name}_0"]) for name in ("1", "2")}
    etas = {"1": given.get("eta", 1), "2": 1}  # that of the output layer is 1 by definition
    optimisers = {name: Adam(theta[name]) if name in adam else Rls(given, theta[name], etas[name]) for name in theta}
    steps = []
    for s, inputs in enumerate(given["inputs"]):
        def layers(parameters):
            X1 = with_ones(Dual(matrix(inputs)))
            X2 = with_ones(relu(X1 @ parameters["1"]))
            return {"1": X1, "2": X2}, X2 @ parameters["2"]

        def loss(parameters):
            Z = layers(parameters)[1]
            return cross_entropy([Z], given["labels"][s]) if "labels" in given else squared_error([Z], [matrix(given["targets_Z"][s])])

        gradients = derivatives(loss, theta)
        X = layers({name: Dual(value) for name, value in theta.items()})[0]
        said, factor = clip_of(given, gradients)
        step = {"step": s + 1, "loss": loss({name: Dual(value) for name, value in theta.items()}).a,
                **{f"grad_{name}": g for name, g in gradients.items()}, **said}
        for name, optimiser in optimisers.items():
            average = () if name in adam else (X[name].a.mean(axis=0),)  # (51)
            theta[name], kept = optimiser.step(theta[name], factor * gradients[name], *average)
            step |= {f"{key}_{name}": value for key, value in kept.items()} | {f"Theta_{name}": theta[name]}
        steps.append(step)
    return {"steps": steps}


def hybrid(given):
    return feed_forward(given, adam=("2",))


def adam(given):
    return feed_forward(given, adam=("1", "2"))


def patches(images, kernel, stride, padding):
    """(3): a row for each sample and place of the kernel, channel by channel, and the size of the output."""
    M, C, U, V = images.shape
    padded = np.zeros((M, C, U + 2 * padding, V + 2 * padding), dtype=np.longdouble)
    padded[:, :, padding:padding + U, padding:padding + V] = images
    H, W = kernel
    rows, cols = (U + 2 * padding - H) // stride + 1, (V + 2 * padding - W) // stride + 1
    X = [padded[m, :, u * stride:u * stride + H, v * stride:v * stride + W].ravel()
         for m in range(M) for u in range(rows) for v in range(cols)]
    return np.array(X), (rows, cols)


def max_pool(Y):
    """2 x 2, stride 2; Y: a dual tensor [sample][channel][row][column]"""
    M, C, U, V = Y.a.shape

    def blocks(T):
        return T.reshape(M, C, U // 2, 2, V // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(M, C, U // 2, V // 2, 4)
    best = np.argmax(blocks(Y.a), axis=4)[..., None]
    return Dual(np.take_along_axis(blocks(Y.a), best, 4)[..., 0], np.take_along_axis(blocks(Y.b), best, 4)[..., 0])


def convolution(given):
    theta = {name: matrix(given[f"Theta_{name}_0"]) for name in ("conv", "fc")}
    optimisers, steps = {name: Rls(given, value, given["eta"]) for name, value in theta.items()}, []
    for s, images in enumerate(given["inputs"]):
        M = len(images)
        X, (U, V) = patches(matrix(images), given["kernel"], given["stride"], given["padding"])

        def layers(parameters):
            X1 = with_ones(Dual(X))
            Z1 = X1 @ parameters["conv"]
            planes = [T.reshape(M, U, V, -1).transpose(0, 3, 1, 2) for T in (Z1.a, Z1.b)]
            Z_conv = Dual(*planes)
            Y = relu(Z_conv)
            Y = max_pool(Y) if given["maxpool_2x2"] else Y
            X2 = with_ones(Dual(Y.a.reshape(M, -1), Y.b.reshape(M, -1)))
            return {"conv": X1, "fc": X2}, Z_conv, X2 @ parameters["fc"]

        def loss(parameters):
            return squared_error([layers(parameters)[2]], [matrix(given["targets_Z"][s])])

        gradients = derivatives(loss, theta)
        as_they_are = {name: Dual(value) for name, value in theta.items()}
        inputs, Z_conv, Z = layers(as_they_are)
        step = {"step": s + 1, "Z_conv": Z_conv.a, "Z_out": Z.a, "loss": loss(as_they_are).a,
                **{f"grad_{name}": g for name, g in gradients.items()}}
        for name, optimiser in optimisers.items():
            theta[name], kept = optimiser.step(theta[name], gradients[name], inputs[name].a.mean(axis=0))  # (72)
            step |= {f"{key}_{name}": kept[key] for key in ("xbar", "h", "P")} | {f"Theta_{name}": theta[name]}
        steps.append(step)
    return {"steps": steps}


def lstm_step(Z, c):
    """(9) to (18); columns of Z: I, G, F, O"""
    n = Z.a.shape[1] // 4
    i, g, f, o = (activation(Z[:, k * n:(k + 1) * n]) for k, activation in enumerate((sigmoid, tanh, sigmoid, sigmoid)))
    c = i * g + f * c
    return o * tanh(c), c


def recurrent(given):
    T, M, t0 = given["T"], given["M"], given["t0"]
    theta = {"out": matrix(given["Theta_out_0"])}
    for l, layer in enumerate(given["layers"], 1):
        theta |= {f"{l}_w": matrix(layer["Theta_w_0"]), f"{l}_v": matrix(layer["Theta_v_0"])}
    optimisers, steps = {name: Rls(given, value, given["eta"]) for name, value in theta.items()}, []
    for s in range(len(given["inputs"])):
        def layers(parameters):
            averages, Y = {}, [Dual(matrix(x)) for x in given["inputs"][s]]
            for l in range(1, len(given["layers"]) + 1):
                N = theta[f"{l}_v"].shape[0] - 1
                before = Dual(np.zeros((M, N), dtype=np.longdouble))
                c, outputs, X_w, X_v = before, [], [], []
                for y in Y:
                    X_w.append(with_ones(y))
                    X_v.append(with_ones(before))
                    Z = X_w[-1] @ parameters[f"{l}_w"] + X_v[-1] @ parameters[f"{l}_v"]  # (7)
                    if given["kind"] == "lstm":
                        before, c = lstm_step(Z, c)
                    else:
                        before = tanh(Z)
                    outputs.append(before)
                averages |= {f"{l}_w": X_w, f"{l}_v": X_v}
                Y = outputs
            averages["out"] = [with_ones(y) for y in Y[t0 - 1:]]  # (8)
            return averages, [X @ parameters["out"] for X in averages["out"]]

        def loss(parameters):
            return squared_error(layers(parameters)[1], matrix(given["targets_Z"][s]))

        gradients = derivatives(loss, theta)
        as_they_are = {name: Dual(value) for name, value in theta.items()}
        inputs, Z = layers(as_they_are)
        said, factor = clip_of(given, gradients)
        order = ["out"] + [name for name in theta if name != "out"]
        step = {"step": s + 1, "loss": loss(as_they_are).a, "outputs_Z": [z.a for z in Z], "grad_out": gradients["out"],
                "T_L": T - t0 + 1, **{f"grad_{name}": gradients[name] for name in order[1:]}, **said}
        for name in order:
            x = np.vstack([X.a for X in inputs[name]]).mean(axis=0)  # (80), (92)
            theta[name], kept = optimisers[name].step(theta[name], factor * gradients[name], x, len(inputs[name]))
            step |= {f"{key}_{name}": kept[key] for key in ("xbar", "h", "P")} | {f"Theta_{name}": theta[name]}
        steps.append(step)
    return {"steps": steps}


def classical(given):
    """After S samples Theta = A^-1 B: the weighted least-squares problem that the recursion solves."""
    X, Z, start = (matrix(given[name]) for name in ("X", "Z", "Theta_0"))
    X, S, found = np.hstack([X, np.ones((len(X), 1), dtype=np.longdouble)]), len(X), {}
    for forgetting in given["lambdas"]:
        weights = matrix(str(forgetting)) ** np.arange(S - 1, -1, -1)
        oldest = matrix(str(forgetting)) ** S
        A = oldest * eye(X.shape[1]) + (X.T * weights) @ X
        Theta = solve(A, oldest * start + (X.T * weights) @ Z)
        found[f"lambda_{forgetting:g}"] = {"Theta": Theta, "P": solve(A, eye(len(A))), "batch_solution": Theta, "batch_A": A}
    return found


FILES = {"nets/rls_classical": classical, "nets/rls_fnn_hrls": hybrid, "nets/rls_fnn_adam_mse": adam,
         "nets/rls_fnn_adam_ce": adam}
FILES |= {f"nets/rls_fnn{name}": feed_forward
          for name in ("", "_lambda", "_momentum", "_l1", "_momentum_l1_clip")}
FILES |= {f"nets/rls_conv_{name}": convolution for name in ("3x3_pad1_pool", "2x3_stride2")}
FILES |= {f"nets/rls_{name}": recurrent for name in ("lstm_t0_T", "lstm_t0_T_mr_clip", "rnn_t0_1")}
