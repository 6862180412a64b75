"""The entries of the lexicon that a word may stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

from swarmkit_lexicon.naming import Spelling
from swarmkit_text.corpus import Pos
from swarmkit_text.tagging import Tagged, plain

LONGEST = 80
"""Characters of the longest word that is looked up: no entry has a longer one."""

CLITICS = {"'s": {"VB": "be", "VH": "have"}, "'re": {"VB": "be"}, "'m": {"VB": "be"}, "'ve": {"VH": "have"}}
"""The lemma of a contracted verb, by the first two letters of its C5 tag."""

SIGNS = {"%": "percent"}
"""Words for signs that WordNet does not have."""

TAGGED_POS: dict[str, Pos] = {"AJ": "a", "AV": "r", "NN": "n", "VB": "v", "VD": "v", "VH": "v", "VV": "v"}
"""The part of speech to which a tagger's lemma belongs, by the first two letters of the C5 tag."""

INFLECTED_SHARE: dict[Pos, float] = {"n": 0.3, "v": 0.3, "a": 0.07, "r": 0.07}
"""About how many of a lemma's occurrences have one inflected form: plurals, comparatives; counted in SemCor."""


class Entries(Protocol):
    """What a lexicon must offer; lemmas are lower case, with underscores for spaces."""

    def __hash__(self) -> int:
        """Lexicons are told apart by identity: lookups are cached."""

    def has(self, lemma: str, pos: str) -> bool:
        """Return whether there is such an entry."""

    def morphy(self, form: str, pos: str) -> str | None:
        """Return the entry of an inflected form, or None."""

    def count(self, lemma: str, pos: str) -> int:
        """Return how often the entry occurs in tagged texts."""

    def spelling(self, lemma: str, pos: str) -> Spelling:
        """Return how many senses of the entry are written with capital letters."""

    def is_kind_of(self, lemma: str, head: str) -> bool:
        """Return whether a noun stands for a kind of what another noun stands for."""


@lru_cache(maxsize=2**16)
def lookup(word: str, pos: Pos, entries: Entries) -> str | None:
    """Return the lemma of an inflected or hyphenated word as a given part of speech, or None."""
    # Longer words (addresses, hashes) would only fill the cache.
    form = plain(word) if len(word) <= LONGEST else ""
    if not form.strip():
        return None
    candidates = (entries.morphy(spelling, pos) for spelling in _spellings(form))
    return next((lemma for lemma in candidates if lemma is not None), None)


def lemmas(word: str, pos: Pos, entries: Entries, tagged: Tagged) -> dict[str, float]:
    """Return the lemmas of a word as a given part of speech, with their probabilities.

    Some inflected forms are entries themselves. Verbs are left to the tagger (saw, found); of a plural or comparative
    (glasses, men, larger) both lemmas are possible, in proportion to their counts.
    """
    form, lemma = plain(word), lookup(word, pos, entries)
    base = CLITICS.get(form, {}).get(tagged.tag[:2], tagged.lemma) if TAGGED_POS.get(tagged.tag[:2]) == pos else None
    # The tagger's lemma counts only if it is of this part of speech and in the lexicon.
    if base is None or lemma not in (None, form) or not entries.has(base, pos):
        return {} if lemma is None else {lemma: 1.0}
    if lemma is None or base == form or pos == "v":
        return {base: 1.0}
    # Half an occurrence more of each, so that neither is impossible.
    form_count, base_count = entries.count(form, pos) + 0.5, INFLECTED_SHARE[pos] * entries.count(base, pos) + 0.5
    return {form: form_count / (form_count + base_count), base: base_count / (form_count + base_count)}


def count(word: str, pos: Pos, possible: Iterable[str], entries: Entries) -> float:
    """Return about how often a word with this form and part of speech occurs in tagged texts, given its lemmas."""
    form = plain(word)
    return sum(entries.count(lemma, pos) * (1.0 if lemma == form else INFLECTED_SHARE[pos]) for lemma in possible)


def _spellings(form: str) -> Iterator[str]:
    """Iterate over spellings that WordNet may use: as it is, state_of_the_art, coauthor, oct for Oct."""
    yield "_".join(form.split())
    if "-" in form.strip("-"):
        # Whether a compound is written with a hyphen, a space or nothing varies.
        yield form.replace("-", "_")
        yield form.replace("-", "")
    if form.endswith(".") and len(form) > 1:
        yield form.rstrip(".")
    if form in SIGNS:
        yield SIGNS[form]
