"""Binary quadratic models in dimod's JSON serialisation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from swarmkit import Floats, UsageError, parse_json, plain_name, quoted, read_text, wrong_line
from swarmkit_pairwise.bqm import TABLES, Model, merged, network_of
from swarmkit_pairwise.network import LARGEST, Network

JSON = "a dimod BinaryQuadraticModel as JSON (to_serializable, schema 3.0.0)"


def read_json(path: str | Path) -> Network:
    """Read a model in dimod's JSON serialisation."""
    text = read_text(path, JSON)
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        raise wrong_line(path, error.lineno, f"not JSON ({error.msg}); expected {JSON}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}; expected {JSON}") from None
    if not isinstance(data, dict) or data.get("type") != "BinaryQuadraticModel":
        raise UsageError(f"{path}: this is not a BinaryQuadraticModel; expected {JSON}")
    if data.get("use_bytes"):
        raise UsageError(f"{path}: its numbers are bytes (use_bytes); expected {JSON} with use_bytes=False")
    vartype = data.get("variable_type")
    if vartype not in TABLES:
        raise UsageError(f"{path}: {quoted(str(vartype))} as 'variable_type'; expected BINARY or SPIN")
    linear = _numbers(path, data, "linear_biases")
    quadratic = _numbers(path, data, "quadratic_biases")
    ends = [_numbers(path, data, key) for key in ("quadratic_head", "quadratic_tail")]
    labels = data.get("variable_labels")
    if not isinstance(labels, list) or not 1 <= len(labels) == len(linear) <= LARGEST:
        raise UsageError(
            f"{path}: 'variable_labels' and 'linear_biases' do not have the same length, from 1 to {LARGEST:,}"
        )
    if not len(ends[0]) == len(ends[1]) == len(quadratic):
        raise UsageError(f"{path}: 'quadratic_head', 'quadratic_tail' and 'quadratic_biases' differ in length")
    pairs = np.column_stack(ends)
    sound = (pairs == np.floor(pairs)) & (pairs >= 0) & (pairs < len(linear))
    if not sound.all() or (pairs[:, 0] == pairs[:, 1]).any():
        raise UsageError(
            f"{path}: a pair of 'quadratic_head' and 'quadratic_tail' does not name two different variables"
        )
    offset = data.get("offset", 0.0)
    if not isinstance(offset, int | float):
        raise UsageError(f"{path}: 'offset' is {quoted(str(offset))}; expected a number")
    names = tuple(str(label) for label in labels)
    model = Model(linear, pairs.astype(np.int64), quadratic, float(offset), vartype, names)
    return network_of(plain_name(path).stem, merged(model))


def _numbers(path: str | Path, data: dict[str, Any], key: str) -> Floats:
    """Return a list of numbers of a JSON object."""
    found = data.get(key)
    if not isinstance(found, list) or not all(type(value) in (int, float) for value in found):
        raise UsageError(f"{path}: '{key}' is not a list of numbers; expected {JSON}")
    return np.array(found, np.float64)
