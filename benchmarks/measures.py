"""The speed of the measures on all pairs at once, against NLTK's functions pair by pair, on SemEval-2007 task 7.

    python benchmarks/measures.py path/to/semeval2007-coarse/eng-coarse-all-words.xml

For each text, every pair of different synsets among the senses of its target words is measured: all of them by our
measures, a random sample, extrapolated, by NLTK. Both in CPU seconds of the process, in one run, after a warm-up:
loading WordNet and compiling kernels is excluded on both sides. NLTK's caches of synsets and hypernyms are warm; for
Lesk it caches no tokens (`nltk.wsd.lesk` splits the definitions at each call), and a separate line shows it with cached
tokens. For extended Lesk, which NLTK does not have, tokens are cached and texts without a common word are not searched.
The sampled values are compared, too.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from swarmkit_lexicon.arrays import strings_in  # noqa: E402  (after the path to the tests' plain twin)
from swarmkit_lexicon.fetch import obtain_ic  # noqa: E402
from swarmkit_lexicon.gloss_text import BREAK, FUNCTION_WORDS, gloss_tokens, tokens  # noqa: E402
from swarmkit_lexicon.lexicon import Lexicon, open_lexicon  # noqa: E402
from swarmkit_wsd.measures import ExtendedLesk, LinLesk  # noqa: E402
from swarmkit_wsd.measures.extended_lesk import PreparedExtendedLesk  # noqa: E402
from tests.wsd.plain_overlaps import overlap_score  # noqa: E402

PAIRS_SAMPLED = 1500
Measured = Callable[[int, int], float]


def texts(corpus: Path, lexicon: Lexicon) -> dict[str, np.ndarray]:
    """Return the distinct synsets of the senses of each text's target words."""
    found = {}
    for text in ElementTree.parse(corpus).getroot().iter("text"):  # noqa: S314 (the user's own file)
        instances = [(one.attrib["lemma"], one.attrib["pos"]) for one in text.iter("instance")]
        found[text.attrib["id"]] = np.unique(
            np.concatenate([lexicon.sense_synset[lexicon.senses(lemma, pos)] for lemma, pos in instances])
        )
    return found


def nltk_reader(lexicon: Lexicon, folder: Path) -> tuple[Any, Any]:
    """Return NLTK's WordNet and information content, on the same files."""
    import nltk

    shutil.copytree(lexicon.source.path, folder / "corpora" / "wordnet")
    (folder / "corpora" / "wordnet_ic").mkdir()
    (folder / "corpora" / "wordnet_ic" / "ic-semcor.dat").write_bytes(obtain_ic(source=lexicon.source))
    nltk.data.path.insert(0, str(folder))
    from nltk.corpus import wordnet, wordnet_ic

    return wordnet, wordnet_ic.ic("ic-semcor.dat")


def pair_by_pair(lexicon: Lexicon, reader: Any, content: Any) -> dict[str, Measured]:
    """Return Lin-Lesk and extended Lesk written with NLTK."""
    vocabulary = strings_in(lexicon.arrays, "word")
    base = {vocabulary[i]: vocabulary[b] for i, b in enumerate(lexicon.arrays["word.base"].tolist())}
    ids = {vocabulary[i]: i for i in range(len(vocabulary))}
    function = lexicon.arrays["word.function"].tolist()

    @cache
    def synset(number: int) -> Any:
        pos = "a" if lexicon.pos(number) == "s" else lexicon.pos(number)
        return reader.synset_from_pos_and_offset(pos, int(lexicon.arrays["synset.offset"][number]))

    def bag(one: Any) -> frozenset[str]:
        gloss = tokens(one.definition() + "; " + "; ".join(one.examples()))
        return frozenset(base[token] for token in gloss if token not in FUNCTION_WORDS)

    def lin_lesk(a: int, b: int, bag: Callable[[Any], frozenset[str]] = bag) -> float:
        one, other = synset(a), synset(b)
        if one.pos() == other.pos() and one.pos() in "nv":
            return float(one.lin_similarity(other, content))
        words_a, words_b = bag(one), bag(other)
        return 2 * len(words_a & words_b) / max(len(words_a) + len(words_b), 1)

    @cache
    def relatives(one: Any) -> list[tuple[list[int], frozenset[int]]]:
        groups = [
            [one],
            one.hypernyms() + one.instance_hypernyms(),
            one.hyponyms() + one.instance_hyponyms(),
            one.part_meronyms() + one.member_meronyms() + one.substance_meronyms(),
            one.part_holonyms() + one.member_holonyms() + one.substance_holonyms(),
            one.attributes(),
            one.similar_tos(),
            one.also_sees() + [to.synset() for lemma in one.lemmas() for to in lemma.also_sees()],
        ]
        return [text(tuple(sorted(set(group), key=order))) for group in groups if group]

    def order(one: Any) -> tuple[int, int]:
        return "nvar".index(one.pos().replace("s", "a")), one.offset()

    def text(group: tuple[Any, ...]) -> tuple[list[int], frozenset[int]]:
        words = [ids[base[w]] if w else -1 for one in group for w in [*gloss_tokens(one.definition()), BREAK]]
        return words, frozenset(word for word in words if word >= 0 and not function[word])

    def extended_lesk(a: int, b: int) -> float:
        pairs = ((one, other) for one in relatives(synset(a)) for other in relatives(synset(b)))
        return sum(overlap_score(x[0], y[0], function.__getitem__) for x, y in pairs if x[1] & y[1])

    return {
        "lin-lesk": lin_lesk,
        "lin-lesk, tokens cached": partial(lin_lesk, bag=cache(bag)),
        "extended-lesk": extended_lesk,
    }


def sample(per_text: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return random pairs of synsets of each text; every pair of all texts has the same probability."""
    rng = np.random.default_rng(0)
    weights = np.array([len(synsets) * (len(synsets) - 1.0) for synsets in per_text.values()])
    counts = rng.multinomial(PAIRS_SAMPLED, weights / weights.sum())
    return {
        name: np.sort([rng.choice(len(synsets), 2, replace=False) for _ in range(count)])
        for (name, synsets), count in zip(per_text.items(), counts, strict=True)
    }


def all_at_once(
    lexicon: Lexicon, measure: LinLesk | ExtendedLesk, per_text: dict[str, np.ndarray], pairs: dict[str, np.ndarray]
) -> tuple[float, list[float]]:
    """Measure all pairs of all texts, one text after the other; return the CPU seconds and the sampled values."""
    seconds, values = 0.0, []
    for name, synsets in per_text.items():
        started = time.process_time()
        prepared = measure.prepare(lexicon, synsets)
        block = prepared.block(synsets, synsets)
        seconds += time.process_time() - started
        if isinstance(prepared, PreparedExtendedLesk):  # NLTK's side is not normalised
            block = prepared.scores(synsets, synsets)
        values += block[tuple(pairs[name].T)].tolist()
    return seconds, values


def one_by_one(
    measured: Measured, per_text: dict[str, np.ndarray], pairs: dict[str, np.ndarray]
) -> tuple[float, list[float]]:
    """Measure the sampled pairs; return the CPU seconds and the values."""
    synsets = [tuple(per_text[name][pair].tolist()) for name in per_text for pair in pairs[name]]
    started = time.process_time()
    values = [measured(a, b) for a, b in synsets]
    return time.process_time() - started, values


def main() -> int:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="eng-coarse-all-words.xml of SemEval-2007 task 7")
    corpus = parser.parse_args().corpus
    lexicon = open_lexicon()
    per_text = texts(corpus, lexicon)
    count = sum(len(synsets) * (len(synsets) - 1) // 2 for synsets in per_text.values())
    print(f"{len(per_text)} texts, {sum(map(len, per_text.values()))} synsets, {count:,} pairs within texts")
    pairs, fewest = sample(per_text), float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for name, measured in pair_by_pair(lexicon, *nltk_reader(lexicon, Path(folder))).items():
            measure = ExtendedLesk() if name == "extended-lesk" else LinLesk()
            for _ in range(2):  # the first is the warm-up
                ours, values = all_at_once(lexicon, measure, per_text, pairs)
                sampled, theirs = one_by_one(measured, per_text, pairs)
            nltk = sampled / PAIRS_SAMPLED * count
            fewest = min(fewest, nltk / ours if "cached" not in name else fewest)
            different = np.count_nonzero(~np.isclose(values, theirs, atol=1e-9))
            print(
                f"{name}: all pairs {ours:.2f} s; NLTK {nltk / count * 1e6:.0f} µs a pair, {nltk:,.0f} s in all; "
                f"{nltk / ours:,.0f} times; {different} of {PAIRS_SAMPLED} sampled values differ"
            )
    return 0 if fewest >= 200 else 1


if __name__ == "__main__":
    sys.exit(main())
