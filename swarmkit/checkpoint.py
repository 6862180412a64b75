"""Checkpoints: a run written down between two steps, so that it goes on as if nothing had happened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from pydantic import ValidationError

from swarmkit import plain
from swarmkit.errors import UsageError
from swarmkit.parts import ByParts, Joined
from swarmkit.problem import Problem
from swarmkit.progress import Progress
from swarmkit.solver import Solver
from swarmkit.spec import Spec, make_problem, make_solver

if TYPE_CHECKING:
    from swarmkit.run import Run


def save(run: Run, path: Path) -> None:
    """Write a run down; atomic, and nothing but arrays and JSON."""
    content = {
        "progress": run.progress,
        "generator": run.rng.bit_generator.state,
        "setup_seconds": run.setup_seconds,
        "state": run.state,
    }
    tree, arrays = plain.pack(content, _types(run.solver))
    plain.write(path, {"swarmkit": "checkpoint", "spec": run.spec.model_dump(mode="json"), "content": tree}, arrays)


def restore(
    path: Path,
    problem: Problem | None = None,
    solver: Solver[Any] | None = None,
    *,
    observers: Sequence[object] = (),
    every: float = 5.0,
) -> Run:
    """Take a run up again; what was made in Python is given again, what was made by name is made by name."""
    from swarmkit.run import Run

    tree, arrays = plain.read(path)
    spec = _spec(path, tree)
    if problem is None:
        problem = remake_problem(spec, f"{path}")
    same_content(spec, problem, f"{path}")
    solver = make_solver(spec.solver, **spec.params) if solver is None else solver
    if solver.params.model_dump(mode="json") != spec.params:
        raise UsageError(f"{path}: written with the parameters {spec.params}, not with those of {solver!r}")
    run = Run(problem, solver, spec, observers=observers, checkpoint=path, every=every)
    content = plain.unpack(tree["content"], arrays, _types(run.solver))
    run.progress, run.state, run.setup_seconds = content["progress"], content["state"], content["setup_seconds"]
    run.rng.bit_generator.state = content["generator"]
    return run


def remake_problem(spec: Spec, source: str) -> Problem:
    """Make the problem of a result or checkpoint again from its options."""
    if spec.options is None:
        raise UsageError(
            f"{source}: its problem '{spec.problem}' was made in Python, so it has to be given again: "
            "swarmkit.resume(file, problem) or swarmkit.replay(file, problem)"
        )
    return make_problem(spec.problem, **spec.options)


def same_content(spec: Spec, problem: Problem, source: str) -> None:
    """Refuse to go on with a problem whose content has changed."""
    if problem.fingerprint != spec.fingerprint:
        raise UsageError(
            f"{source}: problem '{spec.problem}' is not what it was: its content has changed (an input file, or the "
            "problem's code), so the outcome would not be comparable. Start a new run."
        )


def _spec(path: Path, tree: Any) -> Spec:
    if not isinstance(tree, dict) or tree.get("swarmkit") != "checkpoint":
        raise UsageError(f"{path}: not a checkpoint of swarmkit")
    try:
        return Spec.model_validate(tree["spec"])
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise UsageError(f"{path}: a checkpoint of another version of swarmkit ({where})") from None


def _types(solver: Solver[Any]) -> dict[str, type]:
    """Name the dataclasses that may stand in this solver's checkpoints."""
    if isinstance(solver, ByParts):
        return plain.dataclasses_in(Joined) | _types(solver.solver)
    try:
        state = get_type_hints(type(solver).start).get("return")
    except NameError:  # a state class local to a function: its checkpoints cannot be told what they hold
        state = None
    return plain.dataclasses_in(Progress) | plain.dataclasses_in(state)
