"""Crossover and mutation against plain versions that are told the same draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.compiled.breeding import NOWHERE
from swarmkit.kernels import breeding, chance


@st.composite
def arrangements(draw):
    """Two arrangements of n out of m, and a stretch of them."""
    n = draw(st.integers(1, 8))
    m = draw(st.integers(n, 10))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    low = draw(st.integers(0, n - 1))
    return rng.permutation(m)[:n], rng.permutation(m)[:n], low, draw(st.integers(low + 1, n)), m


def crossed(operator, a, b, low, high, m):
    child, place = np.full(len(a), -9), np.full(m, -1)
    operator(a, b, low, high, place, child)
    assert (place == -1).all()
    return child.tolist()


def test_order_crossover_by_hand():
    a, b = np.arange(8), np.array([7, 5, 3, 1, 0, 2, 4, 6])
    assert crossed(breeding.order_crossover, a, b, 2, 5, 8) == [1, 0, 2, 3, 4, 6, 7, 5]


def test_partially_mapped_crossover_by_hand():
    a, b = np.arange(8), np.array([3, 7, 5, 1, 6, 0, 2, 4])
    assert crossed(breeding.partially_mapped, a, b, 3, 6, 8) == [1, 7, 0, 3, 4, 5, 2, 6]


@given(arrangements())
def test_order_crossover_is_the_plain_one(case):
    a, b, low, high, m = case
    n, kept = len(a), a[low:high].tolist()
    rest = [c for c in np.roll(b, -high).tolist() if c not in kept][: n - len(kept)]
    plain = np.roll(kept + rest, low).tolist()
    assert crossed(breeding.order_crossover, a, b, low, high, m) == plain


@given(arrangements())
def test_partially_mapped_crossover_is_the_plain_one(case):
    a, b, low, high, m = case
    replaced = dict(zip(a[low:high].tolist(), b[low:high].tolist(), strict=True))
    plain = b.tolist()
    for i in [*range(low), *range(high, len(a))]:
        while plain[i] in replaced:
            plain[i] = replaced[plain[i]]
    plain[low:high] = a[low:high].tolist()
    child = crossed(breeding.partially_mapped, a, b, low, high, m)
    assert child == plain
    assert len(set(child)) == len(child)


@given(st.integers(1, 200), st.integers(0, 999))
def test_one_point_and_uniform_crossover_take_every_stage_from_a_parent(n, seed):
    rng = np.random.default_rng(seed)
    a, b, child = rng.integers(9, size=n), rng.integers(9, size=n), np.empty(n, np.int64)
    cut = int(rng.integers(n + 1))
    breeding.one_point(a, b, cut, child)
    assert child.tolist() == [*a[:cut], *b[cut:]]
    words = chance.seeded(rng)
    bits = [int(chance.draw(copy)) for copy in [words.copy()] for _ in range(-(-n // 64))]
    breeding.toss(a, b, words, child)
    assert child.tolist() == [a[i] if bits[i // 64] >> (i % 64) & 1 else b[i] for i in range(n)]


@given(arrangements(), st.sampled_from([breeding.SWAP, breeding.INVERSION]), st.integers(0, 999))
def test_mutated_arrangements_are_arrangements(case, kind, seed):
    child, *_, m = case
    breeding.mutate(child, np.full(len(child), m), NOWHERE, 0.5, kind, chance.seeded(np.random.default_rng(seed)))
    assert len(set(child)) == len(child)
    assert 0 <= child.min() <= child.max() < m


def test_so_many_stages_mutate_as_asked_and_all_to_something_else():
    sizes = np.tile([1, 2, 5], 2000)
    child = np.zeros(6000, np.int64)
    breeding.mutate(child, sizes, NOWHERE, 0.25, breeding.CHANGE, chance.seeded(np.random.default_rng(1)))
    assert not child[sizes == 1].any()
    assert 0.22 < (child[sizes > 1] > 0).mean() < 0.28
    assert np.bincount(child[sizes == 5])[1:].min() > 90  # 125 of each expected


@given(st.integers(1, 30), st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from(range(3)), st.integers(0, 999))
def test_mutation_is_the_plain_one(n, rate, kind, seed):
    rng = np.random.default_rng(seed)
    sizes = np.full(n, n + 1) if kind else rng.integers(1, 5, n)
    child = rng.permutation(n + 1)[:n] if kind else rng.integers(sizes)
    words = chance.seeded(rng)
    again, plain, i = words.copy(), child.tolist(), 0
    breeding.mutate(child, sizes, NOWHERE, rate, kind, words)
    while True:
        u = chance.uniform(again)
        i += int(np.log(1 - u) / np.log1p(-rate)) if rate < 1 else 0
        if i >= n:
            break
        if kind == breeding.INVERSION:
            low, high = sorted((i, chance.below(again, n)))
            plain[low : high + 1] = plain[low : high + 1][::-1]
        elif sizes[i] > 1:
            c = chance.below(again, sizes[i] - 1)
            c += c >= plain[i]
            if kind == breeding.SWAP and c in plain:
                plain[plain.index(c)] = plain[i]
            plain[i] = c
        i += 1
    assert child.tolist() == plain
    assert (words == again).all()
