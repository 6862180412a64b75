"""The conformance kit has to catch every way of breaking the contract: one broken problem for each check."""

import numpy as np
import pytest

from swarmkit import Pairwise, PairwiseProblem, Problem, View
from swarmkit.testing import Report, check_problem
from swarmkit.testing.families import Shape, random_form
from swarmkit.testing.problem_contract import CASES
from tests.testing.failing import failures


class Sound(Problem):
    """A problem that keeps its contract, to be broken in one way at a time."""

    sizes = (3, 2, 4)

    def score(self, X):
        return (X * [3.0, 1.0, 2.0]).sum(axis=1)


class ScoresTheFirstDifferently(Sound):
    def score(self, X):
        return super().score(X) + (np.arange(len(X)) > 1)


class ScoresByChance(Sound):
    def score(self, X):
        return super().score(X) + np.random.default_rng().random(len(X)) * (len(X) > 2)


class ChangesWhatItScores(Sound):
    def score(self, X):
        scores = super().score(X)
        if len(X) == CASES:
            X[:, 0] = 0
        return scores


class FailsOnNothing(Sound):
    def score(self, X):
        return super().score(X) + 0 * X[0, 0]


class GainsTooMuch(Sound):
    def gains(self, x, stage):
        return super().gains(x, stage) * (1.001 if stage == 1 else 1.0)


class AllowsTooMuch(Sound):
    def feasible(self, X):
        return X.sum(axis=1) < 4

    def allowed(self, X, stage):
        return np.ones((len(X), self.sizes[stage]), bool)


class AllowsTooLittle(AllowsTooMuch):
    def allowed(self, X, stage):
        allowed = Problem.allowed(self, X, stage)
        allowed[(X < 0).sum(axis=1) > 1, -1] = False
        return allowed


class AllowsInNumbers(Sound):
    def allowed(self, X, stage):
        return np.ones((len(X), self.sizes[stage]))


class FindsThingsAwful(Sound):
    def heuristic_values(self, X, stage, last):
        return -np.ones((len(X), self.sizes[stage]))


class FindsThingsInfinite(Sound):
    def heuristic_values(self, X, stage, last):
        return np.full((len(X), self.sizes[stage]), np.inf)


class HasOtherTables(Sound):
    form = Pairwise.of([3, 2, 4], [(0, 1, np.ones((3, 2)))])

    def pairwise(self):
        return self.form

    def gains(self, x, stage):
        return Problem.gains(Sound(), x, stage)


class MakesItsTablesAnew(PairwiseProblem):
    def __init__(self):
        super().__init__(random_form(Shape(4, 3, 2, "floats", 1)))

    def pairwise(self):
        return random_form(Shape(4, 3, 2, "floats", 1))


class HasWrongRows(PairwiseProblem):
    def __init__(self):
        super().__init__(random_form(Shape(4, 3, 2, "floats", 1)))
        self.form.rows.data[:] += 1


class HasWrongHalfEdges(PairwiseProblem):
    def __init__(self):
        super().__init__(random_form(Shape(4, 3, 2, "floats", 1), distinct=True, shared=True))
        self.form.half_edges.weight[:] *= 2


class RelatesOneWay(Sound):
    def relatedness(self, a, b):
        return (a < b).astype(float)


class RelatesTooMuch(Sound):
    def relatedness(self, a, b):
        return np.full(len(a), 2.0)


class KnowsTooLittle(Sound):
    optimum = 0.5


class DrawsOverTheSolution(Sound):
    def view(self):
        return View(draw=self.sort)

    def sort(self, x, axes):
        x.sort()
        axes.plot(x)
        x[:] = 0


class DescribesWithObjects(Sound):
    def describe(self, x):
        return [{"what": object()}]


class MeasuresNothing(Sound):
    def metrics(self, x):
        return {"gap": float("nan")}


class StaysAtHome(Sound):
    def __init__(self):
        self.function = lambda: None


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (ScoresTheFirstDifferently, "a batch scores as one by one"),
        (ScoresByChance, "a batch scores as one by one"),
        (ChangesWhatItScores, "a batch scores as one by one"),
        (FailsOnNothing, "an empty batch is fine"),
        (GainsTooMuch, "gains are differences of scores"),
        (AllowsTooMuch, "allowed agrees with the judge"),
        (AllowsInNumbers, "allowed agrees with the judge"),
        (AllowsTooLittle, "allowed never rules a solution out"),
        (FindsThingsAwful, "heuristic values are finite and not negative"),
        (FindsThingsInfinite, "heuristic values are finite and not negative"),
        (HasOtherTables, "the pairwise form is the score"),
        (MakesItsTablesAnew, "the pairwise form is the score"),
        (HasWrongRows, "the pairwise form is the score"),
        (HasWrongHalfEdges, "the pairwise form is the score"),
        (RelatesOneWay, "relatedness is a similarity"),
        (RelatesTooMuch, "relatedness is a similarity"),
        (KnowsTooLittle, "nothing is better than the known optimum"),
        (DrawsOverTheSolution, "drawing does not change the solution"),
        (DescribesWithObjects, "answers are json"),
        (MeasuresNothing, "answers are json"),
        (StaysAtHome, "a pickled copy is the same problem"),
    ],
)
def test_a_broken_problem_is_caught_by_the_check_for_it(broken, check):
    assert check in failures(check_problem, broken())


def test_a_sound_problem_passes_and_says_what_was_skipped():
    report = check_problem(Sound)
    assert isinstance(report, Report)
    assert not report.of("failed")
    assert {outcome.detail for outcome in report.of("skipped")} == {
        "the problem has no pairwise form",
        "the problem knows no optimum",
        "the problem has no parts",
        "the problem has no picture of its own",
        "the problem has no relatedness",
    }
    assert str(report).startswith("problem Sound: 9 passed, 0 failed, 5 skipped (")


def test_a_problem_that_no_solver_could_take_is_said_to_be_ill_formed():
    class Empty(Sound):
        sizes = (0, 2, 4)

    assert failures(check_problem, Empty()) == {"the problem is well formed"}
