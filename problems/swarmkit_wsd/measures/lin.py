"""Lin's measure (Lin 1997, Using syntactic dependency as local context to resolve word sense ambiguity).

    lin(a, b) = 2 IC(lcs(a, b)) / (IC(a) + IC(b)),    IC(s) = -ln p(s)

lcs is the common ancestor with the highest information content. The values are NLTK's. Where NLTK has none: 1 of a
synset with itself; 0 between parts of speech, without a common ancestor (the verbs have many roots, and the artificial
root that NLTK puts above them has content 0), and for adjectives and adverbs, which have no hierarchy. A synset with
count 0 has infinite content: the value is 0 with a synset that was counted, and 1 if both share an ancestor with count
0, as in NLTK.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit_lexicon.arrays import gather, spans
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_lexicon.search import DEFAULT_IC
from swarmkit_wsd.measures.measure import Block, Measure, Synsets, set_identical

LARGEST_CONTENT = 1e300
"""Infinite information content, as in NLTK: so large that the ratio to any other is about 0, and to itself 1."""

NEGLIGIBLE = 1e-200
"""Similarities below this are 0: ratios to LARGEST_CONTENT would otherwise prefer a sense among unrelated ones."""

FEW = 64
"""Ancestors with at most this number of pairs are processed together: a loop would take longer than the writing."""


def lin(content: Block, a: NDArray[Any], b: NDArray[Any]) -> Block:
    """Return Lin's similarity, given the information content of each pair's lcs (overwritten) and of both synsets.

    >>> lin(np.array([[2.0, 0.0]]), np.array([3.0]), np.array([5.0, 0.0])).tolist()
    [[0.5, 0.0]]
    """
    # 1e-300 changes no sum, and 0 / 0 becomes 0. Halves are exact. Blocks are large, so `content` is reused.
    ratio = np.divide(content, np.add.outer(np.maximum(a / 2, 1e-300), b / 2), out=content)
    ratio[ratio < NEGLIGIBLE] = 0.0
    return ratio


class Lin(Measure):
    """Lin's similarity by information content, for nouns and for verbs."""

    ic: Annotated[str, Field(description="a WordNet-Similarity information content file: its name, or a path")] = (
        DEFAULT_IC
    )

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedLin:
        """Look up information content and ancestors."""
        return PreparedLin(lexicon, lexicon.information_content(self.ic))


class PreparedLin:
    """Lin's similarity of prepared synsets."""

    def __init__(self, lexicon: Lexicon, content: NDArray[np.float64]) -> None:
        self._starts = lexicon.arrays["ancestor.starts"]
        self._ancestors = lexicon.arrays["ancestor.synset"]
        self._content = content

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return Lin's similarity of each synset of `a` to each of `b`."""
        similarity = lin(self._lcs_content(a, b), _finite(self._content[a]), _finite(self._content[b]))
        return set_identical(similarity, a, b)

    def _lcs_content(self, a: Synsets, b: Synsets) -> Block:
        """Return the information content of the lcs of each pair, 0 if there is none."""
        block = np.zeros((len(a), len(b)))
        ups_a, rows = self._by_ancestor(a)
        ups_b, columns = self._by_ancestor(b)
        common = np.intersect1d(ups_a, ups_b)
        content = _finite(self._content[common])
        # By increasing information content: each ancestor overwrites what less informative ones wrote.
        order = np.argsort(content, kind="stable")[np.count_nonzero(content <= 0) :]
        spans_a, spans_b = (
            [np.searchsorted(ups, common[order], side) for side in ("left", "right")] for ups in (ups_a, ups_b)
        )
        wide = (spans_a[1] - spans_a[0]) * (spans_b[1] - spans_b[0]) > FEW
        for value, a0, a1, b0, b1 in zip(
            *(part[wide].tolist() for part in (content[order], *spans_a, *spans_b)), strict=True
        ):
            block[rows[a0:a1, None], columns[b0:b1]] = value
        self._write_narrow(block, content[order][~wide], rows, columns, [part[~wide] for part in (*spans_a, *spans_b)])
        return block

    @staticmethod
    def _write_narrow(
        block: Block, content: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any], ends: list[NDArray[Any]]
    ) -> None:
        """Write the ancestors of few pairs together; the content increases, so the last write to a cell is the largest.

        Args:
            block: the block that is filled.
            content: the information content of the ancestors, increasing.
            rows: the row of each descendant in the block, grouped by ancestor; likewise the columns.
            columns: the column of each descendant in the block.
            ends: for each ancestor where its rows begin and end, and where its columns begin and end.
        """
        in_a, ancestor = spans(ends[0], ends[1])
        in_b, pair = spans(ends[2][ancestor], ends[3][ancestor])
        cells = rows[in_a][pair], columns[in_b]
        block[cells] = np.maximum(block[cells], content[ancestor][pair])

    def _by_ancestor(self, synsets: Synsets) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the ancestors of all synsets, sorted, and for each the index of its descendant."""
        items, owners = gather(self._starts, synsets)
        ancestors = self._ancestors[items]
        order = np.argsort(ancestors, kind="stable")
        return ancestors[order], owners[order]


def _finite(content: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.minimum(content, LARGEST_CONTENT)
