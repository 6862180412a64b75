"""Tab files of the Open Multilingual Wordnet: lemmas and definitions of one language by WordNet 3.0's synsets.

A line is a synset (offset and part of speech), a kind (`fra:lemma` or `lemma`, `def`, `exe`), for definitions and
examples a number, and the text, separated by tabs; lines that begin with # are comments.
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from swarmkit import MissingError, UsageError, decode_text, quoted, read_text, wrong_line
from swarmkit_lexicon.languages.codes import Code
from swarmkit_lexicon.search import nltk_folders

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
            data = self.path.read_bytes() if self.member is None else self._extract()
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be read ({error.strerror}); expected {EXPECTED}") from error
        return hashlib.sha256(data).hexdigest()

    def text(self) -> str:
        """Return the content."""
        if self.member is None:
            return read_text(self.path, EXPECTED)
        return decode_text(self._extract(), self.path, EXPECTED)

    def _extract(self) -> bytes:
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
    entries = Entries()
    for number, line in enumerate(file.text().splitlines(), 1):
        if line.startswith("#"):
            entries.name = entries.name or " ".join(line[1:].split())
        elif line.strip():
            _add(entries, line.split("\t"), (file.path, number), language)
    if not entries.lemmas:
        raise UsageError(f"{file.path}: no lemmas; expected {EXPECTED}")
    return entries


def _add(entries: Entries, columns: list[str], where: tuple[Path, int], language: str) -> None:
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
    # Tab files write satellites as s or as a; the index of synsets has them as a.
    at = int(synset[1]), "a" if synset[2] == "s" else synset[2]
    text = " ".join(columns[-1].split())
    if kind[2] == "lemma" and kind[3] is None and text and text not in NO_LEMMA:
        entries.lemmas.append((*at, text, where[1]))
    elif kind[2] == "def" and text and not _is_address(text):
        entries.definitions.setdefault(at, text)


def _is_address(text: str) -> bool:
    """Return whether a definition is nothing but a reference to a page."""
    return " " not in text and "/" in text


VARIABLE = "SWARMKIT_WORDNETS"
"""The environment variable that names folders with tab files, separated as in PATH."""

NLTK_NAMES = ("omw-1.4", "omw")
"""NLTK's packages of tab files, the newest first."""

_NAME = re.compile(r"wn-data-([a-z]{3})\.tab(\.xz|\.gz)?", re.IGNORECASE)


def find_tab_file(code: Code, folder: str | None = None) -> TabFile:
    """Return the tab file of a language.

    Args:
        code: the language.
        folder: a folder, in which and in whose folders the file is looked for, or the file itself.

    Raises:
        MissingError: there is none; says where it was looked for, which languages are there, and how to get it.
    """
    if folder is not None and Path(folder).is_file() and not folder.lower().endswith(".zip"):
        return TabFile(Path(folder))
    if folder is not None and not Path(folder).exists():
        raise UsageError(
            f"wordnets: there is no {folder}; expected a folder with files such as wn-data-{code.three}.tab"
        )
    languages: set[str] = set()  # for the message: what the places do have
    places = _places(folder)
    for place in places:
        for language, file in tab_files(place, code.three):
            if language == code.three:
                return file
            languages.add(language)
    places_text = (
        f"was looked for in {', '.join(map(str, places))}" if places else "is in no folder that is named, nor in NLTK's"
    )
    languages_text = f" Languages found there: {', '.join(sorted(languages))}." if languages else ""
    raise MissingError(
        f"no wordnet for the language '{code.three}': wn-data-{code.three}.tab (or .tab.xz, .tab.gz) "
        f"{places_text}.{languages_text} Ways out:\n"
        f"  1. download the Open Multilingual Wordnet: 'python -m nltk.downloader omw-1.4';\n"
        f"  2. name a folder that has the file: --wordnets DIR, wordnets=DIR in Python, or {VARIABLE}."
    )


def list_tab_files() -> Iterator[tuple[str, TabFile, bool]]:
    """Iterate over the tab files on this machine: the language, the file, and whether it is the one that is used."""
    languages: set[str] = set()
    for place in _places(None):
        for language in sorted({language for language, _ in tab_files(place)}):
            files = [file for name, file in tab_files(place, language) if name == language]
            for number, file in enumerate(files):
                yield language, file, number == 0 and language not in languages
            languages.add(language)


def _places(folder: str | None) -> list[Path]:
    """Return the folders and archives that exist, in the order of preference; a named one is the only one."""
    if folder is not None:
        return [Path(folder)]
    folders = [Path(part).expanduser() for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    nltk = [
        folder / "corpora" / f"{name}{suffix}"
        for folder in nltk_folders()
        for name in NLTK_NAMES
        for suffix in ("", ".zip")
    ]
    return [place for place in [*folders, *nltk] if place.exists()]


def tab_files(place: Path, language: str = "") -> Iterator[tuple[str, TabFile]]:
    """Iterate over the tab files of a folder, of the folders in it, or of an archive, with their languages.

    Args:
        place: the folder or archive.
        language: the language whose own folder (ita/wn-data-ita.tab) comes before others (iwn/wn-data-ita.tab).
    """
    if place.suffix.lower() == ".zip":
        try:
            with zipfile.ZipFile(place) as archive:
                names = archive.namelist()
        except (OSError, zipfile.BadZipFile) as error:
            raise UsageError(f"{place}: cannot be read ({error}); expected an archive of tab files") from error
        files = [(Path(name), TabFile(place, name)) for name in names]
    else:
        files = [(path, TabFile(path)) for pattern in ("wn-data-*", "*/wn-data-*") for path in place.glob(pattern)]
    for path, file in sorted(files, key=lambda item: (item[0].parent.name != language, str(item[0]))):
        if name := _NAME.fullmatch(path.name):
            yield name[1].lower(), file
