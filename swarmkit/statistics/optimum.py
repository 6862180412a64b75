"""How near runs came to the best there can be, where a run or a prover has said what that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swarmkit.comparison.record import Record
from swarmkit.statistics.finding import Finding, counted
from swarmkit.statistics.outcomes import SAME


class Known(Finding):
    """What is known of the best score of an instance."""

    instance: str
    bound: float | None
    optimum: bool = False
    """Whether some run has met the bound."""


class Nearness(Finding):
    """How near a method came on an instance."""

    instance: str
    method: str
    runs: int
    hits: int
    """Runs that reached the bound, which then is the optimum."""
    share: float | None
    """The mean score as a share of the bound; None where the bound is not positive."""
    gap: float | None
    """The median relative gap; None where the bound is 0."""


def known_best(records: Sequence[Record], instance: str) -> Known:
    """Take the lowest bound that any run of an instance carries."""
    here = [r.result for r in records if r.instance == instance]
    bounds = [r.bound for r in here] + [r.gap.bound for r in here if r.gap]
    proved = [bound for bound in bounds if bound is not None]
    if not proved:
        return Known(instance=instance, bound=None, words=f"No optimum or bound is known for {instance}.")
    bound = min(proved)
    met = any(r.gap and r.gap.optimum and r.gap.bound == bound for r in here)
    met = met or any(r.score is not None and reaches(r.score, bound) for r in here)
    words = (
        f"The optimum of {instance} is {bound:.6g}." if met else f"No solution of {instance} scores above {bound:.6g}."
    )
    return Known(instance=instance, bound=bound, optimum=met, words=words)


def reaches(score: float, target: float) -> bool:
    """Tell whether a score is as good as a target, rounding aside."""
    return score >= target - SAME * max(1.0, abs(target))


def nearness(records: Sequence[Record], known: Known) -> list[Nearness]:
    """Measure every method's runs on an instance against what is known of it."""
    if known.bound is None:
        return []
    here = [r for r in records if r.instance == known.instance]
    return [_near(known, m, [r for r in here if r.method == m]) for m in dict.fromkeys(r.method for r in here)]


def _near(known: Known, method: str, records: list[Record]) -> Nearness:
    bound = known.bound or 0.0
    scores = np.array([r.result.score for r in records if r.result.score is not None])
    hits = sum(reaches(float(score), bound) for score in scores)
    given = {"instance": known.instance, "method": method, "runs": len(records), "hits": hits}
    if not scores.size:
        return Nearness(**given, share=None, gap=None, words=f"{method} found no feasible solution.")
    share = float(scores.mean() / bound) if bound > 0 else None
    gap = float(np.median(np.maximum(0.0, bound - scores)) / abs(bound)) if bound else None
    kind = "optimum" if known.optimum else "bound"
    words = f"{method} reached the {kind} in {hits} of {counted(len(records), 'run')}"
    words += "" if share is None else f"; {share:.2%} of it on average"
    words += "" if gap is None else f"; median gap {gap:.3%}"
    return Nearness(**given, share=share, gap=gap, words=f"{words}.")
