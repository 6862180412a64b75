"""The options of the problem, which `-P` sets; the defaults are those of the D-Bees paper."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings

EXAMPLE = "I bought a new wireless mouse for my Apple Mac laptop"
"""The paper's example sentence, which is disambiguated if no text is given."""


class WsdOptions(Settings):
    """The text or corpus, the measure of relatedness, and which words are related to each other."""

    text: str | None = None
    """English text to disambiguate; without text, file and corpus it is the paper's example sentence."""
    file: FileName | None = None
    """A file of English text."""
    corpus: FileName | None = None
    """A corpus with words to disambiguate: SemEval-2007 task 7 or the unified framework's XML."""
    key: FileName | None = None
    """The corpus's gold keys, with which F1 is a metric."""
    text_id: str | None = None
    """Only this text of the corpus."""
    measure: str = "lin-lesk"
    """The measure of relatedness between senses: one of those in 'swarmkit list'."""
    measure_params: dict[str, Any] = Field(default_factory=dict)
    """The measure's own parameters, as JSON: {"normalise": "jaccard"}."""
    shape: Literal["chain", "pairwise"] = "chain"
    """Whether relatedness is summed over consecutive words, or over all pairs within the window."""
    unit: Literal["sentence", "document"] = "sentence"
    """The words that are disambiguated together."""
    window: Annotated[int | None, Field(ge=1)] = None
    """Pairwise: the largest distance of two related words, counted in words to disambiguate; none is the whole unit."""
    repeats: bool = True
    """Pairwise: whether occurrences of a word are related to each other (they agree on any sense, right or wrong)."""
    order: Literal["text", "pos"] = "pos"
    """The order of the chain: as in the text, or by part of speech (nouns, verbs, adjectives, adverbs)."""
    prior: Literal["none", "counts"] = "none"
    """Whether the logarithm of each sense's add-one count in WordNet's tagged texts is added."""
    prior_weight: Annotated[float, Field(ge=0)] = 0.01
    """The factor of the counts' logarithm, for each word that a word is related to."""
    ties: Literal["random", "first"] = "random"
    """Which of equally related senses is preferred: a random one, or the first, which uses sense frequencies."""
    ties_seed: Annotated[int, Field(ge=0)] = 0
    """The seed of the random preference."""
    tagger: Literal["hanta", "nltk"] = "hanta"
    """The tagger of parts of speech in raw text; NLTK's needs its data."""
    wordnet: FileName | None = None
    """A folder with WordNet's files; otherwise WordNet 3.0 is found or fetched."""

    @model_validator(mode="after")
    def _one_source(self) -> WsdOptions:
        given = [name for name in ("text", "file", "corpus") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"'{given[0]}' and '{given[1]}' are both given; expected one of text, file and corpus")
        for name in ("key", "text_id"):
            if getattr(self, name) is not None and self.corpus is None:
                raise ValueError(f"'{name}' goes with 'corpus'")
        if self.window is not None and self.shape == "chain":
            raise ValueError("'window' goes with shape=pairwise: on a chain each word is related to the next")
        return self


BEST = {
    "measure": "gloss-cosine",
    "shape": "pairwise",
    "unit": "document",
    "window": 40,
    "repeats": False,
    "order": "text",
    "prior": "counts",
    "prior_weight": 0.01,
    "ties": "first",
}
"""The most accurate setting known: sense counts and glosses; weight and window were chosen on Senseval-2 alone."""
