"""What solvers need done fast, on problems that are tables: the second public door, for authors of solvers.

Each function here is a thin wrapper of a kernel in `swarmkit.kernels`, which is loaded when it is first called, or in a
solver's `prepare` by `prepare_kernels`. `tables(problem)` says whether a problem can be worked on this way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit.doors import open_lazily

if TYPE_CHECKING:
    from swarmkit.compiled.ants import (
        Rules,
        Walked,
        Ways,
        build_solutions,
        focus_tours,
        lay_trail,
        renew_tours,
        teach_ways,
        walk_tours,
        weigh_ways,
    )
    from swarmkit.compiled.bees import ColonyRules, Flight, Normalise, fly, load_colony
    from swarmkit.compiled.breeding import Operators, breed, breed_tours, wander
    from swarmkit.compiled.chains import solve_chain
    from swarmkit.compiled.loading import kernel_words, prepare_kernels, tables
    from swarmkit.compiled.nests import Habits, World, found_world, live
    from swarmkit.compiled.rounds import NEAREST, Round, anneal_round, kick_round, polish_round, round_trip, start_round
    from swarmkit.compiled.routes import free_form
    from swarmkit.compiled.scoring import batch_scores, child_scores
    from swarmkit.compiled.swaps import Swaps, search_swaps, start_swaps, swappable
    from swarmkit.compiled.walk import (
        Annealed,
        Walk,
        anneal,
        block_around,
        climb,
        cool,
        field_spread,
        kick_and_climb,
        merge,
        return_to_best,
        start_walk,
    )

_HOME = {
    "ants": [
        "Rules",
        "Walked",
        "Ways",
        "build_solutions",
        "focus_tours",
        "lay_trail",
        "renew_tours",
        "teach_ways",
        "walk_tours",
        "weigh_ways",
    ],
    "bees": ["ColonyRules", "Flight", "Normalise", "fly", "load_colony"],
    "breeding": ["Operators", "breed", "breed_tours", "wander"],
    "chains": ["solve_chain"],
    "loading": ["kernel_words", "prepare_kernels", "tables"],
    "nests": ["Habits", "World", "found_world", "live"],
    "rounds": ["NEAREST", "Round", "anneal_round", "kick_round", "polish_round", "round_trip", "start_round"],
    "routes": ["free_form"],
    "scoring": ["batch_scores", "child_scores"],
    "swaps": ["Swaps", "search_swaps", "start_swaps", "swappable"],
    "walk": [
        "Annealed",
        "Walk",
        "anneal",
        "block_around",
        "climb",
        "cool",
        "field_spread",
        "kick_and_climb",
        "merge",
        "return_to_best",
        "start_walk",
    ],
}

__getattr__, __dir__ = open_lazily("swarmkit.compiled", _HOME)

__all__ = [
    "NEAREST",
    "Annealed",
    "ColonyRules",
    "Flight",
    "Habits",
    "Normalise",
    "Operators",
    "Round",
    "Rules",
    "Swaps",
    "Walk",
    "Walked",
    "Ways",
    "World",
    "anneal",
    "anneal_round",
    "batch_scores",
    "block_around",
    "breed",
    "breed_tours",
    "build_solutions",
    "child_scores",
    "climb",
    "cool",
    "field_spread",
    "fly",
    "focus_tours",
    "found_world",
    "free_form",
    "kernel_words",
    "kick_and_climb",
    "kick_round",
    "lay_trail",
    "live",
    "load_colony",
    "merge",
    "polish_round",
    "prepare_kernels",
    "renew_tours",
    "return_to_best",
    "round_trip",
    "search_swaps",
    "solve_chain",
    "start_round",
    "start_swaps",
    "start_walk",
    "swappable",
    "tables",
    "teach_ways",
    "walk_tours",
    "wander",
    "weigh_ways",
]
