"""What options name: the lexicon and the reader of the language, the texts, gold keys, the measure, the sense model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from swarmkit import UsageError, find, make_settings, read_text
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
    from swarmkit_sense_model.sense_model import SenseModel
    from swarmkit_text.corpora.keys import Entry
    from swarmkit_text.parts_of_speech import Classify
    from swarmkit_wsd.measures import Measure


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

    # The model's tables are rows for synsets by number, which mean nothing in another WordNet.
    model = open_model(options.model)
    if model.facts.wordnet != lexicon.sha256:
        raise UsageError(
            f"the sense model is for another WordNet than this one ({lexicon.version}); expected the one it was "
            "trained with, or preset=fast, which needs no model"
        )
    return model
