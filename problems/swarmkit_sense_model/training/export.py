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
from swarmkit_sense_model.quantisation import quantised
from swarmkit_sense_model.sense_model import FORMAT, Facts, Weights
from swarmkit_sense_model.training.heads import Heads
from swarmkit_sense_model.training.network import Encoder

ROWS = 10_000
"""Vectors that are projected at once."""


class Trained(NamedTuple):
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


def write_model(path: Path, trained: Trained, exact: bool = False) -> None:
    """Write the model file.

    Args:
        path: the file.
        trained: the model.
        exact: whether all numbers stay floating-point, to measure what 8-bit integers cost.
    """
    from safetensors.numpy import save

    arrays: dict[str, NDArray[Any]] = {
        "counts": trained.counts.astype(np.int32),
        "tokenizer": np.frombuffer(trained.tokenizer, np.uint8),
    }
    encoder = {f"encoder.{name}": value for name, value in trained.encoder.weights().items()}
    heads = trained.heads
    projections = {"project.gloss": heads.gloss.context, "project.context": heads.context.context}
    small = {name: layer.weight.detach().numpy() for name, layer in projections.items()} | trained.word_classes
    tables = _tables(heads, np.flatnonzero(trained.ambiguous))
    vectors = {f"{name}.vectors": _directions(rows) for name, (_, rows) in tables.items()}
    if exact:
        arrays |= encoder | small | vectors
    else:
        arrays |= _rounded(encoder)
        arrays |= {name: value.astype(np.float16) for name, value in small.items()}
        arrays |= {name: quantised(value)[0] for name, value in vectors.items()}
    arrays |= {f"{name}.senses": senses.astype(np.int32) for name, (senses, _) in tables.items()}
    contexts = heads.table.senses
    arrays["context.number"] = contexts.number[contexts.row[tables["context"][0]]].astype(np.int32)
    facts = Facts(format=FORMAT, wordnet=trained.record["wordnet"], weights=_weights(heads), training=trained.record)
    write_atomically(path, save(arrays, {"facts": facts.model_dump_json()}))


def _rounded(encoder: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """Return the encoder's matrices as 8-bit integers with scales, positions in half precision, and the rest."""
    found: dict[str, NDArray[Any]] = {}
    for name, value in encoder.items():
        if name.endswith("embeddings.position"):
            found[name] = value.astype(np.float16)
        elif value.ndim == 2:
            found[name], found[f"{name}.scale"] = quantised(value)
        else:
            found[name] = value
    return found


def _tables(heads: Heads, senses: NDArray[np.int64]) -> dict[str, tuple[NDArray[np.int64], list[Tensor]]]:
    """Return for each table the senses that it has vectors of, and these vectors: of all, or of those with contexts."""
    project = heads.context.context
    known: dict[str, tuple[list[NDArray[np.int64]], list[Tensor]]] = {
        name: ([], []) for name in ("gloss", "context", "example")
    }
    for part in np.array_split(senses, len(senses) // ROWS + 1):
        number, sums, shared, others = heads.table.of(np.full(len(part), -1), part)
        glosses = heads.gloss.gloss(heads.glosses.of(torch.from_numpy(part)))
        rows = {"gloss": (number >= 0, glosses)}
        rows["context"] = (number > 0, project(torch.from_numpy(sums[number > 0])))
        rows["example"] = (shared > 0, project(torch.from_numpy(others[shared > 0])))
        for name, (kept, vectors) in rows.items():
            known[name][0].append(part[kept])
            known[name][1].append(vectors)
    return {name: (np.concatenate(owners), vectors) for name, (owners, vectors) in known.items()}


def _directions(rows: list[Tensor]) -> NDArray[np.float32]:
    """Return vectors scaled to norm 1."""
    directions: NDArray[np.float32] = functional.normalize(torch.cat(rows), dim=-1).detach().numpy()
    return directions


def _weights(heads: Heads) -> Weights:
    scale, prior, context, half, unseen, example = (one.detach().tolist() for one in heads.scalars())
    return Weights(gloss=scale, prior=prior, context=context, half=half, unseen=unseen, example=example)
