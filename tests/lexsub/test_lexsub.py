"""Lexical substitution: candidates, their scores, the problem and its command."""

import json

import numpy as np
import pytest

import swarmkit
from swarmkit import UsageError, make_problem, solve
from swarmkit.testing import check_problem
from swarmkit_lexsub.fit import FITTED, FLOOR, Weights, find_substitutes, link_of, probabilities, rank, rank_substitutes
from swarmkit_lexsub.task_files import Item, read_answers
from swarmkit_lexsub.word_senses import read_item, read_text, select_targets
from tests.wsd.at_hand import REAL

BOY = "He was a bright boy."
ITEMS = (
    "bright.a\t1\t3\the was a bright boy .\n"
    "film.n\t2\t1\tthe film was shown in every cinema .\n"
    "take.v\t3\t2\tthe meeting takes place on monday .\n"
)
GOLD = "bright.a 1 :: intelligent 3;clever 2;smart 2;\nfilm.n 2 :: movie 4;picture 2;\ntake.v 3 :: occupy 1;have 1;\n"


@pytest.fixture(scope="module")
def boy(lexicon):
    problem, targets = read_text({"text": BOY})
    return problem, select_targets(targets, "bright")[0]


@pytest.fixture
def task(tmp_path):
    (tmp_path / "items").write_text(ITEMS)
    (tmp_path / "gold").write_text(GOLD)
    return tmp_path


def test_the_senses_of_a_target_have_probabilities(boy):
    _, target = boy
    assert (target.surface, target.lemma, target.pos, target.place) == ("bright", "bright", "a", (9, 15))
    assert target.words[target.start : target.end] == ("bright",)
    assert target.posteriors.sum() == pytest.approx(1)


def test_substitutes_come_from_the_senses_and_their_relations(boy):
    problem, target = boy
    found = find_substitutes(problem.lexicon, target)
    assert {found["smart"].relation, found["intelligent"].relation} == {"synonym", "similar"}
    assert "bright" not in found
    link = found["smart"]
    probability = target.posteriors[link.sense]
    assert link.value == pytest.approx(np.log((probability + FLOOR) / FLOOR))
    assert link_of(found, "Smart") == link
    assert link_of(found, "banana") is None


def test_every_substitute_has_the_part_of_speech_of_a_sense_of_the_target(boy):
    problem, target = boy
    kinds = {problem.lexicon.pos(int(one)).replace("s", "a") for one in problem.lexicon.sense_synset[target.senses]}
    links = find_substitutes(problem.lexicon, target).values()
    assert {problem.lexicon.pos(link.synset).replace("s", "a") for link in links} <= kinds


def test_the_context_decides_between_substitutes(lexicon):
    for sentence, best in (("The boy had a bright mind.", "smart"), ("The sun was bright.", "brilliant")):
        problem, targets = read_text({"text": sentence})
        found = rank_substitutes(problem, select_targets(targets, "bright")[0])
        assert found[0].name == best


def test_a_ranking_takes_any_candidates_and_does_not_care_how_frequent_they_are(boy):
    problem, target = boy
    names = ["banana", "intelligent", "take care of", "smart"]
    order = [one.name for one in rank(problem, target, names)]
    assert sorted(order) == sorted(names)
    assert set(order[:2]) == {"intelligent", "smart"}
    louder = rank(problem, target, names, FITTED._replace(frequency=99.0, phrase=99.0))
    assert [one.name for one in louder] == order


def test_scores_are_the_weighted_features(boy):
    problem, target = boy
    by_relation = rank_substitutes(problem, target, Weights(1, 0, 0, 0))
    assert all(one.score == pytest.approx(one.link.value, abs=1e-4) for one in by_relation)
    [found] = [one for one in rank_substitutes(problem, target, Weights(0, 0, 1, 0)) if one.name == "intelligent"]
    assert found.score == pytest.approx(np.log1p(problem.lexicon.count("intelligent", "a")), abs=1e-4)
    by_phrase = rank_substitutes(problem, target, Weights(0, 0, 0, -1))
    assert {one.score for one in by_phrase if " " in one.name} <= {-1.0}
    assert probabilities(np.array([one.score for one in by_relation])).sum() == pytest.approx(1)


def test_without_the_model_substitutes_come_from_senses_and_counts(lexicon):
    problem, [_, target, _] = read_text({"text": BOY, "preset": "fast"})
    assert problem.model is None
    assert rank_substitutes(problem, target)


def test_an_item_gives_lemma_and_part_of_speech(lexicon):
    words = ("we", "bar", "them", "from", "the", "room")
    for name, kind in (("bar.n", "n"), ("bar.n.v", "v")):
        problem, target = read_item(Item(name, "1", words, 1), {"preset": "fast"})
        assert {problem.lexicon.pos(int(one)) for one in problem.lexicon.sense_synset[target.senses]} == {kind}
    assert read_item(Item("xyzzy.n", "1", words, 1), {"preset": "fast"})[1] is None


def test_the_problem_keeps_the_contract(lexicon):
    check_problem(make_problem("lexsub", text=BOY, candidates=3, preset="fast"))


@pytest.mark.parametrize("solver", ["dbees", "sa", "ga", "ils", "tabu", "toulbar2"])
def test_solvers_run_unchanged_and_find_the_optimum_of_a_sentence(lexicon, solver):
    problem = make_problem("lexsub", candidates=5, preset="fast")
    best = solve(problem, "exhaustive").score
    found = solve(problem, solver, seed=1, looks=200_000)
    assert found.score == pytest.approx(best)


def test_words_of_a_text_influence_each_other(lexicon):
    text = "The boy and the lad met."
    free, tied = (make_problem("lexsub", text=text, repetition=cost, preset="fast") for cost in (0, 50))
    names = [{row["substitute"] for row in one.describe(np.array(solve(one, "icm").solution))} for one in (free, tied)]
    assert len(names[1]) == len(tied.sizes)
    assert len(free.form.edges) == len(tied.form.edges) > 0


def test_items_of_a_file_are_apart_and_scored(task, lexicon):
    problem = make_problem("lexsub", file=str(task / "items"), gold=str(task / "gold"), preset="fast")
    assert len(problem.sizes) == 3
    assert len(problem.form.edges) == 0
    names = [[one.name for one in stage.substitutes] for stage in problem.stages]
    x = np.array([names[0].index("smart"), names[1].index("movie"), names[2].index("occupy")])
    assert problem.metrics(x)["best"] == pytest.approx(100 * (2 / 7 + 4 / 6 + 1 / 2) / 3)
    assert problem.metrics(x)["best mode"] == pytest.approx(100 / 2), "of the film and the boy, who is intelligent"


def test_a_scene_has_the_text_and_the_substitutes(lexicon):
    scene = make_problem("lexsub", text=BOY, words="bright", preset="fast").view().scene
    assert scene["stages"] == ["bright"]
    assert ["bright", 0] in scene["text"]
    assert len(scene["candidates"][0]) == len(scene["glosses"][0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"text": BOY, "words": "xyz"}, "'xyz' is not among the words of the text that have senses: was, bright, boy"),
        ({"text": BOY, "file": "x"}, "'text' and 'file' are both given"),
        ({"gold": "x"}, "'gold' goes with 'file'"),
        ({"file": "x", "words": "y"}, "'words' goes with a text"),
    ],
)
def test_wrong_options_are_refused(lexicon, options, said):
    with pytest.raises(UsageError, match=said):
        make_problem("lexsub", preset="fast", **options)


def test_the_command_answers_every_occurrence(cli, lexicon):
    said = cli("wsd", "substitute", "A bank of the river near the bank.", "--word", "Bank", "--json", "--most", "3")
    document = json.loads(said.out)
    places = [(one["word"], one["start"], one["end"]) for one in document["targets"]]
    assert places == [("bank", 2, 6), ("bank", 29, 33)]
    for target in document["targets"]:
        assert len(target["substitutes"]) == 3
        shares = [one["probability"] for one in target["substitutes"]]
        assert shares == sorted(shares, reverse=True)
    assert document["preset"] == "best"


def test_the_command_shows_a_table(cli, lexicon):
    said = cli("wsd", "substitute", BOY, "--word", "bright", "--preset", "fast")
    assert said.code == 0
    assert "He was a [ bright ] boy ." in said.out
    assert "smart" in said.out
    assert "preset fast" in said.out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((BOY,), "expected --word"),
        ((BOY, "--word", " "), "expected --word"),
        ((BOY, "--word", "girl"), "'girl' is not among the words"),
        (("They waited angrily.", "--word", "angrily", "--preset", "fast"), "no substitute for 'angrily'"),
        ((BOY, "--word", "he,boy"), "takes one word"),
        (("--word", "boy"), "expected a text"),
        (("--file", "items"), "--file needs --out"),
        (("--file", "items", "--out", "x", "--kind", "ranked"), "needs --gold"),
        (("--file", "items", "--out", "x", "--kind", "wurst"), "no kind of answers named 'wurst'"),
        (("--score", "x"), "--score needs --gold"),
        ((BOY, "--word", "boy", "--gold", "x"), "--gold goes with"),
    ],
)
def test_wrong_use_of_the_command_is_refused(cli, lexicon, given, said):
    answer = cli("wsd", "substitute", *given)
    assert answer.code == 2
    assert said in answer.err


def test_files_of_the_task_are_answered_and_scored(cli, task, lexicon):
    items, gold = str(task / "items"), str(task / "gold")
    for kind in ("best", "oot", "ranked"):
        out = task / kind
        given = "--file", items, "--out", str(out), "--kind", kind, "--gold", gold, "--preset", "fast", "--json"
        at_once = json.loads(cli("wsd", "substitute", *given).out)
        later = json.loads(cli("wsd", "substitute", "--score", str(out), "--gold", gold, "--json").out)
        assert {name: at_once[name] for name in later} == later
        assert (at_once["items"], at_once["answered"]) == (3, 3)
        written, answers = read_answers(out)
        assert written == kind
        assert len(answers["2"].substitutes) == {"best": 1, "oot": 10, "ranked": 2}[kind]
    assert later["gap"] > 50
    refused = cli("wsd", "substitute", "--file", items, "--out", str(out))
    assert refused.code == 2
    assert "--force" in refused.err
    assert "best: precision" in cli("wsd", "substitute", "--score", str(task / "best"), "--gold", gold).out


def test_answers_to_other_items_are_refused(cli, task):
    (task / "answers").write_text("bright.a 99 :: clever\n")
    said = cli("wsd", "substitute", "--score", str(task / "answers"), "--gold", str(task / "gold"))
    assert said.code == 2
    assert "answers the item 99" in said.err


@pytest.mark.long
@pytest.mark.skipif(not (REAL / "lexsub").is_dir(), reason="needs the trial data of SemEval-2007 task 10")
def test_trial_items_are_answered_well(lexicon, tmp_path):
    lines = (REAL / "lexsub" / "lst_trial.preprocessed").read_text().splitlines(keepends=True)
    gold = (REAL / "lexsub" / "lst_trial.gold").read_text().splitlines(keepends=True)
    (tmp_path / "items").write_text("".join(lines[::6]))
    (tmp_path / "gold").write_text("".join(gold[::6]))
    problem = make_problem("lexsub", file=str(tmp_path / "items"), gold=str(tmp_path / "gold"), candidates=10)
    x = np.array(swarmkit.solve(problem, "icm").solution)
    assert problem.metrics(x)["best"] > 12  # of all items 17.8, cross-validated (docs/lexsub.md)
