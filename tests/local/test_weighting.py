"""Local search with weighted constraints, as a solver."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, capacity, cover, exactly


class SetCover(PairwiseProblem):
    """Sets of random costs, each covering a few of the elements; the first ones cover everything at a high cost."""

    direction = "minimise"

    def __init__(self, elements: int = 30, sets: int = 80, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        covers = rng.random((elements, sets)) < 0.1
        covers[:, 0] = True
        costs = rng.integers(1, 30, sets)
        costs[0] = 1000
        super().__init__(Pairwise.of([2] * sets, unary=np.column_stack([0 * costs, costs]).ravel()))
        self.constraints = [cover([(int(j), 1) for j in np.flatnonzero(row)]) for row in covers]


class Halves(PairwiseProblem):
    """A graph to be cut in two halves of the same size, with few edges between them."""

    direction = "minimise"

    def __init__(self, n: int = 24) -> None:
        apart = 1.0 - np.eye(2)
        near = [(i, (i + step) % n, apart) for i in range(n) for step in (1, 2)]
        super().__init__(Pairwise.of([2] * n, near))
        self.constraints = [exactly([(i, 0) for i in range(n)], n // 2, name="halves")]


def test_a_set_cover_is_solved_to_the_optimum_of_an_exact_solver() -> None:
    from scipy.optimize import Bounds, LinearConstraint, milp

    problem = SetCover()
    rows = problem.structure.linear
    assert rows is not None
    covers = np.zeros((len(rows), 80))
    covers[rows.rows, rows.stages] = 1.0
    optimum = milp(
        problem.form.unary[1::2], integrality=1, bounds=Bounds(0, 1), constraints=LinearConstraint(covers, 1)
    )
    result = swarmkit.solve(problem, "weighting", seed=1, looks=200_000)
    assert result.cost == pytest.approx(optimum.fun)


def test_auto_chooses_it_for_linear_constraints() -> None:
    result = swarmkit.solve(SetCover(), seed=1, looks=200_000)
    assert result.explanation is not None
    assert result.explanation.solvers[0].solver == "weighting"


def test_a_graph_is_cut_into_equal_halves() -> None:
    result = swarmkit.solve(Halves(), "weighting", seed=1, looks=500_000)
    assert result.cost == 6.0  # an arc and the rest: at each of its ends three edges are cut


def test_no_solution_is_reported_where_there_is_none() -> None:
    class Never(Halves):
        constraints = ()

        def __init__(self) -> None:
            super().__init__()
            # Each row alone can be met.
            self.constraints = [
                exactly([(0, 0), (1, 0)], 1),
                exactly([(1, 0), (2, 0)], 1),
                exactly([(0, 0), (2, 0)], 1),
            ]

    assert swarmkit.solve(Never(), "weighting", seed=1, looks=50_000).solution is None


def test_it_refuses_what_it_does_not_know() -> None:
    class Judged(SetCover):
        def feasible(self, X):
            return X[:, 0] == 0

    with pytest.raises(swarmkit.Refusal, match="linear constraints and no others"):
        swarmkit.solve(Judged(), "weighting", looks=1000)


def test_a_given_solution_is_where_it_goes_on() -> None:
    problem = SetCover()
    best = swarmkit.solve(problem, "weighting", seed=1, looks=200_000)
    again = swarmkit.solve(problem, "weighting", seed=2, looks=1_000, start=best.solution)
    assert again.cost <= best.cost


def test_fixed_stages_stay_fixed() -> None:
    result = swarmkit.solve(Halves(), "weighting", seed=1, looks=200_000, fixed={0: 0, 1: 1})
    assert result.solution is not None
    assert result.solution[:2] == [0, 1]
    assert Halves().feasible(np.array([result.solution]))[0]


def test_capacities_of_fractions_are_kept() -> None:
    class Knapsack(PairwiseProblem):
        def __init__(self) -> None:
            rng = np.random.default_rng(3)
            super().__init__(Pairwise.of([2] * 40, unary=np.column_stack([np.zeros(40), rng.random(40)]).ravel()))
            self.constraints = [capacity([(i, 1) for i in range(40)], rng.random(40), 5.3) for _ in range(3)]

    problem = Knapsack()
    result = swarmkit.solve(problem, "weighting", seed=1, looks=300_000)
    assert result.solution is not None
    assert problem.structure.linear is not None
    assert (problem.structure.linear.activities(np.array([result.solution])) <= 5.3 + 1e-6).all()
