"""One run of a solver: its generator, budget, incumbent, trace, observers and checkpoints."""

from __future__ import annotations

import copy
import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Budget, Stopped
from swarmkit.contract.errors import Interrupted, Refusal, SolverError, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress, Trace
from swarmkit.contract.result import Result
from swarmkit.contract.solver import GRAIN, UNLIMITED, Found, Left, Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import evaluate, judge, validate
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.failures import plugin_code
from swarmkit.running.checkpoint import Checkpoint, Snapshot, check_content, read, remake_problem, save
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.interrupt import deferred_interrupt
from swarmkit.running.observers import Observers
from swarmkit.running.polishing import Polishing, polishing_budget, prepare_polishing, search_budget

TOLERANCE = 1e-6
"""How far a solver's score may differ from the problem's, relative to its size: running sums gather rounding errors."""

ROUNDING = 1e-9
"""A bound this close to the best score, relative to its size, is reached: summing in another order changes as much."""

STEP_SECONDS = 0.03
"""A step is asked to pause after about so many seconds: limits on seconds are kept, and Ctrl-C is heard in time."""


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

    @plugin_code()
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
        self._restored: Checkpoint | None = None
        """The checkpoint that the next step continues."""
        self._warned = False
        """Whether a checkpoint that could not be written was reported."""
        self._pace = UNLIMITED
        """The looks that fit into STEP_SECONDS, as measured in the last step."""

    @plugin_code()
    def go(self, looks: int | None = None, polish_looks: int | None = None) -> Result:
        """Run to the end of the budget, and return the result.

        Args:
            looks: run for this number of looks instead of the budget: a replay.
            polish_looks: polish for this number of looks, likewise.

        Raises:
            Interrupted: Ctrl-C was pressed; the exception contains the result so far.
        """
        preparing = time.perf_counter()
        self.solver.prepare(self.problem)
        prepare_polishing(self.problem, self.spec)
        self.setup_seconds += time.perf_counter() - preparing
        if not self.progress.started:
            self.progress.setup_evaluations += self.problem.evaluations - self.problem.meter.reported
        self.problem.meter.recall(self.progress.row, self.progress.row_score)
        begun = time.perf_counter() - self.progress.seconds
        saved = float("-inf") if self._restored is None else time.perf_counter()
        self._observers.notify("swarmkit_started", run=self)
        with deferred_interrupt() as interrupted:
            try:
                if not self.progress.started:
                    self._start()
                while not (stopped := self._stopped(looks, interrupted)):
                    if self._checkpoint and time.perf_counter() - saved >= self._every:
                        self._save_or_warn(self._checkpoint)
                        saved = time.perf_counter()
                    self._step(looks, begun)
                if self._checkpoint:
                    self._save_or_warn(self._checkpoint)
            except KeyboardInterrupt:  # a second Ctrl-C, in the middle of a step: the state is not saved
                if not interrupted():
                    raise
                stopped, self.progress.seconds = "interrupted", time.perf_counter() - begun
                self._claim_scored_row()
            finally:
                self.solver.stop()
            result = self._conclude(stopped, polish_looks, interrupted)
        self._observers.notify("swarmkit_finished", run=self, result=result)
        if interrupted():  # in the last step of a run, too: the user wants to stop the runs that follow
            raise Interrupted(result)
        return result

    def _claim_scored_row(self) -> None:
        """Take the best solution that the problem has scored since the last mark, as the step did not report any."""
        row, score = self.problem.meter.best
        if row is not None and score is not None and row.shape == (len(self.problem.sizes),):
            self._claim(row, score)

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
        run.progress, generator, run.setup_seconds, run.state = found.snapshot(run.solver, run.problem)
        run.rng.bit_generator.state = generator
        run._restored = found
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
            caption=self.problem.caption,
            answer=[] if best is None else [dict(row) for row in self.problem.describe(best)],
            looks=progress.looks,
            evaluations=progress.evaluations,
            setup_evaluations=progress.setup_evaluations,
            iterations=progress.iterations,
            tables=not self.problem.structure.black_box,
            steps=progress.steps,
            seconds=progress.seconds,
            setup_seconds=self.setup_seconds,
            stopped=stopped,
            trace=self._whole_trace(progress),
            explanation=None if self.state is None else self.solver.explain(self.problem, self.state),
            evaluation_seconds=self.problem.evaluation_seconds,
        )

    def _whole_trace(self, progress: Progress) -> Trace:
        """Return the trace with the best score as its last point, whether a mark has been reached since or not."""
        trace = progress.trace
        if progress.score is not None and (not trace.score or progress.score > trace.score[-1]):
            trace = copy.deepcopy(trace)
            trace.add(progress, progress.score)
        return trace

    def _conclude(self, stopped: Stopped, polish_looks: int | None, interrupted: Callable[[], bool]) -> Result:
        """Return the result, with the last claim accepted and polished; the run stays as it is and can be resumed."""
        kept, self.progress = self.progress, copy.deepcopy(self.progress)
        try:
            with self._counting():
                better = self._accept()
                self._use_provisional_solution()
            if better:
                self._observers.notify("swarmkit_improved", run=self)
            polish = self.spec.polish != "none" and not interrupted()
            looks = {
                "polish_looks": self._polish(polish_looks, interrupted) if polish else 0,
                "search_looks": kept.looks,
            }
            self.problem.meter.reported = self.problem.evaluations
            return self.result(stopped).model_copy(update=looks)
        finally:
            self.progress = kept

    def _polish(self, looks: int | None, interrupted: Callable[[], bool]) -> int:
        """Improve the incumbent by local search until a limit of the run is reached, and return the looks.

        Args:
            looks: polish for this number of looks instead: a replay.
            interrupted: whether Ctrl-C was pressed.
        """
        progress, begun = self.progress, time.perf_counter() - self.progress.seconds
        if progress.best is None or looks == 0:
            return 0
        progress.trace = self._whole_trace(progress)
        self._pace = GRAIN // 100  # that of the search may be much faster
        polishing, limits = Polishing(self.problem, progress.best, self.spec), polishing_budget(self.spec)
        while not polishing.finished and not interrupted():
            if limits.spent(progress) if looks is None else polishing.looks >= looks:
                break
            room = self._left_of(limits) if looks is None else Left(min(looks - polishing.looks, self._pace))
            before = time.perf_counter()
            with self._counting():
                used = polishing.go_on(room)
                progress.reported_looks += used
            progress.seconds = time.perf_counter() - begun
            self._measure_pace(used, time.perf_counter() - before)
        if polishing.looks == 0:  # there was nothing left for it
            return 0
        with self._counting():
            self._claim(*polishing.found())
            better = self._accept()
        if better and progress.score is not None:
            progress.trace.add(progress, progress.score)
        return polishing.looks

    def _step(self, looks: int | None, begun: float) -> None:
        """Let the solver make a step, and book what it found and what it cost."""
        progress, before, looked = self.progress, time.perf_counter(), self.progress.looks
        with self._counting():
            found = self._advance(self._left(looks))
            self._record(found)
        better = False
        if progress.looks >= progress.mark or found.done or found.bound is not None:
            with self._counting():
                better = self._accept()
        if found.bound is not None:
            progress.bound = self._tightest_bound(float(found.bound))
        now = time.perf_counter()
        progress.seconds = now - begun
        self._measure_pace(progress.looks - looked, now - before)
        if better:
            self._observers.notify("swarmkit_improved", run=self)
        if progress.reach_mark(GRAIN):
            self._trace()
            self.problem.meter.clear()
        progress.row, progress.row_score = self.problem.meter.best
        self._observers.notify("swarmkit_stepped", run=self)

    def _advance(self, left: Left) -> Found:
        """Let the solver make a step; one that fails with a restored state says that the checkpoint does not fit."""
        restored, self._restored = self._restored, None
        try:
            return self.solver.advance(self.problem, self.state, self.rng, left)
        except Exception as error:
            if restored is None:
                raise
            raise restored.misfit(f"its first step fails ({type(error).__name__}: {error})") from error

    def _save_or_warn(self, path: Path) -> None:
        """Write a checkpoint; if that fails once the work has begun (a full disk), warn once and go on."""
        try:
            self.save(path)
        except UsageError as error:
            if not self.progress.steps and not path.parent.is_dir():
                raise
            if not self._warned:
                message = f"{error}; the run goes on without this checkpoint"
                warnings.warn(message, RuntimeWarning, stacklevel=2)
            self._warned = True

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Book the rows that are scored inside, and the looks: n for each row where nothing but a score is known."""
        progress, rows, cost = self.progress, self.problem.evaluations, self.problem.evaluation_looks
        try:
            yield
        finally:  # Ctrl-C may end a step
            progress.evaluations += self.problem.evaluations - rows
            progress.row_looks += self.problem.evaluation_looks - cost
            progress.looks = max(progress.reported_looks, progress.row_looks)

    def _measure_pace(self, looks: int, seconds: float) -> None:
        self._pace = max(1, int(looks / max(seconds, 1e-6) * STEP_SECONDS))

    def _left(self, looks: int | None) -> Left:
        """Return what the next step may use: up to the next mark, an observer's pause or a limit, for a short time."""
        left = self._left_of(search_budget(self.spec) if looks is None else Budget(looks=looks))
        pause = min(self.progress.mark, self._observers.pause_at(self))
        return left._replace(looks=max(1, min(left.looks, pause - self.progress.looks)))

    def _left_of(self, limits: Budget) -> Left:
        """Return what is left of some limits, for a short time."""
        progress = self.progress
        iterations = [limit for limit in (limits.iterations, self._patience(limits)) if limit is not None]
        return Left(
            looks=max(1, min((limits.looks or UNLIMITED) - progress.looks, self._pace)),
            evaluations=max(1, (limits.evaluations or UNLIMITED) - progress.evaluations),
            iterations=max(1, min(iterations, default=UNLIMITED) - progress.iterations),
            seconds=(limits.seconds or math.inf) - progress.seconds,
        )

    def _patience(self, limits: Budget) -> int | None:
        """Return the iteration at which patience ends if nothing improves before."""
        return None if limits.patience is None else self.progress.improved_at + limits.patience

    def _start(self) -> None:
        if all(size == 1 for size in self.problem.sizes):
            # There is only one solution (the empty one of an empty problem), so there is nothing to search for.
            only = np.zeros((1, len(self.problem.sizes)), np.int64)
            score = float(evaluate(self.problem, only)[0])
            self._record(Found(only[0], score, looks=0, iterations=0, done=True))
            self._accept()
            self.progress.bound = self._tightest_bound(score)
            self._trace()
        else:
            with self._counting():
                self.state = self.solver.start(self.problem, self.rng)
            self.progress.reach_mark(GRAIN)
            self.progress.row, self.progress.row_score = self.problem.meter.best
        self.progress.started = True

    def _use_provisional_solution(self) -> None:
        """If the run ended before every part had its turn, take random solutions of the others (after it was saved)."""
        if self.progress.best is None and isinstance(self.solver, PartwiseSolver) and self.state is not None:
            x = self.solver.provisional_solution(self.problem, self.state)
            if x is not None and judge(self.problem, x[None])[0]:
                self.progress.best, self.progress.score = x, float(evaluate(self.problem, x[None])[0])

    def _stopped(self, looks: int | None, interrupted: Callable[[], bool]) -> Stopped | None:
        if self.progress.done:
            return "done"
        if interrupted():
            return "interrupted"
        if looks is not None:
            return "done" if self.progress.looks >= looks else None
        return search_budget(self.spec).spent(self.progress) if self.progress.steps else None

    def _record(self, found: Found) -> None:
        """Add a step to the progress."""
        progress = self.progress
        if found.looks < (not (found.done or self.solver.waits)) or found.iterations < 0:
            raise SolverError(f"solver '{self.spec.solver}' took a step of {found.looks} looks; at least 1 is expected")
        progress.reported_looks += int(found.looks)
        progress.iterations += int(found.iterations)
        progress.steps += 1
        progress.done = bool(found.done)
        if found.solution is not None and found.score is not None:
            self._claim(found.solution, float(found.score))

    def _claim(self, solution: Solutions, score: float) -> None:
        """Keep a reported improvement until the next mark.

        It is scored again there: the rows that are scored do not depend on where else a run was cut.
        """
        progress = self.progress
        if any(known is not None and not score > known for known in (progress.score, progress.claimed)):
            return
        x = np.array(solution, dtype=np.int64, copy=True)
        if judge(self.problem, x[None])[0]:
            progress.claim, progress.claimed = x, score

    def _accept(self) -> bool:
        """Score the best claim since the last mark again, keep it if it is an improvement, and return whether it is."""
        progress = self.progress
        x, claimed = progress.claim, progress.claimed
        progress.claim = progress.claimed = None
        if x is None or claimed is None or (progress.best is not None and np.array_equal(x, progress.best)):
            return False  # summed in another order, the same solution may have a slightly higher score
        score = self._rescored(x, claimed)
        if progress.score is not None and score <= progress.score:
            return False
        progress.best, progress.score = x, score
        return True

    def _tightest_bound(self, bound: float) -> float:
        """Return the lower of a new bound and the bound so far; a bound below the best score is an error."""
        score, known = self.progress.score, self.progress.bound
        if score is not None and abs(bound - score) <= ROUNDING * max(1.0, abs(score)):
            return score
        if score is not None and bound < score:
            raise SolverError(f"solver '{self.spec.solver}' claimed a bound of {bound}; there is a score of {score}")
        return bound if known is None else min(known, bound)

    def _rescored(self, x: Solutions, claimed: float) -> float:
        """Return the problem's score of a solution; a wrong claim is an error."""
        known = self.problem.meter.score_of(x)
        score = float(evaluate(self.problem, x[None])[0]) if known is None else known
        if not abs(score - claimed) <= TOLERANCE * max(1.0, abs(score)):
            raise SolverError(f"solver '{self.spec.solver}' claimed a score of {claimed}; the problem says {score}")
        return score

    def _trace(self) -> None:
        """Add the best score to the trace if it is better than at the last mark."""
        progress = self.progress
        if progress.score is not None and (progress.traced is None or progress.score > progress.traced):
            progress.traced, progress.improved_at = progress.score, progress.iterations
            progress.trace.add(progress, progress.score)
