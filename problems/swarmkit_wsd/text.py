"""Raw English, or a list of words, turned into sentences whose targets the lexicon knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from swarmkit import UsageError, quoted
from swarmkit_wsd.entries import Entries, Match, lookup, multiword, single
from swarmkit_wsd.tagging import Tagged, Tagger, plain, tag
from swarmkit_wsd.tokenizer import Word, split_sentences
from swarmkit_wsd.tokens import POS, Pos, Sentence, Token, lemma_form

# Parts of speech as people write them: WordNet's letters and the universal tags.
CONTENT: dict[str, Pos] = {"s": "a", "NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
CONTENT.update((pos, pos) for pos in POS)
FUNCTION = frozenset(
    {"ADP", "AUX", "CCONJ", "CONJ", "DET", "INTJ", "NUM", "PART", "PRON", "PRT", "PUNCT", "SCONJ", "SYM", "X", "."}
)


def read_sentences(text: str, entries: Entries, tagger: Tagger = "hanta", name: str = "d000") -> Iterator[Sentence]:
    """Cut raw English into sentences and find their targets, one sentence in memory at a time."""
    for number, words in enumerate(split_sentences(text)):
        tagged = tag([word.surface for word in words], tagger)
        identity = f"{name}.s{number:03}"
        tokens: list[Token] = []
        at = 0
        while at < len(words):
            match = multiword(words, tagged, at, entries) or single(words[at].surface, tagged[at], entries)
            size = match.words if match else 1
            start, end = words[at].start, words[at + size - 1].end
            target = _target(identity, len(tokens)) if match else None
            tokens.append(_token(Word(text[start:end], start, end), match, tagged[at].pos, target))
            at += size
        yield Sentence(identity, tuple(tokens))


def read_words(
    words: Sequence[str],
    entries: Entries,
    pos: Sequence[str | None] | None = None,
    targets: Iterable[int] | None = None,
    tagger: Tagger = "hanta",
    name: str = "d000",
) -> Sentence:
    """Take words as they are given, each one a token of one sentence.

    Given parts of speech overrule the tagger's (None: no content word). Without `targets` every content word that the
    lexicon knows is one; with them just these are, known or not.
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
    """Make a token; a content word that the lexicon does not know keeps its part of speech, to be reported."""
    lemma, pos = (match.lemma, match.pos) if match else (lemma_form(plain(word.surface)), pos)
    return Token(word.surface, lemma, pos, word.start, word.end, target)


def _exact(word: str, tagged: Tagged, entries: Entries) -> Match | None:
    """Find the entry of a word as the part of speech that the user has given, and no other."""
    lemma = lookup(word, tagged.pos, entries, tagged) if tagged.pos else None
    return Match(lemma, tagged.pos, 1) if lemma and tagged.pos else None


def _forced(word: str, pos: Pos | None, entries: Entries) -> Match:
    """Find any entry for a word that the user wants answered; failing that, name it as it is."""
    for other in POS if pos is None else ():
        lemma = lookup(word, other, entries)
        if lemma is not None:
            return Match(lemma, other, 1)
    return Match(lemma_form(plain(word)), pos or "n", 1)


def _check_words(words: Sequence[str]) -> None:
    if isinstance(words, str):
        raise UsageError("words: one string; expected a list of words. Raw text is read by read_sentences.")
    for at, word in enumerate(words):
        if not isinstance(word, str):
            raise UsageError(f"words[{at}] is {quoted(repr(word))}; expected a string.")


def _given(tagged: list[Tagged], pos: Sequence[str | None]) -> list[Tagged]:
    """Take the user's parts of speech; the tagger's lemma stays where the two agree."""
    if len(pos) != len(tagged):
        raise UsageError(f"pos has {len(pos)} values for {len(tagged)} words; expected one for each.")
    for at, name in enumerate(pos):
        if name is not None and name not in CONTENT and name not in FUNCTION:
            what = f"pos[{at}] is {quoted(str(name))}; expected n, v, a, r, None or a universal tag such as NOUN."
            raise UsageError(what)
    wanted = [CONTENT.get(name or "") for name in pos]
    return [tags if tags.pos == want else Tagged(want, "") for tags, want in zip(tagged, wanted, strict=True)]


def _places(targets: Iterable[int], words: int) -> Collection[int]:
    """Take the user's targets, each the place of a word."""
    places = list(targets)
    for place in places:
        if not isinstance(place, int) or not 0 <= place < words:
            raise UsageError(f"target {quoted(repr(place))} is not the place of a word; expected 0 to {words - 1}.")
    return frozenset(places)
