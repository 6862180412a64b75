"""The generator of a run between two steps: the solver may draw from it, and nothing else."""

from __future__ import annotations

from typing import Any

from numpy.random import Generator

from swarmkit.arena.rules import Breach

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Of PCG64, whose state is a linear congruential generator modulo 2¹²⁸."""

MODULUS = 1 << 128

MOST_DRAWS_LOG2 = 48
"""The logarithm of the most numbers that a step can draw: more would take days."""


def take_generator(rng: Generator, state: Any) -> None:
    """Set the generator of the run to where a solver has left it.

    Args:
        rng: the generator, as it was before the step.
        state: the state of numpy's PCG64 after it.

    Raises:
        Breach: the state is not one that drawing leads to.
    """
    before = rng.bit_generator.state
    try:
        rng.bit_generator.state = state
    except (TypeError, ValueError, KeyError):
        raise Breach("generator", "It replies with a generator of another kind.") from None
    after = rng.bit_generator.state
    start, increment = before["state"]["state"], before["state"]["inc"]
    if after["state"]["inc"] != increment or not is_reached(start, after["state"]["state"], increment):
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
    multiplier, bit = MULTIPLIER, 1
    for _ in range(MOST_DRAWS_LOG2):
        if start == end:
            return True
        if (start ^ end) & bit:
            start = (start * multiplier + increment) % MODULUS
        increment = (multiplier + 1) * increment % MODULUS
        multiplier, bit = multiplier * multiplier % MODULUS, bit << 1
    return start == end
