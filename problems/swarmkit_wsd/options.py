"""What `-P` sets for word sense disambiguation; the defaults are the D-Bees paper's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings

EXAMPLE = "I bought a new wireless mouse for my Apple Mac laptop"
"""The paper's own example sentence: what is disambiguated if nothing is given."""


class WsdOptions(Settings):
    """A text or corpus, how related senses are, and which words look at each other."""

    text: str | None = None
    """English text to disambiguate; without text, file and corpus it is the paper's example sentence."""
    file: FileName | None = None
    """A file of English text."""
    corpus: FileName | None = None
    """A corpus with words to disambiguate: SemEval-2007 task 7 or the unified framework's XML."""
    key: FileName | None = None
    """The corpus's gold keys, which make F1 a metric."""
    text_id: str | None = None
    """Only this text of the corpus."""
    measure: str = "lin-lesk"
    """How related two senses are: a measure of 'swarmkit list'."""
    measure_params: dict[str, Any] = Field(default_factory=dict)
    """The measure's own parameters, as JSON: {"normalise": "jaccard"}."""
    shape: Literal["chain", "pairwise"] = "chain"
    """Sum relatedness over consecutive words, or over all pairs within the window."""
    unit: Literal["sentence", "document"] = "sentence"
    """What is disambiguated together."""
    window: Annotated[int | None, Field(ge=1)] = None
    """Pairwise: words at most so many words to disambiguate apart are related; none is the whole unit."""
    repeats: bool = True
    """Pairwise: whether occurrences of one word are related to each other (they agree on any sense, right or wrong)."""
    order: Literal["text", "pos"] = "pos"
    """The order of the chain: as in the text, or by part of speech (nouns, verbs, adjectives, adverbs)."""
    prior: Literal["none", "counts"] = "none"
    """Add nothing, or the logarithm of each sense's add-one count in WordNet's tagged texts."""
    prior_weight: Annotated[float, Field(ge=0)] = 0.01
    """What the counts' logarithm is multiplied by, for each word that a word is related to."""
    ties: Literal["random", "first"] = "random"
    """Between senses that relate to nothing: none in particular, or the first, which brings in sense frequencies."""
    ties_seed: Annotated[int, Field(ge=0)] = 0
    """Which random preference decides ties."""
    tagger: Literal["hanta", "nltk"] = "hanta"
    """Who finds parts of speech in raw text; NLTK's tagger needs its data."""
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
            raise ValueError("'window' goes with shape=pairwise: on a chain each word sees the next")
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
"""The best honest setting known: sense counts and glosses; weight and window were chosen on Senseval-2 alone."""
