"""Takes a picture of every screen and state: screenshots.py FOLDER [PATTERN]. Names are STATE-SIZE-SCHEME-LANGUAGE.png.

With --readme instead, the four pictures of the README, small ones.
"""

import base64
import fnmatch
import pathlib
import sys

import server
import states
from browser import DESKTOP, PHONE, Browser, settle
from browser import scheme as show_scheme

SIZES = {"phone": PHONE, "desktop": DESKTOP}

# Name, state, scenario beside its own, size, scheme, and how many pixels a point has.
README = [
    ("terminal", "terminal-more-keys", "", PHONE, "dark", 2),
    ("files", "files-uploading", "tidy", PHONE, "light", 2),
    ("rights", "phone", "", DESKTOP, "light", 1),
    ("hub", "hub-load", "", DESKTOP, "dark", 1),
]
LIMIT = 400_000


def draw(browser, page, url, state, scenario=""):
    browser.show(page, url, state.hash, state.role, f"{state.scenario} {scenario}".strip())
    if state.prepare:
        state.prepare(page)
        settle(page)


def every(browser, url, folder, pattern):
    wanted = [state for state in states.everything() if fnmatch.fnmatch(state.name, pattern)]
    for lang in ("en", "zh"):
        for size_name, size in SIZES.items():
            page = browser.blank(size=size, lang=lang)
            for state in wanted:
                if not (state.wide if size == DESKTOP else state.narrow):
                    continue
                draw(browser, page, url, state)
                for scheme in ("dark", "light"):
                    show_scheme(page, scheme)
                    page.screenshot(path=folder / f"{state.name}-{size_name}-{scheme}-{lang}.png", animations="disabled")
            page.context.close()
    print(f"{len(wanted)} states in {folder}")


def readme(browser, url, folder):
    by_name = {state.name: state for state in states.everything()}
    total = 0
    for name, state, scenario, size, scheme, scale in README:
        page = browser.blank(size=size, theme=scheme, device_scale_factor=scale)
        draw(browser, page, url, by_name[state], scenario)
        # Playwright writes PNG and JPEG only; the browser itself writes WebP too.
        shot = page.context.new_cdp_session(page).send(
            "Page.captureScreenshot",
            {"format": "webp", "quality": 85, "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale}},
        )
        data = base64.b64decode(shot["data"])
        (folder / f"{name}.webp").write_bytes(data)
        total += len(data)
        page.context.close()
    if total > LIMIT:
        sys.exit(f"the pictures have {total} bytes together; at most {LIMIT}")
    print(f"{len(README)} pictures in {folder}, {total} bytes")


def main(folder, pattern="*"):
    is_readme = folder == "--readme"
    folder = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures" if is_readme else pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    site = server.start(max_age=3600)
    with Browser() as browser:
        if is_readme:
            readme(browser, site.url, folder)
        else:
            every(browser, site.url, folder, pattern)


main(*sys.argv[1:])
