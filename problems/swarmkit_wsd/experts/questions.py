"""What an expert is asked about a word, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt

from swarmkit_text.corpus import Token

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from swarmkit_wsd.problem import WordSenses

CONTEXT_TOKENS = 100
"""Words and marks on each side of a word that an expert sees, at most; further sentences than the next are left out."""

Share = Annotated[StrictFloat | StrictInt, Field(ge=0, le=1)]
Confidence = Annotated[float, Field(ge=0, le=1)]
Place = Annotated[int, Field(ge=0)]


Expert = Callable[["Question"], Any]
"""Returns the key of a candidate, a pair of key and reliability, a `Vote`, or None if it does not know. An attribute
`reliability` is that of answers without one."""


class ExpertGone(Exception):
    """An expert cannot be asked any more; the message says why."""


class ExpertFailed(ExpertGone):
    """An expert could not be asked, or did not answer: answers are not what they should be."""


class Candidate(BaseModel):
    """A sense that a word may have, and its probability."""

    model_config = ConfigDict(frozen=True)

    key: str
    """The sense key of WordNet: `bank%1:17:01::`."""
    synset: str
    """The sense's name: `bank.n.01`."""
    gloss: str
    """Its definition."""
    confidence: Confidence
    """The probability that this sense is right."""


class Question(BaseModel):
    """A word in its text, and its senses, the most probable first."""

    model_config = ConfigDict(frozen=True)

    text: str
    """The sentence of the word, with the sentences before and after it."""
    word: str
    """The word that is asked about."""
    start: int
    """The number of characters of `text` before the word; `end` the number up to its end."""
    end: int
    """The number of characters of `text` up to the end of the word."""
    lemma: str
    """Its dictionary form."""
    pos: str
    """Its part of speech: `n`, `v`, `a` or `r`."""
    candidates: tuple[Candidate, ...]
    """The senses to choose from, with the probabilities that they have before anybody is asked."""


class Vote(BaseModel):
    """The sense that an expert chooses, and the probability that it is right if the expert states it."""

    model_config = ConfigDict(frozen=True)

    key: str | None = None
    """A sense key of one of the candidates; None if the expert does not know."""
    reliability: Share | None = None
    """The probability that the answer is right; None if the expert does not say."""


def question(problem: WordSenses, stage: int, choice: int, likely: NDArray[float64]) -> Question:
    """Return the question about one word.

    Args:
        problem: the problem.
        stage: the stage of the word.
        choice: the candidate that is chosen without experts; its reading is the word that is shown.
        likely: the probability of each candidate.
    """
    target = problem.targets[stage]
    reading = target.reading_of(choice)
    text, start, end = _context(problem, target.sentence, reading.start, reading.end)
    order = (-likely).argsort(kind="stable").tolist()
    candidates = (Candidate(**problem.sense_of(stage, at), confidence=min(1.0, float(likely[at]))) for at in order)
    return Question(
        text=text,
        word=text[start:end],
        start=start,
        end=end,
        lemma=reading.lemma,
        pos=reading.pos,
        candidates=tuple(candidates),
    )


def _context(problem: WordSenses, sentence: int, begin: int, end: int) -> tuple[str, int, int]:
    """Return a sentence with its neighbours as a text, and where the words between two places lie in it."""
    sentences = problem.sentences
    near = [sentences[at].tokens if 0 <= at < len(sentences) else () for at in (sentence - 1, sentence, sentence + 1)]
    own = near[1]
    first = next(at for at, token in enumerate(own) if token.end > begin)
    last = next((at for at, token in enumerate(own) if token.start >= end), len(own))
    before = [*near[0], *own[:first]][-CONTEXT_TOKENS:]
    after = [*own[last:], *near[2]][:CONTEXT_TOKENS]
    left, word, right = (_joined(part) for part in (before, own[first:last], after))
    left += " " if before and _are_apart(before[-1], own[first]) else ""
    right = (" " if after and _are_apart(own[last - 1], after[0]) else "") + right
    return left + word + right, len(left), len(left) + len(word)


def _joined(tokens: Sequence[Token]) -> str:
    """Return words and marks as a text in one line."""
    text = ""
    for at, token in enumerate(tokens):
        text += (" " if at and _are_apart(tokens[at - 1], token) else "") + " ".join(token.surface.split())
    return text


def _are_apart(one: Token, other: Token) -> bool:
    """Return whether two consecutive tokens are separated by a space.

    Those of raw text are if there is something between them. Places in a corpus or a list of words count words, so that
    the token's length differs from that of its surface; such words always are.
    """
    return other.start != one.end or one.end - one.start < len(one.surface)
