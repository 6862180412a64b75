"""The state of annealing of sequences on tables: a named tuple that its kernel takes as it is."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats, Ints, RngState

LOOKS = 0
"""Counter: looks."""


class OrderSearch(NamedTuple):
    """Where the search is; a place is a stage's number along the sequence."""

    x: Ints
    """The candidate at each place."""
    y: Ints
    """Room for a neighbour."""
    best: Ints
    """The incumbent, by places."""
    changed: Ints
    """Room for the places that a move changes."""
    order: Ints
    """The stage of each place."""
    place: Ints
    """The place of each stage."""
    scores: Floats
    """The current score and the best."""
    shares: Floats
    moves: Floats
    improvements: Floats
    """These three: how likely each kind of move is drawn, and what it has led to (`swarmkit.search.Credit`)."""
    counters: Ints
    rng_state: RngState
