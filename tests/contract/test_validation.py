import numpy as np
import pytest

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, Problem, ProblemError, SolverError


class Given(Problem):
    """A problem that gives back whatever the test wants."""

    def __init__(self, sizes=(2, 2), scores=lambda X: X.sum(axis=1), distinct=False, groups=None):
        self.sizes, self._scores, self.distinct, self.groups = sizes, scores, distinct, groups

    def score(self, X):
        return self._scores(X)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Given(sizes=(2, 0, 3)), "stage 1 offers no candidate"),
        (Given(sizes=(2.5, 1.0)), "a row of integers"),
        (Given(sizes=((1, 2), (3, 4))), "a row of integers"),
        (Given(sizes=(2, -1)), "stage 1 offers no candidate"),
        (Given(sizes=(2, 3), distinct=True), "offer the same candidates"),
        (Given(sizes=(2, 2, 2), distinct=True), "3 stages cannot take different ones of 2"),
        (Given(groups=(0,)), "one group per stage"),
        (Given(scores=lambda X: np.full(len(X), np.nan)), "returned nan for"),
        (Given(scores=lambda X: np.full(len(X), np.inf)), "returned inf for"),
        (Given(scores=lambda X: X), r"returned shape \(\d+, 2\)"),
        (Given(scores=lambda _: 1.0), r"returned shape \(\)"),
        (Given(scores=lambda X: ["high"] * len(X)), "expected real numbers"),
        (Given(scores=lambda X: np.full(len(X), 1j)), "expected real numbers"),
    ],
)
@pytest.mark.parametrize("solver", ["random", "icm", "exhaustive"])
def test_a_problem_that_breaks_its_contract_is_named_with_what_it_did(problem, said, solver):
    with pytest.raises(ProblemError, match=said):
        swarmkit.solve(problem, solver, looks=1000)


def test_a_problem_without_sizes_says_so():
    class Nothing(Problem):
        def score(self, X):
            return np.zeros(len(X))

    with pytest.raises(ProblemError, match="has no sizes"):
        swarmkit.solve(Nothing(), "random")


def test_what_is_not_a_problem_is_refused():
    with pytest.raises(ProblemError, match=r"expected a swarmkit.Problem, got list"):
        swarmkit.solve([1, 2], "random")


def test_a_pairwise_form_of_other_sizes_is_refused():
    class Liar(Given):
        def pairwise(self):
            return Pairwise.of([3, 3])

    with pytest.raises(ProblemError, match="not the problem's"):
        swarmkit.solve(Liar(), "random")


@pytest.mark.parametrize("solver", ["random", "first", "greedy", "icm", "exhaustive"])
def test_an_empty_problem_has_the_empty_solution(solver):
    result = swarmkit.solve(Given(sizes=()), solver)
    assert (result.solution, result.score, result.stopped) == ([], 0.0, "done")


@pytest.mark.parametrize("solver", ["random", "first", "greedy", "icm", "exhaustive"])
def test_stages_of_one_candidate_are_fine(solver):
    problem = PairwiseProblem(Pairwise.of([1, 3, 1], [(0, 1, [[1.0, 5.0, 2.0]]), (1, 2, [[1.0], [1.0], [9.0]])]))
    result = swarmkit.solve(problem, solver, looks=1000)
    assert result.solution[0] == result.solution[2] == 0
    assert result.score == problem.score(np.array([result.solution]))[0]


def test_one_solution_in_all_is_answered_without_a_search():
    result = swarmkit.solve(Given(sizes=(1, 1, 1)), "random")
    assert (result.solution, result.stopped, result.looks) == ([0, 0, 0], "done", 0)


def test_integer_and_boolean_scores_are_numbers():
    assert swarmkit.solve(Given(scores=lambda X: X.sum(axis=1) > 1), "exhaustive").score == 1.0


def test_solutions_of_the_wrong_shape_are_refused():
    class Wrong(swarmkit.Solver):
        def start(self, problem, rng):
            return None

        def step(self, problem, state, rng):
            return swarmkit.StepResult(np.array([0]), 1.0, looks=1)

    with pytest.raises(SolverError, match=r"Wrong.step returned a solution of shape \(1,\) .*expected 2 integers"):
        swarmkit.solve(Given(), Wrong())


def test_a_claimed_score_that_is_not_the_problems_is_an_error():
    class Boaster(swarmkit.Solver):
        def start(self, problem, rng):
            return None

        def step(self, problem, state, rng):
            return swarmkit.StepResult(np.array([1, 1]), 1e9, looks=1)

    with pytest.raises(SolverError, match=r"'Boaster' claimed a score of 1000000000.0; the problem says 2"):
        swarmkit.solve(Given(), Boaster())


class OneAtATime(Problem):
    sizes = (3, 3)

    def score_one(self, x):
        return int(x[0]) * 3 + int(x[1])


def test_a_score_of_one_solution_is_enough():
    assert OneAtATime().score(np.array([[0, 1], [2, 2]])).tolist() == [1, 8]
    assert OneAtATime().score(np.empty((0, 2), int)).shape == (0,)
    found = swarmkit.solve(OneAtATime(), "random", evaluations=60)
    assert (found.score, found.evaluations) == (8, 60)
    assert PairwiseProblem(Pairwise.of([2], unary=[1.0, 5.0])).score_one(np.array([1])) == 5.0


def test_a_subclass_may_replace_either():
    class Batches(OneAtATime):
        def score(self, X):
            return -X.sum(axis=1)

    class Again(Batches):
        def score_one(self, x):
            return 7.0

    X = np.array([[1, 1]])
    assert Batches().score(X).tolist() == [-2]
    assert Again().score(X).tolist() == [7]


@pytest.mark.parametrize(
    "score",
    [
        lambda self, x: sum(int(candidate) for candidate in x),
        lambda self, X: X.sum(),
        lambda self, X: X.sum(axis=0),
        lambda self, X: X,
    ],
)
def test_a_score_that_is_not_one_of_batches_is_refused_with_the_way_out(score):
    wrong = type("Wrong", (Problem,), {"sizes": (2, 2, 2), "score": score})
    with pytest.raises(ProblemError, match=r"define score_one\(x\) instead"):
        swarmkit.solve(wrong(), "random", evaluations=10)


def test_a_score_that_is_simply_broken_keeps_its_own_error():
    class Broken(Problem):
        sizes = (2, 2)

        def score(self, X):
            return {}["missing"]

    with pytest.raises(KeyError, match="missing"):
        swarmkit.solve(Broken(), "random", evaluations=10)


def test_a_score_of_one_solution_is_one_number():
    wrong = type("Wrong", (Problem,), {"sizes": (2, 2), "score_one": lambda self, x: [1, 2]})
    with pytest.raises(ProblemError, match="score_one returned shape"):
        swarmkit.solve(wrong(), "random", evaluations=10)


class Bits(Problem):
    sizes = (2,) * 14

    def score(self, X):
        return X.sum(axis=1).astype(float)


class WrongGains(Bits):
    def gains(self, x, stage):
        return np.array([0.0, 25.0])


class GainsOfAllStages(Bits):
    def gains(self, x, stage):
        return np.zeros((14, 2))


class AllowedForOneSolution(Bits):
    def allowed(self, X, stage):
        return np.ones(2, bool)


class WritesIntoX(Bits):
    def score(self, X):
        X[:, 0] = 1
        return super().score(X)


class DrawsItsScore(Bits):
    def score(self, X):
        return np.random.default_rng().random(len(X))


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (WrongGains(), r"WrongGains\.gains: candidate . at stage 0 of .* by its score it gains"),
        (GainsOfAllStages(), r"gains returned shape \(14, 2\) for stage 0; expected \(2,\)"),
        (AllowedForOneSolution(), r"allowed returned shape \(2,\) for 2 solutions; expected \(2, 2\)"),
        (WritesIntoX(), "score writes into the solutions that it is given"),
        (DrawsItsScore(), "it must not be random"),
    ],
)
@pytest.mark.parametrize("solver", ["auto", "icm", "sa"])
def test_a_member_that_contradicts_the_score_is_named_at_the_start_and_no_solver_is_blamed(problem, words, solver):
    with pytest.raises(ProblemError, match=words) as refusal:
        swarmkit.solve(problem, solver, evaluations=300)
    assert f"'{solver}'" not in str(refusal.value)
