"""A Chromium for the tests: one browser a run, and everything a page complains about kept."""

import itertools
import os
import pathlib
import urllib.parse

from playwright.sync_api import sync_playwright

PHONE = (390, 844)
DESKTOP = (1440, 900)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}


class Browser:
    """Use as a context manager; `arguments` are Chromium's. With `is_whole` it is the browser that people have; else one of the same engine that draws no
    window of its own, which takes a fifth less time."""

    def __init__(self, arguments=(), is_whole=False):
        self.arguments = list(arguments)
        self.program = os.environ.get("TANDEM_CHROMIUM", "/usr/bin/chromium" if is_whole else "/usr/bin/chromium-headless-shell")
        self.count = itertools.count()

    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=self.program,
            args=["--no-sandbox", "--disable-gpu", *self.arguments],
            env={**os.environ, "FONTCONFIG_FILE": str(pathlib.Path(__file__).with_name("fonts.conf").resolve())},
        )
        return self

    def __exit__(self, *_):
        try:
            self.browser.close()
        finally:
            self.playwright.stop()

    def blank(self, size=PHONE, theme="light", lang="en", **options):
        """A new page in a context of its own; `page.complaints` is what it wrote as errors."""
        options.setdefault("service_workers", "block")
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            locale=LOCALES[lang],
            timezone_id="UTC",
            has_touch=size[0] < 600,
            **options,
        )
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: message.type == "error" and complain(page, message))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        return page

    def show(self, page, url, hash="", role="phone", scenario="", texts="", latency=0):
        """Opens an address as if for the first time, and waits until its screen is drawn."""
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")
        page.complaints.clear()
        query = urllib.parse.urlencode(
            {"role": role, "scenario": scenario, "texts": texts, "latency": latency, "visit": next(self.count)}
        )
        page.goto(f"{url}/?{query}{hash}", wait_until="domcontentloaded")
        page.wait_for_selector("#app:not([aria-busy])")
        settle(page)
        return page

    def page(self, url, hash="", role="phone", scenario="", texts="", latency=0, **options):
        return self.show(self.blank(**options), url, hash, role, scenario, texts, latency)


def complain(page, message):
    where = (message.location or {}).get("url", "")
    page.complaints.append(f"{message.text} ({where})")


# Until nothing was asked, loaded or drawn for a short while; `fake.pending` is what the scripted client has not answered yet.
QUIET = """() => new Promise((resolve) => {
    let [before, since] = ['', performance.now()];
    const end = since + 3000;
    const look = () => {
        const now = `${performance.getEntriesByType('resource').length} ${document.getElementsByTagName('*').length} ${document.body.innerText.length}`;
        if (now !== before || window.fake?.pending > 0) [before, since] = [now, performance.now()];
        if (performance.now() - since > 60 || performance.now() > end) resolve();
        else setTimeout(look, 20);
    };
    look();
})"""

# Until what moves only once has arrived: a colour on its way from one scheme to the other would be measured in between.
STILL = """() => Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(Promise.allSettled(
        document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity).map((each) => each.finished)))))),
    new Promise((resolve) => setTimeout(resolve, 1000)),
])"""


def settle(page):
    """Waits until nothing is loaded or drawn any more, for three seconds at most."""
    page.evaluate(QUIET)
    page.evaluate(STILL)


def scheme(page, name):
    """Shows the page light or dark, and waits until its colours have arrived."""
    page.emulate_media(color_scheme=name)
    page.evaluate(STILL)
