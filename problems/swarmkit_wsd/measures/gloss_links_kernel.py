"""The compiled choice of a sense for every content word of every gloss. Imported only when the links are made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from swarmkit import Floats, Ints


class Vectors(NamedTuple):
    """A sparse vector for every synset: that of synset s is at starts[s] to starts[s + 1]."""

    starts: Ints
    columns: Ints
    values: Floats


class Words(NamedTuple):
    """The content words of every gloss, by their lemmas: those of synset s are at starts[s] to starts[s + 1]."""

    starts: Ints
    lemma: Ints


class Senses(NamedTuple):
    """The senses of every lemma: those of lemma l are at starts[l] to starts[l + 1]."""

    starts: Ints
    synset: Ints
    prior: Floats
    """The logarithm of each sense's probability without a context."""


class Hypernyms(NamedTuple):
    """The hypernyms of every synset: those of synset s are at starts[s] to starts[s + 1]."""

    starts: Ints
    synset: Ints


class Weights(NamedTuple):
    """The weights of what is added to the prior."""

    cosine: float
    hypernym: float


@njit(cache=True)
def likeliest_senses(vectors: Any, words: Any, senses: Any, hypernyms: Any, weights: Any) -> Any:
    """Return for every word of every gloss the synset of its likeliest sense, and the posterior of that sense.

    The posterior is the softmax of prior + cosine weight · cosine with the gloss's synset + hypernym weight if the
    sense is one of the synset's hypernyms.

    Args:
        vectors: the `Vectors`, of length 1, whose dot products are the cosines.
        words: the `Words`.
        senses: the `Senses`.
        hypernyms: the `Hypernyms`.
        weights: the `Weights`.
    """
    synsets, posterior = np.empty(len(words.lemma), np.int64), np.empty(len(words.lemma))
    dense = np.zeros(vectors.columns.max() + 1 if len(vectors.columns) else 0)
    values = np.empty(np.diff(senses.starts).max() if len(senses.starts) > 1 else 0)
    for s in range(len(words.starts) - 1):
        begin, end = vectors.starts[s], vectors.starts[s + 1]
        for e in range(begin, end):
            dense[vectors.columns[e]] = vectors.values[e]
        for w in range(words.starts[s], words.starts[s + 1]):
            first, last = senses.starts[words.lemma[w]], senses.starts[words.lemma[w] + 1]
            for sense in range(first, last):
                t = senses.synset[sense]
                cosine = 0.0
                for e in range(vectors.starts[t], vectors.starts[t + 1]):
                    cosine += dense[vectors.columns[e]] * vectors.values[e]
                value = senses.prior[sense] + weights.cosine * cosine
                for h in range(hypernyms.starts[s], hypernyms.starts[s + 1]):
                    if hypernyms.synset[h] == t:
                        value += weights.hypernym
                        break
                values[sense - first] = value
            of_word = values[: last - first]
            best = of_word.argmax()
            synsets[w] = senses.synset[first + best]
            posterior[w] = 1.0 / np.exp(of_word - of_word[best]).sum()
        for e in range(begin, end):
            dense[vectors.columns[e]] = 0.0
    return synsets, posterior
