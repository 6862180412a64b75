"""What reads an input: a file, the settings of a run, a command."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import swarmkit


class Reader(NamedTuple):
    """What reads an input: sound inputs, how to mutate one, and how to read the outcome."""

    name: str
    samples: Callable[[Path], list[Any]]
    """Make sound inputs; the folder is for files that they need."""
    mutate: Callable[[Any, Random, Path], Any]
    read: Callable[[Any, Path], object]
    memory_refused: bool = False
    """Whether an input may ask for more memory than there is, which is refused: an option can."""
    share: float = 1.0
    """How many inputs it gets where a number of inputs is divided: those that take long get fewer."""
    needs_wordnet: bool = False
    """Whether it looks words up: without WordNet every input would be refused, after a long search for it."""


def warm(reader: Reader, folder: Path) -> list[Any]:
    """Return the sound inputs of a reader, each read once: the processes that read mutated ones import nothing."""
    samples = reader.samples(folder)
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        for sample in samples:
            with contextlib.suppress(swarmkit.SwarmkitError):
                reader.read(sample, folder)
    return samples


def written(path: Path, content: bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content)
    return path


def in_folder(mutate: Callable[[Any, Random], Any]) -> Callable[[Any, Random, Path], Any]:
    return lambda sample, random, _: mutate(sample, random)
