"""Ants of `tsp-aco` with trail=pairs: they visit every stage once, in an order of their own, by relatedness."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import PairwiseProblem
from swarmkit.testing.families import Bounded, Shape, random_form, shapes
from swarmkit_ants.stages import PairTrail
from swarmkit_ants.tsp_aco import TspAco
from tests.testing.variants import check_variant

PAIRS = TspAco(trail="pairs")


def colony_of(problem, seed):
    """A trail on pairs, and a colony whose ants have built their first tours."""
    trail, generator = PairTrail(problem, PAIRS.params), np.random.default_rng(seed)
    state = trail.start(generator)
    trail.construct(problem, state, generator)
    return trail, state


@given(shapes(), st.integers(0, 99))
def test_a_tour_has_one_candidate_of_every_stage(shape, seed):
    problem = PairwiseProblem(random_form(shape))
    trail, state = colony_of(problem, seed)
    assert (np.sort(trail.stage_of[state.routes], axis=1) == np.arange(shape.n)).all()
    X = trail.solutions(state.routes)
    assert ((X >= 0) & (X < problem.sizes)).all()
    assert (np.sort(trail.routes(X), axis=1) == np.sort(state.routes, axis=1)).all()
    assert np.allclose(problem.score(X), state.scores)


def test_ants_choose_the_next_stage_too():
    problem = PairwiseProblem(random_form(Shape(6, 3, 5, "floats", 1)))
    trail, state = colony_of(problem, 0)
    assert len({tuple(trail.stage_of[route]) for route in state.routes}) > 10


def test_an_ant_follows_relatedness_and_pheromone():
    table = [[1.0, 0.0], [0.0, 0.0]]
    problem = PairwiseProblem(swarmkit.Pairwise.of([2, 2], [(0, 1, table)]))
    trail, state = colony_of(problem, 0)
    assert trail.heuristic[0, 2] == trail.heuristic[2, 0] == 1.0
    assert trail.heuristic[0, 3] == pytest.approx(0.05**2)  # η is at least 0.05, and beta is 2
    state.pheromone[0, 2] = state.pheromone[2, 0] = 0.0
    trail.construct(problem, state, np.random.default_rng(0))
    assert not ({(0, 2), (2, 0)} & set(map(tuple, state.routes.tolist())))


def test_the_best_tour_deposits_on_its_pairs_and_the_rest_evaporates():
    problem = PairwiseProblem(random_form(Shape(5, 3, 2, "floats", 2)))
    state = PAIRS.start(problem, np.random.default_rng(0))
    PAIRS.step(problem, state, np.random.default_rng(0))
    tour = state.restart_best
    after = np.roll(tour, -1)
    assert (state.pheromone[tour, after] == 1.0).all()
    assert (state.pheromone[after, tour] == 1.0).all()
    assert np.isclose(state.pheromone, 0.95).sum() == state.pheromone.size - 10


def test_a_given_solution_gets_pheromone_on_all_its_pairs():
    problem = PairwiseProblem(random_form(Shape(5, 3, 2, "floats", 2)))
    rng = np.random.default_rng(0)
    state, x = PAIRS.start(problem, rng), np.array([[0, 1, 0, 0, 1]]) % problem.sizes
    assert PAIRS.inject(problem, state, x, problem.score(x), rng) == 5
    slots = problem.form.offsets[:-1] + x[0]
    assert (state.pheromone[np.ix_(slots, slots)] == 1.0).all()
    assert (state.pheromone == 0.5).sum() == state.pheromone.size - 25
    assert PairTrail(problem, PAIRS.params).solutions(state.restart_best).tolist() == x[0].tolist()


def test_pairs_keep_the_contract():
    check_variant(PAIRS)


def test_what_pairs_cannot_do_is_said():
    with pytest.raises(swarmkit.Refusal, match="every combination"):
        swarmkit.solve(Bounded(random_form(Shape(5, 3, 2, "floats", 1))), "tsp-aco", params={"trail": "pairs"})
    with pytest.raises(swarmkit.Refusal, match="unit=sentence"):
        swarmkit.solve(swarmkit.make_problem("synthetic", n=2000), "tsp-aco", params={"trail": "pairs"})
