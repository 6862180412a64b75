"""What each word of a sentence may stand for: its readings, with their probabilities.

A reading is an entry of the lexicon with a part of speech: of the word alone, or of several words whose head it is. A
word that is probably a function word, or a name that WordNet does not have, has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from swarmkit_lexicon.naming import Spelling
from swarmkit_text.corpus import POS, Pos
from swarmkit_text.entries import SIGNS, Entries, count, lemmas
from swarmkit_text.names import CapitalUse, capital_shares, telling_capitals
from swarmkit_text.parts_of_speech import Classes, content, second_opinion, shares
from swarmkit_text.spans import Span, TaggedSentence, find_spans, fitting, head
from swarmkit_text.tagging import Tagger, tag
from swarmkit_text.tokenizer import Word

CERTAIN = 0.4
"""Words whose readings have a smaller probability together are left alone."""

LEAST = 0.02
"""Readings whose share of the probability of all readings is smaller are dropped."""


class Option(NamedTuple):
    """An entry that a word may stand for."""

    lemma: str
    pos: Pos
    share: float
    """Its probability."""
    at: int
    """The position of the first word that it covers."""
    size: int = 1
    """The number of words that it covers."""
    capital: bool | None = None
    """Whether only senses that WordNet writes with capital letters are meant, or only the others."""


def tagged_sentence(words: Sequence[Word], tagger: Tagger, classes: Classes | None = None) -> TaggedSentence:
    """Return the words of a sentence with their tags and parts of speech.

    Args:
        words: the words.
        tagger: which tagger.
        classes: the words' classes by the encoder, if it runs.
    """
    surfaces = [word.surface for word in words]
    telling = telling_capitals(surfaces)
    tagged = tag(surfaces, tagger, telling)
    return TaggedSentence(words, tagged, [content(tagged, at) for at in range(len(tagged))], telling, classes)


def read_sentence(sentence: TaggedSentence, entries: Entries, join: bool = True) -> list[list[Option]]:
    """Return what each word of a sentence may stand for, the most probable first; nothing if it is left alone.

    Args:
        sentence: the words.
        entries: the lexicon.
        join: whether several words may be one entry.
    """
    options = [certain(word_options(sentence, at, entries)) for at in range(len(sentence.words))]
    return join_entries(sentence, options, entries) if join else [certain(alone) for alone in options]


def join_entries(sentence: TaggedSentence, options: list[list[Option]], entries: Entries) -> list[list[Option]]:
    """Return what each word may stand for, alone or as the head of an entry of several words.

    Args:
        sentence: the words.
        options: what each word may stand for alone.
        entries: the lexicon.
    """
    spans = list(find_spans(sentence, entries))
    # An entry of several words takes probability from the readings of the one word that it stands for.
    heads = [head(span, sentence, [bool(alone) for alone in options]) for span in spans]
    result = list(options)
    for span, place in fitting(spans, heads):
        share = _joined_share(span, sum(bool(alone) for alone in result[span.at : span.at + span.size]))
        rest = [option._replace(share=option.share * (1 - share)) for option in result[place]]
        result[place] = [*rest, Option(span.lemma, span.pos, share, span.at, span.size, span.capital)]
    return [certain(alone) for alone in result]


def _joined_share(span: Span, words: int) -> float:
    """Return the probability with which an entry of several words competes with the readings of its head.

    If the words are not meant as one, all of them are wrong: the odds are divided by the number of words that have
    readings of their own.
    """
    odds = span.share / (1 - span.share) / max(1, words)
    return odds / (1 + odds)


def certain(options: list[Option]) -> list[Option]:
    """Return the options that are not too improbable, the most probable first."""
    # What the shares lack of 1 is the probability that the word has no sense here.
    total = sum(option.share for option in options)
    if total < CERTAIN:
        return []
    return sorted((option for option in options if option.share >= LEAST * total), key=lambda option: -option.share)


def word_options(sentence: TaggedSentence, at: int, entries: Entries) -> list[Option]:
    """Return the readings of one word alone, with their probabilities."""
    word, tagged = sentence.words[at].surface, sentence.tagged[at]
    if not (word in SIGNS or any(letter.isalpha() for letter in word)):
        return []
    possible = {pos: entry for pos in POS if (entry := lemmas(word, pos, entries, tagged))}
    counts = {pos: count(word, pos, entry, entries) for pos, entry in possible.items()}
    # English, French: adjectives for the tagger as well as for WordNet, which writes them with capitals.
    proper = any(entries.spelling(lemma, "a").capital for lemma in possible.get("a", ()))
    by_pos = shares([item.surface for item in sentence.words], sentence.tagged, at, counts, proper)
    if sentence.classes is not None and counts:
        by_pos = second_opinion(by_pos, counts, sentence.classes[at])
    options = [
        Option(lemma, pos, part * entry.share, at)
        for pos, entry in by_pos.items()
        for lemma, part in possible[pos].items()
    ]
    spellings = [entries.spelling(option.lemma, option.pos) for option in options]
    if not word[0].isupper():
        return list(small_options(options, spellings))
    # Each option is divided into its senses with small and with capital letters.
    beside = _names_beside(sentence, at)
    uses = {pos: CapitalUse(sentence.telling[at], *beside, entry.name / entry.share) for pos, entry in by_pos.items()}
    return [
        option._replace(share=option.share * part, capital=capital)
        for option, spelling in zip(options, spellings, strict=True)
        for part, capital in zip(capital_shares(spelling, uses[option.pos], option.pos), (False, True), strict=True)
        if part
    ]


def small_options(options: Sequence[Option], spellings: Sequence[Spelling]) -> Iterator[Option]:
    """Iterate over the options of a word that is not capitalised: names only if there is nothing else (internet)."""
    any_small = any(spelling.small for spelling in spellings)
    for option, spelling in zip(options, spellings, strict=True):
        if spelling.small or not any_small:
            yield option._replace(capital=False) if spelling.small and spelling.capital else option


def _names_beside(sentence: TaggedSentence, at: int) -> tuple[bool, bool]:
    """Return whether the words before and after a word are names, or capitalised like names; not for abbreviations."""
    if sentence.words[at].surface.endswith("."):
        return False, False
    before, after = (
        0 <= place < len(sentence.words)
        and sentence.words[place].surface[:1].isupper()
        and (sentence.telling[place] or sentence.tagged[place].tag == "NP0")
        for place in (at - 1, at + 1)
    )
    return before, after
