"""A simple test whether a text is English: the share of its words that are English function words."""

from __future__ import annotations

from collections.abc import Iterable

FUNCTION_WORDS = frozenset(
    """
    a about after all also an and any are as at be because been before but by can could did do does for from had has
    have he her him his how i if in into is it its me more most my no not of off on one only or other our out over she
    should so some than that the their them then there these they this those through to under up upon us was we were
    what when where which while who will with would you your
    """.split()  # noqa: SIM905  (words, which quotes would hide)
)
"""Frequent English words that say little about what a text is about."""

ENOUGH = 15
"""Words that are needed for a judgement."""

LEAST = 0.2
"""Smallest share of function words in English: it is 30 % to 50 % in prose, and below 10 % in other languages."""


def is_english(words: Iterable[str]) -> bool | None:
    """Return whether words are English by the share of function words among them; None if there are too few words.

    >>> is_english("the cat sat on the mat because it was warm there and he had no other place".split())
    True
    >>> is_english("der Hund lief schnell über die Wiese und bellte dabei laut die Katze an die floh".split())
    False

    Args:
        words: words and marks; only what begins with a letter counts.
    """
    # Function words are frequent in any text, whatever it is about.
    letters = [word.lower() for word in words if word[:1].isalpha()]
    if len(letters) < ENOUGH:
        return None
    return sum(word in FUNCTION_WORDS for word in letters) >= LEAST * len(letters)
