"""Tests of pairs of methods: Wilcoxon's signed ranks over instances, Mann-Whitney on one; Holm's correction.

Holm (1979), A simple sequentially rejective multiple test procedure. Which test when: docs/decisions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from math import ceil, comb, log2
from typing import NamedTuple

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.statistics.effect_sizes import a12, magnitude, rank_biserial
from swarmkit.statistics.finding import ALPHA, Finding
from swarmkit.statistics.scores import Blocks, Scores
from swarmkit.statistics.wording import p_words, quantity


def exact_signed_ranks(d: Floats) -> float:
    """Return the exact two-sided p-value of Wilcoxon's signed-rank test, which may have ties.

    It is the share of all assignments of signs to the ranks whose positive ranks have a sum at least as extreme.

    >>> exact_signed_ranks(np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0])) == 2 / 64
    True
    """
    from scipy.stats import rankdata

    twice_ranks = (2 * rankdata(np.abs(d))).round().astype(int)  # shared ranks may be halves
    ways = np.zeros(twice_ranks.sum() + 1)
    ways[0] = 1.0
    # Dynamic programming over the ranks, each of which is in the sum or not: O(n²) sums instead of 2^n signs.
    for rank in twice_ranks:
        ways[rank:] += ways[:-rank].copy()
    return _two_sided(ways, int(twice_ranks[d > 0].sum()))


def exact_rank_sum(first: Floats, second: Floats) -> float:
    """Return the exact two-sided p-value of the rank-sum test for the ranks of two samples, which may have ties.

    It is the share of all assignments of the ranks to the samples with a rank sum at least as extreme.

    >>> exact_rank_sum(np.array([1.5, 1.5, 3.5, 3.5]), np.array([5.5, 5.5, 7.5, 7.5])) == 2 / 70
    True
    """
    twice_ranks = (2 * np.concatenate([first, second])).round().astype(int)  # shared ranks may be halves
    ways = np.zeros((first.size + 1, twice_ranks.sum() + 1))
    ways[0, 0] = 1.0
    # ways[k, s]: the number of ways in which k of the ranks so far have the sum s.
    for rank in twice_ranks:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return _two_sided(ways[first.size], int(twice_ranks[: first.size].sum()))


def _two_sided(ways: Floats, total: int) -> float:
    """Return twice the probability of a sum at least as extreme as `total`; ways[s] counts the ways to the sum s."""
    return float(min(1.0, 2 * min(ways[: total + 1].sum(), ways[total:].sum()) / ways.sum()))


EXACT = 40
"""Runs or instances up to which p-values with ties are computed exactly, by enumerating the ranks' distribution."""


class Pair(Finding):
    """Two methods compared; a high effect means that the first is better."""

    first: str
    second: str
    test: str
    """The name of the test."""
    effect_name: str
    effect: float
    p: float | None = None
    """The p-value of this pair alone, None where the test does not apply."""
    adjusted: float | None = None
    """The p-value after Holm's correction for all pairs."""
    least: float | None = None
    """The lowest p-value that is possible with this number of runs or instances."""
    better: str | None = None
    """The better method, None without a significant difference."""
    reason: str = ""
    """Why no difference can be shown: the test does not apply, or the sample is too small for the number of pairs."""


class PairTest(NamedTuple):
    """The test of a pair before Holm's correction."""

    effect: float
    first_text: str
    """The effect in words, from the point of view of the first method."""
    second_text: str
    """The same of the second method."""
    p: float | None
    reason: str = ""
    """Why there is no p-value."""
    least: float = 0.0
    """The lowest p-value that is possible with this number of runs or instances."""


class Procedure(NamedTuple):
    """A test procedure: its name, the name of its effect size, and the sample that it needs, in words."""

    test: str
    effect: str
    need: str


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted for multiple tests by Holm's method.

    Args:
        ps: the p-values; None for a pair that could not be tested, which still counts in their number.

    Returns:
        The adjusted p-values, None where there was none.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted((i for i, p in enumerate(ps) if p is not None), key=lambda i: ps[i] or 0.0)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for place, i in enumerate(order):
        # Step-down: an adjusted p-value is never below that of a smaller one before it.
        highest = max(highest, min(1.0, (len(ps) - place) * (ps[i] or 0.0)))
        adjusted[i] = highest
    return adjusted


def wilcoxon_pairs(blocks: Blocks, against: str | None = None) -> list[Pair]:
    """Test pairs of methods by Wilcoxon's signed ranks, with the instances as blocks.

    Args:
        blocks: the medians of all methods.
        against: the method whose pairs with all others are tested, as the first of each; by default all pairs are.
    """
    columns = {m: blocks.table[:, j] for j, m in enumerate(blocks.methods)}
    pairs = _all_pairs(blocks.methods) if against is None else [(against, m) for m in blocks.methods if m != against]
    tests = [_signed_ranks(scaled_differences(columns[a], columns[b], blocks.ranges)) for a, b in pairs]
    need = f"{instances_needed(len(pairs))} instances" if pairs else ""
    return _adjusted(pairs, tests, Procedure("Wilcoxon signed-rank", "rank-biserial", need))


def mann_whitney_pairs(scores: Scores, instance: str) -> list[Pair]:
    """Test all pairs of methods on one instance by Mann-Whitney; their runs are independent samples."""
    present = [m for m in scores.methods if scores.of(instance, m).size]
    pairs = _all_pairs(present)
    tests = [_rank_sum(scores.of(instance, a), scores.of(instance, b)) for a, b in pairs]
    need = f"{runs_needed(len(pairs))} runs of each" if pairs else ""
    return _adjusted(pairs, tests, Procedure("Mann-Whitney", "A12", need))


def instances_needed(pairs: int) -> int:
    """Return the number of instances n from which Wilcoxon's test can find a difference: 2 / 2^n is its lowest p-value.

    >>> instances_needed(1), instances_needed(21)
    (6, 10)
    """
    return ceil(1 + log2(pairs / ALPHA))


def runs_needed(pairs: int) -> int:
    """Return the number of runs per method from which the Mann-Whitney test can find a difference among all pairs.

    >>> runs_needed(1), runs_needed(21)
    (4, 6)
    """
    return next(n for n in count(1) if 2 * pairs / comb(2 * n, n) <= ALPHA)


def scaled_differences(first: Floats, second: Floats, ranges: Floats) -> Floats:
    """Return first minus second per instance, divided by the instance's range; -inf (infeasible) is the worst score.

    >>> scaled_differences(np.array([3.0, -np.inf]), np.array([1.0, 8.0]), np.array([4.0, 1.0])).tolist()
    [0.5, -2.0]
    """
    with np.errstate(invalid="ignore"):
        d = first - second  # nan where both are -inf
    d[np.isnan(d)] = 0.0  # neither has a feasible solution
    differences = np.divide(d, ranges, out=np.zeros_like(d), where=ranges > 0)
    differences[np.isinf(d)] = np.sign(d[np.isinf(d)]) * 2  # finite ones are at most 1: this outranks them
    # Equal differences of integers, or of scores equal up to rounding, are ties.
    return differences.round(9)


def _all_pairs(methods: Sequence[str]) -> list[tuple[str, str]]:
    return list(combinations(methods, 2))


def _signed_ranks(d: Floats) -> PairTest:
    """Test the differences of one pair of methods per instance."""
    from scipy.stats import wilcoxon

    effect = rank_biserial(d)  # of all instances: those without a difference are dropped there, too
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    texts = _wins_and_losses(wins, losses, d.size), _wins_and_losses(losses, wins, d.size)
    fewest = instances_needed(1)
    if not wins + losses:
        return PairTest(effect, *texts, None, "the same on every instance: nothing to test")
    if wins + losses < fewest:
        return PairTest(effect, *texts, None, f"too few instances with a difference: the test needs {fewest}")
    d = d[d != 0]
    tied = d.size <= EXACT and np.unique(np.abs(d)).size < d.size
    p = exact_signed_ranks(d) if tied else float(wilcoxon(d).pvalue)
    return PairTest(effect, *texts, p, least=2.0 ** (1 - d.size))


def _wins_and_losses(wins: int, losses: int, of: int) -> str:
    ties = [quantity(of - wins - losses, "tie")] if of > wins + losses else []
    return ", ".join([quantity(wins, "win"), f"{losses} loss{'' if losses == 1 else 'es'}", *ties])


def _rank_sum(a: Floats, b: Floats) -> PairTest:
    """Test the scores of one pair of methods on an instance."""
    from scipy.stats import mannwhitneyu, rankdata

    effect = a12(a, b)
    texts = f"A = {effect:.2f}, {magnitude(effect)}", f"A = {1 - effect:.2f}, {magnitude(effect)}"
    if np.unique(a).size == np.unique(b).size == 1:
        sentence = "both have the same score" if a[0] == b[0] else "each has one score"
        return PairTest(effect, *texts, None, f"{sentence} in all runs, nothing to test")
    ways = comb(a.size + b.size, a.size)
    if 2 / ways > ALPHA:  # the lowest two-sided p-value: of all orders of the runs, two are the most extreme
        runs = f"{quantity(a.size, 'run')} against {b.size}"
        return PairTest(
            effect, *texts, None, f"{runs} cannot show a difference: at least {runs_needed(1)} runs of each are needed"
        )
    ranks = rankdata(np.concatenate([a, b]))  # -inf is ranked like any score
    if ranks.size <= EXACT and np.unique(ranks).size < ranks.size:
        p = exact_rank_sum(ranks[: a.size], ranks[a.size :])
    else:
        p = float(mannwhitneyu(ranks[: a.size], ranks[a.size :]).pvalue)
    return PairTest(effect, *texts, min(1.0, p), least=2 / ways)


def _adjusted(pairs: list[tuple[str, str]], tests: list[PairTest], procedure: Procedure) -> list[Pair]:
    """Return the pairs with p-values after Holm's correction."""
    adjusted = holm([test.p for test in tests])
    return [_pair(pair, test, p, procedure, len(pairs)) for pair, test, p in zip(pairs, tests, adjusted, strict=True)]


def _pair(pair: tuple[str, str], test: PairTest, adjusted: float | None, procedure: Procedure, number: int) -> Pair:
    """Return one pair of `number` pairs."""
    first, second = pair
    neutral = 0.5 if procedure.effect == "A12" else 0.0
    ahead = None if test.effect == neutral else first if test.effect > neutral else second
    better = ahead if adjusted is not None and adjusted < ALPHA else None
    small = test.p is not None and not better and test.least * number > ALPHA
    reason = f"among {number} pairs, fewer than {procedure.need} cannot show a difference" if small else test.reason
    return Pair(
        first=first,
        second=second,
        test=procedure.test,
        effect_name=procedure.effect,
        effect=test.effect,
        p=test.p,
        adjusted=adjusted,
        least=None if test.p is None else test.least,
        better=better,
        reason=reason,
        words=_words(pair, test._replace(reason=reason), adjusted, (better, number)),
    )


def _words(pair: tuple[str, str], test: PairTest, adjusted: float | None, verdict: tuple[str | None, int]) -> str:
    """Return the result as a sentence.

    Args:
        pair: the names of the methods.
        one: the test, with the reason why it can show no difference, if there is one.
        adjusted: the p-value after Holm's correction.
        found: the significantly better method, if there is one, and the number of pairs.
    """
    first, second = pair
    better, number = verdict
    if test.reason or adjusted is None:
        return f"{first} against {second} ({test.first_text}): {test.reason}."
    corrected = " after Holm" if number > 1 else ""
    if better:
        other, text = (second, test.first_text) if better == first else (first, test.second_text)
        return f"{better} is better than {other} ({text}; {p_words(adjusted)}{corrected})."
    return (
        f"No significant difference between {first} and {second} ({test.first_text}; {p_words(adjusted)}{corrected})."
    )
