"""The genetic algorithm: selection, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import swarmkit
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Shape, random_form
from swarmkit_genetic.ga import Ga, roulette, tournament_winners
from swarmkit_genetic.population import Population, mutated_copies
from swarmkit_genetic.tour_ga import TourGa
from tests.testing.variants import check_variant


def tournament(scores, size):
    """The probability of each solution to win a tournament among `size` drawn with replacement: the plain twin."""
    k = len(scores)
    worse = np.empty(k)
    worse[np.argsort(scores, kind="stable")] = np.arange(k)
    return ((worse + 1) / k) ** size - (worse / k) ** size


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
    values, rng = np.array([-3.0, -4.0, 2.0, -1.0]), np.random.default_rng(1)
    pairs = np.vstack([Ga(selection="roulette", population=4, elite=0)._select(values, rng) for _ in range(2500)])
    assert np.bincount(pairs.ravel(), minlength=4) / 20_000 == pytest.approx([0.1, 0.0, 0.6, 0.3], abs=0.02)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_parents_are_drawn_with_the_probabilities_of_a_tournament(size):
    values = np.array([3.0, 1.0, 2.0, 2.0, 9.0])
    winners = tournament_winners(values, size, np.random.default_rng(1).random(40_000))
    assert np.bincount(winners, minlength=5) / 40_000 == pytest.approx(tournament(values, size), abs=0.01)


@pytest.mark.parametrize(
    "params",
    [
        {"selection": "roulette", "crossover": "uniform", "permutation_crossover": "pmx", "local_search": "icm"},
        pytest.param({"tournament_size": 1, "permutation_mutation": "inversion"}, marks=pytest.mark.long),
        pytest.param({"crossover_rate": 1, "population": 8, "elite": 0}, marks=pytest.mark.long),
    ],
)
def test_other_operators_keep_the_contract_too(params):
    assert not check_variant(swarmkit.make_solver("ga", **params)).of("skipped")


def test_the_elite_never_gets_lost():
    problem = swarmkit.make_problem("synthetic", n=40, seed=4)
    solver, rng = swarmkit.make_solver("ga", population=10, mutation=20), np.random.default_rng(1)
    state = solver.start(problem, rng)
    best = []
    for _ in range(50):
        progress = solver.step(problem, state, rng)
        best.append(progress.score)
        assert progress.score == max(state.scores)
    assert best == sorted(best)
    assert best[0] < best[-1]


def test_kept_scores_are_the_problems():
    problem = FAMILIES[1].make(Shape(12, 12, 3, "signs", 3))
    solver, rng = swarmkit.make_solver("ga", mutation=0.5), np.random.default_rng(1)
    state = solver.start(problem, rng)
    for _ in range(50):
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
    first = solver.step(problem, state, rng).score
    for _ in range(30):
        progress = solver.step(problem, state, rng)
        assert state.scores == pytest.approx(problem.score(state.X))
        assert (np.sort(state.X) == np.arange(30)).all()
    assert progress.score > first


def test_a_child_replaces_its_parent_only_if_it_is_better():
    X = np.array([[0], [1], [2]])
    population = Population.of(X.copy(), np.zeros(4, np.uint64))
    population.scores[:] = [1.0, 2.0, 3.0]
    TourGa().replace(population, X + 5, np.array([1.5, 2.0, 0.0]))
    assert population.X.ravel().tolist() == [5, 1, 2]
    assert population.scores.tolist() == [1.5, 2.0, 3.0]


def test_children_replace_all_but_the_elite():
    population = Population.of(np.array([[0], [1], [2]]), np.zeros(4, np.uint64))
    population.scores[:] = [1.0, 3.0, 2.0]
    Ga().replace(population, np.array([[7], [8]]), np.array([0.5, 2.5]))
    assert population.X.ravel().tolist() == [1, 7, 8]
    assert population.scores.tolist() == [3.0, 0.5, 2.5]
    assert population.best_score == 2.5  # of the children: the population was recorded when it was scored


def test_solutions_that_are_given_replace_the_worse_half_with_mutated_copies():
    problem, rng = BlackBox(random_form(Shape(40, 4, 3, "floats", 5))), np.random.default_rng(1)
    solver = Ga(population=10)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng)
    fittest = np.sort(state.scores)[5:]
    result = swarmkit.solve(problem, "icm", evaluations=2000)
    best = np.array(result.solution)
    solver.inject(problem, state, best[None], np.array([result.score]), rng)
    assert state.best_score == result.score
    assert np.sort(state.scores).tolist() == [-np.inf] * 5 + fittest.tolist()
    assert (state.X[5] == best).all()
    assert ((state.X[6:] != best).sum(axis=1) > 0).all()
    assert ((state.X[6:] != best).sum(axis=1) <= 2).all()
    before = problem.evaluations
    assert solver.step(problem, state, rng).iterations == 0
    assert problem.evaluations - before == 5
    assert np.isfinite(state.scores).all()


def test_mutated_copies_are_feasible():
    problem = Bounded(random_form(Shape(40, 4, 3, "floats", 5)))
    X = swarmkit.random_solutions(problem, 2, np.random.default_rng(1))
    Y = mutated_copies(problem, X, 30, np.random.default_rng(2))
    assert Y[:2].tolist() == X.tolist()
    assert swarmkit.judge(problem, Y).all()


def test_a_memetic_algorithm_is_at_local_optima():
    problem = swarmkit.make_problem("synthetic", n=30, seed=4)
    solver, rng = swarmkit.make_solver("ga", population=10, local_search="icm"), np.random.default_rng(1)
    state, generations = solver.start(problem, rng), 0
    while generations < 2:  # the elite of the first one are random solutions
        generations += solver.step(problem, state, rng).iterations
    for stage in range(30):
        assert problem.form.gains(state.X, stage).max() < 1e-6


def test_a_child_is_as_many_looks_as_it_has_stages_however_it_is_scored():
    form = random_form(Shape(20, 4, 3, "floats", 5))
    spent = [
        swarmkit.solve(problem, "ga", iterations=3).looks
        for problem in (swarmkit.PairwiseProblem(form), BlackBox(form))
    ]
    assert spent[0] == spent[1]
