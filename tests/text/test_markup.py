"""Pages whose markup is left out."""

from html import unescape
from xml.sax.saxutils import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swarmkit_text.markup import HtmlText
from swarmkit_text.tokenizer import split_passages

PAGE = (
    "<!DOCTYPE html><html><head><title>The title</title><style>p { color: red }</style></head>\n<body><h1>A walk</h1>"
    "<p>The <b>b</b>ank of\n\nthe caf&eacute; of AT&amp;T &#8211; was closed<br>today.<p>Next<script>var x = '<p>no';"
    "</script> one<!-- never --></p><ul><li>item<li>other</ul><table><tr><td>left</td><td>right</td></tr></table>"
)


def text_of(page, size=1_000_000):
    return "".join(HtmlText(page[at : at + size] for at in range(0, len(page), size)))


def test_blocks_end_sentences_and_other_markup_does_not_even_end_words():
    sentences = [" ".join(word.surface for word in passage.words) for passage in split_passages([text_of(PAGE)])]
    assert sentences == [
        "The title",
        "A walk",
        "The bank of the caf\u00e9 of AT&T \u2013 was closed today .",
        "Next one",
        "item",
        "other",
        "left",
        "right",
    ]


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_the_text_does_not_depend_on_the_blocks(size):
    assert text_of(PAGE, size) == text_of(PAGE)


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("title", "title"),
        ("bank", "b</b>ank"),
        ("caf\u00e9", "caf&eacute;"),
        ("AT&T", "AT&amp;T"),
        ("\u2013", "&#8211;"),
        ("closed today", "closed<br>today"),
        ("other", "other"),
    ],
)
@pytest.mark.parametrize("size", [5, 1000])
def test_every_word_is_found_again_in_the_page(word, written, size):
    page = HtmlText(PAGE[at : at + size] for at in range(0, len(PAGE), size))
    start = "".join(page).index(word)
    begin, end = page.place(start, start + len(word))
    assert PAGE[begin:end] == written


@settings(deadline=None)
@given(
    st.one_of(
        st.text(), st.lists(st.sampled_from(["<p>", "</p>", "<b", ">", "&amp;", "&", "<!--", "x ", "\n"])).map("".join)
    )
)
@example("<script>never closed")
@example("<svg><style>p</svg>after")
def test_any_page_has_a_text_without_tags_that_are_whole(page):
    found = HtmlText([page])
    text = "".join(found)
    assert "<p>" not in text or "<!--" in page or "&lt" in page
    for start in range(len(text)):
        begin, end = found.place(start, start + 1)
        assert 0 <= begin <= end <= len(page) + 1


LETTERS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("\n\t<&>"))


@st.composite
def elements(draw, depth=3):
    kind = draw(st.sampled_from(["text", "reference", "comment", "element"] if depth else ["text"]))
    if kind == "text":
        return escape(draw(LETTERS))
    if kind == "reference":
        return draw(st.sampled_from(["&eacute;", "&#233;", "&amp;", "&nbsp;", "&#x1F600;"]))
    if kind == "comment":
        return f"<!-- {draw(LETTERS).replace('-', '').replace('>', '')} -->"
    name = draw(st.sampled_from(["p", "b", "I", "td", "br", 'span class="a>b"']))
    return f"<{name}>{''.join(draw(st.lists(elements(depth - 1), max_size=3)))}</{name.partition(' ')[0]}>"


@given(st.lists(elements(), max_size=4), st.integers(1, 40))
def test_places_are_exact_whatever_the_markup_and_the_blocks(content, size):
    page = "".join(content)
    markup = HtmlText(page[at : at + size] for at in range(0, len(page), size))
    text, end = "".join(markup), 0
    for at, sign in enumerate(text):
        if sign.isspace():
            continue
        start, stop = markup.place(at, at + 1)
        # A character stands for itself, or for a reference.
        assert sign in (page[start:stop], unescape(page[start:stop]))
        assert start >= end
        end = stop
