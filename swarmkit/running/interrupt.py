"""Ctrl-C between two steps of a run instead of in the middle of one; a second one is immediate."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

AGAIN = "swarmkit: stopping after this step; press Ctrl-C again to stop at once\n"
"""What the first Ctrl-C says: a step may be long, or endless."""

TELL = getattr(signal, "SIGUSR1", None)
"""The signal by which a process passes Ctrl-C on to its workers, which a terminal may or may not have reached."""


class Presses:
    """A handler of Ctrl-C that counts, and raises KeyboardInterrupt when it was pressed more than `held` times."""

    def __init__(self, held: int) -> None:
        self.count, self.held = 0, held

    def __call__(self, number: int, frame: Any) -> None:
        """Handle the signal."""
        self.count += 1
        if self.count == 1:
            _say(AGAIN)
        if self.count > self.held:
            signal.default_int_handler(number, frame)

    @contextmanager
    def counted(self) -> Iterator[bool]:
        """Count inside, and yield whether it is possible.

        Only the main thread can handle signals, and a handler that another library has installed stays.
        """
        with _handling(self) as ours:
            yield ours


class Remembering:
    """A handler of Ctrl-C that raises KeyboardInterrupt, and knows that it was pressed.

    An exception that is raised while Python frees an object is lost: `check` raises it once more.
    """

    def __init__(self) -> None:
        self.pressed = False

    def __call__(self, number: int, frame: Any) -> None:
        """Handle the signal."""
        self.pressed = True
        signal.default_int_handler(number, frame)

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed."""
        if self.pressed:
            raise KeyboardInterrupt


@contextmanager
def remembered_interrupt() -> Iterator[Callable[[], None]]:
    """Remember Ctrl-C inside, and yield a function that raises it if it was lost."""
    handler = Remembering()
    with _handling(handler):
        yield handler.check


@contextmanager
def _handling(handler: Callable[[int, Any], None]) -> Iterator[bool]:
    """Handle Ctrl-C by a function inside, and yield whether it is possible."""
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    ours = main and (before is signal.default_int_handler or isinstance(before, Remembering))
    if ours:
        signal.signal(signal.SIGINT, handler)
    try:
        yield ours
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)


class Told:
    """What a worker was told by its parent: how often Ctrl-C was pressed there."""

    def __init__(self) -> None:
        self.count = 0
        self.in_run = False

    def __call__(self, number: int, frame: Any) -> None:
        """Handle the signal; from the second one on, a run is interrupted at once."""
        self.count += 1
        if self.count > 1 and self.in_run:
            signal.default_int_handler(number, frame)


told = Told()
"""Of this process, if it is a worker."""


def obey_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process, and stop when the parent says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if TELL is not None:
        signal.signal(TELL, told)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, TELL})


@contextmanager
def inherited_patience() -> Iterator[None]:
    """Start processes inside that hold signals back until they can handle them (`obey_parent`)."""
    if TELL is None:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, TELL})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Hold the first Ctrl-C back, and yield a function that returns whether there was one; a second one is immediate.

    In a worker, that its parent was interrupted counts as Ctrl-C.
    """
    presses = Presses(held=1)
    with presses.counted():
        told.in_run = threading.current_thread() is threading.main_thread()
        try:
            yield lambda: presses.count + told.count > 0
        finally:
            told.in_run = False


def _say(sentence: str) -> None:
    """Write to stderr from a handler of signals, where Python's own file may be in the middle of something."""
    with suppress(OSError, ValueError, AttributeError):
        os.write(sys.stderr.fileno(), sentence.encode())
