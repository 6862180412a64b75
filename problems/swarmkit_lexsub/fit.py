"""How well substitutes fit: a log-linear score of four features, whose weights were fitted on the trial data.

    score(c) = relation · L(c) + context · cos(v_target, v_c) + frequency · ln(1 + n(c)) + phrase · [several words]

L is the value of the substitute's link to a sense of the target (see `candidates`), v_target the encoder's vector of
the target in its sentence, v_c that of the substitute in its place, n the substitute's count in WordNet's tagged texts.
The softmax of the scores is the expected share of annotators who give each substitute.

The last two say which words people come up with; candidates that are given, and only to be ranked, have passed that
test, so a ranking leaves them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexsub.candidates import Link, find_substitutes, link_of
from swarmkit_lexsub.word_senses import Target

if TYPE_CHECKING:
    from swarmkit_wsd import Lexicon, WordSenses

FEATURES = ("relation", "context", "frequency", "phrase")


class Weights(NamedTuple):
    """The factors of the features."""

    relation: float
    context: float
    frequency: float
    phrase: float


FITTED = Weights(relation=0.899, context=5.678, frequency=0.306, phrase=-2.733)
"""Fitted to all trial data by `python benchmarks/lexsub.py`."""

DECIMALS = 4
"""To which scores are rounded, so that the last digits of the processor's arithmetic do not reach the tables."""


class Substitute(NamedTuple):
    """A substitute of a target."""

    name: str
    link: Link | None
    """How WordNet relates it to the target; None for a given candidate that is not related."""
    score: float


def substitutes(problem: WordSenses, target: Target, weights: Weights = FITTED) -> list[Substitute]:
    """Return WordNet's substitutes of a target, the best first.

    Args:
        problem: the problem `wsd` of the text.
        target: the word to substitute.
        weights: the factors of the features.
    """
    found = find_substitutes(problem.lexicon, target)
    features = feature_rows(problem, target, list(found), list(found.values()))
    return _sorted(list(found), list(found.values()), features @ np.array(weights))


def ranked(problem: WordSenses, target: Target, names: Sequence[str], weights: Weights = FITTED) -> list[Substitute]:
    """Return given candidates, those first that fit the context best, however rare they are.

    Args:
        problem: the problem `wsd` of the text.
        target: the word to substitute.
        names: the candidates, in WordNet or not.
        weights: the factors of the features.
    """
    known = find_substitutes(problem.lexicon, target)
    links = [link_of(known, name) for name in names]
    features = feature_rows(problem, target, names, links)
    return _sorted(names, links, features @ np.array(weights._replace(frequency=0.0, phrase=0.0)))


def _sorted(names: Sequence[str], links: Sequence[Link | None], scores: NDArray[np.float64]) -> list[Substitute]:
    rounded = np.round(scores, DECIMALS)
    made = map(Substitute, names, links, rounded.tolist())
    return sorted(made, key=lambda one: (-one.score, one.name))


def feature_rows(
    problem: WordSenses, target: Target, names: Sequence[str], links: Sequence[Link | None]
) -> NDArray[np.float64]:
    """Return the features of substitutes, a row each, in the order of FEATURES."""
    rows = np.zeros((len(names), len(FEATURES)))
    if len(names):
        rows[:, 0] = [0.0 if link is None else link.value for link in links]
        rows[:, 1] = _cosines(problem, target, names)
        rows[:, 2] = np.log1p([_count(problem.lexicon, target, *pair) for pair in zip(names, links, strict=True)])
        rows[:, 3] = [" " in name for name in names]
    return rows


def _count(lexicon: Lexicon, target: Target, name: str, link: Link | None) -> int:
    """Return how often a word occurs in WordNet's tagged texts as the part of speech in which it is a substitute."""
    pos = target.pos if link is None else lexicon.pos(link.synset)
    return lexicon.count(name, "a" if pos == "s" else pos)  # s alone would leave out the adjectives that are heads


def _cosines(problem: WordSenses, target: Target, names: Sequence[str]) -> NDArray[np.float64]:
    """Return the cosine of the target's vector with that of each word in its place; 0 without the sense model."""
    if problem.model is None:
        return np.zeros(len(names))
    before, after = list(target.words[: target.start]), list(target.words[target.end :])
    inserted = [name.split() for name in names]
    sentences = [list(target.words), *([*before, *words, *after] for words in inserted)]
    lengths = [target.end - target.start, *map(len, inserted)]
    encoded = problem.model.sentences.encode(sentences)
    places = (range(target.start, target.start + length) for length in lengths)
    vectors = np.array([one.pooled(place) for one, place in zip(encoded, places, strict=True)], np.float64)
    words = vectors[:, : vectors.shape[1] // 2]  # the other half is the mean over the sentence
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1e-12)
    cosines: NDArray[np.float64] = words[1:] @ words[0]
    return cosines


def probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the softmax of scores.

    >>> probabilities(np.array([1.0, 1.0])).tolist()
    [0.5, 0.5]
    """
    weights = np.exp(scores - scores.max(initial=-np.inf))
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares
