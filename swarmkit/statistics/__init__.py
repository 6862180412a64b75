"""Statistics of comparisons, non-parametric: tests, effect sizes, intervals, anytime performance.

    from swarmkit.statistics import analyse
    print(analyse(records).words)

What is not a number here is said in words: every finding has them. The tests need the extra `report`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.doors import open_lazily

if TYPE_CHECKING:
    from swarmkit.statistics.accuracy import Accuracy, accuracies
    from swarmkit.statistics.across import Across, compare_across, critical_difference, indistinguishable
    from swarmkit.statistics.analysis import Analysis, analyse
    from swarmkit.statistics.anytime import (
        Band,
        Distribution,
        RunningTime,
        best_so_far,
        distribution,
        expected_time,
        running_times,
        work_grid,
    )
    from swarmkit.statistics.effect import a12, cliffs_delta, magnitude, rank_biserial
    from swarmkit.statistics.finding import Finding, Test
    from swarmkit.statistics.intervals import Interval, interval
    from swarmkit.statistics.items import Paired, mcnemar, paired_bootstrap
    from swarmkit.statistics.optimum import Known, Nearness, known_best, nearness
    from swarmkit.statistics.outcomes import Outcomes, collect
    from swarmkit.statistics.pairs import Pair, holm
    from swarmkit.statistics.summary import Summary, summarise
    from swarmkit.statistics.within import Within, compare_within

_HOME = {
    "accuracy": ["Accuracy", "accuracies"],
    "across": ["Across", "compare_across", "critical_difference", "indistinguishable"],
    "analysis": ["Analysis", "analyse"],
    "anytime": [
        "Band",
        "Distribution",
        "RunningTime",
        "best_so_far",
        "distribution",
        "expected_time",
        "running_times",
        "work_grid",
    ],
    "effect": ["a12", "cliffs_delta", "magnitude", "rank_biserial"],
    "finding": ["Finding", "Test"],
    "intervals": ["Interval", "interval"],
    "items": ["Paired", "mcnemar", "paired_bootstrap"],
    "optimum": ["Known", "Nearness", "known_best", "nearness"],
    "outcomes": ["Outcomes", "collect"],
    "pairs": ["Pair", "holm"],
    "summary": ["Summary", "summarise"],
    "within": ["Within", "compare_within"],
}

__getattr__, __dir__ = open_lazily("swarmkit.statistics", _HOME)

__all__ = [
    "Accuracy",
    "Across",
    "Analysis",
    "Band",
    "Distribution",
    "Finding",
    "Interval",
    "Known",
    "Nearness",
    "Outcomes",
    "Pair",
    "Paired",
    "RunningTime",
    "Summary",
    "Test",
    "Within",
    "a12",
    "accuracies",
    "analyse",
    "best_so_far",
    "cliffs_delta",
    "collect",
    "compare_across",
    "compare_within",
    "critical_difference",
    "distribution",
    "expected_time",
    "holm",
    "indistinguishable",
    "interval",
    "known_best",
    "magnitude",
    "mcnemar",
    "nearness",
    "paired_bootstrap",
    "rank_biserial",
    "running_times",
    "summarise",
    "work_grid",
]
