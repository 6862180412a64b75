"""Annealing of tours against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from swarmkit.kernels.tours import Route, new_route

import swarmkit
from swarmkit.compiled import anneal_round, kick_round, polish_round, start_round
from swarmkit.compiled.rounds import NEAREST
from swarmkit.kernels import chance, rerouting
from tests.plain_tours import PlainRoute, exact_tour

sizes = st.integers(5, 12)
seeds = st.integers(0, 999)


def length(tour, cities):
    return float(tour.lengths(np.array(cities)))


def plain_proposal(route, near, c, bits):
    """The twin of `propose` and `make`: the route that a move leads to, or None where the bits are no move."""
    n, changed = len(route.way), PlainRoute(route.way)
    v = int(near[c, (bits & 0xFFFF) * near.shape[1] >> 16])
    step = -1 if (bits >> 16) & 1 else 1
    s, t = route.beside(c, step), route.beside(v, step)
    if (bits >> 17) & 1:  # join c to v and what follows them to each other
        if v == s or c == t:
            return None
        changed.cross(s, c, v, t)
        return changed
    straight, length = (bits >> 18) & 1 == 1, 1 + ((bits >> 19 & 0xFFF) * min(3, n - 3) >> 12)
    stretch = [route.beside(c, step * k) for k in range(length)]
    w = t if straight else route.beside(v, -step)
    if v in stretch or w in stretch:
        return None
    changed.insert(route.beside(c, -step), c, stretch[-1], route.beside(c, step * length), v, w, straight)
    return changed


@given(sizes, seeds)
def test_a_proposal_gains_and_does_what_the_plain_version_does(n, seed):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    cities, near = rng.permutation(n), tour.nearest(6)
    route, move = Route(cities, np.argsort(cities), *new_route(n)[2:]), np.empty(7, np.int64)
    for _ in range(30):
        c, bits = int(rng.integers(n)), int(rng.integers(2**32))
        expected = plain_proposal(PlainRoute(route.tour), near, c, bits)
        delta = rerouting.propose(route, tour.cost, near, c, np.uint64(bits), move)
        assert (move[4] < 0) == (expected is None)
        if expected is not None:
            assert delta == pytest.approx(length(tour, route.tour) - length(tour, expected.way))
            rerouting.make(route, move)
            assert route.tour.tolist() == expected.way
            assert route.place[route.tour].tolist() == list(range(n))


def plain_anneal(tour, trip, temperatures, sweep, proposals):
    """The twin: lengths from scratch, the kernel's random numbers."""
    route, words, near = PlainRoute(trip.tour), trip.words.copy(), tour.nearest(NEAREST)
    best = now = (-length(tour, route.way), route.way)
    for k in range(proposals):
        bits, temperature = int(chance.draw(words)), temperatures[k // sweep]
        proposed = plain_proposal(route, near, (bits >> 32) * len(route.way) >> 32, bits & 0xFFFFFFFF)
        if proposed is None:
            continue
        delta = -length(tour, proposed.way) - now[0]
        if delta >= 0 or (delta > -40 * temperature and chance.uniform(words) < math.exp(delta / temperature)):
            route, now = proposed, (now[0] + delta, proposed.way)
            best = max(best, now, key=lambda found: found[0])
    return now, best


@given(sizes, seeds, st.sampled_from([0.001, 0.1, 10]))
def test_annealing_goes_where_the_plain_version_goes(n, seed, hottest):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    temperatures = np.geomspace(hottest, hottest / 100, 6)
    now, best = plain_anneal(tour, trip, temperatures, 12, 60)
    anneal_round(tour, trip, temperatures, 12, np.zeros(2, np.int64), 60)
    assert trip.tour.tolist() == now[1]
    assert trip.scores.tolist() == [now[0], best[0]]
    assert -length(tour, trip.best) == best[0]


@given(sizes, seeds, st.floats(0.001, 10))
def test_annealing_a_tour_keeps_its_books(n, seed, temperature):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    done = anneal_round(tour, trip, np.full(5, temperature), 15, np.zeros(2, np.int64), 60)
    assert (done.sweeps, done.looks) == (4, 120)
    assert trip.scores == pytest.approx([-length(tour, trip.tour), -length(tour, trip.best)])
    assert trip.scores[0] <= trip.scores[1]
    assert done.course[-1] == pytest.approx(trip.scores[0])
    assert ((done.taken >= 0) & (done.taken <= 1)).all()


def test_hot_tours_are_any_and_cold_ones_short():
    tour = exact_tour(6, 3)
    lengths = []
    for temperature in (10.0, 1e-6):
        trip = start_round(tour, np.arange(6), np.random.default_rng(1))
        done = anneal_round(tour, trip, np.full(501, temperature), 10, np.zeros(2, np.int64), 5_000)
        lengths.append(-done.course[50:].mean())
    assert lengths[1] == pytest.approx(-trip.scores[1])
    assert lengths[0] > 1.1 * lengths[1]


@given(sizes, seeds)
def test_polishing_goes_back_to_the_best_and_never_loses(n, seed):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    anneal_round(tour, trip, np.full(4, 0.5), 10, np.zeros(2, np.int64), 30)
    best = trip.scores[1]
    assert polish_round(tour, trip) > 0
    assert trip.scores[0] == trip.scores[1] >= best - 1e-9
    assert trip.scores[1] == pytest.approx(-length(tour, trip.best))
    assert sorted(trip.best.tolist()) == list(range(n))


def plain_kick(route, words, reach):
    """The twin of `kick`: two stretches side by side change places."""
    way = route.way
    at, first, second = chance.below(words, len(way)), 1 + chance.below(words, reach), 1 + chance.below(words, reach)
    p, a, b, c, d, q = (way[(at + k) % len(way)] for k in (0, 1, first, first + 1, first + second, first + second + 1))
    route.join(p, a, d, q, b, c)
    route.looks += 3


def plain_kicks(tour, trip, looks):
    """The twin of `polish` and `kick_and_settle`: lengths from scratch, the kernel's random numbers."""
    near, words, reach = tour.nearest(NEAREST), trip.words.copy(), max(1, len(trip.best) // 3 - 1)
    route, rounds = PlainRoute(trip.best, trip.best.tolist()), 1
    route.settle(tour, near)
    best = list(route.way)
    while route.looks < looks:
        plain_kick(route, words, reach)
        route.settle(tour, near)
        if length(tour, route.way) <= length(tour, best):
            best = list(route.way)
        else:
            route.way = list(best)
        rounds += 1
    return best, route.looks, rounds


@given(st.integers(8, 14), seeds)
def test_kicks_lead_where_plain_ones_lead(n, seed):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    trip = start_round(tour, rng.permutation(n), rng)
    best, looks, rounds = plain_kicks(tour, trip, 400)
    assert kick_round(tour, trip, 400) == (looks, rounds)
    assert trip.best.tolist() == trip.tour.tolist() == best
    assert trip.scores.tolist() == [-length(tour, best)] * 2


def test_sa_solves_a_tour_of_fifty_cities():
    problem = swarmkit.make_problem("tsp")
    result = swarmkit.solve(problem, "sa", params={"preset": "auto"}, looks=8_000_000)
    assert result.score == problem.optimum


def test_a_tour_annealed_once_ends_when_frozen():
    result = swarmkit.solve("tsp", "sa", looks=10**9)
    assert result.stopped == "done"
    assert result.metrics["gap"] < 0.15
