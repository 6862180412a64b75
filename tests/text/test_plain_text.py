"""What plain text has instead of markup: italics between underscores, words divided at line ends, encodings."""

import json

import pytest

from swarmkit_text.tokenizer import split_sentences
from swarmkit_wsd import disambiguate


def tagged(text):
    senses = disambiguate(text, preset="fast")
    assert all(text[sense.start : sense.end] == sense.word for sense in senses)
    return {sense.word: sense.lemma for sense in senses}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A _very_ good _New York_ day_,", "A very good New York day ,"),
        ("The _Times_'s my_var __init__ x_1 ____ .", "The Times 's my_var init x_1 ."),
    ],
)
def test_italics_are_no_part_of_words_and_names_of_variables_stay(text, words):
    (sentence,) = split_sentences(text)
    assert [word.surface for word in sentence] == words.replace("New York", "New York").split()
    assert all(text[word.start : word.end] == word.surface for word in sentence)


def test_words_in_italics_have_senses(source):
    assert tagged("They went to _New York_ and saw the _river_.") == {
        "went": "go", "New York": "new_york", "saw": "see", "river": "river"
    }  # fmt: skip


def test_words_divided_at_the_end_of_a_line_are_whole(source):
    text = "The moun-\ntain dis-\n   appeared. A well-\nknown fire\u2010\nplace."
    assert tagged(text) == {
        "moun-\ntain": "mountain",
        "dis-\n   appeared": "disappear",
        "well-\nknown": "well-known",
        "fire\u2010\nplace": "fireplace",
    }


def test_a_dash_at_the_end_of_a_line_is_none(source):
    assert tagged("He saw the river-\nthe bank was steep.") == {
        "saw": "see", "river": "river", "bank": "bank", "was": "be", "steep": "steep"
    }  # fmt: skip


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
def test_other_encodings_are_read_when_they_are_named(cli, tmp_path, lexicon, encoding):
    text = "Zoë sat on the bank."
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    refused = cli("wsd", "tag", "a.txt", "--preset", "fast")
    assert (refused.code, refused.out) == (2, "")
    assert "--encoding" in refused.err
    assert ("UTF-16" in refused.err) == (encoding == "utf-16")
    senses = json.loads(cli("wsd", "tag", "a.txt", "--encoding", encoding, "--json", "--preset", "fast").out)["senses"]
    assert [text[sense["start"] : sense["end"]] for sense in senses] == ["sat", "bank"]
    assert cli("wsd", "tag", "a.txt", "--encoding", encoding, "--out", "answers", "--preset", "fast").code == 0
    assert json.loads((tmp_path / "answers" / "a.txt.json").read_text())["senses"] == senses


@pytest.mark.parametrize("name", ["latin-11", "hex"])
def test_an_encoding_that_is_none_is_refused(cli, name):
    refused = cli("wsd", "tag", "A river.", "--encoding", name)
    assert refused.code == 2
    assert f"no encoding named '{name}'" in refused.err
