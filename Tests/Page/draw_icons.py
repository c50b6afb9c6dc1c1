"""Draws the PNGs of the page's icon from `icons/tandem.svg`: for home screens that take no SVG. Run it when the drawing changes."""

import pathlib
import re
import subprocess

from browser import Browser
from server import PAGE

FOLDER = PAGE / "icons"


def drawings():
    """The icon as drawn, and one whose ground reaches every edge: a launcher cuts its own shape out of it."""
    drawing = (FOLDER / "tandem.svg").read_text()
    inner = re.search(r"<rect[^>]*rx=\"15\"[^>]*/>(.*)</svg>", drawing, re.DOTALL).group(1)
    maskable = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#0b6a77"/>'
        f'<g transform="translate(6.4 4) scale(.8)">{inner}</g></svg>'
    )
    return {"tandem": drawing, "tandem-maskable": maskable}


def main():
    with Browser() as browser:
        for name, drawing in drawings().items():
            for size in (192, 512):
                page = browser.blank(size=(size, size))
                page.set_content(f"<style>*{{margin:0}} svg{{display:block;width:{size}px;height:{size}px}}</style>{drawing}")
                file = FOLDER / f"{name}-{size}.png"
                page.screenshot(path=file, omit_background=True)
                compress(file)
                page.context.close()


def compress(file: pathlib.Path):
    """Few colours are enough for a flat drawing."""
    subprocess.run(
        ["convert", file, "-strip", "-colors", "64", "-define", "png:compression-level=9", "-define", "png:compression-filter=0", file],
        check=True,
    )
    print(file.name, file.stat().st_size)


main()
