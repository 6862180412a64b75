"""A real browser: Chromium and its driver from the system's packages."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
QUIET = ("background-networking", "component-update", "dev-shm-usage", "gpu", "sync")

needs_browser = pytest.mark.skipif(
    not (BROWSER and DRIVER),
    reason="pages are not tested in a browser, which needs: apt-get install chromium chromium-driver",
)

CONTRAST = """
const parse = (c) => c.match(/[\\d.]+/g).map(Number);
const over = (top, low) => { const a = top[3] ?? 1; return [0, 1, 2].map((i) => a * top[i] + (1 - a) * low[i]); };
const linear = (v) => (v <= 10 ? v / 3294.6 : ((v / 255 + .055) / 1.055) ** 2.4);
const light = (c) => .2126 * linear(c[0]) + .7152 * linear(c[1]) + .0722 * linear(c[2]);
const ground = (e) => {
  const own = parse(getComputedStyle(e || document.body).backgroundColor);
  return !e || (own[3] ?? 1) === 1 ? own.slice(0, 3) : over(own, ground(e.parentElement));
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim(), e = walker.currentNode.parentElement;
  if (!text || !e.checkVisibility() || e.closest("svg, script, noscript, option")) continue;
  const low = ground(e), ink = over(parse(getComputedStyle(e).color), low);
  const [dark, bright] = [light(ink), light(low)].sort((x, y) => x - y);
  found.push([(bright + .05) / (dark + .05), text.slice(0, 40), e.className]);
}
return found.sort((x, y) => x[0] - y[0]);
"""


CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text(encoding="utf-8")
ON_CANVAS = [
    ["--ink", "--paper"],
    ["--dim", "--paper"],
    ["--bee", "--paper"],
    *(["--paper", f"--s{k}"] for k in range(8)),
]
"""What scenes write in which colour on which."""

LEAST_CONTRAST = 4.5
"""What WCAG 2 asks of text of normal size (AA)."""


def assert_readable(browser, fewest=20, root=None):
    """Assert that every visible text of a page, or of a shadow root, stands out from what is behind it."""
    found = browser.execute_script(f"{CONTRASTS} return textContrasts(arguments[0] || document)", root)
    assert len(found) >= fewest
    assert [text for contrast, text in found if contrast < LEAST_CONTRAST] == []


def assert_scene_readable(browser):
    """Assert the same of what the scene of a movie writes on its canvas."""
    script = f"{CONTRASTS} return namedContrasts(document.querySelector('.scene'), arguments[0])"
    found = browser.execute_script(script, ON_CANVAS)
    assert [text for contrast, text in found if contrast < LEAST_CONTRAST] == []


@contextmanager
def opened(page, size="1200,900"):
    """Open a page, a file or an address, and record the browser's log and its requests."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        arguments = ["--headless=new", "--no-first-run", f"--window-size={size}", f"--user-data-dir={folder}"]
        arguments += [f"--disable-{name}" for name in QUIET]
        for argument in [*arguments, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        try:
            driver.get(page if isinstance(page, str) else page.as_uri())
            yield driver
        finally:
            driver.quit()


def assert_quiet(browser, *addresses):
    """Assert that the console is empty, and that only files and some addresses were requested; return the requests.

    The browser's own page for a new tab (chrome:) may ask for its files, and complain that there is no network.
    """
    log = [entry for entry in browser.get_log("browser") if not entry["message"].startswith("chrome:")]
    assert log == [], log
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    own = ("file:", "data:", "blob:", "chrome:", *addresses)
    assert all(url.startswith(own) for url in asked), asked
    return asked


def texts(browser, selector):
    """Return the texts of the elements that a selector finds."""
    script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())"
    return browser.execute_script(script, selector)


def contrasts(browser):
    """Return the contrast of every text that is visible, with its beginning and its class, the weakest first."""
    return browser.execute_script(CONTRAST)


def media(browser, **features):
    """Emulate what a user prefers, for instance prefers_color_scheme="dark"; nothing without arguments."""
    named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": named})


@contextmanager
def phone(browser):
    """Give the browser the width of a phone."""
    from selenium.webdriver.support.wait import WebDriverWait

    given = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script("return innerWidth") == 390)
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
