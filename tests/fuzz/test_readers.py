"""Mutated inputs are accepted or refused in a sentence, in bounded time and memory; --long takes many more."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import LONG
from tests.fuzz.isolation import isolated
from tests.fuzz.readers import READERS
from tests.fuzz.reading import warm

FACTOR = 20 if os.environ.get(LONG) else 1
EXAMPLES = {
    "checkpoints": 30,
    "stores": 8,
    "options": 20,
    "commands": 12,
    "tagging": 12,
    "models": 2,
    "substitution": 8,
    "files of runs": 8,
}


@pytest.fixture(scope="module", params=READERS, ids=lambda reader: reader.name)
def prepared(request, tmp_path_factory):
    """A reader, its sound inputs, and a folder."""
    if request.param.needs_wordnet:
        request.getfixturevalue("source")
    folder = tmp_path_factory.mktemp("fuzz")
    return request.param, warm(request.param, folder), folder


def test_no_mutated_input_is_an_internal_error(prepared):
    reader, samples, folder = prepared

    @settings(max_examples=FACTOR * EXAMPLES.get(reader.name, 15), database=None)
    @given(st.integers(0, 2**40))
    def check(seed):
        random = Random(seed)  # noqa: S311  (no secret)
        mutated = reader.mutate(random.choice(samples), random, folder)
        outcome = isolated(lambda: reader.read(mutated, folder))
        allowed = ("accepted", "refused", *(["memory"] if reader.memory_refused else []))
        assert outcome.kind in allowed, f"{outcome.kind}: {outcome.said}"

    check()
