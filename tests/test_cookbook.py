"""Every recipe of the cookbook is accepted by every solver, or refused in a sentence, and answers are feasible."""

import re
import subprocess
import sys

import numpy as np
import pytest

import swarmkit
from swarmkit.plugins.host import host
from tests.conftest import ROOT
from tests.pages import script

RECIPES = script(ROOT / "docs" / "recipes.py").recipes()
PROVERS = {"cpsat", "highs", "toulbar2"}
"""Those that run in a process of their own, which takes seconds: they are asked whether they refuse."""


@pytest.fixture(scope="module", params=RECIPES)
def recipe(request):
    return script(ROOT / "docs" / "recipes.py").model_of(RECIPES[request.param]).problem()


HEURISTICS = {"auto", "aca", "annealing", "bco", "dbees", "ga", "ils", "sa", "tsp-aco", "random"}


def run(problem, solver):
    """Return the result of a short run."""
    limits = {"evaluations": 20} if problem.structure.black_box else {"looks": 2000}
    return swarmkit.solve(problem, solver, seed=1, **limits)


def test_every_solver_takes_it_or_says_why_not(recipe):
    solvers = [offer.name for offer in host().offers("solver") if offer.plugin.source == "pyswarmkit"]
    refusals = {name: reason for name in solvers if (reason := swarmkit.make_solver(name).refuses(recipe))}
    assert all(len(reason.split()) > 4 for reason in refusals.values()), refusals
    assert not refusals.keys() & HEURISTICS
    for name in solvers:
        if name not in refusals.keys() | PROVERS:
            result = run(recipe, name)
            assert result.solution is None or recipe.feasible(np.array([result.solution]))[0], name


def test_recipes_are_formatted_and_import_numpy_and_swarmkit_alone(tmp_path):
    for title, source in RECIPES.items():
        file = tmp_path / "recipe.py"
        file.write_text(source)
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--check", "--line-length", "120", file],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{title}: {done.stdout}"
        imported = set(re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE))
        assert imported <= ({"sklearn"} if title == "Feature selection" else set())
