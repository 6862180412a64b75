"""Watching a comparison: runs done, time left, and the best of each method so far; on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from swarmkit.comparison.record import Record

MOST = 12
"""So many methods are shown."""


class ComparisonProgress:
    """A bar and a few lines that vanish when the comparison is done."""

    def __init__(self) -> None:
        self._best: dict[str, dict[str, float | None]] = {}
        self._bar: Any = None
        self._live: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, total: int, there: Sequence[Record]) -> None:
        """Show what is planned, and what is there already."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("runs,"), TimeRemainingColumn(), TextColumn("left"))
        self._bar = Progress(*columns)
        self._bar.add_task("", total=total, completed=len(there))
        self._live = Live(self._bar, console=Console(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()
        for record in there:
            self._note(record)

    def run_ready(self, record: Record) -> None:
        """Count a finished run."""
        if self._live is None:
            return
        self._note(record)
        self._bar.advance(self._bar.task_ids[0])
        self._live.update(self._picture(record.instance))

    def _note(self, record: Record) -> None:
        best, score = self._best.setdefault(record.instance, {}), record.result.score
        known = best.setdefault(record.method, score)
        if score is not None and (known is None or score > known):
            best[record.method] = score

    def _picture(self, instance: str) -> Any:
        """Draw the bar, and under it the methods on the instance that has just had a run."""
        from rich.console import Group
        from rich.text import Text

        from swarmkit.cli.progress_bar import score

        methods = list(self._best[instance].items())
        lines = [f"  {method}: {score(best)}" for method, best in methods[:MOST]]
        more = [f"  … and {len(methods) - MOST} more"] if len(methods) > MOST else []
        return Group(self._bar, Text("\n".join([f"{instance}, best so far", *lines, *more])))
