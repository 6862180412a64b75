"""The picture of an answer: the text with its words in colours, their senses and the next senses below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.confidence import posteriors

if TYPE_CHECKING:
    from swarmkit_wsd.problem import WordSenses

COLOURS = ("#0068a3", "#b54d00", "#007a58", "#a8437f", "#8a6200", "#4b2fb3", "#6b7000", "#595959")
"""Colours of the words, in turn: each can be read on white."""

WIDTH = 86
"""Characters of a line."""

LINES = 30
"""Lines of a picture; a longer text is cut."""

TEXT_LINES = 8
"""Lines of them for the text itself."""


class Piece(NamedTuple):
    """A piece of text at a line and a column."""

    line: int
    column: int
    text: str
    colour: str
    bold: bool


def draw_senses(problem: WordSenses, x: NDArray[Any], axes: Any) -> None:
    """Draw an answer into matplotlib's axes, a fixed-width line of text below the other."""
    axes.axis("off")
    for piece in pieces(problem, x):
        axes.text(
            piece.column / WIDTH,
            1 - (piece.line + 1) / LINES,
            piece.text,
            color=piece.colour,
            weight="bold" if piece.bold else "normal",
            family="monospace",
            fontsize=9.1,
            transform=axes.transAxes,
            parse_math=False,
        )


def pieces(problem: WordSenses, x: NDArray[Any]) -> list[Piece]:
    """Return the pieces of the picture of an answer, as many as fit."""
    stages = problem.answered(x)
    colours = {stage: COLOURS[at % len(COLOURS)] for at, stage in enumerate(stages)}
    result, line = _text(problem, x, colours)
    likely = posteriors(problem, x)
    for stage in stages:
        # A word takes two lines; the last line says how many words are left.
        if line + 2 > LINES:
            result.append(
                Piece(LINES - 1, 0, f"… and {len(stages) - stages.index(stage):,} more words", "#595959", False)
            )
            break
        lines = _sense(problem, x, stage, (line, colours[stage]), likely[stage])
        result, line = [*result, *lines], lines[-1].line + 1
    return result


def _text(problem: WordSenses, x: NDArray[Any], colours: dict[int, str]) -> tuple[list[Piece], int]:
    """Return the text with the answered words in their colours, and the line at which their senses begin."""
    # A word is coloured where its chosen reading begins.
    starts = {
        (problem.targets[stage].sentence, problem.targets[stage].reading_of(x[stage]).start): stage for stage in colours
    }
    result: list[Piece] = []
    line = column = 0
    for number, sentence in enumerate(problem.sentences):
        for token in sentence.tokens:
            stage = starts.get((number, token.start))
            if column and column + len(token.surface) > WIDTH:
                line, column = line + 1, 0
            # The senses need the rest of the picture.
            if line == TEXT_LINES:
                return [*result, Piece(line, 0, "…", "#595959", False)], line + 2
            colour = "#1b1f24" if stage is None else colours[stage]
            result.append(Piece(line, column, token.surface[:WIDTH], colour, stage is not None))
            column += len(token.surface) + 1
    return result, line + 2


def _sense(
    problem: WordSenses, x: NDArray[Any], stage: int, place: tuple[int, str], likely: NDArray[np.float64]
) -> list[Piece]:
    """Return the lines of a word: its sense and gloss, then the next senses.

    Args:
        problem: the problem.
        x: the answer.
        stage: the word.
        place: the first line, and the colour of the word.
        likely: the probability of each of its senses.
    """
    line, colour = place
    target = problem.targets[stage]
    senses = [problem.sense_of(stage, k) for k in range(len(target.senses))]
    names, gloss = [sense["synset"] for sense in senses], senses[x[stage]]["gloss"]
    head = f"{target.reading_of(x[stage]).surface}: {names[x[stage]]} {likely[x[stage]]:.0%}"[:34]
    next_senses = [k for k in np.argsort(-likely, kind="stable") if k != x[stage]][:3]
    rest = ", ".join(f"{names[k]} {likely[k]:.0%}" for k in next_senses)
    room = WIDTH - len(head) - 2
    result = [Piece(line, 0, head, colour, True), Piece(line, len(head) + 2, _cut(gloss, room), "#1b1f24", False)]
    return [*result, Piece(line + 1, 2, _cut(f"else {rest}", WIDTH - 2), "#595959", False)] if rest else result


def _cut(text: str, length: int) -> str:
    """Return a text of at most this length.

    >>> _cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= length else f"{text[: length - 1]}…"
