"""Tour lengths, makespans and costs are shown as such, everywhere; JSON and stores keep the score."""

import json
import re

import pytest

import swarmkit
from swarmkit.contract.result import shown
from swarmkit.report.figures import figure_data
from swarmkit.report.tables import summary_rows
from swarmkit.statistics.analysis import analyse

NEGATIVE = re.compile(r"(?<![\w.])-\d{3,}")
"""A negative number with three digits or more: a cost with the wrong sign."""


@pytest.fixture(scope="module")
def records():
    experiment = swarmkit.Experiment.model_validate(
        {
            "problems": [{"name": "tsp", "options": {"n": 12}}, {"name": "flowshop", "options": {"jobs": 8}}],
            "solvers": [{"name": "ga"}, {"name": "random"}],
            "runs": 5,
            "budget": {"looks": 2000},
            "gap": True,
        }
    )
    return swarmkit.compare(experiment)


@pytest.mark.parametrize(
    ("problem", "name"), [("tsp", "length"), ("flowshop", "makespan"), ("qap", "cost"), ("synthetic", "score")]
)
def test_results_have_costs_by_their_name(cli, problem, name):
    command = ("solve", "-p", problem, "-a", "ga", "--looks", "2000")
    result = json.loads(cli(*command, "--json").out)
    assert result["objective"] == name
    assert result["cost"] == (None if name == "score" else -result["score"])
    said = cli(*command).out
    assert f"{problem} by ga: {name} " in said
    assert not NEGATIVE.search(said)


def test_several_runs_are_shown_with_costs(cli):
    said = cli("solve", "-p", "tsp", "-P", "n=20", "-a", "ga", "--looks", "2000", "--runs", "3").out
    assert re.search(r"seed +length", said)
    assert not NEGATIVE.search(said)


def test_a_target_is_a_length_and_a_negative_one_still_a_score(cli):
    for target in ("6000000", "-6000000"):
        said = json.loads(cli("solve", "-p", "tsp", "-a", "ils", "--target", target, "--json").out)
        assert (said["stopped"], said["budget"]["target"]) == ("target", -6000000)


def test_the_tables_of_a_comparison_show_costs_and_metrics(cli, tmp_path):
    store = str(tmp_path / "s.db")
    command = ["compare", "-p", "tsp", "-P", "n=20", "-a", "ga", "-a", "random", "--runs", "2", "--looks", "2000"]
    said = cli(*command, "--store", store).out
    assert "best length" in said
    assert not NEGATIVE.search(said)
    listed = cli("runs", store).out
    assert "length" in listed
    assert not NEGATIVE.search(listed)
    exported = cli("runs", store, "--json").out
    assert all(run["result"]["cost"] == -run["result"]["score"] for run in json.loads(exported))


def test_a_report_has_no_cost_with_a_minus(records):
    from swarmkit.report.page import make_page

    page = make_page(records)
    assert "makespan" in page
    assert "length" in page
    assert "of costs (length, makespan)" not in page  # there is no score beside them
    assert "Lower is better (length, makespan)" in page
    data = figure_data(records, analyse(records))
    assert data["objectives"] == ["length", "makespan"]
    assert min(min(row) for instance in data["scores"] for row in instance) > 0
    assert all(known is None or known > 0 for known in data["known"])
    assert all(point > 0 for one in data["anytime"]["looks"] for curve in one for point in curve["median"])


def test_the_lowest_median_cost_is_the_best_one(records):
    rows = summary_rows(analyse(records))
    for instance in {row["instance"].text for row in rows}:
        here = [row for row in rows if row["instance"].text == instance]
        lowest = min(row["median"].value for row in here)
        assert all(row["median"].best == (row["median"].value == lowest) for row in here)
        assert all(row["best"].value <= row["worst"].value for row in here)


def test_metrics_that_tell_methods_apart_are_in_the_tables(records):
    rows = summary_rows(analyse(records))
    assert "gap" in rows[0] or "best known" not in rows[0]
    assert "length" not in rows[0]  # it is the objective


def test_a_result_says_its_cost_in_words():
    result = swarmkit.solve(swarmkit.make_problem("tsp", n=12), "ga", looks=1000)
    assert f"length {result.cost:.10g}" in str(result)
    assert shown("length", result.score) == result.cost
