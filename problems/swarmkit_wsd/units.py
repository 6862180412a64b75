"""The words to disambiguate, grouped into units (sentences or documents) and ordered as the stages of the problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from swarmkit import unknown
from swarmkit_wsd.corpus import POS, Corpus, Sentence, Text, Token
from swarmkit_wsd.wordnet.lexicon import Lexicon


@dataclass(frozen=True)
class Target:
    """A word to disambiguate."""

    token: Token
    sentence: int
    """The number of its sentence in the corpus."""
    position: int
    """Its number among the targets of its text."""
    senses: NDArray[np.int32]
    """Its senses in WordNet's order."""


def only_text(corpus: Corpus, text_id: str | None) -> Corpus:
    """Return the corpus with only the text of this id; the corpus itself for None."""
    if text_id is None:
        return corpus
    found = tuple(text for text in corpus.texts if text.id == text_id)
    if not found:
        raise unknown("text", text_id, [text.id for text in corpus.texts])
    return Corpus(corpus.format, found)


def read_units(corpus: Corpus, lexicon: Lexicon, unit: str, order: str) -> list[list[Target]]:
    """Return the targets of each unit, in the order of the problem's stages; targets may have no senses.

    Args:
        corpus: the texts.
        lexicon: the senses of the targets are looked up here.
        unit: `sentence` or `document`.
        order: `text`, or `pos` for nouns, verbs, adjectives, adverbs, each as in the text.
    """
    units: list[list[Target]] = []
    sentences = 0
    for text in corpus.texts:
        of_text = _targets(text, sentences, lexicon)
        sentences += len(of_text)
        units += of_text if unit == "sentence" else [[target for sentence in of_text for target in sentence]]
    return [_ordered(targets, order) for targets in units]


def _targets(text: Text, first_sentence: int, lexicon: Lexicon) -> list[list[Target]]:
    """Return the targets of each sentence of a text."""
    found: list[list[Target]] = []
    position = 0
    for number, sentence in enumerate(text.sentences, first_sentence):
        found.append(_targets_of(sentence, number, position, lexicon))
        position += len(found[-1])
    return found


def _targets_of(sentence: Sentence, number: int, position: int, lexicon: Lexicon) -> list[Target]:
    return [
        Target(token, number, position + at, lexicon.senses(token.lemma, token.pos))
        for at, token in enumerate(sentence.targets)
    ]


def _ordered(unit: Iterable[Target], order: str) -> list[Target]:
    rank = {pos: rank for rank, pos in enumerate(POS)}
    return sorted(unit, key=lambda target: rank.get(target.token.pos or "n", 0)) if order == "pos" else list(unit)
