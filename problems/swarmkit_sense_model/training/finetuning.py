"""Tuning of the encoder: all layers, on the words of the training corpora, with the first head of the score."""

from __future__ import annotations

import io
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
from swarmkit_sense_model.training.network import Encoder, batches, padded, pooled
from swarmkit_sense_model.training.scoring import Counts, GlossHead, accuracy, candidates, cross_entropy, dropped_senses

PIECES = 1500
"""Pieces of a batch."""

ENCODED = 3000
"""Pieces that are encoded at once when nothing is learnt."""

SAVED_EVERY = 100
"""Batches between two checkpoints."""

WARM_UP = 0.1
"""Share of the steps in which the learning rates rise; then they fall to 0, both linearly."""

RATES = {"encoder": 1e-4, "heads": 1e-3, "scalars": 1e-2}
"""The largest learning rates: with a common one, scalars hardly move."""

DROPPED = 0.1
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
        held = torch.load(path, weights_only=True)
        for name in ("encoder", "head", "optimizer"):
            getattr(self, name).load_state_dict(held[name])
        self.step, self.loss = held["step"], held["loss"]
        torch.set_rng_state(held["random"])


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
    saved = folder / "tuning.pt"
    if saved.is_file():
        tuning.restore(saved)
    lengths = np.array([len(one.ids) for one in data.sequences])
    owners = _by_sequence(data)
    used = np.flatnonzero([len(own) > 0 for own in owners])
    plan = [
        used[batch]
        for epoch in range(epochs)
        for batch in batches(lengths[used], PIECES, np.random.default_rng([seed, epoch]))
    ]
    peaks = [group["lr"] for group in tuning.optimizer.param_groups] if not tuning.step else list(RATES.values())
    tuning.encoder.train()
    while tuning.step < len(plan):
        for group, peak in zip(tuning.optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * rate(tuning.step / len(plan))
        chosen = np.concatenate([owners[at] for at in plan[tuning.step]])
        given = candidates(data, chosen, counts)
        given = given.without(dropped_senses(given, DROPPED, np.random.default_rng([seed, 1, tuning.step])))
        with torch.autocast("cpu", torch.bfloat16):
            x = context_vectors(tuning.encoder, data, plan[tuning.step], chosen)
        scores = tuning.head(x, glosses.of(given.senses), torch.from_numpy(data.pos[chosen]).long(), given)
        loss = cross_entropy(scores, given)
        tuning.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        parameters = [*tuning.encoder.parameters(), *tuning.head.parameters()]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        tuning.optimizer.step()
        tuning.step += 1
        value = float(loss.detach())
        tuning.loss = value if tuning.loss != tuning.loss else 0.99 * tuning.loss + 0.01 * value
        if tuning.step % SAVED_EVERY == 0 or tuning.step == len(plan):
            tuning.save(saved)
            report(f"tuning the encoder: {tuning.step / len(plan):.0%}, loss {tuning.loss:.3f}")
    tuning.encoder.eval()


def rate(done: float) -> float:
    """Return the learning rate as a share of the largest one: linear warm-up, then linear decay.

    >>> rate(0.05), rate(0.1), rate(1.0)
    (0.5, 1.0, 0.0)
    """
    return done / WARM_UP if done < WARM_UP else (1.0 - done) / (1.0 - WARM_UP)


def _by_sequence(data: Dataset) -> list[NDArray[np.int64]]:
    """Return the instances of each sequence."""
    order = np.argsort(data.sequence, kind="stable")
    ends = np.searchsorted(data.sequence[order], np.arange(len(data.sequences) + 1))
    return [order[begin:end] for begin, end in pairwise(ends)]


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
    hidden = encoder(padded([data.sequences[at] for at in sequences]))
    row = {int(at): number for number, at in enumerate(sequences)}
    rows = torch.tensor([row[int(at)] for at in data.sequence[instances]])
    begin, end = (torch.from_numpy(side[instances]).long() for side in (data.begin, data.end))
    last = torch.tensor([len(data.sequences[at].ids) - 1 for at in sequences])[rows]
    return torch.cat([pooled(hidden, rows, begin, end), pooled(hidden, rows, torch.ones_like(begin), last)], -1)


def all_context_vectors(encoder: Encoder, data: Dataset) -> NDArray[np.float16]:
    """Return the vectors of all instances of a dataset."""
    encoder.eval()
    owners = _by_sequence(data)
    used = np.flatnonzero([len(own) > 0 for own in owners])
    lengths = np.array([len(one.ids) for one in data.sequences])
    found = np.zeros((len(data), 2 * encoder.word.embedding_dim), np.float16)
    for batch in batches(lengths[used], ENCODED, None):
        chosen = np.concatenate([owners[at] for at in used[batch]])
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            found[chosen] = context_vectors(encoder, data, used[batch], chosen).half().numpy()
    return found


def held_out_accuracy(tuning: Tuning, data: Dataset, glosses: Glosses, counts: Counts) -> float:
    """Return the share of right answers of the first head alone, without relations between words."""
    x = torch.from_numpy(all_context_vectors(tuning.encoder, data)).float()
    right = []
    for part in np.array_split(np.arange(len(data)), max(1, len(data) // 2000)):
        given = candidates(data, part, counts)
        with torch.inference_mode():
            scores = tuning.head(x[part], glosses.of(given.senses), torch.from_numpy(data.pos[part]).long(), given)
        right.append(accuracy(scores, given))
    return float(torch.cat(right).float().mean())
