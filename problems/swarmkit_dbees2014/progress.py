"""The progress of the runs on standard error."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Self


class Progress:
    """Shows on standard error how many runs are done: a bar on a terminal, otherwise a line for each score."""

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

    def advance(self, score: str, runs: int) -> None:
        """Add a number of runs that are done."""
        self._done += runs
        text = f"{self._done} of {self._total} runs done, now on the score '{score}'"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, description=text)
        elif score != self._score:
            print(text, file=sys.stderr, flush=True)
        self._score = score
