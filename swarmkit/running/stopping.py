"""Ctrl-C while tasks run in other processes: they are told to stop, and return what they have."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self

from swarmkit.running.interrupt import TELL, Presses

GRACE = 2.0
"""Seconds that workers have to return what they have after the second Ctrl-C."""


class Stopping:
    """Passes Ctrl-C on to the workers of this process, as a context.

    The first one ends their runs after the step, the second one at once; those that do not end in time are killed. A
    third one raises KeyboardInterrupt. Where that is not possible, the first one does.
    """

    def __init__(self, possible: bool = True) -> None:
        self._possible = possible and TELL is not None
        self._presses = Presses(held=2)
        self._told: dict[int, int] = {}
        self._finished = threading.Event()
        self._stack = ExitStack()

    @property
    def asked(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._presses.count > 0

    def __enter__(self) -> Self:
        if self._possible and self._stack.enter_context(self._presses.counted()):
            self._thread = threading.Thread(target=self._pass_on, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._finished.set()
        self._stack.close()

    def _pass_on(self) -> None:
        """Tell every worker how often Ctrl-C was pressed."""
        deadline = float("inf")
        while not self._finished.wait(0.05):
            count = min(self._presses.count, 2)
            if count == 2 and deadline == float("inf"):
                deadline = time.monotonic() + GRACE
            for worker in worker_pids() if count else []:
                if time.monotonic() > deadline:
                    _send(worker, signal.SIGKILL)
                elif self._told.get(worker, 0) < count and TELL is not None:
                    self._told[worker] = self._told.get(worker, 0) + 1
                    _send(worker, TELL)


def worker_pids() -> list[int]:
    """Return the processes of loky's pool; none if there is no pool."""
    from joblib.externals.loky import reusable_executor

    pool = getattr(reusable_executor, "_executor", None)
    return list(getattr(pool, "_processes", None) or {})


def end_workers() -> None:
    """Kill the workers: they were told to stop, and would not make the runs of another call."""
    from joblib.externals.loky import reusable_executor

    pool = getattr(reusable_executor, "_executor", None)
    if pool is not None:
        pool.shutdown(wait=True, kill_workers=True)


def _send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
