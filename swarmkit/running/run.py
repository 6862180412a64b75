"""The harness: owns the generator, the budget, the incumbent, the trace and the watchers of one run."""

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
from swarmkit.running.checkpoint import Snapshot, read, remake_problem, same_content, save
from swarmkit.running.decomposition import ByParts
from swarmkit.running.interrupt import deferred_interrupt
from swarmkit.running.observers import Watch
from swarmkit.search.local_search import Kind, local_search

TOLERANCE = 1e-6
"""How far a claimed score may lie from the problem's own, relative to its size: sums kept up to date drift a little."""


ROUNDING = 1e-9
"""A bound this near the best score, relative to its size, is met: sums in another order differ that much."""

POLISH = 0x706F6C697368
"""Beside the run's seed, the seed of polishing: it draws from a generator of its own."""


class Run:
    """One run of a solver on a problem; `go` runs it to the end of its budget."""

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
        if problem.parts and not isinstance(solver, ByParts):
            solver = ByParts(solver)
        reason = solver.refuses(problem)
        if reason:
            raise Refusal(spec.solver, spec.problem, reason)
        self.problem, self.solver, self.spec = problem, solver, spec
        self.rng = np.random.Generator(np.random.PCG64(spec.seed))
        self.progress = Progress()
        self.state: Any = None
        self.setup_seconds = setup_seconds
        self._watch = Watch(observers)
        self._checkpoint, self._every = checkpoint, every

    def go(self, steps: int | None = None) -> Result:
        """Run to the end of the budget, or (a replay) for so many steps; Ctrl-C raises `Interrupted` with the best."""
        preparing = time.perf_counter()
        self.solver.prepare(self.problem)
        self.setup_seconds += time.perf_counter() - preparing
        begun = time.perf_counter() - self.progress.seconds
        saved = float("-inf")
        self._watch.tell("swarmkit_started", run=self)
        with deferred_interrupt() as interrupted:
            if self.progress.steps == 0 and not self.progress.done:
                self._start()
            while not (stopped := self._stopped(steps, interrupted)):
                if self._checkpoint and time.perf_counter() - saved >= self._every:
                    self.save(self._checkpoint)
                    saved = time.perf_counter()
                better = self._take(self.solver.step(self.problem, self.state, self.rng))
                self.progress.seconds = time.perf_counter() - begun
                if better:
                    self._note()
                self._watch.tell("swarmkit_stepped", run=self)
            if self._checkpoint:
                self.save(self._checkpoint)
        self._make_do()
        result = self.result(stopped)
        if self.spec.polish != "none" and not interrupted():
            result = self._polished(result)
        self._watch.tell("swarmkit_finished", run=self, result=result)
        if interrupted():  # in the last step of a run, too: it was meant for those that follow
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
        """Return the run of a checkpoint; what was made in Python is given again, what was made by name is made anew."""
        found = read(path)
        spec = found.spec
        if problem is None:
            problem = remake_problem(spec, f"{path}")
        same_content(spec, problem, f"{path}")
        solver = make_solver(spec.solver, **spec.params) if solver is None else solver
        if solver.params.model_dump(mode="json") != spec.params:
            raise UsageError(f"{path}: written with the parameters {spec.params}, not with those of {solver!r}")
        run = cls(problem, solver, spec, observers=observers, checkpoint=path, every=every)
        run.progress, generator, run.setup_seconds, run.state = found.snapshot(run.solver)
        run.rng.bit_generator.state = generator
        return run

    def result(self, stopped: Stopped, progress: Progress | None = None) -> Result:
        """Sum the run up as it stands (or as it would, with other progress)."""
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
        """Improve the answer by local search; the run itself stays as it is, so that it can be taken up again."""
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
            # One solution is all there is (an empty problem has the empty one): nothing to search for.
            only = np.zeros((1, len(self.problem.sizes)), np.int64)
            score = float(evaluate(self.problem, only)[0])
            self._take(Found(only[0], score, looks=0, iterations=0, done=True, bound=score))
            if self.progress.best is not None:
                self._note()
        else:
            self.state = self.solver.start(self.problem, self.rng)

    def _make_do(self) -> None:
        """Give a run that ended before every part had its turn the best that can be joined (after it was saved)."""
        if self.progress.best is None and isinstance(self.solver, ByParts) and self.state is not None:
            x = self.solver.makeshift(self.problem, self.state)
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

    def _take(self, found: Found) -> bool:
        """Book a step, and tell whether it bettered the best; a claimed improvement is scored again."""
        progress = self.progress
        if found.looks < (not found.done) or found.iterations < 0:
            raise SolverError(f"solver '{self.spec.solver}' took a step of {found.looks} looks; at least 1 is expected")
        progress.looks += int(found.looks)
        progress.iterations += int(found.iterations)
        progress.steps += 1
        progress.done = bool(found.done)
        better = self._better(found)
        if found.bound is not None:
            progress.bound = self._sound(float(found.bound))
        return better

    def _better(self, found: Found) -> bool:
        """Keep a claimed improvement if it is one."""
        progress = self.progress
        if found.solution is None or found.score is None:
            return False
        if progress.score is not None and not found.score > progress.score:
            return False
        x = np.array(found.solution, dtype=np.int64, copy=True)
        if progress.best is not None and np.array_equal(x, progress.best):
            return False  # summed up in another order, the same solution may claim a little more than it was given
        score = self._rescored(x, float(found.score))
        if score is None or (progress.score is not None and score <= progress.score):
            return False
        progress.best, progress.score = x, score
        progress.improved_at = progress.iterations
        return True

    def _sound(self, bound: float) -> float:
        """Give the bound that holds now; one that the best found has passed is no bound."""
        score, known = self.progress.score, self.progress.bound
        if score is not None and abs(bound - score) <= ROUNDING * max(1.0, abs(score)):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self.spec.solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if known is None else min(known, bound)

    def _rescored(self, x: Solutions, claimed: float) -> float | None:
        """Give the problem's own score of a claimed improvement; None if it is not feasible."""
        if not judge(self.problem, x[None])[0]:
            return None
        score = float(evaluate(self.problem, x[None])[0])
        if not abs(score - claimed) <= TOLERANCE * max(1.0, abs(score)):
            raise SolverError(f"solver '{self.spec.solver}' claimed a score of {claimed}; the problem says {score}")
        return score

    def _note(self) -> None:
        progress = self.progress
        assert progress.score is not None  # noqa: S101  (for the type checker: it has just been set)
        progress.trace.add(progress.looks, progress.iterations, progress.seconds, progress.score)
        self._watch.tell("swarmkit_improved", run=self)
