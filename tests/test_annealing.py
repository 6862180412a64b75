"""Simulated annealing: its formulas, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_solver
from swarmkit.testing.families import Bounded, Shape, random_form
from swarmkit_annealing.cycles import BINS, FLOOR, first_cycle, next_cycle, note, patience, settle
from swarmkit_annealing.cycles import temperatures as falls
from swarmkit_annealing.schedule import acceptance, cycling, falling

changes = st.floats(-1e6, 1e6)
temperatures = st.floats(1e-3, 1e3)
NOWHERE = np.empty(0, np.int64)


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


def whole_cycle(taken=lambda t: np.full(len(t), 0.5), score=lambda t: -t):
    cycle = first_cycle(100.0, 0.01, 4 * BINS, NOWHERE)
    course = falls(cycle, cycle.length)
    note(cycle, course, score(course), taken(course))
    return cycle


def test_a_cycle_falls_from_hot_to_cold_and_stays_there():
    course = falls(first_cycle(8.0, 1.0, 4, NOWHERE), 6)
    assert course == pytest.approx([8, 4, 2, 1, 1, 1])


def test_a_cycle_taken_in_pieces_is_the_whole_one():
    cycle = next_cycle(whole_cycle())
    whole = falls(cycle, cycle.length)
    note(cycle, whole[:30], np.zeros(30), np.zeros(30))
    assert falls(cycle, 20) == pytest.approx(whole[30:50])


def test_the_next_cycle_is_twice_as_long_and_slowest_where_the_score_changed_most():
    # The score jumps between the temperatures 2 and 1 and nowhere else.
    before = whole_cycle(score=lambda t: np.where(t > 2, 0.0, np.where(t < 1, 10.0, 10 * (2 - t))))
    cycle = next_cycle(before)
    course = falls(cycle, cycle.length)
    assert len(course) == 8 * BINS
    assert ((course > 0.7) & (course < 3)).mean() > 1 - 2 * FLOOR


def test_where_fewer_proposals_are_taken_the_next_cycle_is_slower():
    even = next_cycle(whole_cycle()).slowness
    slower = next_cycle(whole_cycle(taken=lambda t: np.where(t > 1, 0.5, 0.05))).slowness
    cold = np.arange(BINS) > 3 * BINS // 4
    assert slower[cold].sum() > even[cold].sum()


@given(st.integers(0, 1000))
def test_every_temperature_gets_its_share_of_a_cycle_whatever_was_met(seed):
    rng = np.random.default_rng(seed)
    cycle = whole_cycle(taken=lambda t: rng.random(len(t)), score=lambda t: rng.normal(size=len(t)))
    after = next_cycle(cycle).slowness
    assert after.sum() == pytest.approx(1)
    assert (after >= FLOOR / BINS * (1 - 1e-9)).all()


@given(*[st.just(0.0) | st.floats(1e-9, 1e9)] * 2)
def test_reheats_are_given_more_time_the_more_they_gained(by_cycles, by_reheats):
    cycle = whole_cycle()
    cycle.credit[:] = by_cycles, by_reheats
    assert 0.125 <= patience(cycle) <= 4
    after = next_cycle(cycle)
    assert patience(after) == pytest.approx(patience(cycle))
    if by_reheats > by_cycles:
        assert patience(after) > 1


def test_a_fall_that_gained_is_credited_and_one_that_did_not_makes_for_impatience():
    cycle = first_cycle(8.0, 1.0, 4, np.zeros(3, np.int64))
    settle(cycle, np.ones(3, np.int64), 5.0, 0.1)  # the first has nothing to be compared with
    settle(cycle, np.ones(3, np.int64), 7.0, 0.1)
    cycle.stages = np.array([1])
    settle(cycle, np.array([1, 2, 1]), 7.5, 0.1)
    assert (cycle.credit.tolist(), cycle.idle, cycle.begun, cycle.kept.tolist()) == ([2.0, 0.5], 0, 7.5, [1, 2, 1])
    settle(cycle, np.array([1, 2, 1]), 7.55, 0.1)
    assert cycle.idle == 1


def test_what_a_block_met_says_nothing_about_the_whole():
    cycle = first_cycle(8.0, 1.0, 4, NOWHERE)
    cycle.stages = np.array([1])
    note(cycle, np.array([8.0, 4.0]), np.zeros(2), np.ones(2))
    assert cycle.done == 2
    assert not cycle.met.any()


def test_a_score_that_never_changes_leaves_time_as_it_was():
    assert next_cycle(whole_cycle(score=np.zeros_like)).slowness == pytest.approx(1 / BINS)


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


@pytest.mark.parametrize("block", [None, 1, 7, 10_000])
def test_blocks_of_any_size_are_reheated(block):
    problem = swarmkit.make_problem("synthetic", n=60, window=3, seed=3)
    solver, rng = swarmkit.make_solver("sa", preset="auto", block=block), np.random.default_rng(1)
    state, sizes = solver.start(problem, rng), set()
    for _ in range(60):
        found = solver.step(problem, state, rng)
        sizes.add(len(state.cycle.stages))
        assert found.score == pytest.approx(problem.score(found.solution[None])[0])
    least, most = {None: (12, 60), 1: (1, 2), 7: (7, 14), 10_000: (40, 60)}[block]
    assert least <= max(sizes) <= most


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
