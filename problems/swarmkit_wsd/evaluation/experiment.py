"""The experiment from beginning to end: the corpora are answered with every row, and what the answers are worth.

Problems are built once for each preset, and the runs of solvers are kept in a store.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from swarmkit import Record, Result, Store, make_problem, make_solver, solve
from swarmkit_wsd.confidence import Clusters, posteriors, read_clusters
from swarmkit_wsd.evaluation.measurement import Answers, Measured, Words, measure, together
from swarmkit_wsd.evaluation.rows import ANNOTATE, COARSE_NAME, METHODS, CorpusFiles, Method, Row, choose, find_corpora
from swarmkit_wsd.options import best_preset
from swarmkit_wsd.problem import WordSenses

CPU = "CPU seconds"
"""The metric of a stored run that holds the CPU time of its search."""

NO_MODEL = "needs a sense model and the packages 'tokenizers' and 'safetensors'; 'swarmkit wsd train' makes a model"

DEVELOPMENT = "senseval2"
"""The corpus on which weights and temperatures of the presets were chosen."""

HELD_OUT = "held out, together"
"""The fine-grained corpora that are not the development set, taken as one."""

Notice = Callable[[str], None]


@dataclass
class Outcome:
    """All that the experiment found, by corpus."""

    answers: dict[str, Answers] = field(default_factory=dict)
    rows: dict[str, list[Measured]] = field(default_factory=dict)
    left_out: dict[Row, str] = field(default_factory=dict)
    """The rows that cannot be had, each with the reason."""

    def words(self, corpus: str) -> int:
        """Return the number of words of a corpus."""
        return len(next(iter(self.answers[corpus].values())).answered)

    def document(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            "experiment": "wsd-best",
            "development": DEVELOPMENT,
            "corpora": {
                name: {"words": self.words(name), "rows": [row.model_dump(mode="json") for row in rows]}
                for name, rows in self.rows.items()
            },
            "left out": {str(row): reason for row, reason in self.left_out.items()},
        }


@dataclass(frozen=True)
class Selection:
    """What is measured."""

    data: Path
    corpora: Sequence[str] = ()
    """Their names; none is all that are in the folder."""
    rows: Sequence[str] = ()
    """Names such as best/ils; none is all."""
    seeds: int = 3
    """The number of runs of each method that draws random numbers."""
    model: str | None = None
    """The file of a sense model for the preset `best`, instead of the bundled one."""


def run_experiment(selection: Selection, store: Path | None, notice: Notice) -> Outcome:
    """Run the experiment.

    Args:
        selection: corpora, rows, seeds, model.
        store: a file that keeps the runs of solvers; those in it are not made again.
        notice: called with messages on the progress.
    """
    rows, corpora, outcome = choose(selection.rows), find_corpora(selection.data, selection.corpora), Outcome()
    with Store(store) if store is not None else nullcontext() as opened:
        answering = _Answering(selection, opened, notice)
        for files in corpora:
            answers, reasons = answering.answers(files, rows)
            outcome.answers[files.name] = {row: answers[row] for row in rows if row in answers}
            outcome.left_out |= reasons
    held_out = [answers for name, answers in outcome.answers.items() if name not in (DEVELOPMENT, COARSE_NAME)]
    if len(held_out) > 1:
        outcome.answers[HELD_OUT] = {row: together([answers[row] for answers in held_out]) for row in held_out[0]}
    outcome.rows = {name: measure(answers) for name, answers in outcome.answers.items()}
    return outcome


class _Answering:
    """Answers a corpus with every row; what is the same for all corpora is loaded once."""

    def __init__(self, selection: Selection, store: Store | None, notice: Notice) -> None:
        self._selection, self._store, self._notice = selection, store, notice
        self._warm: set[str] = set()

    def answers(self, files: CorpusFiles, rows: Sequence[Row]) -> tuple[dict[Row, Words], dict[Row, str]]:
        """Return the answers of the rows, and the reasons why the others cannot be had."""
        clusters = read_clusters(files.clusters) if files.clusters else None
        answers: dict[Row, Words] = {}
        reasons: dict[Row, str] = {}
        for preset in dict.fromkeys(row.preset for row in rows):
            rows_of_preset = [row for row in rows if row.preset == preset]
            if preset == "best" and best_preset(self._selection.model) != "best":
                reasons |= dict.fromkeys(rows_of_preset, NO_MODEL)
                continue
            self._notice(f"{files.name}: preset {preset}")
            # A sentence is disambiguated first, so that loading data and kernels is not measured.
            self._warm_up(preset, lambda name=preset: self._problem(name).default_solution())  # type: ignore[misc]
            start = time.process_time()
            problem = self._problem(preset, corpus=str(files.corpus), key=str(files.key))
            seconds = time.process_time() - start
            answers |= {row: self._words(problem, files.name, row, seconds, clusters) for row in rows_of_preset}
        return answers, reasons

    def _problem(self, preset: str, **data: str) -> WordSenses:
        model = {"model": self._selection.model} if self._selection.model is not None and preset == "best" else {}
        return cast(WordSenses, make_problem("wsd", preset=preset, **data, **model))

    def _warm_up(self, name: str, run: Callable[[], object]) -> None:
        if name not in self._warm:
            run()
            self._warm.add(name)

    def _words(self, problem: WordSenses, name: str, row: Row, tables: float, clusters: Clusters | None) -> Words:
        solutions, seconds = zip(*self._solutions(problem, name, row), strict=True)
        runs = [[credit for words in problem.credits(x).values() for credit in words.values()] for x in solutions]
        confidence = _confidences(problem, solutions[0], clusters) if row.method == ANNOTATE else None
        sizes = {str(target.token.id): len(target.senses) for target in problem.targets}
        names = [str(token.id) for _, token in problem.corpus.targets()]
        return Words(
            credit=np.array([[credit or 0.0 for credit in run] for run in runs]),
            answered=np.array([credit is not None for credit in runs[0]]),
            polysemous=np.array([sizes.get(word, 0) > 1 for word in names]),
            confidence=None if confidence is None else np.array([confidence.get(word, 0.0) for word in names]),
            cpu=(tables, float(np.mean(seconds))),
        )

    def _solutions(self, problem: WordSenses, name: str, row: Row) -> Iterator[tuple[NDArray[np.int64], float]]:
        """Iterate over the solutions of all runs of a row, each with the CPU seconds of its search."""
        if row.method == ANNOTATE:
            problem.default_solution()  # loads its kernels
            start = time.process_time()
            yield problem.default_solution(), time.process_time() - start
            return
        for seed in range(self._selection.seeds if METHODS[row.method].random else 1):
            result = self._result(problem, name, row, seed)
            yield np.array(result.solution, np.int64), result.metrics[CPU]

    def _result(self, problem: WordSenses, name: str, row: Row, seed: int) -> Result:
        """Return a run from the store, or make it and store it."""
        method = METHODS[row.method]
        key = run_key(problem, method, seed)
        stored = self._store.records(keys={key}) if self._store is not None else []
        if stored and CPU in stored[0].result.metrics:
            return stored[0].result
        self._warm_up(row.method, lambda: solve(problem, method.solver, params=method.params, looks=1))
        start = time.process_time()
        result = solve(problem, method.solver, params=method.params, looks=method.looks, seed=seed)
        seconds = {CPU: time.process_time() - start}
        result = result.model_copy(update={"metrics": result.metrics | seconds})
        if self._store is not None:
            self._store.add(Record(key, f"{name} {row.preset}", row.method, seed, result))
        return result


def run_key(problem: WordSenses, method: Method, seed: int) -> str:
    """Return the sha256 of all that a run depends on: the problem's content, the solver, its limit and the seed."""
    params = make_solver(method.solver, **method.params).params.model_dump(mode="json")
    parts = [problem.fingerprint, sorted(problem.versions.items()), method.solver, params, method.looks, seed]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _confidences(problem: WordSenses, x: NDArray[np.int64], clusters: Clusters | None) -> dict[str, float]:
    """Return the probability of each chosen sense, or of its cluster, by instance."""
    confidence_of = {}
    for target, choice, likely in zip(problem.targets, x.tolist(), posteriors(problem, x), strict=True):
        if clusters is not None:
            likely = clusters.merge([problem.lexicon.key(int(sense)) for sense in target.senses], likely)
        confidence_of[str(target.token.id)] = min(1.0, float(likely[choice]))
    return confidence_of
