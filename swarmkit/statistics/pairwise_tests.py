"""Tests of pairs of methods: Wilcoxon's signed ranks over instances, Mann-Whitney on one; Holm's correction.

Holm (1979), A simple sequentially rejective multiple test procedure. Which test when: docs/decisions.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    n: tuple[int, int]
    """The runs of the first and of the second method; over instances twice the number of these."""
    untied: int
    """The comparisons (of an instance, or of a run with a run) that are no ties."""
    p: float | None = None
    """The p-value of this pair alone, None where the test does not apply."""
    adjusted: float | None = None
    """The p-value after Holm's correction for the family of tests."""
    family: int = 1
    """The tests of the family: all pairs over instances, or all pairs on all instances."""
    least: float | None = None
    """The lowest p-value that is possible with this number of runs or instances."""
    better: str | None = None
    """The better method, None without a significant difference."""
    reason: str = ""
    """Why no difference can be shown: the test does not apply, or the sample is too small for the number of pairs."""


class Procedure(NamedTuple):
    """A test procedure: its name, the name of its effect size, and the sample that a family of tests needs."""

    test: str
    effect: str
    neutral: float
    """The effect of equal methods."""
    need: Callable[[int], str]


class PairTest(NamedTuple):
    """The test of a pair before Holm's correction."""

    procedure: Procedure
    n: tuple[int, int]
    untied: int
    effect: float
    first_text: str
    """The effect in words, from the point of view of the first method."""
    second_text: str
    """The same of the second method."""
    p: float | None = None
    reason: str = ""
    """Why there is no p-value."""
    least: float = 0.0
    """The lowest p-value that is possible with this number of runs or instances."""


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


SIGNED_RANKS = Procedure("Wilcoxon signed-rank", "rank-biserial", 0.0, lambda m: f"{instances_needed(m)} instances")
RANK_SUM = Procedure("Mann-Whitney", "A12", 0.5, lambda m: f"{runs_needed(m)} runs of each")
SIGN = Procedure("sign test", "A12", 0.5, lambda m: f"{instances_needed(m)} runs")
"""Of runs against the one score of a method that draws nothing."""


def wilcoxon_pairs(blocks: Blocks, against: str | None = None) -> list[Pair]:
    """Test pairs of methods by Wilcoxon's signed ranks, with the instances as blocks; all pairs are Holm's family.

    Args:
        blocks: the medians of all methods.
        against: the method whose pairs with all others are tested, as the first of each; by default all pairs are.
    """
    columns = {m: blocks.table[:, j] for j, m in enumerate(blocks.methods)}
    all_pairs = combinations(blocks.methods, 2)
    pairs = list(all_pairs) if against is None else [(against, m) for m in blocks.methods if m != against]
    tests = [_signed_ranks(scaled_differences(columns[a], columns[b], blocks.ranges)) for a, b in pairs]
    return _adjusted(pairs, tests)


def mann_whitney_pairs(scores: Scores, instances: Sequence[str]) -> dict[str, list[Pair]]:
    """Test all pairs of methods on each instance by Mann-Whitney: their runs are independent samples.

    All pairs on all of these instances are Holm's family. Where a method draws nothing, the runs of the other are
    compared with its one score by the sign test.
    """
    present = {i: [m for m in scores.methods if scores.of(i, m).size] for i in instances}
    pairs = [(i, pair) for i, methods in present.items() for pair in combinations(methods, 2)]
    tests = [_runs_test(scores, i, *pair) for i, pair in pairs]
    adjusted = _adjusted([pair for _, pair in pairs], tests)
    return {i: [result for (j, _), result in zip(pairs, adjusted, strict=True) if j == i] for i in instances}


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


def _signed_ranks(d: Floats) -> PairTest:
    """Test the differences of one pair of methods per instance."""
    from scipy.stats import wilcoxon

    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    texts = _wins_and_losses(wins, losses, d.size), _wins_and_losses(losses, wins, d.size)
    # The effect is of all instances: those without a difference are dropped there, too.
    test = PairTest(SIGNED_RANKS, (d.size, d.size), wins + losses, rank_biserial(d), *texts)
    fewest = instances_needed(1)
    if not wins + losses:
        return test._replace(reason="the same on every instance: nothing to test")
    if wins + losses < fewest:
        return test._replace(reason=f"too few instances with a difference: the test needs {fewest}")
    d = d[d != 0]
    tied = d.size <= EXACT and np.unique(np.abs(d)).size < d.size
    p = exact_signed_ranks(d) if tied else float(wilcoxon(d).pvalue)
    return test._replace(p=p, least=2.0 ** (1 - d.size))


def _wins_and_losses(wins: int, losses: int, of: int) -> str:
    ties = [quantity(of - wins - losses, "tie")] if of > wins + losses else []
    return ", ".join([quantity(wins, "win"), f"{losses} loss{'' if losses == 1 else 'es'}", *ties])


def _runs_test(scores: Scores, instance: str, first: str, second: str) -> PairTest:
    """Test the scores of one pair of methods on an instance."""
    from scipy.stats import binomtest, mannwhitneyu, rankdata

    a, b = scores.of(instance, first), scores.of(instance, second)
    effect, untied = a12(a, b), int((a[:, None] != b).sum())
    sample = f"{magnitude(effect)}, {a.size} against {b.size} runs"
    sample += f", {untied} of {a.size * b.size} comparisons untied" if untied < a.size * b.size else ""
    texts = f"A = {effect:.2f}, {sample}", f"A = {1 - effect:.2f}, {sample}"
    test = PairTest(RANK_SUM, (a.size, b.size), untied, effect, *texts)
    if np.unique(a).size == np.unique(b).size == 1:
        sentence = "both have the same score" if a[0] == b[0] else "each has one score"
        return test._replace(reason=f"{sentence} in all runs, nothing to test")
    if (instance, first) in scores.constant or (instance, second) in scores.constant:
        # The score of a method that draws nothing is known exactly: of the other's runs, half are above it by chance.
        p = float(binomtest(int((a[:, None] > b).sum()), untied).pvalue)
        return test._replace(procedure=SIGN, p=p, least=2.0 ** (1 - untied))
    ways = comb(a.size + b.size, a.size)
    if 2 / ways > ALPHA:  # the lowest two-sided p-value: of all orders of the runs, two are the most extreme
        runs = f"{quantity(a.size, 'run')} against {b.size}"
        need = f"at least {runs_needed(1)} runs of each are needed"
        return test._replace(reason=f"{runs} cannot show a difference: {need}")
    ranks = rankdata(np.concatenate([a, b]))  # -inf is ranked like any score
    if ranks.size <= EXACT and np.unique(ranks).size < ranks.size:
        p = exact_rank_sum(ranks[: a.size], ranks[a.size :])
    else:
        p = float(mannwhitneyu(ranks[: a.size], ranks[a.size :]).pvalue)
    return test._replace(p=min(1.0, p), least=2 / ways)


def _adjusted(pairs: Sequence[tuple[str, str]], tests: Sequence[PairTest]) -> list[Pair]:
    """Return the pairs with p-values after Holm's correction: they are one family."""
    adjusted = holm([test.p for test in tests])
    return [_pair(pair, test, p, len(pairs)) for pair, test, p in zip(pairs, tests, adjusted, strict=True)]


def _pair(names: tuple[str, str], test: PairTest, adjusted: float | None, family: int) -> Pair:
    """Return one pair of a family with its verdict in numbers and words."""
    (first, second), procedure = names, test.procedure
    ahead = None if test.effect == procedure.neutral else first if test.effect > procedure.neutral else second
    better = ahead if adjusted is not None and adjusted < ALPHA else None
    reason = test.reason
    if test.p is not None and not better and test.least * family > ALPHA:
        reason = f"among {family} pairs, fewer than {procedure.need(family)} cannot show a difference"
    p = "" if adjusted is None else p_words(adjusted) + (f" after Holm for {family} pairs" if family > 1 else "")
    p = f"{SIGN.test}, {p}" if procedure is SIGN else p
    if reason:
        words = f"{first} against {second} ({test.first_text}): {reason}."
    elif better:
        other, text = (second, test.first_text) if better == first else (first, test.second_text)
        words = f"{better} is better than {other} ({text}; {p})."
    else:
        words = f"No significant difference between {first} and {second} ({test.first_text}; {p})."
    return Pair(
        first=first,
        second=second,
        test=procedure.test,
        effect_name=procedure.effect,
        effect=test.effect,
        n=test.n,
        untied=test.untied,
        p=test.p,
        adjusted=adjusted,
        family=family,
        least=None if test.p is None else test.least,
        better=better,
        reason=reason,
        words=words,
    )
