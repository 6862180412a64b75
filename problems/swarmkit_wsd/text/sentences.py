"""Sentences with targets, from raw English or from a list of words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from swarmkit import UsageError, quoted
from swarmkit_wsd.corpus import POS, Pos, Sentence, Token, lemma_form
from swarmkit_wsd.text.entries import Entries, Match, lookup, multiword, single
from swarmkit_wsd.text.tagging import Tagged, Tagger, plain, tag
from swarmkit_wsd.text.tokenizer import Passage, Word, split_passages

CONTENT: dict[str, Pos] = {"s": "a", "NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
CONTENT.update((pos, pos) for pos in POS)
"""The part of speech of each tag of a content word: WordNet's letters and the universal tags."""

FUNCTION = frozenset(
    {"ADP", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NUM", "PART", "PRON", "PRT", "PUNCT", "SCONJ", "SYM", "X", "."}
)
"""The universal tags of all other words."""


def read_sentences(
    text: str | Iterable[str], entries: Entries, tagger: Tagger = "hanta", name: str = "d000"
) -> Iterator[Sentence]:
    """Iterate over the sentences of a raw English text, with one sentence in memory at a time.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        entries: the lexicon; words that have an entry are targets.
        tagger: which tagger determines the parts of speech.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    for number, passage in enumerate(split_passages([text] if isinstance(text, str) else text)):
        yield Sentence(identity := f"{name}.s{number:03}", tuple(_tokens(passage, identity, entries, tagger)))


def _tokens(passage: Passage, sentence: str, entries: Entries, tagger: Tagger) -> Iterator[Token]:
    """Iterate over the tokens of a sentence, the longest entries first."""
    text, shift, words = passage
    tagged = tag([word.surface for word in words], tagger)
    at = number = 0
    while at < len(words):
        match = multiword(words, tagged, at, entries) or single(words[at].surface, tagged[at], entries)
        size = match.words if match else 1
        start, end = words[at].start, words[at + size - 1].end
        word = Word(text[start:end], shift + start, shift + end)
        yield _token(word, match, tagged[at].pos, _target(sentence, number) if match else None)
        at, number = at + size, number + 1


def read_words(
    words: Sequence[str],
    entries: Entries,
    pos: Sequence[str | None] | None = None,
    targets: Iterable[int] | None = None,
    tagger: Tagger = "hanta",
    name: str = "d000",
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
    """
    _check_words(words)
    tagged = tag(words, tagger)
    if pos is not None:
        tagged = _given(tagged, pos)
    wanted = None if targets is None else _places(targets, len(words))
    identity = f"{name}.s000"
    tokens: list[Token] = []
    for at, (word, tags) in enumerate(zip(words, tagged, strict=True)):
        match = single(word, tags, entries) if pos is None else _exact(word, tags, entries)
        if wanted is not None and at in wanted:
            match = match or _forced(word, tags.pos, entries)
        chosen = match is not None if wanted is None else at in wanted
        tokens.append(_token(Word(word, at, at + 1), match, tags.pos, _target(identity, at) if chosen else None))
    return Sentence(identity, tuple(tokens))


def _target(sentence: str, at: int) -> str:
    return f"{sentence}.t{at:03}"


def _token(word: Word, match: Match | None, pos: Pos | None, target: str | None) -> Token:
    """Return a token; a content word that is not in the lexicon keeps its part of speech, to be reported."""
    lemma, pos = (match.lemma, match.pos) if match else (lemma_form(plain(word.surface)), pos)
    return Token(word.surface, lemma, pos, word.start, word.end, target)


def _exact(word: str, tagged: Tagged, entries: Entries) -> Match | None:
    """Return the entry of a word with exactly the part of speech that the user gave, or None."""
    lemma = lookup(word, tagged.pos, entries, tagged) if tagged.pos else None
    return Match(lemma, tagged.pos, 1) if lemma and tagged.pos else None


def _forced(word: str, pos: Pos | None, entries: Entries) -> Match:
    """Return any entry of a word that the user wants answered; if there is none, the word itself."""
    for other in POS if pos is None else ():
        lemma = lookup(word, other, entries)
        if lemma is not None:
            return Match(lemma, other, 1)
    return Match(lemma_form(plain(word)), pos or "n", 1)


def _check_words(words: Sequence[str]) -> None:
    if isinstance(words, str):
        raise UsageError("words is one string; expected a list of words. Raw text goes to read_sentences.")
    for at, word in enumerate(words):
        if not isinstance(word, str):
            raise UsageError(f"words[{at}] is {quoted(repr(word))}; expected a string.")


def _given(tagged: list[Tagged], pos: Sequence[str | None]) -> list[Tagged]:
    """Return the tags with the user's parts of speech; where both agree, the tagger's tag and lemma are kept."""
    if len(pos) != len(tagged):
        raise UsageError(f"pos has {len(pos)} values for {len(tagged)} words; expected one for each.")
    for at, name in enumerate(pos):
        if name is not None and name not in CONTENT and name not in FUNCTION:
            what = f"pos[{at}] is {quoted(str(name))}; expected n, v, a, r, None or a universal tag such as NOUN."
            raise UsageError(what)
    wanted = [CONTENT.get(name or "") for name in pos]
    return [tags if tags.pos == want else Tagged(want, "") for tags, want in zip(tagged, wanted, strict=True)]


def _places(targets: Iterable[int], words: int) -> Collection[int]:
    """Return the user's targets, each the position of a word."""
    places = list(targets)
    for place in places:
        if not isinstance(place, int) or not 0 <= place < words:
            raise UsageError(f"target {quoted(repr(place))} is not the position of a word; expected 0 to {words - 1}.")
    return frozenset(places)
