"""The encoding of states and checkpoints: JSON and arrays, never pickle.

Arrays (any dtype but object), JSON and numpy scalars, and lists, tuples, dicts and dataclasses of these can be encoded.
A dataclass is restored only as one of the types that the reader names, so no file decides which code runs. An array
that occurs in two places is one array again when it is restored. Files from elsewhere are read within bounds: whatever
is wrong with one is a `UsageError`.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import types
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from annotated_types import Interval

from swarmkit.contract.bounded_json import check_plain, parse_json, reading
from swarmkit.contract.errors import SolverError, UsageError
from swarmkit.files.archive import read_arrays, write_arrays

Arrays = dict[str, Any]

NUMBERS: dict[Any, Any] = {
    bool: (bool, np.bool_),
    int: (int, np.integer),
    float: (int, float, np.integer, np.floating),
    str: (str,),
}
"""What a field with one of these hints may hold: numpy's scalars count as Python's."""


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the type hints of the fields of a dataclass or named tuple, by name."""
    return get_type_hints(kind, include_extras=True)


def is_record(kind: Any) -> bool:
    """Whether a type is a dataclass or a named tuple; kernels take the latter, so a State may have them as they are."""
    is_tuple = isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")
    return is_tuple or (isinstance(kind, type) and dataclasses.is_dataclass(kind) and not get_origin(kind))


def dataclasses_in(hint: Any) -> dict[str, type]:
    """Return every dataclass and named tuple that occurs in a type hint, or in the fields of one, by its full name.

    Its subclasses are among them, but no abstract class: a climb, say, is announced by the class that all climbs share.

    >>> @dataclasses.dataclass
    ... class State:
    ...     score: float
    >>> list(dataclasses_in(list[State] | None).values()) == [State]
    True
    """
    records: dict[str, type] = {}
    todo = [hint]
    while todo:
        hint = todo.pop()
        if is_record(hint):
            if _name(hint) not in records:
                records[_name(hint)] = hint
                todo.extend([*hints_of(hint).values(), *hint.__subclasses__()])
        else:
            todo.extend(get_args(expand_alias(hint)))
    return {name: kind for name, kind in records.items() if not inspect.isabstract(kind)}


def expand_alias(hint: Any) -> Any:
    """Return what an alias (`type X = …`) stands for: from numpy 2.5 on `NDArray` is one; other hints as they are."""
    alias = get_origin(hint) or hint
    while type(alias).__name__ == "TypeAliasType":  # the type itself is new in Python 3.12
        hint = alias.__value__[get_args(hint)] if get_args(hint) else alias.__value__
        alias = get_origin(hint) or hint
    return hint


def pack(value: Any, names: Iterable[str] = ()) -> tuple[Any, Arrays]:
    """Return plain data as a JSON tree and the arrays that the tree refers to by name.

    Args:
        value: the data.
        names: the full names of the dataclasses that may occur in it.
    """
    arrays: Arrays = {}
    array_names: dict[int, str] = {}
    allowed = set(names)

    def array(value: Any) -> str:
        if value.dtype.hasobject:
            raise SolverError("an array of Python objects is not plain data")
        if id(value) not in array_names:
            array_names[id(value)] = f"a{len(arrays)}"
            arrays[array_names[id(value)]] = value
        return array_names[id(value)]

    def tree(value: Any, path: str) -> Any:
        # By exact type: numpy's float64 is a subclass of float, and would come back as one.
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.ndarray):
            return {"$array": array(value)}
        if isinstance(value, np.generic):
            return {"$scalar": array(np.asarray(value))}
        if isinstance(value, list):
            return [tree(item, f"{path}[{i}]") for i, item in enumerate(value)]
        # JSON has lists alone; named tuples are records, below.
        if type(value) is tuple:
            return {"$tuple": tree(list(value), path)}
        # Keys that begin with $ are the codec's own marks.
        if isinstance(value, dict) and all(isinstance(key, str) and key[:1] != "$" for key in value):
            return {key: tree(item, f"{path}.{key}") for key, item in value.items()}
        if is_record(type(value)) and _name(type(value)) in allowed:
            fields = {name: tree(getattr(value, name), f"{path}.{name}") for name in _fields(type(value))}
            return {"$dataclass": _name(type(value)), "fields": fields}
        place = f"{path} is a {type(value).__name__}"
        if is_record(type(value)):
            raise SolverError(f"{place} that start() does not announce: annotate it, 'def start(...) -> YourState'")
        raise SolverError(f"{place}; states consist of arrays, JSON scalars, and dataclasses, lists and dicts of these")

    packed = tree(value, "state")
    try:
        check_plain(packed, finite=False)
    except ValueError as error:  # it could be written, but not read again
        raise SolverError(f"the state is not plain data: {error}") from None
    return packed, arrays


def unpack(tree: Any, arrays: Arrays, types: dict[str, type]) -> Any:
    """Return the data that `pack` encoded.

    Args:
        tree: the JSON tree.
        arrays: the arrays that it refers to.
        types: the dataclasses that may occur in it, by their full names.

    Raises:
        UsageError: the tree is none that `pack` makes, or names an array or a dataclass that there is not.
    """
    if isinstance(tree, list):
        return [unpack(item, arrays, types) for item in tree]
    if not isinstance(tree, dict):
        return tree
    match tree:
        case {"$array": str(name)} if name in arrays:
            return arrays[name]
        case {"$scalar": str(name)} if name in arrays and arrays[name].ndim == 0:
            return arrays[name][()]
        case {"$tuple": list(items)}:
            return tuple(unpack(items, arrays, types))
        case {"$dataclass": str(name), "fields": dict(fields)}:
            return _restore(name, {key: unpack(value, arrays, types) for key, value in fields.items()}, types)
    wrong = next((key for key in tree if key[:1] == "$"), None)
    if wrong is not None:
        raise UsageError(f"the file is not one that swarmkit wrote: its {wrong} is not in order")
    return {key: unpack(value, arrays, types) for key, value in tree.items()}


def _restore(name: str, fields: dict[str, Any], types: dict[str, type]) -> Any:
    """Return a dataclass with these fields, without its __post_init__, which ran when it was first made."""
    if name not in types:
        raise UsageError(f"the file contains a '{name[:100]}', which this solver does not know")
    # Exactly the fields of today: a missing one would be an attribute error in the middle of a step.
    expected = set(_fields(types[name]))
    if set(fields) != expected:
        difference = sorted(expected ^ set(fields))[0]
        raise UsageError(f"the file's '{name}' is not that of this version: the field '{difference[:100]}'")
    if issubclass(types[name], tuple):
        return types[name](**fields)
    # Frozen dataclasses and those that compute fields are restored by their fields alone.
    instance: Any = object.__new__(types[name])
    for key, value in fields.items():
        object.__setattr__(instance, key, value)
    return instance


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value is what a type hint announces; hints that say nothing about plain data are not checked.

    >>> fits([1, 2], list[int]), fits("a", int | None)
    (True, False)
    """
    hint = expand_alias(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    # Any says nothing; the solver's first step shows whether the value fits.
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, option) for option in arguments)
    if origin is Annotated:
        # Annotated numbers have bounds: counts, seconds, finite scores.
        return fits(value, arguments[0]) and _within(value, hint.__metadata__[0])
    if hint in NUMBERS:
        return isinstance(value, NUMBERS[hint])
    if hint is np.ndarray or origin is np.ndarray:
        return isinstance(value, np.ndarray) and _has_kind(value, arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, arguments[1]) for item in value.values())
    if is_record(hint):
        return isinstance(value, hint) and all(
            fits(getattr(value, name), field) for name, field in hints_of(value.__class__).items()
        )
    return True


def _within(value: Any, bounds: Interval) -> bool:
    """Whether a number is inside an interval; NaN never is."""
    above = (bounds.ge is None or value >= bounds.ge) and (bounds.gt is None or value > bounds.gt)
    return not isinstance(value, bool) and above and (bounds.lt is None or value < bounds.lt)


def _has_kind(value: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether an array has numbers of the kind (integers, floats, ...) that `NDArray[...]` names."""
    kinds = get_args(arguments[1]) if len(arguments) == 2 else ()
    if len(kinds) != 1 or not (isinstance(kinds[0], type) and issubclass(kinds[0], np.generic)):
        return True
    return bool(np.issubdtype(value.dtype, kinds[0]) or np.dtype(kinds[0]).kind == value.dtype.kind)


def write(path: Path, tree: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a tree and its arrays as one file, atomically; `swarmkit` in the tree is the kind of file."""
    # One member of the archive is the JSON, so that a file is written and moved at once.
    text = np.frombuffer(json.dumps(tree).encode(), np.uint8)
    write_arrays(path, {"json": text, **arrays})


def read(path: Path, kind: str, expected: str) -> tuple[dict[str, Any], Arrays]:
    """Return the tree and the arrays of a file that `write` wrote.

    Args:
        path: the file.
        kind: what the file says that it is: `checkpoint`, `recording`.
        expected: the same for messages, with where such a file comes from.

    Raises:
        UsageError: the file cannot be read, is damaged, or is something else.
    """
    with reading(path, expected):
        if path.exists() and not path.is_file():  # a device may have no end
            raise ValueError("it is not a regular file")
        with path.open("rb") as file:
            arrays = read_arrays(file)
        text = arrays.pop("json")
        if text.dtype != np.uint8 or text.ndim != 1:
            raise ValueError("its JSON text is not a row of bytes")
        tree = parse_json(text.tobytes(), finite=False)
        if not isinstance(tree, dict) or tree.get("swarmkit") != kind or "content" not in tree:
            raise ValueError(f"it has no content of a {kind}")
        return tree, arrays


def _fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass or named tuple."""
    return kind._fields if issubclass(kind, tuple) else tuple(field.name for field in dataclasses.fields(kind))


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
