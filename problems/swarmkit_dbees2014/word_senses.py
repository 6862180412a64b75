"""All that the experiment asks of the problem `wsd`, which another plugin offers.

A run's stages depend on the text and on the options `unit` and `order` alone, so that its solution can be read with a
problem whose tables take little time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from swarmkit import Result, make_problem, unknown
from swarmkit_dbees2014.settings import data_options

QUICK = {"shape": "chain", "measure": "lesk"}
"""The options with which tables take the least time."""

Credits = dict[str, dict[str, float | None]]
"""Text id -> instance id -> credit by the gold key, None for instances without an answer."""


class WordSenses(Protocol):
    """The members of the problem that are used."""

    texts: list[str]
    versions: Mapping[str, str]

    def score(self, X: NDArray[Any]) -> Any:
        """Score solutions, one a row."""

    def default_solution(self) -> NDArray[np.int64]:
        """Return the solution of `wsd annotate` without a solver."""

    def credits(self, x: NDArray[Any]) -> Credits:
        """Return the credit of each instance."""

    def answer_lines(self, x: NDArray[Any]) -> list[str]:
        """Return the lines of an answers file."""


class Answers(NamedTuple):
    """Answers to one text or several, and what they are worth."""

    credits: Credits
    lines: list[str]
    """In the official format."""

    def rights(self) -> NDArray[np.float64]:
        """Return 1 for every word that was answered right, 0 for all others."""
        values = [credit or 0.0 for text in self.credits.values() for credit in text.values()]
        return np.array(values, np.float64)


def joined(parts: Sequence[Answers]) -> Answers:
    """Return the answers to all texts."""
    words = {text: words for part in parts for text, words in part.credits.items()}
    return Answers(words, [line for part in parts for line in part.lines])


class Annotated(NamedTuple):
    """The answers of `wsd annotate`, their score, and the seconds they took."""

    answers: Answers
    score: float
    seconds: float


class Task:
    """The texts to answer: all texts of the corpus in a folder, or some of them."""

    def __init__(self, data: Path, texts: Sequence[str] | None) -> None:
        self._data = data
        whole = self._problem(**QUICK)
        for text in texts or []:
            if text not in whole.texts:
                raise unknown("text", text, whole.texts)
        self._all = whole.texts
        self.texts = whole.texts if texts is None else list(texts)
        self.wordnet = whole.versions["wordnet"]
        self._quick = cache(self._quick_problem)

    def _problem(self, **options: Any) -> WordSenses:
        return cast(WordSenses, make_problem("wsd", **options | data_options(self._data)))

    def _quick_problem(self, text_id: str, unit: str, order: str) -> WordSenses:
        return self._problem(text_id=text_id, unit=unit, order=order, **QUICK)

    def answers(self, result: Result) -> Answers:
        """Return the answers of a run to its text."""
        options = result.options or {}
        problem = self._quick(*(options[name] for name in ("text_id", "unit", "order")))
        x = np.array(result.solution, np.int64)
        return Answers(problem.credits(x), problem.answer_lines(x))

    def annotate(self, options: Mapping[str, Any]) -> Annotated:
        """Answer as `wsd annotate` does: the whole corpus at once, or if texts were chosen, one after the other.

        Args:
            options: those of the problem, without the data.
        """
        chosen = [None] if set(self.texts) == set(self._all) else self.texts
        done = [_annotate(self._problem(**options, text_id=text)) for text in chosen]
        answers = joined([one.answers for one in done])
        return Annotated(answers, sum(one.score for one in done), sum(one.seconds for one in done))


def _annotate(problem: WordSenses) -> Annotated:
    begun = time.perf_counter()
    x = problem.default_solution()
    seconds = time.perf_counter() - begun
    return Annotated(Answers(problem.credits(x), problem.answer_lines(x)), float(problem.score(x[None])[0]), seconds)
