"""The lemmas of a language as arrays beside those of WordNet: the synsets are WordNet's, lemmas and senses its own."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError, wrong_line
from swarmkit_lexicon.arrays import Arrays, starts_of, strings_arrays, table_arrays
from swarmkit_lexicon.languages.rules import entry_form
from swarmkit_lexicon.languages.tab_file import Entries, TabFile
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_lexicon.naming import POS_BIT

MOST_FOREIGN = 0.01
"""The largest share of lines whose synsets WordNet 3.0 does not have: more, and the offsets are of another version."""

_ORDER = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}


class _Row(NamedTuple):
    """A sense; rows are sorted as the senses are."""

    lemma: str
    pos: int
    order: float
    """The negative count."""
    number: int
    """The smallest number that the synset has among the senses of its English lemmas."""
    synset: int


def compile_language(entries: Entries, file: TabFile, english: Lexicon) -> Arrays:
    """Return the arrays of a language: lemmas, senses and their counts, phrases, definitions.

    A synset's count is the sum of those of its English lemmas. It is split between the lemmas that the language has for
    it, in proportion to their numbers of senses: frequent words have more (on English read in this way, 0.9 points
    better than an even split; `benchmarks/languages.py`). Senses of a lemma are ordered by part of speech, then by
    count, then as in English.

    Args:
        entries: the content of the tab file.
        file: the file, for messages.
        english: WordNet.
    """
    capital = _capitals(entries, file, english)
    senses_of = Counter(lemma for lemma, _ in capital)
    parts: Counter[int] = Counter()
    for lemma, synset in capital:
        parts[synset] += senses_of[lemma]
    # English counts are per sense; those of a synset are divided again among the lemmas of this language.
    counts = np.bincount(english.sense_synset, weights=english.sense_count, minlength=len(english.synset_pos))
    numbers = np.full(len(english.synset_pos), np.iinfo(np.int32).max)
    np.minimum.at(numbers, english.sense_synset, english.sense_number)
    split = {(lemma, synset): counts[synset] * senses_of[lemma] / parts[synset] for lemma, synset in capital}
    rows = sorted(
        _Row(lemma, _ORDER[english.pos(synset)], -count, int(numbers[synset]), synset)
        for (lemma, synset), count in split.items()
    )
    return _sense_arrays(rows, capital, english) | _phrase_arrays(rows) | _definition_arrays(entries, english)


def _capitals(entries: Entries, file: TabFile, english: Lexicon) -> dict[tuple[str, int], bool]:
    """Return all pairs of lemma and synset, and whether the lemma is only written with capital letters there."""
    synset_at = _synset_index(english)
    # Lines of a good file may name synsets that 3.0 does not have: a few of them are left out.
    flags: dict[tuple[str, int], bool] = {}
    foreign: list[tuple[int, str]] = []
    for offset, pos, spelling, line in entries.lemmas:
        synset, lemma = synset_at.get((offset, pos)), entry_form(spelling)
        if synset is None:
            foreign.append((line, f"{offset:08}-{pos}"))
        elif lemma:
            flags[lemma, synset] = flags.get((lemma, synset), True) and spelling != spelling.lower()
    if len(foreign) > MOST_FOREIGN * len(entries.lemmas):
        raise wrong_line(
            file.path,
            foreign[0][0],
            f"WordNet 3.0 has no synset {foreign[0][1]}, nor those of {len(foreign) - 1} other lines; expected "
            "the offsets of WordNet 3.0",
        )
    if not flags:
        raise UsageError(f"{file.path}: no lemma of a synset that WordNet 3.0 has; expected a tab file for WordNet 3.0")
    return flags


def _synset_index(english: Lexicon) -> dict[tuple[int, str], int]:
    """Return the synsets by offset and part of speech, satellites as adjectives."""
    offsets = english.arrays["synset.offset"].tolist()
    kinds = [chr(code).replace("s", "a") for code in english.synset_pos.tolist()]
    return {(offset, pos): synset for synset, (offset, pos) in enumerate(zip(offsets, kinds, strict=True))}


def _sense_arrays(rows: list[_Row], capital: dict[tuple[str, int], bool], english: Lexicon) -> Arrays:
    lemmas = {lemma: at for at, lemma in enumerate(dict.fromkeys(row.lemma for row in rows))}
    lemma = np.array([lemmas[row.lemma] for row in rows], np.int32)
    synset = np.array([row.synset for row in rows], np.int32)
    starts = starts_of(np.bincount(lemma, minlength=len(lemmas)))
    bits = np.zeros(256, np.uint8)  # indexed by the code of the letter of a part of speech
    for pos, bit in POS_BIT.items():
        bits[ord(pos)] = bit
    return table_arrays("lemma", list(lemmas)) | {
        "lemma.pos": np.bitwise_or.reduceat(bits[english.synset_pos[synset]], starts[:-1]),
        "lemma.senses": starts,
        "sense.lemma": lemma,
        "sense.synset": synset,
        "sense.number": _numbers(lemma, np.array([row.pos for row in rows])),
        "sense.count": np.array([-row.order for row in rows], np.float64),
        "sense.capital": np.array([capital[row.lemma, row.synset] for row in rows], bool),
    }


def _numbers(lemma: NDArray[Any], pos: NDArray[Any]) -> NDArray[np.int32]:
    """Return the number of each sense among those of its lemma and part of speech, from 1.

    >>> _numbers(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])).tolist()
    [1, 2, 1, 1]
    """
    begins = np.flatnonzero(np.diff(lemma * 8 + pos, prepend=-1))
    ranks = np.repeat(begins, np.diff(begins, append=len(lemma)))
    return np.asarray(np.arange(len(lemma)) - ranks + 1, np.int32)


def _phrase_arrays(rows: list[_Row]) -> Arrays:
    """Return the first words of entries of several words, and the number of words of the longest entry of each."""
    longest: dict[str, int] = {}
    for lemma in {row.lemma for row in rows}:
        words = phrase_words(lemma)
        if len(words) > 1:
            longest[words[0]] = max(len(words), longest.get(words[0], 0))
    names = sorted(longest)
    return table_arrays("phrase", names) | {"phrase.longest": np.array([longest[name] for name in names], np.int32)}


def phrase_words(entry: str) -> list[str]:
    """Return the words of an entry, cut where a text may be cut: at underscores, behind apostrophes, before hyphens.

    >>> phrase_words("presqu'île"), phrase_words("rendez-vous"), phrase_words("pomme_de_terre")
    (["presqu'", 'île'], ['rendez', '-vous'], ['pomme', 'de', 'terre'])
    """
    return [word for word in entry.replace("'", "'_").replace("-", "_-").split("_") if word]


def _definition_arrays(entries: Entries, english: Lexicon) -> Arrays:
    synset_at = _synset_index(english)
    definitions = sorted((synset_at[at], text) for at, text in entries.definitions.items() if at in synset_at)
    return {
        "definition.synset": np.array([synset for synset, _ in definitions], np.int32),
        **strings_arrays("definition", [text for _, text in definitions]),
    }
