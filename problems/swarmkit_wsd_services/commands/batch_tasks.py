"""The tasks of a batch, in order, without those whose answers an output has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from swarmkit import UsageError, parse_json
from swarmkit_text.blocks import file_blocks
from swarmkit_wsd_services.batches import LineTask, Task, TextTask
from swarmkit_wsd_services.commands.batch_plan import Output
from swarmkit_wsd_services.conllu_answers import ConlluTask, same_but_senses
from swarmkit_wsd_services.conllu_pieces import in_tasks, pieces, read_raw
from swarmkit_wsd_services.json_lines import RawLine, in_groups, parse_line, read_lines


class Planned(NamedTuple):
    """A task, and what is known about it before it is answered."""

    output: Output
    task: Task | None
    """None if the output has the answers, or if there is nothing to answer."""
    end: int
    """The number of bytes of all inputs up to its end."""
    units: int = 0
    """The number of lines, sentences or texts whose answers the output has."""
    failed: int = 0
    """How many of these say what was wrong with the input."""
    error: str | None = None
    """What is wrong with a text that cannot be read."""


def tasks_of(output: Output, before: int, preset: str | None, most_lines: int) -> Iterator[Planned]:
    """Iterate over what is to be done for an output; first, if it exists, over what it has.

    An unfinished end of the output is cut off.

    Args:
        output: the output.
        before: the bytes of the inputs of other outputs that come before.
        preset: the preset of the answers.
        most_lines: lines of JSON in a task.

    Raises:
        UsageError: the output has answers to something else.
    """
    if output.form == "jsonl":
        return _line_tasks(output, before, preset, most_lines)
    return _conllu_tasks(output, before) if output.form == "conllu" else _text_tasks(output, before)


def _line_tasks(output: Output, before: int, preset: str | None, most_lines: int) -> Iterator[Planned]:
    lines = _lines(output, before)
    if output.path is not None and output.path.exists():
        has = _answered_lines(output.path, lines, preset)
        yield Planned(output, None, max(before, has.end), has.lines, has.failed)
    for group in in_groups(lines, most_lines):
        yield Planned(output, LineTask(group), group[-1].end)


def _lines(output: Output, before: int) -> Iterator[RawLine]:
    """Iterate over the lines of all inputs."""
    for one in output.inputs:
        with one.open() as stream:
            for line in read_lines(stream, one.shown, before):
                before = line.end
                yield line


class _Answered(NamedTuple):
    lines: int
    failed: int
    end: int


def _answered_lines(out: Path, lines: Iterator[RawLine], preset: str | None) -> _Answered:
    """Skip the lines whose answers a file has, and cut off a last line that was not finished."""
    count = failed = end = 0
    with out.open("r+b") as file:
        while written := file.readline():
            if not written.endswith(b"\n"):
                file.truncate(file.tell() - len(written))
                break
            where = f"{out}:{count + 1}"
            answer = _parsed(written, where)
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
    return _Answered(count, failed, end)


def _parsed(line: bytes, where: str) -> dict[str, object]:
    try:
        found = parse_json(line)
    except ValueError as error:
        raise UsageError(f"{where}: not valid JSON ({error}); expected a file that 'wsd tag --out' wrote") from None
    if not isinstance(found, dict) or not {"senses", "error"} & set(found):
        raise UsageError(f"{where}: no senses; expected a file that 'wsd tag --out' wrote")
    return found


def _conllu_tasks(output: Output, before: int) -> Iterator[Planned]:
    tasks = _conllu_inputs(output, before)
    if output.path is not None and output.path.exists():
        yield from _answered_pieces(output, output.path, tasks)
    for task, end in tasks:
        yield Planned(output, task, end)


def _conllu_inputs(output: Output, before: int) -> Iterator[tuple[ConlluTask, int]]:
    """Iterate over the tasks of all inputs, each with pieces of one of them, and the bytes up to their ends."""
    for one in output.inputs:
        with one.open() as stream:
            for group in in_tasks(pieces(read_raw(stream, one.shown))):
                task = ConlluTask(group)
                before += len(task.content)
                yield task, before


def _answered_pieces(output: Output, out: Path, tasks: Iterator[tuple[ConlluTask, int]]) -> Iterator[Planned]:
    """Iterate over the tasks whose answers a file has, and the first other one, where the file is cut off."""
    with out.open("r+b") as file:
        for task, end in tasks:
            place, lines = file.tell(), task.content.count(b"\n")
            written = b"".join(file.readline() for _ in range(lines))
            if written.count(b"\n") < lines or not task.content.endswith(b"\n"):
                file.truncate(place)
                found = Planned(output, task, end)
                break
            if not same_but_senses(task.content, written):
                raise UsageError(f"{out} has other sentences than the input; expected the output of this input")
            yield Planned(output, None, end, task.sentences)
        else:
            if file.read(1):
                raise UsageError(f"{out}: more sentences than the input has; expected the output of this input")
            return
    yield found


def _text_tasks(output: Output, before: int) -> Iterator[Planned]:
    (one,) = output.inputs
    path = Path(one.name)
    end = before + path.stat().st_size
    if output.path is not None and output.path.exists():
        yield Planned(output, None, end, 1)
        return
    try:
        text = "".join(file_blocks(path))
    except UsageError as error:
        yield Planned(output, None, end, 1, 1, str(error))
    else:
        yield Planned(output, TextTask(one.name, text, one.form == "html"), end)
