"""Parsers of WordNet's files: data, index, exceptions, counts (wndb(5WN), cntlist(5WN))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from swarmkit_lexicon.naming import POINTERS
from swarmkit_lexicon.source import Source

POS_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

Exceptions = dict[str, dict[str, list[str]]]
"""By part of speech: irregular form -> base forms."""

_MARKER = re.compile(r"\((?:a|p|ip)\)")


@dataclass(frozen=True)
class Synset:
    """One line of a data file."""

    pos: str
    offset: int
    lexfile: int
    words: list[tuple[str, int]]
    """Each word as written, with its lex_id."""
    pointers: list[tuple[int, str, int, int, int]]
    """Index in POINTERS, part of speech and offset of the target, number of the source word and of the target word."""
    gloss: str


@dataclass(frozen=True)
class Entry:
    """One line of an index file: a lemma and the offsets of its synsets, the most frequent first."""

    lemma: str
    pos: str
    offsets: list[int]


def read_synsets(source: Source) -> Iterator[Synset]:
    """Parse the four data files."""
    for name in POS_FILES.values():
        for line in _lines(source, f"data.{name}"):
            yield parse_synset(line)


def parse_synset(line: str) -> Synset:
    """Parse one line of a data file."""
    columns, _, gloss = line.partition("|")
    fields = columns.split()
    # offset, lexfile, pos, number of words in hexadecimal, words with lex_ids, number of pointers, pointers, …
    words_end = 4 + 2 * int(fields[3], 16)
    names, ids = fields[4:words_end:2], fields[5:words_end:2]
    words = [(name.partition("(")[0], int(lex_id, 16)) for name, lex_id in zip(names, ids, strict=True)]
    first, count = words_end + 1, int(fields[words_end])
    pointers = [_pointer(*fields[at : at + 4]) for at in range(first, first + 4 * count, 4)]
    return Synset(fields[2], int(fields[0]), int(fields[1]), words, pointers, gloss.strip())


def _pointer(symbol: str, offset: str, pos: str, words: str) -> tuple[int, str, int, int, int]:
    return POINTERS.index(symbol), pos, int(offset), int(words[:2], 16), int(words[2:], 16)


def read_entries(source: Source) -> list[Entry]:
    """Parse the four index files; the entries are sorted by lemma and then by part of speech."""
    entries = [
        # The last fields are the offsets; their number is in the third, lemma pos synset_cnt p_cnt ….
        Entry(fields[0], pos, [int(offset) for offset in fields[-int(fields[2]) :]])
        for pos, name in POS_FILES.items()
        for fields in map(str.split, _lines(source, f"index.{name}"))
    ]
    order = {pos: rank for rank, pos in enumerate(POS_FILES)}
    return sorted(entries, key=lambda entry: (entry.lemma, order[entry.pos]))


def read_exceptions(source: Source) -> Exceptions:
    """Parse the four exception lists."""
    return {
        pos: {form: bases for form, *bases in map(str.split, _lines(source, f"{name}.exc"))}
        for pos, name in POS_FILES.items()
    }


def read_counts(source: Source) -> dict[str, int]:
    """Parse the sense counts: sense key -> occurrences in WordNet's tagged texts."""
    # Some heads in cntlist.rev carry their syntactic marker, "afraid(p)", which index.sense and the keys do not.
    rows = (_MARKER.sub("", line).split() for line in _lines(source, "cntlist.rev"))
    return {row[0]: int(row[2]) for row in rows}


def _lines(source: Source, name: str) -> list[str]:
    text = source.read(name).decode("utf-8", "replace")
    return [line for line in text.split("\n") if line and not line.startswith(" ")]
