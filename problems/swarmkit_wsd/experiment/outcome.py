"""An experiment from beginning to end: run, answered, scored, compared, told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarmkit_wsd.experiment.answers import Task, check_folder, read_task, write_all
from swarmkit_wsd.experiment.measured import Answers, Best, Measured, complete, measure, measure_annotate, read_answers
from swarmkit_wsd.experiment.running import Made, annotate, run_all
from swarmkit_wsd.experiment.settings import ANNOTATE, SCORES, Row, check_data, check_name, choose
from swarmkit_wsd.experiment.significance import Comparison, compare_words, wanted
from swarmkit_wsd.experiment.tables import as_document
from swarmkit_wsd.experiment.words import sentences


@dataclass(frozen=True)
class Outcome:
    """All that an experiment found."""

    name: str
    task: Task
    seeds: int
    made: Made
    rows: dict[Row, Measured]
    answers: Answers
    comparisons: list[Comparison]
    words: list[str]
    left_out: list[str]
    """Rows that were asked for and are not there, each with its reason."""

    @property
    def texts(self) -> list[str]:
        """Name the texts."""
        return [text.id for text in self.task.corpus.texts]

    def document(self) -> dict[str, Any]:
        """Give everything for machines."""
        return {
            "experiment": self.name,
            "texts": self.texts,
            "seeds": self.seeds,
            "wordnet": f"{self.task.lexicon.version} sha256:{self.task.lexicon.sha256}",
            "scores": SCORES,
            **as_document(self.rows, self.texts),
            "comparisons": [comparison.model_dump(mode="json") for comparison in self.comparisons],
            "words": self.words,
            "left out": self.left_out,
        }


def run_experiment(
    name: str,
    data: Path,
    *,
    texts: Sequence[str] | None = None,
    methods: Sequence[str] = (),
    seeds: int = 5,
    jobs: int = 1,
    store: Path | None = None,
    answers: Path | None = None,
) -> Outcome:
    """Run a shipped experiment on the data in a folder, and write the answers if a folder for them is given."""
    check_name(name)
    check_data(data)
    if answers is not None:
        check_folder(answers)
    task = read_task(data, None if texts is None else list(texts))
    chosen = choose(name, data, [text.id for text in task.corpus.texts], methods, seeds)
    made = run_all(chosen.experiments, store, jobs)
    left_out = [f"{row}: needs toulbar2, which the extra 'exact' brings" for row in chosen.missing]
    outcome = _sum_up(name, task, seeds, made, chosen.rows, left_out)
    if answers is not None:
        write_all(answers, task, outcome.answers)
    return outcome


def _sum_up(
    name: str, task: Task, seeds: int, made: Made, wanted_rows: Mapping[Row, int], left_out: list[str]
) -> Outcome:
    whole = complete(made, wanted_rows)
    best, answers = Best(made), read_answers(whole, task)
    rows = {row: measure(row, whole[row], answers, task, best) for row in wanted_rows if row in whole}
    last = Row("best", ANNOTATE)
    if last in wanted_rows and not made.interrupted:
        annotated = annotate(task)
        rows[last] = measure_annotate(annotated, task, best)
        answers[last] = {0: annotated.answers}
    left_out += [f"{row}: {_why(row, made)}" for row in wanted_rows if row not in rows]
    comparisons = compare_words(wanted(rows), answers, task)
    if isinstance(comparisons, str):
        left_out.append(f"tests word by word: {comparisons}")
        comparisons = []
    told = [*sentences(rows), *(comparison.words for comparison in comparisons)]
    return Outcome(name, task, seeds, made, rows, answers, comparisons, told, left_out)


def _why(row: Row, made: Made) -> str:
    failed = [failed for failed in made.failed if failed.method == row.method]
    if failed:
        return f"a run failed ({failed[0].instance}: {failed[0].error})"
    return "interrupted" if made.interrupted else "not all of its runs are there"


def in_order(rows: Mapping[Row, Measured]) -> dict[Row, Measured]:
    """Put the rows of one score together, in the order of the scores."""
    return {row: rows[row] for score in SCORES for row in rows if row.score == score}
