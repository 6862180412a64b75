"""Tuning: ranges from Settings, settings that end early, studies that go on, and a check on unseen instances."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import Annotated, Literal

import optuna
import pytest
from pydantic import Field

import swarmkit
from swarmkit import Budget, Settings, UsageError
from swarmkit.tuning import Instance, Listeners, Outcome, Places, TuningInterrupted, TuningTask, search_space, tune
from swarmkit.tuning.outcome import gap, signed_rank
from swarmkit.tuning.task import TEST, run_once
from tests.conftest import TOO_LONG_ASIDE


class Params(Settings):
    population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
    rate: Annotated[float, Field(ge=0, le=1)] = 0.25
    strength: Annotated[float, Field(gt=0)] = 2.0
    mode: Literal["one", "two"] = "one"
    careful: bool = True
    limit: int | None = None
    name: str = "mine"


def test_ranges_come_from_the_settings_and_numbers_stay_near_their_defaults():
    space = {one.name: one for one in search_space(Params)}
    assert set(space) == {"population", "rate", "strength", "mode", "careful", "limit"}  # no range: name
    assert space["limit"].choices == (None, 1, 10, 100, 1000)
    assert (space["population"].low, space["population"].high, space["population"].log) == (10, 1000, True)
    assert (space["rate"].low, space["rate"].high, space["rate"].log) == (0, 1, False)
    assert (space["strength"].low, space["strength"].high) == (0.2, 20)
    assert space["mode"].choices == ("one", "two")
    assert space["careful"].choices == (False, True)


def test_numbers_without_default_are_tuned_and_rates_stay_near_theirs():
    space = {dimension.name: dimension for dimension in search_space(swarmkit.make_solver("sa").Params)}
    assert space["restarts"].choices == (None, 0, 1, 10, 100, 1000)
    assert space["proposals"].choices == (None, 1, 10, 100, 1000)
    assert space["temperature"].choices == (None, 0.01, 0.1, 1.0, 10.0, 100.0)
    assert 0.4 < space["cooling"].low < 0.9 < space["cooling"].high < 0.99
    limits = ("highs", "nodes"), ("cpsat", "conflicts"), ("toulbar2", "backtracks")
    for solver, limit in limits:  # what a proof may cost is no setting to be tuned
        with pytest.raises(UsageError, match=r"cannot be tuned|no parameter"):
            search_space(swarmkit.make_solver(solver).Params, only=[limit])


def test_every_bundled_solver_has_a_space_that_contains_its_defaults():
    tunable = 0
    for name, kind in swarmkit.registered("solver").items():
        try:
            space = search_space(kind.Params)
        except UsageError:
            continue
        tunable += 1
        assert all(one.contains(one.default) for one in space), name
    assert tunable >= 10


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"only": ["popluation"]}, "population"),
        ({"only": ["name"]}, "no range"),
        ({"only": ["rate"], "fixed": {"rate": 1}}, "fixed"),
    ],
)
def test_what_cannot_be_tuned_is_refused(given, said):
    with pytest.raises(UsageError, match=said):
        search_space(Params, **given)


def drawn(seed):
    return Instance("synthetic", {"n": 30, "seed": seed})


def make_task(**given):
    seeds = {"train": range(1, 7), "test": range(11, 17)}
    sets = {name: [drawn(seed) for seed in values] for name, values in seeds.items()}
    settings = {"solver": "ga", "budget": Budget(looks=6_000), **sets}
    return TuningTask(**{**settings, **given})


@pytest.fixture(scope="module")
def found():
    rows = []
    return tune(make_task(), 14, listeners=Listeners(rows.append)), rows


def test_the_first_setting_is_the_default_with_a_gap_of_zero(found):
    row = found[1][0]
    assert (row.gap, row.pruned) == (0.0, False)
    assert row.setting == make_task().default


def test_a_setting_is_no_worse_than_the_default_where_it_was_chosen(found):
    outcome, rows = found
    assert outcome.train_gap == min(row.gap for row in rows if not row.pruned) <= 0
    assert (outcome.trials, outcome.pruned) == (14, sum(row.pruned for row in rows))
    assert outcome.test_better + outcome.test_worse <= 6


def test_settings_that_are_behind_end_early(found):
    pruned = [row for row in found[1] if row.pruned]
    assert pruned
    assert all(4 <= row.instances < 6 for row in pruned)
    assert min(row.gap for row in pruned) > found[0].train_gap  # so that none can be taken for the best


def test_the_gap_on_test_instances_is_measured_again_with_their_own_seeds(found):
    outcome, task = found[0], make_task()

    def scores(setting):
        return [run_once(*call).score for at in range(6) for call in task.calls(setting, at, TEST)]

    both = zip(scores(task.default), scores({**task.default, **outcome.setting}), strict=True)
    gaps = [gap(*pair) for pair in both]
    assert outcome.test_gap == pytest.approx(sum(gaps) / 6)
    assert outcome.p_value == signed_rank(gaps)


def test_the_setting_is_shown_as_arguments_and_as_toml(found, cli):
    outcome = found[0]
    assert outcome.setting
    assert cli("solve", "-p", "synthetic", "-a", "ga", *outcome.arguments.split(), "--looks", "1000").code == 0
    assert outcome.toml.startswith('[[solvers]]\nname = "ga"')


def test_a_stopped_study_goes_on_as_if_it_had_not_been(tmp_path, found):
    places = Places(tmp_path / "study.db")
    tune(make_task(), 5, places=places)
    later = tune(make_task(), 14, places=places)
    assert later == found[0]
    [stored] = optuna.get_all_study_summaries(f"sqlite:///{places.study}")
    assert stored.n_trials == 14


@pytest.mark.parametrize("cut", [1, 8, 23])
def test_a_search_that_is_cut_off_between_two_runs_goes_on_as_the_same_search(tmp_path, found, monkeypatch, cut):
    places, runs = Places(tmp_path / "study.db"), iter(range(cut))

    def interrupted(*call):
        if next(runs, None) is None:
            raise KeyboardInterrupt
        return run_once(*call)

    monkeypatch.setattr("swarmkit.tuning.study.run_once", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tune(make_task(), 14, places=places)
    monkeypatch.undo()
    assert tune(make_task(), 14, places=places) == found[0]


def test_a_start_is_the_first_setting_and_the_default_is_not_enqueued():
    rows = []
    tune(make_task(), 2, start={"population": 20}, listeners=Listeners(rows.append))
    assert rows[0].setting == {**make_task().default, "population": 20}
    assert rows[1].setting != make_task().default


def test_a_study_of_another_task_is_refused_with_what_differs(tmp_path):
    places = Places(tmp_path / "study.db")
    tune(make_task(), 1, places=places)
    with pytest.raises(UsageError, match="other budget; name"):
        tune(make_task(budget=Budget(looks=5_000)), 2, places=places)
    with pytest.raises(UsageError, match="other runs, test instances; name"):
        tune(make_task(runs=2, test=[drawn(20)]), 2, places=places)


def test_what_is_no_study_is_refused_and_left_as_it_is(tmp_path):
    broken, store = tmp_path / "broken.db", tmp_path / "store.db"
    tune(make_task(), 1, places=Places(broken))
    broken.write_bytes(broken.read_bytes()[:20_000])
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("CREATE TABLE runs (key)")
    (tmp_path / "text.db").write_text("no study")
    for file, said in ((broken, "broken"), (store, "no study"), (tmp_path / "text.db", "no study")):
        before = file.read_bytes()
        with pytest.raises(UsageError, match=said):
            tune(make_task(), 2, places=Places(file))
        assert file.read_bytes() == before
    with pytest.raises(UsageError, match="no such folder"):
        tune(make_task(), 2, places=Places(tmp_path / "nowhere" / "study.db"))


def test_a_study_of_others_is_refused(tmp_path):
    theirs = optuna.create_study(storage=f"sqlite:///{tmp_path / 'study.db'}", study_name=make_task().name)
    theirs.add_trial(optuna.trial.create_trial(value=1.0))
    with pytest.raises(UsageError, match="not made by 'swarmkit tune'"):
        tune(make_task(), 2, places=Places(tmp_path / "study.db"))


FRAGILE = """
from typing import Annotated
import numpy as np
from pydantic import Field
import swarmkit

class Fragile(swarmkit.Solver[None]):
    class Params(swarmkit.Settings):
        pressure: Annotated[float, Field(ge=0, le=1)] = 0.0
    params: Params
    def start(self, problem, rng):
        return None
    def step(self, problem, state, rng):
        if self.params.pressure > 0.5:
            raise ZeroDivisionError("too much pressure")
        X = swarmkit.random_solutions(problem, 20, rng)
        scores = swarmkit.evaluate(problem, X)
        best = int(np.argmax(scores))
        return swarmkit.StepResult(X[best], float(scores[best]), X.size)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"fragile": Fragile}
"""


def test_a_setting_whose_run_fails_is_out_and_the_search_goes_on(cli, tmp_path):
    (tmp_path / "fragile.py").write_text(FRAGILE)
    words = "tune -a fragile -p synthetic --looks 3000 --trials 12 --train seed=1..4 --test seed=9,10 --json"
    said = cli("--plugin", "fragile.py", *words.split())
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert "too much pressure" in said.err
    assert document["trials"] == 12
    assert 1 <= document["failed"] < 12
    assert document["setting"].get("pressure", 0.0) <= 0.5


def test_a_default_whose_run_fails_ends_the_search_in_words(cli, tmp_path):
    (tmp_path / "brittle.py").write_text(FRAGILE.replace("= 0.0", "= 0.9").replace("fragile", "brittle"))
    words = "--plugin brittle.py tune -a brittle -p synthetic --looks 3000 --trials 2"
    said = cli(*words.split())
    assert said.code == 2
    assert "too much pressure" in said.err


def test_several_problems_are_tuned_together(cli):
    words = "tune -a ga -p synthetic,maxcut -P n=20 -P maxcut.density=0.3 --looks 2000 --trials 2"
    said = cli(*words.split(), "--train", "seed=1,2", "--test", "seed=9", "--json")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert document["test_better"] + document["test_worse"] <= 2  # an instance of each
    assert "ga on synthetic, maxcut" in said.err


def test_two_settings_at_a_time_find_a_setting_too():
    rows = []
    outcome = tune(make_task(), 6, places=Places(jobs=2), listeners=Listeners(rows.append))
    assert len(rows) == outcome.trials == 6
    assert len({str(row.setting) for row in rows}) == 6  # none is proposed twice


def test_a_cluster_makes_the_same_search_as_processes_here(cluster):
    here = tune(make_task(), 4, places=Places(jobs=2))
    assert tune(make_task(), 4, places=Places(jobs=2, backend="dask", scheduler=cluster[0])) == here


def test_a_start_outside_the_search_is_refused():
    with pytest.raises(UsageError, match="population=100000"):
        tune(make_task(), 2, start={"population": 100_000})


def test_instances_in_both_sets_are_refused():
    with pytest.raises(UsageError, match="both sets"):
        tune(make_task(test=[drawn(1)]), 2)


def test_the_command_prints_json_and_writes_toml(cli, tmp_path):
    words = "tune -a ga -p synthetic -P n=20 --looks 2000 --trials 3 --train seed=1..3 --test seed=9,10"
    said = cli(*words.split(), "--toml", "best.toml", "--json")
    assert said.code == 0, said.err
    document = json.loads(said.out)
    assert {"setting", "train_gap", "test_gap", "p_value", "words", "arguments", "toml"} <= set(document)
    assert (tmp_path / "best.toml").read_text() == document["toml"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-a ga -p synthetic --train seed", "KEY=VALUES"),
        ("-a ga -p synthetic --train seed=5..1", "empty"),
        ("-a ga -p synthetic --train seed=1..8x", "FIRST..LAST"),
        ("-a ga -p synthetic --train seed=1..20000", "more than 10,000"),
        (f"-a ga -p synthetic --train seed=1..{'9' * 5000}", "FIRST..LAST"),
        ("-a ga -p synthetic --train seed=3,3", "twice among the training instances"),
        ("-a ga -p ,", "names no problem"),
        (f"-a ga -p synthetic --study {'x' * 300}", "File name too long"),
        ("-a ga -p synthetic --study /dev/null", "device"),
        ("-a viterbi -p tsp", "parameter"),
        ("-a tour-ga -p qap", "symmetric tours"),
        ("-a nobody -p qap", "nobody"),
        ("-a ga -p synthetic --from mutation=x", "mutation"),
        ("-a ga -p synthetic --looks 0", "looks"),
        ("-a ga -p synthetic --minutes 0", "more time"),
        ("-a ga -p synthetic --only popluation", "population"),
        ("-a ga -p synthetic --test seed=8..9", "both sets"),
        ("-a ga -p synthetic --train seed=,", "no value"),
        ("-a ga -p synthetic,flowshop --train jobs=5..9", "no option 'jobs'"),
    ],
)
def test_bad_input_is_refused_in_words(cli, words, said):
    done = cli("tune", *words.split(), "--trials", "1")
    assert done.code == 2
    assert said in done.err


@pytest.mark.long
def test_a_killed_search_goes_on_as_the_same_search(start_process, tmp_path):
    words = "tune -a ga -p synthetic -P n=60 --looks 40000 --trials 8 --train seed=1..4 --test seed=9..12"
    program = [sys.executable, "-c", "from swarmkit.cli import main; main()"]
    command = [*program, *words.split(), "--json"]
    whole = subprocess.run([*command, "--study", "whole.db"], cwd=tmp_path, capture_output=True, text=True, check=True)
    command += ["--study", "study.db"]
    for seen in ("searching", "0 ", "3 ", "6 "):  # killed while these are being run, or the next
        process = start_process(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if line.strip().startswith(seen):
                break
        time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        process.stderr.close()
        process.wait()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads(whole.stdout)
    assert json.loads(done.stdout)["trials"] == 8


def test_a_study_is_worked_on_by_one_command_at_a_time(tmp_path, cli):
    study = tmp_path / "study.db"
    words = "tune -a ga -p synthetic -P n=20 --looks 1000 --trials 2 --train seed=1,2 --test seed=9 --study study.db"

    def again(_):
        with pytest.raises(UsageError, match="another 'swarmkit tune' works on it"):
            tune(make_task(), 1, places=Places(study))
        seen.append(cli(*words.split()))

    seen = []
    tune(make_task(), 1, places=Places(study), listeners=Listeners(again))
    assert seen[0].code == 2
    assert "another 'swarmkit tune' works on it" in seen[0].err
    tune(make_task(), 2, places=Places(study))  # the lock is gone with the search


def test_the_lock_of_a_killed_search_is_no_obstacle(command, tmp_path):
    words = "tune -a ga -p synthetic -P n=20 --looks 1000 --trials 1000 --train seed=1,2 --test seed=9 --study study.db"
    process = command(*words.split(), cwd=tmp_path)
    next(line for line in process.stderr if line.startswith("searching"))
    process.kill()
    process.communicate()
    assert (tmp_path / ".study.db.lock").exists()
    with pytest.raises(UsageError, match="with other budget"):
        tune(make_task(), 1, places=Places(tmp_path / "study.db"))


@pytest.mark.parametrize("name", ["what?.db", "100%20.db", "{curly}.db", "hash#é.db"])
def test_a_study_is_in_the_file_that_was_named(tmp_path, name):
    tune(make_task(budget=Budget(looks=500)), 1, places=Places(tmp_path / name))
    assert {path.name for path in tmp_path.iterdir()} == {name, f".{name}.lock"}


def test_a_study_whose_bytes_were_changed_is_refused(tmp_path):
    study = tmp_path / "study.db"
    tune(make_task(), 1, places=Places(study))
    with closing(sqlite3.connect(study)) as connection:
        connection.execute("UPDATE study_user_attributes SET value_json = '{'")
        connection.commit()
    with pytest.raises(UsageError, match="cannot be opened"):
        tune(make_task(), 2, places=Places(study))


def test_a_setting_that_was_enqueued_again_before_a_kill_is_not_enqueued_twice(tmp_path, found, monkeypatch):
    places = Places(tmp_path / "study.db")
    enqueue = optuna.Study.enqueue_trial

    def killed(study, setting):
        enqueue(study, setting)
        if study.get_trials(states=[optuna.trial.TrialState.RUNNING]):
            raise KeyboardInterrupt

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("swarmkit.tuning.study._search", lambda proposals, *_: proposals.ask() and interrupted())
    monkeypatch.setattr(optuna.Study, "enqueue_trial", killed)
    for _ in range(2):  # killed while the first setting is run, then while that is enqueued again
        with pytest.raises(KeyboardInterrupt):
            tune(make_task(), 14, places=places)
    monkeypatch.undo()
    assert tune(make_task(), 14, places=places) == found[0]


def test_ctrl_c_prints_the_best_so_far_and_how_to_go_on(command, tmp_path):
    words = "tune -a ga -p synthetic -P n=20 --looks 1000 --trials 1000 --train seed=1,2 --test seed=9 --json"
    process = command(*words.split(), "--study", "study.db", "--toml", "best.toml", cwd=tmp_path)
    next(line for line in process.stderr if line.strip().startswith("3 "))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    document = json.loads(out)
    assert document["trials"] >= 4
    assert document["test_gap"] is document["p_value"] is None
    assert "study.db; the same command goes on" in err
    assert not (tmp_path / "best.toml").exists()  # it would stand in the way of the same command


def test_ctrl_c_that_was_lost_while_an_object_was_freed_is_remembered(monkeypatch):
    class Freed:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)  # the exception ends here: Python only reports it

    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: lost.append(report.exc_type))
    with pytest.raises(TuningInterrupted) as interrupted:
        tune(make_task(), 3, listeners=Listeners(lambda _: Freed() and None))
    assert lost == [KeyboardInterrupt]
    assert interrupted.value.outcome.trials == 1
    assert interrupted.value.outcome.test_gap is None


def test_the_setting_is_shown_as_it_is_typed():
    values = {"tries": None, "params": {"a": 1}, "walk": "a b", "careful": True, "rate": 0.5}
    shown = Outcome("dbees", {}, values, 0.0, 0.0, 0, 0, 1.0, None, 1, 0, 0)
    assert shown.arguments == "-A tries=none -A 'params={\"a\": 1}' -A 'walk=a b' -A careful=true -A rate=0.5"
    assert 'tries = "none"' in shown.toml  # TOML has no null, and without a value it would be the default's


def test_a_file_that_cannot_be_written_does_not_lose_the_answer(cli):
    words = "tune -a ga -p synthetic -P n=20 --looks 1000 --trials 1 --train seed=1,2 --test seed=9 --json"
    said = cli(*words.split(), "--toml", TOO_LONG_ASIDE)
    assert said.code == 2
    assert json.loads(said.out)["trials"] == 1


def test_several_jobs_are_said_to_make_another_search(cli):
    words = "tune -a ga -p synthetic -P n=20 --looks 1000 --trials 2 --train seed=1,2 --test seed=9 --jobs 2"
    assert "another one than with --jobs 1" in cli(*words.split()).err
