"""The heat bath against its formula and plain Python, and the blocks that are reheated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.kernels.rng import random_bits
from swarmkit.testing.families import Shape, random_form, shapes
from swarmkit_annealing.kernels import gibbs
from swarmkit_annealing.schedule import Schedule
from swarmkit_annealing.tables import TableAnnealer, block_around

forms = st.builds(random_form, shapes())
seeds = st.integers(0, 999)


def cool(form, table, temperatures, stages, negligible=0.0):
    """Sweep over some stages, once at each temperature."""
    schedule = Schedule(temperatures, 1, negligible)
    return table.cool(PairwiseProblem(form), schedule, stages, np.random.default_rng(1))


def test_candidates_are_drawn_with_probability_proportional_to_exp_of_value_over_temperature():
    values, temperature = np.array([1.0, 0.2, 1.5, -0.5]), 0.7
    noise = gibbs.gumbel_noise(4)
    drawn = [gibbs.draw(values, noise[k : k + 4], temperature, k % 4) for k in range(1 << gibbs.BITS)]
    expected = np.exp(values / temperature) / np.exp(values / temperature).sum()
    assert np.bincount(drawn) / len(drawn) == pytest.approx(expected, abs=0.005)


def test_the_noise_is_gumbels_and_goes_on_where_it_began():
    noise = gibbs.gumbel_noise(5)
    assert len(noise) == 65_536 + 5
    assert noise[-5:].tolist() == noise[:5].tolist()
    assert noise[:-5].mean() == pytest.approx(np.euler_gamma, abs=1e-3)
    assert noise[:-5].std() == pytest.approx(np.pi / np.sqrt(6), abs=1e-3)


def plain_cool(form, x, rng_state, temperatures, stages):
    """The twin: marginals from scratch, the kernel's random numbers."""
    noise = gibbs.gumbel_noise(int(form.sizes.max()))
    best, highest = x.copy(), form.score(x[None])[0]
    scores, accepted = [], []
    for temperature in temperatures:
        before = x.copy()
        for i in stages:
            place = int(random_bits(rng_state)) >> 64 - gibbs.BITS
            x[i] = np.argmax(form.marginals(x[None], int(i))[0] + temperature * noise[place : place + form.sizes[i]])
            score = form.score(x[None])[0]
            if score > highest:
                best, highest = x.copy(), score
        scores.append(score)
        accepted.append((x != before).sum() / len(stages))
    return best, highest, scores, accepted


@given(forms, seeds)
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


def test_turns_between_equal_candidates_are_no_change():
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


@given(forms, seeds, st.integers(1, 12))
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
