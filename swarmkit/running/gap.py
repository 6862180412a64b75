"""How far a result is from the best there can be, where that is known."""

from __future__ import annotations

from typing import Any, NamedTuple

from swarmkit.contract.budget import Budget
from swarmkit.contract.errors import MissingError, Refusal, UsageError
from swarmkit.contract.problem import Problem
from swarmkit.contract.result import Gap, Result, Results, best_of
from swarmkit.plugins.factory import make_solver
from swarmkit.plugins.host import Offer, host
from swarmkit.running.run import Run
from swarmkit.running.specification import make_spec

BY_PROBLEM = "the problem"
"""Who says so where the problem itself knows its optimum."""

SECONDS = 30.0
"""So long each of them may take."""


class Bound(NamedTuple):
    """What is known of the best score: none is above `value`, one equals it if `optimum`; or why nothing is known."""

    value: float | None
    optimum: bool
    by: str
    reasons: dict[str, str]


def known_bound(problem: Problem, seconds: float = SECONDS) -> Bound:
    """Ask the problem, and then the solvers that prove things, for the best score there can be.

    >>> from swarmkit import make_problem
    >>> known_bound(make_problem("synthetic", n=50, window=1)).by
    'viterbi'
    """
    if problem.optimum is not None:
        return Bound(float(problem.optimum), True, BY_PROBLEM, {})
    found, reasons = Bound(None, False, "", {}), {}
    for offer in provers():
        name = offer.name
        proved = _asked(problem, name, dict(offer.value.proof_params), seconds)
        if isinstance(proved, str):
            reasons[name] = proved
        elif found.value is None or (proved.bound is not None and proved.bound < found.value):
            found = Bound(proved.bound, proved.bound == proved.score, name, {})
        if found.optimum:
            break
    return found._replace(reasons=reasons)


def provers() -> list[Offer]:
    """Return the registered solvers that prove optima or bounds, cheapest first."""
    offers = [offer for offer in host().offers("solver") if offer.value.proof_rank is not None]
    return sorted(offers, key=lambda offer: offer.value.proof_rank)


def _asked(problem: Problem, name: str, params: dict[str, Any], seconds: float) -> Result | str:
    """Let one solver prove what it can; a sentence says why it cannot."""
    try:
        solver = make_solver(name, **params)
        result = Run(problem, solver, make_spec(problem, solver, 0, Budget(seconds=seconds))).go()
    except Refusal as refusal:
        return refusal.reason
    except (UsageError, MissingError) as error:
        return str(error)
    return result if result.bound is not None else f"it proved nothing in {seconds:g} seconds"


def measure_gap(result: Result, known: Bound) -> Gap:
    """Compare a result with what is known; what the run itself proved counts too."""
    if result.bound is not None and (known.value is None or result.bound < known.value):
        known = Bound(result.bound, result.bound == result.score, result.solver, {})
    if known.value is None:
        said = "; ".join(f"{name}: {reason}" for name, reason in known.reasons.items())
        return _gap(known, None, f"no optimum or bound is known ({said})")
    kind = "optimum" if known.optimum else "bound"
    if result.score is None:
        return _gap(known, None, f"no solution to compare with the {kind} {known.value:.6g} ({known.by})")
    away = known.value - result.score
    if away < -1e-9 * max(1.0, abs(known.value)):
        return _gap(known, None, f"above {known.value:.10g}, which {known.by} takes for the optimum: it is not")
    away = max(0.0, away)
    share = f" ({away / abs(known.value):.4%})" if known.value else ""
    if away <= 1e-9 * max(1.0, abs(known.value)):
        whence = "as the problem knows" if known.by == BY_PROBLEM else f"proved by {known.by}"
        return _gap(known, 0.0, f"this is the optimum, {whence}")
    return _gap(known, away, f"{away:.6g}{share} below the {kind} {known.value:.6g} ({known.by})")


def with_gap(outcome: Result | Results, problem: Problem) -> Result | Results:
    """Add to one result, or to several of one problem, how far each is from the best there can be."""
    if isinstance(outcome, Result):
        return outcome.model_copy(update={"gap": measure_gap(outcome, known_bound(problem))})
    known = known_bound(problem)
    runs = [run.model_copy(update={"gap": measure_gap(run, known)}) for run in outcome.runs]
    return best_of(runs)


def _gap(known: Bound, away: float | None, words: str) -> Gap:
    relative = away / abs(known.value) if away is not None and known.value else None
    return Gap(bound=known.value, optimum=known.optimum, by=known.by, absolute=away, relative=relative, words=words)
