"""Batches: the answers to lines of JSON, each line on its own, in this process or in others."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit import UsageError
from swarmkit_wsd.confidence import read_clusters
from swarmkit_wsd.disambiguation import Answers, consulted, each_chunk, encode_ahead
from swarmkit_wsd.experts.consulting import Consulting, open_panel
from swarmkit_wsd.experts.panel import Panel
from swarmkit_wsd.json_lines import RawLine, TextLine, parse_line
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.raw_text import lexicon_of
from swarmkit_wsd.text.tokenizer import split_sentences


class Batch(NamedTuple):
    """What the lines of a batch are answered with."""

    options: WsdOptions
    min_confidence: float = 0.0
    alternatives: int = 0
    clusters: Path | None = None
    consulting: Consulting = Consulting()


class AnsweredLine(NamedTuple):
    """A line of the output."""

    content: bytes
    """One JSON object, with the end of the line."""
    failed: bool
    """Whether it says what was wrong with the input."""
    end: int
    """As of `RawLine`."""


def answer_group(batch: Batch, lines: list[RawLine]) -> list[AnsweredLine]:
    """Return the answers to some lines; a line that cannot be answered has an `error` in place of senses.

    The sentence encoder reads the texts of all lines together, which is faster and changes no sense.
    """
    given = [parse_line(line) for line in lines]
    if len(given) > 1:
        encode_ahead((words for one in given for words in split_sentences(one.text)), batch.options)
    return [_answer(batch, line, one) for line, one in zip(lines, given, strict=True)]


def _answer(batch: Batch, line: RawLine, given: TextLine) -> AnsweredLine:
    found: dict[str, Any] = {"id": given.id}
    if given.error is None:
        try:
            found |= _senses(batch, given.text, given.known or {})
        except UsageError as error:
            found["error"] = f"{line.where}: {error}"
    else:
        found["error"] = given.error
    # What UTF-8 cannot hold in the name of a file becomes the escape that JSON has for it.
    content = json.dumps(found, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")
    return AnsweredLine(content + b"\n", "error" in found, line.end)


def _senses(batch: Batch, text: str, known: Any) -> dict[str, Any]:
    """Return the fields of an answered line: the preset, the senses, and the words that are not in WordNet."""
    answers = Answers(batch.min_confidence, batch.alternatives, _clusters(batch.clusters) if batch.clusters else None)
    left_out = None if batch.alternatives else {"alternatives"}
    senses: list[dict[str, Any]] = []
    unknown: dict[str, None] = {}
    chunks = each_chunk(text, lexicon_of(batch.options), batch.options, known)
    for chunk in consulted(chunks, panel_of(batch.consulting)):
        senses += [sense.model_dump(exclude=left_out) for sense in chunk.senses(answers)]
        unknown |= dict.fromkeys(chunk.unknown)
    return {"preset": batch.options.preset, "senses": senses, "unknown": [*unknown]}


_clusters = lru_cache(maxsize=1)(read_clusters)


@lru_cache(maxsize=1)
def panel_of(consulting: Consulting) -> Panel:
    """Return the panel of this process, whose programs are started once."""
    return open_panel(consulting, lambda sentence: print(f"swarmkit: {sentence}", file=sys.stderr))


def close_panel(consulting: Consulting) -> None:
    """End the programs of this process's panel."""
    panel_of(consulting).close()
    panel_of.cache_clear()
