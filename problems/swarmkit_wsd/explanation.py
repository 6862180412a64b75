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


class Weighed(BaseModel):
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
    problem: WordSenses, x: NDArray[np.int64], word: str, most: int = 5, sentences: range | None = None
) -> list[Weighed]:
    """Return the value of all senses of a word, at every place where it occurs, the best first.

    Args:
        problem: the problem.
        x: a solution.
        word: the word as it is written, or its lemma.
        most: the number of related words that are listed for each sense.
        sentences: only occurrences in the sentences with these numbers; None for all.
    """
    wanted = entry_name(word.strip())
    stages = [stage for stage in problem.in_text_order(sentences) if wanted in _names(problem.targets[stage])]
    return [weighed for stage in stages for weighed in weigh(problem, x, stage, most)]


def _names(target: Target) -> set[str]:
    """Return the names by which a word may be asked for: as it is written, and its lemmas."""
    own = {entry_name(target.token.surface), target.token.lemma}
    return own | {name for reading in target.readings for name in (entry_name(reading.surface), reading.lemma)}


def weigh(problem: WordSenses, x: NDArray[np.int64], stage: int, most: int = 5) -> list[Weighed]:
    """Return the value of all senses of one word, the best first.

    Args:
        problem: the problem.
        x: a solution.
        stage: the word's stage.
        most: the number of related words that are listed for each sense.
    """
    form, lexicon, target = problem.form, problem.lexicon, problem.targets[stage]
    neighbours, values = _pulls(problem, x, stage)
    alone = form.unary[form.offsets[stage] : form.offsets[stage + 1]]
    found = []
    for candidate in np.argsort(-(alone + values.sum(axis=0)), kind="stable").tolist():
        synset = int(lexicon.sense_synset[target.senses[candidate]])
        strongest = np.argsort(-values[:, candidate], kind="stable")[:most]
        pulls = [_pull(problem, x, int(neighbours[i]), float(values[i, candidate])) for i in strongest]
        found.append(
            Weighed(
                word=target.token.surface,
                start=target.token.start,
                synset=lexicon.name(synset),
                gloss=lexicon.definition(synset),
                chosen=candidate == x[stage],
                value=float(alone[candidate] + values[:, candidate].sum()),
                prior=float(alone[candidate]),
                pulls=[pull for pull in pulls if pull.value > 0],
            )
        )
    return found


def _pulls(problem: WordSenses, x: NDArray[np.int64], stage: int) -> tuple[Any, NDArray[np.float64]]:
    """Return the neighbours of a stage, and what each adds to each candidate: a row for each neighbour."""
    form = problem.form
    half = form.half_edges
    own = slice(half.indptr[stage], half.indptr[stage + 1])
    neighbours = half.neighbour[own]
    candidates = np.arange(form.sizes[stage])
    where = (half.start[own] + x[neighbours] * half.far_stride[own])[:, None] + candidates * half.stride[own][:, None]
    return neighbours, half.weight[own][:, None] * form.flat[where]


def _pull(problem: WordSenses, x: NDArray[np.int64], stage: int, value: float) -> Pull:
    target = problem.targets[stage]
    synset = int(problem.lexicon.sense_synset[target.senses[x[stage]]])
    return Pull(word=target.chosen(int(x[stage])).surface, synset=problem.lexicon.name(synset), value=value)
