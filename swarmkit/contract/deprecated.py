"""What version 0.2 had and plugins written for it may still use: each works, with a warning that names what to do."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from swarmkit.contract.arrays import Solutions
from swarmkit.contract.view import Scene, View, draw_grid, draw_solution

NO_LIMIT = sys.maxsize


class Left(NamedTuple):
    """What was left of the budget, by which a step of version 0.2 paused. Steps get one without limits near."""

    looks: int = 100_000
    """Looks until the step pauses: those of a step of usual length."""
    evaluations: int = NO_LIMIT
    """Evaluations until the step pauses."""
    iterations: int = NO_LIMIT
    """The solver's own iterations until the step pauses."""
    seconds: float = float("inf")
    """When a process outside has to end."""

    def rows(self, n: int) -> int:
        """Return how many solutions of n stages may be scored before the step pauses, at least 1."""
        return max(1, min(-(-self.looks // n), self.evaluations))

    def after(self, looks: int = 0, evaluations: int = 0, iterations: int = 0) -> Left:
        """Return what is left after some `looks`, `evaluations` and `iterations` are used."""
        return Left(self.looks - looks, self.evaluations - evaluations, self.iterations - iterations, self.seconds)


WHOLE_STEP = Left()
"""What the steps of version 0.2 are called with."""


def warn(message: str, stacklevel: int = 3) -> None:
    """Warn that something is deprecated, at the line that uses it.

    Args:
        message: what is deprecated, and what to write instead.
        stacklevel: how many calls above this function's that line is, as `warnings.warn` counts.
    """
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)


def warn_of_name(name: str, replacement: str | None = None, module: str = "swarmkit") -> None:
    """Warn of a name of version 0.2, at the line that imports it.

    Args:
        name: the name.
        replacement: its new spelling; None for a name that steps no longer need.
        module: the module that both are names of.
    """
    words = "a step is one iteration of the method and knows no budget; write step(self, problem, state, rng)"
    if replacement is not None:
        words = f"it is {module}.{replacement} now"
    warn(f"{module}.{name} is deprecated: {words}", stacklevel=4)


@cache
def warn_of_class(kind: type, message: str) -> None:
    """Warn of a deprecated member of a class, once for each class."""
    warn(f"{kind.__module__}.{kind.__qualname__}: {message}")


@cache
def takes_left(solver: type) -> bool:
    """Return whether the steps of a solver's class take what is left of the budget, as in version 0.2."""
    return "left" in inspect.signature(solver.step).parameters  # type: ignore[attr-defined]  # a class of solvers


def warn_of_left(solver: type) -> None:
    """Warn, once for each class, of a solver whose steps take what is left of the budget."""
    if takes_left(solver):
        warn_of_class(
            solver,
            "a step that takes `left` is deprecated: it gets one without limits. Make one iteration of the method, or "
            "a bounded piece of it, in step(self, problem, state, rng); the harness keeps the budget",
        )


class OldSteps:
    """The call of a step of version 0.2, which checked what it returned."""

    def advance(self, problem: Any, state: Any, rng: Any, left: Any = WHOLE_STEP) -> Any:
        """Make a step, and check what it returns; deprecated: `swarmkit.take_steps(solver, problem, state, rng)`."""
        warn("Solver.advance is deprecated: call swarmkit.take_steps(solver, problem, state, rng)")
        return self.steps(problem, state, rng, 1)  # type: ignore[attr-defined]  # of a solver


class OldRun:
    """The old spelling of what makes a run."""

    def go(self, *limits: Any, **replay: Any) -> Any:
        """Run to the end of the budget; deprecated: `run.run()`."""
        warn("Run.go is deprecated: it is Run.run now")
        return self.run(*limits, **replay)  # type: ignore[attr-defined]  # of a run


class OldCaption:
    """The caption of a problem, which version 0.2 kept as an attribute of the class or of the object."""

    def __get__(self, problem: Any, kind: type | None = None) -> Any:
        """Return the caption of the problem's view, with a warning; of a class, this object."""
        # Asked of the class, not of a problem.
        if problem is None:
            return self
        if _defines(problem, "caption"):  # it asks its base class
            return ""
        warn("Problem.caption is deprecated: ask problem.view().caption")
        return problem.view().caption


RENAMED_MEMBERS = {"appeal": "heuristic_values", "restructured": "reformulations"}
"""Old spellings of what an author of a problem may define, each with the new one."""


def take_old_members(kind: type) -> None:
    """Let a class of problems that defines a member by its old spelling have it by the new one, with a warning."""
    # When the class is made: what a solver calls later is the new name alone.
    for old, new in RENAMED_MEMBERS.items():
        if old in vars(kind):
            setattr(kind, new, vars(kind)[old])
            warn_of_class(kind, f"`{old}` of a problem is deprecated: it is `{new}` now")


class OldMembers:
    """Members of problems of version 0.2: those by which they showed themselves, now asked of the view, and renamed."""

    caption: Any = OldCaption()

    @property
    def restructured(self) -> Mapping[str, str]:
        """The reformulations of the problem; deprecated: `problem.reformulations`."""
        warn("Problem.restructured is deprecated: it is problem.reformulations now")
        return self.reformulations  # type: ignore[attr-defined,no-any-return]  # of a problem

    def appeal(self, X: Solutions, stage: int, last: int) -> Any:
        """Return the heuristic values of candidates; deprecated: `problem.heuristic_values(X, stage, last)`."""
        warn("Problem.appeal is deprecated: call problem.heuristic_values(X, stage, last)")
        return self.heuristic_values(X, stage, last)  # type: ignore[attr-defined]  # of a problem

    def draw(self, x: Solutions, axes: Any) -> None:
        """Draw a solution into matplotlib's axes; deprecated: `swarmkit.draw_solution(problem, x, axes)`."""
        if _defines(self, "draw"):  # it calls its base class
            draw_grid(self.sizes, x, axes)  # type: ignore[attr-defined]  # of a problem
            return
        warn("Problem.draw is deprecated: call swarmkit.draw_solution(problem, x, axes)")
        draw_solution(self, x, axes)

    def scene(self) -> Scene:
        """Return the scene of moving pictures; deprecated: `problem.view().scene`."""
        if _defines(self, "scene"):  # it calls its base class
            return {}
        warn("Problem.scene is deprecated: ask problem.view().scene")
        scene: Scene = self.view().scene  # type: ignore[attr-defined]  # of a problem
        return scene


def view_by_members(problem: Any) -> View:
    """Return the view of a problem that has none of its own: by the members of version 0.2 that it defines, if any.

    Args:
        problem: the problem; its class is warned of if it defines such members.
    """
    members = [name for name in ("caption", "draw", "scene") if _defines(problem, name)]
    if not members:
        return View()
    names = " and ".join(f"`{name}`" for name in members)
    kind: type = type(problem)
    warn_of_class(kind, f"{names} of a problem: deprecated. Return a swarmkit.View in `def view(self)`")
    return View(**{name: getattr(problem, name) for name in members})


def _defines(problem: Any, member: str) -> bool:
    """Return whether a problem or its class defines a member of `OldMembers` itself."""
    return getattr(type(problem), member) is not vars(OldMembers)[member] or member in vars(problem)
