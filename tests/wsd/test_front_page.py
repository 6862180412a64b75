import re

import pytest

import swarmkit
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("source")


def test_the_front_page_shows_what_its_first_command_prints():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(wsd by dbees: score ([\d.]+)\n.*?)```", readme, re.S)
    result = swarmkit.solve("wsd", "dbees")
    assert result.score == pytest.approx(float(shown.group(2)), abs=0.01)
    rows = [line.split(maxsplit=2) for line in shown.group(1).splitlines()[2:]]
    assert [(word, sense) for word, sense, _ in rows] == [(row["word"], row["sense"]) for row in result.answer]
    for (_, _, gloss), row in zip(rows, result.answer, strict=True):
        assert row["gloss"].startswith(gloss.removesuffix(" …"))
