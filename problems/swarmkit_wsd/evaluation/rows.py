"""The rows of the experiment: presets and methods, declared in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from swarmkit import unknown

ANNOTATE = "annotate"
"""The method of `wsd annotate` and `wsd tag`: ICM from the best senses alone, without a solver's run."""


class Row(NamedTuple):
    """A preset of the problem, and the method that maximises its score."""

    preset: str
    method: str

    def __str__(self) -> str:
        return f"{self.preset}/{self.method}"


class Method(NamedTuple):
    """A solver with its parameters and the looks of a run; None is what `solve` takes."""

    solver: str
    params: Mapping[str, Any]
    looks: int | None = None
    random: bool = True
    """Whether runs with other seeds may differ."""


METHODS: Mapping[str, Method] = {
    "first": Method("first", {}, random=False),
    "viterbi": Method("viterbi", {}, random=False),
    "dbees": Method("dbees", {}, looks=100_000_000),
    "dbees-paper": Method("dbees", {"preset": "paper"}, looks=100_000_000),
    "ils": Method("ils", {}, looks=20_000_000),
}
"""The solvers. D-Bees ends by itself, long before its limit."""

FIRST = Row("fast", "first")
"""The first sense, which is the same for every preset."""

FAST = Row("fast", ANNOTATE)

ROWS = (
    FIRST,
    Row("paper", "dbees-paper"),
    Row("paper", "viterbi"),
    FAST,
    Row("fast", "dbees"),
    Row("fast", "ils"),
    Row("best", ANNOTATE),
    Row("best", "dbees"),
    Row("best", "ils"),
)
"""All rows, in the order of the table."""


def choose(rows: Sequence[str]) -> list[Row]:
    """Return the rows with these names, and those that every row is compared with; none is all.

    >>> [str(row) for row in choose(["best/ils"])]
    ['fast/first', 'fast/annotate', 'best/ils']
    """
    known = {str(row): row for row in ROWS}
    for name in rows:
        if name not in known:
            raise unknown("row", name, list(known))
    return [row for name, row in known.items() if not rows or name in rows or row in (FIRST, FAST)]
