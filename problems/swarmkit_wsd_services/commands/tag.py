"""The command `swarmkit wsd tag`: the senses of the words of texts of any length, printed as they are found."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from swarmkit import UsageError, print_json, print_table, quoted
from swarmkit_wsd_services.commands.arguments import (
    AskBelow,
    Clusters,
    Experts,
    ExpertSeconds,
    ExpertsFailed,
    Json,
    Language,
    MinConfidence,
    Model,
    Options,
    Preset,
    Reliability,
    Wordnets,
    check_no_source,
    problem_options,
    warn,
)
from swarmkit_wsd_services.commands.sentence_tables import show_sentences
from swarmkit_wsd_services.commands.text_sources import Reading, batch_inputs, expand_patterns, read_sources
from swarmkit_wsd_services.documents import Chunks, TextSource, document, facts, senses_of

if TYPE_CHECKING:
    from swarmkit_wsd.answers import Answers
    from swarmkit_wsd.disambiguation import Chunk
    from swarmkit_wsd.experts.panel import Panel
    from swarmkit_wsd.options import WsdOptions

FOREIGN = "swarmkit: the text does not look like English, whose words are looked up; --language names another language"
"""The warning about texts in other languages."""

MOST_WORDS = 20
"""Words of the text that the message about a word that is not in it lists."""


def tag(
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT|FILE|-]...", help="A text, a file of it, or - to read it.", show_default=False),
    ] = None,
    files: Annotated[
        list[Path] | None, typer.Option("--file", metavar="FILE", help="A file, whatever its name looks like.")
    ] = None,
    plain: Annotated[
        list[str] | None, typer.Option("--text", metavar="TEXT", help="A text, even if a file has this name.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="text, html, xml, jsonl, conllu, csv or tsv; by default the name tells."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Of texts in files: latin-1, cp1252, utf-16, …; by default UTF-8.")
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Tables: the column with the texts, by default 'text'.")
    ] = None,
    rows: Annotated[str, typer.Option(help="Tables: a row for each of the words or of the texts.")] = "words",
    preset: Preset = None,
    model: Model = None,
    language: Language = None,
    wordnets: Wordnets = None,
    options: Options = None,
    min_confidence: MinConfidence = 0.0,
    alternatives: Annotated[int, typer.Option(min=0, help="List the next senses of each word, this many.")] = 0,
    clusters: Clusters = None,
    explain: Annotated[
        str | None, typer.Option(metavar="WORD", help="Show what each sense of a word gains, and from which words.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD=SENSE", help="A word's known sense: bank=bank.n.01, or 3=bank%1:17:01:: by place."),
    ] = None,
    experts: Experts = None,
    ask_below: AskBelow = None,
    reliability: Reliability = None,
    expert_seconds: ExpertSeconds = None,
    as_document: Json = False,
    out: Annotated[
        str | None, typer.Option(metavar="PATH", help="Batches: the file, or folder, that the answers go to.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Batches: leave out what --out has.")] = False,
    jobs: Annotated[
        int | None, typer.Option(help="Batches: the number of processes, by default 1; -1 is one for each core.")
    ] = None,
    backend: Annotated[str, typer.Option(help="Batches: loky (processes here) or dask (a cluster).")] = "loky",
    scheduler: Annotated[str | None, typer.Option(help="The address of the Dask scheduler: tcp://HOST:8786.")] = None,
) -> None:
    """Show the sense of every word of a text: English, or with --language another one.

    Uses the most accurate preset that this installation can run; --preset and -P change it. An argument that is the
    name of a file is read from it, any other is text. Long texts are answered piece by piece, while they are read.

    With --known, words that have their sense already decide on those around them.

    With --expert, a program (or a person) is asked about the words that are not certain: see docs/experts.md.

    Files of JSON Lines (.jsonl) have an object {"id": …, "text": …} on each line and get one with senses for each;
    files of CoNLL-U (.conllu) get senses in MISC; tables (.csv, .tsv) with a column of texts get a table of senses;
    with --out FOLDER each text gets a JSON document. These are batches: on several processes with --jobs, on a cluster
    with --backend dask, to be continued with --resume.

    Example: swarmkit wsd tag "They rowed to the bank of the river."
    """
    from swarmkit import make_settings
    from swarmkit_text.blocks import check_encoding
    from swarmkit_wsd.answers import Answers
    from swarmkit_wsd.confidence import read_clusters
    from swarmkit_wsd.disambiguation import consult_panel, each_chunk
    from swarmkit_wsd.experts.program import consulting, open_panel
    from swarmkit_wsd.frames import check_rows
    from swarmkit_wsd.options import WsdOptions
    from swarmkit_wsd.raw_text import lexicon_of

    settings = make_settings(WsdOptions, problem_options(options, preset, model, language, wordnets), "wsd")
    check_no_source(settings, "'wsd tag' takes its text as an argument, as a file, or from '-'")
    panel_options = consulting(experts, ask_below, reliability, expert_seconds)
    arguments = expand_patterns(texts or [])
    is_batch = jobs is not None or out is not None or resume or backend != "loky" or scheduler is not None
    check_rows(rows)
    reading = Reading(form, check_encoding(encoding) if encoding else None, column, rows)  # type: ignore[arg-type]  # checked
    if inputs := batch_inputs(arguments, files or [], plain or [], reading, is_batch):
        from swarmkit_wsd_services.batches import Batch
        from swarmkit_wsd_services.commands.batch import Where, tag_batch

        if explain or known:
            option = "--explain" if explain else "--known (in JSON Lines a field of each line)"
            raise UsageError(f"{option} goes with a text, not with a batch")
        batch = Batch(settings, min_confidence, alternatives, clusters, panel_options)
        tag_batch(inputs, batch, Where(jobs, backend, scheduler), out, resume)
        return
    answers = Answers(min_confidence, alternatives, read_clusters(clusters) if clusters else None)
    sources, places = _known_senses(read_sources(arguments, files or [], plain or [], reading), known or [])
    lexicon = lexicon_of(settings)
    about = facts(settings, lexicon)
    if lexicon.language != "eng":
        for missing in lexicon.missing():
            warn(missing)
    # Chunks are read, answered and printed one by one, so that a long text needs little memory.
    with closing(open_panel(panel_options, warn)) as panel:
        chunks = _warn_of_language(
            (source, chunk)
            for source in sources
            for chunk in consult_panel(each_chunk(source.blocks, lexicon, settings, places), panel)
        )
        if explain:
            _explain(chunks, explain, answers, about if as_document else None)
        elif as_document:
            for part in document(chunks, answers, about):
                sys.stdout.write(part)
                sys.stdout.flush()
        else:
            _show_senses(chunks, answers)
            typer.echo(f"\npreset {settings.preset}{_why(settings, preset)}{_expert_remark(panel)}")
        if panel.failed:
            raise ExpertsFailed(panel.failed)


def _known_senses(sources: list[TextSource], known: list[str]) -> tuple[list[TextSource], dict[int, str]]:
    """Return the sources, and the known senses by place; these need the whole text, and only one."""
    if not known:
        return sources, {}
    # Places count the characters of one text, so there has to be only one, and all of it.
    if len(sources) > 1:
        raise UsageError(f"--known goes with one text; there are {len(sources)}")
    text = "".join(sources[0].blocks)
    return [sources[0]._replace(blocks=[text])], known_places(known, text)


def _why(settings: WsdOptions, preset: str | None) -> str:
    """Return a remark for people who did not ask for a preset and got one that is not the most accurate."""
    if preset or settings.preset == "best":
        return ""
    if settings.is_english:
        return " (the most accurate one, best, needs the sense model: see 'swarmkit data')"
    return f" (language {settings.language}; the most accurate one, best, reads English alone)"


def _expert_remark(panel: Panel) -> str:
    """Return a remark on how much experts were asked."""
    return f"; experts were asked about {panel.asked} words" if panel.asked else ""


def _warn_of_language(chunks: Chunks) -> Iterator[tuple[TextSource, Chunk]]:
    """Iterate over chunks; print one warning if one of them is read as English, but is not."""
    from swarmkit_text.language import is_english

    needs_warning = True
    for source, chunk in chunks:
        if chunk.problem.lexicon.language != "eng":
            yield source, chunk
            continue
        words = (token.surface for number in chunk.answer_range for token in chunk.problem.sentences[number].tokens)
        # None means that there are too few words to tell.
        if needs_warning and is_english(words) is False:
            typer.echo(FOREIGN, err=True)
            needs_warning = False
        yield source, chunk


def _show_senses(chunks: Chunks, answers: Answers) -> None:
    """Print the sentences of each chunk, each with a table."""
    unknown: dict[str, None] = {}
    has_senses = False
    for _, chunk in chunks:
        has_senses = show_sentences(chunk, answers) or has_senses
        unknown |= dict.fromkeys(chunk.unknown)
    if not has_senses:
        typer.echo("no word that WordNet knows")
    if unknown:
        typer.echo(f"\nnot in WordNet: {', '.join(unknown)}")


def _explain(chunks: Chunks, word: str, answers: Answers, about: dict[str, Any] | None) -> None:
    """Print the values of the senses of a word, as a table, or with facts about the run as a JSON document."""
    from swarmkit_wsd.explanation import explain

    senses: list[dict[str, Any]] = []
    unknown: dict[str, None] = {}
    weights: list[dict[str, Any]] = []
    for source, chunk in chunks:
        x = chunk.problem.default_solution()
        for weight in explain(chunk.problem, x, word, sentences=chunk.answer_range):
            place = source.place(weight.start, weight.start + len(weight.word))[0]
            weights.append({"source": source.name, **weight.model_dump(), "start": place})
        senses += senses_of(source, chunk, answers)
        unknown |= dict.fromkeys(chunk.unknown)
    if not weights:
        words = list(dict.fromkeys(sense["word"] for sense in senses))
        names = ", ".join(words[:MOST_WORDS]) + ("…" if len(words) > MOST_WORDS else "")
        raise UsageError(f"'{word}' is not among the words with senses: {names}")
    if about is None:
        _show_weights(weights)
    else:
        print_json({"senses": senses, "unknown": [*unknown], **about, "explained": weights})


def _show_weights(weights: list[dict[str, Any]]) -> None:
    """Print a table for each occurrence of the word; several are labelled with their places."""
    occurrences = [list(rows) for _, rows in groupby(weights, key=itemgetter("source", "start"))]
    for number, rows in enumerate(occurrences, 1):
        if len(occurrences) > 1:
            place = f"{rows[0]['source']}, character {rows[0]['start']}"
            typer.echo(f"\n{rows[0]['word']}, {number} of {len(occurrences)} ({place})\n")
        _show_occurrence(rows)
    typer.echo(
        "\n* chosen; 'alone' is the value without the other words, 'pulled by' lists the related words that add most"
    )


def _show_occurrence(weights: list[dict[str, Any]]) -> None:
    rows = [
        {
            "sense": f"{'*' if weight['chosen'] else ' '} {weight['synset']}",
            "value": f"{weight['value']:.3f}",
            "alone": f"{weight['prior']:.3f}",
            "pulled by": ", ".join(f"{p['word']} ({p['synset']}) {p['value']:.3f}" for p in weight["pulls"]),
            "gloss": weight["gloss"],
        }
        for weight in weights
    ]
    print_table(rows)


EXPECTED = "WORD=SENSE, such as 3=bank%1:17:01:: (with 3 words before it) or bank=bank.n.01"

_WITH_NUMBER = re.compile(r"(.+)#([1-9]\d*)", re.DOTALL)


def known_places(arguments: Sequence[str], text: str) -> dict[int, str]:
    """Return the sense keys of `--known` by the number of characters before their words.

    >>> known_places(["3=bank%1:17:01::"], "They saw the bank."), known_places(["an#2=x"], "An ant, an owl.")
    ({13: 'bank%1:17:01::'}, {8: 'x'})

    Args:
        arguments: words and sense keys or names of synsets, with an equals sign between them.
        text: the text.

    Raises:
        UsageError: there is no such word.
    """
    places: dict[int, str] = {}
    for argument in arguments:
        word, _, key = argument.rpartition("=")
        if not word or not key:
            raise UsageError(f"--known {quoted(argument)}; expected {EXPECTED}")
        place = _numbered_word(int(word), text) if word.isascii() and word.isdecimal() else _written_word(word, text)
        if place in places:
            raise UsageError(f"--known {quoted(argument)}: the word has a sense already, {places[place]}")
        places[place] = key
    return places


def _numbered_word(number: int, text: str) -> int:
    """Return where the word with this many words before it begins; an elided article (l'avocat) is no part of it."""
    words = list(re.finditer(r"\S+", text))
    if number >= len(words):
        raise UsageError(f"--known {number}=…: the text has {len(words)} words; expected 0 to {len(words) - 1}")
    match = words[number]
    # An elided article in one letter or more, with an apostrophe, before a word of at least two letters.
    inner = re.compile(r"(?:[^\W\d_]+['\u2019](?=[^\W\d_]{2}))?[\W_]*").match(text, match.start(), match.end())
    begin = inner.end() if inner else match.start()
    return begin if begin < match.end() else match.start()


def _written_word(word: str, text: str) -> int:
    """Return where a word or phrase begins; bank#2 is the second one that is written so."""
    match = _WITH_NUMBER.fullmatch(word)
    phrase, number = (match[1], int(match[2])) if match else (word, 1)
    pattern = r"\s+".join(re.escape(part) for part in phrase.split())
    starts = [occurrence.start() for occurrence in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if len(starts) < number:
        raise UsageError(
            f"--known {quoted(word)}: "
            + (f"the text has the word {len(starts)} times" if starts else "the text has no such word")
            + f"; expected {EXPECTED}"
        )
    return starts[number - 1]
