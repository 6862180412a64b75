"""Names: which capital letters mean one, and whether it is a name that WordNet has.

WordNet writes a word of a synset with capital letters if it is a name: Crane, the writer, but not the bird. The
probabilities below were counted in SemCor, whose annotators marked names that are not in WordNet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from swarmkit_lexicon.naming import Spelling
from swarmkit_text.corpus import Pos
from swarmkit_text.language import FUNCTION_WORDS

HEADLINE = 3
"""Words, function words apart, of the shortest headline: a sentence in which all of them are capitalised."""

NO_NAME = 0.06
"""Probability that a word tagged as a name is used as the common noun after all (Papa, the Captain)."""

HALFWAY = 5
"""A person's name that occurs c times in WordNet's tagged texts is that of WordNet's person with probability
c / (c + HALFWAY): most people are not in WordNet."""

OTHER_NAME = 0.8
"""Probability that any other name is the one in WordNet: places, days, months, peoples, institutions."""

LONGER_NAME = 0.15
"""Factor of the odds of all these for each name beside the word: all may be parts of a name that is not in WordNet."""

COMMON = 0.7
"""Probability that a capitalised word which is no name for the tagger is used as the common word, if WordNet has no
such name (the Church)."""

PROPER = 0.7
PROPER_ANYWHERE = 0.4
"""Probability that such a word is a name, if WordNet has both; the second one where capital letters tell nothing."""

TITLE = 0.8
"""Probability that a word for people before a name (President, Vicar) is used as the common noun."""


class CapitalUse(NamedTuple):
    """How a capitalised word is used."""

    telling: bool
    """Whether its capital letter tells something."""
    after_name: bool
    before_name: bool
    name: float
    """The tagger's probability that it is a name, given its part of speech."""


class CapitalShares(NamedTuple):
    """Probabilities of a word's senses that WordNet writes small, and of those that it writes with capitals.

    What they lack of 1 is the probability of a name that WordNet does not have.
    """

    small: float
    capital: float


def telling_capitals(words: Sequence[str]) -> list[bool]:
    """Return for each word whether the case of its first letter tells a name from other words.

    It does not at the beginning of a sentence, a quotation or a clause after a colon, and not in headlines.

    >>> telling_capitals(["Then", ",", "John", "said", '"', "No"])
    [False, False, True, True, False, False]
    """
    content_words = [word for word in words if word[:1].isalpha() and word.lower() not in FUNCTION_WORDS]
    # In a headline every word has a capital letter, which then tells nothing.
    if len(content_words) >= HEADLINE and all(word[0].isupper() for word in content_words):
        return [False] * len(words)
    return [at > 0 and word[:1].isalpha() and _within(words[at - 1]) for at, word in enumerate(words)]


def _within(before: str) -> bool:
    """Return whether a clause goes on after this word or mark."""
    return before[:1].isalnum() or before in (",", "&", "'s", "\u2019s") or (before.endswith(".") and len(before) > 1)


def capital_shares(spelling: Spelling, use: CapitalUse, pos: Pos) -> CapitalShares:
    """Return the probabilities of the common and the proper senses of a capitalised word.

    Args:
        spelling: which senses the word has.
        use: how it is used.
        pos: its part of speech.
    """
    if pos == "n" and use.before_name and spelling.people:
        return CapitalShares(TITLE, 0.0)
    name = use.name
    # Each neighbour that looks like a name makes a longer name more likely, such as one of a person.
    factor = LONGER_NAME ** (use.after_name + use.before_name)
    common = _scale_odds(COMMON, factor) if use.telling else 1.0
    # WordNet has no such name: the word is the common one, or a name that WordNet lacks.
    if not spelling.capital:
        return CapitalShares(name * NO_NAME + (1 - name) * common, 0.0)
    in_wordnet = _scale_odds(_known_share(spelling), factor)
    # WordNet has only the name; a word that the tagger takes for none (1 - name) is that name all the same.
    if not spelling.small:
        return CapitalShares(0.0, name * in_wordnet + (1 - name))
    proper = (PROPER if use.telling else PROPER_ANYWHERE) * in_wordnet
    return CapitalShares(name * NO_NAME + (1 - name) * common * (1 - proper), name * in_wordnet + (1 - name) * proper)


def _known_share(spelling: Spelling) -> float:
    """Return the probability that a name is one of those in WordNet."""
    return spelling.occurrences / (spelling.occurrences + HALFWAY) if spelling.persons else OTHER_NAME


def _scale_odds(share: float, factor: float) -> float:
    """Return the probability whose odds are those of another one times a factor.

    >>> round(_scale_odds(0.5, 0.25), 3)
    0.2
    """
    odds = factor * share / (1 - share)
    return odds / (1 + odds)
