"""Job shops: files, drawn instances, answers, Gantt charts."""

import numpy as np
import pytest

import swarmkit
from swarmkit import UsageError
from swarmkit.testing import check_problem

FT06 = """# Fisher and Thompson 6x6
6 6
2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1
"""


def problem_of(tmp_path, text):
    path = tmp_path / "ft06"
    path.write_text(text)
    return swarmkit.make_problem("jobshop", file=str(path))


def test_ft06_is_solved_to_its_optimum(tmp_path):
    result = swarmkit.solve(problem_of(tmp_path, FT06), seed=1, looks=100_000)
    assert result.metrics == {"makespan": 55.0, "best known": 55.0, "gap": 0.0}
    first = result.answer[0]
    assert first["machine"] == "1"
    assert first["ends"] > first["begins"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6 6\n", "6 six\n", "line 2"),
        ("2 1 0 3", "9 1 0 3", "line 3.*pairs of a machine"),
        ("2 1 0 3", "2 -1 0 3", "line 3.*pairs of a machine"),
        ("1 3 3 3 5 9 0 10 4 4 2 1\n", "", "5 of 6 jobs"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path, old, new, message):
    with pytest.raises(UsageError, match=message):
        problem_of(tmp_path, FT06.replace(old, new, 1))


def test_the_problem_keeps_the_contract():
    check_problem(swarmkit.make_problem("jobshop", jobs=3, machines=2))


def test_schedules_are_drawn_and_filmed():
    pytest.importorskip("matplotlib")
    problem, recorder = swarmkit.make_problem("jobshop", jobs=4, machines=3), swarmkit.Recorder()
    result = swarmkit.solve(problem, "shop-tabu", seed=1, looks=5_000, observers=[recorder])
    assert recorder.recording.scene["kind"] == "schedule"
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    swarmkit.draw_solution(problem, np.array(result.solution), axes)
    assert len(axes.collections) == 3
