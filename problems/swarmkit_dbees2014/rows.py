"""The declared rows (`rows.toml`), and the experiments that run those which were chosen."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from swarmkit import Budget, Experiment, MissingError, Settings, unknown

CORPUS = "eng-coarse-all-words.xml"
KEY = "dataset21.test.key"
CLUSTERS = "sense_clusters-21.senses"


class Row(NamedTuple):
    """A row of the tables: the block, which says what is maximised, and the method."""

    block: str
    method: str

    def __str__(self) -> str:
        return f"{self.block}/{self.method}"


class Declared(Settings):
    """A method with its parameters and repetitions."""

    method: str
    solver: str | None = None
    """By default the first word of the method."""
    params: Annotated[dict[str, Any], Field(default_factory=dict)]
    budget: Budget | None = None
    """By default the method ends by itself."""
    runs: Annotated[int, Field(ge=1)] | None = None
    ties: bool = False
    """Whether the method draws nothing, so that repetitions differ in `ties_seed`."""
    uses: Literal["", "order", "counts"] = ""


class Block(Settings):
    """What is maximised, and the rows."""

    title: str
    paper: bool = False
    """Whether it is run without --all."""
    problem: str = "wsd"
    options: dict[str, Any]
    score_of: str | None = None
    """The block whose score this one maximises too, if it is not a score of its own."""
    runs: Annotated[int, Field(ge=1)] = 5
    rows: list[Declared]


@cache
def blocks() -> dict[str, Block]:
    """Return the declared blocks by name."""
    text = files("swarmkit_dbees2014").joinpath("rows.toml").read_text(encoding="utf-8")
    return {name: Block.model_validate(given) for name, given in tomllib.loads(text).items()}


def declared(row: Row) -> Declared:
    """Return what is declared for a row."""
    return next(own for own in blocks()[row.block].rows if own.method == row.method)


def choose(methods: Sequence[str], everything: bool) -> list[Row]:
    """Return the rows to run: those of the paper's blocks, all, or those that are named.

    Args:
        methods: names of methods (sa), blocks (readings) or rows (chain/dbees); if there are any, only these are run.
        everything: whether rows of all blocks are chosen.
    """
    rows = [Row(name, own.method) for name, block in blocks().items() for own in block.rows]
    names = [{str(row), row.method, row.block} for row in rows]
    for method in methods:
        if not any(method in given for given in names):
            raise unknown("row", method, sorted(set[str]().union(*names)))
    if methods:
        rows = [row for row, given in zip(rows, names, strict=True) if given & set(methods)]
        named = {row.block for row in rows} if any("/" in method or method in blocks() for method in methods) else set()
        return [row for row in rows if everything or blocks()[row.block].paper or row.block in named]
    return [row for row in rows if everything or blocks()[row.block].paper]


def check_data(data: Path) -> None:
    """Raise MissingError if a file of the data is missing."""
    for name, what in ((CORPUS, "the test set"), (KEY, "its answer key")):
        if not (data / name).is_file():
            raise MissingError(
                f"{data / name} is not there. Expected in the folder of --data: {CORPUS} and {KEY}, of SemEval-2007 "
                f"task 7 (coarse-grained English all-words); this one is {what}."
            )


def repetitions(row: Row, seeds: int | None) -> int:
    """Return the runs of a row: those declared, or `seeds` if it is repeated at all."""
    runs = declared(row).runs or blocks()[row.block].runs
    return runs if seeds is None or runs == 1 else seeds


def experiments(rows: Sequence[Row], data: Path, texts: Sequence[str], seeds: int | None) -> Iterator[Experiment]:
    """Return the experiments of some rows, labelled with their blocks: one for each block, number of runs and kind.

    Args:
        rows: the rows, block after block.
        data: the folder of the data.
        texts: the ids of the texts.
        seeds: the runs of rows that are repeated; None for the declared numbers.
    """
    order = list(blocks())

    def kind(row: Row) -> tuple[int, int, bool]:
        return order.index(row.block), repetitions(row, seeds), declared(row).ties

    for (number, runs, ties), members in groupby(sorted(rows, key=kind), kind):
        name, found = order[number], [declared(row) for row in members]
        block = blocks()[name]
        sweep: dict[str, list[Any]] = {"text_id": list(texts)}
        problem = {
            "name": block.problem,
            "label": name,
            "options": block.options | {"corpus": str(data / CORPUS), "key": str(data / KEY)},
            "sweep": sweep | ({"ties_seed": list(range(runs))} if ties else {}),
        }
        solvers = [
            {
                "name": own.solver or own.method.split()[0],
                "label": own.method,
                "params": own.params,
                "budget": own.budget,
            }
            for own in found
        ]
        yield Experiment(problems=[problem], solvers=solvers, runs=1 if ties else runs, budget=Budget(looks=10**12))
