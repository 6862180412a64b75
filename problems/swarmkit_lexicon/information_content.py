"""Information content of synsets, from a file of WordNet-Similarity's (Pedersen, Patwardhan & Michelizzi 2004)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError, quoted
from swarmkit_lexicon.arrays import Arrays
from swarmkit_lexicon.search import DEFAULT_IC

FIRST = "wnver::"
"""How the first line begins."""

TOLERANCE = 4
"""Ancestors without a count that a whole file may have: some of WordNet-Similarity's miss those of "mortify"."""


def read_information_content(name: str, data: bytes, arrays: Arrays, version: str) -> NDArray[np.float64]:
    """Return the information content of each synset, or refuse the file in a sentence.

    Args:
        name: the name of the file, for messages.
        data: its content.
        arrays: the arrays of the WordNet whose offsets the file uses.
        version: the version of that WordNet, for messages.
    """
    try:
        return information_content(data, arrays)
    except ValueError as error:
        raise UsageError(
            f"'{name}' is not information content for this WordNet ({version}): {error}. "
            "Expected lines such as '1740n 128767 ROOT' with the offsets of this WordNet. "
            f"Correct the file, or leave it out: {DEFAULT_IC} is the default."
        ) from error


def information_content(data: bytes, arrays: Arrays) -> NDArray[np.float64]:
    """Return -ln(count / total count of its part of speech) for each synset; inf for those with count 0.

    Args:
        data: the content of an information content file.
        arrays: the arrays of the WordNet whose offsets the file uses.
    """
    if data and not data.endswith(b"\n"):
        raise ValueError("it is truncated: its last line has no end")
    # WordNet-Similarity has counts of nouns and verbs alone: adjectives and adverbs have no hypernyms.
    content = np.full(len(arrays["synset.pos"]), np.inf)
    rows = _rows(data.decode("ascii", "replace").split("\n"))
    for pos in "nv":
        counts = {offset: count for kind, offset, count, _ in rows if kind == pos}
        total = sum(count for kind, _, count, is_root in rows if kind == pos and is_root)
        if total == 0 and any(counts.values()):
            raise ValueError(f"it counts synsets ({pos}) and has no ROOT among them with a count")
        where = np.flatnonzero(arrays["synset.pos"] == ord(pos))
        offsets = arrays["synset.offset"][where].tolist()
        if unknown := counts.keys() - set(offsets):
            raise ValueError(f"{len(unknown)} of its {len(counts)} offsets ({pos}) belong to no synset")
        counts_here = np.array([counts.get(offset, 0.0) for offset in offsets])
        content[where[counts_here > 0]] = -np.log(counts_here[counts_here > 0] / total)
    if (missing := _uncounted_ancestors(content, arrays)) > TOLERANCE:
        raise ValueError(
            f"{missing} synsets have no count although synsets below them have: it is truncated or damaged"
        )
    return content + 0.0  # -0.0 becomes 0.0


def _rows(lines: Sequence[str]) -> list[tuple[str, int, float, bool]]:
    """Return what each line after the first states; a ValueError names the line that is none of the format."""
    if not lines[0].startswith(FIRST):
        raise ValueError(f"line 1: {quoted(lines[0], 40)} instead of '{FIRST}' and the hash of the WordNet")
    rows, synsets = [], set[tuple[str, int]]()
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            row = parse_ic_line(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        if row[:2] in synsets:
            raise ValueError(f"line {number}: the synset {row[1]}{row[0]} was counted on a line before")
        synsets.add(row[:2])
        rows.append(row)
    return rows


IC_LINE = re.compile(r"(\d{1,9})([nv])\s+(\d{1,15}(?:\.\d{0,20})?(?:[eE][-+]?\d{1,2})?)(\s+ROOT)?\s*", re.ASCII)


def parse_ic_line(line: str) -> tuple[str, int, float, bool]:
    """Parse a line of an information content file: part of speech, offset, count, whether the synset is a root.

    >>> parse_ic_line("1740n 128767 ROOT")
    ('n', 1740, 128767.0, True)
    """
    match = IC_LINE.fullmatch(line)
    if match is None:
        raise ValueError(quoted(line, 40))
    offset, pos, count, root = match.groups()
    return pos, int(offset), float(count), root is not None


def _uncounted_ancestors(content: NDArray[np.float64], arrays: Arrays) -> int:
    """Return the number of synsets with count 0 below which a synset was counted: a count is added to all ancestors."""
    starts, above = arrays["ancestor.starts"], arrays["ancestor.synset"]
    below = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    # A synset below which something was counted has at least that count itself.
    return len(np.unique(above[np.isfinite(content[below]) & np.isinf(content[above])]))
