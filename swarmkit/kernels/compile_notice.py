"""A note on stderr while kernels are compiled for the first time: it takes a while, once."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from numba.core import event

PATIENCE = 1.0
"""Seconds of compilation in a process before it says so."""

NOTICE = "swarmkit: compiling kernels; this happens once, the next run loads them from the cache"


class CompileNotice(event.Listener):
    """Print a note once a process has compiled our kernels for longer than PATIENCE; loading cached ones is silent."""

    def __init__(self) -> None:
        self._said, self._spent, self._depth, self._begun = False, 0.0, 0, 0.0
        self._timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        """Start the clock when a kernel is compiled, which happens only if the cache does not have it."""
        self._depth += 1
        if self._depth > 1 or self._said or not _ours(event):
            return
        self._begun = time.perf_counter()
        self._timer = threading.Timer(max(0.0, PATIENCE - self._spent), self._say)
        self._timer.daemon = True
        self._timer.start()

    def on_end(self, event: Any) -> None:
        """Stop the clock."""
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._spent += time.perf_counter() - self._begun

    def _say(self) -> None:
        if not self._said:
            self._said = True
            print(NOTICE, file=sys.stderr, flush=True)


def _ours(event: Any) -> bool:
    """Whether it is about a kernel of swarmkit or of one of its plugins."""
    return str(event.data["dispatcher"].py_func.__module__).startswith("swarmkit")


def announce_compilation() -> None:
    """Watch numba from now on."""
    event.register("numba:compile", CompileNotice())
