"""The examples run, the README tells the truth, and the example package works as a stranger's would."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

import swarmkit
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_readme_shows_the_program_and_what_it_prints():
    program = (ROOT / "examples" / "readme.py").read_text().split("\n", 2)[2]
    assert program.strip() in README
    assert run(sys.executable, ROOT / "examples" / "readme.py").strip() in README


def test_the_readme_lists_everything_that_is_bundled():
    from swarmkit.plugins.host import host

    for kind in ("problem", "solver"):
        for offer in host().offers(kind):
            if offer.plugin.source == "pyswarmkit":
                assert f"`{offer.name}`" in README


def knapsack(monkeypatch):
    """The example problem, and the value of its best load by dynamic programming."""
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "plugin"))
    from swarmkit_knapsack.knapsack import Knapsack

    problem = Knapsack.build(Knapsack.Options(n=25, seed=3))
    most = np.zeros(problem.capacity + 1)
    for weight, value in zip(problem.weights, problem.values, strict=True):
        most[weight:] = np.maximum(most[weight:], most[:-weight] + value)
    return problem, most[-1]


@pytest.mark.parametrize(
    "name", ["aca", "bco", "dbees", "ga", "greedy", "icm", "ils", "random", "sa", "tsp-aco", "vote"]
)
def test_every_heuristic_fills_the_example_knapsack(name, monkeypatch):
    problem, most = knapsack(monkeypatch)
    result = swarmkit.solve(problem, name, seed=1, looks=300_000)
    assert swarmkit.judge(problem, np.array([result.solution]))[0]
    assert result.score == problem.score(np.array([result.solution]))[0] <= most
    assert result.score >= (0.95 if name in SEARCHERS else 0.4) * most


SEARCHERS = {"bco", "ga", "icm", "ils", "sa", "tsp-aco"}
"""Those that search; the others build, or follow what the knapsack does not have: relatedness, a chain of words."""


def test_a_problem_of_ones_own_takes_about_twenty_lines():
    file = ROOT / "examples" / "own_problem.py"
    assert "9 of 9 borders differ" in run(sys.executable, file)
    code = [line for line in file.read_text().splitlines() if line.strip() and '"""' not in line]
    assert len(code) <= 22


def test_ci_runs_the_readmes_test_command():
    command = re.search(r'python3 -m venv \.venv && \.venv/bin/pip install -q -e "\.\[test\]" && .*', README)
    assert command
    assert command[0] in (ROOT / ".ci" / "run").read_text()


def needs_package_index(folder):
    """Skip a test where pip cannot fetch what builds a package."""
    options = ("--quiet", "--retries", "0", "--dest", folder / "probe")
    probe = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, "hatchling"], capture_output=True, text=True, check=False
    )
    if probe.returncode:
        pytest.skip(f"needs the package index: {probe.stderr.strip()[-200:]}")


@pytest.fixture
def environment(tmp_path):
    """A fresh environment with swarmkit and the example package installed by pip, and nothing else of ours."""
    folder = tmp_path / "third-party"
    venv.create(folder / "env")
    package = folder / "plugin"
    shutil.copytree(ROOT / "examples" / "plugin", package, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    pip = sys.executable, "-m", "pip", "--python", folder / "env"
    needs_package_index(tmp_path)
    run(*pip, "install", "-q", "--no-compile", ROOT, package)  # what is imported is compiled then
    return folder / "env"


@pytest.fixture
def there(environment, tmp_path):
    """Run the installed command, away from the checkout."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def call(*arguments):
        return run(environment / "bin" / "swarmkit", *arguments, cwd=tmp_path, env=clean)

    return call


def test_the_example_package_works_as_a_strangers_would(environment, there):
    """One test, because its environment takes 9 seconds and would be made once for each worker."""
    it_is_listed_with_its_provenance(there)
    it_is_checked_and_solved(there)
    broken_on_purpose_it_is_listed_as_broken_and_everything_else_works(environment, there)


def it_is_listed_with_its_provenance(there):
    listed = json.loads(there("list", "--json"))
    origin = {entry["name"]: entry["from"] for kind in ("problems", "solvers") for entry in listed[kind]}
    assert origin["backpack"] == origin["hill-climbing"] == "swarmkit-knapsack 1.2.0"
    assert origin["icm"].startswith("pyswarmkit ")
    assert listed["broken"] == []


def it_is_checked_and_solved(there):
    assert ", 0 failed" in there("check", "backpack")
    assert ", 0 failed" in there("check", "hill-climbing", "-A", "moves=20", "--examples", "3")
    small = ["solve", "-p", "backpack", "-P", "n=12", "--json"]
    best = json.loads(there(*small, "-a", "exhaustive"))
    climbed = json.loads(there(*small, "-a", "hill-climbing", "--looks", "20000"))
    assert 0.9 * best["score"] <= climbed["score"] <= best["score"]
    assert climbed["metrics"]["weight"] <= climbed["metrics"]["capacity"]
    assert climbed["versions"]["swarmkit-knapsack"] == "1.2.0"


def broken_on_purpose_it_is_listed_as_broken_and_everything_else_works(environment, there):
    module = next(Path(environment).glob("lib/python*/site-packages/swarmkit_knapsack/__init__.py"))
    module.write_text("import a_module_that_nobody_has")
    listed = json.loads(there("list", "--json"))
    [broken] = listed["broken"]
    assert broken["from"] == "swarmkit-knapsack 1.2.0"
    assert "a_module_that_nobody_has" in broken["error"]
    assert "broken plugins" in there("list")
    assert json.loads(there("solve", "-p", "synthetic", "-a", "random", "--looks", "1000", "--json"))["score"] > 0
