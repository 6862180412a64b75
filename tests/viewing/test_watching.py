"""Watched runs: anywidget's model without a browser; `test_jupyter.py` has one, and a real Jupyter server."""

import subprocess
import sys
import time

import pytest

import swarmkit
from swarmkit import Refusal, UsageError
from swarmkit.viewing import make_movie
from swarmkit.viewing.live import STOPPED


class Slow(swarmkit.Problem):
    """A black box that takes its time, or fails after some rows."""

    sizes = (3,) * 10

    def __init__(self, fails_after=None):
        self.scored, self.fails_after = 0, fails_after

    def score(self, X):
        self.scored += len(X)
        if self.fails_after is not None and self.scored > self.fails_after:
            raise ValueError("out of luck")
        time.sleep(0.002)
        return X.sum(axis=1)


@pytest.mark.parametrize(("problem", "solver"), [("synthetic", "dbees"), ("tsp", "auto"), ("flowshop", "ga")])
def test_a_watched_run_ends_as_solve_does(problem, solver):
    given = swarmkit.make_problem(problem)
    watched = swarmkit.watch(given, solver, seed=3, looks=20_000)
    result = watched.result
    assert result.differences(swarmkit.solve(given, solver, seed=3, looks=20_000)) == []
    assert not watched.running
    assert watched.trouble == ""
    assert watched.data["facts"]["stopped"] == result.stopped
    assert watched.data["frames"][-1]["score"] == pytest.approx(result.shown(result.score))
    assert "</html>" in make_movie(watched.recording)
    assert f"ended ({result.stopped})" in repr(watched)


def test_it_runs_in_the_background_until_it_is_stopped():
    watched = swarmkit.watch(Slow(), "random", seconds=60)
    assert watched.running
    assert "running" in repr(watched)
    watched.stop()
    assert watched.result.stopped == STOPPED


def test_views_stop_the_run_and_ask_for_what_they_have_missed():
    sent = []
    watched = swarmkit.watch(Slow(), "random", seconds=60)
    watched.send = sent.append
    while not any("more" in message for message in sent):
        time.sleep(0.01)
    watched._handle_custom_msg({"ask": "all"}, [])  # as ipywidgets passes on a message of the browser
    [answer] = [message["all"] for message in list(sent) if "all" in message]
    assert len(answer["frames"]) > 0
    watched._handle_custom_msg({"stop": True}, [])
    assert watched.result.stopped == STOPPED


def test_two_runs_of_one_problem_count_on_their_own():
    problem = Slow()
    first, second = (swarmkit.watch(problem, "random", seed=seed, evaluations=200) for seed in (1, 2))
    assert (first.result.evaluations, second.result.evaluations) == (200, 200)


def test_what_cannot_run_is_refused_at_once():
    with pytest.raises(Refusal, match="viterbi"):
        swarmkit.watch("tsp", "viterbi")
    with pytest.raises(UsageError, match="Did you mean 'dbees'"):
        swarmkit.watch("synthetic", "dbee")
    with pytest.raises(UsageError, match=r"arguments of solve.*'look'"):
        swarmkit.watch("synthetic", "dbees", look=5)


def test_a_run_that_fails_says_so_in_the_viewer_and_raises_when_it_is_asked():
    watched = swarmkit.watch(Slow(fails_after=50), "random", evaluations=1000)
    with pytest.raises(Exception, match="out of luck"):
        _ = watched.result
    assert "out of luck" in watched.trouble
    assert "failed" in repr(watched)
    assert not watched.running


def test_own_observers_are_called_too():
    seen = []

    class Counter:
        def swarmkit_finished(self, run, result):
            seen.append(result.score)

    watched = swarmkit.watch("synthetic", "icm", looks=2000, observers=[Counter()])
    score = watched.result.score
    assert seen == [score]


def test_the_module_for_the_browser_is_the_viewer_of_movies():
    watched = swarmkit.watch("synthetic", "icm", looks=500)
    script = watched.trait_values()["_esm"]
    assert 200 < watched.result.looks <= 500
    page = make_movie(watched.recording)
    assert "const Viewer = (place, data" in script
    assert script.split("const Viewer")[1][:5000] == page.split("const Viewer")[1][:5000]
    assert "export default" in script
    assert "export default" not in page


def test_nothing_of_it_is_loaded_before_it_is_used_and_its_absence_is_said_with_the_way_out():
    code = """
import sys, swarmkit
swarmkit.solve("synthetic", "icm", looks=500)
assert "anywidget" not in sys.modules and "IPython" not in sys.modules
sys.modules["anywidget"] = None
try:
    swarmkit.watch("synthetic", "icm")
except swarmkit.MissingError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install" in said
    assert "[notebook]" in said
