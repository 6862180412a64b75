"""The trained model as a file: weights and vectors as 8-bit integers, with what the model says about itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from swarmkit import write_atomically
from swarmkit_sense_model.sense_model import FORMAT, TABLES, Facts, Weights, quantise
from swarmkit_sense_model.training.heads import Heads
from swarmkit_sense_model.training.network import Encoder

ROWS = 10_000
"""Vectors that are projected at once."""


class Training(NamedTuple):
    """What a model file is made from."""

    encoder: Encoder
    """The tuned encoder."""
    heads: Heads
    """The trained heads; their table holds the contexts of all training corpora."""
    counts: NDArray[np.int64]
    """Of each sense."""
    ambiguous: NDArray[np.bool_]
    """Which senses are those of a word with several: the others need no vectors."""
    tokenizer: bytes
    """The description of the tokenizer."""
    record: dict[str, Any]
    """How the model was trained, and the share of right answers in what was held out."""
    word_classes: dict[str, NDArray[np.float32]]
    """The network that tells parts of speech, by the names of the model file."""


def write_model(path: Path, training: Training, exact: bool = False) -> None:
    """Write the model file.

    Args:
        path: the file.
        training: the model.
        exact: whether all numbers stay floating-point, to measure what 8-bit integers cost.
    """
    from safetensors.numpy import save

    arrays: dict[str, NDArray[Any]] = {
        "counts": training.counts.astype(np.int32),
        "tokenizer": np.frombuffer(training.tokenizer, np.uint8),
    }
    encoder = {f"encoder.{name}": value for name, value in training.encoder.weights().items()}
    heads = training.heads
    projections = {"project.gloss": heads.gloss.context, "project.context": heads.context.context}
    small = {name: layer.weight.detach().numpy() for name, layer in projections.items()} | training.word_classes
    tables = _tables(heads, np.flatnonzero(training.ambiguous))
    vectors = {f"{name}.vectors": _directions(rows) for name, (_, rows) in tables.items()}
    if exact:
        arrays |= encoder | small | vectors
    else:
        arrays |= _quantise_encoder(encoder)
        arrays |= {name: value.astype(np.float16) for name, value in small.items()}
        arrays |= {name: quantise(value)[0] for name, value in vectors.items()}
    arrays |= {f"{name}.senses": senses.astype(np.int32) for name, (senses, _) in tables.items()}
    contexts = heads.table.senses
    arrays["context.number"] = contexts.number[contexts.row[tables["context"][0]]].astype(np.int32)
    facts = Facts(format=FORMAT, wordnet=training.record["wordnet"], weights=_weights(heads), training=training.record)
    write_atomically(path, save(arrays, {"facts": facts.model_dump_json()}))


def _quantise_encoder(encoder: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """Return the encoder's matrices as 8-bit integers with scales, positions in half precision, and the rest."""
    arrays: dict[str, NDArray[Any]] = dict(encoder)
    for name, value in encoder.items():
        if name.endswith("embeddings.position"):
            arrays[name] = value.astype(np.float16)
        elif value.ndim == 2:
            arrays[name], arrays[f"{name}.scale"] = quantise(value)
    return arrays


def _tables(heads: Heads, senses: NDArray[np.int64]) -> dict[str, tuple[NDArray[np.int64], list[Tensor]]]:
    """Return for each table the senses that it has vectors of, and these vectors: of all, or of those with contexts."""
    project = heads.context.context
    tables: dict[str, tuple[list[NDArray[np.int64]], list[Tensor]]] = {name: ([], []) for name in TABLES}
    for part in np.array_split(senses, len(senses) // ROWS + 1):
        number, sums, shared, others = heads.table.of(np.full(len(part), -1), part)
        glosses = heads.gloss.gloss(heads.glosses.of(torch.from_numpy(part)))
        rows = {"gloss": (number >= 0, glosses)}
        rows["context"] = (number > 0, project(torch.from_numpy(sums[number > 0])))
        rows["example"] = (shared > 0, project(torch.from_numpy(others[shared > 0])))
        for name, (mask, vectors) in rows.items():
            tables[name][0].append(part[mask])
            tables[name][1].append(vectors)
    return {name: (np.concatenate(owners), vectors) for name, (owners, vectors) in tables.items()}


def _directions(rows: list[Tensor]) -> NDArray[np.float32]:
    """Return vectors scaled to norm 1."""
    return np.asarray(functional.normalize(torch.cat(rows), dim=-1).detach().numpy())


def _weights(heads: Heads) -> Weights:
    scale, prior, context, half, unseen, example = (scalar.detach().tolist() for scalar in heads.scalars())
    return Weights(gloss=scale, prior=prior, context=context, half=half, unseen=unseen, example=example)
