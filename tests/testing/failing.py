"""Which checks of the conformance kit fail."""

from swarmkit.testing import ConformanceError


def failures(check, subject) -> set[str]:
    """Name the checks that fail, without the family they failed on."""
    try:
        check(subject)
    except ConformanceError as error:
        return {outcome.name.split(" [")[0] for outcome in error.report.of("failed")}
    return set()
