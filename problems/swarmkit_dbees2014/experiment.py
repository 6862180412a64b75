"""The experiment from beginning to end: run, answer, score, compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarmkit_dbees2014 import tables
from swarmkit_dbees2014.answer_files import make_folder, write_all
from swarmkit_dbees2014.measurement import Best, Measured, complete, measure
from swarmkit_dbees2014.published import ARTICLES, TABLE_3, dbees_micro
from swarmkit_dbees2014.rows import Row, blocks, check_data, choose, experiments, repetitions
from swarmkit_dbees2014.running import Runs, run_all
from swarmkit_dbees2014.significance import Comparison, compare_words, wanted
from swarmkit_dbees2014.word_senses import Answers, Task


@dataclass(frozen=True)
class Outcome:
    """All that the experiment found."""

    task: Task
    runs: Runs
    rows: dict[Row, Measured]
    answers: dict[Row, list[Answers]]
    comparisons: list[Comparison]
    left_out: list[str]
    """What was asked for and could not be measured, each with the reason."""

    def tables(self) -> dict[str, tables.Table]:
        """Return the tables by title, in the order in which they are printed."""
        return {
            "Table 1: the texts, and what Table 2 implies with one answer per word": tables.table_1(),
            "Random answers, computed exactly": tables.random_baselines(self.task),
            "Table 2: F1 of every text in percent, means over the runs; intervals (bootstrap, 95 %)": tables.table_2(
                self.rows, self.task.texts
            ),
            "Table 3: all words together. '% of best' is of the proved optimum (?: of the best score found)": (
                tables.table_3(self.rows)
            ),
            "Tests word by word": tables.tests(self.comparisons),
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
            "rows": [measured.model_dump(mode="json") for measured in self.rows.values()],
            "comparisons": [comparison.model_dump(mode="json") for comparison in self.comparisons],
            "left out": self.left_out,
        }


def run_experiment(
    data: Path,
    *,
    texts: Sequence[str] | None = None,
    methods: Sequence[str] = (),
    everything: bool = False,
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
        everything: whether the rows of all blocks are run.
        seeds: the runs of each row that is repeated; by default as declared.
        jobs: the number of processes.
        store: keeps the runs; those in it are not repeated.
        answers: a folder for the answers of every row.
    """
    check_data(data)
    if answers is not None:
        make_folder(answers)
    chosen, task = choose(methods, everything), Task(data, texts)
    runs = run_all(list(experiments(chosen, data, task.texts, seeds)), store, jobs)
    outcome = _evaluate(task, runs, {row: repetitions(row, seeds) for row in chosen})
    if answers is not None:
        write_all(answers, outcome.answers)
    return outcome


def _evaluate(task: Task, runs: Runs, chosen: dict[Row, int]) -> Outcome:
    best, rows, answers = Best(runs), dict[Row, Measured](), dict[Row, list[Answers]]()
    for row, count in chosen.items():
        whole = complete(row, runs.records.get(row, []), count, task.texts)
        if whole is not None:
            rows[row], answers[row] = measure(row, whole, task, best)
    left_out = [f"{row}: {_reason(row, runs)}" for row in chosen if row not in rows]
    comparisons = compare_words(wanted(rows), answers)
    if isinstance(comparisons, str):
        left_out.append(f"tests word by word: {comparisons}")
        comparisons = []
    return Outcome(task, runs, rows, answers, comparisons, left_out)


def _reason(row: Row, runs: Runs) -> str:
    failed = [failed for failed in runs.failed if failed.method == row.method]
    if failed:
        return f"a run failed ({failed[0].instance}: {failed[0].error})"
    return "interrupted" if runs.interrupted else "some of its runs are missing"
