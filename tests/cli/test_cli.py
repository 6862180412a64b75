import json
import sys

import pytest

import swarmkit

SOLVE = ["solve", "-p", "synthetic", "-a", "icm", "--looks", "1e4"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "-p", "sintetic", "-a", "icm"], "no problem named 'sintetic'. Did you mean 'synthetic'?"),
        (["solve", "-p", "synthetic", "-a", "imc"], "no solver named 'imc'. Did you mean 'icm'?"),
        ([*SOLVE, "-P", "windw=3"], "problem 'synthetic': no setting named 'windw'. Did you mean 'window'?"),
        ([*SOLVE, "-P", "n=many"], "n: input should be a valid integer"),
        ([*SOLVE, "-P", "n=-3"], "n: input should be greater than or equal to 0 (given: '-3')"),
        ([*SOLVE, "-P", "n"], "-P n: expected key=value"),
        ([*SOLVE, "-P", "n=1", "-P", "n=2"], "-P n is given twice"),
        ([*SOLVE, "-A", "bees=3"], "solver 'icm': no setting named 'bees'"),
        (["solve", "-p", "synthetic", "-a", "icm", "--looks", "-5"], "looks"),
        (["solve", "-p", "synthetic", "-a", "icm", "--looks", "0"], "looks"),
        (["solve", "-p", "synthetic", "-a", "icm", "--looks", "1.5"], "'1.5' is not a whole number"),
        (["solve", "-p", "synthetic", "-a", "icm", "--looks", "nan"], "'nan' is not a whole number"),
        (["solve", "-p", "synthetic", "-a", "icm", "--looks", "1e999"], "'1e999' is not a whole number"),
        (["solve", "-p", "synthetic", "-a", "icm", "--seconds", "nan"], "seconds"),
        (["solve", "-p", "synthetic", "-a", "icm", "--seconds", "inf"], "seconds"),
        (["solve", "-p", "synthetic", "-a", "icm", "--seconds", "-1"], "seconds"),
        (["solve", "-p", "synthetic", "-a", "icm", "--target", "nan"], "target"),
        (["solve", "-p", "synthetic", "-a", "icm", "--patience", "0"], "patience"),
        ([*SOLVE, "--seed", "-1"], "a seed is a whole number from 0"),
        ([*SOLVE, "--polish", "imc"], "no way to polish named 'imc'. Did you mean 'icm'?"),
        ([*SOLVE, "--runs", "0"], "at least 1 run"),
        ([*SOLVE, "--runs", "2", "--jobs", "0"], "jobs are a number of processes"),
        ([*SOLVE, "--runs", "2", "--checkpoint", "c"], "a single run"),
        ([*SOLVE, "--out", "there.json"], "there.json exists"),
        ([*SOLVE, "--checkpoint", "there.json"], "swarmkit resume there.json"),
        ([*SOLVE, "--plot", "there.png"], "there.png exists"),
        ([*SOLVE, "--out", "no/where.json"], "the directory no does not exist"),
        ([*SOLVE, "--out", "."], "is a directory"),
        ([*SOLVE, "--plot", "picture.jpeg"], "the name of a figure ends in .png"),
        (["solve", "-p", "synthetic", "-a", "exhaustive"], "'exhaustive' cannot do problem 'synthetic'"),
        (["describe", "gready"], "Did you mean 'greedy'?"),
        (["check", "gready"], "Did you mean 'greedy'?"),
        (["resume", "nothing.ckpt"], "nothing.ckpt: no such file"),
        (["resume", "there.json"], "not a checkpoint of swarmkit"),
        (["replay", "nothing.json"], "nothing.json: no such file"),
        (["replay", "there.json"], "not a result of swarmkit"),
        (["replay", "."], "cannot be read"),
        (["new", "solver", "Not A Name"], "cannot be the name of a solver"),
        (["new", "solver", "icm"], "there is a solver named 'icm' already"),
        (["new", "problem", "taken"], "taken exists; nothing was written"),
        (["new", "problem", "x", "--into", "nowhere"], "nowhere: no such directory"),
        (["sovle"], "solve"),
        (["solve", "-a", "icm"], "--problem"),
        (["solve", "--plugin"], "--plugin"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(cli, tmp_path, arguments, said):
    (tmp_path / "there.json").write_text("{}")
    (tmp_path / "there.png").write_text("a picture of somebody's")
    (tmp_path / "taken").mkdir()
    answer = cli(*arguments)
    assert answer.code == 2
    assert said in " ".join(answer.err.split())
    assert "Traceback" not in answer.err
    assert answer.out == ""
    assert (tmp_path / "there.json").read_text() == "{}"


def test_json_is_one_document_and_nothing_else(cli):
    result = json.loads(cli(*SOLVE, "--json").out)
    assert result["solver"] == "icm"
    many = json.loads(cli(*SOLVE, "--json", "--runs", "3").out)
    assert set(many) == {"best", "runs"}
    assert [run["seed"] for run in many["runs"]] == [0, 1, 2]
    assert many["best"]["score"] == max(run["score"] for run in many["runs"])


def test_people_get_score_cost_and_answer(cli):
    out = cli(*SOLVE, "-P", "n=5").out
    assert "synthetic by icm: score" in out
    assert "its looks were spent" in out
    assert len([line for line in out.splitlines() if line[:1].isdigit()]) == 5


def test_people_get_a_table_of_runs_and_the_best(cli):
    out = cli(*SOLVE, "--runs", "4", "--jobs", "2", "--seed", "7").out
    assert "4 runs" in out
    assert "median" in out
    assert all(f"\n{seed} " in out for seed in (7, 8, 9, 10))


def test_long_answers_are_cut_and_say_so(cli):
    assert "… and 60 more" in cli(*SOLVE, "-P", "n=100").out


def test_force_writes_over_files(cli, tmp_path):
    (tmp_path / "r.json").write_text("old")
    assert cli(*SOLVE, "--out", "r.json", "--force").code == 0
    assert json.loads((tmp_path / "r.json").read_text())["solver"] == "icm"


@pytest.mark.parametrize(
    ("name", "begins"), [("p.png", b"\x89PNG"), ("p.svg", b"<?xml"), ("p.pdf", b"%PDF"), ("p.html", b"<!doctype html>")]
)
def test_a_picture_is_drawn(cli, tmp_path, name, begins):
    assert cli(*SOLVE, "--runs", "2", "--plot", name).code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_a_missing_extra_is_exit_code_3_with_the_way_out(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = cli(*SOLVE, "--plot", "p.png")
    assert said.code == 3
    assert 'pip install -e ".[report]", in ' in said.err


def test_list_and_describe_tell_what_there_is(cli):
    assert "pyswarmkit" in cli("list").out
    described = " ".join(cli("describe", "synthetic").out.split())
    assert "window integer, >= 1 5 The largest distance of related stages" in described
    schema = json.loads(cli("describe", "exhaustive", "--json").out)[0]["schema"]
    assert schema["properties"]["limit"]["default"] == 10_000_000
    assert "Reference: Besag 1986" in cli("describe", "icm").out
    assert "takes no -A settings" in cli("describe", "icm").out
    assert "params object {} Its parameters." in " ".join(cli("describe", "vote").out.split())


def test_kinds_are_listed_in_a_stable_order(cli):
    document = json.loads(cli("list", "--json").out)
    kinds = [kind for kind in document if kind not in ("clashes", "broken")]
    assert kinds[:2] == ["problems", "solvers"]
    assert kinds[2:-1] == sorted(kinds[2:-1])
    assert kinds[-1] == "commands"
    assert list(document["clashes"]) == [kind.removesuffix("s") for kind in kinds]


def test_check_reports_and_its_exit_code_tells(cli, own_host, tmp_path):
    assert "passed, 0 failed, 3 skipped" in cli("check", "first", "--examples", "2").out
    (tmp_path / "wrong.py").write_text(
        "import swarmkit, numpy as np\n"
        "class Wrong(swarmkit.Problem):\n"
        "    sizes = (2, 2)\n"
        "    def score(self, X): return X.sum(axis=1) * 1.0\n"
        "    def gains(self, x, stage): return np.ones(2)\n"
        "@swarmkit.hookimpl\n"
        "def swarmkit_problems(): return {'wrong': Wrong}\n"
    )
    said = cli("--plugin", "wrong.py", "check", "wrong")
    assert said.code == 1
    assert "failed: the problem is well formed" in said.out
    assert "gains" in said.out
    [report] = json.loads(cli("--plugin", "wrong.py", "check", "wrong", "--json").out)
    assert {"failed", "skipped"} == {outcome["status"] for outcome in report["outcomes"]}


@pytest.mark.parametrize("command", ["solve", "resume", "replay", "list", "describe", "check", "new problem"])
def test_every_command_has_help_with_an_example(cli, command):
    said = cli(*command.split(), "--help")
    assert said.code == 0
    assert "Example: swarmkit" in said.out


def test_the_version_is_shown(cli):
    assert cli("--version").out.startswith("swarmkit 0.")


def test_a_bug_is_a_sentence_with_the_way_to_its_traceback(cli, own_host, tmp_path, monkeypatch):
    (tmp_path / "buggy.py").write_text(
        "import swarmkit\n"
        "class Buggy(swarmkit.Solver):\n"
        "    def start(self, problem, rng): return 1 / 0\n"
        "    def step(self, problem, state, rng): pass\n"
        "@swarmkit.hookimpl\n"
        "def swarmkit_solvers(): return {'buggy': Buggy}\n"
    )
    said = cli("--plugin", "buggy.py", "solve", "-p", "synthetic", "-a", "buggy")
    assert said.code == 1
    assert "plugin 'buggy' (buggy.py): Buggy.start failed at" in said.err
    assert "buggy.py:3 (ZeroDivisionError: division by zero); --traceback shows the traceback" in said.err


def test_an_error_of_our_own_is_called_one(cli, monkeypatch):
    monkeypatch.setattr("swarmkit.plugins.host.Host.kinds", property(lambda _: 1 / 0))
    said = cli("list")
    assert said.code == 1
    assert "internal error: ZeroDivisionError: division by zero; please report it with the traceback" in said.err
    assert "Traceback" not in said.err
    assert "Traceback" in cli("list", "--traceback").err


def test_no_progress_bar_where_output_is_not_a_terminal(cli):
    assert cli("solve", "-p", "synthetic", "-a", "icm", "--seconds", "1.2").err == ""


@pytest.mark.parametrize("kind", ["problem", "solver"])
def test_a_new_package_is_green_at_once(cli, tmp_path, kind):
    import subprocess

    said = cli("new", kind, "two-words")
    assert said.code == 0
    assert "cd two-words" in said.out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error"],
        cwd=tmp_path / "two-words",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize("given", [["-p", "tsp", "-p", "qap", "-a", "icm"], ["-p", "tsp", "-a", "icm", "-a", "sa"]])
def test_solve_takes_one_problem_and_one_solver_and_says_so(cli, given):
    said = cli("solve", *given)
    assert said.code == 2
    assert "'swarmkit compare' takes several" in said.err


def test_the_version_is_that_of_the_distribution(cli):
    from importlib.metadata import version

    assert swarmkit.__version__ == version("pyswarmkit")
    assert cli("--version").out == f"swarmkit {swarmkit.__version__}\n"


def test_evaluations_are_a_limit(cli):
    result = json.loads(cli("solve", "-p", "flowshop", "-a", "random", "--evaluations", "100", "--json").out)
    assert result["stopped"] == "evaluations"
    assert 100 <= result["evaluations"] <= 101
