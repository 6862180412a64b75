"""The report in a real browser: Chromium and its driver from the system's packages."""

import json
import os
import shutil

import pytest

from swarmkit.report import make_page
from tests.comparing import compared, scored

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
EVIL = "<img src=x onerror=alert(1)>"
PLOTS = ("anytime", "ecdf", "scores", "gap")

pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER),
    reason="the report is not tested in a browser, which needs: apt-get install chromium chromium-driver",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write a report in which the name of one method is code."""
    names = {"greedy": EVIL}
    records = [scored(r, r.result.score, method=names.get(r.method, r.method)) for r in compared()]
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(make_page(records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(page):
    """Open the report, and record the browser's log and its requests."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    arguments = ["--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1200,900"]
    for argument in [*arguments, *(["--no-sandbox"] if os.geteuid() == 0 else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        opened.get(page.as_uri())
        yield opened
        assert_quiet(opened)
    finally:
        opened.quit()


def assert_quiet(browser):
    """Assert that the console is empty and that only the file itself was requested; return the requests."""
    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked), asked
    return asked


def drawn(browser, name):
    """Return the number of paths that Plotly has drawn in a plot."""
    script = "return document.querySelectorAll(`#plot-${arguments[0]} .cartesianlayer .trace path`).length"
    return browser.execute_script(script, name)


def texts(browser, selector):
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())", selector
    )


def test_every_plot_is_drawn(browser):
    for name in PLOTS:
        assert drawn(browser, name) >= 4, name
    drawings = "document.querySelectorAll('.plot .main-svg, svg.ranks')"
    sizes = browser.execute_script(f"return [...{drawings}].map((e) => e.getBoundingClientRect().height)")
    assert len(sizes) >= len(PLOTS) + 1
    assert min(sizes) > 100
    legend = set(texts(browser, "#plot-ecdf .legendtext"))
    assert {"icm", "random", "viterbi", EVIL} == legend


def test_a_click_on_a_head_sorts_and_another_turns_it_around(browser):
    values = "return [...document.querySelectorAll('.sortable')].at(-1).querySelectorAll('tbody td:nth-child(4)')"
    read = f"return [...(() => {{ {values} }})()].map((e) => Number(e.dataset.value))"
    head = browser.execute_script(
        "return [...document.querySelectorAll('.sortable')].at(-1).querySelectorAll('th button')[3]"
    )
    assert head.text == "median"
    before = browser.execute_script(read)
    assert before != sorted(before)
    head.click()
    assert browser.execute_script(read) == sorted(before)
    sort = "return arguments[0].closest('th').getAttribute('aria-sort')"
    assert browser.execute_script(sort, head) == "ascending"
    head.send_keys("\ue007")  # Enter: a keyboard does what a mouse does
    assert browser.execute_script(read) == sorted(before, reverse=True)
    assert browser.execute_script(sort, head) == "descending"


def test_instance_and_unit_can_be_chosen(browser):
    title = "return document.querySelector('#plot-anytime').layout.xaxis.title.text"
    assert browser.execute_script(title) == "looks"
    before = browser.execute_script("return document.querySelector('#plot-scores').data[0].x")
    browser.find_element("css selector", "#anytime input[value=seconds]").click()
    assert browser.execute_script(title) == "seconds"
    browser.find_element("css selector", "#anytime-instance option:nth-child(2)").click()
    assert browser.execute_script("return document.querySelector('#scores-instance').value") == "1"
    assert browser.execute_script("return document.querySelector('#plot-scores').data[0].x") != before
    assert drawn(browser, "anytime") >= 4


def test_dark_and_small_screens_are_served(browser):
    from selenium.webdriver.support.wait import WebDriverWait

    ink = "return document.querySelector('#plot-ecdf').layout.font.color"
    light = browser.execute_script(ink)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    wait = WebDriverWait(browser, 30)
    wait.until(lambda _: browser.execute_script(ink) != light)
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    wait.until(lambda _: browser.execute_script("return innerWidth") == 390)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_nothing_is_complained_of_and_nothing_asked_of_a_network(browser, page):
    browser.get(page.as_uri())
    assert page.as_uri() in assert_quiet(browser)
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0  # the name stayed a name
