"""Reheating blocks of stages, against plain Python and its promises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise
from swarmkit.compiled import reheat, return_to_best, start_walk
from swarmkit.kernels import chance
from swarmkit.testing.families import Shape, random_form, shapes
from tests.plain_climbs import climbed, moved

forms = st.builds(random_form, shapes(), distinct=st.booleans())
seeds = st.integers(0, 999)

SWEEPS, SMALLEST, HOT, COLD = 3, 2, 1.0, 0.01


def solution(form, rng):
    return rng.permutation(form.sizes[0])[: len(form.sizes)] if form.distinct else rng.integers(form.sizes)


def plain_field(form, x):
    return np.concatenate([form.marginals(x[None], stage)[0] for stage in range(len(x))])


def gathered(form, words, size):
    """The twin of `gather`."""
    free, half = np.flatnonzero(form.sizes > 1), form.half_edges
    block = [int(free[chance.below(words, len(free))])]
    for _ in range(4 * size):
        if len(block) == size:
            break
        i = block[chance.below(words, len(block))]
        near = half.neighbour[half.indptr[i] : half.indptr[i + 1]]
        if len(near) == 0:
            continue
        j = int(near[chance.below(words, len(near))])
        if j not in block and form.sizes[j] > 1:
            block.append(j)
    return block


def may(form, x, block, c):
    """Tell whether no stage outside a block holds a candidate."""
    return not form.distinct or not np.isin(np.flatnonzero(x == c), block, invert=True).any()


def plain_reheat(form, x, words):
    """The twin: one reheat, scores from scratch, the kernel's random numbers."""
    free, before = np.flatnonzero(form.sizes > 1), x.copy()
    size = min(len(free), SMALLEST + chance.below(words, 3 * SMALLEST))
    block = gathered(form, words, size)
    most = 2 * len(block) if form.distinct else 1 << 62
    moves = sum(min(int(form.sizes[i]) - 1, most) for i in block)
    temperature = HOT * (COLD / HOT) ** chance.uniform(words)
    cooling = (COLD / temperature) ** (1 / (SWEEPS - 1))
    for _ in range(SWEEPS):
        for _ in range(moves):
            i = block[chance.below(words, len(block))]
            c = chance.below(words, int(form.sizes[i]) - 1)
            c += c >= x[i]
            if not may(form, x, block, c):
                c = int(x[block[chance.below(words, len(block))]])
            delta = form.gains(x[None], i)[0, c]
            if delta >= 0 or (delta > -40 * temperature and chance.uniform(words) < math.exp(delta / temperature)):
                x = moved(form, x, i, c)
        temperature *= cooling
    x, _ = climbed(form, x, block, words)
    return x if form.score(x[None])[0] >= form.score(before[None])[0] else before


@given(forms, seeds)
def test_a_reheat_goes_where_the_plain_version_goes(form, seed):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    unary = form.unary + 1e-3 * rng.random(len(form.unary))  # ties would be broken by the last digit
    form = Pairwise(form.sizes, unary, form.edges, form.starts, form.weights, form.flat, form.distinct)
    walk = start_walk(form, solution(form, rng), rng)
    expected = plain_reheat(form, walk.x.copy(), walk.words.copy())
    done = reheat(form, walk, HOT, COLD, 0, 1, smallest=SMALLEST, sweeps=SWEEPS, patience=9)
    assert walk.x.tolist() == expected.tolist()
    assert done.reheats == 1


@given(forms, seeds)
def test_reheating_never_loses_and_keeps_the_field_up_to_date(form, seed):
    if (form.sizes == 1).all():
        return
    rng = np.random.default_rng(seed)
    walk = start_walk(form, solution(form, rng), rng)
    begun = walk.scores[0]
    reheat(form, walk, HOT, COLD, 0, 300, smallest=2, sweeps=2, patience=50)
    assert walk.scores[0] >= begun - 1e-9
    assert walk.scores[1] == pytest.approx(form.score(walk.best[None])[0])
    assert walk.scores[0] == pytest.approx(form.score(walk.x[None])[0])
    assert np.allclose(walk.values, plain_field(form, walk.x))
    if form.distinct:
        assert len(set(walk.x.tolist())) == len(walk.x)
        assert all(walk.holder[c] == i for i, c in enumerate(walk.x))


def test_reheating_ends_when_it_has_been_patient_enough():
    form = Pairwise.of([2, 2, 2], unary=[0.0, 1.0] * 3)
    walk = start_walk(form, np.ones(3, np.int64), np.random.default_rng(1))
    done = reheat(form, walk, 1.0, 0.01, 1, 10**6, smallest=1, sweeps=2, patience=3)
    assert (done.reheats, done.idle) == (2, 3)


@given(seeds)
def test_the_way_back_to_the_best_is_found(seed):
    form = random_form(Shape(6, 4, 2, "floats", seed), distinct=bool(seed % 2))
    rng = np.random.default_rng(seed)
    walk = start_walk(form, solution(form, rng), rng)
    walk.best[:] = solution(form, rng)
    walk.scores[1] = form.score(walk.best[None])[0]
    return_to_best(form, walk)
    assert walk.x.tolist() == walk.best.tolist()
    assert np.allclose(walk.values, plain_field(form, walk.x))
    assert walk.scores[0] == walk.scores[1]
