"""Raw text against gold tokens: how many senses are lost because words, parts of speech and entries have to be found.

    python benchmarks/raw_text.py --data DIR
    python benchmarks/raw_text.py --data DIR --preset fast --errors
    python benchmarks/raw_text.py --semcor DIR

Senseval-2 (or those documents of SemCor that were held out when the model was trained), whose words are tagged and
joined by hand, is written as raw text, tagged as `swarmkit wsd tag` does, and compared with the answers of the same
preset on the gold tokens. A gold word is right if a sense with the same meaning (a key of the same synset) is given to
exactly its words; otherwise it is not tagged at all, tagged as part of other words (span), with another part of speech,
with another lemma, or with another sense. `--errors` lists the gold words that are right with gold tokens only.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from swarmkit_lexicon.lexicon import Lexicon, open_lexicon
from swarmkit_sense_model.sense_model import open_model
from swarmkit_text.corpora.keys import read_keys, sense_pos
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpora.semcor import read_semcor
from swarmkit_text.corpus import Corpus, Text, Token
from swarmkit_wsd.answers import Sense
from swarmkit_wsd.disambiguation import disambiguate
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses

CLOSED_UP = frozenset({",", ".", ";", ":", "?", "!", ")", "%", "'s", "n't", "'re", "'ve", "'ll", "'d", "'m", "'"})
"""Tokens that are written without a space before them."""

QUOTES = ("``", "''")
KINDS = ("right", "not tagged", "span", "part of speech", "lemma", "sense")


class GoldWord(NamedTuple):
    """A word of the corpus in the raw text."""

    token: Token
    start: int
    end: int


def main() -> None:
    """Tag the corpus both ways and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path, help="a folder with senseval2/senseval2.data.xml and its key")
    source.add_argument("--semcor", type=Path, help="a folder with SemCor's files, at any depth")
    parser.add_argument("--preset", choices=["best", "fast"])
    parser.add_argument("--model", help="a sense model, instead of the bundled one")
    parser.add_argument("--errors", action="store_true")
    given = parser.parse_args()
    options = WsdOptions(preset=given.preset, model=given.model)
    lexicon = open_lexicon()
    corpus, keys = read_senseval(given.data) if given.data else read_held_out(given.semcor, given.model)
    meant = {name: {lexicon.sense_of_key(key) for key in right} for name, right in keys.items()}
    synsets = {name: _synsets(senses, lexicon) for name, senses in meant.items()}
    with_gold = gold_answers(corpus, lexicon, options, synsets)
    begun = time.process_time()
    kinds = {word.token.id: kind for word, kind in raw_kinds(corpus, lexicon, options, synsets)}
    show(kinds, with_gold, options, time.process_time() - begun)
    if given.errors:
        for text in corpus.texts:
            for sentence in text.sentences:
                for token in sentence.targets:
                    if with_gold[str(token.id)] and kinds[token.id] != "right":
                        line = " ".join(f"[{one.surface}]" if one is token else one.surface for one in sentence.tokens)
                        print(f"{kinds[token.id]:15} {token.lemma}.{token.pos}  {line}")


def read_senseval(folder: Path) -> tuple[Corpus, dict[str, tuple[str, ...]]]:
    """Return Senseval-2 and the right keys of its instances."""
    entries = read_keys(folder / "senseval2/senseval2.gold.key.txt")
    return read_corpus(folder / "senseval2/senseval2.data.xml"), {name: one.keys for name, one in entries.items()}


def read_held_out(folder: Path, model: str | None) -> tuple[Corpus, dict[str, tuple[str, ...]]]:
    """Return the held-out documents in which nouns, too, have senses, and the right keys of their instances."""
    held_out = open_model(model).facts.training["held_out"]
    read = [read_semcor(path) for path in sorted(folder.rglob("br-*")) if path.name in held_out]
    texts = [one for one in read if any(sense_pos(keys[0]) == "n" for keys in one.keys.values())]
    return Corpus("unified", tuple(one.text for one in texts)), {k: v for one in texts for k, v in one.keys.items()}


def _synsets(senses: set[int | None], lexicon: Lexicon) -> set[int]:
    return {int(lexicon.sense_synset[sense]) for sense in senses if sense is not None}


def gold_answers(
    corpus: Corpus, lexicon: Lexicon, options: WsdOptions, synsets: dict[str, set[int]]
) -> dict[str, bool]:
    """Return for each instance whether its answer on the gold tokens is right."""
    problem = WordSenses(corpus, lexicon, options)
    answers = problem.answers(problem.default_solution())
    senses = {name: lexicon.sense_of_key(answers[name]) if name in answers else None for name in synsets}
    return {name: bool(_synsets({senses[name]}, lexicon) & synsets[name]) for name in synsets}


def raw_kinds(
    corpus: Corpus, lexicon: Lexicon, options: WsdOptions, synsets: dict[str, set[int]]
) -> Iterator[tuple[GoldWord, str]]:
    """Iterate over the gold words with what became of each of them in the raw text."""
    given = options.model_dump(exclude_defaults=True, exclude={"text"})
    for text in corpus.texts:
        raw, words = raw_text(text)
        found = {place: sense for sense in disambiguate(raw, **given) for place in range(sense.start, sense.end)}
        for word in words:
            if word.token.id is not None:
                yield word, kind_of(word, found.get(word.start), synsets[word.token.id], lexicon)


def kind_of(word: GoldWord, sense: Sense | None, synsets: set[int], lexicon: Lexicon) -> str:
    """Return what became of a gold word, of those in KINDS."""
    if sense is None:
        return "not tagged"
    if (sense.start, sense.end) != (word.start, word.end):
        return "span"
    if lexicon.synset_named(sense.synset) in synsets:
        return "right"
    if sense_pos(sense.key) != word.token.pos:
        return "part of speech"
    return "sense" if sense.lemma == word.token.lemma else "lemma"


def raw_text(text: Text) -> tuple[str, list[GoldWord]]:
    """Return the tokens of a text as people write it, and where each of them is."""
    raw, words = "", []
    for sentence in text.sentences:
        open_quote, apart = False, bool(raw)
        for at, token in enumerate(sentence.tokens):
            closing = token.surface in QUOTES and (open_quote or at == len(sentence.tokens) - 1)
            if apart and not closing and token.surface not in CLOSED_UP:
                raw += " "
            surface = '"' if token.surface in QUOTES else token.surface
            words.append(GoldWord(token, len(raw), len(raw) + len(surface)))
            raw += surface
            if token.surface in QUOTES:
                open_quote = not closing
            apart = not (token.surface in ("(", "$") or (token.surface in QUOTES and not closing))
    return raw, words


def show(kinds: dict[str | None, str], with_gold: dict[str, bool], options: WsdOptions, seconds: float) -> None:
    """Print the table."""
    counts, lost = Counter(kinds.values()), Counter(kind for name, kind in kinds.items() if with_gold[str(name)])
    total, gold, raw = len(kinds), sum(with_gold.values()), counts["right"]
    print(f"preset {options.preset}, {total} gold words; raw text tagged in {seconds:.1f} s of CPU time\n")
    print(f"right with gold tokens  {gold:6} {100 * gold / total:7.2f} %")
    print(f"right from raw text     {raw:6} {100 * raw / total:7.2f} %")
    print(f"lost                    {gold - raw:6} {100 * (gold - raw) / total:7.2f} points\n")
    print(f"{'from raw text':22} {'words':>7} {'right with gold tokens':>23}")
    for kind in KINDS:
        print(f"{kind:22} {counts[kind]:7} {lost[kind]:23}")


if __name__ == "__main__":
    main()
