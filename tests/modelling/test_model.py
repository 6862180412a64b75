"""Models say what their formulas say, as tables and rows, and refuse wrong expressions with a sentence."""

import numpy as np
import pytest

import swarmkit
from swarmkit import Model, ProblemError
from swarmkit.testing import check_problem


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def knapsack(rng, n=12):
    values, weights = rng.integers(1, 50, n), rng.integers(1, 30, (2, n))
    model = Model("two capacities")
    take = model.subset([f"item {i}" for i in range(n)], "bag")
    model.maximise(values @ take)
    model.add(weights @ take <= weights.sum(axis=1) // 2, "weight")
    return model, take, values, weights


def test_a_knapsack_is_unary_values_and_rows(rng):
    model, _, values, weights = knapsack(rng)
    problem, X = model.problem(), rng.integers(0, 2, (40, 12))
    assert problem.score(X).tolist() == (X @ values).tolist()
    assert problem.feasible(X).tolist() == (X @ weights.T <= weights.sum(axis=1) // 2).all(axis=1).tolist()
    assert problem.constraints.names == ("weight[0]", "weight[1]")
    assert len(problem.form.edges) == 0


def test_answers_have_the_names_of_variables_and_values(rng):
    model, take, *_ = knapsack(rng)
    x = np.array([1, 0, 0, 1, *[0] * 8])
    assert model.problem().describe(x) == [
        {"variable": "bag", "value": "item 0"},
        {"variable": "bag", "value": "item 3"},
    ]
    assert take.read(x) == ["item 0", "item 3"]
    shift = Model().choices((2, 2), ["off", "early"], "shift")
    assert shift.read([0, 1, 1, 0]) == [["off", "early"], ["early", "off"]]
    assert shift[1, 0].read([0, 1, 1, 0]) == "early"
    assert shift.describe(np.array([0, 1, 1, 0]))[1] == {"variable": "shift[0, 1]", "value": "early"}


def test_choices_are_compared_looked_up_and_counted(rng):
    preference = rng.integers(0, 9, (3, 5, 3))
    model = Model()
    shift = model.choices((3, 5), ["off", "early", "night"], "shift")
    model.minimise(shift.lookup(preference).sum() + 2 * (shift != "off").sum() - 1)
    model.add((shift == "early").sum(axis=0) >= 1, "demand")
    model.add((shift[:, :-1] == "night") + (shift[:, 1:] == "early") <= 1, "rest")
    problem, X = model.problem(), rng.integers(0, 3, (60, 15))
    R = X.reshape(-1, 3, 5)
    costs = (
        np.take_along_axis(preference[None], R[..., None], axis=3)[..., 0].sum(axis=(1, 2))
        + 2 * (R > 0).sum((1, 2))
        - 1
    )
    assert problem.score(X).tolist() == costs.tolist()
    demand, rest = ((R == 1).sum(1) >= 1).all(1), ~((R[:, :, :-1] == 2) & (R[:, :, 1:] == 1)).any((1, 2))
    assert problem.feasible(X).tolist() == (demand & rest).tolist()
    assert problem.direction == "minimise"


def test_products_of_sums_are_tables(rng):
    P = rng.integers(-9, 9, (8, 8))
    model = Model()
    take = model.subset(8)
    model.maximise(take @ (P @ take) + (take[0] + 2) * (3 - take[1]))
    X = rng.integers(0, 2, (50, 8))
    expected = np.einsum("bi,ij,bj->b", X, P, X) + (X[:, 0] + 2) * (3 - X[:, 1])
    assert model.problem().score(X) == pytest.approx(expected)
    assert (model.problem().form.edges[:, 0] < model.problem().form.edges[:, 1]).all()


def test_pairs_of_choices_are_looked_up_in_a_table(rng):
    table, pairs = rng.random((3, 4)), np.array([[0, 1], [1, 2], [2, 2]])
    model = Model()
    a, b = model.choices(3, 3, "a"), model.choices(3, 4, "b")
    model.maximise(a[pairs[:, 0]].lookup(table, b[pairs[:, 1]]).sum() + (a[0] == a[2]) - (a[1] != a[1]))
    X = np.hstack([rng.integers(0, 3, (30, 3)), rng.integers(0, 4, (30, 3))])
    expected = table[X[:, pairs[:, 0]], X[:, 3 + pairs[:, 1]]].sum(axis=1) + (X[:, 0] == X[:, 2])
    assert model.problem().score(X) == pytest.approx(expected)


def test_a_sequence_alone_is_a_permutation_and_its_steps_a_tour(rng):
    distances = rng.random((7, 7))
    model = Model()
    order = model.sequence("abcdefg")
    model.minimise(order.lookup(distances + distances.T, order[[1, 2, 3, 4, 5, 6, 0]]).sum())
    problem = model.problem()
    assert problem.distinct
    assert problem.structure.tour is not None
    assert order.read([6, 5, 4, 3, 2, 1, 0]) == list("gfedcba")


def test_a_sequence_beside_other_variables_is_constraints():
    model = Model()
    order = model.sequence(3)
    late = model.subset(3)
    model.minimise(late.sum())
    model.add((order == [0, 1, 2]).sum() <= late.sum())
    problem = model.problem()
    assert not problem.distinct
    X = np.array([[0, 1, 2, 1, 1, 1], [0, 0, 1, 1, 1, 1], [1, 2, 0, 0, 0, 0], [0, 2, 1, 0, 0, 0]])
    assert problem.feasible(X).tolist() == [True, False, True, False]


def test_functions_of_variables_add_to_the_objective(rng):
    times = rng.integers(1, 9, (2, 6))
    model = Model()
    order, extra = model.choices((2, 3), 6), model.subset(2)
    model.minimise(
        model.term(lambda places: times[0, places].max(), order)
        + 3 * model.term(lambda inside: inside.sum(axis=1), extra, batch=True)
        + extra[0]
    )
    problem, X = model.problem(), np.hstack([rng.integers(0, 6, (20, 6)), rng.integers(0, 2, (20, 2))])
    expected = times[0, X[:, :6]].max(axis=1) + 3 * X[:, 6:].sum(axis=1) + X[:, 6]
    assert problem.score(X).tolist() == expected.tolist()
    assert problem.pairwise() is None


def test_all_different_leaves_each_value_to_one_choice():
    model = Model()
    square = model.choices((3, 3), 3)
    for line in range(3):
        model.all_different(square[line], f"row {line}")
        model.all_different(square[:, line], f"column {line}")
    X = np.array([[0, 1, 2, 1, 2, 0, 2, 0, 1], [0, 1, 2, 0, 1, 2, 0, 1, 2]])
    assert model.problem().feasible(X).tolist() == [True, False]


def test_a_model_without_an_objective_asks_for_any_solution():
    model = Model()
    take = model.subset(4)
    model.add(take.sum() == 2)
    result = swarmkit.solve(model.problem(), "exhaustive", seed=1, looks=1000)
    assert sum(result.solution) == 2
    assert result.score == 0.0


def test_a_model_without_a_solution_is_refused_with_the_name_of_the_row():
    model = Model()
    take = model.subset(4)
    model.add(take.sum() >= 5, "guests")
    with pytest.raises(ProblemError, match="constraint 'guests' cannot be met: its sum has to be at least 5"):
        swarmkit.solve(model.problem(), "sa", seed=1, looks=1000)


def variables():
    model = Model()
    return model, model.subset(3, "take"), model.choices(3, ["a", "b"], "pick")


MISTAKES = {
    "an array as objective": (lambda m, t, p: m.maximise(t), "an objective is one number"),
    "a number as objective": (lambda m, t, p: m.maximise(3), "an objective is an expression"),
    "two objectives": (lambda m, t, p: (m.maximise(t.sum()), m.minimise(t.sum())), "has an objective already"),
    "a product in a constraint": (lambda m, t, p: m.add(t[0] * t[1] <= 1, "pair"), "constraint 'pair' has products"),
    "a product of three": (lambda m, t, p: t[0] * t[1] * t[2], "a product of more than two choices"),
    "no comparison": (lambda m, t, p: m.add(t.sum()), "a constraint compares expressions"),
    "a value that is none": (lambda m, t, p: p == "c", "'pick' has no value 'c'; its values are 'a', 'b'"),
    "values that are none": (lambda m, t, p: p == ["a", 7, "b"], "'pick' has no value 7"),
    "a chain of comparisons": (lambda m, t, p: 1 <= t.sum() <= 2, "add a <= x and x <= b"),
    "unequal sums": (lambda m, t, p: t.sum() != 2, "cannot be compared with !="),
    "strict comparison": (lambda m, t, p: t.sum() < 2, "cannot be compared with < and >"),
    "shapes": (lambda m, t, p: t + np.ones(2), "do not fit together"),
    "a product of shapes": (lambda m, t, p: [1, 2] @ t, "expected (n,) or (k, n), and (n,)"),
    "words": (lambda m, t, p: t + "one", "expected a number or an expression"),
    "two models": (lambda m, t, p: t + Model().subset(3), "an expression of two models"),
    "a table of the wrong size": (lambda m, t, p: p.lookup([1, 2, 3]), "expected 2 numbers"),
    "a pair table of the wrong size": (lambda m, t, p: p.lookup([1, 2], p), "a row for each value"),
    "numbers that are not finite": (lambda m, t, p: [np.nan, 1, 1] @ t, "expected finite numbers"),
    "a condition": (lambda m, t, p: bool(t.sum()), "neither true nor false"),
    "a name that is taken": (lambda m, t, p: m.subset(2, "take"), "has a variable 'take' already"),
    "no values": (lambda m, t, p: m.choices(3, 0), "have no values"),
    "equal values": (lambda m, t, p: m.choices(3, ["a", "a"]), "two of its values are equal"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_expression_is_refused_with_a_sentence(mistake):
    write, message = MISTAKES[mistake]
    with pytest.raises(ProblemError) as refusal:
        write(*variables())
    assert message in str(refusal.value)


def test_the_kit_is_green_for_models(rng):
    model = Model()
    take, pick = model.subset(3), model.choices((2, 2), 3)
    model.minimise(take @ (rng.random((3, 3)) @ take) + pick.lookup(rng.random(3)).sum() + (pick[0] == pick[1]).sum())
    report = check_problem(model.problem(), examples=5)
    assert not report.of("failed"), report.summary


def test_objectives_are_set_in_either_spelling():
    for spelling, best in (("maximize", 7.0), ("minimize", 0.0)):
        model = Model()
        take = model.subset(2)
        getattr(model, spelling)([3, 4] @ take)
        result = swarmkit.solve(model.problem(), "exhaustive")
        assert result.shown(result.score) == best
