"""The tables of a unit (sentence or document), by a measure, sense counts and the sense model, and its problem."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, PairwiseProblem, UsageError
from swarmkit_lexicon.arrays import spans
from swarmkit_lexicon.bags import glosses
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import Sentence
from swarmkit_wsd.measures import Measure, Prepared
from swarmkit_wsd.options import REFORMULATIONS, WsdOptions
from swarmkit_wsd.units import Target, weigh_readings

if TYPE_CHECKING:
    from swarmkit_sense_model.sense_model import SenseModel

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
    common = [(np.repeat(group, len(group)) * n + np.tile(group, len(group))) for group in groups if len(group) > 1]
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
    # In blocks: a measure is asked for all pairs of distinct synsets of a block at once, and memory is bounded.
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


FIRST_BONUS = 1e-6
"""With ties=first, what the first of equally related senses is preferred by: far below any difference of relatedness.
With ties=random the score holds no preference; solvers break ties."""


class SenseRelatedness:
    """The measure of relatedness between the senses of some slots, prepared when it is first asked for."""

    def __init__(self, measure: Measure, lexicon: Lexicon, synsets: NDArray[Any]) -> None:
        self._measure, self._lexicon, self._synsets = measure, lexicon, synsets

    @cached_property
    def _preparation(self) -> Prepared:
        return self._measure.prepare(self._lexicon, self._synsets)

    def __call__(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots."""
        (names_a, at_a), (names_b, at_b) = (np.unique(self._synsets[side], return_inverse=True) for side in (a, b))
        return np.asarray(self._preparation.block(names_a, names_b)[at_a, at_b])

    @cached_property
    def definitions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The base forms of the content words in each slot's definition: where each slot's begin, and their numbers."""
        words_of = glosses(self._lexicon, self._synsets, examples=False)
        _, words = np.unique(self._lexicon.arrays["content.word"][words_of.item], return_inverse=True)
        return np.searchsorted(words_of.owner, np.arange(len(self._synsets) + 1)), words


class UnitProblem(PairwiseProblem):
    """A sentence or document, which is solved on its own."""

    reformulations = REFORMULATIONS

    def __init__(
        self, form: Pairwise, groups: NDArray[Any], ranks: NDArray[Any] | None, related: SenseRelatedness
    ) -> None:
        super().__init__(form)
        self.groups, self.tie_ranks, self._related = groups, ranks, related

    def relatedness(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots, whether their words are linked or not."""
        return self._related(a, b)

    def descriptions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the words of each sense's definition."""
        return self._related.definitions


@dataclass(frozen=True)
class UnitTables:
    """What the tables of units are made from."""

    settings: WsdOptions
    lexicon: Lexicon
    measure: Measure
    model: SenseModel | None
    sentences: Sequence[Sentence]
    """All sentences of the corpus, as targets number them."""

    def problem(self, unit: Sequence[Target]) -> UnitProblem:
        """Return a sentence or document as a problem of its own, with a random order of equal senses if asked for."""
        synsets = self.lexicon.sense_synset[np.concatenate([target.senses for target in unit])]
        groups = np.array([target.sentence for target in unit], np.int64)
        ranks = None
        if self.settings.ties == "random":  # a stream of its own for each unit, whatever else is in the corpus
            name = self.sentences[int(groups.min())].id
            rng = np.random.default_rng([self.settings.ties_seed, zlib.crc32(name.encode())])
            ranks = rng.permutation(len(synsets))
        return UnitProblem(
            self._form(unit), groups, ranks, SenseRelatedness(self.measure, self.lexicon.wordnet, synsets)
        )

    def _form(self, unit: Sequence[Target]) -> Pairwise:
        sizes = np.array([len(target.senses) for target in unit], np.int64)
        senses = np.concatenate([target.senses for target in unit])
        synsets = self.lexicon.sense_synset[senses]
        if self.settings.shape == "chain":
            edges = chain_edges(len(unit))
        else:
            edges = window_edges(np.array([target.position for target in unit]), self.settings.window)
            if not self.settings.repeats:
                edges = between_lemmas(edges, np.repeat(np.arange(len(unit)), sizes), self.lexicon.sense_lemma[senses])
        measure = self.measure.prepare(self.lexicon.wordnet, synsets)
        # The number of related words of each word, by which sums of relatedness are scaled.
        degrees = np.maximum(1, np.bincount(edges.ravel(), minlength=len(unit)))
        unary, weight = self._unary(senses, sizes, degrees), self.settings.reading_weight
        if self.model is None:
            return pairwise_form(sizes, synsets, weigh_readings(unary, unit, weight * degrees), edges, measure)
        unary = weigh_readings(unary + self._evidence(self.model, unit), unit, weight * np.ones(len(unit)))
        # With the model relatedness is a mean over the related words, beside log-odds that do not grow with them.
        weights = self.settings.coherence * (1.0 / degrees)[edges].mean(axis=1)
        return pairwise_form(sizes, synsets, unary, edges, measure, weights)

    def _evidence(self, model: SenseModel, unit: Sequence[Target]) -> NDArray[np.float64]:
        """Return the model's score of each sense, less that of the worst sense of its reading: none is negative."""
        from swarmkit_sense_model.evidence import Occurrence, sense_scores

        occurrences = [
            Occurrence(target.sentence, reading.start, reading.end, reading.pos, target.senses_of(number))
            for target in unit
            for number, reading in enumerate(target.readings)
        ]
        scores_of = sense_scores(model, self.sentences, occurrences)
        return np.concatenate([scores - scores.min(initial=np.inf) for scores in scores_of])

    def _unary(self, senses: NDArray[Any], sizes: NDArray[Any], degrees: NDArray[Any]) -> NDArray[np.float64]:
        """Return the value of each sense alone: with ties=first a preference, and its count if the options ask for it.

        The weight is multiplied by the number of related words (`degrees`), so that counts and relatedness keep their
        proportion.
        """
        unary = np.zeros(len(senses))
        if self.settings.ties == "first":
            unary = FIRST_BONUS * (1.0 - np.concatenate([np.arange(size) / size for size in sizes])) / 2
        if self.settings.prior == "counts":
            weight = self.settings.prior_weight * np.repeat(degrees, sizes)
            unary += weight * np.log1p(self.lexicon.sense_count[senses])
        return np.asarray(unary)
