"""Local search with weighted constraints: what its kernel keeps up to date is what plain code computes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import Floats, Pairwise, PairwiseProblem, Problem
from swarmkit.contract.constraints import Constraint, Constraints
from swarmkit.kernels import linear, linear_state, weighting
from swarmkit.kernels.linear_state import CURRENT, IMPROVING, NOW, OBJECTIVE, VIOLATED, Rules, WeightingState
from swarmkit.search import model_of, rng_state, search_at
from swarmkit.search.linear_construction import linear_of
from swarmkit.testing.families import Rows, Shape, random_form, shapes


def constrained(shape: Shape) -> Problem:
    """Return random tables under random rows, which at least one solution meets."""
    return Rows(random_form(shape), shape)


def penalties(constraints: Constraints, rows: linear_state.Rows, weights: Floats, x: Any) -> Floats:
    """Return the weighted violation of every slot beside the rest of a solution, less that without the slot's stage."""
    total = []
    for i, c in ((i, c) for i, m in enumerate(constraints.sizes) for c in range(m)):
        y, open_stage = np.array(x), np.array(x)
        y[i], open_stage[i] = c, -1
        with_slot, without = (constraints.activities(z[None])[0] for z in (y, open_stage))
        missing = [np.maximum(np.maximum(rows.lower - s, s - rows.upper), 0) for s in (with_slot, without)]
        total.append(weights @ (missing[0] - missing[1]))
    return np.array(total)


def check(problem: Problem, state: WeightingState) -> None:
    """Compare the tables of a search with what they stand for."""
    form, constraints = problem.pairwise(), linear_of(problem.structure)
    assert form is not None
    x = state.chosen - form.offsets[:-1]
    np.testing.assert_allclose(state.sums, constraints.activities(x[None])[0], atol=1e-9)
    np.testing.assert_allclose(state.numbers[CURRENT], form.score(x[None])[0], atol=1e-9)
    # What a row adds to all candidates of a stage alike may be left out.
    expected, present = (
        penalties(constraints, model_of(problem.structure).rows, state.weights, x),
        np.repeat(state.chosen, form.sizes),
    )
    np.testing.assert_allclose(state.penalty - state.penalty[present], expected - expected[present], atol=1e-6)
    values = np.concatenate([form.marginals(x[None], i)[0] for i in range(len(x))])
    np.testing.assert_allclose(state.values, values, atol=1e-9)
    worth = state.numbers[OBJECTIVE] * values - state.penalty
    gains = worth - worth[present]
    improving = set(state.improving[: state.counters[IMPROVING]].tolist())
    assert all((slot in improving) == (g > weighting.LEAST) for slot, g in enumerate(gains) if abs(g - 1e-7) > 1e-8)
    violated = set(state.violated[: state.counters[VIOLATED]].tolist())
    assert violated == set(np.flatnonzero(constraints.violations(x[None])[0]).tolist())


@settings(max_examples=60, deadline=None)
@given(shape=shapes(), steps=st.lists(st.integers(1, 40), min_size=1, max_size=4), patience=st.sampled_from((5, 1000)))
def test_the_tables_of_a_search_are_what_they_stand_for(shape: Shape, steps: list[int], patience: int) -> None:
    problem = constrained(shape)
    rng = np.random.default_rng(shape.seed)
    model = model_of(problem.structure)
    state = search_at(model, rng.integers(problem.sizes), rng_state(rng))
    for count in steps:
        weighting.iterate(model, state, Rules(2, patience, 0.9), count, False)
        check(problem, state)
        assert not state.marks.any()


@settings(max_examples=60, deadline=None)
@given(shape=shapes())
def test_a_small_problem_is_solved(shape: Shape) -> None:
    problem = constrained(shape)
    rng = np.random.default_rng(1)
    model = model_of(problem.structure)
    state = search_at(model, rng.integers(problem.sizes), rng_state(rng))
    weighting.iterate(model, state, Rules(3, 200, 0.999), 3000, False)
    X = np.array(list(itertools.product(*map(range, problem.sizes))))
    feasible = X[problem.feasible(X)]
    best = state.best - model.rows.offsets[:-1]
    assert problem.feasible(best[None])[0]
    assert problem.score(best[None])[0] >= problem.score(feasible).max() - 1e-6


@settings(max_examples=60, deadline=None)
@given(shape=shapes())
def test_the_relief_of_a_change_is_the_difference_of_violations(shape: Shape) -> None:
    problem = constrained(shape)
    constraints, rng = linear_of(problem.structure), np.random.default_rng(shape.seed)
    rows, weights = model_of(problem.structure).rows, rng.random(len(constraints))
    x = rng.integers(problem.sizes)
    slot = int(rng.integers(rows.offsets[-1]))
    i = rows.stage[slot]
    y = x.copy()
    y[i] = slot - rows.offsets[i]
    sums = constraints.activities(x[None])[0]
    expected = constraints.violations(np.array([x, y])) @ weights
    chosen = rows.offsets[:-1] + x
    relief = linear.relief(rows, sums, weights, chosen[i], slot)
    np.testing.assert_allclose(relief, expected[0] - expected[1], atol=1e-6)
    before, after = (constraints.violations(z[None])[0] > 0 for z in (x, y))
    assert linear.change(rows, chosen, sums, slot) == after.sum() - before.sum()
    np.testing.assert_allclose(sums, constraints.activities(y[None])[0], atol=1e-9)


def test_stages_that_must_differ_are_rows_too() -> None:
    class Both(PairwiseProblem):
        constraints = (Constraint.of([(0, 0), (1, 0)], 1, 1, 1),)

    problem = Both(Pairwise.of([3, 3], unary=[5.0, 0, 0, 5, 0, 0], distinct=True))
    constraints = linear_of(problem.structure)
    assert constraints.feasible(np.array([[0, 1], [1, 0], [0, 0], [1, 2]])).tolist() == [True, True, False, False]


@settings(max_examples=60, deadline=None)
@given(shape=shapes())
def test_a_second_change_is_one_of_another_stage_that_may_move_and_is_valued_beside_the_first(shape: Shape) -> None:
    problem = constrained(shape)
    rng, model = np.random.default_rng(shape.seed), model_of(problem.structure)
    state = search_at(model, rng.integers(problem.sizes), rng_state(rng))
    state.weights[:] = rng.random(len(state.weights))
    state.until[:] = state.counters[NOW] + rng.integers(0, 2, len(state.until))
    stages, offsets = model.rows.stage, model.rows.offsets[:-1]

    def worth(chosen: Any) -> float:
        x = (chosen - offsets)[None]
        violations = linear_of(problem.structure).violations(x)[0]
        return float(state.numbers[OBJECTIVE] * problem.score(x)[0] - violations @ state.weights)

    for first in rng.integers(len(stages), size=20):
        before = state.chosen.copy()
        second, more, _ = weighting.compensation(model, state, first)
        np.testing.assert_array_equal(state.chosen, before)
        if second >= 0:
            assert stages[second] != stages[first]
            assert state.until[stages[second]] <= state.counters[NOW]
            changed, both = before.copy(), before.copy()
            changed[stages[first]] = both[stages[first]] = first
            both[stages[second]] = second
            np.testing.assert_allclose(more, worth(both) - worth(changed), atol=1e-6)


def test_the_best_of_all_changes_that_help_a_violated_row_is_taken() -> None:
    class AtLeastOne(PairwiseProblem):
        constraints = (Constraint.of([(i, 1) for i in range(6)], [-1, -1, 1, -1, 1, -1], 1),)

    problem = AtLeastOne(Pairwise.of([2] * 6, unary=[0, 9, 0, 9, 0, 1, 0, 9, 0, 2, 0, 9]))
    model = model_of(problem.structure)
    for seed in range(20):
        state = search_at(model, np.zeros(6, dtype=np.int64), rng_state(np.random.default_rng(seed)))
        assert weighting.out_of_violation(model, state) == (9, 3)  # stages 2 and 4 help
