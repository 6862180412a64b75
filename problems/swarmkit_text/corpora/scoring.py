"""The official scores: attempted, precision, recall and F1, with a bootstrap interval of F1.

An answer is right if its key, case-folded, is among the gold ones (Navigli, Litkowski & Hargraves 2007). If several
keys are answered for one instance, they share its credit, as in the scorers of Senseval and of the unified framework.
Macro values are means over the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from swarmkit import Bools, Floats, UsageError, quoted
from swarmkit_text.corpora.keys import Entry

Answers = Mapping[str, str | Sequence[str]]
"""Sense keys by instance id: one, or several that share the credit."""

LEVEL = 0.95
"""Of the interval of F1."""

Share = Annotated[float, Field(ge=0, le=1)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rates(_Frozen):
    """Attempted, precision, recall and F1, in [0, 1]."""

    attempted: Share
    precision: Share
    recall: Share
    f1: Share


class Score(Rates):
    """The rates of some instances, and the counts they are computed from."""

    instances: int
    answered: int
    right: Annotated[float, Field(description="total credit: a fraction if several keys were answered for an instance")]


class Interval(_Frozen):
    """The bootstrap interval of micro F1."""

    low: Share
    high: Share
    level: float
    resamples: int


class Report(_Frozen):
    """Everything that `wsd score` prints."""

    micro: Score
    macro: Rates
    by_text: dict[str, Score]
    by_pos: dict[str, Score]
    interval: Interval


def credit(gold: Iterable[str], answered: Iterable[str]) -> float:
    """Return the fraction of the answered keys that are among the gold keys.

    >>> credit(["ill%3:00:01::"], ["Ill%3:00:01::"]), credit(["a%1:06:00::"], ["a%1:06:00::", "a%1:09:00::"])
    (1.0, 0.5)
    """
    right = {key.casefold() for key in gold}
    return fmean(key.casefold() in right for key in answered)


def f1(right: float, answered: float, instances: float) -> float:
    """Return the harmonic mean of precision and recall, 2PR / (P + R) = 2 right / (answered + instances).

    >>> round(f1(1790, 2269, 2269), 4)
    0.7889
    """
    return 2 * right / (answered + instances)


def rates_of(shares: Sequence[float | None]) -> Score:
    """Return the rates of instances, given the credit of each, or None for instances without an answer.

    >>> rates_of([1.0, 0.0, 1.0, None]).f1  # 2 · right / (answered + instances) = 4 / 7
    0.5714285714285714
    """
    answers = [share for share in shares if share is not None]
    right, answered, instances = sum(answers), len(answers), len(shares)
    return Score(
        attempted=answered / instances,
        precision=right / answered if answered else 0.0,
        recall=right / instances,
        f1=f1(right, answered, instances),
        instances=instances,
        answered=answered,
        right=right,
    )


def mean_rates(scores: Sequence[Rates]) -> Rates:
    """Return the means over texts, with equal weights: macro values."""
    return Rates(**{name: fmean(getattr(score, name) for score in scores) for name in Rates.model_fields})


def bootstrap_f1(right: Floats, answered: Bools, rng: np.random.Generator, resamples: int) -> Floats:
    """Return F1 of samples of the instances, drawn with replacement, each as large as their number.

    Args:
        right: the credit of each instance, 0 without an answer.
        answered: whether each has an answer.
        rng: draws the samples.
        resamples: the number of samples.
    """
    n = len(right)
    scores = np.empty(resamples)
    for turn in range(resamples):
        sample = rng.integers(n, size=n)
        scores[turn] = f1(right[sample].sum(), answered[sample].sum(), n)
    return scores


def micro(gold: Mapping[str, Entry], answers: Answers) -> Score:
    """Score all instances together, with equal weights."""
    shares = _shares(gold, answers)
    return rates_of([shares.get(name) for name in gold])


def score(gold: Mapping[str, Entry], answers: Answers, rng: np.random.Generator, resamples: int = 1000) -> Report:
    """Score answers against the gold key: micro, macro, by text and by part of speech.

    Args:
        gold: the entries of the gold key by instance id.
        answers: the answered keys by instance id; instances without an answer are not attempted.
        rng: draws the bootstrap samples of the interval.
        resamples: the number of bootstrap samples.
    """
    if resamples < 1:
        raise UsageError(f"resamples is {resamples}; expected at least 1.")
    shares = _shares(gold, answers)
    by_text = _grouped(gold, shares, lambda entry: entry.text)
    right = np.array([shares.get(name, 0.0) for name in gold])
    f1_scores = bootstrap_f1(right, np.array([name in shares for name in gold]), rng, resamples)
    low, high = np.quantile(f1_scores, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Report(
        micro=rates_of([shares.get(name) for name in gold]),
        macro=mean_rates(list(by_text.values())),
        by_text=by_text,
        by_pos=_grouped(gold, shares, lambda entry: entry.pos),
        interval=Interval(low=low, high=high, level=LEVEL, resamples=resamples),
    )


def _shares(gold: Mapping[str, Entry], answers: Answers) -> dict[str, float]:
    """Return the credit of every answered instance."""
    if not gold:
        raise UsageError("the gold key is empty; expected at least one instance.")
    unknown = set(answers).difference(gold)
    if unknown:
        raise UsageError(f"an answer to {quoted(min(unknown))}, which is not in the gold key.")
    keys = {name: (answer,) if isinstance(answer, str) else answer for name, answer in answers.items()}
    return {name: credit(gold[name].keys, answer) for name, answer in keys.items() if answer}


def _grouped(gold: Mapping[str, Entry], shares: Mapping[str, float], kind: Callable[[Entry], str]) -> dict[str, Score]:
    groups: dict[str, list[float | None]] = {}
    for name, entry in gold.items():
        groups.setdefault(kind(entry), []).append(shares.get(name))
    return {group: rates_of(members) for group, members in sorted(groups.items())}
