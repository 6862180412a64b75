"""Parts of speech by the encoder: a network with one hidden layer on a word's vector.

A word is a noun, verb, adjective or adverb that the annotators of the training corpora gave a sense, or none of these:
a function word, or a word without a sense in WordNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_sense_model.transformer import Floats, gelu
from swarmkit_text.corpus import POS

CLASSES = len(POS) + 1
"""The parts of speech in the order of `POS`, and none of them."""

LAYER = 2
"""Of the encoder, whose vectors the network reads: the lower layers know more about syntax than the last one."""

PREFIX = "classes."
NAMES = ("hidden.weight", "hidden.bias", "output.weight", "output.bias")


class WordClasses:
    """The trained network."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        layers = [np.asarray(arrays[PREFIX + name], np.float32) for name in NAMES]
        self._hidden, self._hidden_bias, self._output, self._output_bias = layers
        if self._output.shape != (CLASSES, len(self._hidden)) or self._hidden.ndim != 2:
            raise ValueError("a network of parts of speech whose layers do not fit together")

    def log_probabilities(self, vectors: Floats) -> Floats:
        """Return the logarithm of the probability of each class, (words, CLASSES), given (words, width)."""
        hidden = gelu(vectors @ self._hidden.T + self._hidden_bias)
        scores = hidden @ self._output.T + self._output_bias
        scores -= scores.max(-1, keepdims=True)
        return np.asarray(scores - np.log(np.exp(scores).sum(-1, keepdims=True)))


def read_word_classes(arrays: Mapping[str, NDArray[Any]]) -> WordClasses | None:
    """Return the network among the arrays of a model file; None if there is none."""
    return WordClasses(arrays) if PREFIX + NAMES[0] in arrays else None
