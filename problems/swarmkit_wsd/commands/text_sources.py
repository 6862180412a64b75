"""Where a command's text comes from: an argument, a file, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from swarmkit import UsageError, quoted, unknown
from swarmkit_wsd.documents import TextSource, without_markup
from swarmkit_wsd.text.blocks import file_blocks, stream_blocks

JSON_LINES = (".jsonl", ".ndjson")
"""A file whose name ends with one of these has a JSON object with a text on each line, unless a format is given."""

PAGES = (".html", ".htm", ".xhtml")
"""A file whose name ends with one of these has markup, unless a format is given."""

SUFFIXES = (".txt", ".text", ".md", ".xml", ".csv", ".json", *JSON_LINES, *PAGES)
"""An argument without white space that ends with one of these is the name of a file, and refused if there is none."""

FORMATS = ("text", "html", "jsonl")


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


def json_lines_names(
    arguments: Sequence[str], files: Sequence[Path], texts: Sequence[str], form: str | None = None
) -> list[str]:
    """Return the names of the sources if they are JSON Lines, `-` for standard input; nothing if they are texts.

    Args:
        arguments: as of `read_sources`.
        files: names of files.
        texts: texts.
        form: `jsonl`, another format, or None if the name of a file tells.
    """
    names = [*arguments, *map(str, files)]
    found = [name for name in names if form == "jsonl" or (form is None and _is_json_lines(name))]
    if found and (texts or len(found) < len(names)):
        raise UsageError(f"{found[0]} is JSON Lines, and other sources are not; expected one format in a command")
    if form == "jsonl" and not found:
        raise UsageError("--format jsonl: no file; expected names of files, or - for standard input")
    for name in found:
        if name != "-" and not (_exists(Path(name)) and not Path(name).is_dir()):
            raise UsageError(f"{_shortened(name)}: no such file; expected a file of JSON Lines")
    return found


def _is_json_lines(name: str) -> bool:
    return Path(name).suffix.lower() in JSON_LINES and not any(sign.isspace() for sign in name)


def _has_markup(source: TextSource, form: str | None) -> bool:
    return form == "html" or (form is None and Path(source.name).suffix.lower() in PAGES)


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
