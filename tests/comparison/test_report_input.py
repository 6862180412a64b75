"""Results of other tools in the same report; wrong lines are refused with their number."""

import json

import pytest

from swarmkit import UsageError
from swarmkit.comparison.report_input import read_other_results

HEAD = "method,instance,seed,score,seconds\n"


def written(tmp_path, text):
    file = tmp_path / "results.csv"
    file.write_text(text)
    return file


def test_every_line_is_a_run(tmp_path):
    file = written(tmp_path, "Seed, method,instance,score,seconds,f1\n0,A,x,1.5,2,0.7\n1,A,x,,3,\n0,B,x,2,1,0.8\n")
    first, second, third = read_other_results(file)
    assert (first.method, first.instance, first.repetition, first.result.seed) == ("A", "x", 0, 0)
    assert (first.result.score, first.result.seconds, first.result.metrics) == (1.5, 2.0, {"f1": 0.7})
    assert (second.repetition, second.result.score, second.result.trace.score) == (1, None, [])
    assert third.result.solver == "B"


def test_costs_are_scores_with_a_minus(tmp_path):
    (record,) = read_other_results(written(tmp_path, "method,instance,seed,cost,seconds\nA,x,0,7,1\n"))
    assert (record.result.score, record.result.cost, record.result.objective) == (-7.0, 7.0, "cost")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: no column 'method'"),
        ("method,instance,seed,seconds\n", "line 1: no column 'score' or 'cost'"),
        ("method,instance,seed,score,cost,seconds\n", "line 1: both 'score' and 'cost'"),
        ("method,instance,seed,score,seconds,score\n", "line 1: two columns 'score'"),
        (HEAD, "no runs"),
        (HEAD + "A,x,0,1\n", "line 2: 4 columns; the first line has 5"),
        (HEAD + "A,x,0,1,1\n\nA,x,one,1,1\n", "line 4: seed 'one'; expected a whole number from 0"),
        (HEAD + "A,x,0,nan,1\n", "line 2: score 'nan'; expected a finite number"),
        (HEAD + "A,x,0,much,1\n", "line 2: score 'much'; expected a number"),
        (HEAD + "A,x,0,1,-1\n", "line 2: seconds '-1'; expected a finite number from 0"),
        (HEAD + ",x,0,1,1\n", "line 2: method ''; expected a name"),
        (HEAD + "A,x,0,1,1\nA,x,0,2,1\n", "line 3: seed 0 of A on x again; line 2 has it already"),
        (HEAD + 'A,"x,0,1,1\n', "line 2: not valid CSV"),
    ],
)
def test_wrong_lines_are_refused(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        read_other_results(written(tmp_path, text))


def test_the_report_is_made_of_them(cli, tmp_path):
    runs = [(method, instance, seed) for method in "AB<" for instance in range(7) for seed in range(3)]
    rows = [f"{m},{i},{s},{10 * i + s + 5 * (m == 'B')},{1 + s / 10}" for m, i, s in runs]
    file = written(tmp_path, HEAD + "\n".join(rows))
    said = cli("report", str(file))
    assert said.code == 0, said.err
    page = (tmp_path / "results.html").read_text()
    assert "63 runs of 3 methods on 7 instances" in page
    assert "&lt;" in page
    found = json.loads(cli("report", str(file), "--json", "--instance", "3").out)
    assert (found["unit"], found["instances"]) == ("seconds", ["3"])
    assert "no runs match" in cli("report", str(file), "--method", "C", "--json").err
