"""The answers of `swarmkit wsd substitute`: shown, written to files of SemEval-2007 task 10, and scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import typer

from swarmkit import UsageError, make_settings, print_json, print_table, unknown
from swarmkit_lexsub.fit import probabilities, rank
from swarmkit_lexsub.problem import LexsubOptions, Stage, item_stages, relation_and_meaning, text_stages
from swarmkit_lexsub.scoring import pooled_candidates, score_answers, score_ranking
from swarmkit_lexsub.task_files import (
    MARKS,
    Answer,
    Gold,
    Item,
    Kind,
    plain,
    read_answers,
    read_gold,
    read_items,
    write_answers,
)
from swarmkit_lexsub.word_senses import read_item

LENGTHS: Mapping[Kind, int] = {"best": 1, "oot": 10}
"""Substitutes that are written to an answers file of each kind; a ranking has all candidates."""


def make_options(**values: str | None) -> LexsubOptions:
    """Return options of the problem; those that are None have their defaults."""
    return make_settings(LexsubOptions, {k: value for k, value in values.items() if value is not None}, "lexsub")


def show_text(options: LexsubOptions, most: int, as_document: bool) -> None:
    """Show the words of a text with their substitutes, at most some of each."""
    stages = text_stages(options)
    preset = str(stages[0].problem.settings.preset)
    if as_document:
        print_json({"targets": [_document(stage, most) for stage in stages], "preset": preset})
        return
    for stage in stages:
        words, at, end = stage.target.words, stage.target.start, stage.target.end
        typer.echo(" ".join([*words[:at], "[", *words[at:end], "]", *words[end:]]) + "\n")
        print_table([_cells(row) for row in _document(stage, most)["substitutes"]])
        typer.echo("")
    typer.echo(f"preset {preset}")


def _cells(row: dict[str, Any]) -> dict[str, str]:
    """Return the cells of a table's row."""
    numbers = {"probability": f"{row['probability']:.3f}", "score": f"{row['score']:.2f}"}
    return {"substitute": row["substitute"], **numbers, "relation": row["relation"], "meaning": row["meaning"]}


def _document(stage: Stage, most: int) -> dict[str, Any]:
    """Return a target and its substitutes as plain data; `start` and `end` count characters of the text."""
    target = stage.target
    # Over all substitutes: the probabilities of those that are shown need not sum to 1.
    shares = probabilities(np.array([substitute.score for substitute in stage.substitutes])).tolist()
    rows = [
        {
            "substitute": substitute.name,
            "probability": round(share, 6),
            "score": substitute.score,
            **relation_and_meaning(stage, substitute),
        }
        for substitute, share in zip(stage.substitutes[:most], shares, strict=False)
    ]
    start, end = target.place
    word = {"word": target.surface, "start": start, "end": end, "lemma": target.lemma, "pos": target.pos}
    return {**word, "substitutes": rows}


def answer_file(options: LexsubOptions, file: Path, out: Path, kind: str, gold: Path | None, as_document: bool) -> None:
    """Write the answers to the items of a file, and say how many there are and, with gold, what they score.

    Args:
        options: the options of the problem.
        file: the items.
        out: the file for the answers.
        kind: their kind, of those in MARKS.
        gold: the gold substitutes, which are needed for a ranking of them.
        as_document: whether the report is JSON.
    """
    kinds = {name: name for name in MARKS}
    if kind not in kinds:
        raise unknown("kind of answers", kind, list(kinds))
    if kind == "ranked" and gold is None:
        raise UsageError("--kind ranked needs --gold, whose substitutes of each word are ranked")
    gold_items = read_gold(gold) if gold is not None else None
    items = read_items(file)
    names = {name: tuple(substitutes) for name, substitutes in _answers(items, options, kinds[kind], gold_items or {})}
    answers = [Answer(item.name, item.id, names.get(item.id, ())) for item in items]
    write_answers(out, answers, kinds[kind])
    report: dict[str, Any] = {"answers": str(out), "kind": kind, "items": len(items), "answered": len(names)}
    if gold_items is not None:
        report |= _score(kinds[kind], {answer.id: answer for answer in answers}, gold_items)
    if as_document:
        print_json(report)
        return
    typer.echo(f"{out}: {kind} answers to {len(names)} of {len(items)} items")
    _print_score(report)


def _answers(
    items: list[Item], options: LexsubOptions, kind: Kind, gold: Mapping[str, Gold]
) -> Iterator[tuple[str, list[str]]]:
    """Iterate over the ids of items and their answers, without items that have none."""
    if kind != "ranked":
        for item, stage in item_stages(items, options):
            # Spellings that are compared as equal count once.
            names = dict.fromkeys(plain(substitute.name) for substitute in stage.substitutes)
            yield item.id, list(names)[: LENGTHS[kind]]
        return
    pools = pooled_candidates(gold)
    for item in items:
        problem, target = read_item(item, options.of_senses())
        if target is not None and pools.get(item.id):
            yield item.id, [substitute.name for substitute in rank(problem, target, pools[item.id])]


def _score(kind: Kind, answers: Mapping[str, Answer], gold: Mapping[str, Gold]) -> dict[str, Any]:
    """Return the scores of answers, in percent."""
    if kind == "ranked":
        return {"gap": score_ranking(gold, answers)}
    return score_answers(gold, answers, kind).model_dump()


def show_score(path: Path, gold: Path, as_document: bool) -> None:
    """Score a file of answers and show the result."""
    items = read_gold(gold)
    kind, answers = read_answers(path)
    missing = next((name for name in answers if name not in items), None)
    if missing is not None:
        message = f"{path} answers the item {missing}, which {gold} does not have"
        raise UsageError(f"{message}; expected answers to its items")
    report: dict[str, Any] = {"kind": kind, **_score(kind, answers, items)}
    if as_document:
        print_json(report)
    else:
        _print_score(report)


def _print_score(report: dict[str, Any]) -> None:
    if "gap" in report:
        typer.echo(f"GAP {report['gap']:.2f}")
    for name, suffix in (("score", ""), ("mode", " mode")):
        if name in report:
            rates = report[name]
            counts = f"{rates['attempted']} of {rates['items']} items"
            figures = f"precision {rates['precision']:.2f}, recall {rates['recall']:.2f}"
            typer.echo(f"{report['kind']}{suffix}: {figures} ({counts})")
    if report.get("repeated") and report["kind"] == "oot":
        typer.echo(f"{report['repeated']} items have a repeated answer, which counts repeatedly")
