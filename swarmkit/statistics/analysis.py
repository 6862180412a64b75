"""Everything that is to be said about a comparison, at once: what the report shows and `--json` prints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.contract.errors import UsageError
from swarmkit.statistics.accuracy import Accuracy, accuracies
from swarmkit.statistics.across import Across, compare_across
from swarmkit.statistics.anytime import Distribution, RunningTime, distribution, running_times, work_grid
from swarmkit.statistics.finding import Finding, counted
from swarmkit.statistics.optimum import Known, Nearness, known_best, nearness
from swarmkit.statistics.outcomes import collect
from swarmkit.statistics.summary import Summary, summarise
from swarmkit.statistics.within import Within, compare_within


class Analysis(Finding):
    """The findings of a comparison."""

    instances: list[str]
    methods: list[str]
    runs: int
    summaries: list[Summary]
    across: Across | None
    """None for a single instance."""
    within: list[Within]
    known: list[Known]
    nearness: list[Nearness]
    running_times: list[RunningTime]
    distributions: list[Distribution]
    accuracies: list[Accuracy]


def analyse(records: Sequence[Record], seed: int = 0) -> Analysis:
    """Find everything that the records of a comparison say; the seed is the bootstrap's."""
    if not records:
        raise UsageError("there are no runs to analyse")
    rng = np.random.default_rng(seed)
    outcomes = collect(records)
    known = [known_best(records, instance) for instance in outcomes.instances]
    several = compare_across(outcomes) if len(outcomes.instances) > 1 else None
    tests = [compare_within(outcomes, instance) for instance in outcomes.instances]
    return Analysis(
        instances=list(outcomes.instances),
        methods=list(outcomes.methods),
        runs=len(records),
        summaries=summarise(records, rng),
        across=several,
        within=tests,
        known=known,
        nearness=[near for one in known for near in nearness(records, one)],
        running_times=[time for one in known for time in running_times(records, one, "looks")],
        distributions=_distributions(records, outcomes.methods, known),
        accuracies=accuracies(records, rng),
        words=_sentence(len(records), outcomes.methods, outcomes.instances, several or tests[0]),
    )


def _distributions(records: Sequence[Record], methods: Sequence[str], known: list[Known]) -> list[Distribution]:
    """Give the distributions on looks and on seconds, over the instances that a method has run on."""
    return [
        distribution(records, known, method, unit, work_grid(records, unit))
        for unit in ("looks", "seconds")
        for method in methods
    ]


def _sentence(runs: int, methods: Sequence[str], instances: Sequence[str], main: Finding) -> str:
    what = f"{counted(runs, 'run')} of {counted(len(methods), 'method')} on {counted(len(instances), 'instance')}"
    return f"{what}. {main.words}"
