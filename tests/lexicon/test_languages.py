"""Other languages: tab files, words, readings, and senses with our own small wordnets and the real ones at hand."""

import gzip
import json
import lzma
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from swarmkit import MissingError, UsageError, make_problem, solve
from swarmkit_lexicon.languages import lexicon as lexicons
from swarmkit_lexicon.languages.codes import language_code
from swarmkit_lexicon.languages.compile import compile_language
from swarmkit_lexicon.languages.lexicon import LanguageLexicon, open_language
from swarmkit_lexicon.languages.rules import FOLDER, entry_form, language_rules
from swarmkit_lexicon.languages.tab_file import VARIABLE, TabFile, find_tab_file, parse_tab_file
from swarmkit_text.languages.reader import split_rules
from swarmkit_text.languages.readings import kind_before
from swarmkit_text.tokenizer import split_sentences
from swarmkit_wsd import disambiguate, open_lexicon
from swarmkit_wsd.answers import Answers
from tests.conftest import ROOT
from tests.pages import run_page
from tests.wsd.at_hand import OWN_WORDNETS, REAL_WORDNETS, WORDNETS

CONTEXTS = tomllib.loads((Path(__file__).parent / "languages.toml").read_text("utf-8"))["target"]
RIGHT = {"fr": 14, "it": 10}
"""Of 16 words in clear contexts each with the real wordnets; 15 and 11 are right."""

TAB = "# Own\tfra\n09213565-n\tfra:lemma\tberge\n09213565-n\tlemma\trive\n"

pytestmark = pytest.mark.usefixtures("lexicon")


@pytest.fixture(autouse=True)
def own_wordnets(monkeypatch):
    monkeypatch.setenv(VARIABLE, str(OWN_WORDNETS))


@pytest.fixture(scope="module")
def french():
    return open_language("fr", wordnets=str(OWN_WORDNETS))


def synsets(text, language="fr", **options):
    return {sense.lemma: sense.synset for sense in disambiguate(text, language=language, **options)}


def words(text, language):
    return [[word.surface for word in one] for one in split_sentences(text, split_rules(language))]


def parsed(tmp_path, text, language="fra"):
    file = TabFile(tmp_path / f"wn-data-{language}.tab")
    file.path.write_text(text, "utf-8")
    return parse_tab_file(file, language), file


# Codes


@pytest.mark.parametrize("given", ["fr", "fra", "FR", "fre", "fr-CA", "fr_FR"])
def test_codes_of_two_and_three_letters_name_the_same_language(given):
    assert language_code(given) == ("fra", "fr")


def test_a_code_of_three_letters_needs_no_other_one():
    assert language_code("qqq") == ("qqq", None)


@pytest.mark.parametrize("given", ["xq", "french", "", "f1"])
def test_what_is_no_code_is_refused_with_those_that_are(given):
    with pytest.raises(UsageError, match=r"expected an ISO 639 code of two or three letters.*fr"):
        language_code(given)


# Tab files


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("09213565-n\tfra:lemma", "line 4: 2 columns; expected"),
        ("9213565-n\tfra:lemma\tberge", "line 4: '9213565-n' is not a synset"),
        ("09213565-x\tfra:lemma\tberge", "line 4: '09213565-x' is not a synset"),
        ("09213565-n\tFRA\tberge", "line 4: 'FRA' is not a kind"),
        ("09213565-n\tita:lemma\triva", "line 4: the language is 'ita'; expected 'fra'"),
        ("09213565-n\tfra:lemma\tber\0ge", "line 4: a null byte"),
    ],
)
def test_a_wrong_line_of_a_tab_file_is_named_by_its_number(tmp_path, line, said):
    with pytest.raises(UsageError, match=said):
        parsed(tmp_path, TAB + line + "\n")


def test_a_tab_file_without_lemmas_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no lemmas; expected lines of a tab file"):
        parsed(tmp_path, "# Own\tfra\n09213565-n\tfra:lemma\tGAP!\n")


def test_offsets_of_another_wordnet_are_refused(tmp_path, lexicon):
    entries, file = parsed(tmp_path, TAB + "00000001-n\tfra:lemma\tberge\n")
    with pytest.raises(UsageError, match=r"line 4: WordNet 3\.0 has no synset 00000001-n"):
        compile_language(entries, file, lexicon)


def test_definitions_are_read_and_references_to_pages_are_none(tmp_path):
    entries, _ = parsed(
        tmp_path, TAB + "09213565-n\tfra:def\t0\tbord d'un fleuve\n00001740-n\tfra:def\t0\tfr.x.org/y\n"
    )
    assert entries.definitions == {(9213565, "n"): "bord d'un fleuve"}
    assert [lemma for _, _, lemma, _ in entries.lemmas] == ["berge", "rive"]


def test_compressed_files_folders_and_archives_are_found(tmp_path, monkeypatch):
    text = (OWN_WORDNETS / "wn-data-fra.tab").read_bytes()
    code = language_code("fr")
    for name, content in (
        ("a/wn-data-fra.tab.xz", lzma.compress(text)),
        ("b/x/wn-data-fra.tab.gz", gzip.compress(text)),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        found = find_tab_file(code, str(tmp_path / name.split("/")[0]))
        assert found.path == path
        assert parse_tab_file(found, "fra").lemmas == parse_tab_file(find_tab_file(code), "fra").lemmas
        assert find_tab_file(code, str(path)).path == path
    corpora = tmp_path / "nltk" / "corpora"
    corpora.mkdir(parents=True)
    with zipfile.ZipFile(corpora / "omw-1.4.zip", "w") as archive:
        archive.writestr("omw-1.4/fra/wn-data-fra.tab", text)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    monkeypatch.delenv(VARIABLE)
    found = find_tab_file(code)
    assert (found.path, found.member) == (corpora / "omw-1.4.zip", "omw-1.4/fra/wn-data-fra.tab")
    assert parse_tab_file(found, "fra").name == parse_tab_file(TabFile(OWN_WORDNETS / "wn-data-fra.tab"), "fra").name


def test_the_folder_of_the_language_comes_before_others(tmp_path):
    for folder in ("aaa", "ita"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "wn-data-ita.tab").write_text("")
    assert find_tab_file(language_code("it"), str(tmp_path)).path.parent.name == "ita"


def test_a_missing_wordnet_is_said_with_the_languages_there_and_the_ways_out():
    with pytest.raises(MissingError) as caught:
        synsets("Olá", "pt")
    said = str(caught.value)
    assert "no wordnet for the language 'por'" in said
    assert str(OWN_WORDNETS) in said
    assert "Languages found there: fra, ita" in said
    assert "nltk.downloader omw-1.4" in said
    assert VARIABLE in said
    with pytest.raises(UsageError, match="wordnets: there is no /nowhere"):
        synsets("Olá", "pt", wordnets="/nowhere")


# The lexicon


def test_the_compiled_file_is_kept_by_its_content_and_made_again_if_damaged(tmp_path, monkeypatch, source):
    from swarmkit_lexicon.cache import CACHE_VARIABLE
    from swarmkit_lexicon.languages import lexicon as module

    folder, cache, said = tmp_path / "tabs", tmp_path / "cache", []
    folder.mkdir()
    (folder / "wn-data-fra.tab").write_text(TAB, "utf-8")
    monkeypatch.setenv(CACHE_VARIABLE, str(cache))

    def opened():
        monkeypatch.setattr(module, "_lexicons", {})
        return open_language("fr", source.path, str(folder), said.append)

    assert opened().has("berge", "n")
    (kept,) = cache.glob("compiled/language-fra-*.arrays")
    assert opened().has("berge", "n")
    assert [one for one in said if "wn-data-fra.tab" in one] == ["Compiling wn-data-fra.tab once…"]
    kept.write_bytes(kept.read_bytes()[:-9])
    assert opened().has("berge", "n")
    assert "is damaged" in said[-1]
    (folder / "wn-data-fra.tab").write_text(TAB.replace("berge", "rivage"), "utf-8")
    assert not opened().has("berge")
    assert len(list(cache.glob("compiled/language-fra-*.arrays"))) == 2


def test_counts_of_a_synset_are_split_between_the_lemmas_that_the_language_has(tmp_path, lexicon):
    entries, file = parsed(tmp_path, TAB + "09428293-n\tfra:lemma\trive\n")  # seashore
    arrays = compile_language(entries, file, lexicon)
    found = LanguageLexicon(lexicon, arrays, language_code("fr"), file)
    bank = int(lexicon.sense_synset[lexicon.sense_of_key("bank%1:17:01::")])
    total = lexicon.sense_count[np.flatnonzero(lexicon.sense_synset == bank)].sum()
    own = {
        found.lemma(sense): found.sense_count[sense] for sense in np.flatnonzero(found.sense_synset == bank).tolist()
    }
    assert own == pytest.approx({"berge": total / 3, "rive": 2 * total / 3})


def test_senses_are_named_by_english_keys_and_found_by_those_of_all_words_of_a_synset(french):
    (mouse,) = (one for one in french.senses("souris") if french.name(french.sense_synset[one]) == "mouse.n.04")
    assert french.key(mouse) == "mouse%1:06:00::"
    assert french.senses_of_key("computer_mouse%1:06:00::") == [mouse]
    assert french.senses_of_key("no%1:06:00::") == []


def test_glosses_are_in_the_language_where_there_are_any():
    found = {one.lemma: one.gloss for one in disambiguate("La banca presta denaro.", language="it")}
    assert found["banca"] == "istituto che raccoglie denaro e lo presta"
    assert found["denaro"].startswith("the most common medium of exchange")


def test_measures_compare_synsets_of_wordnet_itself(french, lexicon):
    assert french.wordnet is lexicon
    text = "La souris de mon ordinateur; le chat a mangé une souris."
    for options in ({"measure": "lin-lesk"}, {"measure": "extended-lesk"}, {"preset": "paper"}):
        assert synsets(text, **options)["manger"].startswith("eat.v.")


def test_another_wordnet_than_3_0_is_refused(tmp_path, copied):
    folder = copied(tmp_path / "dict")
    (folder / "noun.exc").write_bytes(b"")
    with pytest.raises(UsageError, match=r"the WordNet in use is not 3\.0"):
        synsets("La souris", wordnet=str(folder))


@pytest.mark.parametrize("folder", WORDNETS, ids=lambda folder: folder.parent.name)
def test_what_is_missing_is_said(folder):
    assert open_language("fr", wordnets=str(folder)).missing() == [
        "language 'fra': its wordnet has no definitions, so they are in English"
    ]
    assert open_language("it", wordnets=str(folder)).missing() == []


def test_a_language_without_rules_and_dictionary_is_read_all_the_same(tmp_path):
    text = (OWN_WORDNETS / "wn-data-fra.tab").read_text("utf-8").replace("fra:", "qqq:")
    (tmp_path / "wn-data-qqq.tab").write_text(text, "utf-8")
    found = open_language("qqq", wordnets=str(tmp_path))
    assert ["only words as the wordnet lists them" in one for one in found.missing()] == [True, False, False]
    assert synsets("avocat client tribunal", "qqq", wordnets=str(tmp_path))["avocat"] == "lawyer.n.01"


def test_without_simplemma_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(lexicons, "find_spec", lambda name: None)
    with pytest.raises(MissingError, match=r"need simplemma, which the extra 'languages' installs: pip install"):
        lexicons.dictionary_name(language_code("fr"))


# Words


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fra", "L'homme qu'il a vu.", [["L'", "homme", "qu'", "il", "a", "vu", "."]]),
        ("fra", "Donne-moi l\u2019arc-en-ciel.", [["Donne", "-moi", "l\u2019", "arc-en-ciel", "."]]),
        ("fra", "A-t-elle dit aujourd'hui ?", [["A", "-t-elle", "dit", "aujourd'hui", "?"]]),
        ("fra", "M. Dupont dort. Il rêve.", [["M.", "Dupont", "dort", "."], ["Il", "rêve", "."]]),
        ("ita", "C'è dell'acqua, un po'.", [["C'", "è", "dell'", "acqua", ",", "un", "po", "'", "."]]),
        ("ita", "Il dott. Rossi parla. Dorme.", [["Il", "dott.", "Rossi", "parla", "."], ["Dorme", "."]]),
        ("qqq", "ab'cd ef-il", [["ab'cd", "ef-il"]]),
    ],
)
def test_elided_words_and_enclitics_are_words_of_their_own(language, text, expected):
    assert words(text, language) == expected


def test_places_are_those_of_the_text():
    text = "«\u202fL\u2019avocat\u202f» mange, dit-on, des pommes   de\nterre."
    for sense in disambiguate(text, language="fr"):
        assert text[sense.start : sense.end] == sense.word
    assert {"avocat", "pommes   de\nterre"} <= {sense.word for sense in disambiguate(text, language="fr")}


@pytest.mark.parametrize("name", ["fra", "ita"])
def test_the_rules_of_a_language_are_spelled_as_entries(name):
    values = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    lists = [values[kind] for kind in ("determiners", "prepositions", "pronouns", "clitics", "auxiliaries", "others")]
    for word in " ".join(lists).split():
        assert word == entry_form(word)
    assert set(values["nouns"]) <= language_rules(name).function


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("la porte", "determiners"),
        ("il la porte", "pronouns"),
        ("ne me les porte", "pronouns"),
        ("pour porter", "prepositions"),
        ("a porté", "auxiliaries"),
        ("chat gris", None),
        ("porte", None),
    ],
)
def test_the_words_before_a_word_speak_for_a_part_of_speech(text, kind):
    forms = text.split()
    assert kind_before(forms, len(forms) - 1, language_rules("fra")) == kind


# Senses


@pytest.mark.parametrize("folder", WORDNETS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "L'avocat a défendu son client devant le tribunal.", {"avocat": "lawyer.n.01", "client": "client.n.01"}),
        ("fr", "Elle mange un avocat mûr avec du sel.", {"avocat": "avocado.n.01", "manger": "eat.v.01"}),
        ("fr", "La souris de mon ordinateur.", {"souris": "mouse.n.04"}),
        ("fr", "Le chat a mangé une souris grise.", {"souris": "mouse.n.01", "gris": "grey.s.01"}),
        ("fr", "Le juge a prononcé une peine de prison.", {"juge": "judge.n.01", "peine": "prison_term.n.01"}),
        ("fr", "Nous mangeons des pommes de terre.", {"pomme_de_terre": "potato.n.01"}),
        ("fr", "L'été à Paris.", {"été": "summer.n.01", "paris": "paris.n.01"}),
        ("fr", "Ses yeux.", {"oeil": "eye.n.01"}),
        ("it", "L'orchestra suona una sinfonia.", {"suonare": "play.v.03", "sinfonia": "symphony.n.01"}),
        ("it", "Paga con le carte di credito in negozio.", {"carta_di_credito": "credit_card.n.01"}),
        ("it", "Voglio dargli il denaro della banca.", {"banca": "depository_financial_institution.n.01"}),
        ("it", "Ha parlato a Roma.", {"parlare": "talk.v.01", "roma": "rome.n.01"}),
    ],
)
def test_senses_fit_their_context(folder, language, text, expected):
    found = synsets(text, language, wordnets=str(folder))
    assert {lemma: found.get(lemma) for lemma in expected} == expected


def test_function_words_have_no_sense_unless_an_article_makes_them_nouns():
    assert "son" not in synsets("Il a vu son chat.")
    assert synsets("Le son du clavier.")["son"] == "sound.n.01"
    assert "stato" not in synsets("La tastiera è stato acqua.", "it")
    assert "stato" in synsets("Ha parlato dello stato.", "it")


def test_the_part_of_speech_depends_on_the_words_before():
    assert "porter" in synsets("Il porte une lettre.")
    assert "porte" in synsets("La porte de la maison.")
    assert {"pescare"} == set(synsets("Lui non pesca.", "it"))
    assert {"pesca"} == set(synsets("La pesca.", "it"))


def test_reflexive_verbs_are_entries_of_their_own():
    (lava,) = disambiguate("Lui si lava.", language="it", answers=Answers(alternatives=3))
    assert {lava.synset, *(one.synset for one in lava.alternatives)} == {"wash.v.02", "wash.v.03"}
    assert set(synsets("Lui lava il computer.", "it")) == {"lavare", "computer"}


def test_names_are_not_common_nouns():
    assert "pierre" not in synsets("Elle aime Pierre.")
    assert "pierre" in synsets("Elle voit la pierre.")


def test_hyphens_and_apostrophes_within_entries_are_found():
    found = {sense.word: sense.lemma for sense in disambiguate("Rendez-vous sur la presqu'île !", language="fr")}
    assert found == {"Rendez-vous": "rendez-vous", "presqu'île": "presqu'île"}


def test_unknown_words_are_reported(cli):
    said = cli("wsd", "tag", "Le chat schtroumpfe.", "--language", "fr", "--json")
    document = json.loads(said.out)
    assert (document["unknown"], document["language"], document["preset"]) == (["schtroumpfe"], "fra", "fast")
    assert "no definitions, so they are in English" in said.err


def test_lists_of_words_have_places_targets_and_parts_of_speech():
    text = ["Une", "porte", "grise"]
    found = disambiguate(text, language="fr", pos=[None, "v", "a"])
    assert [(one.lemma, one.pos, one.start, one.end) for one in found] == [("porter", "v", 1, 2), ("gris", "a", 2, 3)]
    assert [one.lemma for one in disambiguate(text, language="fr", targets=[2])] == ["gris"]
    assert disambiguate(["son"], language="fr", targets=[0])[0].synset == "sound.n.01"


def test_known_senses_are_named_by_any_english_word_of_the_synset():
    text = "La souris est grise."
    for key in ("mouse%1:06:00::", "computer_mouse%1:06:00::"):
        (mouse, _) = disambiguate(text, language="fr", known={3: key})
        assert (mouse.synset, mouse.confidence, mouse.lemma) == ("mouse.n.04", 1.0, "souris")
    with pytest.raises(UsageError, match=r"is not a sense of 'souris'; expected one of mouse%1:05:00:: \(mouse.n.01\)"):
        disambiguate(text, language="fr", known={3: "river%1:17:00::"})


@pytest.mark.parametrize("option", [{"preset": "best"}, {"evidence": "model"}])
def test_the_english_model_is_refused_with_the_way_out(option):
    with pytest.raises(UsageError, match=r"reads English, not 'fr'; expected preset=fast"):
        synsets("La souris", **option)


def test_words_without_spaces_between_them_are_refused(tmp_path):
    text = (OWN_WORDNETS / "wn-data-fra.tab").read_text("utf-8").replace("fra:", "jpn:")
    (tmp_path / "wn-data-jpn.tab").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"not separated by spaces.*expected a list of words"):
        synsets("avocat", "ja", wordnets=str(tmp_path))
    assert disambiguate(["avocat"], language="ja", wordnets=str(tmp_path))


def test_solvers_run_on_other_languages_and_the_wordnet_is_recorded():
    problem = make_problem("wsd", text="L'avocat a défendu son client.", language="fr")
    solution = np.array(solve(problem, "icm", seed=1).solution)
    assert problem.describe(solution)[0]["sense"] == "lawyer.n.01"
    assert problem.versions["wordnet fra"].startswith("sha256:")


def test_json_lines_have_the_language_of_the_command(cli, tmp_path):
    (tmp_path / "texts.jsonl").write_text('{"id": 1, "text": "La souris.", "known": {"3": "mouse%1:06:00::"}}\n')
    (line,) = cli("wsd", "tag", "texts.jsonl", "--language", "fra").out.splitlines()
    assert [sense["synset"] for sense in json.loads(line)["senses"]] == ["mouse.n.04"]


CONLLU = """\
1\tUne\tun\t{0}DET\t_\t_\t_\t_\t_\t_
2\tporte\t{2}\t{1}\t_\t_\t_\t_\t_\t_
3\tgrise\tgris\t{0}ADJ\t_\t_\t_\t_\t_\t_

"""


@pytest.mark.parametrize(
    ("tags", "expected"),
    [(("", "NOUN", "porte"), "door%1:06:00::"), (("", "VERB", "porter"), "%2:"), (("_\t", "_", "_"), "door%1:06:00::")],
)
def test_conll_u_of_other_languages_is_read_with_and_without_tags(cli, tmp_path, tags, expected):
    content = CONLLU.format(*tags).replace("_\tDET", "_").replace("_\tADJ", "_")
    (tmp_path / "a.conllu").write_text(content, "utf-8")
    said = cli("wsd", "tag", "a.conllu", "--language", "fr")
    assert expected in said.out.splitlines()[1]
    assert "Sense=grey" in said.out.splitlines()[2]


def test_a_tag_that_is_not_universal_is_refused(cli, tmp_path):
    (tmp_path / "a.conllu").write_text(CONLLU.format("", "NC", "porte"), "utf-8")
    said = cli("wsd", "tag", "a.conllu", "--language", "fr")
    assert said.code != 0
    assert "'porte' has the tag 'NC'; expected a universal tag such as NOUN" in " ".join((said.out + said.err).split())


def test_english_is_the_default_and_needs_no_wordnets(monkeypatch):
    monkeypatch.delenv(VARIABLE)
    text = "They sat on the bank of the river."
    assert disambiguate(text, language="en") == disambiguate(text) == disambiguate(text, language="eng")
    assert make_problem("wsd", text=text).fingerprint == make_problem("wsd", text=text, language="en").fingerprint
    assert open_lexicon().language == "eng"


def test_english_senses_are_those_of_the_version_that_knew_english_alone():
    for text, expected in json.loads((OWN_WORDNETS.parent / "english.json").read_text()).items():
        found = disambiguate(text, preset="fast")
        assert [[one.start, one.end, one.lemma, one.pos, one.key] for one in found] == expected


@pytest.mark.skipif(not REAL_WORDNETS.is_dir(), reason="needs the real tab files of French and Italian")
@pytest.mark.parametrize("language", ["fr", "it"])
def test_most_words_in_clear_contexts_are_right(language):
    right = 0
    for target in (one for one in CONTEXTS if one["language"] == language):
        found = disambiguate(target["text"], language=language, wordnets=str(REAL_WORDNETS))
        chosen = {sense.word: sense.synset for sense in found}
        right += sum(chosen.get(word) in synsets.split() for word, synsets in target["right"].items())
    assert right >= RIGHT[language]


@pytest.mark.parametrize("folder", WORDNETS, ids=lambda folder: folder.parent.name)
def test_the_page_on_languages_is_true_with_every_wordnet_at_hand(folder, tmp_path, monkeypatch, own_host):
    monkeypatch.setenv(VARIABLE, str(folder))
    monkeypatch.chdir(tmp_path)
    run_page(ROOT / "docs" / "languages.md", tmp_path)


def test_the_command_data_lists_the_tab_files(cli):
    rows = json.loads(cli("data", "--json").out)
    assert [(row["what"], row["used"]) for row in rows if row["what"].startswith("wordnet ")] == [
        ("wordnet fra", True),
        ("wordnet ita", True),
    ]
