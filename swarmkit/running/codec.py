"""The encoding of states and checkpoints: JSON and arrays, never pickle.

Arrays (any dtype but object), JSON and numpy scalars, and lists, tuples, dicts and dataclasses of these can be encoded.
A dataclass is restored only as one of the types that the reader names, so no file decides which code runs. An array
that occurs in two places is one array again when it is restored.
"""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from swarmkit.contract.errors import SolverError, UsageError
from swarmkit.files.writing import write_atomically

Arrays = dict[str, Any]


def dataclasses_in(hint: Any) -> dict[str, type]:
    """Return every dataclass that occurs in a type hint, or in the fields of such a dataclass, by its full name.

    >>> @dataclasses.dataclass
    ... class State:
    ...     score: float
    >>> list(dataclasses_in(list[State] | None).values()) == [State]
    True
    """
    found: dict[str, type] = {}
    todo = [hint]
    while todo:
        hint = todo.pop()
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and not get_origin(hint):
            if _name(hint) not in found:
                found[_name(hint)] = hint
                todo.extend(get_type_hints(hint).values())
        else:
            todo.extend(get_args(hint))
    return found


def pack(value: Any, known: Iterable[str] = ()) -> tuple[Any, Arrays]:
    """Return plain data as a JSON tree and the arrays that the tree refers to by name.

    Args:
        value: the data.
        known: the full names of the dataclasses that may occur in it.
    """
    arrays: Arrays = {}
    seen: dict[int, str] = {}
    allowed = set(known)

    def array(value: Any) -> str:
        if value.dtype.hasobject:
            raise SolverError("an array of Python objects is not plain data")
        if id(value) not in seen:
            seen[id(value)] = f"a{len(arrays)}"
            arrays[seen[id(value)]] = value
        return seen[id(value)]

    def tree(value: Any, path: str) -> Any:
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.ndarray):
            return {"$array": array(value)}
        if isinstance(value, np.generic):
            return {"$scalar": array(np.asarray(value))}
        if isinstance(value, list):
            return [tree(item, f"{path}[{i}]") for i, item in enumerate(value)]
        if type(value) is tuple:
            return {"$tuple": tree(list(value), path)}
        if isinstance(value, dict) and all(isinstance(key, str) and key[:1] != "$" for key in value):
            return {key: tree(item, f"{path}.{key}") for key, item in value.items()}
        if dataclasses.is_dataclass(value) and _name(type(value)) in allowed:
            fields = {f.name: tree(getattr(value, f.name), f"{path}.{f.name}") for f in dataclasses.fields(value)}
            return {"$dataclass": _name(type(value)), "fields": fields}
        what = f"{path} is a {type(value).__name__}"
        if dataclasses.is_dataclass(value):
            raise SolverError(f"{what} that start() does not announce: annotate it, 'def start(...) -> YourState'")
        raise SolverError(f"{what}; states consist of arrays, JSON scalars, and dataclasses, lists and dicts of these")

    return tree(value, "state"), arrays


def unpack(tree: Any, arrays: Arrays, types: dict[str, type]) -> Any:
    """Return the data that `pack` encoded.

    Args:
        tree: the JSON tree.
        arrays: the arrays that it refers to.
        types: the dataclasses that may occur in it, by their full names.
    """
    if isinstance(tree, list):
        return [unpack(item, arrays, types) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if "$array" in tree:
        return arrays[tree["$array"]]
    if "$scalar" in tree:
        return arrays[tree["$scalar"]][()]
    if "$tuple" in tree:
        return tuple(unpack(tree["$tuple"], arrays, types))
    if "$dataclass" in tree:
        if tree["$dataclass"] not in types:
            raise UsageError(f"the file contains a '{tree['$dataclass']}', which this solver does not know")
        made = types[tree["$dataclass"]]
        restored: Any = object.__new__(made)  # without __post_init__, which ran when it was first made
        for name, value in tree["fields"].items():
            object.__setattr__(restored, name, unpack(value, arrays, types))
        return restored
    return {key: unpack(value, arrays, types) for key, value in tree.items()}


def write(path: Path, tree: Any, arrays: Arrays) -> None:
    """Write a tree and its arrays as one file, atomically."""
    buffer = io.BytesIO()
    text = np.frombuffer(json.dumps(tree).encode(), np.uint8)
    np.savez(buffer, json=text, **arrays)
    write_atomically(path, buffer.getvalue())


def read(path: Path) -> tuple[Any, Arrays]:
    """Read a tree and its arrays from a file that `write` wrote."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return json.loads(arrays.pop("json").tobytes()), arrays
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except (OSError, ValueError, KeyError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: not a checkpoint of swarmkit, or damaged ({type(error).__name__})") from None


def _name(made: type) -> str:
    return f"{made.__module__}.{made.__qualname__}"
