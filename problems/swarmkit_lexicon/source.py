"""A copy of WordNet on this machine: its files, and its version, which is determined by the content of the files."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Mapping
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


def unix_lines(data: bytes) -> bytes:
    """Return the content of a file with Unix line ends, whatever it has."""
    return data.replace(b"\r\n", b"\n")


def archive_folder(path: Path) -> zipfile.Path:
    """Return the folder of NLTK's data in an archive, which has the archive's name."""
    return zipfile.Path(path, f"{path.stem}/")


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
        try:
            folder = self._folder()
        except (OSError, zipfile.BadZipFile):
            return list(FILES)
        return [name for name in FILES if not (folder / name).is_file()]

    def read(self, name: str) -> bytes:
        """Return the content of a file with Unix line ends, without which the byte offsets in it are wrong."""
        return unix_lines((self._folder() / name).read_bytes())

    def _folder(self) -> Path | zipfile.Path:
        return archive_folder(self.path) if self.is_zip else self.path

    @cached_property
    def sha256(self) -> str:
        """The `content_hash`; cached by size and time of the files, so that 28 MB are not read at every start."""
        stamp = self._stamp()
        # A damaged entry of the cache fails its check, and the files are read again.
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
        statement = re.search(rb"WordNet (\d+\.\d+) Copyright", self.read("data.noun")[:4000])
        return f"{statement.group(1).decode()} according to its files" if statement else "unknown"

    @property
    def is_3_0(self) -> bool:
        """Whether this is WordNet 3.0, by content."""
        return not self.missing() and self.sha256 in WORDNET_3_0

    def check(self) -> Source:
        """Return the source itself; raise UsageError that names the missing files if there are any."""
        if missing := self.missing():
            names = ", ".join(missing[:3]) + (" and others" if len(missing) > 3 else "")
            raise UsageError(
                f"{self.path} is not a WordNet: {names} not found there. "
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


IC_3_0: Mapping[str, str] = {
    "ic-bnc-add1.dat": "6aa6664df54cf7a960dc9e0c0216a4912decebb74d110a153625b67066f33d35",
    "ic-bnc-resnik-add1.dat": "1f1a2e82557d5837c0e93e76ecaeb6ca7ed6cf8e5f7cda8c6c3118462dbadc6d",
    "ic-bnc-resnik.dat": "bf3b926058d99d7ae6d6e63c3a5d9400a1338d24206b878be3378539b8136c98",
    "ic-bnc.dat": "0e07e7a7f8734d6939796833683b7f89d1c2b7bc8185f7cc08f4766f811f0afe",
    "ic-brown-add1.dat": "9cbb2b22af5f27ea652778963282387936e38126d3d1e1271997c069b1b5982d",
    "ic-brown-resnik-add1.dat": "1cebb7398a3a7a8355679c238300ed48723ccecc59cee47b5dfba392fd1bd25d",
    "ic-brown-resnik.dat": "a36f568df4c59df5008731bb5789a0943c6d963e477585b94cf03849dda0ed40",
    "ic-brown.dat": "4ae001e8313fc43c5cfc4cd01a0e38428b43fac9094a8e9b001e17bc70260302",
    "ic-semcor-add1.dat": "0f8ee3003f955c52084965aed294d15e1701920c15f9fba2c01cc980ba3a0f42",
    "ic-semcor.dat": "5e2fdc1a2c58886f2cb892903eef1615a6c6d5619f53040ffb0874522b1c6a2f",
    "ic-semcorraw-add1.dat": "a261d6c77f68197fb52dad7ca179d4a2b539d0183b5f78f56b6fc7e941e8e635",
    "ic-semcorraw-resnik-add1.dat": "5607ae3ed9890742e54deca39de53a7dd0b9f119641e265c4316e900dba3aec6",
    "ic-semcorraw-resnik.dat": "528bbdca67b2e4ebcaf214d5f987351ee57db7d0fcb55fa45fa04d3ad4d071c8",
    "ic-semcorraw.dat": "dbeaada8075768ee3fe72e0e7fb1cd002032dfc75a60f245079bd6242561f06b",
    "ic-shaks-add1.dat": "fe00c376856dddf4fe47b0598c8e9fe77e40db16e54b6de06d1d8b2fd7548dce",
    "ic-shaks-resnik.dat": "aa6fc35746ae8cabd66fbfa78303465beb2994c6239400ce8b100c682af654df",
    "ic-shaks-resnink-add1.dat": "128626db51a1d5c505046e81a38447eb0dad3b8b5c27e726db1c6184a8c64d5b",
    "ic-shaks.dat": "ae14ae1ee507164a633aff9348437bf73f6619a9153ca6bf594e7caabcb8d103",
    "ic-treebank-add1.dat": "14f03b5918ad2e9920d7854eca88013e9c32f7c0758f767e8d2400cf5c567825",
    "ic-treebank-resnik-add1.dat": "41ba14e96568013edd7219acb64a74981b59fc519849f1bcb7980ec7c1cf32dc",
    "ic-treebank-resnik.dat": "b3b96fed96982d6d857b9e4981fce63118faa8c3de608f9e166fe10725fa2446",
    "ic-treebank.dat": "3558ccc21b641b231da3228d1e35f076d9b5d3873099499af54ca30b56cb67c3",
}
"""The sha256 of each file with Unix line ends. One is misspelt by its authors."""


def is_whole(name: str, data: bytes) -> bool:
    """Return whether a file has the content that its name promises; files of other names are not judged.

    >>> is_whole("ic-semcor.dat", b"wnver::eOS9lXC6GvMWznF1wkZofDdtbBU"), is_whole("ic-mine.dat", b"")
    (False, True)

    Args:
        name: the file's name, without folders.
        data: its content with Unix line ends.
    """
    return name not in IC_3_0 or hashlib.sha256(data).hexdigest() == IC_3_0[name]
