"""WordNet's codes and names: parts of speech, pointer symbols, entries, sense keys."""

from __future__ import annotations

ALL_POS = ("n", "v", "a", "r")
SS_TYPE = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
"""The number of each part of speech in a sense key, senseidx(5WN); s is a satellite adjective."""

POS_BIT = {"n": 1, "v": 2, "a": 4, "r": 8, "s": 16}
"""The bit of each part of speech in the set of those that an entry has."""

POINTERS = tuple("! @ @i ~ ~i #m #s #p %m %s %p = + ;c -c ;r -r ;u -u * > ^ $ & < \\".split())  # noqa: SIM905  (symbols, which quotes would hide)
"""The symbols of the pointers between synsets, wninput(5WN); arrays store their index in this tuple."""


def entry_name(text: str) -> str:
    """Return a word or phrase as WordNet's index spells it.

    >>> entry_name("State of the Art")
    'state_of_the_art'
    """
    return text.lower().replace(" ", "_")


def sense_key(lemma: str, pos: str, lexfile: int, lex_id: int, head: str = "", head_id: int = 0) -> str:
    """Return the key of a sense, senseidx(5WN).

    >>> sense_key("bank", "n", 17, 1), sense_key("ablaze", "s", 0, 0, "lighted", 1)
    ('bank%1:17:01::', 'ablaze%5:00:00:lighted:01')

    Args:
        lemma: the lemma, lower case, with underscores for spaces.
        pos: the part of speech of the synset: n, v, a, r or s.
        lexfile: the number of the lexicographers' file of the synset.
        lex_id: tells senses of one lemma in one file apart.
        head: for a satellite (s), the first word of the head synset of its cluster.
        head_id: the lex_id of that word.
    """
    tail = f"{head}:{head_id:02}" if pos == "s" else ":"
    return f"{lemma}%{SS_TYPE[pos]}:{lexfile:02}:{lex_id:02}:{tail}"
