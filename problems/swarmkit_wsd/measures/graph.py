"""WordNet as an undirected graph of synsets: its relations, and the links of its glosses, compiled once and cached."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Ints
from swarmkit_lexicon.arrays import strings_in
from swarmkit_lexicon.bags import glosses, related
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.gloss_cosine import GlossCosine
from swarmkit_wsd.measures.sparse import Rows, count_rows

FORMAT = 1
"""Part of the name of the cached arrays: increased when the edges change."""

COSINE = 20.0
HYPERNYM = 2.0
LEAST_POSTERIOR = 0.6
"""Of the links of glosses; chosen in a trial on Senseval-2."""


class Graph(NamedTuple):
    """An undirected graph without multiple edges and loops: the neighbours of v are at starts[v] to starts[v + 1]."""

    starts: Ints
    neighbour: Ints

    @property
    def degrees(self) -> NDArray[np.int64]:
        """The number of neighbours of each vertex."""
        return np.diff(self.starts)


def undirected(pairs: NDArray[np.int64], vertices: int) -> Graph:
    """Return the graph with an edge for each pair of vertices, whatever its direction and however often it occurs.

    >>> [part.tolist() for part in undirected(np.array([[0, 2], [2, 0], [1, 1]]), 3)]
    [[0, 1, 1, 2], [2, 0]]
    """
    a, b = pairs[pairs[:, 0] != pairs[:, 1]].T
    keys = np.unique(np.concatenate([a * vertices + b, b * vertices + a]))
    return Graph(np.searchsorted(keys, np.arange(vertices + 1) * vertices), keys % vertices)


def wordnet_graph(lexicon: Lexicon, links: bool) -> Graph:
    """Return the graph of the synsets, with or without the links of the glosses; it is compiled on first use."""
    kind, message = ("glosses", "Linking WordNet's glosses once (about ten seconds)…") if links else ("relations", None)

    def build() -> dict[str, NDArray[np.int32]]:
        pairs = _relations(lexicon)
        graph = undirected(np.concatenate([pairs, gloss_links(lexicon)]) if links else pairs, len(lexicon.synset_pos))
        return {"starts": graph.starts.astype(np.int32), "neighbour": graph.neighbour.astype(np.int32)}

    arrays = lexicon.derived(f"graph-{kind}-{FORMAT}", build, message)
    return Graph(*(arrays[name].astype(np.int64) for name in Graph._fields))


def _relations(lexicon: Lexicon) -> NDArray[np.int64]:
    """Return all pointers of WordNet as pairs of synsets."""
    starts, target = (lexicon.arrays[f"relation.{name}"] for name in ("starts", "target"))
    return np.column_stack([np.repeat(np.arange(len(starts) - 1), np.diff(starts)), target])


def gloss_links(lexicon: Lexicon) -> NDArray[np.int64]:
    """Return the links, each a row of a synset and the synset of a word of its gloss; no tagger is needed.

    Every content word of a gloss (examples included) gets the likeliest of all its senses, over all parts of speech, by

        ln((count + 1) / Σ (count + 1)) + 20 · cosine of the extended glosses + 2 if the sense is a hypernym,

    and the link is kept if the softmax of these values gives that sense more than 0.6.
    """
    from swarmkit_wsd.measures.gloss_links_kernel import likeliest_senses

    synsets = np.arange(len(lexicon.synset_pos))
    rows = GlossCosine().prepare(lexicon, synsets).rows
    owner, relation, above = related(lexicon, synsets, ("hypernyms",))
    owner, above = owner[relation > 0], above[relation > 0]
    words = _words(lexicon)
    senses = Rows(_ints(lexicon.lemma_senses), _ints(lexicon.sense_synset), pooled_prior(lexicon))
    hypernyms = Rows(np.searchsorted(owner, np.arange(len(synsets) + 1)), above, np.empty(0))
    synset, posterior = likeliest_senses(rows, words, senses, hypernyms, (COSINE, HYPERNYM))
    source = np.repeat(synsets, np.diff(words.starts))
    mask = (posterior > LEAST_POSTERIOR) & (source != synset)  # examples contain the synset's own words
    return np.column_stack([source[mask], synset[mask]])


def pooled_prior(lexicon: Lexicon) -> NDArray[np.float64]:
    """Return the logarithm of each sense's share of the add-one counts of its lemma, over all parts of speech."""
    counts = lexicon.sense_count + 1.0
    totals = np.bincount(lexicon.sense_lemma, weights=counts)
    return np.asarray(np.log(counts / totals[lexicon.sense_lemma]))


def _words(lexicon: Lexicon) -> Rows:
    """Return for each synset the lemmas among the content words of its gloss, each once."""
    vocabulary = strings_in(lexicon.arrays, "word")
    lemma_of = np.array([lexicon.lemma_names.find(vocabulary[word]) for word in range(len(vocabulary))], np.int64)
    content = glosses(lexicon, np.arange(len(lexicon.synset_pos)), examples=True)
    lemma = lemma_of[lexicon.arrays["content.word"][content.item]]
    return count_rows(content.owner[lemma >= 0], lemma[lemma >= 0], len(lexicon.synset_pos))


def _ints(array: NDArray[Any]) -> NDArray[np.int64]:
    return array.astype(np.int64)
