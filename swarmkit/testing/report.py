"""Checks and their outcomes: passed, failed, or skipped with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal


class Skipped(Exception):
    """A check does not apply, for the reason given."""


def expect(condition: object, otherwise: str) -> None:
    """Fail with a sentence unless the condition holds (an assert would be silent under `python -O`)."""
    if not condition:
        raise AssertionError(otherwise)


@dataclass(frozen=True)
class Check:
    """One named check; calling it returns the number of cases it examined, or raises."""

    name: str
    """What is checked, as a sentence."""
    function: Callable[[], int]
    """The check itself."""

    def __call__(self) -> int:
        """Run the check inside pytest: a check that does not apply is a skip with its reason."""
        try:
            return self.function()
        except Skipped as reason:
            import pytest

            pytest.skip(str(reason))

    def outcome(self) -> Outcome:
        """Run the check and return its outcome."""
        try:
            return Outcome(self.name, "passed", cases=self.function())
        except Skipped as reason:
            return Outcome(self.name, "skipped", str(reason))
        except Exception as error:
            notes = "\n".join(getattr(error, "__notes__", ()))
            message = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
            return Outcome(self.name, "failed", f"{message}\n{notes}".strip())


@dataclass(frozen=True)
class Outcome:
    """The outcome of one check."""

    name: str
    """The name of the check."""
    status: Literal["passed", "failed", "skipped"]
    """How it ended."""
    detail: str = ""
    """Why it failed or was skipped."""
    cases: int = 0
    """The number of cases examined."""


@dataclass(frozen=True)
class Report:
    """The outcomes of all checks of one problem or solver."""

    subject: str
    """The problem or solver that was checked."""
    outcomes: tuple[Outcome, ...]
    """The outcomes in the order of the checks."""

    def of(self, status: str) -> list[Outcome]:
        """Return the outcomes with a status: `passed`, `failed` or `skipped`."""
        return [outcome for outcome in self.outcomes if outcome.status == status]

    @property
    def summary(self) -> str:
        """The numbers of checks that passed, failed and were skipped, as a sentence."""
        cases = sum(outcome.cases for outcome in self.outcomes)
        counts = ", ".join(f"{len(self.of(status))} {status}" for status in ("passed", "failed", "skipped"))
        return f"{self.subject}: {counts} ({cases} cases)"

    def __str__(self) -> str:
        lines = [self.summary]
        for outcome in self.of("failed") + self.of("skipped"):
            lines.append(f"  {outcome.status}: {outcome.name}")
            lines += [f"    {line}" for line in outcome.detail.splitlines()]
        return "\n".join(lines)


class ConformanceError(AssertionError):
    """At least one check failed; `report` has all outcomes."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


def run_checks(subject: str, checks: Iterable[Check], ready: Callable[[Outcome], None] | None = None) -> Report:
    """Run checks one after another, return the report, and raise `ConformanceError` if any failed."""
    outcomes = []
    for check in checks:
        outcomes.append(check.outcome())
        if ready:
            ready(outcomes[-1])
    report = Report(subject, tuple(outcomes))
    if report.of("failed"):
        raise ConformanceError(report)
    return report
