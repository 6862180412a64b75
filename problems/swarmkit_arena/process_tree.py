"""A process and all that it has started: their CPU time, and their end. Linux tells both; elsewhere the group is known.

A process whose parent has ended is a child of the contestant, which asks for that (`restrictions`), so none is lost.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
"""Ticks in a second: the kernel's unit of the CPU time of children that have ended."""


def descendants(process: int) -> list[int]:
    """Return the numbers of the processes that a process has started, theirs included, as far as they exist."""
    numbers: list[int] = []
    if sys.platform == "linux":
        with suppress(OSError):  # it may end meanwhile
            for thread in Path(f"/proc/{process}/task").iterdir():
                children = [int(number) for number in (thread / "children").read_text().split()]
                numbers += [number for child in children for number in (child, *descendants(child))]
    return numbers


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process, of all its threads, and of all that it has started; elsewhere the time."""
    if sys.platform != "linux":
        return time.perf_counter()
    return sum(_own_cpu_seconds(number) for number in (process, *descendants(process)))


def _own_cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process, and of those that it has started and that have ended."""
    seconds = 0.0
    with suppress(OSError):
        seconds = time.clock_gettime((~process << 3) | 2)  # CPUCLOCK_SCHED of a process: clock_getcpuclockid
        fields = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()
        seconds += (int(fields[13]) + int(fields[14])) / TICKS  # cutime and cstime
    return seconds


def end(process: int) -> None:
    """End a process that has not been waited for, all that it has started, and its group."""
    known: set[int] = set()
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGSTOP)  # it starts no more meanwhile
    while new := set(descendants(process)) - known:
        for number in new:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        known |= new
    for kill in (os.killpg, os.kill):
        with suppress(OSError):  # it may have ended; what it has started is in its group
            kill(process, signal.SIGKILL)


def group_exists(group: int) -> bool:
    """Return whether a group of processes has members."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
