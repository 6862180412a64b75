"""The text nodes of XML documents, and their places to the character."""

import json
from html import unescape
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from swarmkit import UsageError
from swarmkit_text.xml_text import XmlText, declared_encoding

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TEI [ <!ENTITY bk "bank"> ]>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>A header</title></teiHeader><text><body>
<head>A title</head><p>They <hi rend="it">sat</hi> on a &bk; &#233;t&eacute; of
<choice><sic>teh</sic><corr>the</corr></choice> ri<lb break="no"/>ver &amp; so<lb/>on.</p>
<fw>page 3</fw><![CDATA[ x < y]]></body></text></TEI>"""


def read(document, size=1 << 16):
    xml = XmlText((document[at : at + size] for at in range(0, len(document), size)), "a.xml")
    return "".join(xml), xml


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_tei_is_read_by_its_text_nodes(size):
    text, xml = read(TEI, size)
    assert " ".join(text.split()) == "A title They sat on a bank été of the river & so on. x < y"
    sentences = [part.strip() for part in text.split("\n\n") if part.strip()]
    assert sentences[:2] == ["A title", "They sat on a bank été of the river & so on."]
    places = {word: xml.place(text.index(word), text.index(word) + len(word)) for word in ("bank", "été", "river", "&")}
    assert {word: TEI[slice(*place)] for word, place in places.items()} == {
        "bank": "&bk;",
        "été": "&#233;t&eacute;",
        "river": 'ri<lb break="no"/>ver',
        "&": "&amp;",
    }


LETTERS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("\r\n\t<&>"))
NAMES = st.sampled_from(["p", "hi", "seg", "lb", "choice", "sic", "note", "tei:w", "teiHeader", "TEI"])


@st.composite
def nodes(draw, depth=3):
    kind = draw(st.sampled_from(["text", "reference", "cdata", "comment", "element"] if depth else ["text"]))
    if kind == "text":
        return escape(draw(LETTERS))
    if kind == "reference":
        return "".join(f"&#{ord(sign)};" for sign in draw(st.text(st.characters(categories=["L"]), max_size=3)))
    if kind == "cdata":
        return f"<![CDATA[{draw(LETTERS).replace(']]>', '')}]]>"
    if kind == "comment":
        return f"<!--{draw(LETTERS).replace('-', '')}-->"
    name = draw(NAMES)
    return f"<{name}>{''.join(draw(st.lists(nodes(depth - 1), max_size=3)))}</{name}>"


@given(st.lists(nodes(), max_size=4), st.integers(1, 40))
@example(["<![CDATA[&]]>"], 1)
def test_places_are_exact_whatever_the_markup_and_the_blocks(content, size):
    document = f'<root xmlns:tei="t">{"".join(content)}</root>'
    text, xml = read(document, size)
    assert read(document)[0] == text
    end = 0
    for at, sign in enumerate(text):
        if sign.isspace():
            continue
        start, stop = xml.place(at, at + 1)
        source = document[start:stop]
        # A character stands for itself, also in CDATA, or for a reference.
        assert sign in (source, unescape(source))
        assert start >= end
        end = stop


@pytest.mark.parametrize(
    ("document", "said"),
    [("<p>A <b>river.</p>", "a.xml, line 1: no well-formed XML"), ("<p>\nA river", "line 2: .*--format html")],
)
def test_what_is_not_well_formed_is_refused_with_its_line(document, said):
    with pytest.raises(UsageError, match=said):
        read(document)


def test_a_bomb_of_entities_is_refused():
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    with pytest.raises(UsageError, match="no well-formed XML"):
        read(f'<!DOCTYPE p [<!ENTITY a0 "ha">{levels}]><p>&a11;</p>')


def test_the_encoding_is_the_declared_one(cli, tmp_path, lexicon):
    document = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<TEI><p>Zoë sat on the <hi>bank</hi>.</p></TEI>'
    assert declared_encoding(document.encode("latin-1")) == "iso8859-1"
    assert declared_encoding(document.encode("utf-16")) == "utf-16"
    (tmp_path / "a.xml").write_bytes(document.encode("latin-1"))
    senses = json.loads(cli("wsd", "tag", "a.xml", "--json", "--preset", "fast").out)["senses"]
    assert [document[sense["start"] : sense["end"]] for sense in senses] == ["sat", "bank"]
    assert cli("wsd", "tag", "a.xml", "--out", "answers", "--preset", "fast").code == 0
    assert json.loads((tmp_path / "answers" / "a.xml.json").read_text())["senses"] == senses
