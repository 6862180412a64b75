import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import Pairwise, ProblemError
from swarmkit.testing.families import Shape, random_form, shapes

forms = st.builds(random_form, shapes(), distinct=st.booleans(), shared=st.just(False)) | st.builds(
    random_form, shapes(), distinct=st.just(True), shared=st.just(True)
)


def solutions(form, k, seed):
    rng = np.random.default_rng(seed)
    if form.distinct:
        return np.array([rng.permutation(form.sizes[0])[: len(form.sizes)] for _ in range(k)])
    return rng.integers(form.sizes, size=(k, len(form.sizes)))


def plain_score(form, x):
    """The definition, edge by edge."""
    total = sum(form.unary[form.offsets[i] + c] for i, c in enumerate(x))
    for (i, j), start, weight in zip(form.edges, form.starts, form.weights, strict=True):
        total += weight * form.flat[start + x[i] * form.sizes[j] + x[j]]
    return total


@given(forms, st.integers(0, 99))
def test_a_score_is_the_sum_of_unary_values_and_weighted_tables(form, seed):
    X = solutions(form, 3, seed)
    assert np.allclose(form.score(X), [plain_score(form, x) for x in X])


@given(forms, st.integers(0, 99))
def test_gains_are_differences_of_scores(form, seed):
    x = solutions(form, 1, seed)[0]
    for stage in range(len(x)):
        for candidate in range(form.sizes[stage]):
            y = x.copy()
            if form.distinct:
                y[y == candidate] = x[stage]
            y[stage] = candidate
            assert form.gains(x[None], stage)[0, candidate] == pytest.approx(
                plain_score(form, y) - plain_score(form, x)
            )


@given(forms, st.integers(0, 99))
def test_marginals_along_any_walk_sum_up_to_the_score(form, seed):
    """What makes a bee's path quality equal to the score, whatever the walk."""
    x = solutions(form, 1, seed)[0]
    path, quality = np.full_like(x, -1), 0.0
    for stage in np.random.default_rng(seed).permutation(len(x)):
        quality += form.marginals(path[None], int(stage))[0, x[stage]]
        path[stage] = x[stage]
    assert quality == pytest.approx(plain_score(form, x))


@given(shapes(), st.integers(0, 99))
def test_rows_and_half_edges_give_the_same_marginals(shape, seed):
    form = random_form(shape)
    without_rows = Pairwise(form.sizes, form.unary, form.edges, form.starts, form.weights, form.flat)
    without_rows.__dict__["rows"] = None
    X = np.where(np.random.default_rng(seed).random((4, shape.n)) < 0.3, -1, solutions(form, 4, seed))
    for stage in range(shape.n):
        assert np.allclose(form.marginals(X, stage), without_rows.marginals(X, stage))


def test_a_table_given_twice_is_stored_once_and_never_expanded():
    table = np.arange(9.0).reshape(3, 3)
    form = Pairwise.of([3, 3, 3], [(0, 1, table), (1, 2, table, 2.0)])
    assert len(form.flat) == 9
    assert form.shared
    assert form.rows is None
    assert form.score(np.array([[0, 1, 2]])) == [table[0, 1] + 2 * table[1, 2]]


def test_rows_are_not_laid_out_beyond_the_limit(monkeypatch):
    monkeypatch.setattr("swarmkit.contract.pairwise.ROW_LIMIT", 10)
    assert random_form(Shape(5, 4, 4, "floats", 1)).rows is None


def test_scoring_in_blocks_changes_nothing(monkeypatch):
    form = random_form(Shape(5, 4, 4, "floats", 3))
    X = solutions(form, 7, 1)
    whole = form.score(X)
    monkeypatch.setattr("swarmkit.contract.pairwise._BLOCK", 1)
    assert np.allclose(form.score(X), whole)


def test_the_given_arrays_stay_writable_and_unchanged():
    table = np.eye(2)
    Pairwise.of([2, 2], [(0, 1, table)]).score(np.array([[0, 0]]))
    table[0, 0] = 5
    assert table.flags.writeable


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Pairwise.of([2, 2], [(0, 2, np.eye(2))]), r"edge \(0, 2\) names a stage that does not exist"),
        (lambda: Pairwise.of([2, 2], [(0, 1, np.eye(3))]), r"is \(3, 3\), expected \(2, 2\)"),
        (lambda: Pairwise.of([2, 2], [(1, 1, np.eye(2))]), "two different stages"),
        (lambda: Pairwise.of([2, 2], [(0, 1, np.full((2, 2), np.nan))]), "finite"),
        (lambda: Pairwise.of([2, 2], unary=[1.0]), "one unary value per slot"),
        (lambda: Pairwise(np.array([2, 2]), np.zeros(4), np.array([[0, 1]])), "one start and one weight"),
        (
            lambda: Pairwise(np.array([2, 2]), np.zeros(4), np.array([[0, 5]]), np.zeros(1, int), np.ones(1)),
            "stages that exist",
        ),
        (
            lambda: Pairwise(np.array([2, 2]), np.zeros(4), np.array([[0, 1]]), np.zeros(1, int), np.ones(1)),
            "inside the flat array",
        ),
    ],
)
def test_wrong_forms_are_refused_in_words(make, said):
    with pytest.raises(ProblemError, match=said):
        make()


def test_arrays_of_any_layout_and_kind_become_those_that_kernels_take():
    edges = np.asfortranarray(np.array([[0, 1], [1, 2]], np.int32))
    form = Pairwise(np.array([2, 2, 2], np.int16), np.zeros(6, np.float32), edges, [0, 0], np.ones(2, int), range(4))
    assert form.edges.flags.c_contiguous
    assert {array.dtype.name for array in (form.sizes, form.edges, form.starts)} == {"int64"}
    assert {array.dtype.name for array in (form.unary, form.weights, form.flat)} == {"float64"}
    assert form.score(np.array([[1, 1, 1]])).tolist() == [6.0]
    assert Pairwise(form.sizes, form.unary, form.edges, form.starts, form.weights, form.flat).flat is form.flat
