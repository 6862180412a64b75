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


def read_annotations(
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
    for word in words:
        _check(word)
    tags = [c5_tag(word.word.surface, word.penn if word.penn in PENN else word.tag) for word in words]
    surfaces = [word.word.surface for word in words]
    telling = telling_capitals(surfaces)
    # Our own tagger runs only if a lemma is missing.
    analyses: Sequence[Tagged | None] = [None] * len(words)
    if not all(word.lemma for word in words):
        analyses = tag(surfaces, capitals=telling)
    tagged = [
        Tagged(c5, {c5: 1.0}, _lemma(word, c5, analysis))
        for word, c5, analysis in zip(words, tags, analyses, strict=True)
    ]
    pos = [_pos(word, tagged, at) for at, word in enumerate(words)]
    return TaggedSentence([word.word for word in words], tagged, pos, telling)


def _lemma(word: AnnotatedWord, c5: str, analysis: Tagged | None) -> str | None:
    """Return a word's lemma: the given one, or our own tagger's if that takes it for the same part of speech."""
    if word.lemma:
        return lemma_form(plain(word.lemma))
    return analysis.lemma if analysis is not None and analysis.tag[:2] == c5[:2] else None


def _check(word: AnnotatedWord) -> None:
    if word.tag not in CONTENT and word.tag not in FUNCTION:
        raise UsageError(
            f"{quoted(word.word.surface)} has the tag {quoted(word.tag)}; expected a universal tag such as NOUN, or a "
            "Penn Treebank tag such as NNS"
        )


def _pos(word: AnnotatedWord, tagged: Sequence[Tagged], at: int) -> Pos | None:
    """Return a word's part of speech; be, have and do are verbs unless they help another verb."""
    if tagged[at].tag[:2] in FOLLOWERS and word.universal != "VERB":
        return content(tagged, at)
    return CONTENT.get(word.tag)


def _options(word: AnnotatedWord, sentence: TaggedSentence, at: int, entries: Entries) -> list[Option]:
    """Return what a word may stand for alone: entries with its part of speech; names are weighed as in raw text."""
    pos, surface = sentence.pos[at], word.word.surface
    if pos is None or not any(letter.isalpha() for letter in surface):
        return []
    if sentence.tagged[at].tag == NAME_TAG:
        return certain([option for option in word_options(sentence, at, entries) if option.pos == pos])
    shares = _lemmas(word, pos, sentence.tagged[at], entries)
    options = [Option(lemma, pos, share, at) for lemma, share in shares.items()]
    # A capitalised adjective or verb (English, Google) may have any spelling of its senses.
    if surface[0].isupper() and pos != "n":
        return options
    return list(small_options(options, [entries.spelling(option.lemma, pos) for option in options]))


def _lemmas(word: AnnotatedWord, pos: Pos, tagged: Tagged, entries: Entries) -> dict[str, float]:
    """Return a word's lemmas with their probabilities: the given one if the lexicon has it, otherwise our own."""
    if word.lemma and tagged.lemma and entries.has(tagged.lemma, pos):
        return {tagged.lemma: 1.0}
    return lemmas(word.word.surface, pos, entries, tagged)
