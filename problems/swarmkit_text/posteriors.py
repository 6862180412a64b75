"""Probabilities of the tags of a sentence's words by the forward-backward algorithm on a trigram model of tags.

Rabiner 1989, A tutorial on hidden Markov models. The states are pairs of tags: the word's and the one before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp

Pair = tuple[int, int]
Transitions = Mapping[Pair, Mapping[int, float]]
"""Logarithm of the probability of a tag after two tags."""

LEAST = 1e-7
"""States whose share of the most probable state's probability is smaller are dropped."""

NEVER = -50.0
"""The logarithm that stands for a transition that the model does not have."""


def posteriors(
    likelihoods: Sequence[Mapping[int, float]], transitions: Transitions, first: Pair, last: int
) -> list[dict[int, float]]:
    """Return the probability of each tag of each word, given the whole sentence; the most probable tag is first.

    Args:
        likelihoods: for each word, its probability given each of its tags, up to a factor of the word's.
        transitions: the model of tags.
        first: the pair of tags before the first word.
        last: the tag after the last word.
    """
    before = _forward(likelihoods, transitions, first)
    after = _backward(likelihoods, transitions, before, last)
    rows = []
    for forward, backward in zip(before, after, strict=True):
        # Summed over the tag before: states are pairs, the result is single tags.
        shares: defaultdict[int, float] = defaultdict(float)
        for pair, value in forward.items():
            shares[pair[1]] += value * backward[pair]
        total = sum(shares.values())
        ordered = sorted(shares.items(), key=lambda share: -share[1])
        rows.append({tag: share / total for tag, share in ordered})
    return rows


def _forward(
    likelihoods: Sequence[Mapping[int, float]], transitions: Transitions, first: Pair
) -> list[dict[Pair, float]]:
    """Return the probability of each state together with the words so far; the largest of a word is scaled to 1."""
    rows = []
    row = {first: 1.0}
    # Scaled by the largest value at each word, or the products of long sentences would underflow.
    for likelihood in likelihoods:
        values: defaultdict[Pair, float] = defaultdict(float)
        for (older, old), value in row.items():
            following = transitions[older, old]
            for tag, likely in likelihood.items():
                values[old, tag] += value * likely * exp(following.get(tag, NEVER))
        peak = max(values.values())
        row = {pair: value / peak for pair, value in values.items() if value > LEAST * peak}
        rows.append(row)
    return rows


def _backward(
    likelihoods: Sequence[Mapping[int, float]], transitions: Transitions, before: list[dict[Pair, float]], last: int
) -> list[dict[Pair, float]]:
    """Return the probability of the words to come given each state, up to a factor of the word's."""
    # Only pairs that the forward pass has kept: all others have probability 0 in the result.
    row = {pair: exp(transitions[pair].get(last, NEVER)) for pair in before[-1]}
    rows = [row]
    for at in range(len(likelihoods) - 1, 0, -1):
        values = {}
        for pair in before[at - 1]:
            following = transitions[pair]
            values[pair] = sum(
                likely * exp(following.get(tag, NEVER)) * row.get((pair[1], tag), 0.0)
                for tag, likely in likelihoods[at].items()
            )
        peak = max(values.values())
        row = {pair: value / peak for pair, value in values.items()}
        rows.append(row)
    return rows[::-1]
