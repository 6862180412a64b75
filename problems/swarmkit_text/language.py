"""A simple test whether a text is English: the share of its words that are English function words.

Of a few words, that share says little: words count that are frequent in another language and are no English words.
"""

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

FOREIGN_WORDS = frozenset(
    """
    aan aber alla anche att até au auch auf aus aux av avec bei blev ce ces cette che ci com como da dal dalla
    dans das dass dat de dei del della delle dem der des det deze di du durch där een ein eine einem einen einer
    el ela ele ella elle elles ellos em en er es est esta estaba este está et ett foi från fue för für gli har
    hatte het hij hon ich ihr ik il ils im inte ist jag je já kan la las le les leur lo loro los lui maar mais med
    mig mit muito muy más na naar nach nas nel nella nicht niet noch non nos nous não o och oder og om ont ook os
    ou où para pas pelo pero più por porque på quando que questa questo qui sa se sehr ses seu si sich sie sind
    som sono sont sta su sua suo sur sus são también também tra très uit um uma un una und une uno uns unter van
    vi vom von voor vor vous være waren wenn werd wie wij wir wird wurde y yo zij zijn zu zum zur är è était über
    """.split()  # noqa: SIM905  (words, which quotes would hide)
)
"""Frequent words of German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish that are no English words."""

LEAST_FOREIGN = 2
"""Different frequent words of other languages in a short text that is not English."""

ENOUGH = 15
"""Words that are needed for a judgement by the share of English function words."""

LEAST = 0.2
"""Smallest share of function words in English: it is 30 % to 50 % in prose, and below 10 % in other languages."""


def is_english(words: Iterable[str]) -> bool | None:
    """Return whether words are English by the share of function words among them; None if there are too few words.

    >>> is_english("the cat sat on the mat because it was warm there and he had no other place".split())
    True
    >>> is_english("Die Bank am Ufer des Flusses war steil und grau".split())
    False
    >>> is_english("Vincent van Gogh painted it".split()) is None
    True

    Args:
        words: words and marks; only what begins with a letter counts.
    """
    # Function words are frequent in any text, whatever it is about.
    letters = [word.lower() for word in words if word[:1].isalpha()]
    english = sum(word in FUNCTION_WORDS for word in letters)
    if len(letters) >= ENOUGH:
        return english >= LEAST * len(letters)
    foreign = FOREIGN_WORDS.intersection(letters)
    return False if len(foreign) >= LEAST_FOREIGN and len(foreign) > english else None
