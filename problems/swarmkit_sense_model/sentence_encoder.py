"""Sentences as the encoder sees them. What tags the words and what scores their senses read the same vectors."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_sense_model.transformer import Floats, Transformer, one_thread
from swarmkit_sense_model.word_classes import CLASSES, LAYER, WordClasses
from swarmkit_sense_model.wordpiece import Pieces, WordPieces

MOST_PIECES = 1 << 15
"""Pieces of the sentences whose vectors are kept: about 50 MB, several times what is tagged before it is scored."""


class Encoding(NamedTuple):
    """An encoded sentence."""

    sequences: list[Pieces]
    vectors: list[Floats]
    """The last layer's, of the pieces of each sequence."""
    classes: Floats
    """The logarithms of the probabilities of each word's classes; equal ones if the model has no network for them."""

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(len(sequence.ids) for sequence in self.sequences)

    def pooled(self, words: Sequence[int]) -> Floats:
        """Return the mean over the pieces of some words beside the mean over the sentence, each of norm √width.

        Of a long sentence, the sequence counts that holds the first of these pieces.

        Args:
            words: the numbers of the words.
        """
        for sequence, hidden in zip(self.sequences, self.vectors, strict=True):
            inside = np.flatnonzero(np.isin(sequence.word, words))
            if len(inside):
                return np.concatenate([_mean_of(hidden[inside]), _mean_of(hidden[1:-1])])
        whole = _mean_of(self.vectors[0])  # a word without pieces, such as a control character
        return np.concatenate([whole, whole])


class SentenceEncoder:
    """Encodes sentences, and caches those that were asked for last."""

    def __init__(self, encoder: Transformer, pieces: WordPieces, word_classes: WordClasses | None) -> None:
        self._encoder, self._pieces, self._word_classes = encoder, pieces, word_classes
        self._cache: OrderedDict[tuple[str, ...], Encoding] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[SentenceEncoder], tuple[Transformer, WordPieces, WordClasses | None]]:
        """Return what a copy is made from, which begins with an empty cache and a lock of its own."""
        return SentenceEncoder, (self._encoder, self._pieces, self._word_classes)

    def encode(self, sentences: Sequence[Sequence[str]]) -> list[Encoding]:
        """Return each sentence, a list of words, encoded."""
        keys = [tuple(words) for words in sentences]
        with self._lock:
            encodings = {key: self._cache[key] for key in keys if key in self._cache}
        missing = [key for key in dict.fromkeys(keys) if key not in encodings]
        if missing:  # without the lock: other threads need not wait for the encoder
            encodings.update(zip(missing, self._encode(missing), strict=True))
        with self._lock:
            for key, encoding in encodings.items():
                self._store(key, encoding)
        return [encodings[key] for key in keys]

    def classes(self, sentences: Sequence[Sequence[str]]) -> list[Floats]:
        """Return for each word of each sentence the logarithms of the probabilities of its classes."""
        return [encoding.classes for encoding in self.encode(sentences)]

    def _store(self, key: tuple[str, ...], encoding: Encoding) -> None:
        """Keep a sentence as the last one; drop the first ones if there are too many pieces."""
        if key not in self._cache:
            self._size += encoding.pieces
        self._cache[key] = encoding
        self._cache.move_to_end(key)
        while self._size > MOST_PIECES:
            self._size -= self._cache.popitem(last=False)[1].pieces

    def _encode(self, sentences: Sequence[Sequence[str]]) -> list[Encoding]:
        parts = self._pieces.split(sentences)
        # Parts of speech are told from a lower layer, if the model tells them at all.
        layers = (self._encoder.depth,) if self._word_classes is None else (LAYER, self._encoder.depth)
        vectors = iter(self._encoder.encode([sequence.ids for part in parts for sequence in part], layers))
        encodings = []
        for words, sequences in zip(sentences, parts, strict=True):
            by_layer = [np.split(next(vectors), len(layers), axis=1) for _ in sequences]
            with one_thread():
                classes = self._classes(len(words), sequences, [rows[0] for rows in by_layer])
            # A copy: a view would keep the vectors of the other layer in memory.
            encodings.append(Encoding(sequences, [rows[-1].copy() for rows in by_layer], classes))
        return encodings

    def _classes(self, words: int, sequences: Sequence[Pieces], vectors: Sequence[Floats]) -> Floats:
        """Return the classes of the words of a sentence; a word without pieces has equal probabilities."""
        classes = np.full((words, CLASSES), -np.log(CLASSES), np.float32)
        if self._word_classes is not None:
            for sequence, hidden in zip(sequences, vectors, strict=True):
                owners, means = word_means(sequence, hidden)
                classes[owners] = self._word_classes.log_probabilities(means)
        return classes


def word_means(sequence: Pieces, vectors: Floats) -> tuple[NDArray[np.int32], Floats]:
    """Return the numbers of the words of a sequence, in ascending order, and the mean of the vectors of each."""
    owners, starts, sizes = np.unique(sequence.word[1:-1], return_index=True, return_counts=True)
    if not len(owners):
        return owners, np.empty((0, vectors.shape[1]), np.float32)
    return owners, np.asarray(np.add.reduceat(vectors[1:-1], starts) / sizes[:, None], np.float32)


def _mean_of(rows: Floats) -> Floats:
    """Return the mean of rows, scaled to norm √width."""
    mean = rows.mean(0)
    return np.asarray(mean / max(float(np.sqrt(mean @ mean)), 1e-12) * np.float32(len(mean) ** 0.5))
