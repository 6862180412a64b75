"""Results that were written: replayed, and found identical or not."""

import json

import pytest
from pydantic import ValidationError

from swarmkit import Result

SOLVE = ["solve", "-p", "synthetic", "-a", "icm", "--looks", "1e4"]


def test_a_result_is_written_replayed_and_found_identical(cli):
    assert cli(*SOLVE, "--out", "r.json").code == 0
    said = cli("replay", "r.json")
    assert said.code == 0
    assert "identical" in said.out
    assert json.loads(cli("replay", "r.json", "--json").out)["identical"] is True


def test_several_runs_are_replayed_too(cli):
    cli(*SOLVE, "--runs", "2", "--out", "r.json")
    assert cli("replay", "r.json").out.count("identical") == 2


def test_a_run_by_the_clock_is_replayed_step_by_step(cli):
    cli("solve", "-p", "synthetic", "-a", "random", "--seconds", "0.1", "--out", "r.json")
    assert "identical" in cli("replay", "r.json").out


def test_a_result_that_was_tampered_with_is_found_out(cli, tmp_path):
    cli(*SOLVE, "--out", "r.json")
    result = json.loads((tmp_path / "r.json").read_text())
    result["score"] += 1
    (tmp_path / "r.json").write_text(json.dumps(result))
    said = cli("replay", "r.json")
    assert said.code == 1
    assert "differs in score" in said.out


def test_a_result_of_another_problem_is_refused(cli, tmp_path):
    cli(*SOLVE, "--out", "r.json")
    result = json.loads((tmp_path / "r.json").read_text())
    result["fingerprint"] = "0" * 64
    (tmp_path / "r.json").write_text(json.dumps(result))
    assert "its content has changed" in cli("replay", "r.json").err


def test_a_result_of_version_0_1_is_read_but_not_replayed(cli, tmp_path):
    cli(*SOLVE, "--out", "r.json")
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["format"] == 2
    (tmp_path / "r.json").write_text(json.dumps(result | {"format": 1}))
    said = cli("replay", "r.json")
    assert said.code == 2
    assert "r.json: written by version 0.1" in said.err
    assert "cannot be replayed by this version: start a new run, or use version 0.1" in said.err
    assert Result.model_validate(result | {"format": 1}).score == result["score"]
    with pytest.raises(ValidationError):
        Result.model_validate(result | {"format": 3})
