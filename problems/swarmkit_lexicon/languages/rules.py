"""The spelling of entries in other languages; function words of a language and endings of its forms, from a file.

A language without a file beside this one is read by general rules: its words are not cut, and every word that has an
entry is disambiguated.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_SIGNS = str.maketrans(
    {"\u2019": "'", "\u00b4": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None, "œ": "oe", "æ": "ae"}
)
# An apostrophe ends a word of its own (l' homme), whether a space follows or not.
_APART = re.compile(r"'\s+")


def entry_form(text: str) -> str:
    """Return a word or phrase as an entry: small letters with accents, underscores for spaces but behind apostrophes.

    >>> entry_form("Pomme de terre"), entry_form("dell\u2019 Acqua"), entry_form("Œil")
    ('pomme_de_terre', "dell'acqua", 'oeil')
    """
    plain = unicodedata.normalize("NFC", text).lower().translate(_SIGNS)
    return "_".join(_APART.sub("'", plain.replace("_", " ")).split())


FOLDER = Path(__file__).parent / "rules"

NO_SPACES = frozenset({"cmn", "jpn", "tha"})
"""Languages whose words are not separated by spaces: only lists of words can be read."""


class LanguageRules(NamedTuple):
    """What is known of a language beside its lemmas; words are as `entry_form` spells them."""

    has_file: bool
    """Whether there is a file of rules."""
    determiners: frozenset[str]
    prepositions: frozenset[str]
    pronouns: frozenset[str]
    """Behind which comes a verb."""
    clitics: frozenset[str]
    """What may stand between such a pronoun and the verb."""
    auxiliaries: frozenset[str]
    reflexives: frozenset[str]
    """Behind which a verb may be an entry that ends with -si."""
    function: frozenset[str]
    """All words that are left alone."""
    nouns: Mapping[str, frozenset[str]]
    """Function words that are nouns behind some words."""
    endings: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By part of speech: endings of forms, and those of the lemmas that they may stand for."""


@lru_cache(maxsize=32)
def language_rules(language: str) -> LanguageRules:
    """Return the rules of a language, by its code of three letters."""
    return make_rules(read_rules(language))


def read_rules(language: str) -> dict[str, Any]:
    """Return the content of the file of a language; without a file nothing."""
    path = FOLDER / f"{language}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def make_rules(values: Mapping[str, Any]) -> LanguageRules:
    """Return the rules that the content of a file says; without any, the general ones."""
    kinds = {
        name: _words(values.get(name, ""))
        for name in ("determiners", "prepositions", "pronouns", "clitics", "auxiliaries")
    }
    return LanguageRules(
        bool(values),
        **kinds,
        reflexives=_words(values.get("reflexives", "")),
        function=frozenset().union(*kinds.values(), _words(values.get("others", ""))),
        nouns={word: _words(before) for word, before in values.get("nouns", {}).items()},
        endings={pos: _endings(lemmas_of) for pos, lemmas_of in values.get("endings", {}).items()},
    )


def _words(words: str) -> frozenset[str]:
    return frozenset(map(entry_form, words.split()))


def _endings(lemmas_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return endings of forms with those of the lemmas; "*" stands for none."""
    return {form: tuple(lemma.replace("*", "") for lemma in lemmas.split()) for form, lemmas in lemmas_of.items()}
