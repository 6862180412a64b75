"""Information content of synsets, from a file of WordNet-Similarity's (Pedersen, Patwardhan & Michelizzi 2004)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.wordnet.array_file import Arrays
from swarmkit_wsd.wordnet.parse import parse_ic_line

TOLERATED = 4
"""Ancestors without a count that a whole file may have: some of WordNet-Similarity's miss those of "mortify"."""


def information_content(data: bytes, arrays: Arrays) -> NDArray[np.float64]:
    """Return -ln(count / total count of its part of speech) for each synset; inf for those with count 0.

    Args:
        data: the content of an information content file.
        arrays: the arrays of the WordNet whose offsets the file uses.
    """
    if data and not data.endswith(b"\n"):
        raise ValueError("it is truncated: its last line has no end")
    content = np.full(len(arrays["synset.pos"]), np.inf)
    rows = [parse_ic_line(line) for line in data.decode("ascii", "replace").split("\n")[1:] if line.strip()]
    for pos in "nv":
        counts = {offset: count for kind, offset, count, _ in rows if kind == pos}
        total = sum(count for kind, _, count, is_root in rows if kind == pos and is_root)
        where = np.flatnonzero(arrays["synset.pos"] == ord(pos))
        offsets = arrays["synset.offset"][where].tolist()
        if unknown := counts.keys() - set(offsets):
            raise ValueError(f"{len(unknown)} of its {len(counts)} offsets ({pos}) belong to no synset")
        seen = np.array([counts.get(offset, 0.0) for offset in offsets])
        content[where[seen > 0]] = -np.log(seen[seen > 0] / total)
    if (missing := _uncounted_ancestors(content, arrays)) > TOLERATED:
        raise ValueError(
            f"{missing} synsets have no count although synsets below them have: it is truncated or damaged"
        )
    return content + 0.0  # -0.0 becomes 0.0


def _uncounted_ancestors(content: NDArray[np.float64], arrays: Arrays) -> int:
    """Return the number of synsets with count 0 below which a synset was counted: a count is added to all ancestors."""
    starts, above = arrays["ancestor.starts"], arrays["ancestor.synset"]
    below = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return len(np.unique(above[np.isfinite(content[below]) & np.isinf(content[above])]))
