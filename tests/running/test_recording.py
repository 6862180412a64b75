"""Recordings: no effect on the run, reproducible, bounded, and safe to read."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import swarmkit
from swarmkit import Recorder, UsageError, read_recording, registered
from swarmkit.running import codec
from swarmkit.running.recording import FRAME_NUMBERS, IMPROVEMENTS, shown_of

RUNS = [
    ("synthetic", "dbees", {}),
    ("synthetic", "bco", {"looks": 5000}),
    ("tsp", "tsp-aco", {"looks": 20_000}),
    ("tsp", "annealing", {"looks": 20_000}),
    ("synthetic", "sa", {"looks": 20_000}),
    ("flowshop", "ga", {"looks": 10_000}),
    ("tsp", "tour-ga", {"looks": 20_000}),
    ("qap", "robust-tabu", {"looks": 20_000}),
    ("synthetic", "icm", {"looks": 20_000}),
    ("synthetic", "aca", {"looks": 20_000}),
    ("synthetic", "random", {"looks": 5000}),
    ("synthetic", "vote", {"looks": 20_000, "params": {"solver": "icm", "looks": 5000, "runs": 3}}),
    ("synthetic", "tabu", {"looks": 20_000}),
]
AT_ONCE = {"cpsat", "first", "greedy", "highs", "max-relatedness", "toulbar2", "viterbi"}
"""Solvers that answer in one step, or in a process outside: there is nothing to see on the way."""


class NoTables(swarmkit.PairwiseProblem):
    """A problem of tables with a restriction that restricts nothing: the bees make their passes in numpy."""

    def allowed(self, X, stage):
        return np.ones((len(X), self.sizes[stage]), bool)


def recorded(problem, solver, **given):
    """Return a recording and the result of its run."""
    recorder = Recorder()
    result = swarmkit.solve(problem, solver, observers=[recorder], **given)
    return recorder.recording, result


@pytest.mark.parametrize(("problem", "solver", "limits"), RUNS)
def test_a_recorded_run_is_the_same_run(problem, solver, limits):
    plain = swarmkit.solve(problem, solver, seed=3, **limits)
    made, result = recorded(problem, solver, seed=3, **limits)
    assert result.differences(plain) == []
    assert made.frames[-1].score == result.score
    assert made.improvements[-1].solution.tolist() == result.solution
    assert all(a.looks <= b.looks for a, b in pairwise(made.frames))


@pytest.mark.parametrize(("problem", "solver", "limits"), RUNS)
def test_solvers_show_their_states(problem, solver, limits):
    made, _ = recorded(problem, solver, **limits)
    n = len(made.sizes)
    shown = [frame.shown for frame in made.frames if frame.shown]
    assert len(shown) > len(made.frames) / 2
    for one in shown:
        assert "current" in one or "solutions" in one or "trail" in one
        for x in [*one.get("solutions", []), *([one["current"]] if "current" in one else [])]:
            assert len(x) == n
            assert (np.asarray(x) < made.sizes).all()
            assert (np.asarray(x) >= -1).all()


def test_every_bundled_solver_that_takes_steps_shows_its_state(own_host):
    silent = {name for name, solver in registered("solver").items() if solver.snapshot is swarmkit.Solver.snapshot}
    assert silent == AT_ONCE


@pytest.mark.parametrize(
    ("problem", "solver", "fixed"),
    [
        ("synthetic", "dbees", {2: 0, 8: 1}),
        ("synthetic", "aca", {0: 1}),
        ("synthetic", "ga", {5: 0}),
        ("qap", "robust-tabu", {1: 3, 4: 0}),
        ("flowshop", "ga", {0: 2}),
        ("tsp", "tsp-aco", {0: 5}),
    ],
)
def test_fixed_stages_are_shown_with_their_candidates(problem, solver, fixed):
    made, result = recorded(problem, solver, fixed=fixed, looks=20_000)
    n, seen = len(made.sizes), 0
    for frame in made.frames:
        rows = [*frame.shown.get("solutions", []), *([frame.shown["current"]] if "current" in frame.shown else [])]
        for x in rows:
            assert len(x) == n
            assert (np.asarray(x) < made.sizes).all()
            if problem != "tsp":  # tours are shown as they are before they begin with the fixed city
                assert {stage: int(x[stage]) for stage in fixed} == fixed
            seen += 1
        assert frame.shown.get("home", -1) not in fixed
        trail = frame.shown.get("trail")
        assert trail is None or "trail_from" in frame.shown or trail.shape == (made.sizes.sum(),)
    assert seen > len(made.frames) / 2
    assert {stage: result.solution[stage] for stage in fixed} == fixed


def test_fixed_stages_of_parts_are_shown_too():
    one, other = (swarmkit.make_problem("synthetic", n=6, seed=seed) for seed in (1, 2))

    class Two(swarmkit.Problem):
        sizes = np.concatenate([one.sizes, other.sizes])
        parts = (swarmkit.Part(np.arange(6), one), swarmkit.Part(np.arange(6, 12), other))

        def score(self, X):
            return one.score(X[:, :6]) + other.score(X[:, 6:])

    stage = int(np.argmax(other.sizes))
    made, _ = recorded(Two(), "dbees", fixed={6 + stage: 1})
    second = [frame.shown for frame in made.frames if frame.shown.get("part") == 1]
    assert second
    assert all((one["solutions"][:, stage] == 1).all() for one in second)


def test_bees_are_seen_after_every_pass():
    made, _ = recorded(swarmkit.make_problem("synthetic", n=9, window=1), "dbees", seed=1)
    first = [frame.shown for frame in made.frames if frame.iterations == 0]
    visited = [int((one["solutions"][0] >= 0).sum()) for one in first if "current" not in one]
    assert visited == [4, 7]  # the hive, and three moves in each forward pass; then the paths are complete, and climb
    assert (first[2]["solutions"] >= 0).all()
    assert len({frame.looks for frame in made.frames[:3]}) == 1  # a step made all passes
    for one in first:
        bees = len(one["solutions"])
        assert one["qualities"].shape == one["followed"].shape == (bees,)
        assert set(one["followed"].tolist()) <= set(range(bees))


@pytest.mark.parametrize("solver", ["dbees", "bco"])
@pytest.mark.parametrize("tables", [True, False])
def test_bees_walk_from_pass_to_pass_and_follow_each_other(solver, tables):
    form = swarmkit.make_problem("synthetic", n=20, window=2).structure.pairwise
    problem = swarmkit.PairwiseProblem(form) if tables else NoTables(form)
    params = {"preset": "paper"} if solver == "dbees" else {}
    made, _ = recorded(problem, solver, seed=4, iterations=30, params=params)
    walks = [[]]
    for shown in (frame.shown for frame in made.frames if frame.shown):
        if walks[-1] and (walks[-1][-1]["solutions"] >= 0).all():
            walks.append([])
        walks[-1].append(shown)
    passes = 7 if solver == "dbees" else 10
    whole = [walk for walk in walks if len(walk) == passes]
    assert len(whole) >= 5
    for walk in whole:
        for before, after in pairwise(walk):
            visited = (before["solutions"] >= 0).all(axis=0)
            assert 0 < (after["solutions"] >= 0).all(axis=0).sum() - visited.sum() <= 3
            rows = before["solutions"][:, visited]
            continued = after["solutions"][:, visited]
            if tables:  # each bee has the path of the bee that it followed
                assert (continued == rows[after["followed"]]).all()
            assert {tuple(x) for x in continued} <= {tuple(x) for x in rows}


def test_a_long_iteration_is_shown_in_few_moments():
    made, _ = recorded(
        swarmkit.make_problem("synthetic", n=2000, window=1), "dbees", params={"preset": "paper"}, iterations=2
    )
    visited = [int((frame.shown["solutions"] >= 0).all(axis=0).sum()) for frame in made.frames]
    bees = len(made.frames[0].shown["solutions"])
    assert 5 < visited.index(2000) + 1 <= 200_000 // (2000 * bees)
    assert visited[0] < 500


def test_only_the_last_moment_of_a_step_that_was_shown_is_shown_again():
    made, _ = recorded("synthetic", "dbees", params={"preset": "paper"}, iterations=1)
    shown = [(frame.shown["solutions"] >= 0).sum() for frame in made.frames]
    assert shown[-1] == shown[-2] > shown[-3]
    assert len(shown) == len(set(shown)) + 1


@pytest.mark.parametrize(
    ("problem", "solver", "params", "extra"),
    [
        ("synthetic", "vote", {"solver": "dbees", "runs": 2, "looks": 4000}, "runs"),
        ("wsd", "dbees", {}, "part"),
    ],
)
def test_solvers_that_run_others_pass_on_every_moment(problem, solver, params, extra):
    made, _ = recorded(problem, solver, params=params, iterations=2)
    partial = [frame.shown for frame in made.frames if (frame.shown.get("solutions", np.zeros((1, 1))) < 0).any()]
    assert len(partial) > 3
    assert all(extra in shown and "followed" in shown for shown in partial)


def test_the_path_of_each_bee_has_the_quality_that_is_shown():
    problem = swarmkit.make_problem("synthetic", n=12, window=3)
    made, _ = recorded(problem, "dbees", seed=2)
    first = [frame.shown for frame in made.frames if frame.iterations == 0]
    assert (first[0]["qualities"] < first[-1]["qualities"]).all()
    for x, quality in zip(first[-1]["solutions"], first[-1]["qualities"], strict=True):
        assert problem.score(x[None].astype(np.int64))[0] == pytest.approx(float(quality), rel=1e-6)


def test_pheromone_is_shown_on_pairs_of_cities():
    made, _ = recorded("tsp", "tsp-aco", looks=20_000)
    shown = made.frames[-1].shown
    assert shown["trail"].shape == shown["trail_from"].shape == shown["trail_to"].shape == (150,)
    assert (shown["trail_from"] != shown["trail_to"]).all()


def test_recordings_are_reproducible_to_the_byte(tmp_path):
    for name in ("a", "b"):
        swarmkit.solve("synthetic", "dbees", seed=5, observers=[Recorder(tmp_path / name)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_long_run_has_a_bounded_recording():
    recorder = Recorder(frames=50)
    swarmkit.solve("synthetic", "icm", looks=300_000, observers=[recorder])
    made = recorder.recording
    assert 20 <= len(made.frames) <= 50
    assert 299_000 < made.frames[-1].looks <= 300_000
    assert len(made.improvements) <= IMPROVEMENTS
    every = Recorder(every=1000)
    swarmkit.solve("synthetic", "icm", looks=50_000, observers=[every])
    assert 35 <= len(every.recording.frames) <= 52  # at the first mark from every thousandth look on
    large = shown_of(swarmkit.make_problem("synthetic"), {"solutions": np.zeros((5000, 30)), "other": np.zeros(99_999)})
    assert large["solutions"].size <= FRAME_NUMBERS
    assert "other" not in large


def test_what_was_written_is_read_again(tmp_path):
    path = tmp_path / "run.rec"
    recorder = Recorder(path)
    swarmkit.solve("tsp", "tsp-aco", looks=5000, observers=[recorder])
    again = read_recording(path)
    assert again.facts == recorder.recording.facts
    assert len(again.frames) == len(recorder.recording.frames)
    assert again.frames[-1].shown["trail"].tolist() == recorder.recording.frames[-1].shown["trail"].tolist()
    assert again.scene["points"].tolist() == recorder.recording.scene["points"].tolist()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"not a recording"),
        lambda path: path.write_bytes(path.read_bytes()[:-300]),
        lambda path: codec.write(path, {"swarmkit": "checkpoint"}, {}),
        lambda path: codec.write(path, {"swarmkit": "recording", "content": 7}, {}),
        lambda path: path.unlink(),
    ],
    ids=["text", "cut", "a checkpoint", "no content", "no file"],
)
def test_a_file_that_is_no_recording_is_refused_in_a_sentence(tmp_path, damage):
    path = tmp_path / "run.rec"
    swarmkit.solve("synthetic", "icm", looks=500, observers=[Recorder(path)])
    damage(path)
    with pytest.raises(UsageError, match=r"run\.rec"):
        read_recording(path)


@pytest.mark.parametrize("given", [{"every": 0}, {"frames": 1}, {"frames": 10**6}])
def test_a_recorder_says_what_it_takes(given):
    with pytest.raises(UsageError, match="frame"):
        Recorder(**given)


def test_the_commands_write_recordings_and_movies(cli, tmp_path):
    said = cli("solve", "-p", "synthetic", "-a", "icm", "--looks", "2000", "--record", "run.rec", "--movie", "a.html")
    assert said.code == 0, said.err
    assert cli("movie", "run.rec", "-o", "b.html").out.startswith("written: b.html")
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()
    assert (cli("movie", "run.rec", "-o", "b.html").code, cli("movie", "a.html").code) == (2, 2)
    assert "ends in .html" in cli("solve", "-p", "synthetic", "--movie", "a.mp4").err
    assert "single run" in cli("solve", "-p", "synthetic", "--runs", "2", "--record", "x.rec").err
    assert Path(tmp_path / "run.rec").stat().st_size < 1_000_000
