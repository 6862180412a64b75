"""From runs to answers: which sense key each word got, and files of them in the official format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from swarmkit import Result, UsageError, make_settings
from swarmkit_wsd.corpora import read_corpus
from swarmkit_wsd.experiment.settings import CORPUS, KEY, Row
from swarmkit_wsd.keys import Entry, read_keys, write_answers
from swarmkit_wsd.lexicon import Lexicon, open_lexicon
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import Target, only_text, read_units
from swarmkit_wsd.tokens import Corpus


class Task(NamedTuple):
    """The words to answer, and what is right."""

    corpus: Corpus
    gold: dict[str, Entry]
    lexicon: Lexicon


def read_task(data: Path, texts: list[str] | None) -> Task:
    """Read the corpus, or some of its texts, and its key."""
    corpus = read_corpus(data / CORPUS)
    if texts is not None:
        corpus = Corpus(corpus.format, tuple(only_text(corpus, name).texts[0] for name in texts))
    gold = read_keys(data / KEY)
    ids = [str(token.id) for _, token in corpus.targets()]
    missing = next((name for name in ids if name not in gold), None)
    if missing is not None:
        raise UsageError(f"{data / KEY} has no entry for '{missing}' of {CORPUS}; expected the key of this corpus")
    return Task(corpus, {name: gold[name] for name in ids}, open_lexicon(None))


class Reader:
    """Reads the solutions of runs; a problem's stages are found again without its tables."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._stages: dict[tuple[str | None, str, str], list[Target]] = {}

    def answers(self, result: Result) -> dict[str, str]:
        """Give the sense key of every word that a run answered."""
        if result.solution is None:
            return {}
        options = make_settings(WsdOptions, result.options or {}, "wsd")
        key = self._task.lexicon.key
        picked = zip(self._targets(options), result.solution, strict=True)
        return {str(target.token.id): key(int(target.senses[candidate])) for target, candidate in picked}

    def _targets(self, options: WsdOptions) -> list[Target]:
        """Give the words in the order of the stages, which depends on nothing but the text, its units and order."""
        named = (options.text_id, options.unit, options.order)
        if named not in self._stages:
            units = read_units(only_text(self._task.corpus, options.text_id), self._task.lexicon, options)
            self._stages[named] = [target for unit in units for target in unit if len(target.senses)]
        return self._stages[named]


def file_name(row: Row, repetition: int) -> str:
    """Name the file of a row's answers; repetitions count from 1.

    >>> file_name(Row("chain", "vote of 10 dbees"), 0)
    'chain-vote-of-10-dbees-1.key'
    """
    return "-".join([*re.findall(r"[a-z0-9]+", f"{row.score} {row.method}"), str(repetition + 1)]) + ".key"


def check_folder(folder: Path) -> None:
    """Make the folder for answers before any work is done, or say why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be a folder for answers ({error.strerror})") from None


def write_all(folder: Path, task: Task, given: Mapping[Row, Mapping[int, Mapping[str, str]]]) -> int:
    """Write every row's answers, one file a repetition, each whole or not at all; give their number."""
    for row, repetitions in given.items():
        for repetition, answers in repetitions.items():
            write_answers(folder / file_name(row, repetition), task.corpus, answers)
    return sum(map(len, given.values()))
