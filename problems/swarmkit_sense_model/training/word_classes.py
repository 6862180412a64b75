"""Training of the network that tells parts of speech from the tuned encoder's vectors, which no longer change.

It learns from every word of the texts in which words of all parts of speech have senses (in some of SemCor's only
verbs have): words with a sense have its part of speech, all others are none. Left out are entries of several words,
words without a sense that nearly always have one elsewhere, and capitalised words without a sense: names, and nouns
in a sense that WordNet lacks, should be taken for nouns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_sense_model.sentence_encoder import word_means
from swarmkit_sense_model.training.finetuning import Report
from swarmkit_sense_model.training.network import Encoder, batches, descend, pad
from swarmkit_sense_model.word_classes import CLASSES, LAYER, NAMES, PREFIX
from swarmkit_sense_model.wordpiece import Pieces, WordPieces
from swarmkit_text.corpora.semcor import LabelledText
from swarmkit_text.corpus import POS, Sentence, Token
from swarmkit_text.language import FUNCTION_WORDS

HIDDEN = 128
BATCH = 256
EPOCHS = 3
RATE = 2e-3
"""The learning rate at the beginning; it falls linearly to 0."""

PIECES = 8192
"""Padded pieces that are encoded at once."""

USUAL = 0.8
"""A word without a sense is left out if a larger share of its occurrences has one."""

NO_CLASS = -1
"""Stands for the class of a word that is not learnt from."""


class WordTable(NamedTuple):
    """Words of the corpora, their vectors and classes."""

    vectors: NDArray[np.float16]
    classes: NDArray[np.int64]
    document: NDArray[np.int64]

    def subset(self, mask: NDArray[np.bool_]) -> WordTable:
        """Return some of the words."""
        return WordTable(self.vectors[mask], self.classes[mask], self.document[mask])


def train_word_classes(
    encoder: Encoder,
    texts: Sequence[LabelledText],
    held_out: NDArray[np.int64],
    pieces: WordPieces,
    seed: int,
    report: Report,
) -> tuple[dict[str, NDArray[np.float32]], float | None]:
    """Return the network by the names of the model file, and the share of right classes in the held-out documents.

    There is no network if there is no text to learn from, and no share if none is held out.

    Args:
        encoder: the tuned encoder.
        texts: the training corpora.
        held_out: the numbers of the documents that the encoder has not seen; the network does not see them either.
        pieces: the tokenizer.
        seed: of the first weights and of the order of words.
        report: called with messages on the progress.
    """
    full = [at for at, labelled in enumerate(texts) if is_full(labelled)]
    if not set(full) - set(held_out.tolist()):
        report("no text in which words of all parts of speech have senses: parts of speech are left to the tagger")
        return {}, None
    report("encoding all words for their parts of speech")
    table = word_table(encoder, [(at, texts[at]) for at in full], pieces)
    aside = np.isin(table.document, held_out)
    network = fit(table.subset(~aside), seed)
    accuracy = share_right(network, table.subset(aside)) if aside.any() else None
    share = "nothing held out" if accuracy is None else f"{accuracy:.1%} right in the held-out documents"
    report(f"parts of speech: {share}")
    parameters = zip(NAMES, network.parameters(), strict=True)
    return {PREFIX + name: value.detach().numpy() for name, value in parameters}, accuracy


def word_table(encoder: Encoder, texts: Sequence[tuple[int, LabelledText]], pieces: WordPieces) -> WordTable:
    """Return all words of numbered texts that are learnt from."""
    encoder.eval()
    sentences = [(number, sentence) for number, labelled in texts for sentence in labelled.text.sentences]
    sequences_of = pieces.split([[token.surface for token in sentence.tokens] for _, sentence in sentences])
    content = content_words(sentence for _, sentence in sentences)
    classes = [
        np.array([word_class(token, content) for token in sentence.tokens], np.int64) for _, sentence in sentences
    ]
    # A sequence of the two marks alone has no words.
    sequences = [(at, part) for at, parts in enumerate(sequences_of) for part in parts if len(part.ids) > 2]
    lengths = np.array([len(sequence.ids) for _, sequence in sequences])
    tables: list[WordTable] = []
    for batch in batches(lengths, PIECES, None):
        for at, (words, means) in zip(batch, _means(encoder, [sequences[at][1] for at in batch]), strict=True):
            sentence = sequences[at][0]
            labels = classes[sentence][words]
            documents = np.full(len(labels), sentences[sentence][0])
            tables.append(WordTable(means.astype(np.float16), labels, documents).subset(labels != NO_CLASS))
    return WordTable(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))


def is_full(labelled: LabelledText) -> bool:
    """Return whether words of all parts of speech have senses."""
    return {token.pos for sentence in labelled.text.sentences for token in sentence.targets} >= set(POS)


def _means(encoder: Encoder, sequences: Sequence[Pieces]) -> Iterator[tuple[NDArray[Any], NDArray[np.float32]]]:
    """Iterate over the words of sequences, each sequence's with the means of their pieces' vectors."""
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        hidden = encoder(pad(sequences), LAYER).float().numpy()
    for rows, sequence in zip(hidden, sequences, strict=True):
        yield word_means(sequence, rows[: len(sequence.ids)])


def content_words(sentences: Iterable[Sentence]) -> frozenset[str]:
    """Return the words, in lower case, of whose occurrences more than the share `USUAL` have a sense."""
    tokens = [(token.surface.lower(), token.id is not None) for sentence in sentences for token in sentence.tokens]
    total, with_sense = Counter(word for word, _ in tokens), Counter(word for word, has_sense in tokens if has_sense)
    return frozenset(word for word, count in with_sense.items() if count > USUAL * total[word])


def word_class(token: Token, content: Collection[str]) -> int:
    """Return the number of a word's class; NO_CLASS for what is not learnt from.

    Args:
        token: the word.
        content: the words that usually have a sense, in lower case.
    """
    word = token.surface.lower()
    if " " in word or not (word == "%" or any(letter.isalpha() for letter in word)):
        return NO_CLASS
    if token.id is not None and token.pos is not None:
        return POS.index(token.pos)
    name = token.surface[0].isupper() and word not in FUNCTION_WORDS
    return NO_CLASS if name or word in content else CLASSES - 1


def fit(table: WordTable, seed: int) -> nn.Sequential:
    """Return the network, trained."""
    torch.manual_seed(seed)
    network = nn.Sequential(nn.Linear(table.vectors.shape[1], HIDDEN), nn.GELU(), nn.Linear(HIDDEN, CLASSES))
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE)
    orders = [np.random.default_rng([seed, epoch]).permutation(len(table.classes)) for epoch in range(EPOCHS)]
    plan = [part for order in orders for part in np.array_split(order, len(order) // BATCH + 1)]
    for step, batch in enumerate(plan):
        loss = functional.cross_entropy(network(_floats(table, batch)), torch.from_numpy(table.classes[batch]))
        descend(optimizer, loss, [RATE * (1 - step / len(plan))])
    return network


def share_right(network: nn.Sequential, table: WordTable) -> float:
    """Return the share of words whose most probable class is the right one."""
    parts = np.array_split(np.arange(len(table.classes)), len(table.classes) // 10_000 + 1)
    with torch.inference_mode():
        classes = np.concatenate([network(_floats(table, part)).argmax(-1).numpy() for part in parts])
    return float(np.mean(classes == table.classes))


def _floats(table: WordTable, rows: NDArray[np.int64]) -> Tensor:
    return torch.from_numpy(table.vectors[rows]).float()
