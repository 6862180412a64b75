"""Iterated local search: what it promises."""

import numpy as np
import pytest

import swarmkit
from swarmkit.testing.families import Bounded, Shape, random_form


def test_it_finds_a_planted_optimum():
    problem = swarmkit.make_problem("synthetic", n=100, planted=True, seed=2)
    assert swarmkit.solve(problem, "ils", seed=1, looks=2_000_000).metrics["share of optimum"] == 1.0


def test_side_by_side_optima_keep_the_constraints():
    problem = Bounded(random_form(Shape(12, 4, 3, "floats", 5)))
    solver, rng = swarmkit.make_solver("ils", optima=4), np.random.default_rng(1)
    state = solver.start(problem, rng)
    found = solver.step(problem, state, rng)
    assert swarmkit.judge(problem, state.X).all()
    assert found.iterations % 4 == 0
    assert found.score == state.scores.max()


@pytest.mark.parametrize(
    ("problem", "options", "where"),
    [
        ("synthetic", {"n": 20}, "table"),
        ("tsp", {"n": 8}, "tour"),
        ("tsp", {"n": 7}, "table"),
        ("qap", {"n": 8}, "table"),
        ("flowshop", {"jobs": 6, "machines": 3}, "X"),
    ],
)
def test_the_structure_of_the_problem_decides_how_it_is_searched(problem, options, where):
    state = swarmkit.make_solver("ils").start(swarmkit.make_problem(problem, **options), np.random.default_rng(1))
    held = {"table": state.table is not None, "tour": state.tour is not None, "X": len(state.X) > 0}
    assert [name for name, there in held.items() if there] == [where]
