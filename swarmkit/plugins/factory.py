"""Problems and solvers made by their registered names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from swarmkit.contract.instance import Origin
from swarmkit.contract.problem import Problem
from swarmkit.contract.settings import Settings, make_settings
from swarmkit.contract.solver import Solver
from swarmkit.plugins.failures import plugin_code
from swarmkit.plugins.host import host

DEFAULT_SOLVER = "auto"
"""The solver where none is named: the one name of a solver that the core knows. It chooses among the others."""


def make_problem(name: str, **options: Any) -> Problem:
    """Make a registered problem.

    Args:
        name: the name of the problem, as `swarmkit list` shows it.
        options: what `swarmkit solve -P` sets; `swarmkit describe NAME` explains them.

    >>> len(make_problem("synthetic", n=7).sizes)
    7
    """
    return build_problem(host().find("problem", name).value, name, options)


def build_problem(kind: type[Problem], name: str, options: Mapping[str, Any]) -> Problem:
    """Make a problem of a class that is registered by this name, here or where the run was planned."""
    settings = make_settings(kind.Options, options, f"problem '{name}'")
    with plugin_code():
        problem = kind.build(settings)
    # Not an assignment: a problem may be a frozen dataclass.
    object.__setattr__(problem, "origin", Origin(name, settings.model_dump(mode="json")))
    return problem


def make_solver(name: str, **params: Any) -> Solver[Any]:
    """Make a registered solver.

    Args:
        name: the name of the solver, as `swarmkit list` shows it.
        params: what `swarmkit solve -A` sets; `swarmkit describe NAME` explains them.

    >>> make_solver("icm")
    Icm()
    """
    offer = host().find("solver", name)
    # Made twice: here the message says which solver, by the name that the user typed.
    offer.value.make_params(params, f"solver '{name}'")  # for the name in messages
    with plugin_code():
        solver: Solver[Any] = offer.value(**params)
    return solver


def settings_of(kind: str, name: str, inputs: Mapping[str, Any]) -> Settings:
    """Return the options of a registered problem, or the parameters of a registered solver, defaults included.

    Args:
        kind: `problem` or `solver`.
        name: the registered name.
        inputs: some of the settings, as values or as the text of a command line; the others have their defaults.
    """
    kind_class, owner = host().find(kind, name).value, f"{kind} '{name}'"
    settings: Settings = (
        make_settings(kind_class.Options, inputs, owner) if kind == "problem" else kind_class.make_params(inputs, owner)
    )
    return settings
