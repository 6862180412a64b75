"""The text by which a synset is encoded, and the contexts that its examples are."""

from __future__ import annotations

from collections.abc import Iterator

from swarmkit_lexicon.gloss_text import tokens
from swarmkit_lexicon.lexicon import Lexicon

EXAMPLES = 2
"""The number of examples that are part of the text of a synset."""


def gloss_words(lexicon: Lexicon, synset: int) -> tuple[list[str], list[str]]:
    """Return the lemmas of a synset, and its text as a list of words: lemmas, definition, examples.

    The i-th lemma is word 2 i of the text: 'depository financial institution', ',', 'bank', …, ':', 'a financial …'.
    """
    names = [name.replace("_", " ") for name in lexicon.words(synset)]
    text = [part for name in names for part in (name, ",")]
    text[-1:] = [":", lexicon.definition(synset)]
    for example in lexicon.examples(synset)[:EXAMPLES]:
        text += [";", example]
    return [name.replace(" ", "_").lower() for name in names], [part for part in text if part.strip()] or ["_"]


def example_contexts(lexicon: Lexicon, synset: int) -> Iterator[tuple[str, list[str], int, int]]:
    """Iterate over the examples of a synset in which one of its lemmas occurs: lemma, words, first and last + 1."""
    pos = lexicon.pos(synset)
    names = [name.lower() for name in lexicon.words(synset)]
    for example in lexicon.examples(synset):
        words = tokens(example)
        found = next((place for name in names if (place := _find(lexicon, words, name, pos))), None)
        if found is not None:
            yield found[0], words, found[1], found[2]


def _find(lexicon: Lexicon, words: list[str], lemma: str, pos: str) -> tuple[str, int, int] | None:
    """Return the first place where words are the lemma, its first or last word inflected."""
    parts = lemma.split("_")
    for at in range(len(words) - len(parts) + 1):
        here = words[at : at + len(parts)]
        if here == parts or lemma in lexicon.base_forms("_".join(here), pos) or _inflected(lexicon, here, parts, pos):
            return lemma, at, at + len(parts)
    return None


def _inflected(lexicon: Lexicon, here: list[str], parts: list[str], pos: str) -> bool:
    """Return whether words are an entry of several words whose first one is inflected: took place."""
    return len(parts) > 1 and here[1:] == parts[1:] and parts[0] in lexicon.base_forms(here[0], pos)
