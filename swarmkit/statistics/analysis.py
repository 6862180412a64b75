"""All statistics of a comparison: the content of the report and of `swarmkit report --json`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarmkit.comparison.record import Record, by_instance
from swarmkit.contract.errors import UsageError
from swarmkit.statistics.accuracy import Accuracy, accuracies
from swarmkit.statistics.anytime import (
    RunningTime,
    RuntimeDistribution,
    Unit,
    fair_unit,
    running_times,
    runtime_distribution,
    work_grid,
)
from swarmkit.statistics.finding import Finding
from swarmkit.statistics.one_instance import OneInstance, compare_on_instances
from swarmkit.statistics.optimum import KnownBest, OptimumGap, known_best, optimum_gaps
from swarmkit.statistics.scores import collect_scores
from swarmkit.statistics.several_instances import SeveralInstances, compare_over_instances
from swarmkit.statistics.summary import Summary, summarise
from swarmkit.statistics.wording import quantity


class Analysis(Finding):
    """The statistics of a comparison; the names of the fields are the keys of the JSON."""

    instances: list[str]
    """The labels of the instances."""
    methods: list[str]
    """The labels of the methods."""
    runs: int
    """The number of runs."""
    summaries: list[Summary]
    """Best, worst, median and mean of each method on each instance, with intervals."""
    across: SeveralInstances | None
    """The tests over all instances; None for a single instance."""
    within: list[OneInstance]
    """The tests on each instance."""
    known: list[KnownBest]
    """The optimum of each instance, or a bound on it."""
    nearness: list[OptimumGap]
    """The gaps of each method, on instances with a known optimum or bound."""
    unit: Unit
    """The fair unit of work: looks, or evaluations if no instance has tables."""
    running_times: list[RunningTime]
    """Expected running times, in the fair unit of each instance."""
    distributions: list[RuntimeDistribution]
    """Run-time distributions in the fair unit and in seconds."""
    accuracies: list[Accuracy]
    """Pairs of methods compared item by item; empty unless answers say which of their rows are right."""


def analyse(records: Sequence[Record], seed: int = 0) -> Analysis:
    """Return all statistics of a comparison.

    Args:
        records: the runs, as `compare` and `Store.records` return them.
        seed: the seed of the bootstrap.
    """
    if not records:
        raise UsageError("there are no runs to analyse")
    rng = np.random.default_rng(seed)
    scores = collect_scores(records)
    groups = by_instance(records)
    known = [known_best(groups[instance], instance) for instance in scores.instances]
    several = compare_over_instances(scores) if len(scores.instances) > 1 else None
    tests = compare_on_instances(scores, scores.instances)
    return Analysis(
        instances=list(scores.instances),
        methods=list(scores.methods),
        runs=len(records),
        summaries=summarise(records, rng),
        across=several,
        within=tests,
        known=known,
        nearness=[gap for entry in known for gap in optimum_gaps(groups[entry.instance], entry)],
        unit=fair_unit(records),
        running_times=[
            time
            for entry in known
            for time in running_times(groups[entry.instance], entry, fair_unit(groups[entry.instance]))
        ],
        distributions=_distributions(records, scores.methods, known),
        accuracies=accuracies(records, rng),
        words=_sentence(len(records), scores.methods, scores.instances, several or tests[0]),
    )


def _distributions(
    records: Sequence[Record], methods: Sequence[str], known: list[KnownBest]
) -> list[RuntimeDistribution]:
    """Return the run-time distributions of all methods, in the fair unit and in seconds."""
    units: tuple[Unit, Unit] = (fair_unit(records), "seconds")
    return [
        runtime_distribution(records, known, method, unit, work_grid(records, unit))
        for unit in units
        for method in methods
    ]


def _sentence(runs: int, methods: Sequence[str], instances: Sequence[str], main: Finding) -> str:
    what = f"{quantity(runs, 'run')} of {quantity(len(methods), 'method')} on {quantity(len(instances), 'instance')}"
    return f"{what}. {main.words}"
