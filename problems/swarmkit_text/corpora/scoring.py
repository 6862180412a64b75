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

from swarmkit import UsageError, quoted
from swarmkit_text.corpora.keys import Entry

Answers = Mapping[str, str | Sequence[str]]
"""Sense keys by instance id: one, or several that share the credit."""

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


def micro(gold: Mapping[str, Entry], answers: Answers) -> Score:
    """Score all instances together, with equal weights."""
    return _score(gold, _earned(gold, answers))


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
    earned = _earned(gold, answers)
    by_text = _grouped(gold, earned, lambda entry: entry.text)
    return Report(
        micro=_score(gold, earned),
        macro=_macro(by_text.values()),
        by_text=by_text,
        by_pos=_grouped(gold, earned, lambda entry: entry.pos),
        interval=_interval(gold, earned, rng, resamples),
    )


def _earned(gold: Mapping[str, Entry], answers: Answers) -> dict[str, float]:
    """Return the credit of every answered instance."""
    if not gold:
        raise UsageError("the gold key is empty; expected at least one instance.")
    strange = sorted(set(answers).difference(gold))
    if strange:
        raise UsageError(f"an answer to {quoted(strange[0])}, which is not in the gold key.")
    keys = {name: (given,) if isinstance(given, str) else given for name, given in answers.items()}
    return {name: credit(gold[name].keys, given) for name, given in keys.items() if given}


def _score(names: Iterable[str], earned: Mapping[str, float]) -> Score:
    names = list(names)
    shares = [earned[name] for name in names if name in earned]
    right, answered, instances = sum(shares), len(shares), len(names)
    return Score(
        attempted=answered / instances,
        precision=right / answered if answered else 0.0,
        recall=right / instances,
        f1=f1(right, answered, instances),
        instances=instances,
        answered=answered,
        right=right,
    )


def _grouped(gold: Mapping[str, Entry], earned: Mapping[str, float], kind: Callable[[Entry], str]) -> dict[str, Score]:
    groups: dict[str, list[str]] = {}
    for name, entry in gold.items():
        groups.setdefault(kind(entry), []).append(name)
    return {group: _score(names, earned) for group, names in sorted(groups.items())}


def _macro(scores: Iterable[Score]) -> Rates:
    """Return the means over the texts, with equal weights."""
    scores = list(scores)
    return Rates(**{name: fmean(getattr(score, name) for score in scores) for name in Rates.model_fields})


def _interval(
    gold: Mapping[str, Entry],
    earned: Mapping[str, float],
    rng: np.random.Generator,
    resamples: int,
    level: float = 0.95,
) -> Interval:
    """Return the percentile bootstrap interval of F1 over the instances."""
    right = np.array([earned.get(name, 0.0) for name in gold])
    answered = np.array([name in earned for name in gold])
    drawn = np.empty(resamples)
    for turn in range(resamples):
        sample = rng.integers(len(gold), size=len(gold))
        drawn[turn] = f1(right[sample].sum(), answered[sample].sum(), len(gold))
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=low, high=high, level=level, resamples=resamples)
