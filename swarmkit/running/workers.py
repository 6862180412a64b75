"""The worker processes of this machine, which obey their parent, die with it and print to stderr."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from swarmkit.plugins.output import divert_for_good
from swarmkit.running.interrupts import handled_interrupts, interrupts

STOP_SIGNAL = getattr(signal, "SIGUSR1", None)
"""The signal by which a process passes Ctrl-C on to its workers, which a terminal may or may not have reached."""


def obey_parent() -> None:
    """Ignore Ctrl-C and SIGTERM, which may be sent to every process of a group, and stop when the parent says so."""
    # The parent passes it on when it has noticed it itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    interrupts.tolerance, interrupts.notice = math.inf, ""
    if STOP_SIGNAL is not None:
        signal.signal(STOP_SIGNAL, interrupts)
        # Blocked while the process was started: a signal that came then is handled now.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, STOP_SIGNAL})


POLL = 0.5
"""Seconds between two looks at whether the parent lives, where the kernel does not tell."""

GRACE = 2.0
"""Seconds that workers have to return what they have after the second Ctrl-C."""


def initialise(parent: int, by_main_thread: bool) -> None:
    """Prepare this process for tasks.

    Args:
        parent: the process that starts this one, by value: it may have died before this process looks.
        by_main_thread: whether the main thread of the parent starts workers, so that the kernel may tie them to it.
    """
    if by_main_thread:
        _die_with_parent()
    # It died between starting this process and the call above: nobody will end us.
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    obey_parent()
    divert_for_good()


def starter() -> tuple[int, bool]:
    """Return the arguments of `initialise` for workers that this thread starts."""
    return os.getpid(), threading.current_thread() is threading.main_thread()


@contextmanager
def starting_workers() -> Iterator[None]:
    """Start workers inside: they hold signals back until they can handle them (`obey_parent`).

    loky's resource tracker, which is started with them, cleans up without a word when this process is killed.
    """
    # The tracker is a process of its own, which reads this variable alone.
    name, before = "PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS")
    os.environ[name] = ",".join(filter(None, [before, "ignore:resource_tracker:UserWarning"]))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, STOP_SIGNAL}) if STOP_SIGNAL is not None else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


@contextmanager
def passing_interrupts_on(possible: bool) -> Iterator[Callable[[], bool]]:
    """Pass Ctrl-C on to the workers of this process inside, and yield a function that returns whether it was pressed.

    The first one ends their runs after the step, the second one at once; those that do not end in time are killed. A
    third one raises KeyboardInterrupt. Where that is not possible, the first one does.
    """
    if not possible or STOP_SIGNAL is None:
        yield lambda: False
        return
    finished = threading.Event()
    with handled_interrupts(tolerance=2):
        threading.Thread(target=_pass_on, args=(finished, STOP_SIGNAL), daemon=True).start()
        try:
            yield lambda: interrupts.count > 0
        finally:
            finished.set()


def _pass_on(finished: threading.Event, message: int) -> None:
    """Tell every worker, by a signal for each time, how often Ctrl-C was pressed."""
    signals: dict[int, int] = {}
    deadline = float("inf")
    while not finished.wait(0.05):
        # More than two say nothing new to a worker.
        count = min(interrupts.count, 2)
        if count == 2 and deadline == float("inf"):
            deadline = time.monotonic() + GRACE
        for worker in worker_pids() if count else []:
            with suppress(ProcessLookupError, PermissionError):
                if time.monotonic() > deadline:
                    os.kill(worker, signal.SIGKILL)
                elif signals.get(worker, 0) < count:
                    signals[worker] = signals.get(worker, 0) + 1
                    os.kill(worker, message)


def _pool() -> Any:
    """Return loky's pool of workers; None if there is none."""
    from joblib.externals.loky import reusable_executor

    return getattr(reusable_executor, "_executor", None)


def worker_pids() -> list[int]:
    """Return the processes of loky's pool; none if there is no pool."""
    return list(getattr(_pool(), "_processes", None) or {})


def end_workers() -> None:
    """Kill the workers: they were told to stop, and would not make the runs of another call."""
    pool = _pool()
    if pool is not None:
        pool.shutdown(wait=True, kill_workers=True)


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
