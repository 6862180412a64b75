"""Tuning: ranges from Settings, settings that end early, studies that go on, and a check on unseen instances."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Annotated, Literal

import optuna
import pytest
from pydantic import Field

import swarmkit
from swarmkit import Budget, Settings, UsageError
from swarmkit.tuning import Places, TuningTask, search_space, tune
from swarmkit.tuning.outcome import gap, signed_rank


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
    assert set(space) == {"population", "rate", "strength", "mode", "careful"}  # no range: limit, name
    assert (space["population"].low, space["population"].high, space["population"].log) == (10, 1000, True)
    assert (space["rate"].low, space["rate"].high, space["rate"].log) == (0, 1, False)
    assert (space["strength"].low, space["strength"].high) == (0.2, 20)
    assert space["mode"].choices == ("one", "two")
    assert space["careful"].choices == (False, True)


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


def make_task(**given):
    seeds = {"train": range(1, 7), "test": range(11, 17)}
    sets = {name: [{"n": 30, "seed": seed} for seed in values] for name, values in seeds.items()}
    settings = {"solver": "ga", "problem": "synthetic", "budget": Budget(looks=6_000), **sets}
    return TuningTask(**{**settings, **given})


@pytest.fixture(scope="module")
def found():
    rows = []
    return tune(make_task(), 14, ready=rows.append), rows


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


def test_the_gap_on_test_instances_is_measured_again_with_their_own_seeds(found):
    outcome, task = found[0], make_task()
    from swarmkit.tuning.task import TEST, run_once

    def scores(setting):
        return [run_once(*call) for at in range(6) for call in task.calls(setting, at, TEST)]

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


def test_a_study_of_another_task_is_refused(tmp_path):
    places = Places(tmp_path / "study.db")
    tune(make_task(), 1, places=places)
    with pytest.raises(UsageError, match="other instances"):
        tune(make_task(budget=Budget(looks=5_000)), 2, places=places)


def test_two_settings_at_a_time_find_a_setting_too():
    rows = []
    outcome = tune(make_task(), 6, places=Places(jobs=2), ready=rows.append)
    assert len(rows) == outcome.trials == 6


def test_a_start_outside_the_search_is_refused():
    with pytest.raises(UsageError, match="population=100000"):
        tune(make_task(), 2, start={"population": 100_000})


def test_instances_in_both_sets_are_refused():
    with pytest.raises(UsageError, match="both sets"):
        tune(make_task(test=[{"n": 30, "seed": 1}]), 2)


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
        ("-a viterbi -p tsp", "parameter"),
        ("-a tour-ga -p qap", "symmetric tours"),
        ("-a nobody -p qap", "nobody"),
        ("-a ga -p synthetic --from mutation=x", "mutation"),
    ],
)
def test_bad_input_is_refused_in_words(cli, words, said):
    done = cli("tune", *words.split(), "--trials", "1")
    assert done.code == 2
    assert said in done.err


@pytest.mark.long
def test_a_killed_study_goes_on(tmp_path):
    words = "tune -a ga -p synthetic -P n=60 --looks 40000 --trials 8 --train seed=1..4 --test seed=9..12"
    program = [sys.executable, "-c", "from swarmkit.cli import main; main()"]
    command = [*program, *words.split(), "--study", "study.db", "--json"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.strip().startswith("2 "):
            break
    os.kill(process.pid, signal.SIGKILL)
    process.stderr.close()
    process.wait()
    time.sleep(0.1)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)  # nothing is left to do
    assert json.loads(done.stdout) == json.loads(again.stdout)
    assert json.loads(done.stdout)["trials"] == 8
