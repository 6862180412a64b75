"""The files of SemEval-2007 task 10 (McCarthy & Navigli 2007): sentences, gold substitutes, answers.

sentences:  XML, <lexelt item="bright.a"> <instance id="1"> <context>… <head>bright</head> …</context>
            or a line each, separated by tabs: bright.a  1  13  during the siege , …  (13: the word's number, from 0)
gold:       bright.a 1 :: intelligent 3;clever 3;smart 1;     (with the number of annotators)
answers:    bright.a 1 :: intelligent;clever       `best`: one answer, or several that share the credit
            bright.a 1 ::: intelligent;clever;…    `oot`: up to ten
            bright.a 1 :::: intelligent;clever;…   a ranking of given candidates, for GAP

An item whose target turned out to be another part of speech has both in its name: bar.n.v is the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from swarmkit import UsageError, XmlReader, quoted, read_text, write_atomically, wrong_line
from swarmkit_text.corpus import POS, Pos

SENTENCES = "sentences of SemEval-2007 task 10: XML, or lines 'word.pos TAB id TAB number TAB sentence'"
GOLD = "a gold file with lines 'word.pos id :: substitute count;substitute count;'"

Kind = Literal["best", "oot", "ranked"]
MARKS: Mapping[Kind, str] = {"best": "::", "oot": ":::", "ranked": "::::"}
"""What separates the item from its answers."""

NAME = re.compile(r"(?P<lemma>[^\s;:]+?)\.(?P<pos>[nvar])(\.(?P<meant>[nvar]))?")
LINE = re.compile(r"(?P<name>\S+) (?P<id>\S+) (?P<mark>:{2,4})(?P<rest>(?: .*)?)")


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with a target word."""

    name: str
    """Lemma and part of speech: `bright.a`, or `bar.n.v`."""
    id: str
    words: tuple[str, ...]
    at: int
    """The number of the target among the words, from 0."""

    @property
    def lemma(self) -> str:
        """The lemma of the target, with underscores for spaces."""
        return _parts(self.name)["lemma"].lower().replace(" ", "_")

    @property
    def pos(self) -> Pos:
        """The part of speech of the target: the one that is meant, if the name has two."""
        parts = _parts(self.name)
        return POS[POS.index(parts["meant"] or parts["pos"])]


@dataclass(frozen=True, slots=True)
class Gold:
    """The substitutes of an item, with the number of annotators who gave each."""

    name: str
    id: str
    counts: Mapping[str, int]

    @property
    def lexelt(self) -> str:
        """The target word under which the task lists the item, such as `bar.n` for `bar.n.v`."""
        parts = _parts(self.name)
        return f"{parts['lemma']}.{parts['pos']}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answers to an item, the best first."""

    name: str
    id: str
    substitutes: tuple[str, ...]


def _parts(name: str) -> re.Match[str]:
    match = NAME.fullmatch(name)
    if match is None:
        raise UsageError(f"{quoted(name)} is not a target; expected a lemma and n, v, a or r, such as 'bright.a'.")
    return match


def read_items(path: str | Path) -> list[Item]:
    """Return the sentences of a file in either format, which is detected."""
    text = read_text(path, SENTENCES)
    items = _XmlItems(path, SENTENCES).read(text) if text.lstrip().startswith("<") else list(_tab_items(path, text))
    if not items:
        raise UsageError(f"{path}: no sentences found; expected {SENTENCES}.")
    ids = set[str]()
    for item in items:
        if item.id in ids:
            raise UsageError(f"{path}: the id {quoted(item.id)} is there twice; expected each once.")
        ids.add(item.id)
    return items


def _tab_items(path: str | Path, text: str) -> Iterator[Item]:
    for number, line in _lines(text):
        fields = line.split("\t")
        if len(fields) != 4 or NAME.fullmatch(fields[0]) is None or not re.fullmatch(r"\d{1,9}", fields[2], re.ASCII):
            raise wrong_line(path, number, f"{quoted(line)}; expected {SENTENCES}")
        words = tuple(fields[3].split())
        if int(fields[2]) >= len(words):
            message = f"word number {fields[2]} of a sentence of {len(words)} words; expected a number from 0"
            raise wrong_line(path, number, message)
        yield Item(fields[0], fields[1].strip(), words, int(fields[2]))


class _XmlItems(XmlReader):
    """Builds items from the events of an XML parser."""

    def __init__(self, path: str | Path, expected: str) -> None:
        super().__init__(path, expected)
        self._name = self._id = ""
        self._words: list[str] | None = None
        self._heads: list[int] = []
        self._items: list[Item] = []
        self._text: list[str] = []

    def read(self, text: str) -> list[Item]:
        """Return the items of the file's text."""
        self.parse(text)
        return self._items

    def started(self, element: str, attributes: dict[str, str]) -> None:
        if element == "lexelt":
            self._name = attributes.get("item", "")
            if NAME.fullmatch(self._name) is None:
                self.refuse(f"<lexelt item={quoted(self._name)}>; expected a word and its part of speech: 'bright.a'")
        elif element == "instance":
            self._id = attributes.get("id", "").strip() or self.refuse("<instance> without id=; expected one")
        elif element == "context":
            self._words, self._heads = [], []
        elif element == "head":
            self._take_words()
            # The head will be the next word: the words before it have just been taken.
            self._heads.append(len(self._words or []))

    def characters(self, data: str) -> None:
        if self._words is not None:
            self._text.append(data)

    def _take_words(self) -> None:
        if self._words is not None:
            self._words += "".join(self._text).split()
        self._text.clear()

    def ended(self, element: str) -> None:
        if element == "head" and self._words is not None:
            surface = " ".join("".join(self._text).split())
            self._text.clear()
            self._words.append(surface or self.refuse("an empty <head>; expected the target word"))
        elif element == "context":
            self._take_words()
            words, self._words = self._words or [], None
            if len(self._heads) != 1:
                self.refuse(f"{len(self._heads)} <head> elements in instance {quoted(self._id)}; expected one")
            if not self._name or not self._id:
                self.refuse("<context> outside <lexelt> and <instance>; expected it inside both")
            self._items.append(Item(self._name, self._id, tuple(words), self._heads[0]))


def read_gold(path: str | Path) -> dict[str, Gold]:
    """Return the gold substitutes of each item, by its id."""
    items: dict[str, Gold] = {}
    for number, line in _item_lines(path, GOLD, "gold substitutes"):
        counts: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in line["rest"].split(";"))):
            substitute, _, count = part.rpartition(" ")
            if (
                line["mark"] != MARKS["best"]
                or not substitute.strip()
                or not re.fullmatch(r"[1-9]\d{0,5}", count, re.ASCII)
            ):
                raise wrong_line(path, number, f"{quoted(part)}; expected {GOLD}")
            # Spellings that are compared as equal are one substitute.
            counts[plain(substitute)] = counts.get(plain(substitute), 0) + int(count)
        items[line["id"]] = Gold(line["name"], line["id"], counts)
    return items


def read_answers(path: str | Path) -> tuple[Kind, dict[str, Answer]]:
    """Return the kind of an answers file, which its lines tell, and the answers by the item's id."""
    expected = "answers with lines 'word.pos id :: a;b' (best), '::: a;b;…' (oot) or ':::: a;b;…' (ranked)"
    answers: dict[str, Answer] = {}
    first_mark = ""
    for number, line in _item_lines(path, expected, "answers"):
        first_mark = first_mark or line["mark"]
        if line["mark"] != first_mark:
            raise wrong_line(
                path, number, f"'{line['mark']}' after lines with another mark; expected one kind of answers"
            )
        answers[line["id"]] = Answer(line["name"], line["id"], tuple(filter(None, map(plain, line["rest"].split(";")))))
    return next(kind for kind, mark in MARKS.items() if mark == first_mark), answers


def answer_lines(answers: Iterable[Answer], kind: Kind) -> Iterator[str]:
    """Iterate over the lines of an answers file.

    >>> list(answer_lines([Answer("bright.a", "1", ("clever", "smart"))], "oot"))
    ['bright.a 1 ::: clever;smart']
    """
    return (f"{item.name} {item.id} {MARKS[kind]} {';'.join(item.substitutes)}".rstrip() for item in answers)


def write_answers(path: str | Path, answers: Sequence[Answer], kind: Kind) -> None:
    """Write an answers file atomically: a reader sees the old file or the whole new one."""
    write_atomically(Path(path), "".join(line + "\n" for line in answer_lines(answers, kind)).encode())


def plain(substitute: str) -> str:
    """Return a substitute as it is compared: lower case, single spaces, no apostrophes.

    >>> plain(" Well-Lit "), plain("don't_care")
    ('well-lit', 'dont care')
    """
    return " ".join(substitute.lower().replace("_", " ").replace("'", "").split())


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Iterate over the lines that are not empty, numbered from 1."""
    return ((number, line) for number, line in enumerate(re.split("\r\n|\r|\n", text), 1) if line.strip())


def _item_lines(path: str | Path, expected: str, content: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Iterate over the numbered lines of a gold or answers file, which has at least one, and each id once."""
    ids = set[str]()
    for number, text in _lines(read_text(path, expected)):
        line = LINE.fullmatch(text.strip())
        if line is None or NAME.fullmatch(line["name"]) is None:
            raise wrong_line(path, number, f"{quoted(text)}; expected {expected}")
        if line["id"] in ids:
            raise wrong_line(path, number, f"the id {quoted(line['id'])} is there twice; expected each once")
        ids.add(line["id"])
        yield number, line
    if not ids:
        raise UsageError(f"{path}: no {content} found; expected {expected}.")
