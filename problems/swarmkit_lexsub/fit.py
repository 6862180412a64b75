"""The substitutes of a word by WordNet, and how well they fit: a log-linear score of four features.

The weights were fitted on the trial data.

    score(c) = relation · L(c) + context · cos(v_target, v_c) + frequency · ln(1 + n(c)) + phrase · [several words]

L is the value of the substitute's link to a sense of the target, v_target the encoder's vector of
the target in its sentence, v_c that of the substitute in its place, n the substitute's count in WordNet's tagged texts.
The softmax of the scores is the expected share of annotators who give each substitute.

The last two say which words people come up with; candidates that are given, and only to be ranked, have passed that
test, so a ranking leaves them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexsub.word_senses import Target
from swarmkit_wsd import WordSenses

if TYPE_CHECKING:  # a list of problems needs no lexicon
    from swarmkit_wsd import Lexicon

FLOOR = 0.02
"""Added to the probability of a sense, so that no substitute is ruled out by the senses alone."""

MARKER = re.compile(r"\((a|p|ip)\)$")
"""The syntactic marker of an adjective in WordNet's files, such as galore(ip)."""

FEATURES = ("relation", "context", "frequency", "phrase")


class Relation(NamedTuple):
    """A way from a sense of the target to a synset of substitutes."""

    name: str
    pointers: str
    """WordNet's symbols of the pointers; empty for the synset itself."""
    weight: float
    """What a substitute over this relation is worth, that of a synonym being 1."""
    least: float
    """The least probability of a sense from which it is followed."""
    limit: int
    """Synsets over which it is followed; a sense with more of them is left out, because its hyponyms are any thing."""


RELATIONS = (
    Relation("synonym", "", 1.0, 0.0, 1),
    Relation("similar", "&", 0.75, 0.0, 1000),
    Relation("hypernym", "@ @i", 0.6, 0.0, 1000),
    Relation("related", "^ $ * >", 0.6, 0.02, 1000),
    Relation("hyponym", "~ ~i", 0.6, 0.1, 30),
)
"""Synonyms; the head and the satellites of an adjective; hypernyms; also-see, verb groups, entailment, cause;
hyponyms. All lead to the same part of speech."""


class Link(NamedTuple):
    """How a substitute is related to the target: over which relation, from which of its senses."""

    relation: str
    sense: int
    """The number of the sense among those of the target."""
    synset: int
    """The synset that has the substitute."""
    value: float
    """The relation's weight times log((p + FLOOR) / FLOOR), p the probability of the sense: 0 for an impossible one."""


def find_substitutes(lexicon: Lexicon, target: Target) -> dict[str, Link]:
    """Return the substitutes of a target, each with its link of greatest value.

    A substitute is written with spaces, in lower case unless it is a name; the target itself is none.
    """
    target_forms = {_fold(target.lemma), _fold(target.surface)}
    links: dict[str, Link] = {}
    for link in _links(lexicon, target):
        for word in lexicon.words(link.synset):
            name = MARKER.sub("", word).replace("_", " ")
            if _fold(name) not in target_forms and (name not in links or link.value > links[name].value):
                links[name] = link
    return links


def _links(lexicon: Lexicon, target: Target) -> Iterator[Link]:
    for number, (sense, probability) in enumerate(zip(target.senses, target.posteriors.tolist(), strict=True)):
        synset = int(lexicon.sense_synset[sense])
        for relation in RELATIONS:
            if probability < relation.least:
                continue
            synsets = sorted(set(lexicon.related(synset, relation.pointers))) if relation.pointers else [synset]
            if len(synsets) <= relation.limit:
                value = relation.weight * log((probability + FLOOR) / FLOOR)
                yield from (Link(relation.name, number, neighbour, value) for neighbour in synsets)


def link_of(substitutes: Mapping[str, Link], name: str) -> Link | None:
    """Return the link of a given word, however it is written; None if it is no substitute by WordNet."""
    return next((link for word, link in substitutes.items() if _fold(word) == _fold(name)), None)


def _fold(name: str) -> str:
    """Return a word as words are compared.

    >>> _fold("Ice_cream"), _fold("open-air")
    ('ice cream', 'open air')
    """
    return name.lower().replace("_", " ").replace("-", " ")


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


def rank_substitutes(problem: WordSenses, target: Target, weights: Weights = FITTED) -> list[Substitute]:
    """Return WordNet's substitutes of a target, the best first.

    Args:
        problem: the problem `wsd` of the text.
        target: the word to substitute.
        weights: the factors of the features.
    """
    return _sort(problem, target, find_substitutes(problem.lexicon, target), weights)


def rank(problem: WordSenses, target: Target, names: Sequence[str], weights: Weights = FITTED) -> list[Substitute]:
    """Return given candidates, those first that fit the context best, however rare they are.

    Args:
        problem: the problem `wsd` of the text.
        target: the word to substitute.
        names: the candidates, in WordNet or not.
        weights: the factors of the features.
    """
    substitutes = find_substitutes(problem.lexicon, target)
    links = {name: link_of(substitutes, name) for name in names}
    return _sort(problem, target, links, weights._replace(frequency=0.0, phrase=0.0))


def _sort(problem: WordSenses, target: Target, links: Mapping[str, Link | None], weights: Weights) -> list[Substitute]:
    features = feature_rows(problem, target, list(links), list(links.values()))
    scores = np.round(features @ np.array(weights), DECIMALS).tolist()
    substitutes = [Substitute(name, link, score) for (name, link), score in zip(links.items(), scores, strict=True)]
    # By name where scores are equal: the order does not depend on that of the candidates.
    return sorted(substitutes, key=lambda substitute: (-substitute.score, substitute.name))


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
    insertions = [name.split() for name in names]
    sentences = [list(target.words), *([*before, *words, *after] for words in insertions)]
    lengths = [target.end - target.start, *map(len, insertions)]
    encodings = problem.model.sentences.encode(sentences)
    places = (range(target.start, target.start + length) for length in lengths)
    vectors = np.array([encoding.pooled(place) for encoding, place in zip(encodings, places, strict=True)], np.float64)
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
