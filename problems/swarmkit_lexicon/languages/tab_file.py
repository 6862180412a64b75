"""Tab files of the Open Multilingual Wordnet: lemmas and definitions of one language by WordNet 3.0's synsets.

A line is a synset (offset and part of speech), a kind (`fra:lemma` or `lemma`, `def`, `exe`), for definitions and
examples a number, and the text, separated by tabs; lines that begin with # are comments.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from swarmkit import UsageError, decode_text, quoted, read_text, wrong_line

EXPECTED = "lines of a tab file such as '00001740-n<tab>fra:lemma<tab>entité'"

NO_LEMMA = frozenset({"GAP!", "PSEUDOGAP!"})
"""What MultiWordNet writes for synsets that the language has no word for."""

_SYNSET = re.compile(r"(\d{8})-([nvars])")
_KIND = re.compile(r"(?:([a-z]{3}):)?([a-z]+)(:[\w:.-]+)?")


@dataclass(frozen=True)
class TabFile:
    """A tab file on this machine: a plain or compressed file, or one in NLTK's archive."""

    path: Path
    member: str | None = None
    """Its name in the archive."""

    @cached_property
    def sha256(self) -> str:
        """The hash of the file as it is stored."""
        try:
            data = self.path.read_bytes() if self.member is None else self._extracted()
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be read ({error.strerror}); expected {EXPECTED}") from error
        return hashlib.sha256(data).hexdigest()

    def text(self) -> str:
        """Return the content."""
        if self.member is None:
            return read_text(self.path, EXPECTED)
        return decode_text(self._extracted(), self.path, EXPECTED)

    def _extracted(self) -> bytes:
        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(str(self.member))
        except (KeyError, zipfile.BadZipFile, zlib.error) as error:
            raise UsageError(f"{self.path}: {self.member} cannot be read ({error}); expected {EXPECTED}") from error


@dataclass
class Entries:
    """The content of a tab file; a synset is its offset and its part of speech, where a includes satellites."""

    name: str = ""
    """What the first line says about the file: name, language, address, licence."""
    lemmas: list[tuple[int, str, str, int]] = field(default_factory=list)
    """Offset, part of speech, lemma as it is written, and number of the line."""
    definitions: dict[tuple[int, str], str] = field(default_factory=dict)
    """The first definition of each synset that has one."""


def parse_tab_file(file: TabFile, language: str) -> Entries:
    """Return the content of a tab file.

    Args:
        file: the file.
        language: the code of three letters, which lines may have before their kind.

    Raises:
        UsageError: with the number of the line that is wrong.
    """
    found = Entries()
    for number, line in enumerate(file.text().splitlines(), 1):
        if line.startswith("#"):
            found.name = found.name or " ".join(line[1:].split())
        elif line.strip():
            _add(found, line.split("\t"), (file.path, number), language)
    if not found.lemmas:
        raise UsageError(f"{file.path}: no lemmas; expected {EXPECTED}")
    return found


def _add(found: Entries, columns: list[str], where: tuple[Path, int], language: str) -> None:
    """Add what a line says."""
    if len(columns) < 3:
        raise wrong_line(*where, f"{len(columns)} columns; expected {EXPECTED}")
    synset, kind = _SYNSET.fullmatch(columns[0]), _KIND.fullmatch(columns[1])
    if synset is None:
        raise wrong_line(*where, f"{quoted(columns[0])} is not a synset; expected {EXPECTED}")
    if kind is None:
        raise wrong_line(*where, f"{quoted(columns[1])} is not a kind; expected {EXPECTED}")
    if kind[1] not in (None, language):
        raise wrong_line(*where, f"the language is '{kind[1]}'; expected '{language}', as in the name of the file")
    at = int(synset[1]), "a" if synset[2] == "s" else synset[2]
    text = " ".join(columns[-1].split())
    if kind[2] == "lemma" and kind[3] is None and text and text not in NO_LEMMA:
        found.lemmas.append((*at, text, where[1]))
    elif kind[2] == "def" and text and not _is_address(text):
        found.definitions.setdefault(at, text)


def _is_address(text: str) -> bool:
    """Return whether a definition is nothing but a reference to a page."""
    return " " not in text and "/" in text
