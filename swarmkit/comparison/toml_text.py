"""An experiment as TOML: what a command line compares, as a file to keep, change and share."""

from __future__ import annotations

import json
from typing import Any

from swarmkit.comparison.experiment import Experiment


def write_toml(experiment: Experiment) -> str:
    """Write an experiment as the file that `read_experiment` reads.

    >>> print(write_toml(Experiment(problems=["synthetic"], solvers=["icm"], runs=3)))
    runs = 3
    <BLANKLINE>
    [[problems]]
    name = "synthetic"
    <BLANKLINE>
    [[solvers]]
    name = "icm"
    <BLANKLINE>
    """
    values = experiment.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    entries = {name: values.pop(name) for name in ("problems", "solvers")}
    lines = [f"{name} = {_value(value)}" for name, value in values.items()]
    for name, tables in entries.items():
        for table in tables:
            lines += ["", f"[[{name}]]", *(f"{key} = {_value(value)}" for key, value in table.items() if value != {})]
    return "\n".join(lines).lstrip() + "\n"


def _value(value: Any) -> str:
    """Write one value; text as JSON does, whose escapes TOML shares.

    >>> _value({"looks": 10, "a.b": [1.5, True, "x"]})
    '{ looks = 10, "a.b" = [1.5, true, "x"] }'
    """
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("-", "").replace("_", "").isalnum() else json.dumps(key)
