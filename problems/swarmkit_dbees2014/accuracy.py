"""Attempted, precision, recall and F1: of all words together (micro), and means over the texts (macro)."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A model whose fields cannot be assigned."""

    model_config = ConfigDict(frozen=True)


class Rates(Frozen):
    """In [0, 1]."""

    attempted: float
    precision: float
    recall: float
    f1: float


class Score(Rates):
    """The rates of some words, and the counts they are computed from."""

    instances: int
    answered: int
    right: float


def micro(words: Iterable[float | None]) -> Score:
    """Return the rates of words, given the credit of each, or None for words without an answer.

    >>> micro([1.0, 0.0, 1.0, None]).f1  # 2 · right / (answered + instances) = 4 / 7
    0.5714285714285714
    """
    given = list(words)
    earned = [credit for credit in given if credit is not None]
    right, answered, instances = sum(earned), len(earned), len(given)
    return Score(
        attempted=answered / instances,
        precision=right / answered if answered else 0.0,
        recall=right / instances,
        f1=2 * right / (answered + instances),
        instances=instances,
        answered=answered,
        right=right,
    )


def macro(scores: Iterable[Rates]) -> Rates:
    """Return the means over the texts."""
    given = list(scores)
    return Rates(**{name: fmean(getattr(score, name) for score in given) for name in Rates.model_fields})
