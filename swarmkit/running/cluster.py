"""Tasks on a Dask cluster, by its client."""

from __future__ import annotations

import importlib.util
import logging
import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeVar

from swarmkit.contract.errors import MissingError, UsageError, install_hint

T = TypeVar("T")
U = TypeVar("U")

PATIENCE = 10
"""Seconds within which a scheduler must answer, and have a worker: enough for a network, too few to look hung."""

WORKERLESS = 30
"""Seconds that a cluster may be without workers: enough to start them again, after that somebody should be told."""

POLL = 0.02
"""Seconds between two looks at whether something is ready."""

CONTINUE = "What was finished is in the store, if there is one (--store FILE): the same command continues"
"""How to go on when a cluster is lost."""

RESUME = "What was finished is in the output, if it is a file (--out FILE): the same command with --resume continues"
"""The same for streams of tasks."""

COUNT_INTERVAL = 5
"""Seconds between two counts of a cluster's threads."""

LOGGERS = (
    *(f"distributed{part}" for part in ("", ".batched", ".client", ".comm", ".core", ".utils", ".utils_comm")),
    *("tornado.application", "asyncio"),
)
"""What writes tracebacks about lost connections; a sentence is said instead."""


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the loggers of Dask."""
    before = {name: logging.getLogger(name).level for name in LOGGERS}
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def connect(scheduler: str | None) -> Iterator[Any]:
    """Connect a Dask client to the scheduler at an address, and close it at the end."""
    if scheduler is None:
        raise UsageError("the backend 'dask' needs the address of a scheduler: --scheduler tcp://HOST:8786")
    # A missing extra is said in a sentence, with the command that installs it.
    if importlib.util.find_spec("distributed") is None:
        raise MissingError(f"the backend 'dask' needs the extra 'cluster': {install_hint('cluster')}")
    from distributed import Client

    try:
        client: Any = Client(scheduler, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]  # it has none
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler} ({error})") from None
    with _quiet(), client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise UsageError(
                f"the Dask scheduler at {scheduler} has no workers: start some with 'dask worker {scheduler}'"
            ) from None
        yield client


def run_on_cluster(
    client: Any, function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], jobs: int
) -> Generator[tuple[int, T], None, list[int]]:
    """Run tasks on the workers of a cluster; return the numbers of those that kill their workers.

    Dask moves the tasks of a worker that dies to others, and gives a task up when several workers have died with it.
    As that may be the fault of another task of the same workers, it is tried once more, alone.

    Args:
        client: a Dask client.
        function: what is called on each task.
        tasks: the arguments of each call.
        jobs: how many tasks are sent off at a time; -1 for all.
    """
    from distributed import KilledWorker, as_completed

    def submit(number: int) -> Any:
        return client.submit(function, *tasks[number], pure=False)  # not by its content: every task is to be done

    numbers = iter(range(len(tasks)))
    futures = {submit(number): number for number in islice(numbers, len(tasks) if jobs == -1 else jobs)}
    ready: Any = as_completed(list(futures), loop=client.loop)  # type: ignore[no-untyped-call]  # it has none
    suspects, deadly = [], []
    watch = _Watch(client)
    for future in _as_ready(ready, watch):
        number = futures.pop(future)
        # One more for the one that is done, so that the scheduler never has more than `jobs`.
        for following in islice(numbers, 1):
            extra = submit(following)
            futures[extra] = following
            ready.add(extra)
        try:
            yield number, _outcome(future, watch)
        except KilledWorker:
            suspects.append(number)
    # One at a time: whoever kills a worker now does it alone.
    for number in suspects:
        try:
            yield number, _outcome(submit(number), watch)
        except KilledWorker:
            deadly.append(number)
    return deadly


class ClusterPool:
    """The workers of a cluster, which do the tasks of a stream (see `swarmkit.running.parallel.ProcessPool`).

    Args:
        client: a Dask client.
        jobs: how many tasks are sent off at a time; -1 for `ahead` for each thread of the cluster, also of workers that
            come later.
        ahead: see there.
    """

    remedy = f"workers died again and again with one task (out of memory?). {RESUME}"

    def __init__(self, client: Any, jobs: int, ahead: int) -> None:
        from distributed import KilledWorker

        self.died, self._client, self._watch = KilledWorker, client, _Watch(client, RESUME)
        self._jobs, self._ahead = jobs, ahead

    def ahead(self) -> int:
        """Return how many tasks are sent off before the outcome of the oldest one is needed."""
        return self._ahead * self._watch.threads() if self._jobs == -1 else self._jobs

    def submit(self, function: Callable[..., Any], task: Any) -> Any:
        """Send a task off."""
        return self._client.submit(function, task, pure=False)

    def outcome(self, future: Any) -> Any:
        """Return what a task has returned."""
        outcome = _outcome(future, self._watch)
        self._watch.reset()
        return outcome

    def needs_retry(self, future: Any) -> bool:
        """Return whether Dask has given a task up: others of a worker that died are done elsewhere."""
        return bool(future.status == "error")

    def abandon(self, futures: list[Any]) -> None:
        """Cancel tasks whose outcomes are needed no more."""
        if self._client.status == "running":
            self._client.cancel(futures)


class _Watch:
    """Asks a cluster now and then what workers it has.

    Args:
        client: a Dask client.
        way_out: how to go on when the cluster is lost, for messages.
    """

    def __init__(self, client: Any, way_out: str = CONTINUE) -> None:
        self.client, self.loop, self.way_out = client, client.loop.asyncio_loop, way_out
        self._threads, self._count_time = 0, -math.inf
        self.reset()

    def threads(self) -> int:
        """Return the number of threads of all workers, as it was a few seconds ago; at least 1."""
        if time.monotonic() - self._count_time > COUNT_INTERVAL:
            self._count_time = time.monotonic()
            with suppress(OSError):
                self._threads = sum(self.client.nthreads().values())
        return max(1, self._threads)

    def reset(self) -> None:
        """Start again: something was received."""
        self._worker_time = self._check_time = time.monotonic()

    def check(self) -> None:
        """Raise UsageError if the cluster has been without workers for too long."""
        if time.monotonic() - self._check_time > WORKERLESS / 6:
            self._check_time = time.monotonic()
            # The time of the last look that found workers.
            self._worker_time = self._check_time if self._has_workers() else self._worker_time
            if self._check_time - self._worker_time > WORKERLESS:
                raise UsageError(f"the Dask cluster has lost all its workers: start some. {self.way_out}")

    def _has_workers(self) -> bool:
        """Return whether there are workers; a lost scheduler cancels all tasks, which is noticed elsewhere."""
        try:
            return self.client.status != "running" or bool(self.client.scheduler_info(n_workers=1)["workers"])
        except OSError:  # that of lost connections, and of time-outs
            return True


def _as_ready(ready: Any, watch: _Watch) -> Iterator[Any]:
    """Yield futures as they are done, unless the cluster has lost its workers and none come back."""
    while not ready.is_empty():
        if ready.has_ready():
            yield next(ready)
            watch.reset()
        else:
            time.sleep(POLL)
            watch.check()


def _outcome(future: Any, watch: _Watch) -> Any:
    """Return the result of a task; if the worker that holds it dies, it is computed again by the next one."""
    import asyncio

    from distributed.comm.core import CommClosedError

    # Not with a time-out of Dask's: it cancels the gathering, which asyncio complains about later.
    gathering = asyncio.run_coroutine_threadsafe(watch.client.gather(future, asynchronous=True), watch.loop)
    while True:
        try:
            return gathering.result(timeout=WORKERLESS / 6)
        except TimeoutError:
            if gathering.done():  # the task raised it
                raise
            watch.check()
        except (CancelledError, CommClosedError):
            raise UsageError(f"the Dask scheduler was lost before all tasks were done. {watch.way_out}") from None
