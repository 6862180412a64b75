"""Results, problems and comparisons in notebooks and as data frames; answers as CSV."""

import csv
import sys

import pytest

import swarmkit
from swarmkit.testing.families import BlackBox, Shape, random_form


@pytest.fixture(scope="module")
def runs():
    return swarmkit.solve_many(swarmkit.make_problem("tsp", n=25), "ga", 3, limits=swarmkit.Budget(looks=2000))


@pytest.fixture(scope="module")
def compared():
    entries = {"problems": [{"name": "tsp", "options": {"n": 8}}], "solvers": [{"name": "ga"}, {"name": "random"}]}
    return swarmkit.compare(swarmkit.Experiment.model_validate({**entries, "runs": 2, "budget": {"looks": 500}}))


def test_a_run_is_a_row_of_a_data_frame(runs):
    pandas = pytest.importorskip("pandas")
    one = runs.best.to_pandas()
    assert isinstance(one, pandas.DataFrame)
    assert one.loc[0, "cost"] == -one.loc[0, "score"] == runs.best.cost
    assert one.loc[0, "metrics.length"] == runs.best.cost
    several = runs.to_pandas()
    assert several["seed"].tolist() == [0, 1, 2]
    assert several["score"].tolist() == [run.score for run in runs.runs]


def test_answer_and_trace_are_data_frames_too(runs):
    pytest.importorskip("pandas")
    assert len(runs.best.to_pandas("answer")) == 25
    assert runs.best.to_pandas("trace")["score"].tolist() == runs.best.trace.score
    with pytest.raises(swarmkit.UsageError, match="expected run, answer or trace"):
        runs.best.to_pandas("all")


def test_a_comparison_is_a_list_and_a_data_frame(compared):
    pytest.importorskip("pandas")
    assert isinstance(compared, list)
    assert compared.to_pandas().groupby("method")["score"].size().to_dict() == {"ga": 2, "random": 2}


def test_without_pandas_the_extra_is_named(monkeypatch, runs):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(swarmkit.MissingError, match="extra 'pandas'"):
        runs.to_pandas()


def test_results_have_html_with_everything_escaped(runs):
    html = runs.best._repr_html_()
    assert f"length {runs.best.cost:.10g}" in html
    assert "… and 5 more" in html
    assert runs._repr_html_().startswith("<p><b>3 runs</b></p><table>")
    hostile = runs.best.model_copy(update={"problem": "<script>", "answer": [{"<b>": "<img>"}], "caption": "<i>"})
    assert not any(tag in hostile._repr_html_() for tag in ("<script>", "<img>", "<i>", "<th><b>"))


def test_problems_have_html_with_their_structure():
    html = swarmkit.make_problem("tsp", n=50)._repr_html_()
    assert all(text in html for text in ("tour", "length, minimised", "5,790,651"))
    assert "-5,790,651" not in html
    assert "black box" in BlackBox(random_form(Shape(3, 3, 1, "floats", 1)))._repr_html_()


def test_comparisons_have_a_table(compared):
    html = compared._repr_html_()
    assert html.count("<tr>") == 3
    assert "<td>length</td>" in html


def test_an_answer_is_written_as_csv_with_names(cli, tmp_path):
    file = tmp_path / "tour.csv"
    points = tmp_path / "cities.csv"
    points.write_text("name,x,y\nBonn,0,0\nUlm,3,4\nJena,0,8\nKiel,5,5\n")
    said = cli("solve", "-p", "tsp", "-P", f"file={points}", "-a", "ga", "--looks", "500", "--out", str(file))
    assert said.code == 0, said.err
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert sorted(row["city"] for row in rows) == ["Bonn", "Jena", "Kiel", "Ulm"]


def test_an_answer_written_as_csv_is_a_start(cli, tmp_path):
    file = str(tmp_path / "a.csv")
    command = ("solve", "-p", "synthetic", "-P", "n=12", "-a", "icm", "--looks", "2000")
    first = cli(*command, "--out", file)
    assert first.code == 0, first.err
    assert cli(*command, "--start", file).code == 0
