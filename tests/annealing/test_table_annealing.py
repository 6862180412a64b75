"""Metropolis sampling and the heat bath on the gain table against plain Python, and the blocks that are reheated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels import rng as random_numbers
from swarmkit.testing.families import Shape, random_form, shapes
from swarmkit_annealing.annealers import TableAnnealer, block_around
from swarmkit_annealing.kernels import table_annealing
from swarmkit_annealing.schedule import Schedule, acceptance

forms = st.builds(random_form, shapes(), distinct=st.booleans()) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)
unconstrained = st.builds(random_form, shapes())
seeds = st.integers(0, 999)


def solution(form, rng):
    return rng.permutation(form.sizes[0])[: len(form.sizes)] if form.distinct else rng.integers(form.sizes)


@given(st.floats(-50, 5), st.floats(1e-3, 1e3), st.floats(0, 1, exclude_max=True))
def test_the_kernel_accepts_what_the_formula_accepts(delta, temperature, u):
    assert table_annealing.accepts(delta, temperature, u) == (u < acceptance(delta, temperature))


def plain_anneal(form, x, rng_state, schedule):
    """The twin: scores from scratch, the kernel's random numbers."""
    now = form.score(x[None])[0]
    best, highest = x.copy(), now
    free = np.flatnonzero(form.sizes > 1)
    for k in range(schedule.sweep * len(schedule.temperatures)):
        bits = int(random_numbers.random_bits(rng_state))
        i = free[(bits >> 32) * len(free) >> 32]
        c = (bits & 0xFFFFFFFF) * int(form.sizes[i] - 1) >> 32
        c += c >= x[i]
        temperature = schedule.temperatures[k // schedule.sweep]
        delta = form.gains(x[None], int(i))[0, c]
        if delta >= 0 or (
            delta > -40 * temperature and random_numbers.uniform(rng_state) < math.exp(delta / temperature)
        ):
            if form.distinct:
                x[x == c] = x[i]
            x[i] = c
            now += delta
            if now > highest:
                best, highest = x.copy(), now
    return best, highest, now


@given(forms, seeds)
def test_annealing_goes_where_the_plain_version_goes(form, seed):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    x = solution(form, rng)
    schedule = Schedule(np.geomspace(2.0, 0.05, 4), 10)
    # Candidates of equal value would make the paths part over the last digit: make them unequal.
    unary = form.unary + 1e-3 * rng.random(len(form.unary))
    form = Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    table = TableAnnealer.start(PairwiseProblem(form), x, rng)
    best, highest, now = plain_anneal(form, x.copy(), table.rng_state.copy(), schedule)
    done = table.anneal(PairwiseProblem(form), schedule, rng)
    assert table.best.tolist() == best.tolist()
    assert table.scores == pytest.approx([now, highest])
    assert len(done.scores) == len(done.accepted) == 4
    assert done.scores[-1] == pytest.approx(now)
    assert 40 <= done.looks <= (80 if form.distinct else 40)


def test_sweeps_one_by_one_are_sweeps_in_one_call():
    rng = np.random.default_rng(3)
    problem = PairwiseProblem(random_form(Shape(5, 4, 2, "floats", 1)))
    whole, pieces = (TableAnnealer.start(problem, np.zeros(5, int), np.random.default_rng(3)) for _ in range(2))
    temperatures = np.geomspace(1.0, 0.1, 12)
    together = whole.anneal(problem, Schedule(temperatures, 7), rng)
    parts = [pieces.anneal(problem, Schedule(part, 7), rng) for part in np.split(temperatures, [1, 5, 6])]
    assert all(np.array_equal(value, vars(pieces)[name]) for name, value in vars(whole).items())
    assert np.concatenate([part.scores for part in parts]).tolist() == together.scores.tolist()
    assert sum(part.looks for part in parts) == together.looks


def annealer_of(form):
    return PairwiseProblem(form), TableAnnealer.start(
        PairwiseProblem(form), np.zeros(len(form.sizes), int), np.random.default_rng(1)
    )


def test_it_stops_after_the_first_sweep_that_changes_nothing():
    problem, table = annealer_of(Pairwise.of([2, 2, 2], unary=[1.0, 0.0] * 3))
    done = table.anneal(problem, Schedule(np.full(12, 1e-6), 3, stop_early=True), np.random.default_rng(1))
    assert (done.looks, len(done.scores), done.done) == (3, 1, True)


def test_turns_between_equal_candidates_are_no_change():
    problem, table = annealer_of(Pairwise.of([2, 2]))
    done = table.anneal(problem, Schedule(np.full(10, 0.1), 2, negligible=1e-9), np.random.default_rng(1))
    assert len(done.accepted) == 10
    assert not done.accepted.any()
    assert not done.done  # nobody asked


def cool(form, table, temperatures, stages, negligible=0.0):
    """Sweep over some stages, once at each temperature."""
    schedule = Schedule(temperatures, 1, negligible)
    return table.cool(PairwiseProblem(form), schedule, stages, np.random.default_rng(1))


def test_candidates_are_drawn_with_probability_proportional_to_exp_of_value_over_temperature():
    values, temperature = np.array([1.0, 0.2, 1.5, -0.5]), 0.7
    noise = table_annealing.gumbel_noise(4)
    drawn = [
        table_annealing.draw(values, noise[k : k + 4], temperature, k % 4) for k in range(1 << table_annealing.BITS)
    ]
    expected = np.exp(values / temperature) / np.exp(values / temperature).sum()
    assert np.bincount(drawn) / len(drawn) == pytest.approx(expected, abs=0.005)


def test_the_noise_is_gumbels_and_goes_on_where_it_began():
    noise = table_annealing.gumbel_noise(5)
    assert len(noise) == 65_536 + 5
    assert noise[-5:].tolist() == noise[:5].tolist()
    assert noise[:-5].mean() == pytest.approx(np.euler_gamma, abs=1e-3)
    assert noise[:-5].std() == pytest.approx(np.pi / np.sqrt(6), abs=1e-3)


def plain_cool(form, x, rng_state, temperatures, stages):
    """The twin: marginals from scratch, the kernel's random numbers."""
    noise = table_annealing.gumbel_noise(int(form.sizes.max()))
    best, highest = x.copy(), form.score(x[None])[0]
    scores, accepted = [], []
    for temperature in temperatures:
        before = x.copy()
        for i in stages:
            place = int(random_numbers.random_bits(rng_state)) >> 64 - table_annealing.BITS
            x[i] = np.argmax(form.marginals(x[None], int(i))[0] + temperature * noise[place : place + form.sizes[i]])
            score = form.score(x[None])[0]
            if score > highest:
                best, highest = x.copy(), score
        scores.append(score)
        accepted.append((x != before).sum() / len(stages))
    return best, highest, scores, accepted


@given(unconstrained, seeds)
def test_cooling_goes_where_the_plain_version_goes(form, seed):
    rng = np.random.default_rng(seed)
    stages = rng.permutation(np.flatnonzero(form.sizes > 1))[:4]
    if len(stages) == 0:
        return
    temperatures = np.geomspace(2.0, 0.05, 5)
    unary = form.unary + 1e-3 * rng.random(len(form.unary))  # ties would be broken by the last digit
    form = Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat)
    table = TableAnnealer.start(PairwiseProblem(form), rng.integers(form.sizes), rng)
    best, highest, scores, accepted = plain_cool(form, table.x.copy(), table.rng_state.copy(), temperatures, stages)
    done = cool(form, table, temperatures, stages)
    assert table.best.tolist() == best.tolist()
    assert table.scores == pytest.approx([scores[-1], highest])
    assert done.scores == pytest.approx(scores)
    assert done.accepted == pytest.approx(accepted)
    assert done.looks == 5 * form.sizes[stages].sum()
    fresh = np.concatenate([form.marginals(table.x[None], i)[0] for i in range(len(table.x))])
    assert np.allclose(table.values, fresh)


def test_turns_of_the_heat_bath_between_equal_candidates_are_no_change():
    form = Pairwise.of([2, 2])
    table = TableAnnealer.start(PairwiseProblem(form), np.zeros(2, np.int64), np.random.default_rng(1))
    done = cool(form, table, np.full(50, 0.1), np.arange(2), negligible=1e-9)
    assert not done.accepted.any()


def plain_block(form, stage, size):
    """The twin of `collect`: stages in the order in which they are met."""
    half, block, k = form.half_edges, [stage], 0
    while k < len(block):
        for j in half.neighbour[half.indptr[block[k]] : half.indptr[block[k] + 1]]:
            if j not in block and form.sizes[j] > 1:
                block.append(int(j))
        k += 1
    return sorted(block[:size])


@given(unconstrained, seeds, st.integers(1, 12))
def test_a_block_is_a_stage_and_those_nearest_to_it(form, seed, size):
    free = np.flatnonzero(form.sizes > 1)
    if len(free) == 0:
        return
    stage = int(free[seed % len(free)])
    assert block_around(form, stage, size).tolist() == plain_block(form, stage, size)


def test_cooling_slowly_finds_the_optimum():
    form = random_form(Shape(8, 3, 2, "floats", 5))
    table = TableAnnealer.start(PairwiseProblem(form), np.zeros(8, np.int64), np.random.default_rng(1))
    cool(form, table, np.geomspace(3.0, 0.01, 2000), np.flatnonzero(form.sizes > 1))
    every = np.array(np.meshgrid(*[np.arange(m) for m in form.sizes])).reshape(8, -1).T
    assert table.scores[1] == pytest.approx(form.score(every).max())
