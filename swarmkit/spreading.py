"""Work on several processes or machines: the one place where tasks are handed to joblib."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

from swarmkit.errors import MissingError, UsageError
from swarmkit.plugins import host

T = TypeVar("T")

RESTARTS = 3
"""So often in a row workers may die without a single result in between before their tasks are given up."""


class WorkersDied(UsageError):
    """Workers died again and again; `tasks` are the numbers of those left undone."""

    def __init__(self, tasks: Sequence[int]) -> None:
        super().__init__(f"the processes that made {len(tasks)} of the runs died (out of memory?)")
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
    todo = dict(enumerate(tasks))
    deaths = 0
    with ExitStack() as stack:
        stack.enter_context(_configured(backend, scheduler, stack))
        while todo:
            try:
                for number, outcome in _parallel(function, todo, jobs):
                    del todo[number]
                    deaths = 0
                    yield number, outcome
            except _broken() as death:
                deaths += 1
                if deaths >= RESTARTS:
                    raise WorkersDied(list(todo)) from death


def _parallel(function: Callable[..., T], todo: Mapping[int, tuple[Any, ...]], jobs: int) -> Iterator[tuple[int, T]]:
    from joblib import Parallel, delayed

    # One task a message: what is lost with a worker is what it was doing, and a result is stored when it is there.
    parallel = Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
    found: Iterator[tuple[int, T]] = parallel(delayed(_numbered)(function, n, task) for n, task in dict(todo).items())
    return found


def _numbered(function: Callable[..., T], number: int, task: tuple[Any, ...]) -> tuple[int, T]:
    return number, function(*task)


def _broken() -> type[Exception]:
    from concurrent.futures.process import BrokenProcessPool

    return BrokenProcessPool  # loky's TerminatedWorkerError is one


def _configured(backend: str, scheduler: str | None, stack: ExitStack) -> Any:
    """Give joblib's context for a backend by name; say what is missing for it."""
    from joblib import parallel_config

    if backend == "dask":
        return parallel_config(backend="dask", client=_dask_client(scheduler, stack))
    if scheduler is not None:
        raise UsageError(f"a scheduler's address goes with the backend 'dask', not with '{backend}'")
    if backend == "ray":
        _register_ray()
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
