"""Tables between the best candidates of interacting stages, and the solution that is best by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from swarmkit import Ints, Left, Pairwise, Problem, Solutions, evaluate
from swarmkit.search import GainTable
from swarmkit_local.phases import CLIMB, KICK, first_slots

if TYPE_CHECKING:
    from swarmkit_local.linkage import Linkage

TABLE_SHARE = 4
"""Tables may take this many times the evaluations of a sweep; that limits the candidates they are made for."""

SOLVING = 400
"""Looks at the learnt tables, in multiples of their slots, before their best solution is scored."""


def fill_tables(search: Linkage, problem: Problem, count: int, rng: Generator) -> int:
    """Score pairs of good candidates of stages that interact; when all are known, move to the best solution.

    Returns:
        the rows that were scored.
    """
    if len(search.pairs) == 0:
        search.good = _good_candidates(search, problem)
    best, k = search.good, search.good.shape[1]
    where = np.arange(len(search.pairs), min(len(search.links) * k * k, len(search.pairs) + count))
    links, inside = np.divmod(where, k * k)
    c, d = np.divmod(inside, k)
    i, j = search.links[links].T
    X = np.tile(search.x, (len(where), 1))
    rows = np.arange(len(where))
    X[rows, i], X[rows, j] = best[i, c], best[j, d]
    search.pairs = np.append(search.pairs, evaluate(problem, X))
    if len(search.pairs) == len(search.links) * k * k:
        proposed = _solve(search, problem, best, rng)
        score = float(evaluate(problem, proposed[None])[0])
        if score > search.score + search.tolerance:
            search.x, search.score, search.phase, search.queue = proposed, score, CLIMB, np.arange(len(search.x))
        else:
            search.phase = KICK
        return len(where) + 1
    return len(where)


def _good_candidates(search: Linkage, problem: Problem) -> Ints:
    """Return the candidates of each stage that tables are made for, the current one first; some may repeat."""
    sizes, first = np.asarray(problem.sizes), first_slots(problem)
    share = TABLE_SHARE * len(search.gains) / max(1, len(search.links))
    k = int(np.clip(1 + np.sqrt(share), 2, sizes.max()))
    best = np.zeros((len(sizes), k), np.int64)
    for i, m in enumerate(sizes.tolist()):
        own = search.gains[first[i] : first[i] + m].copy()
        own[search.x[i]] = np.inf
        best[i] = np.resize(np.argsort(-own, kind="stable")[:k], k)
    return best


def _solve(search: Linkage, problem: Problem, best: Ints, rng: Generator) -> Solutions:
    """Return the best solution by the tables that iterated local search finds."""
    from swarmkit_local.kicks import Round, kick_and_climb

    n, k = best.shape
    unary = search.gains[first_slots(problem)[:, None] + best]
    tables = search.pairs.reshape(-1, k, k) - search.score
    i, j = search.links.T
    tables = tables - unary[i][:, :, None] - unary[j][:, None, :]
    form = Pairwise(
        sizes=np.full(n, k),
        unary=unary.ravel(),
        edges=search.links,
        starts=np.arange(len(i)) * k * k,
        weights=np.ones(len(i)),
        flat=tables.ravel(),
    )
    table = GainTable.at(form, np.zeros(n, np.int64), rng)
    strength = min(40, n)
    kick_and_climb(form, table, Round.none(n, strength), strength, Left(looks=SOLVING * n * k))
    return best[np.arange(n), table.best]
