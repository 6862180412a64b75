"""Ctrl-C, here and in the worker processes of this machine, which obey their parent, die with it and print to stderr.

In a run the first Ctrl-C is kept until the step ends, a second one is immediate.
"""

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
    # A handler that raises at once may be replaced; one that waits for the end of a step may not, nor a stranger's.
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
    # A terminal sends Ctrl-C to the whole group; the parent passes it on when it has noticed it itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if STOP_SIGNAL is not None:
        signal.signal(STOP_SIGNAL, parent_interrupts)
        # Blocked while the process was started: a signal that came then is handled now.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, STOP_SIGNAL})


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Hold the first Ctrl-C back, and yield a function that returns whether there was one; a second one is immediate.

    In a worker, that its parent was interrupted counts as Ctrl-C.
    """
    counter = InterruptCounter(tolerance=1, notice=AGAIN)
    with handled_by(counter):
        if threading.current_thread() is threading.main_thread():
            # Inside a run the first one waits for the end of the step, as in the parent.
            parent_interrupts.tolerance = 1
        try:
            yield lambda: counter.count + parent_interrupts.count > 0
        finally:
            parent_interrupts.tolerance = math.inf


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
    counter, finished = InterruptCounter(tolerance=2, notice=AGAIN), threading.Event()
    if not possible or STOP_SIGNAL is None:
        yield lambda: False
        return
    with handled_by(counter) as handles:
        if handles:
            threading.Thread(target=_pass_on, args=(counter, finished, STOP_SIGNAL), daemon=True).start()
        try:
            yield lambda: counter.count > 0
        finally:
            finished.set()


def _pass_on(counter: InterruptCounter, finished: threading.Event, message: int) -> None:
    """Tell every worker, by a signal for each time, how often Ctrl-C was pressed."""
    signals: dict[int, int] = {}
    deadline = float("inf")
    while not finished.wait(0.05):
        # More than two say nothing new to a worker.
        count = min(counter.count, 2)
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
