"""English text: words tagged here or by another program, matched with the entries of the lexicon.

The part of speech of a tag of another program is binding, and so is a lemma that the lexicon has with this part of
speech; entries of several words, and what is a name, are found as in raw text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from swarmkit import UsageError, quoted
from swarmkit_lexicon.gloss_text import FUNCTION_WORDS
from swarmkit_text.corpus import POS, Pos, lemma_form
from swarmkit_text.entries import Entries, lemmas, lookup
from swarmkit_text.names import telling_capitals
from swarmkit_text.parts_of_speech import FOLLOWERS, Classes, Classify, content
from swarmkit_text.readings import (
    Option,
    certain,
    join_entries,
    read_sentence,
    small_options,
    tagged_sentence,
    word_options,
)
from swarmkit_text.sentences import CONTENT, FUNCTION, Analysis, AnnotatedWord
from swarmkit_text.spans import TaggedSentence
from swarmkit_text.tagging import PENN, Tagged, Tagger, c5_tag, plain, tag
from swarmkit_text.tokenizer import ENGLISH, Passage, Rules, Word

NAME_TAG = "NP0"
"""The C5 tag of names."""

HYPHENS = ("-", "\u2010")
"""What divides a word at the end of a line."""

AHEAD = 32
"""Sentences that are classified together."""


@dataclass(frozen=True)
class EnglishReader:
    """Reads English; see `Reader`."""

    entries: Entries
    """The lexicon."""
    tagger: Tagger = "hanta"
    """Which tagger determines the parts of speech."""
    classify: Classify | None = None
    """The encoder's classes of words, if it runs."""

    @property
    def rules(self) -> Rules:
        """The rules by which English texts are split."""
        return ENGLISH

    def read_raw(self, passages: Iterator[Passage]) -> Iterator[tuple[Passage, Analysis]]:
        """Iterate over the sentences of a raw text; with the encoder `AHEAD` of them are in memory at a time."""
        whole = (join_hyphenated(passage, self.entries) for passage in passages)
        for passage, classes in self._classify_ahead(whole):
            sentence = tagged_sentence(passage.words, self.tagger, classes)
            yield passage, Analysis(sentence.pos, read_sentence(sentence, self.entries))

    def _classify_ahead(self, passages: Iterator[Passage]) -> Iterator[tuple[Passage, Classes | None]]:
        # The encoder is faster on many sentences together than on one after the other.
        while self.classify is not None and (group := list(islice(passages, AHEAD))):
            surfaces = [[word.surface for word in passage.words] for passage in group]
            yield from zip(group, self.classify(surfaces), strict=True)
        yield from ((passage, None) for passage in passages)

    def read_tags(self, text: str, words: Sequence[AnnotatedWord]) -> Analysis:
        """Return what tagged words may stand for."""
        sentence = _tagged(words)
        alone = [_options(word, sentence, at, self.entries) for at, word in enumerate(words)]
        return Analysis(sentence.pos, join_entries(sentence, alone, self.entries))

    def read_list(self, words: Sequence[Word], pos: Sequence[Pos | None] | None) -> Analysis:
        """Return what the words of a list may stand for, each alone."""
        surfaces = [word.surface for word in words]
        sentence = tagged_sentence(words, self.tagger, None if self.classify is None else self.classify([surfaces])[0])
        # Words of a list are tagged in the context of the list, and never joined: the user has cut them.
        if pos is None:
            return Analysis(sentence.pos, read_sentence(sentence, self.entries, join=False))
        sentence = sentence._replace(pos=pos)
        return Analysis(pos, [_exact(sentence, at, self.entries) for at in range(len(words))])

    def any_options(self, word: str, at: int, pos: Pos | None) -> list[Option]:
        """Return any entry of a word that the user wants answered; if there is none, the word itself."""
        # The first part of speech, in the order of POS, of which there is an entry.
        for kind in POS if pos is None else (pos,):
            lemma = lookup(word, kind, self.entries)
            if lemma is not None:
                return [Option(lemma, kind, 1.0, at)]
        return [Option(lemma_form(plain(word)), pos or "n", 1.0, at)]


def join_hyphenated(passage: Passage, entries: Entries) -> Passage:
    """Return a sentence in which words that were hyphenated at the end of a line are whole again.

    Both parts stay as they are unless the lexicon has the word, with or without its hyphen.
    """
    words: list[Word] = []
    for word in passage.words:
        words.append(word)
        if len(words) > 2 and _is_divided(passage.text, *words[-3:]):
            first, _, last = words[-3:]
            spelling = _spelling(first.surface, last.surface, entries)
            words[-3:] = [Word(spelling, first.start, last.end)] if spelling else words[-3:]
    return passage._replace(words=words)


def _is_divided(text: str, first: Word, hyphen: Word, last: Word) -> bool:
    """Return whether a hyphen touches the word before it, and a line ends between it and a small word."""
    touches = hyphen.surface in HYPHENS and first.end == hyphen.start
    return touches and last.surface[0].islower() and "\n" in text[hyphen.end : last.start]


def _spelling(first: str, second: str, entries: Entries) -> str | None:
    """Return how two parts of a hyphenated word are spelled as one; None if the lexicon has no such word."""
    for joint in (first + second, f"{first}-{second}"):
        if joint.lower() in FUNCTION_WORDS or any(entries.morphy(plain(joint), pos) for pos in POS):
            return joint
    return None


def _exact(sentence: TaggedSentence, at: int, entries: Entries) -> list[Option]:
    """Return the entries of a word with exactly the part of speech that the user gave."""
    pos = sentence.pos[at]
    if pos is None:
        return []
    shares = lemmas(sentence.words[at].surface, pos, entries, sentence.tagged[at])
    ordered = sorted(shares.items(), key=lambda item: -item[1])
    return [Option(lemma, pos, share, at) for lemma, share in ordered]


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
    # Each tag has probability 1: the other program is believed.
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
    # Only universal tags tell auxiliaries (AUX) from verbs.
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
