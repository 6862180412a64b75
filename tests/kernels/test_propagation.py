"""Construction by propagation: what it builds is feasible, and what it calls impossible is."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem, all_different, random_solutions, repair
from swarmkit.contract.constraints import Constraint
from swarmkit.search import feasible_near, rng_state
from swarmkit.testing.families import Rows, Shape, random_form, random_rows, shapes

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


class Sudoku(PairwiseProblem):
    """A cell is a stage; rows, columns and boxes take every digit once."""

    def __init__(self, puzzle: str) -> None:
        super().__init__(Pairwise.of([9] * 81))
        cells = np.arange(81).reshape(9, 9)
        boxes = cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
        self.constraints = [all_different(group, self.sizes) for group in (*cells, *cells.T, *boxes)]
        self.constraints += [Constraint.of([(i, int(d) - 1)], 1, 1) for i, d in enumerate(puzzle) if d != "."]


def test_a_hard_sudoku_is_filled() -> None:
    problem = Sudoku(PUZZLE)
    for seed in range(5):
        X = random_solutions(problem, 1, np.random.default_rng(seed))
        assert problem.feasible(X).tolist() == [True]


@settings(max_examples=100, deadline=None)
@given(shape=shapes(), distinct=st.booleans())
def test_a_problem_that_has_a_solution_is_filled(shape: Shape, distinct: bool) -> None:
    problem = Rows(random_form(shape, distinct=distinct), shape)
    X = random_solutions(problem, 5, np.random.default_rng(shape.seed))
    assert len(X) == 5
    assert problem.feasible(X).all()
    assert not distinct or all(len(set(x)) == len(x) for x in X.tolist())


@settings(max_examples=100, deadline=None)
@given(shape=shapes(), shift=st.integers(1, 5))
def test_nothing_is_built_where_there_is_no_solution(shape: Shape, shift: int) -> None:
    problem = PairwiseProblem(random_form(shape))
    rows = random_rows(shape, np.zeros(shape.n, np.int64), problem.sizes)
    moved = [Constraint.of(np.column_stack([r.stages, r.candidates]), r.coefficients, r.lower + shift) for r in rows]
    problem.constraints = rows + [row for row in moved if np.isfinite(row.lower)]
    X = np.array(list(itertools.product(*map(range, problem.sizes))))
    _, good = feasible_near(problem.structure, X[:1], rng_state(np.random.default_rng(1)))
    assert good[0] == problem.feasible(X).any()


@settings(max_examples=60, deadline=None)
@given(shape=shapes())
def test_feasible_solutions_stay_as_they_are_and_others_are_repaired(shape: Shape) -> None:
    problem = Rows(random_form(shape), shape)
    X = np.array(list(itertools.product(*map(range, problem.sizes))))[:50]
    feasible, Y = problem.feasible(X), X.copy()
    assert repair(problem, Y, np.random.default_rng(1)).all()
    assert problem.feasible(Y).all()
    assert np.array_equal(Y[feasible], X[feasible])
