"""Evaluations of an expensive score on several processes: the rows of a batch are divided among them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.errors import SwarmkitError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.running.parallel import check_jobs, pack
from swarmkit.running.workers import initialise, starter, starting_workers

SHARES = 2
"""Messages to each process for a batch: rows may differ in cost, and a message costs about a millisecond."""


@contextmanager
def evaluated_by(problem: Problem, jobs: int) -> Iterator[float]:
    """Evaluate a problem's score on several processes inside, and yield the seconds that starting them took.

    The order of the scores is that of the rows, so results do not depend on the number of processes.

    Args:
        problem: a problem without tables.
        jobs: the number of processes; 1 is this process, -1 one per core.

    Raises:
        UsageError: the problem has tables, whose solvers do not call `score`, or it cannot be sent to a process.
    """
    check_jobs(jobs)
    if jobs == 1:
        yield 0.0
        return
    if not problem.structure.black_box:
        raise UsageError(
            "--eval-jobs is for problems that are nothing but a score: this one has tables, and solvers read these "
            "instead of calling score. --runs with --jobs makes several runs at once"
        )
    pool = EvaluationPool(problem, os.cpu_count() or 1 if jobs == -1 else jobs)
    start = time.perf_counter()
    meter = problem.meter
    try:
        # Before the clock of the run starts: loading the problem is set-up.
        pool.wait()
        meter.evaluator, meter.at_once = pool.scores, pool.jobs
        yield time.perf_counter() - start
    finally:
        meter.evaluator, meter.at_once = None, 1
        pool.executor.shutdown(wait=True, kill_workers=True)  # whatever they are doing


class EvaluationPool:
    """Processes that have a copy of a problem and score the rows that they are sent.

    Args:
        problem: the problem, which must be possible to pickle (by cloudpickle).
        jobs: the number of processes.
    """

    def __init__(self, problem: Problem, jobs: int) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self.jobs = jobs
        try:
            _send_by_value(type(problem))
            packed = pack(problem)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(f"--eval-jobs: the problem cannot be sent to other processes ({reason})") from error
        with starting_workers():
            self.executor = ProcessPoolExecutor(jobs, initializer=_receive, initargs=(*starter(), packed))

    def wait(self) -> None:
        """Start the processes, and wait until each has the problem."""
        with starting_workers():
            # Several for each process, because an idle one may take two.
            self._outcomes([self.executor.submit(_ready) for _ in range(4 * self.jobs)])

    def scores(self, score: Callable[..., Any], problem: Problem, X: Solutions) -> Any:
        """Return the scores of a batch; of a single row, by this process."""
        # A message costs more than a row is worth waiting for.
        if len(X) < 2:
            return score(problem, X)
        size = -(-len(X) // (SHARES * self.jobs))
        futures = [self.executor.submit(_scores, X[at : at + size]) for at in range(0, len(X), size)]
        return np.concatenate([np.asarray(part) for part in self._outcomes(futures)])

    def _outcomes(self, futures: list[Any]) -> list[Any]:
        try:
            return [future.result() for future in futures]
        except BrokenExecutor:
            raise SwarmkitError(
                "a process that evaluates the score died (out of memory?); fewer --eval-jobs need less"
            ) from None


def _send_by_value(kind: type) -> None:
    """Let other processes receive a class whose module has no file to import it from."""
    from cloudpickle import register_pickle_by_value

    for base in kind.__mro__:
        module = sys.modules.get(base.__module__)
        by_value = module is not None and base.__module__ not in ("__main__", *sys.builtin_module_names)
        if by_value and getattr(module, "__file__", None) is None:
            register_pickle_by_value(module)


_problem: Problem | SwarmkitError | None = None
"""The problem of this process, if it evaluates for another one, or why it could not be received."""


def _receive(parent: int, by_main_thread: bool, packed: bytes) -> None:
    global _problem
    import cloudpickle

    initialise(parent, by_main_thread)
    try:
        _problem = cloudpickle.loads(packed)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        _problem = UsageError(f"--eval-jobs: another process cannot load the problem ({reason})")


def _problem_here() -> Problem:
    if not isinstance(_problem, Problem):
        raise _problem or UsageError("--eval-jobs: the problem was not received")
    return _problem


def _ready() -> None:
    _problem_here()


def _scores(X: Solutions) -> Any:
    return _problem_here().score(X)
