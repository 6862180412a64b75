"""The options of the problem, which `-P` sets, and the presets from which their defaults come."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from swarmkit import FileName, Settings
from swarmkit_lexicon.languages.codes import is_english

EXAMPLE = "I bought a new wireless mouse for my Apple Mac laptop"
"""The paper's example sentence, which is disambiguated if no text is given."""

REFORMULATIONS = MappingProxyType({"chain": "preset=paper"})
"""The option by which a text becomes a problem of another structure, for solvers that need it."""

Preset = Literal["paper", "fast", "best"]

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {
        "evidence": "none",
        "measure": "lin-lesk",
        "shape": "chain",
        "unit": "sentence",
        "window": None,
        "repeats": True,
        "order": "pos",
        "prior": "none",
        "ties": "random",
    },
    "fast": {
        "evidence": "none",
        "measure": "gloss-cosine",
        "shape": "pairwise",
        "unit": "document",
        "window": 40,
        "repeats": False,
        "order": "text",
        "prior": "counts",
        "reading_weight": 0.05,
        "ties": "first",
    },
    "best": {
        "evidence": "model",
        "measure": "gloss-cosine",
        "shape": "pairwise",
        "unit": "document",
        "window": 40,
        "repeats": False,
        "order": "text",
        "prior": "none",
        "reading_weight": 9.0,
        "ties": "first",
    },
}
"""The D-Bees paper's setting; sense counts and glosses; the trained sense model and glosses. Weights and windows of the
last two were chosen on Senseval-2 alone."""


OTHER_LANGUAGES: Mapping[str, Any] = {"reading_weight": 0.2}
"""What is different in the preset fast for other languages than English: the parts of speech that function words speak
for count more, because a sense that two words share, which is frequent in wordnets that were made by translation, would
decide on both."""


class WsdOptions(Settings):
    """The text or corpus, the evidence for senses, the measure of relatedness, and which words are related."""

    preset: Preset | None = None
    """Whose values are the defaults of all other options: the D-Bees paper, sense counts and glosses (fast), or the
    trained model (best); by default the most accurate one that this installation can run."""
    text: str | None = None
    """The text to disambiguate; without text, file and corpus it is the paper's example sentence."""
    file: FileName | None = None
    """A file of text."""
    corpus: FileName | None = None
    """A corpus with words to disambiguate: SemEval-2007 task 7 or the unified framework's XML."""
    key: FileName | None = None
    """The corpus's gold keys, with which F1 is a metric."""
    text_id: str | None = None
    """Only this text of the corpus."""
    evidence: Literal["none", "model"] = "model"
    """Whether the trained model scores each sense by the sentence around the word."""
    model: FileName | None = None
    """A model that 'swarmkit wsd train' has written; otherwise the one in the package."""
    coherence: Annotated[float, Field(ge=0)] = 50.0
    """With the model: the weight of the mean relatedness to the related words, beside the model's log-odds."""
    measure: str = "gloss-cosine"
    """The measure of relatedness between senses: one of those in 'swarmkit list'."""
    measure_params: dict[str, Any] = Field(default_factory=dict)
    """The measure's own parameters, as JSON: {"normalise": "jaccard"}."""
    shape: Literal["chain", "pairwise"] = "pairwise"
    """Whether relatedness is summed over consecutive words, or over all pairs within the window."""
    unit: Literal["sentence", "document"] = "document"
    """The words that are disambiguated together."""
    window: Annotated[int | None, Field(ge=1)] = 40
    """Pairwise: the largest distance of two related words, counted in words to disambiguate; none is the whole unit."""
    repeats: bool = False
    """Pairwise: whether occurrences of a word are related to each other (they agree on any sense, right or wrong)."""
    order: Literal["text", "pos"] = "text"
    """The order of the chain: as in the text, or by part of speech (nouns, verbs, adjectives, adverbs)."""
    prior: Literal["none", "counts"] = "none"
    """Whether the logarithm of each sense's add-one count in WordNet's tagged texts is added; the model has its own."""
    prior_weight: Annotated[float, Field(ge=0)] = 0.01
    """The factor of the counts' logarithm, for each word that a word is related to."""
    reading_weight: Annotated[float, Field(ge=0)] = 9.0
    """Raw text: the factor of the logarithm of a reading's probability; without the model, for each related word."""
    ties: Literal["random", "first"] = "first"
    """Which of equally related senses is taken: any, or the first (sense order), which then scores up to 1e-6 more."""
    ties_seed: Annotated[int, Field(ge=0)] = 0
    """With ties=random: draws the order in which viterbi and greedy take equal senses; other solvers draw one."""
    tagger: Literal["hanta", "nltk"] = "hanta"
    """The tagger of parts of speech in raw text; NLTK's needs its data."""
    language: str = "en"
    """The language of the text, an ISO code of two or three letters; all but English need a tab file of the Open
    Multilingual Wordnet."""
    wordnets: FileName | None = None
    """A folder with tab files (wn-data-fra.tab, .tab.xz or .tab.gz); otherwise $SWARMKIT_WORDNETS and NLTK's."""
    wordnet: FileName | None = None
    """A folder with WordNet's files; otherwise WordNet 3.0 is found or fetched."""

    @property
    def is_english(self) -> bool:
        """Whether the text is English."""
        return is_english(self.language)

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_the_preset(cls, inputs: Any) -> Any:
        if not isinstance(inputs, Mapping):
            return inputs
        preset = inputs.get("preset")
        if preset is None:
            preset = best_preset(inputs.get("model")) if _is_english(inputs.get("language", "en")) else "fast"
        # An unknown preset has no values here, and is refused when the fields are validated.
        values = dict(PRESETS.get(preset, {}) if isinstance(preset, str) else {})
        if preset == "fast" and not _is_english(inputs.get("language", "en")):
            values |= OTHER_LANGUAGES
        values |= dict(inputs) | {"preset": preset}
        # A chain has no window, so the preset's gives way unless the user has named one, which is refused below.
        if values.get("shape") == "chain" and "window" not in inputs:
            values["window"] = None
        return values

    @model_validator(mode="after")
    def _one_source(self) -> WsdOptions:
        sources = [name for name in ("text", "file", "corpus") if getattr(self, name) is not None]
        if self.text is not None and not self.text.strip():
            raise ValueError("'text' is empty; expected words, or no text for the paper's example sentence")
        if len(sources) > 1:
            raise ValueError(f"'{sources[0]}' and '{sources[1]}' are both given; expected one of text, file and corpus")
        for name in ("key", "text_id"):
            if getattr(self, name) is not None and self.corpus is None:
                raise ValueError(f"'{name}' goes with 'corpus'")
        if self.window is not None and self.shape == "chain":
            raise ValueError("'window' goes with shape=pairwise: on a chain each word is related to the next")
        if self.evidence == "model" and not self.is_english:
            raise ValueError(
                f"the sense model of preset=best reads English, not '{self.language}'; expected preset=fast (sense "
                "counts and glosses, which go with the synsets), the default of other languages"
            )
        if self.model is not None and self.evidence == "none":
            raise ValueError("'model' goes with evidence=model, which preset=best has")
        return self


def _is_english(language: object) -> bool:
    """Return whether a value that is not validated yet is the code of English; what is no code is refused later."""
    return not isinstance(language, str) or is_english(language)


def best_preset(model: object = None) -> Preset:
    """Return the most accurate preset that this installation can run: `best` if the model and its packages are there.

    Args:
        model: a model's file that was named, which replaces the bundled one.
    """
    from swarmkit_sense_model.bundled import BUNDLED

    packages = all(
        importlib.util.find_spec(name) is not None for name in ("tokenizers", "safetensors", "threadpoolctl")
    )
    return "best" if packages and (model is not None or BUNDLED.is_file()) else "fast"
