"""Key files: the sense keys of instances, gold or answered, in the official formats.

SemEval-2007 task 7:  text id key [key ...] !! lemma=word#pos     (what follows !! is a comment)
unified framework:    id key [key ...]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swarmkit import UsageError, quoted, read_text, write_atomically, wrong_line
from swarmkit_text.corpus import Corpus, Format, Pos

SENSE_KEY = re.compile(r"[^%\s]+%([1-5]):\d\d:\d\d:[^:\s]*:(\d\d)?", re.ASCII)
SENSE_TYPES: dict[str, Pos] = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
SHAPES: dict[Format, str] = {"coarse": "'text id key ... !! comment'", "unified": "'id key ...'"}
EXPECTED = f"a key file with lines {SHAPES['coarse']} or {SHAPES['unified']}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a key file: an instance, its text and its sense keys."""

    id: str
    text: str
    keys: tuple[str, ...]

    @property
    def pos(self) -> Pos:
        """The part of speech, which is part of every sense key."""
        return sense_pos(self.keys[0])


def sense_pos(key: str) -> Pos:
    """Return the part of speech of a sense key; satellite adjectives are adjectives.

    >>> sense_pos("great%5:00:01:important:00")
    'a'
    """
    found = SENSE_KEY.fullmatch(key)
    if found is None:
        raise UsageError(f"{quoted(key)} is not a sense key; expected one such as 'art%1:09:00::'.")
    return SENSE_TYPES[found[1]]


def read_keys(path: str | Path) -> dict[str, Entry]:
    """Return the entries of a key file in either format, by id."""
    return _read(path, None)


def read_answers(path: str | Path, gold: Collection[str], whose: str = "gold key") -> dict[str, tuple[str, ...]]:
    """Return the answered sense keys by id, from a file in either format; every id must be in the gold key.

    Args:
        path: the file.
        gold: the ids of the gold key.
        whose: what has these ids, for the message about another one.
    """
    return {name: entry.keys for name, entry in _read(path, gold, whose).items()}


def _read(path: str | Path, known: Collection[str] | None, whose: str = "") -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    lines: dict[str, int] = {}
    shape: Format | None = None
    for number, line in enumerate(re.split("\r\n|\r|\n", read_text(path, EXPECTED)), 1):
        fields = line.partition("!!")[0].split()
        if not fields:
            continue
        shape = shape or _shape(fields)
        entry = _entry(path, number, fields, shape)
        if entry.id in lines:
            raise wrong_line(path, number, f"{quoted(entry.id)} is on line {lines[entry.id]} already; expected it once")
        if known is not None and entry.id not in known:
            raise wrong_line(
                path, number, f"{quoted(entry.id)} is not in the {whose}; expected answers to its instances only"
            )
        lines[entry.id], entries[entry.id] = number, entry
    if known is None and not entries:
        raise UsageError(f"{path}: no sense keys found; expected {EXPECTED}.")
    return entries


def _shape(fields: list[str]) -> Format:
    """Return the format of a line: only the unified one has a sense key in second place."""
    return "unified" if len(fields) > 1 and SENSE_KEY.fullmatch(fields[1]) else "coarse"


def _entry(path: str | Path, number: int, fields: list[str], shape: Format) -> Entry:
    """Parse the fields of a line."""
    head = 2 if shape == "coarse" else 1
    keys = tuple(fields[head:])
    if not keys:
        raise wrong_line(path, number, f"{quoted(' '.join(fields))} has no sense key; expected {SHAPES[shape]}")
    for key in keys:
        if SENSE_KEY.fullmatch(key) is None:
            what = f"{quoted(key)} is not a sense key; expected {SHAPES[shape]} with keys such as 'art%1:09:00::'"
            raise wrong_line(path, number, what)
    identity = fields[head - 1]
    return Entry(identity, fields[0] if shape == "coarse" else text_of(identity), keys)


def text_of(identity: str) -> str:
    """Return the id of the text of an instance, given the instance's id in the unified format.

    >>> text_of("senseval2.d000.s003.t001")
    'senseval2.d000'
    """
    parts = identity.rsplit(".", 2)
    return parts[0] if len(parts) == 3 else ""


def answer_lines(corpus: Corpus, answers: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the lines of an answers file, in the corpus's official format and order.

    Args:
        corpus: the corpus that was answered.
        answers: sense key by instance id, or several, separated by spaces; instances without an answer have no line.
    """
    unknown = set(answers).difference(token.id or "" for _, token in corpus.targets())
    if unknown:
        raise UsageError(f"an answer to {quoted(min(unknown))}, which is not an instance of the corpus.")
    for text, token in corpus.targets():
        key = answers.get(token.id or "")
        if key is not None:
            comment = f" !! lemma={token.lemma}#{token.pos}"
            yield f"{text.id} {token.id} {key}{comment}" if corpus.format == "coarse" else f"{token.id} {key}"


def write_answers(path: str | Path, corpus: Corpus, answers: Mapping[str, str]) -> None:
    """Write an answers file atomically: a reader sees the old file or the whole new one."""
    write_atomically(Path(path), "".join(line + "\n" for line in answer_lines(corpus, answers)).encode())
