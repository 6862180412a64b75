"""Pairs of methods: Wilcoxon's signed ranks across instances, Mann-Whitney on one; Holm for their number.

Holm (1979), A simple sequentially rejective multiple test procedure. Which test when: CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from math import ceil, comb, log2
from typing import NamedTuple

import numpy as np

from swarmkit.statistics.effect import a12, average_ranks, magnitude, rank_biserial
from swarmkit.statistics.finding import ALPHA, Finding, chance, counted
from swarmkit.statistics.outcomes import Blocks, Floats, Outcomes

EXACT = 40
"""Up to so many runs or instances, ties are dealt with by counting all ways of dealing the ranks."""


class Pair(Finding):
    """Two methods compared; the effect is the first's over the second's."""

    first: str
    second: str
    test: str
    effect_name: str
    effect: float
    p: float | None = None
    """As tested, for this pair alone."""
    adjusted: float | None = None
    """After Holm, for all pairs together."""
    least: float | None = None
    """The lowest p that so many runs or instances can have at all."""
    better: str | None = None
    """The better one, where the difference is more than chance."""


class Tested(NamedTuple):
    """A pair before Holm: the effect, how it is said for the first and for the second, p, or why there is none.

    `least` is the lowest p-value that so many runs or instances can have at all.
    """

    effect: float
    said: str
    turned: str
    p: float | None
    why: str = ""
    least: float = 0.0


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values for their number; what was not tested counts in the number, and stays None.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted((i for i, p in enumerate(ps) if p is not None), key=lambda i: ps[i] or 0.0)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - place) * (ps[i] or 0.0)))
        adjusted[i] = highest
    return adjusted


def wilcoxon_pairs(blocks: Blocks) -> list[Pair]:
    """Compare all pairs of methods with the instances as blocks."""
    columns = {m: blocks.table[:, j] for j, m in enumerate(blocks.methods)}
    tested = [_signed_ranks(differences(columns[a], columns[b], blocks.spread)) for a, b in _all_pairs(blocks.methods)]
    pairs = _all_pairs(blocks.methods)
    need = f"{instances_needed(len(pairs))} instances" if pairs else ""
    return _judged(pairs, tested, ("Wilcoxon signed-rank", "rank-biserial", need))


def mann_whitney_pairs(outcomes: Outcomes, instance: str) -> list[Pair]:
    """Compare all pairs of methods on one instance, their runs being independent samples."""
    there = [m for m in outcomes.methods if outcomes.of(instance, m).size]
    tested = [_rank_sum(outcomes.of(instance, a), outcomes.of(instance, b)) for a, b in _all_pairs(there)]
    pairs = _all_pairs(there)
    need = f"{runs_needed(len(pairs))} runs of each" if pairs else ""
    return _judged(pairs, tested, ("Mann-Whitney", "A12", need))


def instances_needed(pairs: int) -> int:
    """Give how many instances Wilcoxon's test needs to find anything among so many pairs: 2 / 2^n is its least p.

    >>> instances_needed(1), instances_needed(21)
    (6, 10)
    """
    return ceil(1 + log2(pairs / ALPHA))


def runs_needed(pairs: int) -> int:
    """Give how many runs the Mann-Whitney test needs to find anything among so many pairs.

    >>> runs_needed(1), runs_needed(21)
    (4, 6)
    """
    return next(n for n in count(1) if 2 * pairs / comb(2 * n, n) <= ALPHA)


def differences(first: Floats, second: Floats, spread: Floats) -> Floats:
    """Give the differences per instance in units of the instance's own spread; no feasible solution is the worst.

    >>> differences(np.array([3.0, -np.inf]), np.array([1.0, 8.0]), np.array([4.0, 1.0])).tolist()
    [0.5, -2.0]
    """
    with np.errstate(invalid="ignore"):
        d = first - second
    d[np.isnan(d)] = 0.0  # neither has a feasible solution
    scaled = np.divide(d, spread, out=np.zeros_like(d), where=spread > 0)
    scaled[np.isinf(d)] = np.sign(d[np.isinf(d)]) * 2  # a spread is at most 1: this outranks all
    # Scores that are integers, or equal up to rounding, differ by equal amounts: let those be ties.
    return scaled.round(9)


def _all_pairs(methods: Sequence[str]) -> list[tuple[str, str]]:
    return list(combinations(methods, 2))


def _signed_ranks(d: Floats) -> Tested:
    from scipy.stats import wilcoxon

    effect = rank_biserial(d)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    said = _record(wins, losses, d.size), _record(losses, wins, d.size)
    fewest = instances_needed(1)
    if not wins + losses:
        return Tested(effect, *said, None, "the same on every instance: nothing to test")
    if wins + losses < fewest:
        return Tested(effect, *said, None, f"too few instances that differ for a test: it needs {fewest}")
    d = d[d != 0]
    tied = d.size <= EXACT and np.unique(np.abs(d)).size < d.size
    p = exact_signed_ranks(d) if tied else float(wilcoxon(d).pvalue)
    return Tested(effect, *said, p, least=2.0 ** (1 - d.size))


def exact_signed_ranks(d: Floats) -> float:
    """Count, of all ways to sign these differences, those whose positive ranks have a sum as extreme; ties are allowed.

    >>> exact_signed_ranks(np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0])) == 2 / 64
    True
    """
    doubled = (2 * average_ranks(np.abs(d))).round().astype(int)  # shared ranks may be halves
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    return _two_sided(ways, int(doubled[d > 0].sum()))


def _record(wins: int, losses: int, of: int) -> str:
    ties = [counted(of - wins - losses, "tie")] if of > wins + losses else []
    return ", ".join([counted(wins, "win"), f"{losses} loss{'' if losses == 1 else 'es'}", *ties])


def _rank_sum(a: Floats, b: Floats) -> Tested:
    from scipy.stats import mannwhitneyu

    effect = a12(a, b)
    said = f"A = {effect:.2f}, {magnitude(effect)}", f"A = {1 - effect:.2f}, {magnitude(effect)}"
    if np.unique(a).size == np.unique(b).size == 1:
        same = "both gave the same score" if a[0] == b[0] else "each gave a score of its own"
        return Tested(effect, *said, None, f"{same} in every run, so there is nothing to test")
    ways = comb(a.size + b.size, a.size)
    if 2 / ways > ALPHA:
        runs = f"{counted(a.size, 'run')} against {b.size}"
        return Tested(
            effect, *said, None, f"{runs} cannot show a difference: {runs_needed(1)} runs of each can, at the least"
        )
    ranks = average_ranks(np.concatenate([a, b]))  # among which -inf is one like others
    if ranks.size <= EXACT and np.unique(ranks).size < ranks.size:
        p = exact_rank_sum(ranks[: a.size], ranks[a.size :])
    else:
        p = float(mannwhitneyu(ranks[: a.size], ranks[a.size :]).pvalue)
    return Tested(effect, *said, min(1.0, p), least=2 / ways)


def exact_rank_sum(first: Floats, second: Floats) -> float:
    """Count, of all ways to deal these ranks to two samples, those with a sum as extreme; ties are allowed.

    >>> exact_rank_sum(np.array([1.5, 1.5, 3.5, 3.5]), np.array([5.5, 5.5, 7.5, 7.5])) == 2 / 70
    True
    """
    doubled = (2 * np.concatenate([first, second])).round().astype(int)  # shared ranks may be halves
    ways = np.zeros((first.size + 1, doubled.sum() + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return _two_sided(ways[first.size], int(doubled[: first.size].sum()))


def _two_sided(ways: Floats, seen: int) -> float:
    """Give twice the chance of a sum like the one seen or beyond, on its side."""
    return float(min(1.0, 2 * min(ways[: seen + 1].sum(), ways[seen:].sum()) / ways.sum()))


def _judged(pairs: list[tuple[str, str]], tested: list[Tested], about: tuple[str, str, str]) -> list[Pair]:
    adjusted = holm([one.p for one in tested])
    return [_pair(pair, one, p, about, len(pairs)) for pair, one, p in zip(pairs, tested, adjusted, strict=True)]


def _pair(pair: tuple[str, str], one: Tested, adjusted: float | None, about: tuple[str, str, str], many: int) -> Pair:
    first, second = pair
    test, effect_name, need = about
    middle = 0.5 if effect_name == "A12" else 0.0
    ahead = None if one.effect == middle else first if one.effect > middle else second
    better = ahead if adjusted is not None and adjusted < ALPHA else None
    return Pair(
        first=first,
        second=second,
        test=test,
        effect_name=effect_name,
        effect=one.effect,
        p=one.p,
        adjusted=adjusted,
        least=None if one.p is None else one.least,
        better=better,
        words=_words(pair, one, adjusted, better, (need if one.least * many > ALPHA else "", many)),
    )


def _words(
    pair: tuple[str, str], one: Tested, adjusted: float | None, better: str | None, family: tuple[str, int]
) -> str:
    first, second = pair
    need, many = family
    corrected = " after Holm" if many > 1 else ""
    if one.p is None or adjusted is None:
        return f"{first} against {second} ({one.said}): {one.why}."
    if better:
        other, said = (second, one.said) if better == first else (first, one.turned)
        return f"{better} is better than {other} ({said}; {chance(adjusted)}{corrected})."
    if need:
        alone = f"{one.said}; {chance(one.p)} for this pair alone"
        return f"{first} against {second} ({alone}): to tell all pairs apart after Holm takes {need}."
    return f"No evidence that {first} and {second} differ ({one.said}; {chance(adjusted)}{corrected})."
