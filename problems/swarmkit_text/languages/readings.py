"""What each word of a sentence in another language may stand for, with all parts of speech that its entries have.

There is no tagger: function words say something about the part of speech of the next word, and so does the frequency of
its entries. There is no tagged text of these languages here, so the shares are set by hand; the objective decides
between the parts of speech that they leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from swarmkit_lexicon.languages.lexicon import LanguageLexicon
from swarmkit_lexicon.languages.rules import LanguageRules, entry_form
from swarmkit_text.corpus import POS, Pos
from swarmkit_text.names import telling_capitals
from swarmkit_text.readings import LEAST, Option
from swarmkit_text.tokenizer import Word

LONGEST_PHRASE = 7
"""Words of the longest entry that is looked for."""

MOST_INFLECTIONS = 4
"""Words of a phrase that may be inflected; the others are looked up as they are written."""

PHRASE_SHARE = 0.9
"""The probability that words which are an entry together are meant as one, against the readings of its first word."""

CAPITALISED_NOUNS = frozenset({"deu", "ltz"})
"""Languages that write all nouns with capital letters, which then do not tell names."""


Shares = Mapping[Pos, float]

ANYWHERE: Shares = {"n": 0.45, "v": 0.30, "a": 0.15, "r": 0.10}
"""The share of each part of speech among content words."""

AFTER: Mapping[str, Shares] = {
    "determiners": {"n": 0.80, "v": 0.01, "a": 0.17, "r": 0.02},
    "pronouns": {"n": 0.01, "v": 0.93, "a": 0.01, "r": 0.05},
    "prepositions": {"n": 0.75, "v": 0.60, "a": 0.08, "r": 0.07},
    "auxiliaries": {"n": 0.05, "v": 0.55, "a": 0.30, "r": 0.10},
}
"""The shares behind a word of a kind; those of verbs behind prepositions are those of infinitives."""

INFLECTIONS: Shares = {"n": 0.3, "v": 0.1, "a": 0.3, "r": 0.3}
"""About how many occurrences of a lemma have one form that is not the lemma."""

FINITE = 0.01
"""The factor of verbs behind prepositions if their form is not the infinitive."""

SMOOTHED = 0.5
"""Is added to the counts of entries."""


def kind_before(forms: Sequence[str], at: int, rules: LanguageRules) -> str | None:
    """Return the kind of function word that the word at a position follows, of those in `AFTER`; None for others.

    Clitics between a pronoun and a word count as part of the pronoun (il la porte); otherwise they are determiners.

    Args:
        forms: the words of the sentence, as entries are spelled.
        at: the position.
        rules: those of the language.
    """
    if at == 0:
        return None
    before = at - 1
    # il la porte: the clitic between pronoun and verb is passed over.
    while before > 0 and forms[before] in rules.clitics:
        before -= 1
    if forms[before] in rules.pronouns:
        return "pronouns"
    last = forms[at - 1]
    return next((kind for kind in ("determiners", "prepositions", "auxiliaries") if last in getattr(rules, kind)), None)


def share(pos: Pos, kind: str | None, is_inflection: bool, count: float) -> float:
    """Return the share of an entry among those that a word may stand for; only ratios of shares count.

    >>> share("n", "determiners", False, 0.0) > share("v", "determiners", True, 100.0)
    True

    Args:
        pos: the part of speech.
        kind: what the word follows, as `kind_before` returns it.
        is_inflection: whether the word is another form than the lemma.
        count: how often the entry occurs in tagged texts.
    """
    # Proportional to P(part of speech | context) · (count · P(form | lemma) + smoothing).
    expected = AFTER[kind][pos] if kind else ANYWHERE[pos]
    if pos == "v" and kind == "prepositions" and is_inflection:
        expected *= FINITE
    return expected * (count * (INFLECTIONS[pos] if is_inflection else 1.0) + SMOOTHED)


class Annotation(NamedTuple):
    """What is known of a word from elsewhere: its part of speech, or that it has none, and its lemma."""

    tagged: bool = False
    pos: Pos | None = None
    lemma: str = ""


UNKNOWN = Annotation()


class Words(NamedTuple):
    """The words of a sentence."""

    words: Sequence[Word]
    forms: Sequence[str]
    """As entries are spelled."""
    telling: Sequence[bool]
    """Whether a capital letter at each word's beginning says that it is a name."""
    annotations: Sequence[Annotation]


def sentence_words(words: Sequence[Word], annotations: Sequence[Annotation] | None = None) -> Words:
    """Return a sentence's words with their forms."""
    surfaces = [word.surface for word in words]
    forms = [entry_form(surface) for surface in surfaces]
    return Words(words, forms, telling_capitals(surfaces), annotations or [UNKNOWN] * len(words))


def read_options(sentence: Words, lexicon: LanguageLexicon, text: str | None = None) -> list[list[Option]]:
    """Return what each word may stand for, the most probable first; nothing for words that are left alone.

    Args:
        sentence: the words.
        lexicon: the lexicon of their language.
        text: the text that the words' places count; None if they are a list, whose words are not joined.
    """
    alone = [word_options(sentence, at, lexicon) for at in range(len(sentence.words))]
    return [_prune(options) for options in (alone if text is None else _join(sentence, alone, lexicon, text))]


def content_pos(sentence: Words, lexicon: LanguageLexicon) -> list[Pos | None]:
    """Return n for content words and None for the others: words with it that have no entry are reported."""
    return [
        (annotation.pos if annotation.tagged else "n") if is_content(sentence, at, lexicon) else None
        for at, annotation in enumerate(sentence.annotations)
    ]


def is_content(sentence: Words, at: int, lexicon: LanguageLexicon) -> bool:
    """Return whether a word may have a sense: not a function word, a mark, a number, or a clitic that was cut off."""
    form, annotation = sentence.forms[at], sentence.annotations[at]
    if annotation.tagged:
        return annotation.pos is not None
    if not any(letter.isalpha() for letter in form) or form.startswith("-") or form.endswith("'"):
        return False
    if form in lexicon.rules.nouns and at and sentence.forms[at - 1] in lexicon.rules.nouns[form]:
        return True
    return form not in lexicon.rules.function and (len(form) > 1 or not form.isascii() or not lexicon.rules.has_file)


def word_options(sentence: Words, at: int, lexicon: LanguageLexicon) -> list[Option]:
    """Return the entries of one word alone, of every part of speech that it may have."""
    if not is_content(sentence, at, lexicon):
        return []
    form, annotation = sentence.forms[at], sentence.annotations[at]
    kind = kind_before(sentence.forms, at, lexicon.rules)
    # Words that are mostly function words are nouns only where the rules say so.
    noun = form in lexicon.rules.nouns and form in lexicon.rules.function and not annotation.tagged
    options: list[Option] = []
    for pos in (annotation.pos,) if annotation.pos else ("n",) if noun else POS:
        for lemma in _lemmas(sentence, at, pos, lexicon):
            weight = share(pos, kind, lemma != form, lexicon.count(lemma, pos))
            options += _spellings(Option(lemma, pos, weight, at), sentence, kind, lexicon)
    return options


def _lemmas(sentence: Words, at: int, pos: Pos, lexicon: LanguageLexicon) -> list[str]:
    """Return the entries of a word as a part of speech; a given lemma that is an entry is the only one."""
    lemma = entry_form(sentence.annotations[at].lemma)
    if lemma and lexicon.has(lemma, pos):
        return [lemma]
    lemmas = lexicon.base_forms(sentence.forms[at], pos)
    if pos == "v" and at and sentence.forms[at - 1] in lexicon.rules.reflexives:
        lemmas += [reflexive for reflexive in (f"{verb[:-1]}si" for verb in lemmas) if lexicon.has(reflexive, "v")]
    return lemmas


def _spellings(option: Option, sentence: Words, kind: str | None, lexicon: LanguageLexicon) -> Iterator[Option]:
    """Iterate over an entry with the senses that the spelling of the word allows.

    A word in small letters is a name only if nothing else is. A capital letter within a sentence tells a name; without
    an article before it, it is nothing else.
    """
    names = lexicon.capitalised(lexicon.senses(option.lemma, option.pos))
    mixture = bool(names.any()) and not names.all()
    capital = sentence.words[option.at].surface[:1].isupper()
    if not capital or lexicon.language in CAPITALISED_NOUNS:
        yield option._replace(capital=False) if mixture else option
    elif not sentence.telling[option.at]:
        yield option
    elif names.any():
        yield option._replace(capital=True) if mixture else option
    elif kind == "determiners" or sentence.annotations[option.at].tagged:
        yield option


def _join(sentence: Words, alone: list[list[Option]], lexicon: LanguageLexicon, text: str) -> Iterator[list[Option]]:
    """Iterate over what each word may stand for, alone or as the beginning of an entry of several words."""
    end = 0
    # From the left; what a phrase has covered begins no other one.
    for at, options in enumerate(alone):
        if at < end:
            yield options
            continue
        phrase, size = _phrase(sentence, at, lexicon, text)
        end = at + size  # words within a phrase begin no other one
        if not phrase:
            yield options
            continue
        total = sum(option.share for option in options)
        rest = [option._replace(share=(1 - PHRASE_SHARE) * option.share / total) for option in options]
        whole = sum(option.share for option in phrase)
        yield [*(option._replace(share=PHRASE_SHARE * option.share / whole) for option in phrase), *rest]


def _phrase(sentence: Words, at: int, lexicon: LanguageLexicon, text: str) -> tuple[list[Option], int]:
    """Return the longest entry of several words that begins at a word, with each part of speech, and its length."""
    # The lexicon knows for each first word how long its phrases are: most words begin none.
    longest = max(lexicon.longest_phrase(form) for form in _variants(sentence, at, lexicon))
    for size in range(min(longest, LONGEST_PHRASE, len(sentence.words) - at), 1, -1):
        for name in _names(sentence, range(at, at + size), lexicon, text):
            if options := list(_phrase_options(sentence, range(at, at + size), name, lexicon)):
                return options, size
    return [], 1


def _phrase_options(sentence: Words, places: range, name: str, lexicon: LanguageLexicon) -> Iterator[Option]:
    """Iterate over the parts of speech of an entry; function words alone are only an adverb together (en fait)."""
    if not lexicon.has(name):
        return
    kind = kind_before(sentence.forms, places[0], lexicon.rules)
    content = any(is_content(sentence, at, lexicon) for at in places)
    for pos in POS if content else ("r",):
        if lexicon.has(name, pos):
            yield Option(name, pos, share(pos, kind, False, lexicon.count(name, pos)), places[0], len(places))


def _names(sentence: Words, places: range, lexicon: LanguageLexicon, text: str) -> Iterator[str]:
    """Iterate over the names under which some words may be an entry, as they are written first."""
    words = sentence.words
    variants = [
        _variants(sentence, at, lexicon) if number < MOST_INFLECTIONS else [sentence.forms[at]]
        for number, at in enumerate(places)
    ]
    # Whether two words touch decides how the phrase is written: l'eau, pomme de terre.
    gaps = [" " if words[at].end < words[at + 1].start else "" for at in places[:-1]]
    if any(text[words[at].end : words[at + 1].start].strip() for at in places[:-1]):
        return
    for parts in product(*variants):
        yield entry_form("".join(part + gap for part, gap in zip(parts, [*gaps, ""], strict=True)))


def _variants(sentence: Words, at: int, lexicon: LanguageLexicon) -> list[str]:
    """Return the form of a word and its lemmas; of function words, only auxiliaries are inflected in entries."""
    form, rules = sentence.forms[at], lexicon.rules
    if form in rules.function and form not in rules.auxiliaries:
        return [form]
    return list(dict.fromkeys([form, lexicon.lemma_of(form), *lexicon.base_forms(form, "v")]))


def _prune(options: Iterable[Option]) -> list[Option]:
    """Return options without those of a very small share, the most probable first, with shares that sum to 1."""
    ordered = sorted(options, key=lambda option: -option.share)
    total = sum(option.share for option in ordered)
    return [option._replace(share=option.share / total) for option in ordered if option.share >= LEAST * total]
