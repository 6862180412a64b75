"""Senses in CoNLL-U: read from and written to the last column, MISC; every other byte of a file stays as it is.

    3  bank  bank  NOUN  NN  _  0  root  _  Sense=bank%1:17:01::|SenseConfidence=0.9312

A sense of several words is that of its first one, with the id of the last one in `SenseEnd`. A `Sense` without a
confidence was given by somebody: it is known, and stays. One with a confidence was found by an earlier run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from swarmkit import UsageError
from swarmkit_lexicon.cache import part_of_the_extra
from swarmkit_text.corpus import Sentence
from swarmkit_text.pieces import Piece
from swarmkit_text.sentences import AnnotatedWord, Reader, passage_sentence, read_annotations
from swarmkit_text.tokenizer import Passage, Word
from swarmkit_wsd.disambiguation import chunk_of, encode_ahead
from swarmkit_wsd.raw_text import lexicon_of, reader_of
from swarmkit_wsd_services.batches import Batch, LinesOfOutput, TaskAnswer
from swarmkit_wsd_services.conllu_pieces import BOM, EXPECTED, RawSentence, is_comment

if TYPE_CHECKING:
    from swarmkit_wsd.answers import Sense

SENSE, CONFIDENCE, END = "Sense", "SenseConfidence", "SenseEnd"
"""The attributes in MISC."""

EMPTY = "_"


class WordLine(NamedTuple):
    """A syntactic word: its annotation, the number of its line in the sentence, its id, and its known sense."""

    tags: AnnotatedWord
    line: int
    id: int
    known_key: str | None


class ParsedSentence(NamedTuple):
    """A sentence, and its words with their places in the text of its piece."""

    raw: RawSentence
    words: list[WordLine]

    @property
    def tagged(self) -> bool:
        """Whether every word has a part of speech."""
        return all(word.tags.tag for word in self.words)


class ConlluTask(NamedTuple):
    """Pieces of CoNLL-U files."""

    pieces: list[Piece[RawSentence]]

    @property
    def content(self) -> bytes:
        """The sentences as they are in the file."""
        return b"".join(sentence.content for piece in self.pieces for sentence in piece.core)

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return sum(len(piece.core) for piece in self.pieces)

    def answer(self, batch: Batch) -> TaskAnswer:
        """Return the sentences of the pieces, without their context, with senses."""
        pieces = [_parse(chain(*piece)) for piece in self.pieces]
        words = ([word.tags.word for word in item.words] for _, sentences in pieces for item in sentences if item.words)
        encode_ahead(words, batch.options)
        content = [_tag(batch, piece.core_range, *item) for piece, item in zip(self.pieces, pieces, strict=True)]
        return TaskAnswer(b"".join(content), self.sentences)

    @property
    def size(self) -> int:
        """The number of lines of its answers: answers change columns, never the number of lines."""
        return len(_lines(self.content))

    def check(self, output: LinesOfOutput) -> TaskAnswer:
        """Return the lines as the answer of an earlier run; refuse lines that differ in more than senses."""
        lines = _lines(self.content)[: len(output.lines)]
        if [*map(_bare, output.lines)] != [*map(_bare, lines)]:
            raise UsageError(f"{output.path} has other sentences than the input; expected the output of this input")
        return TaskAnswer(b"".join(output.lines), self.sentences)


def _parse(sentences: Iterable[RawSentence]) -> tuple[str, list[ParsedSentence]]:
    """Return the text of a piece, as far as it can be known, and its sentences."""
    text: list[str] = []
    at = 0
    parsed_sentences = []
    for raw in sentences:
        words = []
        for line, token in _tokens(raw):
            surface, misc = str(token["form"]), token.get("misc") or {}
            if not surface:
                raise UsageError(f"{raw.where}: a word without a form; expected {EXPECTED}")
            # Places count the text of the piece as it is made here: forms, and spaces unless SpaceAfter=No.
            place = Word(surface, at, at + len(surface))
            tags = [_value(token.get(name)) for name in ("upos", "xpos", "lemma")]
            known = misc.get(SENSE) if CONFIDENCE not in misc else None
            words.append(WordLine(AnnotatedWord(place, *tags), line, token["id"], known))
            text.append(surface + ("" if misc.get("SpaceAfter") == "No" else " "))
            at += len(text[-1])
        parsed_sentences.append(ParsedSentence(raw, words))
    return "".join(text), parsed_sentences


def _tokens(raw: RawSentence) -> Iterator[tuple[int, Any]]:
    """Iterate over the syntactic words of a sentence, as the library reads them, with the numbers of their lines.

    Multiword tokens (2-3) and empty nodes (2.1) are left out: the words of the sentence are the lines with one number.
    """
    conllu = part_of_the_extra("conllu")
    for number, content in enumerate(_lines(raw.content)):
        if not content.strip() or is_comment(content):
            continue
        line = content.removeprefix(BOM).decode()
        try:
            # The library takes two spaces for a tab.
            (token,) = conllu.parse_token_and_metadata(re.sub(" {2,}", " ", line))
        except conllu.exceptions.ParseException as error:
            raise UsageError(f"{raw.name}:{raw.first + number}: {error} Expected {EXPECTED}") from None
        # Ids of multiword tokens and empty nodes are tuples for the library.
        if isinstance(token["id"], int):
            yield number, token


def _lines(content: bytes) -> list[bytes]:
    """Return lines with their ends, which are line feeds alone."""
    return BytesIO(content).readlines()


def _value(field: Any) -> str:
    return "" if field is None or field == EMPTY else str(field)


def _tag(batch: Batch, core: range, text: str, sentences: Sequence[ParsedSentence]) -> bytes:
    """Return the sentences of a piece's core with senses; those of its context are disambiguated, too."""
    words = [word for sentence in sentences for word in sentence.words]
    known = {word.tags.word.start: word.known_key for word in words if word.known_key}
    lexicon, where = lexicon_of(batch.options), [""]
    reader = reader_of(lexicon, batch.options)

    # The sentence that is being read is remembered for the message of an error, which knows only words.
    def read() -> Iterator[Sentence]:
        for number, sentence in enumerate(sentences):
            where[0] = sentence.raw.where
            yield _sentence(text, sentence, reader, batch.options.is_english, f"d{number:03}")

    try:
        (chunk,) = batch.consult([chunk_of(read(), core, lexicon, batch.options, known)])
    except UsageError as error:
        raise UsageError(f"{where[0]}: {error}") from None
    answers = {sense.start: sense for sense in chunk.senses(batch.answers) if sense.start not in known}
    answered = sentences[core.start : core.stop]
    ends = {word.tags.word.end: word.id for sentence in answered for word in sentence.words}
    return b"".join(_lines_with(sentence, answers, ends) for sentence in answered)


def _sentence(text: str, sentence: ParsedSentence, reader: Reader, is_english: bool, name: str) -> Sentence:
    """Return a sentence with its targets: by the tags of the file, or by our own tagger if an English word has none."""
    words = [word.tags for word in sentence.words]
    if not words:
        return Sentence(name, ())
    # Other languages have no tagger of ours: a sentence without tags is read by rules all the same.
    if sentence.tagged or not is_english:
        return next(read_annotations(text, [words], reader, name))
    [(passage, analysis)] = reader.read_raw(iter([Passage(text, 0, [word.word for word in words])]))
    return passage_sentence(passage, name, analysis)


def _lines_with(sentence: ParsedSentence, answers: dict[int, Sense], ends: dict[int, int]) -> bytes:
    """Return the lines of a sentence with the answers to its words."""
    lines = _lines(sentence.raw.content)
    for word in sentence.words:
        if word.known_key:
            continue
        place = word.tags.word
        attributes = _attributes(answers[place.start], ends, word.id) if place.start in answers else []
        lines[word.line] = _with_misc(lines[word.line], attributes)
    return b"".join(lines)


def _attributes(sense: Sense, ends: dict[int, int], first: int) -> list[str]:
    attributes = [f"{SENSE}={sense.key}", f"{CONFIDENCE}={sense.confidence:.4f}"]
    last = ends.get(sense.end, first)
    return attributes if last == first else [*attributes, f"{END}={last}"]


def _with_misc(line: bytes, attributes: list[str]) -> bytes:
    r"""Return a line with these attributes at the end of its last column, in place of those of an earlier run.

    >>> _with_misc(b"1\tbank\tSenseConfidence=0.5|Sense=a|Gloss=x\n", ["Sense=b"])
    b'1\tbank\tGloss=x|Sense=b\n'
    """
    # Only the last column changes: every other byte, the end of the line included, stays.
    body = line.rstrip(b"\r\n")
    before, _, misc = body.decode().rpartition("\t")
    items = [] if misc in (EMPTY, "") else misc.split("|")
    rest = [item for item in items if item.partition("=")[0] not in (SENSE, CONFIDENCE, END)]
    if not attributes and rest == items:
        return line
    return f"{before}\t{'|'.join([*rest, *attributes]) or EMPTY}".encode() + line[len(body) :]


def _bare(line: bytes) -> bytes:
    """Return a line without its end, senses and confidences; an empty last column is written as `_`."""
    bare = _with_misc(line, []).rstrip(b"\r\n")
    return bare + EMPTY.encode() if bare.endswith(b"\t") else bare
