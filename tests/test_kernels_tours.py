"""2-opt, 3-opt and Or-opt moves against plain ones on lists."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit.contract.tour import Tour
from swarmkit.kernels import tours
from tests.plain_tours import PlainRoute

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(3, 14)


def random_tour(n, seed, ties=False):
    """Cities in a square, or on a few crossings of a grid, where many ways are equally long."""
    points = np.random.default_rng(seed).integers(0, 4 if ties else 2**20, (n, 2))
    return Tour(np.arange(n), np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def both(way):
    """A route and its plain twin; all cities wait."""
    route = tours.new_route(len(way))
    route.tour[:], route.place[:] = way, np.argsort(way)
    for city in way:
        tours.enqueue(route, city)
    return route, PlainRoute(way, way.tolist())


def assert_same(route, plain):
    assert route.tour.tolist() == plain.way
    assert route.place[route.tour].tolist() == list(range(len(plain.way)))
    head, _, count, looks = route.ends.tolist()
    assert np.roll(route.queue, -head)[:count].tolist() == plain.waiting
    assert np.flatnonzero(route.waiting).tolist() == sorted(plain.waiting)
    assert looks == plain.looks


@given(sizes, seeds, st.booleans(), st.integers(1, 13))
def test_every_move_is_the_plain_one(n, seed, ties, k):
    tour, way = random_tour(n, seed, ties), np.random.default_rng(seed).permutation(n)
    near = tour.nearest(k)
    route, plain = both(way)
    for city in way:
        for move in ("three_opt", "or_opt"):
            saved = getattr(tours, move)(route, tour.cost, near, city, tour.least)
            assert saved == pytest.approx(getattr(plain, move)(tour, near, int(city)))
            assert_same(route, plain)


@given(sizes, seeds, st.booleans(), st.integers(1, 13))
def test_a_tour_settles_where_the_plain_one_does(n, seed, ties, k):
    tour, way = random_tour(n, seed, ties), np.random.default_rng(seed).permutation(n)
    near = tour.nearest(k)
    route, plain = both(way)
    saved = tours.settle(route, tour.cost, near, tour.least)
    assert saved == pytest.approx(plain.settle(tour, near))
    assert saved == pytest.approx(tour.lengths(way) - tour.lengths(route.tour))
    assert_same(route, plain)


@settings(max_examples=15)
@given(sizes, seeds)
def test_many_tours_are_improved_one_by_one(n, seed):
    tour, ways = random_tour(n, seed), np.random.default_rng(seed).permuted(np.tile(np.arange(n), (3, 1)), axis=1)
    near, expected = tour.nearest(5), [PlainRoute(way, way.tolist()) for way in ways]
    for plain in expected:
        plain.settle(tour, near)
    route = tours.new_route(n)
    tours.improve(ways, route, tour.cost, near, tour.least)
    assert ways.tolist() == [plain.way for plain in expected]
    assert route.ends[3] == sum(plain.looks for plain in expected)
