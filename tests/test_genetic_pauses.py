"""Genetic algorithms pause after any child: cut anywhere, a run is the same, and no limit is exceeded by more."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Left, PairwiseProblem
from swarmkit.testing.families import BlackBox, Bounded, Judged, Shape, random_form, random_tour
from swarmkit_genetic.ga import Ga
from swarmkit_genetic.tour_ga import TourGa

LOOKS = 15_000

# Whole numbers: rows and batches have exactly the same scores, and equal scores are frequent.
FORM = random_form(Shape(11, 5, 3, "ties", 3))
TOUR = PairwiseProblem(random_tour(Shape(12, 12, 1, "ties", 6)))
PROBLEMS = {
    "tables": PairwiseProblem(random_form(Shape(23, 6, 3, "floats", 2))),
    "permutation": PairwiseProblem(random_form(Shape(8, 11, 3, "ties", 5), distinct=True)),
    "tour": TOUR,
    "black box": BlackBox(FORM),
    "black box permutation": BlackBox(random_form(Shape(7, 7, 3, "ties", 5), distinct=True)),
    "bounded": Bounded(FORM),
    "judged": Judged(FORM),
}
SOLVERS = [
    Ga(population=9),
    Ga(population=5, elite=0, selection="roulette", crossover="uniform"),
    Ga(population=4, elite=1, local_search="icm"),
    Ga(population=40, local_search="icm"),
]
TOUR_SOLVERS = [
    TourGa(population=7, initial="nearest", local_search="none"),
    TourGa(population=6, initial="random", local_search="none", crossover_rate=1),
    TourGa(population=5),
    TourGa(population=5, initial="nearest"),
]


def history(problem, solver, lefts):
    """Return what a run found and spent that pauses where it is told in turn."""
    rng, rows = np.random.default_rng(4), problem.evaluations
    state, best, looks, iterations = solver.start(problem, rng), None, 0, 0
    while looks < LOOKS:
        left = next(lefts)
        left = left._replace(looks=min(left.looks, LOOKS - looks))
        found = solver.step(problem, state, rng, left)
        assert found.looks > 0
        assert found.iterations <= left.iterations
        looks, iterations = looks + found.looks, iterations + found.iterations
        if found.score is not None and (best is None or found.score > best[0]):
            best = found.score, found.solution.tolist()
    end = state.X.tolist(), state.scores.tolist(), state.rng_state.tolist(), rng.random()
    return best, looks, iterations, problem.evaluations - rows, end


limits = st.builds(Left, st.integers(1, 400), st.integers(1, 9), st.integers(1, 3))
cuts = st.lists(limits, min_size=1, max_size=5)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(PROBLEMS)), st.sampled_from(SOLVERS), cuts)
def test_a_run_that_is_cut_anywhere_is_the_same(kind, solver, lefts):
    problem = PROBLEMS[kind]
    assert history(problem, solver, itertools.cycle(lefts)) == history(problem, solver, itertools.repeat(Left()))


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(TOUR_SOLVERS), cuts)
def test_a_run_on_tours_that_is_cut_anywhere_is_the_same(solver, lefts):
    assert history(TOUR, solver, itertools.cycle(lefts)) == history(TOUR, solver, itertools.repeat(Left()))


@pytest.mark.parametrize("kind", sorted(PROBLEMS))
@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
@pytest.mark.parametrize("most", [1, 50, 700])
def test_no_step_exceeds_its_looks_by_more_than_a_child_or_a_stage_of_its_climb(kind, solver, most):
    problem, rng = PROBLEMS[kind], np.random.default_rng(2)
    state, n = solver.start(problem, rng), len(problem.sizes)
    stage = max(problem.sizes) * (n if problem.structure.black_box else 2) + n
    unit = n if solver.params.local_search == "none" else stage
    for _ in range(100):
        assert solver.step(problem, state, rng, Left(looks=most)).looks < most + unit


@pytest.mark.parametrize("kind", ["black box", "bounded", "judged", "black box permutation"])
def test_without_tables_the_start_scores_nothing_and_a_step_no_more_than_it_may(kind):
    problem, rng, solver = PROBLEMS[kind], np.random.default_rng(2), Ga()
    before = problem.evaluations
    state = solver.start(problem, rng)
    assert problem.evaluations == before
    for most in (1, 7, 64, 65, 1000):
        before = problem.evaluations
        found = solver.step(problem, state, rng, Left(evaluations=most))
        assert found.score is not None
        assert problem.evaluations - before == most
        assert found.looks == most * len(problem.sizes)


class Calls(BlackBox):
    """A black box that counts how often it is asked."""

    calls = 0

    def score(self, X):
        self.calls += 1
        return super().score(X)


def test_children_are_scored_in_batches_as_large_as_the_step_allows():
    problem, rng, solver = Calls(FORM), np.random.default_rng(2), Ga(population=100, elite=0)
    state = solver.start(problem, rng)
    solver.step(problem, state, rng, Left(iterations=3))
    assert problem.calls == 1 + 3
    solver.step(problem, state, rng, Left(evaluations=150))
    assert problem.calls == 4 + 2


def test_a_child_that_is_the_best_is_found_before_its_generation_is_complete():
    problem, rng, solver = BlackBox(FORM), np.random.default_rng(2), Ga(population=100, elite=0)
    state = solver.start(problem, rng)
    best = []
    for _ in range(500):
        found = solver.step(problem, state, rng, Left(evaluations=1))
        best.append(found.score)
        assert found.score == problem.score(found.solution[None])[0]
    assert best == sorted(best)
    rises = [k + 1 for k, (a, b) in enumerate(itertools.pairwise(best)) if a < b]
    assert any(k > 100 and k % 100 for k in rises)  # inside a generation


def test_budgets_are_kept_by_whole_runs():
    for solver, problem, unit in (("ga", PROBLEMS["black box"], 11), ("ga", TOUR, 12), ("tour-ga", TOUR, 250)):
        for looks in (1, 1_000, 4_321):
            assert swarmkit.solve(problem, solver, looks=looks).looks < looks + 2 * unit
        assert swarmkit.solve(problem, solver, iterations=3).iterations == 3
    for evaluations in (1, 100, 1_000):
        result = swarmkit.solve(PROBLEMS["black box"], "ga", evaluations=evaluations)
        assert result.evaluations <= evaluations + 1
