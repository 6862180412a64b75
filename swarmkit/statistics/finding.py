"""What a statistic says: numbers for machines, and a sentence that a person can quote."""

from __future__ import annotations

from importlib.util import find_spec

from pydantic import BaseModel, ConfigDict

from swarmkit.contract.errors import MissingError

ALPHA = 0.05
"""What is less likely than this by chance alone is called a difference."""


class Finding(BaseModel):
    """The base of all findings; a number that means nothing here is None, and the words say why."""

    model_config = ConfigDict(frozen=True)

    words: str


class Test(Finding):
    """A test of a whole family of methods."""

    __test__ = False  # no test of pytest's

    name: str
    statistic: float | None = None
    p: float | None = None


def need_scipy(what: str) -> None:
    """Say which extra is missing, if it is."""
    for module in ("scipy", "scikit_posthocs"):
        if find_spec(module) is None:
            raise MissingError(
                f"{what} need {module.replace('_', '-')}, which the extra 'report' brings: "
                "pip install 'pyswarmkit[report]'"
            )


def chance(p: float) -> str:
    """Write a p-value for people.

    >>> chance(0.0312), chance(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Join names as people do.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def counted(number: int, noun: str) -> str:
    """Give a number and its noun.

    >>> counted(1, "run"), counted(3, "run")
    ('1 run', '3 runs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
