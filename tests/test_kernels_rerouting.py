"""Annealing of tours against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.compiled import anneal_round, polish_round, start_round
from swarmkit.kernels import rerouting
from swarmkit.kernels.tours import Route, new_route
from swarmkit.tour import Tour

sizes = st.integers(5, 12)
seeds = st.integers(0, 999)


def random_tour(n, seed):
    points = np.random.default_rng(seed).random((n, 2))
    return Tour(np.arange(n), np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def length(tour, cities):
    return float(tour.lengths(np.array(cities)))


def plain_proposal(cities, near, c, bits):
    """The twin of `propose` and `make`: the tour that a move leads to, or None where the bits are no move."""
    n = len(cities)
    v = int(near[c, (bits & 0xFFFF) * near.shape[1] >> 16])
    way = cities if (bits >> 16) & 1 == 0 else cities[::-1]
    way = way[way.index(c) :] + way[: way.index(c)]  # from c on, in the direction of the move
    if (bits >> 17) & 1:  # join c to v and what follows them to each other
        at = way.index(v)
        return None if at in (1, n - 1) else [c, *way[at:0:-1], *way[at + 1 :]]
    straight, stretch = (bits >> 18) & 1 == 1, 1 + ((bits >> 19 & 0xFFF) * min(3, n - 3) >> 12)
    moved, rest = way[:stretch], way[stretch:]
    if v in moved or (straight and v == rest[-1]) or (not straight and v == rest[0]):
        return None
    at = rest.index(v)
    return rest[: at + 1] + moved + rest[at + 1 :] if straight else rest[:at] + moved[::-1] + rest[at:]


@given(sizes, seeds)
def test_a_proposal_gains_and_does_what_the_plain_version_does(n, seed):
    tour, rng = random_tour(n, seed), np.random.default_rng(seed)
    cities, near = rng.permutation(n), tour.nearest(6)
    route, move = Route(cities, np.argsort(cities), *new_route(n)[2:]), np.empty(7, np.int64)
    for _ in range(30):
        c, bits = int(rng.integers(n)), int(rng.integers(2**32))
        expected = plain_proposal(route.tour.tolist(), near, c, bits)
        delta = rerouting.propose(route, tour.cost, near, c, np.uint64(bits), move)
        assert (move[4] < 0) == (expected is None)
        if expected is not None:
            assert delta == pytest.approx(length(tour, route.tour) - length(tour, expected))
            rerouting.make(route, move)
            assert edges(route.tour) == edges(expected)
            assert route.place[route.tour].tolist() == list(range(n))


@given(sizes, seeds, st.floats(0.001, 10))
def test_annealing_a_tour_keeps_its_books(n, seed, temperature):
    tour, rng = random_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    done = anneal_round(tour, trip, np.full(5, temperature), 15, np.zeros(2, np.int64), 60)
    assert (done.sweeps, done.looks) == (4, 120)
    assert trip.scores == pytest.approx([-length(tour, trip.tour), -length(tour, trip.best)])
    assert trip.scores[0] <= trip.scores[1]
    assert done.course[-1] == pytest.approx(trip.scores[0])
    assert ((done.taken >= 0) & (done.taken <= 1)).all()


def test_hot_tours_are_any_and_cold_ones_short():
    tour = random_tour(6, 3)
    lengths = []
    for temperature in (10.0, 1e-6):
        trip = start_round(tour, np.arange(6), np.random.default_rng(1))
        done = anneal_round(tour, trip, np.full(501, temperature), 10, np.zeros(2, np.int64), 5_000)
        lengths.append(-done.course[50:].mean())
    assert lengths[1] == pytest.approx(-trip.scores[1])
    assert lengths[0] > 1.1 * lengths[1]


def edges(cities):
    cities = [int(c) for c in cities]
    return {frozenset(pair) for pair in zip(cities, cities[1:] + cities[:1], strict=True)}


@given(sizes, seeds)
def test_polishing_goes_back_to_the_best_and_never_loses(n, seed):
    tour, rng = random_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    anneal_round(tour, trip, np.full(4, 0.5), 10, np.zeros(2, np.int64), 30)
    best = trip.scores[1]
    assert polish_round(tour, trip) > 0
    assert trip.scores[0] == trip.scores[1] >= best - 1e-9
    assert trip.scores[1] == pytest.approx(-length(tour, trip.best))
    assert sorted(trip.best.tolist()) == list(range(n))


def test_sa_solves_a_tour_of_fifty_cities():
    problem = swarmkit.make_problem("tsp")
    result = swarmkit.solve(problem, "sa", params={"preset": "auto"}, looks=8_000_000)
    assert result.score == problem.optimum


def test_a_tour_annealed_once_ends_when_frozen():
    result = swarmkit.solve("tsp", "sa", looks=10**9)
    assert result.stopped == "done"
    assert result.metrics["gap"] < 0.15
