"""The compiled choice of a sense for every content word of every gloss. Imported only when the links are made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def likeliest_senses(vectors: Any, words: Any, senses: Any, hypernyms: Any, weights: Any) -> Any:
    """Return for every word of every gloss the synset of its likeliest sense, and the posterior of that sense.

    The posterior is the softmax of prior + cosine weight · cosine with the gloss's synset + hypernym weight if the
    sense is one of the synset's hypernyms.

    Args:
        vectors: for every synset its vector of length 1, as `Rows`; the dot products are the cosines.
        words: for every synset the lemmas of the content words of its gloss, as the columns of `Rows`.
        senses: for every lemma the synsets of its senses, and the logarithms of their probabilities without a context.
        hypernyms: for every synset its hypernyms, as the columns of `Rows`.
        weights: the cosine weight and the hypernym weight.
    """
    synsets, posterior = np.empty(len(words.columns), np.int64), np.empty(len(words.columns))
    dense = np.zeros(vectors.columns.max() + 1)
    values = np.empty(np.diff(senses.starts).max())
    for s in range(len(words.starts) - 1):
        begin, end = vectors.starts[s], vectors.starts[s + 1]
        for e in range(begin, end):
            dense[vectors.columns[e]] = vectors.values[e]
        for w in range(words.starts[s], words.starts[s + 1]):
            first, last = senses.starts[words.columns[w]], senses.starts[words.columns[w] + 1]
            for sense in range(first, last):
                t = senses.columns[sense]
                cosine = 0.0
                for e in range(vectors.starts[t], vectors.starts[t + 1]):
                    cosine += dense[vectors.columns[e]] * vectors.values[e]
                value = senses.values[sense] + weights[0] * cosine
                for h in range(hypernyms.starts[s], hypernyms.starts[s + 1]):
                    if hypernyms.columns[h] == t:
                        value += weights[1]
                        break
                values[sense - first] = value
            of_word = values[: last - first]
            best = of_word.argmax()
            synsets[w] = senses.columns[first + best]
            posterior[w] = 1.0 / np.exp(of_word - of_word[best]).sum()
        for e in range(begin, end):
            dense[vectors.columns[e]] = 0.0
    return synsets, posterior
