"""The best solution of a chain by dynamic programming (Viterbi 1967): exact, in O(n·m²).

Viterbi, A. 1967. Error bounds for convolutional codes and an asymptotically optimum decoding algorithm. IEEE Trans.
Inf. Theory 13(2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarmkit.compiled.routes import walk_along
from swarmkit.errors import UsageError
from swarmkit.pairwise import Ints, Pairwise
from swarmkit.problem import Solutions


class ChainAnswer(NamedTuple):
    """The best solution of a chain, its score, and how many looks it took."""

    solution: Solutions
    score: float
    looks: int


def solve_chain(form: Pairwise) -> ChainAnswer:
    """Give the best solution of a form that is a chain.

    >>> form = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, 1 - np.eye(2))])
    >>> solve_chain(form).score
    2.0
    """
    from swarmkit.kernels.chain import best_path

    order = _chain(form)
    walk = walk_along(form, order)
    slots = int(form.offsets[-1])
    path = np.zeros(len(order), np.int64)
    looks = best_path(
        np.ascontiguousarray(form.sizes),
        form.offsets,
        np.ascontiguousarray(form.unary),
        np.ascontiguousarray(form.flat),
        walk.order,
        walk.indptr,
        walk.start,
        walk.own,
        walk.other,
        walk.weight,
        np.empty(slots),
        np.zeros(slots, np.int64),
        path,
    )
    return ChainAnswer(path, float(form.score(path[None])[0]), int(looks))


def plain_solve_chain(form: Pairwise) -> ChainAnswer:
    """Do the same in numpy: the twin that the kernel is held to."""
    order = _chain(form)
    X = np.full((1, len(order)), -1, np.int64)
    value, back, looks = np.zeros(1), [], 0
    for t, stage in enumerate(order):
        m = int(form.sizes[stage])
        given = np.repeat(X, len(value), axis=0)
        if t:
            given[:, order[t - 1]] = np.arange(len(value))
        table = value[:, None] + form.marginals(given, int(stage))
        looks += m * len(value)
        back.append(table.argmax(axis=0))
        value = table.max(axis=0)
    choice, x = int(value.argmax()), np.zeros(len(order), np.int64)
    for t in reversed(range(len(order))):
        x[order[t]] = choice
        choice = int(back[t][choice])
    return ChainAnswer(x, float(form.score(x[None])[0]), looks)


def _chain(form: Pairwise) -> Ints:
    if form.chain is None or form.distinct or not len(form.sizes):
        raise UsageError("dynamic programming needs a chain: stages in a row, each related to its neighbours only")
    return form.chain
