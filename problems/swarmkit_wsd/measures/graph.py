"""WordNet as an undirected graph of synsets: its relations, and the links of its glosses, compiled once and cached."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Ints
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.gloss_links import gloss_links

FORMAT = 1
"""Part of the name of the cached arrays: increased when the edges change."""


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
