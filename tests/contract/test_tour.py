"""Tours: the structure, its nearest neighbours, and the moves of local search on sets of edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, UsageError, local_search
from swarmkit.contract.structure import tour_of
from swarmkit.kernels import tour_moves
from swarmkit.testing.families import Shape, random_form, random_tour


def salesman(n, seed=1):
    """Random cities in a square, one a stage along a cycle."""
    points = np.random.default_rng(seed).random((n, 2))
    table = -np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    return PairwiseProblem(Pairwise.of([n] * n, [(i, (i + 1) % n, table) for i in range(n)], distinct=True))


sizes = st.integers(5, 30)
seeds = st.integers(0, 2**32 - 1)


@given(st.integers(3, 9), seeds)
def test_a_tours_score_is_its_constant_less_its_length(n, seed):
    rng = np.random.default_rng(seed)
    order, table, prize = rng.permutation(n), rng.random((n, n)), rng.random(n)
    edges = [(order[k], order[(k + 1) % n], table, 2.0) for k in range(n)]
    form = Pairwise.of([n] * n, edges, np.tile(prize, n), distinct=True)
    X = rng.permuted(np.tile(np.arange(n), (4, 1)), axis=1)
    tour = tour_of(form)
    cities = tour.tours(X)
    assert not tour.symmetric
    assert np.allclose(tour.constant - tour.lengths(cities), form.score(X))
    assert (tour.solutions(cities) == X).all()
    assert (tour.as_tours(X) == cities).all()


def test_edges_of_a_symmetric_tour_may_run_either_way():
    table = np.ones((4, 4))
    edges = [(0, 2, table), (1, 2, table), (3, 1, table), (0, 3, table)]
    assert tour_of(Pairwise.of([4] * 4, edges, distinct=True)) is not None


@pytest.mark.parametrize(
    "form",
    [
        random_form(Shape(5, 4, 2, "floats", 1)),
        random_form(Shape(5, 5, 1, "zeros", 1), distinct=True, shared=True),
        Pairwise.of([4] * 4, [(0, 1, t := np.ones((4, 4))), (1, 2, t), (2, 3, t), (3, 0, t, 2.0)], distinct=True),
        Pairwise.of([4] * 4, [(0, 1, t), (1, 0, t), (2, 3, t), (3, 2, t)], distinct=True),
        Pairwise.of([5] * 4, [(i, (i + 1) % 4, u := np.ones((5, 5))) for i in range(4)], distinct=True),
        Pairwise.of([4] * 4, [(i, (i + 1) % 4, np.ones((4, 4))) for i in range(4)], distinct=True),
        Pairwise.of([4] * 4, [(i, (i + 1) % 4, t) for i in range(4)]),
        Pairwise.of([4] * 4, [(i, (i + 1) % 4, t) for i in range(4)], np.arange(16.0), distinct=True),
    ],
)
def test_other_forms_are_no_tours(form):
    assert tour_of(form) is None


@given(sizes, seeds)
def test_the_nearest_are_the_cheapest_in_order(n, seed):
    tour = salesman(n, seed).structure.tour
    near = tour.nearest(4)
    for city in range(n):
        others = np.delete(np.arange(n), city)
        assert near[city].tolist() == sorted(others, key=lambda other: tour.cost[city, other])[:4]


def route_of(way):
    return tour_moves.new_route(way.copy(), np.argsort(way))


def edges(way):
    return {frozenset(pair) for pair in zip(way.tolist(), np.roll(way, -1).tolist(), strict=True)}


@given(sizes, seeds)
def test_an_exchange_replaces_two_edges_and_keeps_the_positions(n, seed):
    rng = np.random.default_rng(seed)
    way = rng.permutation(n)
    i, j = sorted(rng.choice(n, 2, replace=False))
    forward = bool(rng.integers(2))
    a, b, c, d = way[i], way[(i + 1) % n], way[j], way[(j + 1) % n]
    if not forward:
        a, b, c, d = b, a, d, c
    expected = edges(way) - {frozenset((a, b)), frozenset((c, d))} | {frozenset((a, c)), frozenset((b, d))}
    route = route_of(way)
    tour_moves.exchange(route, a, b, c, d)
    if len({a, b, c, d}) == 4:
        assert edges(route.tour) == expected
    assert (route.position[route.tour] == np.arange(n)).all()


@given(sizes, seeds, st.integers(2, 12))
def test_the_saving_that_2opt_returns_is_the_difference_of_the_lengths(n, seed, k):
    tour = salesman(n, seed).structure.tour
    way = np.random.default_rng(seed).permutation(n)
    route = route_of(way)
    for city in range(n):
        tour_moves.enqueue(route, city)
    saved = tour_moves.optimise(route, tour.cost, tour.nearest(k), tour.tolerance)
    assert tour.lengths(way) - tour.lengths(route.tour) == pytest.approx(saved)
    assert (np.sort(route.tour) == np.arange(n)).all()
    assert (route.position[route.tour] == np.arange(n)).all()
    assert not route.queued.any()


def plain_two_opt(way):
    """Every tour that one 2-opt move leads to, by reversing a segment of a list."""
    for i in range(len(way)):
        for j in range(i + 2, len(way) + 1):
            yield way[:i] + way[i:j][::-1] + way[j:]


def joined(way, t):
    """The edges after `join`."""
    t1, t2, t3, t4, t5, t6 = t
    gone = {frozenset((t1, t2)), frozenset((t3, t4)), frozenset((t5, t6))}
    return edges(way) - gone | {frozenset((t2, t3)), frozenset((t4, t5)), frozenset((t6, t1))}


@given(
    st.integers(8, 20), seeds, st.booleans(), st.sampled_from(["behind, on", "behind, back", "before", "before, on"])
)
def test_three_edges_are_replaced_by_three_others(n, seed, forward, case):
    way = np.random.default_rng(seed).permutation(n)
    a, b = sorted(np.random.default_rng(seed).choice(np.arange(2, n - 2), 2, replace=False))
    at = {  # the positions of t3 to t6, counted from t2 = 0 and t1 = n - 1
        "behind, on": (b, b + 1, a - 1, a),
        "behind, back": (b, b + 1, a, a - 1),
        "before": (a, a - 1, b + 1, b),
        "before, on": (b + 1, b, a - 2, a - 1),
    }[case]
    cities = way if forward else way[::-1]
    t = [cities[(seed + k) % n] for k in (n - 1, 0, *at)]
    route = route_of(way)
    expected = joined(way, t)
    tour_moves.join(route, *t)
    assert edges(route.tour) == expected
    assert (np.sort(route.tour) == np.arange(n)).all()


@given(st.integers(5, 12), seeds)
def test_where_2opt_ends_no_plain_move_shortens_the_tour(n, seed):
    tour = salesman(n, seed).structure.tour
    ways, before = np.random.default_rng(seed).permutation(n)[None], np.inf
    while tour.lengths(ways)[0] < before - 1e-9:  # don't-look bits may miss what looking again finds
        before = tour.lengths(ways)[0]
        route = tour_moves.empty_route(n)
        at, many = np.array([0, -1, 0, 0]), np.iinfo(np.int64).max
        tour_moves.improve(ways, route, tour.cost, tour.nearest(n), tour.tolerance, at, many)
        assert at[:2].tolist() == [1, -1]
        assert route.counters[3] >= 2 * n
    assert min(float(tour.lengths(np.array(other))) for other in plain_two_opt(ways[0].tolist())) >= before - 1e-6


@given(st.integers(3, 8), seeds, st.sampled_from(["floats", "ties", "signs", "zeros"]))
def test_2opt_never_worsens_a_solution(n, seed, values):
    problem = PairwiseProblem(random_tour(Shape(n, n, 1, values, seed)))
    X = swarmkit.random_solutions(problem, 3, np.random.default_rng(seed))
    improved = local_search(problem, X, "2opt", np.random.default_rng(seed))
    assert (improved.scores >= problem.score(X) - 1e-9).all()
    assert np.allclose(improved.scores, problem.score(improved.solutions))


def test_2opt_is_refused_in_words_where_there_is_no_symmetric_tour():
    problem = swarmkit.make_problem("synthetic")
    with pytest.raises(UsageError, match="is for symmetric tours"):
        local_search(problem, np.zeros((1, 30), np.int64), "2opt", np.random.default_rng(1))


def test_a_symmetric_tour_can_be_asked_for_with_a_number_of_cities():
    structure = salesman(7).structure
    assert structure.symmetric_tour() is structure.symmetric_tour(cities=7) is structure.tour
    assert structure.symmetric_tour(cities=8) is None
