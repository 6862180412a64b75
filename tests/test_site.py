"""The documentation site: every page has its place, equations are typeset, what is asked most is one click away."""

import doctest
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
import yaml

from tests.browsing import LEAST_CONTRAST, assert_quiet, contrasts, media, needs_browser, opened, phone
from tests.conftest import ROOT
from tests.pages import script

DOCS = ROOT / "docs"


def places(nav):
    """Return the addresses of all pages in a navigation."""
    if isinstance(nav, str):
        return [nav]
    return [place for part in nav for place in places(next(iter(part.values())) if isinstance(part, dict) else part)]


@pytest.fixture(scope="module")
def hooks():
    return script(DOCS / "site" / "hooks.py")


@pytest.fixture(scope="module")
def nav():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return places(yaml.safe_load(text)["nav"])


def test_every_page_has_its_place(nav, hooks):
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert set(nav) == pages | set(hooks.OUTSIDE.values()) | {"examples.md"}


def test_links_that_leave_the_folder_lead_to_pages_of_the_site(hooks):
    assert doctest.testmod(hooks).failed == 0


def test_examples_in_docstrings_are_code_on_the_reference_pages():
    doctests = script(DOCS / "site" / "doctests.py")
    assert doctest.testmod(doctests).failed == 0
    several = "Text.\n\n>>> one()\n1\n\n>>> two()\n2\n\nArgs:\n    x: a number."
    assert doctests.fenced(several).count("```") == 2
    assert doctests.fenced("Nothing to run, 1 >>> 0.") == "Nothing to run, 1 >>> 0."


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_every_equation_can_be_typeset(hooks, page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for source in re.findall(r"\$\$(.+?)\$\$", text, flags=re.S):
        made = hooks.equation(rf"\[{source}\]", display=True)
        assert made.startswith('<div class="equation"><math')
        assert "\\" not in re.sub(r"<annotation.*?</annotation>", "", made, flags=re.S), source


def test_movies_of_the_gallery_are_those_of_its_page():
    shown = re.findall(r"\(movies/(\w+)\.html\)", (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert sorted(set(shown)) == sorted(["bees", *script(DOCS / "gallery.py").RUNS])
    assert set(shown) == set(script(DOCS / "shots.py").MOVIES)


class Links(HTMLParser):
    """The links of a page, with their words."""

    def __init__(self, text):
        super().__init__()
        self.found, self.target = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.target = dict(attributes).get("href")

    def handle_endtag(self, tag):
        self.target = None if tag == "a" else self.target

    def handle_data(self, data):
        if self.target and data.strip():
            self.found.setdefault(data.strip(), self.target)


@pytest.mark.long
def test_the_site_builds_without_warnings_and_what_is_asked_most_is_one_click_away(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    home = Links((tmp_path / "site" / "index.html").read_text(encoding="utf-8")).found
    for words in ("Which solver do I use?", "A problem of your own", "Compare solvers fairly"):
        assert (tmp_path / "site" / home[words]).is_file()
    assert [path.name for path in (tmp_path / "site").rglob("*") if path.suffix in {".py", ".pyc", ".rec"}] == []
    for page in (tmp_path / "site" / "reference").glob("*.html"):
        assert "<blockquote>" not in page.read_text(encoding="utf-8"), page
    for page in (tmp_path / "site").rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', page.read_text(encoding="utf-8"))
        assert loaded == [], page


def test_the_home_page_has_a_card_with_a_picture_for_each_kind_of_user():
    home = (DOCS / "README.md").read_text(encoding="utf-8")
    cards = re.findall(r"<div markdown>\n\n!\[.+?\]\(pictures/.+?\)\n\n\*\*\[(.+?)\]\((.+?)\)\*\*", home)
    assert dict(cards) == {
        "The senses of a text": "wsd.md",
        "Compare solvers fairly": "comparing.md",
        "A problem of your own": "own-problem.md",
    }


SEEN = ("index.html", "tutorials/index.html", "tutorials/annealing.html", "which-solver.html", "reference/solving.html")


@needs_browser
@pytest.mark.long
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_pages_fit_a_phone_load_nothing_from_elsewhere_and_can_be_read(monkeypatch, colours):
    monkeypatch.syspath_prepend(DOCS)
    shots = script(DOCS / "site_shots.py")
    with shots.served() as home, opened(home) as browser, phone(browser):
        media(browser, prefers_color_scheme=colours)
        for page in SEEN:
            browser.get(home + page)
            width = browser.execute_script("return document.documentElement.scrollWidth")
            assert width <= 390, page
            weak = [found for found in contrasts(browser) if found[0] < LEAST_CONTRAST and found[1] != "¶"]
            assert weak == [], page
        assert assert_quiet(browser, home)
