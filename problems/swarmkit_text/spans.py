"""Entries of several words, and the probability that words which spell such an entry are meant as one.

They often are not: *on the table* is mostly a place, *run for* may be *run* and *for*. The probability depends on the
kind of the entry and on its count in WordNet's tagged texts: its logit is BASE[kind] + SLOPE[kind] · log(1 + count),
and for nouns IN_TAGGED_TEXTS more if there is a count. The numbers were fitted to SemCor, and shifted towards the
separate words by what the annotators of Senseval-2 did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log1p
from typing import NamedTuple

from swarmkit_text.corpus import Pos
from swarmkit_text.entries import LONGEST, Entries, lemmas
from swarmkit_text.parts_of_speech import Classes
from swarmkit_text.tagging import Tagged, plain
from swarmkit_text.tokenizer import Word

MOST_WORDS = 6
"""The most words of an entry that are tried: 99.9 % of WordNet's entries have no more."""

OPEN = frozenset({"a", "an", "and", "as", "how", "of", "or", "that", "the", "these", "this", "those", "when"})
"""An entry of several words that is not a verb does not end with these."""

CONJUNCTIONS = frozenset({"and", "but", "or"})
PREPOSITIONS = frozenset({"PRF", "PRP", "TO0"})
PARTICLES = frozenset({"away", "back", "down", "off", "out", "up"})
"""Words after a verb that are hardly ever prepositions there, whatever the tagger says."""

BASE = {
    "compound": -0.5,
    "idiom": 0.8,
    "name": 2.5,
    "particle": 0.3,
    "preposition": -0.8,
    "verb": 0.5,
    "phrase": -0.6,
    "quantity": -0.6,
}
SLOPE = {
    "compound": 0.4,
    "idiom": 0.4,
    "name": 0.0,
    "particle": 0.9,
    "preposition": 0.35,
    "verb": 0.1,
    "phrase": 1.0,
    "quantity": 0.15,
}
"""By kind: nouns for a kind of what their head stands for (bell tower), other common nouns (hot dog) and names; verbs
with a particle, a preposition, or anything else (take place); adverbs and adjectives that begin with a preposition (on
the whole), and other words (a lot, no longer, half century)."""

IN_TAGGED_TEXTS = 2.0
"""Added to the logit of a noun that the tagged texts have."""

CAPITALS = 1.0
"""Added to the logit of a capitalised entry that WordNet writes small (Civil War)."""

LONGER_NAME = -2.0
"""Added instead if the word beside it is capitalised, too: it is probably part of a name that is not in WordNet."""


class Span(NamedTuple):
    """An entry of several words of the text."""

    lemma: str
    pos: Pos
    at: int
    """The position of its first word."""
    size: int
    """The number of its words."""
    share: float
    """The probability that the words are meant as one."""
    capital: bool | None = None
    """Whether only senses that WordNet writes with capital letters are meant, or only the others."""


class TaggedSentence(NamedTuple):
    """The words of a sentence, their tags and parts of speech, and whether their capital letters tell something."""

    words: Sequence[Word]
    tagged: Sequence[Tagged]
    pos: Sequence[Pos | None]
    telling: Sequence[bool]
    classes: Classes | None = None
    """The words' classes by the encoder, if it runs."""

    def part(self, at: int, size: int) -> TaggedSentence:
        """Return some of the words."""
        places = slice(at, at + size)
        classes = None if self.classes is None else self.classes[places]
        return TaggedSentence(self.words[places], self.tagged[places], self.pos[places], self.telling[places], classes)


def find_spans(sentence: TaggedSentence, entries: Entries) -> Iterator[Span]:
    """Iterate over all entries of two or more words of a sentence, from the left, at each word the longest first."""
    # At most MOST_WORDS lookups for each word: linear in the length of the sentence.
    for at in range(len(sentence.words)):
        for size in range(_reach(sentence.words, at), 1, -1):
            entry = _together(sentence.part(at, size), entries)
            span = _weigh(sentence, range(at, at + size), entry, entries) if entry else None
            if span is not None:
                yield span


def _reach(words: Sequence[Word], at: int) -> int:
    """Return the most words that an entry could cover: it does not extend across punctuation, except apostrophes."""
    end = at
    while end < len(words) and end - at < MOST_WORDS and _joins(words[end].surface, end > at):
        end += 1
    return end - at


def _joins(surface: str, inside: bool) -> bool:
    return len(surface) <= LONGEST and (surface[0].isalnum() or (inside and surface[0] in "'\u2019"))


def _together(part: TaggedSentence, entries: Entries) -> tuple[str, Pos] | None:
    """Return the entry of these words together, as they are or with an inflected head; None if there is none."""
    words, tagged = part.words, part.tagged
    forms = [plain(word.surface) for word in words]
    # Only the first word of a phrasal verb is inflected: gave up, took place.
    if _may_be_verb(part, forms):
        head = next(iter(lemmas(forms[0], "v", entries, tagged[0])), forms[0])
        lemma = _join(words, [head, *forms[1:]])
        if entries.has(lemma, "v"):
            return lemma, "v"
    if forms[-1] in OPEN or (len(forms) == 2 and tagged[-1].tag in PREPOSITIONS and part.pos[0] != "a"):
        return None  # not "kind of" or "up to", but "dependent on"
    return next((entry for entry in _readings(part, forms, entries) if entries.has(*entry)), None)


def _may_be_verb(part: TaggedSentence, forms: Sequence[str]) -> bool:
    """Return whether the words may be a phrasal verb; most often these are not: be on, came to see, live in, sat by."""
    first, last = part.tagged[0], part.tagged[-1]
    if part.pos[0] != "v" or first.tag[:2] == "VB" or last.tag == "TO0":
        return False
    if first.tag[:2] in ("VD", "VH"):
        return any(pos == "n" for pos in part.pos[1:])
    return not (forms[-1] in ("by", "in") and last.tag in PREPOSITIONS)


def _readings(part: TaggedSentence, forms: list[str], entries: Entries) -> Iterator[tuple[str, Pos]]:
    """Iterate over likely lemmas and parts of speech, most likely first; few nouns begin with a function word."""
    words, tagged = part.words, part.tagged
    name = _join(words, forms)
    if "_" not in name:  # "men's" is an entry, but here it is a possessive
        return
    # The order decides only where an entry has several parts of speech.
    starts_content = part.pos[0] in ("n", "a", "v")
    noun = "n" in part.pos and (tagged[0].tag != "AT0" or words[1].surface[0].isupper())
    kinds: tuple[Pos, ...] = ("a", "r") if starts_content else ("r", "a")
    if noun and starts_content:
        yield name, "n"
    for pos in kinds if forms[0] not in CONJUNCTIONS or len(forms) > 2 else ():
        yield name, pos
    if noun and not starts_content:
        yield name, "n"
    if noun:
        yield from _singulars(part, forms, entries)


def _singulars(part: TaggedSentence, forms: list[str], entries: Entries) -> Iterator[tuple[str, Pos]]:
    """Iterate over singular forms, the last word's first: bell towers, then rules of thumb."""
    # The head of a compound is its last word, that of "rule of thumb" its first.
    for place in (len(forms) - 1, 0):
        possible = lemmas(forms[place], "n", entries, part.tagged[place]) if part.pos[place] == "n" else {}
        for head in possible:
            if head != forms[place]:
                yield _join(part.words, [*forms[:place], head, *forms[place + 1 :]]), "n"


def _join(words: Sequence[Word], forms: Sequence[str]) -> str:
    """Join words with underscores, but possessive endings without: bird's_nest."""
    name = forms[0]
    for before, word, form in zip(words, words[1:], forms[1:], strict=False):
        is_ending = word.start == before.end and form.startswith("'")
        name += form if is_ending else "_" + form
    return name


def _weigh(sentence: TaggedSentence, inside: range, entry: tuple[str, Pos], entries: Entries) -> Span | None:
    """Return an entry with its probability; None if its only senses are names, and the words are no name.

    Args:
        sentence: the sentence.
        inside: the positions of the words.
        entry: their lemma and part of speech.
        entries: the lexicon.
    """
    lemma, pos = entry
    kind, bonus, capital = _kind(sentence.part(inside.start, len(inside)), lemma, pos, entries), 0.0, None
    if pos == "n":
        spelling, has_capitals = entries.spelling(lemma, "n"), _has_capitals(sentence, inside)
        capital = has_capitals if spelling.small and spelling.capital else None
        if has_capitals is False and not spelling.small:
            return None
        if has_capitals and spelling.capital:
            kind = "name"
        elif has_capitals:
            bonus = LONGER_NAME if _is_longer(sentence, inside) else CAPITALS
    count = entries.count(lemma, pos)
    if count and kind in ("compound", "idiom"):
        bonus += IN_TAGGED_TEXTS
    # The docstring of this module has the formula.
    logit = BASE[kind] + SLOPE[kind] * log1p(count) + bonus
    return Span(lemma, pos, inside.start, len(inside), 1 / (1 + exp(-logit)), capital)


def _has_capitals(sentence: TaggedSentence, inside: range) -> bool | None:
    """Return whether words are capitalised like a name; None if their capital letters tell nothing."""
    telling = [at for at in inside if sentence.telling[at] and sentence.pos[at] is not None]
    return all(sentence.words[at].surface[0].isupper() for at in telling) if telling else None


def _is_longer(sentence: TaggedSentence, inside: range) -> bool:
    """Return whether the word before or after some words is capitalised like a name."""
    places = (inside.start - 1, inside.stop)
    return any(_has_capitals(sentence, range(at, at + 1)) for at in places if 0 <= at < len(sentence.words))


def _kind(part: TaggedSentence, lemma: str, pos: Pos, entries: Entries) -> str:
    """Return the kind of an entry, of those in BASE."""
    tags = [tagged.tag for tagged in part.tagged]
    if pos == "n" and tags[0][:2] not in ("AT", "CR", "DT", "OR"):
        return "compound" if entries.is_kind_of(lemma, lemma.split("_of_")[0].split("_")[-1]) else "idiom"
    # gave up (particle), look for (preposition), take place (verb): each is meant as one with another probability.
    if pos == "v" and len(tags) == 2:
        particle = tags[1] in ("AVP", "AV0") or plain(part.words[1].surface) in PARTICLES
        return "particle" if particle else "preposition" if tags[1][:2] in ("PR", "CJ") else "verb"
    if pos == "v":
        return "verb"
    return "phrase" if tags[0][:2] in ("PR", "CJ", "TO") or tags[0] == "AVP" else "quantity"


def head(span: Span, sentence: TaggedSentence, targets: Sequence[bool]) -> int:
    """Return the position of the word whose senses an entry competes with: the verb, the noun, the last content word.

    Args:
        span: the entry.
        sentence: the sentence.
        targets: for each word of the sentence, whether it has readings of its own.
    """
    inside = range(span.at, span.at + span.size)
    candidates = [at for at in inside if targets[at]]
    # A span without content words (as well as) stands at its first word.
    if span.pos == "v" or not candidates:
        return candidates[0] if candidates else span.at
    phrase = candidates
    if span.pos == "n":
        preposition = next((at for at in inside if sentence.tagged[at].tag in PREPOSITIONS), inside.stop)
        phrase = [at for at in candidates if at < preposition] or candidates
    return phrase[-1]


def fitting(spans: Sequence[Span], heads: Sequence[int]) -> list[tuple[Span, int]]:
    """Return the entries, with their heads, that do not overlap, unless they have the same head; longer ones first.

    >>> new_york_city = Span("new_york_city", "n", 0, 3, 0.9)
    >>> city_council = Span("city_council", "n", 2, 2, 0.9)
    >>> [span.lemma for span, place in fitting([new_york_city, city_council], [2, 3])]
    ['new_york_city']
    """
    selection: list[tuple[Span, int]] = []
    # Expected number of words that an entry explains: long and probable ones are placed first.
    order = sorted(zip(spans, heads, strict=True), key=lambda pair: -pair[0].size * pair[0].share)
    for span, place in order:
        if all(place == spot or not _overlap(span, winner) for winner, spot in selection):
            selection.append((span, place))
    return selection


def _overlap(left: Span, right: Span) -> bool:
    return left.at < right.at + right.size and right.at < left.at + left.size
