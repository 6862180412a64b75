"""The shipped experiments: files that `swarmkit compare` reads, with the data and the choice of rows put in."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from swarmkit import Experiment, MissingError, read_experiment, unknown

FOLDER = Path(__file__).parent
NAMES = ["dbees-2014"]
FILES = ["chain", "order", "counts", "text", "global", "best", "exact"]
"""The files of an experiment, in the order of its tables."""

CORPUS = "eng-coarse-all-words.xml"
KEY = "dataset21.test.key"

SCORES = {
    "chain": "the paper's: Lin and Lesk between neighbours in a sentence ordered by part of speech; no sense order",
    "order": "as chain, and the first of equally related senses wins",
    "counts": "as order, and sense counts are added",
    "text": "as chain, but one chain through the whole text",
    "global": "all pairs of words of a text, as ACA, SA and GA were published with; the paper's measure",
    "best": "ours, that of 'wsd annotate': glosses and sense counts, weighed on Senseval-2",
}
"""What is maximised, by the label that the problem has in the files."""

ANNOTATE = "wsd annotate"
"""A row without a run: what the command of this name does, on the score 'best'."""


class Row(NamedTuple):
    """A row of the tables: what is maximised, and how."""

    score: str
    method: str

    def __str__(self) -> str:
        return f"{self.score}/{self.method}"


class Chosen(NamedTuple):
    """What is run: experiments, rows with the number of their runs, and what is left out for want of an extra."""

    experiments: list[Experiment]
    rows: dict[Row, int]
    missing: list[Row]


def check_name(name: str) -> None:
    """Refuse an experiment that there is not."""
    if name not in NAMES:
        raise unknown("experiment", name, NAMES)


def check_data(data: Path) -> None:
    """Say which file is missing, and what the files are."""
    for name, what in ((CORPUS, "the test set"), (KEY, "its answer key")):
        if not (data / name).is_file():
            raise MissingError(
                f"{data / name} is not there. Expected in the folder of --data: {CORPUS} and {KEY}, of SemEval-2007 "
                f"task 7 (coarse-grained English all-words); this one is {what}."
            )


def choose(name: str, data: Path, texts: Sequence[str], methods: Sequence[str], seeds: int) -> Chosen:
    """Read an experiment's files and keep what was asked for; without methods, all."""
    read = [read_experiment(FOLDER / name / f"{file}.toml") for file in FILES]
    _check_methods(methods, [row for experiment in read for row in _rows(experiment)])
    made, rows, missing = list[Experiment](), dict[Row, int](), list[Row]()
    for experiment in read:
        kept = [solver for solver in experiment.solvers if _wanted(experiment, solver.label or solver.name, methods)]
        if any(solver.name == "toulbar2" for solver in kept) and find_spec("pytoulbar2") is None:
            missing += [Row(str(experiment.problems[0].label), "toulbar2")]
            kept = [solver for solver in kept if solver.name != "toulbar2"]
        if kept:
            made.append(_placed(experiment.model_copy(update={"solvers": kept}), data, texts, seeds))
            rows |= dict.fromkeys(_rows(made[-1]), made[-1].runs * len(texts))
    if not methods or ANNOTATE in methods or str(Row("best", ANNOTATE)) in methods:
        rows[Row("best", ANNOTATE)] = 0
    return Chosen(made, rows, missing)


def score_of(experiment: Experiment) -> str:
    """Tell what an experiment maximises, by its label."""
    return str(experiment.problems[0].label)


def _rows(experiment: Experiment) -> list[Row]:
    return [Row(score_of(experiment), solver.label or solver.name) for solver in experiment.solvers]


def _wanted(experiment: Experiment, method: str, methods: Sequence[str]) -> bool:
    return not methods or bool({method, str(Row(score_of(experiment), method))} & set(methods))


def _check_methods(methods: Sequence[str], rows: Sequence[Row]) -> None:
    known = [*dict.fromkeys([row.method for row in rows] + [ANNOTATE]), *map(str, rows), str(Row("best", ANNOTATE))]
    for method in methods:
        if method not in known:
            raise unknown("method", method, known)


def _placed(experiment: Experiment, data: Path, texts: Sequence[str], seeds: int) -> Experiment:
    """Put the data in; a file of one run has methods without chance in it, and keeps its one."""
    (problem,) = experiment.problems
    options = problem.options | {"corpus": str(data / CORPUS), "key": str(data / KEY)}
    runs = 1 if experiment.runs == 1 else seeds
    placed = problem.model_copy(update={"options": options, "sweep": {"text_id": list(texts)}})
    return experiment.model_copy(update={"problems": [placed], "runs": runs})
