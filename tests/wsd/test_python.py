"""Word senses from Python: one text, many texts, tables; what is wrong is refused in words."""

from html.parser import HTMLParser

import pandas
import pytest

from swarmkit import UsageError
from swarmkit_wsd import Answers, Senses, disambiguate, disambiguate_many, tag_frame

pytestmark = pytest.mark.usefixtures("source")

TEXTS = ["They sat on the bank of the river.", "The bank raised its interest on deposits.", "Zzyzxy!"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: disambiguate(TEXTS),
            r"words\[0\] is 'They sat .*expected the words of one .*disambiguate_many",
        ),
        (lambda: disambiguate(None), "the text is 'None'; expected a text, or a list of words"),
        (lambda: disambiguate(b"The bank."), "expected a text, or a list of words"),
        (lambda: disambiguate(["The", None]), r"words\[1\] is 'None'; expected a string"),
        (
            lambda: disambiguate("The bank.", alternatives=2),
            r"'alternatives' is a field of Answers: answers=Answers\(",
        ),
        (lambda: disambiguate("The bank.", min_confidence=0.5), r"answers=Answers\(min_confidence=0.5\)"),
        (lambda: disambiguate("The bank.", answers=0.5), "answers is '0.5'; expected Answers"),
        (lambda: disambiguate("The bank.", file="a.txt"), "'file' is an option of the problem; expected the text as"),
        (lambda: disambiguate(["bank"], pos="n"), "pos is \"'n'\"; expected a list"),
        (lambda: disambiguate(["bank"], pos=[["n"]]), r"pos\[0\] is "),
        (lambda: disambiguate(["bank"], pos=["noun"]), r"pos\[0\] is 'noun'; expected n, v, a, r, None"),
        (lambda: disambiguate(["bank"], targets=3), "targets is '3'; expected the positions of words"),
        (lambda: disambiguate_many("The bank."), "expected several texts. disambiguate takes one text"),
        (lambda: next(disambiguate_many([None])), "the text is 'None'"),
        (lambda: Answers(alternatives=-1), "alternatives is '-1'; expected a whole number from 0"),
        (lambda: Answers(min_confidence=2), "min_confidence is '2'; expected a probability"),
        (lambda: Answers(clusters="file"), "clusters is .*expected what read_clusters returns"),
    ],
)
def test_what_is_wrong_is_refused_in_words(call, said):
    with pytest.raises(UsageError, match=said):
        call()


def test_entries_of_several_words_are_words_of_a_list():
    assert disambiguate(["New York", "is", "large"], preset="fast")[0].lemma == "new_york"


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_many_texts_have_the_senses_of_each(preset):
    inputs = [*TEXTS, ["The", "river", "flooded", "its", "bank"]]
    assert list(disambiguate_many(inputs, preset=preset)) == [disambiguate(one, preset=preset) for one in inputs]


def test_many_texts_are_read_when_they_are_needed():
    taken = []

    def texts():
        for number in range(1000):
            taken.append(number)
            yield "A river."

    results = disambiguate_many(texts(), preset="fast")
    assert next(results)[0].synset == "river.n.01"
    assert len(taken) <= 32


def test_an_answer_carries_offset_supersense_and_interlingual_index(lexicon):
    bank = disambiguate("They sat on the bank of the river.", preset="fast")[1]
    assert (bank.synset, bank.offset, bank.lexname) == ("bank.n.01", 9213565, "noun.object")
    assert bank.ili == lexicon.ili(lexicon.synset_named("bank.n.01"))


class Marks(HTMLParser):
    """The text of a page, and what each marked word says when it is pointed at."""

    def __init__(self, page):
        super().__init__()
        self.text, self.titles = "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "span":
            self.titles.append(dict(attrs)["title"])

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    "text", ['<b>The bank</b> of the "river" & its\n  source.', ["The", "bank", "of", "a", "<river>"]]
)
def test_a_notebook_shows_the_text_with_senses_and_alternatives(text):
    senses = disambiguate(text, preset="fast")
    shown = Marks(senses._repr_html_())
    assert shown.text == (text if isinstance(text, str) else " ".join(text))
    assert len(shown.titles) == len(senses)
    bank = next(title for sense, title in zip(senses, shown.titles, strict=True) if sense.word == "bank")
    names = [line.partition(" (0.")[0] for line in bank.splitlines()]
    assert {*names} > {"bank.n.01", "depository_financial_institution.n.01"}


def test_the_answer_is_a_sequence():
    senses = disambiguate(TEXTS[0], preset="fast")
    assert isinstance(senses, Senses)
    assert [sense.word for sense in senses[1:]] == [sense.word for sense in senses][1:]
    assert senses == list(senses) != []
    assert senses != "bank"
    assert repr(senses).startswith("Senses([('sat', 'sit.v.0")


@pytest.fixture
def frame():
    texts = ["The bank was steep.", None, "A river."]
    return pandas.DataFrame({"id": [7, 8, 9], "text": texts, "pos": ["x", "y", "z"]}, index=[10, 20, 30])


def test_a_frame_gets_a_row_for_each_word(frame):
    words = tag_frame(frame, "text", preset="fast")
    assert words.index.tolist() == [10, 10, 10, 30]
    assert words["word"].tolist() == ["bank", "was", "steep", "river"]
    assert words["id"].tolist() == [7, 7, 7, 9]
    assert (words["text_pos"].tolist(), words["pos"].tolist()) == (["x", "x", "x", "z"], ["n", "v", "a", "n"])
    assert "text" not in words.columns


def test_a_frame_gets_a_column_of_senses(frame):
    texts = tag_frame(frame, "text", rows="texts", preset="fast")
    assert texts.drop(columns="senses").equals(frame)
    assert texts["senses"].tolist() == [
        disambiguate(text, preset="fast") for text in ("The bank was steep.", "", "A river.")
    ]


def test_a_wrong_column_and_wrong_rows_are_refused(frame):
    with pytest.raises(UsageError, match=r"no column named 'txt'\. Did you mean 'text'"):
        tag_frame(frame, "txt")
    with pytest.raises(UsageError, match=r"no kind of rows named 'word'\. Did you mean 'words'"):
        tag_frame(frame, "text", rows="word")
    with pytest.raises(UsageError, match="expected a DataFrame"):
        tag_frame([], "text")
