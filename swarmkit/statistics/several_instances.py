"""Methods compared over several instances (the blocks): Friedman, Nemenyi, Wilcoxon with Holm.

Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7; Iman and Davenport (1980),
Approximations of the critical region of the Friedman statistic.
"""

from __future__ import annotations

from functools import cache
from math import factorial, inf, sqrt
from typing import Any

import numpy as np
from pydantic import Field

from swarmkit.contract.arrays import Floats
from swarmkit.statistics.finding import ALPHA, Finding, Test
from swarmkit.statistics.pairwise_tests import Pair, wilcoxon_pairs
from swarmkit.statistics.scores import Blocks, Scores, complete_blocks
from swarmkit.statistics.wording import join_words, p_words, quantity

FEWEST = 3
"""Methods, and instances, that Friedman's test needs."""


class SeveralInstances(Finding):
    """Methods compared over several instances."""

    instances: list[str]
    """The instances on which all these methods have runs."""
    methods: list[str]
    """By average rank, the best first."""
    ranks: dict[str, float]
    """Average rank of each method, 1 is the best."""
    friedman: Test
    """Friedman's test, in Iman and Davenport's form."""
    critical_difference: float | None = None
    """Average ranks that differ by more than this differ significantly (Nemenyi)."""
    groups: list[list[str]] = Field(default_factory=list)
    """Maximal groups of methods without a significant difference."""
    nemenyi: dict[str, dict[str, float]] = Field(default_factory=dict)
    """Nemenyi's p-value of every pair of methods."""
    pairs: list[Pair] = Field(default_factory=list)
    """Wilcoxon's signed-rank test of every pair."""
    left_out: list[str] = Field(default_factory=list)
    """Sentences about methods and instances that were left out because runs are missing."""


def compare_over_instances(scores: Scores) -> SeveralInstances:
    """Compare methods over instances by their median score on each.

    Args:
        scores: the scores of all runs, as `collect_scores` returns them.

    Returns:
        Average ranks, Friedman's test, and the tests of all pairs where they apply.
    """
    blocks = complete_blocks(scores)
    ranks = rank_table(blocks.table).mean(axis=0) if blocks.instances else np.zeros(len(blocks.methods))
    by_rank = dict(sorted(zip(blocks.methods, map(float, ranks), strict=True), key=lambda entry: entry[1]))
    friedman = friedman_test(blocks)
    pairs = wilcoxon_pairs(blocks) if len(blocks.instances) > 1 else []
    words = f"{friedman.words} {pairs[0].words}" if len(pairs) == 1 else friedman.words
    rank_tests: dict[str, Any] = {}
    if friedman.p is not None:
        cd = critical_difference(len(blocks.methods), len(blocks.instances))
        significant = friedman.p < ALPHA
        groups = nemenyi_groups(by_rank, cd) if significant else [list(by_rank)]
        rank_tests = {"critical_difference": cd, "groups": groups, "nemenyi": nemenyi(blocks)}
        words = _rank_sentence(friedman, by_rank, groups, cd) if significant else words
    return SeveralInstances(
        instances=list(blocks.instances),
        methods=list(by_rank),
        ranks=by_rank,
        left_out=list(blocks.left_out),
        friedman=friedman,
        pairs=pairs,
        words=words,
        **rank_tests,
    )


def rank_table(table: Floats) -> Floats:
    """Rank the methods (columns) on each instance (row): 1 is the highest score, ties share their average rank.

    >>> rank_table(np.array([[3.0, 5.0, 5.0]])).tolist()
    [[3.0, 1.5, 1.5]]
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(-table, axis=1)
    return ranks


def friedman_test(blocks: Blocks) -> Test:
    """Test whether the average ranks of the methods differ: Friedman's statistic with Iman and Davenport's p-value."""
    from scipy.stats import f, friedmanchisquare

    n, k = blocks.table.shape
    if reason := _untestable(blocks, n, k):
        return Test(name="Friedman", words=reason)
    ranks = rank_table(blocks.table)  # ranks, not scores: a median may be -inf
    chi = min(float(friedmanchisquare(*ranks.T).statistic), n * (k - 1.0))
    rest = n * (k - 1) - chi  # of Iman and Davenport's F = (n - 1) χ² / (n (k - 1) - χ²)
    # If all instances rank the methods alike, rest is 0; by chance this happens with probability k!^(1-n).
    p = float(f.sf((n - 1) * chi / rest, k - 1, (k - 1) * (n - 1))) if rest > 1e-9 else factorial(k) ** (1.0 - n)
    verdict = "differ significantly" if p < ALPHA else "do not differ significantly"
    words = f"Over {n} instances the {k} methods {verdict} (Friedman χ² = {chi:.3g}, Iman-Davenport {p_words(p)})."
    return Test(name="Friedman, Iman-Davenport", statistic=chi, p=p, words=words)


def _untestable(blocks: Blocks, n: int, k: int) -> str:
    """Return why Friedman's test does not apply to n instances and k methods, an empty string if it does."""
    if k < 2:
        return "Only one method: nothing to compare." if k else "No method has runs on most instances."
    if n < 2:
        have = f"{quantity(n, 'instance')} on which every method has runs"
        return f"{have}: a comparison over instances needs at least {FEWEST}, and Wilcoxon's test 6."
    if all(np.unique(row).size == 1 for row in blocks.table):
        return f"All methods have the same median on each of the {n} instances: there is no difference to test."
    if k < FEWEST:
        return "Two methods: Wilcoxon's test applies; Friedman's needs at least three."
    if n < FEWEST:
        return f"{n} instances: Friedman's test needs at least {FEWEST}."
    return ""


@cache  # the quantile of the studentized range takes a tenth of a second
def critical_difference(methods: int, instances: int, alpha: float = ALPHA) -> float:
    """Return Nemenyi's critical difference of average ranks, q sqrt(k (k + 1) / 6N).

    Args:
        methods: k.
        instances: N.
        alpha: the significance level; q is the (1 - alpha) quantile of the studentized range, divided by sqrt 2.

    >>> round(critical_difference(4, 14), 2)  # Demšar's example has q = 2.569: 1.25
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.isf(alpha, methods, inf)) / sqrt(2)
    return q * sqrt(methods * (methods + 1) / (6 * instances))


def nemenyi(blocks: Blocks) -> dict[str, dict[str, float]]:
    """Return Nemenyi's p-value of every pair of methods, by the name of either."""
    from scipy.stats import studentized_range

    n, k = blocks.table.shape
    ranks = rank_table(blocks.table).mean(axis=0)
    first, second = np.triu_indices(k, 1)
    q = np.abs(ranks[first] - ranks[second]) / sqrt(k * (k + 1) / (6 * n)) * sqrt(2)
    p = np.zeros((k, k))
    p[first, second] = p[second, first] = np.minimum(1.0, studentized_range.sf(q, k, inf))
    names = blocks.methods
    return {a: {b: float(p[i, j]) for j, b in enumerate(names) if i != j} for i, a in enumerate(names)}


def nemenyi_groups(ranks: dict[str, float], cd: float) -> list[list[str]]:
    """Return the maximal groups of methods whose average ranks differ by at most the critical difference.

    Args:
        ranks: average rank by method, the best first.
        cd: the critical difference.

    >>> nemenyi_groups({"a": 1.0, "b": 1.8, "c": 2.5, "d": 4.0}, 1.0)
    [['a', 'b'], ['b', 'c'], ['d']]
    """
    names = list(ranks)
    groups: list[list[str]] = []
    for i, name in enumerate(names):
        group = [other for other in names[i:] if ranks[other] - ranks[name] <= cd]
        # A group that ends with the same method as the one before is part of that.
        if not groups or group[-1] != groups[-1][-1]:
            groups.append(group)
    return groups


def _rank_sentence(friedman: Test, ranks: dict[str, float], groups: list[list[str]], cd: float) -> str:
    best = groups[0]
    lead = f"{best[0]} has the best average rank ({ranks[best[0]]:.2f})"
    verdict = (
        f"no significant difference from {join_words(best[1:])}"
        if len(best) > 1
        else "significantly better than all others"
    )
    return f"{friedman.words} {lead}, {verdict} (Nemenyi, critical difference {cd:.2f})."
