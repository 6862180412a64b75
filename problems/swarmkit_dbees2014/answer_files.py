"""Files of answers in the official format, which `wsd score` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from swarmkit import UsageError, write_atomically
from swarmkit_dbees2014.rows import Row
from swarmkit_dbees2014.word_senses import Answers


def file_name(row: Row, repetition: int) -> str:
    """Return the name of the file of a row's answers; repetitions are counted from 0, files from 1.

    >>> file_name(Row("chain", "vote of 10 dbees"), 0)
    'chain-vote-of-10-dbees-1.key'
    """
    return "-".join([*re.findall(r"[a-z0-9]+", f"{row.block} {row.method}"), str(repetition + 1)]) + ".key"


def make_folder(folder: Path) -> None:
    """Make the folder for answers before any work is done; raise UsageError if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be a folder for answers ({error.strerror})") from None


def write_all(folder: Path, answers: Mapping[Row, Sequence[Answers]]) -> None:
    """Write the answers of every row, one file for each repetition, atomically."""
    for row, repetitions in answers.items():
        for repetition, given in enumerate(repetitions):
            text = "".join(f"{line}\n" for line in given.lines)
            write_atomically(folder / file_name(row, repetition), text.encode())
