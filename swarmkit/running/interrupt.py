"""Ctrl-C between two steps of a run instead of in the middle of one; a second one is immediate."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

AGAIN = "swarmkit: stopping after this step; press Ctrl-C again to stop at once\n"
"""What the first Ctrl-C says: a step may be long, or endless."""

STOP_SIGNAL = getattr(signal, "SIGUSR1", None)
"""The signal by which a process passes Ctrl-C on to its workers, which a terminal may or may not have reached."""


class InterruptCounter:
    """A handler of signals that counts them, and raises KeyboardInterrupt where there were more than `tolerance`.

    Args:
        tolerance: how many signals raise nothing.
        notice: what the first one writes to stderr.
    """

    def __init__(self, tolerance: float, notice: str = "") -> None:
        self.count, self.tolerance, self.notice = 0, tolerance, notice

    def __call__(self, number: int, frame: Any) -> None:
        """Handle the signal."""
        self.count += 1
        if self.count == 1:
            # Not by print: Python's own file may be in the middle of something when a signal arrives.
            with suppress(OSError, ValueError, AttributeError):
                os.write(sys.stderr.fileno(), self.notice.encode())
        if self.count > self.tolerance:
            signal.default_int_handler(number, frame)


@contextmanager
def handled_by(counter: InterruptCounter) -> Iterator[bool]:
    """Handle Ctrl-C by a counter inside, and yield whether that is possible.

    Only the main thread can handle signals, and a handler that another library has installed stays.
    """
    before = signal.getsignal(signal.SIGINT)
    replaceable = before is signal.default_int_handler or (
        isinstance(before, InterruptCounter) and before.tolerance == 0
    )
    possible = replaceable and threading.current_thread() is threading.main_thread()
    if possible:
        signal.signal(signal.SIGINT, counter)
    try:
        yield possible
    finally:
        if possible:
            signal.signal(signal.SIGINT, before)


@contextmanager
def remembered_interrupt() -> Iterator[Callable[[], None]]:
    """Remember Ctrl-C inside, and yield a function that raises it once more if it was pressed.

    An exception that is raised while Python frees an object is lost.
    """
    counter = InterruptCounter(tolerance=0)

    def check() -> None:
        if counter.count:
            raise KeyboardInterrupt

    with handled_by(counter):
        yield check


parent_interrupts = InterruptCounter(tolerance=math.inf)
"""How often Ctrl-C was pressed in the parent of this process, if this is a worker; in a run the second one raises."""


def obey_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process, and stop when the parent says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if STOP_SIGNAL is not None:
        signal.signal(STOP_SIGNAL, parent_interrupts)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, STOP_SIGNAL})


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Hold the first Ctrl-C back, and yield a function that returns whether there was one; a second one is immediate.

    In a worker, that its parent was interrupted counts as Ctrl-C.
    """
    counter = InterruptCounter(tolerance=1, notice=AGAIN)
    with handled_by(counter):
        if threading.current_thread() is threading.main_thread():
            parent_interrupts.tolerance = 1
        try:
            yield lambda: counter.count + parent_interrupts.count > 0
        finally:
            parent_interrupts.tolerance = math.inf
