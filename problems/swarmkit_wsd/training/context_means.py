"""The second head of the score: the cosines of a context with the mean context of a sense and with its examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_wsd.training.dataset import Dataset
from swarmkit_wsd.training.scoring import DIMENSIONS, Candidates, Counts


class Means(NamedTuple):
    """What is known of each candidate's contexts."""

    number: Tensor
    """Of training contexts of the sense, without those of the instance's own document."""
    mean: Tensor
    """Their mean vector."""
    has_example: Tensor
    example: Tensor
    """The mean vector of the contexts in the sense's examples."""

    def without(self, dropped: Tensor) -> Means:
        """Return what is known if the candidates of a mask have no training context."""
        return self._replace(number=self.number.masked_fill(dropped, 0))


@dataclass(frozen=True)
class ContextTable:
    """Sums of the vectors of each sense's contexts: in the training corpora, in each document, in examples."""

    row: NDArray[np.int64]
    """The row of each sense in `sums`, -1 if it has no context."""
    sums: NDArray[np.float32]
    number: NDArray[np.int64]
    by_document: NDArray[np.float32]
    counts: Counts
    """Finds the row of a document and a sense in `by_document`."""
    example_row: NDArray[np.int64]
    examples: NDArray[np.float32]

    def of(self, documents: NDArray[np.int64], given: Candidates) -> Means:
        """Return the contexts of candidates.

        Args:
            documents: the document of each instance, whose contexts are left out; -1 for none.
            given: the candidates.
        """
        senses = given.senses.numpy()
        row = np.where(given.valid.numpy(), self.row[senses], -1)
        owner = np.broadcast_to(documents[:, None], senses.shape)
        own = np.where((row >= 0) & (owner >= 0), self.counts.place(owner, senses), -1)
        number = np.where(row >= 0, self.number[row], 0)
        sums = self.sums[row]
        here = own >= 0
        number[here] -= self.counts.times[own[here]]
        sums[here] -= self.by_document[own[here]]
        sums[number <= 0] = 0
        example = np.where(given.valid.numpy(), self.example_row[senses], -1)
        return Means(
            torch.from_numpy(np.maximum(number, 0)).float(),
            torch.from_numpy(sums),
            torch.from_numpy(example >= 0).float(),
            torch.from_numpy(np.where((example >= 0)[..., None], self.examples[example], 0)),
        )


class Labelled(NamedTuple):
    """Instances with the vectors of their contexts, and the counts by which their prior is computed."""

    data: Dataset
    vectors: NDArray[np.float16]
    counts: Counts


def context_table(training: Labelled, examples: Dataset, example_vectors: NDArray[np.float16]) -> ContextTable:
    """Return the sums of context vectors by sense.

    Args:
        training: the training instances.
        examples: WordNet's examples as contexts.
        example_vectors: theirs.
    """
    data, vectors, counts = training
    owner = np.repeat(np.arange(len(data)), np.diff(data.starts))[data.right]
    senses = data.senses[data.right].astype(np.int64)
    row, sums, number = _sums(senses, vectors[owner], len(counts.total))
    place = counts.place(data.document[owner].astype(np.int64), senses)
    by_document = np.zeros((len(counts.pairs), vectors.shape[1]), np.float32)
    inside = place >= 0
    np.add.at(by_document, place[inside], vectors[owner[inside]].astype(np.float32))
    example_row, example_sums, times = _sums(examples.senses.astype(np.int64), example_vectors, len(counts.total))
    example_means = np.asarray(example_sums / times[:, None], np.float32)
    return ContextTable(row, sums, number, by_document, counts, example_row, example_means)


def _sums(
    senses: NDArray[np.int64], vectors: NDArray[np.float16], count: int
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
    """Return the row of each sense, the sum of its vectors, and their number."""
    distinct, inverse, number = np.unique(senses, return_inverse=True, return_counts=True)
    sums = np.zeros((len(distinct), vectors.shape[1]), np.float32)
    np.add.at(sums, inverse, vectors.astype(np.float32))
    row = np.full(count, -1, np.int64)
    row[distinct] = np.arange(len(distinct))
    return row, sums, number


class ContextHead(nn.Module):
    """e^scale · n / (n + e^half_count) · cos(A x, A mean) + unseen · [n = 0] + e^example · cos(A x, A example mean)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.context = nn.Linear(2 * width, DIMENSIONS, bias=False)
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
