"""Several instances, which are the blocks: Friedman, Nemenyi, the critical difference, Wilcoxon with Holm.

Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7; Iman and Davenport (1980),
Approximations of the critical region of the Friedman statistic.
"""

from __future__ import annotations

from functools import cache
from math import factorial, inf, sqrt
from typing import Any

import numpy as np
from pydantic import Field

from swarmkit.statistics.effect import average_ranks
from swarmkit.statistics.finding import ALPHA, Finding, Test, chance, counted, listed, need_scipy
from swarmkit.statistics.outcomes import Blocks, Floats, Outcomes, complete
from swarmkit.statistics.pairs import Pair, wilcoxon_pairs

FEWEST = 3
"""Friedman's test takes at least so many methods, and at least so many instances."""


class Across(Finding):
    """Methods compared over several instances."""

    instances: list[str]
    methods: list[str]
    """The best average rank first."""
    ranks: dict[str, float]
    friedman: Test
    critical_difference: float | None = None
    """Average ranks further apart than this differ by more than chance (Nemenyi)."""
    groups: list[list[str]] = Field(default_factory=list)
    """Methods that cannot be told from each other, each group as large as it can be."""
    nemenyi: dict[str, dict[str, float]] = Field(default_factory=dict)
    pairs: list[Pair] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)


def compare_across(outcomes: Outcomes) -> Across:
    """Compare methods over instances, by the median score of each."""
    need_scipy("statistics")
    blocks = complete(outcomes)
    ranks = rank_table(blocks.table).mean(axis=0) if blocks.instances else np.zeros(len(blocks.methods))
    by_method = dict(zip(blocks.methods, map(float, ranks), strict=True))
    ordered = sorted(by_method, key=lambda m: by_method[m])
    by_rank = {m: by_method[m] for m in ordered}
    given: dict[str, Any] = {
        "instances": list(blocks.instances),
        "methods": ordered,
        "ranks": by_rank,
        "left_out": list(blocks.left_out),
    }
    friedman = friedman_test(blocks)
    if len(blocks.methods) < 2 or len(blocks.instances) < 2:
        return Across(**given, friedman=friedman, words=friedman.words)
    pairs = wilcoxon_pairs(blocks)
    if friedman.p is None:
        return Across(**given, friedman=friedman, pairs=pairs, words=_sentence(friedman, pairs))
    cd = critical_difference(len(blocks.methods), len(blocks.instances))
    differ = friedman.p < ALPHA
    groups = indistinguishable(by_rank, cd) if differ else [ordered]
    words = _ranking(friedman, by_rank, groups, cd) if differ else friedman.words
    return Across(
        **given,
        friedman=friedman,
        critical_difference=cd,
        groups=groups,
        nemenyi=nemenyi(blocks),
        pairs=pairs,
        words=words,
    )


def rank_table(table: Floats) -> Floats:
    """Rank the methods on each instance: 1 is the best, ties share.

    >>> rank_table(np.array([[3.0, 5.0, 5.0]])).tolist()
    [[3.0, 1.5, 1.5]]
    """
    return np.array([average_ranks(-row) for row in table])


def friedman_test(blocks: Blocks) -> Test:
    """Test whether the methods' ranks differ by more than chance: Friedman, in Iman and Davenport's form."""
    from scipy.stats import f, friedmanchisquare

    n, k = blocks.table.shape
    if why := _untestable(blocks, n, k):
        return Test(name="Friedman", words=why)
    ranks = rank_table(blocks.table)
    chi = min(float(friedmanchisquare(*ranks.T).statistic), n * (k - 1.0))
    rest = n * (k - 1) - chi
    # All instances ranking alike divides by zero; that happens by chance once in k!^(n-1).
    p = float(f.sf((n - 1) * chi / rest, k - 1, (k - 1) * (n - 1))) if rest > 1e-9 else factorial(k) ** (1.0 - n)
    verdict = "differ by more than chance" if p < ALPHA else "cannot be told apart"
    words = f"Over {n} instances the {k} methods {verdict} (Friedman χ² = {chi:.3g}, Iman-Davenport {chance(p)})."
    return Test(name="Friedman, Iman-Davenport", statistic=chi, p=p, words=words)


def _untestable(blocks: Blocks, n: int, k: int) -> str:
    """Say why there is nothing to test, or nothing at all."""
    if k < 2:
        return "One method only: there is nothing to compare it with." if k else "No method has runs on most instances."
    if n < 2:
        have = f"{counted(n, 'instance')} that every method has run on"
        return f"{have}: a comparison over instances needs at least {FEWEST}, and Wilcoxon's test 6."
    if all(np.unique(row).size == 1 for row in blocks.table):
        return f"All methods have the same median on each of the {n} instances: there is no difference to test."
    if k < FEWEST:
        return "Two methods: Wilcoxon's test says all there is to say; Friedman's takes three or more."
    if n < FEWEST:
        return f"{n} instances: Friedman's test needs at least {FEWEST}."
    return ""


@cache  # the quantile of the range takes a tenth of a second
def critical_difference(methods: int, instances: int, alpha: float = ALPHA) -> float:
    """Give Nemenyi's critical difference of average ranks: q sqrt(k (k + 1) / 6N), q from Tukey's range over sqrt 2.

    >>> round(critical_difference(4, 14), 2)  # Demšar's example has q = 2.569: 1.25
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.isf(alpha, methods, inf)) / sqrt(2)
    return q * sqrt(methods * (methods + 1) / (6 * instances))


def nemenyi(blocks: Blocks) -> dict[str, dict[str, float]]:
    """Give Nemenyi's p-value of every pair."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    values = posthoc_nemenyi_friedman(rank_table(blocks.table)).to_numpy()
    names = blocks.methods
    return {a: {b: float(min(1.0, values[i, j])) for j, b in enumerate(names) if i != j} for i, a in enumerate(names)}


def indistinguishable(ranks: dict[str, float], cd: float) -> list[list[str]]:
    """Group methods, given best first, whose average ranks are within the critical difference.

    >>> indistinguishable({"a": 1.0, "b": 1.8, "c": 2.5, "d": 4.0}, 1.0)
    [['a', 'b'], ['b', 'c'], ['d']]
    """
    names = list(ranks)
    groups: list[list[str]] = []
    for i, name in enumerate(names):
        group = [other for other in names[i:] if ranks[other] - ranks[name] <= cd]
        if not groups or group[-1] != groups[-1][-1]:
            groups.append(group)
    return groups


def _ranking(friedman: Test, ranks: dict[str, float], groups: list[list[str]], cd: float) -> str:
    best = groups[0]
    lead = f"{best[0]} ranks first ({ranks[best[0]]:.2f} on average)"
    with_it = f", not to be told from {listed(best[1:])}" if len(best) > 1 else " and stands alone"
    return f"{friedman.words} {lead}{with_it} (Nemenyi, critical difference {cd:.2f})."


def _sentence(friedman: Test, pairs: list[Pair]) -> str:
    return f"{friedman.words} {pairs[0].words}" if len(pairs) == 1 else friedman.words
