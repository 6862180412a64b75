"""The paper's experiment, on a corpus of a few words; on the real one where that is at hand."""

import json
import signal
import time
from statistics import fmean
from types import SimpleNamespace

import numpy as np
import pytest

import swarmkit
from swarmkit.statistics import a12
from swarmkit_dbees2014 import rows as declared_rows
from swarmkit_dbees2014.experiment import file_name, run_experiment
from swarmkit_dbees2014.published import ARTICLES, TABLE_3, whole_words
from swarmkit_dbees2014.rows import CLUSTERS, CORPUS, KEY, Row, blocks, choose, declaration
from swarmkit_dbees2014.significance import COMPETITORS, pairs_to_test
from swarmkit_dbees2014.word_senses import Task
from tests.conftest import ROOT
from tests.pages import script
from tests.wsd.at_hand import OUR_COARSE, SEMEVAL

pytestmark = pytest.mark.usefixtures("source")

TEXTS = {
    "d001": [["bank", "stream", "water"], ["star", "night", "sun", "light"]],
    "d002": [["mouse", "computer", "keyboard"], ["plant", "worker", "machine", "line"]],
}
DECLARED = [Row(name, item.method) for name, block in blocks().items() for item in block.rows]
SHORT = ["random", "first", "chain/dbees", "viterbi", "chain/tsp-aco", "chain/sa"]


@pytest.fixture(scope="session")
def data(tmp_path_factory, lexicon):
    """A folder like that of SemEval-2007 task 7, whose right answers are second senses."""
    folder, lines, key = tmp_path_factory.mktemp("coarse"), ['<?xml version="1.0"?><corpus>'], []
    for text, sentences in TEXTS.items():
        lines.append(f'<text id="{text}">')
        for s, sentence in enumerate(sentences):
            lines.append(f'<sentence id="{text}.s{s:03}">')
            for t, lemma in enumerate(sentence):
                name = f"{text}.s{s:03}.t{t:03}"
                lines.append(f'the <instance id="{name}" lemma="{lemma}" pos="n">{lemma}</instance>')
                key.append(f"{text} {name} {lexicon.key(int(lexicon.senses(lemma, 'n')[1]))} !! lemma={lemma}#n")
            lines.append("</sentence>")
        lines.append("</text>")
    (folder / CORPUS).write_text("\n".join([*lines, "</corpus>"]))
    (folder / KEY).write_text("\n".join(key) + "\n")
    (folder / CLUSTERS).write_text("bank%1:14:00:: bank%1:17:01::\nbank%1:21:00::\nstar%1:17:00::\n")
    return folder


@pytest.fixture(scope="session")
def chosen(request):
    """All rows; without --long, none of Cowie's schedule, which takes longer than the rest: see test_redundancy.py."""
    return DECLARED if request.config.getoption("--long") else choose([], all_blocks=True)


@pytest.fixture(scope="session")
def outcome(data, chosen, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    files = {"store": folder / "runs.db", "answers": folder / "answers"}
    return folder, run_experiment(data, methods=[str(row) for row in chosen], seeds=2, **files)


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name != "seconds"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def official(gold, answers):
    """Score a key file by the rule of the task, apart from all of ours: right if the key is listed, cases folded.

    Returns attempted, precision, recall and F1 of all words, and the F1 of each text.
    """
    listed = {}
    for line in gold.read_text().splitlines():
        text, name, *keys = line.split("!!")[0].split()
        listed[text, name] = {key.casefold() for key in keys}
    lines = (line.split()[:3] for line in answers.read_text().splitlines())
    given = {(text, name): key for text, name, key in lines}

    def rates(names):
        right = sum(given[name].casefold() in listed[name] for name in names if name in given)
        answered = sum(name in given for name in names)
        precision, recall = right / answered if answered else 0.0, right / len(names)
        return answered / len(names), precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0

    return rates(list(listed)), {text: rates([n for n in listed if n[0] == text])[3] for text in {t for t, _ in listed}}


def test_declared_rows_are_runs_that_no_clock_ends(data):
    for experiment in declared_rows.experiments(DECLARED, data, ["d001"], None):
        budgets = [experiment.budget, *(solver.budget for solver in experiment.solvers if solver.budget)]
        assert all(budget.seconds is None and budget.bounded for budget in budgets)
        for solver in experiment.solvers:
            swarmkit.make_solver(solver.name, **solver.params)  # which checks names and parameters


def test_d_bees_has_the_values_of_its_paper_in_every_row():
    for row in DECLARED:
        given = declaration(row)
        if "dbees" in row.method:
            params = given.params if given.solver is None else given.params["params"]
            assert params["preset"] == "paper"
            assert blocks()[row.block].options["preset"] == "paper"


def test_rows_that_use_sense_order_are_labelled():
    for row in DECLARED:
        options, params = blocks()[row.block].options, declaration(row).params
        order = options.get("ties") == "first" or params.get("ties") == "first" or row.method == "first"
        order |= params.get("draw") == "order" or params.get("below_theta") == "first"
        order |= row.method.startswith("sa") and params.get("initial") != "random"
        assert bool(declaration(row).uses) == (order or "prior" in options), row


def test_every_published_system_has_a_row_of_ours():
    assert {system.row for system in TABLE_3} <= set(choose([], all_blocks=False))


def test_names_of_rows_can_be_typed_in_a_list():
    assert not any("," in str(row) for row in DECLARED)


def test_competitors_are_the_four_that_the_paper_compares_d_bees_with():
    names = ["chain/tsp-aco", "global/aca", "global/sa", "global/ga"]
    assert [str(row) for row in COMPETITORS] == names
    points = {name: n for n, name in enumerate(names)} | {"chain/dbees": 0, "chain/first": 9, "chain/viterbi": 9}
    rows = {Row(*name.split("/")): SimpleNamespace(points=n, uses="") for name, n in points.items()}
    assert [(str(a), str(b)) for a, b in pairs_to_test(rows)] == [
        ("chain/dbees", second) for second in ("chain/first", "global/ga", "chain/tsp-aco", "chain/viterbi")
    ]
    rows[Row("text", "dbees draw=order")] = SimpleNamespace(points=3, uses="order")
    rows[Row("order", "dbees")] = SimpleNamespace(points=2, uses="order")
    assert pairs_to_test(rows)[-1] == (Row("text", "dbees draw=order"), Row("chain", "first"))


def test_rows_are_compared_over_the_words_and_over_the_runs(outcome):
    tests = {(test.first, test.second): test for test in outcome[1].comparisons}
    exact, first = tests["chain/dbees", "chain/viterbi"], tests["chain/dbees", "chain/first"]
    assert (exact.runs.test, exact.runs.n) == ("Mann-Whitney", (2, 2))
    runs = [[run.micro.f1 for run in outcome[1].rows[Row("chain", name)].runs] for name in ("dbees", "viterbi")]
    assert exact.runs.effect == a12(*runs)
    assert (first.runs.n, first.runs.effect) == ((2, 1), 1.0)  # first senses are all wrong here
    assert first.runs.p is None or first.runs.test == "sign test"


def test_rows_are_chosen_by_method_block_or_both():
    assert choose(["sa"], all_blocks=False) == [Row("chain", "sa"), Row("global", "sa")]
    assert Row("extended-chain", "sa") in choose(["sa"], all_blocks=True)
    assert {row.block for row in DECLARED} - {row.block for row in choose([], all_blocks=True)} == {"cowie"}
    assert {row.block for row in choose(["readings"], all_blocks=False)} == {"readings"}
    assert choose(["cowie/sa"], all_blocks=False) == [Row("cowie", "sa")]


def test_every_row_has_all_its_runs_and_the_means_of_them(chosen, outcome):
    rows = outcome[1].rows
    assert list(rows) == chosen
    assert outcome[1].left_out == []
    first, exact = rows[Row("chain", "first")], rows[Row("chain", "viterbi")]
    assert first.f1.value == 0  # right are the second senses
    assert first.differing == 0
    assert (round(exact.share, 9), exact.share_of) == (1.0, "optimum")
    for row, measured in rows.items():
        assert len(measured.runs) == (1 if (declaration(row).runs or blocks()[row.block].runs) == 1 else 2)
        assert measured.f1.value == pytest.approx(fmean(run.micro.f1 for run in measured.runs))
        assert measured.texts["d002"].value == pytest.approx(fmean(run.by_text["d002"].f1 for run in measured.runs))
        assert measured.share is None or measured.share <= 1 + 1e-9


def test_readings_are_measured_against_the_optimum_of_the_chain(outcome):
    assert {outcome[1].rows[row].share_of for row in choose(["readings"], all_blocks=False)} == {"optimum"}


def test_repetitions_draw_other_numbers_and_other_orders_of_equal_senses(data, outcome):
    runs = outcome[1].rows[Row("chain", "dbees")].runs
    assert len({seed for run in runs for seed in run.seeds.values()}) == 4
    records = outcome[1].runs.records[Row("chain", "viterbi")]
    assert sorted(record.result.options["ties_seed"] for record in records) == [0, 0, 1, 1]


@pytest.mark.long
def test_two_processes_give_the_numbers_of_one(data, outcome):
    twice = run_experiment(data, methods=SHORT, seeds=2, jobs=2)
    there = without_times([measured.model_dump() for measured in twice.rows.values()])
    of_one = [outcome[1].rows[row].model_dump() for row in twice.rows]
    for one in (*there, *of_one):
        one.pop("share"), one.pop("share_of")  # the best known score may come from a row that is not here
    assert there == without_times(of_one)


def test_what_is_in_the_store_is_not_run_again(data, outcome):
    folder, before = outcome
    after = run_experiment(data, methods=SHORT, seeds=2, store=folder / "runs.db")
    assert {row: m.seconds for row, m in after.rows.items()} == {row: before.rows[row].seconds for row in after.rows}


def test_an_independent_scorer_scores_the_answers_of_every_row_the_same(data, outcome):
    folder, made = outcome
    written = {path.name for path in (folder / "answers").iterdir()}
    assert len(written) == sum(len(measured.runs) for measured in made.rows.values())
    for row, measured in made.rows.items():
        for number, run in enumerate(measured.runs):
            whole, by_text = official(data / KEY, folder / "answers" / file_name(row, number))
            ours = run.micro
            assert whole == pytest.approx((ours.attempted, ours.precision, ours.recall, ours.f1))
            assert by_text == pytest.approx({text: part.f1 for text, part in run.by_text.items()})


def test_the_official_scorer_of_the_tests_knows_the_organisers_baseline():
    if not SEMEVAL.xml.is_file():
        pytest.skip("needs the corpus of SemEval-2007 task 7")
    whole, _ = official(SEMEVAL.gold, SEMEVAL.first)
    assert whole == pytest.approx((1.0, 1790 / 2269, 1790 / 2269, 1790 / 2269))


def test_wsd_score_reads_the_answers(cli, data, outcome):
    folder, made = outcome
    file = folder / "answers" / "chain-dbees-2.key"
    said = json.loads(cli("wsd", "score", str(data / KEY), str(file), "--json").out)
    assert said["micro"] == made.rows[Row("chain", "dbees")].runs[1].micro.model_dump()


def test_a_problem_of_another_score_reads_a_run_as_its_own_problem_does(data):
    options = {"corpus": str(data / CORPUS), "key": str(data / KEY), "text_id": "d002", "preset": "paper"}
    task = Task(data, None)
    for more in ({}, {"unit": "document"}, {"unit": "document", "order": "text", "shape": "pairwise"}):
        problem = swarmkit.make_problem("wsd", **options, **more)
        result = swarmkit.solve(problem, "random", seed=3)
        assert task.answers(result).lines == problem.answer_lines(np.array(result.solution))


def test_random_answers_are_computed_and_not_drawn(data):
    task = Task(data, None)
    problem = swarmkit.make_problem("wsd", preset="paper", corpus=str(data / CORPUS), key=str(data / KEY))
    draws = np.random.default_rng(0).integers(problem.sizes, size=(300, len(problem.sizes)))
    assert task.random_fine() == pytest.approx(fmean(problem.metrics(x)["recall"] for x in draws), abs=0.03)
    assert task.random_clusters() == pytest.approx((1 / 2 + 13) / 14)  # only 'bank' has two clusters in the file


def test_table_2_has_whole_words_for_the_first_text_only():
    assert {text: whole_words(article) for text, article in ARTICLES.items()} == {
        "d001": (368, 307), "d002": None, "d003": None, "d004": None, "d005": None
    }  # fmt: skip


def test_the_command_prints_the_tables(cli, data, outcome):
    said = cli(
        "experiment", "dbees-2014", "--data", str(data), "--methods", "chain/dbees,first", "--seeds", "2",
        "--store", str(outcome[0] / "runs.db"),
    )  # fmt: skip
    assert said.code == 0, said.err
    for part in ("Table 1", "307 of 368", "Table 2", "Table 3", "80.44", "(80.19)", "What is maximised", "Gelbukh"):
        assert part in said.out
    assert "Rows of D-Bees: 1;" in said.out
    assert "of 6 runs done" in said.err


def test_json_is_one_document_with_everything(cli, data, outcome):
    said = cli(
        "experiment", "dbees-2014", "--data", str(data), "--methods", "chain/dbees", "--texts", "d002", "--seeds", "2",
        "--store", str(outcome[0] / "runs.db"), "--json",
    )  # fmt: skip
    document = json.loads(said.out)
    assert document["texts"] == ["d002"]
    assert [row["method"] for row in document["rows"]] == ["dbees"]
    assert document["published"]["table 3"][0]["f1"] == 80.44


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["dbees-2015"], 2, "No such command 'dbees-2015'. Did you mean 'dbees-2014'?"),
        (["dbees-2014", "--methods", "dbee"], 2, "Did you mean 'dbees'"),
        (["dbees-2014", "--texts", "d003"], 2, "no text named 'd003'"),
        (["dbees-2014", "--seeds", "0"], 2, "seeds"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(cli, data, arguments, code, sentence):
    said = cli("experiment", *arguments, "--data", str(data))
    assert said.code == code
    assert sentence in said.err


@pytest.mark.parametrize("name", [CORPUS, KEY])
def test_a_missing_file_is_named(cli, data, tmp_path, name):
    for file in data.iterdir():
        if file.name != name:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    said = cli("experiment", "dbees-2014", "--data", str(tmp_path))
    assert said.code == 3
    assert f"{tmp_path / name} is not there" in said.err


def test_ctrl_c_prints_the_rows_that_are_whole_and_the_same_command_goes_on(command, data, tmp_path):
    given = ["experiment", "dbees-2014", "--data", str(data), "--methods", "first,aca", "--store", "runs.db"]
    process = command(*given, "--seeds", "400", "--json", cwd=tmp_path)
    waited = time.monotonic() + 120
    while not (tmp_path / "runs.db-wal").exists() and time.monotonic() < waited:
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "the same command continues" in err
    assert any("interrupted" in reason for reason in json.loads(out)["left out"])


FIGURE = ROOT / "docs/dbees_figure.py"


def test_the_figure_of_the_page_is_drawn_from_a_real_pass():
    figure = script(FIGURE)
    assert figure.FILE.read_text() == figure.draw(figure.make_pass()), "run: python docs/dbees_figure.py"


def test_labels_of_the_figure_stand_where_lines_end():
    figure = script(FIGURE)
    made = figure.make_pass()
    said = "".join(figure.labels(made))
    for b, path in enumerate(made.paths):
        x, y = figure.place(made, figure.MOVES, path[-1])
        label = next(part for part in said.split("<text ") if f">{b + 1}</tspan>" in part and 'anchor="start"' in part)
        assert f'x="{x + figure.RADIUS + 6:.1f}" y="{y + 4:.1f}"' in label


REAL = [(SEMEVAL, 79.46, 60.42, 52.43)] if SEMEVAL.xml.is_file() else []


@pytest.mark.parametrize(("corpus", "first_f1", "fine", "clusters"), [(OUR_COARSE, 51.33, None, None), *REAL])
def test_whole_corpora_give_the_known_numbers(tmp_path, corpus, first_f1, fine, clusters):
    for path, name in ((corpus.xml, CORPUS), (corpus.gold, KEY), (corpus.gold.parent / CLUSTERS, CLUSTERS)):
        if path.is_file():
            (tmp_path / name).write_bytes(path.read_bytes())
    made = run_experiment(tmp_path, methods=["first"], seeds=1)
    first = made.rows[Row("chain", "first")]
    assert round(first.points, 2) == first_f1
    assert first.runs[0].micro.instances == corpus.targets
    if fine is not None:
        assert round(100 * made.task.random_fine(), 2) == fine
        assert round(100 * made.task.random_clusters(), 2) == clusters


@pytest.fixture(scope="module")
def stored():
    return json.loads((ROOT / "docs/dbees-2014.json").read_text(encoding="utf-8"))


needs_corpus = pytest.mark.skipif(not SEMEVAL.xml.is_file(), reason="needs the corpus of SemEval-2007 task 7")


def test_the_page_is_its_template_with_the_figures_of_the_command(stored):
    page, template = ((ROOT / "docs" / f"dbees-2014.{ending}").read_text("utf-8") for ending in ("md", "template"))
    assert script(ROOT / "docs/dbees_page.py").filled(template, stored) == page, "run: python docs/dbees_page.py"
    assert list(stored["runs"]) == [str(row) for row in choose([], all_blocks=True)]


@needs_corpus
def test_the_command_measures_what_the_page_says_of_d_bees_the_optimum_and_first_senses(stored):
    rows = ["chain/first", "chain/dbees", "chain/viterbi", "readings/dbees one iteration"]
    measured = script(ROOT / "docs/dbees_page.py").shown(run_experiment(SEMEVAL.xml.parent, methods=rows).document())
    assert measured["runs"] == {row: stored["runs"][row] for row in measured["runs"]}
    assert len(measured["runs"]) == len(rows)


@pytest.mark.long
@needs_corpus
def test_the_command_prints_every_figure_of_the_page(stored):
    document = json.loads(json.dumps(run_experiment(SEMEVAL.xml.parent, all_blocks=True, jobs=2).document()))
    assert script(ROOT / "docs/dbees_page.py").shown(document) == stored


def test_the_readme_has_the_figures_of_the_page(stored):
    published, *ours = stored["published"]["dbees micro f1"], *("chain/dbees", "chain/viterbi")
    f1s = [published, *(100 * fmean(stored["runs"][row]) for row in ours)]
    cells = ", ".join(f"{f1:.2f}" for f1 in f1s)
    assert f"| {cells} | [experiment](docs/dbees-2014.md) |" in (ROOT / "README.md").read_text(encoding="utf-8")
