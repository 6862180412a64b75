"""Word sense disambiguation by the redundancy of definitions (Cowie, Guthrie & Guthrie 1992): `wsd-redundancy`.

    E = 1 / (1 + R),    R = Σ (x - 1) over the stems of all chosen definitions, x the number of times that a stem occurs

E is minimised. R counts a stem once however many definitions share it, so it is no sum over pairs of words: solvers see
the score alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from swarmkit import FileName, Part, Problem, Settings, View, descriptions_of
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses

POPULATION = np.array([bin(byte).count("1") for byte in range(256)], np.int64)
"""The number of bits that are set in each byte."""


class RedundancyOptions(Settings):
    """The text or corpus, and which words are disambiguated together."""

    text: str | None = None
    """English text to disambiguate; without text, file and corpus it is the D-Bees paper's example sentence."""
    file: FileName | None = None
    """A file of English text."""
    corpus: FileName | None = None
    """A corpus with words to disambiguate: SemEval-2007 task 7 or the unified framework's XML."""
    key: FileName | None = None
    """The corpus's gold keys, with which F1 is a metric."""
    text_id: str | None = None
    """Only this text of the corpus."""
    unit: Literal["sentence", "document"] = "sentence"
    """The words whose definitions are counted together."""
    wordnet: FileName | None = None
    """A folder with WordNet's files; otherwise WordNet 3.0 is found or fetched."""


def redundancy(tokens: NDArray[Any], distinct: NDArray[Any]) -> NDArray[np.float64]:
    """Return E = 1 / (1 + R), where R is the number of words less the number of distinct ones.

    >>> redundancy(np.array([5, 9]), np.array([5, 6])).tolist()
    [1.0, 0.25]
    """
    return np.asarray(1.0 / (1.0 + tokens - distinct))


class RedundantUnit(Problem):
    """A sentence or document: one definition per word, of which as many words as possible should occur repeatedly."""

    direction = "minimise"
    cost_name = "energy"

    def __init__(self, words: Problem) -> None:
        descriptions = descriptions_of(words)
        assert descriptions is not None  # noqa: S101  (words of WordNet have definitions)
        starts, stems = descriptions
        slots = len(starts) - 1
        self.sizes, self.groups = words.sizes, words.groups
        self._first = np.cumsum(words.sizes) - words.sizes
        self._tokens = np.diff(starts)
        # One row for each sense, one column for each stem.
        has = np.zeros((slots, int(stems.max(initial=0)) + 1), bool)
        has[np.repeat(np.arange(slots), self._tokens), stems] = True
        # A bit for each stem: the union of definitions is a bitwise or, its size a sum over a table of bytes.
        self._stems = np.packbits(has, axis=1)
        self._words = words

    def score(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return the energy of each row."""
        slots = self._first + X
        distinct = POPULATION[np.bitwise_or.reduce(self._stems[slots], axis=1)].sum(axis=1)
        return redundancy(self._tokens[slots].sum(axis=1), distinct)

    def descriptions(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Return the stems of each sense's definition."""
        return descriptions_of(self._words)


class Redundancy(Problem):
    """Choose senses whose definitions repeat each other's words: the energy of Cowie, Guthrie & Guthrie 1992.

    The words, the senses and the answers are those of the problem `wsd`; the score is all that solvers are told.
    """

    Options = RedundancyOptions
    reference = "Cowie, Guthrie & Guthrie 1992, Lexical disambiguation using simulated annealing, COLING"
    direction = "minimise"
    cost_name = "energy"

    @classmethod
    def build(cls, options: RedundancyOptions) -> Redundancy:
        """Read the text or corpus, and WordNet."""
        return cls(WordSenses.build(WsdOptions(preset="paper", measure="lesk", order="text", **dict(options))))

    def __init__(self, words: WordSenses) -> None:
        self.words = words
        self.sizes, self.groups = words.sizes, words.groups
        self.versions = words.versions
        self.parts = [Part(part.stages, RedundantUnit(part.problem)) for part in words.parts]

    def score(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sum of the units' energies, for each row."""
        units = [np.zeros(len(X)), *(part.problem.score(X[:, part.stages]) for part in self.parts)]
        return np.asarray(np.sum(units, axis=0))

    @property
    def texts(self) -> list[str]:
        """The ids of the texts."""
        return self.words.texts

    def credits(self, x: NDArray[Any]) -> dict[str, dict[str, float | None]]:
        """Return the credit by the gold key: text id -> instance id -> credit, None for instances without an answer."""
        return self.words.credits(x)

    def answer_lines(self, x: NDArray[Any]) -> list[str]:
        """Return the lines of an answers file, in the corpus's official format."""
        return self.words.answer_lines(x)

    def view(self) -> View:
        """Return the caption."""
        return View(self.words.excerpt)

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each word with its sense, in the order of the text."""
        return [{name: value for name, value in row.items() if name != "score"} for row in self.words.describe(x)]

    def metrics(self, x: NDArray[Any]) -> Mapping[str, float]:
        """Return the numbers of words, and with a gold key the official scores."""
        return self.words.metrics(x)
