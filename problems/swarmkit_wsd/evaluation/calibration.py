"""Whether confidences mean what they say: reliability in bins of equal mass, and precision by coverage."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

BINS = 15


class Bin(NamedTuple):
    """Some words of similar confidence: their number, mean confidence, and the share that is right."""

    words: int
    confidence: float
    right: float


def reliability(confidence: Floats, right: Floats, bins: int = BINS) -> list[Bin]:
    """Return bins of equal mass (to one word), by increasing confidence.

    >>> reliability(np.array([0.9, 0.5, 0.7, 0.5]), np.array([1.0, 0.0, 1.0, 1.0]), bins=2)
    [Bin(words=2, confidence=0.5, right=0.5), Bin(words=2, confidence=0.8, right=1.0)]
    """
    parts = np.array_split(np.argsort(confidence, kind="stable"), bins)
    return [Bin(len(part), float(confidence[part].mean()), float(right[part].mean())) for part in parts if len(part)]


def calibration_error(bins: list[Bin]) -> float | None:
    """Return the expected calibration error: the mean of |confidence - right|, weighted by words; None without words.

    >>> calibration_error([Bin(3, 0.5, 0.4), Bin(1, 0.9, 1.0)])
    0.09999999999999998
    """
    words = sum(one.words for one in bins)
    return sum(one.words * abs(one.confidence - one.right) for one in bins) / words if words else None


class Coverage(NamedTuple):
    """Precision of the most confident answers, for every number of answers that are given."""

    coverage: Floats
    """The share of all words that are answered."""
    precision: Floats
    least: Floats
    """The smallest confidence of the answers that are given."""

    def at(self, coverage: float) -> float | None:
        """Return the precision when at least that share of all words is answered; None if it never is."""
        place = int(np.searchsorted(self.coverage, coverage - 1e-12))
        return float(self.precision[place]) if place < len(self.coverage) else None


def coverage_curve(confidence: Floats, right: Floats, instances: int) -> Coverage:
    """Return the precision of the most confident answers; equal confidences are answered together.

    >>> curve = coverage_curve(np.array([0.9, 0.5, 0.5]), np.array([1.0, 1.0, 0.0]), 4)
    >>> curve.coverage.tolist(), curve.precision.round(2).tolist()
    ([0.25, 0.75], [1.0, 0.67])

    Args:
        confidence: of every answered word.
        right: the credit of each.
        instances: the number of all words, unanswered ones included.
    """
    order = np.argsort(-confidence, kind="stable")
    sure, earned = confidence[order], np.cumsum(right[order])
    last = np.flatnonzero(np.append(sure[:-1] != sure[1:], True)) if len(sure) else np.empty(0, np.int64)
    return Coverage((last + 1) / instances, earned[last] / (last + 1), sure[last])
