"""What ACA's ants see of a problem: the graph text - groups - stages - nests, and how alike any two nests are."""

from __future__ import annotations

from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from swarmkit import Floats, Ints, Pairwise, Problem, descriptions_of

Odour = Literal["nests", "words"]
"""What a nest smells of: the nest itself, or the words of its description."""

CHUNK = 64
"""Slots whose similarities to all others are asked for together."""

LARGEST = 8192
"""Similarities of all pairs of slots, or tables of all pairs of stages, are kept up to this many (512 MiB)."""


class Graph(NamedTuple):
    """The nodes, numbered text, groups, stages, nests; every one but the text has one edge up, to its parent."""

    parent: Ints
    child_ptr: Ints
    child: Ints
    """The children of node i are `child[child_ptr[i]:child_ptr[i + 1]]`."""
    first_nest: int
    stage_of: Ints
    """The stage of each nest."""


class Similarities(NamedTuple):
    """The similarity of any two slots: in the table of their stages, or in the matrix of all slots."""

    stage_of: Ints
    offsets: Ints
    sizes: Ints
    table_of: Ints = np.empty((0, 0), np.int64)
    """For two stages, where their table begins in `flat`, -1 if they are not linked; empty if there are no tables."""
    flat: Floats = np.empty(0)
    dense: Floats = np.empty((0, 0))
    """The similarities of all pairs of slots; empty if they are not kept."""
    has: NDArray[np.bool_] = np.empty((0, 0), np.bool_)
    """Whether each slot's description has each word; empty where the odour of a nest is the nest itself."""
    word_ptr: Ints = np.empty(0, np.int64)
    word: Ints = np.empty(0, np.int64)
    """The words of slot i are `word[word_ptr[i]:word_ptr[i + 1]]`."""


_SIMILARITIES: WeakKeyDictionary[Problem, dict[Odour, Similarities]] = WeakKeyDictionary()
_GRAPHS: WeakKeyDictionary[Problem, Graph] = WeakKeyDictionary()


def graph_of(problem: Problem) -> Graph:
    """Return the nodes of a problem's world; its groups lie between the text and the stages."""
    from swarmkit.kernels.compiling import read_only

    if problem not in _GRAPHS:
        sizes, groups = np.asarray(problem.sizes, np.int64), problem.groups
        n = len(sizes)
        group_of = np.zeros(n, np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
        first_stage, stage_of = 2 + int(group_of.max()), np.repeat(np.arange(n), sizes)
        parent = np.concatenate([np.zeros(first_stage, np.int64), 1 + group_of, first_stage + stage_of])
        child = 1 + np.argsort(parent[1:], kind="stable")
        child_ptr = np.searchsorted(parent[child], np.arange(len(parent) + 1))
        _GRAPHS[problem] = read_only(Graph(parent, child_ptr, child, first_stage + n, stage_of))
    return _GRAPHS[problem]


def similarities(problem: Problem, odour: Odour = "nests") -> Similarities:
    """Return the similarities of slots: the problem's relatedness, or its tables scaled to [0, 1], or all alike.

    Args:
        problem: any problem.
        odour: `words` for the share of a slot's words that the other slot's description has too.
    """
    from swarmkit.kernels.compiling import read_only

    known = _SIMILARITIES.setdefault(problem, {})
    if odour not in known:
        known[odour] = read_only(_relatedness(problem) if odour == "nests" else _shared_words(problem))
    return known[odour]


def _shared_words(problem: Problem) -> Similarities:
    """Return the similarities of slots by the words that describe them."""
    described = descriptions_of(problem)
    assert described is not None  # noqa: S101  (refused otherwise)
    starts, words = (np.asarray(part, np.int64) for part in described)
    sizes, slots = np.asarray(problem.sizes, np.int64), len(starts) - 1
    has = np.zeros((slots, int(words.max(initial=0)) + 1), np.bool_)
    has[np.repeat(np.arange(slots), np.diff(starts)), words] = True
    counts = has.astype(np.float32)
    dense = np.asarray(counts @ counts.T / np.maximum(1.0, counts.sum(axis=1))[:, None], np.float64)
    stages = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes, sizes
    return Similarities(*stages, dense=dense, has=has, word_ptr=starts, word=words)


def _relatedness(problem: Problem) -> Similarities:
    """Return the similarities of slots by the problem's relatedness or its tables."""
    sizes, form = np.asarray(problem.sizes, np.int64), problem.structure.pairwise
    slots = np.arange(int(sizes.sum()))
    stages = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes, sizes
    if problem.overrides("relatedness") and len(slots) <= LARGEST:
        parts = np.split(slots, range(CHUNK, len(slots), CHUNK))
        rows = (problem.relatedness(*map(np.ravel, np.meshgrid(part, slots, indexing="ij"))) for part in parts)
        dense = np.concatenate([np.asarray(part, np.float64).reshape(-1, len(slots)) for part in rows])
        return Similarities(*stages, dense=dense)
    if form is None or len(form.edges) == 0 or len(sizes) > LARGEST:
        return Similarities(*stages)
    table_of = np.full((len(sizes), len(sizes)), -1, np.int64)
    table_of[form.edges[:, 0], form.edges[:, 1]] = form.starts
    return Similarities(*stages, table_of, scaled(form))


def scaled(form: Pairwise) -> Floats:
    """Return the tables scaled to [0, 1]; of the weights only the sign of their mean counts.

    >>> scaled(Pairwise.of([2, 2], [(0, 1, [[1.0, 3.0], [2.0, 3.0]], -2.0)])).tolist()
    [1.0, 0.0, 0.5, 0.0]
    """
    values = form.flat if form.weights.mean() >= 0 else -form.flat
    extent = np.ptp(values)
    return (values - values.min()) / extent if extent > 0 else np.ones(len(values))
