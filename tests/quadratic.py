"""Small quadratic assignments for tests."""

import numpy as np

from swarmkit import Pairwise


def quadratic(n, seed, symmetric=True, density=1.0):
    """Whole numbers, so that what is kept up to date and what is computed agree to the last digit."""
    rng = np.random.default_rng(seed)
    table, flow = (
        rng.integers(0, 10, (n, n)).astype(float),
        rng.integers(1, 10, (n, n)) * (rng.random((n, n)) < density),
    )
    flow[0, 1] = 1
    table = table + table.T if symmetric else table
    edges = [(i, j, table, -float(flow[i, j])) for i in range(n) for j in range(n) if i != j and flow[i, j]]
    return Pairwise.of([n] * n, edges, rng.integers(0, 9, n * n), distinct=True)


def plain_gain(form, x, i, j):
    """The difference of two whole scores."""
    y = x.copy()
    y[i], y[j] = x[j], x[i]
    return float(form.score(np.array([y]))[0] - form.score(np.array([x]))[0])
