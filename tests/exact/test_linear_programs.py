"""HiGHS and CP-SAT prove what enumeration finds, on problems with linear constraints; what is no program is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Constraint, Constraints, Pairwise, PairwiseProblem, known_bound
from swarmkit_exact import programs
from swarmkit_exact.linearisation import linearise
from tests.contract.test_constraints import everything


def random_problem(seed):
    """Return a problem of a few stages of 1 to 4 candidates, with values, tables, and rows that some solutions meet."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 5)
    pairs = [
        (i, j, rng.integers(-9, 10, (sizes[i], sizes[j]))) for i in range(5) for j in range(i) if rng.random() < 0.4
    ]
    problem = PairwiseProblem(Pairwise.of(sizes, pairs, rng.integers(-9, 10, sizes.sum())))
    slots = np.array([(stage, candidate) for stage in range(5) for candidate in range(sizes[stage])])
    some = rng.integers(sizes)
    rows = []
    for _ in range(3):
        values = rng.integers(-4, 5, len(slots))
        middle = int(values[(slots[:, 1] == some[slots[:, 0]])].sum())
        rows.append(Constraint.of(slots, values, middle - rng.integers(0, 4), middle + rng.integers(0, 4)))
    problem.constraints = Constraints.of(sizes, rows)
    return problem


def optimum(problem):
    X = everything(problem.sizes)
    return problem.score(X[problem.feasible(X)]).max()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_a_program_has_the_optimum_of_its_problem(seed):
    problem = random_problem(seed)
    program = linearise(problem)
    [answer] = programs.highs(program.plain, 20.0, 10_000)
    x = program.solution(answer["solution"])
    assert problem.feasible(x[None])[0]
    assert problem.score(x[None])[0] == pytest.approx(optimum(problem))
    assert program.bound(answer["bound"]) == pytest.approx(optimum(problem))


@pytest.mark.parametrize("name", ["highs", "cpsat"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_optimum_is_found_and_proved(name, seed):
    problem = random_problem(seed)
    result = swarmkit.solve(problem, name, fixed={})
    assert result.score == result.bound == optimum(problem)


@pytest.mark.parametrize("name", ["highs", "cpsat"])
def test_costs_have_bounds_and_fixed_stages_stay(name):
    problem = swarmkit.make_problem("setcover", rows=15, columns=30)
    proved = swarmkit.solve(problem, name)
    column = proved.solution.index(1)
    without = swarmkit.solve(problem, name, fixed={column: 0})
    assert without.solution[column] == 0
    assert without.bound == without.score <= proved.score
    assert problem.feasible(np.array([without.solution]))[0]


def test_a_limit_of_time_leaves_a_solution_and_a_bound():
    problem = swarmkit.make_problem("knapsack", n=100, capacities=10)
    result = swarmkit.solve(problem, "highs", params={"seconds": 1.5})
    assert result.score < result.bound
    assert known_bound(swarmkit.make_problem("knapsack", n=30)).by == "highs"


def test_a_problem_without_a_solution_has_none():
    model = swarmkit.Model()
    take = model.subset(3)
    for pair in ([0, 1], [1, 2], [0, 2]):
        model.add(take[pair].sum() == 1)
    result = swarmkit.solve(model.problem(), "highs")
    assert (result.solution, result.stopped) == (None, "done")


class Judged(swarmkit.Problem):
    sizes, constraints = [2, 2], [swarmkit.at_most([(0, 1), (1, 1)], 1)]

    def score(self, X):
        return X.sum(axis=1)


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (lambda: swarmkit.make_problem("synthetic"), "it has no linear constraints: 'toulbar2' proves tables"),
        (Judged, "it has no tables: nothing but the score is known"),
        (lambda: order(swarmkit.Model()), "it has tables between stages that must differ"),
    ],
    ids=["tables", "a score", "an order"],
)
def test_what_is_no_program_is_refused(problem, reason):
    with pytest.raises(swarmkit.Refusal, match=reason):
        swarmkit.solve(problem(), "highs")


def order(model):
    places = model.sequence(4)
    model.minimise(places[:-1].lookup(np.arange(16.0).reshape(4, 4), places[1:]).sum())
    model.add((places[0] == 2) <= 0)
    return model.problem()


def test_decimal_fractions_are_scaled_for_cpsat_and_others_refused():
    model = swarmkit.Model()
    take = model.subset(3)
    model.maximise(take.sum())
    model.add([0.5, 1.001, 1.0] @ take <= 1.5)
    assert swarmkit.solve(model.problem(), "cpsat").solution == [1, 0, 1]
    model.add([np.pi, 1.0, 1.0] @ take <= 1.5)
    with pytest.raises(swarmkit.Refusal, match="CP-SAT takes whole numbers"):
        swarmkit.solve(model.problem(), "cpsat")
