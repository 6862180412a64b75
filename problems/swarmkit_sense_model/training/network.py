"""The encoder as a PyTorch module, with dropout and gradients; `swarmkit_sense_model.transformer` is the same in numpy.

BERT (Devlin et al. 2019) with the sizes of MiniLM (Wang et al. 2020): 6 layers, 384 dimensions, 12 heads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from swarmkit_sense_model.wordpiece import Pieces

HEADS = 12
DROPOUT = 0.1
EPSILON = 1e-12


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual connection and layer normalisation."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.attended = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=EPSILON)
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, eps=EPSILON)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the layer's output for (sequences, pieces, width); `mask` is False at padding."""
        rows, pieces, width = x.shape
        split = (rows, pieces, HEADS, width // HEADS)
        query, key, value = (f(x).view(split).transpose(1, 2) for f in (self.query, self.key, self.value))
        dropout = DROPOUT if self.training else 0.0
        heads = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        mixture = heads.transpose(1, 2).reshape(rows, pieces, width)
        x = self.attention_norm(x + self.dropout(self.attended(mixture)))
        output: Tensor = self.output_norm(x + self.dropout(self.narrow(functional.gelu(self.wide(x)))))
        return output


class Encoder(nn.Module):
    """Embeddings of pieces and positions, and the layers."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        super().__init__()
        vocabulary, width = weights["embeddings.word"].shape
        inner = weights["layer.0.wide.weight"].shape[0]
        layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layer."))
        self.word = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(len(weights["embeddings.position"]), width)
        self.norm = nn.LayerNorm(width, eps=EPSILON)
        self.layer = nn.ModuleList(Layer(width, inner) for _ in range(layers))
        self.dropout = nn.Dropout(DROPOUT)
        self.load_state_dict({_MODULE_NAMES.get(name, name): torch.tensor(value) for name, value in weights.items()})

    def forward(self, ids: Tensor, number: int | None = None) -> Tensor:
        """Return the vectors of the last layer, or of that with a number, for padded sequences of pieces (0 pads)."""
        x = self.dropout(self.norm(self.word(ids) + self.position.weight[: ids.shape[1]]))
        mask = (ids != 0)[:, None, None, :]
        for layer in self.layer[:number]:
            x = layer(x, mask)
        return x

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights by the names of the model file."""
        names = {ours: name for name, ours in _MODULE_NAMES.items()}
        return {names.get(name, name): value.detach().numpy().copy() for name, value in self.state_dict().items()}


_MODULE_NAMES = {
    "embeddings.word": "word.weight",
    "embeddings.position": "position.weight",
    "embeddings.norm.weight": "norm.weight",
    "embeddings.norm.bias": "norm.bias",
}


def pad(sequences: Sequence[Pieces]) -> Tensor:
    """Return sequences as one matrix of piece ids, padded with zeros."""
    ids = [torch.from_numpy(sequence.ids.astype(np.int64)) for sequence in sequences]
    return nn.utils.rnn.pad_sequence(ids, batch_first=True)


def pool(hidden: Tensor, rows: Tensor, begin: Tensor, end: Tensor) -> Tensor:
    """Return for each instance the mean over its pieces and that over its sentence, each scaled to norm √width.

    Args:
        hidden: the encoder's vectors, (sequences, pieces, width); those of padding are ignored by the ranges.
        rows: the sequence of each instance.
        begin: its first piece.
        end: its last piece + 1; the same three describe a sentence by its own range.
    """
    sums = functional.pad(hidden.float().cumsum(1), (0, 0, 1, 0))
    means = (sums[rows, end] - sums[rows, begin]) / (end - begin)[:, None]
    return functional.normalize(means, dim=-1) * hidden.shape[-1] ** 0.5


def batches(lengths: NDArray[np.int64], pieces: int, rng: np.random.Generator | None) -> list[NDArray[np.int64]]:
    """Return the sequences in batches of similar length, at most `pieces` padded pieces each, in random order.

    Args:
        lengths: the length of each sequence.
        pieces: the size of a batch.
        rng: shuffles sequences of one length, and the batches; None leaves them sorted.
    """
    order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
    order = order[np.argsort(lengths[order], kind="stable")]
    parts: list[NDArray[np.int64]] = []
    begin = 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (end + 1 - begin) * int(lengths[order[end]]) <= pieces:
            end += 1
        parts.append(order[begin:end])
        begin = end
    return parts if rng is None else [parts[at] for at in rng.permutation(len(parts))]


def descend(
    optimizer: torch.optim.Optimizer, loss: Tensor, rates: Sequence[float], limit: Sequence[Tensor] = ()
) -> None:
    """Make a step of gradient descent.

    Args:
        optimizer: with a learning rate for each group of its parameters.
        loss: what is minimised.
        rates: the learning rates of this step.
        limit: parameters whose gradient has at most the norm 1.
    """
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
    if limit:
        nn.utils.clip_grad_norm_(limit, 1.0)
    optimizer.step()
