"""The files of SemEval-2007 task 10."""

import re

import pytest

from swarmkit import UsageError
from swarmkit_lexsub.task_files import Answer, read_answers, read_gold, read_items, write_answers
from tests.wsd.at_hand import REAL

XML = """<?xml version="1.0" encoding="UTF-8"?>
<corpus lang="english">
  <lexelt item="bright.a">
    <instance id="1"><context>He was a <head>bright</head> boy &amp; knew it .</context></instance>
  </lexelt>
  <lexelt item="bar.n.v">
    <instance id="48"><context><head>Barring</head> rain , we go .</context></instance>
  </lexelt>
</corpus>
"""


def write(tmp_path, text, name="file"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_both_formats_have_the_same_items(tmp_path):
    lines = "bright.a\t1\t3\tHe was a bright boy & knew it .\nbar.n.v\t48\t0\tBarring rain , we go .\n"
    by_xml, by_line = (read_items(write(tmp_path, text)) for text in (XML, lines))
    assert by_xml == by_line
    assert [(item.lemma, item.pos, item.words[item.at]) for item in by_xml] == [
        ("bright", "a", "bright"),
        ("bar", "v", "Barring"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no sentences found"),
        ("bright.a 1 3 He was bright\n", "line 1: 'bright.a 1 3 He was bright'; expected sentences"),
        ("bright.a\t1\t3\tHe was bright\n", "word number 3 of a sentence of 3 words"),
        ("bright.x\t1\t2\tHe was bright\n", "line 1"),
        ("bright.a\t1\t2\tHe was bright\nbright.a\t1\t2\tHe was bright\n", "the id '1' is there twice"),
        ("<corpus><lexelt item='bright'/></corpus>", "expected a word and its part of speech"),
        ("<corpus><lexelt item='a.n'><instance id='1'><context>x</context></instance></lexelt></corpus>", "0 <head>"),
        ("<corpus><context><head>x</head></context></corpus>", "outside <lexelt>"),
        ("<corpus>", "malformed XML"),
        ("<!DOCTYPE c [<!ENTITY a 'b'>]><corpus>&a;</corpus>", "an entity declaration"),
    ],
)
def test_wrong_sentences_are_refused_by_line(tmp_path, text, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        read_items(write(tmp_path, text))


def test_gold_substitutes_may_have_several_words(tmp_path):
    [gold] = read_gold(write(tmp_path, "bar.n.v 48 :: rule  out 2;Prevent 1;\n")).values()
    assert (gold.counts, gold.lexelt) == ({"rule out": 2, "prevent": 1}, "bar.n")


@pytest.mark.parametrize("line", ["bright.a 1 :: clever;", "bright.a 1 ::: clever 1;", "bright 1 :: clever 1;", "x"])
def test_wrong_gold_is_refused(tmp_path, line):
    with pytest.raises(UsageError, match="line 1"):
        read_gold(write(tmp_path, line))


def test_answers_are_read_as_they_were_written(tmp_path):
    answers = [Answer("bright.a", "1", ("clever", "well read")), Answer("bar.n.v", "48", ())]
    for kind in ("best", "oot", "ranked"):
        write_answers(tmp_path / kind, answers, kind)
        assert read_answers(tmp_path / kind) == (kind, {"1": answers[0], "48": answers[1]})


@pytest.mark.parametrize("text", ["", "bright.a 1 :: a\nbright.a 2 ::: b\n", "bright.a 1 :: a\nbright.a 1 :: b\n"])
def test_wrong_answers_are_refused(tmp_path, text):
    with pytest.raises(UsageError, match="expected"):
        read_answers(write(tmp_path, text))


@pytest.mark.skipif(not (REAL / "lexsub").is_dir(), reason="needs the trial data of SemEval-2007 task 10")
def test_the_trial_data_are_read():
    items, gold = read_items(REAL / "lexsub" / "lst_trial.preprocessed"), read_gold(REAL / "lexsub" / "lst_trial.gold")
    assert len(items) == len(gold) == 300
    assert {item.id for item in items} == set(gold)
    assert sum(sum(one.counts.values()) > 1 for one in gold.values()) == 298
