"""The states of the two tabu searches: named tuples that their kernels take as they are."""

from __future__ import annotations

from typing import NamedTuple

from swarmkit import Floats, Ints, RngState, Solutions

BLOCK = 32
"""Entries of a block."""


class TabuState(NamedTuple):
    """Where the search is, as kernels take it; `kernels.tabu_moves` says what an entry and a block are."""

    x: Solutions
    gains: Floats
    """The gain of the move of each entry."""
    open: Floats
    """The same where the move is admissible; -inf elsewhere."""
    maxima: Floats
    """The largest entry of `open` in each block."""
    stale: Ints
    """Whether the maximum of each block has to be computed again."""
    until: Ints
    """The number of the move up to which each entry is tabu."""
    present: Floats
    """The value of each stage's candidate beside the others; empty on binary tables."""
    optimal: Ints
    """Whether that value is the ceiling: no change of the stage alone can gain, and its moves are not admissible."""
    solutions: Solutions
    """Rows: the best of the round, the best on the path, where the path leads to, the incumbent."""
    scores: Floats
    """The current score, and those of the rows of `solutions`, but for the third."""
    counters: Ints
    """The moves made, and more (see `kernels.tabu`)."""
    tabu: Ints
    """The entries that are tabu, at the front."""
    rng_state: RngState
    members: Solutions
    """The elite: good solutions that all differ."""
    member_scores: Floats
    overlap: Ints
    """Where candidates are interchangeable (colours): a row and a column for each, to compare two members in."""
    label: Ints
    """The candidate that stands for each one of another member."""


class RobustTabuState(NamedTuple):
    """Where the search is, as kernels take it."""

    x: Solutions
    round_best: Solutions
    """The best solution of this round."""
    base: Solutions
    """The solution that rounds start from."""
    best: Solutions
    """The incumbent."""
    scores: Floats
    """The scores of the four."""
    values: Floats
    """The gain table: a row a stage, the value of each candidate beside the rest of the solution."""
    tabu_until: Ints
    """A row a stage: the number of the swap up to which each candidate is tabu."""
    clock: Ints
    """The number of swaps made, and that at which the round's best was reached."""
    rng_state: RngState
