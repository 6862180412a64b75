"""Files of numbers: words in pieces of any size, and errors with the line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swarmkit
from swarmkit.files import numbers as module

words = st.lists(st.sampled_from(["1", "-2.5", "1e3", "007"]), max_size=30)
gaps = st.sampled_from([" ", "\n", "\t", "\r\n", "\n\n", "  "])


@given(words=words, gap=gaps, sizes=st.lists(st.integers(1, 9), max_size=9), block=st.integers(1, 12))
def test_numbers_are_the_same_in_pieces_of_any_size(tmp_path_factory, words, gap, sizes, block):
    path = tmp_path_factory.mktemp("numbers") / "a.txt"
    path.write_text(gap.join(words), newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        file = swarmkit.Numbers(path, "numbers")
        taken = []
        for size in sizes:
            if len(taken) + size <= len(words):
                taken += file.take(size, "a piece").tolist()
        assert taken == [float(word) for word in words[: len(taken)]]
        assert file.count == len(taken)
        with pytest.raises(swarmkit.UsageError, match=f"ends after {len(words) - len(taken)} numbers of the rest"):
            file.take(len(words) + 1, "the rest")


@given(words=st.lists(st.sampled_from(["1", "2"]), min_size=1, max_size=20), at=st.integers(0, 19), gap=gaps)
def test_an_error_names_the_line_of_the_word(tmp_path_factory, words, at, gap):
    at %= len(words)
    words[at] = "x"
    text = gap.join(words)
    line = len((text[: text.index("x")] + ".").splitlines())
    path = tmp_path_factory.mktemp("numbers") / "a.txt"
    path.write_text(text, newline="")
    with pytest.raises(swarmkit.UsageError, match=rf"a\.txt, line {line}: 'x' is not a number; expected numbers"):
        swarmkit.Numbers(path, "numbers").take(len(words), "all")


def test_words_whole_numbers_and_the_end_are_checked(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("name 3\n0 4\n1 2.5\n")
    file = swarmkit.Numbers(path, "a list")
    assert file.word("the name") == "name"
    assert file.whole(1, 9, "the size") == 3
    assert file.wholes(2, 5, "a value").tolist() == [0, 4]
    with pytest.raises(swarmkit.UsageError, match=r"line 3: 2\.5 as a value; expected a whole number from 0 to 5"):
        file.wholes(2, 5, "a value")
    file.end("it")
    with pytest.raises(swarmkit.UsageError, match="line 3: the file ends before more; expected a list"):
        file.word("more")
    again = swarmkit.Numbers(path, "a list")
    again.word("the name")
    with pytest.raises(swarmkit.UsageError, match="line 1: '3' after the name; expected the end of the file"):
        again.end("the name")


def test_rows_of_numbers_are_read_together_and_refused_by_line():
    lines = ["e 1 2", "c", "e 3 x", "e 4"]
    assert swarmkit.number_rows("a", lines, [0], 2, "an edge", "e").tolist() == [[1.0, 2.0]]
    assert swarmkit.number_rows("a", lines, [], 2, "an edge", "e").shape == (0, 2)
    for which, line in (([0, 2], 3), ([0, 3], 4)):
        with pytest.raises(swarmkit.UsageError, match=f"a, line {line}: .* expected an edge"):
            swarmkit.number_rows("a", lines, which, 2, "an edge", "e")
    assert np.isfinite(swarmkit.number_rows("a", ["1e308 2"], [0], 2, "two numbers")).all()
    with pytest.raises(swarmkit.UsageError, match="'nan 2'; expected two numbers"):
        swarmkit.number_rows("a", ["nan 2"], [0], 2, "two numbers")
