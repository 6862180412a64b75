"""Where a command's text comes from: an argument, a file, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path

from swarmkit import UsageError, quoted, unknown
from swarmkit_text.blocks import file_blocks, stream_blocks
from swarmkit_wsd_services.commands.batch_plan import Input
from swarmkit_wsd_services.documents import TextSource, without_markup

JSON_LINES = (".jsonl", ".ndjson")
"""A file whose name ends with one of these has a JSON object with a text on each line, unless a format is given."""

PAGES = (".html", ".htm", ".xhtml")
"""A file whose name ends with one of these has markup, unless a format is given."""

CONLLU = (".conllu",)
"""A file whose name ends with this has sentences in CoNLL-U, unless a format is given."""

SUFFIXES = (".txt", ".text", ".md", ".xml", ".csv", ".json", *JSON_LINES, *CONLLU, *PAGES)
"""An argument without white space that ends with one of these is the name of a file, and refused if there is none."""

FORMATS = ("text", "html", "jsonl", "conllu")

BATCHED = ("jsonl", "conllu")
"""Formats that are answered in batches, into files of the same format."""

BATCH = "expected names of files, - for standard input (with --format jsonl or conllu), or a pattern in quotes"


def read_sources(
    arguments: Sequence[str], files: Sequence[Path], texts: Sequence[str], form: str | None = None
) -> list[TextSource]:
    """Return the sources of a command, after checking all of them.

    Args:
        arguments: names of files, `-` for standard input, or texts.
        files: names of files.
        texts: texts.
        form: `html` if the sources have markup, which is not part of the text, `text` if not; by default the name of a
            file tells.
    """
    if not (arguments or files or texts):
        raise UsageError("no text: expected a text in quotes, the name of a file, or - for standard input")
    if form is not None and form not in FORMATS:
        raise unknown("format", form, FORMATS)
    found = [*map(_argument, arguments), *map(_file, files), *map(_text, texts)]
    return [without_markup(source) if _has_markup(source, form) else source for source in found]


def batch_inputs(
    arguments: Sequence[str], files: Sequence[Path], texts: Sequence[str], form: str | None, wanted: bool
) -> list[Input]:
    """Return the inputs of a command if it is a batch; nothing if it shows the senses of texts.

    Args:
        arguments: as of `read_sources`.
        files: names of files.
        texts: texts.
        form: the format, or None if the name of a file tells.
        wanted: whether an option asks for a batch; files of JSON Lines and CoNLL-U always are one.
    """
    if form is not None and form not in FORMATS:
        raise unknown("format", form, FORMATS)
    found = [Input(name, form or form_of(name)) for name in [*arguments, *map(str, files)]]
    batched = next((one for one in found if one.form in BATCHED), None)
    if batched is None and not wanted and form not in BATCHED:
        return []
    if texts or not found:
        raise UsageError(f"a batch reads files, and {'--text is none' if texts else 'there is none'}; {BATCH}")
    for one in found:
        if one.name != "-" and not (_exists(Path(one.name)) and not Path(one.name).is_dir()):
            raise UsageError(f"{_shortened(one.name)}: no such file; {BATCH}")
    return found


def form_of(name: str) -> str:
    """Return the format that the name of a file tells.

    >>> form_of("a.conllu"), form_of("b.ndjson"), form_of("c.HTML"), form_of("The river bank."), form_of("-")
    ('conllu', 'jsonl', 'html', 'text', 'text')
    """
    suffix = "" if any(sign.isspace() for sign in name) else Path(name).suffix.lower()
    forms = {"jsonl": JSON_LINES, "conllu": CONLLU, "html": PAGES}
    return next((form for form, suffixes in forms.items() if suffix in suffixes), "text")


def expanded(arguments: Sequence[str]) -> list[str]:
    """Return arguments with patterns such as `corpus/**/*.txt` replaced by the files that match, in order."""
    return [name for given in arguments for name in (_matching(given) if _is_pattern(given) else [given])]


def _is_pattern(given: str) -> bool:
    name = not any(sign.isspace() for sign in given) and Path(given).suffix.lower() in SUFFIXES
    return name and has_magic(given) and not _exists(Path(given))


def _matching(pattern: str) -> list[str]:
    found = sorted(glob(pattern, recursive=True))  # noqa: PTH207 -- Path.glob refuses absolute patterns
    if not found:
        raise UsageError(f"{_shortened(pattern)}: no file matches; --text takes it as text")
    return found


def _has_markup(source: TextSource, form: str | None) -> bool:
    return (form or form_of(source.name)) == "html"


def _argument(given: str) -> TextSource:
    """Return the source that an argument stands for: what is not the name of a file is text, however long it is."""
    if given == "-":
        return TextSource("-", stream_blocks(sys.stdin.buffer, "standard input"))
    path = Path(given)
    if given and _exists(path):
        return _file(path)
    if path.suffix.lower() in SUFFIXES and not any(sign.isspace() for sign in given):
        raise UsageError(f"{_shortened(given)}: no such file; --text takes it as text")
    return _text(given)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than a name may be; a null byte
        return False


def _file(path: Path) -> TextSource:
    """Return a file as a source; one that can be read twice is checked to the end, before anything is printed."""
    if not _exists(path):
        raise UsageError(f"{_shortened(str(path))}: no such file")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; expected a file of English text, or --text to take its name as text")
    if path.is_file():
        for _ in file_blocks(path):
            pass
    return TextSource(str(path), file_blocks(path))


def _text(given: str) -> TextSource:
    """Return a text as a source."""
    if any("\ud800" <= sign <= "\udfff" for sign in given):  # how Python spells bytes that are not UTF-8
        raise UsageError(f"{quoted(given)}: bytes that are not UTF-8; expected English text in UTF-8")
    return TextSource("text", [given])


def _shortened(name: str) -> str:
    return name if len(name) <= 200 else name[:199] + "…"
