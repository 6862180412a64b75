"""The answers of the rows: problems are built once for each preset, and runs are kept in a store."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from swarmkit import Record, Result, Store, make_problem, make_solver, solve
from swarmkit_wsd.confidence import Clusters, posteriors, read_clusters
from swarmkit_wsd.evaluation.folders import CorpusFiles
from swarmkit_wsd.evaluation.rows import ANNOTATE, METHODS, Method, Row
from swarmkit_wsd.options import best_preset
from swarmkit_wsd.problem import WordSenses

CPU = "CPU seconds"
"""The metric of a stored run that holds the CPU time of its search."""

NO_MODEL = "needs a sense model and the packages 'tokenizers' and 'safetensors'; 'swarmkit wsd train' makes a model"

Floats = NDArray[np.float64]
Notice = Callable[[str], None]


@dataclass(frozen=True)
class Words:
    """The answers of a row to the words of a corpus, in the order of the corpus."""

    credit: Floats
    """A row for each run: the credit of each word by the gold key, 0 if it was not answered."""
    answered: NDArray[np.bool_]
    polysemous: NDArray[np.bool_]
    """Which words have several senses."""
    confidence: Floats | None
    """Of each answer, by `wsd annotate`; other methods have none."""
    cpu: tuple[float, float]
    """CPU seconds: of the tables (and the model), and of the search, as the mean over the runs."""


class Answering:
    """Answers a corpus with every row."""

    def __init__(self, seeds: int, model: str | None, store: Store | None, notice: Notice) -> None:
        """Set what is the same for all corpora.

        Args:
            seeds: the number of runs of each method that draws random numbers.
            model: the file of a sense model for the preset `best`, instead of the bundled one.
            store: keeps the runs; those in it are not made again.
            notice: called with messages on the progress.
        """
        self._seeds, self._model, self._store, self._notice = seeds, model, store, notice
        self._warm: set[str] = set()

    def answers(self, files: CorpusFiles, rows: Sequence[Row]) -> Iterator[tuple[Row, Words | str]]:
        """Iterate over the rows with their answers, or with the reason why a row cannot be had."""
        clusters = read_clusters(files.clusters) if files.clusters else None
        for preset in dict.fromkeys(row.preset for row in rows):
            of_preset = [row for row in rows if row.preset == preset]
            if preset == "best" and best_preset(self._model) != "best":
                yield from ((row, NO_MODEL) for row in of_preset)
                continue
            self._notice(f"{files.name}: preset {preset}")
            self._load(preset)
            begun = time.process_time()
            problem = self._problem(preset, corpus=str(files.corpus), key=str(files.key))
            tables = time.process_time() - begun
            for row in of_preset:
                yield row, self._words(problem, files.name, row, tables, clusters)

    def _problem(self, preset: str, **data: str) -> WordSenses:
        model = {"model": self._model} if self._model is not None and preset == "best" else {}
        return cast(WordSenses, make_problem("wsd", preset=preset, **data, **model))

    def _load(self, preset: str) -> None:
        """Disambiguate a sentence, so that data and kernels are loaded before anything is measured."""
        if preset not in self._warm:
            self._problem(preset).default_solution()
            self._warm.add(preset)

    def _words(self, problem: WordSenses, name: str, row: Row, tables: float, clusters: Clusters | None) -> Words:
        solutions, seconds = zip(*self._solutions(problem, name, row), strict=True)
        earned = [_credits(problem, x) for x in solutions]
        confidence = confidences(problem, solutions[0], clusters) if row.method == ANNOTATE else None
        senses = {str(target.token.id): len(target.senses) for target in problem.targets}
        names = [str(token.id) for _, token in problem.corpus.targets()]
        return Words(
            credit=np.array([[one or 0.0 for one in of_run] for of_run in earned]),
            answered=np.array([one is not None for one in earned[0]]),
            polysemous=np.array([senses.get(word, 0) > 1 for word in names]),
            confidence=None if confidence is None else np.array([confidence.get(word, 0.0) for word in names]),
            cpu=(tables, float(np.mean(seconds))),
        )

    def _solutions(self, problem: WordSenses, name: str, row: Row) -> Iterator[tuple[NDArray[np.int64], float]]:
        """Iterate over the solutions of all runs of a row, each with the CPU seconds of its search."""
        if row.method == ANNOTATE:
            problem.default_solution()  # loads its kernels
            begun = time.process_time()
            x = problem.default_solution()
            yield x, time.process_time() - begun
            return
        method = METHODS[row.method]
        for seed in range(self._seeds if method.random else 1):
            result = self._result(problem, name, row, seed)
            yield np.array(result.solution, np.int64), result.metrics[CPU]

    def _result(self, problem: WordSenses, name: str, row: Row, seed: int) -> Result:
        """Return a run from the store, or make it and store it."""
        method = METHODS[row.method]
        key = run_key(problem, method, seed)
        stored = self._store.records(keys={key}) if self._store is not None else []
        if stored and CPU in stored[0].result.metrics:
            return stored[0].result
        if row.method not in self._warm:
            solve(problem, method.solver, params=method.params, looks=1)  # loads its kernels
            self._warm.add(row.method)
        begun = time.process_time()
        result = solve(problem, method.solver, params=method.params, looks=method.looks, seed=seed)
        spent = {CPU: time.process_time() - begun}
        result = result.model_copy(update={"metrics": result.metrics | spent})
        if self._store is not None:
            self._store.add(Record(key, f"{name} {row.preset}", row.method, seed, result))
        return result


def run_key(problem: WordSenses, method: Method, seed: int) -> str:
    """Return the sha256 of all that a run depends on: the problem's content, the solver, its limit and the seed."""
    params = make_solver(method.solver, **method.params).params.model_dump(mode="json")
    parts = [problem.fingerprint, sorted(problem.versions.items()), method.solver, params, method.looks, seed]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def confidences(problem: WordSenses, x: NDArray[np.int64], clusters: Clusters | None) -> Mapping[str, float]:
    """Return the probability of each chosen sense, or of its cluster, by instance."""
    found = {}
    for target, choice, likely in zip(problem.targets, x.tolist(), posteriors(problem, x), strict=True):
        if clusters is not None:
            likely = clusters.merge([problem.lexicon.key(int(sense)) for sense in target.senses], likely)
        found[str(target.token.id)] = min(1.0, float(likely[choice]))
    return found


def _credits(problem: WordSenses, x: NDArray[np.int64]) -> list[float | None]:
    return [credit for words in problem.credits(x).values() for credit in words.values()]


def together(parts: Sequence[Words]) -> Words:
    """Return the answers of a row to several corpora as those to one; all have the same number of runs."""
    known = [part.confidence for part in parts if part.confidence is not None]
    return Words(
        credit=np.concatenate([part.credit for part in parts], axis=1),
        answered=np.concatenate([part.answered for part in parts]),
        polysemous=np.concatenate([part.polysemous for part in parts]),
        confidence=np.concatenate(known) if len(known) == len(parts) else None,
        cpu=(sum(part.cpu[0] for part in parts), sum(part.cpu[1] for part in parts)),
    )
