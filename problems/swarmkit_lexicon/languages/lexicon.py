"""The lexicon of another language: its lemmas and definitions on WordNet 3.0's synsets, relations and glosses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit import MissingError, UsageError, install_hint
from swarmkit_lexicon.arrays import Arrays, strings_in, table_in
from swarmkit_lexicon.cache import Notice, print_notice
from swarmkit_lexicon.fetch import obtain
from swarmkit_lexicon.languages.codes import Code, language_code
from swarmkit_lexicon.languages.compile import compile_language, phrase_words
from swarmkit_lexicon.languages.rules import entry_form, language_rules
from swarmkit_lexicon.languages.tab_file import TabFile, find_tab_file, parse_tab_file
from swarmkit_lexicon.lexicon import Lexicon, cached_arrays, open_lexicon

LONGEST = 60
"""Letters of the longest form that is looked up."""

OTHER_NAMES = {"hrv": "hbs", "srp": "hbs", "bos": "hbs"}
"""Languages whose dictionary has another name than their code of two letters."""


def dictionary_name(code: Code) -> str | None:
    """Return simplemma's name of a language; None if it has no dictionary of it.

    Raises:
        MissingError: simplemma is not installed.
    """
    if find_spec("simplemma") is None:
        raise MissingError(
            f"languages other than English need simplemma, which the extra 'languages' installs: "
            f"{install_hint('languages')}"
        )
    # This module lists the dictionaries without loading one.
    factory = import_module("simplemma.strategies.dictionaries.dictionary_factory")
    languages: Any = factory.SUPPORTED_LANGUAGES
    names = (OTHER_NAMES.get(code.three), code.two, code.three)
    return next((name for name in names if name is not None and name in languages), None)


@lru_cache(maxsize=1 << 16)
def lemmatise(form: str, name: str) -> str:
    """Return the lemma of a form in small letters; the form itself if the dictionary does not have it.

    Args:
        form: the form.
        name: simplemma's name of the language.
    """
    if len(form) > LONGEST or not form:
        return form
    lemma: str = import_module("simplemma").lemmatize(form, lang=name)
    return lemma


FORMAT = 1
"""Part of the name of the cached arrays: increased when the arrays or the spelling of entries change."""

_opening = threading.Lock()
_lexicons: dict[tuple[str, str, str], LanguageLexicon] = {}


def open_language(
    language: str, wordnet: Path | str | None = None, wordnets: str | None = None, notice: Notice = print_notice
) -> LanguageLexicon:
    """Return the lexicon of a language; its arrays are compiled first if they are not in the cache.

    Args:
        language: its ISO code of two or three letters.
        wordnet: a folder with the files of WordNet 3.0; by default it is found or fetched.
        wordnets: a folder with tab files of the Open Multilingual Wordnet; by default $SWARMKIT_WORDNETS and NLTK's.
        notice: called with messages on the progress.
    """
    code, source = language_code(language), obtain(wordnet, notice=notice)
    if not source.is_3_0:
        raise UsageError(
            f"language '{language}': the WordNet in use is not 3.0 ({source.version}), whose synsets tab files name; "
            "expected WordNet 3.0: leave out the option wordnet and $SWARMKIT_WORDNET"
        )
    file = find_tab_file(code, wordnets)
    english = open_lexicon(wordnet, notice=notice)
    # Whatever the arrays depend on is part of their name in the cache.
    key = code.three, file.sha256, english.sha256
    with _opening:
        if key not in _lexicons:
            name = f"language-{code.three}-{file.sha256[:20]}-{english.sha256[:20]}-{FORMAT}"
            message = f"Compiling {file.member or file.path.name} once…"
            arrays = cached_arrays(name, lambda: _compile(file, code, english), notice, message)
            _lexicons[key] = LanguageLexicon(english, arrays, code, file)
        return _lexicons[key]


def _compile(file: TabFile, code: Code, english: Lexicon) -> Arrays:
    return compile_language(parse_tab_file(file, code.three), file, english)


class LanguageLexicon(Lexicon):
    """The lemmas and senses of one language on WordNet's synsets.

    A sense is named by the sense key of the first English word of its synset, which every program that knows WordNet
    understands; synsets have their English names.
    """

    def __init__(self, english: Lexicon, arrays: Arrays, code: Code, file: TabFile) -> None:
        super().__init__(english.arrays | arrays, english.source)
        self.language, self.rules, self.file = code.three, language_rules(code.three), file
        self._english = english
        self._dictionary = dictionary_name(code)
        self._phrases = table_in(arrays, "phrase")
        self._definitions = strings_in(arrays, "definition")

    @property
    def wordnet(self) -> Lexicon:
        """WordNet itself, whose synsets, relations and glosses the measures compare."""
        return self._english

    @property
    def versions(self) -> dict[str, str]:
        """Name, version and hash of the data, for records of runs."""
        return super().versions | {f"wordnet {self.language}": f"sha256:{self.file.sha256}"}

    def missing(self) -> list[str]:
        """Return what is missing for the language, in words."""
        gaps = []
        if self._dictionary is None:
            gaps.append("simplemma has no dictionary of it, so only words as the wordnet lists them are found")
        if not self.rules.has_file:
            gaps.append("there is no list of its function words, so some of them may be given senses")
        if not len(self._definitions):
            gaps.append("its wordnet has no definitions, so they are in English")
        return [f"language '{self.language}': {gap}" for gap in gaps]

    # Lemmas

    def entry(self, lemma: str) -> str:
        """Return a lemma as the entries are spelled."""
        return entry_form(lemma)

    def base_forms(self, form: str, pos: str) -> list[str]:
        """Return the entries that a form may stand for: itself, its lemma by the dictionary, lemmas by their endings.

        A form of a verb stands for itself only if there is no other entry: the infinitive is what wordnets list.
        """
        entry = entry_form(form)
        # The dictionary lacks many forms; the endings of the language's rules supply some of them.
        by_ending = [
            entry.removesuffix(ending) + lemma_ending
            for ending, lemma_endings in self.rules.endings.get(pos, {}).items()
            if entry.endswith(ending)
            for lemma_ending in lemma_endings
        ]
        forms = [
            base for base in dict.fromkeys([entry, self.lemma_of(entry), *by_ending]) if base and self.has(base, pos)
        ]
        return forms[1:] if pos == "v" and len(forms) > 1 and forms[0] == entry != self.lemma_of(entry) else forms

    def lemma_of(self, form: str) -> str:
        """Return the lemma of a form by the dictionary, as the entries are spelled; the form itself without one."""
        return form if self._dictionary is None else entry_form(lemmatise(form, self._dictionary))

    def longest_phrase(self, form: str) -> int:
        """Return the number of words of the longest entry of several words that begins with a form; 0 if none does."""
        at = self._phrases.find(phrase_words(form)[0]) if form else -1
        return int(self.arrays["phrase.longest"][at]) if at >= 0 else 0

    # Senses

    def key(self, sense: int) -> str:
        """Return the sense key of the first English word of a sense's synset."""
        synset = int(self.sense_synset[sense])
        senses = self._english.senses(self._english.lemma_names[int(self.arrays["synset.lemma"][synset])])
        return self._english.key(int(senses[np.flatnonzero(self._english.sense_synset[senses] == synset)[0]]))

    def senses_of_key(self, key: str) -> list[int]:
        """Return the senses of the synset that a key of any of its English words names."""
        synsets = self._english.sense_synset[self._english.senses_of_key(key)]
        return np.flatnonzero(np.isin(self.sense_synset, synsets)).tolist()

    def capitalised(self, senses: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return for each sense whether its lemma is written with capital letters."""
        flags: NDArray[np.bool_] = self.arrays["sense.capital"][senses]
        return flags

    # Synsets

    def name(self, synset: int) -> str:
        """Return the English name of a synset, such as 'bank.n.01'."""
        return self._english.name(synset)

    def synset_named(self, name: str) -> int:
        """Return the synset with an English name."""
        return self._english.synset_named(name)

    def definition(self, synset: int) -> str:
        """Return the definition in the language, in English if the wordnet has none."""
        synsets = self.arrays["definition.synset"]
        at = int(np.searchsorted(synsets, synset))
        is_local = at < len(synsets) and synsets[at] == synset
        return self._definitions[at] if is_local else self._english.definition(synset)

    def derived(self, name: str, build: Callable[[], Arrays], message: str | None = None) -> Arrays:
        """Return arrays that are made from this lexicon; what is made from WordNet alone is `wordnet.derived`."""
        return super().derived(f"{name}-{self.language}-{self.file.sha256[:20]}", build, message)
