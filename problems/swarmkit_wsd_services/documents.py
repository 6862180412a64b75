"""The answers to texts as one JSON document, written piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from swarmkit_lexicon.lexicon import Lexicon
    from swarmkit_wsd.answers import Answers
    from swarmkit_wsd.disambiguation import Chunk
    from swarmkit_wsd.options import WsdOptions


class TextSource(NamedTuple):
    """A text: the name that answers give its source, and its blocks."""

    name: str
    blocks: Iterable[str]
    place: Callable[[int, int], tuple[int, int]] = lambda start, end: (start, end)
    """Returns where a part of the text that has been read begins and ends in the source, which may have markup."""


Chunks = Iterable[tuple[TextSource, "Chunk"]]
"""The chunks of all texts, each with its source."""


MARKED_UP = ("html", "xml")
"""Formats whose markup is no part of the text."""


def without_markup(source: TextSource, form: str) -> TextSource:
    """Return the text of a source in a format that may have markup."""
    if form not in MARKED_UP:
        return source
    from swarmkit_text.markup import HtmlText
    from swarmkit_text.xml_text import XmlText

    text = HtmlText(source.blocks) if form == "html" else XmlText(source.blocks, source.name)
    return TextSource(source.name, text, text.place)


def facts(options: WsdOptions, lexicon: Lexicon) -> dict[str, Any]:
    """Return the fields of a document that say how it was made."""
    values = {"preset": options.preset, "wordnet": lexicon.sha256}
    return values if lexicon.language == "eng" else values | {"language": lexicon.language}


def answer_fields(chunks: Iterable[Chunk], answers: Answers, preset: str | None) -> dict[str, Any]:
    """Return the fields of an answer to one text: the preset, the senses, and the words that are not in WordNet."""
    exclude = None if answers.alternatives else {"alternatives"}
    senses: list[dict[str, Any]] = []
    unknown: dict[str, None] = {}
    for chunk in chunks:
        senses += [sense.model_dump(exclude=exclude) for sense in chunk.senses(answers)]
        unknown |= dict.fromkeys(chunk.unknown)
    return {"preset": preset, "senses": senses, "unknown": [*unknown]}


def senses_of(source: TextSource, chunk: Chunk, answers: Answers) -> Iterator[dict[str, Any]]:
    """Iterate over the senses of a chunk; `start` and `end` count the characters of the source, with its markup."""
    exclude = None if answers.alternatives else {"alternatives"}
    for sense in chunk.senses(answers):
        start, end = source.place(sense.start, sense.end)
        yield {"source": source.name, **sense.model_dump(exclude=exclude), "start": start, "end": end}


def document(chunks: Chunks, answers: Answers, about: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the parts of a JSON document, one for each chunk and the end; each sense is on a line of its own.

    Args:
        chunks: the chunks of all texts.
        answers: which answers are given.
        about: the fields behind the senses and the words that are not in WordNet.
    """
    unknown: dict[str, None] = {}
    # Written by hand, piece by piece: a text may be longer than memory.
    separator = '{\n  "senses": [\n    '
    for source, chunk in chunks:
        part = ""
        for sense in senses_of(source, chunk, answers):
            part += separator + json.dumps(sense, ensure_ascii=False, allow_nan=False)
            separator = ",\n    "
        unknown |= dict.fromkeys(chunk.unknown)
        yield part
    has_senses = separator.startswith(",")
    fields = {"unknown": [*unknown], **about}
    rest = (
        ",\n".join(f'  "{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in fields.items()) + "\n}\n"
    )
    yield ("\n  ],\n" if has_senses else '{\n  "senses": [],\n') + rest
