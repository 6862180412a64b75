import re

import pytest

import swarmkit
from swarmkit_wsd import disambiguate
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


@pytest.mark.parametrize(
    ("text", "right", "pages"),
    [
        (
            "They rowed to the bank of the river.",
            "row.v.01 bank.n.01 river.n.01",
            ["README", "wsd", "server", "batches"],
        ),
        ("The bank was steep.", "bank.n.01 be.v.01 steep.s.03", ["wsd", "server", "batches"]),
        ("A steep bank.", "steep.s.03 bank.n.01", ["wsd"]),
        ("The bank lent money.", "depository_financial_institution.n.01 lend.v.02 money.n.01", ["wsd"]),
    ],
)
def test_sentences_of_the_front_page_and_of_the_guides_have_the_right_senses(text, right, pages):
    for page in pages:
        written = (ROOT / ("README.md" if page == "README" else f"docs/{page}.md")).read_text(encoding="utf-8")
        words = [word.strip(".") for word in text.split()]
        assert text in written or ", ".join(f'"{word}"' for word in words) in written, page
    assert [sense.synset for sense in disambiguate(text)] == right.split()
