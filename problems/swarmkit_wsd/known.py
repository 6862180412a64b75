"""Known senses: words whose sense is given become fixed stages, which take part in the senses of the words around them.

The place of a word is that of `Sense.start`: in a text the number of characters before the word, in a list of words the
number of words before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from swarmkit import UsageError, quoted
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpora.keys import read_answers
from swarmkit_text.corpus import POS, Pos, Reading, Sentence, Token
from swarmkit_text.entries import lookup
from swarmkit_text.tagging import plain
from swarmkit_wsd.units import Target, reading_senses

if TYPE_CHECKING:
    from swarmkit_wsd.problem import WordSenses

MOST_PLACES = 10
"""Words that the message about a place without a word lists."""


def parse_known_senses(senses: Mapping[Any, Any] | None) -> dict[int, str]:
    """Return known senses by place; places may be strings of digits, as in JSON.

    Raises:
        UsageError: a place is not a number from 0, or a sense key is not a string.
    """
    if senses is not None and not isinstance(senses, Mapping):
        raise UsageError(
            f"known is {quoted(repr(senses))}; expected sense keys by place, such as {{3: 'bank%1:17:01::'}}"
        )
    key_of: dict[int, str] = {}
    for place, key in (senses or {}).items():
        number = int(place) if isinstance(place, str) and place.isascii() and place.isdecimal() else place
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise UsageError(f"known: the place {quoted(repr(place))} is not a whole number from 0")
        if not isinstance(key, str):
            raise UsageError(
                f"known[{number}] is {quoted(repr(key))}; expected a sense key such as 'bank%1:17:01::', or a synset's "
                "name such as 'bank.n.01'"
            )
        if number in key_of:
            raise UsageError(f"known: the place {number} is given twice")
        key_of[number] = key
    return key_of


def assign_known_senses(
    sentence: Sentence, senses: dict[int, str], lexicon: Lexicon
) -> tuple[Sentence, dict[str, str]]:
    """Return a sentence with its known senses, which are removed from `senses`, and their keys by token id.

    A sense is named by its key, or by its synset, as tables show it. It counts over the tagger: its word has the one
    reading with this sense, and no other entry of several words overlaps with it.

    Args:
        sentence: a sentence of raw text or of a list of words.
        senses: sense keys or names of synsets by place, those of other sentences among them.
        lexicon: the lexicon.

    Raises:
        UsageError: a key is not a sense of the word at its place, or no word begins there.
    """
    tokens, keys = list(sentence.tokens), {}
    end = tokens[-1].end if tokens else 0
    pairs: list[tuple[Reading, str]] = []
    # Left to right, so that of two overlapping known words the message names the second one.
    for place in sorted(place for place in senses if place < end):
        key = senses.pop(place)
        at, reading, key = _reading(tokens, place, key, lexicon)
        for earlier, earlier_key in pairs:
            if reading.start < earlier.end and earlier.start < reading.end:
                raise UsageError(
                    f"known: {earlier_key} is the sense of {quoted(earlier.surface)}, of which {key} has a part"
                )
        pairs.append((reading, key))
        tokens = [_without_overlaps(token, reading) for token in tokens]
        name = f"{sentence.id}.t{at:03}"
        target = replace(tokens[at], lemma=reading.lemma, pos=reading.pos, id=name, certainty=1.0)
        tokens[at] = replace(target, readings=(replace(reading, bias=0.0),))
        keys[name] = key
    return Sentence(sentence.id, tuple(tokens)) if keys else sentence, keys


def check_assignment(senses: Mapping[int, str]) -> None:
    """Refuse known senses that are left when the last sentence has taken its own."""
    if senses:
        raise UsageError(f"known: no word begins at {min(senses)}; the text ends before it")


def _reading(tokens: Sequence[Token], place: int, name: str, lexicon: Lexicon) -> tuple[int, Reading, str]:
    """Return the number of the token that has the sense, its reading, and the sense's key.

    The reading is a new one if the tagger had ruled it out.
    """
    here = [at for at, token in enumerate(tokens) if token.start == place]
    if not here:
        nearest = sorted(tokens, key=lambda token: abs(token.start - place))[:MOST_PLACES]
        words = ", ".join(f"{t.start} ({t.surface})" for t in sorted(nearest, key=lambda token: token.start))
        raise UsageError(f"known: no word begins at {place}; words begin at {words}")
    # First what the tagger left, then every entry of the word: the user knows better than the tagger.
    choices = [(at, reading) for at in here for reading in tokens[at].readings]
    others = [(at, reading) for at, t in enumerate(tokens) if at not in here for reading in t.readings]
    choices += [(at, reading) for at, reading in others if reading.start == place]
    word = tokens[here[0]]
    choices += [
        (here[0], Reading(word.surface, word.start, word.end, lemma, pos))
        for pos in POS
        for lemma in entries_of(word.surface, pos, lexicon)
    ]
    target_senses = _senses_named(name, lexicon)
    senses: list[int] = []
    for at, reading in choices:
        of_reading = reading_senses(reading, lexicon).tolist()
        senses += of_reading
        if matches := target_senses.intersection(of_reading):
            return at, reading, name if "%" in name else lexicon.key(min(matches))
    raise not_a_sense(name, word.surface, senses, lexicon)


def _senses_named(name: str, lexicon: Lexicon) -> set[int]:
    """Return the senses that a sense key, or the name of a synset, may stand for."""
    if "%" in name:
        return set(lexicon.senses_of_key(name))
    with suppress(UsageError):  # no name of a synset: no sense of any word
        return set(np.flatnonzero(lexicon.sense_synset == lexicon.synset_named(name)).tolist())
    return set()


def entries_of(surface: str, pos: Pos, lexicon: Lexicon) -> list[str]:
    """Return the entries that a word may stand for as a part of speech."""
    if lexicon.wordnet is not lexicon:  # another language, whose accents tell words apart
        return lexicon.base_forms(surface, pos)
    lemmas = [lookup(surface, pos, lexicon), *lexicon.base_forms(plain(surface), pos)]
    return [lemma for lemma in dict.fromkeys(lemmas) if lemma is not None]


def _without_overlaps(token: Token, fixed: Reading) -> Token:
    """Return a token without its readings of several words that overlap with a known one; a target needs one left."""
    # A reading of the word itself competes with nobody; one of several words would cover the known word.
    left = tuple(
        reading
        for reading in token.readings
        if reading.end <= fixed.start
        or fixed.end <= reading.start
        or (reading.start, reading.end) == (token.start, token.end)
    )
    if len(left) == len(token.readings):
        return token
    return replace(token, readings=left) if left else replace(token, id=None, pos=None, readings=())


def fixed_candidates(targets: Iterable[Target], keys_of: Mapping[str, str], lexicon: Lexicon) -> dict[int, int]:
    """Return the known senses as candidates by stage.

    Args:
        targets: the words, in the order of the stages.
        keys_of: sense keys by token id; several keys for a word are separated by spaces, and the first that is among
            the word's senses counts.
        lexicon: the lexicon.

    Raises:
        UsageError: none of a word's keys is one of its senses.
    """
    fixed: dict[int, int] = {}
    for stage, target in enumerate(targets):
        keys = keys_of.get(str(target.token.id))
        if keys is None:
            continue
        senses = [int(sense) for sense in target.senses]
        matches = [sense for key in keys.split() for sense in lexicon.senses_of_key(key) if sense in senses]
        if not matches:
            raise not_a_sense(keys, f"{target.token.surface} ({target.token.id})", senses, lexicon)
        fixed[stage] = senses.index(matches[0])
    return fixed


def keep_answers(problem: WordSenses, path: Path) -> dict[str, str]:
    """Fix the stages of a corpus that a key file answers; return its keys by instance, as they are in the file.

    Args:
        problem: the corpus as a problem, whose `fixed` is set.
        path: the file, in either format; instances that it does not have stay open.
    """
    ids = {str(token.id) for _, token in problem.corpus.targets()}
    answers = {name: " ".join(keys) for name, keys in read_answers(path, ids, "corpus").items()}
    problem.fixed = fixed_candidates(problem.targets, answers, problem.lexicon)
    return answers


def not_a_sense(key: str, word: str, senses: Iterable[int], lexicon: Lexicon) -> UsageError:
    """Return the error about a key that is not a sense of its word, with the senses that the word has."""
    expected = ", ".join(
        f"{lexicon.key(sense)} ({lexicon.name(int(lexicon.sense_synset[sense]))})" for sense in dict.fromkeys(senses)
    )
    return UsageError(
        f"known: {quoted(key)} is not a sense of {quoted(word)}; "
        + (f"expected one of {expected}" if expected else "WordNet has no sense of it")
    )
