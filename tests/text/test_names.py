import pytest

from swarmkit_lexicon.naming import Spelling, capitalised
from swarmkit_text.names import CapitalUse, capital_shares, telling_capitals

NOUN = Spelling(small=2, capital=0, persons=0, occurrences=0, people=False)
PLACE = Spelling(small=0, capital=1, persons=0, occurrences=3, people=False)
PERSON = Spelling(small=0, capital=1, persons=1, occurrences=0, people=False)
BOTH = Spelling(small=3, capital=1, persons=0, occurrences=3, people=False)
PEOPLE = Spelling(small=2, capital=0, persons=0, occurrences=0, people=True)


def use(telling=True, after=False, before=False, name=0.0):
    return CapitalUse(telling, after, before, name)


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("Then John left", "John left"),
        ('He said : " No , John "', "said John"),
        ("Mr. Brown and J. Smith came", "Brown and J. Smith came"),
        ("Mayor Opens New Bridge in London", ""),
        ("MAYOR OPENS NEW BRIDGE", ""),
        ("New York", "York"),
    ],
)
def test_capitals_tell_something_within_sentences_only(text, telling):
    words = text.split()
    told = [word for word, tells in zip(words, telling_capitals(words), strict=True) if tells]
    assert told == telling.split()


@pytest.mark.parametrize("spelling", [NOUN, PLACE, PERSON, BOTH, PEOPLE])
@pytest.mark.parametrize("name", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("beside", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("telling", [False, True])
def test_shares_are_probabilities_of_senses_that_there_are(spelling, name, beside, telling):
    found = capital_shares(spelling, use(telling, *beside, name), "n")
    assert 0 <= found.small + found.capital <= 1
    assert (found.small > 0) <= (spelling.small > 0)
    assert (found.capital > 0) <= (spelling.capital > 0)


def test_a_name_is_a_place_rather_than_a_person_or_a_common_noun():
    place, person, noun = (capital_shares(one, use(name=1.0), "n") for one in (PLACE, PERSON, NOUN))
    assert place.capital > 0.7
    assert person.capital < 0.1
    assert noun.small < 0.1


def test_a_person_of_whom_tagged_texts_speak_is_more_probable():
    shares = [capital_shares(PERSON._replace(occurrences=seen), use(name=1.0), "n").capital for seen in (0, 2, 20)]
    assert shares == sorted(shares)
    assert shares[-1] > 0.7


def test_words_beside_names_are_parts_of_names_except_titles():
    assert capital_shares(NOUN, use(after=True), "n").small < capital_shares(NOUN, use(), "n").small
    assert capital_shares(PEOPLE, use(before=True, name=0.9), "n").small > 0.7


def test_capitals_that_tell_nothing_change_little():
    assert capital_shares(NOUN, use(telling=False), "n") == (1.0, 0.0)


def test_wordnet_writes_names_with_capitals(lexicon):
    crane = lexicon.senses("crane", "n")
    written = capitalised(lexicon, crane)
    assert sorted(lexicon.key(sense) for sense in crane[~written].tolist()) == ["crane%1:05:00::", "crane%1:06:00::"]
    assert lexicon.spelling("crane", "n")[:3] == (2, 3, 2)
    assert lexicon.spelling("vicar", "n").people
    assert lexicon.spelling("bank", "n").capital == 0
    assert lexicon.spelling("zzyzxy", "n") == (0, 0, 0, 0, False)
