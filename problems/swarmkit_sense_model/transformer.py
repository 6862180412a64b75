"""The encoder's forward pass in numpy (BERT, Devlin et al. 2019; MiniLM's sizes).

The vectors of a sequence do not depend on what is encoded beside it: each sequence is encoded alone. (In a product of
matrices that holds several, the last digits of a row depend on its place: libraries take rows in groups.) Several
sequences pass through a layer one after the other, so that its weights are read from memory once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swarmkit_lexicon.cache import part_of_the_extra

Floats = NDArray[np.float32]

HEADS = 12
EPSILON = 1e-12

SEQUENCES = 32
"""Sequences that pass through a layer before the next layer begins."""


class Transformer:
    """An encoder with given weights, which `swarmkit_sense_model.training.network` names in the same way."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]]) -> None:
        self._word = weights["embeddings.word"]
        scale = weights.get("embeddings.word.scale")
        self._word_scale = None if scale is None else _floats(scale)
        self._position = _floats(weights["embeddings.position"])
        self._norm = _norm(weights, "embeddings.norm")
        layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layer."))
        self._layers = [_Layer(weights, f"layer.{number}.") for number in range(layers)]

    @property
    def depth(self) -> int:
        """The number of layers."""
        return len(self._layers)

    def encode(self, sequences: Sequence[NDArray[np.int32]], layers: Sequence[int] | None = None) -> list[Floats]:
        """Return the vectors of some layers side by side, for each sequence an array of (pieces, width · layers).

        Args:
            sequences: the pieces of each sequence.
            layers: the numbers of the layers, in ascending order, 1 for the first; None for the last one alone.
        """
        with one_thread():
            return [
                vectors
                for first in range(0, len(sequences), SEQUENCES)
                for vectors in self._encode(sequences[first : first + SEQUENCES], layers or (self.depth,))
            ]

    def _encode(self, sequences: Sequence[NDArray[np.int32]], layers: Sequence[int]) -> list[Floats]:
        hidden = [self._embedding(ids) + self._position[: len(ids)] for ids in sequences]
        for x in hidden:
            _normalise(x, self._norm)
        outputs: list[list[Floats]] = [[] for _ in hidden]
        for number, layer in enumerate(self._layers, 1):
            for x, output in zip(hidden, outputs, strict=True):
                layer(x)
                if number in layers:
                    output.append(x.copy())
        return [np.concatenate(output, 1) for output in outputs]

    def _embedding(self, ids: NDArray[np.int32]) -> Floats:
        rows = self._word[ids].astype(np.float32)
        return rows if self._word_scale is None else rows * self._word_scale[ids][:, None]


class _Layer:
    """Self-attention and a feed-forward network, each with a residual connection and layer normalisation."""

    def __init__(self, weights: Mapping[str, NDArray[np.generic]], name: str) -> None:
        parts = [_dense(weights, name + part) for part in ("query", "key", "value")]
        self._attention = np.concatenate([w for w, _ in parts], 1), np.concatenate([b for _, b in parts])
        self._join = _dense(weights, name + "attended")
        self._attention_norm = _norm(weights, name + "attention_norm")
        self._wide, self._narrow = _dense(weights, name + "wide"), _dense(weights, name + "narrow")
        self._output_norm = _norm(weights, name + "output_norm")

    def __call__(self, x: Floats) -> None:
        """Replace the rows of a sequence by the layer's output."""
        x += attention(x @ self._attention[0] + self._attention[1]) @ self._join[0] + self._join[1]
        _normalise(x, self._attention_norm)
        x += gelu(x @ self._wide[0] + self._wide[1]) @ self._narrow[0] + self._narrow[1]
        _normalise(x, self._output_norm)


def attention(projections: Floats) -> Floats:
    """Return scaled dot-product attention over all heads, given queries, keys and values side by side."""
    pieces, width = len(projections), projections.shape[1] // 3
    query, key, value = projections.reshape(pieces, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
    scores = query @ key.transpose(0, 2, 1)
    scores *= np.float32((width // HEADS) ** -0.5)
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return np.asarray((scores @ value).transpose(1, 0, 2).reshape(pieces, width), np.float32)


def gelu(x: Floats) -> Floats:
    """Return x · Φ(x), Φ the normal distribution function; `x` itself is used as a scratch array.

    erf is approximated to 1.5e-7 by Abramowitz & Stegun 1964, 7.1.26.
    """
    size = np.abs(x)
    t: Floats = np.reciprocal(np.float32(1.0) + np.float32(0.3275911 * 0.5**0.5) * size, dtype=np.float32)
    tail: Floats = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    size *= size
    size *= np.float32(-0.5)
    tail *= np.exp(size, out=size)
    tail *= np.float32(0.5)  # = 1 - Φ(|x|)
    np.subtract(np.float32(1.0), tail, out=tail, where=x >= 0)
    tail *= x
    return tail


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute matrix products with one thread inside: those of a sentence are too small for more.

    The number of threads is a setting of the whole process, so only one thread at a time is inside.
    """
    with _LOCK, _controller().limit(limits=1):
        yield


_LOCK = threading.RLock()


@cache
def _controller() -> Any:
    """Return what sets the number of threads of numpy's linear algebra; finding the libraries takes a millisecond."""
    return part_of_the_extra("threadpoolctl").ThreadpoolController()


def _normalise(x: Floats, norm: tuple[Floats, Floats]) -> None:
    """Apply layer normalisation in place."""
    x -= x.mean(-1, keepdims=True)
    x /= np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(EPSILON))
    x *= norm[0]
    x += norm[1]


def _floats(value: NDArray[np.generic]) -> Floats:
    return np.asarray(value, np.float32)


def _norm(weights: Mapping[str, NDArray[np.generic]], name: str) -> tuple[Floats, Floats]:
    return _floats(weights[f"{name}.weight"]), _floats(weights[f"{name}.bias"])


def _dense(weights: Mapping[str, NDArray[np.generic]], name: str) -> tuple[Floats, Floats]:
    """Return a dense layer's matrix, transposed and contiguous, with scales applied to 8-bit rows, and its bias."""
    matrix = _floats(weights[f"{name}.weight"])
    scale = weights.get(f"{name}.weight.scale")
    if scale is not None:
        matrix = matrix * _floats(scale)[:, None]
    return np.ascontiguousarray(matrix.T), _floats(weights[f"{name}.bias"])
