"""The senses of texts for people: each sentence, and below it a table of its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from swarmkit import print_table

if TYPE_CHECKING:
    from swarmkit_text.corpus import Sentence
    from swarmkit_wsd.answers import Answers, Sense
    from swarmkit_wsd.disambiguation import Chunk
    from swarmkit_wsd.experts.questions import Candidate


def show_sentences(chunk: Chunk, answers: Answers) -> bool:
    """Print the sentences of a chunk that have answers, each with a table; return whether there are any."""
    tables = list(
        _by_sentence(chunk.senses(answers), [chunk.problem.sentences[number] for number in chunk.answer_range])
    )
    for sentence, senses in tables:
        typer.echo(f"\n{sentence_text(sentence)}\n")
        print_table([row for sense in senses for row in _rows(sense)])
    return bool(tables)


def _by_sentence(senses: Sequence[Sense], sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, list[Sense]]]:
    """Iterate over the sentences that have senses, with their senses; both are in the order of the text."""
    for sentence in sentences:
        if sentence.tokens:
            # An entry of several words belongs to the sentence in which it begins.
            start, end = sentence.tokens[0].start, sentence.tokens[-1].end
            inside = [sense for sense in senses if start <= sense.start < end]
            if inside:
                yield sentence, inside


def _rows(sense: Sense) -> Iterator[dict[str, str]]:
    yield _row(sense.word, sense)
    for alternative in sense.alternatives:
        yield _row("", alternative)


def _row(word: str, sense: Sense | Candidate) -> dict[str, str]:
    text = " ".join(word.split())
    return {"word": text, "sense": sense.synset, "confidence": f"{sense.confidence:.2f}", "gloss": sense.gloss}


def sentence_text(sentence: Sentence) -> str:
    """Return a sentence as it is written in its text, in one line."""
    text, end = "", None
    for token in sentence.tokens:
        # Tokens that touch in the text (didn|'t) touch here, too; any other gap is one space.
        text += (" " if end is not None and token.start > end else "") + token.surface
        end = token.end
    return " ".join(text.split())
