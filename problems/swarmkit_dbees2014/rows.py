"""The declared rows (`rows.toml`), the experiments of some of them, and their runs."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from swarmkit import Budget, Experiment, Failed, FailedRuns, MissingError, Record, Settings, compare, unknown

CORPUS = "eng-coarse-all-words.xml"
KEY = "dataset21.test.key"
CLUSTERS = "sense_clusters-21.senses"


class Row(NamedTuple):
    """A row of the tables: the block, which says what is maximised, and the method."""

    block: str
    method: str

    def __str__(self) -> str:
        return f"{self.block}/{self.method}"


class Declaration(Settings):
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
    alone: bool = False
    """Whether it is run only where it is named: it takes longer than all others together."""
    problem: str = "wsd"
    options: dict[str, Any]
    score_of: str | None = None
    """The block whose score this one maximises too, if it is not a score of its own."""
    runs: Annotated[int, Field(ge=1)] = 5
    rows: list[Declaration]


@cache
def blocks() -> dict[str, Block]:
    """Return the declared blocks by name."""
    text = files("swarmkit_dbees2014").joinpath("rows.toml").read_text(encoding="utf-8")
    return {name: Block.model_validate(block) for name, block in tomllib.loads(text).items()}


def declaration(row: Row) -> Declaration:
    """Return what is declared for a row."""
    return next(item for item in blocks()[row.block].rows if item.method == row.method)


def choose(methods: Sequence[str], all_blocks: bool) -> list[Row]:
    """Return the rows to run: those of the paper's blocks, all, or those that are named.

    Args:
        methods: names of methods (sa), blocks (readings) or rows (chain/dbees); if there are any, only these are run.
        all_blocks: whether rows of all blocks are chosen, but for those that are run alone.
    """
    rows = [Row(name, item.method) for name, block in blocks().items() for item in block.rows]
    names = [{str(row), row.method, row.block} for row in rows]
    for method in methods:
        if not any(method in spellings for spellings in names):
            raise unknown("row", method, sorted(set[str]().union(*names)))
    block_names = set[str]()
    if methods:
        rows = [row for row, spellings in zip(rows, names, strict=True) if spellings & set(methods)]
        # A method alone (sa) means its rows in the paper's blocks; a block or a row (readings, chain/sa) means itself.
        if any("/" in method or method in blocks() for method in methods):
            block_names = {row.block for row in rows}

    def is_chosen(row: Row) -> bool:
        block = blocks()[row.block]
        return row.block in block_names or block.paper or (all_blocks and not block.alone)

    return [row for row in rows if is_chosen(row)]


def check_data(data: Path) -> None:
    """Raise MissingError if a file of the data is missing."""
    for name, role in ((CORPUS, "the test set"), (KEY, "its answer key")):
        if not (data / name).is_file():
            raise MissingError(
                f"{data / name} is not there. Expected in the folder of --data: {CORPUS} and {KEY}, of SemEval-2007 "
                f"task 7 (coarse-grained English all-words); this one is {role}."
            )


def repetitions(row: Row, seeds: int | None) -> int:
    """Return the runs of a row: those declared, or `seeds` if it is repeated at all."""
    runs = declaration(row).runs or blocks()[row.block].runs
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
        return order.index(row.block), repetitions(row, seeds), declaration(row).ties

    for (number, runs, ties), members in groupby(sorted(rows, key=kind), kind):
        name, declarations = order[number], [declaration(row) for row in members]
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
                "name": item.solver or item.method.split()[0],
                "label": item.method,
                "params": item.params,
                "budget": item.budget,
            }
            for item in declarations
        ]
        yield Experiment(problems=[problem], solvers=solvers, runs=1 if ties else runs, budget=Budget(looks=10**12))


@dataclass
class Runs:
    """The runs by row, those that failed, and whether Ctrl-C ended them."""

    records: dict[Row, list[Record]] = field(default_factory=dict)
    failures: list[Failed] = field(default_factory=list)
    interrupted: bool = False
    done: int = 0

    def add(self, block: str, *records: Record) -> None:
        """Add runs to their rows."""
        self.done += len(records)
        for record in records:
            self.records.setdefault(Row(block, record.method), []).append(record)


def run_experiments(experiments: Sequence[Experiment], store: Path | None, jobs: int) -> Runs:
    """Do all runs that are not in the store; after Ctrl-C, return those that are done.

    Args:
        experiments: labelled with their blocks.
        store: keeps the runs; None keeps them in memory.
        jobs: the number of processes.
    """
    runs, total = Runs(), sum(map(count, experiments))
    for experiment in experiments:
        # The functions below get the block as a default value: a closure would see the block of the last turn.
        block = str(experiment.problems[0].label)
        print(f"{runs.done} of {total} runs done, now on the block '{block}'", file=sys.stderr, flush=True)

        def add_all(_: Any, records: Sequence[Record], block: str = block) -> None:
            runs.add(block, *records)

        def add(record: Record, block: str = block) -> None:
            runs.add(block, record)

        try:
            compare(experiment, store=store, jobs=jobs, planned=add_all, ready=add)
        except FailedRuns as error:
            runs.failures += error.failed
        except KeyboardInterrupt:
            runs.interrupted = True
            break
    return runs


def count(experiment: Experiment) -> int:
    """Return the number of runs of an experiment."""
    (problem,) = experiment.problems
    return len(problem.combinations(problem.options)) * len(experiment.solvers) * experiment.runs
