from __future__ import annotations

import json
import re
import subprocess
import sys
import tracemalloc
from itertools import islice
from time import perf_counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swarmkit import MissingError, UsageError, install_hint
from swarmkit_lexicon.naming import Spelling
from swarmkit_text import tagging
from swarmkit_text.corpus import POS
from swarmkit_text.english import EnglishReader
from swarmkit_text.parts_of_speech import content
from swarmkit_text.sentences import read_text, read_words
from swarmkit_text.tagging import plain, tag
from swarmkit_wsd.units import likeliest

NOUNS = (
    "apple bank banks bell_tower bird's_nest boat cafe coauthor computer dog glasses glass homework interest_rate look "
    "man men men's new_york october oct physics river rule_of_thumb state state_of_the_art street the_street u.s. will"
)
VERBS = (
    "be bank belong_to be_on come come_to do find found give give_up go have have_a_look live live_in run saw see take "
    "take_place"
)
ADJECTIVES = "cold first good great naive six state-of-the-art more_than mentally_ill larger large"
ADVERBS = "at_first again and_so and_so_on kind_of o'clock quickly up"
RARE = ("men", "banks", "larger", "men's")
NAMES = ("new_york", "october", "oct", "u.s.", "the_street")
INFLECTED = {
    "n": {"boats": "boat", "dogs": "dog", "rates": "rate", "rules": "rule", "towers": "tower", "streets": "street"},
    "v": {
        "gave": "give",
        "took": "take",
        "was": "be",
        "is": "be",
        "been": "be",
        "had": "have",
        "has": "have",
        "did": "do",
    }
    | {"found": "found", "lived": "live", "ran": "run", "running": "run", "came": "come", "belongs": "belong"},
    "a": {"greater": "great"},
    "r": {},
}


class TinyEntries:
    """A lexicon of a few dozen words, with just enough morphology."""

    def __init__(self) -> None:
        self.lemmas = dict(zip(POS, (set(words.split()) for words in (NOUNS, VERBS, ADJECTIVES, ADVERBS)), strict=True))
        self.lemmas["n"] |= {"rate", "rule", "tower"}
        self.lemmas["v"] |= {"belong"}

    def has(self, lemma: str, pos: str) -> bool:
        return lemma in self.lemmas[pos]

    def morphy(self, form: str, pos: str) -> str | None:
        lemma = form if self.has(form, pos) else INFLECTED[pos].get(form)
        return lemma if lemma and self.has(lemma, pos) else None

    def count(self, lemma: str, pos: str) -> int:
        return 20 if self.has(lemma, pos) and lemma not in RARE else 0

    def spelling(self, lemma: str, pos: str) -> Spelling:
        capital = lemma in NAMES
        return Spelling(int(not capital), int(capital), 0, 20 * capital, False)

    def is_kind_of(self, lemma: str, head: str) -> bool:
        return lemma.endswith(head)


ENTRIES = TinyEntries()


def found(text):
    """The words with their most probable readings."""
    return [(t.surface, t.lemma, t.pos) for s in read_text(text, EnglishReader(ENTRIES)) for t in likeliest(s).targets]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At first he gave up.", [("At first", "at_first", "r"), ("gave up", "give_up", "v")]),
        ("It took place in New York.", [("took place", "take_place", "v"), ("New York", "new_york", "n")]),
        ("the state of the art", [("state of the art", "state_of_the_art", "n")]),
        ("a state-of-the-art computer", [("state-of-the-art", "state-of-the-art", "a"), ("computer", "computer", "n")]),
        ("the rules of thumb", [("rules of thumb", "rule_of_thumb", "n")]),
        ("two bell towers", [("bell towers", "bell_tower", "n")]),
        ("Interest rates", [("Interest rates", "interest_rate", "n")]),
        ("a bird's nest", [("bird's nest", "bird's_nest", "n")]),
        ("and so on", [("and so on", "and_so_on", "r")]),
        ("The dog belongs to him.", [("dog", "dog", "n"), ("belongs to", "belong_to", "v")]),
        ("She had a look.", [("had a look", "have_a_look", "v")]),
        ("a co-author", [("co-author", "coauthor", "n")]),
        ("New\nYork", [("New\nYork", "new_york", "n")]),
    ],
)
def test_entries_of_several_words_are_found_longest_first(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("He came to see.", ["come", "see"]),
        ("They lived in it.", ["live"]),
        ("The dog was on it.", ["dog", "be"]),
        ("a kind of dog", ["dog"]),
        ("in the streets", ["street"]),
        ("the men's dog", ["man", "dog"]),
        ("New, York", []),
    ],
)
def test_words_that_only_stand_side_by_side_stay_apart(text, lemmas):
    assert [lemma for _, lemma, _ in found(text)] == lemmas


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("He is running.", ["run"]),
        ("She has been found.", ["find"]),
        ("Did you see it?", ["see"]),
        ("I do not see it.", ["see"]),
        ("They will go.", ["go"]),
        ("It is cold.", ["be", "cold"]),
        ("It's cold.", ["be", "cold"]),
        ("I have it.", ["have"]),
        ("He did his homework.", ["do", "homework"]),
        ("You and I with all of them, or not?", []),
    ],
)
def test_function_words_and_auxiliaries_are_no_targets(text, lemmas):
    assert [lemma for _, lemma, _ in found(text)] == lemmas


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw the men.", [("saw", "see", "v"), ("men", "man", "n")]),
        ("They found it.", [("found", "find", "v")]),
        ("They want to found it.", [("found", "found", "v")]),
        ("the banks", [("banks", "bank", "n")]),
        ("Apple and the U.S.", [("Apple", "apple", "n"), ("U.S.", "u.s.", "n")]),
        ("On Oct. 6 at the Caf\u00e9.", [("Oct.", "oct", "n"), ("Caf\u00e9", "cafe", "n")]),
        ("physics", [("physics", "physics", "n")]),
        ("six dogs, 6 dogs", [("six", "six", "a"), ("dogs", "dog", "n"), ("dogs", "dog", "n")]),
        ("a larger dog", [("larger", "large", "a"), ("dog", "dog", "n")]),
    ],
)  # fmt: skip
def test_words_are_brought_to_the_lemma_that_is_meant(text, expected):
    assert found(text) == expected


def test_targets_have_ids_and_unknown_content_words_keep_their_part_of_speech():
    first, second = read_text("The dog ran. Zyzzyva dogs ran.", EnglishReader(ENTRIES), name="d007")
    assert [token.id for token in first.tokens] == [None, "d007.s000.t001", "d007.s000.t002", None]
    assert (second.id, second.tokens[0].lemma, second.tokens[0].pos, second.tokens[0].id) == (
        "d007.s001",
        "zyzzyva",
        "n",
        None,
    )


def check(tokens):
    for token in tokens:
        if token.id is not None:
            assert ENTRIES.has(token.lemma, token.pos)
    ids = [token.id for token in tokens if token.id]
    assert len(ids) == len(set(ids))


PIECES = st.lists(
    st.sampled_from(
        [*NOUNS.replace("_", " ").split(), *VERBS.split(), "the", "of", "to", "'s", ".", "\n\n", "ran", "\u2019", "-"]
    )
)


@settings(deadline=None)
@given(st.one_of(st.text(), PIECES.map(" ".join), PIECES.map("".join)))
@example("\ud800 lone surrogate")
@example("x" * 100_000)
@example("\ufdfa \u00aa \u0345")
def test_any_text_gives_targets_that_the_lexicon_knows(text):
    sentences = list(read_text(text, EnglishReader(ENTRIES)))
    tokens = [token for sentence in sentences for token in sentence.tokens]
    check(tokens)
    assert all(text[token.start : token.end] == token.surface for token in tokens)
    # Underscores beside words are marks of italics.
    surfaces = "".join("".join(token.surface for token in tokens).split())
    assert surfaces.replace("_", "") == "".join(text.split()).replace("_", "")


@settings(deadline=None)
@given(words=st.lists(st.one_of(st.text(), st.sampled_from(NOUNS.split()))), data=st.data())
def test_any_token_soup_and_any_targets_give_one_token_a_word(words, data):
    pos = data.draw(
        st.none() | st.lists(st.sampled_from([*POS, None, "NOUN", "DET"]), min_size=len(words), max_size=len(words))
    )
    places = st.sets(st.integers(0, len(words) - 1)) if words else st.just(set())
    targets = data.draw(st.none() | places)
    sentence = read_words(words, EnglishReader(ENTRIES), pos, targets)
    assert [token.surface for token in sentence.tokens] == words
    if targets is None:
        check(sentence.tokens)
    else:
        assert {token.start for token in sentence.targets} == targets
        assert all(token.pos for token in sentence.targets)


def test_given_words_are_taken_one_by_one():
    sentence = read_words(["The", "New York", "banks", "gave", "up"], EnglishReader(ENTRIES))
    assert [(token.lemma, token.pos, token.start) for token in sentence.targets] == [
        ("new_york", "n", 1),
        ("bank", "n", 2),
        ("give", "v", 3),
        ("up", "r", 4),
    ]


def test_given_parts_of_speech_overrule_the_tagger():
    sentence = read_words(["bank", "bank", "bank"], EnglishReader(ENTRIES), pos=["VERB", "n", None])
    assert [token.pos for token in sentence.tokens] == ["v", "n", None]
    assert read_words(["bank"], EnglishReader(ENTRIES), pos=["r"]).targets == ()


def test_penn_tags_are_parts_of_speech():
    words = ["The", "banks", "quickly", "gave", "great", "dogs", "to", "him", "."]
    tags = ["DT", "NNS", "RB", "VBD", "JJ", "NNPS", "TO", "PRP", "."]
    found = [(token.lemma, token.pos) for token in read_words(words, EnglishReader(ENTRIES), pos=tags).targets]
    assert found == [("bank", "n"), ("quickly", "r"), ("give", "v"), ("great", "a"), ("dog", "n")]


def test_targets_are_answered_for_even_if_they_are_unknown_or_function_words():
    tokens = read_words(["They", "will", "go", "zyzzyvaness"], EnglishReader(ENTRIES), targets=[1, 3]).targets
    assert [(token.lemma, token.pos) for token in tokens] == [("will", "n"), ("zyzzyvaness", "n")]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"words": ["dog"], "pos": ["n", "v"]}, "pos has 2 values for 1 words"),
        (
            {"words": ["dog"], "pos": ["noun"]},
            r"pos\[0\] is 'noun'; expected n, v, a, r, None, a universal tag",
        ),
        ({"words": ["dog"], "targets": [1]}, "target '1' is not the position of a word; expected 0 to 0"),
        ({"words": ["dog"], "targets": [-1]}, "target '-1' is not the position"),
        ({"words": ["dog"], "targets": ["dog"]}, "is not the position of a word"),
        ({"words": ["dog", 3]}, r"words\[1\] is '3'; expected a string"),
        ({"words": "dog"}, "one string; expected a list of words"),
    ],
)
def test_words_that_cannot_be_used_are_refused_in_a_sentence(given, said):
    with pytest.raises(UsageError, match=said):
        read_words(reader=EnglishReader(ENTRIES), **given)


def test_a_tagger_that_there_is_not_is_refused_in_a_sentence():
    with pytest.raises(UsageError, match=r"no tagger named 'hante'\. Did you mean 'hanta'\?"):
        read_words(["dog"], EnglishReader(ENTRIES, tagger="hante"))


def test_spelling_is_made_plain():
    assert [plain(word) for word in ("Na\u00efve", "o\u2019clock", "co\u2011op", "\ufb01n")] == [
        "naive",
        "o'clock",
        "co-op",
        "fin",
    ]


def test_very_long_words_are_tagged_by_their_endings():
    begun = perf_counter()
    assert tag(["x" * 100_000 + "ness"])[0].tag == "NN1"
    assert perf_counter() - begun < 2


@pytest.fixture
def nltk_data(tmp_path, monkeypatch):
    """Point NLTK at a folder of its own, with a tagger that knows a few words by heart."""
    import nltk

    folder = tmp_path / "taggers" / "averaged_perceptron_tagger_eng"
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(tagging, "_nltk", tagging._nltk.__wrapped__)

    def install(known):
        folder.mkdir(parents=True)
        for name, value in {"weights": {}, "tagdict": known, "classes": sorted(set(known.values()))}.items():
            (folder / f"averaged_perceptron_tagger_eng.{name}.json").write_text(json.dumps(value))

    return install


def test_nltks_tagger_serves_if_its_data_are_there(nltk_data):
    nltk_data({"He": "PRP", "is": "VBZ", "running": "VBG", "cold": "JJ", "dogs": "NNS", "not": "RB", "$": "$"})
    tagged = tag(["He", "is", "not", "running", "is", "cold", "dogs", "$"], "nltk")
    assert [word.tag for word in tagged] == ["PNP", "VBZ", "XX0", "VVG", "VBZ", "AJ0", "NN2", "PUN"]
    pos = [content(tagged, at) for at in range(len(tagged))]
    assert pos == [None, None, "r", "v", "v", "a", "n", None]


@pytest.mark.usefixtures("nltk_data")
def test_a_missing_tagger_says_how_to_get_it(monkeypatch):
    with pytest.raises(MissingError, match="averaged_perceptron_tagger_eng"):
        tag(["dog"], "nltk")
    monkeypatch.setattr(tagging, "_hanta", tagging._hanta.__wrapped__)
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    with pytest.raises(MissingError, match=re.escape(install_hint("wsd"))):
        tag(["dog"])


def test_only_the_packaged_model_is_ever_unpickled(tmp_path, monkeypatch):
    (tmp_path / "morphmodel_en.pgz").write_bytes(b"not a model")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tagging, "_hanta", tagging._hanta.__wrapped__)
    assert tag(["dog"])[0].tag == "NN1"


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = "import sys, swarmkit_text.sentences; sys.exit(any(name in sys.modules for name in ('HanTa', 'nltk')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_long_text_is_read_one_sentence_at_a_time():
    text = "The dog ran quickly to the boats on the river bank and gave up again. " * 7_000
    list(islice(read_text(text, EnglishReader(ENTRIES)), 10))
    tracemalloc.start()
    try:
        sentences = sum(1 for _ in islice(read_text(text, EnglishReader(ENTRIES)), 300))
        assert sentences == 300
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
