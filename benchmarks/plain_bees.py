"""D-Bees in plain Python, line by line as in the paper; bee colony optimisation is the same with other rules.

Abualhaija and Zimmermann 2014, text and appendix. A word is a stage, a sense a candidate, a similarity an entry of a
table. It is the yardstick of `dbees.py`, and the twin of `swarmkit_bees.kernel`, which draws the same random numbers in
the same order: tests compare the two path by path. The formulas are those of `swarmkit_bees.rules`.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from swarmkit import Pairwise
from swarmkit_bees.rules import RANDOM, REPLACE, Plan, cheapness, loyalty, normalised, recruiting

Rows = list[list[float]]


class Random(Protocol):
    """What the bees draw random numbers from."""

    def uniform(self) -> float:
        """Draw from [0, 1)."""

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to bound - 1."""

    def roulette(self, weights: list[float]) -> int:
        """Draw an index in proportion to its weight."""


class PythonRandom:
    """Random numbers of Python's own generator."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311  (nothing secret is drawn)
        self.uniform, self._choices = rng.random, rng.choices

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to bound - 1."""
        return int(self.uniform() * bound)

    def roulette(self, weights: list[float]) -> int:
        """Draw an index in proportion to its weight."""
        return self._choices(range(len(weights)), weights)[0]


class Tables(NamedTuple):
    """The tables of a pairwise problem as lists."""

    unary: Rows
    """The value of each candidate of each stage."""
    neighbours: list[list[tuple[int, Rows]]]
    """For each stage, every neighbour j and `rows`: `rows[d][c]` is the value of c beside candidate d of j."""


def tables_of(form: Pairwise) -> Tables:
    """Return the tables of a form as lists, weights multiplied in.

    >>> tables_of(Pairwise.of([1, 2], [(0, 1, [[0.5, 0.25]], 2.0)])).neighbours
    [[(1, [[1.0], [0.5]])], [(0, [[1.0, 0.5]])]]
    """
    half, sizes = form.half_edges, form.sizes.tolist()
    neighbours: list[list[tuple[int, Rows]]] = [[] for _ in sizes]
    for stage, size in enumerate(sizes):
        for h in range(half.indptr[stage], half.indptr[stage + 1]):
            j, start, own, other = (int(a[h]) for a in (half.neighbour, half.start, half.stride, half.far_stride))
            places = start + own * np.arange(size) + other * np.arange(sizes[j])[:, None]
            neighbours[stage].append((j, (half.weight[h] * form.flat[places]).tolist()))
    unary = [form.unary[form.offsets[i] : form.offsets[i + 1]].tolist() for i in range(len(sizes))]
    return Tables(unary, neighbours)


@dataclass
class Bee:
    """A bee: its path (the candidate at each stage where it has been) and the quality of the path."""

    path: dict[int, int]
    quality: float


class Reference:
    """A colony on tables without constraints, with counters of looks, forward passes and iterations."""

    def __init__(self, tables: Tables, plan: Plan, rng: Random) -> None:
        self.tables, self.rules, self.rng = tables, plan.rules, rng
        self.order, self.hive = plan.order.tolist(), plan.starts.tolist()
        step = {stage: t for t, stage in enumerate(self.order)}
        near = enumerate(tables.neighbours)
        self.earlier = [[(j, rows) for j, rows in beside if step[j] < step[stage]] for stage, beside in near]
        self.looks = self.passes = self.iterations = 0
        self.guide: dict[int, int] = {}
        """A given solution, or a better one found since: the first bee takes its candidates instead of drawing."""

    def search(self, iterations: int, given: Bee | None = None) -> Bee:
        """Return the best path of all iterations, or the given one, with its score as its quality."""
        best, ended = given or Bee({}, -math.inf), False
        self.guide = best.path
        while self.iterations < iterations and not ended:
            leader = max(self.iterate(), key=lambda bee: bee.quality)
            score = leader.quality if self.rules.take_quality else self.score(leader.path)
            ended = leader.quality <= self.rules.beta or score - best.quality <= self.rules.tolerance
            if score > best.quality:
                best = Bee(leader.path, score)
                self.guide = leader.path if self.guide else {}
            self.iterations += 1
        return best

    def iterate(self) -> list[Bee]:
        """Send the bees through all stages, in turns of a forward pass of NC moves and a backward pass."""
        NC, bees, stages = self.rules.moves, self.leave_hive(), self.order
        if self.hive[0] >= 0:
            stages = stages[1:]
        self.passes = 0 if self.rules.reset_passes else self.passes
        for visited in range(0, len(stages), NC):
            for stage in stages[visited : visited + NC]:
                self.move(bees, stage)
            self.passes += 1
            if visited + NC < len(stages):
                self.backward_pass(bees)
        return bees

    def leave_hive(self) -> list[Bee]:
        """Return the bees, each at a candidate of the hive, drawn; without a hive they have been nowhere yet."""
        stage, places = self.order[0], list[int]()
        if self.hive[0] < 0:
            return [Bee({}, 0.0) for _ in self.hive]
        self.looks += len(self.hive)
        for b, candidate in enumerate(self.hive):
            j = self.rng.below(b + 1)
            places.append(candidate)
            places[b], places[j] = places[j], candidate
        return [Bee({stage: c}, self.tables.unary[stage][c]) for c in places]

    def move(self, bees: list[Bee], stage: int) -> None:
        """Move every bee to the next stage: choose a candidate, and add what it adds to the bee's quality."""
        unary, earlier = self.tables.unary[stage], self.earlier[stage]
        urn = list(range(len(unary)))
        for b, bee in enumerate(bees):
            beside = [rows[bee.path[j]] for j, rows in earlier]
            guided = self.guide[stage] if self.guide and b == 0 else None
            choice, value = (
                self.best_of_tries(unary, beside, urn) if self.rules.tries else self.drawn(unary, beside, guided)
            )
            bee.path[stage] = choice
            bee.quality += value

    def best_of_tries(self, unary: list[float], beside: Rows, urn: list[int]) -> tuple[int, float]:
        """D-Bees: try candidates until one is similar enough (θ) or `tries` were tried; return the best.

        Args:
            unary: the value of each candidate by itself.
            beside: the value of each candidate beside each candidate chosen before.
            urn: the candidates in any order; those tried are moved to the front.
        """
        rules, below, m = self.rules, self.rng.below, len(urn)
        goal, best, most, tried = rules.theta * (len(beside) or 1), -1, -math.inf, set[int]()
        for i in range(rules.tries if rules.drawing == REPLACE else min(rules.tries, m)):
            if rules.drawing == RANDOM:
                j = i + below(m - i) if i < m - 1 else i
                c = urn[j]
                urn[j], urn[i] = urn[i], c
            else:
                c = below(m) if rules.drawing == REPLACE else i
            tried.add(c)
            value = added(unary, beside, c)
            if value > most or (value == most and rules.first_on_ties and c < best):
                best, most = c, value
            if value >= goal:
                break
        self.looks += i + 1
        refused = rules.first_below_theta and most < goal
        if refused or (rules.first_on_ties and most <= 0 and 0 not in tried):  # nothing is similar: the first
            self.looks += 1
            value = added(unary, beside, 0)
            best, most = (0, value) if refused or value >= most else (best, most)
        return best, most

    def drawn(self, unary: list[float], beside: Rows, guided: int | None) -> tuple[int, float]:
        """BCO: return the candidate of a guide, or one drawn in proportion to what it adds."""
        values = [added(unary, beside, c) for c in range(len(unary))]
        self.looks += len(values)
        choice = self.draw(wheel_weights(values, self.rules.sharpness)) if guided is None else guided
        return choice, values[choice]

    def draw(self, weights: list[float]) -> int:
        """Draw an index in proportion to its weight; any, if all weights are 0."""
        return self.rng.roulette(weights) if any(weights) else self.rng.below(len(weights))

    def backward_pass(self, bees: list[Bee]) -> None:
        """Let the bees compare their paths; a bee that is not loyal takes over the path of a recruiter."""
        low, high = min(bee.quality for bee in bees), max(bee.quality for bee in bees)
        O = [normalised(bee.quality, low, high, self.rules.normalise) for bee in bees]  # noqa: E741  (their letter)
        loyal = [self.rng.uniform() < loyalty(O_b, max(O), self.passes) for O_b in O]  # Eq. (2)
        recruiters = [b for b in range(len(bees)) if loyal[b]]
        if self.rules.recruiters:  # sortBees(): the best R advertise
            recruiters = sorted(range(len(bees)), key=lambda b: -bees[b].quality)[: self.rules.recruiters]
        advertised = {k: Bee(bees[k].path, bees[k].quality) for k in recruiters}  # as they are at this moment
        total = sum(O[k] for k in recruiters)
        weights = [recruiting(O[k], total) for k in recruiters]
        in_turn = sorted(range(len(bees)), key=lambda b: -bees[b].quality)
        for b in in_turn if self.rules.in_sequence else range(len(bees)):
            if not loyal[b]:
                k = recruiters[self.draw(weights)]  # Eq. (3)
                leader = bees[k] if self.rules.in_sequence else advertised[k]
                bees[b].path = dict(leader.path)
                bees[b].quality = leader.quality if self.rules.take_quality else bees[b].quality

    def score(self, path: dict[int, int]) -> float:
        """Return the score of a path."""
        self.looks += len(path)
        beside = {i: [rows[path[j]] for j, rows in self.earlier[i]] for i in path}
        return sum(added(self.tables.unary[i], beside[i], c) for i, c in path.items())


def added(unary: list[float], beside: Rows, c: int) -> float:
    """Return what candidate c adds: its own value, and its values beside the candidates chosen before."""
    value = unary[c]
    for row in beside:
        value += row[c]
    return value


def wheel_weights(values: list[float], sharpness: float) -> list[float]:
    """Return the weights of candidates on the roulette wheel; `swarmkit_bees.bco.wheel_weights` says how.

    >>> wheel_weights([-1.0, 0.0, 2.0], 2.0), wheel_weights([-1.0, -2.0], 2.0)
    ([0.0, 1.0, 3.0], [1.0, 0.25])
    """
    lowest, highest = min(0.0, *values), max(values)
    if highest < 0:
        return [cheapness(value, highest, sharpness) for value in values]
    return [value - lowest for value in values]
