import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarmkit import UsageError


def test_every_sense_key_number_and_count_is_that_of_index_sense(lexicon, source):
    listed = {}
    for line in source.read("index.sense").decode().splitlines():
        key, offset, number, count = line.split()
        listed[key] = (int(offset), int(number), int(count))
    offsets = lexicon.arrays["synset.offset"][lexicon.sense_synset]
    rows = zip(offsets.tolist(), lexicon.sense_number.tolist(), lexicon.sense_count.tolist(), strict=True)
    assert {lexicon.key(sense): row for sense, row in enumerate(rows)} == listed


def test_senses_are_in_the_order_of_the_index(lexicon, source):
    for pos, name in {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}.items():
        for line in source.read(f"index.{name}").decode().splitlines()[29::50]:
            fields = line.split()
            synsets = lexicon.sense_synset[lexicon.senses(fields[0], pos)]
            assert lexicon.arrays["synset.offset"][synsets].tolist() == [int(o) for o in fields[-int(fields[2]) :]]


@pytest.mark.usefixtures("source")
def test_opening_wordnet_loads_nothing_heavy(python):
    code = "import sys, swarmkit_lexicon.lexicon as l; l.open_lexicon().senses('bank'); print(*sys.modules)"
    out, errors = python(code, {}).communicate(timeout=120)
    assert not errors
    heavy = {"nltk", "numba", "scipy", "pandas", "filelock", "pydantic"}
    assert not (heavy | {"swarmkit_lexicon.parse", "swarmkit_lexicon.compile"}) & set(out.split())


def test_bank_is_found_with_all_its_senses(lexicon):
    senses = lexicon.senses("bank")
    assert len(senses) == 18
    assert len(lexicon.senses("bank", "n")) == 10
    assert lexicon.key(senses[0]) == "bank%1:17:01::"
    assert lexicon.name(lexicon.sense_synset[senses[0]]) == "bank.n.01"
    assert lexicon.sense_count[senses[:3]].tolist() == [25, 20, 2]
    assert lexicon.definition(lexicon.sense_synset[senses[0]]).startswith("sloping land (especially")
    assert lexicon.examples(lexicon.sense_synset[senses[0]])[0] == "they pulled the canoe up on the bank"


def test_adjectives_include_satellites(lexicon):
    adjectives = lexicon.senses("good", "a")
    assert len(adjectives) == 21
    assert set(map(lexicon.pos, lexicon.sense_synset[adjectives])) == {"a", "s"}
    assert set(lexicon.senses("good", "s")) < set(adjectives)
    assert lexicon.name(lexicon.sense_synset[adjectives[1]]) == "full.s.06"
    assert lexicon.has("good", "s")
    assert lexicon.has("ablaze", "a")


def test_phrases_are_entries_however_they_are_written(lexicon):
    assert lexicon.has("state of the art")
    assert lexicon.has("State_of_the_Art", "n")
    assert not lexicon.has("state of the art", "v")
    assert lexicon.has("at the same time", "r")
    assert not lexicon.has("known_as")


def test_every_synset_has_a_name_that_leads_back_to_it(lexicon):
    for synset in range(0, len(lexicon.synset_pos), 97):
        assert lexicon.synset_named(lexicon.name(synset)) == synset


@pytest.mark.parametrize(
    "name", ["", "bank", "bank.n", "bank.n.99", "bank.x.01", "nothing such.n.01", "..", "bank.n.1.5"]
)
def test_a_wrong_name_is_refused_in_words(lexicon, name):
    with pytest.raises(UsageError, match="Expected a lemma"):
        lexicon.synset_named(name)


def test_sense_keys_lead_back_to_their_senses(lexicon):
    for sense in range(0, len(lexicon.sense_lemma), 997):
        assert lexicon.sense_of_key(lexicon.key(sense).upper()) == sense
    assert lexicon.sense_of_key("bank%1:99:00::") is None
    assert lexicon.sense_of_key("") is None


def test_an_unknown_part_of_speech_is_refused_in_words(lexicon):
    for ask in (lexicon.senses, lexicon.has, lexicon.morphy):
        with pytest.raises(UsageError, match="no part of speech 'x'"):
            ask("bank", "x")


@given(st.text(), st.sampled_from([None, *"nvars"]))
def test_any_text_has_senses_of_its_own_or_none(lexicon, text, pos):
    for sense in lexicon.senses(text, pos):
        assert lexicon.lemma(sense) == text.lower().replace(" ", "_")
    base = lexicon.morphy(text, pos)
    assert base is None or lexicon.has(base, "a" if pos == "s" else pos)  # satellites inflect like all adjectives


def test_ancestors_are_the_closure_of_hypernyms(lexicon):
    starts, ancestors = lexicon.arrays["ancestor.starts"], lexicon.arrays["ancestor.synset"]
    for synset in range(0, len(lexicon.synset_pos), 501):
        above = set(ancestors[starts[synset] : starts[synset + 1]].tolist())
        direct = {up for one in above for up in lexicon.related(one, "@ @i")}
        assert above == direct | {synset}


def test_the_vocabulary_knows_base_forms_and_function_words(lexicon):
    from swarmkit_lexicon.arrays import strings_in

    vocabulary = strings_in(lexicon.arrays, "word")
    words = {vocabulary[index]: index for index in range(len(vocabulary))}
    base = {word: vocabulary[lexicon.arrays["word.base"][index]] for word, index in words.items()}
    assert (base["dogs"], base["written"], base["the"], base["biggest"]) == ("dog", "write", "the", "big")
    assert lexicon.arrays["word.function"][[words["the"], words["dog"], 0]].tolist() == [True, False, True]


def test_information_content_falls_on_the_way_up(lexicon):
    content = lexicon.information_content()
    starts, ancestors = lexicon.arrays["ancestor.starts"], lexicon.arrays["ancestor.synset"]
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    nouns = lexicon.synset_pos[owners] == ord("n")
    assert np.all(content[ancestors[nouns]] <= content[owners[nouns]] + 1e-12)
    assert content[lexicon.synset_named("entity.n.01")] == 0.0


def test_a_file_that_is_no_information_content_is_refused_in_words(lexicon, tmp_path):
    wrong = tmp_path / "ic-wrong.dat"
    wrong.write_text("wnver::x\n17n 5 ROOT\n")
    with pytest.raises(UsageError, match="is not information content for this WordNet"):
        lexicon.information_content(str(wrong))
    wrong.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(UsageError, match="is not information content for this WordNet"):
        lexicon.information_content(str(wrong))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "line 4: 'hello'"),
        ("1740n 1.2.3", "line 4: '1740n 1.2.3'"),
        ("1740n -5", "line 4: '1740n -5'"),
        ("1740n nan", "line 4: '1740n nan'"),
        ("17_40n 5", "line 4: '17_40n 5'"),
        ("1740n 5 ROOT of all", "line 4: '1740n 5 ROOT of all'"),
        ("1740n 5 root", "line 4: '1740n 5 root'"),
        ("1740a 5", "line 4: '1740a 5'"),
        ("2137n 5", "line 4: the synset 2137n was counted on a line before"),
    ],
)
def test_a_junk_line_of_an_information_content_file_is_refused_with_its_number(lexicon, tmp_path, line, said):
    junk = tmp_path / "ic-junk.dat"
    junk.write_text(f"wnver::x\n\n2137n 7 ROOT\n{line}\n")
    with pytest.raises(UsageError, match=r"ic-junk\.dat' is not .*Correct the file, or leave it out") as refused:
        lexicon.information_content(str(junk))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1740n 5 ROOT\n", "line 1: '1740n 5 ROOT' instead of 'wnver::'"),
        ("", "line 1: '' instead of 'wnver::'"),
        ("wnver::x\n1740n 5\n", "it counts synsets (n) and has no ROOT among them"),
    ],
)
def test_information_content_needs_its_first_line_and_a_root(lexicon, tmp_path, text, said):
    wrong = tmp_path / "ic-wrong.dat"
    wrong.write_text(text)
    with pytest.raises(UsageError, match="is not information content") as refused:
        lexicon.information_content(str(wrong))
    assert said in str(refused.value)


def test_counts_of_an_entry_are_the_sum_over_its_senses(lexicon):
    assert lexicon.count("bank", "n") == lexicon.sense_count[lexicon.senses("bank", "n")].sum() > 0
    assert lexicon.count("zzyzxy", "n") == 0


def test_a_bell_tower_is_a_kind_of_tower_but_a_hot_dog_is_no_dog(lexicon):
    assert lexicon.is_kind_of("bell_tower", "tower")
    assert lexicon.is_kind_of("cancer_drug", "drug")
    assert not lexicon.is_kind_of("hot_dog", "dog")
    assert not lexicon.is_kind_of("zzyzxy", "dog")


@pytest.mark.parametrize(
    ("synset", "ili"),
    [
        ("able.a.01", "i1"),
        ("entity.n.01", "i35545"),
        ("breathe.v.01", "i21778"),
        ("a_cappella.r.01", "i18157"),
    ],
)
def test_the_interlingual_index_numbers_synsets_by_part_of_speech(lexicon, synset, ili):
    assert lexicon.ili(lexicon.synset_named(synset)) == ili


def test_supersenses_are_the_files_of_the_lexicographers(lexicon):
    names = {name: lexicon.lexname(lexicon.synset_named(name)) for name in ("bank.n.01", "run.v.01", "entity.n.01")}
    assert names == {"bank.n.01": "noun.object", "run.v.01": "verb.motion", "entity.n.01": "noun.Tops"}
