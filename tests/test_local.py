"""Iterated local search: what it promises."""

import numpy as np

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
