"""Why a word has its sense: the value of each sense alone, and what each related word adds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit_lexicon.naming import entry_name
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.units import Target


class Pull(BaseModel):
    """What a related word, with the sense chosen for it, adds to a sense."""

    model_config = ConfigDict(frozen=True)

    word: str
    synset: str
    value: float


class SenseWeight(BaseModel):
    """A sense of a word: its value, its value alone (`prior`), and the related words that add most."""

    model_config = ConfigDict(frozen=True)

    word: str
    start: int
    synset: str
    gloss: str
    chosen: bool
    value: float
    prior: float
    pulls: list[Pull]


def explain(
    problem: WordSenses, x: NDArray[np.int64], word: str, count: int = 5, sentences: range | None = None
) -> list[SenseWeight]:
    """Return the value of all senses of a word, at every place where it occurs, the best first.

    Args:
        problem: the problem.
        x: a solution.
        word: the word as it is written, or its lemma.
        count: the number of related words that are listed for each sense.
        sentences: only occurrences in the sentences with these numbers; None for all.
    """
    name = entry_name(word.strip())
    stages = [stage for stage in problem.in_text_order(sentences) if name in _names(problem.targets[stage])]
    return [weight for stage in stages for weight in weigh(problem, x, stage, count)]


def _names(target: Target) -> set[str]:
    """Return the names by which a word may be asked for: as it is written, and its lemmas."""
    names = {entry_name(target.token.surface), target.token.lemma}
    return names | {name for reading in target.readings for name in (entry_name(reading.surface), reading.lemma)}


def weigh(problem: WordSenses, x: NDArray[np.int64], stage: int, count: int = 5) -> list[SenseWeight]:
    """Return the value of all senses of one word, the best first.

    Args:
        problem: the problem.
        x: a solution.
        stage: the word's stage.
        count: the number of related words that are listed for each sense.
    """
    form, target = problem.form, problem.targets[stage]
    # The other words keep their senses: what is shown is one step of the search, not another solution.
    neighbours, values = _pulls(problem, x, stage)
    alone = form.unary[form.offsets[stage] : form.offsets[stage + 1]]
    weights = []
    for candidate in np.argsort(-(alone + values.sum(axis=0)), kind="stable").tolist():
        sense = problem.sense_of(stage, candidate)
        # Stable, so that equal pulls are listed in the order of the stages.
        strongest = np.argsort(-values[:, candidate], kind="stable")[:count]
        pulls = [_pull(problem, x, int(neighbours[i]), float(values[i, candidate])) for i in strongest]
        weights.append(
            SenseWeight(
                word=target.token.surface,
                start=target.token.start,
                synset=sense["synset"],
                gloss=sense["gloss"],
                chosen=candidate == x[stage],
                value=float(alone[candidate] + values[:, candidate].sum()),
                prior=float(alone[candidate]),
                pulls=[pull for pull in pulls if pull.value > 0],
            )
        )
    return weights


def _pulls(problem: WordSenses, x: NDArray[np.int64], stage: int) -> tuple[Any, NDArray[np.float64]]:
    """Return the neighbours of a stage, and what each adds to each candidate: a row for each neighbour."""
    form = problem.form
    half = form.half_edges
    row = slice(half.indptr[stage], half.indptr[stage + 1])
    neighbours = half.neighbour[row]
    candidates = np.arange(form.sizes[stage])
    # The entries of the edge's block at the neighbour's sense: one for each candidate of the stage.
    where = (half.start[row] + x[neighbours] * half.far_stride[row])[:, None] + candidates * half.stride[row][:, None]
    return neighbours, half.weight[row][:, None] * form.flat[where]


def _pull(problem: WordSenses, x: NDArray[np.int64], stage: int, value: float) -> Pull:
    word = problem.targets[stage].reading_of(int(x[stage])).surface
    return Pull(word=word, synset=problem.sense_of(stage, x[stage])["synset"], value=value)
