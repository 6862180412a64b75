"""Extended gloss overlaps (Banerjee & Pedersen 2002, "An Adapted Lesk Algorithm for Word Sense Disambiguation").

The gloss of a synset is a text, and so are the glosses of its hypernyms, of its hyponyms, …, one text for each
relation. Every text of one synset is compared with every text of the other, and a phrase of n words that two texts
share counts n². Glosses are compared by base forms (the paper: by words as written), and no phrase extends across the
end of a gloss.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from swarmkit_lexicon.arrays import find_sorted, gather
from swarmkit_lexicon.bags import USUAL, glosses, known_relations, related
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.measure import Block, Measure, Synsets, places, set_identical
from swarmkit_wsd.measures.sparse import Rows, count_rows, product


def normalise_scores(score: Block, a: NDArray[Any], b: NDArray[Any], how: str) -> Block:
    """Return scores relative to the geometric mean of the scores of both synsets with themselves.

    >>> normalise_scores(np.array([[4.0]]), np.array([16.0]), np.array([4.0]), "ratio").tolist()
    [[0.5]]

    Args:
        score: the score of each synset of one side (rows) with each of the other (columns).
        a: the score of each synset of the rows with itself.
        b: the score of each synset of the columns with itself.
        how: `ratio`, or `log` for the ratio of the logarithms.
    """
    mean = np.multiply.outer(np.sqrt(np.maximum(a, 1.0)), np.sqrt(np.maximum(b, 1.0)))
    over, by = (score, mean) if how == "ratio" else (np.log1p(score), np.log1p(mean))
    # Greedy overlaps are not an inner product: the ratio may exceed 1.
    return np.asarray(np.minimum(over / by, 1.0))


class ExtendedLesk(Measure):
    """Phrases shared by the glosses of two synsets and of the synsets related to them; n words count n²."""

    relations: Annotated[tuple[str, ...], Field(description="whose glosses are compared beside the synset's own")] = (
        USUAL
    )
    examples: Annotated[bool, Field(description="count the examples as part of the glosses")] = False
    normalise: Annotated[
        Literal["log", "ratio"],
        Field(description="score over the mean score of both with themselves: by ratio, or by ratio of logarithms"),
    ] = "log"

    _relations_exist = field_validator("relations")(known_relations)

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedExtendedLesk:
        """Arrange the texts of all synsets, and score each synset with itself."""
        distinct = np.unique(synsets)
        return PreparedExtendedLesk(distinct, _layout(lexicon, distinct, self), self.normalise)


@dataclass(frozen=True)
class Texts:
    """Texts of content words end to end, in the order of their owners."""

    starts: NDArray[np.int64]
    """Where the words of each text start."""
    owner: NDArray[np.int64]
    """The synset of each text, numbered from 0."""
    rank: NDArray[np.int64]
    """The text of lower rank is the first of a pair, on whichever side it is."""
    place: NDArray[np.int64]
    """The position of each word in its gloss, function words counted."""
    link: NDArray[np.int64]
    """The number of the phrase from each word to the next content word, or -1."""
    bags: Rows
    """For each synset the words of its texts, repeated occurrences in a text in columns of their own."""

    def take(self, owners: NDArray[Any]) -> Texts:
        """Return the texts of some synsets, numbered in the order of `owners`."""
        firsts = np.searchsorted(self.owner, np.arange(len(self.bags.starts)))
        texts, owner = gather(firsts, owners)
        items, _ = gather(self.starts, texts)
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[texts])])
        return Texts(starts, owner, self.rank[texts], self.place[items], self.link[items], self.bags.take(owners))


def _layout(lexicon: Lexicon, synsets: Synsets, params: ExtendedLesk) -> Texts:
    owner, relation, target = related(lexicon, synsets, params.relations)
    words = glosses(lexicon, target, params.examples)
    _, first, text = np.unique(owner * (len(params.relations) + 1) + relation, return_index=True, return_inverse=True)
    word_text = text[words.owner]
    starts = np.searchsorted(word_text, np.arange(len(first) + 1))
    columns = _repeats_apart(word_text, lexicon.arrays["content.word"][words.item])
    bags = count_rows(owner[words.owner], columns, len(synsets))
    place, link = (lexicon.arrays[f"content.{name}"][words.item].astype(np.int64) for name in ("place", "link"))
    return Texts(starts, owner[first], np.arange(len(first)), place, link, bags)


def _repeats_apart(text: NDArray[Any], word: NDArray[Any]) -> NDArray[np.int64]:
    """Return a column for each word: the k-th occurrence in a text has its own, so that products sum minima of counts.

    >>> _repeats_apart(np.array([0, 0, 0, 1]), np.array([1, 2, 2, 2])).tolist()
    [1, 2, 5, 2]
    """
    width = int(word.max(initial=0)) + 1
    keys = text.astype(np.int64) * width + word
    order = np.argsort(keys, kind="stable")
    fresh = np.flatnonzero(np.diff(keys[order], prepend=-1))
    times = np.diff(np.append(fresh, len(keys)))
    earlier = np.empty(len(keys), np.int64)  # occurrences of the word before this one in its text
    earlier[order] = np.arange(len(keys)) - np.repeat(fresh, times)
    return np.asarray(earlier * width + word)


class PreparedExtendedLesk:
    """Extended overlaps of prepared synsets."""

    def __init__(self, synsets: Synsets, texts: Texts, normalise: str) -> None:
        self._synsets = synsets
        self._texts = texts
        self._normalise = normalise
        self._self_scores = _self_scores(texts)

    def block(self, a: Synsets, b: Synsets) -> Block:
        """Return the normalised score of each synset of `a` with each of `b`; 1 of a synset with itself."""
        self_a, self_b = (self._self_scores[places(self._synsets, part)] for part in (a, b))
        return set_identical(normalise_scores(self.scores(a, b), self_a, self_b, self._normalise), a, b)

    def scores(self, a: Synsets, b: Synsets) -> NDArray[np.float64]:
        """Return the paper's score, which is not normalised."""
        texts_a, texts_b = (self._texts.take(places(self._synsets, part)) for part in (a, b))
        out = product(texts_a.bags, texts_b.bags)
        _add_phrases(texts_a, texts_b, out)
        return out


def _self_scores(texts: Texts) -> NDArray[np.float64]:
    """Return the score of each synset with itself: the same kernel, with links that no two synsets share."""
    count = len(texts.bags.starts) - 1
    word_owner = np.repeat(texts.owner, np.diff(texts.starts))
    links = np.where(texts.link >= 0, word_owner * (int(texts.link.max(initial=0)) + 1) + texts.link, -1)
    bag_owner = np.repeat(np.arange(count), np.diff(texts.bags.starts))
    out = np.bincount(bag_owner, weights=texts.bags.values**2, minlength=count).astype(np.float64)
    apart = replace(texts, link=links)
    _add_phrases(replace(apart, owner=np.zeros_like(texts.owner)), apart, out[None, :])
    return out


def _add_phrases(a: Texts, b: Texts, out: NDArray[np.float64]) -> None:
    """Add n² - c for the shared phrases: renumber the links of both sides, list where `b` has each, run the kernel."""
    common = np.intersect1d(a.link[a.link >= 0], b.link[b.link >= 0])
    if not len(common):
        return
    from swarmkit_wsd.measures.overlap_kernel import Postings, Side, add_phrases  # numba takes long to import

    links_a, links_b = find_sorted(common, a.link), find_sorted(common, b.link)
    places_b = np.flatnonzero(links_b >= 0)
    postings = places_b[np.argsort(links_b[places_b], kind="stable")]
    posting_starts = np.searchsorted(links_b[postings], np.arange(len(common) + 1))
    text = np.repeat(np.arange(len(b.owner)), np.diff(b.starts))
    side_a, side_b = (Side(texts.starts, texts.owner, texts.rank, texts.place) for texts in (a, b))
    add_phrases(side_a, links_a, side_b, Postings(posting_starts, postings, text), out)
