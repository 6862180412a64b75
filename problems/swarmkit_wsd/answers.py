"""What `disambiguate` returns: the senses of words, which of them are answered, and how notebooks show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, quoted
from swarmkit_wsd.confidence import Clusters
from swarmkit_wsd.experts.questions import Candidate, Confidence, Place

if TYPE_CHECKING:
    from typing import Any

POINTED = 3
"""Other senses that are shown when a word is pointed at."""

HUE = 120
"""The colour of certainty in degrees: green; red is 0."""


class Sense(BaseModel):
    """A word and its sense; `start` and `end` count characters of the text, or words of a word list."""

    model_config = ConfigDict(frozen=True)

    word: str
    """The word as it is in the text."""
    start: Place
    """Where the word begins, from 0."""
    end: Place
    """Where it ends: the position after its last character."""
    lemma: str
    """Its dictionary form."""
    pos: str
    """Its part of speech: `n`, `v`, `a` or `r`."""
    key: str
    """The sense key of WordNet: `bank%1:17:01::`."""
    synset: str
    """The sense's name: `bank.n.01`."""
    gloss: str
    """Its definition."""
    offset: Place
    """The synset's place in WordNet's data file, which is its number in most other programs."""
    lexname: str
    """The lexicographers' file of the synset, its supersense: `noun.object`."""
    ili: str | None = None
    """The synset's number in the Collaborative Interlingual Index (`i85041`); None if WordNet is not 3.0."""
    confidence: Confidence
    """The probability that the sense, or one of its cluster, is right."""
    alternatives: tuple[Candidate, ...] = ()
    """The next senses by their probability, if they were asked for."""


@dataclass(frozen=True)
class Answers:
    """Which answers are given, and what is said about them."""

    min_confidence: float = 0.0
    """Words whose confidence is below this are left unanswered."""
    alternatives: int = 0
    """The number of other senses that are listed for each word."""
    clusters: Clusters | None = None
    """Confidences are summed over the senses of a cluster; the answers stay the same."""

    def __post_init__(self) -> None:
        least, others = self.min_confidence, self.alternatives
        if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 1:
            raise UsageError(f"min_confidence is {quoted(repr(least))}; expected a probability from 0 to 1")
        if isinstance(others, bool) or not isinstance(others, int) or others < 0:
            raise UsageError(f"alternatives is {quoted(repr(others))}; expected a whole number from 0")
        if not isinstance(self.clusters, Clusters | None):
            raise UsageError(f"clusters is {quoted(repr(self.clusters))}; expected what read_clusters returns, or None")


ALL_ANSWERS = Answers()
"""Every word is answered."""


class Rival(NamedTuple):
    """Another sense of a word, and its probability."""

    synset: str
    confidence: float


class Senses(Sequence[Sense]):
    """The senses of a text, in its order; a notebook shows the text, coloured by confidence.

    Args:
        source: the text, or the list of words.
        senses: the senses.
        rivals: for each of them, the other senses that are shown when it is pointed at.
    """

    def __init__(
        self, source: str | Sequence[str], senses: Iterable[Sense], rivals: Iterable[Sequence[Rival]] = ()
    ) -> None:
        self._source, self._senses, self._rivals = source, tuple(senses), tuple(map(tuple, rivals))

    def __len__(self) -> int:
        return len(self._senses)

    def __getitem__(self, index: Any) -> Any:
        """Return a sense, or for a slice a tuple of them."""
        return self._senses[index]

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same senses."""
        if isinstance(other, str) or not isinstance(other, Sequence):
            return NotImplemented
        return self._senses == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return f"Senses({[(sense.word, sense.synset, round(sense.confidence, 2)) for sense in self]})"

    def _repr_html_(self) -> str:
        """Return the text for a notebook: words with a sense are coloured, and name it when they are pointed at."""
        text, places = self._written()
        parts, end = [], 0
        for number, sense in enumerate(self):
            start, stop = places(sense)
            if start >= end:  # a word within an entry of several words that is not in one piece
                parts += [escape(text[end:start]), self._mark(number, text[start:stop])]
                end = stop
        return f'<p style="white-space: pre-wrap; line-height: 1.7">{"".join(parts)}{escape(text[end:])}</p>'

    def _written(self) -> tuple[str, Any]:
        """Return the text, and a function from a sense to its place in it."""
        if isinstance(self._source, str):
            return self._source, lambda sense: (sense.start, sense.end)
        starts = [0]
        for word in self._source:
            starts.append(starts[-1] + len(word) + 1)
        return " ".join(self._source), lambda sense: (starts[sense.start], starts[sense.end] - 1)

    def _mark(self, number: int, word: str) -> str:
        sense = self._senses[number]
        rivals = self._rivals[number] if self._rivals else ()
        lines = [f"{sense.synset} ({sense.confidence:.2f}): {sense.gloss}"]
        lines += [f"{rival.synset} ({rival.confidence:.2f})" for rival in rivals]
        style = (
            f"background: hsl({HUE * sense.confidence:.0f}, 75%, 82%); color: #111; padding: 0 2px; border-radius: 3px"
        )
        title = escape("\n".join(lines)).replace("\n", "&#10;")
        return f'<span title="{title}" style="{style}">{escape(word)}</span>'
