"""What asking an expert brings: the share of words asked about against F1, with a gold key as a simulated expert.

    python benchmarks/experts.py --corpus senseval2.data.xml --key senseval2.gold.key.txt [--plot out.svg]

The expert chooses a gold sense with a given probability (its accuracy), any other sense of the word otherwise, and
states this probability as its reliability. It errs on easy and hard words alike, which flatters it: real experts err
most where the system errs too. For each threshold the table has the share of all words that are asked about and F1, the
mean over the seeds; beside it F1 if as many words, drawn at random among those with several senses, are asked about,
and F1 if the votes count for the words themselves alone (the problem is not solved again).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

import swarmkit
from swarmkit_wsd.confidence import posteriors
from swarmkit_wsd.experts.votes import log_odds, with_votes
from swarmkit_wsd.problem import WordSenses

THRESHOLDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Simulated:
    """An expert of given accuracy for all words of a corpus."""

    def __init__(self, problem: WordSenses, accuracy: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        gold = problem.gold or {}
        self.votes: dict[int, NDArray[np.float64]] = {}
        for stage, target in enumerate(problem.targets):
            keys = [problem.lexicon.key(int(sense)).casefold() for sense in target.senses]
            listed = {key.casefold() for key in gold[str(target.token.id)].keys}
            right = [at for at, key in enumerate(keys) if key in listed]
            wrong = [at for at in range(len(keys)) if at not in right]
            knows, drawn = rng.random() < accuracy, rng.random()
            among = (right or wrong) if knows else (wrong or right)
            if len(keys) > 1:
                odds = np.zeros(len(keys))
                odds[among[int(drawn * len(among))]] = log_odds(accuracy, len(keys))
                self.votes[stage] = odds


def score(problem: WordSenses, x: NDArray[np.int64]) -> float:
    """Return F1 in per cent."""
    return 100 * problem.metrics(x)["f1"]


def alone(
    x: NDArray[np.int64], likely: list[NDArray[np.float64]], votes: dict[int, NDArray[np.float64]]
) -> NDArray[np.int64]:
    """Return a solution in which each word with a vote has the sense of the largest posterior, the others as before."""
    changed = x.copy()
    for stage, odds in votes.items():
        changed[stage] = int(np.argmax(np.log(np.maximum(likely[stage], 1e-300)) + odds))
    return changed


def curve(problem: WordSenses, accuracy: float, seeds: int) -> list[dict[str, Any]]:
    """Return a row for each threshold."""
    x = problem.default_solution()
    likely = posteriors(problem, x)
    confidence = np.array([one[choice] for one, choice in zip(likely, x.tolist(), strict=True)])
    words = sum(1 for _ in problem.corpus.targets())
    rows = []
    for below in THRESHOLDS:
        found: dict[str, list[float]] = {"f1": [], "at random": [], "alone": []}
        share = 0.0
        for seed in range(seeds):
            expert = Simulated(problem, accuracy, seed).votes
            asked = {stage: odds for stage, odds in expert.items() if confidence[stage] < below}
            share = len(asked) / words
            drawn = np.random.default_rng(1000 + seed).permutation(sorted(expert))[: len(asked)].tolist()
            for name, votes in (("f1", asked), ("at random", {stage: expert[stage] for stage in drawn})):
                found[name].append(score(problem, with_votes(problem, x, votes).default_solution()))
            found["alone"].append(score(problem, alone(x, likely, asked)))
        rows.append({"below": below, "asked": 100 * share, **{name: fmean(values) for name, values in found.items()}})
    return rows


def show(accuracy: float, rows: list[dict[str, Any]]) -> None:
    """Print a table in Markdown."""
    print(f"\nexpert of accuracy {accuracy:g}\n")
    print("| asked below | words asked | F1 | as many at random | without solving again |")
    print("|---|---|---|---|---|")
    for row in rows:
        shares = " | ".join(f"{row[name]:.1f}" for name in ("f1", "at random", "alone"))
        print(f"| {row['below']:g} | {row['asked']:.1f} % | {shares} |", flush=True)


def draw(curves: dict[float, list[dict[str, Any]]], path: Path) -> None:
    """Write the picture of the curves."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "swarmkit"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for accuracy, rows in curves.items():
        asked = [row["asked"] for row in rows]
        [line] = axes.plot(asked, [row["f1"] for row in rows], marker="o", label=f"right in {100 * accuracy:g} %")
        axes.plot(asked, [row["at random"] for row in rows], linestyle=":", color=line.get_color())
    axes.set_xlabel("share of words asked about, least certain first (dotted: drawn at random), %")
    axes.set_ylabel("F1, %")
    axes.grid(alpha=0.3)
    axes.legend(title="expert")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--preset", default="best")
    parser.add_argument("--accuracies", type=float, nargs="+", default=[0.8, 0.9, 1.0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    problem = swarmkit.make_problem("wsd", corpus=given.corpus, key=given.key, preset=given.preset)
    assert isinstance(problem, WordSenses)
    print(f"preset {given.preset}, {sum(1 for _ in problem.corpus.targets())} words, {given.seeds} seeds")
    curves = {accuracy: curve(problem, accuracy, given.seeds) for accuracy in given.accuracies}
    for accuracy, rows in curves.items():
        show(accuracy, rows)
    if given.plot:
        draw(curves, given.plot)


if __name__ == "__main__":
    main()
