"""Partial ants against a plain one that lists every tour it may make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.contract.tour import Tour
from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit_ants.construction.partial import Partial
from swarmkit_ants.construction.policy import Pause
from tests.plain_ants import build_all, plain_draw, random_table
from tests.test_tour import salesman

seeds = st.integers(0, 2**32 - 1)


def plain_tours_made(table, longest, state, source):
    """All tours that one ant may make: its segment inserted where its last or its first city was, either way round."""
    n = len(source)
    longest, city = min(longest, n - 2), int(rng.below(state, n))
    last = 2 + int(rng.below(state, longest - 1)) if longest > 1 else 1
    at = source.tolist().index(city)
    step = plain_draw(table, city, [city, source[at - 1], source[at + 1 - n]], state)
    step = plain_draw(table, city, [city], state) if step is None else step
    segment = [city]
    while step is not None and len(segment) < last:
        segment.append(step)
        step = plain_draw(table, step, segment, state) if len(segment) < last else None
    rest = [other for other in source.tolist() if other not in segment]
    made = []
    for end in (segment[-1], segment[0]):
        before = np.roll(source, -source.tolist().index(end))[::-1].tolist()
        at = rest.index(next(other for other in before if other not in segment)) + 1
        made += [rest[:at] + way + rest[at:] for way in (segment, segment[::-1])]
    return np.array(made)


@given(st.integers(3, 30), st.integers(1, 12), st.integers(1, 30), seeds, st.sampled_from([(), (1, 1), (60,)]))
def test_ants_rebuild_segments_as_the_plain_ant_does(n, k, longest, seed, cuts):
    generator = np.random.default_rng(seed)
    cost = generator.random((n, n))
    tour = Tour(np.arange(n), cost + cost.T)
    table, state, source = random_table(tour, k, seed), rng_state(generator), generator.permutation(n)
    plain, given_source = state.copy(), source.copy()
    built, looks = build_all(Partial(tour, 4, longest), table, source, state, cuts)
    made = np.concatenate([plain_tours_made(table, longest, plain, given_source) for _ in range(4)])
    assert (plain == state).all()
    assert (source == built.tours[0]).all()
    assert (np.sort(built.tours[0]) == np.arange(n)).all()
    assert built.lengths == pytest.approx(tour.lengths(built.tours))
    assert built.lengths[0] == pytest.approx(tour.lengths(made).min())
    assert looks % table.near.shape[1] == 0
    assert looks >= 4


def test_partial_ants_pause_after_a_tour_that_is_to_be_recorded():
    tour = salesman(40).structure.tour
    table, state = random_table(tour, 12, 1), rng_state(np.random.default_rng(1))
    source = np.random.default_rng(1).permutation(40)
    partial = Partial(tour, 100)
    iteration, record = partial.new_iteration(), float(tour.lengths(source))
    partial.build(table, source, iteration, state, Pause(10**9, record))
    assert iteration.ants < 100
    assert partial.built(iteration).lengths == pytest.approx(tour.lengths(partial.built(iteration).tours))
    assert iteration.shortest < record
    partial.build(table, source, iteration, state, Pause(1, -np.inf))
    assert iteration.shortest == np.inf  # nothing is to be recorded, so the best tour is not written
