"""The option `--known`: words of a text whose sense is given, named by their number or as they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from swarmkit import UsageError, quoted

EXPECTED = "WORD=KEY, such as 3=bank%1:17:01:: (with 3 words before it) or bank=bank%1:17:01::"

_NUMBERED = re.compile(r"(.+)#([1-9]\d*)", re.DOTALL)


def known_places(given: Sequence[str], text: str) -> dict[int, str]:
    """Return the sense keys of `--known` by the number of characters before their words.

    >>> known_places(["3=bank%1:17:01::"], "They saw the bank."), known_places(["an#2=x"], "An ant, an owl.")
    ({13: 'bank%1:17:01::'}, {8: 'x'})

    Args:
        given: words and keys, with an equals sign between them.
        text: the text.

    Raises:
        UsageError: there is no such word.
    """
    places: dict[int, str] = {}
    for one in given:
        word, _, key = one.rpartition("=")
        if not word or not key:
            raise UsageError(f"--known {quoted(one)}; expected {EXPECTED}")
        place = _numbered_word(int(word), text) if word.isascii() and word.isdecimal() else _written_word(word, text)
        if place in places:
            raise UsageError(f"--known {quoted(one)}: the word has a sense already, {places[place]}")
        places[place] = key
    return places


def _numbered_word(number: int, text: str) -> int:
    """Return where the word with this many words before it begins; an elided article (l'avocat) is no part of it."""
    words = list(re.finditer(r"\S+", text))
    if number >= len(words):
        raise UsageError(f"--known {number}=…: the text has {len(words)} words; expected 0 to {len(words) - 1}")
    found = words[number]
    inner = re.compile(r"(?:[^\W\d_]+['\u2019](?=[^\W\d_]{2}))?[\W_]*").match(text, found.start(), found.end())
    begin = inner.end() if inner else found.start()
    return begin if begin < found.end() else found.start()


def _written_word(word: str, text: str) -> int:
    """Return where a word or phrase begins; bank#2 is the second one that is written so."""
    numbered = _NUMBERED.fullmatch(word)
    wanted, number = (numbered[1], int(numbered[2])) if numbered else (word, 1)
    spaced = r"\s+".join(re.escape(part) for part in wanted.split())
    found = [one.start() for one in re.finditer(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE)]
    if len(found) < number:
        raise UsageError(
            f"--known {quoted(word)}: "
            + (f"the text has the word {len(found)} times" if found else "the text has no such word")
            + f"; expected {EXPECTED}"
        )
    return found[number - 1]
