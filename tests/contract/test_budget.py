import math

import numpy as np
import pytest

import swarmkit
from swarmkit import Budget, UsageError
from swarmkit.contract.budget import bounded_budget, budget
from swarmkit.contract.progress import POINTS, Progress, Trace


@pytest.mark.parametrize("name", ["seconds", "cpu_seconds", "looks", "evaluations", "iterations", "patience"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_limits_must_be_positive_numbers(name, value):
    with pytest.raises(UsageError, match=f"budget: {name}"):
        budget(**{name: value})


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_target_must_be_a_number(value):
    with pytest.raises(UsageError, match="budget: target"):
        budget(target=value)


@pytest.mark.parametrize("limits", [{}, {"target": 5.0}])
def test_without_a_limit_ours_hold(limits):
    assert bounded_budget(budget(**limits), black_box=False) == budget(**limits, looks=2_000_000, seconds=60.0)
    assert bounded_budget(budget(**limits), black_box=True) == budget(**limits, seconds=10.0)


@pytest.mark.parametrize("name", ["seconds", "cpu_seconds", "looks", "evaluations", "iterations", "patience"])
def test_a_limit_of_the_users_is_the_only_one(name):
    given = budget(**{name: 1})
    assert bounded_budget(given, black_box=False) == bounded_budget(given, black_box=True) == given


@pytest.mark.parametrize(
    ("limits", "progress", "stopped"),
    [
        ({"looks": 10}, Progress(looks=9), None),
        ({"looks": 10}, Progress(looks=10), "looks"),
        ({"iterations": 3}, Progress(iterations=4), "iterations"),
        ({"seconds": 1.5}, Progress(seconds=1.5), "seconds"),
        ({"cpu_seconds": 1.5}, Progress(seconds=2.0, cpu_seconds=1.4), None),
        ({"cpu_seconds": 1.5}, Progress(seconds=0.1, cpu_seconds=1.5), "cpu_seconds"),
        ({"target": 7.0}, Progress(), None),
        ({"target": 7.0, "looks": 5}, Progress(score=7.0, looks=5), "target"),
        ({"seconds": 1.0, "iterations": 5, "patience": 2}, Progress(seconds=1.0, iterations=5), "iterations"),
        ({"seconds": 1.0, "patience": 2}, Progress(seconds=1.0, iterations=5), "seconds"),
        ({"evaluations": 3}, Progress(evaluations=2, looks=99), None),
        ({"evaluations": 3}, Progress(evaluations=3), "evaluations"),
        ({"target": 7.0}, Progress(score=6.9), None),
        ({"target": 7.0}, Progress(score=7.0), "target"),
        ({"patience": 5}, Progress(iterations=9, improved_at=4), "patience"),
        ({"patience": 5}, Progress(iterations=8, improved_at=4), None),
        ({"looks": 5, "seconds": 9.0}, Progress(looks=5, seconds=1.0), "looks"),
    ],
)
def test_the_first_limit_reached_ends_the_run(limits, progress, stopped):
    assert Budget(**limits).spent(progress) == stopped


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [
        ({"looks": 100_000}, "looks"),
        ({"evaluations": 500}, "evaluations"),
        ({"iterations": 50}, "iterations"),
        ({"seconds": 0.05}, "seconds"),
        ({"target": 60.0}, "target"),
        ({"patience": 1_000}, "patience"),
        ({"looks": 10**9, "target": 60.0}, "target"),
    ],
)
def test_real_runs_end_by_each_limit(limits, stopped):
    result = swarmkit.solve("synthetic", "random", seed=1, **limits)
    assert result.stopped == stopped
    if stopped == "target":
        assert result.score >= 60.0


def test_a_budget_is_the_same_text_as_in_version_0_2():
    text = '{"seconds":null,"looks":5,"evaluations":null,"iterations":null,"target":-2.5,"patience":null}'
    assert Budget(looks=5, target=-2.5).model_dump_json() == text
    assert Budget.model_validate_json(text) == Budget(looks=5, target=-2.5)
    assert Budget(cpu_seconds=2).model_dump_json().endswith('"patience":null,"cpu_seconds":2.0}')


def test_a_copy_with_other_limits_has_the_criteria_of_these():
    limits = Budget(looks=5)
    assert limits.spent(Progress(looks=5)) == "looks"
    assert limits.model_copy(update={"looks": None, "iterations": 3}).spent(Progress(looks=5)) is None


def test_a_trace_stays_thin_and_keeps_first_and_last():
    trace = Trace()
    for i in range(10 * POINTS):
        trace.add(Progress(looks=i, iterations=i, evaluations=i, seconds=float(i)), float(i))
    assert len(trace.score) <= POINTS
    assert trace.score[0] == 0.0
    assert trace.score[-1] == 10 * POINTS - 1
    assert (np.diff(trace.score) > 0).all()
    assert trace.looks == trace.iterations == trace.evaluations == [int(s) for s in trace.seconds]
