"""A stream of tasks on several processes: outcomes in the order of the tasks, few of them in memory at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, wait
from typing import Any, TypeVar

from swarmkit.contract.errors import SwarmkitError, unknown
from swarmkit.running.parallel import ATTEMPTS, check_jobs, check_scheduler, send_files_by_value
from swarmkit.running.worker_process import GRACE, end_workers, initialise, starter, starting_workers

T = TypeVar("T")
U = TypeVar("U")

BACKENDS = ("loky", "dask")

AHEAD = 3
"""Tasks for each process that are submitted before the outcome of the oldest one is needed."""

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
"""The environment of a process whose numerical libraries use one thread."""


def map_stream(
    function: Callable[[T], U], tasks: Iterable[T], jobs: int, *, backend: str = "loky", scheduler: str | None = None
) -> Iterator[U]:
    """Iterate over a function's values for tasks, in the order of the tasks, which are taken as they are needed.

    Tasks whose process dies are done again; one that kills its process repeatedly ends the iteration.

    Args:
        function: what is called; other processes must be able to import it.
        tasks: the arguments, of any number.
        jobs: the number of processes, each with one thread; 1 is this process, -1 one process for each core. On a
            cluster the number of tasks that are sent off at a time; -1 keeps all of it busy.
        backend: `loky` for processes of this machine, `dask` for a cluster.
        scheduler: the address of the Dask scheduler.

    Raises:
        SwarmkitError: a process died again and again.
        UsageError: there is no such backend, or the cluster was lost.
    """
    check_jobs(jobs)
    check_backend(backend, scheduler)
    if backend == "dask":
        from swarmkit.running.cluster import connect, stream_on_cluster

        send_files_by_value()
        with connect(scheduler) as client:
            yield from stream_on_cluster(client, function, tasks, jobs, AHEAD)
    elif jobs == 1:
        yield from map(function, tasks)
    else:
        yield from _on_processes(function, tasks, (os.cpu_count() or 1) if jobs == -1 else jobs)


def check_backend(backend: str, scheduler: str | None) -> None:
    """Refuse a backend that streams do not have, and a scheduler's address without its backend."""
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    check_scheduler(backend, scheduler)


def _on_processes(function: Callable[[T], U], tasks: Iterable[T], jobs: int) -> Iterator[U]:
    """Do tasks on processes of this machine."""
    send_files_by_value()
    waiting: deque[tuple[T, Any]] = deque()
    try:
        for task in tasks:
            waiting.append((task, _submit(function, task, jobs)))
            if len(waiting) > AHEAD * jobs:
                yield _oldest(function, waiting, jobs)
        while waiting:
            yield _oldest(function, waiting, jobs)
    except BaseException:
        _abandon([future for _, future in waiting])
        raise


def _abandon(futures: list[Any]) -> None:
    """Cancel tasks whose outcomes are not needed any more; processes that do not end theirs in time are killed."""
    for future in futures:
        future.cancel()
    if wait(futures, GRACE).not_done:
        end_workers()


def _oldest(function: Callable[[T], U], waiting: deque[tuple[T, Any]], jobs: int) -> U:
    """Return the outcome of the task that waits longest; if processes have died, all that wait are done again."""
    for _ in range(ATTEMPTS):
        try:
            outcome: U = waiting[0][1].result()
        except BrokenExecutor:
            for _ in range(len(waiting)):
                task, future = waiting.popleft()
                waiting.append((task, future if _succeeded(future) else _submit(function, task, jobs)))
        else:
            waiting.popleft()
            return outcome
    raise SwarmkitError("processes died again and again (out of memory?); try --jobs 1, or where there is more memory")


def _succeeded(future: Any) -> bool:
    return bool(future.done() and not future.cancelled() and future.exception() is None)


def _submit(function: Callable[[T], U], task: T, jobs: int) -> Any:
    """Submit a task to the kind of pool that joblib itself makes: whichever comes second uses that of the first."""
    from joblib.executor import get_memmapping_executor

    def submit() -> Any:
        pool = get_memmapping_executor(jobs, timeout=300, initializer=initialise, initargs=starter(), env=ONE_THREAD)
        return pool.submit(function, task)

    with starting_workers():
        try:
            return submit()
        except BrokenExecutor:  # a process died between the two calls
            return submit()
