"""The studio in a real browser: runs watched live, texts annotated, files opened; scripts in names do nothing."""

import re

import pytest

import swarmkit
from tests.browsing import assert_quiet, contrasts, media, needs_browser, opened, phone, texts
from tests.studio.studios import studio

pytestmark = needs_browser

EVIL = "<img src=x onerror=document.title='hacked'>"
SENTENCE = "They sat on the bank of the river and watched the current."

PLUGIN = f'''
import numpy as np
import swarmkit

EVIL = {EVIL!r}

class Named(swarmkit.Problem):
    """A problem <script>document.title = 'hacked'</script>"""
    class Options(swarmkit.Settings):
        """Its options."""
        n: int = 4
        """Stages <img src=x onerror=document.title='hacked'>"""
    def __init__(self, n): self.sizes, self.caption = np.full(n, 3), EVIL
    @classmethod
    def build(cls, options): return cls(options.n)
    def score(self, X): return np.asarray(X).sum(axis=1).astype(float)
    def describe(self, x): return [{{"stage": EVIL, EVIL: int(c)}} for c in x]
    def metrics(self, x): return {{EVIL: 1.0}}
    def scene(self):
        words = [[EVIL, i] for i in range(len(self.sizes))]
        labels = [[EVIL] * 3 for _ in self.sizes]
        stages = [EVIL] * len(self.sizes)
        return {{"kind": "words", "text": words, "stages": stages, "candidates": labels, "glosses": labels}}

@swarmkit.hookimpl
def swarmkit_problems(): return {{EVIL: Named}}

def annotate(text):
    """Annotator <img src=x onerror=document.title='hacked'>"""
    candidate = {{"label": EVIL, "gloss": EVIL, "share": 0.5, "chosen": True, "because": [EVIL]}}
    word = {{"start": 0, "end": len(text), "label": EVIL, "gloss": EVIL, "confidence": 0.5, "candidates": [candidate]}}
    return {{"words": [word], "notes": [EVIL], "watch": None}}

annotate.examples = (EVIL,)

@swarmkit.hookimpl
def swarmkit_annotators(): return {{EVIL: annotate}}
'''

SET = """
const element = document.querySelector(arguments[0]);
element.value = arguments[1] === "max" ? element.max : arguments[1];
element.dispatchEvent(new Event(arguments[2]));
return element.value;
"""

FOREIGN = """
const [base, done] = arguments, json = { "Content-Type": "application/json" };
const attempt = (more) => fetch(`${base}/api/jobs`, { method: "POST", body: "{}", credentials: "include", ...more })
  .then((answer) => `${answer.type} ${answer.status}`, () => "refused");
Promise.all([attempt({ headers: json }), attempt({ mode: "no-cors" })]).then(done);
"""


class Page:
    """The studio in a browser."""

    def __init__(self, browser, base):
        from selenium.webdriver.support.wait import WebDriverWait

        self.browser, self.base, self._wait = browser, base, WebDriverWait(browser, 60)

    def ask(self, script, *given):
        return self.browser.execute_script(script, *given)

    def until(self, script, *given):
        return self._wait.until(lambda _: self.ask(f"return {script}", *given))

    def go(self, part):
        self.ask("location.hash = arguments[0]", part)
        self.until("!document.getElementById(arguments[0]).hidden", part)

    def click(self, selector):
        self.ask("document.querySelector(arguments[0]).click()", selector)

    def set(self, selector, value, event="change"):
        return self.ask(SET, selector, value, event)

    def choose(self, name, value):
        assert self.set(f"#{name}", value) == value

    def start(self, problem, solver, shown):
        """Choose a problem and a solver, wait for a field of the problem's form, and start."""
        self.go("run")
        self.choose("problem", problem)
        self.choose("solver", solver)
        self.until("document.getElementById(arguments[0])", shown)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Open a studio with a plugin whose names are code; in the end the browser must not have complained."""
    folder = tmp_path_factory.mktemp("studio")
    plugin = folder / "named.py"
    plugin.write_text(PLUGIN)
    with studio("--plugin", str(plugin)) as (_, address), opened(address, "1360,1000") as browser:
        base = address.partition("/?")[0]
        made = Page(browser, base)
        made.until("document.body?.dataset.ready")
        assert browser.current_url == f"{base}/"  # the token has left the address
        yield made
        assert_quiet(browser, base)


@pytest.mark.usefixtures("source")
def test_bees_on_a_pasted_sentence_are_watched_live_to_the_end(page):
    page.start("wsd", "dbees", "option-text")
    page.ask("document.getElementById('option-text').value = arguments[0]", SENTENCE)
    page.click("#start")
    page.until("document.querySelector('#run-viewer .says')")
    page.until("document.querySelector('.result')")
    expected = swarmkit.solve(swarmkit.make_problem("wsd", text=SENTENCE), "dbees", seconds=10)
    [heading] = texts(page.browser, ".result h2")
    assert float(heading.removeprefix("score ").replace(",", "")) == pytest.approx(expected.score, rel=1e-6)
    assert int(page.ask("return document.querySelector('#run-viewer input[type=range]').max")) >= 20
    assert texts(page.browser, ".words .head") == ["sat", "bank", "river", "watched", "current"]
    page.set("#run-viewer input[type=range]", "max", "input")
    assert texts(page.browser, ".words .sense.chosen")[1].startswith("bank.n.01")
    assert "sloping land" in " ".join(texts(page.browser, ".result td"))


def test_a_long_run_is_seen_while_it_goes_on_and_stopped_from_the_page(page):
    page.start("tsp", "annealing", "option-layout")
    page.set("#option-n", "150")
    page.set("#seconds", "50")
    page.click("#start")
    before = page.until("Number(document.querySelector('#run-viewer .viewer, #run-viewer[data-frame]')?.dataset.frame)")
    page.until("Number(document.getElementById('run-viewer').dataset.frame) > arguments[0]", before)
    assert page.ask("return document.querySelector('.result')") is None
    assert texts(page.browser, "#jobs .hint")[0] == "running"
    page.click("#run-viewer button.end")
    page.until("document.querySelector('.result')")
    assert "stopped by the viewer" in " ".join(texts(page.browser, ".result .hint"))
    page.until("document.querySelector('#jobs .dot.stopped')")


@pytest.mark.usefixtures("source")
def test_a_pasted_text_gets_its_senses_and_why(page):
    page.go("text")
    page.ask("document.getElementById('text-input').value = arguments[0]", f"😀 {SENTENCE}")
    page.choose("text-annotator", "wsd")
    page.click("#text .primary")
    page.until("document.querySelectorAll('.word').length === 5")
    words = texts(page.browser, ".word")
    assert words == ["sat", "bank", "river", "watched", "current"]
    # The senses of a short text are listed without a click.
    assert texts(page.browser, ".glosses th") == words
    assert "sloping land" in texts(page.browser, ".glosses tr")[1]
    page.click(".word:nth-of-type(2)")
    [chosen] = texts(page.browser, ".senses li.chosen")
    assert "sloping land" in chosen
    assert re.search(r"alone [\d.]+", chosen)
    assert len(texts(page.browser, ".senses li")) > 3


@pytest.mark.usefixtures("source")
def test_a_text_that_is_too_long_is_refused_and_not_cut(page):
    page.go("text")
    page.choose("text-annotator", "wsd")
    assert page.ask("return document.getElementById('text-input').maxLength") == -1
    page.ask("document.getElementById('text-input').value = arguments[0]", "A river. " * 2500)
    page.click("#text .primary")
    page.until("!document.querySelector('#text .notice').hidden")
    assert "22,500 characters; at most 20,000" in texts(page.browser, "#text .notice")[0]


def test_scripts_in_names_labels_and_texts_do_nothing(page):
    page.start(EVIL, "icm", "option-n")
    page.set("#seconds", "0.3")
    page.click("#start")
    page.until("[...document.querySelectorAll('.result td')].some((e) => e.textContent === arguments[0])", EVIL)
    assert EVIL in texts(page.browser, "#run-viewer .caption")
    page.go("text")
    page.choose("text-annotator", EVIL)
    page.ask("document.getElementById('text-input').value = arguments[0]", EVIL)
    page.click("#text .primary")
    page.until("[...document.querySelectorAll('.word')].some((e) => e.textContent === arguments[0])", EVIL)
    assert page.ask("return document.title") == "swarmkit studio"
    assert page.ask("return document.querySelectorAll('main img, main script').length") == 0


def test_an_uploaded_recording_plays_in_a_sandbox(page, tmp_path):
    path = tmp_path / f"{EVIL.replace('/', '')}.rec"
    swarmkit.solve(swarmkit.make_problem("synthetic", n=6), "icm", looks=500, observers=[swarmkit.Recorder(path)])
    page.go("files")
    page.browser.find_element("id", "upload").send_keys(str(path))
    page.until("document.querySelector('.shelf button')")
    page.click(".shelf button")
    page.until("document.querySelector('.frame iframe')")
    assert page.ask("return document.querySelector('.frame iframe').getAttribute('sandbox')") == "allow-scripts"
    frame = page.browser.find_element("css selector", ".frame iframe")
    page.browser.switch_to.frame(frame)
    try:
        page.until("document.querySelector('.controls .play')")
        assert page.ask("return window.origin") == "null"
        assert page.ask("try { return parent.document.title } catch { return 'refused' }") == "refused"
    finally:
        page.browser.switch_to.default_content()
    assert page.ask("return document.title") == "swarmkit studio"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", ["run", "text", "files"])
def test_text_can_be_read_and_nothing_is_cut_off_on_a_phone(page, part, scheme):
    media(page.browser, prefers_color_scheme=scheme)
    page.go(part)
    weakest = contrasts(page.browser)[0]
    assert weakest[0] >= 4.5, weakest
    with phone(page.browser):
        assert page.ask("return document.documentElement.scrollWidth") == 390
    media(page.browser)


def test_a_form_says_what_is_wrong_with_a_setting(page):
    page.start("synthetic", "icm", "option-polysemy")
    page.set("#option-n", "5")
    page.set("#option-window", "-5")  # it is folded away
    assert page.ask("return document.getElementById('option-window').checkVisibility()") is False
    page.click("#start")
    page.until("document.getElementById('option-window').checkVisibility()")
    assert page.ask("return document.getElementById('option-window').validity.valid") is False


def test_a_page_of_another_site_cannot_use_the_studio(page):
    page.go("run")
    before = texts(page.browser, "#jobs .job")
    with opened("data:text/html,<title>foreign</title>") as foreign:
        assert foreign.execute_async_script(FOREIGN, page.base) == ["refused", "refused"]
        foreign.get(page.base)  # without the token
        assert "not signed in" in foreign.find_element("tag name", "body").text
        foreign.get(page.base.replace("127.0.0.1", "evil.localhost"))  # a foreign name that leads to this machine
        assert "the host 'evil.localhost" in foreign.find_element("tag name", "body").text
    assert texts(page.browser, "#jobs .job") == before
