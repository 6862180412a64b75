"""Where a command's text comes from: an argument, a file, or standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from swarmkit import UsageError, quoted, unknown
from swarmkit_text.blocks import UTF_8, check_encoding, file_blocks, stream_blocks
from swarmkit_wsd_services.documents import TextSource, without_markup

if TYPE_CHECKING:
    from swarmkit_wsd.frames import Rows

JSON_LINES = (".jsonl", ".ndjson")
"""A file whose name ends with one of these has a JSON object with a text on each line, unless a format is given."""

PAGES = (".html", ".htm", ".xhtml")
"""A file whose name ends with one of these has markup, unless a format is given."""

CONLLU = (".conllu",)
"""A file whose name ends with this has sentences in CoNLL-U, unless a format is given."""

XML = (".xml", ".tei")
"""A file whose name ends with one of these has text nodes between tags, unless a format is given."""

SUFFIXES = (".txt", ".text", ".md", ".csv", ".tsv", ".json", *JSON_LINES, *CONLLU, *PAGES, *XML)
"""An argument without white space that ends with one of these is the name of a file, and refused if there is none."""

_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}")
"""The ending of a name of a file, which no word has."""

TABLES = ("csv", "tsv")
"""Formats of tables, whose file names end with them."""

FORMATS = ("text", "html", "xml", "jsonl", "conllu", *TABLES)

BATCH_FORMATS = ("jsonl", "conllu", *TABLES)
"""Formats that are answered in batches, into files of the same format."""

BATCH = "expected names of files, - for standard input (with --format jsonl, conllu or csv), or a pattern in quotes"


class Reading(NamedTuple):
    """How files are read; None is what each of them says itself."""

    form: str | None = None
    encoding: str | None = None
    column: str | None = None
    """Of tables: the column with the texts."""
    rows: Rows = "words"
    """Of tables: what the answer has a row for."""


AS_NAMED = Reading()
"""Files are read as their names tell."""


class Input(NamedTuple):
    """A file, or standard input, its format, and how it is read."""

    name: str
    form: str
    reading: Reading = AS_NAMED

    @property
    def encoding_of_text(self) -> str:
        """The encoding in which it is read: the one that was named, that of an XML declaration, or UTF-8."""
        return self.reading.encoding or _own_encoding(Path(self.name), self.form)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which can be read faster than it is answered; pipes may be slow."""
        return Path(self.name).is_file()

    @property
    def title(self) -> str:
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


def read_sources(
    arguments: Sequence[str],
    files: Sequence[Path],
    texts: Sequence[str],
    reading: Reading = AS_NAMED,
) -> list[TextSource]:
    """Return the sources of a command, after checking all of them.

    Args:
        arguments: names of files, `-` for standard input, or texts.
        files: names of files.
        texts: texts.
        reading: how they are read. With the format `html` or `xml` markup is no part of the text.
    """
    if not (arguments or files or texts):
        raise UsageError("no text: expected a text in quotes, the name of a file, or - for standard input")
    form, encoding = reading.form, reading.encoding
    if form is not None and form not in FORMATS:
        raise unknown("format", form, FORMATS)
    sources = [_argument(argument, form, encoding) for argument in arguments]
    sources += [_file(path, form, encoding) for path in files]
    return [*sources, *(without_markup(_text(text), form or "text") for text in texts)]


def batch_inputs(
    arguments: Sequence[str],
    files: Sequence[Path],
    texts: Sequence[str],
    reading: Reading,
    required: bool,
) -> list[Input]:
    """Return the inputs of a command if it is a batch; nothing if it shows the senses of texts.

    Args:
        arguments: as of `read_sources`.
        files: names of files.
        texts: texts.
        reading: how they are read.
        required: whether an option asks for a batch; files of JSON Lines and CoNLL-U, and tables, always are one.
    """
    form = reading.form
    if form is not None and form not in FORMATS:
        raise unknown("format", form, FORMATS)
    inputs = [Input(name, form or form_of(name), reading) for name in [*arguments, *map(str, files)]]
    batch_input = next((item for item in inputs if item.form in BATCH_FORMATS), None)
    if batch_input is None and not required and form not in BATCH_FORMATS:
        return []
    if texts or not inputs:
        raise UsageError(f"a batch reads files, and {'--text is none' if texts else 'there is none'}; {BATCH}")
    for item in inputs:
        if item.name != "-" and not (_exists(Path(item.name)) and not Path(item.name).is_dir()):
            raise UsageError(f"{_shorten(item.name)}: no such file; {BATCH}")
    return inputs


def form_of(name: str) -> str:
    """Return the format that the name of a file tells.

    >>> form_of("a.conllu"), form_of("b.ndjson"), form_of("c.HTML"), form_of("The river bank."), form_of("-")
    ('conllu', 'jsonl', 'html', 'text', 'text')
    """
    # A text may end with .html as well, but a name of a file that is meant has no white space.
    suffix = "" if any(sign.isspace() for sign in name) else Path(name).suffix.lower()
    forms = {"jsonl": JSON_LINES, "conllu": CONLLU, "html": PAGES, "xml": XML, "csv": (".csv",), "tsv": (".tsv",)}
    return next((form for form, suffixes in forms.items() if suffix in suffixes), "text")


def expand_patterns(arguments: Sequence[str]) -> list[str]:
    """Return arguments with patterns such as `corpus/**/*.txt` replaced by the files that match, in order."""
    return [name for argument in arguments for name in (_matching(argument) if _is_pattern(argument) else [argument])]


def _is_pattern(argument: str) -> bool:
    name = not any(sign.isspace() for sign in argument) and Path(argument).suffix.lower() in SUFFIXES
    return name and has_magic(argument) and not _exists(Path(argument))


def _matching(pattern: str) -> list[str]:
    names = sorted(glob(pattern, recursive=True))  # noqa: PTH207 -- Path.glob refuses absolute patterns
    if not names:
        raise UsageError(f"{_shorten(pattern)}: no file matches; --text takes it as text")
    return names


def _argument(argument: str, form: str | None, encoding: str | None) -> TextSource:
    """Return the source that an argument stands for: what is not the name of a file is text, however long it is."""
    if argument == "-":
        blocks = stream_blocks(sys.stdin.buffer, "standard input", encoding or UTF_8)
        return without_markup(TextSource("-", blocks), form or "text")
    path = Path(argument)
    if argument and _exists(path):
        return _file(path, form, encoding)
    if _looks_like_a_path(argument):
        raise UsageError(f"{_shorten(argument)}: no such file; --text takes it as text")
    return without_markup(_text(argument), form or "text")


def _looks_like_a_path(argument: str) -> bool:
    """Return whether a text would be a mistyped name of a file: one word with slashes or an ending, or a full path.

    >>> [_looks_like_a_path(text) for text in ("a.tex", "texts/novel", "A river.", "U.S.", "He read notes.txt")]
    [True, True, False, False, False]
    """
    path = Path(argument)
    if any(sign.isspace() for sign in argument):
        # A sentence may have slashes and end with the name of a file; that of a folder that exists is no accident.
        return path.suffix.lower() in SUFFIXES and "/" in argument and _exists(path.parent)
    return "/" in argument or "\\" in argument or _ENDING.fullmatch(path.suffix) is not None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than a name may be; a null byte
        return False


def _own_encoding(path: Path, form: str) -> str:
    """Return the encoding that an XML document declares; UTF-8 for others, and for pipes, which are read only once."""
    if form != "xml" or not path.is_file():
        return UTF_8
    from swarmkit_text.xml_text import declared_encoding

    with path.open("rb") as file:
        return check_encoding(declared_encoding(file.read(200)))


def _file(path: Path, form: str | None, encoding: str | None) -> TextSource:
    """Return a file as a source; one that can be read twice is checked to the end, before anything is printed."""
    if not _exists(path):
        raise UsageError(f"{_shorten(str(path))}: no such file")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; expected a file of English text, or --text to take its name as text")
    form = form or form_of(str(path))
    encoding = encoding or _own_encoding(path, form)

    def source() -> TextSource:
        return without_markup(TextSource(str(path), file_blocks(path, encoding)), form)

    # A pipe (/dev/stdin, <(…)) can be read only once.
    if path.is_file():
        for _ in source().blocks:
            pass
    return source()


def _text(text: str) -> TextSource:
    """Return a text as a source."""
    if any("\ud800" <= sign <= "\udfff" for sign in text):  # how Python spells bytes that are not UTF-8
        raise UsageError(f"{quoted(text)}: bytes that are not UTF-8; expected English text in UTF-8")
    return TextSource("text", [text])


def _shorten(name: str) -> str:
    return name if len(name) <= 200 else name[:199] + "…"
