"""Reader of SemCor's tagged files (the format of WordNet's semantic concordances).

A file holds one text: `<s>` sentences of `<wf>` words and `<punc>` marks, one to a line, attributes without quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from swarmkit import UsageError, read_text, wrong_line
from swarmkit_text.corpora.keys import SENSE_KEY, sense_pos
from swarmkit_text.corpus import Pos, Sentence, Text, Token, lemma_form

EXPECTED = "a file of SemCor's format (<contextfile …>)"

_CONTEXT = re.compile(r"<context filename=([\w.-]+)")
_ELEMENT = re.compile(r"<(wf|punc)([^>]*)>([^<]*)</\1>")
_ATTRIBUTE = re.compile(r"(\w+)=([^\s>]+)")


@dataclass(frozen=True)
class LabelledText:
    """A text and the right sense keys of its targets, by id."""

    text: Text
    keys: dict[str, tuple[str, ...]]
    counted: bool
    """Whether WordNet's sense counts include this text, as they do for SemCor's."""


def is_semcor(path: Path) -> bool:
    """Return whether a file begins as SemCor's files do."""
    with path.open("rb") as file:
        return file.read(12) == b"<contextfile"


def read_semcor(path: Path) -> LabelledText:
    """Read a file of SemCor; words tagged as proper names, or without a well-formed sense key, are no targets."""
    content = read_text(path, EXPECTED)
    named = _CONTEXT.search(content)
    if named is None:
        raise UsageError(f"{path}: no <context filename=…>; expected {EXPECTED}.")
    name = named[1]
    sentences: list[Sentence] = []
    tokens: list[Token] = []
    keys: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(content.splitlines(), 1):
        if line.startswith("<s "):
            tokens = []
        elif line.startswith("</s>"):
            sentences.append(Sentence(f"{name}.s{len(sentences):03}", tuple(tokens)))
        elif line.startswith(("<wf", "<punc")):
            found = _ELEMENT.fullmatch(line.strip())
            if found is None:
                raise wrong_line(path, number, f"a word that cannot be read; expected {EXPECTED}")
            at = len(tokens)
            surface = found[3].replace("_", " ").strip() or "_"
            identity = f"{name}.s{len(sentences):03}.t{at:03}"
            given = dict(_ATTRIBUTE.findall(found[2]))
            right = _keys(given)
            lemma = lemma_form(given.get("lemma", surface))
            pos: Pos | None = sense_pos(right[0]) if right else None
            tokens.append(Token(surface, lemma, pos, at, at + 1, identity if right else None))
            if right:
                keys[identity] = right
    return LabelledText(Text(name, tuple(sentences)), keys, counted=True)


def _keys(given: dict[str, str]) -> tuple[str, ...]:
    """Return the sense keys of a word by its attributes; none for proper names and words without a sense."""
    if given.get("cmd") != "done" or "lexsn" not in given or "pn" in given:
        return ()
    lemma = lemma_form(given.get("lemma", ""))
    found = tuple(f"{lemma}%{part}" for part in given["lexsn"].split(";"))
    return found if all(SENSE_KEY.fullmatch(key) for key in found) else ()
