"""Training of the score's weights on the tuned encoder's vectors, which no longer change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from swarmkit_wsd.training.context_means import ContextHead, ContextTable, Labelled, Means
from swarmkit_wsd.training.dataset import Dataset
from swarmkit_wsd.training.finetuning import Report, rate
from swarmkit_wsd.training.glosses import Glosses
from swarmkit_wsd.training.scoring import (
    Candidates,
    GlossHead,
    accuracy,
    candidates,
    cross_entropy,
    log_prior,
)

BATCH = 512
RATES = {"projection": 1e-3, "scalars": 1e-2}
REFIT_STEPS = 300
REFIT_RATE = 0.02


class Heads(NamedTuple):
    """Both heads of the score, and what they look up."""

    gloss: GlossHead
    context: ContextHead
    glosses: Glosses
    table: ContextTable

    def scalars(self) -> list[Tensor]:
        """Return the weights of the score that are single numbers."""
        one, other = self.gloss, self.context
        return [one.scale, one.prior, other.scale, other.half_count, other.unseen, other.example]

    def scores(self, batch: NDArray[np.int64], given: Candidates, labelled: Labelled, means: Means) -> Tensor:
        """Return the scores of the candidates of some instances."""
        x = torch.from_numpy(labelled.vectors[batch]).float()
        pos = torch.from_numpy(labelled.data.pos[batch]).long()
        scores: Tensor = self.gloss(x, self.glosses.of(given.senses), pos, given) + self.context(x, means)
        return scores


def train_heads(heads: Heads, training: Labelled, epochs: int, seed: int, report: Report) -> None:
    """Train the projections and scalars of both heads.

    No sense is dropped here: the scalars are fitted to held-out documents later, whose unseen senses are real ones.
    """
    heads.context.context.weight.data.copy_(heads.gloss.context.weight.data)
    optimizer = torch.optim.AdamW(
        [
            {"params": [heads.context.context.weight], "lr": RATES["projection"]},
            {"params": [heads.gloss.context.weight, heads.gloss.gloss.weight], "lr": RATES["projection"]},
            {"params": heads.scalars(), "lr": RATES["scalars"], "weight_decay": 0.0},
        ]
    )
    peaks = [group["lr"] for group in optimizer.param_groups]
    plan = [part for epoch in range(epochs) for part in _parts(training.data, np.random.default_rng([seed, epoch]))]
    for step, batch in enumerate(plan):
        for group, peak in zip(optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * rate(step / len(plan))
        given = candidates(training.data, batch, training.counts)
        means = heads.table.of(training.data.document[batch].astype(np.int64), given)
        loss = cross_entropy(heads.scores(batch, given, training, means), given)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if (step + 1) % 100 == 0:
            report(f"training the heads: {(step + 1) / len(plan):.0%}, loss {float(loss.detach()):.3f}")


def _parts(data: Dataset, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return the instances in batches of similar numbers of candidates, in random order."""
    order = rng.permutation(len(data))
    order = order[np.argsort(np.diff(data.starts)[order], kind="stable")]
    parts = np.array_split(order, max(1, len(data) // BATCH))
    return [parts[at] for at in rng.permutation(len(parts))]


class Cosines(NamedTuple):
    """The parts of the score of held-out instances that do not change when scalars do."""

    given: Candidates
    pos: Tensor
    gloss: Tensor
    mean: Tensor
    example: Tensor
    means: Means

    def scores(self, heads: Heads) -> Tensor:
        """Return the scores with the heads' scalars."""
        prior = heads.gloss.prior[self.pos][:, None] * log_prior(self.given)
        contexts = heads.context.weighed(self.mean, self.example, self.means)
        return heads.gloss.scale.exp() * self.gloss + prior + contexts


def held_out_cosines(heads: Heads, labelled: Labelled, chosen: NDArray[np.int64]) -> Cosines:
    """Return the cosines of some held-out instances; all contexts of the training corpora count."""
    given = candidates(labelled.data, chosen, labelled.counts)
    x = torch.from_numpy(labelled.vectors[chosen]).float()
    parts: list[tuple[Tensor, ...]] = []
    with torch.no_grad():
        for rows in torch.arange(len(chosen)).split(BATCH):
            own = Candidates(*(one[rows] for one in given))
            context = functional.normalize(heads.gloss.context(x[rows]), dim=-1)[:, :, None]
            sense = functional.normalize(heads.gloss.gloss(heads.glosses.of(own.senses)), dim=-1)
            means = heads.table.of(np.full(len(rows), -1), own)
            mean, example = heads.context.cosines(x[rows], means)
            parts.append(((sense @ context)[..., 0], mean, example, means.number, means.has_example))
    gloss, mean, example, number, has_example = (torch.cat(one) for one in zip(*parts, strict=True))
    pos = torch.from_numpy(labelled.data.pos[chosen]).long()
    empty = torch.empty(0)
    return Cosines(given, pos, gloss, mean, example, Means(number, empty, has_example, empty))


def refit(heads: Heads, held_out: Labelled) -> tuple[float, float]:
    """Fit the scalars to held-out documents; return the shares of right answers before and after.

    The encoder has seen the training documents, so that what they say of its reliability is too good. The share after
    fitting is cross-validated: scalars fitted to one half of the documents answer the other half.
    """
    documents = np.unique(held_out.data.document)
    halves = [np.flatnonzero(np.isin(held_out.data.document, part)) for part in (documents[::2], documents[1::2])]
    cosines = [held_out_cosines(heads, held_out, half) for half in halves if len(half)]
    first = [one.detach().clone() for one in heads.scalars()]
    before = _accuracy(heads, cosines)
    right: list[Tensor] = []
    for own, other in ((0, -1), (-1, 0)):
        _set(heads, first)
        _fit(heads, [cosines[own]])
        with torch.no_grad():
            right.append(accuracy(cosines[other].scores(heads), cosines[other].given))
    _set(heads, first)
    _fit(heads, cosines)
    return before, float(torch.cat(right).float().mean())


def _set(heads: Heads, values: list[Tensor]) -> None:
    for scalar, value in zip(heads.scalars(), values, strict=True):
        scalar.data.copy_(value)


def _fit(heads: Heads, cosines: list[Cosines]) -> None:
    optimizer = torch.optim.Adam(heads.scalars(), lr=REFIT_RATE)
    for _ in range(REFIT_STEPS):
        loss = torch.stack([cross_entropy(part.scores(heads), part.given) for part in cosines]).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def _accuracy(heads: Heads, cosines: list[Cosines]) -> float:
    with torch.no_grad():
        right = [accuracy(part.scores(heads), part.given) for part in cosines]
    return float(torch.cat(right).float().mean())
