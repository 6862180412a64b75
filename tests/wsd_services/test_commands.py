import io
import json
import subprocess
import sys

import pytest

from swarmkit import install_hint
from tests.wsd.at_hand import WITH_FIRST

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
        "source", "word", "start", "end", "lemma", "pos", "key", "synset", "gloss", "offset", "lexname", "ili",
            "confidence"
    }  # fmt: skip
    assert len(document["wordnet"]) == 64


def test_tag_reads_files_and_standard_input(cli, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A river.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Ünter the river.".encode())))
    senses = json.loads(cli("wsd", "tag", "a.txt", "-", "--json").out)["senses"]
    assert [(s["source"], s["word"]) for s in senses] == [("a.txt", "river"), ("-", "river")]


@pytest.mark.parametrize("length", [250, 256, 300, 1200, 5000])
def test_a_text_is_text_whatever_its_length(cli, length):
    text = ("The boat left the bank of the river. " * (length // 10))[:length]
    document = json.loads(cli("wsd", "tag", text, "--json").out)
    assert {sense["source"] for sense in document["senses"]} == {"text"}
    assert document["senses"][1]["word"] == "left"
    assert "bank" in cli("wsd", "tag", "bank" + "x" * length + " bank").out


def test_what_could_be_both_is_told_apart(cli, tmp_path):
    (tmp_path / "river").write_text("A dog.")
    (tmp_path / "bank").mkdir()
    (tmp_path / "a b.txt").write_text("A cat.")

    def tagged(*arguments):
        return [(s["source"], s["word"]) for s in json.loads(cli("wsd", "tag", *arguments, "--json").out)["senses"]]

    assert tagged("river") == tagged("--file", "river") == [("river", "dog")]
    assert tagged("--text", "river", "--text", "bank") == [("text", "river"), ("text", "bank")]
    assert tagged("a b.txt") == [("a b.txt", "cat")]
    assert tagged("the river.txt bank") == [("text", "bank")]
    assert tagged("boat", "--file", "river", "--text", "bank") == [("text", "boat"), ("river", "dog"), ("text", "bank")]


def test_words_that_wordnet_does_not_know_are_listed_once(cli):
    text = "They saw Zzyzxy and 25 quuxes on the bank at 10:30, and Zzyzxy saw them."
    assert json.loads(cli("wsd", "tag", text, "--json").out)["unknown"] == ["Zzyzxy", "quuxes"]
    assert "not in WordNet: Zzyzxy, quuxes" in cli("wsd", "tag", text).out
    explained = json.loads(cli("wsd", "tag", text, "--json", "--explain", "bank").out)
    assert explained["unknown"] == ["Zzyzxy", "quuxes"]


def test_senses_are_written_while_the_text_is_read(command):
    """The document of a text of several chunks begins before the text has ended, and is whole at the end."""
    with command("wsd", "tag", "-", "--json", stdin=subprocess.PIPE) as process:
        process.stdin.write("The boat left the bank of the river at dawn. " * 500)
        process.stdin.flush()
        begun = [process.stdout.readline() for _ in range(3)]
        assert json.loads(begun[2].rstrip().rstrip(","))["word"] == "boat"
        process.stdin.write("The end.\n")
        process.stdin.close()
        document = json.loads("".join(begun) + process.stdout.read())
        assert process.stderr.read() == ""
    assert len(document["senses"]) == 500 * 5 + 1
    starts = [sense["start"] for sense in document["senses"]]
    assert starts == sorted(set(starts))
    assert document["senses"][-1]["word"] == "end"


def test_a_stream_that_is_no_text_is_refused(cli, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"A river.\n\xff")))
    said = cli("wsd", "tag", "-")
    assert (said.code, said.out) == (2, "")
    assert "standard input, line 2: bytes that are not UTF-8" in said.err


@pytest.mark.parametrize("text", ["", "!!!", "Zzyzxy"])
def test_a_document_without_senses_is_a_document(cli, text):
    document = json.loads(cli("wsd", "tag", text, "--json").out)
    assert document["senses"] == []
    assert document["unknown"] == [text] * (text == "Zzyzxy")


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
        (["wsd", "tag", "n" * 300 + ".txt"], ": no such file"),
        (["wsd", "tag", "corpora/NOTHING.XML"], "no such file; --text takes it as text"),
        (["wsd", "tag", "--file", "nothing"], "nothing: no such file"),
        (["wsd", "tag", "--file", "n" * 300], ": no such file"),
        (["wsd", "tag", "folder"], "folder is a folder; expected a file of English text, or --text"),
        (["wsd", "tag", "."], "is a folder"),
        (["wsd", "tag", "--file", "folder", "--json"], "folder is a folder"),
        (["wsd", "tag", "A river.", "folder", "--json"], "folder is a folder"),
        (["wsd", "tag"], "no text: expected a text in quotes"),
        (["wsd", "tag", "late.txt", "--json"], "late.txt, line 3001: bytes that are not UTF-8"),
        (["wsd", "tag", "A \udcff river."], "bytes that are not UTF-8"),
        (["wsd", "annotate", "nothing.xml", "--out", "o.key"], "nothing.xml: no such file"),
        (["wsd", "annotate", "broken.xml", "--out", "o.key"], "broken.xml, line 2"),
        (["wsd", "annotate", "corpus.xml", "--out", "gold.key"], "gold.key exists"),
        (["wsd", "annotate", "corpus.xml", "--out", "o.key", "--algo", "fist"], "Did you mean 'first'?"),
        (["wsd", "annotate", "corpus.xml", "--out", "o.key", "--preset", "good"], "'paper', 'fast' or 'best'"),
        (["wsd", "score", "gold.key", "nothing.key"], "nothing.key: no such file"),
        (["wsd", "score", "gold.key", "strange.key"], "strange.key, line 1: 'd9' is not in the gold key"),
        (["wsd", "score", "gold.key", "twice.key"], "twice.key, line 2"),
        (["solve", "-p", "wsd", "-P", "text=a", "-P", "file=b", "-a", "first"], "'text' and 'file' are both given"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(cli, corpus, arguments, said):
    (corpus / "folder").mkdir()
    (corpus / "late.txt").write_bytes(b"The river flows past the bank.\n" * 3000 + b"\xff")
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
    assert "2 answers by preset best, 0 words are not in WordNet" in said.out
    assert "f1: 100.00 %" in said.out
    report = json.loads(cli("wsd", "score", "gold.key", "answers.key", "--json").out)
    assert report["micro"]["right"] == 2
    assert "micro" in cli("wsd", "score", "gold.key", "answers.key").out


@pytest.mark.parametrize("preset", ["best", "fast", "paper"])
def test_any_solver_can_annotate(cli, corpus, preset):
    said = cli("wsd", "annotate", "corpus.xml", "--algo", "icm", "--preset", preset, "--out", "a.key", "--json")
    assert said.code == 0, said.err
    assert (corpus / "a.key").read_text().count("\n") == 2


@pytest.mark.parametrize("corpus", WITH_FIRST)
def test_first_senses_score_what_they_should(cli, corpus):
    lines = cli("wsd", "score", str(corpus.gold), str(corpus.first)).out.splitlines()
    assert lines[1].split()[:2] == ["micro", f"{corpus.first_right}/{corpus.targets}"]
    assert (lines[1].split()[-1], lines[2].split()[-1]) == tuple(f"{f1:.2f}" for f1 in corpus.first_f1)


@pytest.mark.parametrize(("name", "command"), [("platformdirs", []), ("filelock", ["remove"])])
def test_a_missing_extra_is_exit_code_3_with_the_way_out(cli, name, command, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, name, None)
    if command:  # never on the user's own cache
        monkeypatch.setenv("SWARMKIT_CACHE", str(tmp_path))
    else:
        monkeypatch.delenv("SWARMKIT_CACHE", raising=False)
    said = cli("data", *command)
    assert said.code == 3
    assert install_hint("wsd").partition(",")[0] in " ".join(said.err.split())


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


PAGE = "<html><style>p {}</style><p>They sat on the <b>bank</b> of the river.<p>A <i>d</i>og &amp; a cat.</html>"


def test_markup_is_left_out_and_places_are_those_of_the_page(cli, tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "page.txt").write_text(PAGE)

    def tagged(*arguments):
        senses = json.loads(cli("wsd", "tag", *arguments, "--json").out)["senses"]
        return [(sense["word"], PAGE[sense["start"] : sense["end"]]) for sense in senses]

    expected = [("sat", "sat"), ("bank", "bank"), ("river", "river"), ("dog", "d</i>og"), ("cat", "cat")]
    assert tagged("page.html") == tagged("page.txt", "--format", "html") == tagged(PAGE, "--format", "html") == expected
    assert ("style", "style") in tagged("page.html", "--format", "text")
    assert "no format named 'htlm'. Did you mean 'html'?" in cli("wsd", "tag", "page.html", "--format", "htlm").err


def test_every_sentence_stands_above_its_words(cli):
    lines = cli("wsd", "tag", "The dog barked. It  isn't  a cat!  Zzyzxy.").out.splitlines()
    first, second = lines.index("The dog barked."), lines.index("It isn't a cat!")
    assert first < next(at for at, line in enumerate(lines) if line.startswith("dog")) < second
    assert second < next(at for at, line in enumerate(lines) if line.startswith("cat"))
    assert "Zzyzxy." not in lines


GERMAN = (
    "Der Hund lief schnell \u00fcber die Wiese und bellte dabei laut die Katze an, die auf den Baum floh und blieb."
)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_text_in_another_language_gets_one_warning(cli, form):
    said = cli("wsd", "tag", GERMAN, GERMAN, *form)
    assert said.code == 0
    assert said.err.count("does not look like English") == 1
    assert cli("wsd", "tag", "They sat on the bank of the river, and then they went home again with the dog.").err == ""
    assert cli("wsd", "tag", "wireless mouse").err == ""


def test_occurrences_of_an_explained_word_are_labelled(cli, tmp_path):
    text = "The bank was steep. The bank lent money."
    said = cli("wsd", "tag", text, "--explain", "bank", "--preset", "fast").out
    assert "bank, 1 of 2 (text, character 4)" in said
    assert "bank, 2 of 2 (text, character 24)" in said
    assert "1 of 1" not in cli("wsd", "tag", text, "--explain", "steep", "--preset", "fast").out
    (tmp_path / "a.txt").write_text("The bank.")
    (tmp_path / "b.txt").write_text("The bank.")
    said = cli("wsd", "tag", "a.txt", "b.txt", "--explain", "bank", "--preset", "fast").out
    assert "bank, 1 of 2 (a.txt, character 4)" in said
    assert "bank, 2 of 2 (b.txt, character 4)" in said


@pytest.mark.parametrize(
    "name", ["a.tex", "texts/novel", "/nowhere/novel", "./my novel.txt", "..\\novel", "novel.docx"]
)
def test_a_path_that_does_not_exist_is_no_text(cli, name):
    answer = cli("wsd", "tag", name, "--preset", "fast")
    assert (answer.code, answer.out) == (2, "")
    assert "no such file; --text takes it as text" in answer.err
    assert cli("wsd", "tag", "--text", name, "--preset", "fast").code == 0


@pytest.mark.parametrize("text", ["river", "U.S.", "He or she may enter and/or leave.", "See notes.txt"])
def test_words_are_texts(cli, text):
    assert cli("wsd", "tag", text, "--preset", "fast").code == 0


def test_annotate_gives_a_confidence_for_each_word_in_json(cli, corpus):
    words = json.loads(cli("wsd", "annotate", "corpus.xml", "--out", "a.key", "--json").out)["words"]
    assert len({word["id"] for word in words}) == len(words) > 0
    assert all(0 < word["confidence"] <= 1 and "%" in word["key"] for word in words)
    sure = json.loads(cli("wsd", "annotate", "corpus.xml", "--out", "b.key", "--json", "--min-confidence", "0.9").out)[
        "words"
    ]
    assert sure == [word for word in words if word["confidence"] >= 0.9]
