"""Every reader of swarmkit with sound inputs, mutations of them, and the call that a command would make."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import swarmkit
from tests.fuzz import commands, run_files, samples, settings
from tests.fuzz.mutators import mutate_archive, mutate_bytes, mutate_json, mutate_store, mutate_text
from tests.fuzz.reading import Reader, in_folder, written


def _read_experiment(data: bytes, folder: Path) -> None:
    swarmkit.read_experiment(written(folder / "mutated.toml", data))


def _problem(problem: str, name: str, data: bytes, folder: Path) -> None:
    made = swarmkit.make_problem(problem, file=str(written(folder / name, data)))
    made.score(np.zeros((1, len(made.sizes)), np.int64))


def _tag(data: bytes, folder: Path) -> None:
    from swarmkit_wsd.disambiguation import disambiguate

    disambiguate(data.decode("utf-8", "surrogateescape"))  # as an argument of a command is


def _tag_file(data: bytes, folder: Path) -> None:
    _problem("wsd", "mutated.txt", data, folder)


def _corpus(data: bytes, folder: Path) -> None:
    from swarmkit_text.corpora.reader import read_corpus

    read_corpus(written(folder / "mutated.xml", data))


def _keys(data: bytes, folder: Path) -> None:
    from swarmkit_text.corpora.keys import read_answers, read_keys
    from swarmkit_text.corpora.scoring import score

    gold = written(folder / "gold.key", samples.KEY.encode())
    mutated = written(folder / "mutated.key", data)
    score(read_keys(gold), read_answers(mutated, read_keys(gold)), np.random.default_rng(0))
    score(read_keys(mutated), read_answers(gold, read_keys(mutated)), np.random.default_rng(0))


def _start(data: bytes, folder: Path) -> None:
    start = written(folder / "start.txt", data)
    swarmkit.solve(swarmkit.make_problem("tsp", n=4), "ga", looks=100, start=start)


def _read_other_results(data: bytes, folder: Path) -> None:
    from swarmkit.comparison.report_input import read_other_results
    from swarmkit.statistics.analysis import analyse

    analyse(read_other_results(written(folder / "results.csv", data)))


def _texts(*texts: str) -> Callable[[Path], list[bytes]]:
    return lambda _: [text.encode() for text in texts]


def _compressed(_: Path) -> list[bytes]:
    return [gzip.compress(samples.RUDY.encode(), mtime=0), lzma.compress(samples.RUDY.encode())]


_text = in_folder(mutate_text)
_bytes = in_folder(mutate_bytes)
_tree = in_folder(mutate_json)
_archive = in_folder(mutate_archive)


def _instances(name: str, problem: str, file: str, *texts: str) -> Reader:
    """Return the reader of a problem's option `file`: its name, the problem, the file's name, sound contents."""
    return Reader(name, _texts(*texts), _text, partial(_problem, problem, file))


def _commands(name: str, sound: Callable[[Path], list[Any]], share: float = 1.0) -> Reader:
    """Return the reader of the command line, with sound commands of some kind."""
    return Reader(name, sound, commands.mutate_command, commands.run_command, share=share, needs_wordnet=True)


READERS = (
    Reader("starts", _texts(*samples.STARTS), _text, _start),
    Reader("other results", _texts(samples.OTHERS), _text, _read_other_results),
    Reader("checkpoints", run_files.checkpoints, _archive, run_files.resume),
    Reader("recordings", run_files.recordings, _archive, run_files.play),
    Reader("stores", run_files.stores, mutate_store, run_files.report),
    Reader("results", run_files.results, _tree, run_files.replay),
    Reader("experiments", _texts(samples.EXPERIMENT), _text, _read_experiment),
    Reader(
        "options",
        lambda _: [("problem", "synthetic", {}), ("solver", "ga", {})],
        settings.mutate_option,
        settings.use_option,
        memory_refused=True,
    ),
    Reader("budgets", lambda _: [{"looks": "10"}], settings.mutate_budget, settings.use_budget),
    _commands("commands", commands.sound_commands),
    _commands("tagging", commands.tagging_commands),
    _commands("models", commands.model_commands, 0.1),
    _commands("substitution", commands.substitution_commands),
    _commands("files of runs", commands.file_commands, 0.5),
    _instances("tsplib", "tsp", "mutated.tsp", samples.TSP, samples.MATRIX),
    _instances("csv", "tsp", "mutated.csv", samples.CSV, samples.MAP, samples.DISTANCES),
    _instances("qaplib", "qap", "mutated.dat", samples.QAP),
    _instances("taillard", "flowshop", "mutated.txt", samples.SHOP),
    _instances("graphs", "maxcut", "mutated.txt", samples.RUDY, samples.COL),
    _instances("colourings", "colouring", "mutated.col", samples.COL, samples.RUDY),
    _instances("wcsp", "pairwise", "mutated.wcsp", samples.WCSP),
    _instances("uai", "pairwise", "mutated.uai", samples.UAI),
    _instances("cfn", "pairwise", "mutated.cfn", samples.CFN),
    _instances("coo", "pairwise", "mutated.coo", samples.COO, samples.QUBO),
    _instances("set coverings", "setcover", "mutated.txt", samples.COVERING),
    _instances("knapsacks", "knapsack", "mutated.txt", samples.KNAPSACK),
    _instances("assignments", "assignment", "mutated.txt", samples.AGENTS),
    _instances("opb", "linear", "mutated.opb", samples.OPB),
    _instances("mps", "linear", "mutated.mps", samples.MPS),
    _instances("lp", "linear", "mutated.lp", samples.LP),
    Reader("bqm", _texts(samples.BQM), _tree, partial(_problem, "pairwise", "mutated.json")),
    Reader("compressed files", _compressed, _bytes, partial(_problem, "maxcut", "mutated.txt.gz")),
    Reader("texts", _texts(samples.TEXT), _text, _tag, needs_wordnet=True),
    Reader("text files", _texts(samples.TEXT), _text, _tag_file, needs_wordnet=True),
    Reader("corpora", _texts(samples.CORPUS, samples.COARSE), _text, _corpus),
    Reader("keys", _texts(samples.KEY, samples.ANSWERS), _text, _keys),
)
"""All readers."""
