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
    from swarmkit.colony import (
        Rules,
        Walked,
        Ways,
        build_solutions,
        focus_tours,
        lay_trail,
        load_kernels,
        seeded,
        walk_tours,
        weigh_ways,
    )
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
    from swarmkit.guard import evaluate, judge
    from swarmkit.hookspecs import hookimpl
    from swarmkit.improvement import local_search
    from swarmkit.moves import move, move_gains
    from swarmkit.nests import Habits, World, found_world, live
    from swarmkit.pairwise import Pairwise
    from swarmkit.plugins import register
    from swarmkit.problem import PairwiseProblem, Problem
    from swarmkit.result import Result, Results
    from swarmkit.run import Run
    from swarmkit.settings import Settings
    from swarmkit.solver import GRAIN, Found, Solver
    from swarmkit.spec import make_problem, make_solver
    from swarmkit.tour import Tour

_HOME = {
    "api": ["Replayed", "replay", "resume", "solve", "solve_many"],
    "budget": ["Budget"],
    "colony": [
        "Rules",
        "Walked",
        "Ways",
        "build_solutions",
        "focus_tours",
        "lay_trail",
        "load_kernels",
        "seeded",
        "walk_tours",
        "weigh_ways",
    ],
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
    "nests": ["Habits", "World", "found_world", "live"],
    "pairwise": ["Pairwise"],
    "plugins": ["register"],
    "problem": ["PairwiseProblem", "Problem"],
    "result": ["Result", "Results"],
    "run": ["Run"],
    "settings": ["Settings"],
    "solver": ["GRAIN", "Found", "Solver"],
    "spec": ["make_problem", "make_solver"],
    "tour": ["Tour"],
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
    "Found",
    "Habits",
    "Interrupted",
    "MissingError",
    "Pairwise",
    "PairwiseProblem",
    "PluginError",
    "Problem",
    "ProblemError",
    "Refusal",
    "Replayed",
    "Result",
    "Results",
    "Rules",
    "Run",
    "Settings",
    "Solver",
    "SolverError",
    "SwarmkitError",
    "Tour",
    "UsageError",
    "Walked",
    "Ways",
    "World",
    "build_solutions",
    "construct",
    "evaluate",
    "focus_tours",
    "found_world",
    "hookimpl",
    "judge",
    "lay_trail",
    "live",
    "load_kernels",
    "local_search",
    "make_problem",
    "make_solver",
    "move",
    "move_gains",
    "pick_any",
    "pick_best",
    "random_solutions",
    "register",
    "replay",
    "resume",
    "seeded",
    "solve",
    "solve_many",
    "walk_tours",
    "weigh_ways",
]
