"""Lesk's measure (Lesk 1986), normalised: the number of content words that two glosses share.

Words are compared by their base forms, each once however often it occurs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit_lexicon.bags import glosses
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Block, Measure, Synsets
from swarmkit_wsd.measures.sparse import PreparedRows, Rows, count_rows

Sizes = NDArray[Any]

NORMALISATIONS: dict[str, Callable[[NDArray[Any], Sizes, Sizes], NDArray[Any]]] = {
    "dice": lambda _product, a, b: np.add.outer(a / 2, b / 2),
    "jaccard": lambda product, a, b: np.add.outer(a, b) - product,
    "cosine": lambda _product, a, b: np.multiply.outer(np.sqrt(a), np.sqrt(b)),
    "min": lambda _product, a, b: np.minimum.outer(a, b),
    "max": lambda _product, a, b: np.maximum.outer(a, b),
}
"""The divisor of the number of shared words, given that number and the sizes |A| (rows) and |B| (columns)."""


def overlap(counts: Block, a: Sizes, b: Sizes, normalise: str) -> Block:
    """Return the number of shared words over the divisor named by `normalise`; 0 where a gloss has no content word.

    >>> overlap(np.array([[2.0]]), np.array([4]), np.array([8]), "min").tolist()
    [[0.5]]
    """
    counts /= NORMALISATIONS[normalise](counts, np.maximum(a, 1), np.maximum(b, 1))
    return counts


class Lesk(Measure):
    """Words that two glosses share, relative to their lengths."""

    normalise: Annotated[
        Literal["dice", "jaccard", "cosine", "min", "max"],
        Field(description="what the shared words are divided by: mean length, union, geometric mean, shorter, longer"),
    ] = "dice"
    examples: Annotated[bool, Field(description="count the examples as part of the gloss")] = True

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedRows:
        """Collect the distinct words of each synset's gloss."""
        distinct = np.unique(synsets)
        words = glosses(lexicon, distinct, self.examples)
        rows = count_rows(words.owner, lexicon.arrays["content.word"][words.item], len(distinct))
        # Each word counts once, however often it occurs.
        sets = Rows(rows.starts, rows.columns, np.ones(len(rows.values)))
        return PreparedRows(distinct, sets, partial(_values, self.normalise))


def _values(normalise: str, counts: Block, a: Rows, b: Rows) -> Block:
    return overlap(counts, np.diff(a.starts), np.diff(b.starts), normalise)
