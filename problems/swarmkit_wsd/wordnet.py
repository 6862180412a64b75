"""Find WordNet 3.0 on this machine, or get it: one place to ask, in one order.

An explicit folder (an option, or $SWARMKIT_WORDNET) comes first and may be any WordNet. Then NLTK's data, our cache and
Debian's wordnet-base are tried, and only WordNet 3.0 is taken, known by its content. Last, it is fetched once.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swarmkit import MissingError, UsageError
from swarmkit_wsd.cache import locked, readable_caches, writable_cache
from swarmkit_wsd.source import Source

VARIABLE = "SWARMKIT_WORDNET"
FOLDER = "wordnet-3.0"
IC_FOLDER = "wordnet-ic-3.0"
DEFAULT_IC = "ic-semcor.dat"
DEBIAN_FOLDER = Path("/usr/share/wordnet")

Notice = Callable[[str], None]

WAYS_OUT = f"""There are three ways out:
  1. run 'swarmkit data fetch' once while this machine is online;
  2. install it yourself: 'apt install wordnet-base', or 'python -m nltk.downloader wordnet wordnet_ic';
  3. copy a folder with WordNet's files (data.noun, index.noun, …) here and name it in {VARIABLE}."""


def tell(message: str) -> None:
    """Say something to the person waiting, away from the results."""
    print(message, file=sys.stderr, flush=True)


def obtain(explicit: Path | str | None = None, *, fetch: bool = True, notice: Notice = tell) -> Source:
    """Return WordNet: the named one, the 3.0 found on this machine, or the 3.0 fetched now."""
    if found := find(explicit):
        return found
    if not fetch:
        raise MissingError(f"WordNet 3.0 was not found on this machine. {WAYS_OUT}")
    from swarmkit_wsd.fetch import fetch_wordnet

    return fetch_wordnet(notice)


def find(explicit: Path | str | None = None) -> Source | None:
    """Return WordNet if it is on this machine already."""
    if named := explicit or os.environ.get(VARIABLE):
        return Source(Path(named).expanduser(), "named").check()
    return next((source for source in candidates() if source.is_3_0), None)


def candidates() -> Iterator[Source]:
    """Go through the places where a WordNet may be, in the order of preference."""
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
    """List where NLTK looks for its data, without the second that importing NLTK takes."""
    named = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    inside = [Path(sys.prefix) / part for part in ("nltk_data", "share/nltk_data", "lib/nltk_data")]
    if sys.platform == "win32":
        shared = [Path(os.environ.get("APPDATA", "C:\\")) / "nltk_data", *(Path(f"{d}:\\nltk_data") for d in "CDE")]
    else:
        shared = [Path(p) / "nltk_data" for p in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    return [*named, Path.home() / "nltk_data", *inside, *shared]


def obtain_ic(
    name: str = DEFAULT_IC, source: Source | None = None, *, fetch: bool = True, notice: Notice = tell
) -> bytes:
    """Return an information content file: a path, or the name of one of WordNet-Similarity's, fetched if need be."""
    if (data := find_ic(name, source)) is not None:
        return data
    if "/" in name or os.sep in name:
        raise UsageError(f"no information content file {name}. Expected a path, or a name such as '{DEFAULT_IC}'.")
    if not fetch:
        raise MissingError(f"The information content file '{name}' was not found on this machine. {WAYS_OUT}")
    from swarmkit_wsd.fetch import fetch_ic

    folder = fetch_ic(notice)
    if not (folder / name).is_file():
        known = ", ".join(sorted(path.name for path in folder.glob("ic-*.dat")))
        raise UsageError(f"no information content file named '{name}'. There are: {known}.")
    return (folder / name).read_bytes()


def find_ic(name: str, source: Source | None = None) -> bytes | None:
    """Return an information content file if it is on this machine already, with Unix line ends."""
    for path in _ic_places(name, source):
        if path.suffix == ".zip":
            data = _from_zip(path, f"{path.stem}/{name}")
        else:
            data = path.read_bytes() if path.is_file() else None
        if data is not None:
            return data.replace(b"\r\n", b"\n")
    return None


def _ic_places(name: str, source: Source | None) -> Iterator[Path]:
    yield Path(name).expanduser()
    if source is not None and not source.is_zip:
        beside = (source.path / "wordnet_ic", source.path.parent / "wordnet_ic", source.path.parent / IC_FOLDER)
        yield from (folder / name for folder in (source.path, *beside))
    for folder in nltk_folders():
        yield folder / "corpora" / "wordnet_ic" / name
        yield folder / "corpora" / "wordnet_ic.zip"
    yield from (cache / IC_FOLDER / name for cache in readable_caches())


def _from_zip(path: Path, member: str) -> bytes | None:
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(member)
    except (OSError, KeyError, zipfile.BadZipFile):
        return None


@dataclass(frozen=True)
class Holding:
    """One copy of WordNet, its information content, or what was compiled from them, for people to see."""

    what: str
    path: Path
    found: str
    version: str
    sha256: str
    size: int
    used: bool
    remark: str = ""


def status(explicit: Path | str | None = None) -> list[Holding]:
    """List every copy on this machine, whether it is used, and if not, why."""
    named = explicit or os.environ.get(VARIABLE)
    sources = [Source(Path(named).expanduser(), "named").check()] if named else []
    held: list[Holding] = []
    for source in [*sources, *candidates()]:
        held.append(_holding(source, used=not any(one.used for one in held)))
    for cache in readable_caches():
        if (cache / IC_FOLDER).is_dir():
            held.append(
                Holding("information content", cache / IC_FOLDER, "cache", "3.0", "", _size(cache / IC_FOLDER), True)
            )
        if (cache / "compiled").is_dir():
            held.append(Holding("compiled", cache / "compiled", "cache", "", "", _size(cache / "compiled"), True))
    return held


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
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files)


def remove() -> list[Path]:
    """Delete what this program fetched or compiled, and nothing else; return what was deleted."""
    gone: list[Path] = []
    for cache in {*readable_caches(), writable_cache()}:
        with locked(cache, "wordnet"):
            for path in (cache / FOLDER, cache / IC_FOLDER, cache / "compiled", cache / "known"):
                if path.exists():
                    shutil.rmtree(path)
                    gone.append(path)
    return gone
