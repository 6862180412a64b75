"""The numbers of Abualhaija & Zimmermann 2014 on SemEval-2007 task 7, in percent: their Tables 1, 2 and 3."""

from __future__ import annotations

from typing import Literal, NamedTuple

from swarmkit_dbees2014.rows import Row


class Article(NamedTuple):
    """A row of Table 1, and of Table 2: D-Bees on this article, a single run."""

    domain: str
    words: int
    annotated: int
    precision: float
    recall: float
    f1: float


ARTICLES = {
    "d001": Article("Journalism", 951, 368, 83.42, 83.42, 83.42),
    "d002": Article("Book Review", 987, 379, 84.52, 84.52, 84.52),
    "d003": Article("Travel", 1311, 500, 80.16, 80.16, 80.16),
    "d004": Article("Computer Science", 1326, 677, 78.33, 78.15, 78.24),
    "d005": Article("Biography", 802, 345, 75.95, 75.78, 75.86),
}

AGREEMENT = 86.44
"""The annotators' agreement, which the paper calls the upper bound."""


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
"""D-Bees' row is the mean of its five texts; the others are of all words. ACA, SA and GA were published with all pairs
of a text (Schwab et al. 2012), so their rows are those of that score."""

NOTE = (
    "Published GA: to our knowledge the figure of Schwab et al.'s genetic algorithm after Gelbukh et al. 2003, not of "
    "Zhang et al. 2008, whom the paper cites."
)


TESTS_NOTE = (
    "Tests over words ask whether the median run of one method would be right more often on other words; tests over "
    "runs, whether other seeds would change the order on these words. The best competitor and the best reading with "
    "sense order are the best on the words on which they are tested."
)


def dbees_micro() -> float:
    """Return D-Bees' published F1 over all words, computed from Tables 1 and 2.

    >>> dbees_micro()
    80.19
    """
    words = sum(article.annotated for article in ARTICLES.values())
    return round(sum(article.f1 * article.annotated for article in ARTICLES.values()) / words, 2)


def whole_words(article: Article) -> tuple[int, int] | None:
    """Return numbers of answered and right words that give a text's published precision and recall; None if none do.

    >>> whole_words(ARTICLES["d001"]), whole_words(ARTICLES["d002"])
    ((368, 307), None)
    """
    for answered in range(article.annotated, 0, -1):
        # The paper rounds to two decimals: the number of right words is next to the product, above or below.
        for right in (int(article.precision * answered / 100) + excess for excess in (0, 1)):
            rates = round(100 * right / answered, 2), round(100 * right / article.annotated, 2)
            if rates == (article.precision, article.recall):
                return answered, right
    return None
