"""The files that `swarmkit new` writes; names with a dollar sign are substituted."""

from __future__ import annotations

COMMON = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "swarmkit-$name"
version = "0.1.0"
description = "The $kind '$name' for swarmkit."
requires-python = ">=3.11"
dependencies = ["pyswarmkit", "numpy"]

# This line is what makes it a plugin.
[project.entry-points.swarmkit]
$name = "$module"

[tool.hatch.build.targets.wheel]
packages = ["$module"]

[tool.pytest.ini_options]
pythonpath = ["."]
""",
    "README.md": """\
# swarmkit-$name

The $kind `$name` for swarmkit.

    pip install -e . pytest
    pytest
    swarmkit describe $name
""",
}

PROBLEM = {
    "$module/__init__.py": '''\
"""The problem '$name', as a plugin."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_problems():
    """Offer the problem; it is imported when somebody asks for it."""
    return {"$name": "$module.problem:$title"}
''',
    "$module/problem.py": '''\
"""An example to change: choose numbers whose neighbours differ as much as they can."""

import numpy as np
from pydantic import Field

from swarmkit import Problem, Settings


class $title(Problem):
    """Choose a number at every stage; neighbours should differ."""

    class Options(Settings):
        """What -P sets; the fields are the constructor's arguments."""

        n: int = Field(default=10, ge=1)
        """Number of stages."""
        m: int = Field(default=4, ge=2)
        """Candidates at each stage."""

    def __init__(self, n=10, m=4):
        self.sizes = np.full(n, m)  # required: how many candidates each stage offers

    def score(self, X):
        """Score solutions, one a row of X (required); higher is better."""
        return np.abs(np.diff(X, axis=1)).sum(axis=1).astype(float)

    # Optional, each with a correct default: feasible, allowed, gains, heuristic_values, relatedness, pairwise,
    # describe, metrics.
''',
    "tests/test_$module.py": """\
import swarmkit
from swarmkit.testing import problem_checks
from $module.problem import $title


@problem_checks($title)
def test_it_keeps_the_contract(check):
    check()


def test_the_best_solution_jumps_between_the_ends():
    assert swarmkit.solve($title(n=5, m=3), "exhaustive").score == 8
""",
}

SOLVER = {
    "$module/__init__.py": '''\
"""The solver '$name', as a plugin."""

from swarmkit import hookimpl


@hookimpl
def swarmkit_solvers():
    """Offer the solver; it is imported when somebody asks for it."""
    return {"$name": "$module.solver:$title"}
''',
    "$module/solver.py": '''\
"""An example to change: hill climbing from random solutions, restarted at every local optimum."""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from swarmkit import StepResult, Settings, Solver, evaluate, move, move_gains, random_solutions


@dataclass
class State:
    """The current solution: plain data only, so that runs can be resumed."""

    x: np.ndarray | None


class $title(Solver):
    """Move to a better neighbour as long as there is one, then start again."""

    reference = "Say here where the method was published."

    class Params(Settings):
        """What -A sets."""

        moves: int = Field(default=1000, ge=1)
        """Moves tried per iteration."""

    def start(self, problem, rng) -> State:
        """Return a state without a solution: the first step draws one."""
        return State(x=None)

    def step(self, problem, state: State, rng) -> StepResult:
        """Try some moves; return the best solution, its score and the number of candidate values read (looks)."""
        if state.x is None:
            drawn = random_solutions(problem, 1, rng)
            if len(drawn) == 0:  # feasible solutions are rare here: try again in the next step
                return StepResult(None, None, looks=len(problem.sizes))
            state.x = drawn[0]
        looks, cost = 0, len(state.x) if problem.structure.black_box else 1  # without tables, a gain is a whole score
        for stage in rng.integers(len(state.x), size=self.params.moves):
            gains = move_gains(problem, state.x[None], stage)[0]
            looks += cost * len(gains)
            if gains.max() > 1e-9:
                move(problem, state.x, stage, int(gains.argmax()))
        found = state.x.copy()
        if all(move_gains(problem, found[None], stage).max() <= 1e-9 for stage in range(len(found))):
            state.x = None  # a local optimum: start again
        looks += cost * int(np.sum(problem.sizes)) + len(found)
        return StepResult(found, float(evaluate(problem, found[None])[0]), looks)
''',
    "tests/test_$module.py": """\
import swarmkit
from swarmkit.testing import solver_checks
from $module.solver import $title


@solver_checks($title(moves=20))
def test_it_keeps_the_contract(check):
    check()


def test_it_finds_a_planted_optimum():
    problem = swarmkit.make_problem("synthetic", n=10, planted=True)
    result = swarmkit.solve(problem, $title(moves=100), seed=1, iterations=50)
    assert result.metrics["share of optimum"] == 1
""",
}
