"""Running an experiment: every file through `swarmkit.compare`, watched, and ended by Ctrl-C without loss."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from swarmkit import Experiment, Failed, FailedRuns, Record, compare, make_settings
from swarmkit_wsd.disambiguation import settle
from swarmkit_wsd.experiment.answers import Task
from swarmkit_wsd.experiment.settings import Row, score_of
from swarmkit_wsd.options import BEST, WsdOptions
from swarmkit_wsd.problem import WordSenses


@dataclass
class Made:
    """The runs that there are, by row, and those that failed."""

    records: dict[Row, list[Record]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    interrupted: bool = False

    def add(self, score: str, record: Record) -> None:
        """Put a run in its row."""
        self.records.setdefault(Row(score, record.method), []).append(record)


def run_all(experiments: Sequence[Experiment], store: Path | None, jobs: int) -> Made:
    """Make all runs that are not in the store; after Ctrl-C, give what there is."""
    made = Made()
    with Progress(sum(map(count, experiments))) as progress:
        for experiment in experiments:
            score = score_of(experiment)

            def planned(_: Any, there: Sequence[Record], score: str = score) -> None:
                for record in there:
                    made.add(score, record)
                progress.move(score, len(there))

            def ready(record: Record, score: str = score) -> None:
                made.add(score, record)
                progress.move(score, 1)

            try:
                compare(experiment, store=store, jobs=jobs, planned=planned, ready=ready)
            except FailedRuns as error:
                made.failed += error.failed
            except KeyboardInterrupt:
                made.interrupted = True
                break
    return made


def count(experiment: Experiment) -> int:
    """Count the runs of an experiment."""
    texts = sum(len(problem.combinations(problem.options)) for problem in experiment.problems)
    return texts * len(experiment.solvers) * experiment.runs


@dataclass(frozen=True)
class Annotated:
    """What `wsd annotate` answers, the score of that, and how long it took."""

    answers: dict[str, str]
    score: float
    seconds: float


def annotate(task: Task) -> Annotated:
    """Do what `wsd annotate` does, on all texts at once as it does."""
    problem = WordSenses(task.corpus, task.lexicon, make_settings(WsdOptions, BEST, "wsd"))
    begun = time.perf_counter()
    x = settle(problem)
    seconds = time.perf_counter() - begun
    return Annotated(problem.answers(x), float(np.sum(problem.score(x[None]))), seconds)


class Progress:
    """Says on standard error how many runs are done: a bar on a terminal, a line per score elsewhere."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._score = total, 0, ""
        self._bar: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task("", total=self._total)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def move(self, score: str, runs: int) -> None:
        """Count runs that are done."""
        self._done += runs
        text = f"{self._done} of {self._total} runs done, now on the score '{score}'"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, description=text)
        elif score != self._score:
            print(text, file=sys.stderr, flush=True)
        self._score = score
