"""The gain table of quadratic assignments against differences of whole scores, and climbing on it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, PairwiseProblem
from swarmkit.contract.structure import assignment_of
from swarmkit.kernels import swap_gains
from swarmkit.search import rng_state
from swarmkit.search.table_neighbourhood import TableNeighbourhood, swaps_of
from tests.plain_climbs import plain_climb, solutions
from tests.quadratic import plain_gain, quadratic

seeds = st.integers(0, 2**32 - 1)


class AlwaysCompiled(TableNeighbourhood):
    """Small problems are climbed without a kernel; here it is the kernel that is tested."""

    def uses_kernel(self, rows):
        return True


@given(st.builds(quadratic, st.integers(2, 8), seeds, st.booleans(), st.sampled_from([0.2, 1.0])), seeds)
def test_the_gain_of_every_swap_is_the_difference_of_the_scores(form, seed):
    rng, n = np.random.default_rng(seed), len(form.sizes)
    x, values, matrices = rng.permutation(n), np.empty((n, n)), swap_gains.matrices_of(form, assignment_of(form))
    swap_gains.fill(matrices, values, x)
    for _ in range(3):
        for i in range(n):
            for j in set(range(n)) - {i}:
                assert swap_gains.swap_gain(matrices, values, x, i, j) == plain_gain(form, x, i, j)
        i, j = rng.choice(n, 2, replace=False)
        swapped = x.copy()
        swapped[[i, j]] = x[[j, i]]
        swap_gains.swap(matrices, values, x, i, j)
        assert x.tolist() == swapped.tolist()


@given(st.builds(quadratic, st.integers(2, 6), seeds, st.booleans(), st.sampled_from([0.2, 1.0])), seeds)
def test_climbing_by_swaps_goes_where_the_plain_version_goes(form, seed):
    X, state = solutions(form, 3, np.random.default_rng(seed)), rng_state(np.random.default_rng(seed))
    plain = X.copy()
    looks = sum(plain_climb(form, x, state) for x in plain)
    problem = PairwiseProblem(form)
    climb = AlwaysCompiled(problem).climb(X, np.random.default_rng(seed))
    assert climb.values.ndim == 2
    assert climb.steps(problem, None, 10**9) == looks + X.size
    assert climb.X.tolist() == plain.tolist()


def test_other_forms_are_no_assignments():
    table = np.arange(9.0).reshape(3, 3)
    assert assignment_of(Pairwise.of([3] * 3, [(0, 1, table), (1, 2, table.copy())], distinct=True)) is None
    assert assignment_of(Pairwise.of([3] * 2, [(0, 1, table)], distinct=True)) is None
    assert assignment_of(Pairwise.of([3] * 3, [(0, 1, table)])) is None
    assert assignment_of(Pairwise.of([3] * 3, distinct=True)) is None


def test_tours_and_sparse_problems_are_not_climbed_by_scanning_all_swaps():
    small, large = np.ones((4, 4)), np.ones((300, 300))
    tour = Pairwise.of([4] * 4, [(i, (i + 1) % 4, small) for i in range(4)], distinct=True)
    sparse = Pairwise.of([300] * 300, [(i, i + 1, large) for i in range(299)], distinct=True)
    dense = quadratic(8, 1)
    scanned = [form for form in (tour, sparse, dense) if swaps_of(PairwiseProblem(form).structure, form) is not None]
    assert scanned == [dense]


def test_the_matrices_of_a_form_are_computed_once():
    form = quadratic(5, 1)
    assert swap_gains.matrices_of(form, assignment_of(form)) is swap_gains.matrices_of(form, assignment_of(form))
