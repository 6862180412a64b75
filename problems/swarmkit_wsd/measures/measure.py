"""What a measure is: parameters, a preparation for the synsets of one text, and then blocks of values.

A measure of a third party is a class of the same shape, named in the hook for measures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from swarmkit import Settings
from swarmkit_wsd.arrays import spans
from swarmkit_wsd.lexicon import Lexicon

Synsets = NDArray[Any]  # integers: indices into the lexicon's arrays
Block = NDArray[np.float64]


class Prepared(Protocol):
    """A measure made ready for the synsets of one text."""

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return the relatedness in [0, 1] of each synset of `a` to each of `b`, as len(a) rows of len(b)."""


class Measure(ABC, Settings):
    """How related two synsets are: in [0, 1], symmetric, and for all pairs at once."""

    @abstractmethod
    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> Prepared:
        """Gather what the synsets of a text need; only these may then be asked for."""


def set_identical(block: Block, a: Synsets, b: Synsets) -> Block:
    """Write 1 where a synset meets itself.

    >>> set_identical(np.zeros((2, 3)), np.array([7, 5]), np.array([5, 6, 5])).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """
    order = np.argsort(b, kind="stable")
    found, rows = spans(*(np.searchsorted(b, a, side, sorter=order) for side in ("left", "right")))
    block[rows, order[found]] = 1.0
    return block


def places(prepared: Synsets, wanted: Synsets) -> NDArray[np.int64]:
    """Return where the wanted synsets are among the prepared ones, which are sorted."""
    found = np.searchsorted(prepared, wanted)
    if len(wanted) and (found.max(initial=0) >= len(prepared) or np.any(prepared[found] != wanted)):
        raise ValueError("a synset was asked for that was not among those prepared")
    return found
