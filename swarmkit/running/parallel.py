"""Work on several processes or machines: the one place where tasks are handed to joblib."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

from swarmkit.contract.errors import MissingError, SwarmkitError, UsageError
from swarmkit.plugins.host import host

T = TypeVar("T")

ATTEMPTS = 2
"""So often a task that may have killed its process is tried alone before it is given up."""


class WorkersDied(SwarmkitError):
    """Some tasks killed their processes, alone too; `tasks` are their numbers."""

    def __init__(self, tasks: Sequence[int]) -> None:
        super().__init__(f"{len(tasks)} of the runs killed the processes that made them (out of memory?)")
        self.tasks = list(tasks)


def check_jobs(jobs: int) -> None:
    """Refuse a number of processes that makes no sense."""
    if jobs < 1 and jobs != -1:
        raise UsageError(f"jobs are a number of processes from 1 (or -1 for one per core), got {jobs}")


def pack(value: Any) -> bytes:
    """Make a message of classes and small objects; those of single-file plugins go by value."""
    import cloudpickle

    send_files_by_value()
    return bytes(cloudpickle.dumps(value))


def send_files_by_value() -> None:
    """Let other processes have the single-file plugins, which they cannot import."""
    from cloudpickle import register_pickle_by_value

    for module in host().file_modules:
        register_pickle_by_value(module)


def in_order(numbered: Iterator[tuple[int, T]]) -> Iterator[T]:
    """Give numbered outcomes, which come in any order, in the order of their numbers."""
    waiting: dict[int, T] = {}
    due = 0
    for number, outcome in numbered:
        waiting[number] = outcome
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def spread(
    function: Callable[..., T],
    tasks: Sequence[tuple[Any, ...]],
    jobs: int,
    *,
    backend: str = "loky",
    scheduler: str | None = None,
) -> Iterator[tuple[int, T]]:
    """Call the function on every task, give (number, outcome) as they come, and redo what workers that died leave."""
    if backend == "loky" and (jobs == 1 or len(tasks) == 1):
        yield from ((number, function(*task)) for number, task in enumerate(tasks))
        return
    send_files_by_value()
    with ExitStack() as stack:
        stack.enter_context(_configured(backend, scheduler, stack))
        yield from _to_the_end(function, tasks, jobs)


def _to_the_end(function: Callable[..., T], tasks: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[tuple[int, T]]:
    """Go through the tasks whatever dies; those whose process dies even when they are alone are told of at the end.

    A process that dies takes its pool along, so the first tasks that are left may have been its death: they are redone
    one at a time before the others go on side by side.
    """
    todo = dict(enumerate(tasks))
    deadly: list[int] = []
    while todo:
        try:
            for number, outcome in _parallel(function, todo, jobs):
                del todo[number]
                yield number, outcome
        except _broken():
            for suspect in list(todo)[: 2 * _processes(jobs)]:
                outcomes = _alone(function, suspect, todo.pop(suspect))
                deadly += [] if outcomes else [suspect]
                yield from outcomes
    if deadly:
        raise WorkersDied(deadly)


def _alone(function: Callable[..., T], number: int, task: tuple[Any, ...]) -> list[tuple[int, T]]:
    """Do one task in a process of its own; give nothing if that dies every time."""
    for _ in range(ATTEMPTS):
        with suppress(*_broken()):
            return list(_parallel(function, {number: task}, 2))  # of two jobs, so that it is not done in this process
    return []


def _parallel(function: Callable[..., T], todo: Mapping[int, tuple[Any, ...]], jobs: int) -> Iterator[tuple[int, T]]:
    from joblib import Parallel, delayed

    # One task a message: what is lost with a worker is what it was doing, and a result is stored when it is there.
    # A worker that has grown is replaced by loky between two tasks: nothing is lost, and nobody needs to know.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given to the executor", UserWarning)
    parallel = Parallel(n_jobs=jobs, batch_size=1, pre_dispatch="2*n_jobs", return_as="generator_unordered")
    found: Iterator[tuple[int, T]] = parallel(delayed(_numbered)(function, n, task) for n, task in dict(todo).items())
    return found


def _processes(jobs: int) -> int:
    from joblib import effective_n_jobs

    return int(effective_n_jobs(jobs))


def _numbered(function: Callable[..., T], number: int, task: tuple[Any, ...]) -> tuple[int, T]:
    return number, function(*task)


def _serve() -> None:
    """Leave Ctrl-C, which a terminal sends to every process, to the one that this one works for, and end with that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    master = os.getppid()

    def watch() -> None:
        while os.getppid() == master:
            time.sleep(1)
        os._exit(1)  # killed, it could not tell; loky would wait five minutes for more to do

    threading.Thread(target=watch, daemon=True).start()


def _broken() -> tuple[type[Exception], ...]:
    """Name the errors that say that a worker has died: of loky, and of Dask if it is in use."""
    from concurrent.futures.process import BrokenProcessPool

    distributed = sys.modules.get("distributed")
    return (BrokenProcessPool, distributed.KilledWorker) if distributed else (BrokenProcessPool,)


def _configured(backend: str, scheduler: str | None, stack: ExitStack) -> Any:
    """Give joblib's context for a backend by name; say what is missing for it."""
    from joblib import parallel_config

    if backend == "dask":
        client = _dask_client(scheduler, stack)
        from swarmkit.running.dask_backend import DaskBackend

        return parallel_config(backend=DaskBackend(client=client))
    if scheduler is not None:
        raise UsageError(f"a scheduler's address goes with the backend 'dask', not with '{backend}'")
    if backend == "ray":
        _register_ray()
    if backend == "loky":
        return parallel_config(backend="loky", initializer=_serve)
    try:
        return parallel_config(backend=backend)
    except ValueError as error:
        raise UsageError(f"no backend named '{backend}' is known to joblib ({error})") from None


def _dask_client(scheduler: str | None, stack: ExitStack) -> Any:
    if scheduler is None:
        raise UsageError("the backend 'dask' needs the address of a scheduler: --scheduler tcp://HOST:8786")
    if importlib.util.find_spec("distributed") is None:
        raise MissingError("the backend 'dask' needs the extra 'cluster': pip install \"pyswarmkit[cluster]\"")
    from distributed import Client

    try:
        client: Any = Client(scheduler, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]  # it has none
        return stack.enter_context(client)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler} ({error})") from None


def _register_ray() -> None:
    try:
        from ray.util.joblib import register_ray
    except ImportError:
        raise MissingError("the backend 'ray' needs the package ray: pip install ray") from None
    register_ray()
