"""What a worker process does before its first task: it obeys its parent, dies with it, and prints to stderr."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress

from swarmkit.plugins.output import divert_for_good
from swarmkit.running.interrupt import obey_parent

POLL = 0.5
"""Seconds between two looks at whether the parent lives, where the kernel does not tell."""


def initialise(parent: int, by_main_thread: bool) -> None:
    """Prepare this process for tasks.

    Args:
        parent: the process that starts this one, by value: it may have died before this process looks.
        by_main_thread: whether the main thread of the parent starts workers, so that the kernel may tie them to it.
    """
    if by_main_thread:
        _die_with_parent()
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    obey_parent()
    divert_for_good()


def _die_with_parent() -> None:
    """Let Linux kill this process when the thread that started it ends, even in the middle of a long C function."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL)
    os._exit(1)  # a parent that was killed cannot stop its workers; loky would keep them for five minutes
