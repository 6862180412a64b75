"""The solver `tsp-aco`: its formulas, who deposits pheromone, its ways of building tours, and what it finds."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Refusal, UsageError
from swarmkit.contract.structure import Tour
from swarmkit.testing.families import FAMILIES, Bounded, Shape, random_form
from swarmkit_ants import tsp_aco
from swarmkit_ants.colony import lowest_pheromone
from swarmkit_ants.kernels.focused import Focused
from swarmkit_ants.kernels.partial import Partial
from swarmkit_ants.kernels.tour_walk import Walk
from swarmkit_ants.stages import TableTrail
from swarmkit_ants.tours import TourTrail, choose_construction
from tests.contract.test_tour import edges, salesman
from tests.testing.variants import check_variant


@given(st.integers(2, 1000), st.floats(2, 50), st.floats(0.001, 0.999))
def test_pheromone_limits_are_ordered_and_the_lower_falls_with_the_number_of_choices(stages, choices, p_best):
    lowest = lowest_pheromone(stages, choices, p_best)
    assert 0 < lowest <= 1
    assert lowest_pheromone(stages, choices + 1, p_best) <= lowest


def test_with_pheromone_at_its_limits_the_best_is_built_with_the_probability_asked_for():
    lowest = lowest_pheromone(50, 10.0, 0.05)
    assert (1 / (1 + 9 * lowest)) ** 50 == pytest.approx(0.05)


@given(st.floats(0, 1), st.floats(0.01, 1), st.integers(0, 99))
def test_pheromone_deposited_by_the_best_stays_at_most_1(pheromone, rho, seed):
    problem = swarmkit.make_problem("synthetic", n=6)
    trail = TableTrail(problem, swarmkit.make_solver("tsp-aco", variant="as").params)
    colony, route = trail.start(np.random.default_rng(seed)), np.zeros(6, np.int64)
    colony.pheromone[:] = pheromone
    trail.update(colony, route[None], np.array([rho]), 1 - rho)
    on_route = np.isin(np.arange(len(colony.pheromone)), trail.offsets[:-1])
    assert colony.pheromone[on_route] == pytest.approx((1 - rho) * pheromone + rho)
    assert colony.pheromone[~on_route] == pytest.approx((1 - rho) * pheromone)
    assert (colony.pheromone <= 1 + 1e-12).all()


def test_the_best_deposits_when_the_schedule_says_so():
    problem, ours, theirs = swarmkit.make_problem("synthetic", n=1), np.array([[1]]), np.array([[2]])
    colony = TableTrail(problem, swarmkit.make_solver("tsp-aco", ants=1).params).start(np.random.default_rng(1))

    def end_iteration(routes, score):
        colony.routes, colony.scores, colony.iteration = routes, np.array([score]), colony.iteration + 1
        colony.record(*colony.iteration_best)

    end_iteration(ours, 5.0)
    for _ in range(23):
        end_iteration(theirs, 1.0)
    assert colony.depositor(25)[1] == 1.0
    end_iteration(theirs, 1.0)
    assert colony.depositor(25)[1] == 5.0
    colony.forget()
    end_iteration(theirs, 1.0)
    assert (colony.restart_score, colony.best_score) == (1.0, 5.0)
    colony.iteration = 1000
    assert colony.depositor(None)[1] == 5.0


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
    assert not check_variant(swarmkit.make_solver("tsp-aco", **settings)).of("skipped")


def test_2opt_is_refused_in_words_where_there_is_no_tour():
    with pytest.raises(Refusal, match="is for tours"):
        swarmkit.solve("synthetic", swarmkit.make_solver("tsp-aco", local_search="2opt"))


def chosen(tour, **params):
    return choose_construction(tour, swarmkit.make_solver("tsp-aco", **params).params)


def trail_of(tour, **params):
    return TourTrail(tour, swarmkit.make_solver("tsp-aco", **params).params)


def plane_and_random_table():
    """A Euclidean tour, and one whose costs violate the triangle inequality."""
    rng = np.random.default_rng(1)
    table, points = rng.random((40, 40)), rng.random((40, 2))
    plane = Tour(np.arange(40), np.hypot(*(points[:, None] - points).transpose(2, 0, 1)))
    return plane, Tour(np.arange(40), table + table.T)


def test_segments_are_rebuilt_by_default_only_where_the_triangle_inequality_holds():
    plane, wild = plane_and_random_table()
    assert plane.triangle_violations == 0.0
    assert (type(chosen(plane)), chosen(plane).segment) == (Partial, 16)
    assert type(chosen(wild)) is Walk
    assert chosen(wild, construction="partial", segment=9).segment == 9


def test_the_default_construction_follows_the_local_search_and_the_variant():
    plane, _ = plane_and_random_table()
    asymmetric = Tour(np.arange(40), np.triu(plane.cost))
    assert type(chosen(plane, local_search="2opt")) is Focused
    assert trail_of(plane, local_search="2opt").improves
    assert not trail_of(plane, construction="focused").improves
    assert type(chosen(plane, local_search="icm")) is Walk
    assert type(chosen(plane, variant="acs")) is Walk
    assert type(chosen(asymmetric)) is Walk
    assert type(chosen(plane, construction="walk", local_search="2opt")) is Walk


def test_partial_ants_evaporate_more_slowly():
    plane, _ = plane_and_random_table()
    assert [trail_of(plane, construction=name).rho for name in ("walk", "focused", "partial")] == [0.05, 0.05, 0.02]


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
    scores = [
        swarmkit.solve("synthetic", "tsp-aco", seed=1, iterations=3, params={"construction": name}).score
        for name in ("auto", "focused", "partial")
    ]
    assert len(set(scores)) == 1


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


PROBLEMS = {
    "tour": lambda: salesman(25),
    "stages": lambda: swarmkit.make_problem("synthetic", n=30, seed=1),
    "permutation": lambda: swarmkit.make_problem("qap", n=9, seed=1),
    "score only": lambda: swarmkit.make_problem("flowshop", jobs=9, machines=3),
    "constrained": lambda: Bounded(random_form(Shape(9, 4, 2, "ties", 12))),
}


def begin(problem, settings):
    """A solver, its generator, and its first state."""
    solver, generator = swarmkit.make_solver("tsp-aco", **settings), np.random.default_rng(1)
    solver.prepare(problem)
    return solver, generator, solver.start(problem, generator)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"variant": "acs"},
        {"variant": "as"},
        {"trail": "pairs"},
        {"local_search": "icm"},
        {"local_search": "2opt"},
        {"local_search": "2opt", "construction": "walk"},
        {"local_search": "icm", "construction": "focused"},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", PROBLEMS)
def test_many_steps_are_single_steps_and_go_on_from_a_copy(kind, settings):
    problem = PROBLEMS[kind]()
    if swarmkit.make_solver("tsp-aco", **settings).refuses(problem):
        return
    count = 40
    solver, generator, state = begin(problem, settings)
    single = [solver.step(problem, state, generator) for _ in range(count)]
    solver, generator, state = begin(problem, settings)
    parts, cuts = [], np.random.default_rng(2).integers(0, count, 5)
    for steps in np.diff([0, *np.sort(cuts), count]).tolist():
        state, generator = deepcopy(state), deepcopy(generator)
        parts += [solver.steps(problem, state, generator, steps)] if steps else []
    assert sum(part.looks for part in parts) == sum(step.looks for step in single)
    assert sum(part.iterations for part in parts) == sum(step.iterations for step in single)
    assert parts[-1].score == single[-1].score
    assert parts[-1].solution.tolist() == single[-1].solution.tolist()


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_step_is_an_iteration_or_a_piece_of_one(kind):
    problem = PROBLEMS[kind]()
    for settings in ({}, {"local_search": "icm"}):
        solver, generator, state = begin(problem, settings)
        made = [solver.step(problem, state, generator) for _ in range(30)]
        assert {step.iterations for step in made} <= {0, 1}
        assert all(step.looks > 0 for step in made)
        if settings == {} and kind != "constrained":
            assert all(step.iterations == 1 for step in made)


def test_the_first_step_is_enough_for_an_answer():
    for problem in (salesman(30), by_name("pairwise"), by_name("black box")):
        solver, generator, state = begin(problem, {})
        assert solver.step(problem, state, generator).score is not None


def test_no_more_solutions_are_scored_than_asked():
    for evaluations in (7, 30, 61):
        problem = swarmkit.make_problem("flowshop", jobs=9, machines=3)
        assert swarmkit.solve(problem, "tsp-aco", seed=1, evaluations=evaluations).evaluations == evaluations


def test_the_kits_tours_are_tours():
    assert by_name("tour").structure.tour.symmetric
    assert not by_name("asymmetric tour").structure.tour.symmetric


@pytest.mark.parametrize(("waits", "restarts"), [(tsp_aco.STAGNATION, False), (tsp_aco.STAGNATION + 1, True)])
def test_a_stagnant_colony_forgets_its_pheromone_and_keeps_its_best(waits, restarts):
    problem = swarmkit.make_problem("synthetic", n=5)
    solver, rng = swarmkit.make_solver("tsp-aco", variant="mmas"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    for _ in range(30):
        solver.step(problem, state, rng)
    state.iteration = state.best_iteration + waits - 1
    state.routes[:], state.scores[:] = state.restart_best, state.restart_score
    best = state.best_score
    solver.end_iteration(tsp_aco.trail_of(problem, solver.params), state)
    assert (state.restart_iteration == state.iteration) is restarts
    assert (state.pheromone == 1.0).all() == restarts
    assert np.isfinite(state.restart_score) != restarts
    assert state.best_score == best
    assert state.wait == (0 if restarts else waits)


def test_a_tour_s_pheromone_is_forgotten_only_where_it_has_converged():
    problem = swarmkit.make_problem("tsp", n=12)
    solver = swarmkit.make_solver("tsp-aco", construction="walk", ants=5)
    trail = tsp_aco.trail_of(problem, solver.params)
    colony = trail.start(np.random.default_rng(0))
    for edges_per_city, wait, restart in ((5, 50, False), (1, 50, True), (1, 51, False), (1, 100, True)):
        colony.pheromone[:] = np.arange(11) < edges_per_city
        colony.iteration, colony.best_iteration = 200, 200 - wait
        assert trail.needs_restart(colony) == restart, (edges_per_city, wait)
