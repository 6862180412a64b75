"""Tables of texts, CSV or TSV: rows are read, answered and written some at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from swarmkit import UsageError, unknown
from swarmkit_text.tokenizer import split_sentences
from swarmkit_wsd.answers import Sense
from swarmkit_wsd.disambiguation import each_chunk, encode_ahead
from swarmkit_wsd.frames import COLUMNS, SENSES, Rows, free_names
from swarmkit_wsd.raw_text import lexicon_of
from swarmkit_wsd_services.batches import Batch, TaskAnswer

DELIMITERS = {"csv": ",", "tsv": "\t"}
"""The delimiter of each format."""

TEXT = "text"
"""The column of texts if none is named."""

ROW = "row"
"""The column with the number of a text's row in its table, from 1."""

SHORT = ("word", "start", "end", "key", "confidence")
"""What the column of senses has of each sense."""

LARGEST = 1 << 26
"""Characters of the largest cell."""


class Table(NamedTuple):
    """The header of a table, the column that has its texts, and the rows of its answer."""

    delimiter: str
    header: tuple[str, ...]
    column: int
    rows: Rows

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the columns beside the texts."""
        return self.header[: self.column] + self.header[self.column + 1 :]

    @property
    def answer_header(self) -> list[str]:
        """The header of the answer."""
        if self.rows == "texts":
            return [*free_names(self.header, (SENSES,)).values(), SENSES]
        return [ROW, *free_names(self.others, (ROW, *COLUMNS)).values(), *COLUMNS]

    def answer_rows(self, row: Row, senses: list[Sense]) -> list[list[object]]:
        """Return the rows that answer a row."""
        if self.rows == "texts":
            short = [{name: getattr(sense, name) for name in SHORT} for sense in senses]
            return [[*row.cells, json.dumps(short, ensure_ascii=False)]]
        others = row.cells[: self.column] + row.cells[self.column + 1 :]
        return [[row.number, *others, *(getattr(sense, name) for name in COLUMNS)] for sense in senses]


class Row(NamedTuple):
    """A row of a table."""

    number: int
    """From 1; the header is none."""
    where: str
    """The table and the line on which the row ends, for messages."""
    cells: list[str]
    end: int
    """The characters of the table up to its end."""


class TableReader:
    """Reads a table, row by row.

    Args:
        stream: the table.
        name: its name, for messages.
        form: csv or tsv.
        encoding: its encoding.
    """

    def __init__(self, stream: BinaryIO, name: str, form: str, encoding: str) -> None:
        self._name, self._delimiter, self._end = name, DELIMITERS[form], 0
        csv.field_size_limit(LARGEST)
        text = io.TextIOWrapper(stream, encoding, newline="")
        self._text = text  # if it were dropped, it would close the stream
        self._reader = csv.reader(self._lines(text), delimiter=self._delimiter)

    def _lines(self, text: io.TextIOWrapper) -> Iterator[str]:
        while line := text.readline(LARGEST):
            self._end += len(line)
            yield line

    def table(self, column: str | None, rows: Rows) -> Table:
        """Read the header; return the table with the column of this name, by default `text`."""
        header = tuple(next(self._records(), []))
        name = TEXT if column is None else column
        if name not in header:
            raise UsageError(f"{self._name}: {unknown('column', name, header)} --column names the one with the texts.")
        return Table(self._delimiter, header, header.index(name), rows)

    def rows(self) -> Iterator[Row]:
        """Iterate over the rows; blank lines are none."""
        filled = (cells for cells in self._records() if cells)
        for number, cells in enumerate(filled, 1):
            yield Row(number, f"{self._name}:{self._reader.line_num}", cells, self._end)

    def _records(self) -> Iterator[list[str]]:
        try:
            yield from self._reader
        except UnicodeDecodeError as error:
            message = f"bytes that are not {error.encoding}; expected a table in it, or --encoding (latin-1, …)"
            raise UsageError(f"{self._name}:{self._reader.line_num + 1}: {message}") from None
        except csv.Error as error:
            raise UsageError(f"{self._name}:{self._reader.line_num}: {error}; expected a table") from None

    def detach(self) -> None:
        """Leave the stream open to whoever opened it."""
        self._text.detach()


class RowTask(NamedTuple):
    """Some rows of a table, answered by rows; without any, the header of the answer."""

    table: Table
    rows: list[Row]

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return the rows that answer them."""
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.table.delimiter, lineterminator="\n")
        if not self.rows:
            writer.writerow(self.table.answer_header)
        texts = [row.cells[self.table.column] for row in self.rows]
        if len(texts) > 1:
            encode_ahead((words for text in texts for words in split_sentences(text)), batch.options)
        for row, text in zip(self.rows, texts, strict=True):
            chunks = batch.consult(each_chunk(text, lexicon_of(batch.options), batch.options))
            senses = [sense for chunk in chunks for sense in chunk.senses(batch.answers)]
            writer.writerows(self.table.answer_rows(row, senses))
        return TaskAnswer(out.getvalue().encode("utf-8", "backslashreplace"), len(self.rows))


def wrong_row(table: Table, row: Row) -> str | None:
    """Return what is wrong with a row; None if nothing is."""
    if len(row.cells) == len(table.header):
        return None
    return f"{row.where}: {len(row.cells)} cells; expected {len(table.header)}, as the header has"
