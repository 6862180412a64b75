"""Posteriors of senses, least confidence, alternatives, clusters."""

import json

import numpy as np
import pytest

import swarmkit
from swarmkit import UsageError
from swarmkit_wsd import disambiguate
from swarmkit_wsd.answers import Answers
from swarmkit_wsd.confidence import posteriors, read_clusters
from tests.wsd.at_hand import OUR_UNIFIED

TEXT = "He deposited his salary at the bank. The bark of the old tree was rough."


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_posteriors_are_distributions_and_the_chosen_sense_has_its_own(preset, lexicon):
    problem = swarmkit.make_problem("wsd", text=TEXT, preset=preset)
    x = problem.default_solution()
    found = posteriors(problem, x)
    assert [len(one) for one in found] == list(problem.sizes)
    assert np.allclose([one.sum() for one in found], [target.token.certainty for target in problem.targets])
    for stage, one in enumerate(found):
        assert one[x[stage]] == pytest.approx(one.max())


def test_alternatives_are_the_next_senses_by_probability(lexicon):
    senses = disambiguate(TEXT, answers=Answers(alternatives=2))
    (bank,) = [sense for sense in senses if sense.word == "bank"]
    assert len(bank.alternatives) == 2
    assert bank.confidence >= bank.alternatives[0].confidence >= bank.alternatives[1].confidence
    assert bank.key not in [other.key for other in bank.alternatives]
    assert all(not sense.alternatives for sense in disambiguate(TEXT))


def test_words_below_the_least_confidence_are_left_unanswered(lexicon):
    every = disambiguate(TEXT)
    least = sorted(sense.confidence for sense in every)[len(every) // 2]
    sure = disambiguate(TEXT, answers=Answers(min_confidence=least))
    assert [sense.word for sense in sure] == [sense.word for sense in every if sense.confidence >= least]
    assert 0 < len(sure) < len(every)


def test_a_cluster_sums_confidences_and_changes_no_answer(lexicon, tmp_path):
    every = disambiguate(TEXT, answers=Answers(alternatives=9))
    (bank,) = [sense for sense in every if sense.word == "bank"]
    other = bank.alternatives[0]
    file = tmp_path / "clusters"
    file.write_text(f"{bank.key} {other.key}\nzzz%1:03:00::\n")
    joined = disambiguate(TEXT, answers=Answers(clusters=read_clusters(file)))
    assert [sense.key for sense in joined] == [sense.key for sense in every]
    (clustered,) = [sense for sense in joined if sense.word == "bank"]
    assert clustered.confidence == pytest.approx(bank.confidence + other.confidence)


def test_a_file_of_clusters_with_something_else_in_it_is_refused(tmp_path):
    file = tmp_path / "clusters"
    file.write_text("bank%1:17:01::\nno key\n")
    with pytest.raises(UsageError, match="line 2"):
        read_clusters(file)


@pytest.mark.usefixtures("source")
def test_the_command_lists_alternatives_and_names_the_preset(cli):
    said = cli("wsd", "tag", TEXT, "--alternatives", "1", "--json")
    document = json.loads(said.out)
    assert document["preset"] == "best"
    assert all(len(sense["alternatives"]) <= 1 for sense in document["senses"])
    assert "preset best" in cli("wsd", "tag", TEXT).out
    assert "preset fast" in cli("wsd", "tag", TEXT, "--preset", "fast").out


@pytest.mark.usefixtures("source")
def test_annotate_leaves_unsure_instances_out(cli, tmp_path):
    def annotate(*more):
        arguments = ["wsd", "annotate", str(OUR_UNIFIED.xml), "--key", str(OUR_UNIFIED.gold), "--force", "--json"]
        said = cli(*arguments, "--out", str(tmp_path / "answers.key"), *more)
        return json.loads(said.out)["metrics"], (tmp_path / "answers.key").read_text().splitlines()

    every, lines = annotate()
    sure, fewer = annotate("--min-confidence", "0.8")
    assert set(fewer) < set(lines)
    assert sure["attempted"] < every["attempted"] == 1.0


@pytest.mark.parametrize("given", [("--preset", "fast", "-P", "preset=best"), ("--preset", "quick")])
def test_presets_given_twice_or_wrongly_are_refused(cli, given):
    assert cli("wsd", "tag", TEXT, *given).code == 2
