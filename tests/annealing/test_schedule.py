"""The adaptive schedule: cycles that are slow where the ones before found it worth while."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit_annealing.schedule import (
    BINS,
    EVEN_SHARE,
    Sweeps,
    first_cycle,
    next_cycle,
    observe,
    patience,
    record_gain,
    temperatures,
)

NOWHERE = np.empty(0, np.int64)


def sweeps(scores, accepted):
    return Sweeps(0, scores, accepted)


def whole_cycle(accepted=lambda t: np.full(len(t), 0.5), score=lambda t: -t):
    cycle = first_cycle(100.0, 0.01, 4 * BINS, NOWHERE)
    falls = temperatures(cycle, cycle.length)
    observe(cycle, falls, sweeps(score(falls), accepted(falls)))
    return cycle


def test_a_cycle_falls_from_hot_to_cold_and_stays_there():
    falls = temperatures(first_cycle(8.0, 1.0, 4, NOWHERE), 6)
    assert falls == pytest.approx([8, 4, 2, 1, 1, 1])


def test_a_cycle_taken_in_pieces_is_the_whole_one():
    cycle = next_cycle(whole_cycle())
    whole = temperatures(cycle, cycle.length)
    observe(cycle, whole[:30], sweeps(np.zeros(30), np.zeros(30)))
    assert temperatures(cycle, 20) == pytest.approx(whole[30:50])


def test_the_next_cycle_is_twice_as_long_and_slowest_where_the_score_changed_most():
    # The score jumps between the temperatures 2 and 1 and nowhere else.
    before = whole_cycle(score=lambda t: np.where(t > 2, 0.0, np.where(t < 1, 10.0, 10 * (2 - t))))
    cycle = next_cycle(before)
    falls = temperatures(cycle, cycle.length)
    assert len(falls) == 8 * BINS
    assert ((falls > 0.7) & (falls < 3)).mean() > 1 - 2 * EVEN_SHARE


def test_where_fewer_proposals_are_accepted_the_next_cycle_is_slower():
    even = next_cycle(whole_cycle()).time_shares
    slower = next_cycle(whole_cycle(accepted=lambda t: np.where(t > 1, 0.5, 0.05))).time_shares
    cold = np.arange(BINS) > 3 * BINS // 4
    assert slower[cold].sum() > even[cold].sum()


@given(st.integers(0, 1000))
def test_every_temperature_gets_its_share_of_a_cycle_whatever_was_observed(seed):
    rng = np.random.default_rng(seed)
    cycle = whole_cycle(accepted=lambda t: rng.random(len(t)), score=lambda t: rng.normal(size=len(t)))
    after = next_cycle(cycle).time_shares
    assert after.sum() == pytest.approx(1)
    assert (after >= EVEN_SHARE / BINS * (1 - 1e-9)).all()


@given(*[st.just(0.0) | st.floats(1e-9, 1e9)] * 2)
def test_reheats_get_more_time_the_more_they_gained(by_cycles, by_reheats):
    cycle = whole_cycle()
    cycle.gains[:] = by_cycles, by_reheats
    assert 0.125 <= patience(cycle) <= 4
    after = next_cycle(cycle)
    assert patience(after) == pytest.approx(patience(cycle))
    if by_reheats > by_cycles:
        assert patience(after) > 1


def test_a_cooling_that_gained_is_credited_and_one_that_did_not_is_counted():
    cycle = first_cycle(8.0, 1.0, 4, np.zeros(3, np.int64))
    record_gain(cycle, np.ones(3, np.int64), 5.0, 0.1)  # the first has nothing to be compared with
    record_gain(cycle, np.ones(3, np.int64), 7.0, 0.1)
    cycle.block = np.array([1])
    record_gain(cycle, np.array([1, 2, 1]), 7.5, 0.1)
    assert (cycle.gains.tolist(), cycle.fruitless) == ([2.0, 0.5], 0)
    assert (cycle.previous_score, cycle.previous_best.tolist()) == (7.5, [1, 2, 1])
    record_gain(cycle, np.array([1, 2, 1]), 7.55, 0.1)
    assert cycle.fruitless == 1


def test_what_a_block_observes_says_nothing_about_the_whole():
    cycle = first_cycle(8.0, 1.0, 4, NOWHERE)
    cycle.block = np.array([1])
    observe(cycle, np.array([8.0, 4.0]), sweeps(np.zeros(2), np.ones(2)))
    assert cycle.done == 2
    assert not cycle.sums.any()


def test_a_score_that_never_changes_leaves_time_as_it_was():
    assert next_cycle(whole_cycle(score=np.zeros_like)).time_shares == pytest.approx(1 / BINS)
