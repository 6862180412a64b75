"""Movies in a real browser: they play, step, scrub, end at the recorded score, and run no code of others."""

import re

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

import swarmkit
from swarmkit import Recorder
from swarmkit.viewing import make_movie
from swarmkit.viewing.inline import digest
from tests.browsing import (
    assert_quiet,
    assert_readable,
    assert_scene_readable,
    media,
    needs_browser,
    opened,
    phone,
    texts,
)

pytestmark = pytest.mark.usefixtures("source")

EVIL = "<img src=x onerror=alert(1)>"
KINDS = {
    "tour": ("tsp", "tsp-aco", {"looks": 20_000}),
    "assignment": ("qap", "robust-tabu", {"looks": 5000}),
    "flowshop": ("flowshop", "ga", {"looks": 5000}),
    "graph": ("maxcut", "sa", {"looks": 5000}),
    "rows": ("setcover", "annealing", {"looks": 20_000}),
    "grid": ("synthetic", "bco", {"looks": 5000}),
}
SCRUB = """
const range = document.querySelector('input[type=range]');
range.value = arguments[0];
range.dispatchEvent(new Event('input'));
"""
COLOURS = """
const canvas = document.querySelector('canvas');
return new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size;
"""


def recorded(problem, solver, **given):
    recorder = Recorder()
    swarmkit.solve(problem, solver, observers=[recorder], **given)
    return recorder.recording


@pytest.fixture(scope="module")
def movie(tmp_path_factory, source):
    """Write the movie of D-Bees on the paper's sentence, as README's command does; return it and its recording."""
    made = recorded("wsd", "dbees")
    path = tmp_path_factory.mktemp("movie") / "bees.html"
    path.write_text(make_movie(made), encoding="utf-8")
    return path, made


@pytest.fixture(scope="module")
def browser(movie):
    with opened(movie[0], "1280,900") as driver:
        yield driver


@pytest.fixture
def playing(browser, movie):
    """Open the flagship's movie; in the end the browser must not have complained."""
    browser.get(movie[0].as_uri())
    yield browser
    assert_quiet(browser)


def frame(browser):
    return int(browser.execute_script("return document.querySelector('#viewer').dataset.frame"))


def said(browser):
    [text] = texts(browser, ".says")
    return text


def test_the_parts_of_a_problem_are_shown_in_turn():
    problem = swarmkit.make_problem("wsd", preset="paper", text="They sat on the bank. The bank was closed.")
    made = recorded(problem, "dbees")
    assert {frame.shown.get("part") for frame in made.frames} >= {0, 1}
    assert len(made.parts) == 2
    assert made.scene["kind"] == "words"


def test_a_movie_is_one_file_whose_policy_names_its_script_and_style(movie):
    page = movie[0].read_text()
    script, style = (re.search(rf"<{tag}>(.*?)</{tag}>", page, re.S).group(1) for tag in ("script", "style"))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', page).group(1)
    assert digest(script) in policy
    assert digest(style) in policy
    assert "unsafe" not in policy
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", page)
    assert len(page) < 500_000


@needs_browser
def test_the_flagship_movie_has_frames_and_ends_at_the_recorded_score(playing, movie):
    made = movie[1]
    assert len(made.frames) >= 15
    playing.execute_script(SCRUB, len(made.frames) - 1)
    assert frame(playing) == len(made.frames) - 1
    shown = float(re.search(r"best score ([\d.,]+\d)", said(playing)).group(1).replace(",", ""))
    assert shown == pytest.approx(made.facts["score"], rel=1e-6)
    names = [made.scene["candidates"][stage][k] for stage, k in enumerate(made.improvements[-1].solution)]
    lit = "return [...document.querySelectorAll('.sense.chosen')].map((cell) => cell.firstChild.textContent)"
    assert sorted(playing.execute_script(lit)) == sorted(names)


@needs_browser
def test_it_plays_pauses_and_steps_by_buttons_and_keys(playing):
    body = playing.find_element("tag name", "body")
    play = playing.find_element("css selector", ".play")
    play.click()
    WebDriverWait(playing, 30).until(lambda _: frame(playing) >= 3)
    play.click()
    here = frame(playing)
    assert play.text == "Play"
    body.send_keys(Keys.ARROW_RIGHT)
    assert frame(playing) == here + 1
    body.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert frame(playing) == here - 1
    body.send_keys(Keys.END)
    assert frame(playing) == int(playing.execute_script("return document.querySelector('input[type=range]').max"))
    body.send_keys(Keys.HOME)
    assert frame(playing) == 0
    body.send_keys("+")
    assert playing.execute_script("return document.querySelector('select[aria-label=speed]').value") == "2"
    playing.find_element("css selector", "#over-work > svg").click()
    assert frame(playing) > 0  # a click into the chart goes to that moment


@needs_browser
def test_bees_paths_and_glosses_are_shown(playing):
    playing.execute_script(SCRUB, 1)
    assert len(texts(playing, ".words .bee")) >= 2
    assert playing.execute_script("return document.querySelectorAll('.words .way').length") > 0
    assert any("bee" in text for text in texts(playing, ".words .few"))
    playing.find_element("css selector", ".words .sense").click()
    [gloss] = texts(playing, ".gloss")
    assert ": " in gloss


@needs_browser
def test_a_line_of_text_says_what_happens(playing):
    assert said(playing).startswith("Frame 1 of ")
    assert playing.execute_script("return document.querySelector('.says').getAttribute('aria-live')") == "polite"
    playing.execute_script(SCRUB, 2)
    assert re.search(r"\d bees", said(playing))


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark_and_on_a_phone(playing, scheme):
    media(playing, prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    playing.execute_script(SCRUB, 20)
    assert_readable(playing)
    with phone(playing):
        assert playing.execute_script("return document.documentElement.scrollWidth") == 390
        controls = "return document.querySelector('.controls').getBoundingClientRect().height"
        assert playing.execute_script(controls) < 130
    media(playing)


@needs_browser
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_scene_is_drawn(kind, browser, tmp_path):
    problem, solver, limits = KINDS[kind]
    made = recorded(problem, solver, **limits)
    assert made.scene.get("kind", "grid") == kind
    path = tmp_path / "run.html"
    path.write_text(make_movie(made), encoding="utf-8")
    browser.get(path.as_uri())
    browser.execute_script(SCRUB, len(made.frames) - 1)
    assert browser.execute_script(COLOURS) > 8
    assert said(browser).startswith(f"Frame {len(made.frames)} of ")
    assert texts(browser, ".series .line") != []
    for scheme in ("light", "dark"):
        media(browser, prefers_color_scheme=scheme)
        assert_readable(browser)
        assert_scene_readable(browser)
    media(browser)
    assert_quiet(browser)


@needs_browser
def test_names_and_texts_that_are_code_stay_text(browser, tmp_path):
    class Named(swarmkit.Problem):
        sizes = (2, 3)

        def score(self, X):
            return X.sum(axis=1)

        def view(self):
            names = [[EVIL] * 2, ["</script><script>alert(2)</script>"] * 3]
            text = [[EVIL, 0], [EVIL, 1]]
            scene = {"kind": "words", "stages": [EVIL] * 2, "candidates": names, "glosses": names, "text": text}
            return swarmkit.View(EVIL, scene=scene)

    made = recorded(Named(), "random", looks=50)
    made.facts |= {"problem": EVIL, "solver": "</title><script>alert(3)</script>"}
    made.frames[-1].shown = {EVIL: 1.0, "solutions": [[0, 0]]}
    path = tmp_path / "evil.html"
    path.write_text(make_movie(made), encoding="utf-8")
    browser.get(path.as_uri())
    browser.execute_script(SCRUB, len(made.frames) - 1)
    assert browser.execute_script("return document.querySelectorAll('img, script').length") == 2  # our data and script
    assert texts(browser, "h1")[0].startswith(EVIL)
    assert EVIL in texts(browser, "dt")
    assert_quiet(browser)
