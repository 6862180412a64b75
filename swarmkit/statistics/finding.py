"""The base of all statistical results: numbers for machines, and a sentence that a person can quote."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

ALPHA = 0.05
"""Significance level of all tests: the usual one, which Demšar uses too."""


class Finding(BaseModel):
    """A statistical result; a number that is not defined is None, and `words` gives the reason."""

    model_config = ConfigDict(frozen=True)

    words: str
    """The result as a sentence."""


class Test(Finding):
    """The result of a hypothesis test; statistic and p-value are None where the test does not apply."""

    __test__ = False  # not a test for pytest to collect

    name: str
    statistic: float | None = None
    p: float | None = None
