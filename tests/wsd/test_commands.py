import io
import json
import sys

import pytest

from tests.wsd.test_problem import COARSE, needs_data

pytestmark = pytest.mark.usefixtures("source")

CORPUS = """<?xml version="1.0" encoding="UTF-8"?>
<corpus lang="en"><text id="d000"><sentence id="d000.s000">
<wf lemma="the" pos="DET">The</wf>
<instance id="d000.s000.t000" lemma="bank" pos="NOUN">bank</instance>
<wf lemma="of" pos="ADP">of</wf>
<instance id="d000.s000.t001" lemma="river" pos="NOUN">rivers</instance>
</sentence></text></corpus>
"""


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus.xml").write_text(CORPUS)
    (tmp_path / "gold.key").write_text("d000.s000.t000 bank%1:17:01::\nd000.s000.t001 river%1:17:00::\n")
    return tmp_path


def test_tag_shows_words_senses_and_glosses(cli):
    said = cli("wsd", "tag", "They sat on the bank of the river with Zzyzxy.")
    assert said.code == 0, said.err
    assert "bank.n.01" in said.out
    assert "sloping land" in said.out


def test_tag_gives_json_with_everything(cli):
    document = json.loads(cli("wsd", "tag", "The river bank.", "--json").out)
    first = document["senses"][0]
    assert set(first) == {
        "source", "word", "start", "end", "lemma", "pos", "key", "synset", "gloss", "confidence"
    }  # fmt: skip
    assert len(document["wordnet"]) == 64


def test_tag_reads_files_and_standard_input(cli, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A river.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Ünter the river.".encode())))
    senses = json.loads(cli("wsd", "tag", "a.txt", "-", "--json").out)["senses"]
    assert [(s["source"], s["word"]) for s in senses] == [("a.txt", "river"), ("-", "river")]


def test_tag_explains_who_pulled_what(cli):
    said = cli("wsd", "tag", "They sat on the bank of the river.", "--explain", "bank")
    assert "* bank.n.01" in said.out
    assert "river (river.n.01)" in said.out
    explained = json.loads(cli("wsd", "tag", "The river bank.", "--explain", "river", "--json").out)["explained"]
    assert explained[0]["pulls"][0]["value"] >= 0


@pytest.mark.parametrize("text", ["", "   ", "!!!", "Zzyzxy"])
def test_a_text_without_known_words_is_said_to_have_none(cli, text):
    assert "no word that WordNet knows" in cli("wsd", "tag", text).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["wsd", "tag", "x", "-P", "text=y"], "takes its text as an argument"),
        (["wsd", "tag", "x", "-P", "windw=2"], "Did you mean 'window'?"),
        (["wsd", "tag", "A bank.", "--explain", "river"], "'river' is not among the words"),
        (["wsd", "tag", "binary.bin"], "not a text file"),
        (["wsd", "tag", "nothing.txt"], "nothing.txt: no such file"),
        (["wsd", "annotate", "nothing.xml", "--out", "o.key"], "nothing.xml: no such file"),
        (["wsd", "annotate", "broken.xml", "--out", "o.key"], "broken.xml, line 2"),
        (["wsd", "annotate", "corpus.xml", "--out", "gold.key"], "gold.key exists"),
        (["wsd", "annotate", "corpus.xml", "--out", "o.key", "--algo", "fist"], "Did you mean 'first'?"),
        (["wsd", "annotate", "corpus.xml", "--out", "o.key", "--setting", "good"], "no setting named 'good'"),
        (["wsd", "score", "gold.key", "nothing.key"], "nothing.key: no such file"),
        (["wsd", "score", "gold.key", "strange.key"], "strange.key, line 1: 'd9' is not in the gold key"),
        (["wsd", "score", "gold.key", "twice.key"], "twice.key, line 2"),
        (["solve", "-p", "wsd", "-P", "text=a", "-P", "file=b", "-a", "first"], "'text' and 'file' are both given"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(cli, corpus, arguments, said):
    (corpus / "binary.bin").write_bytes(b"\x00\x01\x02")
    (corpus / "broken.xml").write_text("<corpus>\n<text")
    (corpus / "strange.key").write_text("d9 bank%1:17:01::\n")
    (corpus / "twice.key").write_text("d000.s000.t000 bank%1:17:01::\nd000.s000.t000 bank%1:17:01::\n")
    answer = cli(*arguments)
    assert answer.code == 2, answer
    assert said in " ".join(answer.err.split())
    assert answer.out == ""


def test_a_corpus_is_annotated_and_scored(cli, corpus):
    said = cli("wsd", "annotate", "corpus.xml", "--out", "answers.key", "--key", "gold.key")
    assert said.code == 0, said.err
    assert "2 answers, 0 words are not in WordNet" in said.out
    assert "f1: 100.00 %" in said.out
    report = json.loads(cli("wsd", "score", "gold.key", "answers.key", "--json").out)
    assert report["micro"]["right"] == 2
    assert "micro" in cli("wsd", "score", "gold.key", "answers.key").out


@pytest.mark.parametrize("setting", ["best", "paper"])
def test_any_solver_can_annotate(cli, corpus, setting):
    said = cli("wsd", "annotate", "corpus.xml", "--algo", "icm", "--setting", setting, "--out", "a.key", "--json")
    assert said.code == 0, said.err
    assert (corpus / "a.key").read_text().count("\n") == 2


@needs_data
def test_the_organisers_first_senses_score_what_they_should(cli):
    said = cli("wsd", "score", str(COARSE / "dataset21.test.key"), str(COARSE / "fs_baseline.key"))
    lines = said.out.splitlines()
    assert lines[1].split() == ["micro", "1790/2269", "100.00", "78.89", "78.89", "78.89"]
    assert lines[2].split()[-1] == "79.50"


@pytest.mark.parametrize(("name", "command"), [("platformdirs", []), ("filelock", ["remove"])])
def test_a_missing_extra_is_exit_code_3_with_the_way_out(cli, name, command, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, name, None)
    if command:  # never on the user's own cache
        monkeypatch.setenv("SWARMKIT_CACHE", str(tmp_path))
    else:
        monkeypatch.delenv("SWARMKIT_CACHE", raising=False)
    said = cli("data", *command)
    assert said.code == 3
    assert "pip install 'pyswarmkit[wsd]'" in said.err


def test_data_says_what_is_there(cli, lexicon):
    said = cli("data")
    assert said.code == 0
    assert lexicon.sha256[:12] in said.out
    held = json.loads(cli("data", "--json").out)
    assert any(one["used"] and one["what"] == "WordNet" for one in held)


def test_the_problem_is_solved_and_replayed_from_the_command_line(cli):
    said = cli("solve", "-p", "wsd", "-a", "icm", "--looks", "1e4", "--out", "r.json")
    assert said.code == 0, said.err
    assert "mouse" in said.out
    assert "identical" in cli("replay", "r.json").out
