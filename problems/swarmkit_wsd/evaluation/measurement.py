"""What the answers of the rows are worth: F1 with an interval, tests against two rows, calibration and coverage.

Whether confidences mean what they say is seen by their reliability in bins of equal mass, and by precision by coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import Floats, save_figure
from swarmkit_text.corpora.scoring import bootstrap_f1, f1
from swarmkit_wsd.evaluation.comparison import Comparison, compare_runs
from swarmkit_wsd.evaluation.rows import FAST, FIRST, Row

RESAMPLES = 2_000
BINS = 15
POINTS = 100
"""Points of a coverage curve in the JSON document."""


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
    words = sum(each.words for each in bins)
    return sum(each.words * abs(each.confidence - each.right) for each in bins) / words if words else None


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
    sure, credit = confidence[order], np.cumsum(right[order])
    last = np.flatnonzero(np.append(sure[:-1] != sure[1:], True)) if len(sure) else np.empty(0, np.int64)
    return Coverage((last + 1) / instances, credit[last] / (last + 1), sure[last])


@dataclass(frozen=True)
class Words:
    """The answers of a row to the words of a corpus, in the order of the corpus."""

    credit: Floats
    """A row for each run: the credit of each word by the gold key, 0 if it was not answered."""
    answered: NDArray[np.bool_]
    polysemous: NDArray[np.bool_]
    """Which words have several senses."""
    confidence: Floats | None
    """Of each answer, by `wsd annotate`; other methods have none."""
    cpu: tuple[float, float]
    """CPU seconds: of the tables (and the model), and of the search, as the mean over the runs."""

    def bins(self) -> list[Bin]:
        """Return the reliability of the answers to words with several senses; no bins without confidences."""
        if self.confidence is None:
            return []
        mask = self.answered & self.polysemous
        return reliability(self.confidence[mask], self.credit[0][mask])

    def curve(self) -> Coverage | None:
        """Return the coverage curve of all answers; None without confidences."""
        if self.confidence is None:
            return None
        return coverage_curve(self.confidence[self.answered], self.credit[0][self.answered], len(self.answered))


Answers = Mapping[Row, Words]
"""Of a corpus, by row."""


def together(parts: Sequence[Words]) -> Words:
    """Return the answers of a row to several corpora as those to one; all have the same number of runs."""
    confidences = [part.confidence for part in parts if part.confidence is not None]
    return Words(
        credit=np.concatenate([part.credit for part in parts], axis=1),
        answered=np.concatenate([part.answered for part in parts]),
        polysemous=np.concatenate([part.polysemous for part in parts]),
        confidence=np.concatenate(confidences) if len(confidences) == len(parts) else None,
        cpu=(sum(part.cpu[0] for part in parts), sum(part.cpu[1] for part in parts)),
    )


class Measured(BaseModel):
    """A row of the table."""

    model_config = ConfigDict(frozen=True)

    preset: str
    method: str
    runs: int
    attempted: float
    f1: float
    """Of all words together (micro), the mean over the runs."""
    low: float
    high: float
    """The ends of its 95 % bootstrap interval over the words."""
    against_fast: Comparison | None
    against_first: Comparison | None
    cpu_tables: float
    cpu_search: float
    calibration_error: float | None
    """Over words with several senses."""
    bins: list[Bin]
    half: float | None
    """The precision of the more confident half of all words."""
    curve: list[tuple[float, float, float]]
    """Coverage, precision and smallest confidence of some points."""


def f1_scores(credit: Floats, answered: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return F1 = 2 right / (answered + words), and the ends of its percentile bootstrap interval over the words.

    Args:
        credit: of each word, the mean over the runs.
        answered: which words are answered.
    """
    low, high = np.quantile(bootstrap_f1(credit, answered, np.random.default_rng(0), RESAMPLES), [0.025, 0.975])
    return float(f1(credit.sum(), answered.sum(), len(credit))), float(low), float(high)


def measure(answers: Answers) -> list[Measured]:
    """Return the measured rows of a corpus."""
    fast, first = _comparisons(answers, FAST), _comparisons(answers, FIRST)
    return [_measured(row, words, fast.get(row), first.get(row)) for row, words in answers.items()]


def _measured(row: Row, words: Words, fast: Comparison | None, first: Comparison | None) -> Measured:
    f1, low, high = f1_scores(words.credit.mean(axis=0), words.answered)
    bins, curve = words.bins(), words.curve()
    return Measured(
        preset=row.preset,
        method=row.method,
        runs=len(words.credit),
        attempted=float(words.answered.mean()),
        f1=f1,
        low=low,
        high=high,
        against_fast=fast,
        against_first=first,
        cpu_tables=words.cpu[0],
        cpu_search=words.cpu[1],
        calibration_error=calibration_error(bins),
        bins=bins,
        half=None if curve is None else curve.at(0.5),
        curve=[] if curve is None else _some_points(curve),
    )


def _some_points(curve: Coverage) -> list[tuple[float, float, float]]:
    points = np.unique(np.linspace(0, len(curve.coverage) - 1, POINTS).round().astype(int))
    return list(zip(*(part[points].tolist() for part in curve), strict=True))


def _comparisons(answers: Answers, reference: Row) -> dict[Row, Comparison]:
    """Return the comparison of every row with a reference, adjusted for their number."""
    if reference not in answers:
        return {}
    rows = [row for row in answers if row != reference]
    comparisons = compare_runs([(answers[row].credit, answers[reference].credit) for row in rows])
    return dict(zip(rows, comparisons, strict=True))


def plot(answers: Mapping[str, Answers], path: Path) -> None:
    """Draw the reliability and the coverage of every row with confidences: a row of two drawings for each corpus.

    Args:
        answers: the answers by corpus and row.
        path: the file, whose suffix determines the format.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5 * len(answers)), layout="constrained")
    for (name, rows), (left, right) in zip(
        answers.items(), figure.subplots(len(answers), 2, squeeze=False), strict=True
    ):
        left.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        title = f"{name}: words with several senses"
        left.set(xlabel="confidence", ylabel="right", title=title, xlim=(0, 1), ylim=(0, 1))
        right.set(xlabel="share of words answered", ylabel="precision", title=f"{name}: all words", xlim=(0, 1))
        for row, words in rows.items():
            bins, curve = words.bins(), words.curve()
            error = calibration_error(bins)
            if error is not None and curve is not None:
                label, x, y = f"{row.preset}: ECE {error:.3f}", [b.confidence for b in bins], [b.right for b in bins]
                left.plot(x, y, marker=".", label=label)
                right.plot(curve.coverage, curve.precision, label=row.preset)
        for axes in (left, right):
            axes.grid(alpha=0.3)
            axes.legend()
    save_figure(figure, path, "wsd-best")
