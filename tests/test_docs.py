"""The documentation is true: its blocks run, its links lead somewhere, its tables are those of the models."""

import re
import shlex

import pytest

from swarmkit.plugins.host import host
from tests.conftest import ROOT
from tests.pages import blocks, run_page, run_python, script
from tests.pictures import ALIKE, difference, written_pictures
from tests.wsd.at_hand import WORDNETS

FRONT = sorted(ROOT.glob("*.md"))
DOCS = sorted(ROOT.glob("docs/**/*.md"))

NOT_RUN = {"docs/arena.md": 1, "docs/comparing.md": 1, "docs/dbees-2014.md": 2, "docs/measures.md": 1, "docs/wsd.md": 4}
NOT_RUN |= {"docs/batches.md": 1, "docs/experts.md": 1, "docs/scale.md": 1}
NOT_RUN |= {"docs/lexsub.md": 1, "docs/studio.md": 2}
"""Blocks that need what is not here: a cluster, a corpus, an installation. The reason stands above each."""


def named(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", FRONT, ids=named)
def test_the_python_blocks_of_a_page_run_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs"}
    for block in blocks(page):
        if block.kind == "python":
            run_python(block.text, names)


@pytest.mark.parametrize("page", DOCS, ids=named)
def test_every_block_of_the_documentation_runs(page, tmp_path, monkeypatch, own_host, request):
    if any(block.runs and "wsd" in block.text for block in blocks(page)):
        request.getfixturevalue("source")
    monkeypatch.setenv("SWARMKIT_WORDNETS", str(WORDNETS[-1]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    run_page(page, tmp_path)
    check_pictures(page, tmp_path)


PICTURES = ROOT / "docs" / "pictures" / "tutorials"

OTHERS_DRAW = {"tuning"}
"""Tutorials whose pictures depend on the version of another library: Optuna proposes the settings."""


def check_pictures(page, folder):
    """Assert that the blocks of a page wrote the pictures that it shows, and that they look like the committed ones."""
    for name in written_pictures(page):
        assert (folder / name).is_file(), f"no block writes {name}"
        differs = difference(folder / name, PICTURES / name)
        most = 1.0 if page.stem in OTHERS_DRAW else ALIKE
        assert differs <= most, f"{name} differs by {differs:.2f}: python docs/tutorial_pictures.py {page.stem}"


WRONG = {
    "an exception": "```python\nraise ValueError\n```\n",
    "a command that fails": "```sh\ntrue\nfalse\ntrue\n```\n",
    "another output": "```python\nprint(1)\n```\n\n```output\n2\n```\n",
    "a language that nobody runs": "```toml\nruns = 1\n```\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_block_that_is_wrong_is_noticed(text, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises((AssertionError, ValueError)):
        run_page(page, tmp_path)


SHARED = """
<!-- file: bees.py -->
```python
count = 3
```

```python
from bees import count
```

```python
print(count + 1)
```

```output
4
```

```sh
cat bees.py
```

```output
count = 3
```
"""


def test_blocks_of_a_page_share_names_and_files(tmp_path, monkeypatch, own_host):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(SHARED)
    run_page(page, tmp_path)


def test_few_blocks_are_not_run():
    left_out = {named(page): sum(block.mark == "not run" for block in blocks(page)) for page in DOCS}
    assert {page: count for page, count in left_out.items() if count} == NOT_RUN


def test_figures_of_the_front_pages_are_those_of_the_pages_that_they_come_from():
    peers = (ROOT / "docs" / "peers.md").read_text()
    readme, start = (ROOT / "README.md").read_text(), (ROOT / "docs" / "README.md").read_text()
    [row] = re.findall(r"^\| tsp 1,000 +\| \*\*tsp-aco 2opt\*\* .*", peers, flags=re.M)
    soon, late = re.findall(r"([\d.]+ %) \(", row)
    assert f"| {soon}, {late} | [`benchmarks/peers.py`]" in readme
    assert f"| {soon} longer after 1 s, {late} after 10 s |" in start


@pytest.mark.parametrize("page", DOCS, ids=named)
def test_every_fence_is_a_block(page):
    fences = re.findall(r"^\s*```", page.read_text(), flags=re.M)
    assert len(fences) == 2 * len(blocks(page))


@pytest.mark.parametrize("page", [*FRONT, *DOCS], ids=named)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        movie = re.fullmatch(r"movies/(\w+)\.html", target)  # made when the site is built
        assert (page.parent / target).exists() or (
            movie and movie[1] in ("bees", *script(ROOT / "docs" / "gallery.py").RUNS)
        ), target


@pytest.mark.usefixtures("source")
def test_the_commands_of_the_readme_are_commands(cli):
    shell = "\n".join(re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.S | re.M))
    lines = [shlex.split(line, comments=True) for line in shell.splitlines() if line.startswith("swarmkit ")]
    assert len(lines) >= 10
    for line in lines:
        if "1e8" not in line and line[1] not in {"resume", "replay", "new"}:
            assert cli(*line[1:]).code == 0, line


@pytest.mark.parametrize("page", DOCS, ids=named)
def test_tables_of_settings_are_those_of_the_models(page, own_host):
    text = page.read_text(encoding="utf-8")
    assert script(ROOT / "docs" / "tables.py").filled(text) == text, "python docs/tables.py brings it up to date"


def test_every_bundled_solver_has_a_page_with_its_table_and_its_reference(own_host):
    offers = [offer for offer in host().offers("solver") if "pyswarmkit" in offer.plugin.provenance]
    pages = {page.stem: page.read_text(encoding="utf-8") for page in DOCS if page.parent.name == "solvers"}
    assert sorted(offer.name for offer in offers) == sorted(pages)
    for offer in offers:
        assert f"<!-- settings: solver {offer.name} -->" in pages[offer.name]
        assert " ".join(offer.value.reference.split()) in " ".join(pages[offer.name].split())


def test_every_bundled_problem_has_its_table(own_host):
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS)
    for offer in host().offers("problem"):
        assert f"<!-- settings: problem {offer.name} -->" in text


def test_every_page_is_in_the_index_or_among_the_solvers():
    lists = [ROOT / "docs" / "README.md", ROOT / "docs" / "which-solver.md"]
    index = "".join(page.read_text(encoding="utf-8") for page in lists)
    for page in DOCS:
        assert page == lists[0] or f"({page.relative_to(ROOT / 'docs').as_posix()})" in index, page


PLACES = ("", "swarmkit", "algorithms", "problems", "algorithms/swarmkit_ants")
"""Folders that paths in pages begin at: that of the project, of the core, of plugins, of the ants."""


@pytest.mark.parametrize("page", [page for page in (*FRONT, *DOCS) if page.stem != "CHANGELOG"], ids=named)
def test_files_that_a_page_names_are_there(page):
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`(?:python )?([\w.-]+/[\w./-]+\.py)\b", text)
    assert [path for path in paths if not any((ROOT / place / path).is_file() for place in PLACES)] == []


def test_the_front_page_is_short_and_its_pictures_are_small():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 120
    made = sorted((ROOT / "docs" / "pictures").glob("*.png"))
    shown = "".join(page.read_text(encoding="utf-8") for page in [*FRONT, *DOCS])
    assert all(f"pictures/{picture.name})" in shown for picture in made)
    assert len(re.findall(r"!\[[^\]]+\]\(docs/pictures/[^)]+\)", readme)) >= 4
    shots = script(ROOT / "docs" / "shots.py")
    assert sorted(picture.name for picture in made) == sorted(name for names in shots.MADE.values() for name in names)
    for picture in made:
        assert picture.stat().st_size < 150_000
    assert sum(picture.stat().st_size for picture in made) < 1_000_000


def test_every_picture_of_the_tutorials_is_shown_once_by_the_page_it_is_named_after():
    pages = [page for page in DOCS if written_pictures(page)]
    tutorials = {page for page in DOCS if page.parent.name == "tutorials" and page.stem != "index"}
    assert tutorials < set(pages)
    shown = [name for page in pages for name in written_pictures(page)]
    assert sorted(shown) == sorted(path.name for path in PICTURES.glob("*"))
    for page in pages:
        assert len(written_pictures(page)) >= 3
        assert all(name.startswith(f"{page.stem}-") for name in written_pictures(page))
    assert all((PICTURES / name).stat().st_size < 60_000 for name in shown)


def test_another_picture_is_noticed_and_the_same_in_another_palette_is_not(tmp_path):
    from PIL import Image

    shown = sorted(PICTURES.glob("*.png"))
    differences = [difference(one, two) for one in shown for two in shown if one < two]
    of_one_size = [found for found in differences if found < float("inf")]
    assert len(of_one_size) > 5
    assert min(of_one_size) > ALIKE
    with Image.open(shown[0]) as picture:
        picture.convert("RGB").rotate(0, translate=(1, 0), fillcolor="white").quantize(32).save(tmp_path / "same.png")
    assert difference(tmp_path / "same.png", shown[0]) < ALIKE
