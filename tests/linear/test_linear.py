"""Problems with linear constraints: OR-Library's files, OPB, MPS and LP, drawn instances, pictures of the rows."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import swarmkit
from swarmkit_linear.assignment import draw as draw_agents
from swarmkit_linear.best_known import COVERS
from tests.fuzz import samples
from tests.instances import files, rows


def written(folder, text, name="a.txt"):
    (folder / name).write_text(text)
    return str(folder / name)


def all_solutions(problem):
    return np.stack(np.meshgrid(*map(range, problem.sizes), indexing="ij"), axis=-1).reshape(-1, len(problem.sizes))


def test_a_covering_is_read_as_the_library_writes_it(tmp_path):
    problem = swarmkit.make_problem("setcover", file=written(tmp_path, samples.COVERING))
    X = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    assert problem.score(X).tolist() == [4, 5, 3, 3]
    assert problem.feasible(X).tolist() == [True, True, False, False]
    assert problem.describe(X[0]) == [{"column": 1, "cost": 1.0, "rows": 1}, {"column": 3, "cost": 3.0, "rows": 1}]


def test_knapsacks_are_read_by_their_number(tmp_path):
    two = samples.KNAPSACK.replace("1\n", "2\n", 1) + "1 1 7\n7\n1\n1\n"
    first, second = (swarmkit.make_problem("knapsack", file=written(tmp_path, two), number=k) for k in (1, 2))
    X = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0]])
    assert first.score(X).tolist() == [9, 12, 5]
    assert first.feasible(X).tolist() == [False, False, True]  # the second capacity
    assert second.metrics(np.array([1])) == {"score": 7.0, "violated": 0.0, "best known": 7.0, "gap": 0.0}
    with pytest.raises(swarmkit.UsageError, match="has 2 problems; number=3 is not one of them"):
        swarmkit.make_problem("knapsack", file=written(tmp_path, two), number=3)


@pytest.mark.parametrize("text", [samples.AGENTS, samples.AGENTS.removeprefix("1\n")], ids=["counted", "alone"])
def test_assignments_are_read_with_and_without_their_number(tmp_path, text):
    problem = swarmkit.make_problem("assignment", file=written(tmp_path, text))
    X = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 1]])
    assert problem.score(X).tolist() == [4, 6, 6]
    assert problem.feasible(X).tolist() == [True, False, False]
    assert swarmkit.make_problem("assignment", file=written(tmp_path, text), maximise=True).direction == "maximise"


def test_opb_mps_and_lp_say_what_their_formulas_say(tmp_path):
    problem = swarmkit.make_problem("linear", file=written(tmp_path, samples.OPB, "a.opb"))
    X = all_solutions(problem)
    a, b, c = X.T
    assert problem.score(X).tolist() == (a - 2 * b).tolist()
    assert problem.feasible(X).tolist() == ((a + (1 - b) + 2 * c >= 1) & (a + b == 1)).tolist()

    problem = swarmkit.make_problem("linear", file=written(tmp_path, samples.MPS, "a.mps"))
    assert problem.direction == "maximise"
    X = all_solutions(problem)
    a, b = X.T
    assert b.max() == 2
    assert problem.score(X).tolist() == (3 * a + 4 * b).tolist()
    assert problem.feasible(X).tolist() == ((2 * a + 3 * b <= 4) & (a + b >= 1) & (a + b <= 2) & (b == 1)).tolist()

    problem = swarmkit.make_problem("linear", file=written(tmp_path, samples.LP, "a.lp"))
    X = all_solutions(problem)
    a, b, c = X.T
    assert problem.score(X).tolist() == (3 * a + 4 * b - 2 * c + 1).tolist()
    assert problem.feasible(X).tolist() == ((2 * a + 3 * b + c <= 7) & (b - a >= -1)).tolist()
    assert problem.describe(np.array([1, 0, 3])) == [{"variable": "a", "value": 1}, {"variable": "c", "value": 3}]


WRONG = {
    "setcover": {
        "1 2\n1 2\n1\n3\n": "line 4: 3 as a column of row 1; expected a whole number from 0 to 2",
        "1 2\n1 2\n1\n0\n": "line 4: 0 as a column of row 1; expected a whole number from 1 to 2",
        "1 2\n1 2\n0\n": "line 3: 0 as the number of columns that cover row 1",
        "1 2\n1 2\n1\n1\n5": "line 5: '5' after 1 rows",
    },
    "knapsack": {
        "1\n2 1 0\n1 2\n1\n": "line 4: the file ends after 1 numbers of the weights of problem 1; expected 2",
        "1\n2 1 x\n": "line 2: 'x' is not a number",
    },
    "assignment": {"1\n1 2\n1 2\n1 nan\n1": "line 4: 'nan' is not finite"},
    "linear.opb": {
        "min: +1 x1;\n+1 x1 >= 1": "line 2: the file ends after '1'; expected ';'",
        "+1 x1 +2 >= 1;": "line 1: '+2' without a variable",
        "+1 x1 x2 >= 1;": "line 1: a product of x1 and x2; expected a linear sum",
        "+1.5 x1 >= 1;": "line 1: '+1.5'; expected a whole number",
        "\n+1 x1;": "line 2: '+1 x1'; expected a sum",
        "* nothing": "line 1: no variable is named",
    },
    "linear.mps": {
        samples.MPS.replace("ENDATA\n", ""): "line 23: the file ends without ENDATA",
        samples.MPS.replace(" BV BND a", " BV BND q"): "line 22: 'q' is in no row",
        samples.MPS.replace(" UP BND b 2", " PL BND b"): "variable 'b' is from 0 to inf; expected at most 1,000 values",
        samples.MPS.replace("INTORG", "INTEND").replace(" BV BND a\n", ""): "line 11: variable 'a' is continuous",
        samples.MPS.replace(" L weight", " X weight"): "line 6: 'X weight'; expected N, L, G or E",
        samples.MPS.replace("a few 1", "a many 1"): "line 12: row 'many' is not in ROWS",
        "QUADOBJ\n": "line 1: section 'QUADOBJ'",
    },
    "linear.lp": {
        "Minimize\n x\nSubject To\n x >= y\nEnd": "line 4: 'y'; expected a number",
        "Minimize\n x + y\nBinary\n x\nEnd": "line 2: variable 'y' is continuous; expected whole numbers",
        "Minimize\n x\nBinary\n x": "line 4: the file ends without 'End'",
        "Subject To\n x >= 1\nEnd": "line 1: no objective at the beginning",
        "Minimize\n x ^ 2\nEnd": "line 2: '^ 2'",
        "Minimize\n x\nBounds\n x <= q\nEnd": "line 4: 'q'; expected a number",
        "Minimize\n x\nBinary\n q\nEnd": "line 4: 'q' is in no row and not in the objective",
    },
}
CASES = [(name, text, said) for name, cases in WRONG.items() for text, said in cases.items()]


@pytest.mark.parametrize(("name", "text", "said"), CASES, ids=[said[:60] for *_, said in CASES])
def test_a_malformed_file_is_refused_with_the_line(tmp_path, name, text, said):
    problem, _, suffix = name.partition(".")
    with pytest.raises(swarmkit.UsageError) as refusal:
        swarmkit.make_problem(problem, file=written(tmp_path, text, f"a.{suffix or 'txt'}"))
    assert said in str(refusal.value)


@pytest.mark.parametrize("file", files([], "knapsack", ["mknapcb1.txt"]), ids=lambda file: file.stem)
def test_the_files_of_others_have_their_best_known_values(file):
    best = [float(row["best_known"]) for row in rows([], "knapsack", "best_known.csv")]
    problems = [swarmkit.make_problem("knapsack", file=str(file), number=k + 1) for k in range(len(best))]
    assert [problem.best for problem in problems] == best


@pytest.mark.parametrize("row", rows([{"instance": "scp41", "optimum": "429"}], "setcover", "best_known.csv"), ids=str)
def test_the_optima_are_those_that_were_published(row):
    known = {name: optimum for (name, *_), optimum in COVERS.items()}
    assert known.get(row["instance"], float(row["optimum"])) == float(row["optimum"])


@pytest.mark.parametrize("name", ["setcover", "knapsack", "assignment"])
def test_seeds_draw_instances(name):
    one, again, other = (swarmkit.make_problem(name, seed=seed) for seed in (1, 1, 2))
    assert one.fingerprint == again.fingerprint != other.fingerprint


def test_kinds_of_assignments_are_drawn_as_published():
    for kind, loads in {"A": (5, 25), "D": (1, 100)}.items():
        agents = draw_agents(5, 400, kind, 1)
        assert (agents.loads.min(), agents.loads.max()) == loads
    hard = draw_agents(5, 400, "D", 1)
    assert np.corrcoef(hard.loads.ravel(), hard.costs.ravel())[0, 1] < -0.9
    assert (draw_agents(5, 40, "E", 1).loads >= 1).all()


@pytest.mark.parametrize("name", ["setcover", "knapsack", "assignment"])
def test_pictures_show_the_rows_of_feasible_and_of_violated_solutions(name):
    problem = swarmkit.make_problem(name)
    for x in (np.zeros(len(problem.sizes), int), np.asarray(problem.sizes) - 1):
        axes = Figure().add_subplot()
        swarmkit.draw_solution(problem, x, axes)
        assert axes.has_data()
    assert problem.view().scene["kind"] == "rows"
