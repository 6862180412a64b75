"""Simulated annealing: its formulas, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_solver
from swarmkit.testing.families import Bounded, Shape, random_form
from swarmkit_annealing.schedule import acceptance, cycling, falling

changes = st.floats(-1e6, 1e6)
temperatures = st.floats(1e-3, 1e3)


def test_a_loss_of_ln_2_at_temperature_1_is_taken_every_other_time():
    assert acceptance(np.array([-np.log(2)]), 1.0)[0] == pytest.approx(0.5)


@given(changes, changes, temperatures)
def test_worse_moves_are_never_likelier(a, b, temperature):
    low, high = acceptance(np.array(sorted([a, b])), temperature)
    assert 0 <= low <= high <= 1


@given(changes, temperatures, temperatures)
def test_heat_never_makes_a_move_less_likely(delta, a, b):
    cool, warm = (acceptance(np.array([delta]), t)[0] for t in sorted([a, b]))
    assert cool <= warm


def test_cowies_temperature_falls_by_a_tenth_a_sweep():
    assert falling(10.0, 0.9, 0, 3) == pytest.approx([10, 9, 8.1])
    assert falling(10.0, 0.9, 100_000, 1)[0] > 0


@given(st.integers(0, 10_000), st.integers(1, 50), st.integers(2, 20))
def test_cycles_go_on_the_same_wherever_they_are_taken_up(first, count, shortest):
    whole = cycling(3.0, 0.1, 0, first + count, shortest)
    assert np.array_equal(cycling(3.0, 0.1, first, count, shortest), whole[first:])
    assert whole.max() == pytest.approx(3.0)
    assert whole.min() >= 0.1 * (1 - 1e-9)


def test_each_cycle_is_twice_as_long_as_the_last():
    falls = cycling(3.0, 0.1, 0, 7 * 4, 4)
    assert np.flatnonzero(np.isclose(falls, 3.0)).tolist() == [0, 4, 12]
    assert np.flatnonzero(np.isclose(falls, 0.1)).tolist() == [3, 11, 27]


def test_cowie_starts_from_first_candidates_and_ends_when_frozen():
    problem = swarmkit.make_problem("synthetic", n=60, seed=3)
    solver = swarmkit.make_solver("sa")
    state = solver.start(problem, np.random.default_rng(1))
    assert not state.walk.x.any()
    assert swarmkit.solve(problem, "sa", looks=10**9).stopped == "done"


def test_automatic_cycles_find_a_planted_optimum():
    problem = swarmkit.make_problem("synthetic", n=100, planted=True, seed=2)
    result = swarmkit.solve(problem, swarmkit.make_solver("sa", preset="auto"), seed=1, looks=3_000_000)
    assert result.metrics["share of optimum"] == 1.0


def test_the_automatic_preset_keeps_the_contract_too():
    assert not check_solver(swarmkit.make_solver("sa", preset="auto"), examples=2).of("skipped")


def test_constraints_are_kept_by_every_chain():
    problem = Bounded(random_form(Shape(12, 4, 3, "floats", 5)))
    solver = swarmkit.make_solver("sa", preset="auto", chains=8)
    rng = np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    assert swarmkit.judge(problem, state.chains.X).all()
    assert state.chains.scores == pytest.approx(problem.score(state.chains.X))
