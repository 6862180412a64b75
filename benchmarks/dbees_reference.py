"""D-Bees in plain Python, line by line: the reference that the fast one is measured against and must agree with.

Abualhaija and Zimmermann 2014, the text's reading on a chain of words. `similarity[i][a][b]` is the tabled similarity
of sense a of word i and sense b of word i + 1.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

NC, R, MAX_ITERATIONS, THETA, TRIES = 3, 3, 10, 0.5, 5

Similarity = list[list[list[float]]]


@dataclass
class Bee:
    """A bee, the senses it has chosen so far, and their quality."""

    path: dict[int, int]
    quality: float


def d_bees(similarity: Similarity, senses: list[int], hive: int, rng: random.Random) -> tuple[dict[int, int], float]:
    """Choose a sense for every word: the best path of all iterations, and its quality."""
    words = [*range(hive + 1, len(senses)), *range(hive - 1, -1, -1)]
    best: Bee | None = None
    for _ in range(MAX_ITERATIONS):
        bees = [Bee({hive: sense}, 0.0) for sense in range(senses[hive])]
        for u, visited in enumerate(range(0, len(words), NC), start=1):
            for bee in bees:
                for word in words[visited : visited + NC]:
                    move(bee, word, hive, similarity, senses, rng)
            backward_pass(bees, u, rng)
        bees.sort(key=lambda bee: -bee.quality)
        if best is None or best.quality < bees[0].quality:
            best = bees[0]
    assert best is not None
    return best.path, best.quality


def move(bee: Bee, word: int, hive: int, similarity: Similarity, senses: list[int], rng: random.Random) -> None:
    """Look at random senses of the next word until one is similar enough or five were tried; move to the best."""
    best_sense, highest = -1, -1.0
    for sense in rng.sample(range(senses[word]), min(TRIES, senses[word])):
        if word > hive:
            found = similarity[word - 1][bee.path[word - 1]][sense]
        else:
            found = similarity[word][sense][bee.path[word + 1]]
        if found > highest:
            best_sense, highest = sense, found
        if found >= THETA:
            break
    bee.path[word] = best_sense
    bee.quality += highest


def backward_pass(bees: list[Bee], u: int, rng: random.Random) -> None:
    """Let the best R bees advertise; a bee that is not loyal takes over the path and quality of one of them."""
    bees.sort(key=lambda bee: -bee.quality)
    largest = bees[0].quality or 1.0
    O = [bee.quality / largest for bee in bees]  # noqa: E741  (the paper's letter)
    advertised = [(bee.path, bee.quality) for bee in bees[:R]]
    weights = O[:R] if sum(O[:R]) > 0 else [1.0] * len(advertised)
    for bee, o in zip(bees, O, strict=True):
        loyal = rng.random() < math.exp(-(O[0] - o) / u)
        if not loyal:
            path, bee.quality = rng.choices(advertised, weights)[0]
            bee.path = dict(path)


def tabled(problem: Any) -> tuple[Similarity, list[int]]:
    """Write a chain's tables as lists of lists, the way plain Python would keep them."""
    form = problem.pairwise()
    sizes = [int(size) for size in form.sizes]
    similarity: Similarity = [[] for _ in sizes[1:]]
    for (i, j), start, weight in zip(form.edges.tolist(), form.starts.tolist(), form.weights.tolist(), strict=True):
        assert j == i + 1, "the reference knows chains in the order of their stages"
        values = (form.flat[start : start + sizes[i] * sizes[j]] * weight).tolist()
        similarity[i] = [values[a * sizes[j] : (a + 1) * sizes[j]] for a in range(sizes[i])]
    return similarity, sizes
