"""Ants of `tsp-aco` with trail=pairs: they visit every stage once, in an order of their own, by relatedness."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, PairwiseProblem
from swarmkit.testing import check_solver
from swarmkit.testing.families import Bounded, Shape, random_form, shapes
from swarmkit_ants import pairs
from swarmkit_ants.tsp_aco import TspAco

PAIRS = TspAco(trail="pairs")


@given(shapes(), st.integers(0, 99))
def test_a_tour_has_one_candidate_of_every_stage(shape, seed):
    problem = PairwiseProblem(random_form(shape))
    state = PAIRS.start(problem, np.random.default_rng(seed))
    stage_of = np.repeat(np.arange(shape.n), problem.sizes)
    pairs.build(state, pairs.weigh(problem, PAIRS.params, state), stage_of, 7)
    assert (np.sort(stage_of[state.tours[:7]], axis=1) == np.arange(shape.n)).all()
    X = pairs.solutions(problem, state.tours[:7])
    assert ((X >= 0) & (X < problem.sizes)).all()
    offsets = np.asarray(problem.form.offsets[:-1])
    assert (np.sort(offsets + X, axis=1) == np.sort(state.tours[:7], axis=1)).all()


def test_ants_choose_the_next_stage_too():
    problem = PairwiseProblem(random_form(Shape(6, 3, 5, "floats", 1)))
    state = PAIRS.start(problem, np.random.default_rng(0))
    stage_of = np.repeat(np.arange(6), problem.sizes)
    pairs.build(state, pairs.weigh(problem, PAIRS.params, state), stage_of, 25)
    assert len({tuple(stage_of[tour]) for tour in state.tours}) > 10


def test_an_ant_follows_relatedness_and_pheromone():
    table = [[1.0, 0.0], [0.0, 0.0]]
    problem = PairwiseProblem(swarmkit.Pairwise.of([2, 2], [(0, 1, table)]))
    state = PAIRS.start(problem, np.random.default_rng(0))
    weights = pairs.weigh(problem, PAIRS.params, state)
    assert weights[0, 2] == weights[2, 0] == 1.0
    assert weights[0, 3] == pytest.approx(0.05**2)  # η is at least 0.05, and beta is 2
    state.pheromone[0, 3] = 0.5
    assert pairs.weigh(problem, PAIRS.params, state)[0, 3] == pytest.approx(0.5 * 0.05**2)


def test_the_best_tour_deposits_on_its_pairs_and_the_rest_evaporates():
    problem = PairwiseProblem(random_form(Shape(5, 3, 2, "floats", 2)))
    state = PAIRS.start(problem, np.random.default_rng(0))
    PAIRS.step(problem, state, np.random.default_rng(0), Left(iterations=1))
    tour = state.incumbents.restart_best
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
    assert pairs.solutions(problem, state.incumbents.restart_best[None]).tolist() == x.tolist()


def test_pairs_keep_the_contract():
    check_solver(PAIRS, examples=1)


def test_what_pairs_cannot_do_is_said():
    with pytest.raises(swarmkit.Refusal, match="every combination"):
        swarmkit.solve(Bounded(random_form(Shape(5, 3, 2, "floats", 1))), "tsp-aco", params={"trail": "pairs"})
    with pytest.raises(swarmkit.Refusal, match="unit=sentence"):
        swarmkit.solve(swarmkit.make_problem("synthetic", n=2000), "tsp-aco", params={"trail": "pairs"})
