"""Progress on a terminal: a bar for runs that take long, and the best score of each method of a comparison."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from swarmkit.contract.notebook import figure

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record
    from swarmkit.contract.budget import Budget
    from swarmkit.contract.progress import Progress
    from swarmkit.contract.result import Result
    from swarmkit.running.run import Run

PATIENCE = 0.7
"""Seconds before a bar appears: short runs show none."""

METHODS = 12
"""Methods with a line of their own: more would not fit on a small terminal."""


class _Display:
    """A context with something of rich on the terminal, which is removed at the end; rich is loaded for it alone."""

    def __init__(self) -> None:
        self._live: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


class ProgressBar(_Display):
    """An observer of runs that shows a bar: time, looks and the best score."""

    def __init__(self, runs: int = 1) -> None:
        super().__init__()
        self._runs, self._ready, self._last = runs, 0, 0.0

    def swarmkit_stepped(self, run: Run) -> None:
        """Update the bar, at most ten times a second."""
        seconds = run.progress.seconds
        if seconds < PATIENCE or seconds - self._last < 0.1 or not sys.stderr.isatty():
            return
        self._last = seconds  # rich redraws from a thread of its own; more often would only cost time
        best = score(run.progress.score, run.problem.objective)
        self._show(fraction(run.spec.budget, run.progress), f"{run.progress.looks:,} looks, best {best}")

    def run_ready(self, best: Result) -> None:
        """Count a finished run; `best` is the best result so far."""
        self._ready += 1
        if sys.stderr.isatty():
            words = f"{self._ready} of {self._runs} runs, best {score(best.score, best.objective)}"
            self._show(self._ready / self._runs, words)

    def _show(self, share: float | None, text: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        if self._live is None:
            columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._live = Progress(*columns, console=Console(stderr=True), transient=True)
            self._live.add_task("", total=None)
            self._live.start()
        # Without a total the bar pulses: nothing says when the run will end.
        total = None if share is None else 1.0
        self._live.update(self._live.task_ids[0], total=total, completed=share or 0.0, description=text)


class ComparisonProgress(_Display):
    """A bar of finished runs and the time left, and the best score of each method on the latest instance."""

    def __init__(self) -> None:
        super().__init__()
        self._best: dict[str, dict[str, Result]] = {}
        self._bar: Any = None

    def begin(self, total: int, records: Sequence[Record]) -> None:
        """Show the progress of `total` runs, of which those in `records` are in the store already."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("runs,"), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Progress(*columns)
        self._bar.add_task("", total=total, completed=len(records))
        self._live = Live(self._bar, console=Console(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()
        for record in records:
            self._update_best(record)

    def run_ready(self, record: Record) -> None:
        """Count a finished run."""
        if self._live is None:
            return
        self._update_best(record)
        self._bar.advance(self._bar.task_ids[0])
        self._live.update(self._lines(record.instance))

    def _update_best(self, record: Record) -> None:
        """Keep the best result of the record's method on its instance."""
        best, result = self._best.setdefault(record.instance, {}), record.result
        incumbent = best.setdefault(record.method, result)
        if result.score is not None and (incumbent.score is None or result.score > incumbent.score):
            best[record.method] = result

    def _lines(self, instance: str) -> Any:
        """Return the bar, and below it the methods on an instance."""
        from rich.console import Group
        from rich.text import Text

        methods = list(self._best[instance].items())
        lines = [f"  {method}: {score(best.score, best.objective)}" for method, best in methods[:METHODS]]
        rest = [f"  … and {len(methods) - METHODS} more"] if len(methods) > METHODS else []
        return Group(self._bar, Text("\n".join([f"{instance}, best so far", *lines, *rest])))


def fraction(budget: Budget, progress: Progress) -> float | None:
    """Return the spent fraction of the limit that will be reached first; None if there is no such limit."""
    shares = [rule.used(progress) / rule.limit for rule in budget.criteria() if rule.grows]
    return min(1.0, max(shares)) if shares else None


def score(value: float | None, objective: str) -> str:
    """Return a best score, or the cost whose negative it is, as text, or that there is none yet."""
    return "none yet" if value is None else figure(value if objective == "score" else 0.0 - value)
