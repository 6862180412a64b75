"""The conformance kit has to catch every way of breaking the contract: one broken thing for each check."""

import random

import numpy as np
import pytest

import swarmkit
from swarmkit import Found, Pairwise, PairwiseProblem, Problem, Solver, evaluate, random_solutions
from swarmkit.testing import ConformanceError, Report, check_problem, check_solver, solver_checks
from swarmkit.testing.families import FAMILIES, Shape, random_form
from swarmkit.testing.report import run_checks


def failures(check, subject) -> set[str]:
    """Name the checks that fail, without the family they failed on."""
    try:
        check(subject)
    except ConformanceError as error:
        return {outcome.name.split(" [")[0] for outcome in error.report.of("failed")}
    return set()


def checks_named(name, solver):
    """The checks of a solver that have a name, one a family."""
    checks = (parameter.values[0] for parameter in solver_checks(solver, examples=4).args[1])
    return [check for check in checks if check.name.split(" [")[0] == name]


class Sound(Problem):
    """A problem that keeps its contract, to be broken in one way at a time."""

    sizes = (3, 2, 4)

    def score(self, X):
        return (X * [3.0, 1.0, 2.0]).sum(axis=1)


class ScoresTheFirstDifferently(Sound):
    def score(self, X):
        return super().score(X) + (np.arange(len(X)) > 0)


class ScoresByChance(Sound):
    def score(self, X):
        return super().score(X) + np.random.default_rng().random(len(X))


class ChangesWhatItScores(Sound):
    def score(self, X):
        scores = super().score(X)
        X[:, 0] = 0
        return scores


class FailsOnNothing(Sound):
    def score(self, X):
        return super().score(X) + 0 * X[0, 0]


class GainsTooMuch(Sound):
    def gains(self, x, stage):
        return super().gains(x, stage) * 1.001


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
    def appeal(self, X, stage, last):
        return -np.ones((len(X), self.sizes[stage]))


class FindsThingsInfinite(Sound):
    def appeal(self, X, stage, last):
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
    def draw(self, x, axes):
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
        (FindsThingsAwful, "appeal is finite and not negative"),
        (FindsThingsInfinite, "appeal is finite and not negative"),
        (HasOtherTables, "the pairwise form is the score"),
        (MakesItsTablesAnew, "the pairwise form is the score"),
        (HasWrongRows, "the pairwise form is the score"),
        (HasWrongHalfEdges, "the pairwise form is the score"),
        (RelatesOneWay, "relatedness is a similarity"),
        (RelatesTooMuch, "relatedness is a similarity"),
        (KnowsTooLittle, "nothing is better than the known optimum"),
        (DrawsOverTheSolution, "a drawing leaves the solution alone"),
        (DescribesWithObjects, "answers are json"),
        (MeasuresNothing, "answers are json"),
        (StaysAtHome, "the problem travels"),
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
        "the problem does not say that it knows its optimum",
        "the problem has no parts",
        "the problem has no picture of its own",
        "the problem has no relatedness",
    }
    assert str(report).startswith("problem Sound: 9 passed, 0 failed, 5 skipped (")


def test_a_problem_that_no_solver_could_take_is_said_to_be_ill_formed():
    class Empty(Sound):
        sizes = (0, 2, 4)

    assert failures(check_problem, Empty()) == {"the problem is well formed"}


class Drawing(Solver):
    """A solver that keeps its contract, to be broken in one way at a time."""

    def start(self, problem, rng) -> dict:
        return {"steps": 0}

    def step(self, problem, state, rng) -> Found:
        state["steps"] += 1
        X = random_solutions(problem, 4, rng)
        return self.found(problem, X, looks=4 * len(problem.sizes))

    def found(self, problem, X, looks):
        if len(X) == 0:
            return Found(None, None, looks)
        scores = evaluate(problem, X)
        i = scores.argmax()
        return Found(X[i], float(scores[i]), looks)


class TakesAnything(Drawing):
    def step(self, problem, state, rng):
        X = np.zeros((1, len(problem.sizes)), np.int64)
        return Found(X[0], float(evaluate(problem, X)[0]), looks=1)


class Exaggerates(Drawing):
    def found(self, problem, X, looks):
        found = super().found(problem, X, looks)
        return found if found.score is None else found._replace(score=found.score + 0.01)


class WorksForFree(Drawing):
    def found(self, problem, X, looks):
        return super().found(problem, X, 0)


class UsesItsOwnChance(Drawing):
    def step(self, problem, state, rng):
        return super().step(problem, state, np.random.default_rng())


class RemembersOutsideItsState(Drawing):
    def step(self, problem, state, rng):
        self.calls = getattr(self, "calls", 0) + 1
        return super().step(problem, state, rng)._replace(looks=self.calls)


class KeepsASet(Drawing):
    def start(self, problem, rng):
        return {"seen": set(), "steps": 0}


class UsesTheGlobalGenerator(Drawing):
    def step(self, problem, state, rng):
        random.random()  # noqa: S311  (nothing secret is drawn)
        return super().step(problem, state, rng)


class UsesNumpysGlobalGenerator(Drawing):
    def step(self, problem, state, rng):
        np.random.random()  # noqa: NPY002  (what the kit has to catch)
        return super().step(problem, state, rng)


class ChangesTheProblem(Drawing):
    def step(self, problem, state, rng):
        form = problem.pairwise()
        if form is not None:
            form.unary[0] += 0.5
        return super().step(problem, state, rng)


class CannotTravel(Drawing):
    def __init__(self):
        super().__init__()
        self.function = lambda: None


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (TakesAnything, "every solution is feasible"),
        (Exaggerates, "reported scores are the problems"),
        (WorksForFree, "every step counts its looks"),
        (UsesItsOwnChance, "the same seed gives the same run"),
        (RemembersOutsideItsState, "the same seed gives the same run"),
        (KeepsASet, "a resumed run is the straight run"),
        (UsesTheGlobalGenerator, "problem and global generators stay untouched"),
        (UsesNumpysGlobalGenerator, "problem and global generators stay untouched"),
        (ChangesTheProblem, "problem and global generators stay untouched"),
        (CannotTravel, "a spawned process can run it"),
    ],
)
def test_a_broken_solver_is_caught_by_the_check_for_it(broken, check):
    assert failures(lambda solver: run_checks("", checks_named(check, solver)), broken()) == {check}


def test_a_solver_whose_start_forgets_to_announce_its_state_is_told():
    from dataclasses import dataclass

    @dataclass
    class State:
        steps: int

    class Local(Drawing):
        def start(self, problem, rng):
            return State(0)

        def step(self, problem, state, rng):
            return super().step(problem, {"steps": state.steps}, rng)

    with pytest.raises(ConformanceError, match="annotate it, 'def start"):
        check_solver(Local(), examples=2)


class Choosy(Drawing):
    def refuses(self, problem):
        return "it has constraints" if problem.overrides("feasible") else None


def test_a_refusal_is_a_reported_skip_with_its_reason():
    report = check_solver(Choosy(), examples=2)
    refused = {outcome.name.split(" [")[1][:-1] for outcome in report.of("skipped")}
    assert refused == {"judged", "bounded"}
    assert all("refused: it has constraints" in outcome.detail for outcome in report.of("skipped"))


def test_better_than_the_optimum_is_noticed():
    """The harness rescores, so only a problem that scores generously can make a solver look too good."""
    from swarmkit.testing.of_solvers import Evidence, never_better_than_the_optimum

    seen = Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1))
    seen.__dict__["optimum"] = seen.straight.score - 1
    with pytest.raises(AssertionError, match="is above"):
        never_better_than_the_optimum(seen)


def test_a_bound_that_does_not_hold_is_noticed():
    class Boasting(Drawing):
        def step(self, problem, state, rng):
            found = super().step(problem, state, rng)
            return found._replace(bound=found.score, done=True)  # the best it drew is the best there is, it says

    with pytest.raises(ConformanceError, match="a solution scores"):
        run_checks("", checks_named("a proved bound holds", Boasting()))


def test_a_run_that_outlives_its_budget_is_noticed(monkeypatch):
    from swarmkit.testing.of_solvers import Evidence, a_budget_is_kept_to_a_step

    monkeypatch.setattr(swarmkit.Budget, "spent", lambda self, progress: "looks" if progress.steps > 5 else None)
    with pytest.raises(AssertionError, match="and the run went on"):
        a_budget_is_kept_to_a_step(Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1)))


def test_a_best_that_decreases_is_noticed():
    from swarmkit.testing.of_solvers import Evidence, the_best_never_decreases

    seen = Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1))
    seen.straight.trace.score[:] = [2.0, 1.0]
    with pytest.raises(AssertionError, match="the best score goes"):
        the_best_never_decreases(seen)


@solver_checks(Drawing, examples=2)
def test_the_parametrizer_makes_a_test_of_each_check(check):
    check()
