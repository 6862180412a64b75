"""First tours, children and generations of the tour GA against plain versions with the same draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Tour
from swarmkit.kernels import rng
from swarmkit.kernels.compiling import read_only
from swarmkit.search import rng_state
from swarmkit_genetic.kernels import tours as kernels
from swarmkit_genetic.kernels.offspring import stages_skipped
from swarmkit_genetic.kernels.tours import Rates
from swarmkit_genetic.population import Population
from swarmkit_genetic.tour_ga import preselect, tour_children
from tests.plain_tours import edges_of


@st.composite
def tours(draw):
    """Draw whole distances, and some tours through the cities."""
    n, generator = draw(st.integers(8, 14)), np.random.default_rng(draw(st.integers(0, 999)))
    away = generator.integers(1, 100, (n, n)).astype(np.float64)
    return (
        Tour(np.arange(n), away + away.T),
        np.array([generator.permutation(n) for _ in range(draw(st.integers(2, 6)))]),
        generator,
    )


def crossed(a, b, segment):
    workspace, child = kernels.Workspace(np.full(len(a), -1), np.empty_like(a), np.empty_like(a)), np.empty_like(a)
    kernels.aligned_order_crossover(a, b, *segment, workspace, child)
    assert (workspace.marks == -1).all()
    return child


def plainly_crossed(a, b, segment):
    """Take the cities behind the start out, and put them back in the order in which b goes on from there."""
    start, size, forward = segment
    a, b = np.roll(a, -start), b if forward else b[::-1]
    b = np.roll(b, -int(np.flatnonzero(b == a[0])[0]))
    out = set(a[1 : 1 + size].tolist())
    return np.roll([a[0], *[c for c in b.tolist() if c in out], *a[1 + size :]], start)


def plainly_inverted(tour, low, high):
    return np.concatenate([tour[:low], tour[low:high][::-1], tour[high:]])


def test_aligned_order_crossover_by_hand():
    a, b = np.arange(8), np.array([7, 5, 3, 1, 0, 2, 4, 6])
    assert crossed(a, b, (1, 4, True)).tolist() == [0, 1, 2, 4, 5, 3, 6, 7]
    assert crossed(a, b, (6, 3, False)).tolist() == [1, 7, 2, 3, 4, 5, 6, 0]


@given(tours(), st.booleans(), st.data())
def test_aligned_order_crossover_is_the_plain_one(case, forward, data):
    tour, (a, b, *_), _ = case
    start, size = data.draw(st.integers(0, len(a) - 1)), data.draw(st.integers(1, len(a) // 2))
    segment = (start, size, forward)
    child = crossed(a, b, segment)
    assert child.tolist() == plainly_crossed(a, b, segment).tolist()
    assert kernels.crossover_cost(tour.cost, a, child, start, size) == tour.lengths(child) - tour.lengths(a)


@given(tours(), st.integers(0, 99), st.booleans(), st.integers(0, 13), st.integers(1, 4))
def test_parents_that_are_the_same_cycle_have_it_as_their_child(case, shift, forward, start, size):
    _, (a, *_), _ = case
    b = np.roll(a if forward else a[::-1], shift)
    assert crossed(a, b, (start % len(a), size, forward)).tolist() == a.tolist()


@given(tours(), st.data())
def test_reversing_the_shorter_side_makes_the_same_cycle(case, data):
    tour, (a, *_), _ = case
    low = data.draw(st.integers(0, len(a) - 1))
    high = data.draw(st.integers(low + 1, min(len(a), low + len(a) - 1)))
    more, plain = kernels.inversion_cost(tour.cost, a, low, high), plainly_inverted(a, low, high)
    assert more == tour.lengths(plain) - tour.lengths(a)
    kernels.invert_cyclic(a, low, high)
    assert edges_of(a) == edges_of(plain)


@given(tours(), st.integers(0, 7))
def test_a_near_inversion_joins_a_city_with_a_near_one(case, i):
    tour, (a, *_), generator = case
    city, near = a[i], tour.nearest(3)
    low, high = kernels.near_inversion(a, i, near, rng_state(generator))
    kernels.invert_cyclic(a, low, high)
    assert any(frozenset([int(city), int(other)]) in edges_of(a) for other in near[city])


def plainly_mutated(tour, child, rate, state):
    """The twin of `mutate_tour`: each position may become adjacent to one of its city's nearest."""
    n, near = len(child), tour.nearest(5)
    i = stages_skipped(rate, rng.uniform(state))
    while i < n:
        joined = near[child[i], rng.below(state, near.shape[1])]
        low, high = sorted((i, int(np.flatnonzero(child == joined)[0])))
        ahead, child = rng.below(state, 2), child.copy()
        kernels.invert_cyclic(child, low + ahead, high + ahead)
        i += 1 + stages_skipped(rate, rng.uniform(state))
    return child


def population_of(X, scores, state):
    population = Population.of(X, state)
    population.scores[:] = scores
    population.record(X, scores)
    return population


def drawn_segment(n, state):
    start = rng.below(state, n)
    size = 1 + rng.below(state, n // 2)
    return (start, size, rng.below(state, 2) == 1)


@given(
    tours(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.2, 1.0]), st.integers(1, 4), st.integers(0, 4)
)
def test_generations_are_the_plain_ones_however_they_are_divided(case, crossing, mutating, first, more):
    tour, X, generator = case
    n, plain, population = X.shape[1], X.copy(), population_of(X, -tour.lengths(X), rng_state(generator))
    again = population.rng_state.copy()
    for count in (first, more):
        progress = preselect(tour, population, Rates(crossing, mutating), count)
        assert progress.looks == count * X.size
        assert progress.iterations == count
    for k in np.arange((first + more) * len(plain)) % len(plain):
        child = plain[k]
        if rng.uniform(again) < crossing:
            b = plain[rng.below(again, len(plain))]
            child = plainly_crossed(child, b, drawn_segment(n, again))
        child = plainly_mutated(tour, child, mutating, again)
        if tour.lengths(child) < tour.lengths(plain[k]):
            plain[k] = child
    assert population.X.tolist() == plain.tolist()
    assert population.scores.tolist() == (-tour.lengths(plain)).tolist()
    assert population.best_score == population.scores.max() == -tour.lengths(population.best)
    assert (population.rng_state == again).all()


@given(tours(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.2, 1.0]))
def test_children_of_given_pairs_are_the_plain_ones(case, crossing, mutating):
    tour, X, generator = case
    pairs, state = generator.integers(len(X), size=(7, 2)), rng_state(generator)
    again = state.copy()
    children = tour_children(tour, X, pairs, Rates(crossing, mutating), state)
    for (first, second), child in zip(pairs.tolist(), children.tolist(), strict=True):
        plain = X[first]
        if rng.uniform(again) < crossing:
            plain = plainly_crossed(plain, X[second], drawn_segment(len(plain), again))
        assert child == plainly_mutated(tour, plain, mutating, again).tolist()
    assert (state == again).all()


@given(tours(), st.integers(1, 3), st.integers(1, 4))
def test_nearest_neighbour_tours_are_the_plain_ones(case, count, width):
    tour, _, generator = case
    state, n, near, looks = rng_state(generator), len(tour.cost), tour.nearest(width), 0
    again, made = state.copy(), np.empty((count, n), np.int64)
    cities = kernels.Cities(tour.cost, near, tour.tolerance)
    spent = kernels.construct(made, read_only(cities), 0.3, np.full(n, -1), state)
    for row in made.tolist():
        here, left = rng.below(again, n), set(range(n))
        for i in range(n):
            assert row[i] == here
            left.remove(here)
            goal = -1
            for c in near[here].tolist():
                looks += 1
                goal = c if c in left else goal
                if c in left and rng.uniform(again) >= 0.3:
                    break
            if goal < 0 and left:
                looks += n
                goal = min(sorted(left), key=lambda c: tour.cost[here, c])
            here = goal
    assert spent == looks + made.size  # their scores
    assert (state == again).all()


def test_stages_may_stand_in_any_order_on_the_cycle():
    generator = np.random.default_rng(3)
    order, away = generator.permutation(12), generator.random((12, 12))
    table = -(away + away.T)
    cycle = [(order[i], order[(i + 1) % 12], table) for i in range(12)]
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([12] * 12, cycle, distinct=True))
    tour, X = problem.structure.tour, np.array([generator.permutation(12) for _ in range(20)])
    assert not tour.in_stage_order
    population = population_of(X, problem.score(X), rng_state(generator))
    preselect(tour, population, Rates(0.5, 0.1), 50)
    assert population.scores == pytest.approx(problem.score(population.X))
    assert (population.scores > problem.score(X)).any()
    pairs = np.column_stack([np.arange(20), np.arange(20)])
    children = tour_children(tour, X, pairs, Rates(1.0, 0.0), population.rng_state)
    assert (problem.score(children) >= problem.score(X) - 1e-9).mean() >= 0.3  # half are read backwards
