"""The genetic algorithm for tours: what it promises."""

import numpy as np
import pytest

import swarmkit
from swarmkit.testing.families import Shape, random_tour
from tests.testing.variants import check_variant

PLAIN = {"initial": "nearest", "local_search": "none"}
"""A genetic algorithm alone: the default before it was tuned."""


def test_children_that_are_improved_by_2opt_soon_make_the_best_tour():
    problem = swarmkit.make_problem("tsp", n=60, seed=3)
    best = swarmkit.solve(problem, swarmkit.make_solver("tsp-aco", local_search="2opt"), looks=2e6).score
    assert swarmkit.solve(problem, "tour-ga", looks=5e6).score == best


@pytest.mark.parametrize(
    "params", [{}, {"initial": "nearest"}, PLAIN, {**PLAIN, "initial": "random"}, {"crossover_rate": 1}]
)
def test_populations_are_tours_with_their_scores_and_nobody_gets_worse(params):
    problem = swarmkit.make_problem("tsp", n=30, seed=3)
    solver, rng = swarmkit.make_solver("tour-ga", population=20, **params), np.random.default_rng(1)
    state = solver.start(problem, rng)
    first = solver.step(problem, state, rng).score
    before, generations = state.scores.copy(), 0
    while generations < 20:
        progress = solver.step(problem, state, rng)
        assert state.scores == pytest.approx(problem.score(state.X))
        assert (np.sort(state.X) == np.arange(30)).all()
        assert (state.scores >= before).all()
        before, generations = state.scores.copy(), generations + progress.iterations
    assert progress.score > first


@pytest.mark.parametrize("params", [{}, PLAIN])
def test_it_goes_on_after_a_checkpoint_as_if_nothing_had_happened(tmp_path, params):
    problem, solver = swarmkit.make_problem("tsp", n=40, seed=3), swarmkit.make_solver("tour-ga", **params)
    swarmkit.solve(problem, solver, seed=2, looks=400_000, checkpoint=tmp_path / "run.ckpt")
    longer = swarmkit.resume(tmp_path / "run.ckpt", problem, limits=swarmkit.Budget(looks=1_500_000))
    assert not longer.differences(swarmkit.solve(problem, solver, seed=2, looks=1_500_000))


def test_it_comes_near_the_best_tour_without_local_search():
    problem = swarmkit.make_problem("tsp", n=60, seed=3)
    best = swarmkit.solve(problem, "tour-ga", looks=5e6).score
    assert swarmkit.solve(problem, swarmkit.make_solver("tour-ga", **PLAIN), seed=1, looks=3e7).score > 1.02 * best


@pytest.mark.parametrize(("problem", "options"), [("qap", {}), ("synthetic", {}), ("tsp", {"n": 7}), ("flowshop", {})])
def test_other_problems_are_refused_in_words(problem, options):
    with pytest.raises(swarmkit.Refusal, match="is for symmetric tours of at least 8 cities; 'ga' solves any problem"):
        swarmkit.solve(swarmkit.make_problem(problem, **options), "tour-ga")


@pytest.mark.parametrize("params", [{"population": 7}, PLAIN])
def test_it_keeps_the_contract_on_tours_of_enough_cities(params):
    report = check_variant(swarmkit.make_solver("tour-ga", **params))
    assert not [outcome for outcome in report.of("skipped") if "longer tour" in outcome.name]


def test_its_tours_are_never_better_than_the_optimum():
    problem = swarmkit.PairwiseProblem(random_tour(Shape(8, 8, 1, "signs", 5)))
    optimum = swarmkit.solve(problem, "exhaustive").score
    for params in ({}, PLAIN):
        solver = swarmkit.make_solver("tour-ga", **params)
        assert swarmkit.solve(problem, solver, looks=100_000).score == pytest.approx(optimum)
