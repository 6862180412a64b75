"""The score of a sense in a context, in PyTorch: its two heads, what they look up, and the loss that is minimised.

The first head compares the context with the sense's gloss and adds the prior; the second one compares it with the mean
contexts of the sense and of its synset.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_lexicon.arrays import find_sorted
from swarmkit_sense_model.training.dataset import Dataset

Ints = NDArray[np.int64]

DIMENSIONS = 128
"""Of the space in which contexts and senses are compared."""


class Candidates(NamedTuple):
    """The candidates of some instances, padded to rows of equal length."""

    senses: Tensor
    valid: Tensor
    right: Tensor
    counts: Tensor
    """Of each sense in the training corpora, without the instance's own document."""

    def without(self, mask: Tensor) -> Candidates:
        """Return the candidates, those of a mask unseen: their counts are 0."""
        return self._replace(counts=self.counts.masked_fill(mask, 0))


class Counts:
    """Sense counts, in all and by document.

    Args:
        total: the count of each sense.
        data: instances whose own document is left out when their candidates are counted; None if that is not needed.
    """

    def __init__(self, total: Ints, data: Dataset | None = None) -> None:
        self.total = total
        self._width = len(total)
        pairs = np.empty(0, np.int64)
        if data is not None and len(data):
            documents = np.repeat(data.document, np.diff(data.starts))[data.right].astype(np.int64)
            pairs = documents * self._width + data.senses[data.right]
        self.pairs, self.times = np.unique(pairs, return_counts=True)

    def place(self, documents: Ints, senses: Ints) -> Ints:
        """Return the position of each pair of document and sense in `pairs`, -1 where it does not occur."""
        return find_sorted(self.pairs, documents * self._width + senses)

    def without(self, documents: Ints, senses: Ints) -> Ints:
        """Return the count of each sense without those in a document."""
        at = self.place(documents, senses)
        in_document = np.where(at >= 0, self.times[at], 0) if len(self.times) else 0
        return np.maximum(self.total[senses] - in_document, 0)


def candidates(data: Dataset, instances: Ints, counts: Counts) -> Candidates:
    """Return the candidates of some instances of a dataset."""
    sizes = np.diff(data.starts)[instances]
    valid = np.arange(sizes.max()) < sizes[:, None]
    flat = (data.starts[instances][:, None] + np.arange(sizes.max()))[valid]
    senses = np.zeros(valid.shape, np.int64)
    right = np.zeros(valid.shape, np.bool_)
    number = np.zeros(valid.shape, np.int64)
    senses[valid], right[valid] = data.senses[flat], data.right[flat]
    owner = np.repeat(data.document[instances].astype(np.int64), sizes)
    number[valid] = counts.without(owner, senses[valid])
    return Candidates(*map(torch.from_numpy, (senses, valid, right, number)))


def log_prior(choices: Candidates) -> Tensor:
    """Return the logarithm of each candidate's add-one share of the counts."""
    smoothed = (choices.counts + 1.0) * choices.valid
    return torch.log(smoothed.clamp(min=1e-9) / smoothed.sum(1, keepdim=True))


def sense_drop(choices: Candidates, share: float, rng: np.random.Generator) -> Tensor:
    """Return a mask of the candidates: the right senses of a random share of the instances."""
    return torch.from_numpy(rng.random(len(choices.senses)) < share)[:, None] & choices.right


def cross_entropy(scores: Tensor, choices: Candidates) -> Tensor:
    """Return the mean of -log P(one of the right senses), P the softmax over the candidates."""
    low = torch.finfo(scores.dtype).min
    total = scores.masked_fill(~choices.valid, low).logsumexp(1)
    return (total - scores.masked_fill(~choices.right, low).logsumexp(1)).mean()


def accuracy(scores: Tensor, choices: Candidates) -> Tensor:
    """Return for each instance whether the candidate of the largest score is right."""
    best = scores.masked_fill(~choices.valid, -torch.inf).argmax(1, keepdim=True)
    return choices.right.gather(1, best)[:, 0]


class GlossHead(nn.Module):
    """e^scale · cos(A x, B g) + weight · log prior, with a weight for each part of speech.

    Args:
        contexts: the dimensions of a context's vector x.
        glosses: those of a gloss's vector g.
    """

    def __init__(self, contexts: int, glosses: int) -> None:
        super().__init__()
        self.context = nn.Linear(contexts, DIMENSIONS, bias=False)
        self.gloss = nn.Linear(glosses, DIMENSIONS, bias=False)
        self.scale = nn.Parameter(torch.tensor(2.5))
        self.prior = nn.Parameter(torch.ones(4))

    def forward(self, x: Tensor, glosses: Tensor, pos: Tensor, choices: Candidates) -> Tensor:
        """Return the scores of the candidates.

        Args:
            x: the vectors of the contexts.
            glosses: those of the candidates' glosses.
            pos: the number of the part of speech of each instance.
            choices: the candidates.
        """
        context = functional.normalize(self.context(x), dim=-1)
        sense = functional.normalize(self.gloss(glosses), dim=-1)
        cosine = (sense @ context[:, :, None])[..., 0]
        return self.scale.exp() * cosine + self.prior[pos][:, None] * log_prior(choices)


class Means(NamedTuple):
    """What is known of each candidate's contexts; those of the instance's own document are left out."""

    number: Tensor
    """Of training contexts of the sense."""
    mean: Tensor
    """Their mean vector, or a multiple of it."""
    has_example: Tensor
    """1 where the synset has examples in WordNet, or training contexts of its other lemmas, else 0."""
    example: Tensor
    """The mean vector of these, or a multiple of it."""

    def without(self, mask: Tensor) -> Means:
        """Return what is known if the candidates of a mask have no training context."""
        return self._replace(number=self.number.masked_fill(mask, 0))


class Sums:
    """Sums of the vectors of contexts by key, over all documents and in each of them.

    Args:
        keys: the key of each context: its sense or synset.
        documents: the document of each context; -1 for none.
        vectors: those of the contexts.
        count: the number of keys.
    """

    def __init__(self, keys: Ints, documents: Ints, vectors: NDArray[np.float16], count: int) -> None:
        self._count = count
        present, self.sums, self.number = _group(keys, vectors)
        self.row = np.full(count, -1, np.int64)
        self.row[present] = np.arange(len(present))
        inside = documents >= 0
        self._pairs, self._by_document, self._times = _group(documents[inside] * count + keys[inside], vectors[inside])

    def of(self, documents: Ints, keys: Ints) -> tuple[Ints, NDArray[np.float32]]:
        """Return the number of contexts of each key and their sum, without those in a document.

        Args:
            documents: the document that is left out, -1 for none; of the same shape as `keys`.
            keys: the keys.
        """
        row = self.row[keys]
        number, sums = np.where(row >= 0, self.number[row], 0), np.where((row >= 0)[..., None], self.sums[row], 0)
        at = find_sorted(self._pairs, documents * self._count + keys)
        in_document = (at >= 0) & (documents >= 0)
        number[in_document] -= self._times[at[in_document]]
        sums[in_document] -= self._by_document[at[in_document]]
        sums[number <= 0] = 0  # not only nearly: what is left of a sum is rounding error
        return number, sums


def _group(keys: Ints, vectors: NDArray[np.float16]) -> tuple[Ints, NDArray[np.float32], Ints]:
    """Return the distinct keys, the sum of the vectors of each, and their number."""
    order = np.argsort(keys, kind="stable")
    distinct, first, number = np.unique(keys[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(vectors[order].astype(np.float32), first) if len(keys) else np.zeros((0, vectors.shape[1]))
    return distinct, np.asarray(sums, np.float32), number


@dataclass(frozen=True)
class ContextTable:
    """The contexts of senses in the training corpora, and those of synsets in the corpora and in WordNet's examples."""

    senses: Sums
    synsets: Sums
    synset: NDArray[np.int32]
    """Of each sense."""

    def of(self, documents: Ints, senses: Ints) -> tuple[Ints, NDArray[np.float32], Ints, NDArray[np.float32]]:
        """Return the number and sum of the contexts of senses, and of the other contexts of their synsets.

        Args:
            documents: the document whose contexts are left out, -1 for none; of the same shape as `senses`.
            senses: the senses.
        """
        number, sums = self.senses.of(documents, senses)
        shared, others = self.synsets.of(documents, self.synset[senses].astype(np.int64))
        shared -= number
        others -= sums
        others[shared <= 0] = 0
        return number, sums, shared, others

    def means(self, documents: Ints, choices: Candidates) -> Means:
        """Return the contexts of candidates.

        Args:
            documents: the document of each instance, whose contexts are left out; -1 for none.
            choices: the candidates.
        """
        senses = choices.senses.numpy()
        number, sums, shared, others = self.of(np.broadcast_to(documents[:, None], senses.shape), senses)
        return Means(
            torch.from_numpy(number).float(),
            torch.from_numpy(sums),
            torch.from_numpy(shared > 0).float(),
            torch.from_numpy(others),
        )


class LabelledContexts(NamedTuple):
    """Instances with the vectors of their contexts, and the counts by which their prior is computed."""

    data: Dataset
    vectors: NDArray[np.float16]
    counts: Counts


def context_table(
    training: LabelledContexts, examples: Dataset, example_vectors: NDArray[np.float16], synset: NDArray[np.int32]
) -> ContextTable:
    """Return the sums of context vectors by sense and by synset.

    Args:
        training: the training instances.
        examples: WordNet's examples as contexts.
        example_vectors: theirs.
        synset: the synset of each sense.
    """
    data = training.data
    owner = np.repeat(np.arange(len(data)), np.diff(data.starts))[data.right]
    senses, documents = data.senses[data.right].astype(np.int64), data.document[owner].astype(np.int64)
    vectors = training.vectors[owner]
    both = np.concatenate([synset[senses], synset[examples.senses]]).astype(np.int64)
    none = np.full(len(examples), -1)
    return ContextTable(
        Sums(senses, documents, vectors, len(synset)),
        Sums(
            both, np.concatenate([documents, none]), np.concatenate([vectors, example_vectors]), int(synset.max()) + 1
        ),
        synset,
    )


class ContextHead(nn.Module):
    """e^scale · n / (n + e^half_count) · cos(A x, A mean) + unseen · [n = 0] + e^example · cos(A x, A example)."""

    def __init__(self, contexts: int) -> None:
        super().__init__()
        self.context = nn.Linear(contexts, DIMENSIONS, bias=False)
        self.scale = nn.Parameter(torch.tensor(1.5))
        self.half_count = nn.Parameter(torch.tensor(0.0))
        self.unseen = nn.Parameter(torch.tensor(0.0))
        self.example = nn.Parameter(torch.tensor(0.0))

    def forward(self, x: Tensor, means: Means) -> Tensor:
        """Return what the contexts add to the scores of the candidates."""
        context = functional.normalize(self.context(x), dim=-1)[:, :, None]
        mean, example = (
            (functional.normalize(self.context(vectors), dim=-1) @ context)[..., 0]
            for vectors in (means.mean, means.example)
        )
        trust = means.number / (means.number + self.half_count.exp())
        score = self.scale.exp() * trust * mean + self.unseen * (means.number == 0)
        return score + self.example.exp() * means.has_example * example
