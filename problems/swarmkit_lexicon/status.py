"""Which copies of WordNet and of data made from it are on this machine, and the removal of those in the cache."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from swarmkit_lexicon.cache import locked, readable_caches, writable_cache
from swarmkit_lexicon.search import FOLDER, IC_FOLDER, candidates, named_source
from swarmkit_lexicon.source import HASHES, Source


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
    named = named_source(explicit)
    held: list[Holding] = []
    for source in [*([named] if named else []), *candidates()]:
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
    """Delete what swarmkit fetched or compiled, and nothing else; return the deleted folders."""
    deleted: list[Path] = []
    for cache in {*readable_caches(), writable_cache()}:
        with locked(cache, "wordnet"):
            for path in (cache / FOLDER, cache / IC_FOLDER, cache / "compiled", cache / HASHES, cache / "known"):
                if path.exists():
                    shutil.rmtree(path)
                    deleted.append(path)
    return deleted
