"""The runs: every file by `swarmkit.compare`, with progress on standard error; Ctrl-C keeps what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swarmkit import Experiment, Failed, FailedRuns, Record, compare
from swarmkit_dbees2014.progress import Progress
from swarmkit_dbees2014.settings import Row, score_of


@dataclass
class Runs:
    """The runs by row, and those that failed."""

    records: dict[Row, list[Record]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    interrupted: bool = False

    def add(self, score: str, record: Record) -> None:
        """Add a run to its row."""
        self.records.setdefault(Row(score, record.method), []).append(record)


def run_all(experiments: Sequence[Experiment], store: Path | None, jobs: int) -> Runs:
    """Do all runs that are not in the store; after Ctrl-C, return those that are done.

    Args:
        experiments: one for each shipped file.
        store: keeps the runs; None keeps them in memory.
        jobs: the number of processes.
    """
    runs = Runs()
    with Progress(sum(map(count, experiments))) as progress:
        for experiment in experiments:
            score = score_of(experiment)

            def planned(_: Any, there: Sequence[Record], score: str = score) -> None:
                for record in there:
                    runs.add(score, record)
                progress.advance(score, len(there))

            def ready(record: Record, score: str = score) -> None:
                runs.add(score, record)
                progress.advance(score, 1)

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
    texts = sum(len(problem.combinations(problem.options)) for problem in experiment.problems)
    return texts * len(experiment.solvers) * experiment.runs
