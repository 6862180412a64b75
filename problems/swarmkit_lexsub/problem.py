"""Lexical substitution as a problem: a stage is a target word, a candidate one of its substitutes.

The score of a solution is the sum of the substitutes' own scores (`fit`) and, for two targets of one text, of the
relatedness between the senses from which their substitutes come; the same substitute twice costs a penalty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from textwrap import shorten
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from swarmkit import (
    FileName,
    Pairwise,
    PairwiseProblem,
    Settings,
    UsageError,
    View,
    check_alternatives,
    quoted,
)
from swarmkit_lexsub.fit import Substitute, rank_substitutes
from swarmkit_lexsub.scoring import score_answers
from swarmkit_lexsub.task_files import Answer, Gold, Item, read_gold, read_items
from swarmkit_lexsub.word_senses import Target, read_item, read_text, select_targets
from swarmkit_wsd import WordSenses

EXAMPLE = "He was a bright boy and the film about his life was a success."
"""The sentence whose words are substituted if no text is given."""

LONGEST_LIST = 20
"""Words of the text that the message about a word that is not in it lists."""


class LexsubOptions(Settings):
    """The text or the task's sentences, the words to substitute, and how substitutes influence each other."""

    text: str | None = None
    """English text; without text and file it is an example sentence."""
    words: str | None = None
    """The words of the text to substitute, separated by commas; by default all that have substitutes."""
    file: FileName | None = None
    """Sentences of SemEval-2007 task 10, each with a target word: XML, or lines separated by tabs."""
    gold: FileName | None = None
    """The gold substitutes of the file's items, with which the task's score 'best' is a metric."""
    preset: Literal["fast", "best"] | None = None
    """The preset of the problem wsd that weighs the senses; without 'best' no substitute is tried in its sentence. By
    default the most accurate one that this installation can run."""
    candidates: Annotated[int, Field(ge=1, le=10_000)] = 30
    """Substitutes of each word that are kept, the best by their own score."""
    coherence: Annotated[float, Field(ge=0)] = 1.0
    """The weight of the relatedness between the senses from which the substitutes of two near words come, divided by
    the number of near words."""
    window: Annotated[int, Field(ge=1)] = 10
    """The largest distance of two near words, counted in words that are substituted."""
    repetition: Annotated[float, Field(ge=0)] = 2.0
    """What is taken off if two near words get the same substitute."""
    model: FileName | None = None
    """A sense model that 'swarmkit wsd train' has written; otherwise the one in the package."""
    wordnet: FileName | None = None
    """A folder with WordNet's files; otherwise WordNet 3.0 is found or fetched."""

    @model_validator(mode="after")
    def _one_source(self) -> LexsubOptions:
        check_alternatives(self, ["text"], ["file"], expected="one of them")
        if self.words is not None and self.file is not None:
            raise ValueError("'words' goes with a text: the sentences of a file have their target words")
        if self.gold is not None and self.file is None:
            raise ValueError("'gold' goes with 'file'")
        return self

    @property
    def word_list(self) -> list[str] | None:
        """The words to substitute; None for all."""
        return None if self.words is None else [word.strip() for word in self.words.split(",") if word.strip()]

    def of_senses(self) -> dict[str, Any]:
        """Return the options of the problem `wsd`."""
        given = {"preset": self.preset, "model": self.model, "wordnet": self.wordnet}
        return {name: value for name, value in given.items() if value is not None}


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
        senses = [substitute.link.sense if substitute.link is not None else 0 for substitute in self.substitutes]
        return self.target.slots[senses]


def text_stages(options: LexsubOptions) -> list[Stage]:
    """Return the words of a text that are to be substituted and have substitutes.

    Raises:
        UsageError: a word is not in the text, or has no substitute.
    """
    text = EXAMPLE if options.text is None else options.text
    problem, targets = read_text({"text": text, **options.of_senses()})
    words = options.word_list
    for word in words or []:
        if not select_targets(targets, word):
            surfaces = list(dict.fromkeys(target.surface for target in targets))
            list_of_words = ", ".join(surfaces[:LONGEST_LIST]) + ("…" if len(surfaces) > LONGEST_LIST else "")
            message = f"{quoted(word)} is not among the words of the text that have senses"
            raise UsageError(f"{message}: {list_of_words or 'none'}")
    if words is not None:
        targets = [target for target in targets if any(select_targets([target], word) for word in words)]
    stages = [Stage(problem, target, rank_substitutes(problem, target)) for target in targets]
    for stage in stages:
        if words is not None and not stage.substitutes:
            raise UsageError(f"WordNet has no substitute for {quoted(stage.target.surface)}: expected another word")
    return [stage for stage in stages if stage.substitutes]


def item_stages(items: Sequence[Item], options: LexsubOptions) -> Iterator[tuple[Item, Stage]]:
    """Iterate over the items of the task whose target has substitutes, each with its target."""
    for item in items:
        problem, target = read_item(item, options.of_senses())
        if target is not None and (substitutes := rank_substitutes(problem, target)):
            yield item, Stage(problem, target, substitutes, item)


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
        # Texts fall into parts: no edge joins the words of two of them.
        begins = [a.problem is not b.problem for a, b in pairwise([*self.stages[:1], *self.stages])]
        groups = np.cumsum(begins, dtype=np.int64)
        super().__init__(_form(self.stages, groups, options))
        self.groups = groups
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
            (stage.target.words, stage.target.start, stage.target.end, sorted(sub.name for sub in stage.substitutes))
            for stage in self.stages
        ]
        # Where data lie is no part either: `versions` has the content of the model and of WordNet.
        exclusions = {"text", "file", "gold", "model", "wordnet"}
        options = self.settings.model_dump(mode="json", exclude=exclusions)
        parts = [type(self).__qualname__, words, options, sorted(self.versions.items())]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def choices(self, x: NDArray[Any]) -> list[Substitute]:
        """Return the substitute that a solution chooses at each stage."""
        return [stage.substitutes[candidate] for stage, candidate in zip(self.stages, x.tolist(), strict=True)]

    def describe(self, x: NDArray[Any]) -> list[dict[str, Any]]:
        """Return each target word with its substitute, its relation and the meaning of the synset that has it."""
        return [
            {
                "word": stage.target.surface,
                "substitute": substitute.name,
                "score": round(float(self.form.marginals(x[None], at)[0, x[at]]), 4),
                **relation_and_meaning(stage, substitute),
            }
            for at, (stage, substitute) in enumerate(zip(self.stages, self.choices(x), strict=True))
        ]

    def metrics(self, x: NDArray[Any]) -> dict[str, float]:
        """Return the number of words, and with gold substitutes the task's score `best` in percent."""
        metrics = {"words": float(len(self.stages))}
        if self.gold is not None:
            pairs = zip(self.stages, self.choices(x), strict=True)
            items = [(stage.item, substitute) for stage, substitute in pairs if stage.item is not None]
            answers = {item.id: Answer(item.name, item.id, (substitute.name.lower(),)) for item, substitute in items}
            report = score_answers(self.gold, answers, "best")
            metrics |= {"best": report.score.recall, "best mode": report.mode.recall}
        return metrics

    def _scene(self) -> dict[str, Any]:
        """Return the text, and for each word its substitutes and where they come from."""
        texts = {stage.target.words: None for stage in self.stages}
        starts = {(stage.target.words, stage.target.start): at for at, stage in enumerate(self.stages)}
        return {
            "kind": "words",
            "stages": [stage.target.surface for stage in self.stages],
            "candidates": [[substitute.name for substitute in stage.substitutes] for stage in self.stages],
            "glosses": [
                [relation_and_meaning(stage, substitute)["meaning"] for substitute in stage.substitutes]
                for stage in self.stages
            ],
            "text": [[word, starts.get((words, at), -1)] for words in texts for at, word in enumerate(words)],
        }


def relation_and_meaning(stage: Stage, substitute: Substitute) -> dict[str, str]:
    """Return relation and meaning of a substitute."""
    link = substitute.link
    if link is None:
        return {"relation": "", "meaning": ""}
    return {"relation": link.relation, "meaning": stage.problem.lexicon.definition(link.synset)}


def _form(stages: Sequence[Stage], groups: NDArray[np.int64], options: LexsubOptions) -> Pairwise:
    """Return the scores of the substitutes, and tables between the words of each text, which is a group."""
    unary = [substitute.score for stage in stages for substitute in stage.substitutes]
    edges = []
    for members in np.split(np.arange(len(stages)), np.flatnonzero(np.diff(groups)) + 1):
        # The number of words that a word in the middle is near to.
        coherence = options.coherence / max(1, min(len(members) - 1, 2 * options.window))
        near = [(i, j) for i, j in combinations(members.tolist(), 2) if j - i <= options.window]
        tables = ((i, j, _interplay(stages[i], stages[j], coherence, options.repetition)) for i, j in near)
        edges += [edge for edge in tables if edge[2].any()]
    return Pairwise.of([len(stage.substitutes) for stage in stages], edges, unary)


def _interplay(first: Stage, second: Stage, coherence: float, repetition: float) -> NDArray[np.float64]:
    """Return what each pair of substitutes of two words of a text adds: relatedness, less the penalty for one word."""
    rows, columns = first.slots, second.slots
    pairs = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    relatedness = first.problem.relatedness(*pairs).reshape(len(rows), len(columns))
    names = [np.array([substitute.name.lower() for substitute in stage.substitutes]) for stage in (first, second)]
    equality = names[0][:, None] == names[1][None, :]
    # Rounded, so that the last digits of the processor's arithmetic do not reach the tables.
    return np.asarray(np.round(coherence * relatedness - repetition * equality, 4))
