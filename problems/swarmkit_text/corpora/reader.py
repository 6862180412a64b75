"""Reader of corpora: SemEval-2007 task 7 (coarse) and the unified evaluation framework; the format is detected.

Navigli, Litkowski & Hargraves 2007: words without an element, one to a line, between <instance pos="n">.
Raganato, Camacho-Collados & Navigli 2017: every word in a <wf> or <instance>, with universal tags (pos="NOUN").
"""

from __future__ import annotations

from pathlib import Path

from swarmkit import XmlReader, quoted, read_text
from swarmkit_text.corpus import POS, Corpus, Format, Pos, Sentence, Text, Token, lemma_form

EXPECTED = "a corpus of SemEval-2007 task 7 or of the unified evaluation framework (XML)"
PARENTS = {"corpus": None, "text": "corpus", "sentence": "text", "instance": "sentence", "wf": "sentence"}
"""The element in which each element must be."""

REQUIRED = {
    "corpus": (),
    "text": ("id",),
    "sentence": ("id",),
    "instance": ("id", "lemma", "pos"),
    "wf": ("lemma", "pos"),
}
"""The attributes that each element must have."""

UNIVERSAL: dict[str, Pos] = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
COARSE: dict[str, Pos] = {pos: pos for pos in POS}


def read_corpus(path: str | Path) -> Corpus:
    """Read a corpus in either format."""
    return _Reader(path, EXPECTED).read(read_text(path, EXPECTED))


class _Reader(XmlReader):
    """Builds a corpus from the events of an XML parser."""

    def __init__(self, path: str | Path, expected: str) -> None:
        super().__init__(path, expected)
        self._open: list[str] = []
        self._attributes: dict[str, str] = {}
        self._loose: list[str] = []
        self._format: Format | None = None
        self._lines_of: dict[tuple[str, str], int] = {}
        self._texts: list[Text] = []
        self._sentences: list[Sentence] = []
        self._tokens: list[Token] = []
        self._ids: dict[str, str] = {}

    def read(self, text: str) -> Corpus:
        """Return the corpus of the file's text."""
        self.parse(text)
        return Corpus(self._format or "unified", tuple(self._texts))

    def started(self, name: str, attributes: dict[str, str]) -> None:
        self._check_place(name)
        self._check_attributes(name, attributes)
        if name == "sentence":
            self._loose.clear()
        elif name in ("instance", "wf"):
            self._take_loose()
            self._attributes = attributes
        self._open.append(name)
        if name in ("text", "sentence"):
            self._ids[name] = attributes["id"]

    def ended(self, name: str) -> None:
        self._open.pop()
        if name in ("instance", "wf"):
            self._take_token(name)
        elif name == "sentence":
            self._take_loose()
            self._sentences.append(Sentence(self._ids[name], tuple(self._tokens)))
            self._tokens.clear()
        elif name == "text":
            self._texts.append(Text(self._ids[name], tuple(self._sentences)))
            self._sentences.clear()

    def characters(self, data: str) -> None:
        if self._open[-1] in ("corpus", "text"):
            if data.strip():
                self.refuse(f"words outside a <sentence>: {quoted(data.strip())}")
            return
        self._loose.append(data)

    def _take_loose(self) -> None:
        for word in "".join(self._loose).split():
            self._add(word, lemma_form(word), None, None)
        self._loose.clear()

    def _take_token(self, name: str) -> None:
        surface = " ".join("".join(self._loose).split())
        self._loose.clear()
        lemma = lemma_form(self._attributes["lemma"])
        if not surface or not lemma:
            self.refuse(f"an empty <{name}>; expected a word and its lemma")
        self._add(surface, lemma, self._pos(name), self._attributes.get("id") if name == "instance" else None)

    def _add(self, surface: str, lemma: str, pos: Pos | None, name: str | None) -> None:
        at = len(self._tokens)
        self._tokens.append(Token(surface, lemma, pos, at, at + 1, name))

    def _pos(self, name: str) -> Pos | None:
        """Return the part of speech of the tag; the first tag of the file decides which of the two formats it has."""
        tag = self._attributes["pos"]
        if self._format is None:
            self._format = "coarse" if name == "instance" and tag in COARSE else "unified"
        known = COARSE if self._format == "coarse" else UNIVERSAL
        if name == "instance" and tag not in known:
            self.refuse(f"pos={quoted(tag)}; expected one of {', '.join(known)}")
        return known.get(tag)

    def _check_place(self, name: str) -> None:
        inside = self._open[-1] if self._open else None
        if name not in PARENTS or PARENTS[name] != inside:
            where = f"inside <{inside}>" if inside else "as the root"
            expected = [f"<{child}>" for child, parent in PARENTS.items() if parent == inside] or ["only words"]
            self.refuse(f"<{name}> {where}; expected {' or '.join(expected)}")

    def _check_attributes(self, name: str, attributes: dict[str, str]) -> None:
        for required in REQUIRED[name]:
            if not attributes.get(required, "").strip():
                self.refuse(f"<{name}> without {required}=; expected {', '.join(REQUIRED[name])}")
        if name == "wf" or "id" not in attributes:
            return
        identity = attributes["id"]
        if any(mark.isspace() for mark in identity):
            self.refuse(f"id={quoted(identity)} has white space in it; expected one word, as in answer files")
        first = self._lines_of.get((name, identity))
        if first is not None:
            self.refuse(f"id={quoted(identity)} was used already on line {first}; expected every id once")
        self._lines_of[name, identity] = self.line
