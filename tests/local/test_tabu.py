"""Tabu search on tables against a plain one, and the solver."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, PairwiseProblem, make_solver, solve
from swarmkit_local.kernels import tabu, tabu_moves
from swarmkit_local.sampled_tabu import SampledTabu, Tenure
from swarmkit_local.tabu import interchangeable, tables_of
from tests.local.plain_tabu import PlainTabu

seeds = st.integers(0, 2**32 - 1)


def tables(sizes, seed, colours=False, density=0.7):
    """Whole numbers, so that what is kept up to date and what is computed agree to the last digit."""
    rng = np.random.default_rng(seed)
    shared = -np.eye(sizes[0])
    edges = [
        (i, j, shared if colours else rng.integers(-5, 6, (sizes[i], sizes[j])), float(rng.integers(1, 4)))
        for i in range(len(sizes))
        for j in range(i)
        if rng.random() < density
    ]
    return Pairwise.of(sizes, edges, None if colours else rng.integers(-5, 6, sum(sizes)))


binary = st.builds(lambda n, seed: tables([2] * n, seed), st.integers(2, 6), seeds)
cuts = st.builds(lambda n, seed: tables([2] * n, seed, colours=True), st.integers(3, 7), seeds)
colourings = st.builds(lambda n, seed: tables([3] * n, seed, colours=True, density=0.5), st.integers(3, 6), seeds)
sizes = st.lists(st.integers(1, 4), min_size=2, max_size=4)
mixed = st.builds(lambda sizes, seed: tables([3, *sizes], seed), sizes, seeds)
forms = st.one_of(binary, cuts, colourings, mixed)


@settings(max_examples=60)
@given(forms, seeds, st.integers(0, 3), st.booleans())
def test_the_search_goes_where_the_plain_one_goes(form, seed, tenure, around):
    solver = make_solver("tabu", elite=3)
    state = solver.start(PairwiseProblem(form), np.random.default_rng(seed))
    rules = tabu.Rules(patience=5, tenure=tenure, spread=2, kick=2)
    plain = PlainTabu(form, state.x, state.rng_state.copy(), rules, 3, interchangeable(form))
    plain.around = state.counters[tabu.AROUND] = around
    plain.run(120)
    tabu.iterate(tables_of(form), state, rules, 120)
    assert state.x.tolist() == list(plain.x)
    assert state.counters[tabu.NOW] == 120
    assert (state.scores[3], state.solutions[tabu.BEST].tolist()) == plain.best
    assert state.scores[0] == form.score(state.x[None])[0]


@given(forms, seeds)
def test_gains_kept_up_to_date_are_those_computed_from_scratch(form, seed):
    state = make_solver("tabu").start(PairwiseProblem(form), np.random.default_rng(seed))
    rules = tabu.Rules(patience=10**6, tenure=1, spread=2, kick=2)
    tabu.iterate(tables_of(form), state, rules, 50)
    kept, held, satisfied = state.gains.copy(), state.present.copy(), state.optimal.copy()
    tabu_moves.fill(tables_of(form), state)
    assert kept.tolist() == state.gains.tolist()
    assert held.tolist() == state.present.tolist()
    assert satisfied.tolist() == state.optimal.tolist()


def test_a_tabu_move_is_made_if_it_leads_to_the_best_of_the_round():
    form = Pairwise.of([2, 2, 2], unary=[0, 5, 0, 1, 0, 2])
    state = make_solver("tabu").start(PairwiseProblem(form), np.random.default_rng(1))
    tabu.begin_round(tables_of(form), state, np.zeros(3, np.int64), 0.0)
    state.counters[tabu.NOW], state.counters[tabu.TABU] = 1, 1
    state.tabu[0], state.until[0], state.open[0] = 0, 99, -np.inf
    rules = tabu.Rules(patience=100, tenure=1, spread=1, kick=1)
    tabu.tabu_move(tables_of(form), state, rules)
    assert state.x.tolist() == [1, 0, 0]


def test_stages_that_cannot_do_better_are_left_alone():
    triangle = [(i, j, -np.eye(3)) for i, j in [(0, 1), (1, 2), (0, 2)]]
    form = Pairwise.of([3] * 5, [*triangle, (3, 4, -np.eye(3))])
    state = make_solver("tabu").start(PairwiseProblem(form), np.random.default_rng(1))
    tabu.begin_round(tables_of(form), state, np.array([0, 1, 1, 0, 2]), -1.0)
    assert state.optimal.tolist() == [1, 0, 0, 1, 1]
    assert np.isfinite(state.open).reshape(5, 3).any(axis=1).tolist() == [False, True, True, False, False]


def test_edges_between_the_same_stages_are_added_up():
    form = Pairwise.of([2, 2], [(0, 1, np.eye(2), 2.0), (1, 0, [[1, 2], [3, 5]]), (0, 1, -np.eye(2), 2.0)])
    couplings = tables_of(form)
    assert couplings.neighbour.tolist() == [1, 0]
    assert couplings.coupling.tolist() == [1.0, 1.0]
    assert couplings.field.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("sizes", [[2] * 12, [3] * 8, [1, 2, 5, 3, 4, 2]])
def test_it_finds_the_best_solution(sizes):
    problem = PairwiseProblem(tables(sizes, 7))
    assert solve(problem, "tabu", seed=1, looks=300_000).score == solve(problem, "exhaustive").score


def test_a_graph_is_coloured_with_as_many_colours_as_it_was_made_with():
    rng = np.random.default_rng(5)
    hidden, pairs = rng.integers(4, size=120), rng.integers(120, size=(1500, 2))
    edges = [(i, j, COLOURS) for i, j in pairs.tolist() if hidden[i] != hidden[j]]
    assert solve(PairwiseProblem(Pairwise.of([4] * 120, edges)), "tabu", seed=1, looks=10**7, target=0).score == 0


COLOURS = -np.eye(4)


def test_it_goes_on_after_a_checkpoint_as_if_nothing_had_happened(tmp_path):
    problem = PairwiseProblem(tables([3] * 40, 3, density=0.2))
    solver = make_solver("tabu", patience=0.1, elite=3)
    swarmkit.solve(problem, solver, seed=2, looks=30_000, checkpoint=tmp_path / "run.ckpt")
    longer = swarmkit.resume(tmp_path / "run.ckpt", problem, limits=swarmkit.Budget(looks=300_000))
    assert not longer.differences(swarmkit.solve(problem, solver, seed=2, looks=300_000))


@given(forms, st.lists(st.integers(1, 400), min_size=1, max_size=4))
def test_steps_are_as_many_single_steps_and_go_on_from_a_copy(form, counts):
    problem, solver, rng = PairwiseProblem(form), make_solver("tabu", elite=3), np.random.default_rng(1)
    whole = solver.start(problem, rng)
    single = copy.deepcopy(whole)
    for count in counts:
        together = solver.steps(problem, whole, rng, count)
        parts = [solver.step(problem, single, rng) for _ in range(count)]
        assert together.iterations == count
        assert together.looks == sum(part.looks for part in parts) >= count
        assert (together.score, together.solution.tolist()) == (parts[-1].score, parts[-1].solution.tolist())
        single = copy.deepcopy(single)
    assert all(np.array_equal(value, other) for value, other in zip(whole, single, strict=True))


def test_given_solutions_join_the_elite_and_the_best_begins_a_round():
    problem, rng = PairwiseProblem(tables([2] * 30, 3)), np.random.default_rng(1)
    solver = make_solver("tabu")
    good = solve(problem, "tabu", seed=5, looks=100_000)
    state = solver.start(problem, rng)
    X = np.array([state.x, good.solution])
    solver.inject(problem, state, X, problem.score(X), rng)
    assert state.counters[tabu.MEMBERS] == 2
    assert state.x.tolist() == list(good.solution)
    assert solver.step(problem, state, rng).score >= good.score


@pytest.mark.parametrize(
    ("name", "options"), [("tsp", {"n": 8}), ("setcover", {"rows": 15, "columns": 14}), ("knapsack", {"n": 14})]
)
def test_the_optimum_is_found_among_sampled_moves(name, options):
    problem = swarmkit.make_problem(name, **options)
    best = solve(problem, "exhaustive").score
    assert solve(problem, "tabu", seed=1, looks=200_000).score == pytest.approx(best)


def test_candidates_that_were_given_up_are_not_taken_back():
    class Order(swarmkit.Problem):
        sizes, distinct = [9] * 9, True

        def score(self, X):
            return np.zeros(len(X))

    rng, state = np.random.default_rng(1), SampledTabu.start(Order())
    for _ in range(60):
        before, until, now = state.X.copy(), state.until.copy(), state.now
        state.step(Order(), Tenure(5, 3, 1000), rng)
        for stage in np.flatnonzero(before[0] != state.X[0]) if len(before) else ():
            assert until[9 * stage + state.X[0, stage]] <= now
    assert state.now == 59
