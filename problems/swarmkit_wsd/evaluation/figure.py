"""The figure of the experiment: reliability, and precision by coverage, of every preset on every corpus."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from swarmkit import save_figure
from swarmkit_wsd.evaluation.answers import Words
from swarmkit_wsd.evaluation.calibration import calibration_error
from swarmkit_wsd.evaluation.measurement import bins_of, curve_of
from swarmkit_wsd.evaluation.rows import Row

Answers = Mapping[str, Mapping[Row, Words]]


def plot(answers: Answers, path: Path) -> None:
    """Write the figure: a row of two drawings for each corpus.

    Args:
        answers: the answers by corpus and row; only rows with confidences are drawn.
        path: the file, whose suffix determines the format.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5 * len(answers)), layout="constrained")
    axes = figure.subplots(len(answers), 2, squeeze=False)
    for (name, of_corpus), (left, right) in zip(answers.items(), axes, strict=True):
        _frames(name, left, right)
        for row, words in of_corpus.items():
            _draw(row, words, left, right)
        for one in (left, right):
            one.legend()
    save_figure(figure, path, "wsd-best")


def _frames(name: str, left: Any, right: Any) -> None:
    left.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    left.set(xlabel="confidence", ylabel="right", title=f"{name}: words with several senses", xlim=(0, 1), ylim=(0, 1))
    right.set(xlabel="share of words answered", ylabel="precision", title=f"{name}: all words", xlim=(0, 1))
    for one in (left, right):
        one.grid(alpha=0.3)


def _draw(row: Row, words: Words, left: Any, right: Any) -> None:
    bins, curve = bins_of(words), curve_of(words)
    error = calibration_error(bins)
    if error is not None and curve is not None:
        left.plot(
            [b.confidence for b in bins], [b.right for b in bins], marker=".", label=f"{row.preset}: ECE {error:.3f}"
        )
        right.plot(curve.coverage, curve.precision, label=row.preset)
