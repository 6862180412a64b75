"""What the spaCy component costs: 1,000 sentences through `nlp.pipe` against `disambiguate`, sentence by sentence.

    python benchmarks/spacy_component.py --preset fast
    python benchmarks/spacy_component.py --preset best

The sentences are examples of WordNet's glosses. Both ways take turns, so that a noisy moment hits both, and each reads
all sentences; the time is the process's CPU time, spaCy's tokenisation included. The senses have to be the same. The
promise is an overhead of at most 15 %.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from swarmkit_sense_model.sense_model import open_model
from swarmkit_wsd import Lexicon, disambiguate, open_lexicon

LIMIT = 0.15
LEAST_WORDS = 6
SHARE = 50
"""Sentences that one way reads before it is the other's turn."""


def example_sentences(lexicon: Lexicon, count: int) -> list[str]:
    """Return examples of at least LEAST_WORDS words, taken evenly from all synsets."""
    synsets = range(int(lexicon.sense_synset.max()) + 1)
    found = [one for synset in synsets for one in lexicon.examples(synset) if len(one.split()) >= LEAST_WORDS]
    return found[:: max(1, len(found) // count)][:count]


def measured(read: Callable[[Sequence[str]], list[Any]], texts: Sequence[str]) -> tuple[list[Any], float]:
    """Return what one way makes of texts, and the CPU seconds."""
    begun = time.process_time()
    return read(texts), time.process_time() - begun


def main() -> int:
    """Measure both ways and print the overhead; the exit code is 1 if a sense differs or the promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=["best", "fast"], default="fast")
    parser.add_argument("--sentences", type=int, default=1000)
    given = parser.parse_args()
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("swarmkit_wsd", config={"preset": given.preset})

    def directly(texts: Sequence[str]) -> list[Any]:
        return [disambiguate(text, preset=given.preset) for text in texts]

    def through_spacy(texts: Sequence[str]) -> list[Any]:
        return list(nlp.pipe(texts))

    sentences = example_sentences(open_lexicon(), given.sentences + 2 * SHARE)
    directly(sentences[:SHARE]), through_spacy(sentences[SHARE : 2 * SHARE])  # kernels, lexicon and model are loaded
    seconds, differing = {"disambiguate": 0.0, "component": 0.0}, 0
    for turn, first in enumerate(range(2 * SHARE, len(sentences), SHARE)):
        ways = {"disambiguate": directly, "component": through_spacy}
        found = {}
        for name in sorted(ways, reverse=bool(turn % 2)):
            found[name], spent = measured(ways[name], sentences[first : first + SHARE])
            if given.preset == "best":
                forget()
            seconds[name] += spent
        for senses, doc in zip(found["disambiguate"], found["component"], strict=True):
            differing += [one.model_dump(mode="json") for one in senses] != doc._.senses
    count = len(sentences) - 2 * SHARE
    overhead = seconds["component"] / seconds["disambiguate"] - 1
    for name, spent in seconds.items():
        print(f"{name:13} {spent:7.2f} s of CPU time, {1000 * spent / count:6.2f} ms a sentence")
    print(f"preset {given.preset}, {count} sentences: overhead {100 * overhead:+.1f} %; promised: at most {LIMIT:.0%}")
    print(f"sentences with other senses: {differing}")
    return int(differing > 0 or overhead > LIMIT)


def forget() -> None:
    """Make the encoder forget the sentences that it keeps: the second way would not encode them again."""
    model = open_model()
    model.sentences = copy.copy(model.sentences)


if __name__ == "__main__":
    sys.exit(main())
