"""How well confidences are calibrated: the expected calibration error, leaving out one text at a time.

    python benchmarks/calibration.py --corpus senseval2.data.xml --key senseval2.gold.key.txt [--preset best]

For each text of the corpus the temperature of the posteriors is fitted to the other texts (by their log-likelihood),
and the error is measured on this one: over words with several senses, in 15 bins of equal mass, the mean difference
between confidence and the share of right answers. Also printed: the error with the temperature that swarmkit ships, and
how many of the most confident words are right.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import swarmkit
from swarmkit_wsd.confidence import softmax

BINS = 15
GRID = np.geomspace(0.3, 3.0, 47)
"""Factors of the shipped temperature that are tried."""


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.float64], bins: int = BINS) -> float:
    """Return the mean difference of confidence and accuracy over bins of equal mass, weighted by their size."""
    parts = np.array_split(np.argsort(confidence, kind="stable"), bins)
    gaps = [abs(confidence[part].mean() - right[part].mean()) * len(part) for part in parts if len(part)]
    return float(sum(gaps) / len(confidence))


class Text:
    """The posteriors of a text's words with several senses, in logarithms, and which senses are right."""

    def __init__(self, corpus: str, key: str, name: str, preset: str) -> None:
        from swarmkit_wsd.confidence import posteriors

        problem = swarmkit.make_problem("wsd", corpus=corpus, key=key, text_id=name, preset=preset)
        x = problem.default_solution()
        logs = [np.log(np.maximum(one, 1e-300)) for one in posteriors(problem, x)]  # type: ignore[arg-type]  # of 'wsd'
        keys = [[problem.lexicon.key(int(sense)) for sense in t.senses] for t in problem.targets]  # type: ignore[attr-defined]  # of 'wsd'
        gold = [set(problem.gold[str(t.token.id)].keys) for t in problem.targets]  # type: ignore[attr-defined]  # of 'wsd'
        self.words = [
            (values, int(choice), np.array([one in right for one in own]))
            for values, choice, own, right in zip(logs, x, keys, gold, strict=True)
            if len(values) > 1
        ]

    def loss(self, factor: float) -> float:
        """Return the sum of -log P(right) with the temperature multiplied by a factor."""
        shares = [softmax(values / factor)[right].sum() for values, _, right in self.words]
        return float(-np.log(np.maximum(shares, 1e-12)).sum())

    def answers(self, factor: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the confidence of each answer, and whether it is right."""
        confidence = [softmax(values / factor)[choice] for values, choice, _ in self.words]
        return np.array(confidence), np.array([right[choice] for _, choice, right in self.words], np.float64)


def main() -> None:
    """Fit, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--preset", default="best")
    given = parser.parse_args()
    names = swarmkit.make_problem("wsd", corpus=given.corpus, preset="paper").texts  # type: ignore[attr-defined]  # of 'wsd'
    texts = [Text(given.corpus, given.key, name, given.preset) for name in names]
    parts = []
    for at, name in enumerate(names):
        others = [text for number, text in enumerate(texts) if number != at]
        factor = float(min(GRID, key=lambda f: sum(text.loss(f) for text in others)))
        confidence, right = texts[at].answers(factor)
        parts.append((confidence, right))
        print(f"{name}: temperature x {factor:.2f}, ECE {calibration_error(confidence, right):.4f}, {len(right)} words")
    confidence, right = (np.concatenate(one) for one in zip(*parts, strict=True))
    print(f"all, each with the temperature of the others: ECE {calibration_error(confidence, right):.4f}")
    best = float(min(GRID, key=lambda f: sum(text.loss(f) for text in texts)))
    confidence, right = (np.concatenate(one) for one in zip(*(text.answers(1.0) for text in texts), strict=True))
    print(
        f"with the shipped temperature: ECE {calibration_error(confidence, right):.4f} (the best factor is {best:.2f})"
    )
    order = np.argsort(-confidence, kind="stable")
    for share in (0.25, 0.5, 0.75, 1.0):
        chosen = order[: round(share * len(order))]
        least = confidence[chosen[-1]]
        print(f"the most confident {share:.0%}: {right[chosen].mean():.1%} right, from confidence {least:.2f}")


if __name__ == "__main__":
    main()
