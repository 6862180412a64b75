"""Where a command's text comes from: an argument, a file, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from swarmkit import UsageError, quoted, unknown
from swarmkit_wsd.text.blocks import file_blocks, stream_blocks

PAGES = (".html", ".htm", ".xhtml")
"""A file whose name ends with one of these has markup, unless a format is given."""

SUFFIXES = (".txt", ".text", ".md", ".xml", ".csv", ".json", *PAGES)
"""An argument without white space that ends with one of these is the name of a file, and refused if there is none."""

FORMATS = ("text", "html")


class TextSource(NamedTuple):
    """A text: the name that answers give its source, and its blocks."""

    name: str
    blocks: Iterable[str]
    place: Callable[[int, int], tuple[int, int]] = lambda start, end: (start, end)
    """Returns where a part of the text that has been read begins and ends in the source, which may have markup."""


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
    return [_without_markup(source) if _has_markup(source, form) else source for source in found]


def _has_markup(source: TextSource, form: str | None) -> bool:
    return form == "html" or (form is None and Path(source.name).suffix.lower() in PAGES)


def _without_markup(source: TextSource) -> TextSource:
    from swarmkit_wsd.text.markup import HtmlText

    text = HtmlText(source.blocks)
    return TextSource(source.name, text, text.place)


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
