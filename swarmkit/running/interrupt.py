"""Ctrl-C between two steps of a run instead of in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Hold the first Ctrl-C back, and yield a function that returns whether there was one; a second one is immediate.

    Only the main thread can catch signals, and a handler that another library has installed stays.
    """
    interrupted = False

    def note(number: int, frame: Any) -> None:
        nonlocal interrupted
        if interrupted:
            signal.default_int_handler(number, frame)
        interrupted = True

    ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: interrupted
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
