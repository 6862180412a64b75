"""The solver `aca`: its energy is conserved, and every cycle agrees with plain ants of the same random numbers."""

import itertools
import math
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.kernels import rng
from swarmkit.search import rng_state
from swarmkit.testing.families import FAMILIES, BlackBox, Family, Shape, random_form, shapes
from swarmkit_ants.aca import COLLAPSE, Aca, new_world, relative_values, run_cycle
from swarmkit_ants.kernels.aca import birth, odour_similarity, similarity
from swarmkit_ants.world import Behaviour, terrain_of

seeds = st.integers(0, 2**32 - 1)


def small_world(problem, life, energy=30.0):
    """A world before its first cycle, with short vectors of odour."""
    return new_world(problem, Aca(initial_energy=energy, odour_length=10, life=life).params)


def total_energy(world):
    """The energy of all nodes and ants: it never changes."""
    return float(world.energy.sum() + world.load[: world.living[0]].sum())


class Related(BlackBox):
    """A problem that knows how alike any two slots are."""

    def relatedness(self, a, b):
        return 1 / (1.0 + np.abs(a - b))


EVERY_KIND = (*FAMILIES, Family("related", lambda shape: Related(random_form(shape))))


def plain_similarities(problem):
    """How alike any two slots are: as the problem says, or its tables scaled to [0, 1], or all the same."""
    slots, form = np.arange(np.sum(problem.sizes)), problem.pairwise()
    if problem.overrides("relatedness"):
        return problem.relatedness(slots[:, None], slots[None])
    if form is None or len(form.edges) == 0:
        return np.ones((len(slots), len(slots)))
    flat = form.flat if form.weights.mean() >= 0 else -form.flat
    alike, low, extent = np.zeros((len(slots), len(slots))), flat.min(), np.ptp(flat)
    for reverse in (True, False):  # two stages may be linked in both directions, each with a table of its own
        for (i, j), start in zip(form.edges, form.starts, strict=True):
            table = flat[start:][: form.sizes[i] * form.sizes[j]].reshape(form.sizes[i], form.sizes[j])
            mine, theirs = (slice(form.offsets[k], form.offsets[k + 1]) for k in (i, j))
            scaled = (table - low) / extent if extent else 1.0 + 0 * table
            alike[(theirs, mine) if reverse else (mine, theirs)] = scaled.T if reverse else scaled
    return alike


@dataclass
class Ant:
    home: int
    here: int
    age: int = 0
    returning: bool = False
    carried: float = 1.0


class PlainWorld:
    """The twin of `run_cycle`: the same world as lists, an ant an object; slot s is the nest `first + s`.

    A nest's bridges are places, each None or the friend at its other end and the pheromone on it.
    """

    def __init__(self, problem, world, behaviour, state):
        self.alike, self.stage_of = plain_similarities(problem), world.stage_of
        self.first, self.behaviour, self.state = len(world.odour), behaviour, state
        self.parent = terrain_of(problem).parent
        self.children = [np.flatnonzero(self.parent == node).tolist() for node in range(len(self.parent))]
        self.children[0].remove(0)  # the text is its own parent
        self.energy, self.pheromone, self.odour = world.energy.copy(), world.pheromone.copy(), world.odour.copy()
        self.bridges = [[None] * world.bridges.shape[1] for _ in world.stage_of]
        self.ants, self.looks = [], 0

    def run_cycle(self):
        self.bear()
        for at in range(len(self.ants) - 1, 0, -1):
            other = rng.below(self.state, at + 1)
            self.ants[at], self.ants[other] = self.ants[other], self.ants[at]
        for ant in self.ants:
            options = self.options(ant)
            self.looks += len(options)
            if not ant.returning:
                ant.returning = rng.uniform(self.state) * self.behaviour.energy_carried < ant.carried
            to = self.choose(list(options), self.weights(ant, options))
            self.cross_edge(ant, to)
            ant.age += 1
            ant.returning &= ant.here != self.first + ant.home
        self.evaporate()
        for ant in self.ants:
            if ant.age >= self.behaviour.life:
                self.energy[ant.here] += ant.carried
        self.ants = [ant for ant in self.ants if ant.age < self.behaviour.life]

    def bear(self):
        for nest in range(self.first, len(self.energy)):
            energy = self.energy[nest]
            if energy >= 1 and rng.uniform(self.state) < math.atan(energy) / math.pi + 0.5:
                self.energy[nest] -= 1
                self.ants.append(Ant(nest - self.first, nest))

    def options(self, ant):
        """The nodes to choose from, with the edges' pheromone: up; from home over bridges; else down to no rival."""
        options = {self.parent[ant.here]: self.pheromone[ant.here]} if ant.here > 0 else {}
        if ant.here >= self.first:
            return options | {self.first + bridge[0]: bridge[1] for bridge in self.bridges[ant.home] if bridge}
        for child in self.children[ant.here]:
            slot = child - self.first
            if slot < 0 or slot == ant.home or self.stage_of[slot] != self.stage_of[ant.home]:
                options[child] = self.pheromone[child]
        return options

    def weights(self, ant, options):
        """Exploring ants go where energy is and pheromone is not; returning ones follow pheromone and odour."""
        if ant.returning:
            return [pheromone + self.odour_similarity(ant.home, to) for to, pheromone in options.items()]
        around = np.add.accumulate([self.energy[to] for to in options])[-1]
        return [
            max(0.0, 1 - pheromone) + (self.energy[to] / around if around > 0 else 0.0)
            for to, pheromone in options.items()
        ]

    def odour_similarity(self, home, to):
        if to >= self.first:
            return self.alike[home, to - self.first]
        left = self.odour[to]
        return np.add.accumulate(np.where(left >= 0, self.alike[home, left], 0.0))[-1] / len(left)

    def choose(self, options, weights):
        total = np.add.accumulate(weights)[-1]
        if total <= 0:
            return options[rng.below(self.state, len(options))]
        aim = rng.uniform(self.state) * total
        passed = np.flatnonzero(np.subtract.accumulate([aim, *weights])[1:] < 0)
        return options[passed[0] if len(passed) else np.flatnonzero(weights)[-1]]

    def cross_edge(self, ant, to):
        """Cross the edge, take energy away from home, leave it at home; a friend's nest leads home over a bridge."""
        home, behaviour = self.first + ant.home, self.behaviour
        if ant.here < self.first or to < self.first:
            self.pheromone[max(ant.here, to)] += behaviour.pheromone  # an edge is known by its lower end
        if to != home:
            taken = min(behaviour.energy_taken, self.energy[to], behaviour.energy_carried - ant.carried)
            self.energy[to] -= taken
            ant.carried += taken
        ant.here = to
        if to < self.first:
            length = self.odour.shape[1]
            begin = rng.below(self.state, length)
            self.odour[to, (begin + np.arange(int(behaviour.odour_left * length + 0.5))) % length] = ant.home
            return
        if to != home:
            self.strengthen(ant.home, to - self.first)
            self.strengthen(to - self.first, ant.home)
        self.energy[home] += ant.carried
        ant.here, ant.carried = home, 0.0

    def strengthen(self, nest, friend):
        """Leave pheromone on the bridge to a friend; a new one takes the first free place, or that of the weakest."""
        places, amount = self.bridges[nest], self.behaviour.pheromone
        known = [bridge for bridge in places if bridge and bridge[0] == friend]
        if known:
            known[0][1] += amount
        else:
            places[int(np.argmin([bridge[1] if bridge else 0.0 for bridge in places]))] = [friend, amount]

    def evaporate(self):
        self.pheromone *= 1 - self.behaviour.evaporation
        for places in self.bridges:
            for at, bridge in enumerate(places):
                if bridge:
                    bridge[1] *= 1 - self.behaviour.evaporation
                    places[at] = bridge if bridge[1] >= COLLAPSE else None


behaviours = st.builds(
    Behaviour,
    energy_taken=st.floats(0.5, 20),
    energy_carried=st.floats(1, 60),
    evaporation=st.sampled_from([0.0, 0.1, 0.9]),
    life=st.integers(1, 9),
    odour_left=st.sampled_from([0.05, 0.5, 0.9]),
    pheromone=st.sampled_from([0.0, 0.3, 1.0]),
)


@given(
    st.sampled_from(EVERY_KIND), shapes(), behaviours, st.sampled_from([2.0, 30.0]), st.sampled_from([1, 2, 32]), seeds
)
def test_a_cycle_is_what_the_plain_ants_make_of_it(family, shape, behaviour, energy, places, seed):
    problem, state = family.make(shape), rng_state(np.random.default_rng(seed))
    problem.groups = np.arange(len(problem.sizes)) // 2
    world = small_world(problem, behaviour.life, energy)
    bridges, pheromone = world.bridges[:, :places].copy(), world.bridge_pheromone[:, :places].copy()
    world = world._replace(bridges=bridges, bridge_pheromone=pheromone)
    plain = PlainWorld(problem, world, behaviour, state.copy())
    looks = 0
    for _ in range(12):
        looks += run_cycle(problem, world, behaviour, state)
        plain.run_cycle()
    ants = [[ant.home, ant.here, ant.age, ant.returning] for ant in plain.ants]
    assert world.traits[: world.living[0]].tolist() == ants
    assert world.load[: world.living[0]] == pytest.approx([ant.carried for ant in plain.ants])
    assert world.energy == pytest.approx(plain.energy)
    assert world.pheromone == pytest.approx(plain.pheromone)
    assert (world.odour == plain.odour).all()
    assert world.bridges.tolist() == [[bridge[0] if bridge else -1 for bridge in row] for row in plain.bridges]
    assert world.bridge_pheromone == pytest.approx(
        np.array([[b[1] if b else 0.0 for b in row] for row in plain.bridges])
    )
    assert looks == plain.looks
    assert (state == plain.state).all()


@given(st.floats(0, 1e6))
def test_rich_nests_make_more_ants(energy):
    assert birth(energy) == pytest.approx(math.atan(energy) / math.pi + 0.5)
    assert 0.5 <= birth(energy) <= birth(energy + 1) <= 1


def test_a_nest_of_energy_1_makes_an_ant_three_times_out_of_four():
    assert birth(1.0) == 0.75


@given(st.sampled_from(EVERY_KIND), shapes(), behaviours, seeds)
def test_energy_is_conserved_whatever_the_ants_do(family, shape, behaviour, seed):
    problem = family.make(shape)
    world, state = small_world(problem, behaviour.life), rng_state(np.random.default_rng(seed))
    total = total_energy(world)
    assert total == pytest.approx(30.0 * (2 + len(problem.sizes) + np.sum(problem.sizes)))
    for _ in range(20):
        run_cycle(problem, world, behaviour, state)
        assert total_energy(world) == pytest.approx(total)
        assert (world.energy >= 0).all()
        carried = world.load[: world.living[0]]
        assert ((carried >= 0) & (carried <= behaviour.energy_carried)).all()


@given(st.sampled_from(EVERY_KIND), shapes())
def test_nests_begin_with_energy_by_what_candidates_are_worth_alone(family, shape):
    problem = family.make(shape)
    relative, form = relative_values(problem), problem.structure.pairwise
    ends = np.cumsum(problem.sizes)
    for stage, values in enumerate(np.split(relative, ends[:-1])):
        assert values.mean() == pytest.approx(1.0)
        if form is not None:
            alone = form.unary[form.offsets[stage] : form.offsets[stage + 1]]
            assert alone[values.argmax()] == alone.max()
            assert alone[values.argmin()] == alone.min()


@given(st.sampled_from(EVERY_KIND), shapes())
def test_any_two_slots_are_as_alike_as_plainly_told(family, shape):
    problem = family.make(shape)
    slots, terrain = range(int(np.sum(problem.sizes))), terrain_of(problem)
    alike = [[similarity(terrain, a, b) for b in slots] for a in slots]
    assert np.array(alike) == pytest.approx(plain_similarities(problem))


class Described(BlackBox):
    """A problem whose candidates are described by two words each."""

    def descriptions(self):
        slots = int(np.sum(self.sizes))
        words = np.column_stack([np.arange(slots) % 3, 3 + np.arange(slots) % 2]).ravel()
        return 2 * np.arange(slots + 1), words


def test_words_can_be_the_odour():
    problem = Described(random_form(Shape(4, 3, 2, "floats", 1)))
    terrain = terrain_of(problem, "words")
    starts, words = problem.descriptions()
    of = [set(words[begin:end].tolist()) for begin, end in itertools.pairwise(starts)]
    assert terrain.dense.tolist() == [[len(a & b) / 2 for b in of] for a in of]
    world, state = small_world(problem, 25), rng_state(np.random.default_rng(1))
    for _ in range(10):
        run_cycle(problem, world, Behaviour(16.0, 56.0, 0.9, 25, 0.9, 1.0), state, "words")
    assert set(np.unique(world.odour)) <= {-1, 0, 1, 2, 3, 4}
    assert total_energy(world) == pytest.approx(30.0 * len(world.energy))
    node = int(np.flatnonzero((world.odour >= 0).all(axis=1))[0])
    smelt = np.mean([word in of[0] for word in world.odour[node]])
    assert odour_similarity(terrain, world.odour, 0, node) == pytest.approx(smelt)


def test_without_words_that_odour_is_refused():
    with pytest.raises(swarmkit.Refusal, match="no descriptions"):
        swarmkit.solve("synthetic", "aca", params={"odour": "words"})


def test_no_candidate_is_preferred_for_its_number():
    """All nests are alike: the richest is any of them, because the ants act in random order."""
    problem = swarmkit.PairwiseProblem(swarmkit.Pairwise.of([4] * 30))
    chosen = [x for seed in range(6) for x in swarmkit.solve(problem, "aca", seed=seed, iterations=60).solution]
    assert np.bincount(chosen, minlength=4) == pytest.approx([45] * 4, abs=22)  # four standard deviations


def test_aca_makes_more_of_a_planted_solution_than_chance():
    problem = swarmkit.make_problem("synthetic", n=40, planted=True, seed=7)
    by_chance = float(np.mean(1 / np.asarray(problem.sizes)))
    assert swarmkit.solve(problem, "aca", looks=1e6).metrics["stages as planted"] > by_chance


def test_a_step_is_a_cycle_and_many_steps_are_single_ones():
    problem, solver = swarmkit.make_problem("synthetic", n=6), swarmkit.make_solver("aca", cycles=7)
    solver.prepare(problem)
    runs = []
    for parts in ([1] * 12, [5, 7], [12]):
        generator = np.random.default_rng(1)
        state = solver.start(problem, generator)
        made = []
        for count in parts:
            state = deepcopy(state)
            made.append(solver.steps(problem, state, generator, count))
        assert [step.iterations for step in made] == parts
        best = max(made, key=lambda step: step.score)
        runs.append((best.score, best.solution.tolist(), sum(step.looks for step in made), state.world.energy.tolist()))
        assert state.age == 5
    assert runs[0] == runs[1] == runs[2]


def test_groups_are_nodes_between_the_text_and_its_words():
    problem = swarmkit.make_problem("synthetic", n=4)
    problem.groups = [7, 7, 9, 9]
    graph = terrain_of(problem)
    assert graph.parent[:7].tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert graph.first_nest == 7


def test_the_nests_of_a_given_solution_get_half_of_their_rivals_energy():
    problem, solver = swarmkit.make_problem("synthetic", n=6), swarmkit.make_solver("aca")
    rng = np.random.default_rng(1)
    state = solver.start(problem, rng)
    before, x = total_energy(state.world), np.zeros((1, 6), np.int64)
    assert solver.inject(problem, state, x, np.zeros(1), rng) == 6
    assert total_energy(state.world) == pytest.approx(before)
    richest = state.world.nests[np.cumsum(problem.sizes) - problem.sizes]
    assert richest == pytest.approx(15.0 * (1 + np.asarray(problem.sizes)))
    assert solver.step(problem, state, rng).solution.tolist() == [0] * 6
