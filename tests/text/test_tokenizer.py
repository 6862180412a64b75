"""Text that is cut into sentences of words."""

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swarmkit_text.tokenizer import LONGEST, MARGIN, split_passages, split_sentences


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
    # Underscores are italics, or part of a word.
    spelt = "".join("".join(word.surface for word in words).split())
    assert spelt.replace("_", "") == "".join(text.split()).replace("_", "")


PIECES = [
    "a", "The ", "word ", "A. ", "No. ", "No. 5 ", "Inc. ", "U.S. ", "Mr. ", "it's ", "can't ", "n't", "'s", "\u2019ll",
    "end. ", "...", "!?", "\u2026", '"', "'", ")", "-", "--", "&", "1,", "5:", "/6", " 7 ", "\n", "\n\n", "  \n \n ",
    " ", "http://x.org/y", "www." + "z" * 1990, "me.x@", "foo.org", "\u0301", "x" * MARGIN, " " * MARGIN,
]  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(1, 400), st.lists(st.integers(0, 10**6)))
def test_sentences_are_the_same_however_the_text_arrives(pieces, times, cuts):
    text = "".join(pieces) * times
    text = text[: 20 * MARGIN]
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    arrived = split_passages(text[begin:end] for begin, end in pairwise(edges))
    found = [[(word.surface, start + word.start) for word in words] for _, start, words in arrived]
    assert found == [[(word.surface, word.start) for word in words] for words in split_sentences(text)]


def test_a_sentence_is_given_before_the_text_has_ended():
    def blocks():
        yield "This is one. " * (4 * MARGIN // 10)
        raise AssertionError("asked for more before it was needed")

    assert [word.surface for word in next(split_passages(blocks())).words] == ["This", "is", "one", "."]


def test_one_endless_word_takes_no_more_than_linear_time():
    begun = perf_counter()
    assert sum(len(words) for _, _, words in split_passages("x" * 1000 for _ in range(3000))) == 1
    assert perf_counter() - begun < 5
