"""Experiments as TOML files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import tomli_w

from swarmkit.comparison.combinations import check
from swarmkit.comparison.experiment import Experiment
from swarmkit.contract.bounded_json import check_plain, read_bytes
from swarmkit.contract.errors import UsageError

MEGABYTES = 1
"""The size of the largest experiment file."""

DOTTED = re.compile(r"""(?:^|[\n{,])[ \t]*\[{0,2}[ \t]*(?:(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){20}""")
"""The beginning of a name with many dots: the time to parse it grows with the square of their number."""


def read_experiment(path: Path | str) -> Experiment:
    """Read an experiment from a TOML file and check its names and settings.

    Raises:
        UsageError: The file cannot be read, is not TOML, or names something unknown; the message has the place.
    """
    try:
        text = read_bytes(Path(path), MEGABYTES).decode("utf-8")
        if DOTTED.search(text):
            raise ValueError("a name with more than 20 dots")
        values = tomllib.loads(text)
        check_plain(values)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    except RecursionError:
        raise UsageError(f"{path}: not an experiment in TOML (nested too deeply)") from None
    except ValueError as error:  # not TOML, not UTF-8, or not plain data
        raise UsageError(f"{path}: not an experiment in TOML ({error})") from None
    experiment = Experiment.read(values, str(path))
    check(experiment, f"{path}: ")
    return experiment


def write_experiment(experiment: Experiment) -> str:
    """Return an experiment as TOML text, which `read_experiment` reads; defaults are left out.

    Raises:
        UsageError: a setting is null, which TOML cannot express.

    >>> print(write_experiment(Experiment(problems=["synthetic"], solvers=["icm"], runs=3)))
    problems = [
        { name = "synthetic" },
    ]
    solvers = [
        { name = "icm" },
    ]
    runs = 3
    <BLANKLINE>
    """
    values = experiment.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    for name in ("problems", "solvers"):
        values[name] = [{key: value for key, value in entry.items() if value != {}} for entry in values[name]]
    try:
        return tomli_w.dumps(values)
    except TypeError as error:
        raise UsageError(f"a setting of the experiment cannot be written as TOML ({error})") from None
