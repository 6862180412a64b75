"""The interface of measures: parameters, a preparation for the synsets of one text, and then blocks of values.

Other plugins offer subclasses of `Measure` through the hook `swarmkit_measures`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from swarmkit import Settings
from swarmkit_lexicon.arrays import find_sorted, spans
from swarmkit_lexicon.bags import Synsets as Synsets
from swarmkit_lexicon.lexicon import Lexicon

Block = NDArray[np.float64]


class Prepared(Protocol):
    """A measure prepared for the synsets of one text."""

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return the relatedness in [0, 1] of each synset of `a` to each of `b`, as len(a) rows of len(b)."""


class Measure(ABC, Settings):
    """The relatedness of two synsets: in [0, 1], symmetric, computed for many pairs at once."""

    @abstractmethod
    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> Prepared:
        """Return the measure prepared for some synsets; its blocks may contain only these."""


def set_identical(block: Block, a: Synsets, b: Synsets) -> Block:
    """Write 1 where row and column are the same synset; return the block.

    >>> set_identical(np.zeros((2, 3)), np.array([7, 5]), np.array([5, 6, 5])).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """
    order = np.argsort(b, kind="stable")
    hits, rows = spans(*(np.searchsorted(b, a, side, sorter=order) for side in ("left", "right")))
    block[rows, order[hits]] = 1.0
    return block


def places(prepared: Synsets, synsets: Synsets) -> NDArray[np.int64]:
    """Return the positions of synsets among the prepared ones, which are sorted."""
    at = find_sorted(prepared, synsets)
    if np.any(at < 0):
        raise ValueError("a synset of the block is not among those prepared")
    return at
