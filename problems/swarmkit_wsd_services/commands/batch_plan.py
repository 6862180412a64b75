"""The plan of a batch: which outputs it has, and its tasks in order, without those whose answers an output has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from swarmkit import UsageError, check_writable
from swarmkit_text.blocks import file_blocks
from swarmkit_wsd_services.batches import LinesOfOutput, LineTask, ResumableTask, Task, TextTask
from swarmkit_wsd_services.commands.text_sources import TABLES, Input
from swarmkit_wsd_services.conllu_answers import ConlluTask
from swarmkit_wsd_services.conllu_pieces import document_pieces, in_tasks, read_raw
from swarmkit_wsd_services.csv_tables import Row, RowTask, TableReader, wrong_row
from swarmkit_wsd_services.documents import MARKED_UP
from swarmkit_wsd_services.json_lines import in_groups, read_lines

SEPARATE = ("text", *MARKED_UP)
"""Formats whose answers need a file for each text."""

LARGEST_GROUP = 1 << 16
"""Characters of a row that ends its task."""

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
    if any(item.form in TABLES for item in inputs):
        if resume:
            raise UsageError("--resume goes with JSON Lines, CoNLL-U and folders of texts, not with tables")
        if len(inputs) > 1 and not is_folder:
            raise UsageError("each table gets one of its own: --out FOLDER/")
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
    if output.form in SEPARATE:
        yield from _text_tasks(output, before)
        return
    if output.form in TABLES:
        yield from _row_tasks(output, before, most_lines)
        return
    tasks = _tasks(output, before, most_lines)
    if output.path is not None and output.path.exists():
        yield from _answered(output, output.path, tasks, preset)
    for task, end in tasks:
        yield PlanItem(output, task, end)


Tasks = Iterator[tuple[ResumableTask, int]]
"""Tasks, each with the bytes of all inputs up to its end."""


def _tasks(output: Output, before: int, most_lines: int) -> Tasks:
    """Iterate over the tasks of all inputs of an output."""
    for item in output.inputs:
        with item.open() as stream:
            if item.form == "jsonl":
                for lines in in_groups(read_lines(stream, item.title, before), most_lines):
                    before = lines[-1].end
                    yield LineTask(lines), before
            else:
                for pieces in in_tasks(document_pieces(read_raw(stream, item.title))):
                    task = ConlluTask(pieces)
                    before += len(task.content)
                    yield task, before


def _answered(output: Output, out: Path, tasks: Tasks, preset: str | None) -> Iterator[PlanItem]:
    """Iterate over the tasks whose answers a file has, and the first other one, where the file is cut off."""
    first = 1
    with out.open("r+b") as file:
        for task, end in tasks:
            place = file.tell()
            lines = [line for line in islice(file, task.size) if line.endswith(b"\n")]
            answer = task.check(LinesOfOutput(lines, out, first, preset))
            # A run that was killed while it wrote: the task is answered again.
            if len(lines) < task.size:
                file.seek(place)
                file.truncate()
                rest = PlanItem(output, task, end)
                break
            first += len(lines)
            yield PlanItem(output, None, end, answer.units, answer.failed)
        else:
            if file.read(1):
                message = f"{out}:{first}: more answers than the input has"
                raise UsageError(f"{message}; expected the output of this input")
            return
    yield rest


def _row_tasks(output: Output, before: int, most_rows: int) -> Iterator[PlanItem]:
    """Iterate over the header and the rows of a table; a row that is too short or too long is none."""
    (item,) = output.inputs
    with item.open() as stream:
        reader = TableReader(stream, item.title, item.form, item.encoding_of_text)
        table = reader.table(item.reading.column, item.reading.rows)
        yield PlanItem(output, RowTask(table, []), before)
        group: list[Row] = []
        for row in reader.rows():
            wrong = wrong_row(table, row)
            if wrong is None:
                group.append(row)
            if group and (wrong or len(group) == most_rows or sum(map(len, row.cells)) > LARGEST_GROUP):
                yield PlanItem(output, RowTask(table, group), before + group[-1].end)
                group = []
            if wrong is not None:
                yield PlanItem(output, None, before + row.end, 1, 1, wrong)
        if group:
            yield PlanItem(output, RowTask(table, group), before + group[-1].end)
        reader.detach()


def _text_tasks(output: Output, before: int) -> Iterator[PlanItem]:
    (item,) = output.inputs
    path = Path(item.name)
    end = before + path.stat().st_size
    if output.path is not None and output.path.exists():
        yield PlanItem(output, None, end, 1)
        return
    try:
        text = "".join(file_blocks(path, item.encoding_of_text))
    except UsageError as error:
        yield PlanItem(output, None, end, 1, 1, str(error))
    else:
        yield PlanItem(output, TextTask(item.name, text, item.form), end)
