"""The score of a sense in a context, in PyTorch, and the loss that training minimises."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_sense_model.training.dataset import Dataset

DIMENSIONS = 128
"""Of the space in which contexts and senses are compared."""


class Candidates(NamedTuple):
    """The candidates of some instances, padded to rows of equal length."""

    senses: Tensor
    valid: Tensor
    right: Tensor
    counts: Tensor
    """Of each sense in the training corpora, without the instance's own document."""

    def without(self, dropped: Tensor) -> Candidates:
        """Return the candidates, those of a mask unseen: their counts are 0."""
        return self._replace(counts=self.counts.masked_fill(dropped, 0))


class Counts:
    """Sense counts, in all and by document.

    Args:
        total: the count of each sense.
        data: instances whose own document is left out when their candidates are counted; None if that is not needed.
    """

    def __init__(self, total: NDArray[np.int64], data: Dataset | None = None) -> None:
        self.total = total
        self._width = len(total)
        owned = np.empty(0, np.int64)
        if data is not None and len(data):
            documents = np.repeat(data.document, np.diff(data.starts))[data.right].astype(np.int64)
            owned = documents * self._width + data.senses[data.right]
        self.pairs, self.times = np.unique(owned, return_counts=True)

    def place(self, documents: NDArray[np.int64], senses: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the position of each pair of document and sense in `pairs`, -1 where it does not occur."""
        wanted = documents * self._width + senses
        if not len(self.pairs):
            return np.full(wanted.shape, -1)
        at = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        return np.where(self.pairs[at] == wanted, at, -1)

    def without(self, documents: NDArray[np.int64], senses: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the count of each sense without those in a document."""
        at = self.place(documents, senses)
        own = np.where(at >= 0, self.times[at], 0) if len(self.times) else 0
        return np.maximum(self.total[senses] - own, 0)


def candidates(data: Dataset, chosen: NDArray[np.int64], counts: Counts) -> Candidates:
    """Return the candidates of some instances of a dataset."""
    sizes = np.diff(data.starts)[chosen]
    valid = np.arange(sizes.max()) < sizes[:, None]
    flat = (data.starts[chosen][:, None] + np.arange(sizes.max()))[valid]
    senses = np.zeros(valid.shape, np.int64)
    right = np.zeros(valid.shape, np.bool_)
    number = np.zeros(valid.shape, np.int64)
    senses[valid], right[valid] = data.senses[flat], data.right[flat]
    owner = np.repeat(data.document[chosen].astype(np.int64), sizes)
    number[valid] = counts.without(owner, senses[valid])
    return Candidates(*(torch.from_numpy(one) for one in (senses, valid, right, number)))


def log_prior(given: Candidates) -> Tensor:
    """Return the logarithm of each candidate's add-one share of the counts."""
    smoothed = (given.counts + 1.0) * given.valid
    return torch.log(smoothed.clamp(min=1e-9) / smoothed.sum(1, keepdim=True))


def dropped_senses(given: Candidates, share: float, rng: np.random.Generator) -> Tensor:
    """Return a mask of the candidates: the right senses of a random share of the instances."""
    return torch.from_numpy(rng.random(len(given.senses)) < share)[:, None] & given.right


def cross_entropy(scores: Tensor, given: Candidates) -> Tensor:
    """Return the mean of -log P(one of the right senses), P the softmax over the candidates."""
    low = torch.finfo(scores.dtype).min
    every = scores.masked_fill(~given.valid, low).logsumexp(1)
    return (every - scores.masked_fill(~given.right, low).logsumexp(1)).mean()


def accuracy(scores: Tensor, given: Candidates) -> Tensor:
    """Return for each instance whether the candidate of the largest score is right."""
    best = scores.masked_fill(~given.valid, -torch.inf).argmax(1, keepdim=True)
    return given.right.gather(1, best)[:, 0]


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

    def forward(self, x: Tensor, glosses: Tensor, pos: Tensor, given: Candidates) -> Tensor:
        """Return the scores of the candidates.

        Args:
            x: the vectors of the contexts.
            glosses: those of the candidates' glosses.
            pos: the number of the part of speech of each instance.
            given: the candidates.
        """
        context = functional.normalize(self.context(x), dim=-1)
        sense = functional.normalize(self.gloss(glosses), dim=-1)
        cosine = (sense @ context[:, :, None])[..., 0]
        return self.scale.exp() * cosine + self.prior[pos][:, None] * log_prior(given)
