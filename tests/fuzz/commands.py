"""Commands with a file or text each: how they are mutated and run."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from random import Random
from typing import Any

import swarmkit
from tests.fuzz.mutators import mutate_archive, mutate_json, mutate_store, mutate_text
from tests.fuzz.reading import in_folder, written
from tests.fuzz.run_files import RUNS, checkpoints, results, stores
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


def mutate_command(sample: Any, random: Random, folder: Path) -> Any:
    arguments, content, mutate = sample
    return arguments, mutate(content, random, folder), mutate


def run_command(given: Any, folder: Path) -> None:
    """Call the command line; what it says is what a user sees."""
    from swarmkit.cli import main

    arguments, content, _ = given
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
        if end.code not in (0, None, 2, 3) and not different:
            raise AssertionError(f"exit code {end.code}: {said.getvalue()}") from None
        if end.code and not different:
            raise swarmkit.UsageError(said.getvalue()[:1000]) from None
