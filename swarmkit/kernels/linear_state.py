"""What kernels of linear constraints read and change, as named tuples; without numba, so that States can name them."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit.contract.arrays import Floats, Ints, RngState
from swarmkit.contract.pairwise import Links

VIOLATED, IMPROVING, NOW, PROGRESS, TOUCHED, ROUNDS = range(6)
"""Counters: violated rows, improving slots, steps made, the step of the last improvement, slots touched by a move that
is being made, restarts."""

CURRENT, BEST, OBJECTIVE, INCREMENT = range(4)
"""Numbers: the objective of the current solution and of the incumbent, the weight of the objective, what is added to
the weights at a local optimum."""


class Rows(NamedTuple):
    """Linear constraints, by row and by slot."""

    offsets: Ints
    """The first slot of each stage, and the number of slots."""
    stage: Ints
    """The stage of each slot."""
    indptr: Ints
    """Where the entries of each row begin: one for each slot that it names, in the order of the slots."""
    slots: Ints
    stages: Ints
    """The stage of each entry."""
    coefficients: Floats
    slot_indptr: Ints
    """Where the entries of each slot begin, in the order of the rows."""
    slot_rows: Ints
    slot_coefficients: Floats
    slot_entries: Ints
    """The place of each of these entries in the order of the rows."""
    lower: Floats
    upper: Floats
    scale: Floats
    """The weight of a unit of each row, at first: one over its mean coefficient, so that rows of any unit are alike."""
    swing: Floats
    """By how much the sum of each row may change if one stage does."""


class Model(NamedTuple):
    """The problem: its rows, its objective as tables, and the scale of the objective's changes."""

    rows: Rows
    links: Links
    unary: Floats
    unit: Floats
    """One over a typical change of the objective, 0 if it never changes; one number."""


class Rules(NamedTuple):
    """The parameters."""

    tenure: int
    """The shortest time for which a stage that has changed stays as it is."""
    patience: int
    """Steps without a better solution after which the search returns to the best."""
    forgetting: float
    """The share of older increments, at each local optimum, beside the newest."""


class WeightingState(NamedTuple):
    """Where the search is."""

    chosen: Ints
    """The slot of each stage."""
    sums: Floats
    """The sum of each row."""
    values: Floats
    """The objective value of each slot beside the rest of the solution."""
    penalty: Floats
    """The weighted violation that each slot adds beside the rest of the solution."""
    weights: Floats
    """The weight of each row."""
    violated: Ints
    """The violated rows, at the front."""
    violated_place: Ints
    """The place of each row among them, or -1."""
    improving: Ints
    """The slots that gain, at the front."""
    improving_place: Ints
    until: Ints
    """The step up to which each stage stays as it is."""
    best: Ints
    """The slots of the incumbent; -1 before there is a feasible solution."""
    numbers: Floats
    counters: Ints
    rng_state: RngState
    touched: Ints
    """Slots touched by a move that is being made; empty between steps."""
    marks: Ints
    """Whether each slot is among them."""
    first: Ints
    """The first slot of each stage."""
