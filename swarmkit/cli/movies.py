"""Recordings and movies: what `solve --record` and `--movie` write, and the command `movie`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from swarmkit.contract.errors import UsageError
from swarmkit.files.writing import check_writable, write_atomically

if TYPE_CHECKING:
    from swarmkit.running.recording import Recorder


class RecordedFiles(NamedTuple):
    """A recorder of one run, and the files that are written when the run has ended."""

    recorder: Recorder
    record: Path | None
    """The file of the recording; None for none."""
    movie: Path | None
    """The file of the movie; None for none."""

    def write(self) -> None:
        """Write the files."""
        recording = self.recorder.recording
        if recording is None:
            return
        if self.record:
            recording.write(self.record)
        if self.movie:
            from swarmkit.viewing.movie import make_movie

            write_atomically(self.movie, make_movie(recording).encode())


def recorded_files(record: Path | None, movie: Path | None, runs: int | None, force: bool) -> RecordedFiles | None:
    """Return a recorder for these files, None if there are none; refuse what cannot be written beforehand."""
    if record is None and movie is None:
        return None
    if runs is not None:
        raise UsageError("--record and --movie go with a single run, not with --runs")
    check_movie(movie)
    for path in (record, movie):
        if path:
            check_writable(path, force, "Give another name, or --force to overwrite it.")
    from swarmkit.running.recording import Recorder

    return RecordedFiles(Recorder(), record, movie)


def check_movie(path: Path | None) -> None:
    """Raise an error if a movie has a name that a browser would not open."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{path}: the name of a movie ends in .html")


def movie(
    file: Annotated[Path, typer.Argument(help="A recording, written by 'swarmkit solve --record'.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The page; by default FILE.html.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Make a page of a recorded run that plays it in a browser and needs no network.

    Example: swarmkit movie run.rec -o run.html
    """
    from swarmkit.running.recording import read_recording
    from swarmkit.viewing.movie import make_movie

    target = out or file.parent / f"{file.stem or 'movie'}.html"  # '.' has no stem; it is refused below
    check_movie(target)
    check_writable(target, force, "Give another name, or --force to overwrite it.")
    write_atomically(target, make_movie(read_recording(file)).encode())
    print(f"written: {target}")
