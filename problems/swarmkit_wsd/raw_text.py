"""The lexicon and the reader of a text's language: English by its tagger, others by their rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from swarmkit_lexicon.languages.lexicon import LanguageLexicon, open_language
from swarmkit_lexicon.lexicon import Lexicon as Lexicon
from swarmkit_lexicon.lexicon import open_lexicon as open_lexicon
from swarmkit_text.annotated import AnnotatedWord, read_annotated
from swarmkit_text.corpus import Sentence
from swarmkit_text.languages.sentences import read_language_annotated, read_language_text, read_language_words
from swarmkit_text.languages.splitting import split_rules
from swarmkit_text.sentences import read_sentences, read_words
from swarmkit_text.tokenizer import ENGLISH, Rules
from swarmkit_wsd.options import WsdOptions

if TYPE_CHECKING:
    from swarmkit_text.parts_of_speech import Classify


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


def sentences_of_annotated(
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
        return read_language_annotated(text, sentences, lexicon, name)
    return read_annotated(text, sentences, lexicon, name)
