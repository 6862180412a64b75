"""Checks of a solver as a whole: how it searches easy problems, whatever their labels, scale, direction and size.

Each returns the number of cases that it has examined. What is compared by chance is compared over so many seeds that a
sound solver fails once in thousands of times, and the seeds are always the same.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Ints
from swarmkit.contract.budget import Budget
from swarmkit.contract.pairwise import Pairwise
from swarmkit.contract.problem import PairwiseProblem, Problem
from swarmkit.contract.solver import Solver
from swarmkit.contract.validation import evaluate
from swarmkit.running.metering import TOLERANCE
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.search.construction import random_solutions
from swarmkit.testing.easy_problems import (
    ALONE,
    EASY,
    PAIRS,
    Costs,
    Easy,
    Scale,
    TableCosts,
    Veiled,
    independent_values,
)
from swarmkit.testing.evidence import StepDriver, accepted_problem, expect_equal, method_for
from swarmkit.testing.families import LOOKS, BlackBox, Shape, random_form
from swarmkit.testing.report import Skipped, expect

STAGES = 8
"""The stages of an easy problem."""

SEEDS = 16
"""The runs on easy problems of a structure."""

FIRST, LAST = 3 * STAGES, 60 * STAGES
"""The looks of such a run at its two ends: before a search could have found much, and when it should have."""

SCALES = (Scale(), Scale(shift=-1000.0), Scale(factor=2.0**-20), Scale(factor=2.0**20, shift=2.0**25))
"""Scales of scores: as they are, all negative, small, and large."""

LABELLED = ("tables", "black box")
"""The structures whose stages and candidates are alike, so that none may be favoured."""

DEVIATIONS = 4.5
"""Standard deviations that are not put down to chance."""


SPREAD = 1.5
"""The standard deviation of the difference of two such scores, in stages: measured, of random sampling itself, 1.2."""

REFUSES_ALL = "refused: it refuses all problems of this check"
DRAWS_NOTHING = "it draws no random numbers: of equal candidates it takes those of some order"

HONEST_LOOKS = Budget(looks=300, iterations=50, seconds=1.0)
"""The limits of the run in which looks are compared with what can be known after them: any part of it will do."""

WARM_STAGES, WARM_SEEDS, WARM_LOOKS, WARM_EVALUATIONS = 24, 4, 4 * 24, 40
"""Stages, seeds, and looks or evaluations of runs that begin near the best solution: a search has hardly begun."""

TURNS = 4
"""The turns of each of two runs that are made in turns."""

SEED = 7
"""The seed of problems that are compared with others of the same scores."""

SIZES = ((300, 2, 3), (70_000, 2, 3), (2,) * 300)
"""Numbers of candidates that do not fit into 8 and 16 bits, and of stages that do not fit into 8."""

ROWS = 100
"""The evaluations that a run among so many is worth."""


class Trial(NamedTuple):
    """A run on an easy problem."""

    scale: Scale
    target: Ints
    early: Ints | None
    """Which stages have the candidate of the target after FIRST looks; None if there is no solution."""
    late: Ints | None
    """The same at the end."""
    score: float | None
    sampling: float
    """The best score of as many random solutions as the run has iterations, and looks for."""
    draws: bool
    """Whether the solver draws random numbers."""


@dataclass
class Trials:
    """Runs of one solver on easy problems, made when a check first needs them."""

    solver: Solver[Any]

    def accepts(self, problem: Problem) -> bool:
        """Return whether the solver does not refuse a problem."""
        return not method_for(self.solver, problem).refuses(problem)

    def run(self, problem: Problem, seed: int = 0, limits: Budget | None = None, **inputs: Any) -> Run:
        """Return a run that has not started yet."""
        spec = make_spec(problem, self.solver, seed, limits or Budget(), **inputs)
        return Run(problem, method_for(self.solver, problem), spec)

    @cached_property
    def by_structure(self) -> dict[str, list[Trial]]:
        """The trials on each structure that the solver does not refuse."""
        trials = {name: list(self._trials(name)) for name in EASY}
        if not any(trials.values()):
            raise Skipped(REFUSES_ALL)
        return {name: each for name, each in trials.items() if each}

    @cached_property
    def false_looks(self) -> str | None:
        """What shows that values were read and not counted; empty if nothing does, None where it cannot be seen.

        The score adds N independent values, uniform in [0, 1]. A value that was not read has the mean 1/2. If the best
        that is known of a stage or pair is b >= 1/2, reading one more gains (1 - b)² / 2 <= 1/8 on average. So after R
        looks no method can expect more than N/2 + R/8; the score of a run deviates from that by chance.
        """
        problem = independent_values(np.random.default_rng(STAGES))
        if not self.accepts(problem):
            return None
        result, terms = self.run(problem, limits=HONEST_LOOKS).run(), ALONE + PAIRS
        # The variance of a uniform value is 1/12; so is, at most, that of what a look adds.
        possible = terms / 2 + result.looks / 8 + DEVIATIONS * math.sqrt((terms + result.looks) / 12)
        if result.score is None or result.score <= possible:
            return ""
        words = f"after {result.looks:,} looks it has a score of {result.score:.0f}"
        return f"{words}; whoever has read no more values cannot have more than {possible:.0f}"

    def _trials(self, name: str) -> Iterator[Trial]:
        for seed in range(SEEDS if name in LABELLED else SEEDS // 2):
            rng, scale = np.random.default_rng([seed, STAGES]), SCALES[seed % len(SCALES)]
            problem, target = EASY[name](rng, STAGES, scale)
            if not self.accepts(problem):
                return
            run = self.run(problem, seed)
            before = run.rng.bit_generator.state
            early, late = (run.run(looks) for looks in (FIRST, LAST))
            # A method that builds few solutions with many looks is compared with as few.
            X = random_solutions(problem, max(1, min(late.looks // STAGES, late.iterations)), rng)
            first, last = (None if r.solution is None else np.asarray(r.solution) == target for r in (early, late))
            draws = run.rng.bit_generator.state != before
            yield Trial(scale, target, first, last, late.score, float(evaluate(problem, X).max()), draws)


def it_is_no_worse_than_random_sampling(trials: Trials) -> int:
    """Compare the scores on easy problems with those of as many random solutions, on every scale of scores."""
    cases = 0
    for name, runs in trials.by_structure.items():
        drawn = [trial for trial in runs if trial.draws]
        silent = [trial.scale for trial in drawn if trial.score is None]
        if len(silent) == len(drawn):  # it takes longer to an answer, if it draws at all
            continue
        expect(
            not silent, f"on easy problems ({name}) it has an answer on some scales of scores, and none on {silent[:1]}"
        )
        cases += len(drawn)
        _compare_with_sampling(drawn, name)
        for scale in SCALES:
            subject = f"{name}, scores times {scale.factor:g} plus {scale.shift:g}"
            _compare_with_sampling([trial for trial in drawn if trial.scale == scale], subject)
    if not cases:
        raise Skipped(DRAWS_NOTHING)
    return cases


def _compare_with_sampling(runs: Sequence[Trial], subject: str) -> None:
    """Fail if the scores of some runs are below those of random sampling, by more than chance explains."""
    differences = [(trial.score - trial.sampling) / trial.scale.factor for trial in runs if trial.score is not None]
    if differences:
        mean, error = np.mean(differences), SPREAD / math.sqrt(len(differences))
        message = f"on easy problems ({subject}) its scores are {-mean:.3g} below those of random sampling, on average"
        expect(mean >= -DEVIATIONS * error, message)


def no_stage_or_candidate_is_favoured(trials: Trials) -> int:
    """Compare the stages, and the candidates, by how often they have been found where they belong to the best solution.

    The best solution of each run is another one, so all of them are alike under other labels.
    """
    if getattr(trials.solver.params, "initial", None) == "first":
        raise Skipped("it starts from the first candidates, as its parameter 'initial' says")
    cases = 0
    for name in LABELLED:
        runs = [trial for trial in trials.by_structure.get(name, ()) if trial.draws]
        cases += len(runs)
        for moment in ("early", "late"):
            pairs = [(getattr(t, moment), t.target) for t in runs if getattr(t, moment) is not None]
            if not pairs:
                continue
            hits, targets = np.array([hit for hit, _ in pairs]), np.array([target for _, target in pairs])
            labels = {"candidate": targets}
            if moment == "late":  # earlier a pass over the stages may not have come to the last of them
                labels["stage"] = np.broadcast_to(np.arange(STAGES), targets.shape)
            for kind, numbers in labels.items():
                _compare_labels(kind, hits, numbers, name)
    if not cases:
        raise Skipped(DRAWS_NOTHING)
    return cases


def _compare_labels(kind: str, hits: Any, numbers: Any, name: str) -> None:
    """Fail if the stages or candidates of a number are found much more or less often than all are."""
    share = float(np.clip(hits.mean(), 0.1, 0.9))  # few hits, or misses, are not normally distributed
    for number in range(int(numbers.max()) + 1):
        of_label = hits[numbers == number]
        deviation = (of_label.mean() - share) / math.sqrt(share * (1 - share) / len(of_label))
        message = (
            f"{kind} {number} is found in {of_label.mean():.0%} of the cases where it belongs to the best solution, "
            f"others in {hits[numbers != number].mean():.0%} [{name}]"
        )
        expect(abs(deviation) <= DEVIATIONS, message)


def looks_are_honest(trials: Trials) -> int:
    """Compare the score after few looks with what a method can have that has read no more values of the tables."""
    if trials.false_looks is None:
        raise Skipped("it refuses tables without constraints")
    expect(not trials.false_looks, trials.false_looks)
    return 1


def a_warm_start_helps(trials: Trials) -> int:
    """Compare what the first steps report with what they do after taking up a solution near the best one."""
    if type(trials.solver).inject is Solver.inject:
        raise Skipped("it ignores given solutions, which it may")
    early = better = worse = 0
    for name in (name for name in EASY if name != "tour"):
        for seed in range(WARM_SEEDS):
            easy = EASY[name](np.random.default_rng([seed, WARM_STAGES]), WARM_STAGES, Scale())
            if not trials.accepts(easy.problem):
                break
            warm, cold = (_first_report(trials, easy, seed, inject) for inject in (True, False))
            # Where the best solution is found at once nothing can help; some report only what is better than the given.
            if warm > -np.inf and cold < evaluate(easy.problem, easy.target[None])[0]:
                better, worse, early = better + (warm > cold), worse + (warm < cold), early + 1
    if not early:
        raise Skipped("it finds the best solution at once, or reports nothing so early")
    expect(better > worse, f"of {early} runs {better} report more after taking up a good solution, {worse} less")
    return early


def _first_report(trials: Trials, easy: Easy, seed: int, inject: bool) -> float:
    """Return the best score that the first steps of a solver report.

    Args:
        trials: the solver.
        easy: the problem.
        seed: the seed of the generator.
        inject: whether it takes up the best solution before, two of its candidates exchanged.
    """
    x = easy.target.copy()
    i = int(np.flatnonzero(x != x[0])[0])
    x[[0, i]] = x[[i, 0]]  # an exchange keeps permutations, and the number of stages that have a candidate
    scores = evaluate(easy.problem, x[None])  # before the driver counts
    driver = StepDriver(trials.solver, easy.problem, seed)
    if inject:
        driver.method.inject(easy.problem, driver.state, x[None], scores, driver.rng)
    looks = WARM_EVALUATIONS * WARM_STAGES if easy.problem.structure.black_box else WARM_LOOKS
    while not driver.done and driver.usage.looks < looks:
        driver.step()
    score = driver.moment.score
    return -np.inf if score is None else score


def runs_made_in_turns_are_the_runs_alone(trials: Trials) -> int:
    """Make two runs in turns, on two problems and with two seeds, and compare each with itself alone."""
    if trials.solver.waits:
        raise Skipped("it waits for a process, which belongs to one run")
    problems = [accepted_problem(trials.solver, seed) for seed in (1, 2)]
    alone = [Trials(copy.deepcopy(trials.solver)).run(problem, i).run(LOOKS) for i, problem in enumerate(problems)]
    runs = [trials.run(problem, i) for i, problem in enumerate(problems)]
    for part in range(1, TURNS + 1):
        results = [run.run(LOOKS * part // TURNS) for run in runs]
    for whole, divided in zip(alone, results, strict=True):
        expect_equal(whole, divided, "made in turns with another run, a run differs in")
    return len(runs)


def costs_are_minimised_as_scores_are_maximised(trials: Trials) -> int:
    """Compare runs on scores with runs on the same numbers as costs."""
    pairs: list[tuple[Problem, Problem]] = []
    for distinct in (False, True):
        form = _random_form(SEED, distinct)
        pairs += [(PairwiseProblem(form), TableCosts(form.negated)), (BlackBox(form), Costs(form))]
    return _compare_runs(trials, pairs, "with costs instead of scores the run differs in")


def nothing_but_the_contract_is_used(trials: Trials) -> int:
    """Compare runs on black boxes of the same scores, of which one has other tables where the other has its own."""
    pairs: list[tuple[Problem, Problem]] = []
    for distinct in (False, True):
        form = _random_form(SEED, distinct)
        pairs.append((BlackBox(form), Veiled(form, form.negated)))
    otherwise = "with other values in private attributes of a black box, and the same scores, the run differs in"
    return _compare_runs(trials, pairs, otherwise)


def _random_form(seed: int, distinct: bool) -> Pairwise:
    return random_form(Shape(5, 4, 4, "floats", seed), distinct=distinct, shared=distinct)


def _compare_runs(trials: Trials, pairs: Sequence[tuple[Problem, Problem]], otherwise: str) -> int:
    """Compare the runs on two problems of each pair that the solver does not refuse."""
    accepted = [pair for pair in pairs if trials.accepts(pair[0])]
    if not accepted:
        raise Skipped(REFUSES_ALL)
    for problem, other in accepted:
        expect_equal(trials.run(problem).run(LOOKS), trials.run(other).run(LOOKS), otherwise)
    return len(accepted)


def large_numbers_are_no_other_numbers(trials: Trials) -> int:
    """Search among more candidates, and among more stages, than 8 and 16 bits count.

    The score is a sum of candidate numbers, so the best candidates are those of the largest numbers.
    """
    cases = 0
    for sizes in SIZES:
        form = Pairwise.of(sizes, [], np.concatenate([np.arange(m, dtype=float) / m for m in sizes]))
        for problem in (PairwiseProblem(form), BlackBox(form)):
            if trials.accepts(problem):
                _search_among(trials, problem)
                cases += 1
    if not cases:
        raise Skipped(REFUSES_ALL)
    return cases


def _search_among(trials: Trials, problem: Problem) -> None:
    """Fail if no run has a candidate of the upper half of a stage, or a solution or score is wrong."""
    sizes = np.asarray(problem.sizes)
    for seed in range(SEEDS):  # one run in two has one from the beginning
        run = trials.run(problem, seed)
        before = run.rng.bit_generator.state
        result = run.run(ROWS * len(sizes))
        if result.solution is None or result.score is None:  # its first step takes more looks
            return
        score = float(evaluate(problem, np.array([result.solution]))[0])
        near = abs(score - result.score) <= TOLERANCE * max(1.0, abs(score))
        expect(near, f"a score of {result.score} with {sizes.max()} candidates, {len(sizes)} stages; it is {score}")
        if max(result.solution) >= sizes.max() // 2 or before == run.rng.bit_generator.state:
            return
    raise AssertionError(f"of {sizes.max()} candidates, the better the larger, no run has found one of the upper half")


CHECKS: tuple[Callable[[Trials], int], ...] = (
    it_is_no_worse_than_random_sampling,
    no_stage_or_candidate_is_favoured,
    a_warm_start_helps,
    runs_made_in_turns_are_the_runs_alone,
    costs_are_minimised_as_scores_are_maximised,
    nothing_but_the_contract_is_used,
    large_numbers_are_no_other_numbers,
)
"""All checks of a solver as a whole but the first, `looks_are_honest`: where it fails no other one is made."""
