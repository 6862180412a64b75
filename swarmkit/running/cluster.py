"""Tasks on a Dask cluster, by its client."""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from swarmkit.contract.errors import MissingError, UsageError, install_hint

T = TypeVar("T")

PATIENCE = 10
"""Seconds within which a scheduler must answer, and have a worker: enough for a network, too few to look hung."""

WORKERLESS = 30
"""Seconds that a cluster may be without workers: enough to start them again, after that somebody should be told."""

POLL = 0.02
"""Seconds between two looks at whether something is ready."""

GO_ON = "What was finished is in the store, if there is one (--store FILE): the same command continues"
"""How to go on when a cluster is lost."""

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
    sent = {submit(number): number for number in islice(numbers, len(tasks) if jobs == -1 else jobs)}
    ready: Any = as_completed(list(sent), loop=client.loop)  # type: ignore[no-untyped-call]  # it has none
    suspects, deadly = [], []
    watch = _Watch(client)
    for future in _as_ready(ready, watch):
        number = sent.pop(future)
        for following in islice(numbers, 1):
            added = submit(following)
            sent[added] = following
            ready.add(added)
        try:
            yield number, _outcome(future, watch)
        except KilledWorker:
            suspects.append(number)
    for number in suspects:
        try:
            yield number, _outcome(submit(number), watch)
        except KilledWorker:
            deadly.append(number)
    return deadly


class _Watch:
    """Asks a cluster now and then whether it has workers.

    Args:
        client: a Dask client.
    """

    def __init__(self, client: Any) -> None:
        self.client, self.loop = client, client.loop.asyncio_loop
        self.reset()

    def reset(self) -> None:
        """Start again: something was received."""
        self._seen = self._asked = time.monotonic()

    def check(self) -> None:
        """Raise UsageError if the cluster has been without workers for too long."""
        if time.monotonic() - self._asked > WORKERLESS / 6:
            self._asked = time.monotonic()
            self._seen = self._asked if self._has_workers() else self._seen
            if self._asked - self._seen > WORKERLESS:
                raise UsageError(f"the Dask cluster has lost all its workers: start some. {GO_ON}")

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
            raise UsageError(f"the Dask scheduler was lost before all tasks were done. {GO_ON}") from None
