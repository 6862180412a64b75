"""Sentences with targets from words that another program has tagged and lemmatised.

The part of speech of a tag is binding, and so is a lemma that the lexicon has with this part of speech; entries of
several words, and what is a name, are found as in raw text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from swarmkit import UsageError, quoted
from swarmkit_text.corpus import Pos, Sentence, lemma_form
from swarmkit_text.entries import Entries, lemmas
from swarmkit_text.names import telling_capitals
from swarmkit_text.parts_of_speech import FOLLOWERS, content
from swarmkit_text.readings import Option, certain, join_entries, small_options, word_options
from swarmkit_text.sentences import CONTENT, FUNCTION, passage_sentence
from swarmkit_text.spans import TaggedSentence
from swarmkit_text.tagging import PENN, Tagged, c5_tag, plain, tag
from swarmkit_text.tokenizer import Passage, Word

NAME_TAG = "NP0"
"""The C5 tag of names."""


class AnnotatedWord(NamedTuple):
    """A word with what another program says about it; at least one tag."""

    word: Word
    universal: str = ""
    """Its universal tag, or none."""
    penn: str = ""
    """Its Penn Treebank tag, or none; without a universal tag, either kind."""
    lemma: str = ""

    @property
    def tag(self) -> str:
        """The tag that decides on the part of speech."""
        return self.universal or self.penn


def read_annotated(
    text: str, sentences: Sequence[Sequence[AnnotatedWord]], entries: Entries, name: str = "d000"
) -> Iterator[Sentence]:
    """Iterate over the sentences of an annotated text.

    Args:
        text: the text.
        sentences: the words of each sentence.
        entries: the lexicon; words that have an entry with their part of speech are targets.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    for number, words in enumerate(sentences):
        tagged = _tagged(words)
        alone = [_options(word, tagged, at, entries) for at, word in enumerate(words)]
        passage = Passage(text, 0, list(tagged.words))
        yield passage_sentence(passage, f"{name}.s{number:03}", tagged.pos, join_entries(tagged, alone, entries))


def _tagged(words: Sequence[AnnotatedWord]) -> TaggedSentence:
    """Return a sentence with its tags as C5 tags, of which each is certain."""
    for one in words:
        _check(one)
    tags = [c5_tag(one.word.surface, one.penn if one.penn in PENN else one.tag) for one in words]
    surfaces = [one.word.surface for one in words]
    telling = telling_capitals(surfaces)
    own: Sequence[Tagged | None] = [None] * len(words)
    if not all(one.lemma for one in words):
        own = tag(surfaces, capitals=telling)
    tagged = [Tagged(c5, {c5: 1.0}, _lemma(one, c5, ours)) for one, c5, ours in zip(words, tags, own, strict=True)]
    pos = [_pos(one, tagged, at) for at, one in enumerate(words)]
    return TaggedSentence([one.word for one in words], tagged, pos, telling)


def _lemma(one: AnnotatedWord, c5: str, own: Tagged | None) -> str | None:
    """Return a word's lemma: the given one, or our own tagger's if that takes it for the same part of speech."""
    if one.lemma:
        return lemma_form(plain(one.lemma))
    return own.lemma if own is not None and own.tag[:2] == c5[:2] else None


def _check(one: AnnotatedWord) -> None:
    if one.tag not in CONTENT and one.tag not in FUNCTION:
        raise UsageError(
            f"{quoted(one.word.surface)} has the tag {quoted(one.tag)}; expected a universal tag such as NOUN, or a "
            "Penn Treebank tag such as NNS"
        )


def _pos(one: AnnotatedWord, tagged: Sequence[Tagged], at: int) -> Pos | None:
    """Return a word's part of speech; be, have and do are verbs unless they help another verb."""
    if tagged[at].tag[:2] in FOLLOWERS and one.universal != "VERB":
        return content(tagged, at)
    return CONTENT.get(one.tag)


def _options(one: AnnotatedWord, sentence: TaggedSentence, at: int, entries: Entries) -> list[Option]:
    """Return what a word may stand for alone: entries with its part of speech; names are weighed as in raw text."""
    pos, surface = sentence.pos[at], one.word.surface
    if pos is None or not any(letter.isalpha() for letter in surface):
        return []
    if sentence.tagged[at].tag == NAME_TAG:
        return certain([option for option in word_options(sentence, at, entries) if option.pos == pos])
    found = _lemmas(one, pos, sentence.tagged[at], entries)
    options = [Option(lemma, pos, share, at) for lemma, share in found.items()]
    if surface[0].isupper() and pos != "n":
        return options
    return list(small_options(options, [entries.spelling(option.lemma, pos) for option in options]))


def _lemmas(one: AnnotatedWord, pos: Pos, tagged: Tagged, entries: Entries) -> dict[str, float]:
    """Return a word's lemmas with their probabilities: the given one if the lexicon has it, otherwise our own."""
    if one.lemma and tagged.lemma and entries.has(tagged.lemma, pos):
        return {tagged.lemma: 1.0}
    return lemmas(one.word.surface, pos, entries, tagged)
