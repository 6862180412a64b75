"""The state of annealing under linear constraints: named tuples that its kernel takes as they are."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats, Ints, RngState

VIOLATED, PROPOSALS, LOOKS = range(3)
"""Counters: violated rows, proposals since the weights were changed, looks."""


class Guide(NamedTuple):
    """What is proposed at which temperature, and the first weights."""

    slots: Ints
    """The slots of stages that have a choice, by their excess over the best of their stage."""
    rank: Ints
    """The place of each slot among them."""
    excess: Floats
    """The excess of each of them, increasing; all 0 where nothing is known of it."""
    weights: Floats
    """The first weight of each row."""
    bound: Floats
    """An upper bound on all scores; one number."""


class LinearSearch(NamedTuple):
    """Where the search is."""

    chosen: Ints
    """The slot of each stage."""
    sums: Floats
    """The sum of each row."""
    values: Floats
    """The objective value of each slot beside the rest of the solution."""
    weights: Floats
    """What a unit of each row's violation costs, in units of the score."""
    best: Ints
    """The slots of the incumbent; -1 before there is one."""
    scores: Floats
    """The current score and the best."""
    counters: Ints
    rng_state: RngState
