import json

import numpy as np
import pytest

from swarmkit import UsageError, evaluate, local_search
from swarmkit_wsd import disambiguate
from swarmkit_wsd.answers import Answers
from tests.wsd.at_hand import OUR_UNIFIED

pytestmark = pytest.mark.usefixtures("source")

TEXT = "The bank was steep. He walked along it and saw the deposit."
RIVER, MONEY = "bank%1:17:01::", "bank%1:14:00::"


def keys(text, **more):
    return {sense.start: sense.key for sense in disambiguate(text, preset="fast", **more)}


def test_a_known_sense_is_answered_as_given_and_pulls_its_neighbours():
    alone, pulled = keys(TEXT), keys(TEXT, known={4: RIVER})
    assert alone[4] == MONEY
    assert pulled[4] == RIVER
    assert pulled[13] != alone[13]
    assert keys(TEXT, known={4: MONEY}) == alone == keys(TEXT, known={})


@pytest.mark.parametrize("preset", ["fast", "best", "paper"])
def test_answers_passed_back_are_kept(preset):
    for text in (TEXT, ["The", "river", "flooded", "its", "bank"]):
        found = disambiguate(text, preset=preset)
        again = disambiguate(text, preset=preset, known={sense.start: sense.key for sense in found})
        assert [(sense.start, sense.key) for sense in again] == [(sense.start, sense.key) for sense in found]
        assert {sense.confidence for sense in again} == {1.0}


def test_a_known_sense_is_certain_and_has_no_alternatives():
    found = disambiguate(TEXT, preset="fast", known={4: RIVER}, answers=Answers(min_confidence=1.0, alternatives=2))
    assert [(sense.word, sense.confidence, sense.alternatives) for sense in found] == [("bank", 1.0, ())]


def test_a_known_sense_counts_over_the_tagger_and_the_targets():
    words = ["They", "bank", "on", "rain"]
    assert keys(words, pos=[None, "v", None, "n"], targets=[3], known={1: RIVER})[1] == RIVER
    assert keys("They bank on it.", known={5: RIVER})[5] == RIVER


def test_part_of_an_entry_or_the_whole_entry_may_be_known():
    text = "The attorney general resigned."
    whole, part = "attorney_general%1:18:00::", "general%1:18:00::"
    assert keys(text)[4] == keys(text, known={4: whole})[4] == whole
    found = keys(text, known={13: part})
    assert (found[4].partition("%")[0], found[13]) == ("attorney", part)
    with pytest.raises(UsageError, match="is the sense of 'attorney general', of which general%1:18:00:: has a part"):
        keys(text, known={4: whole, 13: part})


def test_places_count_in_every_piece_of_a_long_text():
    text = "The boat left the bank of the river at dawn. " * 400
    places = [text.index("bank"), text.rindex("bank")]
    found = keys(text, known=dict.fromkeys(places, MONEY))
    assert [found[place] for place in places] == [MONEY, MONEY]
    assert list(found.values()).count(MONEY) == 2


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({4: "river%1:17:00::"}, r"is not a sense of 'bank'; expected one of bank%1:17:01:: \(bank.n.01\), bank%1:14"),
        ({5: RIVER}, r"no word begins at 5; words begin at 0 \(The\), 4 \(bank\)"),
        ({400: RIVER}, "no word begins at 400; the text ends before it"),
        ({-1: RIVER}, "the place '-1' is not a whole number from 0"),
        ({4: 3}, "expected a sense key such as"),
        ({4: RIVER, "4": RIVER}, "the place 4 is given twice"),
        ([RIVER], "expected sense keys by place"),
    ],
)
def test_what_is_not_a_sense_of_a_word_is_refused(known, said):
    with pytest.raises(UsageError, match=said):
        disambiguate(TEXT, preset="fast", known=known)


@pytest.mark.parametrize("solver", [[], ["--algo", "icm"], ["--algo", "dbees"]])
def test_a_corpus_annotated_in_part_is_completed(cli, tmp_path, solver):
    gold = OUR_UNIFIED.gold.read_text().splitlines(keepends=True)
    (tmp_path / "half.key").write_text("".join(gold[::2]))
    command = ["wsd", "annotate", str(OUR_UNIFIED.xml), "--preset", "fast", "--key", str(OUR_UNIFIED.gold), *solver]
    alone = json.loads(cli(*command, "--out", "alone.key", "--json").out)
    said = cli(*command, "--keep", "half.key", "--out", "whole.key", "--json")
    assert said.code == 0, said.err
    whole = json.loads(said.out)
    assert whole["kept"] == len(gold[::2])
    written = (tmp_path / "whole.key").read_text().splitlines(keepends=True)
    assert len(written) == len(gold)
    assert set(gold[::2]) <= set(written)
    assert whole["metrics"]["f1"] > alone["metrics"]["f1"]


def test_several_kept_keys_are_written_as_they_are_and_scored_by_the_official_rule(cli, tmp_path):
    name = OUR_UNIFIED.gold.read_text().split()[0]
    key = OUR_UNIFIED.gold.read_text().split()[1]
    (tmp_path / "one.key").write_text(f"{name} gone%9:99:99:: {key}\n".replace("%9:99", "%1:99"))
    said = cli("wsd", "annotate", str(OUR_UNIFIED.xml), "--keep", "one.key", "--out", "a.key", "--preset", "fast")
    assert said.code == 0, said.err
    assert f"{name} gone%1:99:99:: {key}\n" in (tmp_path / "a.key").read_text()


@pytest.mark.parametrize(
    ("line", "said"),
    [("d999.s000.t000 bank%1:17:01::", "is not in the corpus"), ("{first} zebra%1:05:00::", "expected one of")],
)
def test_kept_answers_that_do_not_fit_the_corpus_are_refused(cli, tmp_path, line, said):
    first = OUR_UNIFIED.gold.read_text().split()[0]
    (tmp_path / "bad.key").write_text(line.format(first=first) + "\n")
    refused = cli("wsd", "annotate", str(OUR_UNIFIED.xml), "--keep", "bad.key", "--out", "a.key", "--preset", "fast")
    assert refused.code == 2
    assert said in " ".join(refused.err.split())
    assert not (tmp_path / "a.key").exists()


def test_local_search_leaves_fixed_stages_alone(lexicon):
    from swarmkit import make_problem

    problem = make_problem("wsd", text=TEXT, preset="fast")
    x = np.zeros((1, len(problem.sizes)), np.int64)
    every = {stage: int(size) - 1 for stage, size in enumerate(problem.sizes)}
    for fixed in ({0: 1}, every):
        found = local_search(problem, x, "icm", np.random.default_rng(0), fixed)
        assert all(found.solutions[0][stage] == candidate for stage, candidate in fixed.items())
        assert found.scores[0] == pytest.approx(evaluate(problem, found.solutions)[0])


@pytest.mark.parametrize("word", ["1", "bank", "BANK", "bank#1"])
def test_the_command_takes_known_senses_by_number_or_word(cli, word):
    said = cli("wsd", "tag", "The bank was a bank.", "--known", f"{word}={MONEY}", "--preset", "fast", "--json")
    first = next(one for one in json.loads(said.out)["senses"] if one["start"] == 4)
    assert (first["key"], first["confidence"]) == (MONEY, 1.0)


def test_the_command_takes_known_senses_of_several_words(cli):
    text, whole = "The attorney general sat at the 'bank' of the second bank.", "attorney_general%1:18:00::"
    command = ["wsd", "tag", text, "--preset", "fast", "--json", "--known"]
    said = cli(*command, f"attorney general={whole}", "--known", f"6={RIVER}", "--known", f"bank#2={MONEY}")
    found = {one["start"]: one["key"] for one in json.loads(said.out)["senses"]}
    assert [found[place] for place in (4, text.index("bank"), text.rindex("bank"))] == [whole, RIVER, MONEY]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (["bank"], "expected WORD=SENSE, such as 3=bank"),
        ([f"9={RIVER}"], "the text has 4 words; expected 0 to 3"),
        ([f"river={RIVER}"], "the text has no such word"),
        ([f"bank#2={RIVER}"], "the text has the word 1 times"),
        ([f"1={RIVER}", f"bank={MONEY}"], "the word has a sense already"),
        (["1=river%1:17:00::"], "is not a sense of 'bank'"),
    ],
)
def test_known_senses_that_do_not_fit_the_text_are_refused_by_the_command(cli, known, said):
    options = [part for one in known for part in ("--known", one)]
    refused = cli("wsd", "tag", "The bank was steep.", "--preset", "fast", *options)
    assert refused.code == 2
    assert said in " ".join(refused.err.split())


def test_known_senses_go_with_one_text(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "The bank."}\n')
    assert "in JSON Lines a field of each line" in cli("wsd", "tag", "a.jsonl", "--known", f"1={RIVER}").err
    assert "goes with one text; there are 2" in cli("wsd", "tag", "A bank.", "A river.", "--known", f"1={RIVER}").err


def test_known_senses_of_json_lines_count_characters(cli, tmp_path):
    line = {"id": 1, "text": "The bank was steep.", "known": {"4": MONEY}}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n")
    (found,) = cli("wsd", "tag", "a.jsonl", "--preset", "fast").out.splitlines()
    assert {one["start"]: one["key"] for one in json.loads(found)["senses"]}[4] == MONEY


def test_a_known_sense_may_be_named_by_its_synset(cli):
    assert keys(TEXT, known={4: "bank.n.01"}) == keys(TEXT, known={4: RIVER})
    assert keys(TEXT, known={4: "bank.n.02"}) == keys(TEXT, known={4: MONEY})
    with pytest.raises(
        UsageError, match=r"'bank.n.77' is not a sense of 'bank'; expected one of bank%1:17:01:: \(bank"
    ):
        keys(TEXT, known={4: "bank.n.77"})
    answer = cli("wsd", "tag", TEXT, "--preset", "fast", "--known", "bank=bank.n.01", "--json")
    assert json.loads(answer.out)["senses"][0]["key"] == RIVER
