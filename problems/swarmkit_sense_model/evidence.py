"""The scores of the senses of words by the sense model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_sense_model.sense_model import SenseModel, Table
from swarmkit_sense_model.transformer import one_thread
from swarmkit_text.corpus import POS, Sentence

DECIMALS = 4
"""To which scores are rounded, so that the last digits of the processor's arithmetic do not reach the tables."""


class Occurrence(NamedTuple):
    """A word of a sentence and its candidates."""

    sentence: int
    start: int
    """Where it begins, as its sentence's tokens count; so does `end`."""
    end: int
    pos: str
    senses: NDArray[np.int32]


def sense_scores(
    model: SenseModel, sentences: Sequence[Sentence], occurrences: Sequence[Occurrence]
) -> list[NDArray[np.float64]]:
    """Return the score of each candidate of each occurrence, in natural units: its softmax is the model's posterior.

    Args:
        model: the model.
        sentences: the sentences.
        occurrences: words of these sentences with their candidates.
    """
    found: list[NDArray[np.float64]] = [np.zeros(len(one.senses)) for one in occurrences]
    asked = [at for at, one in enumerate(occurrences) if len(one.senses)]
    if not asked:
        return found
    contexts = _contexts(model, sentences, [occurrences[at] for at in asked])
    sizes = np.array([len(occurrences[at].senses) for at in asked])
    owner = np.repeat(np.arange(len(asked)), sizes)
    senses = np.concatenate([occurrences[at].senses for at in asked])
    pos = np.array([POS.index("a" if occurrences[at].pos == "s" else occurrences[at].pos) for at in asked])
    with one_thread():
        scores = np.round(_scores(model, contexts, owner, senses, pos), DECIMALS)
    for at, part in zip(asked, np.split(scores, np.cumsum(sizes)[:-1]), strict=True):
        found[at] = part
    return found


def _scores(
    model: SenseModel,
    contexts: NDArray[np.float32],
    owner: NDArray[np.int64],
    senses: NDArray[np.int32],
    pos: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the scores of candidates, given the context vector of each word and the word of each candidate."""
    weights = model.facts.weights
    by_gloss, by_context = (_unit(_project(contexts, model.projections[name])) for name in ("gloss", "context"))
    context_rows, example_rows = model.rows("context", senses), model.rows("example", senses)
    number = np.where(context_rows >= 0, model.number[context_rows] if len(model.number) else 0, 0)
    smoothed = model.counts[senses] + 1.0
    prior = np.log(smoothed / np.bincount(owner, smoothed)[owner])
    score = np.exp(weights.gloss) * _dots(model, "gloss", model.rows("gloss", senses), by_gloss[owner])
    score += np.array(weights.prior)[pos][owner] * prior
    trust = number / (number + np.exp(weights.half))
    score += np.exp(weights.context) * trust * _dots(model, "context", context_rows, by_context[owner])
    score += weights.unseen * (number == 0)
    score += np.exp(weights.example) * _dots(model, "example", example_rows, by_context[owner])
    return np.asarray(score)


def _dots(model: SenseModel, table: Table, rows: NDArray[np.int64], contexts: NDArray[np.float32]) -> NDArray[Any]:
    """Return the dot product of each row's vector with its context; 0 where there is no row."""
    there = np.flatnonzero(rows >= 0)
    found = np.zeros(len(rows))
    if len(there):
        vectors = model.vectors(table, rows[there])
        found[there] = np.einsum("ij,ij->i", vectors, contexts[there])
    return found


def _project(contexts: NDArray[np.float32], projection: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the projection of each row, one by one: in which order a product of matrices sums depends on its rows."""
    return np.array([projection @ context for context in contexts], np.float32)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = rows / np.maximum(np.sqrt(np.square(rows).sum(-1, keepdims=True)), 1e-12)
    return scaled


def _contexts(
    model: SenseModel, sentences: Sequence[Sentence], occurrences: Sequence[Occurrence]
) -> NDArray[np.float32]:
    """Return the vector of each occurrence: the mean over its pieces beside that over its sentence, of norm √width."""
    used = sorted({one.sentence for one in occurrences})
    words = [[token.surface for token in sentences[at].tokens] for at in used]
    encoded = dict(zip(used, model.sentences.encode(words), strict=True))
    return np.array(
        [encoded[one.sentence].pooled(_tokens(sentences[one.sentence], one)) for one in occurrences], np.float32
    )


def _tokens(sentence: Sentence, word: Occurrence) -> list[int]:
    """Return the numbers of the tokens that an occurrence consists of."""
    return [at for at, token in enumerate(sentence.tokens) if word.start <= token.start and token.end <= word.end]
