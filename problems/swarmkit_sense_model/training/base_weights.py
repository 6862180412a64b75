"""The public weights that training starts from, by the names of the model file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_NAMES = {
    "embeddings.word_embeddings.weight": "embeddings.word",
    "embeddings.LayerNorm.weight": "embeddings.norm.weight",
    "embeddings.LayerNorm.bias": "embeddings.norm.bias",
}
_PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "output_norm",
}


def read_base(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return BERT weights from a safetensors file; the embedding of the first segment joins that of positions."""
    from safetensors.numpy import load_file

    given = load_file(path)
    found = {ours: given[theirs] for theirs, ours in _NAMES.items()}
    found["embeddings.position"] = (
        given["embeddings.position_embeddings.weight"] + given["embeddings.token_type_embeddings.weight"][0]
    )
    layers = 1 + max(int(name.split(".")[2]) for name in given if name.startswith("encoder.layer."))
    for layer in range(layers):
        for theirs, ours in _PARTS.items():
            for part in ("weight", "bias"):
                found[f"layer.{layer}.{ours}.{part}"] = given[f"encoder.layer.{layer}.{theirs}.{part}"]
    return found
