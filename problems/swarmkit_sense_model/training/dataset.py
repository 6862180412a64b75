"""Labelled texts, and WordNet's glosses and examples, in word pieces; instances with their candidates, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swarmkit import UsageError
from swarmkit_lexicon.gloss_text import tokens
from swarmkit_lexicon.lexicon import Lexicon
from swarmkit_sense_model.wordpiece import Pieces, WordPieces
from swarmkit_text.corpora.keys import read_keys
from swarmkit_text.corpora.reader import read_corpus
from swarmkit_text.corpora.semcor import LabelledText, is_semcor, read_semcor
from swarmkit_text.corpus import POS, Sentence

Ints = NDArray[np.int32]

EXAMPLES = 2
"""The number of examples that are part of the text of a synset."""


def read_labelled(paths: Iterable[Path]) -> list[LabelledText]:
    """Read the texts of corpora: SemCor's files, folders of them, the unified framework's XML with its key beside it.

    The key of `NAME.data.xml` is `NAME.gold.key.txt`.
    """
    texts = [text for path in paths for text in _read(path)]
    if not texts:
        raise UsageError("no labelled text found; expected SemCor's files, or *.data.xml beside *.gold.key.txt")
    return texts


def _read(path: Path) -> Iterator[LabelledText]:
    if path.is_dir():
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            if file.name.endswith(".data.xml") or is_semcor(file):
                yield from _read(file)
    elif not path.is_file():
        raise UsageError(f"{path}: no such file or folder")
    elif is_semcor(path):
        yield read_semcor(path)
    else:
        key = path.with_name(path.name.removesuffix(".data.xml") + ".gold.key.txt")
        if not key.is_file():
            raise UsageError(f"{path}: expected its key in {key.name}")
        entries = read_keys(key)
        for text in read_corpus(path).texts:
            ids = {str(token.id) for sentence in text.sentences for token in sentence.targets}
            yield LabelledText(text, {name: entries[name].keys for name in ids & set(entries)}, counted=False)


class Instance(NamedTuple):
    """A labelled word: its sentence and words, its candidates, and the right ones among them."""

    sentence: int
    first: int
    last: int
    senses: NDArray[np.int32]
    right: NDArray[np.bool_]
    document: int
    pos: int


@dataclass(frozen=True)
class Dataset:
    """Instances with at least two candidates, of which one at least is right."""

    sequences: list[Pieces]
    sequence: Ints
    """The sequence of each instance; `begin` and `end` count its pieces."""
    begin: Ints
    end: Ints
    document: Ints
    pos: Ints
    starts: NDArray[np.int64]
    """The candidates of instance i are at starts[i] to starts[i + 1] of `senses` and `right`."""
    senses: Ints
    right: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sequence)

    def subset(self, mask: NDArray[np.bool_]) -> Dataset:
        """Return the dataset of some of the instances."""
        sizes = np.diff(self.starts)
        flat = np.repeat(mask, sizes)
        return Dataset(
            sequences=self.sequences,
            sequence=self.sequence[mask],
            begin=self.begin[mask],
            end=self.end[mask],
            document=self.document[mask],
            pos=self.pos[mask],
            starts=np.concatenate([[0], np.cumsum(sizes[mask])]),
            senses=self.senses[flat],
            right=self.right[flat],
        )


def make_dataset(texts: Sequence[LabelledText], lexicon: Lexicon, pieces: WordPieces) -> Dataset:
    """Return the instances of labelled texts, without words of a single sense or whose sense is not in WordNet."""
    sentences: list[Sequence[str]] = []
    instances: list[Instance] = []
    for document, labelled in enumerate(texts):
        for sentence in labelled.text.sentences:
            instances += _instances(sentence, labelled, lexicon, (len(sentences), document))
            sentences.append([token.surface for token in sentence.tokens])
    return _arrays(sentences, instances, pieces)


def _instances(
    sentence: Sentence, labelled: LabelledText, lexicon: Lexicon, place: tuple[int, int]
) -> Iterator[Instance]:
    for at, token in enumerate(sentence.tokens):
        keys = labelled.keys.get(token.id or "", ())
        senses = lexicon.senses(token.lemma, token.pos) if keys and token.pos else np.empty(0, np.int32)
        if len(senses) > 1 and token.pos:
            right = np.isin(senses, [lexicon.sense_of_key(key) or -1 for key in keys])
            if right.any():
                yield Instance(place[0], at, at + 1, senses, right, place[1], POS.index(token.pos))


def ambiguous_senses(lexicon: Lexicon) -> NDArray[np.bool_]:
    """Return for each sense whether its word has several senses of one part of speech."""
    pos = lexicon.synset_pos[lexicon.sense_synset].astype(np.int64)
    pos[pos == ord("s")] = ord("a")
    words = np.asarray(lexicon.sense_lemma, np.int64) * 256 + pos
    _, word, number = np.unique(words, return_inverse=True, return_counts=True)
    return np.asarray(number[word] > 1)


def make_examples(lexicon: Lexicon, pieces: WordPieces) -> Dataset:
    """Return WordNet's examples as contexts; the only candidate of each is the sense that it is an example of."""
    sentences: list[Sequence[str]] = []
    instances: list[Instance] = []
    for synset in range(len(lexicon.synset_pos)):
        for lemma, words, first, last in example_contexts(lexicon, synset):
            senses = lexicon.senses(lemma)
            sense = senses[lexicon.sense_synset[senses] == synset][:1].astype(np.int32)
            instances.append(Instance(len(sentences), first, last, sense, np.ones(1, np.bool_), 0, 0))
            sentences.append(words)
    return _arrays(sentences, instances, pieces)


def _arrays(sentences: Sequence[Sequence[str]], instances: Sequence[Instance], pieces: WordPieces) -> Dataset:
    """Return the arrays; each instance belongs to the sequence of its sentence that holds its first piece."""
    sequences: list[Pieces] = []
    places: list[range] = []
    for parts in pieces.split(sentences) if sentences else []:
        places.append(range(len(sequences), len(sequences) + len(parts)))
        sequences += parts
    rows: list[tuple[int, int, int]] = []
    members: list[Instance] = []
    for instance in instances:
        first, last = instance.first, instance.last
        at = next((at for at in places[instance.sentence] if first in sequences[at].word), None)
        if at is not None:  # a word of characters that the tokenizer drops has no piece
            inside = np.flatnonzero((sequences[at].word >= first) & (sequences[at].word < last))
            rows.append((at, int(inside[0]), int(inside[-1]) + 1))
            members.append(instance)
    place = np.array(rows, np.int32).reshape(-1, 3)
    return Dataset(
        sequences=sequences,
        sequence=place[:, 0],
        begin=place[:, 1],
        end=place[:, 2],
        document=np.array([instance.document for instance in members], np.int32),
        pos=np.array([instance.pos for instance in members], np.int32),
        starts=np.concatenate([[0], np.cumsum([len(instance.senses) for instance in members], dtype=np.int64)]),
        senses=np.concatenate([np.empty(0, np.int32), *(instance.senses for instance in members)]),
        right=np.concatenate([np.empty(0, np.bool_), *(instance.right for instance in members)]),
    )


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
        place = next((place for name in names if (place := _find(lexicon, words, name, pos))), None)
        if place is not None:
            yield place[0], words, place[1], place[2]


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
