"""Text in, senses out: what people want who want senses and not a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, local_search, make_settings
from swarmkit_wsd.lexicon import Lexicon, open_lexicon
from swarmkit_wsd.options import BEST, WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.text import read_sentences, read_words
from swarmkit_wsd.tokens import Corpus, Sentence, Text

CHUNK = 1000
"""Words to disambiguate that are held in memory together; longer texts are cut between sentences."""


TEMPERATURE = 0.014
"""At this one, confidences are right about as often as they say, on Senseval-2: 61 % on average for 63 % right."""


class Sense(BaseModel):
    """A word and the sense it has; `start` and `end` count characters of the text, or words of a word list."""

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
    """Give the senses of the words of an English text, or of a list of words.

    With a list of words, `pos` are their parts of speech (n, v, a, r, universal tags, or None) and `targets` the places
    of the words to answer. Options are those of the problem `wsd`; the defaults are the best that we know.
    """
    if isinstance(text, str) and (pos is not None or targets is not None):
        raise UsageError("pos and targets go with a list of words, not with a text")
    settings = best_options(**options)
    lexicon = open_lexicon(settings.wordnet)
    if isinstance(text, str):
        return [sense for problem in each_chunk(text, lexicon, settings) for sense in senses(problem, settle(problem))]
    problem = _problem([read_words(text, lexicon, pos, targets, settings.tagger)], lexicon, settings)
    return senses(problem, settle(problem))


def best_options(**options: Any) -> WsdOptions:
    """Take the best setting we know, and what is given instead of parts of it."""
    return make_settings(WsdOptions, BEST | options, "wsd")


def each_chunk(text: str, lexicon: Lexicon, options: WsdOptions) -> Iterator[WordSenses]:
    """Cut a long text between sentences, so that memory stays bounded; a short one stays whole."""
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


def settle(problem: WordSenses) -> NDArray[np.int64]:
    """Start from each word's likeliest sense alone; then each word takes its best sense until nothing changes."""
    starts, unary = problem.form.offsets, problem.form.unary
    alone = [int(unary[a:b].argmax()) for a, b in pairwise(starts)]
    x = np.array(alone, np.int64)
    if len(x):
        x = local_search(problem, x[None], "icm", np.random.default_rng(0)).solutions[0]
    return x


def senses(problem: WordSenses, x: NDArray[np.int64]) -> list[Sense]:
    """Tell the senses of a solution in the order of the text."""
    lexicon, chosen = problem.lexicon, problem.chosen(x)
    related = np.maximum(1, np.diff(problem.form.half_edges.indptr))
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
                confidence=confidence(problem.form.marginals(x[None], stage)[0] / related[stage], int(x[stage])),
            )
        )
    return found


def confidence(values: NDArray[Any], choice: int) -> float:
    """Give the chosen sense's share of the softmax over what each sense gains per related word.

    >>> confidence(np.array([0.0, 0.0]), 1)
    0.5
    """
    weights = np.exp((values - values.max()) / TEMPERATURE)
    return float(weights[choice] / weights.sum())
