"""The runs: every experiment by `swarmkit.compare`, with progress on standard error; Ctrl-C keeps what is done."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swarmkit import Experiment, Failed, FailedRuns, Record, compare
from swarmkit_dbees2014.rows import Row


@dataclass
class Runs:
    """The runs by row, those that failed, and whether Ctrl-C ended them."""

    records: dict[Row, list[Record]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    interrupted: bool = False
    done: int = 0

    def add(self, block: str, *records: Record) -> None:
        """Add runs to their rows."""
        self.done += len(records)
        for record in records:
            self.records.setdefault(Row(block, record.method), []).append(record)


def run_all(experiments: Sequence[Experiment], store: Path | None, jobs: int) -> Runs:
    """Do all runs that are not in the store; after Ctrl-C, return those that are done.

    Args:
        experiments: labelled with their blocks.
        store: keeps the runs; None keeps them in memory.
        jobs: the number of processes.
    """
    runs, total = Runs(), sum(map(count, experiments))
    for experiment in experiments:
        block = str(experiment.problems[0].label)
        print(f"{runs.done} of {total} runs done, now on the block '{block}'", file=sys.stderr, flush=True)

        def planned(_: Any, there: Sequence[Record], block: str = block) -> None:
            runs.add(block, *there)

        def ready(record: Record, block: str = block) -> None:
            runs.add(block, record)

        try:
            compare(experiment, store=store, jobs=jobs, planned=planned, ready=ready)
        except FailedRuns as error:
            runs.failed += error.failed
        except KeyboardInterrupt:
            runs.interrupted = True
            break
    return runs


def count(experiment: Experiment) -> int:
    """Return the number of runs of an experiment."""
    (problem,) = experiment.problems
    return len(problem.combinations(problem.options)) * len(experiment.solvers) * experiment.runs
