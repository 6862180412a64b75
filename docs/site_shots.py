"""Pictures of the built documentation site, taken while clicking through it: `python docs/shots.py site`.

The site is built into a temporary folder and served on a loopback address.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

ROOT = Path(__file__).parents[1]

ASKED = ("hich solver do I use?", "A problem of your own", "Compare solvers fairly")
"""The words (parts of them) of the links on the home page that lead to what is asked most."""

DESKTOP, PHONE = (1280, 960), (390, 844)
"""Widths and heights of the screens in pixels."""

GAP = 14
"""Pixels between pictures that stand side by side."""


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *_given: Any) -> None:
        """Print nothing."""


@contextmanager
def served() -> Iterator[str]:
    """Build the site, serve it, and yield its address."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder]
        environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)  # noqa: S603  (our own site)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            server.server_close()


def screen(driver: Any, size: tuple[int, int], *, dark: bool) -> None:
    """Make the browser a screen of a size, a phone if it is narrow, with the reader's preference for dark colours."""
    width, height = size
    given = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def forget_palette(driver: Any) -> None:
    """Load the page again as if for the first time: the site remembers the colours that a reader had."""
    driver.execute_script("localStorage.clear(); sessionStorage.clear()")
    driver.refresh()


def pictured(driver: Any) -> Image.Image:
    """Return a picture of what is on the screen."""
    driver.execute_async_script("setTimeout(arguments[0], 500)")
    return Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")


def clicked(driver: Any, home: str, words: str) -> Image.Image:
    """Return a picture of the page that one click on a link of the home page's text leads to."""
    driver.get(home)
    forget_palette(driver)
    link = driver.find_element("xpath", f"//article//a[contains(., '{words}')]")
    driver.execute_script("arguments[0].click()", link)
    return pictured(driver)


def side_by_side(pictures: list[Image.Image], height: int) -> Image.Image:
    """Return pictures side by side on grey, scaled to a height."""
    scaled = [
        one.resize((round(one.width * height / one.height), height), Image.Resampling.LANCZOS) for one in pictures
    ]
    whole = Image.new("RGB", (sum(one.width + GAP for one in scaled) + GAP, height + 2 * GAP), "#8a97a3")
    x = GAP
    for one in scaled:
        whole.paste(one, (x, GAP))
        x += one.width + GAP
    return whole


def take(driver: Any) -> dict[str, Image.Image]:
    """Return the pictures by their names: the home page, and the pages one click away, on two screens."""
    made = {}
    with served() as home:
        for name, size, dark in (("light", DESKTOP, False), ("dark", DESKTOP, True)):
            screen(driver, size, dark=dark)
            driver.get(home)
            forget_palette(driver)
            made[f"site-{name}.png"] = pictured(driver)
        screen(driver, DESKTOP, dark=False)
        made["site-clicks.png"] = side_by_side([clicked(driver, home, words) for words in ASKED], 460)
        phones = []
        for number, words in enumerate(("", *ASKED)):
            screen(driver, PHONE, dark=number % 2 == 1)
            driver.get(home)
            forget_palette(driver)
            phones.append(clicked(driver, home, words) if words else pictured(driver))
        made["site-phone.png"] = side_by_side(phones, 640)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return made
