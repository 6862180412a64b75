"""What a batch reads and where its answers go: into one file, into a folder, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, NamedTuple

from swarmkit import UsageError, check_writable

SEPARATE = ("text", "html")
"""Formats whose answers need a file for each text."""

WAY_OUT = "--resume goes on with it; otherwise choose another name."


class Input(NamedTuple):
    """A file, or standard input, and its format: text, html, jsonl or conllu."""

    name: str
    form: str

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which can be read faster than it is answered; pipes may be slow."""
        return Path(self.name).is_file()

    @property
    def shown(self) -> str:
        """Its name, for messages."""
        return "standard input" if self.name == "-" else self.name

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open it; what cannot be read is refused in words."""
        try:
            with nullcontext(sys.stdin.buffer) if self.name == "-" else Path(self.name).open("rb") as stream:
                yield stream
        except OSError as error:
            raise UsageError(f"{self.name}: cannot be read ({error.strerror}); expected a file") from None


class Output(NamedTuple):
    """A file, or standard output, and the inputs of one format whose answers it gets."""

    path: Path | None
    inputs: list[Input]

    @property
    def form(self) -> str:
        """The format of its inputs."""
        return self.inputs[0].form


def plan_outputs(inputs: Sequence[Input], out: str | None, resume: bool) -> list[Output]:
    """Return the outputs of a batch, after checking that all of them can be written; a folder is created.

    Args:
        inputs: what is read.
        out: a file, or a folder: the name of one, a name with a slash at its end, or any name if texts are read.
        resume: whether outputs may exist.
    """
    if resume and out is None:
        raise UsageError("--resume needs --out, the file or folder that has the answers so far")
    separate = next((one for one in inputs if one.form in SEPARATE), None)
    if out is None and separate is not None:
        raise UsageError(f"the answers to {separate.name} need a file of their own: --out FOLDER")
    is_folder = out is not None and (separate is not None or out.endswith(("/", "\\")) or Path(out).is_dir())
    outputs = _in_folder(inputs, Path(str(out))) if is_folder else [Output(Path(out) if out else None, list(inputs))]
    for output in outputs:
        _check(output, resume)
    return outputs


def _in_folder(inputs: Sequence[Input], folder: Path) -> list[Output]:
    """Return an output for each input."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: no folder, and none can be made ({error.strerror})") from None
    owners: dict[str, Input] = {}
    for one in inputs:
        if one.name == "-":
            raise UsageError("standard input has no name for a file in a folder; expected --out FILE")
        name = Path(one.name).name + (".json" if one.form in SEPARATE else "")
        if name in owners:
            raise UsageError(
                f"{owners[name].name} and {one.name} would both be answered in {folder / name}; "
                "expected different names, or two commands with two folders"
            )
        owners[name] = one
    return [Output(folder / name, [one]) for name, one in owners.items()]


def _check(output: Output, resume: bool) -> None:
    mixed = next((one for one in output.inputs if one.form != output.form), None)
    if mixed is not None:
        first = output.inputs[0]
        raise UsageError(
            f"{first.shown} is {first.form} and {mixed.shown} is {mixed.form}; expected one format, or --out FOLDER"
        )
    path = output.path
    if path is None:
        return
    check_writable(path, resume, WAY_OUT)
    if path.exists() and any(one.name != "-" and path.samefile(one.name) for one in output.inputs):
        raise UsageError(f"{path} is one of the files that are read; expected another name for --out")
