"""The report: complete, safe for all names, and faithful to the runs."""

import base64
import gzip
import hashlib
import json
import re
import shlex
import shutil
import tomllib

import pytest

from swarmkit.comparison.record import Record
from swarmkit.contract.errors import MissingError
from swarmkit.contract.progress import Trace
from swarmkit.contract.result import Gap
from swarmkit.report import latex_table, make_page, markdown_table, reproduce
from swarmkit.report.rank_diagram import rank_diagram
from swarmkit.report.tables import MISSING, overview_rows, summary_rows
from swarmkit.statistics import analyse
from swarmkit.viewing.inline import digest
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
    packed = re.search(r'<script type="text/plain" id="data">(.*?)</script>', page, re.S).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_the_page_holds_every_section_and_asks_for_nothing(page):
    own = page.replace("http://www.w3.org/2000/svg", "")  # the name of SVG, which nobody asks a network for
    for section in ("summary", "anytime", "ecdf", "scores", "ranks", "gap", "tests", "methods", "reproduce"):
        assert f'<section id="{section}">' in own
        assert f'href="#{section}"' in own
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", own)
    assert "http:" not in own
    assert "https:" not in own
    assert len(page) < 150_000


def test_the_policy_names_the_script_and_the_style_by_their_hashes(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', page).group(1)
    script, style = (re.search(rf"<{tag}>(.*?)</{tag}>", page, re.S).group(1) for tag in ("script", "style"))
    assert f"script-src &#39;{digest(script)}&#39;" in policy
    assert f"style-src &#39;{digest(style)}&#39;" in policy
    assert "unsafe" not in policy
    assert "style=" not in page.replace(script, "")


@pytest.mark.parametrize("shape", [(10, 10, 10), (100, 5, 2), (200, 5, 1)])
def test_a_report_of_a_thousand_runs_is_a_page_of_a_megabyte_at_most(shape):
    instances, methods, repetitions = shape
    runs = compared(2, 3, ("icm", "random", "sa"))
    records = [
        Record(f"{i}/{m}/{k}", f"instance {i}", f"method {m}", k, runs[(7 * i + 5 * m + k) % len(runs)].result)
        for i in range(instances)
        for m in range(methods)
        for k in range(repetitions)
    ]
    assert len(records) == 1000
    assert len(make_page(records)) <= 1_000_000


def test_pairs_without_a_test_share_one_sentence_and_have_no_p_value(page):
    tests = page[page.index('<section id="tests">') : page.index('<section id="methods">')]
    assert tests.count("too few instances with a difference") == 1  # once for six pairs
    over = tests[: tests.index("On each instance")]
    assert "p after Holm" not in over
    assert "Nemenyi p" in over
    several = make_page(compared(9, 4, ("icm", "random", "sa", "greedy", "ils", "viterbi")))
    over = several[several.index("<h3>Over instances</h3>") : several.index("<h3>On each instance</h3>")]
    assert over.count("among 15 pairs, fewer than 10 instances cannot show a difference") == 1
    assert "p after Holm" not in over


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
        (lambda r: r[:1], "Only one method"),
        (lambda r: [x for x in r if x.instance == r[0].instance], "Kruskal-Wallis"),
        (lambda r: [x for x in r if x.method == "icm"], "Only one method"),
        (lambda r: [scored(x, None, trace=Trace(), bound=None) for x in r], "no difference to test"),
        (lambda r: r[:-7], "viterbi has no runs on synthetic n=23."),
    ],
    ids=["one run", "one instance", "one method", "infeasible", "missing runs"],
)
def test_poor_comparisons_make_a_page_with_words(cut, words):
    page = make_page(cut(list(compared())))
    assert words in page
    assert "nan" not in json.dumps(data_of(page)).lower()


def test_answers_that_say_right_or_wrong_are_shown():
    answers = {m: [{"right": m == "icm"}] * 9 for m in ("icm", "random")}
    records = [scored(r, r.result.score, answer=answers[r.method]) for r in compared(1, 2, ("icm", "random"))]
    assert "9 items right only by the first, 0 only by the second: a significant difference" in make_page(records)


def test_the_best_medians_are_bold_in_tables():
    found = analyse(compared())
    text = markdown_table(found)
    assert re.search(r"\| synthetic n=20 \| viterbi \| 6, all the same \| \*\*15\.\d+\*\* \|", text)
    assert latex_table(found).count(r"\textbf") == text.count("**") // 2
    assert r"\toprule" in latex_table(found)
    assert len({line.count(" & ") for line in latex_table(found).splitlines() if " & " in line}) == 1


def test_runs_without_a_solution_are_the_worst_in_bold_medians_too():
    best = {"icm": [9.0, None, None, None], "random": [5.0, 6.0, 7.0, None]}
    records = [
        scored(r, best[r.method][r.repetition], objective="cost", bound=None) for r in compared(1, 4, ("icm", "random"))
    ]
    rows = {row["method"].text: row for row in summary_rows(analyse(records))}
    assert (rows["icm"]["median"].text, rows["icm"]["median"].best) == (MISSING, False)
    assert (rows["random"]["median"].value, rows["random"]["median"].best) == (-5.5, True)
    assert rows["icm"]["infeasible"].text == "3"


def test_work_that_a_method_left_unused_is_said_beside_it():
    records = [
        scored(r, r.result.score, looks={"icm": 400, "random": 1_960}[r.method])
        for r in compared(1, 2, ("icm", "random"))
    ]
    rows = {row["method"].text: row for row in summary_rows(analyse(records))}
    assert rows["icm"]["looks"].text == "400 of 2,000"
    assert rows["random"]["looks"].text == "1,960"


def test_gaps_to_bounds_are_apart_from_gaps_to_optima():
    bound = Gap(bound=40.0, optimum=False, by="toulbar2", absolute=None, relative=None, words="")
    records = [
        scored(r, r.result.score, gap=bound, bound=None) if r.instance == "synthetic n=20" else r
        for r in compared(2, 2, ("icm", "viterbi"))
    ]
    rows = {(row["instance"].text, row["method"].text): row for row in summary_rows(analyse(records))}
    of_bound, of_optimum = rows["synthetic n=20", "icm"], rows["synthetic n=21", "icm"]
    assert (of_bound["optimum hit"].text, of_bound["gap to optimum"].text) == (MISSING, MISSING)
    assert (of_bound["gap to bound"].text[-1], of_optimum["gap to bound"].text) == ("%", MISSING)
    assert of_optimum["optimum hit"].text == "0/2"
    overview = {row["method"].text: row for row in overview_rows(analyse(records))}
    assert overview["viterbi"]["median gap to optima"].text == "0.000%"
    assert overview["viterbi"]["share of optimum"].text == "100.00%"
    assert overview["viterbi"]["median gap to bounds"].value > 0.5


def test_columns_that_say_nothing_are_left_out():
    found = analyse([r for r in compared() if r.instance == compared()[0].instance])
    assert not {"instance", "infeasible"} & set(summary_rows(found)[0])
    assert overview_rows(found) == []


def test_the_overview_has_the_best_rank_first():
    rows = overview_rows(analyse(compared()))
    assert rows[0]["method"].text == "viterbi"
    assert (rows[0]["best median"].text, rows[0]["targets reached"].text) == ("4/4", "100%")


def test_refusals_of_the_store_are_in_the_report(cli, tmp_path):
    arguments = [
        "-P",
        "n=40",
        "--algos",
        "exhaustive,icm,random",
        "--runs",
        "1",
        "--looks",
        "100",
        "--store",
        "runs.db",
    ]
    cli("compare", "-p", "synthetic", *arguments)
    assert cli("report", "runs.db", "-o", "all.html").code == 0
    assert "exhaustive has no runs on synthetic: it has" in (tmp_path / "all.html").read_text()
    cli("report", "runs.db", "-o", "icm.html", "--method", "icm")
    assert "exhaustive has no runs" not in (tmp_path / "icm.html").read_text()


def test_missing_runs_are_listed_by_method_and_reason():
    from swarmkit.comparison.record import RefusedPair
    from swarmkit.report.page import missing_runs

    records = [r for r in compared(3) if (r.instance, r.method) != ("synthetic n=21", "icm") and r.method != "viterbi"]
    refused = [
        RefusedPair(f"synthetic n={n}", "viterbi", reason, "synthetic", "viterbi", "{}", "{}")
        for n, reason in ((20, "too long"), (21, "too long"), (22, "too wide"))
    ]
    assert missing_runs(records, refused) == [
        "icm has no runs on synthetic n=21.",
        "viterbi has no runs on synthetic n=20 and synthetic n=21: too long.",
        "viterbi has no runs on synthetic n=22: too wide.",
    ]
    assert missing_runs(compared(3), []) == []


def test_the_diagram_puts_ranks_in_order_and_joins_groups():
    across = analyse(compared()).across
    made = rank_diagram(across)
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
    assert (said.code, "no runs match" in said.err) == (2, True)
    (tmp_path / "text.db").write_text("not a database, but long enough to be looked at" * 9)
    assert cli("report", "text.db").code == 2
    assert "Example: swarmkit report" in cli("report", "--help").out


def test_without_the_extra_it_is_named(cli, store, monkeypatch):
    monkeypatch.setattr("swarmkit.report.page.find_spec", lambda name: None if name == "jinja2" else True)
    said = cli("report", str(store))
    assert said.code == MissingError.exit_code
    assert "reports need jinja2" in said.err
    assert 'pip install -e ".[report]", in ' in said.err


def opened(path):
    """Return the records and the experiments of a store."""
    from swarmkit import Store

    with Store(path, create=False) as store:
        return store.records(), store.experiments()


def test_the_experiment_in_the_report_makes_the_same_runs(store):
    from swarmkit import Experiment, compare

    records, experiments = opened(store)
    found = reproduce(records, experiments)
    assert "One experiment made these runs." in found.words
    assert "bit for bit" in found.words
    [again] = found.experiments
    assert (again.direct, again.command) == ("", "swarmkit compare experiment.toml --store runs.db")
    experiment = Experiment.read(tomllib.loads(again.toml), "report")
    assert experiment == experiments[0].experiment
    assert (experiment.seed, experiment.runs, experiment.gap) == (3, 5, True)
    made = compare(experiment.model_copy(update={"gap": False}))
    assert {r.key: r.result.score for r in made} == {r.key: r.result.score for r in records}
    part = reproduce([r for r in records if r.instance == "synthetic n=12"], experiments)
    assert "and 30 runs that this report does not show" in part.words
    assert part.experiments == found.experiments


def test_an_experiment_with_any_seed_is_reported_with_the_command_that_repeats_it(cli, tmp_path):
    command = shlex.split(
        "swarmkit compare -p synthetic -P n=12 -P window=1 --algos icm,exhaustive -A exhaustive.limit=5 --runs 2 "
        "--looks 2000 --seed 2026 --polish icm --gap --store runs.db"
    )
    assert cli(*command[1:]).code == 0
    assert cli("report", "runs.db").code == 0
    page = (tmp_path / "runs.html").read_text()
    assert "do not stem from" not in page
    assert f"<code>{shlex.join(command)}</code>" in page
    [again] = reproduce(*opened(tmp_path / "runs.db")).experiments
    (tmp_path / "experiment.toml").write_text(again.toml)
    before = opened(tmp_path / "runs.db")[0]
    assert cli(*shlex.split(again.command)[1:-1], "again.db").code == 0
    after = opened(tmp_path / "again.db")[0]
    assert [(r.key, r.result.seed, r.result.solution) for r in after] == [
        (r.key, r.result.seed, r.result.solution) for r in before
    ]


def test_several_experiments_of_a_store_are_all_reported_and_continued_ones_once(cli, tmp_path):
    common = ["-p", "synthetic", "-P", "n=8", "--looks", "500", "--store", "runs.db"]
    for more in (["--runs", "1"], ["--runs", "2"], ["--runs", "2", "--seed", "7"]):
        cli("compare", *common, "--algos", "icm,random", *more)
    found = reproduce(*opened(tmp_path / "runs.db"))
    assert found.words.startswith("2 experiments made these runs.")
    assert [one.file for one in found.experiments] == ["experiment-1.toml", "experiment-2.toml"]
    assert [tomllib.loads(one.toml).get("seed", 0) for one in found.experiments] == [0, 7]
    assert {tomllib.loads(one.toml)["runs"] for one in found.experiments} == {2}


def test_a_store_of_an_earlier_version_is_reported_without_an_experiment(cli, store, tmp_path):
    from tests.comparison.test_store import earlier_version

    shutil.copy(store, tmp_path / "old.db")
    earlier_version(tmp_path / "old.db")
    assert cli("report", "old.db").code == 0
    page = (tmp_path / "old.html").read_text()
    assert "No experiment is stored for these runs" in page
    assert "<h3>Versions</h3>" in page


def test_runs_without_an_experiment_are_said_to_be_so(store):
    assert "No experiment is stored for these runs" in reproduce(compared()).words
    own = [scored(r, r.result.score, options=None) for r in compared()]
    assert "synthetic was made in Python" in reproduce(own).words
    records, experiments = opened(store)
    both = reproduce([*records, compared()[0]], experiments)
    assert "No experiment is stored for 1 of the 46 runs" in both.words
    assert len(both.experiments) == 1


def test_long_names_have_room_in_the_diagram():
    records = [scored(r, r.result.score, method=f"{r.method} with a name that goes on and on") for r in compared()]
    short, long = (rank_diagram(analyse(given).across) for given in (compared(), records))
    assert long.width > short.width
    assert long.right - long.left == short.right - short.left


ONES = """
import numpy as np
import swarmkit

class Ones(swarmkit.Solver):
    "Take candidate 1 where there is one."
    def start(self, problem, rng) -> dict:
        return {}
    def step(self, problem, state, rng):
        x = np.minimum(1, np.asarray(problem.sizes) - 1)
        return swarmkit.StepResult(x, float(problem.score(x[None])[0]), looks=len(x), done=True)

@swarmkit.hookimpl
def swarmkit_solvers():
    return {"ones": Ones}
"""


def test_a_report_names_the_plugin_files_that_its_runs_need(cli, own_host, tmp_path):
    file = tmp_path / "ones_of_a_report.py"
    file.write_text(ONES)
    digest = f"sha256:{hashlib.sha256(file.read_bytes()).hexdigest()[:16]}"
    made = ["compare", "-p", "synthetic", "--algos", "ones,icm", "--runs", "1", "--looks", "500", "--store", "runs.db"]
    assert cli("--plugin", file.name, *made).code == 0
    found = reproduce(*opened(tmp_path / "runs.db"))
    assert f"experiment.toml needs ones_of_a_report.py ({digest})." in found.words
    [again] = found.experiments
    assert again.direct == f"swarmkit --plugin ones_of_a_report.py {' '.join(made)}"
    assert again.command == "swarmkit --plugin ones_of_a_report.py compare experiment.toml --store runs.db"


def test_a_run_of_a_plugin_file_that_is_not_there_is_not_resumed_and_the_file_is_named(cli, command, tmp_path):
    (tmp_path / "ones_of_a_run.py").write_text(ONES)
    made = ["solve", "-p", "synthetic", "-a", "ones", "--out", "result.json"]
    process = command("--plugin", "ones_of_a_run.py", *made, cwd=tmp_path)
    assert process.wait(timeout=120) == 0, process.communicate()
    said = cli("replay", "result.json")
    assert (said.code, "Did you mean" in said.err) == (2, False)
    assert "its solver 'ones' is of a plugin that is not loaded: --plugin ones_of_a_run.py (sha256:" in said.err
