"""Children of tours against plain versions that are told the same draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.compiled import Operators, breed, breed_tours
from swarmkit.contract.tour import Tour
from swarmkit.kernels import breeding, chance, families


@st.composite
def tours(draw):
    """Draw whole distances, and some tours through the cities."""
    n, rng = draw(st.integers(8, 14)), np.random.default_rng(draw(st.integers(0, 999)))
    away = rng.integers(1, 100, (n, n)).astype(np.float64)
    return (
        Tour(np.arange(n), away + away.T),
        np.array([rng.permutation(n) for _ in range(draw(st.integers(2, 6)))]),
        rng,
    )


def crossed(a, b, start, size, forward):
    place, room, child = np.full(len(a), -1), np.empty_like(a), np.empty_like(a)
    families.tour_crossover(a, b, start, size, forward, place, room, child)
    assert (place == -1).all()
    return child


def plainly_crossed(a, b, start, size, forward):
    """Take the cities behind the start out, and put them back in the order in which b goes on from there."""
    a, b = np.roll(a, -start), b if forward else b[::-1]
    b = np.roll(b, -int(np.flatnonzero(b == a[0])[0]))
    out = set(a[1 : 1 + size].tolist())
    return np.roll([a[0], *[c for c in b.tolist() if c in out], *a[1 + size :]], start)


def plainly_turned(tour, low, high):
    return np.concatenate([tour[:low], tour[low:high][::-1], tour[high:]])


def ways_of(tour):
    """Give the pairs of neighbours of a round trip."""
    return {frozenset(way) for way in zip(tour.tolist(), np.roll(tour, -1).tolist(), strict=True)}


def test_tour_crossover_by_hand():
    a, b = np.arange(8), np.array([7, 5, 3, 1, 0, 2, 4, 6])
    assert crossed(a, b, 1, 4, True).tolist() == [0, 1, 2, 4, 5, 3, 6, 7]
    assert crossed(a, b, 6, 3, False).tolist() == [1, 7, 2, 3, 4, 5, 6, 0]


@given(tours(), st.booleans(), st.data())
def test_tour_crossover_is_the_plain_one(case, forward, data):
    tour, (a, b, *_), _ = case
    start, size = data.draw(st.integers(0, len(a) - 1)), data.draw(st.integers(1, len(a) // 2))
    child = crossed(a, b, start, size, forward)
    assert child.tolist() == plainly_crossed(a, b, start, size, forward).tolist()
    more = families.stretch_cost(tour.cost, a, child, start, size)
    assert more == tour.lengths(child) - tour.lengths(a)


@given(tours(), st.integers(0, 99), st.booleans(), st.integers(0, 13), st.integers(1, 4))
def test_parents_that_are_the_same_round_trip_have_it_as_their_child(case, shift, forward, start, size):
    _, (a, *_), _ = case
    b = np.roll(a if forward else a[::-1], shift)
    assert crossed(a, b, start % len(a), size, forward).tolist() == a.tolist()


@given(tours(), st.data())
def test_turning_the_shorter_side_makes_the_same_round_trip(case, data):
    tour, (a, *_), _ = case
    low = data.draw(st.integers(0, len(a) - 1))
    high = data.draw(st.integers(low + 1, min(len(a), low + len(a) - 1)))
    more, plain = families.turn_cost(tour.cost, a, low, high), plainly_turned(a, low, high)
    assert more == tour.lengths(plain) - tour.lengths(a)
    families.turn(a, low, high)
    assert ways_of(a) == ways_of(plain)


def test_inversion_turns_a_stretch_around():
    child = np.arange(7)
    families.invert(child, 2, 6)
    assert child.tolist() == [0, 1, 5, 4, 3, 2, 6]


@given(tours(), st.integers(0, 7))
def test_a_near_inversion_joins_a_city_with_a_near_one(case, i):
    tour, (a, *_), rng = case
    city, near = a[i], tour.nearest(3)
    breeding.mutate_at(a, np.full(len(a), len(a)), near, i, breeding.NEAR, chance.seeded(rng))
    assert any(frozenset([int(city), int(other)]) in ways_of(a) for other in near[city])


def test_a_stage_that_never_mutates_is_far_off():
    assert families.passed_over(0.0, 0.0) == families.FAR
    assert families.passed_over(1.0, 0.7) == 0
    assert families.passed_over(0.5, 0.8) == 2  # the chance of none in two is 1/4, in three 1/8


@given(tours(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.2, 1.0]), st.integers(1, 3))
def test_generations_are_the_plain_ones(case, crossing, mutating, generations):
    tour, X, rng = case
    n, plain, scores, words = X.shape[1], X.copy(), -tour.lengths(X), chance.seeded(rng)
    again, near = words.copy(), tour.nearest(5)
    X = breed_tours(tour, X, scores, Operators("tour", crossing, "near", mutating), generations, words)
    for k in list(range(len(plain))) * generations:
        child = plain[k]
        if chance.uniform(again) < crossing:
            b, start = plain[chance.below(again, len(plain))], chance.below(again, n)
            size = 1 + chance.below(again, n // 2)
            child = plainly_crossed(child, b, start, size, chance.below(again, 2) == 1)
        i = families.passed_over(mutating, chance.uniform(again))
        while i < n:
            joined = near[child[i], chance.below(again, near.shape[1])]
            low, high = sorted((i, int(np.flatnonzero(child == joined)[0])))
            ahead, child = chance.below(again, 2), child.copy()
            families.turn(child, low + ahead, high + ahead)
            i += 1 + families.passed_over(mutating, chance.uniform(again))
        if tour.lengths(child) < tour.lengths(plain[k]):
            plain[k] = child
    assert X.tolist() == plain.tolist()
    assert scores.tolist() == (-tour.lengths(plain)).tolist()
    assert (words == again).all()


@given(tours(), st.integers(1, 3), st.integers(1, 4))
def test_wandering_is_the_plain_one(case, count, width):
    tour, _, rng = case
    words, n, near, looks = chance.seeded(rng), len(tour.cost), tour.nearest(width), 0
    again, made = words.copy(), np.empty((count, n), np.int64)
    spent = families.wander(made, tour.cost, near, 0.3, np.full(n, -1), words)
    for row in made.tolist():
        here, left = chance.below(again, n), set(range(n))
        for i in range(n):
            assert row[i] == here
            left.remove(here)
            goal = -1
            for c in near[here].tolist():
                looks += 1
                goal = c if c in left else goal
                if c in left and chance.uniform(again) >= 0.3:
                    break
            if goal < 0 and left:
                looks += n
                goal = min(sorted(left), key=lambda c: tour.cost[here, c])
            here = goal
    assert spent == looks
    assert (words == again).all()


def test_stages_may_stand_in_any_order_on_the_cycle():
    rng = np.random.default_rng(3)
    order, away = rng.permutation(12), rng.random((12, 12))
    table = -(away + away.T)
    cycle = [(order[i], order[(i + 1) % 12], table) for i in range(12)]
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([12] * 12, cycle, distinct=True))
    tour, X = problem.form.tour, np.array([rng.permutation(12) for _ in range(20)])
    assert not tour.straight
    scores, words, operators = problem.score(X), chance.seeded(rng), Operators("tour", 0.5, "near", 0.1)
    renewed = breed_tours(tour, X, scores, operators, 50, words)
    assert scores == pytest.approx(problem.score(renewed))
    assert (scores > problem.score(X)).any()
    pairs = np.column_stack([np.arange(20), np.arange(20)])
    children = breed(problem, X, pairs, words, rng, operators._replace(crossover_rate=1.0, mutation_rate=0.0))
    assert (problem.score(children) >= problem.score(X) - 1e-9).mean() >= 0.3  # half are read the other way round
