"""The function words of a language and the endings of its forms, from a file beside this one.

A language without such a file is read by general rules: its words are not cut, and every word that has an entry is
disambiguated.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit_lexicon.languages.spelling import entry_form

FOLDER = Path(__file__).parent / "rules"

NO_SPACES = frozenset({"cmn", "jpn", "tha"})
"""Languages whose words are not separated by spaces: only lists of words can be read."""


class LanguageRules(NamedTuple):
    """What is known of a language beside its lemmas; words are as `entry_form` spells them."""

    written: bool
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
        endings={pos: _endings(listed) for pos, listed in values.get("endings", {}).items()},
    )


def _words(listed: str) -> frozenset[str]:
    return frozenset(map(entry_form, listed.split()))


def _endings(listed: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return endings of forms with those of the lemmas; "*" stands for none."""
    return {form: tuple(lemma.replace("*", "") for lemma in lemmas.split()) for form, lemmas in listed.items()}
