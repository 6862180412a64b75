"""`swarmkit wsd tag` on JSON Lines: one line out for each line in, on several processes, into a file that resumes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from swarmkit import SwarmkitError, UsageError, check_writable, map_stream, parse_json
from swarmkit_wsd.batches import Batch, answer_group, close_panel
from swarmkit_wsd.commands.batch_progress import BatchProgress
from swarmkit_wsd.json_lines import RawLine, in_groups, parse_line, read_lines

PROBE = [RawLine("", b'{"text": "A river."}', 0)]
"""What is answered first, to check the options where the work is done: this process need not load the model. Its word
has one sense, so that no expert is asked about it."""

WAY_OUT = "--resume goes on with it; otherwise choose another name."


class FailedLines(SwarmkitError):
    """Some lines of a batch could not be answered; all others were."""

    exit_code = 1


class Resumed(NamedTuple):
    """What an output has already."""

    lines: int
    failed: int
    end: int
    """Bytes of the input that are answered."""


def tag_batch(names: Sequence[str], batch: Batch, jobs: int, out: Path | None, resume: bool) -> None:
    """Answer the lines of files, in their order.

    Args:
        names: the files, `-` for standard input.
        batch: what they are answered with.
        jobs: the number of processes.
        out: the file that is written; None for standard output.
        resume: whether lines that the file has are left out.

    Raises:
        FailedLines: after all lines, if some could not be answered.
    """
    if batch.consulting.at_the_terminal and jobs != 1:
        raise UsageError("--expert interactive goes with --jobs 1: one person is asked one question at a time")
    if resume and out is None:
        raise UsageError("--resume needs --out, the file that has the answers so far")
    if out is not None:
        check_writable(out, resume, WAY_OUT)
        if out.exists() and any(name != "-" and out.samefile(name) for name in names):
            raise UsageError(f"{out} is one of the files that are read; expected another name for --out")
    with ExitStack() as stack:
        stack.callback(close_panel, batch.consulting)
        lines = _all_lines(names)
        before = _resume(out, lines, batch.options.preset) if out is not None and out.exists() else Resumed(0, 0, 0)
        groups = in_groups(lines, most=32 if jobs != 1 or _are_files(names) else 1)
        answered = map_stream(partial(answer_group, batch), chain([PROBE], groups), jobs)
        next(answered)  # what is wrong with the options, is said here, before anything is written
        stream: BinaryIO = stack.enter_context(out.open("ab")) if out is not None else sys.stdout.buffer
        failed = before.failed
        progress = stack.enter_context(BatchProgress(_size(names), before.end))
        for group in answered:
            stream.write(b"".join(line.content for line in group))
            stream.flush()
            failed += sum(line.failed for line in group)
            progress.answered(len(group), group[-1].end)
        total = before.lines + progress.lines
    if failed:
        raise FailedLines(
            f"{failed} of {total} lines could not be answered; the 'error' of their output lines says why"
        )


def _all_lines(names: Sequence[str]) -> Iterator[RawLine]:
    """Iterate over the lines of all files."""
    end = 0
    for name in names:
        try:
            with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream:
                for line in read_lines(stream, "standard input" if name == "-" else name, end):
                    end = line.end
                    yield line
        except OSError as error:
            raise UsageError(f"{name}: cannot be read ({error.strerror}); expected a file of JSON Lines") from None


def _size(names: Sequence[str]) -> int | None:
    """Return the bytes of all files; None if one of them is a stream."""
    return sum(Path(name).stat().st_size for name in names) if _are_files(names) else None


def _are_files(names: Sequence[str]) -> bool:
    """Return whether all sources are files, which can be read faster than they are answered; pipes may be slow."""
    return all(Path(name).is_file() for name in names)


def _resume(out: Path, lines: Iterator[RawLine], preset: str | None) -> Resumed:
    """Skip the lines whose answers a file has, and cut off a last line that was not finished.

    Raises:
        UsageError: the file has answers to other lines, or of another preset.
    """
    count = failed = end = 0
    with out.open("r+b") as file:
        while written := file.readline():
            if not written.endswith(b"\n"):
                file.truncate(file.tell() - len(written))
                break
            where = f"{out}:{count + 1}"
            answer = _written(written, where)
            line = next(lines, None)
            if line is None:
                raise UsageError(f"{where}: more answers than the input has lines; expected the output of this input")
            name = parse_line(line).id
            if answer.get("id") != name:
                has = json.dumps(answer.get("id")), json.dumps(name)
                raise UsageError(f"{where} answers the id {has[0]}, but {line.where} has {has[1]}")
            if answer.get("preset", preset) != preset:
                raise UsageError(
                    f"{where} is by preset {answer['preset']}, not {preset}; --preset chooses the same one"
                )
            count, failed, end = count + 1, failed + ("error" in answer), line.end
    return Resumed(count, failed, end)


def _written(line: bytes, where: str) -> dict[str, object]:
    try:
        found = parse_json(line)
    except ValueError as error:
        raise UsageError(f"{where}: not valid JSON ({error}); expected a file that 'wsd tag --out' wrote") from None
    if not isinstance(found, dict) or not {"senses", "error"} & set(found):
        raise UsageError(f"{where}: no senses; expected a file that 'wsd tag --out' wrote")
    return found
