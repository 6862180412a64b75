import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from swarmkit_lexicon import gloss_text, naming


@given(st.text())
def test_any_text_has_tokens_that_are_lower_case_and_never_empty(text):
    assert all(token and token == token.lower() for token in gloss_text.tokens(text))


@given(st.text())
def test_a_gloss_has_no_break_at_its_ends_and_none_beside_another(text):
    found = gloss_text.gloss_tokens(text)
    assert [token for token in found if token] == [
        token for part in re.split('[";]', text) for token in gloss_text.tokens(part)
    ]
    assert gloss_text.BREAK not in (found[:1] + found[-1:])
    assert all(one or other for one, other in pairwise(found))


@given(st.text(), st.sampled_from("nvar"))
def test_a_form_that_is_an_entry_is_its_own_first_base_form(form, pos):
    assert naming.base_forms(form, pos, lambda _: True, None)[0] == form


def test_exceptions_take_the_place_of_the_rules():
    assert naming.base_forms("geese", "n", {"goose", "gee"}.__contains__, ["goose"]) == ["goose"]
    assert naming.base_forms("men", "n", {"man", "men"}.__contains__, None) == ["men", "man"]


def test_no_definition_has_remains_of_quotations(lexicon):
    for synset in range(len(lexicon.synset_pos)):
        text = lexicon.definition(synset)
        assert text
        assert not re.search(r";\s*;|;\s*-|[;:,]$|\"\"", text), text
        assert text.count('"') % 2 == 0, text


def test_a_phrase_quoted_in_a_definition_is_part_of_it(lexicon):
    assert lexicon.definition(lexicon.synset_named("stride.n.03")).endswith('(especially in the phrase "make strides")')
    assert lexicon.definition(lexicon.synset_named("sentient.s.02")) == "consciously perceiving"
