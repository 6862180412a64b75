"""Disambiguation of a text without a solver: text in, senses out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from swarmkit import UsageError, make_settings
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import Corpus, Sentence, Text, Token
from swarmkit_text.english import AHEAD
from swarmkit_text.sentences import read_text, read_words
from swarmkit_text.tokenizer import Word
from swarmkit_wsd.confidence import Clusters, posteriors
from swarmkit_wsd.experts.panel import ASK_BELOW, Panel, Votes
from swarmkit_wsd.experts.questions import Expert
from swarmkit_wsd.known import assign_known_senses, check_assignment, parse_known_senses
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.raw_text import lexicon_of, reader_of, word_classifier

CHUNK = 800
"""Words to disambiguate that are answered together; longer texts are split between sentences."""

MOST_TOKENS = 25 * CHUNK
"""Words and marks of any kind that are in memory together, for texts without words to disambiguate."""

CONTEXT = 40
"""Words before and after a chunk that are disambiguated with it if the options have no window."""


class Alternative(BaseModel):
    """Another sense of a word, and its probability."""

    model_config = ConfigDict(frozen=True)

    key: str
    """The sense key of WordNet: `bank%1:17:01::`."""
    synset: str
    """The sense's name: `bank.n.01`."""
    gloss: str
    """Its definition."""
    confidence: float
    """The probability that this sense is right."""


class Sense(BaseModel):
    """A word and its sense; `start` and `end` count characters of the text, or words of a word list."""

    model_config = ConfigDict(frozen=True)

    word: str
    """The word as it is in the text."""
    start: int
    """Where the word begins, from 0."""
    end: int
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
    confidence: float
    """The probability that the sense, or one of its cluster, is right."""
    alternatives: tuple[Alternative, ...] = ()
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
    if isinstance(text, str) and (pos is not None or targets is not None):
        raise UsageError("pos and targets go with a list of words, not with a text")
    settings = make_settings(WsdOptions, options, "wsd")
    lexicon = lexicon_of(settings)
    panel = Panel(experts, ask_below)
    if isinstance(text, str):
        chunks = each_chunk(text, lexicon, settings, known)
    else:
        chunks = iter([words_chunk(Words(text, pos, targets), lexicon, settings, known)])
    return [sense for chunk in consult_panel(chunks, panel) for sense in chunk.senses(answers)]


class Words(NamedTuple):
    """A list of words; `pos` and `targets` are those of `disambiguate`."""

    words: Sequence[str]
    pos: Sequence[str | None] | None = None
    targets: Sequence[int] | None = None


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


def words_chunk(inputs: Words, lexicon: Lexicon, options: WsdOptions, known: Mapping[int, str] | None = None) -> Chunk:
    """Return a list of words as one chunk.

    Args:
        inputs: the words.
        lexicon: the lexicon.
        options: those of the problem.
        known: the sense keys of words whose sense is given, by the number of words before each.
    """
    known_senses = parse_known_senses(known)
    sentence = read_words(inputs.words, reader_of(lexicon, options), inputs.pos, inputs.targets)
    fixed = assign_known_senses(sentence, known_senses, lexicon)
    check_assignment(known_senses)
    problem = _problem([fixed.sentence], lexicon, options, fixed.keys)
    alone = [token.surface for token in problem.unknown]
    return Chunk(problem, range(1), alone if inputs.targets is not None else _unknown(fixed.sentence) + alone)


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
    settings = lexicon, options, keys
    context = 0 if options.unit == "sentence" else options.window or CONTEXT
    before: list[Sentence] = []
    pending: list[Sentence] = []
    for read in sentences:
        sentence, known_keys = assign_known_senses(read, known_senses, lexicon)
        keys.update(known_keys)
        pending.append(sentence)
        # A chunk waits until the sentences behind it fill its window: cut anywhere, its words see the same words.
        count = _until(pending, CHUNK)
        if count and _until(pending[count:], context) is not None:
            yield _chunk(before, pending[:count], pending[count:], settings)
            before, pending = _last(before + pending[:count], context), pending[count:]
        # A text without words to disambiguate would never fill a chunk.
        elif sum(len(item.tokens) for item in pending) >= MOST_TOKENS:
            yield _chunk(before, pending, [], settings)
            before, pending = _last(before + pending, context), []
    check_assignment(known_senses)
    if pending:
        yield _chunk(before, pending, [], settings)


def _until(sentences: Sequence[Sentence], words: int) -> int | None:
    """Return the number of sentences, from the first on, that have at least `words` targets; None if all have less.

    >>> _until([], 0), _until([], 1)
    (0, None)
    """
    count = 0
    for number, sentence in enumerate(sentences):
        if count >= words:
            return number
        count += len(sentence.targets)
    return len(sentences) if count >= words else None


def _last(sentences: list[Sentence], words: int) -> list[Sentence]:
    """Return the last sentences that have at least `words` targets, or all."""
    count = _until(sentences[::-1], words)
    return sentences if count is None else sentences[len(sentences) - count :]


def _chunk(
    before: Sequence[Sentence],
    sentences: Sequence[Sentence],
    after: Sequence[Sentence],
    settings: tuple[Lexicon, WsdOptions, Mapping[str, str]],
) -> Chunk:
    problem = _problem([*before, *sentences, *after], *settings)
    unknown = [name for sentence in sentences for name in _unknown(sentence)]
    return Chunk(problem, range(len(before), len(before) + len(sentences)), unknown)


def _unknown(sentence: Sentence) -> list[str]:
    """Return the content words of a sentence that have no entry, and the names, whole, that WordNet does not have."""
    covered_places = {
        place for token in sentence.targets for reading in token.readings for place in range(reading.start, reading.end)
    }
    names: list[list[Token]] = []
    for token in sentence.tokens:
        if token.id is not None or token.pos is None or token.start in covered_places or not _has_letters(token):
            continue
        # A name of several words is reported once, whole.
        if names and _are_one_name(names[-1][-1], token):
            names[-1].append(token)
        else:
            names.append([token])
    return [" ".join(token.surface for token in name) for name in names]


def _has_letters(token: Token) -> bool:
    return any(letter.isalpha() for letter in token.surface)


def _are_one_name(left: Token, right: Token) -> bool:
    """Return whether two words of a text are capitalised and have nothing but a space between them."""
    return left.surface[0].isupper() and right.surface[0].isupper() and right.start - left.end == 1


def _problem(
    sentences: Sequence[Sentence], lexicon: Lexicon, options: WsdOptions, known: Mapping[str, str]
) -> WordSenses:
    return WordSenses(Corpus("unified", (Text("d000", tuple(sentences)),)), lexicon, options, known=known)


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
    lexicon, target = problem.lexicon, problem.targets[stage]
    reading = target.reading_of(choice)
    keys = [lexicon.key(int(sense)) for sense in target.senses]
    confidences = likely if answers.clusters is None else answers.clusters.merge(keys, likely)
    count = 0 if stage in problem.fixed else answers.alternatives
    # Stable: of equally probable senses WordNet's first one comes first.
    order = [int(at) for at in np.argsort(-likely, kind="stable") if at != choice][:count]
    synsets = lexicon.sense_synset[target.senses].tolist()

    def fields(at: int) -> dict[str, Any]:
        name, gloss = lexicon.name(synsets[at]), lexicon.definition(synsets[at])
        return {"key": keys[at], "synset": name, "gloss": gloss, "confidence": min(1.0, float(confidences[at]))}

    return Sense(
        word=reading.surface,
        start=reading.start,
        end=reading.end,
        lemma=reading.lemma,
        pos=reading.pos,
        alternatives=tuple(Alternative(**fields(at)) for at in order),
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
