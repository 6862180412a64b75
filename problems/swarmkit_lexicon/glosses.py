"""WordNet's glosses as arrays: the words of each gloss as numbers, and what the measures need to know of each word."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.array_file import Arrays
from swarmkit_lexicon.arrays import starts_of
from swarmkit_lexicon.gloss_text import BREAK, FUNCTION_WORDS, definition, examples, gloss_tokens, tokens
from swarmkit_lexicon.morphology import base_forms
from swarmkit_lexicon.parse import Entry, Exceptions, Synset
from swarmkit_lexicon.strings import strings_arrays

Rows = list[list[int]]


def gloss_arrays(synsets: list[Synset], entries: Iterable[Entry], exceptions: Exceptions) -> Arrays:
    """Return arrays of the tokens of every gloss (0 is a break), of its content words, and of the vocabulary."""
    defined = [gloss_tokens(definition(synset.gloss)) for synset in synsets]
    shown = [gloss_tokens(";".join(examples(synset.gloss))) for synset in synsets]
    rows = [[*words, BREAK, *more] if more else words for words, more in zip(defined, shown, strict=True)]
    names = [tokens(" ".join(word for word, _ in synset.words).replace("_", " ")) for synset in synsets]
    base = base_words({BREAK, *chain(*rows, *names)}, entries, exceptions)
    vocabulary = {word: at for at, word in enumerate(dict.fromkeys([BREAK, *chain(*rows), *base.values()]))}
    ids = [[vocabulary[word] for word in row] for row in rows]
    base_ids = np.array([vocabulary[base.get(word, word)] for word in vocabulary], np.int32)
    function = np.array([word == BREAK or word in FUNCTION_WORDS for word in vocabulary])
    name_ids = [[vocabulary[base[word]] for word in dict.fromkeys(row) if word not in FUNCTION_WORDS] for row in names]
    return {
        "token.starts": starts_of(map(len, ids)),
        "token.word": _flat(ids),
        "named.starts": starts_of(map(len, name_ids)),
        "named.word": _flat(name_ids),
        "word.function": function,
        "word.base": base_ids,
        **strings_arrays("word", list(vocabulary)),
        **_content_arrays(ids, [len(words) for words in defined], base_ids, function),
    }


def _flat(rows: Rows) -> NDArray[np.int32]:
    return np.fromiter(chain.from_iterable(rows), np.int32)


def _content_arrays(ids: Rows, defined: list[int], base: NDArray[np.int32], function: NDArray[np.bool_]) -> Arrays:
    """Return arrays of each gloss's content words: base form, position in the gloss, link to the next one."""
    tokens, starts = _flat(ids), starts_of(map(len, ids))
    owner = np.repeat(np.arange(len(ids)), np.diff(starts))
    place = np.arange(len(tokens)) - starts[owner]
    at = np.flatnonzero(~function[tokens])
    inside = place[at] < np.array(defined)[owner[at]]
    word = base[tokens[at]]
    return {
        "content.starts": np.searchsorted(owner[at], np.arange(len(ids) + 1)).astype(np.int32),
        "content.defined": np.bincount(owner[at], weights=inside, minlength=len(ids)).astype(np.int32),
        "content.word": word,
        "content.place": place[at].astype(np.int32),
        "content.link": _links(base[tokens], at, np.cumsum(tokens == 0) + owner),
        "word.glosses": _glosses_with(word, owner[at], len(base)),
    }


def _links(words: NDArray[np.int32], at: NDArray[np.int64], part: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of each phrase from a content word to the next, function words included.

    The number is -1 for the last content word of a part of a gloss. Two glosses share a phrase exactly where they share
    links, so overlaps are found without comparing words.

    >>> _links(np.array([5, 1, 6, 5, 1, 6, 5]), np.array([0, 2, 3, 5, 6]), np.array([0, 0, 0, 0, 0, 0, 9])).tolist()
    [1, 0, 1, -1, -1]

    Args:
        words: the base form of every token.
        at: the positions of the content words among the tokens.
        part: for every token, the number of the part of a gloss that it belongs to.
    """
    links = np.full(len(at), -1, np.int32)
    gaps = np.diff(at, append=at[-1:])
    gaps[:-1][part[at[:-1]] != part[at[1:]]] = 0
    count, width = 0, int(words.max(initial=0)) + 1
    for gap in np.unique(gaps[gaps > 0]).tolist():
        these = np.flatnonzero(gaps == gap)
        phrase = words[at[these]].astype(np.int64)
        for step in range(1, gap + 1):  # number a longer phrase by the number of its beginning and its next word
            kinds, phrase = np.unique(phrase * width + words[at[these] + step], return_inverse=True)
        links[these] = phrase + count
        count += len(kinds)
    return links


def _glosses_with(words: NDArray[Any], owners: NDArray[Any], size: int) -> NDArray[np.int32]:
    """Return the number of glosses in which each word occurs."""
    distinct = np.unique(words.astype(np.int64) * (owners.max() + 1) + owners)
    return np.bincount(distinct // (owners.max() + 1), minlength=size).astype(np.int32)


def base_words(words: Iterable[str], entries: Iterable[Entry], exceptions: Exceptions) -> dict[str, str]:
    """Return each word's base form: the first one found as noun, verb, adjective or adverb, else the word itself."""
    known: dict[str, set[str]] = {pos: set() for pos in exceptions}
    for entry in entries:
        known[entry.pos].add(entry.lemma)
    return {word: word if word in FUNCTION_WORDS else _base(word, known, exceptions) for word in sorted(words)}


def _base(word: str, known: dict[str, set[str]], exceptions: Exceptions) -> str:
    for pos, lemmas in known.items():
        if found := base_forms(word, pos, lemmas.__contains__, exceptions[pos].get(word)):
            return found[0]
    return word
