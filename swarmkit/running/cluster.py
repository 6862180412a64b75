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
    for future in _while_there_are_workers(client, ready):
        number = sent.pop(future)
        for following in islice(numbers, 1):
            added = submit(following)
            sent[added] = following
            ready.add(added)
        try:
            yield number, _outcome(future)
        except KilledWorker:
            suspects.append(number)
    for number in suspects:
        try:
            yield number, _outcome(submit(number))
        except KilledWorker:
            deadly.append(number)
    return deadly


def _while_there_are_workers(client: Any, ready: Any) -> Iterator[Any]:
    """Yield futures as they are done, unless the cluster has lost its workers and none come back."""
    seen = asked = time.monotonic()
    while not ready.is_empty():
        if ready.has_ready():
            yield next(ready)
            seen = asked = time.monotonic()
            continue
        time.sleep(POLL)
        if time.monotonic() - asked > WORKERLESS / 6:
            asked = time.monotonic()
            seen = asked if _has_workers(client) else seen
            if asked - seen > WORKERLESS:
                raise UsageError(f"the Dask cluster has lost all its workers: start some. {GO_ON}")


def _has_workers(client: Any) -> bool:
    """Return whether a cluster has workers; a lost scheduler cancels all tasks, which is noticed elsewhere."""
    try:
        return client.status != "running" or bool(client.scheduler_info(n_workers=1)["workers"])
    except OSError:  # that of lost connections, and of time-outs
        return True


def _outcome(future: Any) -> Any:
    from distributed.comm.core import CommClosedError

    try:
        return future.result()
    except (CancelledError, CommClosedError):
        raise UsageError(f"the Dask scheduler was lost before all tasks were done. {GO_ON}") from None
