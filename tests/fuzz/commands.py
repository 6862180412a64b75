"""Commands with a file or text each: how they are mutated and run."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import swarmkit
from tests.fuzz import samples
from tests.fuzz.mutators import mutate_archive, mutate_bytes, mutate_json, mutate_model, mutate_store, mutate_text
from tests.fuzz.reading import in_folder, written
from tests.fuzz.run_files import RUNS, checkpoints, recordings, results, stores
from tests.fuzz.samples import CORPUS, EXPERIMENT, KEY, TEXT, TSP


def sound_commands(folder: Path) -> list[Any]:
    """Return commands with a sound file each: the arguments, in which {} is the file, its content and its mutation."""
    text, tree = in_folder(mutate_text), in_folder(mutate_json)
    checkpoint, store = checkpoints(folder, RUNS[:1])[0], stores(folder)[0]
    return [
        (["wsd", "tag", "{text}", "--json"], TEXT.encode(), text),
        (["wsd", "tag", "{}"], TEXT.encode(), text),
        (["wsd", "annotate", "{}", "--out", "{out}", "--force", "--json"], CORPUS.encode(), text),
        (["wsd", "score", "{}", "{}"], KEY.encode(), text),
        (["solve", "-p", "tsp", "-P", "file={}", "-a", "random", "--looks", "1000", "--json"], TSP.encode(), text),
        (["solve", "-p", "synthetic", "-P", "{text}", "-a", "random", "--looks", "1000"], b"n=7", text),
        (["solve", "-p", "synthetic", "-a", "ga", "-A", "{text}", "--looks", "1000"], b"population=7", text),
        (["solve", "-p", "synthetic", "-a", "random", "--seconds", "0.1", "--looks", "{text}"], b"1e4", text),
        (["solve", "-p", "synthetic", "-a", "random", "--looks", "100", "--seed", "{text}"], b"12", text),
        (["resume", "{}", "--looks", "5000"], checkpoint, in_folder(mutate_archive)),
        (["runs", "{}", "--json"], store, mutate_store),
        (["runs", "{}", "--summary"], store, mutate_store),
        (["report", "{}", "--json"], store, mutate_store),
        (["replay", "{}"], results(folder)[0], tree),
        (["compare", "{}", "--json"], EXPERIMENT.encode(), text),
    ]


TAG = ("wsd", "tag", "{}", "--preset", "fast")
BANK = ("wsd", "tag", "--text", "The bank.", "--preset", "fast")
START = ("solve", "-p", "tsp", "-P", "n=4", "-a", "ga", "--looks", "100", "--start", "{}")


def tagging_commands(folder: Path) -> list[Any]:
    """Return commands that read texts of every format, answers that are to be continued, senses and clusters."""
    text, tree = in_folder(mutate_text), in_folder(mutate_json)
    sound = written(folder / "sound.jsonl", samples.LINES.encode())
    answers = {"senses": [], "preset": "fast"}
    lines = "".join(json.dumps({"id": name, **answers}) + "\n" for name in (1, "two"))
    return [
        ([*TAG, "--format", "jsonl"], samples.LINES.encode(), text),
        ([*TAG, "--format", "jsonl"], samples.LINES.splitlines()[1].encode(), tree),
        ([*TAG, "--format", "conllu"], samples.CONLLU.encode(), text),
        ([*TAG, "--format", "html", "--json"], samples.HTML.encode(), text),
        ([*TAG, "--format", "text", "--alternatives", "2"], samples.TEXT.encode(), text),
        (["wsd", "tag", str(sound), "--preset", "fast", "--out", "{}", "--resume"], lines.encode(), text),
        (
            ["wsd", "tag", "--text", "The bank.", "--preset", "fast", "--clusters", "{}"],
            samples.CLUSTERS.encode(),
            text,
        ),
        ([*BANK, "--known", "{text}"], b"1=bank%1:17:01::", text),
        (["wsd", "tag", "--text", "{text}", "--preset", "fast", "--explain", "bank"], samples.TEXT.encode(), text),
    ]


def model_commands(_: Path) -> list[Any]:
    """Return a command that reads a sense model."""
    from swarmkit_sense_model.bundled import BUNDLED

    arguments = ["wsd", "tag", "--text", "They sat on the bank.", "--model", "{}", "--json"]
    return [(arguments, BUNDLED.read_bytes(), in_folder(mutate_model))]


def substitution_commands(folder: Path) -> list[Any]:
    """Return commands that read sentences, gold substitutes and answers of lexical substitution."""
    text = in_folder(mutate_text)
    gold = str(written(folder / "gold.txt", samples.SUBSTITUTES.encode()))
    answers = str(written(folder / "answers.txt", samples.OFFERED.encode()))
    out, items = ["--out", "{out}", "--force", "--preset", "fast"], samples.SUBSTITUTIONS.encode()
    return [
        (["wsd", "substitute", "--file", "{}", *out], items, text),
        (["wsd", "substitute", "--file", "{}", *out, "--gold", gold, "--json"], samples.LEXELTS.encode(), text),
        (["wsd", "substitute", "--score", answers, "--gold", "{}"], samples.SUBSTITUTES.encode(), text),
        (["wsd", "substitute", "--score", "{}", "--gold", gold, "--json"], samples.OFFERED.encode(), text),
        (["wsd", "substitute", "He was a bright boy.", "--word", "{text}", "--preset", "fast"], b"bright", text),
        (["solve", "-p", "lexsub", "-P", "preset=fast", "-P", "file={}", "-a", "first", "--json"], items, text),
    ]


TUNE = "tune -a sa -p synthetic -P n=6 --train seed=1..2 --test seed=3..3 --trials 1 --looks 200 --study".split()  # noqa: SIM905


def file_commands(folder: Path) -> list[Any]:
    """Return commands that read stores, studies, recordings and results of others, mutated in every way."""
    study, store = folder / "study.db", stores(folder)[0]
    run_command(([*TUNE, str(study)], b"", None), folder)
    content = study.read_bytes()
    compare = "compare -p synthetic -P n=6 --algos random,first --runs 3 --looks 500 --gap --store {}".split()  # noqa: SIM905
    return [
        ([*TUNE, "{}"], content, in_folder(mutate_bytes)),
        (compare, store, mutate_store),
        (["runs", "{}", "--export", "{out}.csv", "--force"], store, mutate_store),
        (["movie", "{}", "-o", "{out}.html", "--force"], recordings(folder)[0], in_folder(mutate_archive)),
        (["report", "{}", "--markdown", "{out}.md", "--force"], samples.OTHERS.encode(), in_folder(mutate_text)),
        (
            ["solve", "-p", "tsp", "-P", "n=4", "-a", "ga", "--looks", "100", "--start", "{}"],
            b"0,1,2,3",
            in_folder(mutate_text),
        ),
    ]


def mutate_command(sample: Any, random: Random, folder: Path) -> Any:
    arguments, content, mutate = sample
    return arguments, mutate(content, random, folder), mutate


def run_command(given: Any, folder: Path) -> None:
    """Call the command line; what it says is what a user sees."""
    from swarmkit.cli import main

    arguments, content, _ = given
    for left in folder.glob("mutated*"):  # SQLite's files beside a store, too
        left.unlink()
    path = written(folder / "mutated", content)
    text = content.decode("utf-8", "surrogateescape").replace("\0", "")
    filled = [word.replace("{}", str(path)).replace("{out}", str(folder / "out")) for word in arguments]
    sys.argv = ["swarmkit", *(word.replace("{text}", text) for word in filled)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            main()
    except SystemExit as end:
        different = end.code == 1 and arguments[0] == "replay" and not said.getvalue()  # its answer, not an error
        internal = "internal error" in said.getvalue() or "--traceback shows" in said.getvalue()
        if internal or (end.code not in (0, None, 1, 2, 3) and not different):
            raise AssertionError(f"exit code {end.code}: {said.getvalue()}") from None
        if end.code and not different:
            raise swarmkit.UsageError(said.getvalue()[:1000]) from None
