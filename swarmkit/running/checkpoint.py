"""Copies and checkpoints: a run in memory or as a file, from which it continues bit for bit.

Both have state, generator and progress, and the scores that were computed since.
"""

from __future__ import annotations

import copy
import math
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from pydantic import ValidationError

from swarmkit.contract.arrays import Duration, Floats, Solutions
from swarmkit.contract.bounded_json import check_plain
from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec, refuse_format
from swarmkit.contract.validation import evaluate, judge
from swarmkit.plugins.factory import make_problem, make_solver
from swarmkit.plugins.host import host
from swarmkit.running import codec
from swarmkit.running.decomposition import PartwiseSolver, PartwiseState
from swarmkit.running.metering import TOLERANCE

COPY_SECONDS = 0.05
"""Seconds between two copies: what is made again after a limit takes no longer."""

COPY_SHARE = 20
"""The same in multiples of the time of a copy: copies cost at most a twentieth of a run."""


class Snapshot(NamedTuple):
    """What changes in the course of a run: everything that has to be restored to continue it."""

    progress: Progress
    generator: Any
    """The state of the run's generator."""
    setup_seconds: Duration
    state: Any
    """The solver's State."""
    log: Floats = np.zeros(0)
    """The scores of the steps that follow, as far as they were computed: a step may have been under way."""


class Copies:
    """The last copy of a run in memory, to which it returns where a limit ends or undoes a later step."""

    def __init__(self) -> None:
        self.last: Snapshot | None = None
        self.always = False
        """Whether every call of the solver begins with a copy: a limit is so near that one was exceeded."""
        self._time = self._seconds = 0.0

    def due(self, near: bool) -> bool:
        """Return whether a copy should be made now: some time after the last one, or if a limit of looks is near."""
        # Measured, not counted: a state may be a few bytes or many megabytes.
        late = time.perf_counter() - self._time > max(COPY_SECONDS, COPY_SHARE * self._seconds)
        return self.last is None or self.always or near or late

    def make(self, now: Snapshot) -> None:
        """Copy what changes in the course of a run."""
        start = time.perf_counter()
        # The log is not copied: it begins here, and grows beside the copy.
        self.last = now._replace(progress=now.progress.copy(), state=copy.deepcopy(now.state))
        self._time = time.perf_counter()
        self._seconds = self._time - start

    def take(self, now: Snapshot) -> Snapshot:
        """Return a copy of the last copy, with the time that the run has taken by now, and the scores since."""
        assert self.last is not None  # noqa: S101  (made before every step that a limit can end)
        progress = self.last.progress.copy()
        progress.seconds, progress.cpu_seconds = now.progress.seconds, now.progress.cpu_seconds
        return now._replace(progress=progress, generator=self.last.generator, state=copy.deepcopy(self.last.state))


class Checkpoint(NamedTuple):
    """A checkpoint file: its specification, and its content, which is decoded once the solver is known."""

    source: str
    """The file, for messages."""
    spec: Spec
    evaluation_seconds: float | None
    """Seconds of an evaluation, as they were timed before the first step: a solver may have chosen by them."""
    tree: Any
    arrays: codec.Arrays

    def snapshot(self, solver: Solver[Any], problem: Problem, view: Problem) -> Snapshot:
        """Return the content, checked: the file may come from elsewhere.

        Args:
            solver: the solver; dataclasses are restored only as the types that its `start` announces.
            problem: the problem, its score maximised, which the best solution has to belong to.
            view: the problem that the solver sees.
        """
        try:
            content = codec.unpack(self.tree, self.arrays, state_types(solver))
        except UsageError as error:
            raise UsageError(f"{self.source}: {error}") from None
        if not isinstance(content, dict) or set(content) != set(Snapshot._fields):
            raise self.misfit("its content is not that of a checkpoint")
        snapshot = Snapshot(**content)
        try:
            _check_numbers(snapshot)
            _check_solutions(snapshot.progress, problem)
            _check_state(solver, snapshot.state, view)
        except _Misfit as error:
            raise self.misfit(f"{error}") from None
        return snapshot

    def misfit(self, flaw: str) -> UsageError:
        """Return the error for content that does not fit; `flaw` is wrong with it, as a clause."""
        return UsageError(
            f"{self.source}: the checkpoint does not fit problem '{self.spec.problem}' and solver "
            f"'{self.spec.solver}': {flaw}. Start a new run."
        )


def save(path: Path, spec: Spec, solver: Solver[Any], snapshot: Snapshot, evaluation_seconds: float | None) -> None:
    """Write a checkpoint atomically: nothing but arrays and JSON."""
    tree, arrays = codec.pack(snapshot._asdict(), state_types(solver))
    facts = {"spec": spec.model_dump(mode="json"), "evaluation_seconds": evaluation_seconds}
    codec.write(path, {"swarmkit": "checkpoint", **facts, "content": tree}, arrays)


class CheckpointFile:
    """The file to which a run writes checkpoints from time to time.

    Args:
        path: the file; None: nothing is written.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path | None, every: float) -> None:
        self._path, self._every = path, every
        self._time, self._silent = -math.inf, False

    def reset(self) -> None:
        """Let the next checkpoint be due in `every` seconds: the run was restored from this file."""
        self._time = time.perf_counter()

    def write_if_due(self, run: Any) -> None:
        """Write a checkpoint of a run if the last one is old enough."""
        if self._path is not None and time.perf_counter() - self._time >= self._every:
            self.write(run)

    def write(self, run: Any) -> None:
        """Write a checkpoint of a run; if that fails once the work has begun (a full disk), warn once and go on."""
        if self._path is None:
            return
        try:
            run.save(self._path)
        except UsageError as error:
            # A folder that does not exist is a mistake of the command line; a full disk an hour later is not.
            if not run.progress.steps and not self._path.parent.is_dir():
                raise
            if not self._silent:
                message = f"{error}; the run goes on without this checkpoint"
                warnings.warn(message, RuntimeWarning, stacklevel=2)
            self._silent = True
        self.reset()


def read(path: Path) -> Checkpoint:
    """Read a checkpoint file."""
    tree, arrays = codec.read(path, "checkpoint", "a checkpoint of swarmkit")
    spec, content = _spec(path, tree.get("spec")), tree["content"]
    # Without a log of scores a step under way could not be made again.
    if isinstance(content, dict) and set(content) == set(Snapshot._fields) - {"log"}:
        raise UsageError(
            f"{path}: a checkpoint written by version 0.2, whose steps were other pieces of a run: "
            "the run must be started again with this version"
        )
    seconds = tree.get("evaluation_seconds")
    if not codec.fits(seconds, Duration | None):
        raise UsageError(f"{path}: a damaged checkpoint: the seconds of an evaluation are no number")
    return Checkpoint(str(path), spec, seconds, content, arrays)


def remake_problem(spec: Spec, source: str) -> Problem:
    """Return the problem of a result or checkpoint, made again from its options.

    Args:
        spec: what was run.
        source: the file that it was read from, for messages.
    """
    if spec.options is None:
        raise UsageError(
            f"{source}: its problem '{spec.problem}' was made in Python, so it has to be given again: "
            "swarmkit.resume(file, problem) or swarmkit.replay(file, problem)"
        )
    return make_problem(spec.problem, **spec.options)


def remake(spec: Spec, source: str, problem: Problem | None, solver: Solver[Any] | None) -> tuple[Problem, Solver[Any]]:
    """Return problem and solver of an earlier run, made again from their names unless they are given.

    Args:
        spec: what was run.
        source: the file that it was read from, for messages.
        problem: the problem; None: it is made again.
        solver: the solver, likewise.

    Raises:
        UsageError: the problem was made in Python and is not given, or its content differs from the one that was run.
    """
    _check_plugins(spec, source, problem is None, solver is None)
    problem = remake_problem(spec, source) if problem is None else problem
    # A changed input would give a run whose halves are of different problems.
    if problem.fingerprint != spec.fingerprint:
        raise UsageError(
            f"{source}: problem '{spec.problem}' is not what it was: its content has changed (an input file, or the "
            "problem's code), so the outcome would not be comparable. Start a new run."
        )
    return problem, make_solver(spec.solver, **spec.params) if solver is None else solver


def _check_plugins(spec: Spec, source: str, *by_name: bool) -> None:
    """Raise UsageError if problem or solver, as far as they are made by name, are of a plugin that is not there.

    A file's name and hash are among the versions of the run.
    """
    files = [f"--plugin {name} ({version})" for name, version in spec.versions.items() if name.endswith(".py")]
    for kind, name, needed in zip(("problem", "solver"), (spec.problem, spec.solver), by_name, strict=True):
        if needed and files and name not in {offer.name for offer in host().registry(kind)}:
            raise UsageError(f"{source}: its {kind} '{name}' is of a plugin that is not loaded: {' '.join(files)}")


def _spec(path: Path, tree: Any) -> Spec:
    """Return the specification in a checkpoint, checked."""
    if not isinstance(tree, dict):
        raise UsageError(f"{path}: a damaged checkpoint: it has no specification")
    refuse_format(tree.get("format"), str(path), "resumed")
    try:
        check_plain(tree)
        return Spec.model_validate(tree)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise UsageError(f"{path}: a checkpoint of another version of swarmkit ({where})") from None
    except ValueError as error:
        raise UsageError(f"{path}: a damaged checkpoint: its specification has {error}") from None


def state_types(solver: Solver[Any]) -> dict[str, type]:
    """Return the dataclasses that may occur in this solver's checkpoints, by name."""
    # Nothing else is ever restored, whatever the file names.
    types = codec.dataclasses_in(Progress) | codec.dataclasses_in(_state_hint(solver))
    for inner in solver.inner:
        types |= state_types(inner)
    return types


def pack_state(solver: Solver[Any], state: Any) -> tuple[Any, codec.Arrays]:
    """Return a solver's State as JSON values and arrays by name: nothing else can be sent to another process or kept.

    Raises:
        SolverError: it holds something that cannot be restored.
    """
    return codec.pack(state, state_types(solver))


def unpack_state(solver: Solver[Any], tree: Any, arrays: codec.Arrays) -> Any:
    """Return the State that `pack_state` has packed; dataclasses are restored only as the types that `start` announces.

    Raises:
        UsageError: it is something else.
    """
    return codec.unpack(tree, arrays, state_types(solver))


def _state_hint(solver: Solver[Any]) -> Any:
    """Return the type that a solver's `start` announces; None if it announces none."""
    try:
        return get_type_hints(type(solver).start).get("return")
    except NameError:  # a state class that is local to a function has no name to find it by
        return None


class _Misfit(ValueError):
    """What is wrong with restored content, as a clause; errors of the problem are not mistaken for it."""


def _check_numbers(snapshot: Snapshot) -> None:
    """Check everything but solutions and state.

    Raises:
        _Misfit: something is not what it should be; the message is a clause about the checkpoint.
    """
    for name, hint in codec.hints_of(Snapshot).items():
        if not codec.fits(getattr(snapshot, name), hint):
            raise _Misfit(f"its {name} is not that of a run")
    if snapshot.log.ndim != 1 or not np.isfinite(snapshot.log).all():
        raise _Misfit("its scores are not a row of numbers")
    if flaw := snapshot.progress.trace.flaw():
        raise _Misfit(f"its trace: {flaw}")
    try:
        np.random.PCG64(0).state = snapshot.generator
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
        raise _Misfit("the state of its generator is none") from None


def _check_solutions(progress: Progress, problem: Problem) -> None:
    """Check the incumbent, which is reported without being scored again, and the solution claimed since the last mark.

    Raises:
        _Misfit: one is no solution, or the score of the incumbent is another; the message is a clause.
    """
    for x, score in ((progress.best, progress.score), (progress.claim, progress.claim_score)):
        if (x is None) != (score is None):
            raise _Misfit("it has a solution without a score, or a score without one")
        if x is not None and not _is_solution(x, problem):
            raise _Misfit("its best solution is none of this problem")
    if progress.best is not None and progress.score is not None:
        # The incumbent is reported without being scored again, so the file could claim any score.
        right = float(evaluate(problem, progress.best[None])[0])
        if not abs(progress.score - right) <= TOLERANCE * max(1.0, abs(right)):
            raise _Misfit(f"its best solution scores {right}, not {progress.score}")


def _is_solution(x: Solutions, problem: Problem) -> bool:
    return x.shape == (len(problem.sizes),) and bool(judge(problem, x[None])[0])


def _check_state(solver: Solver[Any], state: Any, problem: Problem) -> None:
    """Check the State of a solver, which is None before the start.

    Raises:
        _Misfit: it is not one of this solver and problem; the message is a clause.
    """
    if isinstance(solver, PartwiseSolver) and state is not None:
        _check_parts(solver, state, problem)
        return
    hint = _state_hint(solver)
    if state is not None and hint is not None and not codec.fits(state, hint):
        raise _Misfit(f"its state is not the {getattr(hint, '__name__', hint)} of this solver")


def _check_parts(solver: PartwiseSolver, state: Any, problem: Problem) -> None:
    """Check the State of a problem with parts, and those of the solver on each part."""
    if not codec.fits(state, PartwiseState) or len(state.parts) != len(problem.parts):
        raise _Misfit("its state is not that of the parts of the problem")
    if not -1 <= state.turn < len(state.parts):
        raise _Misfit(f"its part {state.turn} does not exist")
    for progress, part in zip(state.parts, problem.parts, strict=True):
        if not all(x is None or _is_solution(x, part.problem) for x in (progress.best, progress.sample)):
            raise _Misfit("the solution of a part is none")
        _check_state(solver.solver, progress.state, part.problem)
