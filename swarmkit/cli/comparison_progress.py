"""Progress of a comparison on a terminal: finished runs, time left, and the best score of each method so far."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record
    from swarmkit.contract.result import Result

SHOWN_METHODS = 12
"""Methods with a line of their own: more would not fit on a small terminal."""


class ComparisonProgress:
    """A progress bar and a few lines, which are removed when the comparison is done."""

    def __init__(self) -> None:
        self._best: dict[str, dict[str, Result]] = {}
        self._bar: Any = None
        self._live: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, total: int, stored: Sequence[Record]) -> None:
        """Show the progress of `total` runs, of which those in `stored` are in the store already."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("runs,"), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Progress(*columns)
        self._bar.add_task("", total=total, completed=len(stored))
        self._live = Live(self._bar, console=Console(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()
        for record in stored:
            self._update_best(record)

    def run_ready(self, record: Record) -> None:
        """Count a finished run."""
        if self._live is None:
            return
        self._update_best(record)
        self._bar.advance(self._bar.task_ids[0])
        self._live.update(self._display(record.instance))

    def _update_best(self, record: Record) -> None:
        """Keep the best result of the record's method on its instance."""
        best, result = self._best.setdefault(record.instance, {}), record.result
        known = best.setdefault(record.method, result)
        if result.score is not None and (known.score is None or result.score > known.score):
            best[record.method] = result

    def _display(self, instance: str) -> Any:
        """Return the bar, and below it the methods on an instance."""
        from rich.console import Group
        from rich.text import Text

        from swarmkit.cli.progress_bar import score

        methods = list(self._best[instance].items())
        lines = [f"  {method}: {score(best.score, best.objective)}" for method, best in methods[:SHOWN_METHODS]]
        more = [f"  … and {len(methods) - SHOWN_METHODS} more"] if len(methods) > SHOWN_METHODS else []
        return Group(self._bar, Text("\n".join([f"{instance}, best so far", *lines, *more])))
