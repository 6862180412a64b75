"""Disambiguation of a text without a solver: text in, senses out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, make_settings
from swarmkit_wsd.corpus import Corpus, Sentence, Text
from swarmkit_wsd.options import BEST, WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.text.sentences import read_sentences, read_words
from swarmkit_wsd.wordnet.lexicon import Lexicon, open_lexicon

CHUNK = 1000
"""Words to disambiguate that are in memory together; longer texts are split between sentences."""

TEMPERATURE = 0.014
"""Of the softmax of confidences, calibrated on Senseval-2: mean confidence 61 %, 63 % right."""


class Sense(BaseModel):
    """A word and its sense; `start` and `end` count characters of the text, or words of a word list."""

    model_config = ConfigDict(frozen=True)

    word: str
    start: int
    end: int
    lemma: str
    pos: str
    key: str
    synset: str
    gloss: str
    confidence: float


def disambiguate(
    text: str | Sequence[str],
    *,
    pos: Sequence[str | None] | None = None,
    targets: Sequence[int] | None = None,
    **options: Any,
) -> list[Sense]:
    """Return the senses of the words of an English text, or of a list of words.

    Args:
        text: a text, or a list of words.
        pos: for a list of words, their parts of speech (n, v, a, r, universal tags, or None).
        targets: for a list of words, the positions of the words to disambiguate.
        options: those of the problem `wsd`; the defaults are the most accurate known.
    """
    if isinstance(text, str) and (pos is not None or targets is not None):
        raise UsageError("pos and targets go with a list of words, not with a text")
    settings = best_options(**options)
    lexicon = open_lexicon(settings.wordnet)
    if isinstance(text, str):
        chunks = each_chunk(text, lexicon, settings)
        return [sense for problem in chunks for sense in senses(problem, problem.default_solution())]
    problem = _problem([read_words(text, lexicon, pos, targets, settings.tagger)], lexicon, settings)
    return senses(problem, problem.default_solution())


def best_options(**options: Any) -> WsdOptions:
    """Return the most accurate setting known, with the given options changed."""
    return make_settings(WsdOptions, BEST | options, "wsd")


def each_chunk(text: str, lexicon: Lexicon, options: WsdOptions) -> Iterator[WordSenses]:
    """Iterate over the problems of a text, split between sentences if it is long, so that memory is bounded."""
    held: list[Sentence] = []
    count = 0
    for sentence in read_sentences(text, lexicon, options.tagger):
        held.append(sentence)
        count += len(sentence.targets)
        if count >= CHUNK:
            yield _problem(held, lexicon, options)
            held, count = [], 0
    if held:
        yield _problem(held, lexicon, options)


def _problem(sentences: Sequence[Sentence], lexicon: Lexicon, options: WsdOptions) -> WordSenses:
    return WordSenses(Corpus("unified", (Text("d000", tuple(sentences)),)), lexicon, options)


def senses(problem: WordSenses, x: NDArray[np.int64]) -> list[Sense]:
    """Return the senses that a solution chooses, in the order of the text."""
    lexicon, chosen = problem.lexicon, problem.chosen(x)
    degrees = np.maximum(1, np.diff(problem.form.half_edges.indptr))
    found = []
    for stage in problem.in_text_order():
        token, sense = problem.targets[stage].token, int(chosen[stage])
        synset = int(lexicon.sense_synset[sense])
        found.append(
            Sense(
                word=token.surface,
                start=token.start,
                end=token.end,
                lemma=token.lemma,
                pos=str(token.pos),
                key=lexicon.key(sense),
                synset=lexicon.name(synset),
                gloss=lexicon.definition(synset),
                confidence=confidence(problem.form.marginals(x[None], stage)[0] / degrees[stage], int(x[stage])),
            )
        )
    return found


def confidence(values: NDArray[Any], choice: int) -> float:
    """Return the softmax probability of the chosen sense.

    >>> confidence(np.array([0.0, 0.0]), 1)
    0.5

    Args:
        values: the value of each sense, for each word that the word is related to.
        choice: the chosen sense.
    """
    weights = np.exp((values - values.max()) / TEMPERATURE)
    return float(weights[choice] / weights.sum())
