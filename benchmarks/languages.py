"""English read as if it were another language: what is lost without a tagger, and with counts of synsets alone.

    python benchmarks/languages.py --data DIR
    python benchmarks/languages.py --data DIR -P reading_weight=0.1 -P measure=weighted-mean

There is no French or Italian text with senses here. So WordNet's own lemmas are written as a tab file of the Open
Multilingual Wordnet, and the raw text of Senseval-2 is read as other languages are: rules of the same size as theirs
(function words below), simplemma's English dictionary, all parts of speech of every lemma, and sense counts that are
summed over each synset and split between its lemmas. The figures are those of preset fast on gold tokens, by our
tagger, and in this way. Other wordnets are less complete than WordNet, so this is an upper bound.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from raw_text import KINDS, gold_answers, kind_of, raw_kinds, raw_text, read_senseval

from swarmkit import make_settings, parse_settings
from swarmkit_lexicon.languages.codes import Code
from swarmkit_lexicon.languages.compile import compile_language
from swarmkit_lexicon.languages.lexicon import LanguageLexicon
from swarmkit_lexicon.languages.rules import LanguageRules, make_rules
from swarmkit_lexicon.languages.tab_file import TabFile, parse_tab_file
from swarmkit_lexicon.lexicon import Lexicon, open_lexicon
from swarmkit_text.corpus import Corpus
from swarmkit_text.languages.reader import LanguageReader
from swarmkit_text.sentences import read_text
from swarmkit_wsd.disambiguation import chunks_of
from swarmkit_wsd.options import OTHER_LANGUAGES, WsdOptions

RULES = {
    "determiners": "the a an this that these those my your his her its our their every each some any no all both "
    "two three 's many few several",
    "prepositions": "of in on at by for with from to into about over under after before between against through during",
    "pronouns": "i you he she it we they who to will would can could may might must should shall n't not",
    "auxiliaries": "be is are was were been being am 's 're 'm have has had 've having do does did",
    "others": "and or but if as than so because while when where which what how why whether then there here me him us "
    "them himself herself themselves one such same other another more most less too very just only also nor yet",
    "endings": {"v": {"s": "*", "es": "*", "ed": "* e", "ing": "* e"}, "n": {"s": "*"}},
}


def main() -> None:
    """Read Senseval-2 in the three ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with senseval2/senseval2.data.xml")
    parser.add_argument("-P", dest="options", action="append", metavar="KEY=VALUE", help="an option of the problem wsd")
    given = parser.parse_args()
    options = options_of(given.options)
    english = open_lexicon()
    corpus, keys = read_senseval(given.data)
    synsets = {
        name: {int(english.sense_synset[one]) for key in right for one in english.senses_of_key(key)}
        for name, right in keys.items()
    }
    total = len(synsets)
    if not given.options:
        gold = gold_answers(corpus, english, options, synsets)
        tagged = Counter(kind for _, kind in raw_kinds(corpus, english, options, synsets))
        print(f"gold tokens             {100 * sum(gold.values()) / total:6.2f} %")
        print(f"raw text, our tagger    {100 * tagged['right'] / total:6.2f} %")
    found = other_kinds(corpus, as_language(english), options_of(given.options, OTHER_LANGUAGES), synsets)
    print(f"as another language     {100 * found['right'] / total:6.2f} %")
    for kind in KINDS:
        print(f"  {kind:21} {found[kind]:6}")


def options_of(given: list[str] | None, defaults: Mapping[str, Any] | None = None) -> WsdOptions:
    """Return the options of preset fast with those that were given."""
    return make_settings(WsdOptions, {"preset": "fast", **(defaults or {})} | parse_settings(given, "-P"), "wsd")


def as_language(english: Lexicon) -> LanguageLexicon:
    """Return WordNet as the lexicon of another language."""
    with tempfile.TemporaryDirectory() as folder:
        file = TabFile(Path(folder) / "wn-data-eng.tab")
        file.path.write_text("".join(tab_lines(english)), "utf-8")
        arrays = compile_language(parse_tab_file(file, "eng"), file, english)
        _ = file.sha256
    lexicon = LanguageLexicon(english, arrays, Code("eng", "en"), file)
    lexicon.rules = english_rules()
    return lexicon


def tab_lines(english: Lexicon) -> list[str]:
    """Return WordNet's lemmas as lines of a tab file."""
    offsets = english.arrays["synset.offset"].tolist()
    return [
        f"{offset:08}-{english.pos(synset)}\teng:lemma\t{word.replace('_', ' ')}\n"
        for synset, offset in enumerate(offsets)
        for word in english.words(synset)
    ]


def english_rules() -> LanguageRules:
    """Return rules of English, of the size of those of other languages, with our cuts of contractions."""
    from swarmkit_text.tokenizer import ENGLISH

    return make_rules(RULES)._replace(split=ENGLISH)


def other_kinds(
    corpus: Corpus, lexicon: LanguageLexicon, options: WsdOptions, synsets: dict[str, set[int]]
) -> Counter[str]:
    """Return how many gold words became what, of `KINDS`."""
    kinds: Counter[str] = Counter()
    for text in corpus.texts:
        raw, words = raw_text(text)
        chunks = chunks_of(read_text(raw, LanguageReader(lexicon)), lexicon, options)
        senses = [sense for chunk in chunks for sense in chunk.senses()]
        found = {place: sense for sense in senses for place in range(sense.start, sense.end)}
        kinds.update(
            kind_of(word, found.get(word.start), synsets[word.token.id], lexicon)
            for word in words
            if word.token.id is not None
        )
    return kinds


if __name__ == "__main__":
    main()
