"""Takes a picture of one address of the page with the fake client, to look at while a screen is written.

    look.py '#/settings' out.png [--role phone] [--scenario empty] [--size 390x844] [--theme dark] [--lang zh] [--do 'page.click("text=…")']
"""

import argparse
import sys

import server
from browser import Browser, settle


def main():
    options = argparse.ArgumentParser()
    options.add_argument("hash")
    options.add_argument("out")
    options.add_argument("--role", default="phone")
    options.add_argument("--scenario", default="")
    options.add_argument("--size", default="390x844")
    options.add_argument("--theme", default="light")
    options.add_argument("--lang", default="en")
    options.add_argument("--do", default="", help="Python that is run with `page` before the picture is taken")
    options.add_argument("--whole", action="store_true", help="the whole length of the page")
    asked = options.parse_args()
    site = server.start()
    with Browser() as browser:
        width, height = map(int, asked.size.split("x"))
        page = browser.page(
            site.url, asked.hash, role=asked.role, scenario=asked.scenario, size=(width, height), theme=asked.theme, lang=asked.lang
        )
        if asked.do:
            exec(asked.do, {"page": page})
            settle(page)
        page.screenshot(path=asked.out, full_page=asked.whole)
        for line in page.complaints:
            print(line, file=sys.stderr)


main()
