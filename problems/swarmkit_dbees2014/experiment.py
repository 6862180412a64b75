"""The experiment from beginning to end: run, answer, score, compare, discuss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarmkit_dbees2014.answer_files import make_folder, write_all
from swarmkit_dbees2014.discussion import sentences
from swarmkit_dbees2014.measurement import (
    Best,
    Measured,
    RowAnswers,
    complete,
    measure,
    measure_annotate,
    read_answers,
)
from swarmkit_dbees2014.running import Runs, run_all
from swarmkit_dbees2014.settings import (
    ANNOTATE,
    NAME,
    SCORES,
    Chosen,
    Row,
    annotate_options,
    check_data,
    choose,
)
from swarmkit_dbees2014.significance import Comparison, compare_words, wanted
from swarmkit_dbees2014.tables import as_document
from swarmkit_dbees2014.word_senses import Task


@dataclass(frozen=True)
class Outcome:
    """All that the experiment found."""

    task: Task
    seeds: int
    runs: Runs
    rows: dict[Row, Measured]
    answers: RowAnswers
    comparisons: list[Comparison]
    words: list[str]
    """The discussion, in sentences."""
    left_out: list[str]
    """The rows that were asked for and could not be measured, each with the reason."""

    def document(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "experiment": NAME,
            "texts": self.task.texts,
            "seeds": self.seeds,
            "wordnet": self.task.wordnet,
            "scores": SCORES,
            **as_document(self.rows, self.task.texts),
            "comparisons": [comparison.model_dump(mode="json") for comparison in self.comparisons],
            "words": self.words,
            "left out": self.left_out,
        }


def run_experiment(
    data: Path,
    *,
    texts: Sequence[str] | None = None,
    methods: Sequence[str] = (),
    seeds: int = 5,
    jobs: int = 1,
    store: Path | None = None,
    answers: Path | None = None,
) -> Outcome:
    """Run the experiment.

    Args:
        data: the folder of the data.
        texts: the ids of the texts; by default all.
        methods: names of methods, or rows such as chain/dbees; by default all.
        seeds: the number of runs of each method that is not deterministic, on each text.
        jobs: the number of processes.
        store: keeps the runs; those in it are not repeated.
        answers: a folder for the answers of every row.
    """
    check_data(data)
    if answers is not None:
        make_folder(answers)
    task = Task(data, texts)
    chosen = choose(data, task.texts, methods, seeds)
    outcome = _evaluate(task, seeds, chosen, run_all(chosen.experiments, store, jobs))
    if answers is not None:
        write_all(answers, outcome.answers)
    return outcome


def _evaluate(task: Task, seeds: int, chosen: Chosen, runs: Runs) -> Outcome:
    whole = complete(runs, chosen.rows)
    best, answers = Best(runs), read_answers(whole, task)
    rows = {row: measure(row, whole[row], answers[row], best) for row in chosen.rows if row in whole}
    last = Row("best", ANNOTATE)
    if last in chosen.rows and not runs.interrupted:
        annotated = task.annotate(annotate_options())
        rows[last] = measure_annotate(annotated, best)
        answers[last] = {0: annotated.answers}
    left_out = [f"{row}: needs toulbar2, which the extra 'exact' installs" for row in chosen.missing]
    left_out += [f"{row}: {_reason(row, runs)}" for row in chosen.rows if row not in rows]
    comparisons = compare_words(wanted(rows), answers)
    if isinstance(comparisons, str):
        left_out.append(f"tests word by word: {comparisons}")
        comparisons = []
    words = [*sentences(rows), *(comparison.words for comparison in comparisons)]
    return Outcome(task, seeds, runs, rows, answers, comparisons, words, left_out)


def _reason(row: Row, runs: Runs) -> str:
    failed = [failed for failed in runs.failed if failed.method == row.method]
    if failed:
        return f"a run failed ({failed[0].instance}: {failed[0].error})"
    return "interrupted" if runs.interrupted else "some of its runs are missing"


def in_order(rows: Mapping[Row, Measured]) -> dict[Row, Measured]:
    """Return the rows sorted by score, in the order of SCORES."""
    return {row: rows[row] for score in SCORES for row in rows if row.score == score}
