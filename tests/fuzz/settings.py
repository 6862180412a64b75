"""Options of problems, parameters of solvers, and budgets: how each is mutated and used."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import swarmkit
from swarmkit.plugins.host import host
from tests.fuzz.mutators import TOKENS


@cache
def _settings() -> list[tuple[str, str, str]]:
    """Return kind, name and setting of every option of every problem and every parameter of every solver."""
    found = []
    for offer in host().offers("problem"):
        found += [("problem", offer.name, field) for field in offer.value.Options.model_fields]
    for offer in host().offers("solver"):
        found += [("solver", offer.name, field) for field in offer.value.Params.model_fields]
    return [entry for entry in found if entry[1] not in ("wsd",)]


OPTION_VALUES = (
    *TOKENS,
    "[1, 2]",
    '{"a": 1}',
    "[NaN]",
    "[" * 3000 + "]" * 3000,
    "1e6",
    "2",
    "3",
    "7",
    "12",
    "100",
    "0.5",
    "/",
    "/dev/null",
    "random",
)


def mutate_option(_: Any, random: Random, folder: Path) -> tuple[str, str, dict[str, str]]:
    kind, name, setting = random.choice(_settings())
    given = {setting: random.choice(OPTION_VALUES)}
    others = [other[2] for other in _settings() if other[:2] == (kind, name)]
    if random.random() < 0.3:
        given[random.choice([*others, "x", "nn"])] = random.choice(OPTION_VALUES)
    return kind, name, given


def use_option(given: tuple[str, str, dict[str, str]], folder: Path) -> None:
    kind, name, values = given
    if kind == "problem":
        problem = swarmkit.make_problem(name, **values)
        if len(problem.sizes) < 1000:
            swarmkit.solve(problem, "random", looks=1000)
    else:
        solver = swarmkit.make_solver(name, **values)
        for problem, size in (("synthetic", 6), ("tsp", 8), ("qap", 6)):
            made = swarmkit.make_problem(problem, n=size)
            if solver.refuses(made) is None:
                swarmkit.solve(made, solver, looks=2000, seconds=3)
                return


def mutate_budget(_: Any, random: Random, folder: Path) -> dict[str, str]:
    names = ("seconds", "looks", "evaluations", "iterations", "target", "patience")
    return {random.choice(names): random.choice(OPTION_VALUES) for _ in range(random.choice((1, 2)))}


def use_budget(given: dict[str, str], folder: Path) -> None:
    from swarmkit.contract.budget import budget

    limits = budget(**given)
    swarmkit.solve("synthetic", "random", **(limits.model_dump() | {"seconds": 0.2}))
