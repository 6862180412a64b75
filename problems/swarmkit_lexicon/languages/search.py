"""Search this machine for tab files: a folder that is named, $SWARMKIT_WORDNETS, NLTK's data."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from swarmkit import MissingError, UsageError
from swarmkit_lexicon.languages.codes import Code
from swarmkit_lexicon.languages.tab_file import TabFile
from swarmkit_lexicon.search import nltk_folders

VARIABLE = "SWARMKIT_WORDNETS"
"""The environment variable that names folders with tab files, separated as in PATH."""

NLTK_NAMES = ("omw-1.4", "omw")
"""NLTK's packages of tab files, the newest first."""

_NAME = re.compile(r"wn-data-([a-z]{3})\.tab(\.xz|\.gz)?", re.IGNORECASE)


def find_tab_file(code: Code, named: str | None = None) -> TabFile:
    """Return the tab file of a language.

    Args:
        code: the language.
        named: a folder, in which and in whose folders the file is looked for, or the file itself.

    Raises:
        MissingError: there is none; says where it was looked for, which languages are there, and how to get it.
    """
    if named is not None and Path(named).is_file() and not named.lower().endswith(".zip"):
        return TabFile(Path(named))
    if named is not None and not Path(named).exists():
        raise UsageError(
            f"wordnets: there is no {named}; expected a folder with files such as wn-data-{code.three}.tab"
        )
    others: set[str] = set()
    places = _places(named)
    for place in places:
        for language, file in tab_files(place, code.three):
            if language == code.three:
                return file
            others.add(language)
    looked = (
        f"was looked for in {', '.join(map(str, places))}" if places else "is in no folder that is named, nor in NLTK's"
    )
    found = f" Languages found there: {', '.join(sorted(others))}." if others else ""
    raise MissingError(
        f"no wordnet for the language '{code.three}': wn-data-{code.three}.tab (or .tab.xz, .tab.gz) "
        f"{looked}.{found} Ways out:\n"
        f"  1. download the Open Multilingual Wordnet: 'python -m nltk.downloader omw-1.4';\n"
        f"  2. name a folder that has the file: --wordnets DIR, wordnets=DIR in Python, or {VARIABLE}."
    )


def found_tab_files() -> Iterator[tuple[str, TabFile, bool]]:
    """Iterate over the tab files on this machine: the language, the file, and whether it is the one that is used."""
    seen: set[str] = set()
    for place in _places(None):
        for language in sorted({language for language, _ in tab_files(place)}):
            own = [file for other, file in tab_files(place, language) if other == language]
            for number, file in enumerate(own):
                yield language, file, number == 0 and language not in seen
            seen.add(language)


def _places(named: str | None) -> list[Path]:
    """Return the folders and archives that exist, in the order of preference; a named one is the only one."""
    if named is not None:
        return [Path(named)]
    listed = [Path(part).expanduser() for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    nltk = [
        folder / "corpora" / f"{name}{suffix}"
        for folder in nltk_folders()
        for name in NLTK_NAMES
        for suffix in ("", ".zip")
    ]
    return [place for place in [*listed, *nltk] if place.exists()]


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
    for path, file in sorted(files, key=lambda one: (one[0].parent.name != language, str(one[0]))):
        if name := _NAME.fullmatch(path.name):
            yield name[1].lower(), file
