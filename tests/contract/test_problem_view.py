"""Problems as solvers see them: scores maximised, fixed stages left out, and the same runs and scores as the whole."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem, ProblemError, UsageError
from swarmkit.contract.problem_view import complete, fixed_tables, problem_view, restrict
from swarmkit.search.construction import random_solutions
from swarmkit.testing import ConformanceError, check_problem
from swarmkit.testing.families import FAMILIES, BlackBox, Bounded, Divided, Shape, random_form, random_tour, shapes


def negated(problem):
    """A problem whose costs are the scores of another one, negated: the same search for a solver."""

    class Costs(type(problem)):
        direction = "minimise"

        def __init__(self):
            self.__dict__.update(problem.__dict__)
            self.__dict__.pop("structure", None)
            self.__dict__.pop("fingerprint", None)
            self.__dict__.pop("meter", None)
            self.parts = tuple(part._replace(problem=negated(part.problem)) for part in problem.parts)

        def score(self, X):
            return 0.0 - np.asarray(super().score(X))

        def pairwise(self):
            form = super().pairwise()
            return None if form is None else form.negated

        if problem.overrides("gains"):

            def gains(self, x, stage):
                return 0.0 - np.asarray(super().gains(x, stage))

    return Costs()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("solver", ["sa", "ga", "greedy", "exhaustive"])
def test_a_cost_is_searched_as_its_negative_is(family, solver):
    problem = family.make(Shape(4, 3, 2, "floats", 5))
    up = swarmkit.solve(problem, solver, looks=3000)
    down = swarmkit.solve(negated(problem), solver, looks=3000)
    assert (down.solution, down.looks, down.bound) == (up.solution, up.looks, up.bound)
    assert down.score == pytest.approx(up.score)
    assert down.cost == -down.score
    assert (up.cost, up.objective, down.objective) == (None, "score", "cost")


class Costs(PairwiseProblem):
    direction = "minimise"

    def __init__(self, optimum):
        super().__init__(Pairwise.of([3, 3, 3], [(0, 1, np.eye(3)), (1, 2, np.eye(3))], np.arange(9.0)))
        self.optimum = optimum


def test_a_problem_with_costs_keeps_the_contract():
    check_problem(Costs(optimum=0.0 + 4.0 + 6.0), examples=5)


def test_an_optimum_above_a_cost_is_noticed():
    with pytest.raises(ConformanceError, match="nothing is better than the known optimum"):
        check_problem(Costs(optimum=15.0), examples=5)


def test_the_score_of_a_problem_with_costs_is_what_its_author_wrote():
    problem = negated(PairwiseProblem(random_form(Shape(3, 3, 1, "floats", 1))))
    X = np.zeros((1, 3), np.int64)
    found = swarmkit.solve(problem, "exhaustive")
    assert problem.score(np.array([found.solution]))[0] == pytest.approx(found.cost)
    assert problem_view(problem).score(X)[0] == pytest.approx(-problem.score(X)[0])


def test_a_target_is_a_cost_where_costs_are_minimised():
    problem = negated(BlackBox(random_form(Shape(5, 4, 2, "floats", 1))))
    best = swarmkit.solve(problem, "exhaustive").cost
    found = swarmkit.solve(problem, "random", evaluations=10**5, target=best + 1e-9)
    assert (found.stopped, found.cost) == ("target", pytest.approx(best))
    assert found.budget.target == pytest.approx(-best)


def test_the_known_optimum_and_the_gap_are_costs():
    problem = negated(PairwiseProblem(random_form(Shape(4, 3, 2, "floats", 1))))
    best = swarmkit.solve(problem, "exhaustive").cost
    problem.optimum = best
    known = swarmkit.known_bound(problem)
    assert (known.value, known.optimum) == (pytest.approx(-best), True)
    worse = swarmkit.solve(problem, "random", evaluations=1)
    assert f"above the optimum {best:.6g}" in swarmkit.measure_gap(worse, known).words


def test_a_wrong_direction_and_parts_of_another_direction_are_refused():
    problem = PairwiseProblem(random_form(Shape(3, 3, 1, "floats", 1)))
    problem.direction = "down"
    with pytest.raises(ProblemError, match="expected 'maximise' or 'minimise'"):
        swarmkit.solve(problem, "sa", looks=10)
    divided = Divided(Shape(4, 3, 2, "floats", 1))
    divided.direction = "minimise"
    with pytest.raises(ProblemError, match="parts must have the direction"):
        swarmkit.solve(divided, "sa", looks=10)


def test_the_fingerprint_of_costs_is_not_that_of_scores():
    problem = PairwiseProblem(random_form(Shape(3, 3, 1, "floats", 1)))
    twin = PairwiseProblem(problem.form)
    twin.direction = "minimise"
    assert twin.fingerprint != problem.fingerprint


@given(shapes(fewest=2), st.integers(0, len(FAMILIES) - 1), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_scores_and_members_of_the_rest_are_those_of_the_whole(shape, family, seed):
    problem = FAMILIES[family].make(shape)
    rng = np.random.default_rng(seed)
    X = random_solutions(problem, 5, rng)
    if len(X) == 0:
        return
    n = len(problem.sizes)
    stages = rng.permutation(n)[: int(rng.integers(1, n))]
    X = X[(X[:, stages] == X[0, stages]).all(axis=1)]
    view = problem_view(problem, {int(stage): int(X[0, stage]) for stage in stages})
    Y = restrict(view, X)
    assert np.array_equal(complete(view, Y), X) or problem.structure.tour is not None
    assert view.score(Y) == pytest.approx(problem.score(X))
    assert view.feasible(Y).all()
    form = view.pairwise()
    assert (form is None) == (problem.pairwise() is None)
    if form is not None:
        assert form.score(Y) == pytest.approx(problem.score(X))
    if len(view.sizes) and Y.shape[1] < n:
        for stage in range(Y.shape[1]):
            Z = view.neighbours(Y[:1], stage)
            assert view.gains(Y[0], stage) == pytest.approx(np.subtract(view.score(Z), view.score(Y[:1])))
            assert view.allowed(Y, stage)[np.arange(len(Y)), Y[:, stage]].all()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_rest_keeps_the_contract_of_problems(family):
    problem = family.make(Shape(5, 3, 2, "floats", 5))
    x = random_solutions(problem, 1, np.random.default_rng(1))[0]
    view = problem_view(problem, {1: int(x[1]), 3: int(x[3])} if len(x) > 3 else {0: int(x[0])})
    for check in ("gains_are_differences_of_scores", "allowed_agrees_with_the_judge", "the_pairwise_form_is_the_score"):
        from swarmkit.testing import problem_contract
        from swarmkit.testing.report import Skipped

        try:
            getattr(problem_contract, check)(view, np.random.default_rng(0))
        except Skipped:
            assert check == "the_pairwise_form_is_the_score"


def test_the_best_solution_with_fixed_stages_is_found():
    problem = PairwiseProblem(random_form(Shape(5, 4, 3, "floats", 2)))
    every = np.array(list(itertools.product(*map(range, problem.sizes))))
    fixed = {1: 0, 3: int(problem.sizes[3]) - 1}
    best = problem.score(every[(every[:, 1] == fixed[1]) & (every[:, 3] == fixed[3])]).max()
    for solver in ("exhaustive", "toulbar2", "ils"):
        found = swarmkit.solve(problem, solver, looks=20_000, fixed=fixed)
        assert found.score == pytest.approx(best)
        assert [found.solution[stage] for stage in fixed] == list(fixed.values())


def test_one_fixed_position_of_a_tour_leaves_it_a_tour():
    problem = swarmkit.make_problem("tsp", n=12)
    view = problem_view(problem, {4: 7})
    assert view.structure.tour is problem.structure.tour
    free = swarmkit.solve(problem, "tour-ga", looks=50_000)
    found = swarmkit.solve(problem, "tour-ga", looks=50_000, fixed={4: 7})
    assert (found.solution[4], found.score) == (7, free.score)


@pytest.mark.parametrize("fixed", [{0: 2, 6: 5}, {0: 2, 1: 4, 6: 5}, {0: 2, 3: 5}], ids=["ends", "path", "apart"])
@pytest.mark.parametrize("solver", ["ils", "exhaustive", "annealing", "random"])
def test_several_fixed_positions_of_a_tour_are_kept(fixed, solver):
    problem = PairwiseProblem(random_tour(Shape(7, 7, 2, "floats", 3)))
    every = np.array(list(itertools.permutations(range(7))))
    best = problem.score(every[(every[:, list(fixed)] == list(fixed.values())).all(axis=1)]).max()
    found = swarmkit.solve(problem, solver, looks=100_000, fixed=fixed)
    assert [found.solution[stage] for stage in fixed] == list(fixed.values())
    assert found.score == pytest.approx(best if solver != "random" else found.score)
    assert found.score == pytest.approx(problem.score(np.array([found.solution]))[0])


def test_consecutive_fixed_cities_leave_a_symmetric_tour_one():
    problem = swarmkit.make_problem("tsp", n=12)
    path = {11: 3, 0: 5, 1: 9}
    view = problem_view(problem, path)
    assert view.structure.symmetric_tour() is not None
    assert problem_view(problem, {0: 5, 2: 9}).structure.tour is None
    rng = np.random.default_rng(0)
    X = np.array([rng.permutation(12) for _ in range(20)])
    Y = complete(view, X)
    assert (Y[:, [11, 0, 1]] == [3, 5, 9]).all()
    assert (np.sort(Y, axis=1) == np.arange(12)).all()
    assert view.score(Y) == pytest.approx(problem.score(Y))
    assert view.pairwise().score(X) == pytest.approx(view.score(X))
    assert (view.score(X) <= problem.score(X)).all()
    backwards = Y[:, ::-1]
    assert complete(view, backwards) == pytest.approx(Y)


def test_the_gap_with_fixed_ends_is_to_the_optimum_with_them():
    problem = PairwiseProblem(random_tour(Shape(7, 7, 2, "floats", 3)))
    fixed = {0: 2, 6: 5}
    best = swarmkit.solve(problem, "exhaustive", fixed=fixed)
    assert best.bound == pytest.approx(best.score)
    assert swarmkit.known_bound(problem, fixed=fixed).value == pytest.approx(best.score)


def test_all_stages_may_be_fixed_and_whole_parts_too():
    problem = Divided(Shape(4, 3, 2, "floats", 1))
    x = [0] * len(problem.sizes)
    found = swarmkit.solve(problem, "sa", looks=100, fixed=dict(enumerate(x)))
    assert (found.solution, found.stopped) == (x, "done")
    first = problem.parts[1].stages.tolist()
    found = swarmkit.solve(problem, "sa", looks=1000, fixed=dict.fromkeys(first, 0))
    assert [found.solution[stage] for stage in first] == [0] * len(first)
    assert found.score == pytest.approx(problem.score(np.array([found.solution]))[0])


def test_fixed_stages_respect_capacities():
    problem = Bounded(random_form(Shape(5, 4, 2, "floats", 1)))
    most = int(problem.sizes[0]) - 1
    found = swarmkit.solve(problem, "sa", looks=2000, fixed={0: most})
    assert found.solution[0] == most
    assert sum(found.solution) <= problem.capacity


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ({9: 0}, "there is no stage 9; stages are 0 to 4"),
        ({0: 99}, "stage 0 has no candidate 99"),
        ({0: 1, 1: 1}, "candidate 1 at stage 1 is not allowed beside the other fixed ones"),
        ({"a": 1}, "stages are whole numbers from 0"),
        ({0: 1.5}, "candidates are whole numbers from 0"),
    ],
)
def test_fixed_candidates_that_make_no_sense_are_refused(fixed, message):
    problem = PairwiseProblem(random_tour(Shape(5, 5, 2, "floats", 3)))
    with pytest.raises(UsageError, match=message):
        swarmkit.solve(problem, "sa", looks=10, fixed=fixed)


def test_fixed_tables_put_what_is_fixed_into_the_values_of_the_others():
    form = Pairwise.of([2, 2], [(0, 1, [[1.0, 2.0], [3.0, 4.0]], 2.0)], unary=[10.0, 20.0, 0.5, 0.0])
    left = fixed_tables(form, np.array([1]), np.array([0]))
    assert left.unary.tolist() == [10.0 + 2.0 + 0.5, 20.0 + 6.0 + 0.5]
    assert len(left.edges) == 0


def test_evaluations_with_fixed_stages_are_those_of_the_whole_problem():
    class Counted(Problem):
        sizes = (3, 3, 3)

        def score(self, X):
            assert X.shape[1] == 3
            return X.sum(axis=1)

    found = swarmkit.solve(Counted(), "random", evaluations=50, fixed={1: 0})
    assert found.evaluations == 50
    assert found.solution == [2, 0, 2]


class Ones(Problem):
    sizes = (2,) * 6

    def __init__(self, direction="maximise"):
        self.direction = direction

    def score(self, X):
        return X.sum(axis=1).astype(float)


def test_american_spellings_of_directions_mean_the_same():
    class OfTheClass(Ones):
        direction = "minimize"

        def __init__(self):
            pass

    for problem in (Ones("minimize"), OfTheClass()):
        assert (problem.direction, problem.objective) == ("minimise", "cost")
        assert swarmkit.solve(problem, "icm", evaluations=50).cost == 0
    assert swarmkit.solve(Ones("maximize"), "icm", evaluations=50).score == 6
