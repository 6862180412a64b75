"""The content words and names of a text that the lexicon does not have."""

from __future__ import annotations

from swarmkit_lexicon.gloss_text import FUNCTION_WORDS
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_text.corpus import POS, Sentence, Token
from swarmkit_text.tagging import plain
from swarmkit_wsd.known import entries_of


def unknown_words(sentence: Sentence, lexicon: Lexicon) -> list[str]:
    """Return the content words of a sentence that have no entry, and the names, whole, that the lexicon does not have.

    Function words (some, like, any) are tagged as content words at times; they have no sense, but are no gap either.
    """
    covered_places = {
        place for token in sentence.targets for reading in token.readings for place in range(reading.start, reading.end)
    }
    names: list[list[Token]] = []
    for token in sentence.tokens:
        if token.id is not None or token.pos is None or token.start in covered_places or _is_listed(token, lexicon):
            continue
        # A name of several words is reported once, whole.
        if names and _are_one_name(names[-1][-1], token):
            names[-1].append(token)
        else:
            names.append([token])
    return [" ".join(token.surface for token in name) for name in names]


def _is_listed(token: Token, lexicon: Lexicon) -> bool:
    """Return whether a word that is left alone is nothing that the lexicon lacks: a mark, a function word, an entry."""
    surface = token.surface
    if not any(letter.isalpha() for letter in surface):
        return True
    if lexicon.language == "eng" and plain(surface) in FUNCTION_WORDS:
        return True
    # A capitalised word that is left alone is a name: WordNet may have the word, and not the name.
    return not surface[0].isupper() and any(entries_of(surface, pos, lexicon) for pos in POS)


def _are_one_name(left: Token, right: Token) -> bool:
    """Return whether two words of a text are capitalised and have nothing but a space between them."""
    return left.surface[0].isupper() and right.surface[0].isupper() and right.start - left.end == 1
