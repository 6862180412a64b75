"""Probabilities of tags, compared with the sum over all sequences of tags."""

from itertools import product
from math import exp, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit_text.posteriors import posteriors

START, END = (0, 1), 2
TAGS = (3, 4, 5)


def by_enumeration(likelihoods, transitions):
    """The definition: every sequence of tags with its probability."""
    totals = [dict.fromkeys(own, 0.0) for own in likelihoods]
    for tags in product(*likelihoods):
        path = [*START, *tags]
        chain = [exp(transitions[path[at], path[at + 1]][tag]) for at, tag in enumerate([*tags, END])]
        value = prod(chain) * prod(own[tag] for own, tag in zip(likelihoods, tags, strict=True))
        for total, tag in zip(totals, tags, strict=True):
            total[tag] += value
    return [{tag: share / sum(total.values()) for tag, share in total.items()} for total in totals]


logarithms = st.floats(-5, 0)
models = st.fixed_dictionaries(
    {
        pair: st.fixed_dictionaries(dict.fromkeys((*TAGS, END), logarithms))
        for pair in product((0, 1, *TAGS), (1, *TAGS))
    }
)
sentences = st.lists(
    st.dictionaries(st.sampled_from(TAGS), st.floats(0.01, 1), min_size=1, max_size=3), min_size=1, max_size=4
)


@settings(deadline=None, max_examples=60)
@given(sentences, models)
def test_tags_have_the_probability_of_all_sequences_that_contain_them(likelihoods, transitions):
    found = posteriors(likelihoods, transitions, START, END)
    for own, expected in zip(found, by_enumeration(likelihoods, transitions), strict=True):
        assert own == pytest.approx(expected, abs=1e-5)
        assert list(own.values()) == sorted(own.values(), reverse=True)


def test_a_transition_that_the_model_does_not_have_is_all_but_impossible():
    nothing = {pair: {} for pair in product((0, 1, *TAGS), (1, *TAGS))}
    (own,) = posteriors([{3: 1.0, 4: 0.5}], nothing | {START: {4: -1.0}}, START, END)
    assert own[4] > 1 - 1e-15
