"""The report: whole, harmless whatever things are called, and true to the runs."""

import json
import re
import shlex
import tomllib

import pytest

from swarmkit.contract.errors import MissingError
from swarmkit.contract.progress import Trace
from swarmkit.report import latex_table, make_page, markdown_table, reproduce
from swarmkit.report.ranks import diagram
from swarmkit.report.tables import overview_rows, summary_rows
from swarmkit.statistics import analyse
from tests.comparing import compared, scored

EVIL = '<script>alert("x")</script>&|_$%'
EXPERIMENT = """
runs = 5
seed = 3
gap = true
budget = { looks = 2000 }
problems = [{ name = "synthetic", options = { window = 1 }, sweep = { n = [10, 12, 14] } }]
solvers = ["icm", "random", "viterbi"]
"""


def renamed(records):
    return [scored(r, r.result.score, instance=f"{EVIL} {r.instance}", method=f"{EVIL} {r.method}") for r in records]


@pytest.fixture(scope="module")
def page():
    return make_page(compared())


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


def test_the_page_holds_every_section_and_asks_for_nothing(page):
    own = page.replace(page[page.index("<script>/**") : page.rindex("<script>")], "")  # without plotly itself
    for section in ("summary", "anytime", "ecdf", "scores", "ranks", "gap", "tests", "methods", "again"):
        assert f'<section id="{section}">' in own
        assert f'href="#{section}"' in own
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", own)
    assert "http:" not in own
    assert "https:" not in own
    assert page.count("plotly.js v") == 1
    assert len(page) < 7_000_000


def test_what_is_drawn_is_what_was_run(page):
    data, records = data_of(page), compared()
    assert data["methods"] == list(dict.fromkeys(r.method for r in records))
    for i, instance in enumerate(data["instances"]):
        for m, method in enumerate(data["methods"]):
            own = sorted(r.result.score for r in records if (r.instance, r.method) == (instance, method))
            assert data["scores"][i][m] == pytest.approx(own, rel=1e-6)
            curve = next(c for c in data["anytime"]["looks"][i] if c["method"] == m)
            assert curve["median"][-1] == pytest.approx((own[2] + own[3]) / 2, rel=1e-6)
            assert len(curve["when"]) == len(curve["low"]) == len(curve["high"]) <= 61


def test_names_that_are_code_stay_names():
    page = make_page(renamed(compared()), title=EVIL)
    assert "<script>alert" not in page
    assert data_of(page)["methods"][0].startswith(EVIL)
    found = analyse(renamed(compared()))
    assert "<script>" not in markdown_table(found)
    assert r"\textless{}script\textgreater{}" in latex_table(found)


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (lambda r: r[:1], "One method only"),
        (lambda r: [x for x in r if x.instance == r[0].instance], "Kruskal-Wallis"),
        (lambda r: [x for x in r if x.method == "icm"], "One method only"),
        (lambda r: [scored(x, None, trace=Trace(), bound=None) for x in r], "no difference to test"),
        (lambda r: r[:-7], "viterbi has no runs on synthetic n=23."),
    ],
    ids=["one run", "one instance", "one method", "infeasible", "holes"],
)
def test_poor_comparisons_make_a_page_with_words(cut, words):
    page = make_page(cut(list(compared())))
    assert words in page
    assert "nan" not in json.dumps(data_of(page)).lower()


def test_answers_that_say_right_or_wrong_are_shown():
    answers = {m: [{"right": m == "icm"}] * 9 for m in ("icm", "random")}
    records = [scored(r, r.result.score, answer=answers[r.method]) for r in compared(1, 2, ("icm", "random"))]
    assert "9 items right only by the first, 0 only by the second: a difference" in make_page(records)


def test_the_best_medians_are_bold_in_tables():
    found = analyse(compared())
    text = markdown_table(found)
    assert re.search(r"\| synthetic n=20 \| viterbi \| 6 \| \*\*15\.\d+\*\* \|", text)
    assert latex_table(found).count(r"\textbf") == text.count("**") // 2
    assert r"\toprule" in latex_table(found)
    assert len({line.count(" & ") for line in latex_table(found).splitlines() if " & " in line}) == 1


def test_columns_that_say_nothing_are_left_out():
    found = analyse([r for r in compared() if r.instance == compared()[0].instance])
    assert not {"instance", "infeasible"} & set(summary_rows(found)[0])
    assert overview_rows(found) == []


def test_the_overview_has_the_best_rank_first():
    rows = overview_rows(analyse(compared()))
    assert rows[0]["method"].text == "viterbi"
    assert (rows[0]["best median"].text, rows[0]["targets reached"].text) == ("4/4", "100%")


def test_a_solver_without_runs_is_asked_why():
    from swarmkit import Experiment, compare
    from swarmkit.report.holes import holes

    problems = [{"name": "synthetic", "options": {"n": 8}, "sweep": {"window": [1, 3]}}]
    records = compare(Experiment(problems=problems, solvers=["viterbi", "icm"], runs=1, budget={"looks": 100}))
    [sentence] = holes(records)
    assert sentence.startswith("viterbi has no runs on synthetic window=3: it is not a chain")
    assert holes([r for r in records if r.method == "icm"]) == []


def test_the_diagram_puts_ranks_in_order_and_joins_groups():
    across = analyse(compared()).across
    made = diagram(across)
    xs = [label.x for label in made.labels]
    assert xs == sorted(xs)
    assert made.left <= min(xs) <= max(xs) <= made.right
    assert len(made.bars) == len([group for group in across.groups if len(group) > 1])
    assert all(0 < label.y <= made.height for label in made.labels)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Make a store by a real comparison."""
    from swarmkit import compare
    from swarmkit.comparison.experiment import Experiment

    path = tmp_path_factory.mktemp("store") / "runs.db"
    compare(Experiment.read(tomllib.loads(EXPERIMENT), "test"), store=path)
    return path


def test_the_command_writes_page_and_tables(cli, store, tmp_path):
    said = cli("report", str(store), "-o", "report.html", "--markdown", "t.md", "--latex", "t.tex")
    assert said.code == 0, said.err
    assert said.out.startswith("45 runs of 3 methods on 3 instances.")
    assert "written: report.html" in said.out
    assert "synthetic n=12" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "t.md").read_text().startswith("| instance | method |")
    assert r"\bottomrule" in (tmp_path / "t.tex").read_text()
    again = cli("report", str(store), "-o", "report.html")
    assert (again.code, "--force" in again.err) == (2, True)
    chosen = cli("report", str(store), "--json", "--method", "icm")
    assert json.loads(chosen.out)["methods"] == ["icm"]


def test_the_command_is_kind(cli, store, tmp_path):
    assert "no such file" in cli("report", "nothing.db").err
    said = cli("report", str(store), "-a", "sa", "--json")
    assert (said.code, "no runs that fit" in said.err) == (2, True)
    (tmp_path / "text.db").write_text("not a database, but long enough to be looked at" * 9)
    assert cli("report", "text.db").code == 2
    assert "Example: swarmkit report" in cli("report", "--help").out


def test_without_the_extra_it_is_named(cli, store, monkeypatch):
    monkeypatch.setattr("swarmkit.report.page.find_spec", lambda name: None if name == "plotly" else True)
    said = cli("report", str(store))
    assert said.code == MissingError.exit_code
    assert "reports need plotly" in said.err
    assert "pip install 'pyswarmkit[report]'" in said.err


def test_the_experiment_in_the_report_makes_the_same_runs(store):
    from swarmkit import compare
    from swarmkit.comparison.experiment import Experiment
    from swarmkit.comparison.store import Store

    with Store(store) as opened:
        records = opened.records()
    found = reproduce(records)
    assert "bit for bit" in found.words
    experiment = Experiment.read(tomllib.loads(found.toml), "report")
    assert (experiment.seed, experiment.runs, experiment.gap) == (3, 5, True)
    again = compare(experiment.model_copy(update={"gap": False}))
    assert {r.key: r.result.score for r in again} == {r.key: r.result.score for r in records}
    assert found.direct == ""
    one = reproduce([r for r in records if r.instance == "synthetic n=12"])
    words = shlex.split(one.direct)
    assert words[:8] == ["swarmkit", "compare", "-p", "synthetic", "-P", "n=12", "-P", "window=1"]
    assert words[8:] == shlex.split("--algos icm,random,viterbi --runs 5 --looks 2000 --seed 3 --gap --store runs.db")


def test_runs_of_no_experiment_are_said_to_be_so():
    assert "do not stem from one experiment" in reproduce(compared()).words
    own = [scored(r, r.result.score, options=None) for r in compared()]
    assert "was made in Python" in reproduce(own).words


def test_long_names_have_room_in_the_diagram():
    records = [scored(r, r.result.score, method=f"{r.method} with a name that goes on and on") for r in compared()]
    short, long = (diagram(analyse(given).across) for given in (compared(), records))
    assert long.width > short.width
    assert long.right - long.left == short.right - short.left
