"""The scores of the senses of words by the sense model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_sense_model.sense_model import SenseModel, Table, unit_rows
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
    words = [word for word in occurrences if len(word.senses)]
    if not words:
        return [np.zeros(0) for _ in occurrences]
    contexts = _contexts(model, sentences, words)
    owner = np.repeat(np.arange(len(words)), [len(word.senses) for word in words])
    senses = np.concatenate([word.senses for word in words])
    pos = np.array([POS.index("a" if word.pos == "s" else word.pos) for word in words])
    with one_thread():
        scores = np.round(_scores(model, contexts, owner, senses, pos), DECIMALS)
    return np.split(scores, np.cumsum([len(word.senses) for word in occurrences])[:-1])


def _scores(
    model: SenseModel,
    contexts: NDArray[np.float32],
    owner: NDArray[np.int64],
    senses: NDArray[np.int32],
    pos: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the scores of candidates, given the context vector of each word and the word of each candidate."""
    weights = model.facts.weights
    by_gloss, by_context = (unit_rows(_project(contexts, model.projections[name])) for name in ("gloss", "context"))
    context_rows, example_rows = model.rows("context", senses), model.rows("example", senses)
    number = np.where(context_rows >= 0, model.number[context_rows] if len(model.number) else 0, 0)
    # The formula in the module of the model, term by term: prior, gloss, contexts, examples.
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
    present = np.flatnonzero(rows >= 0)
    products = np.zeros(len(rows))
    if len(present):
        vectors = model.vectors(table, rows[present])
        products[present] = np.einsum("ij,ij->i", vectors, contexts[present])
    return products


def _project(contexts: NDArray[np.float32], projection: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the projection of each row, one by one: in which order a product of matrices sums depends on its rows."""
    return np.array([projection @ context for context in contexts], np.float32)


def _contexts(
    model: SenseModel, sentences: Sequence[Sentence], occurrences: Sequence[Occurrence]
) -> NDArray[np.float32]:
    """Return the vector of each occurrence: the mean over its pieces beside that over its sentence, of norm √width."""
    numbers = sorted({word.sentence for word in occurrences})
    words = [[token.surface for token in sentences[at].tokens] for at in numbers]
    encodings = dict(zip(numbers, model.sentences.encode(words), strict=True))
    rows = []
    for word in occurrences:
        tokens = enumerate(sentences[word.sentence].tokens)
        inside = [at for at, token in tokens if word.start <= token.start and token.end <= word.end]
        rows.append(encodings[word.sentence].pooled(inside))
    return np.array(rows, np.float32)
