"""Focused ants against plain ones that change a list of cities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit_ants.kernels.focused import REACH, Focused
from tests.ants.plain_ants import build_all, plain_draw, random_table
from tests.plain_tours import PlainRoute, exact_tour

seeds = st.integers(0, 2**32 - 1)


def steps(route, a, b):
    """The number of steps from one city on to another."""
    return (route.way.index(b) - route.way.index(a)) % len(route.way)


def plain_segment_end(route, table, state, city, s, v, length):
    """The twin of `segment_end`: a drawn neighbour of s, if it is on the segment, else one of the first from v on."""
    route.looks += table.near.shape[1]
    e = plain_draw(table, s, {city, s, route.beside(s)}, state)
    if e is not None and steps(route, v, e) < length:
        return e
    return route.beside(v, rng.below(state, min(length, REACH)))


def plain_new_edges(route, table, new_edges, state):
    """The twin of `make_new_edges`: city, s..p, v..e, f becomes city, v..e, s..p, f; then on from v."""
    city = int(rng.below(state, len(route.way)))
    for _ in range(new_edges):
        s, r = route.beside(city), route.beside(city, -1)
        route.looks += table.near.shape[1]
        v = plain_draw(table, city, {city, s, r}, state)
        if v is None or v == r:
            return
        p, e = route.beside(v, -1), plain_segment_end(route, table, state, city, s, v, steps(route, v, r))
        f = route.beside(e)
        exchanges = (city, s, p, v), (city, p, e, f), (city, e, v, s)
        route.replace([(city, s), (p, v), (e, f)], [(city, v), (e, s), (p, f)], *exchanges)
        route.enqueue(city, s, p, v, e, f)
        city = v


def plain_change_source(tour, table, rule, state, source):
    """The twin of `change_source`: lengths from scratch, the kernel's random numbers."""
    new_edges, improves, temperature = rule
    length, looks, made = (lambda way: float(tour.lengths(np.array(way)))), 0, []
    temperature = temperature * length(source) / len(source)
    for _ in range(4):
        route = PlainRoute(source)
        plain_new_edges(route, table, new_edges, state)
        if improves:
            route.optimise(tour, table.near)
        looks += route.looks
        made.append(route.way)
        saved = length(source) - length(route.way)
        if saved >= 0 or (temperature > 0 and rng.uniform(state) < math.exp(saved / temperature)):
            source = route.way
    return source, min(made, key=length), looks


rules = st.tuples(st.integers(1, 6), st.booleans(), st.sampled_from([0.0, 0.3]))


@given(st.integers(5, 20), st.integers(1, 12), seeds, rules)
def test_focused_ants_go_where_the_plain_ones_go(n, k, seed, rule):
    tour = exact_tour(n, seed)
    table, state = random_table(tour, k, seed), rng_state(np.random.default_rng(seed))
    source = np.random.default_rng(seed).permutation(n)
    again = state.copy()
    kept, best, looks = plain_change_source(tour, table, rule, again, source.tolist())
    new_edges, improves, temperature = rule
    focused = Focused(tour, 4, new_edges, improves=improves, temperature=temperature)
    tours, lengths, made = build_all(focused, table, source, state)
    assert source.tolist() == kept
    assert tours.tolist() == [best]
    assert lengths == pytest.approx(tour.lengths(tours))
    assert made == looks
    assert (state == again).all()
