from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarmkit import UsageError
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpus import Corpus
from tests.wsd.at_hand import CORPORA

COARSE = """<?xml version="1.0" encoding="utf8" ?>
<!DOCTYPE corpus SYSTEM "coarse-all-words.dtd">
<corpus lang="en">
<text id="d1">
<sentence id="d1.s1">
He
<instance id="d1.s1.t1" lemma="Take_place" pos="v">took place</instance>
fired up
.
</sentence>
</text>
</corpus>"""

UNIFIED = """<corpus lang="en" source="x">
<text id="d0">
<sentence id="d0.s0">
<wf lemma="the" pos="DET">The</wf>
<instance id="d0.s0.t0" lemma="art" pos="NOUN">art</instance>
<wf lemma="be" pos="VERB">is</wf>
</sentence>
</text>
</corpus>"""


@pytest.fixture
def read(tmp_path: Path):
    def reading(content: str | bytes) -> Corpus:
        path = tmp_path / "corpus.xml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_corpus(path)

    return reading


def test_the_coarse_format_is_read_with_its_loose_words(read):
    corpus = read(COARSE)
    tokens = corpus.texts[0].sentences[0].tokens
    assert corpus.format == "coarse"
    assert [token.surface for token in tokens] == ["He", "took place", "fired", "up", "."]
    assert (tokens[1].lemma, tokens[1].pos, tokens[1].id) == ("take_place", "v", "d1.s1.t1")
    assert [token.id for token in tokens if token is not tokens[1]] == [None] * 4


def test_the_unified_format_is_read_with_its_tags(read):
    corpus = read(UNIFIED)
    tokens = corpus.texts[0].sentences[0].tokens
    assert corpus.format == "unified"
    assert [(token.surface, token.lemma, token.pos, token.id) for token in tokens] == [
        ("The", "the", None, None),
        ("art", "art", "n", "d0.s0.t0"),
        ("is", "be", "v", None),
    ]


def test_a_corpus_that_begins_with_a_target_is_of_the_format_of_its_tag(read):
    unified = UNIFIED.replace('<wf lemma="the" pos="DET">The</wf>', "")
    assert [token.pos for token in read(unified).texts[0].sentences[0].tokens] == ["n", "v"]
    loose = UNIFIED.replace('pos="DET"', 'pos="n"')  # not of a target: it says nothing about the format
    assert [token.pos for token in read(loose).texts[0].sentences[0].tokens] == [None, "n", "v"]


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(read):
    assert read("\ufeff" + COARSE.replace("\n", "\r\n")) == read(COARSE)


def test_targets_come_with_their_text(read):
    assert [(text.id, token.id) for text, token in read(COARSE).targets()] == [("d1", "d1.s1.t1")]


def test_a_corpus_without_texts_is_empty(read):
    assert read("<corpus/>").texts == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1: malformed XML (no element found)"),
        ("plain words", "line 1: malformed XML (syntax error)"),
        (COARSE.replace("</sentence>", ""), "malformed XML (mismatched tag)"),
        (b"<corpus>\n\xff</corpus>", "line 2: bytes that are not UTF-8"),
        (b"\x89PNG\n\0\0", "line 2: a null byte, so this is not a text file"),
        (UNIFIED.encode("utf-16"), "not a text file"),
        ("<html/>", "line 1: <html> as the root; expected <corpus>"),
        (COARSE.replace("text id", "doc id"), "line 4: <doc> inside <corpus>; expected <text>"),
        (UNIFIED.replace("wf", "word"), "line 4: <word> inside <sentence>; expected <instance> or <wf>"),
        (COARSE.replace("took place", "<wf/>"), "line 7: <wf> inside <instance>; expected only words"),
        (COARSE.replace('<text id="d1">', "<text>"), "line 4: <text> without id="),
        (COARSE.replace(' pos="v"', ""), "line 7: <instance> without pos=; expected id, lemma, pos"),
        (UNIFIED.replace(' lemma="the"', ""), "line 4: <wf> without lemma="),
        (UNIFIED.replace("NOUN", "n").replace('"DET"', '"x"'), "line 5: pos='n'; expected one of NOUN, VERB, ADJ, ADV"),
        (COARSE.replace('"v"', '"NOUNS"'), "line 7: pos='NOUNS'"),
        (COARSE.replace("took place", ""), "line 7: an empty <instance>"),
        (COARSE.replace('"d1.s1.t1"', '"d1 s1"'), "line 7: id='d1 s1' has white space in it"),
        (COARSE.replace("<sentence id", "stray\n<sentence id"), "words outside a <sentence>: 'stray'"),
    ],
)
def test_what_is_no_corpus_is_refused_with_its_line(read, content, said):
    with pytest.raises(UsageError) as refused:
        read(content)
    assert said in str(refused.value)
    assert "corpus.xml, line" in str(refused.value)


@pytest.mark.parametrize("kind", ["text", "sentence", "instance"])
def test_an_id_given_twice_is_refused_with_both_lines(read, kind):
    line = next(line for line in COARSE.splitlines() if f"<{kind} id" in line)
    twice = {
        "text": COARSE.replace("</corpus>", line + "</text></corpus>"),
        "sentence": COARSE.replace("</text>", line + "</sentence></text>"),
        "instance": COARSE.replace("fired up", line),
    }[kind]
    with pytest.raises(UsageError, match=f"was used already on line {COARSE.splitlines().index(line) + 1}; expected"):
        read(twice)


@pytest.mark.parametrize(
    "attack",
    [
        '<!DOCTYPE corpus [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><corpus>&b;</corpus>',
        '<!DOCTYPE corpus [<!ENTITY secret SYSTEM "file:///etc/passwd">]><corpus>&secret;</corpus>',
        '<!DOCTYPE corpus [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><corpus/>',
    ],
)
def test_entities_of_ones_own_are_refused(read, attack):
    with pytest.raises(UsageError, match="an entity declaration, which is not allowed"):
        read(attack)


def test_an_unknown_entity_is_refused_even_beside_a_dtd(read):
    with pytest.raises(UsageError, match="line 6: an unknown entity &who;"):
        read(COARSE.replace("He\n", "&who;\n"))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(UsageError, match="no such file; expected a corpus"):
        read_corpus(tmp_path / "nowhere.xml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_corpus(tmp_path)


@settings(deadline=None)
@given(
    st.one_of(st.binary(), st.text().map(str.encode), st.text().map(lambda words: COARSE.replace("He", words).encode()))
)
def test_any_bytes_are_a_corpus_or_a_sentence_of_refusal(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.xml"
    path.write_bytes(data)
    with suppress(UsageError):
        assert isinstance(read_corpus(path), Corpus)


@pytest.mark.parametrize("corpus", CORPORA)
def test_whole_corpora_are_read(corpus):
    found = read_corpus(corpus.xml)
    assert (found.format, len(found.texts), len(list(found.targets()))) == (
        corpus.format,
        corpus.texts,
        corpus.targets,
    )
