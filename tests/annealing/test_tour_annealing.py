"""Annealing of tours against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.kernels import rng as random_numbers
from swarmkit.kernels.tour_moves import new_route
from swarmkit.search import Neighbours, TourNeighbourhood
from swarmkit_annealing.annealers import TourAnnealer
from swarmkit_annealing.kernels import tour_annealing
from swarmkit_annealing.schedule import Schedule
from tests.plain_tours import PlainRoute, exact_tour

sizes = st.integers(5, 12)
seeds = st.integers(0, 999)


def exact_problem(n, seed):
    """The problem of an exact tour, and the tour as the problem has it."""
    table = -exact_tour(n, seed).cost
    cycle = [(i, (i + 1) % n, table) for i in range(n)]
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([n] * n, cycle, distinct=True))
    return problem, TourNeighbourhood(problem).tour


def length(tour, cities):
    return float(tour.lengths(np.array(cities)))


def plain_proposal(route, near, c, bits):
    """The twin of `read_move` and `make_move`: the route that a move leads to, or None where the bits are no move."""
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
    segment = [route.beside(c, step * k) for k in range(length)]
    w = t if straight else route.beside(v, -step)
    if v in segment or w in segment:
        return None
    changed.insert(route.beside(c, -step), c, segment[-1], route.beside(c, step * length), v, w, straight)
    return changed


@given(sizes, seeds)
def test_a_proposal_gains_and_does_what_the_plain_version_does(n, seed):
    tour, rng = exact_tour(n, seed), np.random.default_rng(seed)
    cities, near = rng.permutation(n), tour.nearest(6)
    route = new_route(cities, np.argsort(cities))
    search = tour_annealing.new_search(route, tour.cost, near)
    for _ in range(30):
        c, bits = int(rng.integers(n)), int(rng.integers(2**32))
        expected = plain_proposal(PlainRoute(route.tour), near, c, bits)
        delta = tour_annealing.read_move(search, c, np.uint64(bits))
        assert (delta == -np.inf) == (expected is None)
        if expected is not None:
            assert delta == pytest.approx(length(tour, route.tour) - length(tour, expected.way))
            tour_annealing.make_move(search)
            assert route.tour.tolist() == expected.way
            assert route.position[route.tour].tolist() == list(range(n))


def plain_anneal(tour, state, schedule):
    """The twin: lengths from scratch, the kernel's random numbers."""
    route, rng_state, near = PlainRoute(state.tour), state.rng_state.copy(), tour.nearest(Neighbours.RANDOM_MOVE)
    best = now = (-length(tour, route.way), route.way)
    for k in range(schedule.sweep * len(schedule.temperatures)):
        bits, temperature = int(random_numbers.random_bits(rng_state)), schedule.temperatures[k // schedule.sweep]
        proposed = plain_proposal(route, near, (bits >> 32) * len(route.way) >> 32, bits & 0xFFFFFFFF)
        if proposed is None:
            continue
        delta = -length(tour, proposed.way) - now[0]
        if delta >= 0 or (
            delta > -40 * temperature and random_numbers.uniform(rng_state) < math.exp(delta / temperature)
        ):
            route, now = proposed, (now[0] + delta, proposed.way)
            best = max(best, now, key=lambda found: found[0])
    return now, best


@given(sizes, seeds, st.sampled_from([0.001, 0.1, 10]))
def test_annealing_goes_where_the_plain_version_goes(n, seed, hottest):
    (problem, tour), rng = exact_problem(n, seed), np.random.default_rng(seed)
    state = TourAnnealer.start(problem, rng.permutation(n), rng)
    schedule = Schedule(np.geomspace(hottest, hottest / 100, 5), 12)
    now, best = plain_anneal(tour, state, schedule)
    state.anneal(problem, schedule, rng)
    assert state.tour.tolist() == now[1]
    assert state.scores.tolist() == [now[0], best[0]]
    assert -length(tour, state.best) == best[0]


@given(sizes, seeds, st.floats(0.001, 10))
def test_annealing_a_tour_keeps_its_books(n, seed, temperature):
    (problem, tour), rng = exact_problem(n, seed), np.random.default_rng(seed)
    state = TourAnnealer.start(problem, rng.permutation(n), rng)
    done = state.anneal(problem, Schedule(np.full(4, temperature), 15), rng)
    assert (len(done.scores), done.looks) == (4, 120)
    assert state.scores == pytest.approx([-length(tour, state.tour), -length(tour, state.best)])
    assert state.scores[0] <= state.scores[1]
    assert done.scores[-1] == pytest.approx(state.scores[0])
    assert ((done.accepted >= 0) & (done.accepted <= 1)).all()


def test_hot_tours_are_random_and_cold_ones_short():
    problem, _ = exact_problem(6, 3)
    lengths = []
    for temperature in (10.0, 1e-6):
        rng = np.random.default_rng(1)
        state = TourAnnealer.start(problem, np.arange(6), rng)
        done = state.anneal(problem, Schedule(np.full(500, temperature), 10), rng)
        lengths.append(-done.scores[50:].mean())
    assert lengths[1] == pytest.approx(-state.scores[1])
    assert lengths[0] > 1.1 * lengths[1]


@given(sizes, seeds)
def test_improving_the_best_tour_makes_it_current_and_never_loses(n, seed):
    (problem, tour), rng = exact_problem(n, seed), np.random.default_rng(seed)
    state = TourAnnealer.start(problem, rng.permutation(n), rng)
    state.anneal(problem, Schedule(np.full(3, 0.5), 10), rng)
    best = state.scores[1]
    state.begin_improving()
    assert state.improve(tour, 10**6) > 0
    assert state.scores[0] == state.scores[1] >= best - 1e-9
    assert state.scores[1] == pytest.approx(-length(tour, state.best))
    assert state.tour.tolist() == state.best.tolist()
    assert sorted(state.best.tolist()) == list(range(n))


def test_annealing_solves_a_tour_of_fifty_cities():
    problem = swarmkit.make_problem("tsp")
    result = swarmkit.solve(problem, "annealing", looks=8_000_000)
    assert result.score == problem.optimum


def test_sa_on_a_tour_ends_when_frozen():
    result = swarmkit.solve("tsp", "sa", params={"restarts": 0}, looks=10**9)
    assert result.stopped == "done"
    assert result.metrics["gap"] < 0.15
