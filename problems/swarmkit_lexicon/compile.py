"""A whole WordNet compiled into arrays.

Synsets are numbered in the order nouns, verbs, adjectives, adverbs, each in the order of its file; lemmas
alphabetically; senses by lemma, then part of speech, then WordNet's own order, so that the senses of a lemma are
adjacent.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.arrays import Arrays, starts_of, strings_arrays, table_arrays
from swarmkit_lexicon.gloss_text import BREAK, FUNCTION_WORDS, examples, gloss_tokens, tokens, without_examples
from swarmkit_lexicon.naming import POINTERS, POS_BIT, base_forms, sense_key
from swarmkit_lexicon.parse import (
    Entry,
    Exceptions,
    Synset,
    read_counts,
    read_entries,
    read_exceptions,
    read_synsets,
)
from swarmkit_lexicon.source import DEBIAN, Source

HYPERNYMS = (POINTERS.index("@"), POINTERS.index("@i"))

Index = dict[tuple[str, int], int]
"""The number of each synset, by part of speech (of its file) and offset."""


def compile_wordnet(source: Source) -> Arrays:
    """Read a whole WordNet and return its arrays."""
    synsets, entries, exceptions = list(read_synsets(source)), read_entries(source), read_exceptions(source)
    lemmas = {lemma: index for index, lemma in enumerate(dict.fromkeys(entry.lemma for entry in entries))}
    # A byte offset is unique within a file only, and satellites are in the file of adjectives.
    at = {(_file_pos(synset.pos), synset.offset): index for index, synset in enumerate(synsets)}
    arrays = table_arrays("lemma", list(lemmas))
    arrays |= _synset_arrays(synsets, lemmas, at, source.sha256)
    arrays |= _sense_arrays(entries, synsets, lemmas, at, read_counts(source))
    arrays |= _relation_arrays(synsets, at)
    arrays |= _exception_arrays(exceptions)
    return arrays | gloss_arrays(synsets, entries, exceptions)


def _file_pos(pos: str) -> str:
    return "a" if pos == "s" else pos


def _synset_arrays(synsets: list[Synset], lemmas: dict[str, int], at: Index, sha256: str) -> Arrays:
    # A satellite's sense key ends with the head word of its cluster.
    heads = [_head(synset, synsets, at) for synset in synsets]
    offsets = np.array([synset.offset for synset in synsets], np.int32)
    pos = np.frombuffer("".join(synset.pos for synset in synsets).encode(), np.uint8)
    return {
        "synset.pos": pos,
        "synset.offset": canonical_offsets(offsets, pos, sha256),
        "synset.lexfile": np.array([synset.lexfile for synset in synsets], np.uint8),
        "synset.lemma": np.array([lemmas[synset.words[0][0].lower()] for synset in synsets], np.int32),
        "synset.head": np.array([lemmas[word.lower()] if word else -1 for word, _ in heads], np.int32),
        "synset.head_id": np.array([lex_id for _, lex_id in heads], np.uint8),
        **strings_arrays("words", [" ".join(word for word, _ in synset.words) for synset in synsets]),
        **strings_arrays("gloss", [synset.gloss for synset in synsets]),
    }


def canonical_offsets(offsets: NDArray[np.int32], pos: NDArray[np.uint8], sha256: str) -> NDArray[np.int32]:
    """Return Princeton's offsets, which the information content files use, for Debian's files too.

    In Debian's verbs one pointer (18 bytes) moved from one synset to another: the synsets between the two are 18 bytes
    later than Princeton's.
    """
    if sha256 != DEBIAN:
        return offsets
    later = (pos == ord("v")) & (offsets >= 613036) & (offsets < 2422967)
    return np.where(later, offsets - 18, offsets).astype(np.int32)


def _head(synset: Synset, synsets: list[Synset], at: Index) -> tuple[str, int]:
    """Return the head word of a satellite's cluster and its lex_id, which are part of the sense key."""
    if synset.pos != "s":
        return "", 0
    similar = POINTERS.index("&")
    return next(synsets[at["a", offset]].words[0] for kind, _, offset, _, _ in synset.pointers if kind == similar)


def _sense_arrays(
    entries: list[Entry], synsets: list[Synset], lemmas: dict[str, int], at: Index, counts: dict[str, int]
) -> Arrays:
    keys = _key_parts(synsets, at)
    rows = []
    for entry in entries:
        for number, offset in enumerate(entry.offsets, 1):
            synset = at[entry.pos, offset]
            lex_id, key = keys[entry.lemma, synset]
            rows.append((lemmas[entry.lemma], synset, number, counts.get(key, 0), lex_id))
    table = np.array(rows, np.int32).reshape(-1, 5)
    # `entries` are sorted by lemma, so the rows of a lemma are adjacent.
    starts = starts_of(np.bincount(table[:, 0], minlength=len(lemmas)))
    kinds = np.array([POS_BIT[synset.pos] for synset in synsets], np.uint8)
    return {
        "lemma.pos": np.bitwise_or.reduceat(kinds[table[:, 1]], starts[:-1]),
        "lemma.senses": starts,
        "sense.lemma": table[:, 0],
        "sense.synset": table[:, 1],
        "sense.number": table[:, 2],
        "sense.count": table[:, 3],
        "sense.lex_id": table[:, 4].astype(np.uint8),
    }


def _key_parts(synsets: list[Synset], at: Index) -> dict[tuple[str, int], tuple[int, str]]:
    """Return the lex_id and the sense key of each lemma in each of its synsets."""
    parts = {}
    for index, synset in enumerate(synsets):
        head, head_id = _head(synset, synsets, at)
        for word, lex_id in reversed(synset.words):  # of "ddC" and "DDC" in one synset the first is the entry's
            lemma = word.lower()
            key = sense_key(lemma, synset.pos, synset.lexfile, lex_id, head.lower(), head_id)
            parts[lemma, index] = lex_id, key
    return parts


def _relation_arrays(synsets: list[Synset], at: Index) -> Arrays:
    rows = [
        (kind, at[_file_pos(pos), offset], word_from, word_to)
        for synset in synsets
        for kind, pos, offset, word_from, word_to in synset.pointers
    ]
    table = np.array(rows, np.int32).reshape(-1, 4)
    starts = starts_of(len(synset.pointers) for synset in synsets)
    return {
        "relation.starts": starts,
        "relation.kind": table[:, 0].astype(np.uint8),
        "relation.target": table[:, 1],
        "relation.word_from": table[:, 2].astype(np.uint8),
        "relation.word_to": table[:, 3].astype(np.uint8),
        **_ancestor_arrays(starts, table),
    }


def _ancestor_arrays(starts: NDArray[np.int32], relations: NDArray[np.int32]) -> Arrays:
    """Return the transitive closure of (instance) hypernyms: each synset with its ancestors, itself first."""
    upwards = np.isin(relations[:, 0], HYPERNYMS)
    above = [
        relations[begin:end, 1][upwards[begin:end]].tolist()
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    closures = [_closure(synset, above) for synset in range(len(above))]
    flat = np.fromiter(chain.from_iterable(closures), np.int32)
    return {"ancestor.starts": starts_of(map(len, closures)), "ancestor.synset": flat}


def _closure(synset: int, above: list[list[int]]) -> list[int]:
    queue = [synset]
    for member in queue:  # grows while it is read; WordNet 3.0 has a cycle among the verbs
        queue += [up for up in above[member] if up not in queue]
    return queue


def _exception_arrays(exceptions: Exceptions) -> Arrays:
    forms = {
        f"{pos}:{form}": " ".join(bases) for pos, irregular in exceptions.items() for form, bases in irregular.items()
    }
    return table_arrays("exception", list(forms)) | strings_arrays("exception.bases", list(forms.values()))


Rows = list[list[int]]


def gloss_arrays(synsets: list[Synset], entries: Iterable[Entry], exceptions: Exceptions) -> Arrays:
    """Return arrays of the tokens of every gloss (0 is a break), of its content words, and of the vocabulary."""
    definitions = [gloss_tokens(without_examples(synset.gloss)) for synset in synsets]
    example_words = [gloss_tokens(";".join(examples(synset.gloss))) for synset in synsets]
    rows = [[*words, BREAK, *rest] if rest else words for words, rest in zip(definitions, example_words, strict=True)]
    names = [tokens(" ".join(word for word, _ in synset.words).replace("_", " ")) for synset in synsets]
    base = base_words({BREAK, *chain(*rows, *names)}, entries, exceptions)
    # Number 0 is the break between two parts of a gloss.
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
        **_content_arrays(ids, [len(words) for words in definitions], base_ids, function),
    }


def _flat(rows: Rows) -> NDArray[np.int32]:
    return np.fromiter(chain.from_iterable(rows), np.int32)


def _content_arrays(ids: Rows, lengths: list[int], base: NDArray[np.int32], function: NDArray[np.bool_]) -> Arrays:
    """Return arrays of each gloss's content words: base form, position in the gloss, link to the next one."""
    tokens, starts = _flat(ids), starts_of(map(len, ids))
    owner = np.repeat(np.arange(len(ids)), np.diff(starts))
    place = np.arange(len(tokens)) - starts[owner]
    at = np.flatnonzero(~function[tokens])
    inside = place[at] < np.array(lengths)[owner[at]]
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
    gaps = np.diff(at, append=at[-1:])  # tokens from each content word to the next; 0 where no phrase may go on
    gaps[:-1][part[at[:-1]] != part[at[1:]]] = 0
    count, width = 0, int(words.max(initial=0)) + 1
    for gap in np.unique(gaps[gaps > 0]).tolist():
        phrase_starts = np.flatnonzero(gaps == gap)
        phrase = words[at[phrase_starts]].astype(np.int64)
        for step in range(1, gap + 1):  # number a longer phrase by the number of its beginning and its next word
            kinds, phrase = np.unique(phrase * width + words[at[phrase_starts] + step], return_inverse=True)
        links[phrase_starts] = phrase + count
        count += len(kinds)
    return links


def _glosses_with(words: NDArray[Any], owners: NDArray[Any], size: int) -> NDArray[np.int32]:
    """Return the number of glosses in which each word occurs."""
    distinct = np.unique(words.astype(np.int64) * (owners.max() + 1) + owners)
    return np.bincount(distinct // (owners.max() + 1), minlength=size).astype(np.int32)


def base_words(words: Iterable[str], entries: Iterable[Entry], exceptions: Exceptions) -> dict[str, str]:
    """Return each word's base form: the first one found as noun, verb, adjective or adverb, else the word itself."""
    lemmas: dict[str, set[str]] = {pos: set() for pos in exceptions}
    for entry in entries:
        lemmas[entry.pos].add(entry.lemma)
    return {word: word if word in FUNCTION_WORDS else _base(word, lemmas, exceptions) for word in sorted(words)}


def _base(word: str, lemmas_of: dict[str, set[str]], exceptions: Exceptions) -> str:
    for pos, lemmas in lemmas_of.items():
        if bases := base_forms(word, pos, lemmas.__contains__, exceptions[pos].get(word)):
            return bases[0]
    return word
