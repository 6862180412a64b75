"""Answers to the texts of the experiment, read with the problem `wsd` from the solutions of runs.

A run's stages depend on the text and on the options `unit` and `order` alone, so that its solution can be read with a
problem whose tables take little time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Result, make_settings, unknown
from swarmkit_dbees2014.rows import CLUSTERS, CORPUS, KEY
from swarmkit_wsd import WordSenses
from swarmkit_wsd.options import WsdOptions

Credits = dict[str, dict[str, float | None]]
"""Text id -> instance id -> credit by the gold key, None for instances without an answer."""


class Answers(NamedTuple):
    """Answers to one text or several, and what they are worth."""

    credits: Credits
    lines: list[str]
    """In the official format."""
    differing: int
    """The answers that are not the first sense."""

    def rights(self) -> NDArray[np.float64]:
        """Return 1 for every word that was answered right, 0 for all others."""
        return np.array([credit or 0.0 for text in self.credits.values() for credit in text.values()], np.float64)


def join_answers(parts: Sequence[Answers]) -> Answers:
    """Return the answers to all texts."""
    words = {text: words for part in parts for text, words in part.credits.items()}
    return Answers(words, [line for part in parts for line in part.lines], sum(part.differing for part in parts))


class Task:
    """The texts to answer: all texts of the corpus in a folder, or some of them."""

    def __init__(self, data: Path, texts: Sequence[str] | None) -> None:
        self._data = data
        whole = self._problem(None, "sentence", "text")
        for text in texts or []:
            if text not in whole.texts:
                raise unknown("text", text, whole.texts)
        self.texts = whole.texts if texts is None else list(texts)
        self.wordnet = whole.versions["wordnet"]
        self._quick = cache(self._problem)

    def _problem(self, text: str | None, unit: str, order: str) -> WordSenses:
        options = {"corpus": str(self._data / CORPUS), "key": str(self._data / KEY), "text_id": text}
        options |= {"preset": "paper", "measure": "lesk", "unit": unit, "order": order}
        return WordSenses.build(make_settings(WsdOptions, options, "problem 'wsd'"))

    def answers(self, result: Result) -> Answers:
        """Return the answers of a run to its text."""
        options = result.options or {}
        problem = self._quick(str(options["text_id"]), str(options["unit"]), str(options.get("order", "text")))
        x = np.array(result.solution, np.int64)
        first, answers = problem.answers(np.zeros_like(x)), problem.answers(x)
        differing = sum(key != first[name] for name, key in answers.items())
        return Answers(problem.credits(x), problem.answer_lines(x), differing)

    def random_fine(self) -> float:
        """Return the expected share of right words if one of each word's senses in WordNet 3.0 is drawn."""
        right = list[float]()
        for text in self.texts:
            problem = self._quick(text, "sentence", "text")
            sizes = np.asarray(problem.sizes)
            candidates = dict(zip(problem.answers(0 * sizes), sizes.tolist(), strict=True))
            # Solution c answers every word with its candidate c, or with its last one if it has fewer.
            rewards = [problem.credits(np.minimum(c, sizes - 1))[text] for c in range(int(sizes.max(initial=1)))]
            right += [fmean(rewards[c][name] or 0.0 for c in range(candidates.get(name, 1))) for name in rewards[0]]
        return fmean(right)

    def random_clusters(self) -> float | None:
        """Return the expected share of right words if a coarse cluster of each is drawn; None without the file of them.

        A word that the file does not list counts as right.
        """
        file = self._data / CLUSTERS
        if not file.is_file():
            return None
        # Each line of the file is a cluster of sense keys.
        clusters: dict[tuple[str, str], int] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            for word in {_word(key) for key in line.split()}:
                clusters[word] = clusters.get(word, 0) + 1
        shares = []
        for line in (self._data / KEY).read_text(encoding="utf-8").splitlines():
            text, _, _ = line.partition(" ")
            lemma, _, pos = line.rpartition("lemma=")[2].partition("#")
            if text in self.texts:
                shares.append(1 / clusters.get((lemma.lower(), pos.strip()), 1))
        return fmean(shares)


def _word(key: str) -> tuple[str, str]:
    """Return lemma and part of speech of a sense key; satellites are adjectives.

    >>> _word("Homeless%5:00:00:poor:00")
    ('homeless', 'a')
    """
    lemma, _, rest = key.partition("%")
    return lemma.lower(), "nvara"[int(rest[0]) - 1]
