"""Make the pictures of the front page, of the gallery and of the site: `python docs/shots.py [bees site …]`.

Needs the extras `wsd`, `report` and `test`, Chromium and its driver (Debian: chromium, chromium-driver).
"""

from __future__ import annotations

import importlib
import io
import os
import runpy
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image, ImageChops

import swarmkit
from swarmkit.report import make_page
from swarmkit.viewing import make_movie

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"

COLOURS = 96
"""Colours of a picture: its palette makes it small."""


@contextmanager
def browser(width: int, height: int) -> Iterator[Any]:
    """Yield a browser without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
        arguments += [
            "--no-first-run",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
            f"--user-data-dir={folder}",
        ]
        for argument in [*arguments, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


SEEN = "document.querySelector('#anytime').scrollIntoView()"
"""The script that makes the report draw its first chart."""


def shoot(driver: Any, page: str, selector: str, script: str = "") -> Image.Image:
    """Return a picture of the elements that a selector finds on a page, after a script."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        driver.get(path.as_uri())
        if script:
            driver.execute_script(script)
        driver.execute_async_script("setTimeout(arguments[0], 700)")  # what moves has arrived
        return Image.open(io.BytesIO(driver.find_element("css selector", selector).screenshot_as_png))


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with a small palette."""
    path = PICTURES / name
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {picture.width} x {picture.height}, {path.stat().st_size:,} bytes")


def scrub(frame: int) -> str:
    """Return the script that goes to a frame of a movie, with the controls below the picture."""
    return (
        "document.querySelector('.controls').style.position = 'static'; "
        "const range = document.querySelector('input[type=range]'); "
        f"range.value = {frame}; range.dispatchEvent(new Event('input'));"
    )


def recorded(problem: Any, solver: str, **given: Any) -> swarmkit.Recording:
    """Return the recording of a run."""
    recorder = swarmkit.Recorder()
    swarmkit.solve(problem, solver, observers=[recorder], **given)
    assert recorder.recording is not None  # noqa: S101  (the run has ended)
    return recorder.recording


def bees(driver: Any) -> None:
    """Show D-Bees on the paper's sentence: the best senses are lit, bees follow each other."""
    made = recorded("wsd", "dbees")
    best = max(
        (at for at, frame in enumerate(made.frames) if frame.score is not None and "solutions" in frame.shown),
        key=lambda at: _interest(made.frames[at].shown),
    )
    save(shoot(driver, make_movie(made), "#viewer", scrub(best)), "bees.png")


def _interest(shown: dict[str, Any]) -> tuple[int, int]:
    """Return how much there is to see in a frame of bees: bees that follow others, and different senses on paths."""
    paths = np.asarray(shown["solutions"])
    followers = int((np.asarray(shown.get("followed", [])) != np.arange(len(paths))).sum())
    return followers > 0 and len(paths) > 3, len({(i, c) for path in paths for i, c in enumerate(path) if c >= 0})


def report(driver: Any) -> None:
    """Show the best score over time in the report of a comparison."""
    given = {"problems": [{"name": "synthetic", "options": {"n": 200}}], "budget": {"looks": 200_000}}
    solvers = ["annealing", "ils", "dbees", "ga", "icm"]
    experiment = swarmkit.Experiment.read({**given, "solvers": solvers, "runs": 7}, "docs/shots.py")
    save(shoot(driver, make_page(swarmkit.compare(experiment)), "#anytime", SEEN), "report.png")


def senses() -> None:
    """Draw what `--plot` draws for a sentence: words in colours, their senses, the next senses."""
    from matplotlib.figure import Figure

    problem = swarmkit.make_problem("wsd", text="They sat on the bank of the river and watched the current.")
    figure = Figure(figsize=(6.7, 4.9), layout="constrained")
    swarmkit.draw_solution(problem, np.array(swarmkit.solve(problem, "dbees").solution), figure.add_subplot())
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=130)
    picture = Image.open(buffer).convert("RGB")
    [left, top, right, bottom] = ImageChops.invert(picture).getbbox() or (0, 0, *picture.size)
    save(picture.crop((max(0, left - 12), max(0, top - 12), right + 12, bottom + 12)), "senses.png")


def own(driver: Any) -> None:
    """Show the problem of the README's program, two thirds through the frames of its run."""
    names = runpy.run_path(str(ROOT / "examples" / "readme.py"))
    made = recorded(names["problem"], "ils", seed=1, looks=1_000_000)
    save(shoot(driver, make_movie(made), ".scene", scrub(len(made.frames) * 2 // 3)), "own.png")


CELLS = (
    'import swarmkit\n\nproblem = swarmkit.make_problem("tsp", n=60)',
    'swarmkit.watch(problem, "tsp-aco", looks=100_000)',
)
"""The cells of the notebook."""

IN_NOTEBOOK = """
const root = [...document.querySelectorAll('.jp-OutputArea-output div')].find((e) => e.shadowRoot)?.shadowRoot;
const range = root?.querySelector('input[type=range]');
if (!/ended/.test(root?.querySelector('.state').textContent)) return false;
range.value = Math.round(range.max * 0.7);
range.dispatchEvent(new Event('input'));
root.querySelectorAll('.help').forEach((e) => { e.hidden = true; });
return true;
"""
"""The script that waits for the end of the watched run, goes to a moment of it, and returns whether it has."""


def notebook(driver: Any) -> None:
    """Show a watched run in a notebook; SWARMKIT_JUPYTER names an interpreter with Jupyter, else it is installed."""
    from selenium.webdriver.support.wait import WebDriverWait

    notebooks = runpy.run_path(str(ROOT / "tests" / "notebooks.py"))
    with TemporaryDirectory() as environment, TemporaryDirectory() as folder:
        given = os.environ.get("SWARMKIT_JUPYTER")
        python = Path(given) if given else notebooks["make_environment"](Path(environment))
        notebooks["write_notebook"](Path(folder) / "watch.ipynb", *CELLS)
        with notebooks["served"](python, Path(folder)) as server:
            driver.get(server.url("lab/tree/watch.ipynb"))
            wait = WebDriverWait(driver, 120)
            status = "return window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status"
            wait.until(lambda _: driver.execute_script(status) == "idle")
            driver.execute_script("jupyterapp.commands.execute('application:toggle-left-area')")
            driver.execute_script("jupyterapp.commands.execute('notebook:run-all-cells')")
            wait.until(lambda _: driver.execute_script(IN_NOTEBOOK))
            driver.execute_async_script("setTimeout(arguments[0], 700)")
            save(
                Image.open(io.BytesIO(driver.find_element("css selector", ".jp-Notebook").screenshot_as_png)),
                "notebook.png",
            )


SENTENCE = "They sat on the bank of the river and watched the current."

STARTED = """
document.getElementById('option-text').value = arguments[0];
document.getElementById('start').click();
"""

AT_MOMENT = """
const range = document.querySelector('#run-viewer input[type=range]');
document.querySelector('#run-viewer .play').click();
range.value = Math.round(range.max * 0.72);
range.dispatchEvent(new Event('input'));
document.querySelectorAll('#run-viewer .help').forEach((e) => { e.hidden = true; });
"""


def studio(driver: Any) -> None:
    """Show the studio: D-Bees on a sentence, the senses of a text, and the same on a phone in dark colours."""
    from selenium.webdriver.support.wait import WebDriverWait

    wait = WebDriverWait(driver, 120)

    def until(script: str) -> None:
        wait.until(lambda _: driver.execute_script(f"return {script}"))

    def choose(name: str, value: str) -> None:
        change = "e.value = arguments[1]; e.dispatchEvent(new Event('change'))"
        driver.execute_script(f"const e = document.getElementById(arguments[0]); {change}", name, value)

    def pictured(name: str, height: int) -> None:
        driver.execute_async_script("setTimeout(arguments[0], 700)")
        whole = Image.open(io.BytesIO(driver.get_screenshot_as_png()))
        save(whole.crop((0, 0, whole.width, min(height, whole.height))), name)

    with runpy.run_path(str(ROOT / "tests" / "studios.py"))["studio"]() as (_, address):
        driver.get(address)
        until("document.body.dataset.ready")
        choose("solver", "dbees")
        driver.execute_script(STARTED, SENTENCE)
        until("document.querySelector('.result')")
        driver.execute_script(AT_MOMENT)
        pictured("studio.png", 1000)
        driver.execute_script("location.hash = 'text'; document.querySelectorAll('.chip')[1].click()")
        until("document.querySelectorAll('.word').length")
        driver.execute_script("document.querySelectorAll('.word')[1].click()")
        pictured("studio-text.png", 820)
        phone = {"width": 390, "height": 1000, "deviceScaleFactor": 1, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
        pictured("studio-phone.png", 1000)
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def gallery(driver: Any) -> None:
    """Show the scene of every movie of the gallery, two thirds through, as a small picture."""
    for name, made in beside("gallery").recordings().items():
        scene = shoot(driver, make_movie(made), ".scene", scrub(len(made.frames) * 2 // 3)).convert("RGB")
        scene.thumbnail((440, 440), Image.Resampling.LANCZOS)
        save(scene, f"gallery-{name}.png")


def site(driver: Any) -> None:
    """Show the documentation site: the home page and the pages one click away, on a desktop and on a phone."""
    for name, picture in beside("site_shots").take(driver).items():
        save(picture, name)


def beside(name: str) -> Any:
    """Return another script of this folder as a module."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "docs"))


MOVIES = ("bees", "ants", "annealing", "assignment", "schedule", "cut", "colours", "portfolio")

MADE = {
    "senses": ("senses.png",),
    "bees": ("bees.png",),
    "report": ("report.png",),
    "own": ("own.png",),
    "studio": ("studio.png", "studio-text.png", "studio-phone.png"),
    "notebook": ("notebook.png",),
    "gallery": tuple(f"gallery-{name}.png" for name in MOVIES),
    "site": ("site-light.png", "site-dark.png", "site-clicks.png", "site-phone.png"),
}
"""The pictures by what is named on the command line; the site comes last, because it shows the others."""


def main() -> None:
    """Make all pictures, or those that are named."""
    PICTURES.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or list(MADE)
    if "senses" in wanted:
        senses()
    with browser(1280, 1080) as driver:
        for make in (bees, report, own, studio, notebook, gallery, site):
            if make.__name__ in wanted:
                make(driver)


if __name__ == "__main__":
    main()
