"""The problem `wsd-redundancy`: Cowie's energy, counted by hand, on the words and answers of the problem `wsd`."""

import itertools
from collections import Counter

import numpy as np
import pytest

import swarmkit
from swarmkit.testing import check_problem
from tests.wsd.at_hand import OUR_COARSE

pytestmark = pytest.mark.usefixtures("source")

TEXT = "The bank of the river was steep. A star shone in the night sky."


def energy(problem, x):
    """1 / (1 + R) of each sentence, a stem that occurs x times in the chosen definitions counting x - 1."""
    total = 0.0
    for part in problem.parts:
        starts, stems = part.problem.descriptions()
        slots = np.cumsum(part.problem.sizes) - part.problem.sizes + x[part.stages]
        counts = Counter(stem for slot in slots for stem in stems[starts[slot] : starts[slot + 1]].tolist())
        total += 1 / (1 + sum(times - 1 for times in counts.values()))
    return total


def test_the_energy_is_what_cowie_counts():
    problem = swarmkit.make_problem("wsd-redundancy", text=TEXT)
    X = np.random.default_rng(0).integers(problem.sizes, size=(50, len(problem.sizes)))
    assert problem.score(X) == pytest.approx([energy(problem, x) for x in X])
    assert len(set(problem.score(X))) > 3


def test_definitions_are_those_of_the_senses(lexicon):
    problem = swarmkit.make_problem("wsd", text="bank", preset="paper")
    starts, words = problem.descriptions()
    assert len(starts) == len(problem.senses) + 1
    assert all(end > begin for begin, end in itertools.pairwise(starts))
    assert len(words) == starts[-1]


def test_it_is_a_black_box_with_the_words_and_answers_of_wsd():
    options = {"corpus": str(OUR_COARSE.xml), "key": str(OUR_COARSE.gold)}
    problem = swarmkit.make_problem("wsd-redundancy", **options)
    same = swarmkit.make_problem("wsd", preset="paper", order="text", **options)
    x = np.array(swarmkit.solve(problem, "random", seed=1).solution)
    assert problem.structure.black_box
    assert problem.answer_lines(x) == same.answer_lines(x)
    assert problem.metrics(x) == same.metrics(x)


def test_it_keeps_the_contract_of_problems():
    check_problem(swarmkit.make_problem("wsd-redundancy", text=TEXT))


def test_cowies_schedule_ends_and_finds_what_enumeration_finds():
    problem = swarmkit.make_problem("wsd-redundancy", text="The crane lifted a beam.")
    params = {"temperature": 1.0, "proposals": 200, "chains": 1, "restarts": 0}
    found = swarmkit.solve(problem, "sa", params=params, looks=10**7)
    assert found.stopped == "done"
    assert found.score == pytest.approx(swarmkit.solve(problem, "exhaustive").score)
