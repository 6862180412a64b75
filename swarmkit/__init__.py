"""swarmkit: combinatorial problems solved by swarms and their relatives.

    import swarmkit
    result = swarmkit.solve("synthetic", "icm", seed=1)

Everything users may import is listed here. It is loaded when first asked for, so that a plugin that only says what it
offers, or `swarmkit --help`, does not wait for numpy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from swarmkit.api import Replayed, replay, resume, solve, solve_many
    from swarmkit.budget import Budget
    from swarmkit.chains import load_chain, solve_chain
    from swarmkit.colony import ColonyRules, Flight, Normalise, fly, kernel_seed, load_colony
    from swarmkit.construction import construct, pick_any, pick_best, random_solutions
    from swarmkit.errors import (
        Interrupted,
        MissingError,
        PluginError,
        ProblemError,
        Refusal,
        SolverError,
        SwarmkitError,
        UsageError,
    )
    from swarmkit.gap import known_bound, measure_gap
    from swarmkit.guard import evaluate, judge
    from swarmkit.hookspecs import hookimpl
    from swarmkit.improvement import local_search
    from swarmkit.moves import move, move_gains
    from swarmkit.pairwise import Pairwise
    from swarmkit.plugins import register
    from swarmkit.problem import PairwiseProblem, Problem
    from swarmkit.result import Result, Results
    from swarmkit.run import Run
    from swarmkit.settings import Settings
    from swarmkit.solver import GRAIN, Found, Solver
    from swarmkit.spec import make_problem, make_solver
    from swarmkit.walks import free_form

_HOME = {
    "gap": ["known_bound", "measure_gap"],
    "chains": ["load_chain", "solve_chain"],
    "api": ["Replayed", "replay", "resume", "solve", "solve_many"],
    "budget": ["Budget"],
    "colony": ["ColonyRules", "Flight", "Normalise", "fly", "kernel_seed", "load_colony"],
    "construction": ["construct", "pick_any", "pick_best", "random_solutions"],
    "errors": [
        "Interrupted",
        "MissingError",
        "PluginError",
        "ProblemError",
        "Refusal",
        "SolverError",
        "SwarmkitError",
        "UsageError",
    ],
    "guard": ["evaluate", "judge"],
    "hookspecs": ["hookimpl"],
    "improvement": ["local_search"],
    "moves": ["move", "move_gains"],
    "pairwise": ["Pairwise"],
    "plugins": ["register"],
    "problem": ["PairwiseProblem", "Problem"],
    "result": ["Result", "Results"],
    "run": ["Run"],
    "settings": ["Settings"],
    "solver": ["GRAIN", "Found", "Solver"],
    "spec": ["make_problem", "make_solver"],
    "walks": ["free_form"],
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'swarmkit' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"swarmkit.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "GRAIN",
    "Budget",
    "ColonyRules",
    "Flight",
    "Found",
    "Interrupted",
    "MissingError",
    "Normalise",
    "Pairwise",
    "PairwiseProblem",
    "PluginError",
    "Problem",
    "ProblemError",
    "Refusal",
    "Replayed",
    "Result",
    "Results",
    "Run",
    "Settings",
    "Solver",
    "SolverError",
    "SwarmkitError",
    "UsageError",
    "construct",
    "evaluate",
    "fly",
    "free_form",
    "hookimpl",
    "judge",
    "kernel_seed",
    "known_bound",
    "load_chain",
    "load_colony",
    "local_search",
    "make_problem",
    "make_solver",
    "measure_gap",
    "move",
    "move_gains",
    "pick_any",
    "pick_best",
    "random_solutions",
    "register",
    "replay",
    "resume",
    "solve",
    "solve_chain",
    "solve_many",
]
