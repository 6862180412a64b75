import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.kernels import rng
from swarmkit.search import rng_state


def rotated(x, k):
    return ((x << k) | (x >> (64 - k))) % 2**64


def plain_random_bits(state):
    """The generator in plain Python, as its authors publish it."""
    result = (rotated((state[0] + state[3]) % 2**64, 23) + state[0]) % 2**64
    shifted = (state[1] << 17) % 2**64
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return result


def test_the_kernel_draws_what_the_published_generator_draws():
    state = rng_state(np.random.default_rng(1))
    plain = [int(part) for part in state]
    assert [int(rng.random_bits(state)) for _ in range(200)] == [plain_random_bits(plain) for _ in range(200)]
    assert [int(part) for part in state] == plain


@given(st.integers(0, 999), st.integers(1, 2**31))
def test_numbers_are_read_from_the_upper_bits(seed, bound):
    state = rng_state(np.random.default_rng(seed))
    plain = [int(part) for part in state]
    assert rng.uniform(state) == (plain_random_bits(plain) >> 11) / 2**53
    assert rng.below(state, bound) == (plain_random_bits(plain) >> 32) * bound >> 32


def test_uniform_numbers_fill_the_unit_interval():
    state = rng_state(np.random.default_rng(2))
    drawn = np.array([rng.uniform(state) for _ in range(20_000)])
    assert 0 <= drawn.min() < 0.001
    assert 0.999 < drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01


def test_bounded_numbers_are_equally_likely():
    state = rng_state(np.random.default_rng(3))
    counts = np.bincount([rng.below(state, 7) for _ in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert counts.min() > 1850  # 2000 expected, with a standard deviation of 41
