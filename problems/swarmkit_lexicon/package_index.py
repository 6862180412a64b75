"""Archives of the package index, downloaded by pip, which checks their hashes, and read without being installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path

SECONDS = 900.0
"""The longest time that a download may take."""


class DownloadError(Exception):
    """A download failed; the message says why."""


def download(pinned: str, options: list[str], folder: Path) -> Path:
    """Return an archive that was downloaded into a folder.

    Args:
        pinned: a line of pip's requirements file, with version and hash.
        options: pip's, such as `--only-binary :all:`.
        folder: an empty folder, in which the archive is the only file afterwards that the caller did not write.

    Raises:
        DownloadError: pip cannot be run, or fails.
    """
    asked = folder / "pinned.txt"
    asked.write_text(pinned)
    place = folder / "download"
    common = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--timeout", "10", "--retries", "1"]
    command = [_python_with_pip(folder), "-m", "pip", "download", *common, *options, "--require-hashes"]
    command += ["--dest", str(place), "--requirement", str(asked)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603  (ours)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DownloadError(f"{error}.") from error
    found = list(place.glob("*")) if place.is_dir() else []
    if done.returncode or not found:
        raise DownloadError(_reason(done.stderr))
    return found[0]


def _python_with_pip(folder: Path) -> str:
    """Return a Python that has pip: this one, or else one in a new virtual environment."""
    if importlib.util.find_spec("pip") is not None:
        return sys.executable
    try:
        venv.create(folder / "venv", with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise DownloadError(f"this Python has no pip ({error}).") from error
    return str(next((folder / "venv").glob("[bS]*/python*")))


def _reason(stderr: str) -> str:
    """Return the last error that pip printed."""
    errors = [line for line in stderr.splitlines() if line.lower().startswith("error")]
    return f"pip reported '{errors[-1]}'." if errors else "pip gave no reason."
