"""The numbers of Abualhaija & Zimmermann 2014 on SemEval-2007 task 7, in percent: their Tables 1, 2 and 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from swarmkit_dbees2014.settings import Row

INSTANCES = {"d001": 368, "d002": 379, "d003": 500, "d004": 677, "d005": 345}
"""The number of annotated words of each text (Table 1)."""

AGREEMENT = 86.44
"""The annotators' agreement, which the paper calls the upper bound."""


class Rates(NamedTuple):
    """Precision, recall and F-measure of one text."""

    precision: float
    recall: float
    f1: float


TABLE_2 = {
    "d001": Rates(83.42, 83.42, 83.42),
    "d002": Rates(84.52, 84.52, 84.52),
    "d003": Rates(80.16, 80.16, 80.16),
    "d004": Rates(78.33, 78.15, 78.24),
    "d005": Rates(75.95, 75.78, 75.86),
}
"""D-Bees, a single run (Table 2)."""


class System(NamedTuple):
    """A row of Table 3, and the row of ours that corresponds to it."""

    name: str
    attempted: float
    precision: float
    recall: float
    f1: float
    averaged: Literal["macro", "micro"]
    row: Row


TABLE_3 = [
    System("D-Bees", 99.91, 80.47, 80.41, 80.44, "macro", Row("chain", "dbees")),
    System("MFS", 100.0, 78.89, 78.89, 78.89, "micro", Row("chain", "first")),
    System("TSP-ACO", 99.80, 78.50, 78.10, 78.30, "micro", Row("chain", "tsp-aco")),
    System("ACA", 100.0, 77.64, 77.64, 77.64, "micro", Row("global", "aca")),
    System("SA", 100.0, 74.23, 74.23, 74.23, "micro", Row("global", "sa")),
    System("GA", 100.0, 73.98, 73.98, 73.98, "micro", Row("global", "ga")),
    System("RS", 100.0, 52.43, 52.43, 52.43, "micro", Row("chain", "random")),
]
"""D-Bees' row is the mean of its five texts; the others are of all words. ACA, SA and GA were published with all
pairs of a text (Schwab et al. 2012), so their rows are those of that score."""


def dbees_micro(texts: Iterable[str] = tuple(INSTANCES)) -> float | None:
    """Return D-Bees' published F1 over all words of some texts, computed from Tables 1 and 2; None for other texts.

    >>> round(dbees_micro(), 2), dbees_micro(["d001"]), dbees_micro(["another"])
    (80.19, 83.42, None)
    """
    texts = list(texts)
    if not texts or not set(texts) <= set(INSTANCES):
        return None
    words = sum(INSTANCES[text] for text in texts)
    return round(sum(TABLE_2[text].f1 * INSTANCES[text] for text in texts) / words, 2)


def micro(system: System, texts: Iterable[str]) -> float | None:
    """Return a system's published F1 over all words of some texts; None if it was not published."""
    if system.averaged == "macro":
        return dbees_micro(texts)
    return system.f1 if set(texts) == set(INSTANCES) else None
