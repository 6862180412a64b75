"""The spaCy component `swarmkit_wsd`: senses on tokens, documents and spans. The only module that imports spaCy.

Importing it registers the extensions `token._.sense`, `.synset`, `.gloss`, `.sense_confidence` and `doc._.senses`,
which are needed when a document is read again without the pipeline.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from swarmkit import FileName, Settings, UsageError, make_settings
from swarmkit_text.corpus import Sentence
from swarmkit_text.sentences import AnnotatedWord, Reader, read_annotations, read_text
from swarmkit_text.tokenizer import ENGLISH, Rules, Word, split_sentences
from swarmkit_wsd.answers import Answers, Sense
from swarmkit_wsd.disambiguation import chunks_of, encode_ahead
from swarmkit_wsd.options import Preset, WsdOptions
from swarmkit_wsd.raw_text import lexicon_of, reader_of

NAME = "swarmkit_wsd"
"""The component's name in spaCy."""

SPANS = "senses"
"""The group of spans that holds the senses of several tokens."""

OF_TOKENS = ("sense", "synset", "gloss", "sense_confidence")
"""The extensions of tokens, which hold strings and numbers: they are serialised with the document."""

STORAGE_KEY = "swarmkit_wsd.senses"
"""The key of `doc._.senses` in `doc.user_data`, which is serialised, too."""

BATCH = 256
"""Documents that are read together if `nlp.pipe` does not say how many."""

MOST_TOKENS = 4000
"""Tokens after which a batch ends: the encoder keeps several times as many."""

SOURCES = ("text", "file", "corpus", "key", "text_id")
"""Options of the problem that name a text: here it is the document."""


class ComponentSettings(Settings):
    """The settings of the component."""

    preset: Preset | None = None
    """`best`, `fast` or `paper`; by default the most accurate one that this installation can run."""
    model: FileName | None = None
    """A model that 'swarmkit wsd train' has written; otherwise the one in the package."""
    tags: Literal["auto", "doc", "own"] = "auto"
    """Where parts of speech and lemmas come from: the document, our own tagger, or (auto) the document if all of its
    words are tagged, otherwise our own tagger."""
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Words whose confidence is below this have no sense."""
    alternatives: Annotated[int, Field(ge=0)] = 0
    """The number of other senses that `doc._.senses` lists for each word."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Other options of the problem `wsd`, by name: {"wordnet": "WordNet-3.0/dict", "window": 20}."""


@Language.factory(
    NAME,
    assigns=["doc._.senses", "doc.spans", *(f"token._.{name}" for name in OF_TOKENS)],
    default_config=ComponentSettings().model_dump(),
)
def make_component(
    nlp: Language, name: str, preset: Any, model: Any, tags: Any, min_confidence: Any, alternatives: Any, options: Any
) -> SenseComponent:
    """Return the component for a pipeline; spaCy calls this with the values of its configuration.

    Args:
        nlp: the pipeline, whose language is that of the texts unless `options` name another one.
        name: the component's name in it.
        preset: this and the others are the fields of `ComponentSettings`, which validates them.
        model: see there.
        tags: see there.
        min_confidence: see there.
        alternatives: see there.
        options: see there.
    """
    values = {"preset": preset, "model": model, "tags": tags, "options": options}
    values |= {"min_confidence": min_confidence, "alternatives": alternatives}
    settings = make_settings(ComponentSettings, values, name)
    return SenseComponent(settings, name, "en" if nlp.lang in (None, "xx") else str(nlp.lang))


class SenseComponent:
    """Sets the senses of a document's words. Holds its settings alone: lexicon and model are opened when needed."""

    def __init__(self, settings: ComponentSettings, name: str = NAME, language: str = "en") -> None:
        register_extensions()
        self.settings, self.name = settings, name
        self.options = _problem_options(settings, name, language)
        self.answers = Answers(settings.min_confidence, settings.alternatives)

    def __call__(self, doc: Doc) -> Doc:
        """Set the senses of a document, and return it."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = BATCH) -> Iterator[Doc]:
        """Set the senses of documents, in order; the sentence encoder reads those of a batch together.

        Args:
            stream: the documents.
            batch_size: how many of them are read together. It changes the speed, never a sense.
        """
        lexicon = lexicon_of(self.options)
        reader = reader_of(lexicon, self.options)
        for batch in _batches(stream, batch_size):
            # One document alone is encoded where it is answered.
            if len(batch) > 1:
                encode_ahead((words for doc in batch for words in self._words(doc)), self.options)
            for doc in batch:
                chunks = chunks_of(self._sentences(doc, reader), lexicon, self.options)
                set_senses(doc, [sense for chunk in chunks for sense in chunk.senses(self.answers)])
                yield doc

    def _words(self, doc: Doc) -> Iterable[Sequence[Word]]:
        """Return the words of each sentence of a document, as the encoder reads them."""
        if self._uses_tags(doc):
            return [[word.word for word in words] for words in annotated_sentences(doc)]
        return split_sentences(doc.text)

    def _sentences(self, doc: Doc, reader: Reader) -> Iterable[Sentence]:
        """Return the sentences of a document with the words to disambiguate, by its own tags or by our tagger."""
        if self._uses_tags(doc):
            return read_annotations(doc.text, annotated_sentences(doc, reader.rules), reader)
        return read_text(doc.text, reader)

    def _uses_tags(self, doc: Doc) -> bool:
        """Return whether the parts of speech are those of the document."""
        if self.settings.tags == "own":
            return False
        english = self.options.is_english  # whose tags are known, too; other languages have tags of their own
        bare = next((token for token in doc if not (token.pos or (english and token.tag) or token.is_space)), None)
        if bare is not None and self.settings.tags == "doc":
            raise UsageError(
                f"{self.name}: token {bare.i} ({bare.text!r}) has no tag; expected token.pos_ "
                f"{'or token.tag_ ' if english else ''}on every word with tags='doc'. A tagger has to "
                "come before this component, or tags='auto' uses our own."
            )
        return bare is None


def _batches(stream: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    """Iterate over documents in batches of at most `size`; one ends early if it has MOST_TOKENS."""
    batch: list[Doc] = []
    tokens = 0
    for doc in stream:
        if batch and (len(batch) >= size or tokens + len(doc) > MOST_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(doc)
        tokens += len(doc)
    if batch:
        yield batch


def _problem_options(settings: ComponentSettings, name: str, language: str) -> WsdOptions:
    """Return the options of the problem, without which nothing is opened; a source of text is refused."""
    # Two places for one setting could contradict each other.
    wrong = next((option for option in settings.options if option in (*SOURCES, "preset", "model")), None)
    if wrong in SOURCES:
        raise UsageError(f"{name}: options: '{wrong}' names a text; expected none, since the text is the document")
    if wrong is not None:
        raise UsageError(f"{name}: options: '{wrong}' is a setting of its own; expected it beside 'options'")
    values = {key: value for key in ("preset", "model") if (value := getattr(settings, key)) is not None}
    return make_settings(WsdOptions, {"language": language} | values | settings.options, f"{name}: options")


def register_extensions() -> None:
    """Register the extensions; a name that another package uses in another way is refused."""
    extensions: list[tuple[type[Token] | type[Doc], str, dict[str, Any]]] = [
        *((Token, name, {"default": None}) for name in OF_TOKENS),
        (Doc, "senses", {"getter": stored_senses}),
    ]
    for owner, name, kind in extensions:
        if not owner.has_extension(name):
            owner.set_extension(name, **kind)
        elif not _is_same_extension(owner.get_extension(name), kind.get("getter")):
            raise UsageError(
                f"the extension '{name}' of spaCy's {owner.__name__} is registered by another component; expected "
                f"none of that name: {owner.__name__}.remove_extension('{name}') removes it"
            )


def _is_same_extension(extension: tuple[Any, ...], getter: Callable[[Doc], Any] | None) -> bool:
    """Return whether an extension is one of this module, which may have been reloaded: functions are known by name."""
    names = [getattr(function, "__qualname__", function) for function in (extension[2], getter)]
    return names[0] == names[1] and [extension[at] for at in (0, 1, 3)] == [None] * 3


def stored_senses(doc: Doc) -> list[dict[str, Any]]:
    """Return the senses of a document as `doc._.senses`: for each the fields of `Sense`; none if there was no run.

    spaCy reads lists again as lists or as tuples; here they are lists.
    """
    return [sense | {"alternatives": list(sense["alternatives"])} for sense in doc.user_data.get(STORAGE_KEY, ())]


def annotated_sentences(doc: Doc, rules: Rules = ENGLISH) -> list[list[AnnotatedWord]]:
    """Return the words of a document with their tags and lemmas, by its sentences; without these, by our own rules."""
    if doc.has_annotation("SENT_START"):
        spans = [list(sentence) for sentence in doc.sents]
    else:
        starts = [words[0].start for words in split_sentences(doc.text, rules)]
        spans = [[] for _ in starts] or [[]]
        for token in doc:
            # A token before the first sentence of ours, a space, belongs to it.
            spans[max(0, bisect_right(starts, token.idx) - 1)].append(token)
    words = [[_annotation(token) for token in span if not token.is_space] for span in spans]
    return [sentence for sentence in words if sentence]


def _annotation(token: Token) -> AnnotatedWord:
    return AnnotatedWord(Word(token.text, token.idx, token.idx + len(token.text)), token.pos_, token.tag_, token.lemma_)


def set_senses(doc: Doc, senses: Iterable[Sense]) -> None:
    """Set the senses of a document: on its tokens, in `doc._.senses`, and as spans where they cover several tokens.

    A sense that begins or ends within a token is that of the whole token; of two senses within one token the first is
    the token's.
    """
    if STORAGE_KEY in doc.user_data:  # senses of an earlier pipeline
        for token in doc:
            token._.sense = token._.synset = token._.gloss = token._.sense_confidence = None
    starts = [token.idx for token in doc]
    groups, rows = [], []
    for sense in senses:
        rows.append(sense.model_dump(mode="json"))
        # Tokens of spaCy and words of ours may be cut in different places.
        first, end = max(0, bisect_right(starts, sense.start) - 1), bisect_left(starts, sense.end)
        for token in doc[first:end]:
            # The first sense of a token is kept.
            if token._.sense is None:
                token._.sense, token._.synset = sense.key, sense.synset
                token._.gloss, token._.sense_confidence = sense.gloss, sense.confidence
        if end - first > 1:
            groups.append(Span(doc, first, end, label=sense.key, kb_id=sense.synset))
    doc.user_data[STORAGE_KEY] = rows
    doc.spans[SPANS] = groups


register_extensions()
