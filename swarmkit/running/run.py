"""One run of a solver: its generator, budget, incumbent, trace, observers and checkpoints."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Stopped
from swarmkit.contract.errors import Interrupted, Refusal, SolverError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Found, Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import evaluate, judge, validate
from swarmkit.plugins.factory import make_solver
from swarmkit.running.checkpoint import Snapshot, check_content, read, remake_problem, save
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.interrupt import deferred_interrupt
from swarmkit.running.observers import Observers
from swarmkit.search.local_search import Kind, local_search

TOLERANCE = 1e-6
"""How far a solver's score may differ from the problem's, relative to its size: running sums gather rounding errors."""

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached: summing in another order changes as much."""

POLISH = 0x706F6C697368
"""Seeds the generator of polishing, together with the run's seed: polishing does not draw from the run's generator."""


class Run:
    """One run of a solver on a problem; `go` runs it to the end of its budget.

    Args:
        problem: the problem to solve.
        solver: the solver; on a problem with parts it is applied to each of them.
        spec: what is run; its seed and budget are used here.
        observers: objects that are notified of events (see `Observers`).
        checkpoint: the file for checkpoints; None for none.
        every: seconds between two checkpoints.
        setup_seconds: time spent on building the problem, for the result.
    """

    def __init__(
        self,
        problem: Problem,
        solver: Solver[Any],
        spec: Spec,
        *,
        observers: Sequence[object] = (),
        checkpoint: Path | None = None,
        every: float = 5.0,
        setup_seconds: float = 0.0,
    ) -> None:
        validate(problem)
        if problem.parts and not isinstance(solver, PartwiseSolver):
            solver = PartwiseSolver(solver)
        reason = solver.refuses(problem)
        if reason:
            raise Refusal(spec.solver, spec.problem, reason)
        self.problem, self.solver, self.spec = problem, solver, spec
        self.rng = np.random.Generator(np.random.PCG64(spec.seed))
        self.progress = Progress()
        self.state: Any = None
        self.setup_seconds = setup_seconds
        self._observers = Observers(observers)
        self._checkpoint, self._every = checkpoint, every

    def go(self, steps: int | None = None) -> Result:
        """Run to the end of the budget, and return the result.

        Args:
            steps: run for this number of steps instead of the budget: a replay.

        Raises:
            Interrupted: Ctrl-C was pressed; the exception contains the result so far.
        """
        preparing = time.perf_counter()
        self.solver.prepare(self.problem)
        self.setup_seconds += time.perf_counter() - preparing
        begun = time.perf_counter() - self.progress.seconds
        saved = float("-inf")
        self._observers.notify("swarmkit_started", run=self)
        with deferred_interrupt() as interrupted:
            if self.progress.steps == 0 and not self.progress.done:
                self._start()
            while not (stopped := self._stopped(steps, interrupted)):
                if self._checkpoint and time.perf_counter() - saved >= self._every:
                    self.save(self._checkpoint)
                    saved = time.perf_counter()
                better = self._record(self.solver.step(self.problem, self.state, self.rng))
                self.progress.seconds = time.perf_counter() - begun
                if better:
                    self._trace_improvement()
                self._observers.notify("swarmkit_stepped", run=self)
            if self._checkpoint:
                self.save(self._checkpoint)
        self._use_provisional_solution()
        result = self.result(stopped)
        if self.spec.polish != "none" and not interrupted():
            result = self._polished(result)
        self._observers.notify("swarmkit_finished", run=self, result=result)
        if interrupted():  # in the last step of a run, too: the user wants to stop the runs that follow
            raise Interrupted(result)
        return result

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        generator = self.rng.bit_generator.state
        save(path, self.spec, self.solver, Snapshot(self.progress, generator, self.setup_seconds, self.state))

    @classmethod
    def restore(
        cls,
        path: Path,
        problem: Problem | None = None,
        solver: Solver[Any] | None = None,
        *,
        observers: Sequence[object] = (),
        every: float = 5.0,
    ) -> Run:
        """Return the run of a checkpoint.

        Args:
            path: the checkpoint, which the continued run writes to as well.
            problem: the problem; needed if it was made in Python, and made again from its name otherwise.
            solver: the solver, likewise.
            observers: objects that are notified of events.
            every: seconds between two checkpoints.
        """
        found = read(path)
        spec = found.spec
        if problem is None:
            problem = remake_problem(spec, f"{path}")
        check_content(spec, problem, f"{path}")
        solver = make_solver(spec.solver, **spec.params) if solver is None else solver
        if solver.params.model_dump(mode="json") != spec.params:
            raise UsageError(f"{path}: written with the parameters {spec.params}, not with those of {solver!r}")
        run = cls(problem, solver, spec, observers=observers, checkpoint=path, every=every)
        run.progress, generator, run.setup_seconds, run.state = found.snapshot(run.solver)
        run.rng.bit_generator.state = generator
        return run

    def result(self, stopped: Stopped, progress: Progress | None = None) -> Result:
        """Return the result of the run as it is, or with another progress."""
        progress = progress or self.progress
        best = progress.best
        return Result(
            **dict(self.spec),
            solution=None if best is None else [int(candidate) for candidate in best],
            score=progress.score,
            bound=progress.bound,
            metrics={} if best is None else {name: float(v) for name, v in self.problem.metrics(best).items()},
            answer=[] if best is None else [dict(row) for row in self.problem.describe(best)],
            looks=progress.looks,
            iterations=progress.iterations,
            steps=progress.steps,
            seconds=progress.seconds,
            setup_seconds=self.setup_seconds,
            stopped=stopped,
            trace=progress.trace,
        )

    def _polished(self, result: Result) -> Result:
        """Return the result improved by local search; the run itself stays as it is, so that it can be resumed."""
        if self.progress.best is None:
            return result
        begun = time.perf_counter()
        rng = np.random.Generator(np.random.PCG64([self.spec.seed, POLISH]))
        improved = local_search(self.problem, self.progress.best[None], cast(Kind, self.spec.polish), rng)
        run = copy.deepcopy(self.progress)
        run.looks += improved.looks
        run.seconds += time.perf_counter() - begun
        x, score = improved.solutions[0], self._rescored(improved.solutions[0], float(improved.scores[0]))
        if score is not None and run.score is not None and score > run.score:
            run.best, run.score = x, score
            run.trace.add(run.looks, run.iterations, run.seconds, score)
        return self.result(result.stopped, run)

    def _start(self) -> None:
        if all(size == 1 for size in self.problem.sizes):
            # There is only one solution (the empty one of an empty problem), so there is nothing to search for.
            only = np.zeros((1, len(self.problem.sizes)), np.int64)
            score = float(evaluate(self.problem, only)[0])
            self._record(Found(only[0], score, looks=0, iterations=0, done=True, bound=score))
            if self.progress.best is not None:
                self._trace_improvement()
        else:
            self.state = self.solver.start(self.problem, self.rng)

    def _use_provisional_solution(self) -> None:
        """If the run ended before every part had its turn, take random solutions of the others (after it was saved)."""
        if self.progress.best is None and isinstance(self.solver, PartwiseSolver) and self.state is not None:
            x = self.solver.provisional_solution(self.problem, self.state)
            if x is not None and judge(self.problem, x[None])[0]:
                self.progress.best, self.progress.score = x, float(evaluate(self.problem, x[None])[0])

    def _stopped(self, steps: int | None, interrupted: Callable[[], bool]) -> Stopped | None:
        if self.progress.done:
            return "done"
        if interrupted():
            return "interrupted"
        if steps is not None:
            return "done" if self.progress.steps >= steps else None
        return self.spec.budget.spent(self.progress) if self.progress.steps else None

    def _record(self, found: Found) -> bool:
        """Add a step to the progress, and return whether it improved the best solution."""
        progress = self.progress
        if found.looks < (not found.done) or found.iterations < 0:
            raise SolverError(f"solver '{self.spec.solver}' took a step of {found.looks} looks; at least 1 is expected")
        progress.looks += int(found.looks)
        progress.iterations += int(found.iterations)
        progress.steps += 1
        progress.done = bool(found.done)
        better = self._accept(found)
        if found.bound is not None:
            progress.bound = self._tightest_bound(float(found.bound))
        return better

    def _accept(self, found: Found) -> bool:
        """Keep a reported improvement, scored again, if it is one; return whether it is."""
        progress = self.progress
        if found.solution is None or found.score is None:
            return False
        if progress.score is not None and not found.score > progress.score:
            return False
        x = np.array(found.solution, dtype=np.int64, copy=True)
        if progress.best is not None and np.array_equal(x, progress.best):
            return False  # summed in another order, the same solution may have a slightly higher score
        score = self._rescored(x, float(found.score))
        if score is None or (progress.score is not None and score <= progress.score):
            return False
        progress.best, progress.score = x, score
        progress.improved_at = progress.iterations
        return True

    def _tightest_bound(self, bound: float) -> float:
        """Return the lower of a new bound and the bound so far; a bound below the best score is an error."""
        score, known = self.progress.score, self.progress.bound
        if score is not None and abs(bound - score) <= ROUNDING * max(1.0, abs(score)):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self.spec.solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if known is None else min(known, bound)

    def _rescored(self, x: Solutions, claimed: float) -> float | None:
        """Return the problem's score of a solution, None if it is infeasible; a wrong claim is an error."""
        if not judge(self.problem, x[None])[0]:
            return None
        score = float(evaluate(self.problem, x[None])[0])
        if not abs(score - claimed) <= TOLERANCE * max(1.0, abs(score)):
            raise SolverError(f"solver '{self.spec.solver}' claimed a score of {claimed}; the problem says {score}")
        return score

    def _trace_improvement(self) -> None:
        progress = self.progress
        assert progress.score is not None  # noqa: S101  (for the type checker: it has just been set)
        progress.trace.add(progress.looks, progress.iterations, progress.seconds, progress.score)
        self._observers.notify("swarmkit_improved", run=self)
