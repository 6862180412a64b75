"""Compilation before the clock runs."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from swarmkit.contract.errors import SolverError
from swarmkit.contract.problem import Problem
from swarmkit.search.gain_table import links_of


def warm_up(problem: Problem, *kernels: Any) -> None:
    """Make sure that kernels are compiled and the problem's tables laid out; call it in a solver's `prepare`.

    Import kernel modules inside `prepare` and hand them over: importing one compiles (later: loads from numba's cache)
    the functions that declare a signature. A function without one would be compiled inside the first step, where its
    seconds count as search, so it is refused.

    Args:
        problem: the problem of the run that is about to start.
        kernels: compiled functions, or modules of them.
    """
    for given in kernels:
        own = vars(given).values() if isinstance(given, ModuleType) else [given]
        for function in own:
            lazy = getattr(function, "targetoptions", None) is not None and not function.signatures
            if lazy and not _inlined(function):
                raise SolverError(
                    f"kernel '{function.__name__}' declares no signature, so it would be compiled inside the run: "
                    "decorate it with swarmkit.kernels.compiling.kernel(SIGNATURE)"
                )
    form = problem.structure.tables
    if form is not None:
        links_of(form)


def _inlined(function: Any) -> bool:
    """Whether a function is only ever compiled into others."""
    return bool(function.targetoptions.get("inline") == "always")
