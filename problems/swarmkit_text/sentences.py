"""Sentences with targets, from raw English or from a list of words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from math import log

from swarmkit import UsageError, quoted
from swarmkit_text.corpus import POS, Pos, Reading, Sentence, Token, lemma_form
from swarmkit_text.entries import Entries, lemmas, lookup
from swarmkit_text.parts_of_speech import Classes, Classify
from swarmkit_text.readings import Option, read_sentence, tagged_sentence
from swarmkit_text.spans import TaggedSentence
from swarmkit_text.tagging import PENN, Tagger, plain
from swarmkit_text.tokenizer import Passage, Word, split_passages

AHEAD = 32
"""Sentences that are classified together."""

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


def read_sentences(
    text: str | Iterable[str],
    entries: Entries,
    tagger: Tagger = "hanta",
    name: str = "d000",
    classify: Classify | None = None,
) -> Iterator[Sentence]:
    """Iterate over the sentences of a raw English text, with one sentence, or `AHEAD` to classify, in memory at a time.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        entries: the lexicon; words that have an entry are targets.
        tagger: which tagger determines the parts of speech.
        name: the id of the text, with which the ids of sentences and targets begin.
        classify: the encoder's classes of words, if it runs.
    """
    passages = split_passages([text] if isinstance(text, str) else text)
    for number, (passage, classes) in enumerate(_classify_ahead(passages, classify)):
        yield raw_sentence(passage, f"{name}.s{number:03}", entries, tagger, classes)


def raw_sentence(passage: Passage, name: str, entries: Entries, tagger: Tagger, classes: Classes | None) -> Sentence:
    """Return a sentence of raw text with its targets.

    Args:
        passage: the sentence's words and where they are.
        name: its id.
        entries: the lexicon.
        tagger: which tagger determines the parts of speech.
        classes: the encoder's classes of its words, if it runs.
    """
    tagged = tagged_sentence(passage.words, tagger, classes)
    return passage_sentence(passage, name, tagged.pos, read_sentence(tagged, entries))


def _classify_ahead(passages: Iterator[Passage], classify: Classify | None) -> Iterator[tuple[Passage, Classes | None]]:
    """Iterate over passages with the classes of their words; some of them are classified together, which is faster."""
    # The encoder is faster on many sentences of similar length than on one after the other.
    while classify is not None and (group := list(islice(passages, AHEAD))):
        yield from zip(group, classify([[word.surface for word in passage.words] for passage in group]), strict=True)
    yield from ((passage, None) for passage in passages)


def passage_sentence(
    passage: Passage, name: str, pos: Sequence[Pos | None], options: Sequence[Sequence[Option]]
) -> Sentence:
    """Return a sentence of a text, whose tokens count characters.

    Args:
        passage: the sentence's words and where they are.
        name: its id.
        pos: the part of speech of each word by its most probable tag.
        options: what each word may stand for.
    """
    return Sentence(name, tuple(_tokens(passage, name, pos, options)))


def _tokens(
    passage: Passage, sentence: str, tags: Sequence[Pos | None], options_of: Sequence[Sequence[Option]]
) -> Iterator[Token]:
    """Iterate over the tokens of a sentence."""
    text, shift, words = passage
    for at, (word, pos, options) in enumerate(zip(words, tags, options_of, strict=True)):
        # An option may cover several words, of which this one is the head.
        extents = [(words[option.at].start, words[option.at + option.size - 1].end) for option in options]
        places = [Word(text[start:end], shift + start, shift + end) for start, end in extents]
        word_in_text = Word(word.surface, shift + word.start, shift + word.end)
        yield make_token(word_in_text, pos, zip(options, places, strict=True), target_id(sentence, at))


def read_words(
    words: Sequence[str],
    entries: Entries,
    pos: Sequence[str | None] | None = None,
    targets: Iterable[int] | None = None,
    tagger: Tagger = "hanta",
    name: str = "d000",
    classify: Classify | None = None,
) -> Sentence:
    """Return one sentence whose tokens are the given words.

    Args:
        words: the words.
        entries: the lexicon.
        pos: the part of speech of each word (None: not a content word), instead of the tagger's.
        targets: the positions of the words to disambiguate, in the lexicon or not; by default all content words that
            are in the lexicon.
        tagger: which tagger determines the parts of speech.
        name: the id of the text, with which the ids of the sentence and of the targets begin.
        classify: the encoder's classes of words, if it runs.
    """
    check_words(words)
    places = [Word(word, at, at + 1) for at, word in enumerate(words)]
    sentence = tagged_sentence(places, tagger, None if classify is None else classify([words])[0])
    if pos is not None:
        sentence = sentence._replace(pos=given_pos(pos, len(words)))
        options_of = [_exact(sentence, at, entries) for at in range(len(words))]
    else:
        options_of = read_sentence(sentence, entries, join=False)
    answerable = range(len(words)) if targets is None else wanted_places(targets, len(words))
    identity = f"{name}.s000"
    tokens: list[Token] = []
    for at, (word, tagged, alone) in enumerate(zip(places, sentence.pos, options_of, strict=True)):
        options = alone if at in answerable else []
        if targets is not None and at in answerable and not alone:
            options = [_any_option(sentence, at, entries)]
        tokens.append(make_token(word, tagged, ((option, word) for option in options), target_id(identity, at)))
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


def _exact(sentence: TaggedSentence, at: int, entries: Entries) -> list[Option]:
    """Return the entries of a word with exactly the part of speech that the user gave."""
    pos = sentence.pos[at]
    if pos is None:
        return []
    shares = lemmas(sentence.words[at].surface, pos, entries, sentence.tagged[at])
    ordered = sorted(shares.items(), key=lambda item: -item[1])
    return [Option(lemma, pos, share, at) for lemma, share in ordered]


def _any_option(sentence: TaggedSentence, at: int, entries: Entries) -> Option:
    """Return any entry of a word that the user wants answered; if there is none, the word itself."""
    word, pos = sentence.words[at].surface, sentence.pos[at]
    for kind in POS if pos is None else (pos,):
        lemma = lookup(word, kind, entries)
        if lemma is not None:
            return Option(lemma, kind, 1.0, at)
    return Option(lemma_form(plain(word)), pos or "n", 1.0, at)


def check_words(words: Sequence[str]) -> None:
    """Refuse what is not a list of words."""
    if isinstance(words, str):
        raise UsageError("words is one string; expected a list of words. Raw text goes to read_sentences.")
    for at, word in enumerate(words):
        if not isinstance(word, str):
            raise UsageError(f"words[{at}] is {quoted(repr(word))}; expected a string.")


def given_pos(pos: Sequence[str | None], words: int) -> list[Pos | None]:
    """Return the parts of speech of the user's tags."""
    if len(pos) != words:
        raise UsageError(f"pos has {len(pos)} values for {words} words; expected one for each.")
    for at, name in enumerate(pos):
        if name is not None and name not in CONTENT and name not in FUNCTION:
            raise UsageError(
                f"pos[{at}] is {quoted(str(name))}; expected n, v, a, r, None, a universal tag such as NOUN, or a Penn "
                "tag such as NNS."
            )
    return [CONTENT.get(name or "") for name in pos]


def wanted_places(targets: Iterable[int], words: int) -> Collection[int]:
    """Return the user's targets, each the position of a word."""
    places = list(targets)
    for place in places:
        if not isinstance(place, int) or not 0 <= place < words:
            raise UsageError(f"target {quoted(repr(place))} is not the position of a word; expected 0 to {words - 1}.")
    return frozenset(places)
