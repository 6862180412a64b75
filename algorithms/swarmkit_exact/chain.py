"""The best solution of a chain by dynamic programming (Viterbi 1967): exact, in O(n·m²).

Viterbi, A. 1967. Error bounds for convolutional codes and an asymptotically optimum decoding algorithm. IEEE Trans.
Inf. Theory 13(2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from swarmkit import Ints, Pairwise
from swarmkit.search import VisitingOrder


class ChainAnswer(NamedTuple):
    """The best solution of a chain, its score, and the looks."""

    solution: Ints
    score: float
    looks: int


def solve_chain(form: Pairwise, chain: Ints, ranks: Ints | None = None) -> ChainAnswer:
    """Return the best solution of tables whose edges all join consecutive stages of `chain`.

    >>> form = Pairwise.of([2, 2, 2], [(0, 1, np.eye(2)), (1, 2, 1 - np.eye(2))])
    >>> solve_chain(form, np.arange(3)).score
    2.0

    Args:
        form: the tables.
        chain: the stages in the order of the chain.
        ranks: for each slot its rank among equally good ones, of which the lowest is taken (`Problem.tie_ranks`).
    """
    from swarmkit.kernels.compiling import read_only
    from swarmkit_exact.kernel import Best, Slots, best_path

    count, path = int(form.offsets[-1]), np.zeros(len(chain), np.int64)
    ranks = np.arange(count) if ranks is None else np.ascontiguousarray(ranks, np.int64)
    slots = read_only(Slots(form.sizes, form.offsets, form.unary, form.flat, ranks))
    best = Best(np.empty(count), np.zeros(count, np.int64), path)
    looks = best_path(slots, read_only(VisitingOrder.of(form, chain)), best)
    return ChainAnswer(path, float(form.score(path[None])[0]), int(looks))


def plain_solve_chain(form: Pairwise, chain: Ints, ranks: Ints | None = None) -> ChainAnswer:
    """Return the same as `solve_chain`, computed in numpy: the plain twin that the kernel is tested against."""
    X = np.full((1, len(chain)), -1, np.int64)
    value, back, looks = np.zeros(1), [], 0
    ranks = np.arange(form.offsets[-1]) if ranks is None else ranks
    mine = np.zeros(1, np.int64)
    for t, stage in enumerate(chain):
        m, earlier, mine = int(form.sizes[stage]), mine, ranks[form.offsets[stage] : form.offsets[stage + 1]]
        given = np.repeat(X, len(value), axis=0)
        if t:
            given[:, chain[t - 1]] = np.arange(len(value))
        table = value[:, None] + form.marginals(given, int(stage))
        looks += m * len(value)
        back.append(np.where(table == table.max(axis=0), earlier[:, None], np.iinfo(np.int64).max).argmin(axis=0))
        value = table.max(axis=0)
    choice = int(np.where(value == value.max(), mine, np.iinfo(np.int64).max).argmin())
    x = np.zeros(len(chain), np.int64)
    for t in reversed(range(len(chain))):
        x[chain[t]] = choice
        choice = int(back[t][choice])
    return ChainAnswer(x, float(form.score(x[None])[0]), looks)
