"""Lin's measure (Lin 1997, the paper's Eq. (3)): how much of what two synsets say is said by what they share.

    lin(a, b) = 2 IC(lcs(a, b)) / (IC(a) + IC(b)),    IC(s) = -ln p(s)

The values are NLTK's. Where NLTK has none: a synset is 1 to itself; 0 to one of another part of speech, to one it
shares nothing with (the verbs have many roots, and the root NLTK imagines above them says nothing), and between
adjectives or adverbs, which have no hierarchy. What the corpus never had has infinite content: it is 0 to what was
seen, and 1 to what shares an ancestor with it that was never seen either, as in NLTK.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit_wsd.arrays import gather, spans
from swarmkit_wsd.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Block, Measure, Synsets, set_identical
from swarmkit_wsd.wordnet import DEFAULT_IC

UNSEEN = 1e300  # NLTK's infinity: large enough to give 0 beside anything seen, finite enough to give 1 beside itself

FEW = 64  # pairs of an ancestor; below, a loop over ancestors costs more than the writing


def lin(shared: Block, a: NDArray[Any], b: NDArray[Any]) -> Block:
    """Return Lin's similarity from the information content of each pair's subsumer, and of both sides.

    >>> lin(np.array([[2.0, 0.0]]), np.array([3.0]), np.array([5.0, 0.0])).tolist()
    [[0.5, 0.0]]
    """
    # 1e-300 changes no sum, and makes 0 of 0 / 0. Halves are exact; blocks are large, so the subsumer's is reused.
    return np.divide(shared, np.add.outer(np.maximum(a / 2, 1e-300), b / 2), out=shared)


class Lin(Measure):
    """Lin's similarity by information content, for nouns and for verbs."""

    ic: Annotated[str, Field(description="a WordNet-Similarity information content file: its name, or a path")] = (
        DEFAULT_IC
    )

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedLin:
        """Take the information content and the ancestors."""
        return PreparedLin(lexicon, lexicon.information_content(self.ic))


class PreparedLin:
    """Lin's similarity over arrays of ancestors."""

    def __init__(self, lexicon: Lexicon, content: NDArray[np.float64]) -> None:
        self._starts = lexicon.arrays["ancestor.starts"]
        self._ancestors = lexicon.arrays["ancestor.synset"]
        self._content = content

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return Lin's similarity of each synset of `a` to each of `b`."""
        found = lin(self._shared(a, b), _finite(self._content[a]), _finite(self._content[b]))
        return set_identical(found, a, b)

    def _shared(self, a: Synsets, b: Synsets) -> Block:
        """Return the information content of the most informative common ancestor of each pair, 0 if there is none."""
        shared = np.zeros((len(a), len(b)))
        ups_a, rows = self._by_ancestor(a)
        ups_b, columns = self._by_ancestor(b)
        common = np.intersect1d(ups_a, ups_b)
        content = _finite(self._content[common])
        # The least informative first: each ancestor writes over what less informative ones wrote for its descendants.
        order = np.argsort(content, kind="stable")[np.count_nonzero(content <= 0) :]
        spans_a, spans_b = (
            [np.searchsorted(ups, common[order], side) for side in ("left", "right")] for ups in (ups_a, ups_b)
        )
        wide = (spans_a[1] - spans_a[0]) * (spans_b[1] - spans_b[0]) > FEW
        for value, a0, a1, b0, b1 in zip(
            *(part[wide].tolist() for part in (content[order], *spans_a, *spans_b)), strict=True
        ):
            shared[rows[a0:a1, None], columns[b0:b1]] = value
        self._write_narrow(shared, content[order][~wide], rows, columns, [part[~wide] for part in (*spans_a, *spans_b)])
        return shared

    @staticmethod
    def _write_narrow(
        shared: Block, content: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any], ends: list[NDArray[Any]]
    ) -> None:
        """Write the many ancestors of few pairs at once; as content rises, the last write to a cell is the largest."""
        in_a, ancestor = spans(ends[0], ends[1])
        in_b, pair = spans(ends[2][ancestor], ends[3][ancestor])
        cells = rows[in_a][pair], columns[in_b]
        shared[cells] = np.maximum(shared[cells], content[ancestor][pair])

    def _by_ancestor(self, synsets: Synsets) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the ancestors of all synsets, sorted, and whose each is."""
        items, owners = gather(self._starts, synsets)
        ancestors = self._ancestors[items]
        order = np.argsort(ancestors, kind="stable")
        return ancestors[order], owners[order]


def _finite(content: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.minimum(content, UNSEEN)
