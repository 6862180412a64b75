"""Tasks on several processes or machines: joblib's loky here, a Dask cluster elsewhere."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from swarmkit.contract.errors import SwarmkitError, UsageError
from swarmkit.plugins.host import host

T = TypeVar("T")

Task = tuple[Any, ...]
"""The arguments of one call."""

ATTEMPTS = 2
"""How often a task that may have killed its process is tried alone: once more than chance would explain."""


class WorkersDied(SwarmkitError):
    """Some tasks killed their processes even when each was alone; `tasks` are their numbers."""

    def __init__(self, tasks: Sequence[int]) -> None:
        super().__init__(f"{len(tasks)} of the runs killed the processes that made them (out of memory?)")
        self.tasks = list(tasks)


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that makes no sense."""
    if jobs < 1 and jobs != -1:
        raise UsageError(f"jobs are a number of processes from 1 (or -1 for one per core), got {jobs}")


def pack(value: Any) -> bytes:
    """Pickle classes and small objects for another process; those of single-file plugins by value."""
    import cloudpickle

    send_files_by_value()
    return bytes(cloudpickle.dumps(value))


def send_files_by_value() -> None:
    """Let other processes receive the single-file plugins, which they cannot import."""
    from cloudpickle import register_pickle_by_value

    for module in host().file_modules:
        register_pickle_by_value(module)


def in_order(numbered: Iterator[tuple[int, T]]) -> Iterator[T]:
    """Yield numbered outcomes, which arrive in any order, by their numbers.

    >>> list(in_order(iter([(1, "b"), (0, "a"), (2, "c")])))
    ['a', 'b', 'c']
    """
    waiting: dict[int, T] = {}
    due = 0
    for number, outcome in numbered:
        waiting[number] = outcome
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def run_tasks(
    function: Callable[..., T],
    tasks: Sequence[Task],
    jobs: int,
    *,
    backend: str = "loky",
    scheduler: str | None = None,
) -> Iterator[tuple[int, T]]:
    """Call a function on every task, and yield (number, outcome) as each is ready.

    A task whose worker dies is done again; tasks that kill their workers even when they are alone are reported at the
    end, when all others are done.

    Args:
        function: what is called; it must be importable in other processes.
        tasks: the arguments of each call.
        jobs: the number of processes; -1 is one per core, or all of a cluster.
        backend: `loky` for processes of this machine, `dask` for a cluster, or another backend of joblib.
        scheduler: the address of the Dask scheduler.

    Raises:
        WorkersDied: some tasks kill their workers.
    """
    if scheduler is not None and backend != "dask":
        raise UsageError(f"a scheduler's address goes with the backend 'dask', not with '{backend}'")
    if backend == "loky" and (jobs == 1 or len(tasks) == 1):
        yield from ((number, function(*task)) for number, task in enumerate(tasks))
        return
    send_files_by_value()
    if backend == "dask":
        from swarmkit.running.cluster import connect, run_on_cluster

        with connect(scheduler) as client:
            deadly = yield from run_on_cluster(client, function, tasks, jobs)
    else:
        with _joblib_backend(backend):
            deadly = yield from _run_locally(function, tasks, jobs)
    if deadly:
        raise WorkersDied(deadly)


def _run_locally(
    function: Callable[..., T], tasks: Sequence[Task], jobs: int
) -> Generator[tuple[int, T], None, list[int]]:
    """Run tasks on processes of this machine; return the numbers of those that kill their process.

    A process that dies breaks its pool, and any of the first tasks that are left may have killed it: these are done
    again one at a time before the others continue in parallel.
    """
    todo = dict(enumerate(tasks))
    deadly: list[int] = []
    broken = _broken_pool()
    while todo:
        try:
            for number, outcome in _parallel(function, todo, jobs):
                del todo[number]
                yield number, outcome
        except broken:
            for suspect in list(todo)[: 2 * _processes(jobs)]:
                outcomes = _alone(function, suspect, todo.pop(suspect))
                deadly += [] if outcomes else [suspect]
                yield from outcomes
    return deadly


def _alone(function: Callable[..., T], number: int, task: Task) -> list[tuple[int, T]]:
    """Do one task in a process of its own; return nothing if that dies every time."""
    for _ in range(ATTEMPTS):
        with suppress(_broken_pool()):
            return list(_parallel(function, {number: task}, 2))  # with one job, joblib would do it in this process
    return []


def _parallel(function: Callable[..., T], todo: Mapping[int, Task], jobs: int) -> Iterator[tuple[int, T]]:
    from joblib import Parallel, delayed

    # One task a message: only what a worker was doing is lost with it, and a result can be stored at once.
    # A worker that has grown is replaced by loky between two tasks: nothing is lost, so its warning is noise.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor", UserWarning)
    parallel = Parallel(n_jobs=jobs, batch_size=1, pre_dispatch="2*n_jobs", return_as="generator_unordered")
    found: Iterator[tuple[int, T]] = parallel(delayed(_numbered)(function, n, task) for n, task in dict(todo).items())
    return found


def _processes(jobs: int) -> int:
    from joblib import effective_n_jobs

    return int(effective_n_jobs(jobs))


def _numbered(function: Callable[..., T], number: int, task: Task) -> tuple[int, T]:
    return number, function(*task)


def _broken_pool() -> type[Exception]:
    from concurrent.futures.process import BrokenProcessPool

    return BrokenProcessPool


def _joblib_backend(backend: str) -> Any:
    """Return joblib's context for one of its backends."""
    from joblib import parallel_config

    if backend == "loky":
        return parallel_config(backend="loky", initializer=_initialise_worker)
    try:
        return parallel_config(backend=backend)
    except ValueError as error:
        raise UsageError(f"no backend named '{backend}' is known to joblib ({error})") from None


def _initialise_worker() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process, and end this process when its parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def wait_for_parent() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)  # a parent that was killed cannot stop its workers; loky would keep them for five minutes

    threading.Thread(target=wait_for_parent, daemon=True).start()
