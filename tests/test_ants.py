"""The solver `tsp-aco`: its formulas, who deposits pheromone, its ways of building tours, and what it finds."""

from itertools import islice, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import WHOLE_STEP, Left, Pairwise, PairwiseProblem, Refusal, UsageError
from swarmkit.contract.tour import Tour
from swarmkit.testing import check_solver
from swarmkit.testing.families import FAMILIES, Bounded, Shape, random_form
from swarmkit_ants import formulas
from swarmkit_ants.construction.choice import choose_construction
from swarmkit_ants.construction.focused import Focused
from swarmkit_ants.construction.partial import Partial
from swarmkit_ants.construction.walk import Walk
from swarmkit_ants.incumbents import Incumbents
from tests.test_tour import edges, salesman

fractions = st.floats(0.01, 1)


@given(st.lists(st.tuples(fractions, fractions), min_size=1, max_size=8), st.floats(0, 3), st.floats(0, 3))
def test_transitions_are_probabilities(pairs, alpha, beta):
    pheromone, eta = np.array(pairs).T
    p = formulas.transition(pheromone, eta, alpha, beta)
    assert p.sum() == pytest.approx(1)
    assert (p >= 0).all()


def test_transitions_by_hand():
    assert formulas.transition(np.array([0.5, 1.0]), np.array([0.5, 0.5]), 2.0, 1.0).tolist() == [0.2, 0.8]


@given(st.integers(2, 1000), st.floats(2, 50), st.floats(0.001, 0.999))
def test_pheromone_limits_are_ordered_and_the_lower_falls_with_the_number_of_choices(stages, choices, p_best):
    lowest = formulas.lowest_pheromone(stages, choices, p_best)
    assert 0 < lowest <= 1
    assert formulas.lowest_pheromone(stages, choices + 1, p_best) <= lowest


def test_with_pheromone_at_its_limits_the_best_is_built_with_the_probability_asked_for():
    lowest = formulas.lowest_pheromone(50, 10.0, 0.05)
    assert (1 / (1 + 9 * lowest)) ** 50 == pytest.approx(0.05)


@given(st.floats(0, 1), st.floats(0, 1))
def test_pheromone_deposited_by_the_best_stays_at_most_1(pheromone, rho):
    assert 0 <= formulas.updated(pheromone, 1 - rho, rho) <= 1 + 1e-12


def test_the_best_deposits_when_the_schedule_says_so():
    incumbents = Incumbents.of(1)
    ours, theirs = np.array([1]), np.array([2])
    incumbents.record(ours, 5.0)
    for _ in range(23):
        incumbents.record(theirs, 1.0)
    assert incumbents.depositing(theirs, 1.0, 25)[1] == 1.0
    incumbents.record(theirs, 1.0)
    assert incumbents.depositing(theirs, 1.0, 25)[1] == 5.0
    incumbents.restart()
    incumbents.record(theirs, 1.0)
    assert (incumbents.restart_score, incumbents.score) == (1.0, 5.0)
    incumbents.iteration = 1000
    assert incumbents.depositing(theirs, 1.0, None)[1] == 5.0


@pytest.mark.parametrize("variant", ["mmas", "acs", "as"])
def test_every_variant_gets_near_the_best_tour(variant):
    problem = salesman(30)
    best = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", local_search="2opt"), looks=1e6).score
    result = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", variant=variant), looks=5e6)
    assert 1.03 * best <= result.score <= best + 1e-9


@pytest.mark.parametrize(
    "settings",
    [
        {"local_search": "2opt", "construction": "walk"},
        {"local_search": "icm"},
        {"local_search": "icm", "construction": "focused"},
        {"construction": "focused", "new_edges": 3},
        {"construction": "focused", "variant": "as"},
        {"construction": "partial", "segment": 5},
        {"construction": "walk"},
    ],
    ids=str,
)
def test_ants_improve_tours_in_every_way(settings):
    problem = salesman(20)
    result = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", **settings), looks=3e5)
    assert len(edges(np.array(result.solution))) == 20


@pytest.mark.parametrize(
    "settings",
    [{"variant": "acs", "local_search": "icm"}, pytest.param({"variant": "as"}, marks=pytest.mark.long)],
    ids=str,
)
def test_every_variant_keeps_the_contract(settings):
    assert not check_solver(swarmkit.make_solver("tsp-aco", **settings), examples=1).of("skipped")


def test_2opt_is_refused_in_words_where_there_is_no_tour():
    with pytest.raises(Refusal, match="is for tours"):
        swarmkit.solve("synthetic", swarmkit.make_solver("tsp-aco", local_search="2opt"))


def chosen(tour, **params):
    return choose_construction(tour, swarmkit.make_solver("tsp-aco", **params).params)


def plane_and_random_table():
    """A Euclidean tour, and one whose costs violate the triangle inequality."""
    rng = np.random.default_rng(1)
    table, points = rng.random((40, 40)), rng.random((40, 2))
    plane = Tour(np.arange(40), np.hypot(*(points[:, None] - points).transpose(2, 0, 1)))
    return plane, Tour(np.arange(40), table + table.T)


def test_segments_are_rebuilt_by_default_only_where_the_triangle_inequality_holds():
    plane, wild = plane_and_random_table()
    assert plane.triangle_violations == 0.0
    assert (type(chosen(plane)), chosen(plane).longest) == (Partial, 16)
    assert type(chosen(wild)) is Walk
    assert chosen(wild, construction="partial", segment=9).longest == 9


def test_the_default_construction_follows_the_local_search_and_the_variant():
    plane, _ = plane_and_random_table()
    asymmetric = Tour(np.arange(40), np.triu(plane.cost))
    assert type(chosen(plane, local_search="2opt")) is Focused
    assert chosen(plane, local_search="2opt").improves
    assert not chosen(plane, construction="focused").improves
    assert type(chosen(plane, local_search="icm")) is Walk
    assert type(chosen(plane, variant="acs")) is Walk
    assert type(chosen(asymmetric)) is Walk
    assert type(chosen(plane, construction="walk", local_search="2opt")) is Walk


def test_partial_ants_evaporate_more_slowly():
    plane, _ = plane_and_random_table()
    assert [chosen(plane, construction=name).rho for name in ("walk", "focused", "partial")] == [0.05, 0.05, 0.02]


def asymmetric_salesman():
    table = -np.random.default_rng(1).random((9, 9))
    return PairwiseProblem(Pairwise.of([9] * 9, [(i, (i + 1) % 9, table) for i in range(9)], distinct=True))


@pytest.mark.parametrize(
    ("problem", "settings", "words"),
    [
        (asymmetric_salesman(), {"construction": "focused"}, "construction=focused is for tours with equal costs"),
        (asymmetric_salesman(), {"construction": "partial"}, "construction=partial is for tours with equal costs"),
        (salesman(9), {"construction": "partial", "variant": "acs"}, "is for variant=mmas with local_search=none"),
        (
            salesman(9),
            {"construction": "partial", "local_search": "2opt"},
            "is for variant=mmas with local_search=none",
        ),
    ],
)
def test_a_construction_that_cannot_be_done_is_refused_in_words(problem, settings, words):
    with pytest.raises(Refusal, match=words):
        swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", **settings))


def test_where_there_is_no_tour_the_construction_means_nothing():
    found = [
        swarmkit.solve("synthetic", "tsp-aco", seed=1, iterations=3, params={"construction": name}).score
        for name in ("auto", "focused", "partial")
    ]
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    ("old", "new"), [("focus", "-A construction=focused -A new_edges=N"), ("part", "-A construction=partial")]
)
def test_old_parameters_are_refused_with_what_to_type_instead(old, new):
    with pytest.raises(UsageError, match=new):
        swarmkit.make_solver("tsp-aco", **{old: 2})


def test_ants_on_stages_find_a_planted_solution():
    problem = swarmkit.make_problem("synthetic", n=40, planted=True, seed=7)
    assert swarmkit.solve(problem, "tsp-aco", looks=1e6).metrics["share of optimum"] == 1.0


def by_name(family):
    return next(f for f in FAMILIES if f.name == family).make(Shape(5, 4, 2, "floats", 1))


def steps(problem, settings, lefts):
    """The steps of a run, in order, and what it has found at last."""
    solver, generator = swarmkit.make_solver("tsp-aco", **settings), np.random.default_rng(1)
    solver.prepare(problem)
    state = solver.start(problem, generator)
    while True:
        yield solver.step(problem, state, generator, next(lefts))


def run(problem, settings, looks, lefts):
    """Run for some looks, pausing where `lefts` says: looks, iterations, and the best."""
    used = iterations = 0
    made = steps(problem, settings, (left._replace(looks=min(left.looks, looks - used)) for left in lefts))
    while used < looks:
        found = next(made)
        used, iterations = used + found.looks, iterations + found.iterations
    return used, iterations, found.score, found.solution.tolist()


def random_pauses(seed):
    """Pauses of all sizes."""
    generator = np.random.default_rng(seed)
    while True:
        looks, iterations = int(2 ** generator.uniform(0, 13)), int(generator.integers(1, 6))
        yield Left(looks, iterations=iterations)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"variant": "acs"},
        {"variant": "as"},
        {"local_search": "icm"},
        {"local_search": "2opt"},
        {"local_search": "2opt", "construction": "walk"},
        {"local_search": "icm", "construction": "focused"},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["tour", "stages", "permutation", "score only", "constrained"])
def test_a_run_is_the_same_wherever_it_pauses(kind, settings):
    problem = {
        "tour": lambda: salesman(25),
        "stages": lambda: swarmkit.make_problem("synthetic", n=30, seed=1),
        "permutation": lambda: swarmkit.make_problem("qap", n=9, seed=1),
        "score only": lambda: swarmkit.make_problem("flowshop", jobs=9, machines=3),
        "constrained": lambda: Bounded(random_form(Shape(9, 4, 2, "ties", 12))),
    }[kind]()
    if swarmkit.make_solver("tsp-aco", **settings).refuses(problem):
        return
    whole = run(problem, settings, 30_000, repeat(WHOLE_STEP))
    assert run(problem, settings, 30_000, random_pauses(1)) == whole
    assert run(problem, settings, 30_000, random_pauses(2)) == whole


def test_a_step_pauses_after_one_ant():
    looks = [found.looks for found in islice(steps(salesman(30), {"construction": "walk"}, repeat(Left(1))), 60)]
    assert all(29 * 12 <= used < 29 * 12 + 30 * 29 for used in looks)
    problem = swarmkit.make_problem("synthetic", n=30, seed=1)
    assert {found.looks for found in islice(steps(problem, {}, repeat(Left(1))), 60)} == {int(np.sum(problem.sizes))}


def test_the_first_ant_is_enough_for_an_answer():
    for problem in (salesman(30), by_name("pairwise"), by_name("black box")):
        assert next(steps(problem, {}, repeat(Left(1)))).score is not None


def test_no_more_solutions_are_scored_than_asked():
    problem = swarmkit.make_problem("flowshop", jobs=9, machines=3)
    made = steps(problem, {}, repeat(Left(10**9, evaluations=7)))
    for evaluations in (7, 14, 21):
        next(made)
        assert problem.evaluations == evaluations


def test_iterations_are_counted_when_they_end():
    made = steps(salesman(20), {"ants": 5}, repeat(Left(iterations=3)))
    assert [next(made).iterations for _ in range(4)] == [3] * 4
    alone = steps(salesman(20), {"ants": 5, "construction": "walk"}, repeat(Left(1)))
    assert [next(alone).iterations for _ in range(10)] == [0, 0, 0, 0, 1] * 2


def test_the_kits_tours_are_tours():
    assert by_name("tour").structure.tour.symmetric
    assert not by_name("asymmetric tour").structure.tour.symmetric
