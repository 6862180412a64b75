"""Stopping criteria: one file each, functions of users, and CPU time with that of child processes."""

import inspect
import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget, Interrupted, UsageError
from swarmkit.contract.progress import Progress
from swarmkit.running.api import read_keywords
from swarmkit.running.cpu_time import CpuClock, children_seconds
from swarmkit.running.polishing import polishing_budget, search_budget
from swarmkit.running.specification import make_spec
from swarmkit.stopping import Criterion, criteria, reason_to_stop
from swarmkit.testing.families import Shape
from tests.conftest import ROOT
from tests.running.test_decomposition import Pieces

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children that run are counted on Linux")

BURN = "while True: pass"

RULE = '''"""A limit on the steps of a run."""

from swarmkit.stopping import Criterion


class Steps(Criterion):
    """Limit on the steps of the solver, as this file says."""

    def used(self, progress):
        return progress.steps
'''


class Sleepy(swarmkit.Problem):
    """A score that takes time, but no CPU time."""

    sizes = (2,) * 8

    def __init__(self, seconds=0.02):
        self.seconds = seconds

    def score(self, X):
        time.sleep(self.seconds * len(X))
        return X.sum(axis=1).astype(float)


class Busy(swarmkit.Problem):
    """A score that takes CPU time."""

    sizes = (2,) * 8

    def score(self, X):
        end = time.process_time() + 0.02 * len(X)
        while time.process_time() < end:
            pass
        return X.sum(axis=1).astype(float)


@pytest.fixture
def burning():
    process = subprocess.Popen([sys.executable, "-c", BURN])
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def with_new_rule(tmp_path):
    """Python with a swarmkit to which one file was added; everything else is the same files."""
    package = tmp_path / "path" / "swarmkit"
    package.mkdir(parents=True)
    for entry in (ROOT / "swarmkit").iterdir():
        if entry.name not in ("stopping", "__pycache__"):
            (package / entry.name).symlink_to(entry)
    shutil.copytree(ROOT / "swarmkit/stopping", package / "stopping")
    (package / "stopping/steps.py").write_text(RULE)

    def run(code, *arguments):
        environment = os.environ | {"PYTHONPATH": str(package.parent)}
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)

    return run


def test_every_module_of_the_package_is_a_criterion_with_its_name():
    files = {path.stem for path in (ROOT / "swarmkit/stopping").glob("*.py")} - {"__init__"}
    assert set(criteria()) == files == set(Budget.model_fields)
    assert all(name == criterion.name and criterion.__doc__ for name, criterion in criteria().items())


def test_a_new_rule_is_one_new_file_for_python(with_new_rule):
    done = with_new_rule(
        "import swarmkit\n"
        "result = swarmkit.solve('synthetic', 'icm', steps=3)\n"
        "print(result.stopped, result.steps, result.budget.steps, swarmkit.Budget(steps=4).steps)\n"
        "print(swarmkit.solve_many('synthetic', 'icm', 2, steps=2).best.stopped)\n"
        "print(result.model_dump_json())\n"
        "try: swarmkit.solve('synthetic', steps=-1)\n"
        "except swarmkit.UsageError as error: print(error)\n"
    )
    first, second, document, error = done.stdout.splitlines()
    assert (first, second) == ("steps 3 3 4", "steps")
    assert json.loads(document)["budget"]["steps"] == 3
    assert error == "budget: steps: input should be greater than 0 (given: -1)"


HELP_OF_FOUR_COMMANDS = """
import contextlib, sys
from swarmkit.cli import main
for command in ("solve", "compare", "resume", "tune"):
    sys.argv = ["swarmkit", command, "--help"]
    with contextlib.suppress(SystemExit):
        main()
"""


def test_a_new_rule_is_one_new_file_for_the_command_line(with_new_rule, tmp_path):
    main = "from swarmkit.cli import main; main()"
    words = " ".join(with_new_rule(HELP_OF_FOUR_COMMANDS).stdout.split())
    assert words.count("--steps NUMBER Limit on the steps of the solver, as this file says.") == 4
    said = with_new_rule(main, "solve", "-p", "synthetic", "-a", "icm", "--steps", "3").stdout
    assert "its steps were spent" in said
    compare = ["compare", "-p", "synthetic", "-a", "icm,random", "--runs", "1", "--steps", "3", "--json"]
    document = json.loads(with_new_rule(main, *compare).stdout)
    assert [record["result"]["stopped"] for record in document["records"]] == ["steps", "steps"]
    assert document["experiment"]["budget"]["steps"] == 3
    (tmp_path / "e.toml").write_text("problems = ['synthetic']\nsolvers = ['icm']\nruns = 1\n[budget]\nsteps = 2\n")
    document = json.loads(with_new_rule(main, "compare", "e.toml", "--json").stdout)
    assert document["records"][0]["result"]["stopped"] == "steps"
    wrong = with_new_rule(main, "solve", "-p", "synthetic", "--steps", "0")
    assert (wrong.returncode, "budget: steps: input should be greater than 0" in wrong.stderr) == (2, True)


def test_a_function_of_the_progress_ends_a_run():
    def enough(progress):
        return progress.iterations >= 3

    result = swarmkit.solve("synthetic", "icm", stop=enough)
    assert (result.stopped, result.iterations >= 3) == ("enough", True)
    in_words = swarmkit.solve("synthetic", "icm", stop=[lambda progress: "", lambda progress: "three are enough"])
    assert in_words.stopped == "three are enough"
    assert swarmkit.solve("synthetic", "icm", stop=[lambda progress: progress.looks > 100]).stopped == "stop"
    assert swarmkit.solve("synthetic", "icm", looks=1000, stop=[lambda progress: np.bool_(False)]).stopped == "looks"
    several = swarmkit.solve_many("synthetic", "icm", 2, jobs=2, stop=enough, looks=10**6)
    assert [run.stopped for run in several.runs] == ["enough", "enough"]


def test_a_function_is_asked_between_evaluations_of_a_step():
    asked = []

    def late(progress):
        asked.append(progress.evaluations)
        return progress.seconds > 0.2

    result = swarmkit.solve(Sleepy(), "ga", params={"population": 1000}, stop=late, seconds=60)
    assert (result.stopped, result.iterations) == ("late", 0)
    assert result.evaluations < 200
    assert len(set(asked)) > 2


def test_a_run_that_a_function_ended_is_replayed_and_resumed(tmp_path):
    file, result_file = tmp_path / "run.ckpt", tmp_path / "result.json"
    ended = swarmkit.solve("synthetic", "icm", looks=4000, checkpoint=(file, 60.0), stop=lambda p: p.looks > 1000)
    result_file.write_text(ended.model_dump_json())
    [replayed] = swarmkit.replay(result_file)
    assert replayed.differences == []
    straight = swarmkit.solve("synthetic", "icm", looks=4000)
    assert ended.stopped == "stop"
    assert swarmkit.resume(file).differences(straight) == []


@pytest.mark.parametrize("stop", [3, [3], [None]])
def test_what_is_no_function_is_refused(stop):
    with pytest.raises(UsageError, match="stop: a function of the progress is expected, got"):
        swarmkit.solve("synthetic", "icm", stop=stop)


def test_a_criterion_of_a_user_has_the_name_of_its_class():
    class Few(Criterion):
        """Few steps."""

        def used(self, progress):
            return progress.steps

    assert reason_to_stop([Few(2)], Progress(steps=1)) is None
    assert reason_to_stop([Few(2)], Progress(steps=2)) == "Few"


def test_solve_has_few_keywords_and_takes_those_of_earlier_versions(tmp_path):
    for function in (swarmkit.solve, swarmkit.solve_many, swarmkit.resume):
        assert len(inspect.signature(function).parameters) <= 12
    file = tmp_path / "run.ckpt"
    result = swarmkit.solve("synthetic", "icm", looks=500, seconds=None, checkpoint=file, every=0, setup_seconds=7.0)
    assert (result.budget, result.setup_seconds > 7.0) == (Budget(looks=500), True)
    assert swarmkit.resume(file, limits=Budget(looks=900), every=1.0).budget == Budget(looks=900)
    assert swarmkit.resume(file, looks=1000).budget == Budget(looks=1000)
    many = swarmkit.solve_many("synthetic", "icm", 2, limits=Budget(looks=500), setup_seconds=3.0)
    assert (many.best.budget, many.best.setup_seconds > 3.0) == (Budget(looks=500), True)
    assert read_keywords({"limits": Budget(looks=5), "seconds": 2.0}).limits == Budget(looks=5, seconds=2.0)


def test_an_unknown_keyword_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match=r"no keyword named 'second'\. Did you mean 'seconds'"):
        swarmkit.solve("synthetic", second=3)


def test_cpu_seconds_end_a_run_and_are_in_the_result():
    result = swarmkit.solve("synthetic", "annealing", cpu_seconds=0.2)
    assert result.stopped == "cpu_seconds"
    assert 0.2 <= result.cpu_seconds < 0.4
    assert result.seconds >= 0.9 * result.cpu_seconds


def test_cpu_seconds_end_a_step_between_evaluations():
    result = swarmkit.solve(Busy(), "ga", params={"population": 1000}, cpu_seconds=0.2, seconds=120)
    assert (result.stopped, result.iterations) == ("cpu_seconds", 0)
    assert result.cpu_seconds < 0.4


def test_waiting_is_no_cpu_time():
    result = swarmkit.solve(Sleepy(), "random", seconds=0.4, cpu_seconds=0.35)
    assert result.stopped == "seconds"


@linux
def test_child_processes_count_while_they_run_and_after(burning):
    clock, before = CpuClock(), children_seconds()
    while children_seconds() < before + 0.2:
        time.sleep(0.05)
    while clock.seconds() < 0.2:
        time.sleep(0.05)
    burning.kill()
    burning.wait()
    assert children_seconds() >= before + 0.19  # the kernel counts both in hundredths of a second
    assert clock.seconds() >= 0.2


@linux
def test_grandchildren_count_too():
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN!r}])"
    before = children_seconds()
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    try:
        while children_seconds() < before + 1.0:  # far more than the parent needs to start
            assert process.poll() is None
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, 9)
        process.wait()


@linux
def test_the_cpu_time_of_a_child_ends_a_run(burning):
    own = time.process_time()
    result = swarmkit.solve(Sleepy(), "random", cpu_seconds=0.3, seconds=120)
    assert result.stopped == "cpu_seconds"
    assert time.process_time() - own < 0.3


@linux
def test_processes_that_evaluate_count():
    own = time.process_time()
    result = swarmkit.solve(Busy(), "random", cpu_seconds=0.6, seconds=120, eval_jobs=2)
    assert result.stopped == "cpu_seconds"
    assert 0.6 <= result.cpu_seconds < 1.2
    assert time.process_time() - own < 0.6
    assert 5 <= result.evaluations <= 60  # 0.02 CPU seconds each: starting the processes was not counted


@linux
def test_the_process_of_toulbar2_counts_and_reports_before_the_limit():
    pytest.importorskip("pytoulbar2")
    problem = swarmkit.make_problem("synthetic", n=60, window=30)
    begun = time.process_time()
    result = swarmkit.solve(problem, "toulbar2", cpu_seconds=4.0, seconds=240, params={"seconds": 100})
    assert result.stopped in ("done", "cpu_seconds")
    assert result.cpu_seconds < 4.5
    assert time.process_time() - begun < 3.0
    assert result.bound > result.score


def test_the_cpu_time_of_a_run_that_goes_on_is_counted_from_its_beginning(tmp_path):
    file = tmp_path / "run.ckpt"
    first = swarmkit.solve("synthetic", "annealing", cpu_seconds=0.2, checkpoint=file)
    second = swarmkit.resume(file, cpu_seconds=0.5)
    assert first.cpu_seconds < 0.4
    assert 0.5 <= second.cpu_seconds < 0.7
    assert second.looks > first.looks


def test_polishing_keeps_a_tenth_of_the_limits_of_time_and_work():
    problem, solver = swarmkit.make_problem("synthetic"), swarmkit.make_solver("icm")
    limits = Budget(cpu_seconds=2.0, seconds=1.0, looks=1001, evaluations=1, iterations=7, target=5.0)
    spec = make_spec(problem, solver, 0, limits, polish="local")
    less = {"cpu_seconds": 1.8, "seconds": 0.9, "looks": 900, "evaluations": 1}
    assert search_budget(spec) == limits.model_copy(update=less)
    assert polishing_budget(spec) == Budget(cpu_seconds=2.0, seconds=1.0, looks=1001, evaluations=1)
    assert search_budget(spec.model_copy(update={"polish": "none"})) == limits
    result = swarmkit.solve("synthetic", "annealing", cpu_seconds=0.3, polish="local")
    assert (result.stopped, result.cpu_seconds < 0.5) == ("cpu_seconds", True)


def test_on_parts_limits_of_iterations_hold_for_each_and_cpu_seconds_for_all():
    shapes = [Shape(6, 4, 2, "floats", seed) for seed in (1, 2)]
    assert swarmkit.solve(Pieces(shapes), "annealing", cpu_seconds=0.1, iterations=10**9).stopped == "cpu_seconds"
    assert swarmkit.solve(Pieces(shapes), "annealing", cpu_seconds=60, iterations=5).stopped == "iterations"


def test_an_interrupted_run_has_its_cpu_time():
    class Interrupts:
        def swarmkit_stepped(self, run):
            os.kill(os.getpid(), 2)

    with pytest.raises(Interrupted) as caught:
        swarmkit.solve("synthetic", "annealing", seconds=30, observers=[Interrupts()])
    assert caught.value.result.cpu_seconds > 0


def test_the_command_line_has_cpu_seconds(cli):
    said = cli("solve", "-p", "synthetic", "-a", "annealing", "--cpu-seconds", "0.2")
    assert (said.code, "its CPU seconds were spent" in said.out, " CPU s;" in said.out) == (0, True, True)
    document = json.loads(
        cli("compare", "-p", "synthetic", "-a", "annealing", "--runs", "1", "--cpu-seconds", "0.1", "--json").out
    )
    [record] = document["records"]
    assert (record["result"]["stopped"], record["result"]["budget"]["cpu_seconds"]) == ("cpu_seconds", 0.1)
    toml = cli("compare", "-p", "synthetic", "-a", "icm", "--cpu-seconds", "2", "--toml").out
    assert "[budget]\ncpu_seconds = 2.0" in toml
    wrong = cli("solve", "-p", "synthetic", "--cpu-seconds", "-1")
    assert (wrong.code, "budget: cpu_seconds: input should be greater than 0" in wrong.err) == (2, True)


def test_looks_are_shown_beside_their_limit(cli, tmp_path):
    said = cli("solve", "-p", "synthetic", "-a", "icm", "--looks", "10000", "--out", "r.json").out
    looks = json.loads((tmp_path / "r.json").read_text())["looks"]
    assert looks <= 10_000
    assert f"; {looks:,} of 10,000 looks, " in said
    said = cli("compare", "-p", "synthetic", "-a", "icm", "--runs", "2", "--looks", "10000", "--json").out
    document = json.loads(said)
    used = [record["result"]["looks"] for record in document["records"]]
    [row] = document["summary"]
    assert (row["looks"], row["looks_limit"]) == (sum(used) / 2, 10_000)
