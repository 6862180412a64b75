import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit.kernels import chance


def rotated(x, k):
    return ((x << k) | (x >> (64 - k))) % 2**64


def plain_draw(words):
    """The generator in plain Python, as its authors publish it."""
    result = (rotated((words[0] + words[3]) % 2**64, 23) + words[0]) % 2**64
    shifted = (words[1] << 17) % 2**64
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= shifted
    words[3] = rotated(words[3], 45)
    return result


def test_the_kernel_draws_what_the_published_generator_draws():
    words = chance.seeded(np.random.default_rng(1))
    plain = [int(word) for word in words]
    assert [int(chance.draw(words)) for _ in range(200)] == [plain_draw(plain) for _ in range(200)]
    assert [int(word) for word in words] == plain


@given(st.integers(0, 999), st.integers(1, 2**31))
def test_numbers_are_read_from_the_upper_bits(seed, bound):
    words = chance.seeded(np.random.default_rng(seed))
    plain = [int(word) for word in words]
    assert chance.uniform(words) == (plain_draw(plain) >> 11) / 2**53
    assert chance.below(words, bound) == (plain_draw(plain) >> 32) * bound >> 32


def test_uniform_numbers_fill_the_unit_interval():
    words = chance.seeded(np.random.default_rng(2))
    drawn = np.array([chance.uniform(words) for _ in range(20_000)])
    assert 0 <= drawn.min() < 0.001
    assert 0.999 < drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01


def test_bounded_numbers_are_equally_likely():
    words = chance.seeded(np.random.default_rng(3))
    counts = np.bincount([chance.below(words, 7) for _ in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert counts.min() > 1850  # 2000 expected, with a standard deviation of 41
