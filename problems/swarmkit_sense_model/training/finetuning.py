"""Tuning of the encoder: all layers, on the words of the training corpora, with the first head of the score."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from swarmkit import write_atomically
from swarmkit_sense_model.training.dataset import Dataset
from swarmkit_sense_model.training.glosses import Glosses
from swarmkit_sense_model.training.network import Encoder, batches, descend, pad, pool
from swarmkit_sense_model.training.scoring import Counts, GlossHead, accuracy, candidates, cross_entropy, sense_drop

PIECES = 1500
"""Pieces of a batch."""

LARGE_BATCH = 3000
"""Pieces that are encoded at once when nothing is learnt."""

CHECKPOINT_STEPS = 100
"""Batches between two checkpoints."""

WARM_UP = 0.1
"""Share of the steps in which the learning rates rise; then they fall to 0, both linearly."""

RATES = {"encoder": 1e-4, "heads": 1e-3, "scalars": 1e-2}
"""The largest learning rates: with a common one, scalars hardly move."""

SENSE_DROP = 0.1
"""Share of the instances whose right sense is treated as unseen (count 0): sense-drop."""

Report = Callable[[str], None]


@dataclass
class Tuning:
    """An encoder, its head, and how far their training is."""

    encoder: Encoder
    head: GlossHead
    optimizer: torch.optim.Optimizer
    step: int = 0
    loss: float = float("nan")
    """Mean of the last batches, exponentially weighted."""

    def save(self, path: Path) -> None:
        """Write a checkpoint atomically."""
        buffer = io.BytesIO()
        parts = {name: getattr(self, name).state_dict() for name in ("encoder", "head", "optimizer")}
        torch.save({**parts, "step": self.step, "loss": self.loss, "random": torch.get_rng_state()}, buffer)
        write_atomically(path, buffer.getvalue())

    def restore(self, path: Path) -> None:
        """Continue from a checkpoint; nothing in it is executed."""
        state = torch.load(path, weights_only=True)
        for name in ("encoder", "head", "optimizer"):
            getattr(self, name).load_state_dict(state[name])
        self.step, self.loss = state["step"], state["loss"]
        torch.set_rng_state(state["random"])


def new_tuning(encoder: Encoder, seed: int) -> Tuning:
    """Return the beginning of a training; the seed decides the head's first weights and the dropout."""
    torch.manual_seed(seed)
    width = 2 * encoder.word.embedding_dim
    head = GlossHead(width, width)
    groups = [
        {"params": list(encoder.parameters()), "lr": RATES["encoder"]},
        {"params": [head.context.weight, head.gloss.weight], "lr": RATES["heads"]},
        {"params": [head.scale, head.prior], "lr": RATES["scalars"], "weight_decay": 0.0},
    ]
    return Tuning(encoder, head, torch.optim.AdamW(groups))


def tune(
    tuning: Tuning,
    data: Dataset,
    glosses: Glosses,
    counts: Counts,
    epochs: int,
    seed: int,
    folder: Path,
    report: Report,
) -> None:
    """Train for some epochs, with a checkpoint in `folder` now and then, from which a stopped training goes on."""
    checkpoint = folder / "tuning.pt"
    if checkpoint.is_file():
        tuning.restore(checkpoint)
    instances = _by_sequence(data)
    # The whole plan is drawn at once, so that a training that goes on has the same batches.
    plan = [
        batch
        for epoch in range(epochs)
        for batch in _batches(data, instances, PIECES, np.random.default_rng([seed, epoch]))
    ]
    # Those of a checkpoint were lowered already.
    peaks = [group["lr"] for group in tuning.optimizer.param_groups] if not tuning.step else list(RATES.values())
    tuning.encoder.train()
    while tuning.step < len(plan):
        batch = np.concatenate([instances[at] for at in plan[tuning.step]])
        choices = candidates(data, batch, counts)
        choices = choices.without(sense_drop(choices, SENSE_DROP, np.random.default_rng([seed, 1, tuning.step])))
        with torch.autocast("cpu", torch.bfloat16):
            x = context_vectors(tuning.encoder, data, plan[tuning.step], batch)
        scores = tuning.head(x, glosses.of(choices.senses), torch.from_numpy(data.pos[batch]).long(), choices)
        loss = cross_entropy(scores, choices)
        share = rate(tuning.step / len(plan))
        parameters = [*tuning.encoder.parameters(), *tuning.head.parameters()]
        descend(tuning.optimizer, loss, [peak * share for peak in peaks], limit=parameters)
        tuning.step += 1
        value = float(loss.detach())
        tuning.loss = value if math.isnan(tuning.loss) else 0.99 * tuning.loss + 0.01 * value
        if tuning.step % CHECKPOINT_STEPS == 0 or tuning.step == len(plan):
            tuning.save(checkpoint)
            report(f"tuning the encoder: {tuning.step / len(plan):.0%}, loss {tuning.loss:.3f}")
    tuning.encoder.eval()


def rate(progress: float) -> float:
    """Return the learning rate as a share of the largest one: linear warm-up, then linear decay.

    >>> rate(0.05), rate(0.1), rate(1.0)
    (0.5, 1.0, 0.0)
    """
    return progress / WARM_UP if progress < WARM_UP else (1.0 - progress) / (1.0 - WARM_UP)


def _by_sequence(data: Dataset) -> list[NDArray[np.int64]]:
    """Return the instances of each sequence."""
    order = np.argsort(data.sequence, kind="stable")
    ends = np.searchsorted(data.sequence[order], np.arange(len(data.sequences) + 1))
    return [order[begin:end] for begin, end in pairwise(ends)]


def _batches(
    data: Dataset, instances: list[NDArray[np.int64]], pieces: int, rng: np.random.Generator | None
) -> list[NDArray[np.int64]]:
    """Return the sequences that have instances, in batches; the last two arguments are those of `batches`."""
    sequences = np.flatnonzero([len(members) > 0 for members in instances])
    lengths = np.array([len(sequence.ids) for sequence in data.sequences])
    return [sequences[batch] for batch in batches(lengths[sequences], pieces, rng)]


def context_vectors(
    encoder: Encoder, data: Dataset, sequences: NDArray[np.int64], instances: NDArray[np.int64]
) -> Tensor:
    """Return the vectors of instances: the mean over their pieces beside that over their sentence.

    Args:
        encoder: the encoder.
        data: the dataset.
        sequences: the sequences to encode.
        instances: instances in these sequences, in the order of the sequences.
    """
    hidden = encoder(pad([data.sequences[at] for at in sequences]))
    row = {int(at): number for number, at in enumerate(sequences)}
    rows = torch.tensor([row[int(at)] for at in data.sequence[instances]])
    begin, end = (torch.from_numpy(side[instances]).long() for side in (data.begin, data.end))
    last = torch.tensor([len(data.sequences[at].ids) - 1 for at in sequences])[rows]
    return torch.cat([pool(hidden, rows, begin, end), pool(hidden, rows, torch.ones_like(begin), last)], -1)


def all_context_vectors(encoder: Encoder, data: Dataset) -> NDArray[np.float16]:
    """Return the vectors of all instances of a dataset."""
    encoder.eval()
    instances = _by_sequence(data)
    vectors = np.zeros((len(data), 2 * encoder.word.embedding_dim), np.float16)
    for sequences in _batches(data, instances, LARGE_BATCH, None):
        batch = np.concatenate([instances[at] for at in sequences])
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            vectors[batch] = context_vectors(encoder, data, sequences, batch).half().numpy()
    return vectors


def held_out_accuracy(tuning: Tuning, data: Dataset, glosses: Glosses, counts: Counts) -> float:
    """Return the share of right answers of the first head alone, without relations between words."""
    x = torch.from_numpy(all_context_vectors(tuning.encoder, data)).float()
    right = []
    for part in np.array_split(np.arange(len(data)), max(1, len(data) // 2000)):
        choices = candidates(data, part, counts)
        pos = torch.from_numpy(data.pos[part]).long()
        with torch.inference_mode():
            scores = tuning.head(x[part], glosses.of(choices.senses), pos, choices)
        right.append(accuracy(scores, choices))
    return float(torch.cat(right).float().mean())
