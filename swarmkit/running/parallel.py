"""Tasks on several processes or machines: joblib's loky here, a Dask cluster elsewhere."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, wait
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from swarmkit.contract.errors import Interrupted, SwarmkitError, UsageError, unknown
from swarmkit.contract.result import Result
from swarmkit.plugins.host import host
from swarmkit.running.interrupts import interrupts
from swarmkit.running.workers import (
    GRACE,
    end_workers,
    initialise,
    passing_interrupts_on,
    starter,
    starting_workers,
)

T = TypeVar("T")
U = TypeVar("U")

Task = tuple[Any, ...]
"""The arguments of one call."""

ATTEMPTS = 2
"""How often a task that may have killed its process is tried alone: once more than chance would explain."""


class WorkersDied(SwarmkitError):
    """Some tasks killed their processes even when each was alone; `tasks` are their numbers."""

    def __init__(self, tasks: Sequence[int]) -> None:
        runs = "1 run" if len(tasks) == 1 else f"{len(tasks)} runs"
        super().__init__(
            f"the processes of {runs} died, also when they ran alone (out of memory?); all other runs were made. "
            "To go on, give the same command with --jobs 1, or where there is more memory"
        )
        self.tasks = list(tasks)


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that makes no sense."""
    if jobs < 1 and jobs != -1:
        raise UsageError(f"jobs are a number of processes from 1 (or -1 for one per core), got {jobs}")


def check_scheduler(backend: str, scheduler: str | None) -> None:
    """Refuse a scheduler's address without the backend that has schedulers."""
    if scheduler is not None and backend != "dask":
        raise UsageError(f"a scheduler's address goes with the backend 'dask', not with '{backend}'")


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


def in_order(outcomes: Iterator[tuple[int, T]]) -> Iterator[T]:
    """Yield numbered outcomes, which arrive in any order, by their numbers; at the end, those after a missing one too.

    >>> list(in_order(iter([(1, "b"), (0, "a"), (2, "c")])))
    ['a', 'b', 'c']
    """
    waiting: dict[int, T] = {}
    due = 0
    try:
        for number, outcome in outcomes:
            waiting[number] = outcome
            # Whatever has become due with this outcome.
            while due in waiting:
                yield waiting.pop(due)
                due += 1
    except (KeyboardInterrupt, SwarmkitError):
        yield from (waiting[number] for number in sorted(waiting))
        raise


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
    check_scheduler(backend, scheduler)
    # In this process: a run alone needs no other, and debuggers see it.
    if backend == "loky" and (jobs == 1 or len(tasks) == 1):
        yield from ((number, function(*task)) for number, task in enumerate(tasks))
        return
    send_files_by_value()
    if backend == "dask":
        from swarmkit.running.cluster import connect, run_on_cluster

        with connect(scheduler) as client:
            deadly = yield from run_on_cluster(client, function, tasks, jobs)
    else:
        with _joblib_backend(backend), passing_interrupts_on(possible=backend == "loky") as interrupted:
            deadly = yield from _run_locally(function, tasks, jobs, interrupted)
    if deadly:
        raise WorkersDied(deadly)


def _run_locally(
    function: Callable[..., T], tasks: Sequence[Task], jobs: int, interrupted: Callable[[], bool]
) -> Generator[tuple[int, T], None, list[int]]:
    """Run tasks on processes of this machine; return the numbers of those that kill their process.

    A process that dies breaks its pool, and any of the first tasks that are left may have killed it: these are done
    again one at a time before the others continue in parallel.
    """
    from joblib import effective_n_jobs

    todo = dict(enumerate(tasks))
    deadly: list[int] = []
    partial_results: list[Result] = []
    while todo and not interrupted():
        try:
            for number, outcome in _parallel(function, todo, jobs, interrupted):
                del todo[number]
                if isinstance(outcome, Stopped):
                    partial_results += outcome.results
                else:
                    yield number, outcome
        except BrokenExecutor:
            # As many as were sent off at once (pre_dispatch): the one that killed its process is among them.
            for suspect in list(todo)[: 2 * effective_n_jobs(jobs)]:
                if interrupted():
                    break
                outcomes = _alone(function, suspect, todo.pop(suspect))
                deadly += [] if outcomes else [suspect]
                yield from (outcome for outcome in outcomes if not isinstance(outcome[1], Stopped))
    if interrupted():
        end_workers()
        # Results so far are kept: a store can have them.
        raise Interrupted(*partial_results) if partial_results else KeyboardInterrupt
    return deadly


def _alone(function: Callable[..., T], number: int, task: Task) -> list[tuple[int, T]]:
    """Do one task in a process of its own; return nothing if that dies every time."""
    for _ in range(ATTEMPTS):
        with suppress(BrokenExecutor):
            return list(_parallel(function, {number: task}, 2))  # with one job, joblib would do it in this process
    return []


def _parallel(
    function: Callable[..., T], todo: Mapping[int, Task], jobs: int, interrupted: Callable[[], bool] = lambda: False
) -> Iterator[tuple[int, T]]:
    from joblib import Parallel, delayed

    # One task a message: only what a worker was doing is lost with it, and a result can be stored at once.
    # A worker that has grown is replaced by loky between two tasks: nothing is lost, so its warning is noise.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor", UserWarning)
    parallel = Parallel(n_jobs=jobs, batch_size=1, pre_dispatch="2*n_jobs", return_as="generator_unordered")
    calls = (delayed(_with_number)(function, n, task) for n, task in dict(todo).items() if not interrupted())
    with starting_workers():
        outcomes: Iterator[tuple[int, T]] = parallel(calls)
    return outcomes


class Stopped(NamedTuple):
    """The outcome of a task that was told to stop: the results so far of its runs, none if it had not begun."""

    results: list[Result]


def _with_number(function: Callable[..., T], number: int, task: Task) -> tuple[int, T | Stopped]:
    if interrupts.count:  # in a worker: the parent was interrupted
        return number, Stopped([])
    try:
        return number, function(*task)
    except Interrupted as interrupted:
        return number, Stopped(interrupted.results)
    except KeyboardInterrupt:
        return number, Stopped([])


def _joblib_backend(backend: str) -> Any:
    """Return joblib's context for one of its backends."""
    from joblib import parallel_config

    if backend == "loky":
        return parallel_config(backend="loky", initializer=initialise, initargs=starter())
    try:
        return parallel_config(backend=backend)
    except ValueError as error:
        raise UsageError(f"no backend named '{backend}' is known to joblib ({error})") from None


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
    if jobs == 1 and backend == "loky":
        yield from map(function, tasks)
        return
    send_files_by_value()
    if backend == "dask":
        from swarmkit.running.cluster import ClusterPool, connect

        with connect(scheduler) as client:
            yield from _stream(ClusterPool(client, jobs, AHEAD), function, tasks)
    else:
        yield from _stream(ProcessPool((os.cpu_count() or 1) if jobs == -1 else jobs), function, tasks)


def check_backend(backend: str, scheduler: str | None) -> None:
    """Refuse a backend that streams do not have, and a scheduler's address without its backend."""
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    check_scheduler(backend, scheduler)


class ProcessPool:
    """Processes of this machine that do the tasks of a stream.

    Args:
        jobs: the number of processes.
    """

    died: type[BaseException] = BrokenExecutor
    """What a task raises whose process died, as do all that were submitted before that was noticed."""
    remedy = "processes died again and again (out of memory?); try --jobs 1, or where there is more memory"

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def ahead(self) -> int:
        """Return how many tasks are submitted before the outcome of the oldest one is needed."""
        return AHEAD * self.jobs + 1

    def submit(self, function: Callable[[T], U], task: T) -> Any:
        """Submit a task to the kind of pool that joblib itself makes: whichever comes second uses that of the first."""
        from joblib.executor import get_memmapping_executor

        # Workers stay for five minutes: starting Python and numpy again takes longer than most tasks.
        options = {"timeout": 300, "initializer": initialise, "initargs": starter(), "env": ONE_THREAD}
        with starting_workers():
            try:
                return get_memmapping_executor(self.jobs, **options).submit(function, task)
            except BrokenExecutor:  # a process died between the two calls
                return get_memmapping_executor(self.jobs, **options).submit(function, task)

    def outcome(self, future: Any) -> Any:
        """Return what a task has returned."""
        return future.result()

    def needs_retry(self, future: Any) -> bool:
        """Return whether a task has to be submitted again after a process has died."""
        return not future.done() or future.cancelled() or future.exception() is not None

    def abandon(self, futures: list[Any]) -> None:
        """Cancel tasks whose outcomes are needed no more; processes that do not end theirs in time are killed."""
        for future in futures:
            future.cancel()
        if wait(futures, GRACE).not_done:
            end_workers()


def _stream(pool: Any, function: Callable[[T], U], tasks: Iterable[T]) -> Iterator[U]:
    """Do tasks by a pool, few of them ahead, and yield the outcomes in the order of the tasks."""
    waiting: deque[tuple[T, Any]] = deque()
    try:
        for task in tasks:
            waiting.append((task, pool.submit(function, task)))
            if len(waiting) >= pool.ahead():
                yield _oldest(pool, function, waiting)
        while waiting:
            yield _oldest(pool, function, waiting)
    finally:
        if waiting:
            pool.abandon([future for _, future in waiting])


def _oldest(pool: Any, function: Callable[[T], U], waiting: deque[tuple[T, Any]]) -> U:
    """Return the outcome of the task that waits longest; what was lost with a process is done again."""
    for _ in range(ATTEMPTS):
        try:
            outcome: U = pool.outcome(waiting[0][1])
        except pool.died:
            for _ in range(len(waiting)):  # once around, so that the order stays
                task, future = waiting.popleft()
                waiting.append((task, pool.submit(function, task) if pool.needs_retry(future) else future))
        else:
            waiting.popleft()
            return outcome
    raise SwarmkitError(pool.remedy)
