"""What is run: the shipped files, which `swarmkit compare` reads too, restricted to the chosen rows and texts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from swarmkit import Experiment, MissingError, read_experiment, unknown

NAME = "dbees-2014"
FOLDER = Path(__file__).parent / "scores"
FILES = ["chain", "order", "counts", "text", "global", "best", "exact"]
"""The files of the experiment, in the order of its tables."""

CORPUS = "eng-coarse-all-words.xml"
KEY = "dataset21.test.key"

SCORES = {
    "chain": "the paper's: Lin and Lesk between neighbours in a sentence ordered by part of speech; no sense order",
    "order": "as chain, and the first of equally related senses wins",
    "counts": "as order, and sense counts are added",
    "text": "as chain, but one chain through the whole text",
    "global": "all pairs of words of a text, as ACA, SA and GA were published with; the paper's measure",
    "best": "ours, that of 'wsd annotate --preset fast': glosses and sense counts, weighted on Senseval-2",
}
"""What each score is, by the label of the problem in the files."""

ANNOTATE = "wsd annotate"
"""The method of a row without runs: the command of this name, on the score 'best'."""


class Row(NamedTuple):
    """A row of the tables: the score that is maximised, and the method."""

    score: str
    method: str

    def __str__(self) -> str:
        return f"{self.score}/{self.method}"


class Chosen(NamedTuple):
    """What is run: experiments, rows with the number of their runs, and rows left out because an extra is missing."""

    experiments: list[Experiment]
    rows: dict[Row, int]
    missing: list[Row]


def check_data(data: Path) -> None:
    """Raise MissingError if a file of the data is missing."""
    for name, what in ((CORPUS, "the test set"), (KEY, "its answer key")):
        if not (data / name).is_file():
            raise MissingError(
                f"{data / name} is not there. Expected in the folder of --data: {CORPUS} and {KEY}, of SemEval-2007 "
                f"task 7 (coarse-grained English all-words); this one is {what}."
            )


def data_options(data: Path) -> dict[str, str]:
    """Return the options of the problem that name the files of the data."""
    return {"corpus": str(data / CORPUS), "key": str(data / KEY)}


def annotate_options() -> dict[str, Any]:
    """Return the options of the score 'best', without the data."""
    (problem,) = read_experiment(FOLDER / "best.toml").problems
    return {name: value for name, value in problem.options.items() if name not in ("corpus", "key")}


def choose(data: Path, texts: Sequence[str], methods: Sequence[str], seeds: int) -> Chosen:
    """Read the shipped files and keep what is asked for.

    Args:
        data: the folder of the data.
        texts: the ids of the texts.
        methods: names of methods, or rows such as chain/dbees; none is all.
        seeds: the number of runs of each method that is not deterministic, on each text.
    """
    read = [read_experiment(FOLDER / f"{file}.toml") for file in FILES]
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
    """Return the label of the score that an experiment maximises."""
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
    """Return an experiment with data, texts and runs set; a file of one run has deterministic methods and keeps it."""
    (problem,) = experiment.problems
    options = problem.options | data_options(data)
    runs = 1 if experiment.runs == 1 else seeds
    placed = problem.model_copy(update={"options": options, "sweep": {"text_id": list(texts)}})
    return experiment.model_copy(update={"problems": [placed], "runs": runs})
