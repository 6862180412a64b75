import pytest

from swarmkit_text.parts_of_speech import content, shares
from swarmkit_text.tagging import Tagged, tag

EQUAL = {"n": 10, "v": 10, "a": 10, "r": 10}


def parts(text, word, counts=EQUAL, proper=False):
    words = text.split()
    found = shares(words, tag(words), words.index(word), counts, proper)
    assert sum(share.share for share in found.values()) <= 1 + 1e-9
    return {pos: share.share for pos, share in found.items()}


@pytest.mark.parametrize(
    ("text", "word", "pos"),
    [
        ("The dog barks at them .", "dog", "n"),
        ("They found several such cases .", "such", "a"),
        ("It is not here .", "not", "r"),
        ("He wants more money .", "more", "a"),
        ("He is more careful .", "more", "r"),
        ("A third of them left .", "third", "n"),
        ("Today it rains .", "Today", "n"),
        ("A new wireless mouse .", "wireless", "a"),
        ("The search was over .", "over", "a"),
        ("We saw many animals , including two bears .", "including", "v"),
        ("It takes about three hours .", "about", "r"),
    ],
)
def test_the_part_of_speech_follows_from_the_word_and_its_neighbours(text, word, pos):
    found = parts(text, word)
    assert max(found, key=found.__getitem__) == pos
    assert found[pos] > 0.4


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("All the dogs bark .", "All"),
        ("The dogs bark .", "The"),
        ("He gave it to them .", "to"),
        ("They have seen it .", "have"),
        ("They will see it .", "will"),
        ("Some of them bark .", "Some"),
    ],
)
def test_function_words_have_no_part_of_speech(text, word):
    assert sum(parts(text, word).values()) < 0.2


def test_counts_decide_where_the_tag_does_not():
    often, seldom = {"v": 1, "a": 100}, {"v": 100, "a": 1}
    sentence = "The city was involved ."
    assert parts(sentence, "involved", often)["a"] > 0.5 > parts(sentence, "involved", seldom)["a"]


def test_a_name_is_an_adjective_only_if_wordnet_writes_it_with_a_capital():
    tagged = [Tagged("NP0", {"NP0": 1.0}), Tagged("NN1", {"NN1": 1.0})]
    words, counts = ["English", "novels"], {"n": 10, "a": 10}
    assert shares(words, tagged, 0, counts, proper=True)["a"].share > 0.5
    assert shares(words, tagged, 0, counts, proper=False)["n"] == (1.0, 1.0)


def test_an_auxiliary_is_none_and_a_main_verb_is_one():
    for text, pos in (("He has a dog .", "v"), ("He has seen it .", None), ("Did he go ?", None)):
        words = text.split()
        at = next(at for at, word in enumerate(words) if word in ("has", "Did"))
        assert content(tag(words), at) == pos
