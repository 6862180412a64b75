"""Disambiguation of a text without a solver: text in, senses out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, make_settings
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import Corpus, Sentence, Text
from swarmkit_text.english import AHEAD
from swarmkit_text.pieces import cut_pieces
from swarmkit_text.sentences import read_text, read_words
from swarmkit_text.tokenizer import Word
from swarmkit_wsd.confidence import Clusters, posteriors
from swarmkit_wsd.experts.panel import ASK_BELOW, Panel, Votes
from swarmkit_wsd.experts.questions import Candidate, Confidence, Expert, Place
from swarmkit_wsd.known import assign_known_senses, check_assignment, parse_known_senses
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.raw_text import lexicon_of, reader_of, word_classifier
from swarmkit_wsd.unknown import unknown_words

CHUNK = 800
"""Words to disambiguate that are answered together; longer texts are split between sentences."""

MOST_TOKENS = 25 * CHUNK
"""Words and marks of any kind that are in memory together, for texts without words to disambiguate."""

CONTEXT = 40
"""Words before and after a chunk that are disambiguated with it if the options have no window."""


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
    confidence: Confidence
    """The probability that the sense, or one of its cluster, is right."""
    alternatives: tuple[Candidate, ...] = ()
    """The next senses by their probability, if they were asked for."""


class Answers(NamedTuple):
    """Which answers are given, and what is said about them."""

    min_confidence: float = 0.0
    """Words whose confidence is below this are left unanswered."""
    alternatives: int = 0
    """The number of other senses that are listed for each word."""
    clusters: Clusters | None = None
    """Confidences are summed over the senses of a cluster; the answers stay the same."""


ALL_ANSWERS = Answers()
"""Every word is answered."""


def disambiguate(
    text: str | Sequence[str],
    *,
    pos: Sequence[str | None] | None = None,
    targets: Sequence[int] | None = None,
    known: Mapping[int, str] | None = None,
    answers: Answers = ALL_ANSWERS,
    experts: Iterable[Expert | str] = (),
    ask_below: float = ASK_BELOW,
    **options: Any,
) -> list[Sense]:
    """Return the senses of the words of a text, or of a list of words; English unless `language` names another one.

    Args:
        text: a text, or a list of words.
        pos: for a list of words, their parts of speech (n, v, a, r, universal tags, or None).
        targets: for a list of words, the positions of the words to disambiguate.
        known: the sense keys of words whose sense is given, by the place where each begins, as `Sense.start` counts it:
            characters of a text, words of a list. They are answered as given, with confidence 1, and take part in the
            senses of the other words.
        answers: which answers are given: the least confidence, other senses, clusters.
        experts: functions (or names of registered ones) that are asked about the words that are least certain; each is
            given a `Question` and returns the key of a candidate, the key and its reliability, or None. Their votes
            count for the words around as well.
        ask_below: words whose confidence is below this are asked about.
        options: those of the problem `wsd`, such as `preset="fast"` (the default is the most accurate one that this
            installation can run) or `language="fr"`.
    """
    settings = make_settings(WsdOptions, options, "wsd")
    panel = Panel(experts, ask_below)
    chunks = input_chunks(text, lexicon_of(settings), settings, known, pos, targets)
    return [sense for chunk in consult_panel(chunks, panel) for sense in chunk.senses(answers)]


class Chunk(NamedTuple):
    """Some sentences of a text that are answered together."""

    problem: WordSenses
    """Has their words, and as context those of sentences before and after them."""
    answer_range: range
    """The numbers of the sentences among those of the problem."""
    unknown: list[str]
    """The content words in the sentences that are not in WordNet."""

    def senses(self, answers: Answers = ALL_ANSWERS) -> list[Sense]:
        """Return the senses of the words that are answered, in the order of the text."""
        return senses(self.problem, self.problem.default_solution(), answers, self.answer_range)


def consult_panel(chunks: Iterable[Chunk], panel: Panel) -> Iterator[Chunk]:
    """Iterate over the chunks of one text with the votes of experts on the words that are answered."""
    votes: Votes = {}
    for chunk in chunks:
        problem = panel.consult(chunk.problem, chunk.answer_range, votes) if panel or votes else chunk.problem
        yield chunk._replace(problem=problem)


def each_chunk(
    text: str | Iterable[str], lexicon: Lexicon, options: WsdOptions, known: Mapping[int, str] | None = None
) -> Iterator[Chunk]:
    """Iterate over the chunks of a text, split between sentences if it is long, so that memory is bounded.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        lexicon: the lexicon.
        options: those of the problem.
        known: the sense keys of words whose sense is given, by the number of characters before each.
    """
    return chunks_of(read_text(text, reader_of(lexicon, options)), lexicon, options, known)


def input_chunks(
    text: str | Sequence[str],
    lexicon: Lexicon,
    options: WsdOptions,
    known: Mapping[int, str] | None = None,
    pos: Sequence[str | None] | None = None,
    targets: Sequence[int] | None = None,
) -> Iterator[Chunk]:
    """Iterate over the chunks of a text, or over a list of words as one chunk; see `disambiguate`.

    Args:
        text: a text, or a list of words.
        lexicon: the lexicon.
        options: those of the problem.
        known: the sense keys of words whose sense is given.
        pos: for a list of words, their parts of speech.
        targets: for a list of words, the positions of the words to disambiguate.
    """
    if not isinstance(text, str):
        sentence = read_words(text, reader_of(lexicon, options), pos, targets)
        chunk = chunk_of([sentence], range(1), lexicon, options, known)
        # Of words that were asked for by their places, only those without an entry are reported.
        unknown = chunk.unknown if targets is None else []
        return iter([chunk._replace(unknown=unknown + [token.surface for token in chunk.problem.unknown])])
    if pos is not None or targets is not None:
        raise UsageError("pos and targets go with a list of words, not with a text")
    return each_chunk(text, lexicon, options, known)


def encode_ahead(sentences: Iterable[Sequence[Word]], options: WsdOptions) -> None:
    """Encode the sentences of several texts some at a time, which is faster than one by one.

    The encoder keeps the last ones, at least 10,000 words. This changes the speed, never a sense.

    Args:
        sentences: the words of each sentence.
        options: those of the problem; without a model nothing is done.
    """
    classify = word_classifier(options)
    if classify is None:
        return
    surfaces = ([word.surface for word in words] for words in sentences)
    while group := list(islice(surfaces, AHEAD)):
        classify(group)


def chunks_of(
    sentences: Iterable[Sentence], lexicon: Lexicon, options: WsdOptions, known: Mapping[int, str] | None = None
) -> Iterator[Chunk]:
    """Iterate over the chunks of a text whose sentences are read already, as `each_chunk`.

    Every word is disambiguated with all words in its window: those in neighbouring chunks are part of the problem.

    Args:
        sentences: those of one text, in order.
        lexicon: the lexicon.
        options: those of the problem.
        known: as in `each_chunk`.
    """
    known_senses = parse_known_senses(known)
    keys: dict[str, str] = {}
    # Cut anywhere, words see the same words: a chunk has as many words around it as their window.
    context = 0 if options.unit == "sentence" else options.window or CONTEXT
    fixed = _fix(sentences, known_senses, keys, lexicon)
    for piece in cut_pieces(fixed, lambda sentence: len(sentence.targets), CHUNK, context, _is_too_long):
        yield _chunk([*chain(*piece)], piece.core_range, lexicon, options, keys)


def chunk_of(
    sentences: Iterable[Sentence],
    answer_range: range,
    lexicon: Lexicon,
    options: WsdOptions,
    known: Mapping[int, str] | None = None,
) -> Chunk:
    """Return sentences as one chunk, in which those with some numbers are answered; the rest is as of `each_chunk`."""
    keys: dict[str, str] = {}
    fixed = list(_fix(sentences, parse_known_senses(known), keys, lexicon))
    return _chunk(fixed, answer_range, lexicon, options, keys)


def _fix(
    sentences: Iterable[Sentence], known: dict[int, str], keys: dict[str, str], lexicon: Lexicon
) -> Iterator[Sentence]:
    """Iterate over sentences with their known senses, whose keys are added to `keys` by token id."""
    for sentence in sentences:
        fixed, keys_of_sentence = assign_known_senses(sentence, known, lexicon)
        keys.update(keys_of_sentence)
        yield fixed
    check_assignment(known)


def _is_too_long(sentences: list[Sentence]) -> bool:
    """Return whether sentences are a chunk at once: those without words to disambiguate would never fill one."""
    return sum(len(sentence.tokens) for sentence in sentences) >= MOST_TOKENS


def _chunk(
    sentences: list[Sentence], answer_range: range, lexicon: Lexicon, options: WsdOptions, known: Mapping[str, str]
) -> Chunk:
    problem = WordSenses(Corpus("unified", (Text("d000", tuple(sentences)),)), lexicon, options, known=known)
    unknown = [name for number in answer_range for name in unknown_words(sentences[number], lexicon)]
    return Chunk(problem, answer_range, unknown)


def senses(
    problem: WordSenses, x: NDArray[np.int64], answers: Answers = ALL_ANSWERS, sentences: range | None = None
) -> list[Sense]:
    """Return the senses that a solution chooses, in the order of the text.

    Args:
        problem: the problem.
        x: the solution.
        answers: which answers are given.
        sentences: only words of the sentences with these numbers; None for all.
    """
    likely = posteriors(problem, x)
    stages = problem.answered(x, sentences)
    answered_senses = (_sense(problem, stage, int(x[stage]), likely[stage], answers) for stage in stages)
    return [sense for sense in answered_senses if sense.confidence >= answers.min_confidence]


def _sense(problem: WordSenses, stage: int, choice: int, likely: NDArray[np.float64], answers: Answers) -> Sense:
    """Return the answer to one word, given the probability of each of its senses."""
    target = problem.targets[stage]
    reading, confidences = target.reading_of(choice), likely
    if answers.clusters is not None:
        confidences = answers.clusters.merge([problem.lexicon.key(int(sense)) for sense in target.senses], likely)
    count = 0 if stage in problem.fixed else answers.alternatives
    # Stable: of equally probable senses WordNet's first one comes first.
    order = [int(at) for at in np.argsort(-likely, kind="stable") if at != choice][:count]

    def fields(at: int) -> dict[str, Any]:
        return {**problem.sense_of(stage, at), "confidence": min(1.0, float(confidences[at]))}

    return Sense(
        word=reading.surface,
        start=reading.start,
        end=reading.end,
        lemma=reading.lemma,
        pos=reading.pos,
        alternatives=tuple(Candidate(**fields(at)) for at in order),
        **fields(choice),
    )


def confident_answers(problem: WordSenses, x: NDArray[np.int64], answers: Answers) -> dict[str, str]:
    """Return the sense key of each instance, by id, without those of less than the least confidence."""
    answer_of = problem.answers(x)
    # Posteriors of all words cost more than the answers.
    if answers.min_confidence <= 0:
        return answer_of
    likely = posteriors(problem, x)
    sure = {
        str(target.token.id)
        for stage, target in enumerate(problem.targets)
        if _sense(problem, stage, int(x[stage]), likely[stage], answers).confidence >= answers.min_confidence
    }
    return {name: key for name, key in answer_of.items() if name in sure}
