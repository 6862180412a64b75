import csv
import json
import os
import signal
import time

import pytest

from tests.comparison.test_store import _count
from tests.conftest import ROOT

COMPARE = ["compare", "-p", "synthetic", "-P", "n=40", "--algos", "random,greedy,exhaustive"]
SHORT = ["--runs", "2", "--looks", "2000"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare"], "give a problem and solvers"),
        (["compare", "-p", "synthetic"], "give a problem and solvers"),
        (["compare", "-p", "sintetic", "--algos", "icm"], "Did you mean 'synthetic'?"),
        (["compare", "-p", "synthetic", "--algos", "icm,gredy"], "Did you mean 'greedy'?"),
        ([*COMPARE, "-A", "cooling=0.9"], "-A cooling: expected SOLVER.KEY=VALUE"),
        ([*COMPARE, "-A", "sa.cooling=0.9"], "-A sa.cooling: expected SOLVER.KEY=VALUE, with a solver of --algos"),
        ([*COMPARE, "-A", "greedy.bees=0.9"], "solver 'greedy': no setting named 'bees'"),
        ([*COMPARE, "--runs", "0"], "runs: input should be greater than or equal to 1"),
        ([*COMPARE, "--looks", "-1"], "budget.looks: input should be greater than 0"),
        ([*COMPARE, "--seed", "-1"], "seed: input should be greater"),
        ([*COMPARE, "--jobs", "0"], "jobs are a number of processes"),
        ([*COMPARE, "--polish", "imc"], "Did you mean 'icm'?"),
        ([*COMPARE, "--store", "no/runs.db"], "its directory does not exist"),
        ([*COMPARE, "--store", "there.csv"], "there.csv: not a store of swarmkit"),
        ([*COMPARE, "--backend", "quantum"], "no backend named 'quantum'"),
        ([*COMPARE, "--backend", "dask"], "needs the address of a scheduler"),
        ([*COMPARE, "--out", "there.csv"], "there.csv exists"),
        (["compare", "nothing.toml"], "nothing.toml: no such file"),
        (["compare", "there.csv"], "there.csv: not an experiment in TOML"),
        (["compare", "there.csv", "-p", "synthetic"], "leave out -p"),
        (["runs", "nothing.db"], "nothing.db: no such file"),
        (["runs", "there.csv"], "there.csv: not a store of swarmkit"),
        (["runs", "there.csv", "--export", "runs.xls"], "ends in .csv or .json"),
        (["runs", "there.csv", "--export", "there.csv"], "there.csv exists"),
    ],
)
def test_mistakes_are_explained_in_a_sentence(cli, tmp_path, arguments, said):
    (tmp_path / "there.csv").write_text("a,b\n1,2\n" * 1000)
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert (tmp_path / "there.csv").read_text() == "a,b\n1,2\n" * 1000


def test_a_table_shows_what_each_method_reached_and_who_refused(cli):
    said = cli(*COMPARE, *SHORT)
    assert said.code == 0
    lines = [line.split() for line in said.out.splitlines() if line]
    assert lines[0] == ["synthetic"]
    assert lines[1][:6] == ["method", "runs", "best", "median", "mean", "looks"]
    assert [line[0] for line in lines[2:]] == ["random", "greedy", "exhaustive"]
    assert "exhaustive is left out: it has" in said.out


def test_a_stored_comparison_is_not_made_twice_and_says_how_to_report_it(cli, tmp_path):
    assert "swarmkit report runs.db" in cli(*COMPARE, *SHORT, "--store", "runs.db").out
    before = (tmp_path / "runs.db").read_bytes()
    again = cli(*COMPARE, *SHORT, "--store", "runs.db", "--json")
    assert (tmp_path / "runs.db").read_bytes() == before
    document = json.loads(again.out)
    assert [(r["method"], r["repetition"]) for r in document["records"]] == [
        ("random", 0), ("random", 1), ("greedy", 0), ("greedy", 1)
    ]  # fmt: skip
    assert [(r["method"], r["runs"]) for r in document["summary"]] == [("random", 2), ("greedy", 2)]
    assert document["refused"][0]["method"] == "exhaustive"


def test_a_command_becomes_an_experiment_file_that_says_the_same(cli, tmp_path):
    text = cli(*COMPARE, *SHORT, "-A", "exhaustive.limit=7", "--toml").out
    assert "limit = 7" in text
    (tmp_path / "e.toml").write_text(text)
    here, file = (json.loads(cli(*a, "--json").out) for a in ([*COMPARE, *SHORT], ["compare", "e.toml"]))
    assert [r["key"] for r in here["records"]] == [r["key"] for r in file["records"]]
    assert json.loads(cli("compare", "e.toml", "--runs", "1", "--json").out)["experiment"]["runs"] == 1


def test_the_example_experiment_runs(cli):
    said = cli("compare", str(ROOT / "examples" / "comparison.toml"), "--runs", "1", "--json")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert {r["instance"] for r in document["records"]} == {"chain n=40", "chain n=80", "planted"}
    assert {r["method"] for r in document["records"]} == {"sa cooling=0.9", "sa cooling=0.99", "dbees", "greedy"}
    assert all(r["gap"] is not None for r in document["summary"])


def test_runs_are_listed_filtered_and_exported(cli, tmp_path):
    cli(*COMPARE, *SHORT, "--store", "runs.db")
    assert len(cli("runs", "runs.db").out.splitlines()) == 5
    assert len(cli("runs", "runs.db", "--method", "greedy", "--repetition", "1").out.splitlines()) == 2
    assert "Did you mean 'greedy'?" in cli("runs", "runs.db", "--solver", "gredy").err
    assert cli("runs", "runs.db", "--export", "runs.csv").out == "4 runs are in runs.csv\n"
    with (tmp_path / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["solver"] for row in rows] == ["greedy", "greedy", "random", "random"]
    cli("runs", "runs.db", "--solver", "random", "--export", "runs.json")
    exported = json.loads((tmp_path / "runs.json").read_text())
    assert exported == json.loads(cli("runs", "runs.db", "--solver", "random", "--json").out)
    assert [float(row["score"]) for row in rows[2:]] == [entry["result"]["score"] for entry in exported]
    assert "random  2" in cli("runs", "runs.db", "--summary").out


def test_large_costs_are_listed_with_all_digits(cli):
    compared = cli("compare", "-p", "tsp", "-P", "n=9", "-a", "random", *SHORT, "--json", "--store", "t.db")
    costs = [record["result"]["metrics"]["length"] for record in json.loads(compared.out)["records"]]
    assert min(costs) > 1e6
    assert all(f"  {cost:,.0f}  " in cli("runs", "t.db").out for cost in costs)
    assert f"  {sum(costs) / 2:,.0f}  " in cli("runs", "t.db", "--summary").out


def test_ctrl_c_says_what_is_stored_and_how_to_continue(command, tmp_path):
    arguments = ["--looks", "1e6", "--runs", "20", "--jobs", "2", "--store", "runs.db"]
    running = command(*COMPARE[:5], "--algos", "random", *arguments, cwd=tmp_path)
    while not (tmp_path / "runs.db").exists() or _count(tmp_path / "runs.db") < 1:
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    kept = _count(tmp_path / "runs.db")
    assert f"interrupted; {kept} of 20 runs are in runs.db; the same command continues" in err
    assert out.startswith("\nsynthetic\n")


def test_a_failed_run_is_reported_with_its_key_and_the_exit_code_is_1(cli, own_host, tmp_path):
    (tmp_path / "failing.py").write_text(
        "import swarmkit\n"
        "class Failing(swarmkit.Solver):\n"
        "    def start(self, problem, rng) -> dict:\n"
        "        raise ZeroDivisionError('no luck')\n"
        "    def step(self, problem, state, rng): ...\n"
        "@swarmkit.hookimpl\n"
        "def swarmkit_solvers():\n"
        "    return {'failing': Failing}\n"
    )
    plugin = ["--plugin", "failing.py", "--store", "runs.db"]
    said = cli("compare", "-p", "synthetic", "--algos", "failing,random", *SHORT, *plugin)
    assert said.code == 1
    assert said.err.count("swarmkit: failing on synthetic, repetition") == 2
    assert said.err.count("ZeroDivisionError: no luck") == 2
    assert "random  2" in said.out
    assert _count(tmp_path / "runs.db") == 2


def test_several_problems_and_solvers_are_all_compared(cli):
    given = ("-p", "tsp", "-p", "qap", "-P", "n=7", "-P", "qap.seed=3", "-a", "sa,icm", "-a", "ga")
    document = json.loads(cli("compare", *given, "--runs", "1", "--looks", "500", "--json").out)
    assert {r["instance"] for r in document["records"]} == {"tsp", "qap"}
    assert {r["method"] for r in document["records"]} == {"sa", "icm", "ga"}
    options = {p["name"]: p["options"] for p in document["experiment"]["problems"]}
    assert options == {"tsp": {"n": 7}, "qap": {"n": 7, "seed": 3}}
    assert all(row["evaluations"] > 0 for row in document["summary"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["-P", "cities=9"], "-P cities: none of the problems has such an option: tsp, qap"),
        (["-P", "flowshop.n=9"], "expected PROBLEM.KEY=VALUE, with a problem of -p: tsp, qap"),
        (["-P", "tsp.nn=9"], "problem 'tsp': no setting named 'nn'. Did you mean 'n'?"),
        (["-p", "tsp"], "the problem 'tsp' occurs twice with the same settings; remove one"),
        (["-a", "icm"], "the solver 'icm' occurs twice with the same settings; remove one"),
    ],
)
def test_an_option_that_nobody_has_is_refused(cli, given, said):
    answer = cli("compare", "-p", "tsp", "-p", "qap", "-a", "icm", *given)
    assert answer.code == 2
    assert said in answer.err


def test_on_a_problem_without_tables_the_unit_is_evaluations(cli, tmp_path):
    cli("compare", "-p", "flowshop", "-a", "icm,random", "--runs", "2", "--evaluations", "300", "--store", "runs.db")
    with_looks = "evaluations" in cli("runs", "runs.db").out.splitlines()[0]
    assert with_looks
    cli("runs", "runs.db", "--export", "runs.csv")
    with (tmp_path / "runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert all(300 <= int(row["evaluations"]) <= 320 for row in rows)
    assert all(int(row["setup_evaluations"]) > 0 for row in rows)
    found = json.loads(cli("report", "runs.db", "--json").out)
    assert found["unit"] == "evaluations"
    assert {time["unit"] for time in found["running_times"]} == {"evaluations"}
    assert {one["unit"] for one in found["distributions"]} == {"evaluations", "seconds"}
