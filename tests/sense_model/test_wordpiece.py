"""Word pieces: sequences that a model can read, cut between words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swarmkit_sense_model.sense_model import open_model
from swarmkit_sense_model.wordpiece import MOST_PIECES, _cuts


@given(st.lists(st.integers(1, 2 * MOST_PIECES), max_size=6))
def test_spans_have_all_pieces_in_order_and_end_between_words(lengths):
    word = np.repeat(np.arange(len(lengths)), lengths).astype(np.int32)
    spans = list(_cuts(word))
    assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == len(word)
    for begin, end in spans:
        assert end - begin <= MOST_PIECES
        inside = begin > 0 and word[begin] == word[begin - 1]
        assert not inside or lengths[word[begin]] > MOST_PIECES
    # No span is shorter than it must be: with the next word it would be too long.
    for begin, end in spans[:-1]:
        assert end - begin + lengths[word[end]] > MOST_PIECES


def test_each_sequence_of_a_long_sentence_begins_and_ends_as_the_model_expects():
    whole, *rest = open_model(None).pieces.split([["bank", "of", "the", "river"], ["word"] * (MOST_PIECES + 7), []])
    (short,) = whole
    assert short.word.tolist() == [-1, 0, 1, 2, 3, -1]
    begin, end = short.ids[0], short.ids[-1]
    first, second = rest[0]
    assert len(first.ids) == MOST_PIECES + 2
    assert len(second.ids) == 7 + 2
    for part in (first, second, *rest[1]):
        assert (part.ids[0], part.ids[-1]) == (begin, end)
        assert (part.word[0], part.word[-1]) == (-1, -1)
        assert len(part.ids) == len(part.word)
    words = np.concatenate([first.word[1:-1], second.word[1:-1]])
    assert words.tolist() == list(range(MOST_PIECES + 7))
    assert len(set(first.ids[1:-1].tolist())) == 1
