"""Vectors of glosses by the public encoder: one of each synset's text, and one of each sense's lemma in that text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from swarmkit_lexicon.bags import RELATIONS, related
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_sense_model.training.dataset import gloss_words
from swarmkit_sense_model.training.network import Encoder, batches, pad, pool
from swarmkit_sense_model.wordpiece import Pieces, WordPieces

PIECES = 4000
"""Pieces encoded at once."""

BLOCK = 20_000
"""Synsets whose texts are in memory at once."""

GROUPS: tuple[tuple[str, ...], ...] = (tuple(RELATIONS),)
"""Groups of relations; the texts of synsets that are related by one group have one projection."""

Progress = Callable[[float], None]
"""Called with the share of the work that is done."""


class Glosses(NamedTuple):
    """Vectors of norm √width."""

    text: NDArray[np.float16]
    """Of each synset: the mean over the pieces of its text."""
    lemma: NDArray[np.float16]
    """Of each sense: the mean over the pieces of its lemma in the text of its synset."""
    synset: NDArray[np.int32]
    """Of each sense."""
    related: tuple[NDArray[np.float16], ...] = ()
    """Of each synset, for each group of relations: the mean over the texts of the synsets that it is related to."""

    def of(self, senses: Tensor) -> Tensor:
        """Return the vectors of some senses: lemma, text and the texts of related synsets side by side."""
        synset = self.synset[senses.numpy()]
        parts = [self.lemma[senses.numpy()], *(vectors[synset] for vectors in (self.text, *self.related))]
        return torch.cat([torch.from_numpy(part).float() for part in parts], -1)

    @property
    def width(self) -> int:
        """The dimensions of the vectors of senses."""
        return int(self.lemma.shape[1]) * (2 + len(self.related))

    def with_relations(self, lexicon: Lexicon) -> Glosses:
        """Return the vectors with those of related synsets; a synset without relations of a group has zeros."""
        return self._replace(related=tuple(self._mean_text(lexicon, group) for group in GROUPS))

    def _mean_text(self, lexicon: Lexicon, relations: tuple[str, ...]) -> NDArray[np.float16]:
        synset, _, other = related(lexicon, np.arange(len(self.text)), relations)
        apart = synset != other
        sums = np.zeros(self.text.shape, np.float32)
        np.add.at(sums, synset[apart], self.text[other[apart]].astype(np.float32))
        norm = np.sqrt(np.square(sums).sum(-1, keepdims=True))
        return np.asarray(sums / np.maximum(norm, 1e-6) * self.text.shape[1] ** 0.5, np.float16)


def gloss_vectors(lexicon: Lexicon, pieces: WordPieces, encoder: Encoder, progress: Progress) -> Glosses:
    """Return the vectors of all synsets and senses of a lexicon."""
    synsets, senses = len(lexicon.synset_pos), len(lexicon.sense_synset)
    text = np.zeros((synsets, encoder.word.embedding_dim), np.float16)
    lemma = np.zeros((senses, encoder.word.embedding_dim), np.float16)
    by_lemma = {
        (lexicon.lemma(sense), int(synset)): sense for sense, synset in enumerate(lexicon.sense_synset.tolist())
    }
    encoder.eval()
    for begin in range(0, synsets, BLOCK):
        block = range(begin, min(synsets, begin + BLOCK))
        for rows, owners, vectors in _encoded(lexicon, pieces, encoder, block):
            places = np.array([by_lemma.get((name, synset), -1) if name else -1 for synset, name in owners])
            whole = np.array([name is None for _, name in owners])
            text[rows[whole]] = vectors[whole]
            lemma[places[places >= 0]] = vectors[places >= 0]
        progress(block.stop / synsets)
    return Glosses(text, lemma, np.array(lexicon.sense_synset))


def _encoded(
    lexicon: Lexicon, pieces: WordPieces, encoder: Encoder, block: range
) -> Iterator[tuple[NDArray[np.int64], list[tuple[int, str | None]], NDArray[np.float16]]]:
    """Iterate over batches: the synset of each vector, the synset and lemma (None: the whole text), the vectors."""
    texts = [gloss_words(lexicon, synset) for synset in block]
    sequences = [parts[0] for parts in pieces.split([words for _, words in texts])]
    lengths = np.array([len(one.ids) for one in sequences])
    for batch in batches(lengths, PIECES, None):
        spans = [span for row, at in enumerate(batch) for span in _spans(sequences[at], texts[at][0], row, block[at])]
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            hidden = encoder(pad([sequences[at] for at in batch]))
        rows, first, last = (torch.tensor([span[i] for span in spans]) for i in (0, 1, 2))
        vectors = pool(hidden, rows, first, last).half().numpy()
        owners = [(span[3], span[4]) for span in spans]
        yield np.array([synset for synset, _ in owners]), owners, vectors


def _spans(
    sequence: Pieces, lemmas: list[str], row: int, synset: int
) -> Iterator[tuple[int, int, int, int, str | None]]:
    """Iterate over the ranges of pieces of the whole text (None) and of each lemma."""
    yield row, 1, len(sequence.ids) - 1, synset, None
    for number, lemma in enumerate(lemmas):
        inside = np.flatnonzero(sequence.word == 2 * number)
        if len(inside):
            yield row, int(inside[0]), int(inside[-1]) + 1, synset, lemma
