"""The benchmarks start without the libraries they measure against, and what they count with is right."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import swarmkit
from tests.conftest import ROOT
from tests.wsd.at_hand import SENSEVAL

FOLDER = ROOT / "benchmarks"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py") if "argparse" in path.read_text())
PEERS = ("sko", "deap", "pymoo", "mealpy", "pygad", "pygmo", "simanneal", "pants", "elkai")
ASK_FOR_HELP = """
import contextlib, io, runpy, sys
sys.modules.update(dict.fromkeys({peers!r}))  # as if they were not installed
for script in {scripts!r}:
    sys.argv = [script, "--help"]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        assert not end.code, script
    assert "usage:" in said.getvalue(), script
"""


@pytest.fixture(autouse=True)
def in_reach(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))


def test_every_benchmark_gives_help_without_the_peers():
    program = ASK_FOR_HELP.format(peers=PEERS, scripts=SCRIPTS)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '.')\n{program}"],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_benchmark_has_its_line_in_the_readme():
    page = (FOLDER / "README.md").read_text()
    assert [script for script in SCRIPTS if f"`python benchmarks/{script}" not in page] == []


def tasks():
    from against.tasks import Task

    rng = np.random.default_rng(3)
    edges = np.array([(i, j) for i in range(9) for j in range(i + 1, 9)])
    points = rng.integers(0, 100, (9, 2))
    away = np.abs(points[:, None] - points[None]).sum(axis=2).astype(float)
    return [
        Task("tour", {"first": away}),
        Task("assignment", {"first": rng.integers(0, 9, (9, 9)) * 1.0, "second": rng.integers(0, 9, (9, 9)) * 1.0}),
        Task("categories", {"edges": edges, "tables": rng.random((len(edges), 4, 4))}),
    ]


@pytest.mark.parametrize("which", range(3))
def test_the_differences_that_simanneal_gets_are_differences_of_costs(which):
    from against.annealer import MOVES

    task = tasks()[which]
    random.seed(1)
    state, move = task.random(np.random.default_rng(2)).tolist(), MOVES[task.kind](task)
    before = task.cost(np.array(state))
    for _ in range(200):
        delta = move(state)
        after = task.cost(np.array(state))
        assert task.valid(np.array(state))
        assert delta == pytest.approx(after - before, abs=1e-9)
        before = after


@pytest.mark.parametrize(
    ("kind", "name", "options"),
    [
        ("tour", "tsp", {"n": 12, "seed": 4}),
        ("assignment", "qap", {"n": 8, "seed": 4}),
        ("assignment", "qap", {"n": 8, "layout": "uniform"}),
        ("categories", "categories", {"n": 30, "seed": 4}),
    ],
)
def test_peers_minimise_what_we_maximise(kind, name, options, tmp_path):
    from against.ours import problem_of, task_of
    from against.tasks import load

    problem = problem_of(name, options)
    task_of(kind, problem).save(tmp_path / "task.npz")
    task = load(str(tmp_path / "task.npz"))
    X = swarmkit.random_solutions(problem, 20, np.random.default_rng(5))
    np.testing.assert_allclose(task.costs(X), -np.asarray(problem.score(X)))
    np.testing.assert_allclose([task.cost(x) for x in X], task.costs(X))


def test_what_comes_after_a_mark_does_not_count_for_it():
    from against.clock import Clock, Over

    clock = Clock([100.0, 1000.0])
    clock.begin()
    clock.tell(7.0)
    clock.begun -= 500.0  # as if so much time had passed
    clock.tell(5.0)
    clock.begun -= 600.0
    with pytest.raises(Over):
        clock.tell(3.0, count=10)
    assert clock.result()["costs"] == [7.0, 5.0]
    assert clock.result()["count"] == 12


def test_a_peer_that_is_not_there_is_told_and_ours_goes_on(tmp_path):
    from against import measuring, plan

    (place,) = plan.instances([12], [], [], [], 1)
    field = measuring.Field(tmp_path)
    field.add(place)
    absent, mine = (next(m for m in plan.METHODS if m.label == label) for label in ("DEAP", "tour-ga"))
    rows = []
    for method in (absent, mine):
        lines = measuring.run_job(method, place, [[0.05]], field, Path(sys.executable))
        field.meet(place, 0, [cost for line in lines for cost in line.get("costs", [])])
        rows.append(measuring.row_of(method, place, lines, field))
        measuring.add_gaps(rows[-1], place, lines, [0.05], field)
    assert "No module named 'deap'" in rows[0]["note"]
    assert rows[0]["rate"] is None
    assert rows[1]["rate"] > 0
    assert rows[1]["gaps"] == {"0.05": 0.0}


def test_bars_are_missed_as_well_as_reached():
    from against.bars import judge

    def row(method, rate, gap, **more):
        measured = {"gaps": {"1": gap}, "seeds": {"1": 10}, "unit": "tours", "kind": "tour", "n": 200}
        return {"instance": "tsp 200", "method": method, "rate": rate} | measured | more

    rows = [row("tsp-aco", 50_000.0, 1.3), row("tour-ga", 1.0, 0.9), row("ACO-Pants", 40.0, 30.0)]
    assert [verdict["pass"] for verdict in judge(rows)] == [True, False, True]
    rows[-1]["rate"] = 60.0
    assert [verdict["pass"] for verdict in judge(rows)] == [False, False, True]


def test_the_plan_without_seeds_takes_a_quarter_of_an_hour_and_seeds_treat_all_alike():
    from against import plan

    labels, marks = {method.label for method in plan.METHODS}, [1.0, 10.0]
    pairs = [
        (m, p) for p in plan.instances([100, 200, 1000], [100], [], [], 2) for m in plan.METHODS if p.kind in m.kinds
    ]
    planned = [plan.schedule(method, place, None, marks, labels) for method, place in pairs]
    assert sum(until[-1] for job in planned for until in job) <= 800  # the rest is for LKH and for loading
    assert all(plan.schedule(method, place, 4, marks, labels) == [marks] * 4 for method, place in pairs)


def test_the_page_says_when_and_how_and_nothing_of_the_machine_s_folders(tmp_path):
    from against import table

    command = ["peers.py", "--qap", str(tmp_path / "nug30.dat"), "--env", str(tmp_path), "--seeds", "3"]
    told = table.about(command, ["deap==1.4.4"])
    assert told["command"] == "python benchmarks/peers.py --qap nug30.dat --seeds 3"
    row = {"instance": "tsp 200", "method": "DEAP", "ours": False, "unit": "evaluations", "rate": 3250.0}
    row |= {"ratio": 123.4, "note": "a|b", "gaps": {"1": 2.5, "10": None}}
    row |= {"best": {"1": 0, "10": 0}, "seeds": {"1": 3, "10": 1}}
    page = table.page([row], [{"bar": "b", "measured": "m", "pass": False}], [1.0, 10.0], told)
    assert f"Measured on {told['date']} with `{told['command']}` of version {swarmkit.__version__} on" in page
    line = next(line for line in page.splitlines() if line.startswith("| tsp 200"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["tsp 200", "DEAP", "3.25 k evaluations", "123", "2.50 % (0/3)", "no solution yet", "a/b"]
    assert "| b | m | **miss** |" in page


def verdicts(*gaps_by_family):
    from retuning.candidates import Measured
    from retuning.verdict import Verdict, tested

    def rows(families):
        return [
            Measured(name, f"{name} {at}", looks, [-100.0, -100.0 * (1 + gap)], [1.0, 2.0])
            for name, gaps in families.items()
            for at, gap in enumerate(gaps)
            for looks in ("300 looks", "2,000 looks")
        ]

    return tested([Verdict(str(at), {"mutation": 2}, -0.01, rows(one)) for at, one in enumerate(gaps_by_family)])


def test_a_candidate_for_a_default_needs_a_gain_that_holds_and_no_family_that_gets_worse():
    gains = [-0.01 - 0.001 * at for at in range(12)]
    both, one_worse, nothing = verdicts(
        {"tsp": gains, "qap": gains},
        {"tsp": [5 * gap for gap in gains], "maxcut": gains, "qap": [-gap for gap in gains]},
        {"tsp": [0.01, -0.01, 0.02, -0.02], "qap": [0.0] * 4},
    )
    assert both.better
    assert (both.worse, both.seconds, round(both.gap, 4)) == ([], 2.0, -0.0155)
    assert one_worse.gap < 0
    assert one_worse.holm < 0.05
    assert one_worse.worse == ["qap (300 looks)", "qap (2,000 looks)"]
    assert not one_worse.better
    assert nothing.holm > 0.05
    assert not nothing.better


def test_training_and_test_instances_of_the_defaults_benchmark_differ():
    from retuning.families import CHECKED

    for label, checked in CHECKED.items():
        train, test = ({one.key for one in part} for part in (checked.training(), checked.test()))
        assert len(train) >= 16, label
        assert len(test) >= 32, label
        assert not train & test, label


def table_of_d_bees(head):
    page = (ROOT / "docs" / "solvers" / "dbees.md").read_text()
    return page[page.index(head) :].partition("\n\n")[0].splitlines()


def other_problem_rows():
    return table_of_d_bees("| problem | `preset=paper` |")[2:]


@pytest.mark.long
def test_the_page_of_d_bees_has_what_its_benchmark_prints_of_word_senses():
    from dbees_quality import ablation

    if not SENSEVAL.xml.is_file():
        pytest.skip("needs the corpus of Senseval-2")
    rows = ablation(SENSEVAL.xml.parents[1], seeds=5, best_looks=3_000_000)
    assert table_of_d_bees("|  | `fast`: score") == rows


def test_the_page_of_d_bees_has_a_row_for_each_other_problem_and_the_first_is_measured():
    from dbees_quality import OTHERS, other_problem

    rows = other_problem_rows()
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == list(OTHERS)
    assert rows[0] == other_problem(next(iter(OTHERS)), seeds=5)


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 8))
def test_the_page_of_d_bees_has_what_its_benchmark_prints_of_other_problems(number):
    from dbees_quality import OTHERS, other_problem

    assert other_problem_rows()[number] == other_problem(list(OTHERS)[number], seeds=5)
