"""ACA's world: energy that is never lost, and every cycle against plain ants of the same random numbers."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.compiled import Habits, found_world, live
from swarmkit.compiled.nests import kinship
from swarmkit.kernels import chance, nests
from swarmkit.testing.families import FAMILIES, BlackBox, Family, random_form, shapes

seeds = st.integers(0, 2**32 - 1)


class Related(BlackBox):
    """A problem that knows how alike any two slots are."""

    def relatedness(self, a, b):
        return 1 / (1.0 + np.abs(a - b))


EVERY_KIND = (*FAMILIES, Family("related", lambda shape: Related(random_form(shape))))


def plain_likeness(problem):
    """How alike any two slots are: as the problem says, or its tables scaled to [0, 1], or all the same."""
    slots, form = np.arange(np.sum(problem.sizes)), problem.pairwise()
    if problem.overrides("relatedness"):
        return problem.relatedness(slots[:, None], slots[None])
    if form is None or len(form.edges) == 0:
        return np.ones((len(slots), len(slots)))
    alike, low, spread = np.zeros((len(slots), len(slots))), form.flat.min(), np.ptp(form.flat)
    for (i, j), start in zip(form.edges, form.starts, strict=True):
        table = form.flat[start:][: form.sizes[i] * form.sizes[j]].reshape(form.sizes[i], form.sizes[j])
        mine, theirs = (slice(form.offsets[k], form.offsets[k + 1]) for k in (i, j))
        alike[mine, theirs] = (table - low) / spread if spread else 1.0
        alike[theirs, mine] = alike[mine, theirs].T
    return alike


@dataclass
class Ant:
    home: int
    here: int
    age: int = 0
    returning: bool = False
    carried: float = 1.0


class PlainWorld:
    """The twin of `cycle`: the same world as lists, an ant an object; slot s is the nest `first + s`.

    A nest's bridges are places, each None or the friend at its other end and the pheromone on it.
    """

    def __init__(self, problem, world, habits, words):
        self.alike, self.stage_of = plain_likeness(problem), world.stage_of
        self.first, self.parent, self.habits, self.words = world.first, world.parent, habits, words
        self.children = [np.flatnonzero(world.parent == node).tolist() for node in range(len(world.parent))]
        self.children[0].remove(0)  # the text is its own parent
        self.energy, self.pheromone, self.odour = world.energy.copy(), world.pheromone.copy(), world.odour.copy()
        self.bridges = [[None] * world.bridges.shape[1] for _ in world.stage_of]
        self.ants, self.looks = [], 0

    def live(self):
        self.bear()
        for ant in self.ants:
            ways = self.ways_on(ant)
            self.looks += len(ways)
            if not ant.returning:
                ant.returning = chance.uniform(self.words) * self.habits.carried < ant.carried
            to = self.choose(list(ways), self.shares(ant, ways))
            self.arrive(ant, to)
            ant.age += 1
            ant.returning &= ant.here != self.first + ant.home
        self.evaporate()
        for ant in self.ants:
            if ant.age >= self.habits.life:
                self.energy[ant.here] += ant.carried
        self.ants = [ant for ant in self.ants if ant.age < self.habits.life]

    def bear(self):
        for nest in range(self.first, len(self.energy)):
            energy = self.energy[nest]
            if energy >= 1 and chance.uniform(self.words) < math.atan(energy) / math.pi + 0.5:
                self.energy[nest] -= 1
                self.ants.append(Ant(nest - self.first, nest))

    def ways_on(self, ant):
        """Where the ant can go, and the pheromone on the way: up; at home over bridges, elsewhere down to no rival."""
        ways = {self.parent[ant.here]: self.pheromone[ant.here]} if ant.here > 0 else {}
        if ant.here >= self.first:
            return ways | {self.first + bridge[0]: bridge[1] for bridge in self.bridges[ant.home] if bridge}
        for child in self.children[ant.here]:
            slot = child - self.first
            if slot < 0 or slot == ant.home or self.stage_of[slot] != self.stage_of[ant.home]:
                ways[child] = self.pheromone[child]
        return ways

    def shares(self, ant, ways):
        """Outwards ants follow energy where others have not been; on the way back, pheromone and the smell of home."""
        if ant.returning:
            return [pheromone + self.scent(ant.home, to) for to, pheromone in ways.items()]
        around = np.add.accumulate([self.energy[to] for to in ways])[-1]
        return [
            max(0.0, 1 - pheromone) + (self.energy[to] / around if around > 0 else 0.0)
            for to, pheromone in ways.items()
        ]

    def scent(self, home, to):
        if to >= self.first:
            return self.alike[home, to - self.first]
        left = self.odour[to]
        return np.add.accumulate(np.where(left >= 0, self.alike[home, left], 0.0))[-1] / len(left)

    def choose(self, ways, shares):
        total = np.add.accumulate(shares)[-1]
        if total <= 0:
            return ways[chance.below(self.words, len(ways))]
        aim = chance.uniform(self.words) * total
        below = np.flatnonzero(np.subtract.accumulate([aim, *shares])[1:] < 0)
        return ways[below[0] if len(below) else -1]

    def arrive(self, ant, to):
        """Cross the edge, take energy away from home, leave it at home; a friend's nest leads home over a bridge."""
        home, habits = self.first + ant.home, self.habits
        if ant.here < self.first or to < self.first:
            self.pheromone[max(ant.here, to)] += habits.pheromone  # an edge is known by its lower end
        if to != home:
            taken = min(habits.taken, self.energy[to], habits.carried - ant.carried)
            self.energy[to] -= taken
            ant.carried += taken
        ant.here = to
        if to < self.first:
            length = self.odour.shape[1]
            begin = chance.below(self.words, length)
            self.odour[to, (begin + np.arange(int(habits.odour * length + 0.5))) % length] = ant.home
            return
        if to != home:
            self.strengthen(ant.home, to - self.first)
            self.strengthen(to - self.first, ant.home)
        self.energy[home] += ant.carried
        ant.here, ant.carried = home, 0.0

    def strengthen(self, nest, friend):
        """Leave pheromone on the bridge to a friend; a new one takes the first free place, or that of the weakest."""
        places, amount = self.bridges[nest], self.habits.pheromone
        known = [bridge for bridge in places if bridge and bridge[0] == friend]
        if known:
            known[0][1] += amount
        else:
            places[int(np.argmin([bridge[1] if bridge else 0.0 for bridge in places]))] = [friend, amount]

    def evaporate(self):
        self.pheromone *= 1 - self.habits.evaporation
        for places in self.bridges:
            for at, bridge in enumerate(places):
                if bridge:
                    bridge[1] *= 1 - self.habits.evaporation
                    places[at] = bridge if bridge[1] >= nests.GONE else None


habits = st.builds(
    Habits,
    taken=st.floats(0.5, 20),
    carried=st.floats(1, 60),
    evaporation=st.sampled_from([0.0, 0.1, 0.9]),
    life=st.integers(1, 9),
    odour=st.sampled_from([0.05, 0.5, 0.9]),
    pheromone=st.sampled_from([0.0, 0.3, 1.0]),
)


@given(st.sampled_from(EVERY_KIND), shapes(), habits, st.sampled_from([2.0, 30.0]), st.sampled_from([1, 2, 32]), seeds)
def test_a_cycle_is_what_the_plain_ants_make_of_it(family, shape, habits, energy, places, seed):
    problem, words = family.make(shape), chance.seeded(np.random.default_rng(seed))
    problem.groups = np.arange(shape.n) // 2
    world = found_world(problem, energy, 10, habits.life)
    world.bridges, world.crossed = world.bridges[:, :places].copy(), world.crossed[:, :places].copy()
    plain = PlainWorld(problem, world, habits, words.copy())
    looks = 0
    for _ in range(12):
        looks += live(problem, world, habits, words)
        plain.live()
    ants = [[ant.home, ant.here, ant.age, ant.returning] for ant in plain.ants]
    assert world.ants[: world.living].tolist() == ants
    assert world.carried[: world.living] == pytest.approx([ant.carried for ant in plain.ants])
    assert world.energy == pytest.approx(plain.energy)
    assert world.pheromone == pytest.approx(plain.pheromone)
    assert (world.odour == plain.odour).all()
    assert world.bridges.tolist() == [[bridge[0] if bridge else -1 for bridge in row] for row in plain.bridges]
    assert world.crossed == pytest.approx(np.array([[b[1] if b else 0.0 for b in row] for row in plain.bridges]))
    assert looks == plain.looks
    assert (words == plain.words).all()


@given(st.floats(0, 1e6))
def test_rich_nests_make_more_ants(energy):
    assert nests.birth(energy) == pytest.approx(math.atan(energy) / math.pi + 0.5)
    assert 0.5 <= nests.birth(energy) <= nests.birth(energy + 1) <= 1


def test_a_nest_of_energy_1_makes_an_ant_three_times_out_of_four():
    assert nests.birth(1.0) == 0.75


@given(st.sampled_from(EVERY_KIND), shapes(), habits, seeds)
def test_energy_is_conserved_whatever_the_ants_do(family, shape, habits, seed):
    problem = family.make(shape)
    world, words = found_world(problem, 30.0, 10, habits.life), chance.seeded(np.random.default_rng(seed))
    total = world.total_energy
    assert total == 30.0 * (2 + shape.n + np.sum(problem.sizes))
    for _ in range(20):
        live(problem, world, habits, words)
        assert world.total_energy == pytest.approx(total)
        assert (world.energy >= 0).all()
        carried = world.carried[: world.living]
        assert ((carried >= 0) & (carried <= habits.carried)).all()


@given(st.sampled_from(EVERY_KIND), shapes())
def test_any_two_slots_are_as_alike_as_plainly_told(family, shape):
    problem, sizes = family.make(shape), np.asarray(family.make(shape).sizes, np.int64)
    stage_of, offsets = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    slots = range(len(stage_of))
    alike = [[nests.similarity(a, b, stage_of, offsets, sizes, *kinship(problem)) for b in slots] for a in slots]
    assert np.array(alike) == pytest.approx(plain_likeness(problem))


def test_groups_are_nodes_between_the_text_and_its_words():
    problem = swarmkit.make_problem("synthetic", n=4)
    problem.groups = [7, 7, 9, 9]
    world = found_world(problem, 30.0, 10, 5)
    assert world.parent[:7].tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert world.first == 7
