"""What the answers of the rows are worth: F1 with an interval, tests against two rows, calibration and coverage."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import Floats
from swarmkit_text.corpora.scoring import bootstrap_f1, f1
from swarmkit_wsd.evaluation.answers import Words
from swarmkit_wsd.evaluation.calibration import Bin, Coverage, calibration_error, coverage_curve, reliability
from swarmkit_wsd.evaluation.comparison import Comparison, compare_runs
from swarmkit_wsd.evaluation.rows import FAST, FIRST, Row

RESAMPLES = 2_000
POINTS = 100
"""Points of a coverage curve in the JSON document."""


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


def measure(answers: Mapping[Row, Words]) -> list[Measured]:
    """Return the measured rows of a corpus."""
    fast, first = _comparisons(answers, FAST), _comparisons(answers, FIRST)
    return [_measured(row, words, fast.get(row), first.get(row)) for row, words in answers.items()]


def _measured(row: Row, words: Words, fast: Comparison | None, first: Comparison | None) -> Measured:
    f1, low, high = f1_scores(words.credit.mean(axis=0), words.answered)
    bins, curve = bins_of(words), curve_of(words)
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
        curve=[] if curve is None else _thinned(curve),
    )


def bins_of(words: Words) -> list[Bin]:
    """Return the reliability of the answers to words with several senses; no bins without confidences."""
    if words.confidence is None:
        return []
    counted = words.answered & words.polysemous
    return reliability(words.confidence[counted], words.credit[0][counted])


def curve_of(words: Words) -> Coverage | None:
    """Return the coverage curve of all answers; None without confidences."""
    if words.confidence is None:
        return None
    given = words.answered
    return coverage_curve(words.confidence[given], words.credit[0][given], len(given))


def _thinned(curve: Coverage) -> list[tuple[float, float, float]]:
    kept = np.unique(np.linspace(0, len(curve.coverage) - 1, POINTS).round().astype(int))
    return [(float(curve.coverage[at]), float(curve.precision[at]), float(curve.least[at])) for at in kept]


def _comparisons(answers: Mapping[Row, Words], reference: Row) -> dict[Row, Comparison]:
    """Return the comparison of every row with a reference, adjusted for their number."""
    if reference not in answers:
        return {}
    rows = [row for row in answers if row != reference]
    comparisons = compare_runs([(answers[row].credit, answers[reference].credit) for row in rows])
    return dict(zip(rows, comparisons, strict=True))
