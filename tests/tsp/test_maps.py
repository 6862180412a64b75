"""Maps and tables of distances as people have them, and open tours."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.testing import check_problem
from swarmkit_tsp.instance import Instance
from swarmkit_tsp.open_tours import Ends
from swarmkit_tsp.problem import TravellingSalesman


def read(tmp_path, text, **options):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    return swarmkit.make_problem("tsp", file=str(tmp_path / "a.csv"), **options)


CITIES = {"Paris": (48.8566, 2.3522), "London": (51.5074, -0.1278), "Köln": (50.9375, 6.9603), "Bern": (46.948, 7.4474)}
METRES = {("Paris", "London"): 343_557, ("Paris", "Köln"): 402_742, ("London", "Köln"): 497_572}
"""Great-circle distances on a sphere of 6,371,008.8 m, computed by the spherical law of cosines."""

WRITTEN = {
    "commas": "name,lat,lon\n{}",
    "other names and more columns": "id,Latitude (deg),Longitude,name,people\n{}",
    "semicolons": "name;lat;lon\n{}",
    "decimal commas": "name;lat;lon\n{}",
    "tabs": "city\tlat\tlng\n{}",
}


def lines(kind):
    for number, (name, (lat, lon)) in enumerate(CITIES.items()):
        if kind == "other names and more columns":
            yield f"{number},{lat},{lon},{name},{1000 * number}"
        elif kind == "decimal commas":
            yield f"{name};{lat};{lon}".replace(".", ",")
        else:
            yield {"commas": ",", "semicolons": ";", "tabs": "\t"}[kind].join([name, str(lat), str(lon)])


@pytest.mark.parametrize("kind", WRITTEN)
def test_columns_lat_and_lon_are_measured_on_the_sphere_in_metres(tmp_path, kind):
    problem = read(tmp_path, WRITTEN[kind].format("\n".join(lines(kind))))
    assert problem.labels == tuple(CITIES)
    for (a, b), metres in METRES.items():
        i, j = problem.labels.index(a), problem.labels.index(b)
        assert problem.table[i, j] == problem.table[j, i] == pytest.approx(metres, rel=1e-3)
    assert "metres on a sphere (haversine, the earth's mean radius of 6,371,008.8 m)" in problem.view().caption
    row = problem.describe(np.arange(4))[0]
    assert (row["city"], row["lat"], row["lon"]) == ("Paris", 48.8566, 2.3522)
    assert problem.structure.symmetric_tour() is not None


def test_the_sphere_agrees_with_the_law_of_cosines(tmp_path):
    rng = np.random.default_rng(1)
    degrees = np.column_stack([rng.uniform(-90, 90, 20), rng.uniform(-180, 180, 20)])
    table = read(tmp_path, "lat,lon\n" + "\n".join(f"{lat!r},{lon!r}" for lat, lon in degrees.tolist())).table
    lat, lon = np.radians(degrees).T
    cosine = np.sin(lat)[:, None] * np.sin(lat) + np.cos(lat)[:, None] * np.cos(lat) * np.cos(lon[:, None] - lon)
    expected = 6_371_008.8 * np.arccos(np.clip(cosine, -1, 1))
    np.testing.assert_allclose(table, expected, rtol=1e-9, atol=1.0)


def test_the_metric_may_be_chosen_and_a_plane_stays_a_plane(tmp_path):
    text = "lat,lon\n0,0\n0,3\n4,0\n"
    assert read(tmp_path, text, metric="exact").metrics(np.arange(3))["length"] == 12.0
    assert read(tmp_path, text.replace("lat,lon", "x,y")).metrics(np.arange(3))["length"] == 12.0
    assert read(tmp_path, text.replace("lat,lon\n", ""), metric="sphere").metrics(np.arange(3))["length"] > 1e6
    both = "x,y,lat,lon\n0,0,50,8\n3,4,51,9\n"
    assert read(tmp_path, both).kind == "sphere"
    assert read(tmp_path, both, metric="EUC_2D").metrics(np.arange(2))["length"] == 10.0


def test_decimal_degrees_are_refused_where_tsplibs_minutes_are_meant(tmp_path):
    with pytest.raises(swarmkit.UsageError, match=r"line 3: decimal degrees; .* or metric=sphere for decimal degrees"):
        read(tmp_path, "name,lat,lon\na,50.45,8.30\nb,50.9375,6.9603\n", metric="GEO")
    assert read(tmp_path, "38.24,20.42\n39.57,26.15\n", metric="GEO").metrics(np.arange(2))["length"] == 2 * 509


TABLES = {
    "bare": "0,1,2\n1,0,4\n2,4,0\n",
    "named": ",A,B,C\nA,0,1,2\nB,1,0,4\nC,2,4,0\n",
    "names above": "A,B,C\n0,1,2\n1,0,4\n2,4,0\n",
    "names in front": "A,0,1,2\nB,1,0,4\nC,2,4,0\n",
    "semicolons and decimal commas": ";A;B;C\nA;0;1,0;2\nB;1;-;4,0\nC;2;4;\n",
    "upper triangle": ",A,B,C\nA,,1,2\nB,,,4\nC,,,\n",
    "lower triangle": "from,A,B,C\nA,0\nB,1,0\nC,2,4,0\n",
    "numbers as names": ",1,2,3\n1,0,1,2\n2,1,0,4\n3,2,4,0\n",
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_of_distances_is_recognised(tmp_path, kind):
    problem = read(tmp_path, TABLES[kind])
    assert problem.table.tolist() == [[0, 1, 2], [1, 0, 4], [2, 4, 0]]
    names = {"bare": [1, 2, 3], "numbers as names": ["1", "2", "3"]}.get(kind, ["A", "B", "C"])
    assert [row["city"] for row in problem.describe(np.arange(3))] == names
    assert swarmkit.solve(problem, "exhaustive").metrics == {"length": 7.0}


def test_a_file_of_tabs_may_be_called_tsv(tmp_path):
    (tmp_path / "a.tsv").write_text("name\tx\ty\na\t0\t0\nb\t3\t4\n")
    assert swarmkit.make_problem("tsp", file=str(tmp_path / "a.tsv")).metrics(np.arange(2)) == {"length": 10.0}


def test_a_table_may_have_one_way_streets(tmp_path):
    problem = read(tmp_path, "0,1,9\n9,0,1\n1,9,0\n")
    assert swarmkit.solve(problem, "exhaustive").metrics == {"length": 3.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lat,name\n1,a\n", "line 1: the header has one of lat and lon"),
        ("lat,lon\n1,2\n95,3\n", "line 3: latitude 95 and longitude 3; expected degrees"),
        ("a,b,c,d,e\n1,2,3,4,5\n", "line 1: 5 columns, and no header that names lat and lon, or x and y"),
        ("name;x;y\na;1,5;2,x\n", "line 2: '2,x' is not a coordinate"),
        (",A,B,C\nA,0,1,\nB,1,0,2\nC,,2,0\n", "line 2: no distance from city 1 to city 3, nor back"),
        ("0,1,2\n1,0,x1\n2,4,0\n", "line 2: 'x1' is not a distance"),
        ("0,1,2\n1,0,-4\n2,4,0\n", "line 2: the distance -4; expected no negative number"),
        ("0,1,2\n1,0,inf\n2,4,0\n", "line 2: 'inf' is not a distance"),
    ],
)
def test_malformed_maps_are_refused_with_their_line(tmp_path, text, said):
    with pytest.raises(swarmkit.UsageError) as refused:
        read(tmp_path, text)
    assert f"a.csv, {said}" in str(refused.value)


def shortest_path(table, ends):
    """The length of the shortest open tour with some ends, by enumeration."""
    return min(
        sum(table[a, b] for a, b in itertools.pairwise(order))
        for order in itertools.permutations(range(len(table)))
        if ends.start in (None, order[0]) and ends.end in (None, order[-1])
    )


@st.composite
def journeys(draw):
    """Draw a table of distances, symmetric or not, and the ends of an open tour, given or not."""
    n, rng = draw(st.integers(1, 6)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = rng.integers(0, 20, (n, n)).astype(float)
    table = table + table.T if draw(st.booleans()) else table
    np.fill_diagonal(table, 0.0)
    start, end = (draw(st.none() | st.integers(0, n - 1)) for _ in range(2))
    return table, Ends(start, None if end == start else end)


@given(journeys())
def test_the_best_open_tour_is_the_shortest_with_the_ends_that_were_asked_for(journey):
    table, ends = journey
    problem = TravellingSalesman(Instance("drawn", "table", table), ends=ends)
    result = swarmkit.solve(problem, "exhaustive")
    best = shortest_path(table, ends)
    assert -result.score == result.metrics["length"] == best
    assert result.metrics.get("wrong ends", 0.0) == 0.0
    walk = [row["city"] - 1 for row in result.answer]
    assert sorted(walk) == list(range(len(table)))
    assert ends.start in (None, walk[0])
    assert ends.end in (None, walk[-1])
    assert sum(row["to the next"] for row in result.answer) == best
    if len(table) > 2 and np.array_equal(table, table.T):
        assert problem.structure.symmetric_tour() is not None


@pytest.mark.parametrize("ends", [Ends(), Ends(start=2), Ends(end=0), Ends(3, 5)], ids=str)
@pytest.mark.parametrize("solver", ["annealing", "ils", "tour-ga", "tsp-aco"])
def test_tour_solvers_find_open_tours(solver, ends):
    points = np.random.default_rng(3).random((8, 2))
    table = np.linalg.norm(points[:, None] - points[None], axis=-1)
    table = (table + table.T) / 2
    problem = TravellingSalesman(Instance("drawn", "table", table), ends=ends)
    result = swarmkit.solve(problem, solver, looks=200_000)
    assert result.metrics["length"] == pytest.approx(shortest_path(table, ends))
    assert -result.score == pytest.approx(result.metrics["length"])


@pytest.mark.parametrize("ends", [Ends(), Ends(start=1), Ends(0, 4)], ids=str)
@pytest.mark.parametrize("symmetric", [True, False])
def test_open_tours_keep_the_contract(ends, symmetric):
    table = np.random.default_rng(1).integers(1, 9, (5, 5)).astype(float)
    table = table + table.T if symmetric else table
    np.fill_diagonal(table, 0.0)
    check_problem(TravellingSalesman(Instance("drawn", "table", table), ends=ends), examples=3)


def test_ends_that_are_missed_are_counted():
    problem = swarmkit.make_problem("tsp", n=5, start="1", end="2")
    assert problem.metrics(np.array([0, 2, 3, 4, 1, 5]))["wrong ends"] == 0
    assert problem.metrics(np.array([5, 0, 1, 2, 3, 4]))["wrong ends"] == 1
    assert problem.metrics(np.array([0, 1, 2, 5, 3, 4]))["wrong ends"] == 2
    assert -problem.score(np.array([[0, 1, 2, 5, 3, 4]]))[0] > problem.metrics(np.array([0, 1, 2, 5, 3, 4]))["length"]


def test_open_tours_on_the_command_line_are_told_by_name(cli, tmp_path):
    text = "name,lat,lon\n" + "\n".join(f"{name},{lat},{lon}" for name, (lat, lon) in CITIES.items())
    (tmp_path / "towns.csv").write_text(text, encoding="utf-8")
    given_ends = ["-P", "start=Bern", "-P", "end=London"]
    answer = cli(
        "solve", "-p", "tsp", "-P", f"file={tmp_path / 'towns.csv'}", *given_ends, "-a", "exhaustive", "--json"
    )
    found = json.loads(answer.out)
    assert [row["city"] for row in found["answer"]] == ["Bern", "Köln", "Paris", "London"]
    assert "open tour from Bern to London" in found["caption"]


def test_a_closed_tour_may_begin_anywhere(tmp_path):
    problem = read(tmp_path, TABLES["named"], start="B")
    assert problem.describe(np.array([0, 1, 2]))[0]["city"] == "B"
    assert problem.ends is None
    assert read(tmp_path, TABLES["named"], start="B", end="B").ends is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"start": "Bn"}, "no city named 'Bn'"),
        ({"closed": True, "start": "A", "end": "B"}, "'end' goes with an open tour"),
        ({"closed": False, "start": "A", "end": "A"}, "an open tour cannot end where it starts"),
        ({"closed": False, "tour": "a.tour"}, "'tour' is a closed tour"),
    ],
)
def test_ends_that_make_no_sense_are_refused(tmp_path, options, said):
    with pytest.raises(swarmkit.UsageError, match=said):
        read(tmp_path, TABLES["named"], **options)


def test_a_name_that_several_cities_have_is_no_end(tmp_path):
    with pytest.raises(swarmkit.UsageError, match="2 cities are called 'A'"):
        read(tmp_path, "A,0,0\nA,1,1\nB,2,2\n", start="A", closed=False)


def test_pictures_of_open_tours_show_their_ends(tmp_path):
    from matplotlib.figure import Figure

    text = "name,lat,lon\n" + "\n".join(f"{name},{lat},{lon}" for name, (lat, lon) in CITIES.items())
    problem = read(tmp_path, text, start="Bern", closed=False)
    axes = Figure().add_subplot()
    problem.view().draw(np.array([3, 0, 1, 2, 4]), axes)
    line, start, end = axes.lines
    assert len(line.get_xdata()) == 4
    assert (start.get_label(), end.get_label()) == ("start: Bern", "end: Köln")
    assert " m" in axes.get_title()
    scene = problem.view().scene
    assert (len(scene["points"]), len(scene["candidates"]), scene["closed"]) == (4, 5, False)
