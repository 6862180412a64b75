"""One instance: runs with independent seeds are samples, not pairs: Kruskal-Wallis, then Mann-Whitney with Holm."""

from __future__ import annotations

import numpy as np

from swarmkit.statistics.finding import ALPHA, Finding, Test, chance, listed, need_scipy
from swarmkit.statistics.outcomes import Outcomes
from swarmkit.statistics.pairs import Pair, mann_whitney_pairs, runs_needed

FEWEST = 5
"""Runs of a method, below which the chi-square of Kruskal-Wallis says little."""


class Within(Finding):
    """Methods compared on one instance."""

    instance: str
    kruskal: Test
    pairs: list[Pair]


def compare_within(outcomes: Outcomes, instance: str) -> Within:
    """Compare the methods' runs on one instance."""
    need_scipy("statistics")
    kruskal = kruskal_test(outcomes, instance)
    pairs = mann_whitney_pairs(outcomes, instance)
    return Within(instance=instance, kruskal=kruskal, pairs=pairs, words=_sentence(kruskal, pairs))


def kruskal_test(outcomes: Outcomes, instance: str) -> Test:
    """Test whether some method's scores differ from the others' by more than chance."""
    from scipy.stats import kruskal

    name = "Kruskal-Wallis"
    samples = {m: outcomes.of(instance, m) for m in outcomes.methods if outcomes.of(instance, m).size}
    enough = {m: scores for m, scores in samples.items() if scores.size >= FEWEST}
    few = [m for m in samples if m not in enough]
    aside = f" ({listed(few)} aside: fewer than {FEWEST} runs)" if few else ""
    if len(samples) < 2:
        return Test(name=name, words="One method only: there is nothing to compare it with.")
    if len(samples) == 2:
        return Test(name=name, words="Two methods: the Mann-Whitney test says all there is to say.")
    if len(enough) < 3:
        return Test(name=name, words=f"Kruskal-Wallis needs three methods with {FEWEST} runs each.")
    if all(np.unique(scores).size == 1 for scores in enough.values()):
        return Test(name=name, words=f"Every method gave one score in all its runs: nothing varies{aside}.")
    joined = np.unique(np.concatenate(list(enough.values())), return_inverse=True)[1].astype(float)
    cuts = np.cumsum([scores.size for scores in enough.values()])[:-1]
    found = kruskal(*np.split(joined, cuts))  # of ranks, so that -inf is one like others
    p = float(found.pvalue)
    verdict = "differ by more than chance" if p < ALPHA else "cannot be told apart"
    words = f"The {len(enough)} methods {verdict} (Kruskal-Wallis, {chance(p)}){aside}."
    return Test(name=name, statistic=float(found.statistic), p=p, words=words)


def _unbeaten(pairs: list[Pair]) -> str:
    """Say why nobody is better: not to be tested, not to be shown by so few runs, or not shown."""
    if not pairs:
        return ""
    if all(pair.p is None for pair in pairs):
        return " No pair of methods can be tested."
    short = all(pair.least is None or pair.least * len(pairs) > ALPHA for pair in pairs)
    need = f": to show any takes {runs_needed(len(pairs))} runs of each" if short else ""
    return f" No pair differs by more than chance after Holm{need}."


def _sentence(kruskal: Test, pairs: list[Pair]) -> str:
    """Say who beats whom: after all tests, and in one sentence."""
    if len(pairs) == 1:
        return pairs[0].words
    beaten: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.better:
            beaten.setdefault(pair.better, []).append(pair.second if pair.better == pair.first else pair.first)
    if not beaten:
        return f"{kruskal.words}{_unbeaten(pairs)}"
    said = "; ".join(f"{better} is better than {listed(others)}" for better, others in beaten.items())
    return f"{kruskal.words} After Holm: {said}."
