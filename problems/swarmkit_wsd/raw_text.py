"""What options name: the lexicon and the reader of the language, and the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swarmkit import read_text
from swarmkit_lexicon.languages.lexicon import LanguageLexicon, open_language
from swarmkit_lexicon.lexicon import Lexicon as Lexicon
from swarmkit_lexicon.lexicon import open_lexicon as open_lexicon
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpus import Corpus, Text
from swarmkit_text.english import EnglishReader
from swarmkit_text.languages.reader import LanguageReader
from swarmkit_text.sentences import Reader
from swarmkit_text.sentences import read_text as text_sentences
from swarmkit_wsd.options import EXAMPLE, WsdOptions
from swarmkit_wsd.units import only_text

if TYPE_CHECKING:
    from swarmkit_text.parts_of_speech import Classify


def lexicon_of(options: WsdOptions) -> Lexicon:
    """Return the lexicon of the language that the options name."""
    # For English the lexicon is WordNet itself.
    if options.is_english:
        return open_lexicon(options.wordnet)
    return open_language(options.language, options.wordnet, options.wordnets)


def word_classifier(options: WsdOptions) -> Classify | None:
    """Return the classifier of raw text's words in the model that the options ask for; None if there is none."""
    if options.evidence == "none":
        return None
    from swarmkit_sense_model.sense_model import open_model

    model = open_model(options.model)
    # Models of an older format have no classes of words.
    return None if model.word_classes is None else model.sentences.classes


def reader_of(lexicon: Lexicon, options: WsdOptions) -> Reader:
    """Return the reader of a lexicon's language."""
    if isinstance(lexicon, LanguageLexicon):
        return LanguageReader(lexicon)
    return EnglishReader(lexicon, options.tagger, word_classifier(options))


def read_texts(options: WsdOptions, lexicon: Lexicon) -> Corpus:
    """Return the corpus, the text or the file that the options name; without them the paper's example sentence."""
    if options.corpus is not None:
        return only_text(read_corpus(options.corpus), options.text_id)
    text = options.text
    if options.file is not None:
        text = read_text(options.file, "a file of text")
    elif text is None:
        text = EXAMPLE
    return Corpus("unified", (Text("d000", tuple(text_sentences(text, reader_of(lexicon, options)))),))
