"""Search this machine for WordNet 3.0 and for information content files.

A folder named explicitly (an option, or $SWARMKIT_WORDNET) comes first and may hold any version. Then NLTK's data, the
cache and Debian's wordnet-base are tried, and only WordNet 3.0 is accepted, recognised by its content.
"""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from swarmkit_lexicon.cache import cache_lock, readable_caches, writable_cache
from swarmkit_lexicon.source import HASHES, Source, archive_folder, is_whole, unix_lines

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
    path = explicit or os.environ.get(VARIABLE)
    return Source(Path(path).expanduser(), "named").check() if path else None


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
    folders = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    # The order is NLTK's own, so that both programs read the same copy.
    inside = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    if sys.platform == "win32":
        shared = [Path(os.environ.get("APPDATA", "C:\\")) / "nltk_data", *(Path(f"{d}:\\nltk_data") for d in "CDE")]
    else:
        shared = [Path(p) / "nltk_data" for p in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    return [*folders, Path.home() / "nltk_data", *inside, *shared]


def find_ic(name: str, source: Source | None = None) -> bytes | None:
    """Return the content of an information content file with Unix line ends; None if it is not on this machine.

    A file with one of the names of WordNet-Similarity's files must have the content of that file; others are passed
    over, as damaged. That does not hold for a path, nor beside a WordNet that is not 3.0.

    Args:
        name: a path, or the name of one of WordNet-Similarity's files.
        source: the WordNet in use, whose folder and neighbouring folders are searched too.
    """
    for path, is_free in _ic_places(name, source):
        # A damaged file is passed over: a whole one may lie in another place.
        with suppress(OSError, KeyError, zipfile.BadZipFile, zlib.error):
            file = archive_folder(path) / name if path.suffix == ".zip" else path
            data = unix_lines(file.read_bytes())  # the hashes are those of files with Unix line ends
            if is_free or is_whole(name, data):
                return data
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


@dataclass(frozen=True)
class Holding:
    """A copy of WordNet, the information content files, or the arrays compiled from them."""

    what: str
    path: Path
    found: str
    """How it was found, as in `Source`."""
    version: str
    sha256: str
    size: int
    """Bytes."""
    used: bool
    remark: str = ""


def status(explicit: Path | str | None = None) -> list[Holding]:
    """Return every copy on this machine, whether it is used, and a remark on why not."""
    holdings: list[Holding] = []
    # The first usable copy in the order of `find` is the one in use.
    for source in (*filter(None, [named_source(explicit)]), *candidates()):
        holdings.append(_holding(source, used=not any(holding.used for holding in holdings)))
    for cache in readable_caches():
        if (cache / IC_FOLDER).is_dir():
            holdings.append(
                Holding("information content", cache / IC_FOLDER, "cache", "3.0", "", _size(cache / IC_FOLDER), True)
            )
        if (cache / "compiled").is_dir():
            holdings.append(Holding("compiled", cache / "compiled", "cache", "", "", _size(cache / "compiled"), True))
    return holdings


def _holding(source: Source, used: bool) -> Holding:
    if missing := source.missing():
        remark = f"incomplete: {', '.join(missing[:3])} missing"
        return Holding("WordNet", source.path, source.found, "", "", _size(source.path), False, remark)
    good = source.found == "named" or source.is_3_0
    remark = "" if good else "not WordNet 3.0 by its content: used only if named explicitly"
    return Holding(
        "WordNet", source.path, source.found, source.version, source.sha256, _size(source.path), used and good, remark
    )


def _size(path: Path) -> int:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


def remove() -> list[Path]:
    """Delete what swarmkit fetched or compiled, and nothing else; return the deleted folders."""
    folders: list[Path] = []
    for cache in {*readable_caches(), writable_cache()}:
        with cache_lock(cache, "wordnet"):
            for path in (cache / FOLDER, cache / IC_FOLDER, cache / "compiled", cache / HASHES, cache / "known"):
                if path.exists():
                    shutil.rmtree(path)
                    folders.append(path)
    return folders
