"""Text that is cut into sentences of words."""

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swarmkit_wsd.text.tokenizer import LONGEST, split_sentences


def cut(text):
    return [[word.surface for word in sentence] for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\n \t", []),
        ("He left. She stayed!", [["He", "left", "."], ["She", "stayed", "!"]]),
        ("Mr. J. R. Smith came.", [["Mr.", "J.", "R.", "Smith", "came", "."]]),
        ("The U.S. Army. The U.S. It rained.", [["The", "U.S.", "Army", "."], ["The", "U.S."], ["It", "rained", "."]]),
        ('"Why?" he asked. "No."', [['"', "Why", "?", '"', "he", "asked", "."], ['"', "No", ".", '"']]),
        ("(Yes.) Well… So?!", [["(", "Yes", ".", ")"], ["Well", "…"], ["So", "?!"]]),
        ("It's $5,000.50 at 10:30 a.m. now.", [["It", "'s", "$", "5,000.50", "at", "10:30", "a.m.", "now", "."]]),
        ("No. 5 is it. No. I see.", [["No.", "5", "is", "it", "."], ["No", "."], ["I", "see", "."]]),
        ("HEADLINE\n\nnew paragraph\nsame", [["HEADLINE"], ["new", "paragraph", "same"]]),
        ("I can't; it\u2019s Jo's.", [["I", "ca", "n't", ";", "it", "\u2019s", "Jo", "'s", "."]]),
        ("a co-author and/or AT&T", [["a", "co-author", "and", "/", "or", "AT&T"]]),
        ("https://example.org/a?b=c, or me@x.org.", [["https://example.org/a?b=c", ",", "or", "me@x.org", "."]]),
        ("end.Next file.txt", [["end", "."], ["Next", "file.txt"]]),
    ],
)  # fmt: skip
def test_text_is_cut_into_sentences_of_words(text, expected):
    assert cut(text) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a.",
        "a-",
        "a+",
        "'",
        "\n",
        " \n",
        "a'",
        "1,",
        "http://",
        "a@",
        "www.",
        "n't",
        "x ",
        "A. ",
        " ",
        "\u0301",
        "No.",
    ],
)
def test_no_text_costs_more_than_its_length(piece):
    text = piece * (200_000 // len(piece))
    begun = perf_counter()
    assert sum(map(len, split_sentences(text))) >= 0
    assert perf_counter() - begun < 5


def test_endless_sentences_are_cut():
    assert {len(sentence) for sentence in split_sentences("word " * (3 * LONGEST))} == {LONGEST}


@settings(deadline=None)
@given(st.text())
@example("\ud800 lone")
@example("a\u0301\u200db")
def test_every_word_stands_where_it_says(text):
    words = [word for sentence in split_sentences(text) for word in sentence]
    assert all(text[word.start : word.end] == word.surface for word in words)
    assert all(one.end <= two.start for one, two in pairwise(words))
    assert "".join("".join(word.surface for word in words).split()) == "".join(text.split())
