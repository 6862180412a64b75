"""Runs on routes and schedules: resumed, replayed, with fixed ends, from old lists, recorded."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget, ListProblem, Lists
from swarmkit.testing import check_solver
from swarmkit.testing.families import random_routes
from swarmkit.viewing import make_movie

PROBLEMS = {
    "routes": ("cvrp", {"n": 30, "seed": 2}),
    "windows": ("cvrp", {"n": 20, "seed": 2, "windows": True}),
    "schedule": ("jobshop", {"jobs": 6, "machines": 5, "seed": 2}),
}
EVERY = [(name, solver) for name in PROBLEMS for solver in ("auto", "dbees", "sa", "ga", "bco", "tsp-aco")]
LOOKS = 30_000

runs = pytest.mark.parametrize(("name", "solver"), [*EVERY, ("routes", "lns"), ("schedule", "shop-tabu")])


def make(name):
    kind, options = PROBLEMS[name]
    return swarmkit.make_problem(kind, **options)


@runs
def test_a_run_in_two_pieces_is_the_run_in_one(name, solver, tmp_path):
    file, budget = tmp_path / "run.ckpt", Budget(looks=LOOKS)
    swarmkit.solve(make(name), solver, seed=3, looks=LOOKS // 3, checkpoint=file)
    resumed = swarmkit.resume(file, make(name), limits=budget)
    straight = swarmkit.solve(make(name), solver, seed=3, limits=budget)
    assert (resumed.solution, resumed.score, resumed.looks) == (straight.solution, straight.score, straight.looks)


@runs
def test_a_run_is_replayed(name, solver, tmp_path):
    result = swarmkit.solve(make(name), solver, seed=4, looks=LOOKS)
    (tmp_path / "result.json").write_text(result.model_dump_json())
    [replayed] = swarmkit.replay(tmp_path / "result.json", make(name))
    assert not replayed.differences


@pytest.mark.parametrize(("name", "solver"), [case for case in EVERY if case[1] != "tsp-aco"])
def test_fixed_ends_and_given_solutions_are_kept(name, solver):
    problem = make(name)
    first = swarmkit.solve(problem, "auto", seed=1, looks=LOOKS)
    fixed = {0: first.solution[0], len(problem.sizes) - 1: first.solution[-1]}
    again = swarmkit.solve(problem, solver, seed=2, looks=LOOKS, fixed=fixed, start=first)
    assert [again.solution[stage] for stage in fixed] == list(fixed.values())
    assert again.cost <= first.cost
    assert problem.feasible(np.array([again.solution]))[0]


@pytest.mark.parametrize("solver", ["auto", "dbees", "ga", "sa"])
def test_old_routes_with_a_new_stop_are_where_a_run_begins(solver):
    points = np.random.default_rng(0).random((31, 2)) * 100
    amount = np.r_[0, np.random.default_rng(1).integers(1, 10, 30)]
    old = Lists(points=points[:-1], amount=amount[:-1], capacity=40)
    plan = swarmkit.solve(ListProblem(old), seed=1, looks=300_000)
    new = ListProblem(Lists(points=points, amount=amount, capacity=40, count=old.count + 1))
    start = new.shape.encode(old.lists(np.array(plan.solution)))
    result = swarmkit.solve(new, solver, seed=1, looks=LOOKS, start=[start.tolist()])
    assert result.cost <= float(new.score(start[None])[0])


@runs
def test_a_movie_shows_routes_or_a_gantt_chart(name, solver):
    recorder = swarmkit.Recorder(frames=20)
    swarmkit.solve(make(name), solver, seed=1, looks=LOOKS, observers=[recorder])
    kind = "schedule" if name == "schedule" else "routes"
    assert recorder.recording.frames
    assert f'"kind":"{kind}"' in make_movie(recorder.recording).replace('": "', '":"')


def test_the_kit_accepts_the_solver_of_schedules():
    check_solver(swarmkit.make_solver("shop-tabu"), examples=2)


@pytest.mark.parametrize("seed", range(3))
def test_what_a_local_search_knows_of_its_moves_survives_a_checkpoint(seed, tmp_path):
    problem, file = ListProblem(random_routes(seed, 3)), tmp_path / "run.ckpt"
    swarmkit.solve(problem, "ils", seed=0, looks=50, checkpoint=file)
    resumed = swarmkit.resume(file, problem, limits=Budget(looks=600))
    assert not resumed.differences(swarmkit.solve(problem, "ils", seed=0, looks=600))
