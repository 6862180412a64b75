"""One run of a solver: its generator, budget, incumbent, trace, observers and checkpoints.

`Run.run` is the whole of it: steps, as many at once as fit into a short time, until a limit is reached. A solver knows
no limit. Where a step would go beyond one, the meter ends it (without tables), or it is not counted (with tables), and
the run returns to a copy of state and generator from which it can go on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.contract.budget import Budget
from swarmkit.contract.deprecated import OldRun, warn_of_left
from swarmkit.contract.errors import Interrupted, Refusal, SolverError, UsageError
from swarmkit.contract.meter import StepCut
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import complete, problem_view, restrict
from swarmkit.contract.progress import Progress
from swarmkit.contract.result import Result
from swarmkit.contract.solver import Solver, StepResult, take_steps
from swarmkit.contract.spec import Spec
from swarmkit.contract.validation import judge, validate
from swarmkit.plugins.failures import plugin_code
from swarmkit.running.checkpoint import (
    Checkpoint,
    CheckpointFile,
    Copies,
    Snapshot,
    read,
    remake,
    save,
)
from swarmkit.running.cpu_time import CpuClock
from swarmkit.running.decomposition import PartwiseSolver
from swarmkit.running.interrupts import handled_interrupts, interrupts
from swarmkit.running.metering import Incumbent, Metering
from swarmkit.running.observers import Observers
from swarmkit.running.pacing import Pace, PlanPace
from swarmkit.running.polishing import polish, prepare_polishing, search_budget
from swarmkit.search.compiled_walk import prepare_walk
from swarmkit.search.construction import random_solutions
from swarmkit.search.linear_construction import prepare_rows
from swarmkit.stopping import Criterion, StopFunction, reason_to_stop

NEAR = 8
"""A limit is near when less than this many times the looks of the largest call so far are left."""

REPORTING = 0.3
"""Seconds before a limit of time at which a process outside is asked to report."""

CHECK_SECONDS = 0.005
"""Seconds between two looks at the clock while rows are scored."""


class Run(OldRun):
    """One run of a solver on a problem; `run` runs it to the end of its budget.

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
        warn_of_left(type(solver))
        self.problem, self.spec = problem, spec
        """The problem as it was given: answers are solutions of it."""
        self.maximised = problem_view(problem)
        """The same, its score maximised: progress and results have its scores."""
        self.view = problem_view(problem, spec.fixed)
        """The problem that the solver sees: without the fixed stages."""
        if problem.parts and not isinstance(solver, PartwiseSolver):
            solver = PartwiseSolver(solver)
        # Where every stage is fixed, or there is none, there is nothing to search: a solver is not asked.
        is_fixed = (spec.fixed or len(self.view.sizes) == 0) and all(size == 1 for size in self.view.sizes)
        reason = None if is_fixed else solver.refuses(self.view)
        if reason:
            raise Refusal(spec.solver, spec.problem, reason)
        self.solver = solver
        # PCG64 by name: numpy may change what default_rng uses, and seeds have to reproduce.
        self.rng = np.random.Generator(np.random.PCG64(spec.seed))
        self.progress = Progress()
        self.state: Any = None
        self.setup_seconds = setup_seconds
        self._limits = spec.budget
        self._functions: tuple[StopFunction, ...] = ()
        self._rules: list[StopFunction] = []
        """The stopping criteria: the limits, and functions of the user."""
        self._clock_rules: list[StopFunction] = []
        """Those that are asked in the middle of a step, too."""
        self._incumbent = Incumbent(self.maximised, self.view, spec.solver)
        self._metering = Metering(problem, self.progress, self._between, self._observe)
        # -inf, because the first solution of all is an improvement too.
        self._observers, self._announced_score = Observers(observers), -np.inf
        self._stopped_by_observer = ""
        """Why an observer has stopped the run, in its words."""
        self._start_time = self._next_check = 0.0
        self._cpu_clock: CpuClock
        """Made when the run begins or goes on."""
        self._file = CheckpointFile(checkpoint, every)
        self._checkpoint: Checkpoint | None = None
        """The checkpoint that the next step continues."""
        self._pace, self._copies = Pace(), Copies()
        self._began_stepping = False
        """Whether a step was tried since the run was made."""
        self._in_step = False
        """Whether the solver is changing the state, or was when a limit ended its step."""

    @plugin_code()
    def run(self, looks: int | None = None, polish_looks: int | None = None, evaluations: int | None = None) -> Result:
        """Run to the end of the budget, and return the result.

        Args:
            looks: run for this number of looks instead of the budget: a replay.
            polish_looks: polish for this number of looks, likewise.
            evaluations: where nothing but the score is known, run for this number of evaluations instead of the looks:
                a step that the clock has ended had looks that are not counted yet.

        Raises:
            Interrupted: Ctrl-C was pressed; the exception contains the result so far.
        """
        self._prepare()
        limits = search_budget(self.spec) if looks is None else self._replay_limits(looks, evaluations)
        # A run that goes on has the seconds of before: its limits of time count from the beginning of the run.
        self._start_time = time.perf_counter() - self.progress.seconds
        self._cpu_clock = CpuClock(self.progress.cpu_seconds)
        self._observers.notify("swarmkit_started", run=self)
        with handled_interrupts(tolerance=1):
            try:
                stopped = self._repeat_start() if limits is None else self._search(limits, looks)
            except KeyboardInterrupt:  # a second Ctrl-C, in the middle of a step: the state is not saved
                if not interrupts.count:
                    raise
                stopped = "interrupted"
                self._take_scored_row()
            finally:
                # Whatever ends the search, processes that the solver has started end with it.
                self.solver.stop()
            self._measure_time()
            result = self._conclude(stopped, polish_looks)
            interrupted = interrupts.count > 0
        self._observers.notify("swarmkit_finished", run=self, result=result)
        if interrupted:  # in the last step of a run, too: the user wants to stop the runs that follow
            raise Interrupted(result)
        return result

    def _replay_limits(self, looks: int, evaluations: int | None) -> Budget | None:
        """Return the limits of a replay; None if nothing is to be made."""
        # Gains of the problem's own take looks that no evaluation counts: such a run is replayed by its looks.
        if evaluations and self.problem.structure.black_box and not self.problem.overrides("gains"):
            return Budget(evaluations=evaluations)
        return Budget(looks=looks) if looks else None

    def _repeat_start(self) -> str:
        """Replay a run that had no step: its answer is what was drawn at its end (`_use_provisional_solution`)."""
        provisional = isinstance(self.solver, PartwiseSolver) or self.view.structure.opaque
        if provisional and not self.progress.started:
            with self._metering.attached(Budget()):
                self._start()
        return "done"

    def stop(self, why: str) -> None:
        """End the run after this step; observers call it.

        Args:
            why: the reason, which the result has as its `stopped`.
        """
        if not isinstance(why, str) or not why.strip():
            raise UsageError('run.stop("why") needs the reason in words')
        self._stopped_by_observer = why

    def stop_when(self, functions: Sequence[StopFunction]) -> None:
        """End the run as soon as one of some functions of its progress says so, or returns the reason in words."""
        self._functions = tuple(functions)

    def ignore_clock(self) -> None:
        """Let as many steps be made at once as the plan says, whatever their time: the same calls on every machine."""
        self._pace = PlanPace()

    def save(self, path: Path) -> None:
        """Write a checkpoint: of the last copy and the scores since then, if a step is under way."""
        # In the middle of a step the state is half changed: the last copy and the log of scores stand for it.
        if self._in_step and self._copies.last is not None:
            snapshot = self._copies.take(self._snapshot(self._metering.scores_so_far()))
        else:
            snapshot = self._snapshot(self._metering.unread)
        save(path, self.spec, self.solver, snapshot, self.problem.evaluation_seconds)

    def _snapshot(self, log: Floats) -> Snapshot:
        """Return what changes in the course of the run, with the scores of steps that follow."""
        return Snapshot(self.progress, self.rng.bit_generator.state, self.setup_seconds, self.state, log)

    def _load(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot; the scores that it has are read instead of computed."""
        self.progress, self.setup_seconds, self.state = snapshot.progress, snapshot.setup_seconds, snapshot.state
        self.rng.bit_generator.state = snapshot.generator
        self._metering.progress = self.progress
        self._metering.replay(snapshot.log)
        self._in_step = False

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
        checkpoint = read(path)
        spec = checkpoint.spec
        problem, solver = remake(spec, f"{path}", problem, solver)
        # What is chosen by the time of an evaluation is chosen again; the problem may be a frozen dataclass.
        object.__setattr__(problem, "evaluation_seconds", checkpoint.evaluation_seconds)
        if solver.params.model_dump(mode="json") != spec.params:
            raise UsageError(f"{path}: written with the parameters {spec.params}, not with those of {solver!r}")
        run = cls(problem, solver, spec, observers=observers, checkpoint=path, every=every)
        run._load(checkpoint.snapshot(run.solver, run.maximised, run.view))
        run._checkpoint = checkpoint
        run._file.reset()
        return run

    @property
    def uncounted(self) -> int:
        """The rows that were scored in a step which would have exceeded a limit of looks, and is not counted."""
        return len(self._metering.unread)

    def result(self, stopped: str, **search: int) -> Result:
        """Return the result of the run as it is.

        Args:
            stopped: why the run ends.
            search: looks and evaluations of the search alone, and looks of polishing, by the names of the result.
        """
        problem, progress, best, score = self.problem, self.progress, self.progress.best, self.progress.score
        return Result(
            **dict(self.spec),
            solution=None if best is None else [int(candidate) for candidate in best],
            score=score,
            cost=None if score is None or problem.objective == "score" else 0.0 - score,
            objective=problem.objective,
            bound=progress.bound,
            metrics={} if best is None else {name: float(v) for name, v in problem.metrics(best).items()},
            caption=problem.view().caption,
            answer=[] if best is None else [dict(row) for row in problem.describe(best)],
            looks=progress.looks,
            evaluations=progress.evaluations,
            setup_evaluations=progress.setup_evaluations,
            iterations=progress.iterations,
            tables=not problem.structure.black_box,
            steps=progress.steps,
            seconds=progress.seconds,
            cpu_seconds=progress.cpu_seconds,
            setup_seconds=self.setup_seconds,
            stopped=stopped,
            trace=progress.whole_trace(),
            explanation=None if self.state is None else self.solver.explain(self.view, self.state),
            evaluation_seconds=problem.evaluation_seconds,
            **search,
        )

    def _prepare(self) -> None:
        """Load and compile what the run will need, and return to the last copy if a limit has ended a step."""
        start = time.perf_counter()
        if len(self.view.sizes):
            self.solver.prepare(self.view)
        prepare_rows(self.view.structure)
        prepare_walk(self.view)
        prepare_polishing(self.view, self.spec)
        self.setup_seconds += time.perf_counter() - start
        if not self.progress.started and not self.progress.setup_evaluations:  # a checkpoint may have them already
            self.progress.setup_evaluations = self.problem.evaluations - self.problem.meter.reported
        if self._in_step:
            self._return_to_copy()

    def _search(self, limits: Budget, repeated_looks: int | None) -> str:
        """Make steps until a limit is reached, save the last checkpoint, and return which limit it was.

        Args:
            limits: the limits of the search.
            repeated_looks: the looks of the run that is replayed, None if this is no replay.
        """
        # Functions of the user may depend on the clock: a replay ends by its looks or evaluations instead.
        self._limits, replay = limits, repeated_looks is not None
        self._set_rules(limits, () if replay else self._functions)
        if not self.progress.started and all(size == 1 for size in self.view.sizes):
            self._record_only_solution()
        with self._metering.attached(limits):
            stopped = None
            while stopped is None:
                try:
                    if not self.progress.started:  # at first, and where the last copy is from before the start
                        self._start()
                    stopped = self._stopped(repeated_looks)
                    self._file.write_if_due(self)
                    if stopped is None and not self._step():
                        stopped = "looks"
                except StepCut as cut:
                    stopped = self._end_cut_step(cut)
            self._file.write(self)
        return "done" if replay and stopped in ("looks", "evaluations") else stopped

    def _end_cut_step(self, cut: StepCut) -> str | None:
        """Return why the run ends with a step that a limit has cut, None if it goes on from the last copy.

        Without tables such a step is counted as far as it went. With tables it is not, but the steps between the copy
        and it are: they are made again, one at a time, so that where the run ends does not depend on when the clock had
        the copy made.
        """
        if not self.progress.steps:
            self._take_scored_row()
            return cut.reason
        if self.problem.structure.black_box:
            return cut.reason
        fresh = self._copies.always and self._pace.single
        self._return_to_copy()
        self._copies.always = True
        self._pace.slow_down(1)
        return cut.reason if fresh else None

    def _set_rules(self, limits: Budget, functions: Sequence[StopFunction]) -> None:
        """Set the stopping criteria; on a problem with parts, limits of iterations and patience hold for each part."""
        if isinstance(self.solver, PartwiseSolver):
            self.solver.limit(limits)
            # The solver of the parts keeps these two; for the whole they would end the run with the first part.
            limits = limits.model_copy(update={"iterations": None, "patience": None})
        criteria = limits.criteria()
        self._rules = [*criteria, *functions]
        self._clock_rules = [*(rule for rule in criteria if rule.by_clock), *functions]

    def _start(self) -> None:
        """Make the solver's first state, and hand it the solutions that the run begins with: step 0."""
        self._copy()
        self._file.write_if_due(self)
        with self._step_under_way():
            self.state = self.solver.start(self.view, self.rng)
            if self.spec.start:
                # The starting solutions are scored here, whatever the solver makes of them: the answer is never worse.
                X = np.array(self.spec.start, np.int64)
                scores = self._incumbent.take(self.progress, X)
                looks = self.solver.inject(self.view, self.state, restrict(self.view, X), scores, self.rng)
                self.progress.count(looks=X.size + int(looks))
        self.progress.started = True
        self._metering.set_mark()

    def _record_only_solution(self) -> None:
        """Record the solution of a problem that has only one (the empty one, of an empty problem)."""
        only = np.zeros((1, len(self.view.sizes)), np.int64)
        self._incumbent.take(self.progress, complete(self.view, only))
        self.progress.started = self.progress.done = True
        self.progress.bound = self.progress.score
        self._metering.set_mark()

    def _step(self) -> bool:
        """Make the next steps of the plan and record them; return False if the next one exceeds the limit of looks."""
        limits, progress = self._limits, self.progress
        if progress.plan.left <= 0:
            single = self.problem.structure.black_box  # so that iterations are exact where the meter ends a step
            progress.plan.begin(1 if single else progress.mark - progress.looks, progress.iterations)
        several = type(self.solver).steps is not Solver.steps  # else nothing is gained by several calls in one
        count = self._pace.count(progress, limits, by_part=bool(self.problem.parts)) if several else 1
        fresh = self._copy_if_due()
        start = time.perf_counter()
        result = self._advance(count)
        proof = result.done and result.bound is not None
        beyond = limits.looks is not None and progress.reported_looks + result.looks > limits.looks
        # The first step is always counted, or a small budget would have no answer; a proof is never thrown away.
        if beyond and progress.steps and not proof:
            self._return_to_copy()
            self._copies.always = True
            # The same steps again, fewer at a time: a single one that is still too long ends the run.
            self._pace.slow_down(count)
            return not (fresh and count == 1)
        self._pace.measure(result, time.perf_counter() - start)
        self._record(result)
        return True

    def _advance(self, count: int) -> StepResult:
        """Let the solver make steps; one that fails with a restored state says that the checkpoint does not fit."""
        checkpoint, self._checkpoint, self._began_stepping = self._checkpoint, None, True
        # A process outside reports its best bound when asked; after the limit its answer would be lost.
        if self.solver.waits and self._seconds_left() < REPORTING:
            self.solver.finish(self.view, self.state)
        try:
            with self._step_under_way():
                return take_steps(self.solver, self.view, self.state, self.rng, count)
        except Exception as error:
            if checkpoint is None:
                raise
            raise checkpoint.misfit(f"its first step fails ({type(error).__name__}: {error})") from error

    def _seconds_left(self) -> float:
        """Return how long the run may go on by its limits of time."""
        limits = [rule for rule in self._clock_rules if isinstance(rule, Criterion)]
        return min((rule.limit - rule.used(self.progress) for rule in limits), default=np.inf)

    @contextmanager
    def _step_under_way(self) -> Iterator[None]:
        """Mark the state as unfinished while the solver changes it; it stays so if a limit or an error ends that.

        Raises:
            SolverError: the solver has gone on after a limit had ended its step.
        """
        self._in_step = True
        yield
        if self._metering.cut:
            raise SolverError(
                f"solver '{self.spec.solver}' catches StepCut, which ends a step at a limit: a bare 'except:' or "
                "'except BaseException:' must raise it again, or be 'except Exception:'"
            )
        self._in_step = False

    def _record(self, result: StepResult) -> None:
        """Add steps to the progress; at a mark, at a bound and at the end the run is observed."""
        progress = self.progress
        # Order matters: the claim is kept before the plan is booked, and scored again only at a mark, so that the rows
        # which are scored do not depend on how many steps were made at once.
        self._incumbent.record(progress, result, self.solver)
        progress.steps += result.steps if result.looks else 0  # a step that waits for a process is none
        now = time.perf_counter()
        progress.seconds = now - self._start_time
        if now >= self._next_check:
            self._measure_time()
        complete = progress.plan.book(result.steps, result.looks, result.done)
        if self._limits.patience is not None:
            progress.note_improvement()
        # Marks depend on looks alone; a bound and the end are seen at once, because a proof ends the run.
        if result.done or result.bound is not None or (complete and progress.looks >= progress.mark):
            self._incumbent.accept(progress)
            if result.bound is not None:
                progress.bound = self._incumbent.tightest_bound(progress, float(result.bound))
            self._metering.reach_mark()

    def _observe(self) -> None:
        """Notify the observers of an improvement since the last time, and of the steps; not of those made again."""
        # Steps that are made again were observed the first time.
        if self._metering.replaying:
            return
        if self.progress.score is not None and self.progress.score > self._announced_score:
            self._announced_score = self.progress.score
            self._observers.notify("swarmkit_improved", run=self)
        self._observers.notify("swarmkit_stepped", run=self)

    def _between(self) -> None:
        """End the step under way if time is up or somebody wants the run to end; save a checkpoint that is due."""
        # Asked before every piece of rows: reading CPU time takes a microsecond, and limits need no more than 5 ms.
        if time.perf_counter() < self._next_check:
            return
        self._measure_time()
        reason = self._wish_to_stop() or reason_to_stop(self._clock_rules, self.progress)
        if reason:
            raise StepCut(reason)
        self._file.write_if_due(self)

    def _wish_to_stop(self) -> str:
        """Return why somebody wants the run to end, whatever its limits; empty if nobody does."""
        return "interrupted" if interrupts.count else self._stopped_by_observer

    def _measure_time(self) -> None:
        """Set the seconds and CPU seconds of the progress; the latter take a microsecond or more to measure."""
        now = time.perf_counter()
        self._next_check = now + CHECK_SECONDS
        self.progress.seconds = now - self._start_time
        self.progress.cpu_seconds = self._cpu_clock.seconds()

    def _copy_if_due(self) -> bool:
        """Copy the run where a limit may end or undo the next step; return whether the copy is one of this moment."""
        limits, progress = self._limits, self.progress
        # With tables and without these limits no step is ever undone, so a copy would be wasted.
        if not self.problem.structure.black_box and limits.looks is None and limits.evaluations is None:
            return False
        near = limits.looks is not None and limits.looks - progress.looks < NEAR * self._pace.largest
        due = self._copies.due(near)
        if due:
            self._copy()
        return due

    def _copy(self) -> None:
        """Copy state, generator and progress; the log of scores begins here."""
        self._copies.make(self._snapshot(self._metering.unread))
        self._metering.forget()

    def _return_to_copy(self) -> None:
        """Go back to the last copy; what was scored since is read from the log."""
        self._load(self._copies.take(self._snapshot(self._metering.scores_so_far())))

    def _conclude(self, stopped: str, polish_looks: int | None) -> Result:
        """Return the result, with the last claim accepted and polished; the run stays as it is and can be resumed."""
        # Polishing works on a copy: the run can be resumed from where its search ended.
        search_progress, self.progress = self.progress, self.progress.copy()
        self._metering.progress = self.progress
        try:
            with self._metering.aside(self.spec.budget), suppress(StepCut):
                self._incumbent.accept(self.progress)
            # Without limits: this is an answer where there would be none.
            with self._metering.aside(Budget()):
                self._use_provisional_solution()
            if self.progress.score is not None and self.progress.score > self._announced_score:
                self._observers.notify("swarmkit_improved", run=self)
            polish_steps = polish(self._metering, self._incumbent, self.spec, polish_looks, self._measure_time)
            self.problem.meter.reported = self.problem.evaluations
            search = {"search_looks": search_progress.looks, "search_evaluations": search_progress.evaluations}
            return self.result(stopped, polish_looks=polish_steps, **search)
        finally:
            self.progress = self._metering.progress = search_progress

    def _take_scored_row(self) -> None:
        """Beside tables, take the best row that an unfinished step has scored: it has reported nothing."""
        if self._metering.row is not None and not self.spec.fixed:
            self._metering.take_best(*self._metering.row)

    def _use_provisional_solution(self) -> None:
        """Where a run has no solution take a random one, after it was saved.

        Not every part may have had its turn; or the solver has met only dead ends, whatever `allowed` says.
        """
        if self.progress.best is not None or not self.progress.started:
            return
        x = None
        if isinstance(self.solver, PartwiseSolver):
            x = self.solver.provisional_solution(self.view, self.state)
        elif self.view.structure.opaque:  # a generator of its own: the run may go on
            x = next(iter(random_solutions(self.view, 1, np.random.Generator(np.random.PCG64(self.spec.seed)))), None)
        if x is not None:
            X = complete(self.view, x[None])
            if judge(self.maximised, X)[0]:
                self._incumbent.take(self.progress, X)

    def _stopped(self, repeated_looks: int | None) -> str | None:
        """Return why the run ends here, or None; a run makes at least one step, a replay those without rows, too."""
        if self.progress.done:
            return "done"
        if wish := self._wish_to_stop():
            return wish
        partwise = self.solver if isinstance(self.solver, PartwiseSolver) else None
        if partwise and self.state is not None and (stopped := partwise.limit_of_parts(self.state)):
            return stopped
        if repeated_looks is not None and self.progress.looks < repeated_looks:
            return None
        may_end = (
            self._began_stepping or self.progress.steps or self.progress.best is not None or repeated_looks is not None
        )
        return reason_to_stop(self._rules, self.progress) if may_end else None
