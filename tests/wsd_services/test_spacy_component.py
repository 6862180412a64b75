"""The spaCy component, in pipelines of the real spaCy."""

import importlib
import subprocess
import sys
import tomllib
import warnings

import pytest
import spacy
from spacy.parts_of_speech import IDS
from spacy.tokens import Doc, DocBin, Token
from spacy.training import Example

from swarmkit import MissingError, UsageError
from swarmkit_wsd import disambiguate
from swarmkit_wsd_services.spacy_component import OF_TOKENS
from tests.conftest import ROOT
from tests.wsd.at_hand import OWN_WORDNETS

TEXT = "She ate ice cream on the bank of the river. The state-of-the-art telescope didn't work; we saw nothing."
CLEAR = ROOT / "tests" / "wsd" / "clear_contexts.toml"
TEXTS = [
    *(one["text"] for one in tomllib.loads(CLEAR.read_text())["target"][::3]),
    "",
    " \n ",
    "Of the and.",
    TEXT,
]

TAGGED = [
    ("The bank lends money to the workers .", "DT NN VBZ NN IN DT NNS ."),
    ("A worker lends the money .", "DT NN VBZ DT NN ."),
    ("The workers ate ice cream .", "DT NNS VBD NN NN ."),
    ("She ate the fish near the river .", "PRP VBD DT NN IN DT NN ."),
    ("She lends the fish to a bank .", "PRP VBZ DT NN IN DT NN ."),
]

pytestmark = pytest.mark.usefixtures("lexicon")


def pipeline(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("swarmkit_wsd", config={"preset": "fast"} | config)
    return nlp


def annotated(nlp, sentences, **columns):
    return Doc(nlp.vocab, words=sentences.split(), **{name: values.split() for name, values in columns.items()})


def plain(senses):
    return [sense.model_dump(mode="json") for sense in senses]


def token_values(doc):
    return [tuple(getattr(token._, name) for name in OF_TOKENS) for token in doc]


def senses_by_word(doc):
    return {token.text: token._.sense for token in doc}


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_a_blank_pipeline_has_the_senses_of_disambiguate(preset):
    nlp = pipeline(preset=preset)
    for doc in nlp.pipe(TEXTS, batch_size=7):
        assert doc._.senses == plain(disambiguate(doc.text, preset=preset))


def test_tokens_have_key_synset_gloss_and_confidence():
    doc = pipeline()(TEXT)
    bank = next(token for token in doc if token.text == "bank")
    (sense,) = (one for one in disambiguate(TEXT, preset="fast") if one.word == "bank")
    found = (bank._.sense, bank._.synset, bank._.gloss, bank._.sense_confidence)
    assert found == (sense.key, sense.synset, sense.gloss, sense.confidence)
    assert token_values(doc)[0] == (None, None, None, None)


def test_a_sense_of_several_tokens_is_a_span_and_that_of_each_token():
    doc = pipeline()(TEXT)
    spans = {span.text: (span.label_, span.kb_id_) for span in doc.spans["senses"]}
    assert spans["ice cream"] == ("ice_cream%1:13:00::", "ice_cream.n.01")
    assert set(spans) == {"ice cream", "state-of-the-art"}
    for span in doc.spans["senses"]:
        assert {token._.sense for token in span} == {span.label_}


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_batches_change_no_sense(preset):
    nlp = pipeline(preset=preset)
    together = [doc._.senses for doc in nlp.pipe(TEXTS, batch_size=100)]
    assert together == [nlp(text)._.senses for text in TEXTS]


def test_documents_come_one_by_one_in_order_and_only_a_batch_is_read_ahead():
    nlp, read = pipeline(), []

    def texts():
        for number in range(100):
            read.append(number)
            yield f"The {number} banks lend money."

    docs = nlp.pipe(texts(), batch_size=5)
    assert [next(docs).text for _ in range(3)] == [f"The {number} banks lend money." for number in range(3)]
    assert len(read) <= 11


def test_a_batch_ends_at_a_number_of_tokens(monkeypatch):
    monkeypatch.setattr("swarmkit_wsd_services.spacy_component.MOST_TOKENS", 20)
    nlp, texts = pipeline(preset="best"), [TEXT, "A bank.", "A river.", TEXT]
    assert [doc._.senses for doc in nlp.pipe(texts)] == [plain(disambiguate(text, preset="best")) for text in texts]


def test_tags_and_lemmas_of_the_document_decide():
    nlp = pipeline()
    component = nlp.get_pipe("swarmkit_wsd")
    words = "We saw her duck near the river"
    noun = annotated(nlp, words, pos="PRON VERB PRON NOUN ADP DET NOUN", lemmas="we see she duck near the river")
    verb = annotated(nlp, words, pos="PRON VERB PRON VERB ADP DET NOUN", lemmas="we saw she duck near the river")
    noun, verb = (senses_by_word(component(doc)) for doc in (noun, verb))
    assert noun["duck"].startswith("duck%1:")
    assert verb["duck"].startswith("duck%2:")
    assert noun["saw"].startswith("see%2:")
    assert verb["saw"].startswith("saw%2:")
    assert noun["We"] is noun["near"] is None


@pytest.mark.parametrize("preset", ["fast", "best"])
def test_tagged_words_have_the_senses_of_disambiguate_with_the_same_tags(preset):
    nlp = pipeline(preset=preset)
    words, tags = "The bank lends money to the workers .", "DT NN VBZ NN IN DT NNS ."
    doc = nlp.get_pipe("swarmkit_wsd")(annotated(nlp, words, tags=tags))
    found = disambiguate(words.split(), pos=tags.split(), preset=preset)
    assert [(one["word"], one["key"]) for one in doc._.senses] == [(one.word, one.key) for one in found]


def test_entries_of_several_words_are_found_among_tagged_words():
    nlp = pipeline()
    doc = annotated(nlp, "They ate ice cream in New York .", tags="PRP VBD NN NN IN NNP NNP .")
    assert [span.text for span in nlp.get_pipe("swarmkit_wsd")(doc).spans["senses"]] == ["ice cream", "New York"]


def test_auxiliaries_have_no_sense_and_full_verbs_have_one():
    nlp = pipeline()
    component = nlp.get_pipe("swarmkit_wsd")
    helping = annotated(nlp, "She is eating .", tags="PRP VBZ VBG .", pos="PRON AUX VERB PUNCT")
    full = annotated(nlp, "She is old .", tags="PRP VBZ JJ .", pos="PRON AUX ADJ PUNCT")
    assert senses_by_word(component(helping))["is"] is None
    assert senses_by_word(component(full))["is"].startswith("be%2:")


def test_names_that_wordnet_has_as_common_nouns_only_are_left_alone():
    nlp = pipeline()
    doc = annotated(nlp, "He bought an Apple near the court .", tags="PRP VBD DT NNP IN DT NN .")
    found = senses_by_word(nlp.get_pipe("swarmkit_wsd")(doc))
    assert found["Apple"] is None
    assert found["court"].startswith("court%1:")


def test_it_follows_a_tagger_that_was_trained_here():
    nlp = spacy.blank("en")
    tagger = nlp.add_pipe("tagger")
    examples = [
        Example.from_dict(nlp.make_doc(text), {"words": text.split(), "tags": tags.split()}) for text, tags in TAGGED
    ]
    for name in sorted({tag for _, tags in TAGGED for tag in tags.split()}):
        tagger.add_label(name)
    spacy.util.fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    nlp.add_pipe("swarmkit_wsd", config={"preset": "fast", "tags": "doc"})
    for doc, (text, tags) in zip(nlp.pipe(text for text, _ in TAGGED), TAGGED, strict=True):
        assert [token.tag_ for token in doc] == tags.split()
        by_hand = annotated(nlp, text, tags=tags)
        assert doc._.senses == nlp.get_pipe("swarmkit_wsd")(by_hand)._.senses
        assert all(token._.sense for token in doc if token.tag_[:2] in ("NN", "VB"))


def test_sentences_are_those_of_the_document_or_our_own():
    nlp = pipeline(preset="best")
    words, tags = "The bank failed . The river rose .", "DT NN VBD . DT NN VBD ."
    split = annotated(nlp, words, tags=tags)
    for token in split:
        token.is_sent_start = token.i in (0, 4)
    component = nlp.get_pipe("swarmkit_wsd")
    assert component(split)._.senses == component(annotated(nlp, words, tags=tags))._.senses


def test_a_document_that_is_tagged_in_part_is_tagged_by_us():
    nlp = pipeline()
    doc = nlp.make_doc("The bank lends money.")
    doc[1].pos_ = "VERB"
    assert nlp(doc)._.senses == plain(disambiguate(doc.text, preset="fast"))
    with pytest.raises(UsageError, match=r"token 0 \('The'\) has no tag; expected token.pos_ or token.tag_ on every"):
        pipeline(tags="doc")("The bank lends money.")


def test_our_own_tagger_may_be_preferred():
    nlp = pipeline(tags="own")
    doc = annotated(nlp, "The bank lends money .", tags="DT VB VB VB .")
    assert nlp.get_pipe("swarmkit_wsd")(doc)._.senses == plain(disambiguate(doc.text, preset="fast"))


PENN = """
$ '' , -LRB- -RRB- . : ADD AFX BES CC CD DT EX FW GW HVS HYPH IN JJ JJR JJS LS MD NFP NIL NN NNP NNPS NNS PDT POS PRP
PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB XX _SP ``
""".split()  # noqa: SIM905  (a table, to be read)
"""The labels of the taggers in spaCy's English pipelines, of all versions."""


@pytest.mark.parametrize("column", ["tags", "pos"])
def test_every_tag_of_english_pipelines_is_known(column):
    names = PENN if column == "tags" else [name for name in IDS if name not in ("", "EOL")]
    nlp = pipeline()
    doc = Doc(nlp.vocab, words=["bank"] * len(names), **{column: names})
    found = {name: token._.sense for name, token in zip(names, nlp.get_pipe("swarmkit_wsd")(doc), strict=True)}
    content = {"NN", "NNP", "NNPS", "NNS", "PROPN", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NOUN", "VERB"}
    assert {name for name, sense in found.items() if sense} == content & set(names)


def test_lemmas_alone_are_no_tags():
    nlp = pipeline()
    doc = annotated(nlp, "The banks lend money .", lemmas="the bank lend money .")
    assert nlp.get_pipe("swarmkit_wsd")(doc)._.senses == plain(disambiguate(doc.text, preset="fast"))


def test_a_tag_of_another_tagset_is_refused_by_name():
    nlp = pipeline()
    doc = annotated(nlp, "The bank", tags="ART NN")
    with pytest.raises(UsageError, match="'The' has the tag 'ART'; expected a universal tag such as NOUN"):
        nlp.get_pipe("swarmkit_wsd")(doc)


def test_senses_are_kept_in_bytes_and_in_a_doc_bin():
    nlp = pipeline(alternatives=2)
    doc = nlp(TEXT)
    stored = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (binned,) = DocBin().from_bytes(stored).get_docs(spacy.blank("en").vocab)
    for copy in (Doc(spacy.blank("en").vocab).from_bytes(doc.to_bytes()), binned):
        assert copy._.senses == doc._.senses
        assert token_values(copy) == token_values(doc)
        spans = [(span.text, span.label_, span.kb_id_) for span in copy.spans["senses"]]
        assert spans == [(span.text, span.label_, span.kb_id_) for span in doc.spans["senses"]]


def test_a_pipeline_is_saved_and_loaded_with_its_settings(tmp_path):
    nlp = pipeline(min_confidence=0.6, options={"window": 20})
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.get_pipe("swarmkit_wsd").settings == nlp.get_pipe("swarmkit_wsd").settings
    assert loaded(TEXT)._.senses == nlp(TEXT)._.senses


def test_other_processes_find_the_same_senses():
    nlp = pipeline()
    texts = TEXTS[:4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # spaCy forks, and Python warns of threads
        found = [doc._.senses for doc in nlp.pipe(texts, n_process=2, batch_size=2)]
    assert found == [nlp(text)._.senses for text in texts]


def test_unsure_words_are_left_out_and_alternatives_listed():
    doc = pipeline(min_confidence=0.7, alternatives=1)(TEXT)
    assert doc._.senses
    assert all(sense["confidence"] >= 0.7 and len(sense["alternatives"]) <= 1 for sense in doc._.senses)
    assert {token._.sense for token in doc} - {None} == {sense["key"] for sense in doc._.senses}


def test_senses_are_replaced_by_those_of_another_run():
    doc = pipeline()(TEXT)
    pipeline(min_confidence=1.0).get_pipe("swarmkit_wsd")(doc)
    assert {token._.sense for token in doc} - {None} == {sense["key"] for sense in doc._.senses}


WRONG = {
    "no such preset": ({"preset": "fst"}, "swarmkit_wsd: preset: .*'paper', 'fast' or 'best'"),
    "confidence above 1": ({"min_confidence": 2}, "min_confidence: .*less than or equal to 1"),
    "no such option": ({"options": {"windw": 3}}, "no setting named 'windw'. Did you mean 'window'?"),
    "a text": ({"options": {"text": "A bank."}}, "'text' names a text; expected none"),
    "twice": ({"options": {"preset": "best"}}, "'preset' is a setting of its own"),
    "no such tags": ({"tags": "theirs"}, "tags: .*'auto', 'doc' or 'own'"),
    "model without evidence": ({"model": "mine.safetensors"}, "'model' goes with evidence=model"),
}


@pytest.mark.parametrize(("config", "message"), WRONG.values(), ids=WRONG)
def test_wrong_settings_are_refused_in_a_sentence(config, message):
    with pytest.raises(UsageError, match=message):
        pipeline(**config)


def test_an_unknown_setting_is_refused_by_spacy():
    with pytest.raises(ValueError, match="min_confidense"):
        pipeline(min_confidense=0.5)


def test_a_model_that_is_not_there_is_named(tmp_path):
    nlp = pipeline(preset="best", model=str(tmp_path / "none"))
    with pytest.raises(UsageError, match="none: no such file; expected a model"):
        nlp("A bank.")


def test_the_language_is_that_of_the_pipeline(monkeypatch):
    monkeypatch.setenv("SWARMKIT_WORDNETS", str(OWN_WORDNETS))
    nlp = spacy.blank("fr")
    nlp.add_pipe("swarmkit_wsd")
    doc = nlp("L'avocat a défendu son client; il aime les pommes de terre.")
    assert doc._.senses == plain(disambiguate(doc.text, language="fr"))
    assert senses_by_word(doc)["avocat"] == "lawyer%1:18:00::"
    assert [(span.text, span.kb_id_) for span in doc.spans["senses"]] == [("pommes de terre", "potato.n.01")]


def test_universal_tags_and_lemmas_of_another_language_decide(monkeypatch):
    monkeypatch.setenv("SWARMKIT_WORDNETS", str(OWN_WORDNETS))
    nlp = spacy.blank("fr")
    component = nlp.add_pipe("swarmkit_wsd")
    noun, verb = (
        component(annotated(nlp, "Une porte grise", pos=f"DET {tag} ADJ", lemmas=f"un {lemma} gris"))
        for tag, lemma in (("NOUN", "porte"), ("VERB", "porter"))
    )
    assert noun[1]._.synset == "door.n.01"
    assert "%2:" in verb[1]._.sense
    own = annotated(nlp, "Une porte grise", tags="D N A")  # tags of another tagset are no universal tags
    assert component(own)._.senses == plain(disambiguate(own.text, language="fr"))


def test_a_language_without_a_wordnet_is_named(monkeypatch, tmp_path):
    nlp = spacy.blank("de")
    nlp.add_pipe("swarmkit_wsd", config={"options": {"wordnets": str(tmp_path)}})
    with pytest.raises(MissingError, match="no wordnet for the language 'deu'"):
        nlp("Die Bank gibt Geld.")


def test_an_extension_of_others_with_our_name_is_refused():
    before = Token.get_extension("gloss")
    Token.set_extension("gloss", getter=len, force=True)
    try:
        with pytest.raises(UsageError, match="'gloss' of spaCy's Token is registered by another component"):
            pipeline()
    finally:
        Token.set_extension("gloss", default=before[0], force=True)
    assert pipeline().make_doc("A bank.")._.senses == []


def test_the_module_may_be_reloaded():
    importlib.reload(sys.modules["swarmkit_wsd_services.spacy_component"])
    assert pipeline()(TEXT)._.senses


def test_the_old_name_of_the_module_works_with_a_warning():
    sys.modules.pop("swarmkit_wsd.spacy_component", None)
    with pytest.warns(DeprecationWarning, match="is now swarmkit_wsd_services.spacy_component"):
        old = importlib.import_module("swarmkit_wsd.spacy_component")
    assert old is sys.modules["swarmkit_wsd_services.spacy_component"]


def test_spacy_finds_the_component_by_its_entry_point_and_nothing_else_imports_spacy():
    code = (
        "import sys, swarmkit, swarmkit_wsd; swarmkit_wsd.disambiguate; assert 'spacy' not in sys.modules\n"
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('swarmkit_wsd'); print(nlp.pipe_names)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['swarmkit_wsd']\n"
