"""The command `swarmkit wsd substitute`: substitutes of a word in a text, and the files of SemEval-2007 task 10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from swarmkit import UsageError, check_writable, print_json, print_table

if TYPE_CHECKING:
    from swarmkit_lexsub.options import LexsubOptions
    from swarmkit_lexsub.problem import Stage
    from swarmkit_lexsub.task_files import Answer, Gold, Item, Kind

BEST, GUESSES = 1, 10
"""Substitutes that are written to an answers file of each kind."""


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
    from swarmkit import make_settings
    from swarmkit_lexsub.options import LexsubOptions

    _check_use(text, word, file, out, score, gold)
    if score is not None and gold is not None:
        _show_score(score, gold, as_document)
        return
    given = {"text": text, "words": word, "file": None if file is None else str(file), "preset": preset}
    options = make_settings(LexsubOptions, {name: one for name, one in given.items() if one is not None}, "lexsub")
    if file is not None and out is not None:
        _answer_file(options, file, _output(out, kind, gold, force), as_document)
    else:
        _show_text(options, most, as_document)


def _check_use(
    text: str | None, word: str | None, file: Path | None, out: Path | None, score: Path | None, gold: Path | None
) -> None:
    """Raise an error if what is given does not go together."""
    if sum(one is not None for one in (text, file, score)) != 1:
        raise UsageError("expected a text and --word, or --file with --out, or --score with --gold")
    if text is not None and (word is None or not word.strip()):
        raise UsageError("no word: expected --word, a word of the text")
    if text is not None and "," in (word or ""):
        raise UsageError("--word takes one word; 'swarmkit solve -p lexsub -P words=…' substitutes several together")
    if text is None and word is not None:
        raise UsageError("--word goes with a text: the sentences of a file have their target words")
    if file is not None and out is None:
        raise UsageError("--file needs --out, the file for the answers")
    if file is None and out is not None:
        raise UsageError("--out goes with --file")
    if score is not None and gold is None:
        raise UsageError("--score needs --gold, the gold substitutes")
    if text is not None and gold is not None:
        raise UsageError("--gold goes with --file or --score")


def _known_kind(kind: str) -> Kind:
    from swarmkit import unknown
    from swarmkit_lexsub.task_files import MARKS

    found = next((one for one in MARKS.values() if one == kind), None)
    if found is None:
        raise unknown("kind of answers", kind, list(MARKS.values()))
    return found


def _show_text(options: LexsubOptions, most: int, as_document: bool) -> None:
    from swarmkit_lexsub.problem import text_stages

    stages = text_stages(options)
    if as_document:
        print_json({"targets": [_document(stage, most) for stage in stages], "preset": _preset(stages)})
        return
    for stage in stages:
        words, at, end = stage.target.words, stage.target.start, stage.target.end
        typer.echo(" ".join([*words[:at], "[", *words[at:end], "]", *words[end:]]) + "\n")
        print_table([_row(one) for one in _document(stage, most)["substitutes"]])
        typer.echo("")
    typer.echo(f"preset {_preset(stages)}")


def _preset(stages: list[Stage]) -> str:
    return str(stages[0].problem.settings.preset)


def _row(one: dict[str, Any]) -> dict[str, str]:
    said = {"substitute": one["substitute"], "probability": f"{one['probability']:.3f}", "score": f"{one['score']:.2f}"}
    return said | {"relation": one["relation"], "meaning": one["meaning"]}


def _document(stage: Stage, most: int) -> dict[str, Any]:
    """Return a target and its substitutes as plain data; `start` and `end` count characters of the text."""
    import numpy as np

    from swarmkit_lexsub.fit import probabilities
    from swarmkit_lexsub.problem import linked

    target = stage.target
    likely = probabilities(np.array([one.score for one in stage.substitutes])).tolist()
    rows = [
        {"substitute": one.name, "probability": round(share, 6), "score": one.score, **linked(stage, one)}
        for one, share in zip(stage.substitutes[:most], likely, strict=False)
    ]
    start, end = target.place
    found = {"word": target.surface, "start": start, "end": end, "lemma": target.lemma, "pos": target.pos}
    return found | {"substitutes": rows}


class _Output(NamedTuple):
    """Where the answers to a file go, and what they are."""

    path: Path
    kind: Kind
    gold: Mapping[str, Gold] | None


def _output(path: Path, kind: str, gold: Path | None, force: bool) -> _Output:
    from swarmkit_lexsub.task_files import read_gold

    known = _known_kind(kind)
    if known == "ranked" and gold is None:
        raise UsageError("--kind ranked needs --gold, whose substitutes of each word are ranked")
    check_writable(path, force, "Choose another name, or --force to write over it.")
    return _Output(path, known, read_gold(gold) if gold is not None else None)


def _answer_file(options: LexsubOptions, file: Path, output: _Output, as_document: bool) -> None:
    from swarmkit_lexsub.task_files import Answer, read_items, write_answers

    items = read_items(file)
    found = {name: tuple(names) for name, names in _answers(items, options, output)}
    answers = [Answer(item.name, item.id, found.get(item.id, ())) for item in items]
    write_answers(output.path, answers, output.kind)
    said: dict[str, Any] = {
        "answers": str(output.path),
        "kind": output.kind,
        "items": len(items),
        "answered": len(found),
    }
    if output.gold is not None:
        said |= _score(output.kind, {one.id: one for one in answers}, output.gold)
    if as_document:
        print_json(said)
    else:
        typer.echo(f"{output.path}: {output.kind} answers to {len(found)} of {len(items)} items")
        _print_score(said)


def _answers(items: list[Item], options: LexsubOptions, output: _Output) -> Iterator[tuple[str, list[str]]]:
    """Iterate over the ids of items and their answers, without items that have none."""
    from swarmkit_lexsub.fit import ranked
    from swarmkit_lexsub.problem import item_stages
    from swarmkit_lexsub.scoring import pooled_candidates
    from swarmkit_lexsub.task_files import plain
    from swarmkit_lexsub.word_senses import read_item

    if output.kind != "ranked":
        length = BEST if output.kind == "best" else GUESSES
        for item, stage in item_stages(items, options):
            names = dict.fromkeys(plain(one.name) for one in stage.substitutes)
            yield item.id, list(names)[:length]
        return
    pools = pooled_candidates(output.gold or {})
    for item in items:
        problem, target = read_item(item, options.of_senses())
        if target is not None and pools.get(item.id):
            yield item.id, [one.name for one in ranked(problem, target, pools[item.id])]


def _score(kind: Kind, answers: Mapping[str, Answer], gold: Mapping[str, Gold]) -> dict[str, Any]:
    """Return the scores of answers, in percent."""
    from swarmkit_lexsub.scoring import score_answers, score_ranking

    if kind == "ranked":
        return {"gap": score_ranking(gold, answers)}
    return score_answers(gold, answers, kind).model_dump()


def _show_score(path: Path, gold: Path, as_document: bool) -> None:
    from swarmkit_lexsub.task_files import read_answers, read_gold

    expected = read_gold(gold)
    kind, answers = read_answers(path)
    missing = next((name for name in answers if name not in expected), None)
    if missing is not None:
        raise UsageError(
            f"{path} answers the item {missing}, which {gold} does not have; expected answers to its items"
        )
    found: dict[str, Any] = {"kind": kind, **_score(kind, answers, expected)}
    if as_document:
        print_json(found)
    else:
        _print_score(found)


def _print_score(found: dict[str, Any]) -> None:
    if "gap" in found:
        typer.echo(f"GAP {found['gap']:.2f}")
    for name in ("score", "mode"):
        if name in found:
            rates, title = found[name], found["kind"] + (" mode" if name == "mode" else "")
            counts = f"{rates['attempted']} of {rates['items']} items"
            typer.echo(f"{title}: precision {rates['precision']:.2f}, recall {rates['recall']:.2f} ({counts})")
    if found.get("repeated") and found["kind"] == "oot":
        typer.echo(f"{found['repeated']} items have a repeated answer, which counts repeatedly")
