"""Whether k methods differ over N data sets, by their ranks on each (J. Demsar, JMLR 7 (2006) 1-30, sec. 3.2.2).

What `elmx report` says of methods that choose their parameters themselves; here for scores of any origin.
"""
import math


def ranks(scores):
    """Ranks of the scores of one data set, 1 for the lowest; equal ones share the mean of their ranks."""
    order = sorted(scores)
    return [order.index(score) + (order.count(score) + 1) / 2 for score in scores]


def mean_ranks(table):
    """table: N rows of k scores, lower is better -> k mean ranks."""
    rows = [ranks(row) for row in table]
    return [sum(column) / len(rows) for column in zip(*rows)]


def friedman(table):
    """(F, p) of Iman and Davenport: F has k - 1 and (k - 1)(N - 1) degrees of freedom where no method is better.

    chi2 = 12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4),  F = (N - 1) chi2 / (N (k - 1) - chi2)
    """
    N, k = len(table), len(table[0])
    chi2 = 12 * N / (k * (k + 1)) * (sum(R * R for R in mean_ranks(table)) - k * (k + 1) ** 2 / 4)
    rest = N * (k - 1) - chi2
    if rest <= 1e-12 * N * k:
        return math.inf, 0.0
    F = (N - 1) * chi2 / rest
    return F, above_F(F, k - 1, (k - 1) * (N - 1))


def above_F(F, d1, d2):
    """P(F' > F) of Fisher's distribution: the share of int sin^(d2 - 1) cos^(d1 - 1) below asin sqrt(d2 / (d2 + d1 F))."""
    density = lambda t: math.sin(t) ** (d2 - 1) * math.cos(t) ** (d1 - 1)
    bound = math.asin(math.sqrt(d2 / (d2 + d1 * F)))
    return simpson(density, 0, bound) / simpson(density, 0, math.pi / 2)


def critical_difference(k, N, alpha=0.05):
    """Nemenyi: q sqrt(k (k + 1) / (6 N)), where q sqrt(2) bounds the range of k normal variables."""
    return range_bound(k, alpha) / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * N))


def range_bound(k, alpha):
    """The value that the range of k independent standard normal variables exceeds with probability alpha."""
    low, high = 0.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - range_below(middle, k) > alpha else (low, middle)
    return low


def range_below(q, k):
    """P(range < q) = k int phi(z) (Phi(z) - Phi(z - q))^(k - 1) dz,  z the largest of the k."""
    Phi = lambda z: math.erfc(-z / math.sqrt(2)) / 2
    phi = lambda z: math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return simpson(lambda z: k * phi(z) * (Phi(z) - Phi(z - q)) ** (k - 1), -9, 9, 600)


def simpson(f, a, b, steps=2000):
    h = (b - a) / steps
    inner = sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, steps))
    return h / 3 * (f(a) + inner + f(b))


def sign_test(better, worse):
    """Two-sided p of so many successes and failures where both are equally likely."""
    n, least = better + worse, min(better, worse)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(least + 1)) / 2 ** n)


def level_groups(R, difference):
    """The largest groups of methods of which no two are `difference` apart: lists of indices, best first."""
    order = sorted(range(len(R)), key=lambda j: R[j])
    groups, end = [], 0
    for i, first in enumerate(order):
        last = max(n for n, j in enumerate(order) if R[j] - R[first] < difference)
        if last > max(i, end):
            groups.append(order[i:last + 1])
            end = last
    return groups
