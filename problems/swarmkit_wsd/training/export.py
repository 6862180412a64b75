"""The trained model as a file: weights and vectors as 8-bit integers, with what the model says about itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from swarmkit import write_atomically
from swarmkit_wsd.model.quantisation import quantised
from swarmkit_wsd.model.sense_model import FORMAT, Facts, Weights
from swarmkit_wsd.training.heads import Heads
from swarmkit_wsd.training.network import Encoder

ROWS = 10_000
"""Vectors that are projected at once."""


def write_model(
    path: Path, encoder: Encoder, heads: Heads, counts: NDArray[np.int64], tokenizer: bytes, facts: dict[str, Any]
) -> None:
    """Write the model file.

    Args:
        path: the file.
        encoder: the tuned encoder.
        heads: the trained heads; their table holds the contexts of all training corpora.
        counts: the count of each sense.
        tokenizer: the description of the tokenizer.
        facts: the WordNet's hash and the training's record.
    """
    from safetensors.numpy import save

    arrays: dict[str, NDArray[Any]] = {
        "counts": counts.astype(np.int32),
        "tokenizer": np.frombuffer(tokenizer, np.uint8),
    }
    for name, value in encoder.weights().items():
        if value.ndim == 2 and name != "embeddings.position":
            arrays[f"encoder.{name}"], arrays[f"encoder.{name}.scale"] = quantised(value)
        else:
            arrays[f"encoder.{name}"] = value.astype(np.float16) if value.ndim == 2 else value
    projections = {"gloss": heads.gloss.context, "context": heads.context.context}
    for name, layer in projections.items():
        arrays[f"project.{name}"] = layer.weight.detach().numpy().astype(np.float16)
    senses = torch.arange(len(counts))
    arrays["gloss.vectors"] = _directions([heads.gloss.gloss(heads.glosses.of(part)) for part in senses.split(ROWS)])
    table, project = heads.table, heads.context.context
    for name, row, sums in (("context", table.row, table.sums), ("example", table.example_row, table.examples)):
        owners = np.flatnonzero(row >= 0)
        arrays[f"{name}.senses"] = owners.astype(np.int32)
        arrays[f"{name}.vectors"] = _directions(
            [project(torch.from_numpy(sums[part])) for part in np.array_split(row[owners], len(owners) // ROWS + 1)]
        )
    arrays["context.number"] = table.number[table.row[np.flatnonzero(table.row >= 0)]].astype(np.int32)
    written = Facts(format=FORMAT, weights=_weights(heads), **facts)
    write_atomically(path, save(arrays, {"facts": written.model_dump_json()}))


def _directions(rows: list[Tensor]) -> NDArray[np.int8]:
    """Return vectors as integers; only their directions are kept."""
    return quantised(functional.normalize(torch.cat(rows), dim=-1).detach().numpy())[0]


def _weights(heads: Heads) -> Weights:
    scale, prior, context, half, unseen, example = (one.detach().tolist() for one in heads.scalars())
    return Weights(gloss=scale, prior=prior, context=context, half=half, unseen=unseen, example=example)
