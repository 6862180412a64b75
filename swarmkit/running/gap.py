"""How good a result is: its gap to the best possible score, and whether random sampling would have done as well.

A search that does not suit a problem may end with less than luck gives, and nothing in its result shows it. After a run
on a problem of which nothing but the score is known, a small sample is drawn. Its best solution is a lower limit of
what random sampling gives; where the scores look normal, the expected best of N draws is extrapolated (G. Blom, 1958:
the best of N normal values lies about z((N - 0.375) / (N + 0.25)) standard deviations above their mean).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import Refusal, SwarmkitError
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import problem_view
from swarmkit.contract.result import AgainstRandom, Gap, Result, Results, best_of, rounding
from swarmkit.contract.solver import Solver
from swarmkit.contract.validation import evaluate
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.host import host
from swarmkit.plugins.registration import Registration
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec
from swarmkit.search.construction import random_solutions

BY_PROBLEM = "the problem"
"""Where a bound comes from if the problem itself knows its optimum."""

SECONDS = 30.0
"""The time limit of each solver that tries to prove a bound: about what a user waits for after a run."""


class Bound(NamedTuple):
    """An upper bound on the scores of a problem."""

    value: float | None
    """No solution scores more; None where nothing is known."""
    optimum: bool
    """Whether some solution has that score."""
    by: str
    """The solver that proved it, or BY_PROBLEM."""
    reasons: dict[str, str]
    """For each solver that proved nothing, why."""


def known_bound(problem: Problem, seconds: float = SECONDS, *, fixed: Mapping[int, int] | None = None) -> Bound:
    """Return the optimum that the problem knows, or the best upper bound that registered solvers prove.

    Args:
        problem: the problem whose best score is wanted.
        seconds: the time limit of each solver that is tried (`Solver.proof_rank`).
        fixed: candidates of stages that every solution must have.

    >>> from swarmkit import make_problem
    >>> known_bound(make_problem("synthetic", n=50, window=1)).by
    'viterbi'
    """
    bound = problem_view(problem, fixed).optimum
    if bound is not None:
        return Bound(float(bound), True, BY_PROBLEM, {})
    best, reasons = Bound(None, False, "", {}), {}
    for offer in provers():
        name = offer.name
        outcome = _prove(problem, make_solver(name, **offer.value.proof_params), seconds, fixed)
        if isinstance(outcome, str):
            reasons[name] = outcome
        elif best.value is None or (outcome.bound is not None and outcome.bound < best.value):
            best = Bound(outcome.bound, outcome.bound == outcome.score, name, {})
        # Cheapest first: what is proved need not be proved again.
        if best.optimum:
            break
    return best._replace(reasons=reasons)


def provers() -> list[Registration]:
    """Return the registered solvers that prove optima or bounds, cheapest first."""
    offers = [offer for offer in host().offers("solver") if offer.value.proof_rank is not None]
    return sorted(offers, key=lambda offer: offer.value.proof_rank)


def _prove(problem: Problem, solver: Solver[Any], seconds: float, fixed: Mapping[int, int] | None) -> Result | str:
    """Return the result of a solver that proves bounds, or the reason why there is none."""
    try:
        spec = make_spec(problem, solver, 0, Budget(seconds=seconds), fixed=fixed)
        result = Run(problem, solver, spec).run()
    except Refusal as refusal:
        return refusal.reason
    except SwarmkitError as error:
        return str(error)
    except Exception as error:  # a prover that fails is no reason to lose the answer whose gap was wanted
        return f"it failed ({type(error).__name__}: {error})"
    return result if result.bound is not None else f"it proved nothing in {seconds:g} seconds"


def measure_gap(result: Result, known: Bound) -> Gap:
    """Return the gap between a result and a bound, or the result's own bound if that is lower.

    Args:
        result: the outcome of a run.
        known: what is known of its problem, from `known_bound`.
    """
    bound = known
    if result.bound is not None and (known.value is None or result.bound < known.value):
        bound = Bound(result.bound, result.bound == result.score, result.solver, {})
    if bound.value is None:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in bound.reasons.items())
        return _gap(bound, None, f"no optimum or bound is known ({reasons})")
    kind, value = "optimum" if bound.optimum else "bound", result.shown(bound.value)
    if result.score is None:
        return _gap(bound, None, f"no solution to compare with the {kind} {value:.6g} ({bound.by})")
    away = bound.value - result.score
    # More than rounding: the bound is wrong, or the score is.
    if away < -rounding(bound.value):
        verb = "score exceeds" if result.objective == "score" else f"{result.objective} falls below"
        return _gap(bound, None, f"{verb} the {kind} claimed by {bound.by} ({value:.10g})")
    away = max(0.0, away)
    share = f" ({away / abs(bound.value):.4%})" if bound.value else ""
    if away <= rounding(bound.value):
        source = "as the problem knows" if bound.by == BY_PROBLEM else f"proved by {bound.by}"
        return _gap(bound, 0.0, f"this is the optimum, {source}")
    side = "below" if result.objective == "score" else "above"
    return _gap(bound, away, f"{away:.6g}{share} {side} the {kind} {value:.6g} ({bound.by})")


def with_gap(result: Result, bound: Bound | None) -> Result:
    """Return a result with its gap to a bound; unchanged if no bound was asked for (None)."""
    return result if bound is None else result.model_copy(update={"gap": measure_gap(result, bound)})


def with_gaps(outcome: Result | Results, problem: Problem) -> Result | Results:
    """Return a result, or several of one problem, with their gaps to what is known of that problem."""
    run = outcome if isinstance(outcome, Result) else outcome.best
    bound = known_bound(problem, fixed=run.fixed)
    if isinstance(outcome, Result):
        return with_gap(outcome, bound)
    return best_of([with_gap(run, bound) for run in outcome.runs])


def _gap(bound: Bound, away: float | None, words: str) -> Gap:
    relative = away / abs(bound.value) if away is not None and bound.value else None
    return Gap(bound=bound.value, optimum=bound.optimum, by=bound.by, absolute=away, relative=relative, words=words)


SAMPLE = 200
"""Solutions that are drawn, at most."""

FEWEST = 30
"""Solutions below which nothing is said."""

SHARE = 0.1
"""The largest sample, as a share of the run's evaluations: they may be expensive."""

MARGIN = 0.5
"""How far below the expectation an answer has to be, in standard deviations: the best of N draws varies."""

STREAM = 0x72616E64
"""Seeds the generator of the sample, together with the run's seed."""


def with_random_check(result: Result, problem: Problem) -> Result:
    """Return a result that says whether it is better than random sampling; unchanged where that is not asked.

    It is not asked of problems with tables, of proved and of interrupted answers, and of runs too short to say.

    Args:
        result: the outcome of a run.
        problem: its problem, which is not counted on.
    """
    is_optimal = result.bound is not None and result.bound == result.score
    if result.tables or result.score is None or is_optimal or result.stopped == "interrupted":
        return result
    # They are not counted, but they take time: at most a tenth of the run.
    size = min(SAMPLE, int(SHARE * result.evaluations))
    if size < FEWEST:
        return result
    view = problem_view(problem.with_own_meter(), result.fixed)
    X = random_solutions(view, size, np.random.Generator(np.random.PCG64([result.seed, STREAM])))
    if len(X) < FEWEST:
        return result
    comparison = _compare(result, evaluate(view, X), view)
    return result.model_copy(update={"against_random": comparison})


def _compare(result: Result, sample: Floats, view: Problem) -> AgainstRandom:
    """Compare the answer with a sample of random scores."""
    score, best = result.score or 0.0, float(sample.max())
    expected = None if view.structure.constrained else expected_best(sample, result.evaluations)
    log_solutions = float(np.log(np.asarray(view.sizes, float)).sum())
    words = ""
    # In logarithms, because the number of solutions exceeds any float.
    if log_solutions < math.log(max(2, result.evaluations)):
        expected = None  # all would have been drawn
    elif best >= score:
        words = (
            f"no better than random sampling: the best of {len(sample)} random solutions has "
            f"{result.objective} {result.shown(best):.6g}; try another solver"
        )
    elif expected is not None and score < expected - MARGIN * float(sample.std()):
        words = (
            f"no better than random sampling, which would reach {result.objective} {result.shown(expected):.4g} "
            f"or so with as many evaluations (estimated from {len(sample)}); try another solver"
        )
    return AgainstRandom(better=not words, sampled=len(sample), best=best, expected=expected, words=words)


def expected_best(sample: Floats, draws: int) -> float | None:
    """Return the expected best of a number of draws from a normal distribution, as a sample of it suggests.

    >>> round(expected_best(np.random.default_rng(0).normal(size=200), 1_000_000), 0)
    5.0

    Args:
        sample: scores of random solutions.
        draws: the number of draws, more than the sample has.

    Returns:
        None where the scores do not look normal: the skewness is above 0.5, the excess kurtosis above 1.
    """
    deviation = float(sample.std())
    if deviation <= 0.0 or not math.isfinite(deviation):
        return None
    z = (sample - sample.mean()) / deviation
    if abs(float((z**3).mean())) > 0.5 or abs(float((z**4).mean()) - 3.0) > 1.0:
        return None
    quantile = (draws - 0.375) / (draws + 0.25)
    return float(sample.mean()) + deviation * NormalDist().inv_cdf(quantile)
