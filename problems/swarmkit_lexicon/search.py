"""Search this machine for WordNet 3.0 and for information content files.

A folder named explicitly (an option, or $SWARMKIT_WORDNET) comes first and may hold any version. Then NLTK's data, the
cache and Debian's wordnet-base are tried, and only WordNet 3.0 is accepted, recognised by its content.
"""

from __future__ import annotations

import os
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from swarmkit_lexicon.cache import readable_caches
from swarmkit_lexicon.ic_hashes import is_whole
from swarmkit_lexicon.source import Source

VARIABLE = "SWARMKIT_WORDNET"
"""The environment variable that names a folder with WordNet's files."""

FOLDER = "wordnet-3.0"
"""WordNet's folder in the cache."""

IC_FOLDER = "wordnet-ic-3.0"
"""The folder of the information content files in the cache."""

DEFAULT_IC = "ic-semcor.dat"
DEBIAN_FOLDER = Path("/usr/share/wordnet")

WAYS_OUT = f"""There are three ways out:
  1. run 'swarmkit data fetch' once while this machine is online;
  2. install it yourself: 'apt install wordnet-base', or 'python -m nltk.downloader wordnet wordnet_ic';
  3. copy a folder with WordNet's files (data.noun, index.noun, …) here and name it in {VARIABLE}."""
"""The end of every message about a missing WordNet."""


def named_source(explicit: Path | str | None = None) -> Source | None:
    """Return the WordNet named by the argument or by $SWARMKIT_WORDNET; None if neither names one."""
    named = explicit or os.environ.get(VARIABLE)
    return Source(Path(named).expanduser(), "named").check() if named else None


def find(explicit: Path | str | None = None) -> Source | None:
    """Return the named WordNet, or else the first WordNet 3.0 on this machine; None if there is none."""
    return named_source(explicit) or next((source for source in candidates() if source.is_3_0), None)


def candidates() -> Iterator[Source]:
    """Iterate over the places where a WordNet exists, in the order of preference."""
    for folder in nltk_folders():
        for path in (folder / "corpora" / "wordnet", folder / "corpora" / "wordnet.zip"):
            if path.exists():
                yield Source(path, "nltk")
    for cache in readable_caches():
        if (cache / FOLDER).is_dir():
            yield Source(cache / FOLDER, "cache")
    if DEBIAN_FOLDER.is_dir():
        yield Source(DEBIAN_FOLDER, "debian")


def nltk_folders() -> list[Path]:
    """Return the folders in which NLTK looks for its data, without importing NLTK, which takes a second."""
    named = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    inside = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    if sys.platform == "win32":
        shared = [Path(os.environ.get("APPDATA", "C:\\")) / "nltk_data", *(Path(f"{d}:\\nltk_data") for d in "CDE")]
    else:
        shared = [Path(p) / "nltk_data" for p in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    return [*named, Path.home() / "nltk_data", *inside, *shared]


def find_ic(name: str, source: Source | None = None) -> bytes | None:
    """Return the content of an information content file with Unix line ends; None if it is not on this machine.

    A file with one of the names of WordNet-Similarity's files must have the content of that file; others are passed
    over, as damaged. That does not hold for a path, nor beside a WordNet that is not 3.0.

    Args:
        name: a path, or the name of one of WordNet-Similarity's files.
        source: the WordNet in use, whose folder and neighbouring folders are searched too.
    """
    for path, own in _ic_places(name, source):
        if path.suffix == ".zip":
            data = _from_zip(path, f"{path.stem}/{name}")
        else:
            data = path.read_bytes() if path.is_file() else None
        if data is not None and (own or is_whole(name, data.replace(b"\r\n", b"\n"))):
            return data.replace(b"\r\n", b"\n")
    return None


def _ic_places(name: str, source: Source | None) -> Iterator[tuple[Path, bool]]:
    """Iterate over the places of a file, and whether it may be another file than WordNet-Similarity's for 3.0."""
    yield Path(name).expanduser(), True
    if source is not None and not source.is_zip:
        beside = (source.path / "wordnet_ic", source.path.parent / "wordnet_ic", source.path.parent / IC_FOLDER)
        yield from ((folder / name, not source.is_3_0) for folder in (source.path, *beside))
    for folder in nltk_folders():
        yield folder / "corpora" / "wordnet_ic" / name, False
        yield folder / "corpora" / "wordnet_ic.zip", False
    yield from ((cache / IC_FOLDER / name, False) for cache in readable_caches())


def _from_zip(path: Path, member: str) -> bytes | None:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(member)
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error):
        return None
