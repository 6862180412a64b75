"""A unit (sentence or document) as a problem of its own: its tables, by a measure, sense counts and the sense model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, PairwiseProblem
from swarmkit_lexicon.bags import glosses
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import Sentence
from swarmkit_wsd.measures import Measure, Prepared
from swarmkit_wsd.options import REFORMULATIONS, WsdOptions
from swarmkit_wsd.readings import weigh_readings
from swarmkit_wsd.tables import between_lemmas, chain_edges, pairwise_form, window_edges
from swarmkit_wsd.units import Target

if TYPE_CHECKING:
    from swarmkit_sense_model.sense_model import SenseModel

FIRST_PREFERRED = 1e-6
"""With ties=first, what the first of equally related senses is preferred by: far below any difference of relatedness.
With ties=random the score holds no preference; solvers break ties."""


class SenseRelatedness:
    """The measure of relatedness between the senses of some slots, prepared when it is first asked for."""

    def __init__(self, measure: Measure, lexicon: Lexicon, synsets: NDArray[Any]) -> None:
        self._measure, self._lexicon, self._synsets = measure, lexicon, synsets

    @cached_property
    def _prepared(self) -> Prepared:
        return self._measure.prepare(self._lexicon, self._synsets)

    def __call__(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
        """Return the measure's value for pairs of slots."""
        (names_a, at_a), (names_b, at_b) = (np.unique(self._synsets[side], return_inverse=True) for side in (a, b))
        return np.asarray(self._prepared.block(names_a, names_b)[at_a, at_b])

    @cached_property
    def definitions(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The base forms of the content words in each slot's definition: where each slot's begin, and their numbers."""
        found = glosses(self._lexicon, self._synsets, examples=False)
        _, words = np.unique(self._lexicon.arrays["content.word"][found.item], return_inverse=True)
        return np.searchsorted(found.owner, np.arange(len(self._synsets) + 1)), words


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
        prepared = self.measure.prepare(self.lexicon.wordnet, synsets)
        degrees = np.maximum(1, np.bincount(edges.ravel(), minlength=len(unit)))
        unary, weight = self._unary(senses, sizes, degrees), self.settings.reading_weight
        if self.model is None:
            return pairwise_form(sizes, synsets, weigh_readings(unary, unit, weight * degrees), edges, prepared)
        unary = weigh_readings(unary + self._evidence(self.model, unit), unit, weight * np.ones(len(unit)))
        weights = self.settings.coherence * (1.0 / degrees)[edges].mean(axis=1)
        return pairwise_form(sizes, synsets, unary, edges, prepared, weights)

    def _evidence(self, model: SenseModel, unit: Sequence[Target]) -> NDArray[np.float64]:
        """Return the model's score of each sense, less that of the worst sense of its reading: none is negative."""
        from swarmkit_sense_model.evidence import Occurrence, sense_scores

        occurrences = [
            Occurrence(target.sentence, reading.start, reading.end, reading.pos, target.senses_of(number))
            for target in unit
            for number, reading in enumerate(target.readings)
        ]
        found = sense_scores(model, self.sentences, occurrences)
        return np.concatenate([scores - scores.min(initial=np.inf) for scores in found])

    def _unary(self, senses: NDArray[Any], sizes: NDArray[Any], degrees: NDArray[Any]) -> NDArray[np.float64]:
        """Return the value of each sense alone: with ties=first a preference, and its count if the options ask for it.

        The weight is multiplied by the number of related words (`degrees`), so that counts and relatedness keep their
        proportion.
        """
        unary = np.zeros(len(senses))
        if self.settings.ties == "first":
            unary = FIRST_PREFERRED * (1.0 - np.concatenate([np.arange(size) / size for size in sizes])) / 2
        if self.settings.prior == "counts":
            weight = self.settings.prior_weight * np.repeat(degrees, sizes)
            unary += weight * np.log1p(self.lexicon.sense_count[senses])
        return np.asarray(unary)
