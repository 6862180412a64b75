import json
from pathlib import Path

import pytest

import swarmkit
from tests.plugins.offering import write

FAILING = """
import ctypes, os, sys
from asyncio import CancelledError
import numpy as np
import swarmkit

print("at import")

class Failing(swarmkit.Solver):
    "Fail as asked."
    class Params(swarmkit.Settings):
        how: str = ""

    def start(self, problem, rng) -> dict:
        if self.params.how == "start":
            raise ValueError("at once")
        print("in start")
        return {}

    def step(self, problem, state, rng):
        if self.params.how == "raise":
            return self.helper()
        if self.params.how == "exit":
            sys.exit(0)
        if self.params.how == "cancel":
            raise CancelledError
        if self.params.how == "none":
            return None
        if self.params.how == "print":
            print("in step")
            os.write(1, b"by the file\\n")
            ctypes.CDLL(None).puts(b"from C")
        x = np.zeros(len(problem.sizes), np.int64)
        return swarmkit.StepResult(x, float(problem.score(x[None])[0]), looks=len(x), done=self.params.how == "print")

    def helper(self):
        return {}["key"]

class Odd(swarmkit.Problem):
    "Fail as asked."
    class Options(swarmkit.Settings):
        how: str = ""

    @classmethod
    def build(cls, options):
        if options.how == "build":
            raise OSError("no such place")
        made = cls()
        made.sizes, made.how, made.calls = (2, 2), options.how, 0
        return made

    def score(self, X):
        self.calls += len(X)
        if self.calls > 20 and self.how == "score":
            raise ArithmeticError("no sum")
        return np.full(len(X), np.nan if self.calls > 20 and self.how == "nan" else 1.0)

    def feasible(self, X):
        if self.how == "feasible":
            raise TypeError
        return np.ones(len(X) + (self.how == "shape"), bool)

    def describe(self, x):
        if self.how == "describe":
            raise sys.exit(3)
        return []

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"failing": Failing}

@swarmkit.hookimpl
def swarmkit_problems():
    return {"odd": Odd}
"""


@pytest.fixture
def failing(own_host, tmp_path):
    return write(tmp_path / "failing_plugin.py", FAILING)


def place(file, text):
    """The line of a file that contains a text."""
    [line] = [n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if text in line]
    return f"{file}:{line}"


@pytest.mark.parametrize(
    ("how", "code", "method", "line", "error"),
    [
        ("start", 1, "Failing.start failed at", 'ValueError("at once")', "(ValueError: at once)"),
        ("raise", 1, "Failing.helper failed at", '{}["key"]', "(KeyError: 'key')"),
        ("exit", 1, "Failing.step failed at", "sys.exit(0)", "(SystemExit: 0)"),
        ("cancel", 1, "Failing.step failed at", "raise CancelledError", "(CancelledError)"),
        ("none", 2, "Failing.step returned None; expected a StepResult (Failing.step:", "def step", ""),
    ],
)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_solver_that_fails_is_named_with_the_place(cli, failing, how, code, method, line, error, jobs):
    many = ("--runs", "2", "--jobs", jobs)
    said = cli("--plugin", failing, "solve", "-p", "synthetic", "-a", "failing", "-A", f"how={how}", *many)
    assert said.code == code
    last = said.err.splitlines()[-1]
    assert last.startswith("swarmkit: plugin 'failing_plugin' (")
    assert f"failing_plugin.py): {method} {place(failing, line)}" in last
    assert error in last
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("how", "code", "method", "line", "error"),
    [
        ("build", 1, "Odd.build failed at", "no such place", "(OSError: no such place)"),
        ("score", 1, "Odd.score failed at", "no sum", "(ArithmeticError: no sum)"),
        ("feasible", 1, "Odd.feasible failed at", "raise TypeError", "(TypeError)"),
        ("describe", 1, "Odd.describe failed at", "sys.exit(3)", "(SystemExit: 3)"),
        ("nan", 2, "Odd.score returned nan for [0, 0]; scores must be finite (Odd.score:", "def score", ""),
        ("shape", 2, "Odd.feasible must return one truth value per solution (Odd.feasible:", "def feasible", ""),
    ],
)
def test_a_problem_that_fails_is_named_with_the_place(cli, failing, how, code, method, line, error):
    arguments = ("solve", "-p", "odd", "-P", f"how={how}", "-a", "failing", "--evaluations", "40")
    said = cli("--plugin", failing, *arguments)
    assert said.code == code
    assert f"plugin 'failing_plugin' ({failing}): {method} {place(failing, line)}" in said.err
    assert error in said.err
    assert "Traceback" not in said.err


def test_a_plugin_that_fails_in_a_comparison_is_named_and_the_others_are_compared(cli, failing):
    arguments = ("-p", "synthetic", "-a", "failing,icm", "-A", "failing.how=raise", "--runs", "2", "--looks", "1000")
    for jobs in ("1", "2"):
        said = cli("--plugin", failing, "compare", *arguments, "--jobs", jobs)
        assert said.code == 1
        assert "Failing.helper failed at " + place(failing, 'return {}["key"]') in said.err
        assert "icm" in said.out


@pytest.mark.parametrize("where", [0, 3, 7])
def test_authors_can_see_the_traceback(cli, failing, where):
    arguments = ["--plugin", failing, "solve", "-p", "synthetic", "-a", "failing", "-A", "how=raise"]
    said = cli(*arguments[:where], "--traceback", *arguments[where:])
    assert "Traceback (most recent call last)" in said.err
    assert 'return {}["key"]' in said.err
    assert "--traceback shows" not in said.err
    assert "Traceback" not in cli(*arguments).err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_plugin_that_prints_does_not_spoil_the_document(command, failing, jobs):
    many = ("--runs", "2", "--jobs", jobs)
    process = command("--plugin", failing, "solve", "-p", "odd", "-a", "failing", "-A", "how=print", *many, "--json")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert len(json.loads(out)["runs"]) == 2
    for text in ("at import", "in start", "in step", "by the file", "from C"):
        assert text in err, text


def test_a_problem_of_a_program_raises_its_own_error():
    class Mine(swarmkit.Problem):
        sizes = (2, 2)

        def score(self, X):
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        swarmkit.solve(Mine(), "icm")
