"""Fifty words in contexts that leave no doubt, written before the model existed."""

import tomllib
from pathlib import Path

import pytest

from swarmkit_wsd import disambiguate
from swarmkit_wsd.options import best_preset

TARGETS = tomllib.loads((Path(__file__).parent / "clear_contexts.toml").read_text())["target"]


@pytest.fixture(scope="module")
def right(lexicon) -> list[bool]:
    assert best_preset() == "best"
    found = []
    for target in TARGETS:
        keys = [sense.key for sense in disambiguate(target["text"]) if sense.word == target["word"]]
        found.append(bool(keys) and keys[0] in target["senses"])
    return found


def test_half_of_the_targets_are_not_the_first_sense(lexicon):
    first = [any(lexicon.sense_number[lexicon.sense_of_key(key)] == 1 for key in t["senses"]) for t in TARGETS]
    assert len(first) == 50
    assert sum(first) == 25


def test_at_least_46_of_50_words_in_clear_contexts_get_their_sense(right):
    wrong = [target["text"] for target, good in zip(TARGETS, right, strict=True) if not good]
    assert sum(right) >= 46, wrong


def test_the_mouse_of_the_readme_is_a_pointing_device_and_bought_means_acquired(lexicon):
    senses = {
        sense.word: sense.synset for sense in disambiguate("I bought a new wireless mouse for my Apple Mac laptop")
    }
    assert senses["mouse"] == "mouse.n.04"
    assert senses["bought"] == "buy.v.01"
