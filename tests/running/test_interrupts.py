"""Ctrl-C and SIGTERM on the command line: the best so far is printed, whatever a solver does."""

import json
import os
import signal
import time

import pytest

import swarmkit


def begun(process, file):
    """Wait until a run is under way: it has written its first checkpoint."""
    while not file.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)


@SIGNALS
def test_an_interrupted_run_prints_the_best_so_far_and_leaves_with_130(command, tmp_path, number):
    process = command(
        "solve", "-p", "synthetic", "-a", "icm", "--seconds", "60", "--json", "--checkpoint", "c", cwd=tmp_path
    )
    begun(process, tmp_path / "c")
    time.sleep(0.5)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["score"] > 0
    assert "Traceback" not in err


@SIGNALS
def test_a_command_that_has_no_best_so_far_says_that_it_was_interrupted(command, tmp_path, number, source):
    (tmp_path / "long.txt").write_text("He sat on the bank of the river.\n" * 20_000)
    process = command("wsd", "tag", "long.txt", "--json", "--preset", "fast", cwd=tmp_path)
    process.stdout.read(1)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "swarmkit: interrupted\n")


SLOW = """
import time
from pathlib import Path
import swarmkit

class Slow(swarmkit.Solver):
    def start(self, problem, rng) -> dict:
        return {}

    def step(self, problem, state, rng):
        time.sleep(0.1)
        with Path("notes").open("a") as notes:
            notes.write("x")
        X = swarmkit.random_solutions(problem, 1, rng)
        return swarmkit.StepResult(X[0], float(problem.score(X)[0]), looks=X.size, done=True)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"slow": Slow}
"""


@pytest.mark.parametrize(
    ("jobs", "number"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("2", signal.SIGTERM)], ids=str
)
def test_interrupted_among_many_runs_the_best_of_those_that_are_there_is_printed(command, jobs, number, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "notes").touch()
    process = command(
        "solve", "--plugin", "slow.py", "-p", "synthetic", "-a", "slow", "--json",
        "--runs", "4000", "--jobs", jobs, cwd=tmp_path,
    )  # fmt: skip
    while (tmp_path / "notes").stat().st_size < 10:  # a note for each run, wherever it is made
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    os.killpg(process.pid, number)  # as a terminal or a service manager does: to all of them
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["best"]["score"] > 0
    assert "Traceback" not in err


ENDLESS = """
import time
from pathlib import Path
import swarmkit

class Endless(swarmkit.Solver):
    def start(self, problem, rng) -> dict:
        return {}

    def step(self, problem, state, rng):
        problem.score(swarmkit.random_solutions(problem, 5, rng))
        with Path("notes").open("a") as notes:
            notes.write("x")
        while True:
            time.sleep(0.01)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"endless": Endless}
"""


@pytest.mark.parametrize(
    ("many", "results"), [((), 0), (("--runs", "4"), 1), (("--runs", "4", "--jobs", "2"), 2)], ids=str
)
def test_a_second_ctrl_c_ends_an_endless_step_and_prints_the_best_so_far(command, many, results, tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    (tmp_path / "notes").touch()
    arguments = ("solve", "--plugin", "endless.py", "-p", "synthetic", "-a", "endless", "--json", *many)
    process = command(*arguments, cwd=tmp_path)
    while (tmp_path / "notes").stat().st_size < max(results, 1):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    time.sleep(1)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "press Ctrl-C again to stop at once" in err
    assert "Traceback" not in err
    document = json.loads(out)
    best = document["best"] if many else document
    assert best["score"] > 0
    assert best["stopped"] == "interrupted"
    assert best["evaluations"] == 5
    assert best["seconds"] > 1
    if many:
        assert len(document["runs"]) == results
        assert f"interrupted; {results} of 4 runs have a result" in err


def test_ctrl_c_while_the_gap_is_looked_for_does_not_lose_the_answer(cli, monkeypatch):
    import swarmkit.running.gap

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(swarmkit.running.gap, "with_gaps", interrupted)
    said = cli("solve", "-p", "synthetic", "-a", "icm", "--looks", "1000", "--gap")
    assert said.code == 130
    assert "synthetic by icm: score" in said.out
    assert "the gap is not known" in said.err


def test_a_command_leaves_the_handlers_of_signals_as_they_were(cli):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert cli("solve", "-p", "synthetic", "-P", "n=5", "-a", "icm", "--looks", "100").code == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_an_interrupted_call_does_not_stop_the_next_one(tmp_path):
    class Pressing:
        def swarmkit_stepped(self, run):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(swarmkit.Interrupted):
        swarmkit.solve("synthetic", "icm", looks=10_000, observers=[Pressing()])
    assert swarmkit.solve("synthetic", "icm", looks=10_000).stopped == "looks"
