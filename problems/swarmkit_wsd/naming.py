"""How WordNet names things: parts of speech, entries, sense keys."""

from __future__ import annotations

ALL_POS = ("n", "v", "a", "r")
SS_TYPE = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
POS_BIT = {"n": 1, "v": 2, "a": 4, "r": 8, "s": 16}  # the parts of speech an entry has, as one number


def entry_name(text: str) -> str:
    """Write a word or phrase as WordNet's index does.

    >>> entry_name("State of the Art")
    'state_of_the_art'
    """
    return text.lower().replace(" ", "_")


def sense_key(lemma: str, pos: str, lexfile: int, lex_id: int, head: str = "", head_id: int = 0) -> str:
    """Return the key of a sense, senseidx(5WN); satellites name the head of their cluster.

    >>> sense_key("bank", "n", 17, 1), sense_key("ablaze", "s", 0, 0, "lighted", 1)
    ('bank%1:17:01::', 'ablaze%5:00:00:lighted:01')
    """
    tail = f"{head}:{head_id:02}" if pos == "s" else ":"
    return f"{lemma}%{SS_TYPE[pos]}:{lexfile:02}:{lex_id:02}:{tail}"
