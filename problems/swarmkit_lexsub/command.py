"""The command `swarmkit wsd substitute`: substitutes of a word in a text, and the files of SemEval-2007 task 10."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from swarmkit import UsageError, check_writable


def substitute(
    text: Annotated[str | None, typer.Argument(help="An English text.", show_default=False)] = None,
    word: Annotated[
        str | None, typer.Option(metavar="WORD", help="The word to substitute; every occurrence of it is answered.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="The number of substitutes that are shown.")] = 10,
    file: Annotated[
        Path | None, typer.Option(help="Sentences of SemEval-2007 task 10, in place of a text: XML or tabs.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the answers to the file's items here.")] = None,
    kind: Annotated[
        str, typer.Option(help="What is written: best (one answer), oot (ten), or ranked (the gold's candidates).")
    ] = "oot",
    gold: Annotated[
        Path | None, typer.Option(help="Gold substitutes: score the answers at once, or those of --score.")
    ] = None,
    score: Annotated[Path | None, typer.Option(metavar="ANSWERS", help="Score this answers file by --gold.")] = None,
    preset: Annotated[str | None, typer.Option(help="The preset that weighs the senses: best or fast.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_document: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """Show what could stand in place of a word of a text, the best substitute first.

    Substitutes are WordNet's synonyms, similar adjectives, hypernyms, hyponyms and related words. Each is tried in the
    sentence; it is worth more the more the sense of the word that it belongs to is likely here.

    Example: swarmkit wsd substitute "He was a bright boy." --word bright

    Files of SemEval-2007 task 10 are answered with --file and --out, and scored with --score and --gold.
    """
    has_text, has_file = text is not None, file is not None
    mistakes = {
        "expected a text and --word, or --file with --out, or --score with --gold": (
            sum(source is not None for source in (text, file, score)) != 1
        ),
        "no word: expected --word, a word of the text": has_text and not (word or "").strip(),
        "--word takes one word; 'swarmkit solve -p lexsub -P words=…' substitutes several together": (
            has_text and "," in (word or "")
        ),
        "--word goes with a text: the sentences of a file have their target words": not has_text and word is not None,
        "--file needs --out, the file for the answers": has_file and out is None,
        "--out goes with --file": not has_file and out is not None,
        "--score needs --gold, the gold substitutes": score is not None and gold is None,
        "--gold goes with --file or --score": has_text and gold is not None,
    }
    # The first mistake is told: later ones may follow from it.
    for message, is_mistake in mistakes.items():
        if is_mistake:
            raise UsageError(message)
    # After the checks, which need neither numpy nor WordNet.
    from swarmkit_lexsub.answering import answer_file, make_options, show_score, show_text

    if score is not None and gold is not None:
        show_score(score, gold, as_document)
        return
    options = make_options(text=text, words=word, file=None if file is None else str(file), preset=preset)
    if file is not None and out is not None:
        check_writable(out, force, "Choose another name, or --force to write over it.")
        answer_file(options, file, out, kind, gold, as_document)
    else:
        show_text(options, most, as_document)
