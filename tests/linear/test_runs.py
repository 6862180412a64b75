"""Runs on the problems with linear constraints: resumed, replayed, with fixed stages, warm, recorded."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget
from swarmkit.viewing import make_movie

PROBLEMS = {
    "setcover": {"rows": 40, "columns": 120},
    "knapsack": {"n": 40},
    "assignment": {"agents": 4, "jobs": 24, "kind": "A"},
}
SOLVERS = ["weighting", "annealing", "dbees", "ga", "ils"]
LOOKS = 20_000

pytestmark = [pytest.mark.parametrize("name", PROBLEMS), pytest.mark.parametrize("solver", SOLVERS)]


def make(name):
    return swarmkit.make_problem(name, **PROBLEMS[name])


def test_a_run_in_two_pieces_is_the_run_in_one(name, solver, tmp_path):
    file, budget = tmp_path / "run.ckpt", Budget(looks=LOOKS)
    swarmkit.solve(make(name), solver, seed=3, looks=LOOKS // 3, checkpoint=file)
    resumed = swarmkit.resume(file, make(name), limits=budget)
    straight = swarmkit.solve(make(name), solver, seed=3, limits=budget)
    assert (resumed.solution, resumed.score, resumed.looks) == (straight.solution, straight.score, straight.looks)


def test_a_run_is_replayed(name, solver, tmp_path):
    result = swarmkit.solve(make(name), solver, seed=4, looks=LOOKS)
    (tmp_path / "result.json").write_text(result.model_dump_json())
    [replayed] = swarmkit.replay(tmp_path / "result.json", make(name))
    assert not replayed.differences


def test_fixed_stages_and_given_solutions_are_kept(name, solver):
    problem = make(name)
    first = swarmkit.solve(problem, "weighting", seed=1, looks=LOOKS)
    fixed = {0: first.solution[0], 3: first.solution[3]}
    again = swarmkit.solve(problem, solver, seed=2, looks=LOOKS, fixed=fixed, start=first)
    assert [again.solution[stage] for stage in fixed] == list(fixed.values())
    assert again.score >= first.score
    assert problem.feasible(np.array([again.solution]))[0]


def test_a_movie_shows_the_rows(name, solver):
    recorder = swarmkit.Recorder(frames=20)
    swarmkit.solve(make(name), solver, seed=1, looks=LOOKS, observers=[recorder])
    assert recorder.recording.frames
    assert '"kind": "rows"' in make_movie(recorder.recording) or '"kind":"rows"' in make_movie(recorder.recording)
