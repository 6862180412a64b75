"""WordNet and information content files: found on this machine, or fetched once."""

from __future__ import annotations

import os
from pathlib import Path

from swarmkit import MissingError, UsageError
from swarmkit_lexicon.notice import Notice, print_notice
from swarmkit_lexicon.search import DEFAULT_IC, WAYS_OUT, find, find_ic
from swarmkit_lexicon.source import Source


def obtain(explicit: Path | str | None = None, *, fetch: bool = True, notice: Notice = print_notice) -> Source:
    """Return WordNet: the named one, the 3.0 on this machine, or else the 3.0 that is fetched now.

    Args:
        explicit: a folder with WordNet's files.
        fetch: whether it may be fetched; otherwise a MissingError tells how to get it.
        notice: called with messages on the progress.
    """
    if found := find(explicit):
        return found
    if not fetch:
        raise MissingError(f"WordNet 3.0 was not found on this machine. {WAYS_OUT}")
    from swarmkit_lexicon.fetch import fetch_wordnet

    return fetch_wordnet(notice)


def obtain_ic(
    name: str = DEFAULT_IC, source: Source | None = None, *, fetch: bool = True, notice: Notice = print_notice
) -> bytes:
    """Return the content of an information content file: one on this machine, or else one that is fetched now.

    Args:
        name: a path, or the name of one of WordNet-Similarity's files.
        source: the WordNet in use, beside which such files may be.
        fetch: whether the files may be fetched.
        notice: called with messages on the progress.
    """
    if (data := find_ic(name, source)) is not None:
        return data
    if "/" in name or os.sep in name:
        raise UsageError(f"no information content file {name}. Expected a path, or a name such as '{DEFAULT_IC}'.")
    if not fetch:
        raise MissingError(f"The information content file '{name}' was not found on this machine. {WAYS_OUT}")
    from swarmkit_lexicon.fetch import fetch_ic

    folder = fetch_ic(notice, name)
    if not (folder / name).is_file():
        known = ", ".join(sorted(path.name for path in folder.glob("ic-*.dat")))
        raise UsageError(f"no information content file named '{name}'. There are: {known}.")
    return (folder / name).read_bytes()
