"""What the walks of a browser that is the phone have in common: its page, pairing it, and its terminal."""

import json

from browser import PHONE
from real import PATIENCE, RealTests

ROWS = "document.querySelector('.terminal-view:not([hidden]) .xterm-rows')?.textContent ?? ''"
# A test cannot press the browser's own pickers; without them the page asks by a field.
NO_PICKERS = "delete window.showOpenFilePicker; delete window.showDirectoryPicker; delete window.showSaveFilePicker"


class PhoneCase(RealTests):
    """Pages of a browser that is the phone. The household has the `server` that serves them."""

    IS_CALM = False

    def setUp(self):
        for role in ("hub", "desktop"):
            if role not in self.household.processes:
                self.household.start(role)

    # A phone

    def blank(self, **options):
        page = self.browser.blank(size=PHONE, service_workers=options.pop("service_workers", "block"), accept_downloads=True, **options)
        page.add_init_script(NO_PICKERS)
        self.addCleanup(self.closed, page)
        return page

    def code(self):
        return json.loads(self.household.run("desktop", "pair", "show", "--text", "--json-code", "--no-wait"))

    def link(self):
        link = self.household.run("desktop", "pair", "show", "--text", "--no-wait").strip()
        self.assertEqual(link.partition("#")[0], self.household.server.url)
        return link

    def accept(self):
        request = self.until(lambda: self.household.json("desktop", "pair", "requests")["requests"])[0]
        self.household.run("desktop", "pair", "accept", request["id"])
        return request

    def paired(self, *rights, **options):
        """A page that is a phone of the computer, with these rights."""
        page = self.blank(**options)
        page.goto(self.link())
        self.press(page, "Pair")
        self.did = self.accept()["did"]
        self.sees(page, "is paired")
        if rights:
            self.household.run("desktop", "devices", "allow", self.did, *rights)
        self.computer = self.household.said["desktop"]["deviceId"]
        return page

    def pairs_by_digits(self):
        shown = self.household.begin("desktop", "pair", "show", "--json")
        self.addCleanup(shown.kill)
        digits = json.loads(shown.stdout.readline())["code"]
        page = self.blank()
        page.goto(f"{self.household.server.url}#/pair/code")
        self.fill(page, "Code", digits)
        self.press(page, "Pair")
        self.accept()
        self.sees(page, "is paired")

    def pairs_by_its_own_code(self):
        page = self.blank()
        page.goto(f"{self.household.server.url}#/pair/show")
        self.press(page, "Show my code")
        picture = self.picture_of(page, "Code of this phone, to be scanned by a computer")
        scan = self.household.begin("desktop", "pair", "scan", "--image", picture, "--role", "desktop")
        self.sees(page, "is paired")
        scan.wait(PATIENCE)

    def is_kept(self, page):
        """Waits until the browser has all of the page's files."""
        self.until(lambda: page.evaluate("async () => navigator.serviceWorker.controller && (await (await caches.open('tandem-phone')).keys()).length > 0"), page, "the files are not kept")

    def at(self, page, tab, **query):
        self.go(page, f"#/computers/{self.computer}/{tab}" + ("?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else ""))

    def again(self, page):
        """Loads the page anew, and waits until it is drawn."""
        page.reload(wait_until="domcontentloaded")
        page.wait_for_selector("#app:not([aria-busy])")

    # Its terminal

    def line(self, page, text):
        page.locator(".terminal-view:not([hidden]) .xterm-helper-textarea").focus()
        page.keyboard.type(text)
        page.keyboard.press("Enter")

    def reads(self, page, text):
        self.until(lambda: text in page.evaluate(ROWS).replace("\xa0", " "), page, f"not in the terminal: {text}")
