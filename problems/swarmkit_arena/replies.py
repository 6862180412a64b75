"""What the process of a solver replies to a request for steps, if it is right: answer, bound, looks and generator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from swarmkit import Problem, StepResult, evaluate, judge
from swarmkit_arena.messages import Message
from swarmkit_arena.rules import TOLERANCE, Breach, is_below

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Of PCG64, whose state is a linear congruential generator modulo 2¹²⁸."""

MODULUS = 1 << 128

MOST_DRAWS_LOG2 = 48
"""The logarithm of the most numbers that a step can draw: more would take days."""


def step_result(reply: Message, problem: Problem) -> StepResult:
    """Return what a reply says, if its solution is one of the problem and has the score that is claimed.

    Raises:
        Breach: it is not, or has not.
    """
    result = _parse(reply)
    x = result.solution
    if x is None or result.score is None:
        return result._replace(solution=None, score=None)
    if x.shape != (len(problem.sizes),) or (x < 0).any() or (x >= np.asarray(problem.sizes)).any():
        raise Breach("feasible", "It reports a solution that is none: a candidate number is out of range.")
    copy = problem.with_own_meter()  # looked at by the referee: not an evaluation of the solver
    if not judge(copy, x[None])[0]:
        raise Breach("feasible", "It reports a solution that is not feasible.")
    score = float(evaluate(copy, x[None])[0])
    # `not <=` rather than `>`: a claim that is not a number is refused.
    if not abs(score - result.score) <= TOLERANCE * max(1.0, abs(score)):
        raise Breach("score", f"It claims a score of {result.score:.6g}; the problem says {score:.6g}.")
    return result


def check_bound(result: StepResult, best: float) -> None:
    """Refuse a bound that is below the best answer so far."""
    if result.bound is not None and is_below(result.bound, best):
        words = f"It claims that no solution scores more than {result.bound:.6g}; one of its own has {best:.6g}."
        raise Breach("score", words)


def looks_in(reply: Message) -> int:
    """Return the looks that the process of a solver has counted since its last reply."""
    looks = reply.body.get("read", 0)
    return looks if isinstance(looks, int) else 0


def _parse(reply: Message) -> StepResult:
    """Return a reply as a `StepResult`."""
    body, solution = reply.body, reply.arrays.get("solution")
    try:
        bound, score = (None if body[name] is None else float(body[name]) for name in ("bound", "score"))
        result = StepResult(solution, score, int(body["looks"]), int(body["iterations"]), bool(body["done"]), bound)
        if solution is not None and solution.dtype != np.int64:
            raise ValueError("a solution of another type")
    except (KeyError, TypeError, ValueError):
        raise Breach("harness", "It replies to a step with something else.") from None
    if result.looks < 0 or result.iterations < 0:
        raise Breach("count", f"A step reports {result.looks} looks and {result.iterations} iterations.")
    return result


def take_generator(rng: Generator, state: Any) -> None:
    """Set the generator of the run to where a solver has left it: it may draw from it, and nothing else.

    Args:
        rng: the generator, as it was before the step.
        state: the state of numpy's PCG64 after it.

    Raises:
        Breach: the state is not one that drawing leads to.
    """
    before = rng.bit_generator.state["state"]
    try:
        rng.bit_generator.state = state
    except (TypeError, ValueError, KeyError):
        raise Breach("generator", "It replies with a generator of another kind.") from None
    after = rng.bit_generator.state["state"]
    if after["inc"] != before["inc"] or not is_reached(before["state"], after["state"], before["inc"]):
        raise Breach("generator", "It sets the generator of the run to another state, instead of drawing from it.")


def is_reached(start: int, end: int, increment: int) -> bool:
    """Whether a generator in one state comes to another one within 2 to the power of MOST_DRAWS_LOG2 draws.

    The lowest bits of the state repeat with the periods 2, 4, 8, …: so the bits of the number of draws are found one
    after the other, with the multiplier and increment of 1, 2, 4, 8, … draws (Brown 1994, Random number generation with
    arbitrary strides).

    >>> after_three = 5
    >>> for _ in range(3):
    ...     after_three = (after_three * MULTIPLIER + 7) % MODULUS
    >>> is_reached(5, after_three, 7), is_reached(5, 12345, 7)
    (True, False)
    """
    multiplier = MULTIPLIER
    for place in range(MOST_DRAWS_LOG2):
        if start == end:
            return True
        if (start ^ end) >> place & 1:  # with 2^place more draws this bit agrees, and the lower ones still do
            start = (start * multiplier + increment) % MODULUS
        increment = (multiplier + 1) * increment % MODULUS
        multiplier = multiplier * multiplier % MODULUS
    return start == end
