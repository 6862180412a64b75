"""The rules of the arena, and the reasons for which a solver is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict

from swarmkit import SwarmkitError

RULES: Mapping[str, str] = MappingProxyType(
    {
        "clock": "A search sees no clock: the same seed and budget give the same run, however fast time passes.",
        "memory": "A run knows nothing of earlier runs: what was learnt on one instance is not used in the next run.",
        "score": "The score that is claimed for a solution is the one that the problem gives it.",
        "count": "Every solution scored and every value read is counted.",
        "state": "All that changes is in State: saved and continued in another process, a run is the same.",
        "harness": "The harness, the problem and the libraries stay as they are.",
        "budget": "Steps are bounded and end at a limit; cut anywhere or made several at once, a run is the same.",
        "generator": "Random numbers come from the generator of the run alone.",
        "file": "Answers are computed, not read: no files are opened, and none beside the submitted one is imported.",
        "network": "No network is used.",
        "process": "No other processes or threads are started.",
        "feasible": "A reported solution is one of the problem, and feasible.",
        "limits": "A solver keeps within the time and the memory of the arena.",
        "kit": "Every check of the conformance kit passes.",
        "loading": "The file can be imported, and offers a solver.",
    }
)
"""What a solver has to keep, by the name of the rule."""


class Reason(BaseModel):
    """Why a solver is refused: the rule that it broke, and what was seen."""

    model_config = ConfigDict(frozen=True)

    rule: str
    """One of `RULES`."""
    words: str
    """What was seen, as a sentence."""


TOLERANCE = 1e-6
"""Relative difference up to which two scores are equal: a solver may add up the same values in another order."""


def is_below(bound: float, score: float) -> bool:
    """Return whether a bound on all scores is below one of them, by more than rounding.

    >>> is_below(1.0, 1.1), is_below(1.0, 1.0000001)
    (True, False)
    """
    return score - bound > TOLERANCE * max(1.0, abs(score))


class Breach(SwarmkitError):
    """A rule was broken; what was going on is ended at once."""

    def __init__(self, rule: str, words: str) -> None:
        super().__init__(words)
        self.reason = Reason(rule=rule, words=words)


def distinct_reasons(reasons: Iterable[Reason]) -> list[Reason]:
    """Return reasons in their order, each once.

    >>> reason = Reason(rule="clock", words="It asks for the time.")
    >>> len(distinct_reasons([reason, reason]))
    1
    """
    return list({(reason.rule, reason.words): reason for reason in reasons}.values())
