"""Problems and solvers made by their registered names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarmkit.contract.problem import Origin, Problem
from swarmkit.contract.settings import make_settings
from swarmkit.contract.solver import Solver
from swarmkit.plugins.host import host


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
