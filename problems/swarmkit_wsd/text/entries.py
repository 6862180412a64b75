"""The entry of the lexicon that a word, or several words together, stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from swarmkit_wsd.corpus import Pos
from swarmkit_wsd.text.tagging import Tagged, plain
from swarmkit_wsd.text.tokenizer import Word

MOST_WORDS = 6
"""The most words of an entry that are tried: 99.9 % of WordNet's entries have no more."""

LONGEST = 80
"""Characters of the longest word that is looked up: no entry has a longer one."""

INSTEAD: dict[Pos, tuple[Pos, ...]] = {
    "n": ("n", "a", "v", "r"),
    "v": ("v", "a", "n"),
    "a": ("a", "n", "v", "r"),
    "r": ("r", "a", "n"),
}
"""The parts of speech to try for a tagged one, most likely first: if the tagged one has no entry, the tag is probably
wrong."""

OPEN = frozenset({"a", "an", "and", "as", "how", "of", "or", "that", "the", "these", "this", "those", "when"})
"""An entry of several words that is not a verb does not end with these."""

CONJUNCTIONS = frozenset({"and", "but", "or"})
PREPOSITIONS = frozenset({"PRF", "PRP", "TO0"})
CLITICS = {"'s": {"VB": "be", "VH": "have"}, "'re": {"VB": "be"}, "'m": {"VB": "be"}, "'ve": {"VH": "have"}}
"""The lemma of a contracted verb, by the first two letters of its C5 tag."""


class Entries(Protocol):
    """What a lexicon must offer; lemmas are lower case, with underscores for spaces."""

    def has(self, lemma: str, pos: str) -> bool:
        """Return whether there is such an entry."""

    def morphy(self, form: str, pos: str) -> str | None:
        """Return the entry of an inflected form, or None."""


class Match(NamedTuple):
    """An entry, and the number of words of the text that it covers."""

    lemma: str
    pos: Pos
    words: int


def single(word: str, tagged: Tagged, entries: Entries) -> Match | None:
    """Return the entry of one word, or None."""
    if tagged.pos is None:
        return None
    if tagged.tag == "CRD" and not word.isalpha():
        return None
    likely: tuple[Pos, ...] = ("n", "a") if tagged.tag == "NP0" else INSTEAD[tagged.pos]
    for pos in likely:
        lemma = lookup(word, pos, entries, tagged)
        if lemma is not None:
            return Match(lemma, pos, 1)
    return None


def lookup(word: str, pos: Pos, entries: Entries, tagged: Tagged | None = None) -> str | None:
    """Return the lemma of an inflected or hyphenated word as a given part of speech, or None."""
    form = plain(word) if len(word) <= LONGEST else ""
    if not form.strip():
        return None
    found = (entries.morphy(spelling, pos) for spelling in _spellings(form))
    lemma = next((lemma for lemma in found if lemma is not None), None)
    if tagged is None or tagged.pos != pos or lemma not in (None, form):
        return lemma
    # Forms such as years, men, larger, saw and found are entries themselves: the tagger's lemma decides.
    base = CLITICS.get(form, {}).get(tagged.tag[:2], tagged.lemma)
    return base if base is not None and entries.has(base, pos) else lemma


def _spellings(form: str) -> Iterator[str]:
    """Iterate over spellings that WordNet may use: as it is, state_of_the_art, coauthor, oct for Oct."""
    yield "_".join(form.split())
    if "-" in form.strip("-"):
        yield form.replace("-", "_")
        yield form.replace("-", "")
    if form.endswith(".") and len(form) > 1:
        yield form.rstrip(".")


def multiword(words: Sequence[Word], tagged: Sequence[Tagged], at: int, entries: Entries) -> Match | None:
    """Return the longest entry of two or more words that begins at a position, or None."""
    for size in range(_reach(words, at), 1, -1):
        found = _together(words[at : at + size], tagged[at : at + size], entries)
        if found is not None:
            return found
    return None


def _reach(words: Sequence[Word], at: int) -> int:
    """Return the most words that an entry could cover: it does not extend across punctuation, except apostrophes."""
    end = at
    while end < len(words) and end - at < MOST_WORDS and _joins(words[end].surface, end > at):
        end += 1
    return end - at


def _joins(surface: str, inside: bool) -> bool:
    return len(surface) <= LONGEST and (surface[0].isalnum() or (inside and surface[0] in "'\u2019"))


def _together(words: Sequence[Word], tagged: Sequence[Tagged], entries: Entries) -> Match | None:
    """Return the entry of these words together, as they are or with an inflected head; None if there is none."""
    forms = [plain(word.surface) for word in words]
    if _may_be_verb(tagged, forms):
        lemma = _join(words, [lookup(forms[0], "v", entries, tagged[0]) or forms[0], *forms[1:]])
        if entries.has(lemma, "v"):
            return Match(lemma, "v", len(words))
    if forms[-1] in OPEN or (len(forms) == 2 and tagged[-1].tag in PREPOSITIONS and tagged[0].pos != "a"):
        return None  # not "kind of" or "up to", but "dependent on"
    for spelling, pos in _readings(words, forms, tagged, entries):
        if entries.has(spelling, pos):
            return Match(spelling, pos, len(words))
    return None


def _may_be_verb(tagged: Sequence[Tagged], forms: Sequence[str]) -> bool:
    """Return whether the words may be a phrasal verb; most often these are not: be on, came to see, live in, sat by."""
    first, last = tagged[0], tagged[-1]
    if first.pos != "v" or first.tag[:2] == "VB" or last.tag == "TO0":
        return False
    if first.tag[:2] in ("VD", "VH"):
        return any(word.pos == "n" for word in tagged[1:])
    return not (forms[-1] in ("by", "in") and last.tag in PREPOSITIONS)


def _readings(
    words: Sequence[Word], forms: list[str], tagged: Sequence[Tagged], entries: Entries
) -> Iterator[tuple[str, Pos]]:
    """Iterate over likely lemmas and parts of speech, most likely first; few nouns begin with a function word."""
    joined = _join(words, forms)
    if "_" not in joined:  # "men's" is an entry, but here it is a possessive
        return
    starts_content = tagged[0].pos in ("n", "a", "v")
    noun = any(word.pos == "n" for word in tagged) and (tagged[0].tag != "AT0" or words[1].surface[0].isupper())
    others: tuple[Pos, ...] = ("a", "r") if starts_content else ("r", "a")
    if noun and starts_content:
        yield joined, "n"
    for pos in others if forms[0] not in CONJUNCTIONS or len(forms) > 2 else ():
        yield joined, pos
    if noun and not starts_content:
        yield joined, "n"
    if noun:
        yield from _singulars(words, forms, tagged, entries)


def _singulars(
    words: Sequence[Word], forms: list[str], tagged: Sequence[Tagged], entries: Entries
) -> Iterator[tuple[str, Pos]]:
    """Iterate over singular forms, the last word's first: bell towers, then rules of thumb."""
    for place in (len(forms) - 1, 0):
        head = lookup(forms[place], "n", entries, tagged[place]) if tagged[place].pos == "n" else None
        if head is not None and head != forms[place]:
            yield _join(words, [*forms[:place], head, *forms[place + 1 :]]), "n"


def _join(words: Sequence[Word], forms: Sequence[str]) -> str:
    """Join words with underscores, but possessive endings without: bird's_nest."""
    joined = forms[0]
    for before, word, form in zip(words, words[1:], forms[1:], strict=False):
        glued = word.start == before.end and form.startswith("'")
        joined += form if glued else "_" + form
    return joined
