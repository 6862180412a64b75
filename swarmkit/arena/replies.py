"""What the process of a solver replies to a request for steps, if it is right."""

from __future__ import annotations

import numpy as np

from swarmkit.arena.messages import Message
from swarmkit.arena.rules import Breach
from swarmkit.contract.problem import Problem
from swarmkit.contract.solver import StepResult
from swarmkit.contract.validation import evaluate, judge
from swarmkit.running.metering import TOLERANCE


def found_in(reply: Message, problem: Problem) -> StepResult:
    """Return what a reply says, if its solution is one of the problem and has the score that is claimed.

    Raises:
        Breach: it is not, or has not.
    """
    found = _parsed(reply)
    x = found.solution
    if x is None or found.score is None:
        return found._replace(solution=None, score=None)
    if x.shape != (len(problem.sizes),) or (x < 0).any() or (x >= np.asarray(problem.sizes)).any():
        raise Breach("feasible", "It reports a solution that is none: a candidate number is out of range.")
    own = problem.with_own_meter()  # looked at by the referee: not an evaluation of the solver
    if not judge(own, x[None])[0]:
        raise Breach("feasible", "It reports a solution that is not feasible.")
    score = float(evaluate(own, x[None])[0])
    if not abs(score - found.score) <= TOLERANCE * max(1.0, abs(score)):
        raise Breach("score", f"It claims a score of {found.score:.6g}; the problem says {score:.6g}.")
    return found


def check_bound(found: StepResult, best: float) -> None:
    """Refuse a bound that is below the best answer so far."""
    if found.bound is not None and found.bound < best - TOLERANCE * max(1.0, abs(best)):
        words = f"It claims that no solution scores more than {found.bound:.6g}; one of its own has {best:.6g}."
        raise Breach("score", words)


def looks_in(reply: Message) -> int:
    """Return the looks that the process of a solver has counted since its last reply."""
    read = reply.body.get("read", 0)
    return read if isinstance(read, int) else 0


def _parsed(reply: Message) -> StepResult:
    """Return a reply as a `StepResult`."""
    body, solution = reply.body, reply.arrays.get("solution")
    try:
        bound, score = (None if body[name] is None else float(body[name]) for name in ("bound", "score"))
        found = StepResult(solution, score, int(body["looks"]), int(body["iterations"]), bool(body["done"]), bound)
        if solution is not None and solution.dtype != np.int64:
            raise ValueError("a solution of another type")
    except (KeyError, TypeError, ValueError):
        raise Breach("harness", "It replies to a step with something else.") from None
    if found.looks < 0 or found.iterations < 0:
        raise Breach("count", f"A step reports {found.looks} looks and {found.iterations} iterations.")
    return found
