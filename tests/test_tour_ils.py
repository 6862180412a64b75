"""Kicks of tours against plain ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Left
from swarmkit.kernels import rng
from swarmkit.kernels.tour_moves import new_route
from swarmkit.search import Neighbours, TourState
from swarmkit_local.kernels import tour_ils
from swarmkit_local.kicks import best_tour, kick_tour
from tests.plain_tours import PlainRoute, exact_tour

seeds = st.integers(0, 999)


def length(tour, cities):
    return float(tour.lengths(np.array(cities)))


@given(st.integers(5, 12), seeds)
def test_improving_the_best_tour_makes_it_current_and_never_loses(n, seed):
    tour, generator = exact_tour(n, seed), np.random.default_rng(seed)
    state = TourState.at(tour, generator.permutation(n), generator)
    best = state.scores[1]
    tour_ils.load(state.route, generator.permutation(n))  # the search has gone on from there
    assert state.improve_best(tour) > 0
    assert state.scores[0] == state.scores[1] >= best - 1e-9
    assert state.scores[1] == pytest.approx(-length(tour, state.best))
    assert state.best.tolist() == state.tour.tolist()
    assert state.position[state.tour].tolist() == list(range(n))
    assert sorted(state.best.tolist()) == list(range(n))


def plain_kick(route, rng_state, longest):
    """The twin of `double_bridge`: two adjacent segments change places."""
    way = route.way
    at = rng.below(rng_state, len(way))
    first, second = 1 + rng.below(rng_state, longest), 1 + rng.below(rng_state, longest)
    p, a, b, c, d, q = (way[(at + k) % len(way)] for k in (0, 1, first, first + 1, first + second, first + second + 1))
    route.join(p, a, d, q, b, c)
    route.looks += 3


@given(st.integers(8, 14), seeds)
def test_a_double_bridge_exchanges_two_adjacent_segments(n, seed):
    tour, generator = exact_tour(n, seed), np.random.default_rng(seed)
    state = TourState.at(tour, generator.permutation(n), generator)
    plain, again = PlainRoute(state.tour), state.rng_state.copy()
    plain_kick(plain, again, n // 3 - 1)
    before, route = length(tour, state.tour), new_route(state.tour, state.position)
    saved = tour_ils.double_bridge(route, tour.cost, state.rng_state, n // 3 - 1)
    assert route.tour.tolist() == plain.way
    assert saved == before - length(tour, plain.way)
    assert (state.rng_state == again).all()


def plain_kicks(tour, state, count):
    """The twin of `improve_best` and `iterate`: lengths from scratch, the kernel's random numbers."""
    near, rng_state = tour.nearest(Neighbours.RANDOM_MOVE), state.rng_state.copy()
    longest = max(1, len(state.best) // 3 - 1)
    route = PlainRoute(state.best, state.best.tolist())
    route.optimise(tour, near)
    best = base = list(route.way)
    for _ in range(count - 1):
        plain_kick(route, rng_state, longest)
        route.optimise(tour, near)
        if length(tour, route.way) > length(tour, base):
            route.way = list(base)
        best = list(route.way) if length(tour, route.way) < length(tour, best) else best
        base = list(route.way)
    return base, best, route.looks


def started(tour, n, seed):
    generator = np.random.default_rng(seed)
    state = TourState.at(tour, generator.permutation(n), generator)
    state.begin_improving()
    return state, state.tour.copy()


@given(st.integers(8, 14), seeds)
def test_kicks_lead_where_plain_ones_lead(n, seed):
    tour = exact_tour(n, seed)
    state, base = started(tour, n, seed)
    plain_base, best, looks = plain_kicks(tour, state, 6)
    assert kick_tour(tour, state, base, Left(iterations=6)) == (looks, 6)
    assert base.tolist() == state.tour.tolist() == plain_base
    assert state.best.tolist() == best
    assert state.scores.tolist() == [-length(tour, best)] * 2
    assert best_tour(tour, state)[1] == -length(tour, best)


@given(st.integers(8, 14), seeds, st.integers(1, 100))
def test_rounds_with_pauses_are_those_without(n, seed, looks):
    tour = exact_tour(n, seed)
    (whole, one), (paused, other) = started(tour, n, seed), started(tour, n, seed)
    expected = kick_tour(tour, whole, one, Left(1500))
    spent, ended, best = 0, 0, -np.inf
    while spent < 1500:
        used, rounds = kick_tour(tour, paused, other, Left(min(looks, 1500 - spent)))
        spent, ended = spent + used, ended + rounds
        x, score = best_tour(tour, paused)
        assert score >= best
        assert score == -length(tour, tour.tours(x))
        best = score
    assert (spent, ended) == expected
    whole.counters[3] = paused.counters[3] = 0
    assert all(np.array_equal(vars(whole)[name], vars(paused)[name]) for name in vars(whole))
    assert one.tolist() == other.tolist()
    assert best == best_tour(tour, whole)[1]


@given(st.integers(5, 12), seeds, st.integers(1, 50))
def test_an_improvement_with_pauses_is_one_without(n, seed, looks):
    tour = exact_tour(n, seed)
    whole, paused = (
        TourState.at(tour, np.random.default_rng(seed).permutation(n), np.random.default_rng(1)) for _ in "ab"
    )
    spent = whole.improve_best(tour)
    paused.begin_improving()
    while paused.improving:
        spent -= paused.improve(tour, looks)
    assert spent == 0
    assert paused.scores.tolist() == whole.scores.tolist()
    assert paused.best.tolist() == whole.best.tolist()
