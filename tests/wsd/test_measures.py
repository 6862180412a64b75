import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

import swarmkit
from swarmkit_lexicon.bags import RELATIONS, related
from swarmkit_wsd.measures import ExtendedLesk, GlossCosine, Lesk, Lin, LinLesk
from swarmkit_wsd.measures.lesk import NORMALISATIONS
from swarmkit_wsd.measures.lin import NEGLIGIBLE, lin
from swarmkit_wsd.measures.sparse import Rows, product
from tests.wsd.plain_overlaps import overlap_score


@pytest.fixture(params=sorted(swarmkit.registered("measure")))
def measure(request):
    return swarmkit.find("measure", request.param)()


def test_blocks_are_symmetric_and_between_0_and_1(lexicon, synsets, measure):
    block = measure.prepare(lexicon, synsets).block(synsets, synsets)
    assert block.shape == (len(synsets), len(synsets))
    assert block.dtype == np.float64
    assert np.all((block >= 0) & (block <= 1))
    np.testing.assert_array_equal(block, block.T)
    np.testing.assert_array_equal(np.diag(block), 1.0)
    assert not np.any(np.signbit(block))


def test_a_block_does_not_depend_on_what_else_is_asked_or_prepared(lexicon, synsets, measure):
    whole = measure.prepare(lexicon, synsets).block(synsets, synsets)
    rng = np.random.default_rng(1)
    for size in (1, 2, 17):
        rows, columns = rng.integers(0, len(synsets), size), rng.integers(0, len(synsets), size + 3)
        few = measure.prepare(lexicon, np.concatenate([synsets[rows], synsets[columns]]))
        np.testing.assert_array_equal(few.block(synsets[rows], synsets[columns]), whole[np.ix_(rows, columns)])


def test_empty_blocks_are_blocks(lexicon, synsets, measure):
    none = np.empty(0, np.int64)
    assert measure.prepare(lexicon, none).block(none, none).shape == (0, 0)
    assert measure.prepare(lexicon, synsets).block(none, synsets[:3]).shape == (0, 3)
    assert measure.prepare(lexicon, synsets).block(synsets[:3], none).shape == (3, 0)


def test_measures_take_their_parameters_and_no_others(measure):
    with pytest.raises(ValidationError):
        type(measure)(no_such_thing=1)
    assert type(measure).model_validate_json(measure.model_dump_json()) == measure


def test_unknown_relations_are_refused_by_name():
    for kind in (GlossCosine, ExtendedLesk):
        with pytest.raises(ValidationError, match=r"no relation named 'cousins'\. There are: hypernyms"):
            kind(relations=("cousins",))


def test_asking_for_what_was_not_prepared_is_refused(lexicon, synsets):
    with pytest.raises(ValueError, match="not among those prepared"):
        Lesk().prepare(lexicon, synsets[:3]).block(synsets, synsets)


def value(lexicon, measure, one, other):
    pair = np.array([lexicon.synset_named(one), lexicon.synset_named(other)])
    return measure.prepare(lexicon, pair).block(pair[:1], pair[1:])[0, 0]


def test_lin_has_values_where_nltk_has_none(lexicon):
    assert value(lexicon, Lin(), "entity.n.01", "entity.n.01") == 1.0  # 0 / 0 in NLTK
    assert value(lexicon, Lin(), "entity.n.01", "dog.n.01") == 0.0
    assert value(lexicon, Lin(), "dog.n.01", "run.v.01") == 0.0  # NLTK raises
    assert value(lexicon, Lin(), "good.a.01", "bad.a.01") == 0.0  # NLTK raises
    assert value(lexicon, Lin(), "good.a.01", "good.a.01") == 1.0
    unseen = np.flatnonzero((lexicon.synset_pos == ord("n")) & np.isinf(lexicon.information_content()))[:2]
    dog = np.array([lexicon.synset_named("dog.n.01")])
    assert Lin().prepare(lexicon, dog).block(unseen, dog).max() == 0.0  # not 1e-299, which would be preferred to 0


def test_a_small_similarity_stays_and_a_negligible_one_is_0():
    contents = np.array([[1e-150, NEGLIGIBLE, NEGLIGIBLE / 2]])
    assert lin(contents, np.array([1.0]), np.ones(3)).tolist() == [[1e-150, NEGLIGIBLE, 0.0]]


def test_lin_works_with_another_information_content(lexicon):
    assert value(lexicon, Lin(ic="ic-brown.dat"), "dog.n.01", "cat.n.01") == pytest.approx(0.8768009843733973, abs=1e-9)
    assert value(lexicon, Lin(), "dog.n.01", "cat.n.01") == pytest.approx(0.8863, abs=1e-3)


def test_lesk_is_the_overlap_of_sets_of_words(lexicon, synsets):
    words, starts = lexicon.arrays["content.word"], lexicon.arrays["content.starts"]
    bags = [set(words[starts[s] : starts[s + 1]].tolist()) for s in synsets]
    for name, by in NORMALISATIONS.items():
        block = Lesk(normalise=name).prepare(lexicon, synsets).block(synsets, synsets)
        for i in range(0, len(synsets), 7):
            for j in range(0, len(synsets), 5):
                shared = len(bags[i] & bags[j])
                expected = 1.0 if i == j else shared / max(by(shared, len(bags[i]), len(bags[j])), 1)
                assert block[i, j] == pytest.approx(expected)


def test_without_examples_only_definitions_are_compared(lexicon):
    # The words "bank" and "canoe" of "they pulled the canoe up on the bank" are in an example only.
    assert value(lexicon, Lesk(), "bank.n.01", "canoe.n.01") >= value(
        lexicon, Lesk(examples=False), "bank.n.01", "canoe.n.01"
    )
    assert value(lexicon, Lesk(examples=False), "bank.n.01", "sit.v.01") == 0.0


def test_lin_lesk_is_lin_within_nouns_and_verbs_and_lesk_elsewhere(lexicon, synsets):
    hybrid, lin, lesk = (m().prepare(lexicon, synsets).block(synsets, synsets) for m in (LinLesk, Lin, Lesk))
    pos = lexicon.synset_pos[synsets]
    same = (pos[:, None] == pos[None, :]) & np.isin(pos, [ord("n"), ord("v")])[:, None]
    np.testing.assert_array_equal(hybrid, np.where(same, lin, lesk))
    assert same.any()
    assert not same.all()


def test_gloss_cosine_brings_money_to_the_bank_that_keeps_it(lexicon):
    keeps = value(lexicon, GlossCosine(), "depository_financial_institution.n.01", "money.n.01")
    assert keeps > 2 * value(lexicon, GlossCosine(), "bank.n.01", "money.n.01")


def test_gloss_cosine_counts_the_words_of_names_if_it_is_asked_to(lexicon):
    bank, columns = lexicon.synset_named("bank.n.01"), []
    for names in (True, False):
        rows = GlossCosine(names=names).prepare(lexicon, np.array([bank])).rows
        columns.append(set(rows.columns.tolist()))
        assert np.square(rows.values).sum() == pytest.approx(1.0)
    assert columns[1] < columns[0]


def texts_of(lexicon, synset, params):
    """The texts of a synset, word by word, as the paper would have them; -1 ends a gloss."""
    arrays, texts = lexicon.arrays, {}
    for _, relation, target in zip(*related(lexicon, np.array([synset]), params.relations), strict=True):
        begin = arrays["content.starts"][target]
        end = begin + arrays["content.defined"][target]
        places = arrays["content.place"][begin:end]
        first = arrays["token.starts"][target]
        tokens = arrays["token.word"][first : first + places.max(initial=-1) + 1]
        words = [int(word) if token else -1 for token, word in zip(tokens, arrays["word.base"][tokens], strict=True)]
        texts.setdefault(relation, []).extend([*words, -1])
    return list(texts.values())


def test_extended_lesk_is_the_paper_s_score_word_by_word(lexicon, synsets):
    params = ExtendedLesk()
    scores = params.prepare(lexicon, synsets).scores(synsets, synsets)
    function = lexicon.arrays["word.function"].tolist()
    rng, texts, phrases = np.random.default_rng(4), {}, 0
    related_pairs = rng.permutation(np.argwhere(np.triu(scores, 1) > 8))[:60]
    for i, j in [*related_pairs, *np.sort(rng.integers(0, len(synsets), (60, 2)))]:
        one, other = (texts.setdefault(k, texts_of(lexicon, synsets[k], params)) for k in (i, j))
        if sum(map(len, one)) * sum(map(len, other)) < 40_000:
            score = sum(overlap_score(a, b, lambda word: word >= 0 and function[word]) for a in one for b in other)
            assert scores[i, j] == score
            phrases += score > 8
    assert phrases > 20


def test_extended_lesk_counts_a_phrase_more_than_its_words():
    assert overlap_score([1, 2, 3], [1, 2, 3], lambda _: False) == 9
    assert overlap_score([1, 2, 3], [3, 2, 1], lambda _: False) == 3
    assert overlap_score([1, 2, 3], [1, 2, 3], lambda word: word == 3) == 4


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_overlaps_count_at_least_the_shared_words_and_at_most_the_square_of_all(first, second):
    score = overlap_score(first, second, lambda word: word == 0)
    shared = sum(min(first.count(word), second.count(word)) for word in range(1, 5))
    assert shared <= score <= min(len(first), len(second)) ** 2


rows = st.lists(st.dictionaries(st.integers(0, 12), st.floats(-2, 2), max_size=6), max_size=8)


def sparse(lists):
    items = [sorted(row.items()) for row in lists]
    flat = [item for row in items for item in row]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in items])]).astype(np.int64)
    return Rows(starts, np.array([c for c, _ in flat], np.int64), np.array([v for _, v in flat], np.float64))


@given(rows, rows, st.sampled_from([0, 5, 1 << 21]))
@settings(max_examples=200)
def test_sparse_products_are_dense_products_whatever_is_compiled(a, b, at_once):
    dense = [
        np.array([[row.get(column, 0.0) for column in range(13)] for row in part]).reshape(-1, 13) for part in (a, b)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("swarmkit_wsd.measures.sparse.MOST_AT_ONCE", at_once)
        np.testing.assert_allclose(product(sparse(a), sparse(b)), dense[0] @ dense[1].T, atol=1e-12)


def test_every_relation_has_pointers_wordnet_uses(lexicon):
    for name in RELATIONS:
        owner, relation, target = related(lexicon, np.arange(0, len(lexicon.synset_pos), 3), (name,))
        assert np.count_nonzero(relation) > 50, name
        assert len(owner) == len(target)
