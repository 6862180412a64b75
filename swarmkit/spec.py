"""What is run: problem, solver, seed and budget by name and value. Results and checkpoints carry it."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from swarmkit.budget import Budget
from swarmkit.errors import UsageError, unknown
from swarmkit.improvement import POLISHES
from swarmkit.plugins import Offer, host
from swarmkit.problem import Origin, Problem
from swarmkit.settings import make_settings
from swarmkit.solver import Solver


class Spec(BaseModel):
    """A run before it is run; together with the problem's content it determines the outcome."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    problem: str
    options: dict[str, Any] | None
    """The problem's options; None for a problem made in Python."""
    fingerprint: str
    solver: str
    params: dict[str, Any]
    seed: int
    budget: Budget
    polish: str = "none"
    """A local search on the answer, once, at the end."""
    versions: dict[str, str]


def make_problem(name: str, **options: Any) -> Problem:
    """Make a registered problem.

    >>> len(make_problem("synthetic", n=7).sizes)
    7
    """
    return build_problem(host().find("problem", name).value, name, options)


def build_problem(kind: type[Problem], name: str, options: Mapping[str, Any]) -> Problem:
    """Make a problem of a class that is registered by this name, here or where the run was planned."""
    made = make_settings(kind.Options, options, f"problem '{name}'")
    problem = kind.build(made)
    object.__setattr__(
        problem, "origin", Origin(name, made.model_dump(mode="json"))
    )  # a frozen dataclass can be one too
    return problem


def make_solver(name: str, **params: Any) -> Solver[Any]:
    """Make a registered solver.

    >>> make_solver("icm")
    Icm()
    """
    offer = host().find("solver", name)
    make_settings(offer.value.Params, params, f"solver '{name}'")  # for the name in the message
    solver: Solver[Any] = offer.value(**params)
    return solver


def make_spec(problem: Problem, solver: Solver[Any], seed: int, budget: Budget, polish: str = "none") -> Spec:
    """Write down what is about to be run."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(f"a seed is a whole number from 0, got {seed!r}")
    if polish not in POLISHES:
        raise unknown("way to polish", polish, POLISHES)
    method = _offer_of(solver)
    return Spec(
        problem=problem.origin.name if problem.origin else type(problem).__name__,
        options=dict(problem.origin.options) if problem.origin else None,
        fingerprint=problem.fingerprint,
        solver=method.name if method else type(solver).__name__,
        params=solver.params.model_dump(mode="json"),
        seed=int(seed),
        budget=budget,
        polish=polish,
        versions=_versions(problem, method),
    )


def _offer_of(solver: Solver[Any]) -> Offer | None:
    return next((offer for offer in host().offers("solver") if offer.value is type(solver)), None)


def _versions(problem: Problem, method: Offer | None) -> dict[str, str]:
    """Versions of everything that a result may depend on."""
    found = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyswarmkit": importlib.metadata.version("pyswarmkit"),
    }
    source = host().find("problem", problem.origin.name) if problem.origin else None
    found |= {o.plugin.source: o.plugin.version for o in (source, method) if o and o.plugin.version}
    return found | dict(problem.versions)
