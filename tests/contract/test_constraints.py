"""Linear constraints: the arrays say what the rows say, and what follows from them agrees with all solutions."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import (
    Constraint,
    Constraints,
    Problem,
    ProblemError,
    all_different,
    at_most,
    capacity,
    cover,
    exactly,
    implies,
)
from swarmkit.contract.problem_view import problem_view


@st.composite
def systems(draw):
    """Return sizes and rows of a few constraints, of whole numbers or of fractions."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    slots = [(i, c) for i, m in enumerate(sizes) for c in range(m)]
    unit = draw(st.sampled_from([1.0, 0.1]))
    rows = []
    for _ in range(draw(st.integers(0, 3))):
        choices = draw(st.lists(st.sampled_from(slots), max_size=6))
        coefficients = [unit * draw(st.integers(-3, 3)) for _ in choices]
        lower, width = draw(st.sampled_from([-np.inf, -1, 0, 1, 2])), draw(st.sampled_from([0, 1, 3, np.inf]))
        rows.append(Constraint.of(choices, coefficients, unit * lower, unit * (max(lower, -5) + width)))
    return sizes, rows


def everything(sizes):
    return np.array(list(itertools.product(*map(range, sizes))), np.int64)


def meets(row, x):
    total = sum(q for i, c, q in zip(row.stages, row.candidates, row.coefficients, strict=True) if x[i] == c)
    return row.lower - 1e-9 <= total <= row.upper + 1e-9


@given(systems())
def test_solutions_are_feasible_where_every_row_is_met(system):
    sizes, rows = system
    X = everything(sizes)
    expected = [all(meets(row, x) for row in rows) for x in X]
    assert Constraints.of(sizes, rows).feasible(X).tolist() == expected


@given(systems(), st.data())
def test_allowed_keeps_every_candidate_of_a_feasible_solution_and_is_exact_at_the_last_stage(system, data):
    sizes, rows = system
    linear, X = Constraints.of(sizes, rows), everything(sizes)
    x = X[data.draw(st.integers(0, len(X) - 1))].copy()
    opened = data.draw(st.lists(st.integers(0, len(sizes) - 1), min_size=1, unique=True))
    x[opened] = -1
    stage = opened[0]
    allowed = linear.allowed(x[None], stage)[0]
    complete = X[((X == x) | (x < 0)).all(axis=1)]
    possible = set(complete[linear.feasible(complete), stage].tolist())
    assert possible <= set(np.flatnonzero(allowed).tolist())
    if len(opened) == 1:
        # Rows without the stage are not asked.
        beside = Constraints.of(sizes, [row for row in rows if stage in row.stages[row.coefficients != 0]])
        assert set(complete[beside.feasible(complete), stage].tolist()) <= set(np.flatnonzero(allowed).tolist())


@given(systems())
def test_a_row_is_impossible_where_no_solution_meets_it(system):
    sizes, rows = system
    X = everything(sizes)
    met = [any(meets(row, x) for x in X) for row in rows]
    sentence = Constraints.of(sizes, rows).impossible()
    # The range of a sum has gaps: a row within it may still have no solution.
    assert sentence is None or f"'{sentence.split(chr(39))[1]}'" in {f"'{k}'" for k, m in enumerate(met) if not m}


@given(systems(), st.data())
def test_fixed_stages_restrict_the_rows(system, data):
    sizes, rows = system
    problem = Costs(sizes, rows)
    fixed = {i: data.draw(st.integers(0, sizes[i] - 1)) for i in data.draw(st.sets(st.integers(0, len(sizes) - 1)))}
    view = problem_view(problem, fixed)
    left = [m for i, m in enumerate(sizes) if i not in fixed]
    if not left:
        return
    X = everything(left)
    whole = np.empty((len(X), len(sizes)), np.int64)
    for i, c in fixed.items():
        whole[:, i] = c
    whole[:, [i for i in range(len(sizes)) if i not in fixed]] = X
    assert view.structure.linear.feasible(X).tolist() == problem.feasible(whole).tolist()
    assert view.feasible(X).tolist() == problem.feasible(whole).tolist()


class Costs(Problem):
    direction = "minimise"

    def __init__(self, sizes, rows):
        self.sizes, self.constraints = sizes, rows

    def score(self, X):
        return X.sum(axis=1).astype(float)


def test_fixed_stages_of_a_distinct_problem_restrict_the_rows():
    class Orders(Costs):
        distinct = True

    problem = Orders([4] * 4, [swarmkit.capacity([(i, c) for i in range(2) for c in range(4)], [0, 1, 2, 3] * 2, 3)])
    view = problem_view(problem, {0: 1})
    linear = view.structure.linear
    assert linear.sizes.tolist() == [3, 3, 3]
    assert linear.upper.tolist() == [2.0]
    assert view.feasible(np.array([[0, 1, 2], [2, 0, 1]])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (swarmkit.cover([(5, 0)], name="night"), "constraint 'night': there is no stage 5; stages are 0 to 1"),
        (swarmkit.cover([(1, 2)]), "constraint '0': stage 1 has no candidate 2; its candidates are 0 to 1"),
        (swarmkit.capacity([(0, 1)], [np.nan], 1, "load"), "constraint 'load': coefficients must be finite, got nan"),
        (Constraint.of([(0, 1)], 1, 2, 1, "x"), "constraint 'x': no sum is at least 2 and at most 1"),
        (7, "constraints are rows made by at_most, capacity or Constraint.of, got 7"),
    ],
)
def test_rows_that_say_nothing_are_refused_by_name(row, message):
    with pytest.raises(ProblemError, match=message):
        Constraints.of([2, 2], [row])


def test_rows_need_as_many_coefficients_as_choices():
    with pytest.raises(ProblemError, match="constraint 'w': 3 coefficients for 2 choices"):
        swarmkit.capacity([(0, 1), (1, 1)], [1, 2, 3], 4, "w")
    with pytest.raises(ProblemError, match="pairs of a stage and a candidate"):
        swarmkit.cover([(0, 1, 2)])


def test_helpers_say_what_their_names_say():
    pairs = [(0, 1), (1, 1), (2, 1)]
    X = everything([2, 2, 2])
    counts = X.sum(axis=1)
    for row, expected in [
        (swarmkit.at_most(pairs, 1), counts <= 1),
        (swarmkit.at_least(pairs, 2), counts >= 2),
        (swarmkit.exactly(pairs, 2), counts == 2),
        (swarmkit.cover(pairs), counts >= 1),
        (swarmkit.capacity(pairs, [1, 2, 3], 3), X @ [1, 2, 3] <= 3),
        (swarmkit.implies((0, 1), (1, 0)), ~((X[:, 0] == 1) & (X[:, 1] == 1))),
    ]:
        assert Constraints.of([2] * 3, [row]).feasible(X).tolist() == expected.tolist()
    Y = everything([3, 3, 3])
    different = Constraints.of([3] * 3, [swarmkit.all_different([0, 2], [3] * 3)])
    assert different.feasible(Y).tolist() == (Y[:, 0] != Y[:, 2]).tolist()
    assert Constraints.of([3] * 3, [swarmkit.all_different(range(3), [3] * 3)]).lower.tolist() == [1.0] * 3


def test_a_feasible_of_its_own_is_asked_beside_the_constraints():
    class Both(Costs):
        def feasible(self, X):
            return X[:, 0] == 0

    problem = Both([2, 2], [swarmkit.at_least([(0, 1), (1, 1)], 1)])
    assert problem.feasible(everything([2, 2])).tolist() == [False, True, False, False]
    assert problem.structure.opaque
    assert not Costs([2], []).structure.opaque


def test_a_model_without_a_solution_is_refused_with_the_name_of_the_row():
    problem = Costs([2, 2], [swarmkit.at_least([(0, 1), (1, 1)], 3, name="staff")])
    with pytest.raises(ProblemError, match="constraint 'staff' cannot be met: its sum has to be at least 3"):
        swarmkit.solve(problem)


def test_fingerprints_know_the_constraints():
    rows = [[swarmkit.at_most([(0, 1), (1, 1)], bound)] for bound in (1, 2)]
    assert len({Costs([2, 2], row).fingerprint for row in rows}) == 2


def test_kinds_of_rows_are_told_apart():
    rows = Constraints.of(
        [2, 2, 3],
        [
            cover([(0, 1), (1, 1)]),
            exactly([(0, 1), (1, 1), (2, 1)], 2),
            all_different([0, 1], [2, 2, 3]),
            capacity([(0, 1), (2, 2)], [3, 4], 5),
            at_most([(0, 1), (1, 1), (2, 1)], 2),
            Constraint.of([(0, 1), (1, 1)], [2, 3], 3, 3),
            implies((0, 1), (1, 1)),
        ],
    )
    expected = {"all different": 2, "capacity": 1, "cardinality": 1, "count": 1, "cover": 1, "equality": 1, "linear": 1}
    assert rows.kinds == expected
