"""The corpora in a folder, found by the names of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from swarmkit import MissingError, unknown

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
    found = {one.name: one for one in sorted(_each(data))}
    if not found:
        raise MissingError(
            f"no corpus in {data} or in the folders below it. Expected NAME{UNIFIED[0]} with NAME{UNIFIED[1]} beside "
            f"it (unified evaluation framework), or {COARSE[0]} with {COARSE[1]} (SemEval-2007 task 7)."
        )
    for name in names:
        if name not in found:
            raise unknown("corpus", name, list(found))
    return [one for one in found.values() if not names or one.name in names]


def _each(data: Path) -> Iterator[CorpusFiles]:
    for depth in range(DEPTH):
        folders = "*/" * depth
        for corpus in data.glob(f"{folders}*{UNIFIED[0]}"):
            name = corpus.name.removesuffix(UNIFIED[0])
            key = corpus.with_name(name + UNIFIED[1])
            if key.is_file():
                yield CorpusFiles(name, corpus, key)
        for corpus in data.glob(f"{folders}{COARSE[0]}"):
            key, clusters = corpus.with_name(COARSE[1]), corpus.with_name(CLUSTERS)
            if key.is_file():
                yield CorpusFiles(COARSE_NAME, corpus, key, clusters if clusters.is_file() else None)
