"""Disambiguation of a text without a solver: text in, senses out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError, make_settings, quoted
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import POS, Corpus, Sentence, Text
from swarmkit_text.english import AHEAD
from swarmkit_text.pieces import cut_pieces
from swarmkit_text.sentences import read_text, read_words
from swarmkit_text.tokenizer import Word, split_sentences
from swarmkit_wsd.answers import ALL_ANSWERS, POINTED, Answers, Rival, Sense, Senses
from swarmkit_wsd.confidence import posteriors
from swarmkit_wsd.experts.panel import ASK_BELOW, Panel, Votes
from swarmkit_wsd.experts.questions import Candidate, Expert
from swarmkit_wsd.known import assign_known_senses, check_assignment, entries_of, parse_known_senses
from swarmkit_wsd.options import WsdOptions
from swarmkit_wsd.problem import WordSenses
from swarmkit_wsd.raw_text import lexicon_of, reader_of, word_classifier
from swarmkit_wsd.unknown import unknown_words

CHUNK = 800
"""Words to disambiguate that are answered together; longer texts are split between sentences."""

MOST_TOKENS = 25 * CHUNK
"""Words and marks of any kind that are in memory together, for texts without words to disambiguate."""

MANY = 32
"""Texts that the encoder reads together."""

_SPELT = re.compile(r"[^\W\d_]{2,}")

CONTEXT = 40
"""Words before and after a chunk that are disambiguated with it if the options have no window."""


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
) -> Senses:
    """Return the senses of the words of a text, or of a list of words; English unless `language` names another one.

    Args:
        text: a text, or the words of one sentence; several texts go to `disambiguate_many`.
        pos: for a list of words, their parts of speech (n, v, a, r, universal tags, or None).
        targets: for a list of words, the positions of the words to disambiguate.
        known: the senses of words whose sense is given (sense keys, or names of synsets), by the place where each
            begins, as `Sense.start` counts it: characters of a text, words of a list. They are answered as given, with
            confidence 1, and take part in the senses of the other words.
        answers: which answers are given: the least confidence, other senses, clusters.
        experts: functions (or names of registered ones) that are asked about the words that are least certain; each is
            given a `Question` and returns the key of a candidate, the key and its reliability, or None. Their votes
            count for the words around as well.
        ask_below: words whose confidence is below this are asked about.
        options: those of the problem `wsd`, such as `preset="fast"` (the default is the most accurate one that this
            installation can run) or `language="fr"`.
    """
    settings = _settings(answers, options)
    chunks = input_chunks(text, lexicon_of(settings), settings, known, pos, targets)
    return _senses_of(text, consult_panel(chunks, Panel(experts, ask_below)), answers)


def disambiguate_many(
    texts: Iterable[str | Sequence[str]],
    *,
    answers: Answers = ALL_ANSWERS,
    experts: Iterable[Expert | str] = (),
    ask_below: float = ASK_BELOW,
    **options: Any,
) -> Iterator[Senses]:
    """Iterate over the senses of texts, each as `disambiguate` returns them, with some texts in memory at a time.

    The sentence encoder reads `MANY` texts together, which is faster than one by one and changes no sense.

    Args:
        texts: texts, or lists of words; they are read when they are needed.
        answers: as of `disambiguate`; so are `experts`, `ask_below` and `options`.
        experts: as of `disambiguate`.
        ask_below: as of `disambiguate`.
        options: as of `disambiguate`.
    """
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise UsageError(f"texts is {quoted(repr(texts))}; expected several texts. disambiguate takes one text.")
    settings = _settings(answers, options)
    return _each_senses(iter(texts), Panel(experts, ask_below), settings, answers)


def _each_senses(
    texts: Iterator[str | Sequence[str]], panel: Panel, settings: WsdOptions, answers: Answers
) -> Iterator[Senses]:
    lexicon = lexicon_of(settings)
    while group := list(islice(texts, MANY)):
        if len(group) > 1:
            raw = (text for text in group if isinstance(text, str))
            encode_ahead((words for text in raw for words in split_sentences(text)), settings)
        for text in group:
            yield _senses_of(text, consult_panel(input_chunks(text, lexicon, settings), panel), answers)


def _settings(answers: Answers, options: Mapping[str, Any]) -> WsdOptions:
    """Return the options of the problem, after refusing what belongs elsewhere."""
    if not isinstance(answers, Answers):
        raise UsageError(f"answers is {quoted(repr(answers))}; expected Answers(min_confidence=…, alternatives=…)")
    fields = {field.name for field in dataclass_fields(Answers)}
    for name, value in options.items():
        if name in fields:
            raise UsageError(f"'{name}' is a field of Answers: answers=Answers({name}={value!r})")
    settings = make_settings(WsdOptions, options, "wsd")
    for name in ("text", "file", "corpus"):
        if getattr(settings, name) is not None:
            raise UsageError(f"'{name}' is an option of the problem; expected the text as the first argument")
    return settings


def _senses_of(text: str | Sequence[str], chunks: Iterable[Chunk], answers: Answers) -> Senses:
    """Return the senses of a text with the other senses that a notebook shows."""
    found = [answer for chunk in chunks for answer in chunk.answers(answers)]
    return Senses(text, (sense for sense, _ in found), (rivals for _, rivals in found))


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
        return [sense for sense, _ in self.answers(answers)]

    def answers(self, answers: Answers = ALL_ANSWERS) -> Iterator[tuple[Sense, list[Rival]]]:
        """Iterate over the senses of the words that are answered, each with the most probable other senses."""
        return _answers(self.problem, self.problem.default_solution(), answers, self.answer_range)


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
        _check_words(text, lexicon)
        sentence = read_words(text, reader_of(lexicon, options), pos, targets)
        chunk = chunk_of([sentence], range(1), lexicon, options, known)
        # Of words that were asked for by their places, only those without an entry are reported.
        unknown = chunk.unknown if targets is None else []
        return iter([chunk._replace(unknown=unknown + [token.surface for token in chunk.problem.unknown])])
    if pos is not None or targets is not None:
        raise UsageError("pos and targets go with a list of words, not with a text")
    return each_chunk(text, lexicon, options, known)


def _check_words(words: object, lexicon: Lexicon) -> None:
    """Refuse what is no list of words; several texts in a list would have no answers, as no text is a word."""
    if isinstance(words, bytes) or not isinstance(words, Sequence):
        raise UsageError(f"the text is {quoted(repr(words))}; expected a text, or a list of words")
    for at, word in enumerate(words):
        if not isinstance(word, str) or len(word.split()) < 2 or len(_SPELT.findall(word)) < 2:
            continue
        if not any(entries_of(word, pos, lexicon) for pos in POS):
            raise UsageError(
                f"words[{at}] is {quoted(word)}, several words and no entry; expected the words of one sentence. "
                "disambiguate takes a text, disambiguate_many several."
            )


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
    return [sense for sense, _ in _answers(problem, x, answers, sentences)]


def _answers(
    problem: WordSenses, x: NDArray[np.int64], answers: Answers, sentences: range | None
) -> Iterator[tuple[Sense, list[Rival]]]:
    likely = posteriors(problem, x)
    for stage in problem.answered(x, sentences):
        sense = _sense(problem, stage, int(x[stage]), likely[stage], answers)
        if sense.confidence >= answers.min_confidence:
            yield sense, _rivals(problem, stage, int(x[stage]), likely[stage])


def _rivals(problem: WordSenses, stage: int, choice: int, likely: NDArray[np.float64]) -> list[Rival]:
    """Return the most probable other senses of a word."""
    lexicon, senses = problem.lexicon, problem.targets[stage].senses
    others = [at for at in np.argsort(-likely, kind="stable")[: POINTED + 1].tolist() if at != choice][:POINTED]
    synsets = lexicon.sense_synset[senses[others]].tolist()
    return [Rival(lexicon.name(synset), float(likely[at])) for at, synset in zip(others, synsets, strict=True)]


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

    synset = int(problem.lexicon.sense_synset[target.senses[choice]])
    return Sense(
        word=reading.surface,
        start=reading.start,
        end=reading.end,
        lemma=reading.lemma,
        pos=reading.pos,
        alternatives=tuple(Candidate(**fields(at)) for at in order),
        offset=problem.lexicon.offset(synset),
        lexname=problem.lexicon.lexname(synset),
        ili=problem.lexicon.ili(synset),
        **fields(choice),
    )


def confident_answers(problem: WordSenses, x: NDArray[np.int64], answers: Answers) -> dict[str, str]:
    """Return the sense key of each instance, by id, without those of less than the least confidence."""
    answer_of = problem.answers(x)
    # Posteriors of all words cost more than the answers.
    if answers.min_confidence <= 0:
        return answer_of
    sure = instance_confidences(problem, x, answers)
    return {name: key for name, key in answer_of.items() if sure[name] >= answers.min_confidence}


def instance_confidences(problem: WordSenses, x: NDArray[np.int64], answers: Answers) -> dict[str, float]:
    """Return the confidence of each instance of a corpus that has an answer, by id."""
    likely = posteriors(problem, x)
    return {
        str(target.token.id): _sense(problem, stage, int(x[stage]), likely[stage], answers).confidence
        for stage, target in enumerate(problem.targets)
    }
