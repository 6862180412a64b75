"""The plan of a batch: which outputs it has, and its tasks in order, without those whose answers an output has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from swarmkit import UsageError, check_writable, parse_json
from swarmkit_text.blocks import file_blocks
from swarmkit_wsd_services.batches import LineTask, Task, TextTask
from swarmkit_wsd_services.commands.text_sources import Input
from swarmkit_wsd_services.conllu_answers import ConlluTask, same_but_senses
from swarmkit_wsd_services.conllu_pieces import in_tasks, pieces, read_raw
from swarmkit_wsd_services.json_lines import RawLine, in_groups, parse_line, read_lines

SEPARATE = ("text", "html")
"""Formats whose answers need a file for each text."""

WAY_OUT = "--resume goes on with it; otherwise choose another name."


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
    separate = next((item for item in inputs if item.form in SEPARATE), None)
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
        # Not with its parents: a misspelt path should not become a tree of folders.
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: no folder, and none can be made ({error.strerror})") from None
    owners: dict[str, Input] = {}
    for item in inputs:
        if item.name == "-":
            raise UsageError("standard input has no name for a file in a folder; expected --out FILE")
        name = Path(item.name).name + (".json" if item.form in SEPARATE else "")
        if name in owners:
            raise UsageError(
                f"{owners[name].name} and {item.name} would both be answered in {folder / name}; "
                "expected different names, or two commands with two folders"
            )
        owners[name] = item
    return [Output(folder / name, [item]) for name, item in owners.items()]


def _check(output: Output, resume: bool) -> None:
    outlier = next((item for item in output.inputs if item.form != output.form), None)
    if outlier is not None:
        first = output.inputs[0]
        raise UsageError(
            f"{first.title} is {first.form} and {outlier.title} is {outlier.form}; expected one format, or --out FOLDER"
        )
    path = output.path
    if path is None:
        return
    check_writable(path, resume, WAY_OUT)
    # Writing would destroy what is still to be read.
    if path.exists() and any(item.name != "-" and path.samefile(item.name) for item in output.inputs):
        raise UsageError(f"{path} is one of the files that are read; expected another name for --out")


class PlanItem(NamedTuple):
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


def tasks_of(output: Output, before: int, preset: str | None, most_lines: int) -> Iterator[PlanItem]:
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


def _line_tasks(output: Output, before: int, preset: str | None, most_lines: int) -> Iterator[PlanItem]:
    lines = _lines(output, before)
    if output.path is not None and output.path.exists():
        has = _answered_lines(output.path, lines, preset)
        yield PlanItem(output, None, max(before, has.end), has.lines, has.failed)
    for group in in_groups(lines, most_lines):
        yield PlanItem(output, LineTask(group), group[-1].end)


def _lines(output: Output, before: int) -> Iterator[RawLine]:
    """Iterate over the lines of all inputs."""
    for item in output.inputs:
        with item.open() as stream:
            for line in read_lines(stream, item.title, before):
                before = line.end
                yield line


class _Progress(NamedTuple):
    lines: int
    failed: int
    end: int


def _answered_lines(out: Path, lines: Iterator[RawLine], preset: str | None) -> _Progress:
    """Skip the lines whose answers a file has, and cut off a last line that was not finished."""
    count = failed = end = 0
    with out.open("r+b") as file:
        while line_of_output := file.readline():
            # A run that was killed while it wrote: the line is answered again.
            if not line_of_output.endswith(b"\n"):
                file.truncate(file.tell() - len(line_of_output))
                break
            where = f"{out}:{count + 1}"
            answer = _parse(line_of_output, where)
            line = next(lines, None)
            if line is None:
                raise UsageError(f"{where}: more answers than the input has lines; expected the output of this input")
            # The answers of an input have its ids in its order: anything else is the output of another input.
            name = parse_line(line).id
            if answer.get("id") != name:
                has = json.dumps(answer.get("id")), json.dumps(name)
                raise UsageError(f"{where} answers the id {has[0]}, but {line.where} has {has[1]}")
            # A file with answers of two presets would look like one.
            if answer.get("preset", preset) != preset:
                raise UsageError(
                    f"{where} is by preset {answer['preset']}, not {preset}; --preset chooses the same one"
                )
            count, failed, end = count + 1, failed + ("error" in answer), line.end
    return _Progress(count, failed, end)


def _parse(line: bytes, where: str) -> dict[str, object]:
    try:
        value = parse_json(line)
    except ValueError as error:
        raise UsageError(f"{where}: not valid JSON ({error}); expected a file that 'wsd tag --out' wrote") from None
    if not isinstance(value, dict) or not {"senses", "error"} & set(value):
        raise UsageError(f"{where}: no senses; expected a file that 'wsd tag --out' wrote")
    return value


def _conllu_tasks(output: Output, before: int) -> Iterator[PlanItem]:
    tasks = _conllu_inputs(output, before)
    if output.path is not None and output.path.exists():
        yield from _answered_pieces(output, output.path, tasks)
    for task, end in tasks:
        yield PlanItem(output, task, end)


def _conllu_inputs(output: Output, before: int) -> Iterator[tuple[ConlluTask, int]]:
    """Iterate over the tasks of all inputs, each with pieces of one of them, and the bytes up to their ends."""
    for item in output.inputs:
        with item.open() as stream:
            for group in in_tasks(pieces(read_raw(stream, item.title))):
                task = ConlluTask(group)
                before += len(task.content)
                yield task, before


def _answered_pieces(output: Output, out: Path, tasks: Iterator[tuple[ConlluTask, int]]) -> Iterator[PlanItem]:
    """Iterate over the tasks whose answers a file has, and the first other one, where the file is cut off."""
    with out.open("r+b") as file:
        for task, end in tasks:
            # Answers change columns, never the number of lines, so the output of a task is as many lines as its input.
            place, lines = file.tell(), task.content.count(b"\n")
            output_lines = b"".join(file.readline() for _ in range(lines))
            if output_lines.count(b"\n") < lines or not task.content.endswith(b"\n"):
                file.truncate(place)
                rest = PlanItem(output, task, end)
                break
            if not same_but_senses(task.content, output_lines):
                raise UsageError(f"{out} has other sentences than the input; expected the output of this input")
            yield PlanItem(output, None, end, task.sentences)
        else:
            if file.read(1):
                raise UsageError(f"{out}: more sentences than the input has; expected the output of this input")
            return
    yield rest


def _text_tasks(output: Output, before: int) -> Iterator[PlanItem]:
    (item,) = output.inputs
    path = Path(item.name)
    end = before + path.stat().st_size
    if output.path is not None and output.path.exists():
        yield PlanItem(output, None, end, 1)
        return
    try:
        text = "".join(file_blocks(path))
    except UsageError as error:
        yield PlanItem(output, None, end, 1, 1, str(error))
    else:
        yield PlanItem(output, TextTask(item.name, text, item.form == "html"), end)
