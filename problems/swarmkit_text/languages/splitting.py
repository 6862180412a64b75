"""How a text of another language is split: the parts of its file of rules on abbreviations and on cuts in words."""

from __future__ import annotations

import re
from functools import lru_cache

from swarmkit_lexicon.languages.rules import read_rules
from swarmkit_text.tokenizer import Cuts, Rules, token_pattern

_APOSTROPHE = "['\u2019]"
_NEVER = r"(?!)"


@lru_cache(maxsize=32)
def split_rules(language: str) -> Rules:
    """Return how a text is split, by the code of its language of three letters."""
    values = read_rules(language)
    short = values.get("abbreviations", {})
    titles, abbreviations = (_alternatives(short.get(name, "")) for name in ("titles", "others"))
    starters = re.compile(_alternatives(short.get("starters", "")), re.IGNORECASE)
    cuts = _cuts(values.get("elisions", ""), values.get("enclitics", ""))
    return Rules(token_pattern(titles, abbreviations), cuts, re.compile(titles), starters)


def _alternatives(words: str) -> str:
    return "|".join(map(re.escape, words.split())) or _NEVER


def _cuts(elisions: str, enclitics: str) -> Cuts:
    """Return the function that cuts words behind elided ones (l'|homme) and before enclitics (donne|-moi).

    >>> _cuts("l qu", "moi il")("donne-moi", 0, 9), _cuts("*", "")("dell'acqua", 0, 10)
    ((5,), (5,))
    """
    # "*" stands for any word with an apostrophe (Italian), a list for these alone (French aujourd'hui stays whole).
    every = "" if elisions == "*" else "|".join(map(re.escape, elisions.split())) or _NEVER
    before = re.compile(rf"(?:{every}){_APOSTROPHE}" if every else rf"[^'\u2019]+{_APOSTROPHE}", re.IGNORECASE)
    behind = re.compile(rf"(?s:.+?)((?:-t)?-(?:{_alternatives(enclitics)}))", re.IGNORECASE)

    def cut(text: str, start: int, end: int) -> tuple[int, ...]:
        places: list[int] = []
        while (elision := before.match(text, start, end)) and elision.end() < end:
            start = elision.end()
            places.append(start)
        if match := behind.fullmatch(text, start, end):
            places.append(match.start(1))
        return tuple(places)

    return cut
