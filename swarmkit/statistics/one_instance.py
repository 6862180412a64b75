"""Methods compared on one instance: runs with independent seeds are independent samples.

Kruskal-Wallis for all methods, then Mann-Whitney with Holm for the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarmkit.statistics.finding import ALPHA, Finding, Test
from swarmkit.statistics.pairwise_tests import Pair, mann_whitney_pairs, runs_needed
from swarmkit.statistics.scores import Scores
from swarmkit.statistics.wording import join_words, p_words

FEWEST = 5
"""Runs of a method below which the chi-square approximation of Kruskal-Wallis is poor."""


class OneInstance(Finding):
    """Methods compared on one instance."""

    instance: str
    kruskal: Test
    pairs: list[Pair]
    """The Mann-Whitney test of every pair of methods."""


def compare_on_instance(scores: Scores, instance: str) -> OneInstance:
    """Compare the methods that have runs on an instance.

    Args:
        scores: the scores of all runs, as `collect_scores` returns them.
        instance: the label of the instance.

    Returns:
        The Kruskal-Wallis test and the tests of all pairs.
    """
    return compare_on_instances(scores, [instance])[0]


def compare_on_instances(scores: Scores, instances: Sequence[str]) -> list[OneInstance]:
    """Compare the methods on each of several instances; p-values are corrected for all pairs on all of these."""
    tests = {instance: kruskal_test(scores, instance) for instance in instances}
    return [
        OneInstance(instance=name, kruskal=tests[name], pairs=pairs, words=_sentence(tests[name], pairs))
        for name, pairs in mann_whitney_pairs(scores, instances).items()
    ]


def kruskal_test(scores: Scores, instance: str) -> Test:
    """Test whether the scores of some method on an instance differ from those of the others."""
    from scipy.stats import kruskal

    name = "Kruskal-Wallis"
    samples = {m: scores.of(instance, m) for m in scores.methods if scores.of(instance, m).size}
    enough = {m: sample for m, sample in samples.items() if sample.size >= FEWEST}
    too_small = [m for m in samples if m not in enough]
    without = f" (without {join_words(too_small)}: fewer than {FEWEST} runs)" if too_small else ""
    if len(samples) < 2:
        return Test(name=name, words="Only one method: nothing to compare.")
    if len(samples) == 2:
        return Test(name=name, words="Two methods: the Mann-Whitney test applies.")
    if len(enough) < 3:
        return Test(name=name, words=f"Kruskal-Wallis needs three methods with {FEWEST} runs each.")
    if all(np.unique(sample).size == 1 for sample in enough.values()):
        return Test(name=name, words=f"Every method has the same score in all its runs: nothing varies{without}.")
    # Ranks instead of scores, because -inf is a valid score here.
    ranks = np.unique(np.concatenate(list(enough.values())), return_inverse=True)[1].astype(float)
    cuts = np.cumsum([sample.size for sample in enough.values()])[:-1]
    result = kruskal(*np.split(ranks, cuts))
    p = float(result.pvalue)
    verdict = "differ significantly" if p < ALPHA else "do not differ significantly"
    words = f"The {len(enough)} methods {verdict} (Kruskal-Wallis, {p_words(p)}){without}."
    return Test(name=name, statistic=float(result.statistic), p=p, words=words)


def _sentence(kruskal: Test, pairs: list[Pair]) -> str:
    """Return all significant differences in one sentence."""
    if len(pairs) == 1:
        return pairs[0].words
    inferior: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.better:
            inferior.setdefault(pair.better, []).append(pair.second if pair.better == pair.first else pair.first)
    if not inferior:
        return f"{kruskal.words}{_no_difference(pairs)}"
    result = "; ".join(f"{better} is better than {join_words(others)}" for better, others in inferior.items())
    return f"{kruskal.words} After Holm for {pairs[0].family} pairs: {result}."


def _no_difference(pairs: list[Pair]) -> str:
    """Return why no pair differs significantly: no test applies, too few runs, or no difference found."""
    if not pairs:
        return ""
    if all(pair.p is None for pair in pairs):
        return " No pair of methods can be tested."
    family = pairs[0].family
    too_few = all(pair.least is None or pair.least * family > ALPHA for pair in pairs)
    need = f"; at least {runs_needed(family)} runs of each method are needed to find one" if too_few else ""
    return f" No pair differs significantly after Holm for {family} pairs{need}."
