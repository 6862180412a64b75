"""CPU time of a search: of this process and of the processes that it has started, ended or not."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

READING_SHARE = 200
"""The times of child processes are read again after this many times the time that reading them took: 0.5 % of a run."""

PROCESSES = Path("/proc")
"""Where Linux lists processes; other systems have no such folder, and children count there when they have ended."""


class CpuClock:
    """The CPU seconds since it was made.

    Args:
        seconds_before: the seconds that it begins with: those of a run that goes on.
    """

    def __init__(self, seconds_before: float = 0.0) -> None:
        self._children, self._next_reading = 0.0, 0.0
        self._latest = seconds_before
        self._zero = self._total() - seconds_before

    def seconds(self) -> float:
        """Return the CPU seconds; they never get less."""
        # A child that has just ended is counted nowhere for a moment, until it is waited for.
        self._latest = max(self._latest, self._total() - self._zero)
        return self._latest

    def _total(self) -> float:
        now = time.perf_counter()
        if now >= self._next_reading:
            self._children = children_seconds()
            end = time.perf_counter()
            # Reading /proc takes time in proportion to the processes, so the distance follows the time it took.
            self._next_reading = end + READING_SHARE * (end - now)
        return time.process_time() + self._children


def children_seconds() -> float:
    """Return the CPU seconds of all child processes, of theirs and so on: those that have ended, and on Linux others.

    A process that has ended and was waited for is counted by its parent.
    """
    times = os.times()
    living = sum(_seconds_of(process) for process in _descendants(os.getpid()))
    return times.children_user + times.children_system + living


def _descendants(process: int) -> Iterator[int]:
    """Yield the living children of all threads of a process, and their descendants."""
    threads = PROCESSES / str(process) / "task"
    with suppress(OSError):  # it has ended
        for thread in threads.iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                yield child
                yield from _descendants(child)


def _seconds_of(process: int) -> float:
    """Return the CPU seconds of a process and of its children that have ended; 0 if it is gone."""
    try:
        text = (PROCESSES / str(process) / "stat").read_text()
    except OSError:
        return 0.0
    ticks = text.rpartition(")")[2].split()[11:15]  # utime, stime, cutime, cstime; the name in brackets may have spaces
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
