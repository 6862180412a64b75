"""Run the pages that write pictures, and keep these: `python docs/tutorial_pictures.py [annealing …]`.

The pages are executed as in the tests. Pictures are written to `docs/pictures/tutorials` with a small palette.
Needs the extras `wsd`, `report`, `tune` and `exact`.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.pages import run_page  # noqa: E402  (the tests lie beside the packages, in the project's folder)
from tests.pictures import written_pictures  # noqa: E402

PICTURES = ROOT / "docs" / "pictures" / "tutorials"

COLOURS = (96, 48, 24, 12)
"""Sizes of the palette of a picture: the first that makes it small."""

LARGEST = 60_000
"""Bytes of a picture."""


def keep(path: Path) -> None:
    """Write a picture to the folder of the tutorials' pictures, with a small palette."""
    with Image.open(path) as picture:
        for colours in COLOURS:
            made = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
            made.save(PICTURES / path.name, optimize=True)
            size = (PICTURES / path.name).stat().st_size
            if size < LARGEST:
                break
    print(f"  {path.name}: {made.width} x {made.height}, {colours} colours, {size:,} bytes")


def make(page: Path) -> None:
    """Run a page in an empty folder and keep its pictures."""
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        started = time.process_time()
        run_page(page, Path(folder))
        print(f"{page.stem}: {time.process_time() - started:.1f} s of CPU time, without its commands")
        for name in written_pictures(page):
            keep(Path(folder) / name)
        sys.path.remove(folder)
        os.chdir(ROOT)


def main() -> None:
    """Make the pictures of all pages that write some, or of those that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if written_pictures(page) and page.stem in (sys.argv[1:] or [page.stem]):
            make(page)


if __name__ == "__main__":
    main()
