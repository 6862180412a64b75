"""2-opt, 3-opt and Or-opt moves against plain ones on lists."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import Tour
from swarmkit.kernels import tour_moves
from tests.plain_tours import PlainRoute

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(3, 14)


def random_tour(n, seed, ties=False):
    """Cities in a square, or on a few crossings of a grid, where many edges are equally long."""
    points = np.random.default_rng(seed).integers(0, 4 if ties else 2**20, (n, 2))
    return Tour(np.arange(n), np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def both(way):
    """A route and its plain twin; all cities are queued."""
    route = tour_moves.new_route(way.copy(), np.argsort(way))
    for city in way:
        tour_moves.enqueue(route, city)
    return route, PlainRoute(way, way.tolist())


def assert_same(route, plain):
    assert route.tour.tolist() == plain.way
    assert route.position[route.tour].tolist() == list(range(len(plain.way)))
    head, _, count, looks = route.counters.tolist()
    assert np.roll(route.queue, -head)[:count].tolist() == plain.queue
    assert np.flatnonzero(route.queued).tolist() == sorted(plain.queue)
    assert looks == plain.looks


@given(sizes, seeds, st.booleans(), st.integers(1, 13))
def test_every_move_is_the_plain_one(n, seed, ties, k):
    tour, way = random_tour(n, seed, ties), np.random.default_rng(seed).permutation(n)
    near = tour.nearest(k)
    route, plain = both(way)
    for city in way:
        for move in ("three_opt", "or_opt"):
            saved = getattr(tour_moves, move)(route, tour.cost, near, city, tour.tolerance)
            assert saved == pytest.approx(getattr(plain, move)(tour, near, int(city)))
            assert_same(route, plain)


@given(sizes, seeds, st.booleans(), st.integers(1, 13))
def test_local_search_ends_where_the_plain_one_does(n, seed, ties, k):
    tour, way = random_tour(n, seed, ties), np.random.default_rng(seed).permutation(n)
    near = tour.nearest(k)
    route, plain = both(way)
    saved = tour_moves.optimise(route, tour.cost, near, tour.tolerance)
    assert saved == pytest.approx(plain.optimise(tour, near))
    assert saved == pytest.approx(tour.lengths(way) - tour.lengths(route.tour))
    assert_same(route, plain)


@given(sizes, seeds, st.integers(1, 20))
def test_a_search_in_portions_ends_where_one_in_one_piece_does(n, seed, cities):
    tour, way = random_tour(n, seed), np.random.default_rng(seed).permutation(n)
    near = tour.nearest(5)
    (route, _), (other, _) = both(way), both(way)
    saved = 0.0
    while other.counters[2]:
        before = other.counters[2]
        saved = tour_moves.optimise_for(other, tour.cost, near, tour.tolerance, saved, cities)
        assert other.counters[2] >= before - cities
    assert saved == tour_moves.optimise(route, tour.cost, near, tour.tolerance)
    assert [part.tolist() for part in other] == [part.tolist() for part in route]


@settings(max_examples=15)
@given(sizes, seeds, st.integers(1, 5))
def test_many_tours_are_improved_one_by_one_in_passes(n, seed, passes):
    tour, ways = random_tour(n, seed), np.random.default_rng(seed).permuted(np.tile(np.arange(n), (3, 1)), axis=1)
    near, expected = tour.nearest(5), [PlainRoute(way, way.tolist()) for way in ways]
    for plain in expected:
        plain.optimise(tour, near)
    route, at = tour_moves.empty_route(n), np.array([0, -1, 0, 0])
    while at[0] < len(ways):
        before = at.copy()
        tour_moves.improve(ways, route, tour.cost, near, tour.tolerance, at, passes)
        assert at[3] - before[3] == passes or at[0] == len(ways)
        assert at[0] - before[0] <= passes
    assert ways.tolist() == [plain.way for plain in expected]
    assert route.counters[3] == sum(plain.looks for plain in expected)
