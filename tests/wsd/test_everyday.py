"""Everyday sentences: names, entries of several words, contractions, hyphens, quotations, headlines."""

import pytest

from swarmkit_wsd import disambiguate

pytestmark = pytest.mark.usefixtures("source")


def tagged(text):
    return {sense.word: sense for sense in disambiguate(text, preset="fast")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Words of every kind
        ("Several such cases occurred, and more will follow.", "several:a such:a case:n occur:v more:a follow:v"),
        ("Only 12% of the voters agreed.", "only:r percent:n voter:n agree:v"),
        ("Most people have more than enough.", "most:a people:n have:v more:a enough:r"),
        ("Half a century later nothing had changed.", "half:a century:n later:r nothing:n change:v"),
        ("They do not come today.", "not:r come:v today:n"),
        ("We saw many birds, including two cranes.", "see:v many:a bird:n include:v two:a crane:n"),
        ("It takes about three hours.", "take:v about:r three:a hour:n"),
        ("The rules state that dogs must be kept on a lead.", "rule:n state:v dog:n keep:v lead:n"),
        ("All of them have been here with us.", "be:v here:r"),
        ("The search was over.", "search:n be:v over:a"),
        ("A new wireless mouse lay there.", "new:a wireless:a mouse:n lie:v there:r"),
        # Forms that are entries themselves
        ("The years passed, and the men grew old.", "year:n pass:v man:n grow:v old:a"),
        ("He found that the better part was yet to come.", "find:v better:a part:n be:v yet:r come:v"),
        ("I left the left glove there.", "leave:v left:a glove:n there:r"),
        # Entries of several words and their parts
        ("The keys are on the table.", "key:n be:v table:n"),
        ("He had to run for the bus.", "have:v run:v bus:n"),
        ("The plan relies on a map.", "plan:n rely:v map:n"),
        ("It took place at the same time.", "take_place:v at_the_same_time:r"),
        ("He ate some ice cream.", "eat:v ice_cream:n"),
        ("Her living room is large.", "living_room:n be:v large:a"),
        ("In general, they gave up.", "in_general:r give_up:v"),
        ("They set up a new office.", "set_up:v new:a office:n"),
        ("Of course it turned out well.", "of_course:r turn_out:v well:r"),
        # Contractions and quotations
        ("Don't give up; they've won.", "give_up:v win:v"),
        ('"I can\'t go," she said, "because I\'m ill."', "go:v say:v be:v ill:a"),
        ("\u2018That\u2019s it,\u2019 he said.", "be:v say:v"),
        # Hyphens
        ("A well-known co-author wrote it.", "well-known:a coauthor:n write:v"),
        ("His mother-in-law likes state-of-the-art software.", "mother-in-law:n like:v state-of-the-art:a software:n"),
        # Headlines
        ("Stocks Fall Sharply", "stock:n fall:v sharply:r"),
        ("MAYOR OPENS NEW BRIDGE", "mayor:n open:v new:a bridge:n"),
    ],
)  # fmt: skip
def test_words_are_tagged_with_lemma_and_part_of_speech(text, expected):
    found = disambiguate(text, preset="fast")
    assert " ".join(f"{sense.lemma}:{sense.pos}" for sense in found) == expected
    assert all(text[sense.start : sense.end] == sense.word for sense in found)


@pytest.mark.parametrize(
    ("text", "word", "synset"),
    [
        ("A crane flew over the river.", "crane", "crane.n.04"),
        ("They met Stephen Crane, the writer.", "Stephen Crane", "crane.n.01"),
        ("They booked a court for Saturday.", "Saturday", "saturday.n.01"),
        ("We flew to New York.", "New York", "new_york.n.01"),
        ("They live in Turkey and eat turkey.", "Turkey", "turkey.n.02"),
        ("John went to the john.", "john", "toilet.n.01"),
        ("Bill paid the bill.", "bill", "bill.n.02"),
        ("Yesterday Mr. Brown wore brown shoes.", "brown", "brown.s.01"),
        ("They met in March, before the march.", "March", "march.n.01"),
        ("The Civil War lasted four years.", "Civil War", "civil_war.n.01"),
        ("The internet changed everything.", "internet", "internet.n.01"),
        ("They met President Lincoln.", "President Lincoln", "lincoln.n.01"),
    ],
)
def test_names_and_words_that_look_like_them_are_told_apart(text, word, synset):
    assert tagged(text)[word].synset == synset


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("John forgot his keys again.", ["John"]),
        ("The new book by Crane is long.", ["Crane"]),
        ("I bought a new mouse for my Apple Mac laptop.", ["Apple Mac"]),
        ("She plays with Bill and Mike.", ["Bill", "Mike"]),
        ("The Fox Chase Cancer Research Center published it.", ["Fox Chase Cancer Research Center"]),
        ("Zzyzxy and Mr. Brown met Dr. King.", ["Zzyzxy", "Brown", "King"]),
    ],
)
def test_names_that_wordnet_does_not_have_are_left_alone_and_named(lexicon, text, names):
    from swarmkit_wsd.disambiguation import each_chunk
    from swarmkit_wsd.options import WsdOptions

    (chunk,) = each_chunk(text, lexicon, WsdOptions(preset="fast"))
    assert chunk.unknown == names
    assert not {word for name in names for word in name.split()} & {sense.word for sense in chunk.senses()}


def test_the_default_takes_the_papers_wireless_mouse_for_an_adjective_and_leaves_names_alone():
    found = {sense.word: sense for sense in disambiguate("I bought a new wireless mouse for my Apple Mac laptop")}
    assert found["wireless"].pos == "a"
    assert not {"Apple", "Mac", "Apple Mac"} & set(found)


def test_no_sense_of_a_small_word_is_a_name(lexicon):
    for sense in disambiguate("A tennis court, a crane, a march, a turkey, some china and a john.", preset="fast"):
        synset = lexicon.synset_named(sense.synset)
        assert not any(word.lower() == sense.lemma and word != sense.lemma for word in lexicon.words(synset))


def test_an_entry_of_several_words_is_as_sure_as_its_competition_allows():
    found = tagged("They ran up a bill, and the proposal is on the table for a lot of people.")
    assert all(sense.confidence < 0.99 for sense in found.values() if " " in sense.word)
