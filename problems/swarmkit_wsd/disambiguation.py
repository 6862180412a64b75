"""Disambiguation of a text without a solver: text in, senses out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, make_settings
from swarmkit_wsd.corpus import Corpus, Sentence, Text, Token
from swarmkit_wsd.options import BEST, WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.text.sentences import read_sentences, read_words
from swarmkit_wsd.wordnet.lexicon import Lexicon, open_lexicon

CHUNK = 1000
"""Words to disambiguate that are answered together; longer texts are split between sentences."""

MOST_TOKENS = 20 * CHUNK
"""Words and marks of any kind that are in memory together, for texts without words to disambiguate."""

CONTEXT = 40
"""Words before and after a chunk that are disambiguated with it if the options have no window."""

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
        return [sense for chunk in each_chunk(text, lexicon, settings) for sense in chunk.senses()]
    problem = _problem([read_words(text, lexicon, pos, targets, settings.tagger)], lexicon, settings)
    return senses(problem, problem.default_solution())


def best_options(**options: Any) -> WsdOptions:
    """Return the most accurate setting known, with the given options changed."""
    return make_settings(WsdOptions, BEST | options, "wsd")


class Chunk(NamedTuple):
    """Some sentences of a text that are answered together."""

    problem: WordSenses
    """Has their words, and as context those of sentences before and after them."""
    answered: range
    """The numbers of the sentences among those of the problem."""
    unknown: list[str]
    """The content words in the sentences that are not in WordNet."""

    def senses(self) -> list[Sense]:
        """Return the senses of the words that are answered, in the order of the text."""
        return senses(self.problem, self.problem.default_solution(), self.answered)


def each_chunk(text: str | Iterable[str], lexicon: Lexicon, options: WsdOptions) -> Iterator[Chunk]:
    """Iterate over the chunks of a text, split between sentences if it is long, so that memory is bounded.

    Every word is disambiguated with all words in its window: those in neighbouring chunks are part of the problem.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        lexicon: the lexicon.
        options: those of the problem.
    """
    context = 0 if options.unit == "sentence" else options.window or CONTEXT
    before: list[Sentence] = []
    held: list[Sentence] = []
    for sentence in read_sentences(text, lexicon, options.tagger):
        held.append(sentence)
        own = _until(held, CHUNK)
        if own and _until(held[own:], context) is not None:
            yield _chunk(before, held[:own], held[own:], (lexicon, options))
            before, held = _last(before + held[:own], context), held[own:]
        elif sum(len(one.tokens) for one in held) >= MOST_TOKENS:
            yield _chunk(before, held, [], (lexicon, options))
            before, held = _last(before + held, context), []
    if held:
        yield _chunk(before, held, [], (lexicon, options))


def _until(sentences: Sequence[Sentence], words: int) -> int | None:
    """Return the number of sentences, from the first on, that have at least `words` targets; None if all have less.

    >>> _until([], 0), _until([], 1)
    (0, None)
    """
    count = 0
    for number, sentence in enumerate(sentences):
        if count >= words:
            return number
        count += len(sentence.targets)
    return len(sentences) if count >= words else None


def _last(sentences: list[Sentence], words: int) -> list[Sentence]:
    """Return the last sentences that have at least `words` targets, or all."""
    count = _until(sentences[::-1], words)
    return sentences if count is None else sentences[len(sentences) - count :]


def _chunk(
    before: Sequence[Sentence],
    own: Sequence[Sentence],
    after: Sequence[Sentence],
    settings: tuple[Lexicon, WsdOptions],
) -> Chunk:
    problem = _problem([*before, *own, *after], *settings)
    unknown = [token.surface for sentence in own for token in sentence.tokens if _is_unknown(token)]
    return Chunk(problem, range(len(before), len(before) + len(own)), unknown)


def _is_unknown(token: Token) -> bool:
    """Return whether a token is a content word without an entry; numbers are none."""
    return token.id is None and token.pos is not None and any(letter.isalpha() for letter in token.surface)


def _problem(sentences: Sequence[Sentence], lexicon: Lexicon, options: WsdOptions) -> WordSenses:
    return WordSenses(Corpus("unified", (Text("d000", tuple(sentences)),)), lexicon, options)


def senses(problem: WordSenses, x: NDArray[np.int64], sentences: range | None = None) -> list[Sense]:
    """Return the senses that a solution chooses, in the order of the text.

    Args:
        problem: the problem.
        x: the solution.
        sentences: only words of the sentences with these numbers; None for all.
    """
    lexicon, chosen = problem.lexicon, problem.chosen(x)
    degrees = np.maximum(1, np.diff(problem.form.half_edges.indptr))
    found = []
    for stage in problem.in_text_order(sentences):
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
