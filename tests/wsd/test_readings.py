"""Readings of raw text's words in the problem."""

from itertools import pairwise

import numpy as np
import pytest

import swarmkit
from swarmkit_text.corpus import Corpus, Reading, Sentence, Text, Token
from swarmkit_text.english import EnglishReader
from swarmkit_text.sentences import read_text
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.units import covered_stages, likeliest, read_units, weigh_readings

pytestmark = pytest.mark.usefixtures("source")

TEXT = "The bell tower of the church fell down. She left the left glove at home, of course."


def targets(lexicon, text=TEXT):
    corpus = Corpus("unified", (Text("d000", tuple(read_text(text, EnglishReader(lexicon)))),))
    (unit,) = read_units(corpus, lexicon, "document", "text")
    return unit


def test_candidates_are_the_senses_of_all_readings(lexicon):
    for target in targets(lexicon):
        assert len(target.readings) >= 1
        assert [reading.bias for reading in target.readings] == sorted(
            (reading.bias for reading in target.readings), reverse=True
        )
        assert sum(np.exp(reading.bias) for reading in target.readings) == pytest.approx(1, abs=1e-3)
        for candidate, sense in enumerate(target.senses.tolist()):
            reading = target.reading_of(candidate)
            assert sense in lexicon.senses(reading.lemma, reading.pos)
            assert TEXT[reading.start : reading.end] == reading.surface
        assert sum(len(target.senses_of(number)) for number in range(len(target.readings))) == len(target.senses)


def test_the_best_senses_of_readings_differ_by_their_biases(lexicon):
    unit = targets(lexicon)
    unary = np.random.default_rng(1).random(sum(len(target.senses) for target in unit))
    weighed = weigh_readings(unary, unit, np.full(len(unit), 2.0))
    begin = 0
    for target in unit:
        own, before = weighed[begin : begin + len(target.senses)], unary[begin : begin + len(target.senses)]
        begin += len(target.senses)
        if len(target.readings) == 1:
            assert (own == before).all()
            continue
        best = [own[target.reading == number].max() for number in range(len(target.readings))]
        expected = [2.0 * reading.bias for reading in target.readings]
        assert np.allclose(np.diff(best), np.diff(expected))
        assert own.min() == 0
        for number in range(len(target.readings)):
            mine = target.reading == number
            assert np.allclose(np.diff(own[mine]), np.diff(before[mine]))


def test_words_inside_a_chosen_entry_have_no_answer(lexicon):
    unit = targets(lexicon)
    at = next(at for at, target in enumerate(unit) if any(" " in reading.surface for reading in target.readings))
    several = next(n for n, reading in enumerate(unit[at].readings) if " " in reading.surface)
    x = np.zeros(len(unit), np.int64)
    x[at] = int(np.flatnonzero(unit[at].reading == several)[0])
    inside = unit[at].readings[several]
    hidden = covered_stages(unit, x)
    assert hidden
    assert at not in hidden
    assert all(inside.start <= unit[stage].token.start < inside.end for stage in hidden)
    problem = swarmkit.make_problem("wsd", text=TEXT, preset="fast")
    assert {row["word"] for row in problem.describe(x)} >= {inside.surface}
    assert len(problem.describe(x)) == len(unit) - len(covered_stages(unit, x))


def test_a_chain_has_one_reading_a_word_and_no_word_twice(lexicon):
    problem = swarmkit.make_problem("wsd", text=TEXT, preset="paper", order="text")
    assert all(len(target.readings) == 1 for target in problem.targets)
    spans = [(target.token.start, target.token.end) for target in problem.targets]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert problem.structure.chain is not None


def test_the_likeliest_reading_replaces_the_words_that_it_covers():
    head = Token("tower", "tower", "n", 5, 10, "t1", (Reading("bell tower", 0, 10, "bell_tower", "n", -0.1),))
    sentence = Sentence("s", (Token("bell", "bell", "n", 0, 4, "t0"), head, Token("fell", "fall", "v", 11, 15, "t2")))
    assert [(token.surface, token.lemma) for token in likeliest(sentence).tokens] == [
        ("bell tower", "bell_tower"),
        ("fell", "fall"),
    ]


def test_gold_tokens_have_one_reading_and_their_values_are_not_touched(lexicon):
    tokens = (Token("banks", "bank", "n", 0, 1, "t0"), Token("Crane", "crane", "n", 1, 2, "t1"))
    corpus = Corpus("unified", (Text("d", (Sentence("s", tokens),)),))
    problem = WordSenses(corpus, lexicon, WsdOptions(preset="fast"))
    assert [len(target.senses) for target in problem.targets] == [
        len(lexicon.senses(lemma, "n")) for lemma in ("bank", "crane")
    ]
    counts = lexicon.sense_count[problem.senses]
    assert np.allclose(problem.form.unary, 0.01 * np.log1p(counts), atol=1e-6)


def test_words_with_a_lemma_in_common_are_not_related(lexicon):
    problem = swarmkit.make_problem("wsd", text="She left the left glove.", preset="fast")
    words = [target.token.start for target in problem.targets]
    assert words[:2] == [4, 13]
    assert [0, 1] not in problem.form.edges.tolist()


def test_a_heavy_weight_leaves_the_most_probable_readings():
    problem = swarmkit.make_problem("wsd", text=TEXT, preset="fast", reading_weight=1000.0)
    x = problem.default_solution()
    assert [target.reading[x[stage]] for stage, target in enumerate(problem.targets)] == [0] * len(problem.targets)
