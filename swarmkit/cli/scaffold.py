"""`swarmkit new`: a plugin package with a problem or a solver, and tests that pass."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from swarmkit.cli.options import new_group
from swarmkit.contract.errors import UsageError

app = new_group("Write a new plugin package whose own tests are green at once.")

Name = Annotated[str, typer.Argument(help="Its name, as -p or -a will take it: letters, digits, '-'.")]
Into = Annotated[Path, typer.Option(help="The directory to put the package's directory into.")]


@app.command("problem")
def new_problem(name: Name, into: Into = Path()) -> None:
    """Write a package with a problem of your own.

    Example: swarmkit new problem knapsack
    """
    write_package("problem", name, into)


@app.command("solver")
def new_solver(name: Name, into: Into = Path()) -> None:
    """Write a package with a solver of your own.

    Example: swarmkit new solver great-deluge
    """
    write_package("solver", name, into)


def write_package(kind: str, name: str, into: Path) -> None:
    """Write a package from the templates and print what to do next."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(f"'{name}' cannot be the name of a {kind}; expected one like 'knapsack' or 'great-deluge'")
    _check_name(kind, name)
    words = {
        "kind": kind,
        "name": name,
        "module": f"swarmkit_{name.replace('-', '_')}",
        "title": "".join(part.capitalize() for part in name.split("-")),
    }
    folder = into / name
    if folder.exists():
        raise UsageError(f"{folder} exists; nothing was written")
    if not into.is_dir():
        raise UsageError(f"{into}: no such directory")
    files = TEMPLATES["common"] | TEMPLATES[kind]
    for path, text in files.items():
        file = folder / Template(path).substitute(words)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(Template(text).substitute(words), encoding="utf-8")
    use = f"-p {name} -a icm" if kind == "problem" else f"-p synthetic -a {name}"
    typer.echo(
        f"{folder}: a {kind} that works, and a test that it keeps the contract. Next:\n"
        f"  cd {folder}\n  pip install -e . pytest\n  pytest\n  swarmkit solve {use}"
    )


def _check_name(kind: str, name: str) -> None:
    """Refuse the name of a problem or solver that is installed."""
    from swarmkit.plugins.host import host

    for offer in host().offers(kind):
        if offer.name == name:
            raise UsageError(f"there is a {kind} named '{name}' already, from {offer.plugin.provenance}")


TEMPLATES: dict[str, dict[str, str]] = {
    "common": {
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
    },
    "problem": {
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
    },
    "solver": {
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
            X = random_solutions(problem, 1, rng)
            if len(X) == 0:  # feasible solutions are rare here: try again in the next step
                return StepResult(None, None, looks=len(problem.sizes))
            state.x = X[0]
        looks, cost = 0, len(state.x) if problem.structure.black_box else 1  # without tables, a gain is a whole score
        for stage in rng.integers(len(state.x), size=self.params.moves):
            gains = move_gains(problem, state.x[None], stage)[0]
            looks += cost * len(gains)
            if gains.max() > 1e-9:
                move(problem, state.x, stage, int(gains.argmax()))
        best = state.x.copy()
        if all(move_gains(problem, best[None], stage).max() <= 1e-9 for stage in range(len(best))):
            state.x = None  # a local optimum: start again
        looks += cost * int(np.sum(problem.sizes)) + len(best)
        return StepResult(best, float(evaluate(problem, best[None])[0]), looks)
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
    },
}
"""The files of a package, by their paths in it; words with a dollar sign are replaced."""
