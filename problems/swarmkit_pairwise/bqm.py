"""Binary quadratic models (QUBO, Ising): files of coordinates, dimod's JSON, and models in memory.

energy(x) = offset + Σ_i linear_i · x_i + Σ_ij quadratic_ij · x_i · x_j        x_i in {0, 1} or in {-1, +1}
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swarmkit import (
    Floats,
    Ints,
    UsageError,
    number_rows,
    parse_json,
    plain_name,
    quoted,
    read_text,
    wrong_line,
)
from swarmkit_pairwise.network import LARGEST, Network
from swarmkit_pairwise.problem import CostNetwork

COO = "lines 'i j bias', with i = j for a linear bias; '# vartype=SPIN' for variables in {-1, +1}"
JSON = "a dimod BinaryQuadraticModel as JSON (to_serializable, schema 3.0.0)"

TABLES = {"BINARY": np.array([0.0, 0.0, 0.0, 1.0]), "SPIN": np.array([1.0, -1.0, -1.0, 1.0])}
"""The products of two variables' values: the table that all edges share, weighted with their biases."""
VALUES = {"BINARY": ("0", "1"), "SPIN": ("-1", "+1")}
KINDS = {"BINARY": "QUBO", "SPIN": "Ising model"}


class Model(NamedTuple):
    """A binary quadratic model whose variables are numbered."""

    linear: Floats
    pairs: Ints
    """The two different variables of each quadratic bias."""
    quadratic: Floats
    offset: float
    vartype: str
    """BINARY or SPIN."""
    labels: tuple[str, ...]


def network_of(name: str, model: Model) -> Network:
    """Return a model as a cost network."""
    values = np.array([float(value) for value in VALUES[model.vartype]])
    n, m = len(model.linear), len(model.pairs)
    return Network(
        name=name,
        kind=KINDS[model.vartype],
        sizes=np.full(n, 2),
        unary=np.outer(model.linear, values).ravel(),
        edges=model.pairs,
        starts=np.zeros(m, np.int64),
        weights=model.quadratic,
        flat=TABLES[model.vartype] if m else np.empty(0),
        constant=model.offset,
        measure="energy",
        variables=model.labels,
        values=(VALUES[model.vartype],),
    )


def merge_biases(model: Model) -> Model:
    """Return a model in which each pair of variables occurs once: biases of the same pair are added."""
    n = len(model.linear)
    pairs = np.sort(model.pairs, axis=1)
    # i · n + j is a different number for each pair i < j.
    keys, places = np.unique(pairs[:, 0] * n + pairs[:, 1], return_inverse=True)
    quadratic = np.bincount(places.ravel(), model.quadratic, len(keys)).astype(np.float64)
    return model._replace(pairs=np.column_stack(np.divmod(keys, n)).astype(np.int64), quadratic=quadratic)


def read_coo(path: str | Path, vartype: str | None = None) -> Network:
    """Read a model as coordinates: dimod's COO, or qbsolv's `.qubo` with its lines `c …` and `p qubo …`.

    Args:
        path: the file.
        vartype: the kind of the variables; by default the file's header says it, and BINARY without one.
    """
    rows = read_text(path, COO).splitlines()
    headers = [(at, match[1]) for at, row in enumerate(rows) if (match := re.match(r"\s*#.*vartype=(\w*)", row))]
    header_vartype = headers[0][1] if headers else None
    if header_vartype is not None and header_vartype not in TABLES:
        raise wrong_line(path, headers[0][0] + 1, f"{quoted(header_vartype)} as vartype; expected BINARY or SPIN")
    if vartype is not None and header_vartype not in (None, vartype):
        raise UsageError(
            f"{path}: its header says vartype={header_vartype}, vartype={vartype} was given; expected one of them"
        )
    bias_rows = [at for at, row in enumerate(rows) if row.strip() and not row.lstrip().startswith(("#", "c", "p"))]
    values = number_rows(path, rows, bias_rows, 3, COO)
    ends = values[:, :2]
    # Numbers of variables are converted to integers: floats from 2^53 on do not have all of them.
    invalid = np.flatnonzero(((ends != np.floor(ends)) | (ends < 0) | (ends >= 2.0**53)).any(axis=1))
    if len(invalid):
        message = "variables {:g} and {:g}; expected whole numbers from 0".format(*ends[invalid[0]])
        raise wrong_line(path, bias_rows[invalid[0]] + 1, message)
    if not len(values):
        raise wrong_line(path, max(1, len(rows)), f"the file ends without a bias; expected {COO}")
    labels, numbers = np.unique(ends.astype(np.int64), return_inverse=True)
    if len(labels) > LARGEST:
        raise wrong_line(path, len(rows), f"{len(labels):,} variables; expected at most {LARGEST:,}")
    pairs = numbers.reshape(-1, 2)
    is_linear = pairs[:, 0] == pairs[:, 1]
    linear = np.bincount(pairs[is_linear, 0], values[is_linear, 2], len(labels)).astype(np.float64)
    names, kind = tuple(str(label) for label in labels), vartype or header_vartype or "BINARY"
    model = Model(linear, pairs[~is_linear], values[~is_linear, 2], 0.0, kind, names)
    return network_of(plain_name(path).stem, merge_biases(model))


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
    vartype, labels, offset = data.get("variable_type"), data.get("variable_labels"), data.get("offset", 0.0)
    if vartype not in TABLES:
        raise UsageError(f"{path}: {quoted(str(vartype))} as 'variable_type'; expected BINARY or SPIN")
    keys = ("linear_biases", "quadratic_biases", "quadratic_head", "quadratic_tail")
    linear, quadratic, heads, tails = (_numbers(path, data, key) for key in keys)
    if not isinstance(labels, list) or not 1 <= len(labels) == len(linear) <= LARGEST:
        message = "'variable_labels' and 'linear_biases' do not have the same length"
        raise UsageError(f"{path}: {message}, from 1 to {LARGEST:,}")
    if not len(heads) == len(tails) == len(quadratic):
        raise UsageError(f"{path}: 'quadratic_head', 'quadratic_tail' and 'quadratic_biases' differ in length")
    pairs = np.column_stack([heads, tails])
    valid = (pairs == np.floor(pairs)) & (pairs >= 0) & (pairs < len(linear))
    if not valid.all() or (pairs[:, 0] == pairs[:, 1]).any():
        message = "a pair of 'quadratic_head' and 'quadratic_tail' does not name two different variables"
        raise UsageError(f"{path}: {message}")
    if not isinstance(offset, int | float):
        raise UsageError(f"{path}: 'offset' is {quoted(str(offset))}; expected a number")
    names = tuple(str(label) for label in labels)
    model = Model(linear, pairs.astype(np.int64), quadratic, float(offset), vartype, names)
    return network_of(plain_name(path).stem, merge_biases(model))


def _numbers(path: str | Path, data: dict[str, Any], key: str) -> Floats:
    """Return a list of numbers of a JSON object."""
    values = data.get(key)
    if not isinstance(values, list) or not all(type(value) in (int, float) for value in values):
        raise UsageError(f"{path}: '{key}' is not a list of numbers; expected {JSON}")
    return np.array(values, np.float64)


def from_dimod(bqm: Any) -> CostNetwork:
    """Return a problem from a binary quadratic model in memory; its answers name the model's variables.

    dimod itself is not needed.

    Args:
        bqm: a `dimod.BinaryQuadraticModel`, or any object with `linear` (variable to bias), `quadratic` (pair of
            variables to bias), `offset` and `vartype` ("BINARY" or "SPIN").
    """
    try:
        linear, quadratic = dict(bqm.linear), dict(bqm.quadratic)
        offset, vartype = float(bqm.offset), str(getattr(bqm.vartype, "name", bqm.vartype))
    except (AttributeError, TypeError, ValueError) as error:
        message = f"from_dimod was given a {type(bqm).__name__}; expected a binary quadratic model"
        raise UsageError(f"{message} ({error})") from None
    if vartype not in TABLES or not linear:
        raise UsageError("from_dimod expects a model with variables, all of them BINARY or SPIN")
    number = {variable: at for at, variable in enumerate(linear)}
    # In dimod no pair occurs twice: there is nothing to merge.
    pairs = np.array([(number[u], number[v]) for u, v in quadratic], np.int64).reshape(-1, 2)
    biases = np.array(list(quadratic.values()), np.float64)
    labels = tuple(str(variable) for variable in linear)
    model = Model(np.array(list(linear.values()), float), pairs, biases, offset, vartype, labels)
    return CostNetwork(network_of("bqm", model))
