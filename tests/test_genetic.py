"""The genetic algorithm: selection, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import swarmkit
from swarmkit.testing import check_solver
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Shape, random_form
from swarmkit_genetic.population import Brood, Population
from swarmkit_genetic.selection import random_partners, roulette, roulette_pairs, tournament, tournament_pairs

scores = arrays.arrays(np.float64, st.integers(1, 20), elements=st.floats(-1e6, 1e6))


@given(scores, st.integers(1, 9))
def test_probabilities_sum_to_one_and_the_better_have_no_smaller_ones(values, size):
    for chances in (roulette(values), tournament(values, size)):
        assert chances.sum() == pytest.approx(1.0)
        assert chances.min() >= 0
        assert (np.diff(chances[np.argsort(values, kind="stable")]) >= -1e-12).all()


def test_a_tournament_of_one_is_a_draw():
    assert tournament(np.array([5.0, 1.0, 3.0, 2.0]), 1) == pytest.approx([0.25] * 4)


def test_a_tournament_of_three_among_four_by_hand():
    assert tournament(np.array([4.0, 1.0, 3.0, 2.0]), 3) * 64 == pytest.approx([37, 1, 19, 7])


def test_the_roulette_of_equals_is_fair():
    assert roulette(np.full(4, -2.0)).tolist() == [0.25] * 4


def test_parents_are_drawn_with_the_probabilities_of_the_roulette():
    drawn = roulette_pairs(np.array([-3.0, -4.0, 2.0, -1.0]), 10_000, np.random.default_rng(1))
    assert np.bincount(drawn.ravel(), minlength=4) / 20_000 == pytest.approx([0.1, 0.0, 0.6, 0.3], abs=0.02)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_parents_are_drawn_with_the_probabilities_of_a_tournament(size):
    values = np.array([3.0, 1.0, 2.0, 2.0, 9.0])
    drawn = tournament_pairs(values, size, 20_000, np.random.default_rng(1))
    assert np.bincount(drawn.ravel(), minlength=5) / 40_000 == pytest.approx(tournament(values, size), abs=0.01)


@pytest.mark.parametrize(
    "params",
    [
        {"selection": "roulette", "crossover": "uniform", "permutation_crossover": "pmx", "local_search": "icm"},
        pytest.param({"tournament_size": 1, "permutation_mutation": "inversion"}, marks=pytest.mark.long),
        pytest.param({"crossover_rate": 1, "population": 8, "elite": 0}, marks=pytest.mark.long),
    ],
)
def test_other_operators_keep_the_contract_too(params):
    assert not check_solver(swarmkit.make_solver("ga", **params), examples=1).of("skipped")


def test_the_elite_never_gets_lost():
    problem = swarmkit.make_problem("synthetic", n=40, seed=4)
    solver, rng = swarmkit.make_solver("ga", population=10, mutation=20), np.random.default_rng(1)
    state = solver.start(problem, rng)
    best = []
    for _ in range(5):
        found = solver.step(problem, state, rng)
        best.append(found.score)
        assert found.score == max([*state.scores, *([] if state.brood is None else state.brood.scores)])
    assert best == sorted(best)


def test_kept_scores_are_the_problems():
    problem = FAMILIES[1].make(Shape(12, 12, 3, "signs", 3))
    solver, rng = swarmkit.make_solver("ga", mutation=0.5), np.random.default_rng(1)
    state = solver.start(problem, rng)
    for _ in range(3):
        solver.step(problem, state, rng)
        assert state.scores == pytest.approx(problem.score(state.X))


def test_children_that_break_a_constraint_are_repaired():
    problem = Bounded(random_form(Shape(20, 4, 3, "floats", 5)))
    X = np.array([problem.sizes - 1, np.zeros(20, np.int64)])
    assert swarmkit.repair(problem, X, np.random.default_rng(1)).all()
    assert swarmkit.judge(problem, X).all()
    assert X[0].any()
    assert not X[1].any()


def test_it_runs_on_tours_with_the_operators_of_permutations():
    problem = swarmkit.make_problem("tsp", n=30, seed=3)
    solver, rng = swarmkit.make_solver("ga", population=20), np.random.default_rng(1)
    state = solver.start(problem, rng)
    begun = state.scores.max()
    for _ in range(3):
        found = solver.step(problem, state, rng)
        assert state.scores == pytest.approx(problem.score(state.X))
        assert (np.sort(state.X) == np.arange(30)).all()
    assert found.score > begun


def test_each_is_paired_once_with_a_random_partner():
    first, second = random_partners(200, np.random.default_rng(1)).T
    assert first.tolist() == list(range(200))
    assert 0 <= second.min() <= second.max() < 200
    assert len(set(second.tolist())) > 100  # 126 expected


def test_a_child_replaces_its_parent_only_if_it_is_better():
    X = np.array([[0], [1], [2]])
    population, brood = Population.of(X.copy(), np.zeros(4, np.uint64)), Brood.of(X + 5, np.zeros((3, 2), np.int64))
    population.scores[:], brood.scores[:] = [1.0, 2.0, 3.0], [1.5, 2.0, 0.0]
    population.replace_parents(brood)
    assert population.X.ravel().tolist() == [5, 1, 2]
    assert population.scores.tolist() == [1.5, 2.0, 3.0]


def test_a_memetic_algorithm_is_at_local_optima():
    problem = swarmkit.make_problem("synthetic", n=30, seed=4)
    solver, rng = swarmkit.make_solver("ga", population=10, local_search="icm"), np.random.default_rng(1)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    for stage in range(30):
        assert problem.form.gains(state.X, stage).max() < 1e-6


def test_a_child_is_as_many_looks_as_it_has_stages_however_it_is_scored():
    form = random_form(Shape(20, 4, 3, "floats", 5))
    spent = [
        swarmkit.solve(problem, "ga", iterations=3).looks
        for problem in (swarmkit.PairwiseProblem(form), BlackBox(form))
    ]
    assert spent[0] == spent[1]
