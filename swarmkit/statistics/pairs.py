"""Pairs of methods: Wilcoxon's signed ranks across instances, Mann-Whitney on one; Holm for their number.

Holm (1979), A simple sequentially rejective multiple test procedure. Which test when: CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, log2
from typing import NamedTuple

import numpy as np

from swarmkit.statistics.effect import a12, magnitude, rank_biserial
from swarmkit.statistics.finding import ALPHA, Finding, chance, counted
from swarmkit.statistics.outcomes import Blocks, Floats, Outcomes

ENUMERABLE = 20_000
"""Up to so many ways of dealing the runs, ties are dealt with by looking at all of them."""


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
    better: str | None = None
    """The better one, where the difference is more than chance."""


class Tested(NamedTuple):
    """A pair before Holm: the effect, how it is said for the first and for the second, p, or why there is none."""

    effect: float
    said: str
    turned: str
    p: float | None
    why: str = ""


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
    return _judged(_all_pairs(blocks.methods), tested, "Wilcoxon signed-rank", "rank-biserial")


def mann_whitney_pairs(outcomes: Outcomes, instance: str) -> list[Pair]:
    """Compare all pairs of methods on one instance, their runs being independent samples."""
    there = [m for m in outcomes.methods if outcomes.of(instance, m).size]
    tested = [_rank_sum(outcomes.of(instance, a), outcomes.of(instance, b)) for a, b in _all_pairs(there)]
    return _judged(_all_pairs(there), tested, "Mann-Whitney", "A12")


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
    fewest = int(np.ceil(1 - log2(ALPHA)))  # two-sided, the least p is 2 / 2^n
    if not wins + losses:
        return Tested(effect, *said, None, "the same on every instance: nothing to test")
    if wins + losses < fewest:
        return Tested(effect, *said, None, f"too few instances that differ for a test: it needs {fewest}")
    return Tested(effect, *said, float(wilcoxon(d[d != 0]).pvalue))


def _record(wins: int, losses: int, of: int) -> str:
    ties = [counted(of - wins - losses, "tie")] if of > wins + losses else []
    return ", ".join([counted(wins, "win"), f"{losses} loss{'' if losses == 1 else 'es'}", *ties])


def _rank_sum(a: Floats, b: Floats) -> Tested:
    from scipy.stats import PermutationMethod, mannwhitneyu

    effect = a12(a, b)
    said = f"A = {effect:.2f}, {magnitude(effect)}", f"A = {1 - effect:.2f}, {magnitude(effect)}"
    if np.unique(a).size == np.unique(b).size == 1:
        same = "the same score" if a[0] == b[0] else "always its own score"
        return Tested(effect, *said, None, f"each gave {same} in every run: nothing varies, nothing to test")
    ways = comb(a.size + b.size, a.size)
    if 2 / ways > ALPHA:
        runs = f"{counted(a.size, 'run')} against {b.size}"
        return Tested(effect, *said, None, f"{runs} cannot show a difference: 4 runs of each can, at the least")
    ranked = np.unique(np.concatenate([a, b]), return_inverse=True)[1].astype(float)  # -inf is a rank like others
    few = ranked.size > np.unique(ranked).size and ways <= ENUMERABLE
    method = PermutationMethod(n_resamples=ENUMERABLE) if few else "auto"
    found = mannwhitneyu(ranked[: a.size], ranked[a.size :], method=method)
    return Tested(effect, *said, min(1.0, float(found.pvalue)))


def _judged(pairs: list[tuple[str, str]], tested: list[Tested], test: str, effect_name: str) -> list[Pair]:
    adjusted = holm([one.p for one in tested])
    return [_pair(pair, one, p, test, effect_name) for pair, one, p in zip(pairs, tested, adjusted, strict=True)]


def _pair(pair: tuple[str, str], one: Tested, adjusted: float | None, test: str, effect_name: str) -> Pair:
    first, second = pair
    middle = 0.5 if effect_name == "A12" else 0.0
    ahead = None if one.effect == middle else first if one.effect > middle else second
    better = ahead if adjusted is not None and adjusted < ALPHA else None
    if adjusted is None:
        words = f"{first} against {second} ({one.said}): {one.why}."
    elif better:
        other, said = (second, one.said) if better == first else (first, one.turned)
        words = f"{better} is better than {other} ({said}; {chance(adjusted)} after Holm)."
    else:
        words = f"No evidence that {first} and {second} differ ({one.said}; {chance(adjusted)} after Holm)."
    return Pair(
        first=first,
        second=second,
        test=test,
        effect_name=effect_name,
        effect=one.effect,
        p=one.p,
        adjusted=adjusted,
        better=better,
        words=words,
    )
