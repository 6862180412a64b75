"""Short sentences, compounds and phrasal verbs judged beforehand: how many are right, and wrong at confidence >= .9.

    python benchmarks/short_texts.py [--preset best] [--wrong]

The targets are in `tests/wsd/data/short_texts.tsv`. A word of a short sentence is right with one of its synsets; an
entry of several words is right if it is answered with one of its synsets, or, where the words are not that entry, not
answered. They are a test set: nothing is chosen by what this prints.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import NamedTuple

from swarmkit_wsd import Sense, disambiguate

FILE = Path(__file__).resolve().parents[1] / "tests" / "wsd" / "data" / "short_texts.tsv"
SURE = 0.9


class Judgement(NamedTuple):
    """A target and the synsets that are right."""

    kind: str
    text: str
    target: str
    synsets: tuple[str, ...]

    def answer(self, senses: list[Sense]) -> Sense | None:
        """Return the answer to the target: a word as it is written, otherwise an entry of several words."""
        name = "word" if self.kind == "short" else "lemma"
        return next((sense for sense in senses if getattr(sense, name) == self.target), None)

    def is_right(self, answer: Sense | None) -> bool:
        """Return whether an answer is right; none is if there is no right synset."""
        return not self.synsets if answer is None else answer.synset in self.synsets


def judgements() -> list[Judgement]:
    """Return the judged targets of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [Judgement(kind, text, target, tuple(synsets.split())) for kind, text, target, synsets in rows]


def main() -> None:
    """Disambiguate each text on its own and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong")
    given = parser.parse_args()
    results = []
    for item in judgements():
        answer = item.answer(disambiguate(item.text, preset=given.preset))
        results.append((item, answer, item.is_right(answer)))
    for kind in dict.fromkeys(item.kind for item, _, _ in results):
        rows = [(answer, right) for item, answer, right in results if item.kind == kind]
        sure = sum(not right and answer is not None and answer.confidence >= SURE for answer, right in rows)
        print(f"{kind}: {sum(right for _, right in rows)} of {len(rows)} right, {sure} wrong at confidence >= {SURE}")
    if given.wrong:
        for item, answer, right in results:
            if not right:
                found = f"{answer.synset} {answer.confidence:.2f}" if answer else "no answer"
                print(f"  {item.text} {item.target}: {found}; expected {' '.join(item.synsets) or 'no such entry'}")


if __name__ == "__main__":
    main()
