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
    from swarmkit.anthill import (
        Rules,
        Walked,
        Ways,
        build_solutions,
        focus_tours,
        lay_trail,
        load_kernels,
        seeded,
        walk_tours,
    )
    from swarmkit.api import Replayed, replay, resume, solve, solve_many
    from swarmkit.breeding import breed, kernel_words
    from swarmkit.budget import Budget
    from swarmkit.chains import load_chain, solve_chain
    from swarmkit.cli.group import new_group
    from swarmkit.cli.show import print_json, print_table
    from swarmkit.cli.solving import parse_settings
    from swarmkit.colony import ColonyRules, Flight, Normalise, fly, kernel_seed, load_colony
    from swarmkit.construction import construct, pick_any, pick_best, random_solutions, repair
    from swarmkit.errors import (
        Interrupted,
        MissingError,
        PluginError,
        ProblemError,
        Refusal,
        SolverError,
        SwarmkitError,
        UsageError,
        unknown,
    )
    from swarmkit.files import check_writable
    from swarmkit.gap import known_bound, measure_gap
    from swarmkit.guard import evaluate, judge
    from swarmkit.hookspecs import hookimpl
    from swarmkit.improvement import local_search
    from swarmkit.moves import move, move_gains, propose, spread
    from swarmkit.nests import Habits, World, found_world, live
    from swarmkit.pairwise import Pairwise
    from swarmkit.plugins import find, register
    from swarmkit.problem import PairwiseProblem, Part, Problem
    from swarmkit.result import Result, Results
    from swarmkit.run import Run
    from swarmkit.scoring import batch_scores, child_scores
    from swarmkit.settings import Settings, make_settings
    from swarmkit.solver import GRAIN, Found, Solver
    from swarmkit.spec import make_problem, make_solver
    from swarmkit.tour import Tour
    from swarmkit.walk import Walk, anneal, climb, kick_and_climb, prepare_kernels, start_walk, tables
    from swarmkit.walks import free_form

_HOME = {
    "gap": ["known_bound", "measure_gap"],
    "chains": ["load_chain", "solve_chain"],
    "api": ["Replayed", "replay", "resume", "solve", "solve_many"],
    "breeding": ["breed", "kernel_words"],
    "budget": ["Budget"],
    "cli.group": ["new_group"],
    "cli.show": ["print_json", "print_table"],
    "cli.solving": ["parse_settings"],
    "colony": ["ColonyRules", "Flight", "Normalise", "fly", "kernel_seed", "load_colony"],
    "construction": ["construct", "pick_any", "pick_best", "random_solutions", "repair"],
    "anthill": [
        "Rules",
        "Walked",
        "Ways",
        "build_solutions",
        "focus_tours",
        "lay_trail",
        "load_kernels",
        "seeded",
        "walk_tours",
    ],
    "errors": [
        "Interrupted",
        "MissingError",
        "PluginError",
        "ProblemError",
        "Refusal",
        "SolverError",
        "SwarmkitError",
        "UsageError",
        "unknown",
    ],
    "files": ["check_writable"],
    "guard": ["evaluate", "judge"],
    "hookspecs": ["hookimpl"],
    "improvement": ["local_search"],
    "moves": ["move", "move_gains", "propose", "spread"],
    "nests": ["Habits", "World", "found_world", "live"],
    "pairwise": ["Pairwise"],
    "plugins": ["find", "register"],
    "problem": ["PairwiseProblem", "Part", "Problem"],
    "result": ["Result", "Results"],
    "run": ["Run"],
    "settings": ["Settings", "make_settings"],
    "solver": ["Found", "GRAIN", "Solver"],
    "spec": ["make_problem", "make_solver"],
    "walks": ["free_form"],
    "scoring": ["batch_scores", "child_scores"],
    "walk": ["Walk", "anneal", "climb", "kick_and_climb", "prepare_kernels", "start_walk", "tables"],
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
    "ColonyRules",
    "Flight",
    "Found",
    "Habits",
    "Interrupted",
    "MissingError",
    "Normalise",
    "Pairwise",
    "PairwiseProblem",
    "Part",
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
    "Walk",
    "Walked",
    "Ways",
    "World",
    "anneal",
    "batch_scores",
    "breed",
    "build_solutions",
    "check_writable",
    "child_scores",
    "climb",
    "construct",
    "evaluate",
    "find",
    "fly",
    "focus_tours",
    "found_world",
    "free_form",
    "hookimpl",
    "judge",
    "kernel_seed",
    "kernel_words",
    "kick_and_climb",
    "known_bound",
    "lay_trail",
    "live",
    "load_chain",
    "load_colony",
    "load_kernels",
    "local_search",
    "make_problem",
    "make_settings",
    "make_solver",
    "measure_gap",
    "move",
    "move_gains",
    "new_group",
    "parse_settings",
    "pick_any",
    "pick_best",
    "prepare_kernels",
    "print_json",
    "print_table",
    "propose",
    "random_solutions",
    "register",
    "repair",
    "replay",
    "resume",
    "seeded",
    "solve",
    "solve_chain",
    "solve_many",
    "spread",
    "start_walk",
    "tables",
    "unknown",
    "walk_tours",
]
