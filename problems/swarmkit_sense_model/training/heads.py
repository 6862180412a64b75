"""Training of the score's weights on the tuned encoder's vectors, which no longer change."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from swarmkit import write_atomically
from swarmkit_sense_model.training.dataset import Dataset
from swarmkit_sense_model.training.finetuning import Report, rate
from swarmkit_sense_model.training.glosses import Glosses
from swarmkit_sense_model.training.network import descend
from swarmkit_sense_model.training.scoring import (
    DIMENSIONS,
    Candidates,
    ContextHead,
    ContextTable,
    GlossHead,
    LabelledContexts,
    Means,
    accuracy,
    candidates,
    cross_entropy,
    sense_drop,
)

BATCH = 512
ROWS = 10_000
"""Vectors of glosses that are read at once."""

RATES = {"projection": 2e-3, "scalars": 1e-2}

RELATION_WEIGHT = 0.5
"""The first weight of the texts of related synsets, beside that of a synset's own text."""

SENSE_DROP = 0.05
"""Share of the instances whose right sense is treated as unseen: sense-drop, as in tuning, where it is larger."""


class Heads(NamedTuple):
    """Both heads of the score, and what they look up."""

    gloss: GlossHead
    context: ContextHead
    glosses: Glosses
    table: ContextTable

    def scalars(self) -> list[Tensor]:
        """Return the weights of the score that are single numbers."""
        gloss, context = self.gloss, self.context
        return [gloss.scale, gloss.prior, context.scale, context.half_count, context.unseen, context.example]

    def projections(self) -> list[Tensor]:
        """Return the matrices by which contexts, glosses and means of contexts are projected."""
        return [self.gloss.context.weight, self.gloss.gloss.weight, self.context.context.weight]

    def scores(self, batch: NDArray[np.int64], choices: Candidates, labelled: LabelledContexts, means: Means) -> Tensor:
        """Return the scores of the candidates of some instances."""
        x = torch.from_numpy(labelled.vectors[batch]).float()
        pos = torch.from_numpy(labelled.data.pos[batch]).long()
        scores: Tensor = self.gloss(x, self.glosses.of(choices.senses), pos, choices) + self.context(x, means)
        return scores

    def save(self, path: Path) -> None:
        """Write the weights atomically."""
        buffer = io.BytesIO()
        torch.save({"gloss": self.gloss.state_dict(), "context": self.context.state_dict()}, buffer)
        write_atomically(path, buffer.getvalue())

    def restore(self, path: Path) -> None:
        """Take the weights from a file; nothing in it is executed."""
        state = torch.load(path, weights_only=True)
        self.gloss.load_state_dict(state["gloss"])
        self.context.load_state_dict(state["context"])


def new_heads(glosses: Glosses, table: ContextTable) -> Heads:
    """Return the heads before training: one projection, the principal directions of glosses, for all vectors.

    Contexts and glosses come from the same encoder, so that one projection of both is a better beginning than two
    random ones. The texts of related synsets begin with the projection of a synset's own text, times `RELATION_WEIGHT`.
    """
    start = principal_directions(glosses)
    heads = Heads(GlossHead(start.shape[1], glosses.width), ContextHead(start.shape[1]), glosses, table)
    text = start[:, start.shape[1] // 2 :]
    heads.gloss.gloss.weight.data = torch.cat([start, *[RELATION_WEIGHT * text for _ in glosses.related]], 1)
    heads.gloss.context.weight.data = start.clone()
    heads.context.context.weight.data = start.clone()
    return heads


def principal_directions(glosses: Glosses) -> Tensor:
    """Return the directions in which the vectors of all senses (lemma, text) vary most, one a row, largest first."""
    base = glosses._replace(related=())
    total, products = (
        torch.zeros(base.width, dtype=torch.double),
        torch.zeros((base.width,) * 2, dtype=torch.double),
    )
    for part in np.array_split(np.arange(len(base.lemma)), len(base.lemma) // ROWS + 1):
        rows = base.of(torch.from_numpy(part)).double()
        total += rows.sum(0)
        products += rows.T @ rows
    mean = total / len(base.lemma)
    _, directions = torch.linalg.eigh(products / len(base.lemma) - torch.outer(mean, mean))
    return directions.T.flip(0)[:DIMENSIONS].float()


def train_heads(heads: Heads, training: LabelledContexts, epochs: int, seed: int, report: Report) -> None:
    """Train the projections and scalars of both heads."""
    optimizer = torch.optim.AdamW(
        [
            {"params": heads.projections(), "lr": RATES["projection"]},
            {"params": heads.scalars(), "lr": RATES["scalars"], "weight_decay": 0.0},
        ]
    )
    peaks = [group["lr"] for group in optimizer.param_groups]
    plan = [part for epoch in range(epochs) for part in _parts(training.data, np.random.default_rng([seed, epoch]))]
    for step, batch in enumerate(plan):
        choices = candidates(training.data, batch, training.counts)
        means = heads.table.means(training.data.document[batch].astype(np.int64), choices)
        mask = sense_drop(choices, SENSE_DROP, np.random.default_rng([seed, 2, step]))
        loss = cross_entropy(heads.scores(batch, choices.without(mask), training, means.without(mask)), choices)
        descend(optimizer, loss, [peak * rate(step / len(plan)) for peak in peaks])
        if (step + 1) % 100 == 0:
            report(f"training the heads: {(step + 1) / len(plan):.0%}, loss {float(loss.detach()):.3f}")


def _parts(data: Dataset, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Return the instances in batches of similar numbers of candidates, in random order."""
    order = rng.permutation(len(data))
    order = order[np.argsort(np.diff(data.starts)[order], kind="stable")]
    parts = np.array_split(order, max(1, len(data) // BATCH))
    return [parts[at] for at in rng.permutation(len(parts))]


def share_right(heads: Heads, held_out: LabelledContexts) -> float:
    """Return the share of right answers in held-out documents, without relations between words."""
    right: list[Tensor] = []
    with torch.inference_mode():
        for batch in np.array_split(np.arange(len(held_out.data)), len(held_out.data) // BATCH + 1):
            choices = candidates(held_out.data, batch, held_out.counts)
            means = heads.table.means(np.full(len(batch), -1), choices)
            right.append(accuracy(heads.scores(batch, choices, held_out, means), choices))
    return float(torch.cat(right).float().mean())
