"""Sentences with targets, from raw text, from a list of words, or from words that another program has tagged.

What a word may stand for is the affair of a reader: `EnglishReader`, or `LanguageReader` for other languages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple, Protocol

from swarmkit import UsageError, quoted
from swarmkit_text.corpus import POS, Pos, Reading, Sentence, Token, lemma_form
from swarmkit_text.readings import Option
from swarmkit_text.tagging import PENN, plain
from swarmkit_text.tokenizer import Passage, Rules, Word, split_passages

DECIMALS = 4
"""To which probabilities are rounded: a fingerprint does not depend on the last digits of a machine's logarithm."""

PENN_CONTENT: dict[Pos, str] = {
    "n": "NN NNS NNP NNPS",
    "v": "VB VBD VBG VBN VBP VBZ",
    "a": "JJ JJR JJS",
    "r": "RB RBR RBS",
}
CONTENT: dict[str, Pos] = {"s": "a", "NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
CONTENT.update((pos, pos) for pos in POS)
CONTENT.update((tag, pos) for pos, tags in PENN_CONTENT.items() for tag in tags.split())
"""The part of speech of each tag of a content word: WordNet's letters, the universal tags, the Penn Treebank's."""

FUNCTION = frozenset(
    {"ADP", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NUM", "PART", "PRON", "PRT", "PUNCT", "SCONJ", "SYM", "X", "."}
)
FUNCTION |= {*PENN, "``", "''", ",", ":", "(", ")", "-LRB-", "-RRB-", "#", "$"}
FUNCTION |= {"ADD", "AFX", "BES", "GW", "HVS", "HYPH", "LS", "NFP", "NIL", "SPACE", "XX", "_SP"}
"""The tags of all other words."""


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


class Analysis(NamedTuple):
    """What a reader says about the words of a sentence."""

    pos: Sequence[Pos | None]
    """The part of speech of each word by its most probable tag; None for words that have no senses."""
    options: Sequence[Sequence[Option]]
    """What each word may stand for, the most probable first; nothing for words that are left alone."""


class Reader(Protocol):
    """Reads the words of one language."""

    @property
    def rules(self) -> Rules:
        """The rules by which its texts are split."""

    def read_raw(self, passages: Iterator[Passage]) -> Iterator[tuple[Passage, Analysis]]:
        """Iterate over the sentences of a raw text with what their words may stand for."""

    def read_tags(self, text: str, words: Sequence[AnnotatedWord]) -> Analysis:
        """Return what the tagged words of a sentence may stand for; their places count the text."""

    def read_list(self, words: Sequence[Word], pos: Sequence[Pos | None] | None) -> Analysis:
        """Return what the words of a list may stand for alone, with the parts of speech that the user gave, if any."""

    def any_options(self, word: str, at: int, pos: Pos | None) -> list[Option]:
        """Return any entries of a word that the user wants answered; if there is none, the word itself."""


def read_text(text: str | Iterable[str], reader: Reader, name: str = "d000") -> Iterator[Sentence]:
    """Iterate over the sentences of a raw text, with few of them in memory at a time.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        reader: that of its language; words that have an entry are targets.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    passages = split_passages([text] if isinstance(text, str) else text, reader.rules)
    for number, (passage, analysis) in enumerate(reader.read_raw(passages)):
        yield passage_sentence(passage, f"{name}.s{number:03}", analysis)


def read_annotations(
    text: str, sentences: Iterable[Sequence[AnnotatedWord]], reader: Reader, name: str = "d000"
) -> Iterator[Sentence]:
    """Iterate over the sentences of a text that another program has tagged.

    Args:
        text: the text.
        sentences: the words of each sentence.
        reader: that of its language; words that have an entry with their part of speech are targets.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    for number, words in enumerate(sentences):
        passage = Passage(text, 0, [word.word for word in words])
        yield passage_sentence(passage, f"{name}.s{number:03}", reader.read_tags(text, words))


def passage_sentence(passage: Passage, name: str, analysis: Analysis) -> Sentence:
    """Return a sentence of a text, whose tokens count characters.

    Args:
        passage: the sentence's words and where they are.
        name: its id.
        analysis: what they may stand for.
    """
    return Sentence(name, tuple(_tokens(passage, name, analysis)))


def _tokens(passage: Passage, sentence: str, analysis: Analysis) -> Iterator[Token]:
    """Iterate over the tokens of a sentence."""
    text, shift, words = passage
    for at, (word, pos, options) in enumerate(zip(words, *analysis, strict=True)):
        # An option may cover several words, of which this one is the head.
        extents = [(words[option.at].start, words[option.at + option.size - 1].end) for option in options]
        places = [Word(text[start:end], shift + start, shift + end) for start, end in extents]
        word_in_text = Word(word.surface, shift + word.start, shift + word.end)
        yield make_token(word_in_text, pos, zip(options, places, strict=True), target_id(sentence, at))


def read_words(
    words: Sequence[str],
    reader: Reader,
    pos: Sequence[str | None] | None = None,
    targets: Iterable[int] | None = None,
    name: str = "d000",
) -> Sentence:
    """Return one sentence whose tokens are the words of a list.

    Args:
        words: the words.
        reader: that of their language.
        pos: the part of speech of each word (None: not a content word), instead of the reader's.
        targets: the positions of the words to disambiguate, in the lexicon or not; by default all content words that
            are in the lexicon.
        name: the id of the text, with which the ids of the sentence and of the targets begin.
    """
    check_words(words)
    places = [Word(word, at, at + 1) for at, word in enumerate(words)]
    analysis = reader.read_list(places, None if pos is None else read_pos(pos, len(words)))
    answerable = range(len(words)) if targets is None else wanted_places(targets, len(words))
    identity = f"{name}.s000"
    tokens: list[Token] = []
    for at, (word, tag, alone) in enumerate(zip(places, *analysis, strict=True)):
        options = alone if at in answerable else []
        # Whoever asks for a word by its place gets an answer, even for a function word.
        if targets is not None and at in answerable and not alone:
            options = reader.any_options(word.surface, at, tag)
        tokens.append(make_token(word, tag, ((option, word) for option in options), target_id(identity, at)))
    return Sentence(identity, tuple(tokens))


def target_id(sentence: str, at: int) -> str:
    """Return the id of a target, given that of its sentence and its position there."""
    return f"{sentence}.t{at:03}"


def make_token(word: Word, pos: Pos | None, options: Iterable[tuple[Option, Word]], name: str) -> Token:
    """Return a token; a content word that is left alone keeps its part of speech, to be reported.

    Args:
        word: the word.
        pos: its part of speech by its most probable tag.
        options: what it may stand for, and the words that each covers.
        name: its id, if it may stand for anything.
    """
    pairs = list(options)
    if not pairs:
        return Token(word.surface, lemma_form(plain(word.surface)), pos, word.start, word.end)
    # Biases compare the readings with each other; that none of them may be meant is the certainty.
    total = sum(option.share for option, _ in pairs)
    biases = [round(log(option.share / total), DECIMALS) for option, _ in pairs]
    readings = tuple(
        Reading(*place, option.lemma, option.pos, bias, option.capital)
        for (option, place), bias in zip(pairs, biases, strict=True)
    )
    main = next((option for option, place in pairs if place == word), pairs[0][0])
    certainty = round(min(1.0, total), DECIMALS)
    return Token(word.surface, main.lemma, main.pos, word.start, word.end, name, readings, certainty)


def check_words(words: Sequence[str]) -> None:
    """Refuse what is not a list of words."""
    if isinstance(words, str):
        raise UsageError("words is one string; expected a list of words. Raw text goes to read_sentences.")
    for at, word in enumerate(words):
        if not isinstance(word, str):
            raise UsageError(f"words[{at}] is {quoted(repr(word))}; expected a string.")


def read_pos(pos: Sequence[str | None], words: int) -> list[Pos | None]:
    """Return the parts of speech of the user's tags."""
    if isinstance(pos, str) or not isinstance(pos, Sequence):
        raise UsageError(f"pos is {quoted(repr(pos))}; expected a list with a part of speech, or None, for each word.")
    if len(pos) != words:
        raise UsageError(f"pos has {len(pos)} values for {words} words; expected one for each.")
    for at, name in enumerate(pos):
        if name is not None and (not isinstance(name, str) or (name not in CONTENT and name not in FUNCTION)):
            raise UsageError(
                f"pos[{at}] is {quoted(str(name))}; expected n, v, a, r, None, a universal tag such as NOUN, or a Penn "
                "tag such as NNS."
            )
    return [CONTENT.get(name or "") for name in pos]


def wanted_places(targets: Iterable[int], words: int) -> Collection[int]:
    """Return the user's targets, each the position of a word."""
    if not isinstance(targets, Iterable):
        raise UsageError(f"targets is {quoted(repr(targets))}; expected the positions of words.")
    places = list(targets)
    for place in places:
        if not isinstance(place, int) or not 0 <= place < words:
            raise UsageError(f"target {quoted(repr(place))} is not the position of a word; expected 0 to {words - 1}.")
    return frozenset(places)
