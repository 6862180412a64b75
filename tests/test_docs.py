"""Every Python block of the documentation runs."""

import re
import shlex

import pytest

from tests.conftest import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_blocks_of_a_page_run_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs"}
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.S | re.M):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102  (our own documentation)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_commands_of_the_readme_are_commands(cli):
    shell = "\n".join(re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.S | re.M))
    lines = [shlex.split(line, comments=True) for line in shell.splitlines() if line.startswith("swarmkit ")]
    assert len(lines) >= 10
    for line in lines:
        if "1e8" not in line and line[1] not in {"resume", "replay", "new"}:
            assert cli(*line[1:]).code == 0, line
