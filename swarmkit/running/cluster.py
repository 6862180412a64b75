"""Tasks on a Dask cluster, by its client."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from swarmkit.contract.errors import MissingError, UsageError

T = TypeVar("T")

PATIENCE = 10
"""Seconds within which a scheduler must answer, and have a worker: enough for a network, too few to look hung."""


@contextmanager
def connect(scheduler: str | None) -> Iterator[Any]:
    """Connect a Dask client to the scheduler at an address, and close it at the end."""
    if scheduler is None:
        raise UsageError("the backend 'dask' needs the address of a scheduler: --scheduler tcp://HOST:8786")
    if importlib.util.find_spec("distributed") is None:
        raise MissingError("the backend 'dask' needs the extra 'cluster': pip install \"pyswarmkit[cluster]\"")
    from distributed import Client

    try:
        client: Any = Client(scheduler, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]  # it has none
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler} ({error})") from None
    with client:
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
    for future in ready:
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


def _outcome(future: Any) -> Any:
    from distributed.comm.core import CommClosedError

    try:
        return future.result()
    except (CancelledError, CommClosedError):
        raise UsageError("the Dask scheduler was lost before all tasks were done") from None
