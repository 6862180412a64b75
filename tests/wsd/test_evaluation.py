"""The experiment wsd-best, on our own corpora."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit import MissingError, Store, UsageError
from swarmkit_wsd.evaluation.experiment import HELD_OUT, NO_MODEL, Selection, run_experiment
from swarmkit_wsd.evaluation.measurement import (
    Words,
    calibration_error,
    coverage_curve,
    f1_scores,
    measure,
    reliability,
    together,
)
from swarmkit_wsd.evaluation.rows import (
    ANNOTATE,
    CLUSTERS,
    COARSE,
    COARSE_NAME,
    FAST,
    FIRST,
    METHODS,
    ROWS,
    Row,
    choose,
    find_corpora,
)
from swarmkit_wsd.options import PRESETS
from tests.wsd.at_hand import OUR_COARSE, OUR_UNIFIED

SHORT = ["paper/viterbi", "fast/ils"]


@pytest.fixture
def data(tmp_path):
    """A folder with two corpora of the unified framework and one of SemEval-2007 task 7."""
    folder = tmp_path / "corpora"
    for name in ("one", "two"):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.data.xml").write_bytes(OUR_UNIFIED.xml.read_bytes())
        (folder / name / f"{name}.gold.key.txt").write_bytes(OUR_UNIFIED.gold.read_bytes())
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / COARSE[0]).write_bytes(OUR_COARSE.xml.read_bytes())
    (folder / "deep" / "er" / COARSE[1]).write_bytes(OUR_COARSE.gold.read_bytes())
    return folder


def test_corpora_are_found_by_the_names_of_their_files(data):
    (data / "one" / "keyless.data.xml").write_text("")
    assert [one.name for one in find_corpora(data)] == ["one", COARSE_NAME, "two"]
    assert [one.name for one in find_corpora(data / "one")] == ["one"]
    assert [one.name for one in find_corpora(data, ["two"])] == ["two"]
    with pytest.raises(UsageError, match=r"no corpus named 'tow'\. Did you mean 'two'"):
        find_corpora(data, ["tow"])
    with pytest.raises(MissingError, match=r"Expected NAME\.data\.xml with NAME\.gold\.key\.txt"):
        find_corpora(data / "deep" / "er" / "nowhere")


def test_linked_folders_are_searched_and_clusters_belong_to_their_corpus(data, tmp_path):
    (data / "deep" / "er" / CLUSTERS).write_text("bank%1:17:00:: bank%1:17:01::\n")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "d").symlink_to(data / "deep")
    [found] = find_corpora(tmp_path / "links")
    assert found.name == COARSE_NAME
    assert found.clusters == tmp_path / "links" / "d" / "er" / CLUSTERS


def test_rows_are_of_known_presets_and_methods_and_compared_ones_are_always_there():
    assert {row.preset for row in ROWS} == set(PRESETS)
    assert {row.method for row in ROWS} == {ANNOTATE, *METHODS}
    assert choose([]) == list(ROWS)
    assert choose(["best/dbees"]) == [FIRST, FAST, Row("best", "dbees")]
    with pytest.raises(UsageError, match="no row named 'best/bees'"):
        choose(["best/bees"])


shares = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 1.0])), min_size=1, max_size=60)


@given(shares, st.integers(1, 20))
def test_bins_have_equal_mass_and_keep_every_word(words, bins):
    confidence, right = np.array(words).T
    found = reliability(confidence, right, bins)
    assert sum(one.words for one in found) == len(words)
    assert max(one.words for one in found) - min(one.words for one in found) <= 1
    assert [one.confidence for one in found] == sorted(one.confidence for one in found)
    assert sum(one.words * one.right for one in found) == pytest.approx(right.sum())
    assert abs(confidence.mean() - right.mean()) - 1e-9 <= calibration_error(found) <= 1


def test_confidences_that_come_true_have_no_error_and_others_have():
    confidence = np.repeat([0.2, 0.8], 50)
    right = np.tile([1.0, 0.0, 0.0, 0.0, 0.0], 20)
    right[50:] = 1 - right[50:]
    assert calibration_error(reliability(confidence, right, 2)) == pytest.approx(0)
    assert calibration_error(reliability(1 - confidence, right, 2)) == pytest.approx(0.6)
    assert calibration_error([]) is None


@given(shares)
def test_with_all_words_covered_precision_is_accuracy(words):
    confidence, right = np.array(words).T
    curve = coverage_curve(confidence, right, len(words) + 1)
    assert np.all(np.diff(curve.coverage) > 0)
    assert np.all(np.diff(curve.least) < 0)
    assert curve.precision[-1] == pytest.approx(right.mean())
    assert curve.coverage[-1] == pytest.approx(len(words) / (len(words) + 1))
    for least, precision in zip(curve.least, curve.precision, strict=True):
        assert precision == pytest.approx(right[confidence >= least].mean())
    assert curve.at(1.0) is None
    assert curve.at(0.0) == pytest.approx(curve.precision[0])


def words_of(*runs, answered=True, confidence=None):
    credit = np.array(runs, np.float64)
    every = np.full(credit.shape[1], answered)
    return Words(credit, every, every, confidence, (1.0, 2.0))


def test_rows_are_compared_word_by_word_with_fast_and_with_the_first_sense():
    rng = np.random.default_rng(0)
    first = rng.random(300) < 0.5
    better = first | (rng.random(300) < 0.3)
    answers = {FIRST: words_of(first), FAST: words_of(first, first), Row("best", ANNOTATE): words_of(better)}
    of_first, of_fast, of_best = measure(answers)
    assert of_first.against_first is of_fast.against_fast is None
    assert of_fast.against_first.mcnemar.p is None  # the same words are right
    assert of_best.against_fast.adjusted < 0.001
    assert of_best.against_first.bootstrap.difference == pytest.approx(better.mean() - first.mean())
    assert (of_fast.runs, of_best.runs) == (2, 1)
    assert of_best.f1 == pytest.approx(better.mean())
    assert of_best.low < of_best.f1 < of_best.high


def test_words_without_an_answer_lower_recall_but_not_precision():
    credit, answered = np.array([1.0, 1.0, 0.0, 0.0]), np.array([True, True, True, False])
    assert f1_scores(credit, answered)[0] == pytest.approx(4 / 7)


def test_several_corpora_are_measured_as_one():
    joined = together([words_of([1, 0], [1, 1]), words_of([0, 0], [0, 1])])
    assert joined.credit.tolist() == [[1, 0, 0, 0], [1, 1, 0, 1]]
    assert joined.cpu == (2.0, 4.0)
    assert joined.confidence is None
    sure = together([words_of([1], confidence=np.array([0.5])), words_of([0], confidence=np.array([0.25]))])
    assert sure.confidence.tolist() == [0.5, 0.25]


def test_the_table_has_what_annotate_and_first_senses_score(source, data):
    outcome = run_experiment(Selection(data, rows=SHORT, seeds=2), None, lambda _: None)
    assert list(outcome.rows) == ["one", COARSE_NAME, "two", HELD_OUT]
    rows = {(row.preset, row.method): row for row in outcome.rows["one"]}
    assert list(rows) == [FIRST, ("paper", "viterbi"), FAST, ("fast", "ils")]
    assert round(100 * rows[FIRST].f1, 2) == OUR_UNIFIED.first_f1[0]
    problem = swarmkit.make_problem("wsd", preset="fast", corpus=str(OUR_UNIFIED.xml), key=str(OUR_UNIFIED.gold))
    assert rows[FAST].f1 == pytest.approx(problem.metrics(problem.default_solution())["f1"])
    assert rows[FAST].calibration_error is not None
    assert (rows[FIRST].calibration_error, rows[FIRST].curve) == (None, [])
    assert [row.runs for row in rows.values()] == [1, 1, 1, 2]
    assert outcome.left_out == {}
    coarse = {(row.preset, row.method): row for row in outcome.rows[COARSE_NAME]}
    assert coarse[FAST].attempted == pytest.approx(1 - OUR_COARSE.unknown / OUR_COARSE.targets)
    both = outcome.answers[HELD_OUT][FAST]
    assert len(both.answered) == 2 * OUR_UNIFIED.targets


def test_runs_in_the_store_are_not_made_again(source, data, tmp_path):
    selection = Selection(data, ["one"], SHORT, 2)
    before, after = (run_experiment(selection, tmp_path / "runs.db", lambda _: None).rows["one"] for _ in range(2))
    solved = {("paper", "viterbi"), ("fast", "ils"), FIRST}
    for old, new in zip(before, after, strict=True):
        assert old.f1 == new.f1
        assert (old.preset, old.method) not in solved or old.cpu_search == new.cpu_search
    with Store(tmp_path / "runs.db") as store:
        assert len(store.keys()) == 1 + 1 + 2


def test_without_a_model_the_rows_of_best_are_left_out_with_the_reason(source, cli, data, monkeypatch):
    monkeypatch.setattr("swarmkit_sense_model.bundled.BUNDLED", data / "no model")
    said = cli("experiment", "wsd-best", "--data", str(data), "--corpora", "one", "--rows", "best/annotate,best/ils")
    assert said.code == 0
    assert f"Left out: best/annotate, best/ils: {NO_MODEL}" in said.out


@pytest.mark.parametrize("suffix", ["html", "png"])
def test_the_command_prints_a_document_and_draws(source, cli, data, tmp_path, suffix):
    figure = tmp_path / f"figure.{suffix}"
    said = cli(
        "experiment", "wsd-best", "--data", str(data), "--rows", "fast/annotate", "--plot", str(figure), "--json"
    )  # fmt: skip
    assert said.code == 0
    corpora = json.loads(said.out)["corpora"]
    assert corpora["two"]["words"] == OUR_UNIFIED.targets
    [_, fast] = corpora["two"]["rows"]
    assert 0 <= fast["calibration_error"] <= 1
    assert fast["curve"][-1][0] == 1.0
    assert fast["half"] >= fast["curve"][-1][1]
    assert len(fast["bins"]) == 15
    content = figure.read_bytes()
    assert b"words with several senses" in content if suffix == "html" else content.startswith(b"\x89PNG")


def test_the_command_prints_tables_for_people(source, cli, data):
    said = cli("experiment", "wsd-best", "--data", str(data), "--corpora", "one", "--rows", "fast/annotate")
    assert said.code == 0
    assert f"one ({OUR_UNIFIED.targets} words)" in said.out
    assert "preset" in said.out
    assert "one: preset fast" in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--rows", "fast/aca"], 2, "no row named 'fast/aca'"),
        (["--plot", "figure.txt"], 2, "the name of a figure ends in"),
        (["--seeds", "0"], 2, "seeds"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(source, cli, data, arguments, code, sentence):
    said = cli("experiment", "wsd-best", "--data", str(data), *arguments)
    assert said.code == code
    assert sentence in said.err


def test_a_folder_without_corpora_is_told(cli, tmp_path):
    said = cli("experiment", "wsd-best", "--data", str(tmp_path))
    assert said.code == 3
    assert "no corpus in" in said.err
