"""The specification of a run: everything that determines its outcome, recorded before it starts."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np

from swarmkit.contract.budget import Budget, bounded_budget
from swarmkit.contract.errors import UsageError, unknown
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import Solver
from swarmkit.contract.spec import Spec
from swarmkit.contract.version import __version__
from swarmkit.plugins.host import host
from swarmkit.plugins.offers import Offer
from swarmkit.running.given import Start, fixed_stages, starting_solutions

POLISHES = ("none", "icm", "local")
"""The local searches that can improve the answer of a run at its end."""


def make_spec(
    problem: Problem,
    solver: Solver[Any],
    seed: int,
    budget: Budget,
    *,
    polish: str = "none",
    start: Start = None,
    fixed: Mapping[int, int] | None = None,
) -> Spec:
    """Return the specification of a run.

    Args:
        problem: the problem to solve.
        solver: the solver with its parameters.
        seed: the seed of the run's generator.
        budget: the limits of the run, its target as a score to maximise; default limits are added if none of them
            ends every run.
        polish: the local search that improves the answer at the end, one of POLISHES.
        start: solutions to begin with.
        fixed: candidates of stages that the run may not change.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(f"a seed is a whole number from 0, got {seed!r}")
    if polish not in POLISHES:
        raise unknown("way to polish", polish, POLISHES)
    candidates = fixed_stages(problem, fixed)
    method = _offer_of(solver)
    return Spec(
        problem=problem.origin.name if problem.origin else type(problem).__name__,
        options=dict(problem.origin.options) if problem.origin else None,
        fingerprint=problem.fingerprint,
        solver=method.name if method else type(solver).__name__,
        params=solver.params.model_dump(mode="json"),
        seed=int(seed),
        budget=bounded_budget(budget, problem.structure.black_box),
        polish=polish,
        fixed=candidates,
        start=starting_solutions(problem, start, candidates),
        versions=_versions(problem, method),
    )


def maximised_limits(problem: Problem, limits: Budget) -> Budget:
    """Return limits whose target, given in the problem's direction, is a score to maximise.

    A problem whose score is a negated cost takes a target that is negative as such a score: no cost is.
    """
    target = limits.target
    if target is None or problem.objective == "score" or (problem.direction == "maximise" and target <= 0):
        return limits
    return limits.model_copy(update={"target": 0.0 - target})


def _offer_of(solver: Solver[Any]) -> Offer | None:
    return next((offer for offer in host().registry("solver") if offer.is_of(type(solver))), None)


def _versions(problem: Problem, method: Offer | None) -> dict[str, str]:
    """Return the versions of everything that a result may depend on."""
    found = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyswarmkit": __version__,
    }
    source = host().find("problem", problem.origin.name) if problem.origin else None
    found |= {o.plugin.source: o.plugin.version for o in (source, method) if o and o.plugin.version}
    return found | dict(problem.versions)
