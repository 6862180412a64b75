"""swarmkit: combinatorial problems solved by swarms and their relatives.

    import swarmkit
    result = swarmkit.solve("synthetic", "icm", seed=1)

Everything users may import is listed here. It is loaded when first asked for, so that a plugin that only says what it
offers, or `swarmkit --help`, does not wait for numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.doors import open_lazily

if TYPE_CHECKING:
    from swarmkit.api import Replayed, replay, resume, solve, solve_many
    from swarmkit.budget import Budget
    from swarmkit.cli.group import new_group
    from swarmkit.cli.show import print_json, print_table
    from swarmkit.cli.solving import parse_settings
    from swarmkit.comparison.comparing import compare
    from swarmkit.comparison.experiment import Experiment, read_experiment
    from swarmkit.comparison.record import Failed, Record
    from swarmkit.comparison.store import Store
    from swarmkit.construction import construct, pick_any, pick_best, random_solutions, repair
    from swarmkit.errors import (
        FailedRuns,
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
    from swarmkit.files import check_writable, write_atomically
    from swarmkit.gap import known_bound, measure_gap
    from swarmkit.guard import evaluate, judge
    from swarmkit.hookspecs import hookimpl
    from swarmkit.improvement import local_search
    from swarmkit.moves import move, move_gains, propose, spread
    from swarmkit.pairwise import Pairwise
    from swarmkit.plugins import find, register
    from swarmkit.problem import PairwiseProblem, Part, Problem
    from swarmkit.reading import decode_text, quoted, read_text, wrong_line
    from swarmkit.result import Result, Results
    from swarmkit.run import Run
    from swarmkit.settings import FileName, Settings, make_settings
    from swarmkit.solver import GRAIN, Found, Solver
    from swarmkit.spec import make_problem, make_solver
    from swarmkit.tour import Tour

_HOME = {
    "api": ["Replayed", "replay", "resume", "solve", "solve_many"],
    "budget": ["Budget"],
    "cli.group": ["new_group"],
    "cli.show": ["print_json", "print_table"],
    "cli.solving": ["parse_settings"],
    "comparison.comparing": ["compare"],
    "comparison.experiment": ["Experiment", "read_experiment"],
    "comparison.record": ["Failed", "Record"],
    "comparison.store": ["Store"],
    "construction": ["construct", "pick_any", "pick_best", "random_solutions", "repair"],
    "errors": [
        "FailedRuns",
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
    "files": ["check_writable", "write_atomically"],
    "gap": ["known_bound", "measure_gap"],
    "guard": ["evaluate", "judge"],
    "hookspecs": ["hookimpl"],
    "improvement": ["local_search"],
    "moves": ["move", "move_gains", "propose", "spread"],
    "pairwise": ["Pairwise"],
    "plugins": ["find", "register"],
    "problem": ["PairwiseProblem", "Part", "Problem"],
    "reading": ["decode_text", "quoted", "read_text", "wrong_line"],
    "result": ["Result", "Results"],
    "run": ["Run"],
    "settings": ["FileName", "Settings", "make_settings"],
    "solver": ["Found", "GRAIN", "Solver"],
    "spec": ["make_problem", "make_solver"],
    "tour": ["Tour"],
}

__getattr__, __dir__ = open_lazily("swarmkit", _HOME)

__all__ = [
    "GRAIN",
    "Budget",
    "Experiment",
    "Failed",
    "FailedRuns",
    "FileName",
    "Found",
    "Interrupted",
    "MissingError",
    "Pairwise",
    "PairwiseProblem",
    "Part",
    "PluginError",
    "Problem",
    "ProblemError",
    "Record",
    "Refusal",
    "Replayed",
    "Result",
    "Results",
    "Run",
    "Settings",
    "Solver",
    "SolverError",
    "Store",
    "SwarmkitError",
    "Tour",
    "UsageError",
    "check_writable",
    "compare",
    "construct",
    "decode_text",
    "evaluate",
    "find",
    "hookimpl",
    "judge",
    "known_bound",
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
    "print_json",
    "print_table",
    "propose",
    "quoted",
    "random_solutions",
    "read_experiment",
    "read_text",
    "register",
    "repair",
    "replay",
    "resume",
    "solve",
    "solve_many",
    "spread",
    "unknown",
    "write_atomically",
    "wrong_line",
]
