"""Lexical substitution as a problem: a stage is a target word, a candidate one of its substitutes.

The score of a solution is the sum of the substitutes' own scores (`fit`) and, for two targets of one text, of the
relatedness between the senses from which their substitutes come; the same substitute twice costs a penalty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import Pairwise, PairwiseProblem, UsageError, View, quoted
from swarmkit_lexsub.fit import Substitute, substitutes
from swarmkit_lexsub.options import EXAMPLE, LexsubOptions
from swarmkit_lexsub.task_files import Answer, Gold, Item, read_gold, read_items
from swarmkit_lexsub.word_senses import Target, named, read_item, read_text
from swarmkit_wsd import WordSenses

NAMED = 20
"""Words of the text that the message about a word that is not in it lists."""


class Stage(NamedTuple):
    """A target word and its substitutes, the best first."""

    problem: WordSenses
    """The problem `wsd` of its text."""
    target: Target
    substitutes: list[Substitute]
    item: Item | None = None
    """The item of the task's file."""

    @property
    def slots(self) -> NDArray[np.int64]:
        """The slot, in the problem `wsd`, of the sense from which each substitute comes."""
        senses = [one.link.sense if one.link is not None else 0 for one in self.substitutes]
        return self.target.slots[senses]


def text_stages(options: LexsubOptions) -> list[Stage]:
    """Return the words of a text that are to be substituted and have substitutes.

    Raises:
        UsageError: a word is not in the text, or has no substitute.
    """
    text = EXAMPLE if options.text is None else options.text
    problem, targets = read_text({"text": text, **options.of_senses()})
    wanted = options.word_list
    for word in wanted or []:
        if not named(targets, word):
            known = list(dict.fromkeys(target.surface for target in targets))
            listed = ", ".join(known[:NAMED]) + ("…" if len(known) > NAMED else "")
            raise UsageError(f"{quoted(word)} is not among the words of the text that have senses: {listed or 'none'}")
    chosen = targets if wanted is None else [one for one in targets if any(named([one], word) for word in wanted)]
    stages = [Stage(problem, target, substitutes(problem, target)) for target in chosen]
    for stage in stages:
        if wanted is not None and not stage.substitutes:
            raise UsageError(f"WordNet has no substitute for {quoted(stage.target.surface)}: expected another word")
    return [stage for stage in stages if stage.substitutes]


def item_stages(items: Sequence[Item], options: LexsubOptions) -> Iterator[tuple[Item, Stage]]:
    """Iterate over the items of the task whose target has substitutes, each with its target."""
    for item in items:
        problem, target = read_item(item, options.of_senses())
        found = substitutes(problem, target) if target is not None else []
        if target is not None and found:
            yield item, Stage(problem, target, found, item)


class LexicalSubstitution(PairwiseProblem):
    """Replace words of a text by others that keep its meaning."""

    Options = LexsubOptions
    reference = "McCarthy & Navigli 2007, SemEval-2007 task 10: English lexical substitution"

    @classmethod
    def build(cls, options: LexsubOptions) -> LexicalSubstitution:
        """Read the text or the task's sentences, and find the substitutes."""
        if options.file is None:
            return cls(text_stages(options), options)
        items = read_items(options.file)
        gold = read_gold(options.gold) if options.gold is not None else None
        return cls([stage for _, stage in item_stages(items, options)], options, gold)

    def __init__(self, stages: Sequence[Stage], options: LexsubOptions, gold: dict[str, Gold] | None = None) -> None:
        """Make the tables.

        Args:
            stages: the target words; those of one text stand together.
            options: the options of the problem.
            gold: the gold substitutes by item id.
        """
        most = options.candidates
        self.stages = [stage._replace(substitutes=stage.substitutes[:most]) for stage in stages]
        self.settings, self.gold = options, gold
        super().__init__(_form(self.stages, options))
        numbers: dict[int, int] = {}
        found = [numbers.setdefault(id(stage.problem), len(numbers)) for stage in self.stages]
        self.groups = np.array(found, np.int64)
        self.versions = dict(self.stages[0].problem.versions) if self.stages else {}

    def view(self) -> View:
        """Return the caption and the scene of moving pictures."""
        return View(self._caption(), scene=self._scene)

    def _caption(self) -> str:
        """Return the text, or the file."""
        if self.settings.file is not None:
            return f"{len(self.stages)} target words of {self.settings.file}"
        return shorten(EXAMPLE if self.settings.text is None else self.settings.text, 500, placeholder=" …")

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the words, their substitutes and the data behind them.

        Scores are no part of it: the last digits of the model's arithmetic depend on the processor.
        """
        words = [
            (one.target.words, one.target.start, one.target.end, sorted(sub.name for sub in one.substitutes))
            for one in self.stages
        ]
        left_out = {"text", "file", "gold", "model", "wordnet"}
        options = self.settings.model_dump(mode="json", exclude=left_out)
        parts = [type(self).__qualname__, words, options, sorted(self.versions.items())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def chosen(self, x: NDArray[Any]) -> list[Substitute]:
        """Return the substitute that a solution chooses at each stage."""
        return [stage.substitutes[candidate] for stage, candidate in zip(self.stages, x.tolist(), strict=True)]

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each target word with its substitute, its relation and the meaning of the synset that has it."""
        return [
            {
                "word": stage.target.surface,
                "substitute": one.name,
                "score": round(float(self.form.marginals(x[None], at)[0, x[at]]), 4),
                **linked(stage, one),
            }
            for at, (stage, one) in enumerate(zip(self.stages, self.chosen(x), strict=True))
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the number of words, and with gold substitutes the task's score `best` in percent."""
        found = {"words": float(len(self.stages))}
        if self.gold is None:
            return found
        from swarmkit_lexsub.scoring import score_answers

        pairs = [(stage.item, one) for stage, one in zip(self.stages, self.chosen(x), strict=True)]
        answers = {item.id: Answer(item.name, item.id, (one.name.lower(),)) for item, one in pairs if item is not None}
        report = score_answers(self.gold, answers, "best")
        return found | {"best": report.score.recall, "best mode": report.mode.recall}

    def _scene(self) -> dict[str, Any]:
        """Return the text, and for each word its substitutes and where they come from."""
        texts = {stage.target.words: None for stage in self.stages}
        starts = {(stage.target.words, stage.target.start): at for at, stage in enumerate(self.stages)}
        return {
            "kind": "words",
            "stages": [stage.target.surface for stage in self.stages],
            "candidates": [[one.name for one in stage.substitutes] for stage in self.stages],
            "glosses": [[linked(stage, one)["meaning"] for one in stage.substitutes] for stage in self.stages],
            "text": [[word, starts.get((words, at), -1)] for words in texts for at, word in enumerate(words)],
        }


def linked(stage: Stage, one: Substitute) -> dict[str, str]:
    """Return relation and meaning of a substitute."""
    if one.link is None:
        return {"relation": "", "meaning": ""}
    return {"relation": one.link.relation, "meaning": stage.problem.lexicon.definition(one.link.synset)}


def _form(stages: Sequence[Stage], options: LexsubOptions) -> Pairwise:
    """Return the scores of the substitutes, and tables between the words of each text."""
    texts: dict[int, list[int]] = {}
    for at, stage in enumerate(stages):
        texts.setdefault(id(stage.problem), []).append(at)
    unary = [one.score for stage in stages for one in stage.substitutes]
    edges = []
    for own in texts.values():
        coherence = options.coherence / max(1, min(len(own) - 1, 2 * options.window))
        near = [(i, j) for at, i in enumerate(own) for j in own[at + 1 : at + 1 + options.window]]
        for i, j in near:
            table = _interplay(stages[i], stages[j], coherence, options.repetition)
            if table.any():
                edges.append((i, j, table))
    return Pairwise.of([len(stage.substitutes) for stage in stages], edges, unary)


def _interplay(one: Stage, other: Stage, coherence: float, repetition: float) -> NDArray[np.float64]:
    """Return what each pair of substitutes of two words of a text adds: relatedness, less the penalty for one word."""
    rows, columns = one.slots, other.slots
    pairs = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    related = one.problem.relatedness(*pairs).reshape(len(rows), len(columns))
    names, others = ([substitute.name.lower() for substitute in stage.substitutes] for stage in (one, other))
    same = np.array(names)[:, None] == np.array(others)[None, :]
    table: NDArray[np.float64] = np.round(coherence * related - repetition * same, 4)
    return table
