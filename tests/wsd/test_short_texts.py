"""Short texts judged from WordNet's glosses: the file is what it says it is."""

from collections import Counter

import pytest

from tests.conftest import ROOT


@pytest.fixture
def judgements(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import short_texts

    return short_texts.judgements()


def test_there_are_60_short_sentences_40_compounds_and_20_phrasal_verbs(judgements):
    assert Counter(item.kind for item in judgements) == {"short": 60, "compound": 40, "phrasal": 20}
    assert all(3 <= len(item.text.split()) <= 6 for item in judgements if item.kind == "short")
    assert len({item.text for item in judgements}) == 120


def test_each_synset_is_one_of_the_entry_of_its_target(judgements, lexicon):
    for item in judgements:
        if item.kind == "short":
            forms = {item.target.lower(), *(f for pos in "nvar" for f in lexicon.base_forms(item.target.lower(), pos))}
            assert item.target in item.text
        else:
            forms = {item.target}
            assert len(lexicon.senses(item.target)), item.target
        names = {lexicon.name(int(lexicon.sense_synset[s])) for form in forms for s in lexicon.senses(form).tolist()}
        assert set(item.synsets) <= names, item
        assert item.synsets or item.kind != "short"
