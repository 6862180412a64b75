"""Travelling salesmen: every form of file, every kind of distance, and the published optima."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_tsp.distances import KINDS, straight, table_of
from swarmkit_tsp.instance import LARGEST, Instance
from swarmkit_tsp.optima import OPTIMA
from swarmkit_tsp.problem import TravellingSalesman
from swarmkit_tsp.tsplib import FORMATS, count_of, places, unfold
from tests.instances import best, files, rows

PROVED = [f"{name}.tsp" for name in ("gr17", "ulysses16", "bays29", "att48", "berlin52", "st70", "swiss42")]
LARGE = [f"{name}.tsp" for name in ("lin318", "dsj1000", "brazil58")]
OURS = ["drawn12.tsp", "table11.tsp"]

SQUARE = """NAME : square
TYPE : TSP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10
4 10 0
EOF
"""


def tables(symmetric: bool = True):
    """Draw tables of distances."""
    numbers = st.integers(1, 7).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 99), min_size=n, max_size=n), min_size=n, max_size=n)
    )
    return numbers.map(lambda rows: _table(np.array(rows, float), symmetric))


def _table(table, symmetric):
    np.fill_diagonal(table, 0.0)
    return np.triu(table) + np.triu(table).T if symmetric else table


def written(folder, text, name="a.tsp"):
    path = folder / name
    path.write_text(text)
    return str(path)


def explicit(table, form, kind="TSP"):
    """Write a table as a file of TSPLIB, seven numbers a line, whatever its rows."""
    numbers = table.ravel() if form == "FULL_MATRIX" else table[places(form, len(table))]
    lines = [" ".join(f"{x:g}" for x in numbers[at : at + 7]) for at in range(0, len(numbers), 7)]
    head = f"TYPE: {kind}\nDIMENSION: {len(table)}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {form}\n"
    return head + "EDGE_WEIGHT_SECTION\n" + "\n".join(lines) + "\nEOF\n"


@given(tables(), st.sampled_from(FORMATS))
def test_every_matrix_form_is_the_full_matrix(tmp_path_factory, table, form):
    path = written(tmp_path_factory.mktemp("forms"), explicit(table, form))
    assert np.array_equal(swarmkit.make_problem("tsp", file=path).table, table)


def test_matrix_forms_are_read_as_tsplib_writes_them():
    # The table whose entry (i, j) is ij, as TSPLIB 95 words each form.
    said = {
        "UPPER_ROW": [12, 13, 23],
        "LOWER_ROW": [21, 31, 32],
        "UPPER_DIAG_ROW": [11, 12, 13, 22, 23, 33],
        "LOWER_DIAG_ROW": [11, 21, 22, 31, 32, 33],
        "UPPER_COL": [12, 13, 23],
        "LOWER_COL": [21, 31, 32],
        "UPPER_DIAG_COL": [11, 12, 22, 13, 23, 33],
        "LOWER_DIAG_COL": [11, 21, 31, 22, 32, 33],
    }
    for form, entries in said.items():
        i, j = places(form, 3)
        assert (10 * (i + 1) + j + 1).tolist() == entries, form
        assert count_of(form, 3) == len(entries)


@given(tables(symmetric=False))
def test_ways_back_may_differ_where_the_file_says_so(tmp_path_factory, table):
    path = written(tmp_path_factory.mktemp("atsp"), explicit(table, "FULL_MATRIX", "ATSP"))
    problem = swarmkit.make_problem("tsp", file=path)
    assert np.array_equal(problem.table, table)


@given(tables(symmetric=False), st.integers(0, 2**32 - 1))
def test_a_batch_of_tours_scores_as_their_steps_summed_up(table, seed):
    problem = TravellingSalesman(Instance("any", "EXPLICIT", table))
    n = len(table)
    X = np.array([np.random.default_rng([seed, k]).permutation(n) for k in range(3)])
    naive = [-sum(table[x[k], x[(k + 1) % n]] for k in range(n)) if n > 1 else 0 for x in X]
    assert problem.score(X).tolist() == naive


@given(tables(), st.integers(0, 2**32 - 1), st.integers(0, 9))
def test_where_a_tour_begins_and_which_way_it_goes_is_all_the_same(table, seed, by):
    problem = TravellingSalesman(Instance("any", "EXPLICIT", table))
    x = np.random.default_rng(seed).permutation(len(table))
    same = np.array([x, np.roll(x, by), x[::-1]])
    assert len(set(problem.score(same))) == 1
    assert len({problem.metrics(y)["length"] for y in same}) == 1


@given(
    st.sampled_from(sorted(KINDS)),
    st.lists(st.tuples(*[st.floats(-80, 80)] * 3), min_size=1, max_size=6),
)
def test_distances_are_whole_the_same_both_ways_and_near_the_straight_line(kind, points):
    between, dimensions = KINDS[kind]
    made = np.array(points)[:, :dimensions]
    table = table_of(made, between)
    assert np.array_equal(table, table.T)
    assert np.array_equal(table, np.floor(table))
    assert (np.diag(table) == 0).all()
    if kind.startswith(("EUC", "CEIL")):
        assert (np.abs(table - table_of(made, straight)) < 1.0 + 1e-9).all()


@pytest.mark.parametrize("file", files(OURS, "tsplib", PROVED), ids=lambda file: file.stem)
def test_the_optimum_of_a_file_is_reached_and_never_undercut(file):
    optimum = best(file.name) if file.name in OURS else OPTIMA[file.stem]
    problem = swarmkit.make_problem("tsp", file=str(file), **({"optimum": optimum} if file.name in OURS else {}))
    params = {"local_search": "2opt"}
    result = swarmkit.solve(problem, "tsp-aco", params=params, looks=100_000_000, target=problem.optimum, seed=1)
    assert result.metrics == {"length": problem.shortest, "optimum": optimum, "gap": 0.0}


@pytest.mark.parametrize("row", rows([{"instance": "gr17", "optimum": "2085"}], "tsplib", "optima.csv"), ids=str)
def test_the_optima_known_here_are_those_beside_the_files(row):
    assert OPTIMA[row["instance"]] == float(row["optimum"])


@pytest.mark.parametrize("file", files(OURS, "tsplib", LARGE), ids=lambda file: file.stem)
def test_files_of_points_and_tables_are_tours_for_the_solvers(file):
    problem = swarmkit.make_problem("tsp", file=str(file))
    assert problem.structure.tour.symmetric
    assert np.shares_memory(problem.structure.tour.cost, problem.table)  # the table is there once
    assert (problem.points is None) == (file.stem in ("brazil58", "table11"))


def test_the_default_run_knows_its_optimum():
    problem = swarmkit.make_problem("tsp")
    result = swarmkit.solve(problem, "tsp-aco", params={"local_search": "2opt"}, looks=100_000_000, target=-5_790_651)
    assert result.metrics == {"length": 5_790_651.0, "optimum": 5_790_651.0, "gap": 0.0}


@pytest.mark.parametrize(("layout", "n"), [("grid", 4), ("grid", 6), ("grid", 8), ("circle", 3), ("circle", 8)])
def test_grids_and_circles_have_the_optimum_that_they_claim(layout, n):
    problem = swarmkit.make_problem("tsp", layout=layout, n=n, seed=3)
    assert swarmkit.solve(problem, "exhaustive").metrics["gap"] == 0.0


@pytest.mark.parametrize(("layout", "n"), [("grid", 7), ("grid", 9), ("uniform", 8), ("clustered", 8), ("circle", 2)])
def test_no_optimum_is_claimed_that_is_not_known(layout, n):
    assert "gap" not in swarmkit.make_problem("tsp", layout=layout, n=n).metrics(np.arange(n))


@pytest.mark.parametrize(
    "options",
    [{}, {"n": 1}, {"n": 2}, {"n": 3}, {"n": 20, "layout": "clustered"}, {"n": 12, "layout": "grid"}],
    ids=str,
)
def test_drawn_cities_keep_the_contract(options):
    check_problem(swarmkit.make_problem("tsp", **options), examples=3)


def test_a_file_keeps_the_contract_with_and_without_places(tmp_path):
    check_problem(swarmkit.make_problem("tsp", file=written(tmp_path, SQUARE)), examples=2)
    table = np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0]])
    path = written(tmp_path, explicit(table, "FULL_MATRIX", "ATSP"))
    check_problem(swarmkit.make_problem("tsp", file=path), examples=2)


def test_a_tour_in_a_file_says_what_the_optimum_is(tmp_path):
    tour = written(tmp_path, "TYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n1 2\n3\n4\n-1\nEOF\n", "square.opt.tour")
    problem = swarmkit.make_problem("tsp", file=written(tmp_path, SQUARE), tour=tour)
    assert problem.metrics(np.array([0, 2, 1, 3])) == {"length": 48.0, "optimum": 40.0, "gap": pytest.approx(0.2)}


def test_points_of_a_table_may_have_names_and_titles(tmp_path):
    text = 'city,x,y\n"Bern, CH",0,0\nThun,3,4\nBiel,0,4\n'
    problem = swarmkit.make_problem("tsp", file=written(tmp_path, text, "a.csv"))
    rows = problem.describe(np.array([1, 2, 0]))
    assert [(row["city"], row["to the next"]) for row in rows] == [("Bern, CH", 5), ("Thun", 3), ("Biel", 4)]
    plain = written(tmp_path, "0.5,0\n0,0\n", "b.csv")
    assert swarmkit.make_problem("tsp", file=plain).metrics(np.array([0, 1])) == {"length": 1.0}
    assert swarmkit.make_problem("tsp", file=plain, metric="MAX_2D").metrics(np.array([0, 1])) == {"length": 2.0}


def test_a_result_of_a_file_is_replayed(cli, tmp_path):
    path = written(tmp_path, SQUARE)
    assert cli("solve", "-p", "tsp", "-P", f"file={path}", "-a", "icm", "--looks", "1000", "--out", "r.json").code == 0
    assert cli("replay", "r.json").code == 0


@pytest.mark.parametrize(("pictures", "wide"), [(True, 'width="1008pt"'), (False, 'width="576pt"')])
def test_a_plot_shows_the_tour_where_the_places_are_known(cli, tmp_path, pictures, wide):
    text = SQUARE if pictures else explicit(np.ones((5, 5)) - np.eye(5), "UPPER_ROW")
    path = written(tmp_path, text)
    given = ["-p", "tsp", "-P", f"file={path}", "-a", "icm", "--looks", "1000", "--checkpoint", "run.ckpt"]
    assert cli("solve", *given, "--plot", "a.svg").code == 0
    assert cli("resume", "run.ckpt", "--looks", "2000", "--plot", "b.svg").code == 0
    assert all(wide in (tmp_path / name).read_text() for name in ("a.svg", "b.svg"))


WRONG = {
    "empty": ("", "line 1: the file ends without TYPE"),
    "no file of TSPLIB": ("hello\n", "line 1: 'hello' is not a keyword of TSPLIB"),
    "unknown type": (SQUARE.replace(": TSP", ": CVRP"), "line 2: TYPE 'CVRP' is not supported; expected TSP, ATSP"),
    "unknown distance": (SQUARE.replace("EUC_2D", "XRAY1"), "line 4: EDGE_WEIGHT_TYPE 'XRAY1' is not supported"),
    "no dimension": (SQUARE.replace("DIMENSION : 4\n", ""), "line 9: the file ends without DIMENSION"),
    "odd dimension": (SQUARE.replace(": 4", ": four"), "line 3: DIMENSION 'four'; expected a number of cities"),
    "no dimension at all": (SQUARE.replace(": 4", ": 0"), "line 3: DIMENSION '0'; expected a number of cities"),
    "huge dimension": (SQUARE.replace(": 4", ": 9999999"), f"expected a number of cities from 1 to {LARGEST:,}"),
    "too few cities": (SQUARE.replace(": 4", ": 5"), "line 9: NODE_COORD_SECTION ends without city 5"),
    "too many cities": (SQUARE.replace(": 4", ": 3"), "line 9: city 4; expected a number from 1 to 3"),
    "city twice": (SQUARE.replace("\n2 0", "\n1 0"), "line 7: city 1 is on line 6 already"),
    "city of no number": (SQUARE.replace("\n2 0", "\n1.5 0"), "line 7: city 1.5; expected a number from 1 to 4"),
    "not finite": (SQUARE.replace("2 0 10", "2 nan 10"), "line 7: '2 nan 10'; expected 'city x y' in finite numbers"),
    "infinite": (SQUARE.replace("2 0 10", "2 0 -inf"), "line 7: '2 0 -inf'; expected 'city x y' in finite numbers"),
    "too far": (SQUARE.replace("2 0 10", "2 0 1e300"), "line 5: the coordinates are too large"),
    "no number": (
        SQUARE.replace("2 0 10", "2 0 x"),
        "line 7: '2 0 x'; expected 'city x y' in finite numbers",
    ),
    "missing coordinate": (SQUARE.replace("2 0 10", "2 0"), "line 7: '2 0'; expected 'city x y'"),
    "no section": (SQUARE[: SQUARE.index("NODE")], "line 4: the file ends without a NODE_COORD_SECTION"),
    "section twice": (SQUARE.replace("EOF", "NODE_COORD_SECTION"), "line 10: NODE_COORD_SECTION occurs twice"),
    "another problem": (SQUARE.replace("EOF", "DEMAND_SECTION"), "line 10: DEMAND_SECTION belongs to vehicle routing"),
    "points both ways": (SQUARE.replace(": TSP", ": ATSP"), "line 2: TYPE ATSP with EUC_2D"),
}
TWO = np.array([[0.0, 3], [3, 0]])
FULL = explicit(TWO, "FULL_MATRIX")
WRONG |= {
    "too few numbers": (
        FULL.replace("0 3 3 0", "0 3 3"),
        "line 6: 3 numbers in EDGE_WEIGHT_SECTION; expected 4 for DIMENSION 2",
    ),
    "too many numbers": (FULL.replace("0 3 3 0", "0 3 3 0\n7"), "line 7: 5 numbers in EDGE_WEIGHT_SECTION; expected 4"),
    "unknown form": (FULL.replace("FULL_MATRIX", "FUNCTION"), "line 4: EDGE_WEIGHT_FORMAT 'FUNCTION' is not supported"),
    "negative": (FULL.replace("0 3 3 0", "0 -3 -3 0"), "line 5: the distance from 1 to 2 is -3; expected none below 0"),
    "two ways": (
        FULL.replace("0 3 3 0", "0 3 4 0"),
        "line 5: the distance from 1 to 2 is 3, back 4; expected the same both ways",
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_malformed_file_is_refused_in_a_sentence(cli, tmp_path, text, said):
    path = written(tmp_path, text)
    answer = cli("solve", "-p", "tsp", "-P", f"file={path}", "-a", "icm")
    assert answer.code == 2
    assert said in answer.err.replace("\n", " ")
    assert path in answer.err.replace("\n", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the file ends without a city"),
        ("x,y\n", "line 1: the file ends without a city"),
        ("1,2\n3\n", "line 2: 1 columns; expected 2, as in the first line"),
        ("1,2\n3,nan\n", "line 2: 'nan' is not a coordinate"),
        ("x,y\n1,two\n", "line 2: 'two' is not a coordinate"),
        ('1,2\n"3,4\n', "not valid CSV"),
    ],
)
def test_a_malformed_table_of_points_is_refused_in_a_sentence(tmp_path, text, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("tsp", file=written(tmp_path, text, "a.csv"))


def test_what_is_no_text_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "bytes.tsp").write_bytes(bytes(range(256)))
    for name, said in {"bytes.tsp": "a null byte", "": "cannot be read", "none.tsp": "no such file"}.items():
        with pytest.raises(swarmkit.UsageError, match=said):
            swarmkit.make_problem("tsp", file=str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "TYPE : TOUR\nTOUR_SECTION\n1 2 3\n-1\n",
            "line 4: a tour of 3 cities without city 4; expected each of 4 cities once",
        ),
        (
            "TYPE : TOUR\nTOUR_SECTION\n1 2 2 3\n-1\n",
            "line 4: a tour of 4 cities without city 4; expected each",
        ),
        (
            "TYPE : TOUR\nTOUR_SECTION\n1 2 5\n",
            "line 3: a tour of 3 cities without city 3; expected each of 4 cities once",
        ),
        ("TYPE : TSP\nTOUR_SECTION\n1\n", "line 1: TYPE 'TSP' is not supported; expected TOUR"),
        ("TYPE : TOUR\nTOUR_SECTION\n1 2 3 4 x\n", "line 3: 'x' is not a number; expected a number, or a keyword"),
        ("TYPE : TOUR\nTOUR_SECTION\n1 2 3 4 2\n-1\n", "line 4: a tour of 5 cities; expected each of 4 cities"),
        ("TYPE : TOUR\n", "line 1: the file ends without a TOUR_SECTION"),
    ],
)
def test_a_malformed_tour_is_refused_in_a_sentence(tmp_path, text, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("tsp", file=written(tmp_path, SQUARE), tour=written(tmp_path, text, "a.tour"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"file": "a.tsp", "n": 9}, "'file' and 'n' are both given"),
        ({"metric": "GEO"}, "'metric' goes with a .csv file"),
        ({"tour": "a.tour", "optimum": 3}, "'tour' and 'optimum' are both given"),
        ({"n": LARGEST + 1}, "less than or equal to 10000"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        swarmkit.make_problem("tsp", **options)


def test_unfolding_drops_what_is_said_of_the_way_to_oneself():
    assert unfold("LOWER_DIAG_ROW", 2, np.array([9.0, 3, 9])).tolist() == [[0, 3], [3, 0]]
