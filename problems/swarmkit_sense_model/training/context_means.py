"""The second head of the score: the cosines of a context with the mean context of a sense and of its synset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_sense_model.training.dataset import Dataset
from swarmkit_sense_model.training.scoring import DIMENSIONS, Candidates, Counts

Ints = NDArray[np.int64]


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

    def without(self, dropped: Tensor) -> Means:
        """Return what is known if the candidates of a mask have no training context."""
        return self._replace(number=self.number.masked_fill(dropped, 0))


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
        present, self.sums, self.number = _grouped(keys, vectors)
        self.row = np.full(count, -1, np.int64)
        self.row[present] = np.arange(len(present))
        inside = documents >= 0
        self._pairs, self._by_document, self._times = _grouped(
            documents[inside] * count + keys[inside], vectors[inside]
        )

    def of(self, documents: Ints, keys: Ints) -> tuple[Ints, NDArray[np.float32]]:
        """Return the number of contexts of each key and their sum, without those in a document.

        Args:
            documents: the document that is left out, -1 for none; of the same shape as `keys`.
            keys: the keys.
        """
        row = self.row[keys]
        number, sums = np.where(row >= 0, self.number[row], 0), np.where((row >= 0)[..., None], self.sums[row], 0)
        wanted = documents * self._count + keys
        at = np.minimum(np.searchsorted(self._pairs, wanted), len(self._pairs) - 1)
        own = (self._pairs[at] == wanted) & (documents >= 0)
        number[own] -= self._times[at[own]]
        sums[own] -= self._by_document[at[own]]
        sums[number <= 0] = 0
        return number, sums


def _grouped(keys: Ints, vectors: NDArray[np.float16]) -> tuple[Ints, NDArray[np.float32], Ints]:
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

    def means(self, documents: Ints, given: Candidates) -> Means:
        """Return the contexts of candidates.

        Args:
            documents: the document of each instance, whose contexts are left out; -1 for none.
            given: the candidates.
        """
        senses = given.senses.numpy()
        number, sums, shared, others = self.of(np.broadcast_to(documents[:, None], senses.shape), senses)
        return Means(
            torch.from_numpy(number).float(),
            torch.from_numpy(sums),
            torch.from_numpy(shared > 0).float(),
            torch.from_numpy(others),
        )


class Labelled(NamedTuple):
    """Instances with the vectors of their contexts, and the counts by which their prior is computed."""

    data: Dataset
    vectors: NDArray[np.float16]
    counts: Counts


def context_table(
    training: Labelled, examples: Dataset, example_vectors: NDArray[np.float16], synset: NDArray[np.int32]
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
            (functional.normalize(self.context(one), dim=-1) @ context)[..., 0] for one in (means.mean, means.example)
        )
        trust = means.number / (means.number + self.half_count.exp())
        seen = self.scale.exp() * trust * mean + self.unseen * (means.number == 0)
        return seen + self.example.exp() * means.has_example * example
