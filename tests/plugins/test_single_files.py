import json

import pytest

from tests.plugins.offering import write

GOOD = """
import numpy as np
import swarmkit

class Ones(swarmkit.Solver):
    "Take candidate 1 where there is one."
    def start(self, problem, rng) -> dict:
        return {}
    def step(self, problem, state, rng):
        x = np.minimum(1, np.asarray(problem.sizes) - 1)
        return swarmkit.StepResult(x, float(problem.score(x[None])[0]), looks=len(x), done=True)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"ones": Ones}
"""


def test_a_single_file_is_a_plugin(cli, own_host, tmp_path):
    file = write(tmp_path / "ones_plugin.py", GOOD)
    said = cli("solve", "--plugin", file, "-p", "synthetic", "-a", "ones", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["solver"] == "ones"
    listed = json.loads(cli("list", f"--plugin={file}", "--json").out)["solvers"]
    assert {solver["name"]: solver["from"] for solver in listed}["ones"] == file


def test_runs_of_a_single_file_plugin_spread_over_processes(cli, own_host, tmp_path):
    file = write(tmp_path / "ones_plugin.py", GOOD)
    said = cli("--plugin", file, "solve", "-p", "synthetic", "-a", "ones", "--runs", "2", "--jobs", "2", "--json")
    assert said.code == 0, said.err
    assert len(json.loads(said.out)["runs"]) == 2


def test_a_single_file_plugin_can_bring_a_command(cli, own_host, tmp_path):
    text = """
    from swarmkit import hookimpl

    def greet(name: str):
        "Say hello."
        print(f"hello {name}")

    @hookimpl
    def swarmkit_commands():
        return {"greet": greet}
    """
    file = write(tmp_path / "greeting.py", text)
    assert cli("--plugin", file, "greet", "bee").out == "hello bee\n"
    assert "Say hello." in cli("--plugin", file, "--help").out


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("broken_plugin.py", "import nothing_like_this", "ModuleNotFoundError"),
        ("syntax_plugin.py", "def (", "SyntaxError"),
        ("exit_plugin.py", "raise SystemExit(0)", "SystemExit"),
        ("json.py", "x = 1", "give the file another name"),
        ("not-a-module.py", "x = 1", "a name like my_solver.py"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_a_sentence(cli, own_host, tmp_path, name, text, expected):
    said = cli("--plugin", write(tmp_path / name, text), "list")
    assert said.code == 2
    assert expected in said.err
    assert "Traceback" not in said.err
