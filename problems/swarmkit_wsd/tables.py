"""Tables of the relatedness between the senses of a text's words, computed in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, UsageError
from swarmkit_lexicon.arrays import spans
from swarmkit_wsd.measures import Prepared

BLOCK = 1 << 21
"""Values of relatedness in memory at once, beside the tables themselves."""

LIMIT = 1 << 28
"""The largest number of entries of all tables together (2 GiB)."""

Ints = NDArray[Any]


def chain_edges(n: int) -> Ints:
    """Return the edges between each word and the next.

    >>> chain_edges(3).tolist()
    [[0, 1], [1, 2]]
    """
    return np.column_stack([np.arange(n - 1), np.arange(1, n)]) if n > 1 else np.empty((0, 2), np.int64)


def window_edges(position: Ints, window: int | None) -> Ints:
    """Return the edges between words whose positions differ by at most the window; None is all pairs.

    >>> window_edges(np.array([0, 2, 1]), 1).tolist()
    [[0, 2], [1, 2]]

    Args:
        position: the position of each word, from 0 to n - 1.
        window: the largest distance.
    """
    n = len(position)
    order = np.argsort(position)
    reach = n if window is None else window
    last = np.minimum(np.arange(n) + reach, n - 1)
    later, earlier = spans(np.arange(1, n + 1), last + 1)
    pairs = np.sort(np.column_stack([order[earlier], order[later]]), axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def between_lemmas(edges: Ints, stages: Ints, lemmas: Ints) -> Ints:
    """Return the edges between words that have no lemma in common.

    >>> between_lemmas(np.array([[0, 1], [0, 2], [1, 2]]), np.array([0, 1, 1, 2]), np.array([7, 8, 9, 9])).tolist()
    [[0, 1], [0, 2]]

    Args:
        edges: the pairs of words.
        stages: the word of each candidate.
        lemmas: the lemma of each candidate.
    """
    pairs = np.unique(np.column_stack([lemmas, stages]), axis=0)
    groups = np.split(pairs[:, 1], np.flatnonzero(np.diff(pairs[:, 0])) + 1)
    n = int(stages.max(initial=0)) + 1
    common = [(np.repeat(own, len(own)) * n + np.tile(own, len(own))) for own in groups if len(own) > 1]
    return edges[~np.isin(edges[:, 0] * n + edges[:, 1], np.concatenate(common))] if common else edges


def pairwise_form(
    sizes: Ints,
    synsets: Ints,
    unary: NDArray[np.float64],
    edges: Ints,
    measure: Prepared,
    weights: NDArray[np.float64] | None = None,
) -> Pairwise:
    """Return the pairwise form whose tables are the relatedness of the candidates of linked words.

    Args:
        sizes: the number of candidates of each word.
        synsets: the synset of each candidate, word after word.
        unary: the value of each candidate alone.
        edges: the linked pairs of words, sorted by the first.
        measure: the measure, prepared for the synsets.
        weights: the factor of each edge's relatedness; 1 by default.
    """
    lengths = sizes[edges[:, 0]] * sizes[edges[:, 1]]
    total = int(lengths.sum())
    if total > LIMIT:
        raise UsageError(
            f"the tables of this text would have {total:,} entries, more than {LIMIT:,}: choose a smaller window "
            "(-P window=20), sentences as units (-P unit=sentence), or shape=chain"
        )
    starts = np.cumsum(lengths) - lengths
    flat = np.empty(total)
    offsets = np.cumsum(sizes) - sizes
    for part in _blocks(edges, sizes):
        _fill(flat, starts[part], edges[part], sizes, offsets, synsets, measure)
    return Pairwise(sizes, unary, edges, starts, np.ones(len(edges)) if weights is None else weights, flat)


def _blocks(edges: Ints, sizes: Ints) -> Iterator[slice]:
    """Split the edges, sorted by their first stage, into slices whose blocks of relatedness are small enough."""
    begin = 0
    while begin < len(edges):
        end = min(len(edges), begin + 4096)
        while end - begin > 1 and _area(edges[begin:end], sizes) > BLOCK:
            end = begin + (end - begin) // 2
        yield slice(begin, end)
        begin = end


def _area(edges: Ints, sizes: Ints) -> int:
    rows, columns = (int(sizes[np.unique(side)].sum()) for side in edges.T)
    return rows * columns


def _fill(
    flat: NDArray[np.float64],
    starts: Ints,
    edges: Ints,
    sizes: Ints,
    offsets: Ints,
    synsets: Ints,
    measure: Prepared,
) -> None:
    i, j = edges.T
    (names_i, at_i), (names_j, at_j) = (_distinct(side, sizes, offsets, synsets) for side in (i, j))
    related = measure.block(names_i, names_j)
    width = sizes[j]
    lengths = sizes[i] * width
    where, edge = spans(starts, starts + lengths)
    entry = where - starts[edge]
    row, column = entry // width[edge], entry % width[edge]
    flat[where] = related[at_i[offsets[i[edge]] + row], at_j[offsets[j[edge]] + column]]


def _distinct(stages: Ints, sizes: Ints, offsets: Ints, synsets: Ints) -> tuple[Ints, Ints]:
    """Return the distinct synsets of some stages, and the position of each slot's synset among them."""
    stages = np.unique(stages)
    slots, _ = spans(offsets[stages], offsets[stages] + sizes[stages])
    names, inverse = np.unique(synsets[slots], return_inverse=True)
    at = np.zeros(len(synsets), np.int64)
    at[slots] = inverse
    return names, at


def side_by_side(forms: Sequence[Pairwise]) -> Pairwise:
    """Return the form whose stages are those of all forms, with no edges between them.

    >>> side_by_side([Pairwise.of([2]), Pairwise.of([3, 1])]).sizes.tolist()
    [2, 3, 1]
    """
    if not forms:
        return Pairwise.of([])
    stages = np.cumsum([0, *(len(form.sizes) for form in forms)])
    entries = np.cumsum([0, *(len(form.flat) for form in forms)])
    return Pairwise(
        sizes=np.concatenate([form.sizes for form in forms]),
        unary=np.concatenate([form.unary for form in forms]),
        edges=np.concatenate([form.edges + at for form, at in zip(forms, stages, strict=False)]),
        starts=np.concatenate([form.starts + at for form, at in zip(forms, entries, strict=False)]),
        weights=np.concatenate([form.weights for form in forms]),
        flat=np.concatenate([form.flat for form in forms]),
    )
