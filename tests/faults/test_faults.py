"""Whatever fails while files are written, nothing is lost or torn, and what is said is a sentence."""

import pytest

from tests.faults.injection import build_shim, count_faults
from tests.faults.kinds import KINDS

MOST = {"studies": 3}
"""Places that the short tests try in each mode, of hundreds."""

FEWEST = {"stores": 60, "checkpoints": 20, "recordings": 12, "caches": 12, "batches": 12, "studies": 400}
"""A scenario with fewer places than this one had would not be the one that is meant."""


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    built = build_shim(tmp_path_factory.mktemp("shim"))
    if built is None:
        pytest.skip("needs a C compiler and Linux")
    return built


def check(kind, library, most):
    counts = count_faults(kind, library, most)
    assert counts["places"] >= FEWEST[kind]
    assert {name: counts[name] for name in ("lost", "torn", "tracebacks")} == {"lost": 0, "torn": 0, "tracebacks": 0}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_written_is_neither_lost_nor_torn(kind, library, request):
    if kind == "batches":
        request.getfixturevalue("source")
    check(kind, library, MOST.get(kind, 5))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_no_place_at_which_writing_can_fail_loses_or_tears_a_file(kind, library, request):
    if kind == "batches":
        request.getfixturevalue("source")
    check(kind, library, None)
