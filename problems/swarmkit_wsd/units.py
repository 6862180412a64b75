"""The words to disambiguate: their readings and senses, grouped into units and ordered as the stages of the problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import unknown
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import POS, Corpus, Reading, Sentence, Token


@dataclass(frozen=True)
class Target:
    """A word to disambiguate."""

    token: Token
    sentence: int
    """The number of its sentence in the corpus."""
    position: int
    """Its number among the targets of its text."""
    senses: NDArray[np.int32]
    """Its senses, reading after reading, in WordNet's order."""
    readings: tuple[Reading, ...]
    """What the word may stand for; a word of a corpus has one reading."""
    reading: NDArray[np.int32]
    """The number of the reading of each sense."""

    def senses_of(self, reading: int) -> NDArray[np.int32]:
        """Return the senses of a reading, by its number."""
        return np.compress(self.reading == reading, self.senses)

    def reading_of(self, candidate: int) -> Reading:
        """Return the reading of a sense."""
        return self.readings[int(self.reading[candidate])]


def only_text(corpus: Corpus, text_id: str | None) -> Corpus:
    """Return the corpus with only the text of this id; the corpus itself for None."""
    if text_id is None:
        return corpus
    texts = tuple(text for text in corpus.texts if text.id == text_id)
    if not texts:
        raise unknown("text", text_id, [text.id for text in corpus.texts])
    return Corpus(corpus.format, texts)


def likeliest(sentence: Sentence) -> Sentence:
    """Return a sentence whose targets have only their most probable reading, without words that a longer one covers."""
    tokens: list[Token] = []
    for token in sentence.tokens:
        best = token.readings[0] if token.readings else None
        if best is None:
            tokens.append(token)
            continue
        place = replace(token, surface=best.surface, start=best.start, end=best.end, lemma=best.lemma, pos=best.pos)
        tokens.append(replace(place, readings=(replace(best, bias=0.0),)))
    # Words of a chain cannot be skipped, so a word within a longer entry goes.
    longer = [token for token in tokens if token.id is not None]
    return Sentence(sentence.id, tuple(token for token in tokens if not any(_inside(token, cover) for cover in longer)))


def _inside(token: Token, longer: Token) -> bool:
    """Return whether a token lies within another, longer one."""
    return (
        longer.start <= token.start and token.end <= longer.end and longer.end - longer.start > token.end - token.start
    )


def read_units(corpus: Corpus, lexicon: Lexicon, unit: str, order: str) -> list[list[Target]]:
    """Return the targets of each unit, in the order of the problem's stages; targets may have no senses.

    Args:
        corpus: the texts.
        lexicon: the senses of the targets are looked up here.
        unit: `sentence` or `document`.
        order: `text`, or `pos` for nouns, verbs, adjectives, adverbs, each as in the text.
    """
    units: list[list[Target]] = []
    sentence = count()
    # The paper's order of the chain: nouns, verbs, adjectives, adverbs (Abualhaija & Zimmermann 2014).
    rank = {pos: rank if order == "pos" else 0 for rank, pos in enumerate(POS)}
    for text in corpus.texts:
        position = count()
        rows = [
            [_target(token, number, next(position), lexicon) for token in members.targets]
            for members, number in zip(text.sentences, sentence, strict=False)
        ]
        units += rows if unit == "sentence" else [[*chain(*rows)]]
    return [sorted(targets, key=lambda target: rank.get(target.token.pos or "n", 0)) for targets in units]


def _target(token: Token, sentence: int, position: int, lexicon: Lexicon) -> Target:
    # A word of a corpus has the lemma and the part of speech that its annotators gave it.
    readings = token.readings or (Reading(token.surface, token.start, token.end, token.lemma, token.pos or "n"),)
    senses = [reading_senses(reading, lexicon) for reading in readings]
    reading = np.repeat(np.arange(len(readings), dtype=np.int32), [len(part) for part in senses])
    return Target(token, sentence, position, np.concatenate(senses), readings, reading)


def reading_senses(reading: Reading, lexicon: Lexicon) -> NDArray[np.int32]:
    """Return the senses of a reading, in WordNet's order."""
    senses = lexicon.senses(reading.lemma, reading.pos)
    return senses if reading.capital is None else senses[lexicon.capitalised(senses) == reading.capital]


def weigh_readings(unary: NDArray[np.float64], unit: Sequence[Target], weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return the values of the senses alone, made comparable between the readings of a word.

    The best senses of two readings differ by the difference of the readings' biases times the weight, the other senses
    keep their distance to the best one of their reading, and the least value of a word is 0. The values of a word with
    one reading are not changed.

    Args:
        unary: the value of each sense alone, word after word.
        unit: the words.
        weights: for each word, the factor of the natural logarithm of a reading's probability.
    """
    result = unary.copy()
    begin = 0
    for target, weight in zip(unit, weights.tolist(), strict=True):
        end = begin + len(target.senses)
        if len(target.readings) > 1:
            values = result[begin:end]
            for number, reading in enumerate(target.readings):
                members = target.reading == number
                if members.any():
                    values[members] += weight * reading.bias - values[members].max()
            values -= values.min()
        begin = end
    return result


def covered_stages(unit: Sequence[Target], x: NDArray[Any]) -> set[int]:
    """Return the positions of the words that are part of a longer entry, chosen for another word of their sentence."""
    longer: dict[int, list[tuple[int, int, int]]] = {}
    for stage, (target, candidate) in enumerate(zip(unit, x.tolist(), strict=True)):
        # Only entries of several words can cover another word.
        reading = target.reading_of(candidate)
        if reading.end - reading.start > target.token.end - target.token.start:
            longer.setdefault(target.sentence, []).append((reading.start, reading.end, stage))
    return {
        stage
        for stage, target in enumerate(unit)
        for start, end, owner in longer.get(target.sentence, ())
        if stage != owner and start <= target.token.start < end
    }
