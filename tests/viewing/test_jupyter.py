"""The widget in a real Jupyter server and a real browser (with --long)."""

import json
import os
import re
from pathlib import Path

import pytest

import swarmkit
from tests.browsing import assert_readable, needs_browser, opened
from tests.viewing.notebooks import make_environment, served, write_notebook

pytestmark = [pytest.mark.long, needs_browser]

ROOT = """
const root = () => [...document.querySelectorAll('.jp-OutputArea-output div')].find((e) => e.shadowRoot)?.shadowRoot;
"""
LAST = """
const range = root().querySelector('input[type=range]');
range.value = range.max;
range.dispatchEvent(new Event('input'));
"""
WATCHED = 'watched = swarmkit.watch("synthetic", "dbees", seed=3)\nwatched'
LONG = 'watched = swarmkit.watch("tsp", "annealing", seed=1, looks=10**13, seconds=300)\nwatched'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    environment = tmp_path_factory.mktemp("environment")
    given = os.environ.get("SWARMKIT_JUPYTER")  # an interpreter with Jupyter, for those who work on these tests
    python = Path(given) if given else make_environment(environment)
    with served(python, tmp_path_factory.mktemp("notebooks")) as server:
        yield server


@pytest.fixture
def run(server, request):
    """Open a notebook, run its cells, and yield the browser and a function that reads the widget."""
    from selenium.webdriver.support.wait import WebDriverWait

    path = server.folder / "run.ipynb"
    write_notebook(path, "import swarmkit", *request.param)
    with opened(path, "1280,1000") as browser:
        wait = WebDriverWait(browser, 120)

        def ask(script):
            return browser.execute_script(f"{ROOT} return {script}")

        browser.get(server.url("lab/tree/run.ipynb"))
        ready = "return window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status"
        wait.until(lambda _: browser.execute_script(ready) == "idle")
        browser.execute_script("jupyterapp.commands.execute('notebook:run-all-cells')")
        wait.until(lambda _: ask("root()?.querySelector('.says')?.textContent"))
        yield browser, ask, wait
        errors = [entry for entry in browser.get_log("browser") if "swarmkit" in entry["message"]]
        assert errors == []
        events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        assert [url for url in asked if not re.match(rf"{server.address}|data:|blob:|file:|chrome", url)] == []


def outputs(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('.jp-OutputArea-output pre')].map((e) => e.textContent)"
    )


@pytest.mark.parametrize("run", [[WATCHED, "print(watched.result.score)"]], indirect=True, ids=["dbees"])
def test_a_run_is_shown_and_its_result_is_that_of_solve(run):
    browser, ask, wait = run
    wait.until(lambda _: outputs(browser))
    plain = swarmkit.solve("synthetic", "dbees", seed=3)
    assert float(outputs(browser)[0]) == plain.score
    wait.until(lambda _: "has ended (done)" in ask("root().querySelector('.state').textContent"))
    assert ask("root().querySelector('.title').textContent") == "synthetic by dbees"
    assert int(ask("root().querySelector('input[type=range]').max")) > 20
    browser.execute_script(ROOT + LAST)
    assert f"best score {plain.score:.8g}"[:18] in ask("root().querySelector('.says').textContent")
    assert ask("root().querySelector('.end').hidden")
    assert ask("root().querySelector('canvas').width") > 300


@pytest.mark.parametrize("run", [[LONG]], indirect=True, ids=["annealing"])
def test_a_long_run_is_watched_live_and_stopped_from_the_viewer(run):
    _, ask, wait = run
    frames = "Number(root().querySelector('input[type=range]').max)"
    wait.until(lambda _: ask(frames) > 30)
    before = ask(frames)
    wait.until(lambda _: ask(frames) > before)
    assert "goes on" in ask("root().querySelector('.state').textContent")
    ask("root().querySelector('.play').click()")
    here = ask("root().querySelector('.viewer').dataset.frame")
    before = ask(frames)
    wait.until(lambda _: ask(frames) > before)
    assert ask("root().querySelector('.viewer').dataset.frame") == here  # paused: the run goes on, the picture waits
    ask("root().querySelector('.end').click()")
    wait.until(lambda _: "has ended (stopped by the viewer)" in ask("root().querySelector('.state').textContent"))


@pytest.mark.parametrize("run", [[LONG]], indirect=True, ids=["annealing"])
def test_the_viewer_follows_the_theme_of_the_notebook(run):
    browser, ask, wait = run
    ink = "getComputedStyle(root().querySelector('.title')).color"
    light = ask(ink)
    wait.until(lambda _: ask("root().querySelector('.series .line') !== null"))
    assert_readable(browser, root=ask("root()"))
    browser.execute_script("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    wait.until(lambda _: ask(ink) != light)
    assert_readable(browser, root=ask("root()"))
    ask("root().querySelector('.end').click()")
    wait.until(lambda _: "has ended" in ask("root().querySelector('.state').textContent"))
