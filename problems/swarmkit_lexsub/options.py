"""The options of the problem, which `-P` sets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings

EXAMPLE = "He was a bright boy and the film about his life was a success."
"""The sentence whose words are substituted if no text is given."""


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
        if self.text is not None and self.file is not None:
            raise ValueError("'text' and 'file' are both given; expected one of them")
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
