"""The conformance kit has to catch every way of breaking the contract: one broken solver for each check."""

import copy
import os
import random
import time

import numpy as np
import pytest

from swarmkit import Budget, Solver, StepResult, evaluate, random_solutions
from swarmkit.running.metering import Metering
from swarmkit.running.run import Run
from swarmkit.testing import ConformanceError, check_solver, solver_checks, solver_contract
from swarmkit.testing.evidence import Evidence
from swarmkit.testing.families import FAMILIES, Shape
from swarmkit.testing.report import run_checks
from tests.testing.failing import failures


def checks_named(name, solver):
    """The checks of a solver that have a name, on the first three families: tables, permutations, black boxes."""
    checks = (parameter.values[0] for parameter in solver_checks(solver, examples=3).args[1])
    return [check for check in checks if check.name.split(" [")[0] == name][:3]


class Drawing(Solver):
    """A solver that keeps its contract, to be broken in one way at a time."""

    def start(self, problem, rng) -> dict:
        return {"steps": 0}

    def step(self, problem, state, rng) -> StepResult:
        state["steps"] += 1
        X = self.draw(problem, rng)
        return self.found(problem, X, looks=4 * len(problem.sizes))

    def draw(self, problem, rng):
        return random_solutions(problem, 4, rng)

    def found(self, problem, X, looks):
        if len(X) == 0:
            return StepResult(None, None, looks)
        scores = evaluate(problem, X)
        i = scores.argmax()
        return StepResult(X[i], float(scores[i]), looks)


class InPieces(Drawing):
    """A solver that keeps its contract: an iteration has three pieces, and several of them are made in one call."""

    def step(self, problem, state, rng) -> StepResult:
        found = super().step(problem, state, rng)
        return found._replace(iterations=int(state["steps"] % 3 == 0))

    def steps(self, problem, state, rng, count) -> StepResult:
        found = self.step(problem, state, rng)
        for _ in range(count - 1):
            found = found.plus(self.step(problem, state, rng))
        return found


class DrawsStageByStage(InPieces):
    """A stage of all steps of a call is drawn at once: other random numbers than those of single steps."""

    def refuses(self, problem):
        return "its candidates are distinct" if problem.distinct else None

    def steps(self, problem, state, rng, count) -> StepResult:
        before, state["steps"] = state["steps"], state["steps"] + count
        X = np.stack([rng.integers(size, size=4 * count) for size in problem.sizes], axis=1)
        found = self.found(problem, X, looks=4 * count * len(problem.sizes))
        return found._replace(iterations=state["steps"] // 3 - before // 3)


class DrawsForEveryCall(InPieces):
    """Random numbers that belong to no step: more calls, more of them."""

    def steps(self, problem, state, rng, count) -> StepResult:
        rng.random()
        return super().steps(problem, state, rng, count)


class CountsTheLastStepOnly(InPieces):
    def steps(self, problem, state, rng, count) -> StepResult:
        for _ in range(count - 1):
            self.step(problem, state, rng)
        return self.step(problem, state, rng)


class TakesTheLastSolution(InPieces):
    """Costs are added, but of several steps the last solution is returned instead of the best."""

    def steps(self, problem, state, rng, count) -> StepResult:
        found = self.step(problem, state, rng)
        for _ in range(count - 1):
            last = self.step(problem, state, rng)
            found = found.plus(last)._replace(solution=last.solution, score=last.score)
        return found


class KnowsItsStateByIdentity(Drawing):
    """What belongs to a state is kept beside it, and a copy of the state is another one."""

    known = None

    def step(self, problem, state, rng) -> StepResult:
        if state is not self.known:
            self.known, self.drawn = state, 0
        self.drawn += 1
        return super().step(problem, state, rng)._replace(looks=self.drawn)


class ReadsTheLimits(Drawing):
    """A schedule that reads the budget: with a limit of iterations, another way to draw."""

    def draw(self, problem, rng):
        session = problem.meter.session
        if session is not None and session._limits.iterations is not None:
            rng.random()
        return super().draw(problem, rng)


class EndsBeforeItsLimit(Drawing):
    """A batch that the limit would cut is not begun."""

    def step(self, problem, state, rng) -> StepResult:
        session = problem.meter.session
        if session is not None and session._room(0)[0] < 4:
            return StepResult(None, None, 1, done=True)
        return super().step(problem, state, rng)


class SwallowsTheCut(Drawing):
    """The exception by which the harness ends a step is caught, and the step goes on as if it were whole."""

    def found(self, problem, X, looks):
        try:
            return super().found(problem, X, looks)
        except BaseException:
            return StepResult(None, None, 1)


class MakesTwoIterations(Drawing):
    def step(self, problem, state, rng) -> StepResult:
        return super().step(problem, state, rng)._replace(iterations=2)


class MakesTenIterations(Drawing):
    def step(self, problem, state, rng) -> StepResult:
        return super().step(problem, state, rng)._replace(iterations=10)


class RemembersTheStart(Drawing):
    """What `start` draws is kept in the solver, so a run that goes on elsewhere does not have it."""

    def start(self, problem, rng):
        self.first = random_solutions(problem, 1, rng)
        return super().start(problem, rng)

    def draw(self, problem, rng):
        return np.concatenate([self.first, super().draw(problem, rng)])


class ScoresOnACopy(Drawing):
    """Rows that the harness does not see."""

    def found(self, problem, X, looks):
        twin = copy.copy(problem)
        twin.__dict__.pop("meter", None)
        return super().found(twin, X, looks)


class TakesAnything(Drawing):
    def step(self, problem, state, rng):
        X = np.zeros((1, len(problem.sizes)), np.int64)
        return StepResult(X[0], float(evaluate(problem, X)[0]), looks=1)


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
        return StepResult(X[0], float(evaluate(problem, X[:1])[0]), looks)

    def step(self, problem, state, rng) -> StepResult:
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


class CountsByItsProcess(Drawing):
    """What it reports depends on the process that it runs in."""

    def found(self, problem, X, looks):
        return super().found(problem, X, os.getpid())


class Walking(Drawing):
    """A climber of one solution that keeps its contract: it changes a random stage and keeps what is no worse."""

    def start(self, problem, rng) -> dict:
        return {"x": self.first(problem, rng), "score": None}

    def first(self, problem, rng):
        return random_solutions(problem, 1, rng)

    def step(self, problem, state, rng) -> StepResult:
        if len(state["x"]) == 0:
            state["x"] = random_solutions(problem, 1, rng)
            return StepResult(None, None, len(problem.sizes))
        if state["score"] is None:
            state["score"] = float(evaluate(problem, state["x"])[0])
            return StepResult(state["x"][0], state["score"], len(problem.sizes))
        y = state["x"].copy()
        stage = int(rng.integers(self.stages(problem)))
        old, y[0, stage] = y[0, stage], rng.integers(problem.sizes[stage])
        if problem.distinct:
            y[0, (state["x"][0] == y[0, stage]) & (np.arange(y.shape[1]) != stage)] = old
        score = float(evaluate(problem, y)[0])
        if self.takes(score - state["score"]) and problem.feasible(y)[0]:
            state["x"], state["score"] = y, score
        return StepResult(state["x"][0], state["score"], len(problem.sizes))

    def stages(self, problem):
        return len(problem.sizes)

    def takes(self, gain):
        return gain >= 0

    def inject(self, problem, state, X, scores, rng) -> int:
        best = int(scores.argmax())
        state["x"], state["score"] = np.array(X[best : best + 1]), float(scores[best])
        return len(problem.sizes)


class WalksDownhill(Walking):
    def takes(self, gain):
        return gain <= 0


class NeverChangesTheLastStage(Walking):
    def stages(self, problem):
        return max(1, len(problem.sizes) - 1)


class BeginsWithTheFirstCandidates(Walking):
    def first(self, problem, rng):
        x = np.zeros((1, len(problem.sizes)), np.int64)
        return x if not problem.distinct and problem.feasible(x)[0] else super().first(problem, rng)


class IgnoresWhatItTakesUp(Walking):
    def inject(self, problem, state, X, scores, rng) -> int:
        return len(problem.sizes)


class CountsWith8Bits(Drawing):
    """Larger numbers begin again from -128."""

    def draw(self, problem, rng):
        return np.abs(super().draw(problem, rng).astype(np.int8).astype(np.int64))


class CountsWith16Bits(Drawing):
    def draw(self, problem, rng):
        return super().draw(problem, rng) % (1 << 15)


class PeeksBehindTheBlackBox(Drawing):
    """The tables that the problem does not offer, but has."""

    def draw(self, problem, rng):
        X, form = super().draw(problem, rng), getattr(problem, "_form", None)
        return X if form is None or len(X) == 0 else X[[form.score(X).argmin()]]


class CountsOneLookForAClimb(Walking):
    """As many gains as it takes to be at a local optimum, reported as one look."""

    def step(self, problem, state, rng) -> StepResult:
        form = problem.pairwise()
        if form is None or problem.distinct or problem.overrides("feasible") or problem.structure.linear is not None:
            return super().step(problem, state, rng)
        x = random_solutions(problem, 1, rng)
        for stage in rng.permutation(len(problem.sizes)):
            x[0, stage] = form.gains(x, int(stage))[0].argmax()
        return StepResult(x[0], float(form.score(x)[0]), 1)


class MinimisesCosts(Drawing):
    """Of a problem that has costs the worst is reported: the sign is changed already."""

    def found(self, problem, X, looks):
        if len(X) and getattr(problem, "whole", problem).direction == "minimise":
            X = X[[evaluate(problem, X).argmin()]]
        return super().found(problem, X, looks)


class SuspectsNegativeScores(Walking):
    """A score above 0 is the first that counts."""

    def step(self, problem, state, rng) -> StepResult:
        found = super().step(problem, state, rng)
        return found if found.score is None or found.score > 0 else found._replace(solution=None, score=None)


BROKEN = [
    (CountsOneLookForAClimb, "looks are honest"),
    (SuspectsNegativeScores, "it is no worse than random sampling"),
    (WalksDownhill, "it is no worse than random sampling"),
    (NeverChangesTheLastStage, "no stage or candidate is favoured"),
    (BeginsWithTheFirstCandidates, "no stage or candidate is favoured"),
    (IgnoresWhatItTakesUp, "a warm start helps"),
    (RemembersOutsideItsState, "runs made in turns are the runs alone"),
    (MinimisesCosts, "costs are minimised as scores are maximised"),
    (PeeksBehindTheBlackBox, "nothing but the contract is used"),
    (CountsWith8Bits, "large numbers are no other numbers"),
    (CountsWith16Bits, "large numbers are no other numbers"),
    (TakesAnything, "every solution is feasible"),
    (Exaggerates, "reported scores are the problems"),
    (WorksForFree, "every step counts its looks"),
    (MakesTwoIterations, "every step counts its looks"),
    (UsesItsOwnChance, "the same seed gives the same run"),
    (RemembersOutsideItsState, "the same seed gives the same run"),
    (KeepsASet, "a resumed run equals the uninterrupted run"),
    (RemembersTheStart, "a resumed run equals the uninterrupted run"),
    (SwallowsTheCut, "a resumed run equals the uninterrupted run"),
    (ChangesItsStateToShowIt, "showing its state changes nothing"),
    (ShowsASolutionOfAnotherProblem, "showing its state changes nothing"),
    (DrawsStageByStage, "steps made at once are single steps"),
    (DrawsForEveryCall, "steps made at once are single steps"),
    (CountsTheLastStepOnly, "steps made at once are single steps"),
    (TakesTheLastSolution, "steps made at once are single steps"),
    (KnowsItsStateByIdentity, "steps made at once are single steps"),
    (ReadsTheLimits, "a longer run begins as the shorter one"),
    (UsesItsOwnChance, "a run by the clock can be replayed"),
    (ScoresOnACopy, "every row scored is counted"),
    (MakesTenIterations, "no limit is exceeded"),
    (EndsBeforeItsLimit, "no limit is exceeded"),
    (UsesTheGlobalGenerator, "problem and global generators stay untouched"),
    (UsesNumpysGlobalGenerator, "problem and global generators stay untouched"),
    (ChangesTheProblem, "problem and global generators stay untouched"),
    (BoastsOfWhatIsGiven, "a warm start is never worse"),
    (KeepsWhatIsGivenToItself, "a warm start can be resumed"),
    (RemembersTheFirstProblem, "fixed stages are respected"),
    (CountsByItsProcess, "jobs make no difference"),
    (CannotTravel, "a spawned process can run it"),
    (CountsByItsProcess, "a spawned process can run it"),
]
"""Broken solvers, each with the check that has to catch it."""

CAUGHT_BELOW = {"the best never decreases", "never better than the optimum", "a proved bound holds"}
"""Checks of what the harness itself prevents, and of proofs: tests of their own let them fail."""


def test_every_check_has_a_broken_solver():
    names = {parameter.values[0].name.split(" [")[0] for parameter in solver_checks(Drawing()).args[1]}
    assert names == {check for _, check in BROKEN} | CAUGHT_BELOW


@pytest.mark.parametrize(("broken", "check"), BROKEN)
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


FORBIDDING = {"judged", "bounded", "routes", "schedule", "lists"}
"""The families whose problems have a `feasible` of their own."""


class Choosy(Drawing):
    def refuses(self, problem):
        return "it has constraints" if problem.overrides("feasible") else None


def test_a_refusal_is_a_reported_skip_with_its_reason():
    report = check_solver(Choosy(), examples=1)
    skipped = [outcome for outcome in report.of("skipped") if "[" in outcome.name]
    assert {outcome.name.split(" [")[1][:-1] for outcome in skipped} == FORBIDDING
    assert all("refused: it has constraints" in outcome.detail for outcome in skipped)


def evidence_on(family):
    """Runs of a sound solver on one problem of a family."""
    (family,) = (each for each in FAMILIES if each.name == family)
    return Evidence(Drawing(), family, Shape(4, 3, 2, "floats", 1))


def test_better_than_the_optimum_is_noticed():
    """The harness rescores, so only a problem that scores generously can make a solver look too good."""
    seen = evidence_on("pairwise")
    seen.__dict__["optimum"] = seen.whole_run.score - 1
    with pytest.raises(AssertionError, match="is above"):
        solver_contract.never_better_than_the_optimum(seen)


def test_a_bound_that_does_not_hold_is_noticed():
    class Boasting(Drawing):
        def step(self, problem, state, rng):
            found = super().step(problem, state, rng)
            return found._replace(bound=found.score, done=True)  # the best it drew is the best there is, it says

    with pytest.raises(ConformanceError, match="a solution scores"):
        run_checks("", checks_named("a proved bound holds", Boasting()))


def test_evaluations_beyond_their_limit_are_noticed(monkeypatch):
    """No solver can make them, as the meter ends its step: only a meter that does not."""
    seen = evidence_on("black box")
    assert seen.whole_run.evaluations > 4
    monkeypatch.setattr(Metering, "_room", lambda self, n: (10**9, ""))
    with pytest.raises(AssertionError, match="evaluations was spent, and the run went on"):
        solver_contract.no_limit_is_exceeded(seen)


def test_looks_beyond_their_limit_are_noticed(monkeypatch):
    """A run that does not undo the step that exceeds its limit of looks."""
    seen = evidence_on("pairwise")
    assert seen.whole_run.steps > 2
    step = Run._step

    def step_without_limits(run):
        run._limits = Budget()
        return step(run)

    monkeypatch.setattr(Run, "_step", step_without_limits)
    with pytest.raises(AssertionError, match="looks was spent, and the run went on"):
        solver_contract.no_limit_is_exceeded(seen)


def test_a_best_that_decreases_is_noticed():
    seen = evidence_on("pairwise")
    seen.whole_run.trace.score[:] = [2.0, 1.0]
    with pytest.raises(AssertionError, match="the best score goes"):
        solver_contract.the_best_never_decreases(seen)


@pytest.mark.parametrize("sound", [Drawing, InPieces])
def test_a_sound_solver_passes(sound):
    skipped = {outcome.detail for outcome in check_solver(sound(), examples=1).of("skipped")}
    assert skipped <= {"it ignores given solutions, which it may", "no feasible solution was drawn"}


def test_a_sound_climber_passes():
    skipped = {outcome.detail for outcome in check_solver(Walking(), examples=1).of("skipped")}
    assert skipped <= {"no feasible solution was drawn"}  # with one example


def test_false_looks_end_the_kit_within_a_minute():
    """Runs of 600 looks would be hundreds of climbs each: no other check makes them."""
    begin = time.process_time()
    with pytest.raises(ConformanceError) as failure:
        check_solver(CountsOneLookForAClimb())
    assert time.process_time() - begin < 60
    report = failure.value.report
    assert [outcome.name for outcome in report.of("failed")] == ["looks are honest"]
    assert "its looks are false" in report.of("skipped")[-1].detail


@solver_checks(Drawing, examples=1)
def test_the_parametrizer_makes_a_test_of_each_check(check):
    check()
