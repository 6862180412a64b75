"""Quadratic assignment: QAPLIB's files, the cost in every shape of matrices, and the best known values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_qap.problem import QuadraticAssignment
from swarmkit_qap.qaplib import BEST_KNOWN
from tests.instances import best, files, rows

OURS = ["drawn7.dat", "oneway7.dat"]
THEIRS = [f"{name}.dat" for name in ("nug12", "chr12a", "tai12a", "esc16a")]


@st.composite
def matrices(draw):
    """Draw two matrices, each symmetric or not, with diagonals, zeros and both signs."""
    n, rng = draw(st.integers(1, 6)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pair = rng.integers(-3, 7, (2, n, n)).astype(float)
    return [table + table.T if draw(st.booleans()) else table for table in pair]


@given(matrices(), st.integers(0, 2**32 - 1))
def test_the_score_is_minus_the_cost_whatever_is_symmetric(pair, seed):
    first, second = pair
    problem = QuadraticAssignment(first, second)
    n = len(first)
    X = np.array([np.random.default_rng([seed, k]).permutation(n) for k in range(3)])
    naive = [-sum(first[i, j] * second[p[i], p[j]] for i in range(n) for j in range(n)) for p in X]
    assert problem.score(X).tolist() == naive
    assert problem.metrics(X[0])["cost"] == -naive[0]


@given(matrices(), st.integers(0, 2**32 - 1), st.integers(0, 5))
def test_gains_are_the_differences_of_costs(pair, seed, stage):
    problem = QuadraticAssignment(*pair)
    x = np.random.default_rng(seed).permutation(len(pair[0]))
    stage %= len(x)
    neighbours = problem.neighbours(x[None], stage)
    assert np.allclose(problem.gains(x, stage), problem.score(neighbours) - problem.score(x[None]))


@given(matrices(), st.integers(0, 2**32 - 1))
def test_exchanging_the_matrices_turns_the_assignment_round(pair, seed):
    p = np.random.default_rng(seed).permutation(len(pair[0]))
    one, other = QuadraticAssignment(*pair), QuadraticAssignment(*pair[::-1])
    assert one.score(p[None]) == other.score(np.argsort(p)[None])


def test_pairs_without_flow_have_no_edge_and_a_symmetric_pair_has_one():
    flows = np.zeros((4, 4))
    flows[0, 1] = flows[1, 0] = 2.0
    form = QuadraticAssignment(flows, np.arange(16.0).reshape(4, 4)).form
    assert len(form.edges) == 1
    assert len(form.flat) == 16  # the table is there once


@pytest.mark.parametrize(
    "options", [{}, {"n": 1}, {"n": 2}, {"n": 7, "layout": "uniform"}, {"n": 12, "seed": 3}], ids=str
)
def test_drawn_instances_keep_the_contract(options):
    check_problem(swarmkit.make_problem("qap", **options), examples=3)


def test_seeds_draw_instances_and_layouts_are_as_said():
    one, again, other = (swarmkit.make_problem("qap", seed=seed) for seed in (1, 1, 2))
    assert one.fingerprint == again.fingerprint != other.fingerprint
    distances = swarmkit.make_problem("qap", n=12).form.flat.reshape(12, 12)
    assert distances.max() == 2 + 3  # corners of a grid of three by four


@pytest.mark.parametrize("row", rows([{"instance": "nug12", "best_known": "578"}], "qaplib", "best_known.csv"), ids=str)
def test_the_best_known_costs_are_those_that_were_published(row):
    assert BEST_KNOWN[row["instance"]] == float(row["best_known"])


@pytest.mark.parametrize("file", files(OURS, "qaplib", THEIRS), ids=lambda file: file.stem)
def test_the_best_known_cost_is_reached_and_never_undercut(file):
    known = best(file.name) if file.name in OURS else BEST_KNOWN[file.stem]
    problem = swarmkit.make_problem("qap", file=str(file), **({"best": known} if file.name in OURS else {}))
    assert problem.best == known
    result = swarmkit.solve(problem, "icm", looks=200_000_000, target=-problem.best)
    assert result.metrics["gap"] == 0.0


SOUND = "2\n0 1\n1 0\n\n0 5 5 0\n"
WRONG = {
    "empty": ("", "line 1: the file ends after 0 numbers of the size n; expected 1"),
    "words": ("size 2\n", "line 1: 'size' is not a number; expected a file of QAPLIB"),
    "odd size": ("2.5\n", "line 1: 2.5 as the size n; expected a whole number from 1 to 1,000"),
    "no size": ("0\n", "line 1: 0 as the size n"),
    "negative size": ("-2\n", "line 1: -2 as the size n"),
    "huge size": ("100000\n", "line 1: 100000 as the size n"),
    "too few numbers": (SOUND.replace("5 5 0", "5 5"), "line 5: the file ends after 3 numbers of the second matrix"),
    "one matrix": ("2\n0 1\n1 0\n", "line 3: the file ends after 0 numbers of the second matrix; expected 4"),
    "too many numbers": (SOUND + "7\n", "line 6: '7' after two matrices of 2 rows of 2 numbers"),
    "not finite": (SOUND.replace("5 5", "5 nan"), "line 5: 'nan' is not finite"),
    "infinite": (SOUND.replace("5 5", "inf 5"), "line 5: 'inf' is not finite"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_malformed_file_is_refused_in_a_sentence(cli, tmp_path, text, said):
    path = tmp_path / "a.dat"
    path.write_text(text)
    answer = cli("solve", "-p", "qap", "-P", f"file={path}", "-a", "icm")
    assert answer.code == 2
    assert f"a.dat, {said}" in answer.err.replace("\n", " ")


def test_what_is_no_text_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "a.dat").write_bytes(b"2\n\0\xff")
    for name, said in {"a.dat": "line 2: a null byte", "": "cannot be read", "b.dat": "no such file"}.items():
        with pytest.raises(swarmkit.UsageError, match=said):
            swarmkit.make_problem("qap", file=str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 10\n2 1", "line 1: a solution of size 3; expected 2"),
        ("2 11\n2 1", "line 2: the assignment costs 10; expected 11"),
        ("2 10\n2 2", "line 2: this is not an assignment; expected each of 1 to 2 once"),
        ("2 10\n2", "line 2: the file ends after 1 numbers of the assignment; expected 2"),
    ],
)
def test_a_solution_that_does_not_fit_is_refused_in_a_sentence(tmp_path, text, said):
    (tmp_path / "a.dat").write_text(SOUND)
    (tmp_path / "a.sln").write_text(text)
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("qap", file=str(tmp_path / "a.dat"), solution=str(tmp_path / "a.sln"))


def test_a_solution_says_what_the_best_known_cost_is(tmp_path):
    first, second = (np.random.default_rng(seed).integers(0, 9, (5, 5)) for seed in (1, 2))
    p = np.array([2, 0, 3, 4, 1])
    cost = (first * second[np.ix_(p, p)]).sum()
    (tmp_path / "a.dat").write_text(f"5\n{' '.join(map(str, [*first.ravel(), *second.ravel()]))}")
    for listed in (p, np.argsort(p)):  # either way round
        (tmp_path / "a.sln").write_text(f"5 {cost}\n{','.join(str(place + 1) for place in listed)}\n")
        files = {"file": str(tmp_path / "a.dat"), "solution": str(tmp_path / "a.sln")}
        assert swarmkit.make_problem("qap", **files).metrics(p) == {"cost": cost, "best known": cost, "gap": 0.0}


@pytest.mark.parametrize(
    ("options", "said"),
    [({"file": "a", "seed": 2}, "'file' and 'seed' are both given"), ({"solution": "a", "best": 2}, "both given")],
)
def test_options_that_contradict_each_other_are_refused(options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("qap", **options)
