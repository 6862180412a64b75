"""The rules of a language, from a file beside this one: cuts in words, function words, and what these say about others.

A language without such a file is read by general rules: its words are not cut, and every word that has an entry is
disambiguated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit_wsd.languages.spelling import entry_form
from swarmkit_wsd.text.tokenizer import Cuts, Rules, token_pattern

FOLDER = Path(__file__).parent / "rules"

NO_SPACES = frozenset({"cmn", "jpn", "tha"})
"""Languages whose words are not separated by spaces: only lists of words can be read."""

_APOSTROPHE = "['\u2019]"
_NEVER = r"(?!)"


class LanguageRules(NamedTuple):
    """What is known of a language beside its lemmas; words are as `entry_form` spells them."""

    written: bool
    """Whether there is a file of rules."""
    split: Rules
    """How a text is split."""
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
    path = FOLDER / f"{language}.toml"
    return make_rules(tomllib.loads(path.read_text("utf-8")) if path.is_file() else {})


def make_rules(values: Mapping[str, Any]) -> LanguageRules:
    """Return the rules that the content of a file says; without any, the general ones."""
    kinds = {
        name: _words(values.get(name, ""))
        for name in ("determiners", "prepositions", "pronouns", "clitics", "auxiliaries")
    }
    return LanguageRules(
        bool(values),
        _split(values),
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


def _split(values: Mapping[str, Any]) -> Rules:
    short = values.get("abbreviations", {})
    titles, others = (_alternatives(short.get(name, "")) for name in ("titles", "others"))
    starters = re.compile(_alternatives(short.get("starters", "")), re.IGNORECASE)
    cuts = _cuts(values.get("elisions", ""), values.get("enclitics", ""))
    return Rules(token_pattern(titles, others), cuts, re.compile(titles), starters)


def _alternatives(words: str) -> str:
    return "|".join(map(re.escape, words.split())) or _NEVER


def _cuts(elisions: str, enclitics: str) -> Cuts:
    """Return the function that cuts words behind elided ones (l'|homme) and before enclitics (donne|-moi).

    >>> _cuts("l qu", "moi il")("donne-moi", 0, 9), _cuts("*", "")("dell'acqua", 0, 10)
    ((5,), (5,))
    """
    every = "" if elisions == "*" else "|".join(map(re.escape, elisions.split())) or _NEVER
    before = re.compile(rf"(?:{every}){_APOSTROPHE}" if every else rf"[^'\u2019]+{_APOSTROPHE}", re.IGNORECASE)
    behind = re.compile(rf"(?s:.+?)((?:-t)?-(?:{_alternatives(enclitics)}))", re.IGNORECASE)

    def cut(text: str, start: int, end: int) -> tuple[int, ...]:
        places: list[int] = []
        while (elided := before.match(text, start, end)) and elided.end() < end:
            start = elided.end()
            places.append(start)
        if found := behind.fullmatch(text, start, end):
            places.append(found.start(1))
        return tuple(places)

    return cut
