"""Calls of the compiled bees for tests."""

from typing import NamedTuple

import numpy as np

from swarmkit import Pairwise
from swarmkit_bees.kernel import Memory
from swarmkit_bees.rules import Plan


class Outcome(NamedTuple):
    """What some iterations have found, and what they cost."""

    solution: np.ndarray
    score: float
    looks: int
    iterations: int


def memory_for(form: Pairwise, plan: Plan, guide: np.ndarray | None = None) -> Memory:
    """Return the memory of a plan, with a guide of the first bee or none."""
    memory = Memory(form)
    memory.follow(plan, form.unary, np.full(len(form.sizes), -1) if guide is None else guide)
    return memory


def iterate(form: Pairwise, plan: Plan, iterations: int, rng_state: np.ndarray) -> Outcome:
    """Make compiled iterations from the beginning."""
    memory = memory_for(form, plan)
    score, looks, made, _ = memory.iterate(iterations, -np.inf, rng_state)
    return Outcome(memory.workspace.best, score, looks, made)
