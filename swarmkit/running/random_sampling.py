"""Whether an answer is better than random sampling would have been, with as many evaluations.

A search that does not suit a problem may end with less than luck gives, and nothing in its result shows it. After a run
on a problem of which nothing but the score is known, a small sample is drawn. Its best solution is a lower limit of
what random sampling gives; where the scores look normal, the expected best of N draws is extrapolated (G. Blom, 1958:
the best of N normal values lies about z((N - 0.375) / (N + 0.25)) standard deviations above their mean).
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.contract.problem import Problem
from swarmkit.contract.problem_view import problem_view
from swarmkit.contract.result import AgainstRandom, Result
from swarmkit.contract.validation import evaluate
from swarmkit.search.construction import random_solutions

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
