"""Runs that begin with given solutions: never worse, recorded, resumed and replayed; wrong ones refused in words."""

import json

import numpy as np
import pytest

import swarmkit
from swarmkit import PairwiseProblem, Solver, StepResult, UsageError
from swarmkit.comparison.plan import run_key
from swarmkit.running.specification import make_spec, read_start
from swarmkit.testing.families import Bounded, Divided, Shape, random_assignment, random_form, random_tour

TSP = "tsp"


@pytest.fixture(scope="module")
def good():
    return swarmkit.solve(swarmkit.make_problem(TSP, n=30), "ils", looks=100_000)


@pytest.mark.parametrize("solver", ["random", "ga", "sa", "annealing", "greedy", "tsp-aco", "bco", "icm"])
def test_the_answer_is_never_worse_than_the_start(good, solver):
    found = swarmkit.solve(swarmkit.make_problem(TSP, n=30), solver, looks=1000, start=good)
    assert found.score >= good.score
    assert found.start == [good.solution]


def test_several_solutions_and_arrays_and_results_may_be_given(good):
    problem = swarmkit.make_problem(TSP, n=30)
    several = [good.solution, list(range(30))]
    for start in (several, np.array(several), [good, good], swarmkit.solve_many(problem, "ga", 2)):
        found = swarmkit.solve(problem, "random", looks=100, start=start)
        assert len(found.start) == 2
    assert swarmkit.solve(problem, "random", looks=100, start=range(30)).start == [list(range(30))]


def test_parts_begin_with_their_share_of_the_best():
    problem = Divided(Shape(5, 4, 2, "floats", 1))
    best = swarmkit.solve(problem, "exhaustive")
    found = swarmkit.solve(problem, "random", looks=30, start=best)
    assert (found.solution, found.score) == (best.solution, pytest.approx(best.score))


def test_the_solver_is_given_the_solutions_and_their_scores(good):
    seen = []

    class Listening(Solver):
        def start(self, problem, rng) -> dict:
            return {}

        def inject(self, problem, state, X, scores, rng) -> int:
            seen.append((X.tolist(), scores.tolist()))
            return 5

        def step(self, problem, state, rng) -> StepResult:
            return StepResult(None, None, 1)

    problem = swarmkit.make_problem(TSP, n=30)
    found = swarmkit.solve(problem, Listening(), looks=40, start=good)
    assert seen == [([good.solution], [good.score])]
    assert (found.looks, found.score) == (40, good.score)  # 30 for the score, 5 for taking it up, 5 steps


def test_a_target_that_the_start_has_reached_ends_the_run(good):
    found = swarmkit.solve(swarmkit.make_problem(TSP, n=30), "ga", start=good, target=good.score)
    assert (found.stopped, found.steps) == ("target", 0)


def test_a_run_with_a_start_and_fixed_stages_can_be_replayed(good, tmp_path):
    problem = swarmkit.make_problem(TSP, n=30)
    found = swarmkit.solve(problem, "ga", looks=5000, start=good, fixed={0: 3, 5: 9}, seconds=5)
    assert (found.solution[0], found.solution[5]) == (3, 9)
    (tmp_path / "r.json").write_text(found.model_dump_json())
    assert [again.differences for again in swarmkit.replay(tmp_path / "r.json")] == [[]]


def test_a_run_with_a_start_and_fixed_stages_can_be_resumed(tmp_path):
    problem = swarmkit.make_problem("synthetic", n=20)
    given = {"start": [0] * 20, "fixed": {3: 1}}
    whole = swarmkit.solve(problem, "sa", looks=20_000, **given)
    swarmkit.solve(problem, "sa", looks=5000, checkpoint=tmp_path / "c", **given)
    resumed = swarmkit.resume(tmp_path / "c", limits=swarmkit.Budget(looks=20_000))
    assert not whole.differences(resumed)
    assert resumed.solution[3] == 1


def test_a_run_with_a_start_has_another_key():
    problem, solver = swarmkit.make_problem("synthetic", n=4), swarmkit.make_solver("sa")
    plain, started, fixed = (
        make_spec(problem, solver, 0, swarmkit.Budget(looks=10), **given)
        for given in ({}, {"start": [0] * 4}, {"fixed": {0: 0}})
    )
    assert len({run_key(spec, 0, 0) for spec in (plain, started, fixed)}) == 3


def test_fixed_candidates_overrule_those_of_the_start():
    start, fixed = [0, 1, 2, 3, 4, 5], {0: 4, 1: 5}
    problem = PairwiseProblem(random_assignment(Shape(6, 6, 2, "floats", 3), symmetric=False))
    found = swarmkit.solve(problem, "random", looks=30, start=start, fixed=fixed)
    assert found.start == [[4, 5, 2, 3, 0, 1]]  # exchanged
    tour = PairwiseProblem(random_tour(Shape(6, 6, 2, "floats", 3)))
    found = swarmkit.solve(tour, "random", looks=30, start=start, fixed=fixed)
    assert found.start == [[4, 5, 0, 1, 2, 3]]  # rotated


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([0, 1, 2], "the solution has 3 stages; the problem has 5 stages"),
        ([[0] * 5, [0] * 4], "solution 1 has 4 stages"),
        ([0, 1, 2, 3, 99], "candidate 99 at stage 4; its candidates are 0 to"),
        ([0.5] * 5, "float64"),
        ([3, 3, 3, 3, 3], "the solution is not feasible"),
        (["a", "b"], "stages"),
    ],
)
def test_a_start_that_is_no_solution_is_refused(start, message):
    problem = Bounded(random_form(Shape(5, 5, 2, "floats", 7)))
    if message.endswith("feasible"):
        start = [int(size) - 1 for size in problem.sizes]
    with pytest.raises(UsageError, match=message):
        swarmkit.solve(problem, "sa", looks=10, start=start)


def test_a_start_of_a_permutation_has_no_candidate_twice():
    problem = PairwiseProblem(random_tour(Shape(5, 5, 2, "floats", 3)))
    with pytest.raises(UsageError, match="candidate 1 at two stages"):
        swarmkit.solve(problem, "sa", looks=10, start=[0, 1, 1, 2, 3])


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("0,1,2\n2,1,0\n", [[0, 1, 2], [2, 1, 0]]),
        ("0 1 2\n", [[0, 1, 2]]),
        ("0\n1\n\n2\n", [[0, 1, 2]]),
        ("0;1;2", [[0, 1, 2]]),
        ("[0, 1, 2]", [[0, 1, 2]]),
        ("[[0, 1], [1, 0]]", [[0, 1], [1, 0]]),
        ('stage,candidate\n0,2\n1,0\n"2",1\n', [[2, 0, 1]]),
    ],
)
def test_solutions_are_read_from_lists_and_tables(tmp_path, text, solutions):
    file = tmp_path / "start.txt"
    file.write_text(text)
    assert read_start(file) == solutions


def test_solutions_are_read_from_results(tmp_path, good):
    file = tmp_path / "r.json"
    file.write_text(good.model_dump_json())
    assert read_start(file) == [good.solution]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n2,x\n", "line 2: 'x' is not a candidate number"),
        ("", "line 1: the file is empty"),
        ("[0, 1", "line 1: not valid JSON"),
        ("[0, 1.5]", "not one of candidate numbers"),
        ("[[0], 3]", "not one of candidate numbers"),
        ("{}", "not a result of swarmkit"),
        ("stage,candidate\n0\n", "line 2: 1 columns"),
        ("-1,2\n", "line 1: '-1' is not a candidate number"),
    ],
)
def test_files_without_solutions_are_refused_with_the_line(tmp_path, text, message):
    file = tmp_path / "start.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_start(file)


def test_start_and_fixed_on_the_command_line(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["solve", "-p", TSP, "-P", "n=20", "-a", "ga", "--looks", "2000", "--json"]
    first = json.loads(cli(*command, "-F", "0=3", "-F", "19=4", "--out", "r.json").out)
    assert (first["solution"][0], first["solution"][19], first["fixed"]) == (3, 4, {"0": 3, "19": 4})
    second = json.loads(cli(*command, "--start", "r.json", "--runs", "2").out)
    assert all(run["score"] >= first["score"] for run in second["runs"])
    assert cli("replay", "r.json").code == 0
    assert "expected STAGE=CANDIDATE" in cli(*command, "-F", "a=b").err
    assert "no such file" in cli(*command, "--start", "none.json").err
