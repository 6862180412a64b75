"""A progress bar for runs that take long: time, looks and the best score, on a terminal only."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from swarmkit.contract.notebook import figure

if TYPE_CHECKING:
    from swarmkit.contract.budget import Budget
    from swarmkit.contract.progress import Progress
    from swarmkit.contract.result import Result
    from swarmkit.running.run import Run

PATIENCE = 0.7
"""Seconds before a bar appears: short runs show none."""


class ProgressBar:
    """An observer of runs that shows a bar, and a context that removes it at the end."""

    def __init__(self, runs: int = 1) -> None:
        self._runs, self._ready, self._last = runs, 0, 0.0
        self._bar: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def swarmkit_stepped(self, run: Run) -> None:
        """Update the bar, at most ten times a second."""
        seconds = run.progress.seconds
        if seconds < PATIENCE or seconds - self._last < 0.1 or not sys.stderr.isatty():
            return
        self._last = seconds
        best = score(run.progress.score, run.problem.objective)
        self._show(fraction(run.spec.budget, run.progress), f"{run.progress.looks:,} looks, best {best}")

    def run_ready(self, best: Result) -> None:
        """Count a finished run; `best` is the best result so far."""
        self._ready += 1
        if sys.stderr.isatty():
            self._show(
                self._ready / self._runs,
                f"{self._ready} of {self._runs} runs, best {score(best.score, best.objective)}",
            )

    def _show(self, share: float | None, text: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        if self._bar is None:
            columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task("", total=None)
            self._bar.start()
        total = None if share is None else 1.0
        self._bar.update(self._bar.task_ids[0], total=total, completed=share or 0.0, description=text)


def fraction(budget: Budget, progress: Progress) -> float | None:
    """Return the spent fraction of the limit that will be reached first; None if there is no such limit."""
    shares = [rule.used(progress) / rule.limit for rule in budget.criteria() if rule.grows]
    return min(1.0, max(shares)) if shares else None


def score(value: float | None, objective: str) -> str:
    """Return a best score, or the cost whose negative it is, as text, or that there is none yet."""
    return "none yet" if value is None else figure(value if objective == "score" else 0.0 - value)
