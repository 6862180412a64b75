"""What options name: the lexicon and the reader of the language, the texts, gold keys, the measure, the sense model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from swarmkit import UsageError, find, make_settings, read_text
from swarmkit_lexicon.languages.lexicon import LanguageLexicon, open_language
from swarmkit_lexicon.lexicon import Lexicon as Lexicon
from swarmkit_lexicon.lexicon import open_lexicon as open_lexicon
from swarmkit_text.annotated import AnnotatedWord, read_annotations
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpus import Corpus, Sentence, Text
from swarmkit_text.languages.sentences import read_language_annotations, read_language_text, read_language_words
from swarmkit_text.languages.splitting import split_rules
from swarmkit_text.sentences import read_sentences, read_words
from swarmkit_text.tokenizer import ENGLISH, Rules
from swarmkit_wsd.options import EXAMPLE, WsdOptions
from swarmkit_wsd.units import only_text

if TYPE_CHECKING:
    from swarmkit_sense_model.sense_model import SenseModel
    from swarmkit_text.corpora.keys import Entry
    from swarmkit_text.parts_of_speech import Classify
    from swarmkit_wsd.measures import Measure


def lexicon_of(options: WsdOptions) -> Lexicon:
    """Return the lexicon of the language that the options name."""
    if options.is_english:
        return open_lexicon(options.wordnet)
    return open_language(options.language, options.wordnet, options.wordnets)


def word_classifier(options: WsdOptions) -> Classify | None:
    """Return the classifier of raw text's words in the model that the options ask for; None if there is none."""
    if options.evidence == "none":
        return None
    from swarmkit_sense_model.sense_model import open_model

    model = open_model(options.model)
    return None if model.word_classes is None else model.sentences.classes


def splitting(lexicon: Lexicon) -> Rules:
    """Return the rules by which a text is split into sentences and words."""
    return split_rules(lexicon.language) if isinstance(lexicon, LanguageLexicon) else ENGLISH


def sentences_of_text(text: str | Iterable[str], lexicon: Lexicon, options: WsdOptions) -> Iterator[Sentence]:
    """Iterate over the sentences of a raw text.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        lexicon: the lexicon of its language.
        options: those of the problem.
    """
    if isinstance(lexicon, LanguageLexicon):
        return read_language_text(text, lexicon)
    return read_sentences(text, lexicon, options.tagger, classify=word_classifier(options))


def sentence_of_words(
    words: Sequence[str],
    lexicon: Lexicon,
    options: WsdOptions,
    pos: Sequence[str | None] | None = None,
    targets: Sequence[int] | None = None,
) -> Sentence:
    """Return one sentence whose tokens are the given words.

    Args:
        words: the words.
        lexicon: the lexicon of their language.
        options: those of the problem.
        pos: the part of speech of each word (None: not a content word).
        targets: the positions of the words to disambiguate.
    """
    if isinstance(lexicon, LanguageLexicon):
        return read_language_words(words, lexicon, pos, targets)
    return read_words(words, lexicon, pos, targets, options.tagger, classify=word_classifier(options))


def sentences_of_annotations(
    text: str, sentences: Sequence[Sequence[AnnotatedWord]], lexicon: Lexicon, name: str = "d000"
) -> Iterator[Sentence]:
    """Iterate over the sentences of a text that another program has tagged.

    Args:
        text: the text.
        sentences: the words of each sentence.
        lexicon: the lexicon of its language.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    if isinstance(lexicon, LanguageLexicon):
        return read_language_annotations(text, sentences, lexicon, name)
    return read_annotations(text, sentences, lexicon, name)


def read_texts(options: WsdOptions, lexicon: Lexicon) -> Corpus:
    """Return the corpus, the text or the file that the options name; without them the paper's example sentence."""
    if options.corpus is not None:
        return only_text(read_corpus(options.corpus), options.text_id)
    text = options.text
    if options.file is not None:
        text = read_text(options.file, "a file of text")
    elif text is None:
        text = EXAMPLE
    return Corpus("unified", (Text("d000", tuple(sentences_of_text(text, lexicon, options))),))


def gold_of(corpus: Corpus, gold: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return the entries of the corpus's instances: a corpus may be one text of several."""
    ids = [str(token.id) for _, token in corpus.targets()]
    missing = next((name for name in ids if name not in gold), None)
    if missing is not None:
        raise UsageError(f"the key has no entry for '{missing}' of the corpus; expected the key of this corpus")
    return {name: gold[name] for name in ids}


def make_measure(options: WsdOptions) -> Measure:
    """Return the measure of relatedness that the options name, with its parameters."""
    kind = find("measure", options.measure)
    measure: Measure = make_settings(kind, options.measure_params, f"measure '{options.measure}'")
    return measure


def model_of(options: WsdOptions, lexicon: Lexicon) -> SenseModel | None:
    """Return the model that the options ask for; one whose tables are for another WordNet is refused."""
    if options.evidence == "none":
        return None
    from swarmkit_sense_model.sense_model import open_model

    model = open_model(options.model)
    if model.facts.wordnet != lexicon.sha256:
        raise UsageError(
            f"the sense model is for another WordNet than this one ({lexicon.version}); expected the one it was "
            "trained with, or preset=fast, which needs no model"
        )
    return model
