"""One run of a solver: its generator, budget, incumbent, trace, observers and checkpoints."""

from __future__ import annotations

import copy
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Interrupted, Refusal, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import CLOSEST, ROWS, Progress
from swarmkit.contract.result import Result
from swarmkit.contract.searched import complete, searched_problem
from swarmkit.contract.solver import GRAIN, Found, Left, Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import judge, validate
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.failures import plugin_code
from swarmkit.running.checkpoint import Checkpoint, Snapshot, check_content, read, remake_problem, save
from swarmkit.running.claims import Claims, add_to_trace
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.interrupt import deferred_interrupt
from swarmkit.running.observers import Observers
from swarmkit.running.outcome import make_result
from swarmkit.running.pacing import Pace, Unpaced
from swarmkit.running.polishing import polish_answer, prepare_polishing, search_budget
from swarmkit.running.starting import start_run


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
        self._claims = Claims(self.maximised, self.searched, spec.solver)
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
                    self.state = start_run(self.solver, self.searched, self._claims, self.spec, self.rng, self.progress)
                    self.progress.reach_mark(GRAIN, self._closest)
                    self.progress.started = True
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

    def ignore_clock(self) -> None:
        """Let steps be as long as limits and marks say, whatever their time: the same steps on every machine."""
        self._pace = Unpaced()

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

    def result(self, stopped: str) -> Result:
        """Return the result of the run as it is."""
        explanation = None if self.state is None else self.solver.explain(self.searched, self.state)
        made = make_result(self.spec, self.problem, self.progress, stopped)
        return made.model_copy(update={"setup_seconds": self.setup_seconds, "explanation": explanation})

    def _conclude(self, stopped: str, polish_looks: int | None, interrupted: Callable[[], bool]) -> Result:
        """Return the result, with the last claim accepted and polished; the run stays as it is and can be resumed."""
        kept, self.progress = self.progress, copy.deepcopy(self.progress)
        try:
            with self._claims.counting(self.progress):
                better = self._claims.accept(self.progress)
                self._use_provisional_solution()
            if better:
                self._observers.notify("swarmkit_improved", run=self)
            polish = self.spec.polish != "none" and not interrupted()
            polished = 0
            if polish:
                polished = polish_answer(self._claims, self.spec, self.progress, polish_looks, interrupted)
            looks = {"polish_looks": polished, "search_looks": kept.looks}
            self.problem.meter.reported = self.problem.evaluations
            return self.result(stopped).model_copy(update=looks)
        finally:
            self.progress = kept

    def _step(self, looks: int | None, begun: float) -> None:
        """Let the solver make a step, and book what it found and what it cost."""
        progress, before, looked = self.progress, time.perf_counter(), self.progress.looks
        with self._claims.counting(self.progress):
            limits = search_budget(self.spec) if looks is None else Budget(looks=looks)
            pause = min(progress.mark, self._observers.pause_at(self))
            found = self._advance(self._pace.left_before(pause, limits, progress))
            self._record(found)
        better = False
        if progress.looks >= progress.mark or found.done or found.bound is not None:
            with self._claims.counting(self.progress):
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

    @property
    def _closest(self) -> int:
        """The fewest looks between two marks."""
        return max(CLOSEST, ROWS * len(self.problem.sizes)) if self.problem.structure.black_box else CLOSEST

    @property
    def _looks_at_once(self) -> int:
        """The looks that several processes do at the same time; 1 if this process does all."""
        rows = self.problem.meter.at_once
        return 1 if rows == 1 else rows * len(self.problem.sizes)

    def _use_provisional_solution(self) -> None:
        """If the run ended before every part had its turn, take random solutions of the others (after it was saved)."""
        if self.progress.best is None and isinstance(self.solver, PartwiseSolver) and self.state is not None:
            x = self.solver.provisional_solution(self.searched, self.state)
            if x is not None:
                X = complete(self.searched, x[None])
                if judge(self.maximised, X)[0]:
                    self._claims.take(self.progress, X)

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
            self._claims.claim_found(self.progress, found.solution, float(found.score))
