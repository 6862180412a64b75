"""Votes as unary terms: the log-odds of an expert's reliability, in the units of the score.

An expert that is right with probability r, and otherwise chooses any of the other k - 1 candidates, makes its candidate
r (k - 1) / (1 - r) times as likely as each other one. The logarithm of this factor, times the temperature by which
values of the score become probabilities, is added to the value of the candidate: the word's posterior is then that of
Bayes' rule, and the problem can be solved again, so that the words around it profit from the vote.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from math import log

import numpy as np
from numpy.typing import NDArray

from swarmkit import Part
from swarmkit_wsd.confidence import posteriors, temperatures
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.units import Target, weigh_readings

MOST = 12.0
"""The largest log-odds of one vote, that of a reliability of 1: a factor of 160,000."""

LEAST = 1e-12
"""The least probability of a reading."""

Votes = Mapping[int, NDArray[np.float64]]
"""By stage, the log-odds that votes add to each candidate."""


def log_odds(reliability: float, candidates: int) -> float:
    """Return the log-odds log(r / ((1 - r) / (k - 1))) of a vote for one of k candidates, within ±MOST.

    >>> round(log_odds(0.9, 2), 3), round(log_odds(0.9, 10), 3), log_odds(1.0, 5), log_odds(0.25, 4)
    (2.197, 4.394, 12.0, 0.0)
    """
    wrong = (1 - reliability) / (candidates - 1)
    if reliability <= 0 or wrong <= 0:
        return MOST if wrong <= 0 else -MOST
    return max(-MOST, min(MOST, log(reliability) - log(wrong)))


def with_votes(problem: WordSenses, x: NDArray[np.int64], votes: Votes) -> WordSenses:
    """Return the problem with the values that votes add.

    Args:
        problem: the problem, which is not changed.
        x: its solution without these votes, beside which the readings of each word have their probabilities.
        votes: the log-odds of candidates.
    """
    if not votes:
        return problem
    form, targets = problem.form, list(problem.targets)
    unary, scale, likely = form.unary.copy(), temperatures(problem), posteriors(problem, x)
    for stage, odds in votes.items():
        own = slice(form.offsets[stage], form.offsets[stage + 1])
        targets[stage] = target = _believed(targets[stage], likely[stage], odds)
        unary[own] += scale[stage] * odds
        if problem.model is not None:  # the readings are weighed by their own probabilities
            unary[own] = weigh_readings(unary[own], [target], np.array([problem.settings.reading_weight]))
    voted = copy.copy(problem)
    for derived in ("structure", "meter"):
        vars(voted).pop(derived, None)
    voted.form, voted.targets = replace(form, unary=unary), targets
    voted.parts = [_part(part, unary[_slots(form.offsets, part)]) for part in problem.parts]
    stages = sorted(votes)
    content = [problem.fingerprint, stages, [votes[stage].tolist() for stage in stages]]
    vars(voted)["fingerprint"] = hashlib.sha256(repr(content).encode()).hexdigest()
    return voted


def _slots(offsets: NDArray[np.int64], part: Part) -> slice:
    """Return the slots of a part, whose stages are consecutive."""
    return slice(int(offsets[part.stages[0]]), int(offsets[part.stages[-1] + 1]))


def _part(part: Part, unary: NDArray[np.float64]) -> Part:
    own = copy.copy(part.problem)
    for derived in ("structure", "meter", "fingerprint"):
        vars(own).pop(derived, None)
    own.form = replace(part.problem.form, unary=unary)  # type: ignore[attr-defined]  # a part has tables as the whole
    return Part(part.stages, own)


def _believed(target: Target, likely: NDArray[np.float64], odds: NDArray[np.float64]) -> Target:
    """Return a word with the probabilities of its readings after votes, and the probability that it has a sense.

    Args:
        target: the word.
        likely: the probability of each candidate before the votes.
        odds: the log-odds of the votes.
    """
    after = np.maximum(likely, LEAST) * np.exp(odds)
    total = float(after.sum())
    certainty = total / (total + 1 - min(1.0, target.token.certainty))
    shares = np.bincount(target.reading, after, minlength=len(target.readings)) / total
    readings = tuple(
        replace(reading, bias=log(max(share, LEAST)))
        for reading, share in zip(target.readings, shares.tolist(), strict=True)
    )
    return replace(target, token=replace(target.token, certainty=certainty), readings=readings)
