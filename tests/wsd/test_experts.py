import io
import json
import shlex
import sys
import time
from contextlib import closing

import numpy as np
import pytest

from swarmkit import UsageError, evaluate, hookimpl, make_problem, solve
from swarmkit_wsd import Vote, disambiguate
from swarmkit_wsd.answers import Answers
from swarmkit_wsd.confidence import posteriors
from swarmkit_wsd.experts.interactive import Person
from swarmkit_wsd.experts.panel import Panel
from swarmkit_wsd.experts.program import Program
from swarmkit_wsd.experts.questions import ExpertGone, Question
from swarmkit_wsd.experts.votes import log_odds, with_votes
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("source")

TEXT = "The bank was steep. He walked along it and saw the deposit."
RIVER, MONEY = "bank%1:17:01::", "bank%1:14:00::"
TAG = ["wsd", "tag", "--preset", "fast", "--ask-below", "0.9"]
EXAMPLE = shlex.join([sys.executable, str(ROOT / "examples" / "expert.py")])


def senses(text=TEXT, *, preset="fast", **more):
    return {sense.start: sense for sense in disambiguate(text, preset=preset, **more)}


def votes_for(key, reliability=None):
    """An expert that knows one sense."""

    def expert(question):
        known = key in [one.key for one in question.candidates]
        return ((key, reliability) if reliability is not None else key) if known else None

    return expert


@pytest.mark.parametrize("preset", ["fast", "best", "paper"])
def test_experts_without_an_answer_and_no_experts_change_nothing(preset):
    plain = disambiguate(TEXT, preset=preset, answers=Answers(alternatives=3))
    for experts, below in (([], 0.9), ([lambda question: None], 1.0), ([votes_for(RIVER)], 0.0)):
        again = disambiguate(TEXT, preset=preset, answers=Answers(alternatives=3), experts=experts, ask_below=below)
        assert [one.model_dump_json() for one in again] == [one.model_dump_json() for one in plain]


def test_an_expert_sees_the_text_the_candidates_and_their_glosses():
    asked = []
    disambiguate("A day passed. " * 3 + TEXT, preset="fast", experts=[asked.append], ask_below=0.6)
    bank = next(question for question in asked if question.word == "bank")
    assert bank.text == "A day passed. The bank was steep. He walked along it and saw the deposit."
    assert bank.text[bank.start : bank.end] == "bank"
    assert (bank.lemma, bank.pos) == ("bank", "n")
    gloss = {one.key: one.gloss for one in bank.candidates}[RIVER]
    assert gloss == "sloping land (especially the slope beside a body of water)"
    confidence = [one.confidence for one in bank.candidates]
    assert confidence == sorted(confidence, reverse=True)
    assert confidence[0] < 0.6


def test_words_of_a_list_are_shown_with_spaces():
    asked = []
    disambiguate(["The", "bank", "was", "steep"], preset="fast", experts=[asked.append], ask_below=1.0)
    assert {question.text for question in asked} == {"The bank was steep"}
    assert [question.word for question in asked] == ["bank", "steep"]


def test_nobody_is_asked_about_be_and_have():
    asked = []
    disambiguate("He had a bank. It was steep.", preset="fast", experts=[asked.append], ask_below=1.0)
    assert [question.word for question in asked] == ["bank", "steep"]


def test_an_expert_that_raises_is_asked_no_more_and_no_answer_is_lost():
    def broken(question):
        raise ZeroDivisionError("by nothing")

    with pytest.warns(UserWarning, match="an expert raised ZeroDivisionError: by nothing; the other words"):
        assert disambiguate(TEXT, preset="fast", experts=[broken], ask_below=1.0) == [*senses().values()]


def test_a_failed_expert_shows_in_the_exit_code_of_a_batch_whose_answers_are_whole(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "The bank was steep."}\n')
    plain = cli(*TAG[:4], "a.jsonl")
    answer = cli(*TAG, "a.jsonl", "--expert", "a-program-that-nobody-has")
    assert (answer.code, answer.out) == (1, plain.out)
    assert "experts failed 1 times" in answer.err


def test_only_words_that_are_not_certain_are_asked_about():
    plain, asked = senses(), []
    disambiguate(TEXT, preset="fast", experts=[asked.append], ask_below=0.5)
    unsure = [sense.word for sense in plain.values() if sense.confidence < 0.5]
    assert [question.word for question in asked] == unsure
    assert 0 < len(unsure) < len(plain)
    known = {place: sense.key for place, sense in plain.items()}
    disambiguate(TEXT, preset="fast", experts=[asked.append], ask_below=1.0, known=known)
    assert len(asked) == len(unsure)


def test_a_vote_decides_and_its_neighbours_profit():
    plain = senses()
    voted = senses(experts=[votes_for(RIVER, 1.0)], ask_below=0.6)
    assert (plain[4].key, voted[4].key) == (MONEY, RIVER)
    assert voted[4].confidence > 0.99
    assert voted[13].key != plain[13].key  # steep was not voted on


@pytest.mark.parametrize("preset", ["fast", "best", "paper"])
@pytest.mark.parametrize("text", ["The bank was steep.", "They bank there."])
def test_the_posterior_of_a_vote_is_that_of_bayes_rule(preset, text):
    problem = make_problem("wsd", preset=preset, text=text)
    x = problem.default_solution()
    before, k = posteriors(problem, x)[0], int(problem.sizes[0])
    odds = np.zeros(k)
    odds[-1] = log_odds(0.7, k)
    after = posteriors(with_votes(problem, x, {0: odds}), x)[0]  # beside the same senses of the other words
    factors = np.where(odds > 0, 0.7 * (k - 1) / 0.3, 1.0)
    expected = before * factors / ((before * factors).sum() + 1 - before.sum())
    assert after == pytest.approx(expected, abs=1e-9)


def test_log_odds_of_several_experts_add_up():
    one = senses(experts=[votes_for(RIVER, 0.4)], ask_below=0.6)[4].confidence
    two = senses(experts=[votes_for(RIVER, 0.4)] * 2, ask_below=0.6)[4].confidence
    assert two > one
    against = senses(experts=[votes_for(RIVER, 0.8), votes_for(MONEY, 0.8)], ask_below=0.6)
    assert against[4].key == senses()[4].key


@pytest.mark.parametrize("k", [2, 5, 40])
def test_log_odds_rise_with_reliability_and_are_nothing_at_chance(k):
    found = [log_odds(r, k) for r in (0.0, 0.01, 1 / k, 0.6, 0.99, 1.0)]
    assert found == sorted(found)
    assert found[2] == pytest.approx(0.0, abs=1e-12)
    assert (found[0], found[-1]) == (-12.0, 12.0)


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_a_vote_can_change_the_part_of_speech(preset):
    text, noun = "They bank there.", "bank%1:17:01::"
    assert senses(text, preset=preset)[5].pos == "v"
    found = senses(text, preset=preset, experts=[votes_for(noun, 1.0)], ask_below=1.0)[5]
    assert (found.key, found.pos) == (noun, "n")


def test_the_reliability_is_that_of_the_answer_or_of_the_expert():
    def expert(question):
        return votes_for(RIVER)(question)

    expert.reliability = 0.3
    weak = senses(experts=[expert], ask_below=0.6)[4].confidence
    assert weak == senses(experts=[votes_for(RIVER, 0.3)], ask_below=0.6)[4].confidence
    assert senses(experts=[votes_for(RIVER)])[4].confidence == senses(experts=[votes_for(RIVER, 0.9)])[4].confidence
    vote = senses(experts=[lambda question: Vote(key=votes_for(RIVER)(question), reliability=0.9)])
    assert vote == senses(experts=[votes_for(RIVER, 0.9)])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (3, "an expert answered '3'; expected the key"),
        ((RIVER, 1.5), "reliability from 0 to 1"),
        ((RIVER, "0.9"), "reliability from 0 to 1"),
        ((RIVER, True), "reliability from 0 to 1"),
        ([RIVER], "expected the key of a candidate"),
    ],
)
def test_what_is_no_vote_is_refused(answer, said):
    with pytest.raises(UsageError, match=said):
        disambiguate(TEXT, preset="fast", experts=[lambda question: answer])


def test_wrong_experts_are_refused():
    with pytest.raises(UsageError, match="cannot be called"):
        disambiguate(TEXT, preset="fast", experts=[3])
    with pytest.raises(UsageError, match=r"no expert named 'interactiv'\. Did you mean 'interactive'"):
        disambiguate(TEXT, preset="fast", experts=["interactiv"])
    with pytest.raises(UsageError, match="ask_below is '2'; expected a probability"):
        disambiguate(TEXT, preset="fast", experts=[], ask_below=2)


def test_a_sense_of_another_word_is_no_vote():
    assert senses(experts=[lambda question: "river%1:17:00::"]) == senses()
    assert senses(experts=[lambda question: "nonsense"]) == senses()


def test_plugins_bring_experts_by_name(own_host):
    class Plugin:
        @staticmethod
        @hookimpl
        def swarmkit_experts():
            return {"river-guide": votes_for(RIVER, 1.0)}

    own_host().register(Plugin(), "guides", "a test")
    assert senses(experts=["river-guide"])[4].key == RIVER


def test_votes_are_kept_for_the_next_piece_of_a_long_text():
    text = "The bank was steep. " * 280
    asked = []

    def expert(question):
        asked.append(question)
        return votes_for(RIVER, 1.0)(question)

    found = disambiguate(text, preset="fast", experts=[expert], ask_below=0.95)
    banks = [sense for sense in found if sense.word == "bank"]
    assert len(banks) == 280
    assert {sense.key for sense in banks} == {RIVER}
    assert len(asked) <= len(found)  # nothing is asked twice


def test_a_problem_with_votes_is_whole_and_can_be_solved_by_any_solver():
    problem = make_problem("wsd", preset="paper", text=TEXT)
    x = problem.default_solution()
    odds = np.zeros(problem.sizes[0])
    odds[-1] = 12.0
    voted = with_votes(problem, x, {0: odds})
    result = solve(voted, "viterbi")
    assert result.solution[0] == problem.sizes[0] - 1
    assert result.score == pytest.approx(float(evaluate(voted, np.array([result.solution]))[0]))
    assert voted.fingerprint != problem.fingerprint
    assert problem.default_solution().tolist() == x.tolist()


# Programs


def question(word="bank"):
    return Question(text=word, word=word, start=0, end=len(word), lemma=word, pos="n", candidates=())


def python(code):
    return shlex.join([sys.executable, "-c", code])


def test_the_example_program_answers(cli):
    plain = json.loads(cli(*TAG[:4], TEXT, "--json").out)["senses"]
    said = cli(*TAG, TEXT, "--expert", EXAMPLE, "--json")
    assert (said.code, said.err) == (0, "")
    voted = json.loads(said.out)["senses"]
    assert voted[0]["key"] == RIVER or voted[0]["confidence"] != plain[0]["confidence"]
    table = cli(*TAG, TEXT, "--expert", EXAMPLE)
    assert "experts were asked about" in table.out


def test_a_program_may_talk_answer_late_and_state_its_reliability():
    code = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("thinking", flush=True)
    print(json.dumps({"id": asked["id"] - 1, "key": "too late"}))
    print(json.dumps({"id": asked["id"], "key": asked["word"] + "%", "reliability": 0.5}), flush=True)
"""
    with closing(Program(python(code), seconds=20)) as program:
        assert program(question("bank")) == Vote(key="bank%", reliability=0.5)
        assert program(question("ünïcode\nline")) == Vote(key="ünïcode\nline%", reliability=0.5)


@pytest.mark.parametrize(
    "answer", ['{"id": 1}', '{"id": 1, "key": null}', '{"id": 1, "key": 7}', '{"id": 1, "key": "a", "reliability": 7}']
)
def test_an_answer_without_a_key_is_no_vote(answer):
    with closing(Program(python(f"input(); print('{answer}'); input()"), seconds=20)) as program:
        assert program(question()) == Vote()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (python("raise SystemExit(3)"), "ended, with exit code 3"),
        (python("import time; time.sleep(60)"), "did not answer within 0.5 s"),
        (python("while True: print('y' * 10000)"), "did not answer within 0.5 s"),
        ("a-program-that-nobody-has", "cannot be started (No such file or directory)"),
    ],
    ids=["ends", "is silent", "talks only", "does not exist"],
)
def test_a_program_that_fails_is_reported_and_the_rest_goes_on(cli, command, said):
    plain = cli(*TAG[:4], TEXT, "--json")
    begun = time.monotonic()
    answer = cli(*TAG, TEXT, "--json", "--expert", command, "--expert-seconds", "0.5")
    assert time.monotonic() - begun < 20
    assert (answer.code, answer.out) == (1, plain.out)
    assert answer.err.count(said) == 1
    assert "the other words are answered without this expert" in answer.err


def test_no_shell_reads_the_command(cli, tmp_path):
    for command in (f"touch {tmp_path}/a; touch {tmp_path}/b", "true $(touch c) `touch c` > d"):
        assert cli(*TAG, TEXT, "--expert", command, "--expert-seconds", "5").code == 1
    assert {file.name for file in tmp_path.iterdir()} <= {"a;", "b", "touch"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--expert", "'open"], "no closing quotation"),
        (["--expert", " "], "an empty command"),
        (["--ask-below", "2", "--expert", "true"], "'--ask-below'"),
    ],
)
def test_options_of_experts_that_are_wrong_are_refused(cli, arguments, said):
    answer = cli("wsd", "tag", "--preset", "fast", TEXT, *arguments)
    assert answer.code == 2
    assert said in answer.err
    for option in (["--ask-below", "0.5"], ["--reliability", "1"], ["--expert-seconds", "3"]):
        assert "goes with --expert" in cli("wsd", "tag", TEXT, *option).err


def test_lines_of_a_batch_ask_too_whatever_the_number_of_processes(cli, tmp_path):
    lines = [{"id": at, "text": TEXT} for at in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    outputs = [cli(*TAG, "a.jsonl", "--expert", EXAMPLE, "--jobs", jobs) for jobs in ("1", "2")]
    assert [said.code for said in outputs] == [0, 0]
    assert outputs[0].out == outputs[1].out != cli(*TAG[:4], "a.jsonl").out
    direct = json.loads(cli(*TAG, TEXT, "--json", "--expert", EXAMPLE).out)["senses"]
    first = json.loads(outputs[0].out.splitlines()[0])["senses"]
    assert [sense["key"] for sense in first] == [sense["key"] for sense in direct]
    refused = cli(*TAG, "a.jsonl", "--expert", "interactive", "--jobs", "2")
    assert "one person is asked one question at a time" in refused.err


# Persons


def test_a_person_chooses_by_number_skips_and_stops():
    asked = []
    disambiguate(TEXT, preset="fast", experts=[asked.append], ask_below=0.6)
    shown = io.StringIO()
    person = Person(io.StringIO("x\n99\n2\n\nq\n"), shown)
    assert person(asked[0]) == Vote(key=asked[0].candidates[1].key)
    assert person(asked[1]) == Vote()
    with pytest.raises(ExpertGone):
        person(asked[1])
    text = shown.getvalue()
    assert "The [bank] was steep." in text
    assert "'99' is none of 1 to" in text
    assert asked[0].candidates[0].gloss in text


def test_a_person_who_stops_leaves_the_rest_to_the_score():
    said = []
    panel = Panel([Person(io.StringIO("q\n"), io.StringIO())], 0.9, notice=said.append)
    problem = make_problem("wsd", preset="fast", text=TEXT)
    assert panel.consult(problem) is problem
    assert said == ["no more questions; the other words are answered without this expert"]
    assert panel.asked == 1
