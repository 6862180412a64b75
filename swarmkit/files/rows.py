"""Lines with the same number of numbers each: parsed together, with errors that name the line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from swarmkit.contract.arrays import Floats
from swarmkit.files.reading import quoted, wrong_line


def number_rows(
    path: str | Path, lines: Sequence[str], which: Sequence[int], columns: int, expected: str, prefix: str = ""
) -> Floats:
    """Return the numbers of some lines of a file, one row for each.

    Args:
        path: the file, for messages.
        lines: all lines of the file.
        which: the numbers of the lines to read, from 0.
        columns: how many numbers each of them must have, all of them finite.
        expected: what a line should be, for messages.
        prefix: what each line begins with before its numbers.

    >>> number_rows("a", ["e 1 2", "c none", "e 3 4.5"], [0, 2], 2, "two numbers", "e").tolist()
    [[1.0, 2.0], [3.0, 4.5]]
    """
    chosen = [lines[at].removeprefix(prefix) for at in which]
    if all(len(line.split()) == columns for line in chosen):
        try:
            values = np.array(" ".join(chosen).split(), np.float64).reshape(-1, columns)
        except ValueError:
            pass
        else:
            if np.isfinite(values).all():
                return values
    at = next(at for at, line in zip(which, chosen, strict=True) if not _sound(line.split(), columns))
    raise wrong_line(path, at + 1, f"{quoted(lines[at].strip())}; expected {expected}")


def _sound(words: list[str], columns: int) -> bool:
    """Return whether words are as many finite numbers as there are columns."""
    try:
        return len(words) == columns and all(np.isfinite(float(word)) for word in words)
    except ValueError:
        return False
