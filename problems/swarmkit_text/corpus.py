"""Texts: tokens, sentences and documents, whether they come from a corpus, from raw English or from a list of words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

Pos = Literal["n", "v", "a", "r"]
"""Noun, verb, adjective, adverb, in WordNet's letters."""

Format = Literal["coarse", "unified"]
"""Of SemEval-2007 task 7, or of the unified evaluation framework."""

POS: tuple[Pos, ...] = get_args(Pos)


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the entries that a word of raw text may stand for, alone or together with the words beside it."""

    surface: str
    """The words of the entry, as they are written in the text."""
    start: int
    """As in `Token`; so does `end`."""
    end: int
    lemma: str
    pos: Pos
    bias: float = 0.0
    """The natural logarithm of its probability among the word's readings, before any sense is compared."""
    capital: bool | None = None
    """Whether only the senses that WordNet writes with capital letters are meant (True), or only the others (False)."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a multi-word entry."""

    surface: str
    """As it is written in the text."""
    lemma: str
    pos: Pos | None
    """None for words that are not disambiguated: function words, marks, numbers."""
    start: int
    """Counts characters in raw text, and the words of the sentence in a corpus or a list of words; so does `end`."""
    end: int
    id: str | None = None
    """A token with an id is a target: a word to disambiguate."""
    readings: tuple[Reading, ...] = ()
    """What a target may stand for, the most probable first; none if the token's own lemma and part of speech are
    certain."""
    certainty: float = 1.0
    """The probability that one of the readings is meant: that the word is neither a function word nor a name that
    WordNet does not have."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence."""

    id: str
    tokens: tuple[Token, ...]

    @property
    def targets(self) -> tuple[Token, ...]:
        """The tokens to disambiguate."""
        return tuple(token for token in self.tokens if token.id is not None)


@dataclass(frozen=True, slots=True)
class Text:
    """A document."""

    id: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts of one file."""

    format: Format
    """In which its answers are written."""
    texts: tuple[Text, ...]

    def targets(self) -> Iterator[tuple[Text, Token]]:
        """Iterate over all tokens to disambiguate, each with its text."""
        for text in self.texts:
            for sentence in text.sentences:
                for token in sentence.targets:
                    yield text, token


def lemma_form(words: str) -> str:
    """Return words as WordNet's index spells them.

    >>> lemma_form("Attorney General")
    'attorney_general'
    """
    return "_".join(words.lower().split())
