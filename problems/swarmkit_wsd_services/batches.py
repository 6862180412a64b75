"""Batches: tasks of many texts, answered in this process or in others, and what they are answered with."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from swarmkit import UsageError, __version__, parse_json
from swarmkit_lexicon.languages.lexicon import LanguageLexicon
from swarmkit_text.tokenizer import split_sentences
from swarmkit_wsd.answers import Answers
from swarmkit_wsd.confidence import read_clusters
from swarmkit_wsd.disambiguation import Chunk, consult_panel, each_chunk, encode_ahead
from swarmkit_wsd.experts.panel import Panel
from swarmkit_wsd.experts.program import Consulting, open_panel
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.raw_text import lexicon_of
from swarmkit_wsd_services.documents import TextSource, answer_fields, document, facts, without_markup
from swarmkit_wsd_services.json_lines import RawLine, TextLine, parse_line


class Versions(NamedTuple):
    """What answers depend on beside the options."""

    swarmkit: str
    wordnet: str
    language: str | None
    """Of the tab file of another language than English."""
    model: str | None

    @classmethod
    def of(cls, options: WsdOptions) -> Versions:
        """Return those of this process."""
        model = None
        if options.evidence != "none":
            from swarmkit_sense_model.sense_model import open_model

            model = open_model(options.model).sha256
        lexicon = lexicon_of(options)
        language = lexicon.file.sha256 if isinstance(lexicon, LanguageLexicon) else None
        return cls(__version__, lexicon.sha256, language, model)


class Batch(NamedTuple):
    """What the texts of a batch are answered with."""

    options: WsdOptions
    min_confidence: float = 0.0
    alternatives: int = 0
    clusters: Path | None = None
    consulting: Consulting = Consulting()
    versions: Versions | None = None
    """Those that other machines must have; None if there are no others."""

    @property
    def answers(self) -> Answers:
        """Which answers are given."""
        clusters = _clusters(self.clusters) if self.clusters else None
        return Answers(self.min_confidence, self.alternatives, clusters)

    def consult(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Iterate over chunks after the experts, if there are any, were asked about them."""
        return consult_panel(chunks, panel_of(self.consulting))


class TaskAnswer(NamedTuple):
    """The answer to a task."""

    content: bytes
    """What is appended to the output."""
    units: int
    """The number of lines, sentences or texts in it."""
    failed: int = 0
    """How many of them say what was wrong with the input."""
    failed_experts: int = 0
    """How many experts failed while it was answered."""


class Task(Protocol):
    """Some texts that are answered together."""

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return the answers."""


class LinesOfOutput(NamedTuple):
    """Whole lines of an output, at the place of a task's answers: fewer if a run was killed while it wrote them."""

    lines: list[bytes]
    path: Path
    first: int
    """The number of the first line in the output."""
    preset: str | None
    """The preset of the run that goes on with the output."""


class ResumableTask(Task, Protocol):
    """A task whose answers are lines of an output that a later run may find."""

    @property
    def size(self) -> int:
        """The number of lines of its answers, all of which end."""

    def check(self, output: LinesOfOutput) -> TaskAnswer:
        """Return the lines as the answer of an earlier run; refuse answers to anything else."""


def answer(batch: Batch, task: Task) -> TaskAnswer:
    """Return the answer to a task, after checking on other machines that they have what answers depend on."""
    if batch.versions is not None:
        _check_versions(batch.options, batch.versions)
    panel = panel_of(batch.consulting)
    failed_before = panel.failed
    result = task.answer(batch)
    return result._replace(failed_experts=panel.failed - failed_before)


def _check_versions(options: WsdOptions, expected: Versions) -> None:
    # An answer that depends on the machine that gave it would not be reproducible.
    for name, here, there in zip(Versions._fields, Versions.of(options), expected, strict=True):
        if here != there:
            raise UsageError(f"a worker has {name} {here}; expected {there}, as the process that asks has it")


class LineTask(NamedTuple):
    """Lines of JSON, each with a text, and answered by a line of JSON with its senses."""

    lines: list[RawLine]

    @property
    def size(self) -> int:
        """The number of lines of its answers."""
        return len(self.lines)

    def check(self, output: LinesOfOutput) -> TaskAnswer:
        """Return the lines as the answer of an earlier run; refuse answers to other lines, or by another preset."""
        failed = 0
        for number, (line, answer_line) in enumerate(zip(self.lines, output.lines, strict=False), output.first):
            where = f"{output.path}:{number}"
            answer = _parse_answer(answer_line, where)
            # The answers of an input have its ids in its order: anything else is the output of another input.
            name = parse_line(line).id
            if answer.get("id") != name:
                has = json.dumps(answer.get("id")), json.dumps(name)
                raise UsageError(f"{where} answers the id {has[0]}, but {line.where} has {has[1]}")
            # A file with answers of two presets would look like one.
            if answer.get("preset", output.preset) != output.preset:
                message = f"{where} is by preset {answer['preset']}, not {output.preset}"
                raise UsageError(f"{message}; --preset chooses the same one")
            failed += "error" in answer
        return TaskAnswer(b"".join(output.lines), len(output.lines), failed)

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return the answers; a line that cannot be answered has an `error` in place of senses.

        The sentence encoder reads the texts of all lines together, which is faster and changes no sense.
        """
        texts = [parse_line(line) for line in self.lines]
        if len(texts) > 1:
            encode_ahead((words for text in texts for words in split_sentences(text.text)), batch.options)
        rows = [_line(batch, line, text) for line, text in zip(self.lines, texts, strict=True)]
        # What UTF-8 cannot hold in the name of a file becomes the escape that JSON has for it.
        content = "".join(json.dumps(text, ensure_ascii=False, allow_nan=False) + "\n" for text in rows)
        return TaskAnswer(content.encode("utf-8", "backslashreplace"), len(rows), sum("error" in text for text in rows))


def _parse_answer(line: bytes, where: str) -> dict[str, object]:
    try:
        value = parse_json(line)
    except ValueError as error:
        raise UsageError(f"{where}: not valid JSON ({error}); expected a file that 'wsd tag --out' wrote") from None
    if not isinstance(value, dict) or not {"senses", "error"} & set(value):
        raise UsageError(f"{where}: no senses; expected a file that 'wsd tag --out' wrote")
    return value


def _line(batch: Batch, line: RawLine, content: TextLine) -> dict[str, Any]:
    """Return the object that answers a line."""
    if content.error is not None:
        return {"id": content.id, "error": content.error}
    try:
        return {"id": content.id, **_senses(batch, content.text, content.known or {})}
    except UsageError as error:
        return {"id": content.id, "error": f"{line.where}: {error}"}


def _senses(batch: Batch, text: str, known: Any) -> dict[str, Any]:
    """Return the fields of the answer to a line."""
    chunks = each_chunk(text, lexicon_of(batch.options), batch.options, known)
    return answer_fields(batch.consult(chunks), batch.answers, batch.options.preset)


class ProbeTask(NamedTuple):
    """What is answered first, to check the options where the work is done."""

    text: str = "A river."
    """Its word has one sense, so that no expert is asked about it."""

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return nothing; raise what is wrong with the options."""
        # Opens the lexicon and the model, so that their errors come before the first output is written.
        _senses(batch, self.text, {})
        return TaskAnswer(b"", 0)


class TextTask(NamedTuple):
    """A whole text, answered by the document of `swarmkit wsd tag --json`."""

    name: str
    text: str
    form: str
    """Its format: text, html or xml."""

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return the document."""
        # A lexicon and a model are opened once in each process and are not sent with the task.
        lexicon = lexicon_of(batch.options)
        source = without_markup(TextSource(self.name, [self.text]), self.form)
        consultation = batch.consult(each_chunk(source.blocks, lexicon, batch.options))
        chunks = ((source, chunk) for chunk in consultation)
        about = facts(batch.options, lexicon)
        return TaskAnswer("".join(document(chunks, batch.answers, about)).encode("utf-8", "backslashreplace"), 1)


_clusters = lru_cache(maxsize=1)(read_clusters)


# One set of expert programs for each process, however many tasks it answers.
@lru_cache(maxsize=1)
def panel_of(consulting: Consulting) -> Panel:
    """Return the panel of this process, whose programs are started once."""
    return open_panel(consulting, lambda sentence: print(f"swarmkit: {sentence}", file=sys.stderr))


def close_panel(consulting: Consulting) -> None:
    """End the programs of this process's panel."""
    panel_of(consulting).close()
    panel_of.cache_clear()
