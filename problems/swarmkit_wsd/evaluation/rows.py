"""What the experiment measures, declared in one place: the rows (presets and methods), and the corpora of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit import MissingError, unknown

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
    row_of = {str(row): row for row in ROWS}
    _check_names("row", rows, list(row_of))
    return [row for name, row in row_of.items() if not rows or name in rows or row in (FIRST, FAST)]


def _check_names(kind: str, names: Sequence[str], expected: list[str]) -> None:
    for name in names:
        if name not in expected:
            raise unknown(kind, name, expected)


UNIFIED = ".data.xml", ".gold.key.txt"
"""The ends of the names of a corpus of the unified framework and of its key, which begin alike."""

COARSE = "eng-coarse-all-words.xml", "dataset21.test.key"
"""The files of SemEval-2007 task 7."""

COARSE_NAME = "semeval2007-coarse"
CLUSTERS = "sense_clusters-21.senses"
DEPTH = 3
"""Folders are searched to this depth."""


class CorpusFiles(NamedTuple):
    """A corpus, its gold key, and its sense clusters if there are any."""

    name: str
    corpus: Path
    key: Path
    clusters: Path | None = None


def find_corpora(data: Path, names: Sequence[str] = ()) -> list[CorpusFiles]:
    """Return the corpora in a folder and the folders below it, by name.

    Args:
        data: the folder.
        names: the corpora that are wanted; none is all.
    """
    corpora = {files.name: files for files in sorted(_each(data)) if files.key.is_file()}
    if not corpora:
        raise MissingError(
            f"no corpus in {data} or in the folders below it. Expected NAME{UNIFIED[0]} with NAME{UNIFIED[1]} beside "
            f"it (unified evaluation framework), or {COARSE[0]} with {COARSE[1]} (SemEval-2007 task 7)."
        )
    _check_names("corpus", names, list(corpora))
    return [files for files in corpora.values() if not names or files.name in names]


def _each(data: Path) -> Iterator[CorpusFiles]:
    for folders in ("*/" * depth for depth in range(DEPTH)):
        for corpus in data.glob(f"{folders}*{UNIFIED[0]}"):
            name = corpus.name.removesuffix(UNIFIED[0])
            yield CorpusFiles(name, corpus, corpus.with_name(name + UNIFIED[1]))
        for corpus in data.glob(f"{folders}{COARSE[0]}"):
            clusters = corpus.with_name(CLUSTERS)
            key = corpus.with_name(COARSE[1])
            yield CorpusFiles(COARSE_NAME, corpus, key, clusters if clusters.is_file() else None)
