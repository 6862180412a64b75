"""The paper's experiment, on a corpus of a few words; on the real one where that is at hand."""

import json
import signal
import time
from statistics import fmean

import numpy as np
import pytest

import swarmkit
from swarmkit_dbees2014 import discussion, settings
from swarmkit_dbees2014.experiment import run_experiment
from swarmkit_dbees2014.published import TABLE_3
from swarmkit_dbees2014.settings import ANNOTATE, CORPUS, FILES, FOLDER, KEY, SCORES, Row
from swarmkit_dbees2014.word_senses import Task
from tests.wsd.at_hand import OUR_COARSE, SEMEVAL

pytestmark = pytest.mark.usefixtures("source")

TEXTS = {
    "d001": [["bank", "stream", "water"], ["star", "night", "sun", "light"]],
    "d002": [["mouse", "computer", "keyboard"], ["plant", "worker", "machine", "line"]],
}
SHORT = ["random", "first", "dbees", "viterbi", "chain/tsp-aco", "sa", ANNOTATE]


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
    return folder


@pytest.fixture(scope="session")
def outcome(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    made = run_experiment(data, methods=SHORT, seeds=2, store=folder / "runs.db", answers=folder / "answers")
    return folder, made


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name != "seconds"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("file", FILES)
def test_shipped_files_are_comparisons_that_no_clock_ends(file):
    experiment = swarmkit.read_experiment(FOLDER / f"{file}.toml")
    assert settings.score_of(experiment) in SCORES
    budgets = [experiment.budget, *(solver.budget for solver in experiment.solvers if solver.budget)]
    assert all(budget.seconds is None and budget.bounded for budget in budgets)
    assert experiment.runs == (1 if file == "exact" else 5)


@pytest.mark.parametrize("file", FILES)
def test_d_bees_has_the_values_of_its_paper_in_every_file(file):
    for solver in swarmkit.read_experiment(FOLDER / f"{file}.toml").solvers:
        if "dbees" in (solver.name, solver.params.get("solver")):
            params = solver.params if solver.name == "dbees" else solver.params["params"]
            assert params["preset"] == "paper"


def test_every_shipped_file_is_used():
    assert {path.stem for path in FOLDER.iterdir()} == set(FILES)


@pytest.mark.parametrize("file", ["best", "exact"])
def test_the_score_called_best_is_that_of_wsd_annotate(file):
    options = swarmkit.read_experiment(FOLDER / f"{file}.toml").problems[0].options
    assert {name: value for name, value in options.items() if name not in ("corpus", "key")} == {"preset": "fast"}


def test_every_published_system_has_a_row_of_ours(data):
    rows = settings.choose(data, ["d001"], [], 5).rows
    assert {system.row for system in TABLE_3} <= set(rows)


def test_rows_are_what_was_asked_for_and_texts_have_their_means(outcome):
    rows = outcome[1].rows
    assert {str(row) for row in rows if row.score == "chain"} == {
        "chain/random", "chain/first", "chain/dbees", "chain/viterbi", "chain/tsp-aco", "chain/sa"
    }  # fmt: skip
    assert Row("global", "tsp-aco") not in rows
    first, exact = rows[Row("chain", "first")], rows[Row("chain", "viterbi")]
    assert first.f1.value == 0  # right are the second senses
    assert (exact.share, exact.share_of) == (1.0, "optimum")
    for measured in rows.values():
        assert len(measured.runs) == (1 if measured.method == ANNOTATE else 2)
        assert measured.f1.value == pytest.approx(fmean(run.micro.f1 for run in measured.runs))
        assert measured.texts["d002"].value == pytest.approx(fmean(run.by_text["d002"].f1 for run in measured.runs))
        assert measured.share is None or measured.share <= 1 + 1e-9


def test_repetitions_draw_other_numbers(outcome):
    runs = outcome[1].rows[Row("chain", "dbees")].runs
    assert len({seed for run in runs for seed in run.seeds.values()}) == 4


def test_two_processes_give_the_numbers_of_one(data, outcome):
    twice = run_experiment(data, methods=SHORT, seeds=2, jobs=2)
    assert without_times(twice.document()) == without_times(outcome[1].document())


def test_what_is_in_the_store_is_not_run_again(data, outcome):
    folder, before = outcome
    after = run_experiment(data, methods=SHORT, seeds=2, store=folder / "runs.db")
    last = Row("best", ANNOTATE)  # which is no run
    assert {row: m.seconds for row, m in after.rows.items() if row != last} == {
        row: m.seconds for row, m in before.rows.items() if row != last
    }


def test_the_answers_written_score_what_the_tables_say(cli, data, outcome):
    folder, made = outcome
    files = sorted(path.name for path in (folder / "answers").iterdir())
    assert len(files) == sum(len(measured.runs) for measured in made.rows.values())
    assert {"chain-dbees-1.key", "chain-dbees-2.key", "best-wsd-annotate-1.key"} <= set(files)
    dbees, ours = made.rows[Row("chain", "dbees")], made.rows[Row("best", ANNOTATE)]
    for file, run in (("chain-dbees-2", dbees.runs[1]), ("best-wsd-annotate-1", ours.runs[0])):
        said = json.loads(cli("wsd", "score", str(data / KEY), str(folder / "answers" / f"{file}.key"), "--json").out)
        assert said["micro"] == run.micro.model_dump()
        assert said["by_text"] == {text: part.model_dump() for text, part in run.by_text.items()}


def test_credits_are_by_text_and_none_for_words_without_an_answer(data, tmp_path):
    for name in (CORPUS, KEY):
        (tmp_path / name).write_text((data / name).read_text().replace("stream", "zzyzx"))
    problem = swarmkit.make_problem("wsd", corpus=str(tmp_path / CORPUS), key=str(tmp_path / KEY), preset="fast")
    second = np.minimum(1, problem.sizes - 1)
    found = problem.credits(second)
    assert list(found) == problem.texts == ["d001", "d002"]
    assert found["d001"]["d001.s000.t001"] is None
    others = [credit for text in found.values() for credit in text.values() if credit is not None]
    assert others == [1.0] * (len(problem.sizes))
    assert len(problem.answer_lines(second)) == len(others)


def test_a_problem_of_another_score_reads_a_run_as_its_own_problem_does(data):
    options = {"corpus": str(data / CORPUS), "key": str(data / KEY), "text_id": "d002", "preset": "paper"}
    task = Task(data, None)
    for more in ({}, {"unit": "document"}, {"unit": "document", "order": "text", "shape": "pairwise"}):
        problem = swarmkit.make_problem("wsd", **options, **more)
        result = swarmkit.solve(problem, "random", seed=3)
        assert task.answers(result).lines == problem.answer_lines(np.array(result.solution))


def test_the_words_tell_what_was_measured(outcome):
    made = outcome[1]
    dbees, order = made.rows[Row("chain", "dbees")], made.rows[Row("order", "dbees")]
    told = "\n".join(made.words)
    assert "Only the texts d001, d002 were run" in told
    assert f"With sense order (the first of equals), dbees has {order.points:.2f} instead of {dbees.points:.2f}" in told
    assert "chain/dbees against chain/first" in told
    assert "chain/dbees against chain/" in told.replace("chain/dbees against chain/first", "")


def test_the_verdict_on_the_search_follows_the_numbers(outcome):
    rows = dict(outcome[1].rows)
    exact, dbees = Row("chain", "viterbi"), Row("chain", "dbees")
    low, high = (_with_f1(rows[dbees], f1) for f1 in (0.6, 0.8))
    assert "the score decides, not the search" in "\n".join(discussion.sentences(rows | {dbees: low, exact: low}))
    assert "the search matters" in "\n".join(discussion.sentences(rows | {dbees: low, exact: high}))


def _with_f1(row, f1):
    runs = [run.model_copy(update={"micro": run.micro.model_copy(update={"f1": f1})}) for run in row.runs]
    return row.model_copy(update={"runs": runs})


def test_the_command_prints_both_tables_and_what_they_say(cli, data, outcome):
    said = cli(
        "experiment", "dbees-2014", "--data", str(data), "--methods", "chain/dbees,first", "--seeds", "2",
        "--store", str(outcome[0] / "runs.db"),
    )  # fmt: skip
    assert said.code == 0, said.err
    for part in ("Table 2", "Table 3", "80.44", "(80.19)", "What is maximised", "- D-Bees: "):
        assert part in said.out
    assert "4 of 8 runs" in said.err or "8 of 8 runs" in said.err


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


REAL = [(SEMEVAL, 79.46, 83.30)] if SEMEVAL.xml.is_file() else []


@pytest.mark.parametrize(("corpus", "first_f1", "annotated_f1"), [(OUR_COARSE, 51.33, 61.95), *REAL])
def test_whole_corpora_give_the_known_numbers(tmp_path, corpus, first_f1, annotated_f1):
    for path, name in ((corpus.xml, CORPUS), (corpus.gold, KEY)):
        (tmp_path / name).write_bytes(path.read_bytes())
    made = run_experiment(tmp_path, methods=["first", ANNOTATE], seeds=1)
    first, annotated = made.rows[Row("chain", "first")], made.rows[Row("best", ANNOTATE)]
    assert (round(first.points, 2), round(annotated.points, 2)) == (first_f1, annotated_f1)
    assert first.runs[0].micro.instances == corpus.targets
    published = any(sentence.startswith(f"MFS: 78.89 published, {first_f1} measured") for sentence in made.words)
    assert published == (corpus == SEMEVAL)  # other texts are not compared with what was published
