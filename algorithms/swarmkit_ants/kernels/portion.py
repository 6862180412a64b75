"""Which ants of an iteration build now, and where they pause."""

from __future__ import annotations

from typing import NamedTuple

from numba import types

from swarmkit.kernels.compiling import FLOAT, INT


class Portion(NamedTuple):
    """The ants from `first` to `last` - 1 build, one after another, until the pause; at least one does."""

    first: int
    last: int
    looks: int
    """They pause once these looks are used."""
    length: float
    """They pause after a tour shorter than this, so that the caller can record it; -inf: they never do."""


PORTION = types.NamedTuple((INT, INT, INT, FLOAT), Portion)

ANT_AND_LOOKS = types.Tuple((INT, INT))
"""What a kernel returns that builds a portion: the ant after the last that has built, and the looks."""
