"""Partial ants against a plain one that lists every tour it may make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.contract.structure import Tour
from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit_ants.kernels.partial import Partial
from tests.ants.plain_ants import build_all, plain_draw, random_table

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


@given(st.integers(3, 30), st.integers(1, 12), st.integers(1, 30), seeds)
def test_ants_rebuild_segments_as_the_plain_ant_does(n, k, longest, seed):
    generator = np.random.default_rng(seed)
    cost = generator.random((n, n))
    tour = Tour(np.arange(n), cost + cost.T)
    table, state, source = random_table(tour, k, seed), rng_state(generator), generator.permutation(n)
    plain, given_source = state.copy(), source.copy()
    tours, lengths, looks = build_all(Partial(tour, 4, longest), table, source, state)
    made = np.concatenate([plain_tours_made(table, longest, plain, given_source) for _ in range(4)])
    assert (plain == state).all()
    assert (source == tours[0]).all()
    assert (np.sort(tours[0]) == np.arange(n)).all()
    assert lengths == pytest.approx(tour.lengths(tours))
    assert lengths[0] == pytest.approx(tour.lengths(made).min())
    assert looks % table.near.shape[1] == 0
    assert looks >= 4
