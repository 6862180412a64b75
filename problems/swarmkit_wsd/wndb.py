"""Read WordNet's files (wndb(5WN), senseidx(5WN), cntlist(5WN)) into arrays.

Synsets are numbered in the order nouns, verbs, adjectives, adverbs, each in the order of its file; lemmas
alphabetically; senses by lemma, then part of speech, then WordNet's own order, so that the senses of a lemma lie side
by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from swarmkit_wsd.arrays import Arrays, starts_of, strings_arrays, table_arrays
from swarmkit_wsd.glosses import gloss_arrays
from swarmkit_wsd.naming import POS_BIT, sense_key
from swarmkit_wsd.source import DEBIAN, Source

POS_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# wninput(5WN): the symbols of the pointers, by their place in this row.
POINTERS = tuple("! @ @i ~ ~i #m #s #p %m %s %p = + ;c -c ;r -r ;u -u * > ^ $ & < \\".split())  # noqa: SIM905  (symbols, which quotes would hide)
_MARKER = re.compile(r"\((?:a|p|ip)\)")
HYPERNYMS = (POINTERS.index("@"), POINTERS.index("@i"))


@dataclass(frozen=True)
class Synset:
    """One line of a data file."""

    pos: str
    offset: int
    lexfile: int
    words: list[tuple[str, int]]  # as written, with its lex_id
    pointers: list[tuple[int, str, int, int, int]]  # kind, pos and offset of the target, word from, word to
    gloss: str


@dataclass(frozen=True)
class Entry:
    """One line of an index file: a lemma and the offsets of its synsets, the most frequent first."""

    lemma: str
    pos: str
    offsets: list[int]


def read_synsets(source: Source) -> Iterator[Synset]:
    """Read the four data files."""
    for name in POS_FILES.values():
        for line in _lines(source, f"data.{name}"):
            yield parse_synset(line)


def _lines(source: Source, name: str) -> list[str]:
    text = source.read(name).decode("utf-8", "replace")
    return [line for line in text.split("\n") if line and not line.startswith(" ")]


def parse_synset(line: str) -> Synset:
    """Parse one line of a data file."""
    columns, _, gloss = line.partition("|")
    fields = columns.split()
    words_end = 4 + 2 * int(fields[3], 16)
    names, ids = fields[4:words_end:2], fields[5:words_end:2]
    words = [(name.partition("(")[0], int(lex_id, 16)) for name, lex_id in zip(names, ids, strict=True)]
    first, count = words_end + 1, int(fields[words_end])
    pointers = [_pointer(*fields[at : at + 4]) for at in range(first, first + 4 * count, 4)]
    return Synset(fields[2], int(fields[0]), int(fields[1]), words, pointers, gloss.strip())


def _pointer(symbol: str, offset: str, pos: str, words: str) -> tuple[int, str, int, int, int]:
    return POINTERS.index(symbol), pos, int(offset), int(words[:2], 16), int(words[2:], 16)


def read_entries(source: Source) -> list[Entry]:
    """Read the four index files, sorted by lemma and then by part of speech."""
    entries = [
        Entry(fields[0], pos, [int(offset) for offset in fields[-int(fields[2]) :]])
        for pos, name in POS_FILES.items()
        for fields in map(str.split, _lines(source, f"index.{name}"))
    ]
    order = {pos: rank for rank, pos in enumerate(POS_FILES)}
    return sorted(entries, key=lambda entry: (entry.lemma, order[entry.pos]))


def compile_wordnet(source: Source) -> Arrays:
    """Read a whole WordNet into arrays."""
    synsets, entries = list(read_synsets(source)), read_entries(source)
    lemmas = {lemma: index for index, lemma in enumerate(dict.fromkeys(entry.lemma for entry in entries))}
    at = {(_file_pos(synset.pos), synset.offset): index for index, synset in enumerate(synsets)}
    arrays = table_arrays("lemma", list(lemmas))
    arrays |= _synset_arrays(synsets, lemmas, at, source.sha256)
    arrays |= _sense_arrays(entries, synsets, lemmas, at, source)
    arrays |= _relation_arrays(synsets, at)
    arrays |= _exception_arrays(source)
    return arrays | gloss_arrays(synsets, entries, _exceptions(source))


def _file_pos(pos: str) -> str:
    return "a" if pos == "s" else pos


def _synset_arrays(
    synsets: list[Synset], lemmas: dict[str, int], at: dict[tuple[str, int], int], sha256: str
) -> Arrays:
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
    """Return Princeton's offsets, by which the information content files know the synsets, for Debian's too.

    In Debian's verbs one pointer (18 bytes) has moved from one synset to another: those between lie 18 bytes later.
    """
    if sha256 != DEBIAN:
        return offsets
    later = (pos == ord("v")) & (offsets >= 613036) & (offsets < 2422967)
    return np.where(later, offsets - 18, offsets).astype(np.int32)


def _head(synset: Synset, synsets: list[Synset], at: dict[tuple[str, int], int]) -> tuple[str, int]:
    """Return the head word of a satellite's cluster and its lex_id, which are part of the sense key."""
    if synset.pos != "s":
        return "", 0
    similar = POINTERS.index("&")
    return next(synsets[at["a", offset]].words[0] for kind, _, offset, _, _ in synset.pointers if kind == similar)


def _sense_arrays(
    entries: list[Entry], synsets: list[Synset], lemmas: dict[str, int], at: dict[tuple[str, int], int], source: Source
) -> Arrays:
    keys = _key_parts(synsets, at)
    # Some heads in cntlist.rev carry their syntactic marker, "afraid(p)", which index.sense and the keys do not.
    counts = dict(_MARKER.sub("", line).split()[::2] for line in _lines(source, "cntlist.rev"))
    rows = []
    for entry in entries:
        for number, offset in enumerate(entry.offsets, 1):
            synset = at[entry.pos, offset]
            lex_id, key = keys[entry.lemma, synset]
            rows.append((lemmas[entry.lemma], synset, number, int(counts.get(key, 0)), lex_id))
    table = np.array(rows, np.int32).reshape(-1, 5)
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


def _key_parts(synsets: list[Synset], at: dict[tuple[str, int], int]) -> dict[tuple[str, int], tuple[int, str]]:
    """Return the lex_id and the sense key of each lemma in each of its synsets."""
    parts = {}
    for index, synset in enumerate(synsets):
        head, head_id = _head(synset, synsets, at)
        for word, lex_id in reversed(synset.words):  # of "ddC" and "DDC" in one synset the first is the entry's
            lemma = word.lower()
            key = sense_key(lemma, synset.pos, synset.lexfile, lex_id, head.lower(), head_id)
            parts[lemma, index] = lex_id, key
    return parts


def _relation_arrays(synsets: list[Synset], at: dict[tuple[str, int], int]) -> Arrays:
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
    """Close the hypernyms and instance hypernyms: each synset with all that are above it, itself first."""
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
    for one in queue:  # it grows while it is read; WordNet 3.0 has a cycle, among the verbs
        queue += [up for up in above[one] if up not in queue]
    return queue


def _exceptions(source: Source) -> dict[str, dict[str, list[str]]]:
    """Read the irregular forms and their base forms, by part of speech."""
    return {
        pos: {form: bases for form, *bases in map(str.split, _lines(source, f"{name}.exc"))}
        for pos, name in POS_FILES.items()
    }


def _exception_arrays(source: Source) -> Arrays:
    forms = {
        f"{pos}:{form}": " ".join(bases)
        for pos, listed in _exceptions(source).items()
        for form, bases in listed.items()
    }
    return table_arrays("exception", list(forms)) | strings_arrays("exception.bases", list(forms.values()))


def read_ic(data: bytes, arrays: Arrays) -> NDArray[np.float64]:
    """Return the information content of each synset, -ln(count / all counts of its part of speech); inf if unseen."""
    content = np.full(len(arrays["synset.pos"]), np.inf)
    rows = [_ic_row(line) for line in data.decode("ascii", "replace").split("\n")[1:] if line.strip()]
    for pos in "nv":
        counts = {offset: count for kind, offset, count, _ in rows if kind == pos}
        total = sum(count for kind, _, count, is_root in rows if kind == pos and is_root)
        where = np.flatnonzero(arrays["synset.pos"] == ord(pos))
        offsets = arrays["synset.offset"][where].tolist()
        if unknown := counts.keys() - set(offsets):
            raise ValueError(f"{len(unknown)} of its {len(counts)} offsets ({pos}) are of no synset")
        seen = np.array([counts.get(offset, 0.0) for offset in offsets])
        content[where[seen > 0]] = -np.log(seen[seen > 0] / total)
    return content + 0.0  # -0.0 becomes 0.0


def _ic_row(line: str) -> tuple[str, int, float, bool]:
    """Parse a line such as '1740n 128767 ROOT'."""
    fields = line.split()
    if len(fields) < 2 or fields[0][-1] not in "nv":
        raise ValueError(f"a line reads {line[:40]!r}")
    return fields[0][-1], int(fields[0][:-1]), float(fields[1]), fields[2:] == ["ROOT"]
