import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import known_bound, make_problem, solve
from swarmkit.testing.families import FAMILIES, Shape, random_form, shapes
from swarmkit_exact.toulbar2 import as_costs


@settings(deadline=None)
@given(shapes(), st.integers(0, 2**32 - 1))
def test_costs_are_what_is_lost_against_the_best(shape, seed):
    form = random_form(shape)
    network = as_costs(form)
    x = np.random.default_rng(seed).integers(form.sizes)
    cost = 0
    for scope, costs in network.functions:
        cost += costs[x[scope[0]] if len(scope) == 1 else x[scope[0]] * form.sizes[scope[1]] + x[scope[1]]]
    assert network.score(cost) == pytest.approx(form.score(x[None])[0])
    assert min(min(costs) for _, costs in network.functions) >= 0


@pytest.mark.parametrize("values", ["floats", "ties", "signs", "zeros"])
def test_toulbar2_finds_and_proves_the_optimum(values):
    problem = FAMILIES[0].make(Shape(5, 4, 3, values, 7))
    result = solve(problem, "toulbar2")
    assert result.score == pytest.approx(solve(problem, "exhaustive").score)
    assert result.bound == result.score


def test_without_time_for_a_proof_there_is_a_bound():
    problem = make_problem("synthetic", n=60, window=30)
    result = solve(problem, "toulbar2", params={"seconds": 1})
    assert result.bound > result.score
    assert result.bound > solve(problem, "icm", looks=10**5).score


def test_a_process_that_hangs_is_ended(monkeypatch):
    from swarmkit_exact import process_prover

    monkeypatch.setattr(process_prover, "GRACE", -0.99)
    result = solve(make_problem("synthetic", n=50), "toulbar2", params={"seconds": 1})
    assert (result.solution, result.bound, result.stopped) == (None, None, "done")


def still_proving():
    found = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=True)
    return [
        line
        for line in found.stdout.splitlines()
        if line.split()[0] == str(os.getpid()) and "swarmkit_exact.process" in line
    ]


def test_the_process_ends_with_the_seconds_of_the_run():
    begun = time.perf_counter()
    result = solve(make_problem("synthetic", n=80, window=40), "toulbar2", seconds=0.5, params={"seconds": 100})
    assert result.stopped in ("seconds", "done")
    assert result.seconds < 1.0
    assert time.perf_counter() - begun < 5
    assert not still_proving()


def test_near_the_end_of_the_run_it_reports_what_it_has_proved():
    result = solve(make_problem("synthetic", n=60, window=30), "toulbar2", seconds=8.0, params={"seconds": 100})
    assert result.seconds < 8.5
    assert result.bound is None or result.bound > result.score  # None: a busy machine had not started it by then


def test_the_process_ends_with_ctrl_c():
    stopper = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    stopper.start()
    with pytest.raises(swarmkit.Interrupted) as caught:
        solve(make_problem("synthetic", n=80, window=40), "toulbar2", params={"seconds": 100})
    assert caught.value.result.seconds < 1.5
    assert not still_proving()


def test_the_process_does_not_outlive_the_one_that_started_it(start_process):
    run = "import swarmkit; swarmkit.solve(swarmkit.make_problem('synthetic', n=80, window=40), 'toulbar2')"
    parent = start_process([sys.executable, "-c", run])
    child = eventually(lambda: children(parent.pid))
    parent.kill()
    parent.wait()
    assert eventually(lambda: not alive(child[0]))


def children(pid):
    found = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)
    rows = [line.split() for line in found.stdout.splitlines()[1:]]
    return [int(child) for child, parent in rows if int(parent) == pid]


def alive(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state) and not state.startswith("Z")


def eventually(condition, seconds=30):
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return met


def test_a_resumed_run_starts_the_proof_again(tmp_path):
    problem, file = make_problem("synthetic", n=20, window=3), tmp_path / "run.ckpt"
    solve(problem, "toulbar2", seconds=0.01, checkpoint=file)
    again = swarmkit.resume(file, problem, limits=swarmkit.Budget(seconds=60))
    assert (again.stopped, again.bound) == ("done", again.score)
    assert not again.differences(solve(problem, "toulbar2"))


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch, cli):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if "toulbar" in name else find(name, *rest)
    )
    with pytest.raises(swarmkit.MissingError, match=r"toulbar2 is not installed\. Get it with: pip install"):
        solve("synthetic", "toulbar2")
    assert cli("solve", "-p", "synthetic", "-a", "toulbar2").code == 3
    said = known_bound(make_problem("synthetic", n=40, window=3))
    assert "not installed" in said.reasons["toulbar2"]


def test_the_gap_of_a_pairwise_problem_is_to_toulbar2s_optimum():
    problem = make_problem("synthetic", n=40, window=2)
    known = known_bound(problem)
    assert (known.by, known.optimum) == ("toulbar2", True)
    assert known.value >= solve(problem, "icm", looks=10**5).score
