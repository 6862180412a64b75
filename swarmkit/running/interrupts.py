"""Ctrl-C: one handler counts the signals of a process, and says when one of them raises KeyboardInterrupt.

The command line installs it once, for SIGTERM too; in a Python program a call of swarmkit does, as long as it lasts. A
run holds the first signal back until its step ends, a second one is immediate.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

AGAIN = "swarmkit: stopping after this step; press Ctrl-C again to stop at once\n"
"""What the first Ctrl-C says where it is held back: a step may be long, or endless."""


class InterruptCounter:
    """A handler of signals that counts them, and raises KeyboardInterrupt where there were more than `tolerance`."""

    def __init__(self) -> None:
        self.count, self.tolerance, self.notice = 0, 0.0, AGAIN

    def __call__(self, number: int, frame: Any) -> None:
        """Handle a signal."""
        self.count += 1
        if self.count == 1 <= self.tolerance:
            # Not by print: Python's own file may be in the middle of something when a signal arrives.
            with suppress(OSError, ValueError, AttributeError):
                os.write(sys.stderr.fileno(), self.notice.encode())
        if self.count > self.tolerance:
            signal.default_int_handler(number, frame)

    def check(self) -> None:
        """Raise KeyboardInterrupt if there was a signal: one that came while Python freed an object was lost."""
        if self.count:
            raise KeyboardInterrupt


interrupts = InterruptCounter()
"""The signals of this process: Ctrl-C, or in a worker what its parent passes on."""


@contextmanager
def handled_interrupts(tolerance: float = 0, *, terminations: bool = False) -> Iterator[None]:
    """Let `interrupts` handle Ctrl-C inside, unless it does already, or another library handles it.

    Args:
        tolerance: how many signals raise nothing.
        terminations: whether SIGTERM counts as Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield
        return
    free = {signal.SIGINT: signal.default_int_handler} | ({signal.SIGTERM: signal.SIG_DFL} if terminations else {})
    before = {number: handler for number, handler in free.items() if signal.getsignal(number) is handler}
    outer_tolerance, interrupts.tolerance = interrupts.tolerance, tolerance
    try:
        for number in before:
            signal.signal(number, interrupts)
        yield
    finally:
        interrupts.tolerance = outer_tolerance
        for number, handler in before.items():
            signal.signal(number, handler)
        if before:  # the next call begins anew
            interrupts.count = 0
