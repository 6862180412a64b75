"""The compiled colony of bees against plain bees that carry their paths and draw the same random numbers."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.compiled import ColonyRules, fly, kernel_words
from swarmkit.kernels import chance
from swarmkit.testing.families import random_form, shapes
from swarmkit_bees.formulas import loyalty, normalised, shares


@dataclass(frozen=True)
class Bee:
    solution: tuple
    quality: float

    def taking(self, stage, candidate, value):
        solution = (*self.solution[:stage], int(candidate), *self.solution[stage + 1 :])
        return Bee(solution, self.quality + value)


class PlainColony:
    """The twin of `fly`: every bee has its solution, -1 where it has not been."""

    def __init__(self, form, order, hive, rules, words):
        self.form, self.order, self.hive, self.rules, self.words = form, order, hive, rules, words
        self.looks = self.passes = self.made = 0

    def fly(self, iterations):
        """Make iterations, until the rules end it; give the best solution and its score."""
        best, ended = (None, -np.inf), False
        while self.made < iterations and not ended:
            bee = max(self.iterate(), key=lambda bee: bee.quality)
            score = self.form.score(np.array([bee.solution]))[0]
            self.looks += 0 if self.rules.take_quality else len(self.order)
            self.made += 1
            ended = bee.quality <= self.rules.beta or score - best[1] <= self.rules.tolerance
            best = (bee.solution, score) if score > best[1] else best
        return best

    def iterate(self):
        self.passes = 0 if self.rules.reset_passes else self.passes
        bees, way = [Bee((-1,) * len(self.order), 0.0) for _ in self.hive], [int(stage) for stage in self.order]
        if self.hive[0] >= 0:
            stage = way.pop(0)
            bees = [bee.taking(stage, c, self.added(bee, stage)[c]) for bee, c in zip(bees, self.hive, strict=True)]
            self.looks += len(bees)
        while True:
            leg, way = way[: self.rules.moves], way[self.rules.moves :]
            for stage in leg:
                bees = self.tried(bees, stage) if self.rules.tries else [self.spun(bee, stage) for bee in bees]
            self.passes += 1
            if not way:
                return bees
            bees = self.compared(bees)

    def added(self, bee, stage):
        """What each candidate adds beside those of the stages where the bee has been."""
        return self.form.marginals(np.array([bee.solution]), stage)[0]

    def tried(self, bees, stage):
        """Let each bee try candidates in random order until one is good enough, and take the best."""
        half, rules = self.form.half_edges, self.rules
        near = half.neighbour[half.indptr[stage] : half.indptr[stage + 1]]
        goal = rules.theta * max(1, sum(bees[0].solution[j] >= 0 for j in near))
        urn, moved = list(range(self.form.sizes[stage])), []
        for bee in bees:
            added, tried = self.added(bee, stage), []
            while len(tried) < min(rules.tries, len(urn)) and not (tried and added[tried[-1]] >= goal):
                i = len(tried)
                j = i + (chance.below(self.words, len(urn) - i) if len(urn) - i > 1 else 0)
                urn[i], urn[j] = urn[j], urn[i]
                tried.append(urn[i])
            if rules.first_on_ties and added[tried].max() <= 0 and 0 not in tried:
                tried.append(0)
            self.looks += len(tried)
            best = max(sorted(tried) if rules.first_on_ties else tried, key=lambda c: added[c])
            moved.append(bee.taking(stage, best, added[best]))
        return moved

    def spun(self, bee, stage):
        """Let a bee draw a candidate by the formula; any, where none has a part of the wheel."""
        added = self.added(bee, stage)
        wheel = shares(added[None], np.ones((1, len(added)), bool), self.rules.sharpness)[0]
        self.looks += len(added)
        if wheel.sum() > 0:
            below = np.flatnonzero(np.subtract.accumulate([chance.uniform(self.words) * wheel.sum(), *wheel])[1:] < 0)
            choice = below[0] if len(below) else len(added) - 1
        else:
            choice = chance.below(self.words, len(added))
        return bee.taking(stage, choice, added[choice])

    def compared(self, bees):
        """Let bees compare: the loyal stay with their paths, the others follow recruiters."""
        rules, qualities = self.rules, np.array([bee.quality for bee in bees])
        share = normalised(qualities, rules.normalise)
        loyal = [chance.uniform(self.words) < loyalty(s, share.max(), self.passes) for s in share]
        best_first = np.argsort(-qualities, kind="stable")
        recruiters = best_first[: rules.recruiters] if rules.recruiters else np.flatnonzero(loyal)
        return [bees[b] if loyal[b] else self.follow(bees[b], bees, recruiters, share) for b in range(len(bees))]

    def follow(self, bee, bees, recruiters, share):
        """Let a bee take over a recruiter's path, and its quality if the rules say so."""
        total = np.add.accumulate(share[recruiters])[-1]
        if total > 0:
            left = np.subtract.accumulate([chance.uniform(self.words) * total, *share[recruiters][:-1]])[1:]
            followed = bees[recruiters[np.argmax(left < 0) if (left < 0).any() else -1]]
        else:
            followed = bees[recruiters[chance.below(self.words, len(recruiters))]]
        return followed if self.rules.take_quality else replace(followed, quality=bee.quality)


rules = st.builds(
    ColonyRules,
    moves=st.integers(1, 4),
    recruiters=st.integers(0, 3),
    theta=st.sampled_from([-1.0, 5.0, 99.0]),
    tries=st.integers(0, 3),
    normalise=st.sampled_from(["max", "min-max", "raw"]),
    first_on_ties=st.booleans(),
    take_quality=st.booleans(),
    reset_passes=st.booleans(),
    tolerance=st.sampled_from([-np.inf, 0.0]),
    beta=st.sampled_from([-np.inf, 20.0]),
    sharpness=st.sampled_from([0.0, 2.0]),
)


@given(shapes(), rules, st.booleans(), st.booleans(), st.integers(1, 3))
def test_bees_fly_where_the_plain_ones_fly(shape, rules, from_hive, costly, iterations):
    form, rng = random_form(shape._replace(n=shape.n + 2)), np.random.default_rng(shape.seed)
    # Whole numbers, whose sums are exact: ties are ties for both.
    tables = np.rint(9 * form.unary) - 40 * costly, form.edges, form.starts, form.weights, np.rint(9 * form.flat)
    form, order = Pairwise(form.sizes, *tables), rng.permutation(len(form.sizes))
    hive = np.arange(form.sizes[order[0]]) if from_hive else np.full(4, -1)
    words = kernel_words(rng)
    plain = PlainColony(form, order, hive, rules, words.copy())
    solution, score = plain.fly(iterations)
    flight = fly(form, order, hive, rules, iterations, words)
    assert flight.solution.tolist() == list(solution)
    assert flight.score == pytest.approx(score)
    assert flight.looks == plain.looks
    assert (flight.iterations, flight.passes) == (plain.made, plain.passes)
    assert (words == plain.words).all()
