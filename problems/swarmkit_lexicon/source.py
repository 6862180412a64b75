"""A copy of WordNet on this machine: its files, and its version, which is determined by the content of the files."""

from __future__ import annotations

import hashlib
import re
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swarmkit import UsageError, write_atomically
from swarmkit_lexicon.cache import readable_caches, writable_cache

FILES = tuple(
    sorted(
        [f"{kind}.{pos}" for kind in ("data", "index") for pos in ("noun", "verb", "adj", "adv")]
        + [f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")]
        + ["cntlist.rev"]
    )
)
"""The files that are read."""

PRINCETON = "9b746958e19fa9ecdd3129ce17862828fd209499e01bdf3f2c9167a6700d34d6"
"""The `content_hash` of WordNet 3.0 as Princeton distributes it."""

DEBIAN = "f116e78ed9e93d9f9de526b98ff4279e7f03e6bc8320023fdf18f563708dca21"
"""The `content_hash` of Debian's wordnet-base, built from the lexicographers' files: the same senses, keys and counts,
one hyponym of "restrain" in another place, one more space in a gloss, and therefore other byte offsets (see
`compile.canonical_offsets`)."""

HASHES = "hashes"
"""The folder of the cache in which the content hashes are kept."""

WORDNET_3_0 = {PRINCETON: "3.0", DEBIAN: "3.0 (Debian)"}


@dataclass(frozen=True)
class Source:
    """A folder or a zip archive with WordNet's files."""

    path: Path
    found: str
    """How it was found: named, nltk, cache or debian."""

    @property
    def is_zip(self) -> bool:
        """Whether the files are inside an archive, as NLTK's downloader leaves them."""
        return self.path.suffix == ".zip"

    def missing(self) -> list[str]:
        """Return the names of the files that are not there."""
        if not self.is_zip:
            return [name for name in FILES if not (self.path / name).is_file()]
        try:
            with zipfile.ZipFile(self.path) as archive:
                held = set(archive.namelist())
        except (OSError, zipfile.BadZipFile):
            return list(FILES)
        return [name for name in FILES if self._member(name) not in held]

    def read(self, name: str) -> bytes:
        """Return the content of a file with Unix line ends, without which the byte offsets in it are wrong."""
        if self.is_zip:
            with zipfile.ZipFile(self.path) as archive:
                data = archive.read(self._member(name))
        else:
            data = (self.path / name).read_bytes()
        return data.replace(b"\r\n", b"\n")

    def _member(self, name: str) -> str:
        return f"{self.path.stem}/{name}"

    @cached_property
    def sha256(self) -> str:
        """The `content_hash`; cached by size and time of the files, so that 28 MB are not read at every start."""
        stamp = self._stamp()
        for cache in readable_caches():
            with suppress(OSError, UnicodeDecodeError):
                digest, _, check = (cache / HASHES / stamp).read_text("ascii").partition(" ")
                if check == _check(stamp, digest):
                    return digest
        return self.hash_again()

    def hash_again(self) -> str:
        """Return the `content_hash` of the files as they are now, and cache it."""
        stamp, digest = self._stamp(), content_hash(self)
        with suppress(OSError, UsageError):  # only a saving: nothing is lost without it
            hashes = writable_cache() / HASHES
            hashes.mkdir(exist_ok=True)
            write_atomically(hashes / stamp, f"{digest} {_check(stamp, digest)}".encode())
        return digest

    def _stamp(self) -> str:
        paths = [self.path] if self.is_zip else [self.path / name for name in FILES]
        facts = [(str(path.resolve()), stat.st_size, stat.st_mtime_ns) for path in paths for stat in [path.stat()]]
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    @cached_property
    def version(self) -> str:
        """The version: 3.0 if the content is known, else the one that the files state."""
        if self.sha256 in WORDNET_3_0:
            return WORDNET_3_0[self.sha256]
        stated = re.search(rb"WordNet (\d+\.\d+) Copyright", self.read("data.noun")[:4000])
        return f"{stated.group(1).decode()} according to its files" if stated else "unknown"

    @property
    def is_3_0(self) -> bool:
        """Whether this is WordNet 3.0, by content."""
        return not self.missing() and self.sha256 in WORDNET_3_0

    def check(self) -> Source:
        """Return the source itself; raise UsageError that names the missing files if there are any."""
        if missing := self.missing():
            shown = ", ".join(missing[:3]) + (" and others" if len(missing) > 3 else "")
            raise UsageError(
                f"{self.path} is not a WordNet: {shown} not found there. "
                "Expected the folder (or NLTK's wordnet.zip) that holds data.noun, index.noun, noun.exc, cntlist.rev…"
            )
        return self


def _check(stamp: str, digest: str) -> str:
    """Return what tells a whole entry of the cache from a damaged one."""
    return hashlib.sha256(f"{stamp} {digest}".encode()).hexdigest()[:16]


def content_hash(source: Source) -> str:
    """Return the sha256 of the list of the files' hashes: `sha256sum $(files, sorted) | sha256sum`, Unix line ends."""
    listing = hashlib.sha256()
    for name in FILES:
        listing.update(f"{hashlib.sha256(source.read(name)).hexdigest()}  {name}\n".encode())
    return listing.hexdigest()
