"""The sense model: an encoder, projections, and vectors of senses, as 8-bit integers in one safetensors file.

The score of sense s for a word in context x, with the projections A and C of the context:

    e^gloss · cos(A x, gloss_s) + prior_pos · log P(s) + e^context · n / (n + e^half) · cos(C x, mean_s)
    + unseen · [n = 0] + e^example · cos(C x, example_s)

P(s) is the add-one share of the sense's count among the word's senses, n the number of its training contexts, mean_s
their mean, example_s that of WordNet's examples of its synset and of the training contexts of the synset's other
lemmas. Senses of words that have no other have no vectors.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from swarmkit import UsageError
from swarmkit_lexicon.arrays import find_sorted
from swarmkit_lexicon.cache import part_of_the_extra
from swarmkit_sense_model.bundled import BUNDLED
from swarmkit_sense_model.sentence_encoder import SentenceEncoder
from swarmkit_sense_model.transformer import Transformer
from swarmkit_sense_model.word_classes import read_word_classes
from swarmkit_sense_model.wordpiece import WordPieces

FORMAT: Literal[1] = 1
LARGEST = 1 << 30
"""Bytes of the largest model file that is read."""

Table = Literal["gloss", "context", "example"]
TABLES: tuple[Table, ...] = get_args(Table)
"""The tables of vectors."""

_lock = threading.Lock()
_models: dict[tuple[str, int, int], SenseModel] = {}


class Weights(BaseModel):
    """The scalars of the score."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    gloss: float
    prior: tuple[float, float, float, float]
    """For nouns, verbs, adjectives and adverbs."""
    context: float
    half: float
    unseen: float
    example: float


class Facts(BaseModel):
    """What a model file says about itself."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    format: Literal[1]
    wordnet: str
    """The hash of the WordNet whose senses the tables are for."""
    weights: Weights
    training: dict[str, Any]
    """The command, corpora, versions and results."""


class SenseModel:
    """A model that was read from a file."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], facts: Facts, sha256: str) -> None:
        self.facts = facts
        self.sha256 = sha256
        self.counts: NDArray[np.int32] = arrays["counts"]
        self.number: NDArray[np.int32] = arrays["context.number"]
        """Of training contexts, for the rows of the table `context`."""
        self.word_classes = read_word_classes(arrays)
        """The network that tells parts of speech, if the file has one."""
        self._arrays = arrays
        self.projections = {name: arrays[f"project.{name}"].astype(np.float32) for name in ("gloss", "context")}

    @cached_property
    def encoder(self) -> Transformer:
        """The encoder."""
        return Transformer(self._encoder_arrays())

    def encoder_weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the encoder's weights as floating-point numbers."""
        arrays = self._encoder_arrays()
        scales = {name: arrays.pop(f"{name}.scale") for name in list(arrays) if f"{name}.scale" in arrays}
        floats = {name: value.astype(np.float32) for name, value in arrays.items()}
        return floats | {name: floats[name] * scale.astype(np.float32)[:, None] for name, scale in scales.items()}

    def _encoder_arrays(self) -> dict[str, NDArray[Any]]:
        prefix = "encoder."
        return {name.removeprefix(prefix): value for name, value in self._arrays.items() if name.startswith(prefix)}

    @cached_property
    def pieces(self) -> WordPieces:
        """The tokenizer."""
        return WordPieces(self._arrays["tokenizer"].tobytes())

    @cached_property
    def sentences(self) -> SentenceEncoder:
        """The encoder of whole sentences, which keeps the last ones."""
        return SentenceEncoder(self.encoder, self.pieces, self.word_classes)

    def rows(self, table: Table, senses: NDArray[Any]) -> NDArray[np.int64]:
        """Return the row of each sense in a table, -1 where it has none; a table without a list has all senses."""
        members = self._arrays.get(f"{table}.senses")
        return senses.astype(np.int64) if members is None else find_sorted(members, senses)

    def vectors(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of rows of a table, scaled to norm 1."""
        return unit_rows(self._arrays[f"{table}.vectors"][rows])


def open_model(path: Path | str | None = None) -> SenseModel:
    """Return the model in a file; the bundled one for None. A file is read once while it does not change."""
    file = Path(path) if path is not None else BUNDLED
    try:
        stat = file.stat()
    except OSError:
        raise UsageError(f"{file}: no such file; expected a model that 'swarmkit wsd train' has written") from None
    if stat.st_size > LARGEST:
        raise UsageError(f"{file} has {stat.st_size:,} bytes; expected a model of at most {LARGEST:,}")
    # A file of the same size and time is the same file: a model is written under another name and moved into place.
    key = (str(file.absolute()), stat.st_size, stat.st_mtime_ns)
    with _lock:
        if key not in _models:
            _models[key] = _read(file)
        return _models[key]


def _read(file: Path) -> SenseModel:
    SafetensorError = part_of_the_extra("safetensors").SafetensorError
    load = part_of_the_extra("safetensors.numpy").load
    content = file.read_bytes()
    try:
        # safetensors: eight bytes with the length of a JSON header, the header, the arrays.
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        facts = Facts.model_validate_json(header["__metadata__"]["facts"])
        arrays = load(content)
        model = SenseModel(arrays, facts, hashlib.sha256(content).hexdigest())
        _check(arrays)
    except (SafetensorError, ValidationError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        message = f"{file} is not a sense model ({type(error).__name__})"
        raise UsageError(f"{message}; expected one that 'swarmkit wsd train' has written") from None
    return model


def _check(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raise an error if arrays do not fit together."""
    senses = len(arrays["counts"])
    if len(arrays["context.number"]) != len(arrays["context.senses"]):
        raise ValueError("tables of different lengths")
    for table in TABLES:
        vectors = arrays[f"{table}.vectors"]
        if vectors.dtype not in (np.int8, np.float32) or vectors.ndim != 2:
            raise ValueError("a table that is neither of 8-bit integers nor of floating-point numbers")
        members = arrays.get(f"{table}.senses", np.arange(senses))
        if len(members) != len(vectors) or np.any(np.diff(members) <= 0):  # they are searched by bisection
            raise ValueError("senses out of order, or another number of them than of vectors")


def quantise(matrix: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return a matrix as integers and the scales of its rows: matrix ≈ integers · scales.

    >>> quantise(np.array([[1.0, -0.5], [0.0, 0.0]]))[0].tolist()
    [[127, -64], [0, 0]]
    """
    scale = np.abs(matrix).max(1).astype(np.float32) / 127
    # A row of zeros has the scale 0, by which nothing can be divided.
    return np.rint(matrix / np.maximum(scale, 1e-30)[:, None]).astype(np.int8), scale


def unit_rows(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Return rows scaled to norm 1; rows of zeros stay so.

    >>> unit_rows(np.array([[3, 4], [0, 0]], np.int8)).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    rows = vectors.astype(np.float32)
    norm = np.sqrt(np.square(rows).sum(-1, keepdims=True))
    return np.asarray(rows / np.maximum(norm, 1e-12))
