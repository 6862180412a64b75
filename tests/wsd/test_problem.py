from itertools import count, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swarmkit
from swarmkit import Pairwise, UsageError, judge, make_settings
from swarmkit.testing import check_problem
from swarmkit_text.corpora.keys import read_keys
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_wsd.disambiguation import disambiguate, each_chunk
from swarmkit_wsd.measures import Lin, LinLesk
from swarmkit_wsd.options import EXAMPLE, WsdOptions
from swarmkit_wsd.tables import chain_edges, pairwise_form, side_by_side, window_edges
from tests.wsd.at_hand import CORPORA, OUR_COARSE, OUR_UNIFIED, OWN, SEMEVAL

pytestmark = pytest.mark.usefixtures("source")


def paper(**options):
    """The problem with the D-Bees paper's setting."""
    return swarmkit.make_problem("wsd", **{"preset": "paper"} | options)


def fast(**options):
    """The options of the preset without a model."""
    return make_settings(WsdOptions, {"preset": "fast"} | options, "wsd")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"order": "text", "ties": "first"},
        {"shape": "pairwise"},
        {"shape": "pairwise", "unit": "document", "window": 2, "prior": "counts"},
        {"shape": "pairwise", "unit": "document", "repeats": False, "measure": "gloss-cosine"},
        {"measure": "lesk", "measure_params": {"normalise": "jaccard"}},
        {"measure": "extended-lesk"},
        {"text": "Bank. The bank of the bank. Words, words, words!"},
        {"text": "zzyzx"},
        {"text": "…"},
        {"preset": "fast"},
        {"preset": "best"},
    ],
)
def test_the_problem_keeps_the_contract(options):
    text = {"text": "They sat on the bank of the river. The bank was closed."} | options
    check_problem(paper(**text), examples=3)


def test_without_a_text_the_papers_sentence_is_disambiguated():
    problem = swarmkit.make_problem("wsd")
    assert [target.token.surface for target in sorted(problem.targets, key=lambda t: t.token.start)] == [
        "bought", "new", "wireless", "mouse", "laptop"
    ]  # fmt: skip
    assert EXAMPLE.startswith("I bought a new")


def test_stages_go_by_part_of_speech_and_answers_by_the_text():
    problem = paper()
    assert [target.token.pos for target in problem.targets] == sorted(
        (target.token.pos for target in problem.targets), key="nvar".index
    )
    rows = problem.describe(np.zeros(len(problem.sizes), np.int64))
    assert [row["word"] for row in rows] == ["bought", "new", "wireless", "mouse", "laptop"]


def test_every_sentence_is_a_part_and_the_score_is_their_sum():
    problem = paper(text="The dog chased the cat. A bank holds money. Rivers flow.")
    assert len(problem.parts) == 3
    exact = sum(swarmkit.solve(part.problem, "exhaustive").score for part in problem.parts)
    assert swarmkit.solve(problem, "exhaustive").score == pytest.approx(exact)


def test_the_chain_is_the_relatedness_of_neighbours(lexicon):
    problem = paper(text="dogs cats horses", measure="lin", order="text")
    x = np.zeros(3, np.int64)
    synsets = lexicon.sense_synset[problem.chosen(x)]
    related = Lin().prepare(lexicon, synsets).block(synsets, synsets)
    assert problem.score(x[None])[0] == pytest.approx(related[0, 1] + related[1, 2], abs=1e-5)


def test_counts_are_a_choice_that_shows(lexicon):
    without, with_counts = (paper(text="bank", prior=prior, ties="first") for prior in ("none", "counts"))
    assert with_counts.form.unary.max() > 0.01 > without.form.unary.max()
    assert without.form.unary.max() < 1e-5


def test_the_first_of_equal_senses_is_preferred_by_a_hair_and_only_as_asked():
    first = paper(text="bank", ties="first")
    assert first.form.unary.argmax() == 0
    assert np.ptp(first.form.unary) < 1e-6


TIES = "The bank was there. A star of the night shone, and dogs barked loudly. They quickly ran."


def test_without_sense_order_the_score_holds_no_preference(lexicon):
    """Every solution scores the relatedness of its senses and nothing else, to the last bit."""
    for seed in (0, 1):
        problem = paper(text=TIES, ties_seed=seed)
        assert not problem.form.unary.any()
        assert problem.fingerprint == paper(text=TIES).fingerprint
        x = np.random.default_rng(seed).integers(problem.sizes)
        synsets = lexicon.sense_synset[problem.chosen(x)]
        related = LinLesk().prepare(lexicon, synsets).block(synsets, synsets)
        chain = sum(related[i, j] for i, j in problem.form.edges)
        assert problem.score(x[None])[0] == pytest.approx(chain, rel=1e-12)
    assert (np.unique(problem.form.flat)[1:] > 1e-6).all()  # nor does a measure hide one among its zeros


@pytest.mark.parametrize("solver", ["viterbi", "greedy"])
def test_solvers_that_draw_nothing_take_equal_senses_in_an_order_drawn_by_seed_and_sentence(solver):
    def answer(text, seed):
        return swarmkit.solve(paper(text=text, ties_seed=seed), solver)

    assert answer(TIES, 1).solution == answer(TIES, 1).solution
    assert len({answer("bank", seed).solution[0] for seed in range(20)}) > 3
    assert solver == "greedy" or np.ptp([answer(TIES, seed).score for seed in range(5)]) < 1e-12
    once, twice = paper(text="The bank stood."), paper(text="The bank stood. The bank fell.")
    size = int(once.sizes[0])
    assert twice.tie_ranks[:size].tolist() == once.tie_ranks[:size].tolist()  # the sentence's own, whatever follows
    order = [twice.parts[part].problem.tie_ranks[:size].argsort().tolist() for part in (0, 1)]
    assert order[0] != order[1]


def test_d_bees_draws_among_equal_senses_afresh():
    problem = paper(text="bank stopped", measure="lin")  # nothing is related, so all senses are equal
    found = [swarmkit.solve(problem, "dbees", seed=seed, params={"preset": "paper"}).solution for seed in range(30)]
    assert all(len(set(senses)) > 5 for senses in zip(*found, strict=True))


def test_results_carry_the_hash_of_wordnet(lexicon):
    result = swarmkit.solve("wsd", "first")
    assert lexicon.sha256 in result.versions["wordnet"]


def test_relatedness_is_known_between_words_that_are_not_linked():
    problem = paper(text="dog cat horse bank", measure="lin", order="text")
    far = problem.relatedness(np.array([0]), np.array([int(problem.form.offsets[2])]))
    assert far[0] > 0.5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"text": "a", "file": "b"}, "'text' and 'file' are both given"),
        ({"key": "k"}, "'key' goes with 'corpus'"),
        ({"text": "a", "text_id": "d001"}, "'text_id' goes with 'corpus'"),
        ({"window": 3}, "'window' goes with shape=pairwise"),
        ({"measure": "lin-lesc"}, "no measure named 'lin-lesc'. Did you mean 'lin-lesk'"),
        ({"measure": "lin", "measure_params": {"i": 1}}, "measure 'lin': no setting named 'i'"),
        ({"file": "no/such.txt"}, "no such file"),
        ({"corpus": "no/such.xml"}, "no such file"),
        ({"shape": "tree"}, "shape"),
        ({"wordnet": "/nowhere"}, "is not a WordNet"),
    ],
)
def test_wrong_options_are_refused_in_words(options, said):
    with pytest.raises(UsageError, match=said):
        paper(**options)


def test_a_text_too_long_for_its_window_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr("swarmkit_wsd.tables.LIMIT", 100)
    with pytest.raises(UsageError, match="choose a smaller window"):
        paper(shape="pairwise")


@given(st.integers(0, 12), st.integers(1, 12))
def test_a_window_links_each_pair_within_it_once(n, window):
    position = np.random.default_rng(n).permutation(n)
    edges = window_edges(position, window)
    expected = {(i, j) for i in range(n) for j in range(i + 1, n) if abs(position[i] - position[j]) <= window}
    assert len(edges) == len(expected)
    assert {tuple(edge) for edge in edges.tolist()} == expected


def test_tables_made_in_small_blocks_are_the_same(lexicon, monkeypatch):
    problem = paper(shape="pairwise", unit="document", text="The dog chased the cat. Banks hold money.")
    monkeypatch.setattr("swarmkit_wsd.tables.BLOCK", 10)
    again = paper(shape="pairwise", unit="document", text="The dog chased the cat. Banks hold money.")
    assert np.array_equal(problem.form.flat, again.form.flat)


def test_a_chain_of_nothing_has_no_links():
    assert chain_edges(0).shape == chain_edges(1).shape == (0, 2)
    assert side_by_side([]).sizes.tolist() == []
    assert pairwise_form(np.array([2]), np.array([1, 2]), np.zeros(2), chain_edges(1), None).score(np.array([[1]])) == [
        0.0
    ]
    assert isinstance(side_by_side([Pairwise.of([2])]), Pairwise)


@pytest.mark.parametrize("corpus", CORPORA)
def test_first_senses_of_a_corpus_score_what_they_should(corpus):
    problem = paper(corpus=str(corpus.xml), key=str(corpus.gold))
    metrics = swarmkit.solve(problem, "first").metrics
    assert len(problem.unknown) == corpus.unknown
    assert metrics["attempted"] == 1 - corpus.unknown / corpus.targets
    if corpus == SEMEVAL:  # the organisers' key is of an older WordNet
        assert 0.794 <= metrics["f1"] <= 0.795
    elif corpus.first:
        assert round(100 * metrics["f1"], 2) == corpus.first_f1[0]


@pytest.mark.parametrize("corpus", CORPORA)
def test_with_a_key_every_word_says_whether_it_is_right(corpus):
    text = read_corpus(corpus.xml).texts[0]
    targets = sum(len(sentence.targets) for sentence in text.sentences)
    problem = paper(corpus=str(corpus.xml), key=str(corpus.gold), text_id=text.id)
    result = swarmkit.solve(problem, "first")
    right, words = sum(row["right"] for row in result.answer), len(result.answer)
    assert (right, words) == (round(result.metrics["recall"] * targets), targets)
    assert "right" not in swarmkit.solve("wsd", "first").answer[0]


@pytest.mark.parametrize("corpus", CORPORA)
def test_one_text_of_a_corpus_can_be_taken_alone(corpus):
    text = read_corpus(corpus.xml).texts[0]
    problem = paper(corpus=str(corpus.xml), key=str(corpus.gold), text_id=text.id, unit="document")
    assert len(problem.gold) == sum(len(sentence.targets) for sentence in text.sentences) < corpus.targets
    assert len(problem.parts) == 1
    with pytest.raises(UsageError, match=rf"no text named 'd999'. There are: {text.id}"):
        paper(corpus=str(corpus.xml), text_id="d999")


def test_a_key_of_another_corpus_is_refused():
    with pytest.raises(UsageError, match="the key has no entry for"):
        paper(corpus=str(OUR_COARSE.xml), key=str(OUR_UNIFIED.gold))


def test_the_sense_keys_of_our_corpora_are_those_of_wordnet(lexicon):
    for corpus in (OUR_COARSE, OUR_UNIFIED):
        lemmas = {token.id: token.lemma for _, token in read_corpus(corpus.xml).targets()}
        for entry in read_keys(corpus.gold).values():
            known = [lexicon.sense_of_key(key) for key in entry.keys]
            assert None not in known or lemmas[entry.id] == "glasswort-blue"
            assert {key.partition("%")[0] for key in entry.keys} == {lemmas[entry.id]}


def test_ambiguous_words_in_clear_sentences_get_their_senses(lexicon):
    """A small lexical sample: two sentences for each word."""
    for line in (OWN / "lexical.tsv").read_text().splitlines():
        word, text, right = line.split("\t")
        assert lexicon.sense_of_key(right) is not None
        assert [sense.key for sense in disambiguate(text) if sense.lemma == word] == [right]


def test_senses_of_a_text_come_with_offsets_keys_and_confidence(lexicon):
    text = "They sat on the bank of the river."
    found = {sense.word: sense for sense in disambiguate(text)}
    assert text[found["bank"].start : found["bank"].end] == "bank"
    assert found["bank"].synset == "bank.n.01"
    assert found["sat"].lemma == "sit"
    assert lexicon.sense_of_key(found["river"].key) is not None
    assert all(0 < sense.confidence <= 1 for sense in found.values())


def test_words_can_be_given_with_parts_of_speech_and_targets():
    [sense] = disambiguate(["I", "saw", "the", "duck"], pos=["PRON", "VERB", "DET", "NOUN"], targets=[3])
    assert (sense.word, sense.pos, sense.start) == ("duck", "n", 3)
    with pytest.raises(UsageError, match="go with a list of words"):
        disambiguate("a duck", targets=[1])


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60) | st.text("the bank river 's-sat.,!?\n ", max_size=80))
def test_any_text_gives_senses_that_belong_to_their_lemmas(lexicon, text):
    for sense in disambiguate(text):
        assert text[sense.start : sense.end] == sense.word
        number = lexicon.sense_of_key(sense.key)
        assert number in lexicon.senses(sense.lemma, sense.pos)


words = st.sampled_from(["bank", "Bank", "run", "ran", "xyzzy", "", " ", "the", "state_of_the_art", "💧", "be", "n't"])


@settings(max_examples=40, deadline=None)
@given(st.lists(words | st.text(max_size=8), max_size=8), st.data())
def test_any_words_and_any_targets_give_an_answer_or_a_clear_error(lexicon, tokens, data):
    targets = data.draw(st.none() | st.lists(st.integers(0, max(0, len(tokens) - 1)), max_size=3))
    try:
        found = disambiguate(tokens, targets=targets)
    except UsageError:
        return
    for sense in found:
        assert lexicon.sense_of_key(sense.key) in lexicon.senses(sense.lemma, sense.pos)
        assert targets is None or sense.start in targets


LONG = "The bank holds money. The river flows. A dog barks at a cat. The old boat left the bank. " * 6


def links(problem, stages):
    """The words that each stage is related to, by their places in the text."""
    half, place = problem.form.half_edges, [target.token.start for target in problem.targets]
    spans = {stage: slice(half.indptr[stage], half.indptr[stage + 1]) for stage in stages}
    return {place[stage]: sorted(place[other] for other in half.neighbour[span]) for stage, span in spans.items()}


@pytest.mark.parametrize("window", [1, 3, 10])
def test_a_long_text_is_cut_between_sentences_and_no_word_loses_its_window(lexicon, monkeypatch, window):
    options = fast(window=window)
    (whole,) = each_chunk(LONG, lexicon, options)
    monkeypatch.setattr("swarmkit_wsd.disambiguation.CHUNK", 4)
    chunks = list(each_chunk(LONG, lexicon, options))
    assert len(chunks) > 10
    linked = [links(chunk.problem, chunk.problem.in_text_order(chunk.answer_range)) for chunk in chunks]
    assert [place for part in linked for place in part] == [target.token.start for target in whole.problem.targets]
    assert {place: others for part in linked for place, others in part.items()} == links(
        whole.problem, range(len(whole.problem.targets))
    )
    assert max(len(chunk.problem.targets) for chunk in chunks) <= 4 + 2 * window + 3 * 5


def test_a_text_without_end_is_answered_while_it_is_read(lexicon):
    sentences = ("A dog barks at the cat. Zzyzxy! " * 400 for _ in count())
    chunks = list(islice(each_chunk(sentences, lexicon, fast()), 3))
    assert [chunk.senses()[0].start for chunk in chunks] == sorted(chunk.senses()[0].start for chunk in chunks)
    assert all(set(chunk.unknown) == {"Zzyzxy"} for chunk in chunks)


def test_a_text_without_words_to_disambiguate_is_not_held_in_memory(lexicon):
    chunks = each_chunk(("Zzyzxy of the 25. " * 1000 for _ in count()), lexicon, fast())
    first = next(chunks)
    assert first.senses() == []
    assert set(first.unknown) == {"Zzyzxy"}
    assert sum(len(sentence.tokens) for sentence in first.problem.corpus.texts[0].sentences) < 25_000


def test_sentences_that_are_solved_alone_need_no_context(lexicon, monkeypatch):
    monkeypatch.setattr("swarmkit_wsd.disambiguation.CHUNK", 4)
    for chunk in each_chunk(LONG, lexicon, fast(unit="sentence")):
        assert chunk.answer_range == range(len(chunk.problem.corpus.texts[0].sentences))


def test_heuristics_answer_feasibly_on_a_text():
    problem = paper(text="They sat on the bank of the river. Rivers run.", unit="document")
    for solver in ("random", "first", "greedy", "icm", "exhaustive"):
        result = swarmkit.solve(problem, solver, looks=20_000)
        assert judge(problem, np.array([result.solution]))[0]


@pytest.mark.parametrize("preset", ["best", "fast"])
def test_ants_do_no_worse_than_first_senses_where_senses_have_values_alone(source, preset):
    text = "I bought a new wireless mouse. They sat on the bank of the river and watched the current."
    problem = swarmkit.make_problem("wsd", text=text, preset=preset)
    assert swarmkit.solve(problem, "aca", seed=1, iterations=20).score >= swarmkit.solve(problem, "first").score


def test_solve_counts_the_words_that_are_not_in_wordnet_as_tag_lists_them(cli, lexicon):
    text = "Some people like any of these quuxes; Zzyzxy and 25 quuxes saw John."
    problem = swarmkit.make_problem("wsd", text=text, preset="fast")
    assert problem.unknown_words == ["quuxes", "Zzyzxy", "John"]
    assert problem.metrics(problem.default_solution())["words not in WordNet"] == 3
    assert "not in WordNet: quuxes, Zzyzxy, John\n" in cli("wsd", "tag", text, "--preset", "fast").out


def test_an_empty_text_is_refused(cli):
    answer = cli("solve", "-p", "wsd", "-P", "text=", "-a", "first")
    assert answer.code == 2
    assert "'text' is empty; expected words" in answer.err
