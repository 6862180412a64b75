"""Words split into the word pieces that the encoder reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.cache import part_of_the_extra

MOST_PIECES = 254
"""Pieces of a sentence that are encoded together, beside the two marks around them."""

LONGEST = 100
"""Characters of the longest word that is split into pieces; longer ones are cut."""


@dataclass(frozen=True)
class Pieces:
    """A sequence of word pieces."""

    ids: NDArray[np.int32]
    """The pieces by their number in the vocabulary, with the marks at the beginning and the end."""
    word: NDArray[np.int32]
    """The number of the word that each piece belongs to, -1 for the marks."""


class WordPieces:
    """A WordPiece tokenizer (Wu et al. 2016), read from the JSON description of the `tokenizers` library."""

    def __init__(self, description: bytes) -> None:
        self._tokenizer: Any = part_of_the_extra("tokenizers").Tokenizer.from_str(description.decode())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def split(self, sentences: Sequence[Sequence[str]]) -> list[list[Pieces]]:
        """Return the pieces of each sentence; a sentence of more than `MOST_PIECES` is several sequences.

        Args:
            sentences: lists of words; a word may have spaces in it.
        """
        words = [[_clean(word[:LONGEST]) for word in sentence] for sentence in sentences]
        return [list(_sequences(encoding)) for encoding in self._tokenizer.encode_batch(words, is_pretokenized=True)]


def _clean(word: str) -> str:
    r"""Return a word without code points that are no characters, which the tokenizer does not take.

    >>> _clean("caf\u00e9\ud800")
    'café?'
    """
    return word.encode("utf-8", "replace").decode()


def _sequences(encoding: Any) -> Iterator[Pieces]:
    """Iterate over the sequences of a sentence, cut between words."""
    ids = np.array(encoding.ids, np.int32)
    word = np.array([-1 if index is None else index for index in encoding.word_ids], np.int32)
    for begin, end in _cuts(word[1:-1]):
        part = np.concatenate([ids[:1], ids[1:-1][begin:end], ids[-1:]])
        yield Pieces(part, np.concatenate([word[:1], word[1:-1][begin:end], word[-1:]]))


def _cuts(word: NDArray[np.int32]) -> Iterable[tuple[int, int]]:
    """Iterate over spans of at most `MOST_PIECES` pieces, cut between words where a word is not longer than that.

    >>> list(_cuts(np.array([0, 1, 1])))
    [(0, 3)]
    """
    begin = 0
    while len(word) - begin > MOST_PIECES:
        end = begin + MOST_PIECES
        while end > begin and word[end] == word[end - 1]:
            end -= 1
        end = end if end > begin else begin + MOST_PIECES  # a single word with more pieces is cut inside
        yield begin, end
        begin = end
    yield begin, len(word)
