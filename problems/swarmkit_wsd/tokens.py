"""Texts as this plugin sees them, whether they come from a corpus, from raw English or from a list of words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

Pos = Literal["n", "v", "a", "r"]
Format = Literal["coarse", "unified"]

POS: tuple[Pos, ...] = get_args(Pos)


@dataclass(frozen=True, slots=True)
class Token:
    """Hold one word or multi-word entry; it is a target if it has an id.

    `start` and `end` count characters in raw text; in a corpus or a list of words they count the words of the sentence.
    """

    surface: str
    lemma: str
    pos: Pos | None
    start: int
    end: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """Hold the tokens of one sentence."""

    id: str
    tokens: tuple[Token, ...]

    @property
    def targets(self) -> tuple[Token, ...]:
        """Give the tokens to be disambiguated."""
        return tuple(token for token in self.tokens if token.id is not None)


@dataclass(frozen=True, slots=True)
class Text:
    """Hold the sentences of one document."""

    id: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Hold the texts of one file; the format is that of its answers."""

    format: Format
    texts: tuple[Text, ...]

    def targets(self) -> Iterator[tuple[Text, Token]]:
        """Walk over all tokens to be disambiguated, each with its text."""
        for text in self.texts:
            for sentence in text.sentences:
                for token in sentence.targets:
                    yield text, token


def lemma_form(words: str) -> str:
    """Spell words as WordNet's index does.

    >>> lemma_form("Attorney General")
    'attorney_general'
    """
    return "_".join(words.lower().split())
