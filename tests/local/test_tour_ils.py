"""Kicks of tours against plain ones."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels import rng
from swarmkit.kernels.tour_moves import new_route
from swarmkit.search import Neighbours, TourState
from swarmkit_local.kernels import tour_ils
from swarmkit_local.rounds import TourRounds
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
    state.begin_improving()
    assert state.improve(tour, 10**6) > 0
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
    """The twin of `improve` and `iterate`: lengths from scratch, the kernel's random numbers."""
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


def started(n, seed):
    costs = -exact_tour(n, seed).cost
    problem = PairwiseProblem(Pairwise.of([n] * n, [(i, (i + 1) % n, costs) for i in range(n)], distinct=True))
    generator = np.random.default_rng(seed)
    return problem, TourRounds.start(problem, generator.permutation(n), generator)


@given(st.integers(8, 14), seeds)
def test_kicks_lead_where_plain_ones_lead(n, seed):
    problem, rounds = started(n, seed)
    tour, state = problem.structure.tour, rounds.tour
    plain_base, best, looks = plain_kicks(tour, state, 6)
    ended = 0
    while ended < 6:
        found = rounds.steps(problem, 1, None, 1)
        ended, looks = ended + found.iterations, looks - found.looks
    assert looks == 0
    assert rounds.base.tolist() == state.tour.tolist() == plain_base
    assert state.best.tolist() == best
    assert state.scores.tolist() == [-length(tour, best)] * 2
    assert found.score == -length(tour, best)


def arrays(rounds):
    return {"base": rounds.base, **{name: value for name, value in vars(rounds.tour).items() if name != "counters"}}


@given(st.integers(8, 14), seeds, st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_steps_are_as_many_single_steps_and_go_on_from_a_copy(n, seed, counts):
    problem, whole = started(n, seed)
    _, single = started(n, seed)
    for count in counts:
        together = whole.steps(problem, 1, None, count)
        parts = [single.steps(problem, 1, None, 1) for _ in range(count)]
        assert together.looks == sum(part.looks for part in parts)
        assert together.iterations == sum(part.iterations for part in parts)
        assert together.score == parts[-1].score == max(part.score for part in parts)
        assert together.score == problem.score(together.solution[None])[0]
        single = copy.deepcopy(single)
    assert all(np.array_equal(value, arrays(single)[name]) for name, value in arrays(whole).items())
    assert whole.tour.counters[:3].tolist() == single.tour.counters[:3].tolist()


def test_the_first_improvement_of_a_large_tour_takes_several_steps_and_reports_on_the_way():
    problem, rounds = started(200, 1)
    found = [rounds.steps(problem, 1, None, 1) for _ in range(3)]
    assert [step.iterations for step in found[:2]] == [0, 0]
    assert found[0].score < found[1].score <= found[2].score


@given(st.integers(8, 14), seeds)
def test_a_tour_that_is_injected_is_where_rounds_start_if_it_is_the_shortest(n, seed):
    problem, rounds = started(n, seed)
    found = rounds.steps(problem, 1, None, 3)
    worse, X = found.score - 1.0, np.random.default_rng(seed).permutation(n)[None]
    assert rounds.inject(problem, X, np.array([worse]), np.random.default_rng(1)) == n
    assert rounds.steps(problem, 1, None, 1).score >= found.score
    rounds.inject(problem, X, np.array([np.inf]), np.random.default_rng(1))
    assert rounds.base.tolist() == problem.structure.tour.tours(X[0]).tolist()
    assert rounds.steps(problem, 1, None, 1).score >= problem.score(X)[0]


@given(st.integers(5, 12), seeds, st.integers(1, 3))
def test_an_improvement_in_steps_is_one_without(n, seed, passes):
    tour = exact_tour(n, seed)
    whole, paused = (
        TourState.at(tour, np.random.default_rng(seed).permutation(n), np.random.default_rng(1)) for _ in "ab"
    )
    whole.begin_improving()
    spent = whole.improve(tour, 10**6)
    paused.begin_improving()
    while paused.improving:
        spent -= paused.improve(tour, passes)
    assert spent == 0
    assert paused.scores.tolist() == whole.scores.tolist()
    assert paused.best.tolist() == whole.best.tolist()
