"""The conformance kit has to catch every way of breaking the contract: one broken solver for each check."""

import copy
import random

import numpy as np
import pytest

import swarmkit
from swarmkit import WHOLE_STEP, Found, Left, Solver, evaluate, random_solutions
from swarmkit.testing import ConformanceError, check_solver, solver_checks
from swarmkit.testing.families import FAMILIES, Shape
from swarmkit.testing.report import run_checks
from tests.failing import failures


def checks_named(name, solver):
    """The checks of a solver that have a name, on the first three families: tables, permutations, black boxes."""
    checks = (parameter.values[0] for parameter in solver_checks(solver, examples=3).args[1])
    return [check for check in checks if check.name.split(" [")[0] == name][:3]


class Drawing(Solver):
    """A solver that keeps its contract, to be broken in one way at a time."""

    def start(self, problem, rng) -> dict:
        return {"steps": 0}

    def step(self, problem, state, rng) -> Found:
        state["steps"] += 1
        X = self.draw(problem, rng)
        return self.found(problem, X, looks=4 * len(problem.sizes))

    def draw(self, problem, rng):
        return random_solutions(problem, 4, rng)

    def found(self, problem, X, looks):
        if len(X) == 0:
            return Found(None, None, looks)
        scores = evaluate(problem, X)
        i = scores.argmax()
        return Found(X[i], float(scores[i]), looks)


class Pausing(Drawing):
    """A solver that keeps its contract and is told where to pause: a unit is one solution, an iteration has three."""

    def step(self, problem, state, rng, left: Left = WHOLE_STEP) -> Found:
        found, rows = Found(None, None, 0, iterations=0), self.rows(problem, state, left)
        for _ in range(rows):
            one = super().step(problem, state, rng)
            if found.score is None or (one.score is not None and one.score > found.score):
                found = found._replace(solution=one.solution, score=one.score)
            state["drawn"] += 1
        iterations = state["drawn"] // 3 - (state["drawn"] - rows) // 3
        return found._replace(looks=rows * len(problem.sizes), iterations=iterations)

    def start(self, problem, rng) -> dict:
        return {"steps": 0, "drawn": 0}

    def draw(self, problem, rng):
        return random_solutions(problem, 1, rng)

    def rows(self, problem, state, left):
        return min(left.rows(len(problem.sizes)), 3 * min(left.iterations, 10**6) - state["drawn"] % 3)


class SearchesByWhatIsLeft(Pausing):
    """It draws a batch as large as what is left: another cut, other random numbers."""

    def step(self, problem, state, rng, left: Left = WHOLE_STEP):
        X = rng.permuted(np.tile(np.arange(left.rows(len(problem.sizes))), (2, 1)), axis=1)
        return super().step(problem, state, np.random.default_rng(X[0]), left)


class HurriesAtTheEnd(Pausing):
    """A schedule that reads the budget: few iterations left, another way to draw."""

    def step(self, problem, state, rng, left: Left = WHOLE_STEP):
        if left.iterations < 10**6:
            rng.random()
        return super().step(problem, state, rng, left)


class RemembersTheStart(Drawing):
    """What `start` draws is kept in the solver, so a run that goes on elsewhere does not have it."""

    def start(self, problem, rng):
        self.first = random_solutions(problem, 1, rng)
        return super().start(problem, rng)

    def draw(self, problem, rng):
        return np.concatenate([self.first, super().draw(problem, rng)])


class DrawsForEveryStep(Pausing):
    """Random numbers that belong to no unit of work: another cut, more of them."""

    def step(self, problem, state, rng, left: Left = WHOLE_STEP):
        rng.random()
        return super().step(problem, state, rng, left)


class ScoresOnACopy(Drawing):
    """Rows that the harness does not see."""

    def found(self, problem, X, looks):
        twin = copy.copy(problem)
        twin.__dict__.pop("meter", None)
        return super().found(twin, X, looks)


class MakesTenIterations(Pausing):
    def rows(self, problem, state, left):
        return 30


class HeedsLooksOnly(Pausing):
    def rows(self, problem, state, left):
        return -(-left.looks // len(problem.sizes)) if left.looks > 1 else 1


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


class BoastsOfWhatIsGiven(Drawing):
    def inject(self, problem, state, X, scores, rng) -> int:
        state["boast"] = float(scores.max()) + 1
        return 0

    def found(self, problem, X, looks):
        return Found(X[0], float(evaluate(problem, X[:1])[0]), looks)

    def step(self, problem, state, rng) -> Found:
        found = super().step(problem, state, rng)
        return found._replace(score=state.get("boast", found.score))


class KeepsWhatIsGivenToItself(Drawing):
    given = None

    def inject(self, problem, state, X, scores, rng) -> int:
        self.given = X[scores.argmax()]
        return 0

    def found(self, problem, X, looks):
        if self.given is not None:
            X = np.concatenate([X, self.given[None]])
        return super().found(problem, X, looks)


class RemembersTheFirstProblem(Drawing):
    first = None

    def start(self, problem, rng) -> dict:
        type(self).first = type(self).first or problem
        return super().start(problem, rng)

    def draw(self, problem, rng):
        return super().draw(self.first, rng)


class ChangesItsStateToShowIt(Drawing):
    def step(self, problem, state, rng):
        state["steps"] += 1
        X = self.draw(problem, rng)[: 1 + state["steps"] % 4]
        return self.found(problem, X, looks=4 * len(problem.sizes))

    def snapshot(self, state):
        state["steps"] += 1
        return {}


class ShowsASolutionOfAnotherProblem(Drawing):
    def snapshot(self, state):
        return {"current": np.zeros(1, np.int64)}


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
        (KeepsASet, "a resumed run equals the uninterrupted run"),
        (RemembersTheStart, "a resumed run equals the uninterrupted run"),
        (ChangesItsStateToShowIt, "showing its state changes nothing"),
        (ShowsASolutionOfAnotherProblem, "showing its state changes nothing"),
        (SearchesByWhatIsLeft, "a run cut anywhere is the same run"),
        (DrawsForEveryStep, "a run cut anywhere is the same run"),
        (HurriesAtTheEnd, "a longer run begins as the shorter one"),
        (UsesItsOwnChance, "a run by the clock can be replayed"),
        (ScoresOnACopy, "every row scored is counted"),
        (MakesTenIterations, "no limit is exceeded by more than a unit"),
        (HeedsLooksOnly, "no limit is exceeded by more than a unit"),
        (UsesTheGlobalGenerator, "problem and global generators stay untouched"),
        (UsesNumpysGlobalGenerator, "problem and global generators stay untouched"),
        (ChangesTheProblem, "problem and global generators stay untouched"),
        (BoastsOfWhatIsGiven, "a warm start is never worse"),
        (KeepsWhatIsGivenToItself, "a warm start can be resumed"),
        (RemembersTheFirstProblem, "fixed stages are respected"),
        (CannotTravel, "a spawned process can run it"),
    ],
)
def test_a_broken_solver_is_caught_by_the_check_for_it(broken, check):
    assert failures(lambda solver: run_checks("", checks_named(check, solver)), broken()) == {check}


def test_a_start_without_the_type_of_its_state_is_reported():
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
        check_solver(Local(), examples=1)


class Choosy(Drawing):
    def refuses(self, problem):
        return "it has constraints" if problem.overrides("feasible") else None


def test_a_refusal_is_a_reported_skip_with_its_reason():
    report = check_solver(Choosy(), examples=1)
    refused = {outcome.name.split(" [")[1][:-1] for outcome in report.of("skipped")}
    assert refused == {"judged", "bounded"}
    assert all("refused: it has constraints" in outcome.detail for outcome in report.of("skipped"))


def test_better_than_the_optimum_is_noticed():
    """The harness rescores, so only a problem that scores generously can make a solver look too good."""
    from swarmkit.testing.evidence import Evidence
    from swarmkit.testing.solver_contract import never_better_than_the_optimum

    seen = Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1))
    seen.__dict__["optimum"] = seen.uninterrupted.score - 1
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
    from swarmkit.testing.evidence import Evidence
    from swarmkit.testing.solver_contract import no_limit_is_exceeded_by_more_than_a_unit

    monkeypatch.setattr(swarmkit.Budget, "spent", lambda self, progress: "looks" if progress.looks > 9999 else None)
    with pytest.raises(AssertionError, match="and the run went on"):
        no_limit_is_exceeded_by_more_than_a_unit(Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1)))


def test_a_best_that_decreases_is_noticed():
    from swarmkit.testing.evidence import Evidence
    from swarmkit.testing.solver_contract import the_best_never_decreases

    seen = Evidence(Drawing(), FAMILIES[0], Shape(4, 3, 2, "floats", 1))
    seen.uninterrupted.trace.score[:] = [2.0, 1.0]
    with pytest.raises(AssertionError, match="the best score goes"):
        the_best_never_decreases(seen)


def test_a_sound_solver_passes():
    assert not check_solver(Pausing(), examples=1).of("skipped")


@solver_checks(Drawing, examples=1)
def test_the_parametrizer_makes_a_test_of_each_check(check):
    check()
