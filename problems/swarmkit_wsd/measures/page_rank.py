"""Personalised PageRank (Haveliwala 2002; on WordNet: Agirre & Soroa 2009) between synsets.

p_s(t) is the probability that a random walk from s, which ends after each step with probability 1 - c, ends in t:

    p_s = (1 - c) Σ_k c^k P^k[s],    P = D⁻¹ A

It is compared with that of a walk of any length, π_t, which is proportional to the degree of t. The graph is
undirected, so p_s(t) / π_t is symmetric, and it is the dot product of two half-walks: as (1 - x)⁻¹ is the square of
(1 - x)^(-1/2) = Σ_k C(2k, k) / 4^k · x^k,

    h_s = Σ_k w_k P^k[s],    w_k = c^k C(2k, k) / 4^k,    p_s(t) / d_t = (1 - c) Σ_v h_s(v) h_t(v) / d_v

Half-walks are short and few vertices are near a synset, so they are sparse vectors, computed for the synsets of a text
alone. What is dropped to keep them sparse makes p smaller, never larger.
"""

from __future__ import annotations

from functools import partial
from math import comb
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_wsd.measures.graph import Graph, wordnet_graph
from swarmkit_wsd.measures.measure import Block, Measure, Synsets
from swarmkit_wsd.measures.sparse import PreparedRows, Rows

SCALE = 15.0
"""Values are ln(1 + p_s(t) / π_t) / SCALE. As p ≤ 1 and π_t ≥ 1 / Σ d, that is at most 1 on graphs with less than 1.6
million edges; WordNet's have 0.2 million without and 0.6 million with the links of the glosses."""


BATCH = 256
"""Walks that are made together."""


class PageRank(Measure):
    """Personalised PageRank over WordNet's relations and the links of its glosses."""

    gloss_links: Annotated[bool, Field(description="link glosses with the likeliest senses of their words")] = True
    damping: Annotated[float, Field(gt=0, lt=1, description="the probability that a walk goes on")] = 0.85
    steps: Annotated[int, Field(ge=1, le=500, description="the largest number of steps of a half-walk")] = 10
    epsilon: Annotated[
        float, Field(ge=0, le=1, description="probabilities below this times the degree of their vertex are dropped")
    ] = 3e-5

    def prepare(self, lexicon: Lexicon, synsets: Synsets) -> PreparedRows:
        """Compute the half-walk from each synset."""
        graph, distinct = wordnet_graph(lexicon, self.gloss_links), np.unique(synsets)
        walks = half_walks(graph, distinct, coefficients(self.damping, self.steps), self.epsilon)
        return prepare_walks(distinct, walks, (1 - self.damping) * len(graph.neighbour))


def coefficients(damping: float, steps: int) -> NDArray[np.float64]:
    """Return the weights w_k of the steps of a half-walk.

    >>> coefficients(0.5, 2).tolist()
    [1.0, 0.25, 0.09375]
    """
    return np.array([damping**k * (comb(2 * k, k) / 4**k) for k in range(steps + 1)])


def half_walks(graph: Graph, vertices: NDArray[Any], weights: NDArray[np.float64], epsilon: float) -> Rows:
    """Return the half-walk h from each vertex, each entry divided by the root of its vertex's degree.

    Args:
        graph: the graph.
        vertices: where the walks start.
        weights: the weights w_k of the numbers of steps.
        epsilon: probabilities below this times the degree of their vertex are dropped, and not passed on.
    """
    from scipy.sparse import csr_array, vstack  # takes long to load

    degrees = np.maximum(graph.degrees, 1)
    size = len(degrees)
    transition = csr_array((np.repeat(1 / degrees, graph.degrees), graph.neighbour, graph.starts), shape=(size, size))
    walks = []
    for part in np.array_split(vertices, len(vertices) // BATCH + 1):
        here = csr_array((np.ones(len(part)), part, np.arange(len(part) + 1)), shape=(len(part), size))
        walk = csr_array(here.shape)
        for step, weight in enumerate(weights):
            here = here @ transition if step else here
            here.data[here.data < epsilon * graph.degrees[here.indices]] = 0.0
            here.eliminate_zeros()
            walk = walk + weight * here
        walk.sort_indices()
        walks.append(walk)
    rows = vstack(walks, format="csr")
    columns = rows.indices.astype(np.int64)
    return Rows(rows.indptr.astype(np.int64), columns, rows.data / np.sqrt(degrees[columns]))


def prepare_walks(vertices: NDArray[Any], walks: Rows, factor: float) -> PreparedRows:
    """Return the measure ln(1 + p_s(t) / π_t) / SCALE, at most 1.

    Args:
        vertices: the synsets, sorted.
        walks: their half-walks, as `half_walks` returns them.
        factor: (1 - c) · sum of all degrees: p_s(t) / π_t is the product of two half-walks times this.
    """
    return PreparedRows(vertices, walks, partial(_log_ratio, factor))


def _log_ratio(factor: float, products: Block, *_: Rows) -> Block:
    return np.minimum(np.log1p(factor * products) / SCALE, 1.0)
