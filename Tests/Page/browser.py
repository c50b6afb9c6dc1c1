"""A Chromium for the tests: one browser a run, and everything a page complains about kept."""

import itertools
import os
import pathlib
import urllib.parse

from playwright.sync_api import Error, sync_playwright

PHONE = (390, 844)
DESKTOP = (1440, 900)
# How many seconds anything on a page may take on a busy machine; what is expected comes in a fraction of that.
PATIENCE = 30
# `.ci/run` does some things by turns (docs/checks.md); who runs a test by hand has all of it.
IS_BY_TURNS = "TANDEM_PAGE_TURN" in os.environ
LOOKS_AT_ALL = not IS_BY_TURNS or "TANDEM_PAGE_WHOLE" in os.environ
# What Chromium leaves out: first what Playwright leaves out, which a list of one's own takes the place of; last the pages that draw the address bar's
# suggestions. Each window begins with two of these in a process of their own, which take half of the time that a window without a page takes.
UNUSED = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter",
    "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}


class Browser:
    """Use as a context manager; `arguments` are Chromium's. With `is_whole` it is the browser that people have; else one of the same engine that draws no
    window of its own, which takes a fifth less time."""

    def __init__(self, arguments=(), is_whole=False):
        self.arguments = list(arguments)
        self.features = [f"--disable-features={','.join(UNUSED)}"] if is_whole else []
        self.program = os.environ.get("TANDEM_CHROMIUM", "/usr/bin/chromium" if is_whole else "/usr/bin/chromium-headless-shell")
        self.count = itertools.count()
        # Pages that no test uses, by what their contexts were made with; and with what that of each kept page in use was made.
        self.free, self.made = {}, {}

    def __enter__(self):
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=self.program,
            args=["--no-sandbox", "--disable-gpu", *self.features, *self.arguments],
            env={**os.environ, "FONTCONFIG_FILE": str(pathlib.Path(__file__).with_name("fonts.conf").resolve())},
        )
        return self

    def __exit__(self, *_):
        try:
            self.browser.close()
        finally:
            self.playwright.stop()

    def blank(self, **options):
        """A new page in a context of its own; `page.complaints` is what it wrote as errors."""
        return self.opened(self.context(**options))

    def context(self, size=PHONE, theme="light", lang="en", **options):
        options.setdefault("service_workers", "block")
        return self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            locale=LOCALES[lang],
            timezone_id="UTC",
            has_touch=size[0] < 600,
            **options,
        )

    def opened(self, context):
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

    def page(self, url, hash="", role="phone", scenario="", texts="", latency=0, is_alone=False, **options):
        """A page that shows an address, which an earlier test may have used: what it loaded is in the cache, and nothing else is left. The caller gives it back.
        Who changes what is the context's (its clock, rights, network or scripts) asks for one of its own: `is_alone`."""
        return self.show(self.blank(**options) if is_alone else self.kept(options), url, hash, role, scenario, texts, latency)

    def kept(self, options):
        key = repr(sorted(options.items()))
        free = self.free.setdefault(key, [])
        if free:
            page = free.pop()
        else:
            context = self.context(**options)
            note_changes(context, context, ("new_cdp_session", "new_page"))
            page = self.watched(context)
        self.made[page] = key
        return page

    def watched(self, context):
        """A page that notes where a test changes more than what it shows: then it is not used again, though its context is."""
        page = self.opened(context)
        page.session = context.new_cdp_session(page)
        note_changes(page, context, ("add_init_script", "route", "expose_function", "on", "once", "emulate_media", "set_viewport_size"))
        context.is_changed = False
        return page

    def give_back(self, page):
        """Ends what a page that `page` gave has shown. It is used again once all that it stored is gone, but for the cache."""
        context = page.context
        key = self.made.pop(page, None)
        if key is None:
            context.close()
            return
        address = urllib.parse.urlsplit(page.url)
        stored = {"origin": f"{address.scheme}://{address.netloc}", "storageTypes": "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"}
        try:
            # They go first, because a page that ends may still store something.
            for each in context.pages:
                if each != page or context.is_changed:
                    each.close()
            if context.is_changed:
                page = self.watched(context)
            else:
                page.set_default_timeout(30_000)
                page.mouse.move(-1, -1)
                # A page of the same origin keeps the process that draws it, and half of the time that a new one takes.
                page.goto(f"{address.scheme}://{address.netloc}/manifest.webmanifest", timeout=5000)
            page.session.send("Storage.clearDataForOrigin", stored)
            page.complaints.clear()
        except Error:
            context.close()
        else:
            self.free[key].append(page)


def note_changes(target, context, names):
    """Notes in a context that one of these methods was called."""
    def noted(change):
        def call(*values, **named):
            context.is_changed = True
            return change(*values, **named)

        return call

    for name in names:
        setattr(target, name, noted(getattr(target, name)))


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
