"""One run of a solver: its generator, budget, incumbent, trace, observers and checkpoints."""

from __future__ import annotations

import copy
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Interrupted, Refusal, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import CLOSEST, ROWS, Progress, Trace
from swarmkit.contract.result import Result
from swarmkit.contract.searched import complete, restrict, searched_problem
from swarmkit.contract.solver import GRAIN, Found, Left, Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import evaluate, judge, validate
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.failures import plugin_code
from swarmkit.running.checkpoint import Checkpoint, Snapshot, check_content, read, remake_problem, save
from swarmkit.running.claims import Claims, add_to_trace
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.interrupt import deferred_interrupt
from swarmkit.running.observers import Observers
from swarmkit.running.pacing import Pace
from swarmkit.running.polishing import Polishing, polishing_budget, prepare_polishing, search_budget


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
        self.problem, self.spec = problem, spec
        """The problem as it was given: answers are solutions of it."""
        self.maximised = searched_problem(problem)
        """The same, its score maximised: progress and results have its scores."""
        self.searched = searched_problem(problem, spec.fixed)
        """The problem that the solver sees: without the fixed stages."""
        if problem.parts and not isinstance(solver, PartwiseSolver):
            solver = PartwiseSolver(solver)
        decided = spec.fixed and all(size == 1 for size in self.searched.sizes)
        reason = None if decided else solver.refuses(self.searched)
        if reason:
            raise Refusal(spec.solver, spec.problem, reason)
        self.solver = solver
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
        self._pace = Pace()
        self._claims = Claims(self.maximised, spec.solver)
        self._stopped_by_observer = ""
        """Why an observer has stopped the run, in its words."""

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
        self.solver.prepare(self.searched)
        prepare_polishing(self.searched, self.spec)
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
                self._claims.claim_scored_row(self.progress)
            finally:
                self.solver.stop()
            result = self._conclude(stopped, polish_looks, interrupted)
        self._observers.notify("swarmkit_finished", run=self, result=result)
        if interrupted():  # in the last step of a run, too: the user wants to stop the runs that follow
            raise Interrupted(result)
        return result

    def stop(self, why: str) -> None:
        """End the run after this step; observers call it.

        Args:
            why: the reason, which the result has as its `stopped`.
        """
        if not isinstance(why, str) or not why.strip():
            raise UsageError('run.stop("why") needs the reason in words')
        self._stopped_by_observer = why

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
        run.progress, generator, run.setup_seconds, run.state = found.snapshot(run.solver, run.maximised, run.searched)
        run.rng.bit_generator.state = generator
        run._restored = found
        return run

    def result(self, stopped: str, progress: Progress | None = None) -> Result:
        """Return the result of the run as it is, or with another progress."""
        progress = progress or self.progress
        best = progress.best
        return Result(
            **dict(self.spec),
            solution=None if best is None else [int(candidate) for candidate in best],
            score=progress.score,
            cost=None if progress.score is None or self.problem.objective == "score" else 0.0 - progress.score,
            objective=self.problem.objective,
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
            explanation=None if self.state is None else self.solver.explain(self.searched, self.state),
            evaluation_seconds=self.problem.evaluation_seconds,
        )

    def _whole_trace(self, progress: Progress) -> Trace:
        """Return the trace with the best score as its last point, whether a mark has been reached since or not."""
        trace = progress.trace
        if progress.score is not None and (not trace.score or progress.score > trace.score[-1]):
            trace = copy.deepcopy(trace)
            trace.add(progress, progress.score)
        return trace

    def _conclude(self, stopped: str, polish_looks: int | None, interrupted: Callable[[], bool]) -> Result:
        """Return the result, with the last claim accepted and polished; the run stays as it is and can be resumed."""
        kept, self.progress = self.progress, copy.deepcopy(self.progress)
        try:
            with self._counting():
                better = self._claims.accept(self.progress)
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
        self._pace = Pace(GRAIN // 100)  # that of the search may be much faster
        answer = restrict(self.searched, progress.best[None])[0]
        polishing, limits = Polishing(self.searched, answer, self.spec), polishing_budget(self.spec)
        while not polishing.finished and not interrupted():
            if limits.spent(progress) if looks is None else polishing.looks >= looks:
                break
            room = (
                self._pace.left_of(limits, progress)
                if looks is None
                else Left(min(looks - polishing.looks, self._pace.looks))
            )
            before = time.perf_counter()
            with self._counting():
                used = polishing.go_on(room)
                progress.reported_looks += used
            progress.seconds = time.perf_counter() - begun
            self._pace.measure(used, time.perf_counter() - before)
        if polishing.looks == 0:  # there was nothing left for it
            return 0
        with self._counting():
            self._claim(*polishing.found())
            better = self._claims.accept(progress)
        if better and progress.score is not None:
            progress.trace.add(progress, progress.score)
        return polishing.looks

    def _step(self, looks: int | None, begun: float) -> None:
        """Let the solver make a step, and book what it found and what it cost."""
        progress, before, looked = self.progress, time.perf_counter(), self.progress.looks
        with self._counting():
            limits = search_budget(self.spec) if looks is None else Budget(looks=looks)
            pause = min(progress.mark, self._observers.pause_at(self))
            found = self._advance(self._pace.left_before(pause, limits, progress))
            self._record(found)
        better = False
        if progress.looks >= progress.mark or found.done or found.bound is not None:
            with self._counting():
                better = self._claims.accept(progress)
        if found.bound is not None:
            progress.bound = self._claims.tightest_bound(progress, float(found.bound))
        now = time.perf_counter()
        progress.seconds = now - begun
        self._pace.measure(progress.looks - looked, now - before, self._looks_at_once)
        if better:
            self._observers.notify("swarmkit_improved", run=self)
        if progress.reach_mark(GRAIN, self._closest):
            add_to_trace(progress)
            self.problem.meter.clear()
        progress.row, progress.row_score = self.problem.meter.best
        self._observers.notify("swarmkit_stepped", run=self)

    def _advance(self, left: Left) -> Found:
        """Let the solver make a step; one that fails with a restored state says that the checkpoint does not fit."""
        restored, self._restored = self._restored, None
        try:
            return self.solver.advance(self.searched, self.state, self.rng, left)
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

    @property
    def _closest(self) -> int:
        """The fewest looks between two marks."""
        return max(CLOSEST, ROWS * len(self.problem.sizes)) if self.problem.structure.black_box else CLOSEST

    @property
    def _looks_at_once(self) -> int:
        """The looks that several processes do at the same time; 1 if this process does all."""
        rows = self.problem.meter.at_once
        return 1 if rows == 1 else rows * len(self.problem.sizes)

    def _start(self) -> None:
        if all(size == 1 for size in self.searched.sizes):
            # There is only one solution (the empty one of an empty problem), so there is nothing to search for.
            only = np.zeros((1, len(self.searched.sizes)), np.int64)
            score = float(evaluate(self.searched, only)[0])
            self._record(Found(only[0], score, looks=0, iterations=0, done=True))
            self._claims.accept(self.progress)
            self.progress.bound = self._claims.tightest_bound(self.progress, score)
            add_to_trace(self.progress)
        else:
            with self._counting():
                self.state = self.solver.start(self.searched, self.rng)
                if self.spec.start:
                    self._inject()
            self.progress.reach_mark(GRAIN, self._closest)
            add_to_trace(self.progress)
            self.progress.row, self.progress.row_score = self.problem.meter.best
        self.progress.started = True

    def _inject(self) -> None:
        """Score the given solutions, make the best of them the incumbent, and hand them to the solver."""
        X = np.array(self.spec.start, np.int64)
        scores = evaluate(self.maximised, X)
        self._claims.take(self.progress, X, scores)
        looks = self.solver.inject(self.searched, self.state, restrict(self.searched, X), scores, self.rng)
        self.progress.reported_looks += X.size + int(looks)

    def _use_provisional_solution(self) -> None:
        """If the run ended before every part had its turn, take random solutions of the others (after it was saved)."""
        if self.progress.best is None and isinstance(self.solver, PartwiseSolver) and self.state is not None:
            x = self.solver.provisional_solution(self.searched, self.state)
            if x is not None:
                X = complete(self.searched, x[None])
                if judge(self.maximised, X)[0]:
                    self._claims.take(self.progress, X, evaluate(self.maximised, X))

    def _stopped(self, looks: int | None, interrupted: Callable[[], bool]) -> str | None:
        if self.progress.done:
            return "done"
        if interrupted():
            return "interrupted"
        if self._stopped_by_observer:
            return self._stopped_by_observer
        if looks is not None:
            return "done" if self.progress.looks >= looks else None
        return search_budget(self.spec).spent(self.progress) if self.progress.steps or self.spec.start else None

    def _record(self, found: Found) -> None:
        """Add a step to the progress."""
        self._claims.record(self.progress, found, self.solver)
        if found.solution is not None and found.score is not None:
            self._claim(found.solution, float(found.score))

    def _claim(self, solution: Solutions, score: float) -> None:
        """Keep a solution of the searched problem as a claim about the whole one."""
        self._claims.claim(self.progress, complete(self.searched, np.asarray(solution)[None])[0], score)
