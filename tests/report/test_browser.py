"""The report in a real browser: Chromium and its driver from the system's packages."""

import re

import pytest

from swarmkit.report import make_page
from tests.browsing import assert_quiet, assert_readable, media, needs_browser, opened, phone, texts
from tests.comparing import compared, scored

EVIL = "<img src=x onerror=alert(1)>"
PLOTS = ("anytime", "ecdf", "scores", "gap")

pytestmark = needs_browser


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write a report in which the name of one method is code."""
    names = {"greedy": EVIL}
    records = [scored(r, r.result.score, method=names.get(r.method, r.method)) for r in compared(4, 8)]
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(make_page(records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(page):
    """Open the report; in the end the browser must not have complained."""
    with opened(page) as driver:
        yield driver
        assert_quiet(driver)


def drawn(browser, name):
    """Scroll to a plot and return the number of marks in its chart."""
    plot = browser.find_element("id", f"plot-{name}")
    browser.execute_script("arguments[0].scrollIntoView()", plot)
    return marks(browser, plot)


def marks(browser, plot):
    """Wait for the chart of a plot, and return the number of marks in it."""
    from selenium.webdriver.support.wait import WebDriverWait

    script = "return arguments[0].querySelectorAll('.series path, .series circle').length"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(script, plot))
    return browser.execute_script(script, plot)


def test_every_plot_is_drawn_without_scrolling(page):
    with opened(page) as driver:
        driver.set_window_size(600, 400)
        assert all(marks(driver, driver.find_element("id", f"plot-{name}")) >= 4 for name in PLOTS)
        assert driver.execute_script("return scrollY") == 0


def test_every_plot_is_drawn(browser):
    for name in PLOTS:
        assert drawn(browser, name) >= 4, name
    drawings = "document.querySelectorAll('.plot > svg, svg.ranks:not(.narrow)')"
    sizes = browser.execute_script(f"return [...{drawings}].map((e) => e.getBoundingClientRect().height)")
    assert len(sizes) >= len(PLOTS) + 1
    assert min(sizes) > 100
    legend = set(texts(browser, "#plot-ecdf .legend button:not(.reset)"))
    assert {"icm", "random", "viterbi", EVIL} == legend


def test_a_click_on_a_head_sorts_and_another_turns_it_around(browser):
    values = "return [...document.querySelectorAll('.sortable')].at(-1).querySelectorAll('tbody td:nth-child(4)')"
    read = f"return [...(() => {{ {values} }})()].map((e) => Number(e.textContent))"
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
    assert drawn(browser, "anytime") >= 4
    axis = "return [...document.querySelectorAll('#plot-anytime > svg > text:not(.tick)')].map((e) => e.textContent)"
    assert "looks" in browser.execute_script(axis)
    curve = "return document.querySelector('#plot-anytime .line').getAttribute('d')"
    before = browser.execute_script(curve)
    browser.find_element("css selector", "#anytime input[value=seconds]").click()
    assert "seconds" in browser.execute_script(axis)
    browser.find_element("css selector", "#anytime-instance option:nth-child(2)").click()
    assert browser.execute_script("return document.querySelector('#scores-instance').value") == "1"
    assert browser.execute_script(curve) != before
    browser.find_element("css selector", "#anytime input[value=looks]").click()


def test_a_chart_says_what_is_under_the_pointer_and_can_be_zoomed(browser):
    from selenium.webdriver import ActionChains

    drawn(browser, "ecdf")
    chart = browser.find_element("css selector", "#plot-ecdf > svg")
    dot = browser.find_element("css selector", "#plot-ecdf .series .dot")
    ActionChains(browser).move_to_element(dot).perform()
    [said] = texts(browser, "#plot-ecdf .tip:not([hidden])")
    assert re.fullmatch(r".+\n[\d.]+ % after [\d,.]+ looks", said)
    ticks = "return [...document.querySelectorAll('#plot-ecdf .tick')].map((e) => e.textContent)"
    before = browser.execute_script(ticks)
    ActionChains(browser).move_to_element(chart).click_and_hold().move_by_offset(150, 0).release().perform()
    zoomed = browser.execute_script(ticks)
    assert zoomed != before
    chart.send_keys("0")
    assert browser.execute_script(ticks) == before
    chart.send_keys("+")
    assert browser.execute_script(ticks) != before
    browser.find_element("css selector", "#plot-ecdf .reset").click()
    assert browser.execute_script(ticks) == before


def test_a_click_on_a_name_in_the_legend_hides_its_curve(browser):
    drawn(browser, "anytime")
    name = browser.find_element("css selector", "#plot-anytime .legend button")
    count = "return document.querySelectorAll('#plot-anytime .series').length"
    before = browser.execute_script(count)
    name.click()
    assert (browser.execute_script(count), name.get_attribute("aria-pressed")) == (before - 1, "false")
    name.click()
    assert (browser.execute_script(count), name.get_attribute("aria-pressed")) == (before, "true")


def test_the_table_of_running_times_is_made_when_it_is_opened(browser):
    assert texts(browser, "#running-times td") == []
    browser.execute_script("document.querySelector('#running-times').open = true")
    from selenium.webdriver.support.wait import WebDriverWait

    methods = WebDriverWait(browser, 30).until(lambda _: texts(browser, "#running-times tbody th"))
    assert {"icm", EVIL} <= set(methods)


def test_tests_and_seeds_are_made_when_they_are_opened(browser):
    from selenium.webdriver.support.wait import WebDriverWait

    assert texts(browser, "[data-table=tests-0] td, [data-table=seeds] td") == []
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    wait = WebDriverWait(browser, 30)
    seeds = wait.until(lambda _: texts(browser, "[data-table=seeds] td.words"))
    assert seeds == ["0, 1, 2, 3, 4, 5, 6, 7"] * 16
    pairs = wait.until(lambda _: texts(browser, "[data-table=tests-0] tr"))
    assert len(pairs) == 7
    assert any("Mann-Whitney" in text for text in pairs[:1])
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = false; })")


def test_a_long_summary_is_completed_when_it_is_asked_for_or_sorted(browser, page, tmp_path):
    from selenium.webdriver.support.wait import WebDriverWait

    records = [
        scored(r, r.result.score + 100 * i, instance=f"{r.instance}, {i}")
        for i in range(10)
        for r in compared()
        if r.repetition == 0
    ]
    path = tmp_path / "report.html"
    path.write_text(make_page(records), encoding="utf-8")
    rows = "return [...document.querySelectorAll('#summary .sortable')].at(-1).tBodies[0].rows.length"
    try:
        for act in ("#more", "#summary h3 ~ .wide th:nth-child(3) button"):
            browser.get(path.as_uri())
            drawn(browser, "ecdf")
            assert browser.execute_script(rows) == 100
            browser.execute_script("document.querySelector(arguments[0]).click()", act)
            WebDriverWait(browser, 30).until(lambda _: browser.execute_script(rows) == 160)
            last = "return [...document.querySelectorAll('#summary tr:last-child')].at(-1).innerHTML"
            assert browser.execute_script(last).count("<td") > 5
            assert texts(browser, "#more") == []
    finally:
        browser.get(page.as_uri())


def test_dark_and_small_screens_are_served(browser):
    from selenium.webdriver.support.wait import WebDriverWait

    ink = "return getComputedStyle(document.querySelector('#plot-ecdf text')).fill"
    drawn(browser, "ecdf")
    light = browser.execute_script(ink)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    wait = WebDriverWait(browser, 30)
    wait.until(lambda _: browser.execute_script(ink) != light)
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    wait.until(lambda _: browser.execute_script("return innerWidth") == 390)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    wide = "[...document.querySelectorAll('.wide')].filter((e) => e.scrollWidth > e.clientWidth + 2)"
    wait.until(lambda _: browser.execute_script(f"return {wide}.every((e) => e.matches('.more-right'))"))
    assert browser.execute_script(f"return {wide}.length") > 0
    ends = "return [...document.querySelectorAll('.ranks.narrow *')].map((e) => e.getBoundingClientRect().right)"
    assert 0 < max(browser.execute_script(ends)) <= 390  # the diagram of ranks is whole
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_in_light_and_dark_and_on_a_phone(browser, page, scheme):
    browser.get(page.as_uri())
    media(browser, prefers_color_scheme=scheme)
    for name in PLOTS:
        drawn(browser, name)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert_readable(browser, fewest=300)
    with phone(browser):
        assert_readable(browser, fewest=300)
    media(browser)


def test_nothing_is_complained_of_and_nothing_asked_of_a_network(browser, page):
    browser.get(page.as_uri())
    assert page.as_uri() in assert_quiet(browser)
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0  # the name stayed a name
