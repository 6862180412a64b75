"""Vehicle routing: files of VRPLIB, stops in CSV files, drawn instances, answers, pictures."""

import numpy as np
import pytest

import swarmkit
from swarmkit import UsageError
from swarmkit.testing import check_problem

VRP = """NAME : small
TYPE : CVRP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 5
NODE_COORD_SECTION
1 0 0
2 0 3
3 4 0
4 4 3
DEMAND_SECTION
1 0
2 2
3 3
4 4
DEPOT_SECTION
1
-1
EOF
"""

WINDOWS = """TIME_WINDOW_SECTION
1 0 100
2 0 10
3 20 30
4 0 50
SERVICE_TIME_SECTION
1 0
2 1
3 1
4 1
"""

STOPS = """name;lat;lon;demand;ready;due;service
depot;47,56;7,59;0;8:00;18:00;0
Bern;46,95;7,45;3;9:00;12:00;15
Basel;47,57;7,60;2;;;10
"""


def problem_of(tmp_path, text, name="small.vrp", **options):
    path = tmp_path / name
    path.write_text(text)
    return swarmkit.make_problem("cvrp", file=str(path), **options)


def test_a_file_of_vrplib_is_solved_to_its_optimum(tmp_path):
    problem = problem_of(tmp_path, VRP)
    result = swarmkit.solve(problem, seed=1, looks=2_000)
    assert result.cost == (3 + 5 + 4) + (5 + 5)  # the first two together, the third alone
    assert result.metrics["routes"] == 2.0


def test_distances_with_windows_are_exact(tmp_path):
    problem = problem_of(tmp_path, VRP.replace("DEPOT_SECTION", WINDOWS + "DEPOT_SECTION"))
    routes = problem.shape.routes
    assert routes.metric == "euclidean"
    assert routes.services.tolist() == [0, 1, 1, 1]
    assert routes.windows[2].tolist() == [20, 30]


def test_a_matrix_may_be_given_in_place_of_points(tmp_path):
    begin, _, rest = VRP.partition("NODE_COORD_SECTION")
    begin = begin.replace("EUC_2D", "EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_ROW")
    text = begin + "EDGE_WEIGHT_SECTION\n3\n4 5\n5 4 3\n" + rest[rest.index("DEMAND_SECTION") :]
    expected = problem_of(tmp_path, VRP).shape.routes.arcs(np.arange(4)[:, None], np.arange(4))
    assert np.array_equal(problem_of(tmp_path, text).shape.routes.matrix, expected)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("CAPACITY : 5", "CAPACITY : many", "line 5: CAPACITY 'many'"),
        ("4 4 3\n", "", "line 9: NODE_COORD_SECTION has 3 lines"),
        ("EUC_2D", "GEO", "line 4: EDGE_WEIGHT_TYPE 'GEO' is not supported"),
        ("3 3\n", "3 x\n", "line 14"),
        ("DIMENSION : 4\n", "", "without DIMENSION"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path, old, new, message):
    with pytest.raises(UsageError, match=message):
        problem_of(tmp_path, VRP.replace(old, new, 1))


def test_stops_of_a_csv_file_have_names_kilometres_and_minutes(tmp_path):
    problem = problem_of(tmp_path, STOPS.replace(",", "."), "stops.csv", capacity=10, speed=60)
    result = swarmkit.solve(problem, "lns", seed=1, looks=2_000)
    rows = {row["item"]: row for row in result.answer}
    assert rows["Basel"]["load"] in (2, 5)
    assert rows["Bern"]["time"] >= 540
    assert result.cost == pytest.approx(2 * 69, rel=0.05)


@pytest.mark.parametrize(("old", "new"), [("46.95", "north"), ("lat", "width"), ("9:00", "soon")])
def test_a_csv_file_that_cannot_be_read_is_refused(tmp_path, old, new):
    with pytest.raises(UsageError, match=r"stops\.csv"):
        problem_of(tmp_path, STOPS.replace(",", ".").replace(old, new), "stops.csv")


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("layout", ["uniform", "clustered"])
def test_drawn_stops_are_the_same_for_a_seed(windows, layout):
    problems = [swarmkit.make_problem("cvrp", n=30, layout=layout, windows=windows, seed=seed) for seed in (1, 1, 2)]
    prints = [problem.fingerprint for problem in problems]
    assert prints[0] == prints[1] != prints[2]
    assert problems[0].shape.routes.timed == windows


def test_the_problem_keeps_the_contract():
    check_problem(swarmkit.make_problem("cvrp", n=6, windows=True))


def test_routes_are_drawn_and_filmed():
    pytest.importorskip("matplotlib")
    problem, recorder = swarmkit.make_problem("cvrp", n=20), swarmkit.Recorder()
    result = swarmkit.solve(problem, "lns", seed=1, looks=50_000, observers=[recorder])
    scene = recorder.recording.scene
    assert scene["kind"] == "routes"
    assert len(scene["points"]) == 20 + 21
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    swarmkit.draw_solution(problem, np.array(result.solution), axes)
    assert len(axes.lines) >= result.metrics["routes"]
