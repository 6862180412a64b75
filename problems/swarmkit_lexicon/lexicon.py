"""The lexicon: WordNet as arrays that are compiled once, cached by content, and memory-mapped at every later start.

A sense is a lemma in one of its synsets; a synset is a set of senses with one meaning. Both are numbers, which index
the arrays: `lexicon.sense_synset[lexicon.senses("bank", "n")]` are the synsets of the noun *bank*.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError
from swarmkit_lexicon import gloss_text, naming
from swarmkit_lexicon.arrays import Arrays, BrokenFileError, load, save, strings_in, table_in
from swarmkit_lexicon.cache import Notice, cache_lock, print_notice, readable_caches, writable_cache
from swarmkit_lexicon.fetch import obtain, obtain_ic
from swarmkit_lexicon.naming import (
    ALL_POS,
    LEXNAMES,
    POINTERS,
    POS_BIT,
    SS_TYPE,
    Spelling,
    capitalised,
    entry_name,
    sense_key,
    spelling,
)
from swarmkit_lexicon.search import DEFAULT_IC
from swarmkit_lexicon.source import Source

FORMAT = 2
"""Part of the name of the cached arrays: increased when the arrays, their file, the tokens or the function words
change."""

_opening = threading.Lock()
_lexicons: dict[str, Lexicon] = {}


def open_lexicon(wordnet: Path | str | None = None, *, fetch: bool = True, notice: Notice = print_notice) -> Lexicon:
    """Return the lexicon of a WordNet; its arrays are compiled first if they are not in the cache.

    Several threads and processes may call this at the same time.

    Args:
        wordnet: a folder with WordNet's files; by default WordNet 3.0 is found or fetched.
        fetch: whether WordNet may be fetched.
        notice: called with messages on the progress.
    """
    source = obtain(wordnet, fetch=fetch, notice=notice)
    # One thread compiles, the others wait for it; processes wait for the lock in the cache.
    with _opening:
        if source.sha256 not in _lexicons:
            try:
                arrays = _lexicon_arrays(source, notice)
            except _ChangedFilesError:  # now that the hash in the cache is right, they are fetched again if need be
                source = obtain(wordnet, fetch=fetch, notice=notice)
                arrays = _lexicon_arrays(source, notice)
            _lexicons[source.sha256] = Lexicon(arrays, source, notice)
        return _lexicons[source.sha256]


class _ChangedFilesError(Exception):
    """The files of a WordNet are not those whose hash is in the cache, although their sizes and times are."""


def _lexicon_arrays(source: Source, notice: Notice) -> Arrays:
    name = f"lexicon-{source.sha256[:20]}-{FORMAT}"
    return cached_arrays(name, lambda: _compile(source), notice, "Compiling WordNet once (about ten seconds)…")


def _compile(source: Source) -> Arrays:
    from swarmkit_lexicon.compile import compile_wordnet

    # The hash by size and time of the files is a guess; what is cached under it for ever is checked by content.
    if source.hash_again() != source.sha256:
        raise _ChangedFilesError
    # The caller's setting is restored, whatever it was.
    collecting = gc.isenabled()
    gc.disable()  # millions of small objects without cycles: the search for cycles would take a third of the time
    try:
        return compile_wordnet(source)
    except (ValueError, LookupError, StopIteration) as error:
        raise UsageError(
            f"{source.path} cannot be read as a WordNet ({type(error).__name__}: {error}). "
            "Expected files as wndb(5WN) describes them, such as WordNet 3.0's."
        ) from error
    finally:
        if collecting:
            gc.enable()


def cached_arrays(
    name: str, build: Callable[[], Arrays], notice: Notice = print_notice, message: str | None = None
) -> Arrays:
    """Return the arrays cached under a name; build and cache them first if they are missing or damaged.

    Args:
        name: the name, which changes with whatever the arrays are made from.
        build: returns the arrays.
        notice: called with one message if the arrays are built, which says so if there was a damaged file.
        message: the message for arrays that were not cached; None for no message.
    """
    damage = ""
    for cache in readable_caches():
        try:
            return _load(cache, name)
        except FileNotFoundError:
            continue
        except (OSError, BrokenFileError) as error:
            damage = damage or f"{cache / 'compiled' / name}.arrays is damaged ({error}): it is made again."
    cache = writable_cache()
    with cache_lock(cache, "compiled"):
        with suppress(OSError, BrokenFileError):  # another process built them
            return _load(cache, name)
        if damage or message:
            notice(damage or str(message))
        arrays = build()
        with suppress(OSError, UsageError):  # a full disk: the arrays in memory serve as well
            (cache / "compiled").mkdir(exist_ok=True)
            save(cache / "compiled" / f"{name}.arrays", arrays, {"name": name})
        return arrays


def _load(cache: Path, name: str) -> Arrays:
    arrays, facts = load(cache / "compiled" / f"{name}.arrays")
    if facts.get("name") != name:
        raise BrokenFileError(f"it is that of {facts.get('name')}")
    return arrays


class Lexicon:
    """The lemmas, senses and synsets of one WordNet."""

    language = "eng"
    """The language of the lemmas."""

    def __init__(self, arrays: Arrays, source: Source, notice: Notice = print_notice) -> None:
        self.arrays = arrays
        self.source = source
        self._notice = notice
        self.lemma_names = table_in(arrays, "lemma")
        self._lemma_pos: NDArray[np.uint8] = arrays["lemma.pos"]
        self.lemma_senses: NDArray[np.int32] = arrays["lemma.senses"]
        self.sense_lemma: NDArray[np.int32] = arrays["sense.lemma"]
        self.sense_synset: NDArray[np.int32] = arrays["sense.synset"]
        self.sense_number: NDArray[np.int32] = arrays["sense.number"]
        self.sense_count: NDArray[np.int32] | NDArray[np.float64] = arrays["sense.count"]
        self.synset_pos: NDArray[np.uint8] = arrays["synset.pos"]
        self._glosses = strings_in(arrays, "gloss")
        self._words = strings_in(arrays, "words")
        self._exceptions = table_in(arrays, "exception")
        self._bases = strings_in(arrays, "exception.bases")
        self._ic: dict[str, NDArray[np.float64]] = {}
        self._derived: dict[str, Arrays] = {}
        self._spellings: dict[tuple[str, str], Spelling] = {}

    @property
    def sha256(self) -> str:
        """The hash of WordNet's files, which every result records."""
        return self.source.sha256

    @property
    def version(self) -> str:
        """The version of WordNet, such as '3.0'."""
        return self.source.version

    @property
    def versions(self) -> dict[str, str]:
        """Name, version and hash of the data, for records of runs."""
        return {"wordnet": f"{self.version} sha256:{self.sha256}"}

    @property
    def wordnet(self) -> Lexicon:
        """The WordNet whose synsets these are: for lexicons of other languages than English another one."""
        return self

    def missing(self) -> list[str]:
        """Return what is missing for the language, in words: nothing for English."""
        return []

    def derived(self, name: str, build: Callable[[], Arrays], message: str | None = None) -> Arrays:
        """Return arrays that are made from this lexicon alone; they are built on first use and cached.

        Args:
            name: what they are, with a number that changes with the way they are made.
            build: returns the arrays.
            message: printed when they are built; None for no message.
        """
        if name not in self._derived:
            cache_name = f"{name}-{self.sha256[:20]}-{FORMAT}"
            self._derived[name] = cached_arrays(cache_name, build, self._notice, message)
        return self._derived[name]

    # Lemmas

    def entry(self, lemma: str) -> str:
        """Return a lemma as the entries are spelled."""
        return entry_name(lemma)

    def has(self, lemma: str, pos: str | None = None) -> bool:
        """Return whether there is an entry `lemma`, of the part of speech `pos` if that is given.

        "state of the art" and "state_of_the_art" are the same entry.
        """
        index = self.lemma_names.find(self.entry(lemma))
        # `lemma.pos` has a bit for each part of speech; satellites (s) count as adjectives (a).
        mask = 0xFF if pos is None else sum({POS_BIT[chr(code)] for code in _codes(pos)})
        return index >= 0 and bool(self._lemma_pos[index] & mask)

    def senses(self, lemma: str, pos: str | None = None) -> NDArray[np.int32]:
        """Return the senses of an entry in WordNet's order; of all parts of speech (n, v, a, r) if `pos` is None."""
        index = self.lemma_names.find(self.entry(lemma))
        if index < 0:
            return np.empty(0, np.int32)
        begin, end = self.lemma_senses[index : index + 2].tolist()
        senses = np.arange(begin, end, dtype=np.int32)
        if pos is None:
            return senses
        (code, satellite_code), kinds = _codes(pos), self.synset_pos[self.sense_synset[begin:end]]
        return np.compress((kinds == code) | (kinds == satellite_code), senses)

    def count(self, lemma: str, pos: str) -> int:
        """Return how often the senses of `lemma` as `pos` (n, v, a, r) occur in WordNet's tagged texts."""
        return int(self.sense_count[self.senses(lemma, pos)].sum())

    def spelling(self, lemma: str, pos: str) -> Spelling:
        """Return how many senses of `lemma` as `pos` WordNet writes with capital letters."""
        if (lemma, pos) not in self._spellings:
            self._spellings[lemma, pos] = spelling(self, lemma, pos)
        return self._spellings[lemma, pos]

    def is_kind_of(self, lemma: str, head: str) -> bool:
        """Return whether a sense of the noun `head` is a hypernym, direct or not, of a sense of the noun `lemma`."""
        targets = set(self.sense_synset[self.senses(head, "n")].tolist())
        above = self.sense_synset[self.senses(lemma, "n")].tolist()
        visits = set(above)  # WordNet 3.0 has a cycle of hypernyms
        while above:
            above = [
                hypernym for synset in above for hypernym in self.related(synset, "@ @i") if hypernym not in visits
            ]
            visits.update(above)
            if not targets.isdisjoint(above):
                return True
        return False

    def base_forms(self, form: str, pos: str) -> list[str]:
        """Return the entries of part of speech `pos` that `form` may be inflected from, likeliest first (morphy)."""
        form = entry_name(form)
        pos = "a" if pos == "s" else pos
        _codes(pos)
        exception = self._exceptions.find(f"{pos}:{form}")
        bases = self._bases[exception].split() if exception >= 0 else None
        return naming.base_forms(form, pos, functools.partial(self.has, pos=pos), bases)

    def morphy(self, form: str, pos: str | None = None) -> str | None:
        """Return the entry that `form` is inflected from, or None; without `pos` of any part of speech (s is a)."""
        entries = (base for kind in ([pos] if pos else ALL_POS) for base in self.base_forms(form, kind))
        return next(entries, None)

    # Senses

    def lemma(self, sense: int) -> str:
        """Return the lemma of a sense, with underscores for spaces."""
        return self.lemma_names[self.sense_lemma[sense]]

    def key(self, sense: int) -> str:
        """Return WordNet's sense key, such as 'bank%1:17:01::'."""
        synset = int(self.sense_synset[sense])
        lexfile, lex_id = self.arrays["synset.lexfile"][synset], self.arrays["sense.lex_id"][sense]
        head, head_id = self.arrays["synset.head"][synset], self.arrays["synset.head_id"][synset]
        head_lemma = self.lemma_names[head] if head >= 0 else ""
        return sense_key(self.lemma(sense), self.pos(synset), lexfile, lex_id, head_lemma, head_id)

    def sense_of_key(self, key: str) -> int | None:
        """Return the sense with a sense key, or None; case is ignored."""
        lower_key = key.lower()
        return next(
            (int(sense) for sense in self.senses(lower_key.partition("%")[0]) if self.key(sense) == lower_key), None
        )

    def senses_of_key(self, key: str) -> list[int]:
        """Return the senses that a sense key may stand for: at most one here, several words in another language."""
        sense = self.sense_of_key(key)
        return [] if sense is None else [sense]

    def capitalised(self, senses: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return for each sense whether WordNet writes its word with capital letters."""
        return capitalised(self, senses)

    # Synsets

    def pos(self, synset: int) -> str:
        """Return the part of speech of a synset: n, v, a, r, or s for a satellite adjective."""
        return chr(self.synset_pos[synset])

    def name(self, synset: int) -> str:
        """Return a name such as 'bank.n.01': first lemma, part of speech, WordNet's number of that sense.

        Satellites are numbered among all adjectives, as in WordNet and in NLTK before 3.10.
        """
        lemma = int(self.arrays["synset.lemma"][synset])
        begin, end = self.lemma_senses[lemma : lemma + 2]
        sense = begin + int(np.flatnonzero(self.sense_synset[begin:end] == synset)[0])
        return f"{self.lemma_names[lemma]}.{self.pos(synset)}.{self.sense_number[sense]:02}"

    def synset_named(self, name: str) -> int:
        """Return the synset with a name such as 'bank.n.01'."""
        lemma, pos, number = ([""] * 3 + name.rsplit(".", 2))[-3:]
        if pos in SS_TYPE and number.isdecimal():
            for sense in self.senses(lemma, pos).tolist():
                if self.sense_number[sense] == int(number):
                    return int(self.sense_synset[sense])
        raise UsageError(f"no synset named '{name}'. Expected a lemma, n, v, a, r or s, and a number: 'bank.n.01'.")

    def offset(self, synset: int) -> int:
        """Return the place of a synset in the data file of its part of speech."""
        return int(self.arrays["synset.offset"][synset])

    def lexname(self, synset: int) -> str:
        """Return the lexicographers' file of a synset, its supersense: 'noun.object'."""
        return LEXNAMES[int(self.arrays["synset.lexfile"][synset])]

    def ili(self, synset: int) -> str | None:
        """Return the number of a synset in the Collaborative Interlingual Index; None if WordNet is not 3.0."""
        return f"i{synset + self._ili_shift[self.pos(synset)]}" if self._ili_shift else None

    @functools.cached_property
    def _ili_shift(self) -> dict[str, int]:
        """What is added to the number of a synset, by part of speech; nothing if WordNet is not 3.0."""
        # The index numbers the synsets of WordNet 3.0 by part of speech in this order, each in the order of its file.
        shift: dict[str, int] = {}
        number = 1
        for kinds in ("as", "r", "v", "n") if self.source.is_3_0 else ():
            members = np.flatnonzero(np.isin(self.synset_pos, [ord(kind) for kind in kinds]))
            shift |= dict.fromkeys(kinds, number - int(members[0]))
            number += len(members)
        return shift

    def words(self, synset: int) -> list[str]:
        """Return the words of a synset as WordNet writes them, with capital letters."""
        return self._words[synset].split(" ")

    def gloss(self, synset: int) -> str:
        """Return the whole gloss, examples included."""
        return self._glosses[synset]

    def definition(self, synset: int) -> str:
        """Return the gloss without its examples."""
        return gloss_text.definition(self._glosses[synset])

    def examples(self, synset: int) -> list[str]:
        """Return the examples of the gloss."""
        return gloss_text.examples(self._glosses[synset])

    def related(self, synset: int, symbols: str) -> Iterator[int]:
        """Iterate over the targets of pointers (`symbols`, such as '@ @i') from `synset` or from one of its words."""
        kinds = [POINTERS.index(symbol) for symbol in symbols.split()]
        begin, end = self.arrays["relation.starts"][synset : synset + 2]
        selection = np.isin(self.arrays["relation.kind"][begin:end], kinds)
        yield from self.arrays["relation.target"][begin:end][selection].tolist()

    def information_content(self, name: str = DEFAULT_IC) -> NDArray[np.float64]:
        """Return the information content of every synset by a WordNet-Similarity file; inf where the count is 0."""
        if name not in self._ic:
            from swarmkit_lexicon.information_content import read_information_content

            data = obtain_ic(name, self.source, notice=self._notice)
            digest = hashlib.sha256(data).hexdigest()
            cache_key = f"ic-{digest[:20]}-{self.sha256[:20]}-{FORMAT}"
            build = functools.partial(read_information_content, name, data, self.arrays, self.version)
            self._ic[name] = cached_arrays(cache_key, lambda: {"ic": build()}, self._notice)["ic"]
        return self._ic[name]


def _codes(pos: str) -> tuple[int, int]:
    """Return the codes of the synsets that a part of speech includes: a includes s, the others only themselves."""
    if pos not in SS_TYPE:
        raise UsageError(f"no part of speech '{pos}'. Expected n (noun), v (verb), a or s (adjective) or r (adverb).")
    return ord(pos), ord("s") if pos == "a" else ord(pos)
