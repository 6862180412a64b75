from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import UsageError
from swarmkit_text.corpora.keys import Entry, answer_lines, read_answers, read_keys, sense_pos, text_of, write_answers
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpora.scoring import Report, credit, f1, micro, score
from swarmkit_text.corpus import Corpus, Sentence, Text, Token
from tests.wsd.at_hand import CORPORA, WITH_FIRST

GOLD = """d001 d001.s1.t1 ill%3:00:01:: !! lemma=Ill#a
d001 d001.s1.t2 art%1:09:00:: art%1:04:00:: !! lemma=art#n, ???
d002 d002.s1.t1 be%2:42:02:: !! lemma=be#v
d002 d002.s1.t2 so%4:02:02:: !! lemma=so#r
"""


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def written(tmp_path: Path):
    def writing(content: str | bytes, name: str = "some.key") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writing


@pytest.fixture
def gold(written):
    return read_keys(written(GOLD, "gold.key"))


def right(gold):
    return {name: entry.keys[0] for name, entry in gold.items()}


def corpus_of(kind):
    tokens = (
        Token("Ill", "ill", "a", 0, 1, "d001.s1.t1"),
        Token("x", "x", None, 1, 2),
        Token("art", "art", "n", 2, 3, "d001.s1.t2"),
    )
    return Corpus(kind, (Text("d001", (Sentence("d001.s1", tokens),)),))


def test_a_coarse_key_is_read_without_its_comments(gold):
    assert gold["d001.s1.t2"] == Entry("d001.s1.t2", "d001", ("art%1:09:00::", "art%1:04:00::"))
    assert [entry.pos for entry in gold.values()] == ["a", "n", "v", "r"]


def test_a_unified_key_knows_its_texts_by_the_ids(written):
    gold = read_keys(written("d000.s000.t000 art%1:09:00::\n\nd000.s000.t001 a%5:00:00:b:00 c%3:00:00::\n"))
    assert [entry.text for entry in gold.values()] == ["d000", "d000"]
    assert gold["d000.s000.t001"].keys == ("a%5:00:00:b:00", "c%3:00:00::")


def test_windows_line_ends_do_not_matter(written, gold):
    assert read_keys(written(GOLD.replace("\n", "\r\n"))) == gold


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOLD + "d002 d002.s1.t3", "line 5: 'd002 d002.s1.t3' has no sense key; expected 'text id key ... !! comment'"),
        (GOLD + "d002 d002.s1.t3 art#n", "line 5: 'art#n' is not a sense key"),
        (GOLD + GOLD, "line 5: 'd001.s1.t1' is on line 1 already; expected it once"),
        ("d0.s0.t0 a%1:00:00::\nd0.s0.t1\n", "line 2: 'd0.s0.t1' has no sense key; expected 'id key ...'"),
        ("d0.s0.t0 a%1:00:00::\nd0 d0.s0.t1 a%1:00:00::\n", "line 2: 'd0.s0.t1' is not a sense key"),
        ("some words in a letter\n", "line 1: 'in' is not a sense key"),
        (b"d0.s0.t0 a%1:00:00::\n\xe9\xe8", "line 2: bytes that are not UTF-8"),
        (b"\0\1", "line 1: a null byte, so this is not a text file"),
        ("", "no sense keys found; expected a key file"),
    ],
)
def test_what_is_no_key_is_refused_with_its_line(written, content, said):
    with pytest.raises(UsageError) as refused:
        read_keys(written(content))
    assert said in str(refused.value)
    assert "some.key" in str(refused.value)


def test_answers_to_unknown_instances_are_refused(written, gold, rng):
    with pytest.raises(UsageError, match=r"some.key, line 1: 'd9.s1.t1' is not in the gold key"):
        read_answers(written("d9.s1.t1 art%1:09:00::"), gold)
    with pytest.raises(UsageError, match=r"'d9.s1.t1', which is not in the gold key"):
        score(gold, {"d9.s1.t1": "art%1:09:00::"}, rng)


def test_no_answers_at_all_are_answers(written, gold, rng):
    report = score(gold, read_answers(written(""), gold), rng)
    assert (report.micro.attempted, report.micro.precision, report.micro.f1) == (0, 0, 0)


def test_answers_may_come_in_the_other_format(written, gold):
    assert read_answers(written("d001.s1.t1 ill%3:00:01::"), gold) == {"d001.s1.t1": ("ill%3:00:01::",)}


def test_the_numbers_of_a_small_case_are_those_computed_by_hand(written, gold, rng):
    answers = read_answers(
        written("d001.s1.t1 Ill%3:00:01::\nd001.s1.t2 art%1:06:00::\nd002.s1.t1 be%2:42:02::\n"), gold
    )
    report = score(gold, answers, rng)
    assert report.micro == micro(gold, answers)
    assert (report.micro.instances, report.micro.answered, report.micro.right) == (4, 3, 2)
    assert (report.micro.attempted, report.micro.precision, report.micro.recall) == (3 / 4, 2 / 3, 1 / 2)
    assert report.micro.f1 == pytest.approx(4 / 7)
    assert [score.f1 for score in report.by_text.values()] == pytest.approx([1 / 2, 2 / 3])
    assert report.macro.f1 == pytest.approx(7 / 12)
    assert {pos: score.right for pos, score in report.by_pos.items()} == {"a": 1, "n": 0, "r": 0, "v": 1}


def test_several_keys_share_the_credit_of_one_instance():
    assert credit(["a%1:06:00::"], ["a%1:06:00::", "a%1:09:00::", "a%1:10:00::"]) == pytest.approx(1 / 3)


def test_parts_of_speech_and_texts_are_read_off_keys_and_ids():
    assert sense_pos("great%5:00:01:important:00") == "a"
    assert text_of("t1") == ""
    with pytest.raises(UsageError, match="'great' is not a sense key"):
        sense_pos("great")


@settings(deadline=None)
@given(instances=st.integers(1, 50), answered=st.integers(0, 50), right=st.integers(0, 50))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(instances, answered, right):
    answered, right = min(answered, instances), min(right, answered, instances)
    precision, recall = right / answered if answered else 0, right / instances
    expected = 2 * precision * recall / (precision + recall) if right else 0
    assert f1(right, answered, instances) == pytest.approx(expected)


def test_a_report_goes_to_json_and_back(gold, rng):
    report = score(gold, right(gold), rng)
    assert Report.model_validate_json(report.model_dump_json()) == report
    assert (report.interval.low, report.interval.high) == (1, 1)


def test_scoring_without_gold_or_resamples_is_refused(gold, rng):
    with pytest.raises(UsageError, match="the gold key is empty"):
        score({}, {}, rng)
    with pytest.raises(UsageError, match="at least 1"):
        score(gold, {}, rng, resamples=0)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("coarse", ["d001 d001.s1.t1 ill%3:00:01:: !! lemma=ill#a", "d001 d001.s1.t2 art%1:09:00:: !! lemma=art#n"]),
        ("unified", ["d001.s1.t1 ill%3:00:01::", "d001.s1.t2 art%1:09:00::"]),
    ],
)
def test_answers_are_written_in_the_format_and_order_of_the_corpus(tmp_path, gold, kind, expected):
    corpus, answers = corpus_of(kind), {"d001.s1.t2": "art%1:09:00::", "d001.s1.t1": "ill%3:00:01::"}
    assert list(answer_lines(corpus, answers)) == expected
    write_answers(tmp_path / "out.key", corpus, answers)
    back = read_answers(tmp_path / "out.key", gold)
    assert {name: keys[0] for name, keys in back.items()} == answers
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_answers_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        write_answers(tmp_path / "nowhere" / "out.key", corpus_of("coarse"), {})
    with pytest.raises(UsageError, match="cannot be written"):
        write_answers(tmp_path, corpus_of("coarse"), {})
    with pytest.raises(UsageError, match="not an instance of the corpus"):
        write_answers(tmp_path / "out.key", corpus_of("coarse"), {"d9": "art%1:09:00::"})


@settings(deadline=None)
@given(st.one_of(st.binary(), st.text().map(str.encode), st.text().map(lambda words: (GOLD + words).encode())))
def test_any_bytes_are_keys_or_a_sentence_of_refusal(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.key"
    path.write_bytes(data)
    with suppress(UsageError):
        assert read_keys(path)


@pytest.mark.parametrize("corpus", WITH_FIRST)
def test_first_senses_score_what_they_must(corpus, rng):
    gold = read_keys(corpus.gold)
    report = score(gold, read_answers(corpus.first, gold), rng)
    assert (report.micro.right, report.micro.instances) == (corpus.first_right, corpus.targets)
    assert (round(100 * report.micro.f1, 2), round(100 * report.macro.f1, 2)) == corpus.first_f1
    assert report.interval.low < report.micro.f1 < report.interval.high


@pytest.mark.parametrize("corpus", WITH_FIRST)
def test_the_interval_is_the_same_for_the_same_seed(corpus):
    gold = read_keys(corpus.gold)
    answers = read_answers(corpus.first, gold)
    one, two, three = (score(gold, answers, np.random.default_rng(seed), resamples=20).interval for seed in (1, 1, 2))
    assert one == two != three


@pytest.mark.parametrize("corpus", CORPORA)
def test_gold_keys_fit_their_corpora(corpus):
    read, gold = read_corpus(corpus.xml), read_keys(corpus.gold)
    assert {token.id: (text.id, token.pos) for text, token in read.targets()} == {
        entry.id: (entry.text, entry.pos) for entry in gold.values()
    }
    assert micro(gold, right(gold)).f1 == 1
