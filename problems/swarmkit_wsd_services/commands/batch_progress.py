"""The progress of a batch on standard error: lines, sentences or texts, their rate, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self, TextIO

TERMINAL, LOG = 0.5, 30.0
"""Seconds between two reports, on a terminal, where each replaces the last one, and elsewhere."""


class BatchProgress:
    """Reports how far a batch is; a context, which removes the report from a terminal."""

    def __init__(
        self,
        size: int | None,
        unit: str = "lines",
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to count.

        Args:
            size: the bytes of the input; None if they are not known, so that no time left is reported.
            unit: what is counted.
            stream: where reports are written; by default standard error.
            clock: returns the seconds from some fixed moment.
        """
        self._size, self._unit, self._clock = size, unit, clock
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._begun = self._last = clock()
        self._shown = False
        self._end = self._skipped = 0
        self.units = self.total = self.failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._terminal and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def skipped(self, units: int, end: int, failed: int = 0) -> None:
        """Count what was answered before this run; arguments as of `answered`."""
        self._skipped += max(0, end - self._end)
        self._end = max(end, self._end)
        self.total += units
        self.failed += failed

    def answered(self, units: int, end: int, failed: int = 0) -> None:
        """Count what was answered, and report if it is time.

        Args:
            units: the number of lines, sentences or texts.
            end: the bytes of the input that are answered, those before this run included.
            failed: how many say what was wrong with the input.
        """
        self.units += units
        self.total += units
        self.failed += failed
        self._end = end
        now = self._clock()
        if now - self._last < (TERMINAL if self._terminal else LOG):
            return
        self._last, self._shown = now, True
        said = f"swarmkit: {report(self.units, self._unit, now - self._begun, self._share())}"
        self._stream.write(f"\r\x1b[K{said}" if self._terminal else said + "\n")
        self._stream.flush()

    def _share(self) -> float | None:
        """Return the share of this run's input that is answered."""
        if self._size is None:
            return None
        return (self._end - self._skipped) / max(1, self._size - self._skipped)


def report(units: int, unit: str, seconds: float, share: float | None) -> str:
    """Return a report on a batch.

    >>> report(1200, "lines", 60.0, 0.25)
    '1,200 lines, 20.0 lines/s, 25 %, 0:03:00 left'
    >>> report(1200, "lines", 60.0, None)
    '1,200 lines, 20.0 lines/s'
    """
    said = f"{units:,} {unit}, {units / seconds:.1f} {unit}/s"
    if not share:
        return said
    left = timedelta(seconds=round(seconds * (1 - share) / share))
    return f"{said}, {share:.0%}, {left} left".replace("%", " %")
