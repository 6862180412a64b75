"""Annealing under linear constraints: what its kernel keeps up to date, and the relaxation that guides it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, capacity, exactly
from swarmkit.search import model_of, relaxation_of
from swarmkit.testing.families import Rows, Shape, random_form, shapes
from swarmkit_annealing.linear_annealer import LinearAnnealer
from swarmkit_annealing.linear_state import VIOLATED
from swarmkit_annealing.schedule import Schedule


class Assignment(PairwiseProblem):
    """Jobs to agents of limited capacity."""

    direction = "minimise"

    def __init__(self, agents: int = 4, jobs: int = 20, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        times = rng.integers(5, 26, (jobs, agents))
        super().__init__(Pairwise.of([agents] * jobs, unary=(30 - times + rng.integers(0, 5, times.shape)).ravel()))
        limit = int(0.8 * times.sum() / agents)
        self.constraints = [
            capacity([(j, a) for j in range(jobs)], times[:, a], limit, name=f"agent {a}") for a in range(agents)
        ]


def optimum(problem: Assignment) -> float:
    """Return the least cost, by HiGHS."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    rows, form = problem.structure.linear, problem.form
    assert rows is not None
    n, slots = len(form.sizes), len(form.unary)
    stages = csr_array((np.ones(slots), (np.repeat(np.arange(n), form.sizes), np.arange(slots))), (n, slots))
    within = csr_array((rows.coefficients, rows.slots, rows.indptr), (len(rows), slots))
    constraints = [LinearConstraint(stages, 1, 1), LinearConstraint(within, rows.lower, rows.upper)]
    return float(milp(form.unary, integrality=np.ones(slots), bounds=Bounds(0, 1), constraints=constraints).fun)


@settings(max_examples=60, deadline=None)
@given(shape=shapes(2))
def test_sums_values_and_scores_are_what_they_stand_for(shape: Shape) -> None:
    problem, rng = Rows(random_form(shape), shape), np.random.default_rng(shape.seed)
    form, linear = problem.form, problem.structure.linear
    assert linear is not None
    X = LinearAnnealer.first_solution(problem, rng)
    annealer = LinearAnnealer.start(problem, X[0], rng)
    for temperature in (1.0, 0.1):
        annealer.anneal(problem, Schedule(np.full(5, temperature), 40), rng)
        search = annealer.search
        x = search.chosen - form.offsets[:-1]
        np.testing.assert_allclose(search.sums, linear.activities(x[None])[0], atol=1e-9)
        values = np.concatenate([form.marginals(x[None], i)[0] for i in range(len(x))])
        np.testing.assert_allclose(search.values, values, atol=1e-9)
        np.testing.assert_allclose(search.scores[0], form.score(x[None])[0], atol=1e-9)
        assert search.counters[VIOLATED] == (linear.violations(x[None]) > 0).sum()
        best, score = annealer.incumbent(problem)
        assert problem.feasible(best[None])[0]
        np.testing.assert_allclose(search.scores[1], score, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(shape=shapes(2))
def test_the_relaxation_bounds_every_solution_and_its_excesses_add_up(shape: Shape) -> None:
    form = random_form(shape)
    problem = Rows(Pairwise.of(form.sizes, unary=form.unary), shape)
    relaxation, linear = relaxation_of(problem.structure), problem.structure.linear
    if relaxation is None:  # all values are 0
        return
    assert linear is not None
    X = np.array(list(itertools.product(*map(range, form.sizes))))
    X = X[problem.feasible(X)]
    scores = problem.score(X)
    assert (scores <= relaxation.bound + 1e-6).all()
    # What the prices say of a solution: its excesses are no more than the bound leaves.
    excess = relaxation.excess[X + form.offsets[:-1]].sum(axis=1)
    assert (excess <= relaxation.bound - scores + 1e-6).all()


def test_the_slots_of_an_optimum_are_never_left_out() -> None:
    problem = Assignment()
    best = swarmkit.solve(problem, "annealing", seed=1, looks=400_000)
    assert best.cost == pytest.approx(optimum(problem))


@pytest.mark.parametrize("name", ["annealing", "sa"])
def test_tables_between_stages_are_annealed_under_rows(name: str) -> None:
    rng = np.random.default_rng(1)
    apart = 1.0 - np.eye(2)
    edges = [(i, j, apart) for i in range(20) for j in range(i) if rng.random() < 0.3]
    problem = PairwiseProblem(Pairwise.of([2] * 20, edges).negated)
    problem.constraints = [exactly([(i, 0) for i in range(20)], 10)]
    X = np.array([[int(i not in half) for i in range(20)] for half in itertools.combinations(range(20), 10)])
    result = swarmkit.solve(problem, name, seed=1, looks=400_000)
    assert result.score == pytest.approx(problem.score(X).max())


def test_a_model_of_the_relaxation_is_none_where_tables_join_stages() -> None:
    problem = PairwiseProblem(Pairwise.of([2, 2], [(0, 1, np.eye(2))]))
    problem.constraints = [exactly([(0, 0), (1, 0)], 1)]
    assert relaxation_of(problem.structure) is None
    assert model_of(problem.structure) is model_of(problem.structure)
