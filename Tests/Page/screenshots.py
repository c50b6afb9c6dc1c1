"""Takes a picture of every screen and state: screenshots.py FOLDER [PATTERN]. Names are STATE-SIZE-SCHEME-LANGUAGE.png."""

import fnmatch
import pathlib
import sys

import server
import states
from browser import DESKTOP, PHONE, Browser, settle

SIZES = {"phone": PHONE, "desktop": DESKTOP}


def main(folder, pattern="*"):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [state for state in states.everything() if fnmatch.fnmatch(state.name, pattern)]
    site = server.start(max_age=3600)
    with Browser() as browser:
        for lang in ("en", "zh"):
            for size_name, size in SIZES.items():
                page = browser.blank(size=size, lang=lang)
                for state in wanted:
                    if not (state.wide if size == DESKTOP else state.narrow):
                        continue
                    page.emulate_media(color_scheme="light")
                    browser.show(page, site.url, state.hash, state.role, state.scenario)
                    if state.prepare:
                        state.prepare(page)
                        settle(page)
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        page.wait_for_timeout(250)
                        page.screenshot(path=folder / f"{state.name}-{size_name}-{scheme}-{lang}.png", animations="disabled")
                page.context.close()
    print(f"{len(wanted)} states in {folder}")


main(*sys.argv[1:])
