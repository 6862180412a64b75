"""Focused ants against plain ones that mend a list of cities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.compiled import ants
from swarmkit.kernels import chance, focus
from tests.plain_tours import PlainRoute, exact_tour, plain_follow
from tests.test_ants import ways_of

seeds = st.integers(0, 2**32 - 1)


def steps(route, a, b):
    """How far it is from one city on to another."""
    return (route.way.index(b) - route.way.index(a)) % len(route.way)


def plain_way_back(route, ways, words, city, s, v, span):
    """The twin of `way_back`: a city that a trail of s leads to, if it is on the stretch, else one near v."""
    route.looks += ways.near.shape[1]
    e = plain_follow(ways, s, {city, s, route.beside(s)}, words)
    if e is not None and steps(route, v, e) < span:
        return e
    return route.beside(v, chance.below(words, min(span, focus.REACH)))


def plain_stray(route, ways, fresh, words):
    """The twin of `stray`: city, s..p, v..e, f becomes city, v..e, s..p, f; then on from v."""
    city = int(chance.below(words, len(route.way)))
    for _ in range(fresh):
        s, r = route.beside(city), route.beside(city, -1)
        route.looks += ways.near.shape[1]
        v = plain_follow(ways, city, {city, s, r}, words)
        if v is None or v == r:
            return
        p, e = route.beside(v, -1), plain_way_back(route, ways, words, city, s, v, steps(route, v, r))
        f = route.beside(e)
        exchanges = (city, s, p, v), (city, p, e, f), (city, e, v, s)
        route.replace([(city, s), (p, v), (e, f)], [(city, v), (e, s), (p, f)], *exchanges)
        route.wait(city, s, p, v, e, f)
        city = v


def plain_focus(tour, ways, count, fresh, words, source, improving, heat):
    """The twin of `focus`: lengths from scratch, the kernel's random numbers."""
    length, looks, made = (lambda way: float(tour.lengths(np.array(way)))), 0, []
    heat = heat * length(source) / len(source)
    for _ in range(count):
        route = PlainRoute(source)
        plain_stray(route, ways, fresh, words)
        if improving:
            route.settle(tour, ways.near)
        looks += route.looks
        made.append(route.way)
        saved = length(source) - length(route.way)
        if saved >= 0 or (heat > 0 and chance.uniform(words) < math.exp(saved / heat)):
            source = route.way
    return source, min(made, key=length), looks


@given(st.integers(5, 20), st.integers(1, 12), seeds, st.integers(1, 6), st.booleans(), st.sampled_from([0.0, 0.3]))
def test_focused_ants_go_where_the_plain_ones_go(n, k, seed, fresh, improving, heat):
    tour = exact_tour(n, seed)
    ways, words = ways_of(tour, k, seed), chance.seeded(np.random.default_rng(seed))
    source = np.random.default_rng(seed).permutation(n)
    again = words.copy()
    kept, found, looks = plain_focus(tour, ways, 4, fresh, again, source.tolist(), improving, heat)
    walked = ants.focus_tours(tour, ways, 4, fresh, words, source, improving=improving, heat=heat)
    assert source.tolist() == kept
    assert walked.tours.tolist() == [found]
    assert walked.lengths == pytest.approx(tour.lengths(walked.tours))
    assert walked.looks == looks
    assert (words == again).all()
