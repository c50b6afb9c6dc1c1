"""What the walks over real pages have in common: signing in, pressing what is on a page, and waiting for what must come."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from playwright.sync_api import Error, TimeoutError

from browser import DESKTOP, LOOKS_AT_ALL, PATIENCE, PHONE, Browser
from household import Household

SIZES = {"phone": PHONE, "desktop": DESKTOP, "hub": DESKTOP}
# What Chromium itself writes when a program is away, or refuses: the page's own words for it are what is tested.
EXPECTED = re.compile(r"net::ERR_|WebSocket connection to|the server responded with a status of (401|403|404|409|410|422|503|504)")


def end(*_):
    """A run that is ended from outside ends its browsers and programs too: an interrupt is the one thing that no test catches."""
    raise KeyboardInterrupt


class RealTests(unittest.TestCase):
    """One household and one browser for all tests of a class. `RIGHTS` pairs the two before, and allows the phone these."""

    HOUSEHOLD = Household
    CHROMIUM = ()
    RIGHTS = None
    # Whether it needs the browser that people have: for a camera, downloads, service workers or banners. Else that one has its turn only.
    NEEDS_CHROMIUM = True
    # Whether pages may write errors, because something is away or refused on purpose.
    IS_CALM = True
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        signal.signal(signal.SIGTERM, end)
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tandem-page-test.")))
        cls.household = cls.enterClassContext(cls.HOUSEHOLD(**cls.options()))
        cls.browser = cls.enterClassContext(Browser(cls.arguments(), is_whole=cls.NEEDS_CHROMIUM or LOOKS_AT_ALL))
        cls.signed = {}
        if cls.RIGHTS is not None:
            cls.household.pair(*cls.RIGHTS)
            cls.computer = cls.household.computer()

    @classmethod
    def options(cls):
        return {}

    @classmethod
    def arguments(cls):
        return list(cls.CHROMIUM)

    # Pages

    def open(self, role, hash="", *, size=None, scripts=(), **options):
        """A page of a role, in a browser that is signed in there; `scripts` run before each of its pages."""
        address = self.household.page_of(role)
        page = self.browser.blank(size=size or SIZES[role], storage_state=self.signed.get(role), **options)
        for script in scripts:
            page.add_init_script(script)
        self.addCleanup(self.closed, page)
        if role in self.signed:
            page.goto(f"{address}/{hash}", wait_until="domcontentloaded")
        else:
            page.goto(self.household.link(role), wait_until="domcontentloaded")
            page.wait_for_selector("#app:not([aria-busy])")
            self.signed[role] = page.context.storage_state()
            if hash:
                page.goto(f"{address}/{hash}", wait_until="domcontentloaded")
        page.wait_for_selector("#app:not([aria-busy])")
        return page

    def closed(self, page):
        complaints = [each for each in page.complaints if not (EXPECTED.search(each) and not self.IS_CALM)]
        try:
            page.context.close()
        except Error:
            pass
        self.assertEqual(complaints, [], "the console holds errors")

    def go(self, page, hash):
        page.evaluate("(hash) => { location.hash = hash; }", hash)

    def tab(self, page, name):
        """Opens a tab of the phone's computer by pressing it."""
        if "/computers/" not in page.url:
            self.go(page, f"#/computers/{self.computer}")
        strip = page.get_by_role("navigation", name="What to do with this computer")
        self.act(page, f"tab “{name}”", strip.wait_for)
        if not strip.get_by_role("link", name=name, exact=True).count():
            # A narrow page has it behind “More”.
            self.press(page, re.compile("^More"), within=strip, exact=False)
            self.press(page, name, role="menuitem")
            return
        self.press(page, name, role="link", within=strip)

    def menu(self, page, name, item):
        self.press(page, name)
        self.press(page, item, role="menuitem")

    def choose_terminal(self, page):
        """Asks for a terminal with a shell and a folder: beside one that is shown the question is in its menu."""
        title = "New terminal: choose shell and folder"
        if "session=" in page.url:
            self.menu(page, "More for this terminal", title)
        else:
            self.press(page, title)

    def press(self, page, name, role="button", within=None, exact=True):
        """Presses what has this name, as a person would: it must be in sight, enabled, and not be covered."""
        self.act(page, f"{role} “{name}”", (within or page).get_by_role(role, name=name, exact=exact).first.click)

    def switch(self, page, name, on):
        """Turns a switch by its label; what it asks about is the caller's to press."""
        control = page.get_by_role("switch", name=name, exact=True).first
        self.act(page, f"switch “{name}”", control.wait_for)
        self.assertNotEqual(control.is_checked(), on, f"switch “{name}” already stands there")
        self.act(page, f"switch “{name}”", control.click)

    def fill(self, page, label, text):
        self.act(page, f"field “{label}”", lambda timeout: page.get_by_label(label, exact=True).first.fill(text, timeout=timeout))

    def act(self, page, what, work):
        try:
            work(timeout=PATIENCE * 1000)
        except TimeoutError:
            raise self.trouble(page, f"could not be used: {what}") from None

    def sees(self, page, *texts, within=None, exact=False, seconds=PATIENCE):
        """Waits until each text is in sight."""
        for text in texts:
            found = (within or page).get_by_text(text, exact=exact).filter(visible=True).first
            try:
                found.wait_for(timeout=seconds * 1000)
            except TimeoutError:
                raise self.trouble(page, f"never in sight: {text}") from None

    def sees_no(self, page, text, seconds=PATIENCE):
        """Waits until a text is not in sight any more."""
        self.until(lambda: page.get_by_text(text).filter(visible=True).count() == 0, page, f"still in sight: {text}", seconds)

    def until(self, ask, page=None, what="what was waited for", seconds=PATIENCE):
        """Asks again until the answer is one; the browser goes on meanwhile."""
        ends = time.monotonic() + seconds
        while True:
            answer = ask()
            if answer:
                return answer
            if time.monotonic() > ends:
                raise self.trouble(page, what() if callable(what) else what)
            if page:
                page.wait_for_timeout(50)
            else:
                time.sleep(0.05)

    def trouble(self, page, what):
        """What failed, with all that the page says at that moment."""
        if page is None:
            return self.failureException(what)
        if folder := os.environ.get("TANDEM_PAGE_PICTURES"):
            page.screenshot(path=pathlib.Path(folder) / f"{self.id()}.png")
        return self.failureException(f"{what}\n{page.url}\n{page.inner_text('body')}\nconsole: {page.complaints}")

    # Files that people give to a page

    def give(self, page, name, *paths, role="button"):
        """Presses what asks for files, and gives it these."""
        try:
            with page.expect_file_chooser(timeout=PATIENCE * 1000) as chooser:
                self.press(page, name, role=role)
            chooser.value.set_files([str(path) for path in paths])
        except TimeoutError:
            raise self.trouble(page, f"asks for no file: {name}") from None

    def picture_of(self, page, label):
        """A picture of something on the screen, as a camera or a screenshot has it."""
        image = page.get_by_role("img", name=label, exact=True).filter(visible=True)
        self.act(page, f"picture “{label}”", lambda timeout: image.wait_for(timeout=timeout))
        path = self.folder / "picture.png"
        image.screenshot(path=path)
        return path

    def code_picture(self, page, text):
        """A picture of any code, drawn from what the program answers."""
        drawn = page.evaluate(
            """async (text) => (await fetch('/api/qr', {
                method: 'POST', body: JSON.stringify({ text }), headers: { 'Content-Type': 'application/json' },
            })).json()""",
            text,
        )
        white = ["0" * (drawn["size"] + 8)] * 4
        rows = white + [f"0000{row}0000" for row in drawn["rows"]] + white
        portable = f"P1\n{len(rows)} {len(rows)}\n" + "\n".join(" ".join(row) for row in rows) + "\n"
        path = self.folder / "code.png"
        subprocess.run(["convert", "pbm:-", "-scale", "600%", str(path)], input=portable.encode(), check=True, timeout=30)
        return path


def film(picture, path, size=(640, 480)):
    """A film for Chromium's camera, as YUV4MPEG2: a grey wall for a second, then a picture that is held before it."""
    width, height = size
    grey = subprocess.run(
        ["convert", str(picture), "-background", "white", "-alpha", "remove", "-resize", f"{height}x{height}", "-gravity", "center", "-extent", f"{width}x{height}", "-colorspace", "Gray", "-depth", "8", "gray:-"],
        check=True,
        capture_output=True,
        timeout=30,
    ).stdout
    colours = bytes([128]) * (width * height // 2)
    frames = [bytes([128]) * (width * height) + colours] * 10 + [grey + colours] * 20
    other = pathlib.Path(f"{path}.new")
    other.write_bytes(f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420mpeg2\n".encode() + b"".join(b"FRAME\n" + frame for frame in frames))
    os.replace(other, path)
