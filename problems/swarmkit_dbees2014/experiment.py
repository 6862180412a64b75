"""The experiment from beginning to end: run, answer, score, compare."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarmkit import UsageError, write_atomically
from swarmkit_dbees2014 import tables
from swarmkit_dbees2014.measurement import Best, RowMeasurement, complete, measure
from swarmkit_dbees2014.published import ARTICLES, TABLE_3, dbees_micro
from swarmkit_dbees2014.rows import (
    Row,
    Runs,
    blocks,
    check_data,
    choose,
    experiments,
    repetitions,
    run_experiments,
)
from swarmkit_dbees2014.significance import RowComparison, compare_rows
from swarmkit_dbees2014.word_senses import Answers, Task


@dataclass(frozen=True)
class Outcome:
    """All that the experiment found."""

    task: Task
    runs: Runs
    rows: dict[Row, RowMeasurement]
    answers: dict[Row, list[Answers]]
    comparisons: list[RowComparison]
    left_out: list[str]
    """What was asked for and could not be measured, each with the reason."""

    def tables(self) -> dict[str, tables.Table]:
        """Return the tables by title, in the order in which they are printed."""
        return {
            "Table 1: the texts, and what Table 2 implies with one answer per word": tables.table_1(),
            "Random answers, computed exactly": tables.random_baselines(self.task),
            "Table 2: F1 of every text in percent, means over the runs; intervals of the means, 95 %": tables.table_2(
                self.rows, self.task.texts
            ),
            "Table 3: all words together. '% of best' is of the proved optimum (?: of the best score found)": (
                tables.table_3(self.rows)
            ),
            "Tests: over the words, and over the runs": tables.tests(self.comparisons),
        }

    def document(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "experiment": "dbees-2014",
            "texts": self.task.texts,
            "wordnet": self.task.wordnet,
            "blocks": {row.block: blocks()[row.block].title for row in self.rows},
            "published": {
                "articles": {text: article._asdict() for text, article in ARTICLES.items()},
                "table 3": [system._asdict() for system in TABLE_3],
                "dbees micro f1": dbees_micro(),
            },
            "tables": self.tables(),
            "rows": [row.model_dump(mode="json") for row in self.rows.values()],
            "comparisons": [comparison.model_dump(mode="json") for comparison in self.comparisons],
            "readings": tables.readings(self.rows),
            "left out": self.left_out,
        }


def run_experiment(
    data: Path,
    *,
    texts: Sequence[str] | None = None,
    methods: Sequence[str] = (),
    all_blocks: bool = False,
    seeds: int | None = None,
    jobs: int = 1,
    store: Path | None = None,
    answers: Path | None = None,
) -> Outcome:
    """Run the experiment.

    Args:
        data: the folder of the data.
        texts: the ids of the texts; by default all.
        methods: names of methods, blocks, or rows such as chain/dbees; by default the rows of the paper.
        all_blocks: whether the rows of all blocks are run.
        seeds: the runs of each row that is repeated; by default as declared.
        jobs: the number of processes.
        store: keeps the runs; those in it are not repeated.
        answers: a folder for the answers of every row.
    """
    check_data(data)
    if answers is not None:
        make_folder(answers)
    rows, task = choose(methods, all_blocks), Task(data, texts)
    runs = run_experiments(list(experiments(rows, data, task.texts, seeds)), store, jobs)
    outcome = _evaluate(task, runs, {row: repetitions(row, seeds) for row in rows})
    if answers is not None:
        write_answers(answers, outcome.answers)
    return outcome


def _evaluate(task: Task, runs: Runs, counts: dict[Row, int]) -> Outcome:
    # First over all runs: the share of a row is of the best score that any row has.
    best, rows, answers = Best(runs), dict[Row, RowMeasurement](), dict[Row, list[Answers]]()
    for row, count in counts.items():
        records = complete(row, runs.records.get(row, []), count, task.texts)
        if records is not None:
            rows[row], answers[row] = measure(row, records, task, best)
    left_out = [f"{row}: {_reason(row, runs)}" for row in counts if row not in rows]
    return Outcome(task, runs, rows, answers, compare_rows(rows, answers), left_out)


def _reason(row: Row, runs: Runs) -> str:
    failures = [failure for failure in runs.failures if failure.method == row.method]
    if failures:
        return f"a run failed ({failures[0].instance}: {failures[0].error})"
    return "interrupted" if runs.interrupted else "some of its runs are missing"


def file_name(row: Row, repetition: int) -> str:
    """Return the name of the file of a row's answers; repetitions are counted from 0, files from 1.

    >>> file_name(Row("chain", "vote of 10 dbees"), 0)
    'chain-vote-of-10-dbees-1.key'
    """
    return "-".join([*re.findall(r"[a-z0-9]+", f"{row.block} {row.method}"), str(repetition + 1)]) + ".key"


def make_folder(folder: Path) -> None:
    """Make the folder for answers before any work is done; raise UsageError if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be a folder for answers ({error.strerror})") from None


def write_answers(folder: Path, answers: Mapping[Row, Sequence[Answers]]) -> None:
    """Write the answers of every row, one file for each repetition, atomically."""
    for row, runs in answers.items():
        for repetition, answer in enumerate(runs):
            text = "".join(f"{line}\n" for line in answer.lines)
            write_atomically(folder / file_name(row, repetition), text.encode())
