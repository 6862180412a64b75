"""Sentences with targets, from raw text of another language, from a list of words, or from tagged words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from swarmkit import UsageError, quoted
from swarmkit_lexicon.languages.lexicon import LanguageLexicon
from swarmkit_lexicon.languages.rules import NO_SPACES, entry_form
from swarmkit_text.annotated import AnnotatedWord
from swarmkit_text.corpus import POS, Sentence
from swarmkit_text.languages.readings import Annotation, Words, content_pos, read_options, sentence_words
from swarmkit_text.languages.splitting import split_rules
from swarmkit_text.readings import Option
from swarmkit_text.sentences import (
    CONTENT,
    FUNCTION,
    check_words,
    given_pos,
    make_token,
    passage_sentence,
    target_id,
    wanted_places,
)
from swarmkit_text.tokenizer import Passage, Word, split_passages


def read_language_text(text: str | Iterable[str], lexicon: LanguageLexicon, name: str = "d000") -> Iterator[Sentence]:
    """Iterate over the sentences of a raw text, with one in memory at a time.

    Args:
        text: the text, whole or in blocks, which are read when they are needed.
        lexicon: the lexicon of its language; words that have an entry are targets.
        name: the id of the text, with which the ids of sentences and targets begin.
    """
    if lexicon.language in NO_SPACES:
        raise UsageError(
            f"language '{lexicon.language}': its words are not separated by spaces, and nothing here separates "
            "them; expected a list of words, as disambiguate(words, language=…) takes it"
        )
    passages = split_passages([text] if isinstance(text, str) else text, split_rules(lexicon.language))
    for number, passage in enumerate(passages):
        yield _sentence(passage, sentence_words(passage.words), f"{name}.s{number:03}", lexicon)


def _sentence(passage: Passage, words: Words, name: str, lexicon: LanguageLexicon) -> Sentence:
    options = read_options(words, lexicon, passage.text)
    return passage_sentence(passage, name, content_pos(words, lexicon), options)


def read_language_annotations(
    text: str, sentences: Sequence[Sequence[AnnotatedWord]], lexicon: LanguageLexicon, name: str = "d000"
) -> Iterator[Sentence]:
    """Iterate over the sentences of a text whose words may have universal tags, which are binding, and lemmas.

    Args:
        text: the text.
        sentences: the words of each sentence.
        lexicon: the lexicon of its language.
        name: the id of the text.
    """
    for number, tagged in enumerate(sentences):
        words = sentence_words([word.word for word in tagged], [_annotation(word) for word in tagged])
        yield _sentence(Passage(text, 0, list(words.words)), words, f"{name}.s{number:03}", lexicon)


def _annotation(word: AnnotatedWord) -> Annotation:
    """Return what the universal tag and the lemma of a word say; other tags differ from language to language."""
    if word.universal and word.universal not in CONTENT and word.universal not in FUNCTION:
        raise UsageError(
            f"{quoted(word.word.surface)} has the tag {quoted(word.universal)}; expected a universal tag such as NOUN"
        )
    return Annotation(bool(word.universal), CONTENT.get(word.universal), word.lemma)


def read_language_words(
    words: Sequence[str],
    lexicon: LanguageLexicon,
    pos: Sequence[str | None] | None = None,
    targets: Iterable[int] | None = None,
    name: str = "d000",
) -> Sentence:
    """Return one sentence whose tokens are the given words; the arguments are those of `read_words`."""
    check_words(words)
    places = [Word(word, at, at + 1) for at, word in enumerate(words)]
    annotations = None if pos is None else [Annotation(True, tag) for tag in given_pos(pos, len(words))]
    sentence = sentence_words(places, annotations)
    options_of, tags = read_options(sentence, lexicon), content_pos(sentence, lexicon)
    answerable = range(len(words)) if targets is None else wanted_places(targets, len(words))
    identity = f"{name}.s000"
    tokens = []
    for at, word in enumerate(places):
        options = options_of[at] if at in answerable else []
        if targets is not None and at in answerable and not options:
            options = _any_options(word.surface, at, lexicon)
        tokens.append(make_token(word, tags[at], ((option, word) for option in options), target_id(identity, at)))
    return Sentence(identity, tuple(tokens))


def _any_options(surface: str, at: int, lexicon: LanguageLexicon) -> list[Option]:
    """Return any entries of a word that the user wants answered; if there is none, the word itself."""
    options = [Option(lemma, pos, 1.0, at) for pos in POS for lemma in lexicon.base_forms(surface, pos)]
    return options or [Option(entry_form(surface), "n", 1.0, at)]
