"""Distance of scores from the optimum, where a run or a prover has found it or a bound on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.contract.notebook import figure
from swarmkit.contract.result import rounding, shown
from swarmkit.statistics.finding import Finding
from swarmkit.statistics.wording import quantity


class KnownBest(Finding):
    """The optimum of an instance, or an upper bound on it."""

    instance: str
    bound: float | None
    """No solution has a higher score; None where nothing is known."""
    optimum: bool = False
    """Whether a solution with this score is known."""
    objective: str = "score"
    """What people call the score of this instance, or minus the score."""


class OptimumGap(Finding):
    """The distance of a method's scores on an instance from the optimum or the bound."""

    instance: str
    method: str
    runs: int
    hits: int
    """Runs whose score equals the bound, which then is the optimum."""
    share: float | None
    """Mean score as a fraction of the bound; None where the bound is not positive."""
    gap: float | None
    """Median gap as a fraction of the bound, where runs without a feasible solution count as worst; None where the
    bound is 0, or the median run found no feasible solution."""
    optimum: bool = True
    """Whether the bound is the optimum; gaps to bounds are above those to optima."""


def known_best(records: Sequence[Record], instance: str) -> KnownBest:
    """Return the lowest bound that any run of an instance has."""
    here = [r.result for r in records if r.instance == instance]
    objective = here[0].objective if here else "score"
    bounds = [r.bound for r in here] + [r.gap.bound for r in here if r.gap]
    finite_bounds = [bound for bound in bounds if bound is not None]
    if not finite_bounds:
        words = f"No optimum or bound is known for {instance}."
        return KnownBest(instance=instance, bound=None, objective=objective, words=words)
    # Every bound holds, so the lowest says most.
    bound = min(finite_bounds)
    optimum = any(r.gap and r.gap.optimum and r.gap.bound == bound for r in here)
    optimum = optimum or any(r.score is not None and reaches(r.score, bound) for r in here)
    beyond = "above" if objective == "score" else "below"
    words = (
        f"The optimum of {instance} is {figure(shown(objective, bound))}."
        if optimum
        else f"No solution of {instance} has a {objective} {beyond} {figure(shown(objective, bound))}."
    )
    return KnownBest(instance=instance, bound=bound, optimum=optimum, objective=objective, words=words)


def reaches(score: float, target: float) -> bool:
    """Return whether a score is at least a target, up to rounding.

    >>> reaches(0.1 + 0.2, 0.3), reaches(1e9 - 1, 1e9)
    (True, False)
    """
    return bool(score >= target - rounding(target))


def optimum_gaps(records: Sequence[Record], known: KnownBest) -> list[OptimumGap]:
    """Return the gap of every method on the instance of a known optimum or bound, none where nothing is known."""
    if known.bound is None:
        return []
    here = [r for r in records if r.instance == known.instance]
    return [_gap(known, m, [r for r in here if r.method == m]) for m in dict.fromkeys(r.method for r in here)]


def _gap(known: KnownBest, method: str, records: list[Record]) -> OptimumGap:
    bound = known.bound or 0.0
    scores = np.array([r.result.score for r in records if r.result.score is not None])
    hits = sum(reaches(float(score), bound) for score in scores)
    fields = {"instance": known.instance, "method": method, "runs": len(records)}
    fields |= {"hits": hits, "optimum": known.optimum}
    if not scores.size:
        return OptimumGap(**fields, share=None, gap=None, words=f"{method} found no feasible solution.")
    share = float(scores.mean() / bound) if bound > 0 else None
    infeasible = [np.inf] * (len(records) - scores.size)
    away = float(np.median([*np.maximum(0.0, bound - scores), *infeasible]))
    gap = away / abs(bound) if bound and np.isfinite(away) else None
    runs = quantity(len(records), "run")
    words = f"{method} reached the optimum in {hits} of {runs}" if known.optimum else f"{method}: {runs}"
    kind = "optimum" if known.optimum else "bound"
    words += "" if share is None else f"; {share:.2%} of the {kind} on average"
    words += "" if gap is None else f"; median gap to the {kind} {gap:.3%}"
    return OptimumGap(**fields, share=share, gap=gap, words=f"{words}.")
