"""Checkpoints: the state of a run between two steps as a file, from which the run continues bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from pydantic import ValidationError

from swarmkit.contract.errors import UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.progress import Progress
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec, refuse_format
from swarmkit.plugins.factory import make_problem
from swarmkit.running import codec
from swarmkit.running.decomposition import PartwiseSolver, PartwiseState


class Snapshot(NamedTuple):
    """What changes in the course of a run: everything that has to be restored to continue it."""

    progress: Progress
    generator: Any
    """The state of the run's generator."""
    setup_seconds: float
    state: Any
    """The solver's State."""


class Checkpoint(NamedTuple):
    """A checkpoint file: its specification, and its content, which is decoded once the solver is known."""

    spec: Spec
    tree: Any
    arrays: codec.Arrays

    def snapshot(self, solver: Solver[Any]) -> Snapshot:
        """Return the content; dataclasses are restored only as the types that the solver's `start` announces."""
        return Snapshot(**codec.unpack(self.tree, self.arrays, _types(solver)))


def save(path: Path, spec: Spec, solver: Solver[Any], snapshot: Snapshot) -> None:
    """Write a checkpoint atomically: nothing but arrays and JSON."""
    tree, arrays = codec.pack(snapshot._asdict(), _types(solver))
    codec.write(path, {"swarmkit": "checkpoint", "spec": spec.model_dump(mode="json"), "content": tree}, arrays)


def read(path: Path) -> Checkpoint:
    """Read a checkpoint file."""
    tree, arrays = codec.read(path)
    return Checkpoint(_spec(path, tree), tree["content"], arrays)


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


def check_content(spec: Spec, problem: Problem, source: str) -> None:
    """Refuse a problem whose content differs from the one that was run; `source` is the file of the earlier run."""
    if problem.fingerprint != spec.fingerprint:
        raise UsageError(
            f"{source}: problem '{spec.problem}' is not what it was: its content has changed (an input file, or the "
            "problem's code), so the outcome would not be comparable. Start a new run."
        )


def _spec(path: Path, tree: Any) -> Spec:
    if not isinstance(tree, dict) or tree.get("swarmkit") != "checkpoint":
        raise UsageError(f"{path}: not a checkpoint of swarmkit")
    refuse_format(tree["spec"].get("format"), str(path), "resumed")
    try:
        return Spec.model_validate(tree["spec"])
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise UsageError(f"{path}: a checkpoint of another version of swarmkit ({where})") from None


def _types(solver: Solver[Any]) -> dict[str, type]:
    """Return the dataclasses that may occur in this solver's checkpoints, by name."""
    if isinstance(solver, PartwiseSolver):
        return codec.dataclasses_in(PartwiseState) | _types(solver.solver)
    try:
        state = get_type_hints(type(solver).start).get("return")
    except NameError:  # a state class that is local to a function has no name to find it by
        state = None
    return codec.dataclasses_in(Progress) | codec.dataclasses_in(state)
