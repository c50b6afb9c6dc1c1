"""A browser that is the phone, at a real hub and a real computer: paired by a link, with a telephone's size and touch."""

import base64
import hashlib
import json
import pathlib
import re
import time
import unittest

from browser import PHONE
from household import Household
from phone_server import PhoneServer, link_of
from real import PATIENCE, RealTests

NEXT = "text=/^.*$/"


class Place(Household):
    """A hub with the page for phones before it, and a computer. The hub answers to any port of this machine, as it does behind forwarding."""

    def __enter__(self):
        try:
            self.options["hub"] = ("--server-name", "127.0.0.1")
            self.start("hub")
            self.server = PhoneServer(self.said["hub"]["port"])
            self.server.__enter__()
            self.said["hub"]["url"] = f"ws://{self.server.host}"
            self.start("desktop")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *arguments):
        if hasattr(self, "server"):
            self.server.__exit__()
        super().__exit__(*arguments)

    def listen(self, role):
        return super().listen(role)


class BrowserPhoneTests(RealTests):
    HOUSEHOLD = Place
    IS_CALM = False

    # A phone

    def blank(self, **options):
        page = self.browser.blank(size=PHONE, service_workers=options.pop("service_workers", "block"), accept_downloads=True, **options)
        self.addCleanup(self.closed, page)
        return page

    def code(self):
        return json.loads(self.household.run("desktop", "pair", "show", "--text", "--no-wait"))

    def link(self):
        return link_of(self.code(), self.household.server.host)

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

    def at(self, page, tab, **query):
        self.go(page, f"#/computers/{self.computer}/{tab}" + ("?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else ""))

    def again(self, page):
        """Loads the page anew, and waits until it is drawn."""
        page.reload(wait_until="domcontentloaded")
        page.wait_for_selector("#app:not([aria-busy])")

    # Tests

    def test_a_link_pairs_and_leaves_no_trace_in_the_address(self):
        page = self.blank()
        link = self.link()
        page.goto(link)
        self.sees(page, "Pair with")
        self.assertEqual(page.url, f"{self.household.server.url}#/pair/scan")
        self.press(page, "Pair")
        request = self.accept()
        self.sees(page, "is paired")
        self.assertEqual(request["fingerprint"], self.until(lambda: self.household.json("desktop", "devices", "list")["devices"])[-1]["fingerprint"])
        page.go_back()
        self.assertNotIn(link.partition("#")[2], page.url)

    def test_the_first_screen_says_what_is_trusted(self):
        page = self.blank()
        page.goto(self.household.server.url)
        self.sees(page, "What you trust", self.household.server.host)

    def test_a_link_that_is_cut_and_one_of_another_hub(self):
        page = self.blank()
        page.goto(self.link()[:-9])
        self.press(page, "Pair")
        self.sees(page, "damaged")
        code = self.code()
        code["relayUrl"] = "wss://another.example"
        page.goto("about:blank")
        page.goto(link_of(code, self.household.server.host))
        self.press(page, "Pair")
        self.sees(page, "another.example")

    def test_ten_digits_pair(self):
        shown = self.household.begin("desktop", "pair", "show", "--json")
        digits = json.loads(shown.stdout.readline())["code"]
        page = self.blank()
        page.goto(f"{self.household.server.url}#/pair/code")
        self.fill(page, "Code", digits)
        self.accept()
        self.sees(page, "is paired")
        shown.kill()

    def test_a_code_that_the_phone_shows(self):
        page = self.blank()
        page.goto(f"{self.household.server.url}#/pair/show")
        page.evaluate("""() => { window.shown = []; const parse = JSON.parse; JSON.parse = (text) => { const value = parse(text); if (value?.type === 'device-pairing') window.shown.push(text); return value; }; }""")
        self.press(page, "Make a code")
        self.sees(page, "valid")
        text = self.until(lambda: page.evaluate("window.shown.at(-1)"), page)
        scan = self.household.begin("desktop", "pair", "scan", "--text", text)
        self.sees(page, "is paired")
        scan.wait(PATIENCE)

    def test_a_terminal_types_and_goes_on_after_a_cut(self):
        page = self.paired("terminal")
        self.at(page, "terminal")
        self.press(page, "New terminal")
        if page.get_by_role("button", name="Open", exact=True).count():
            self.press(page, "Open")
        page.wait_for_selector(".xterm-rows", timeout=PATIENCE * 1000)
        self.typed(page, "echo si''lk")
        self.until(lambda: "silk" in self.screen_of(page), page, "no echo came")
        self.household.server.cut()
        self.typed(page, "echo sat''in")
        self.until(lambda: "satin" in self.screen_of(page), page, "no echo came after a cut")

    def typed(self, page, text):
        page.locator(".xterm-helper-textarea").first.focus()
        page.keyboard.type(text)
        page.keyboard.press("Enter")

    def screen_of(self, page):
        return page.locator(".xterm-rows").first.inner_text()

    def test_files_go_both_ways_and_survive_cuts(self):
        page = self.paired("file")
        shared = self.household.shared
        whole = bytes(range(256)) * 40_000
        (shared / "large.bin").write_bytes(whole)
        self.at(page, "files")
        self.sees(page, "large.bin")
        self.household.server.left = 3_000_000
        with page.expect_download(timeout=PATIENCE * 1000) as download:
            self.menu(page, re.compile("More.*large.bin|large.bin.*more", re.I), "Save here")
        self.assertEqual(pathlib.Path(download.value.path()).read_bytes(), whole)
        small = self.folder / "up.bin"
        small.write_bytes(whole[:3_000_000])
        self.give(page, "Send files here", small)
        self.until(lambda: (shared / "up.bin").exists() and (shared / "up.bin").read_bytes() == whole[:3_000_000], page, "the file did not arrive")


if __name__ == "__main__":
    unittest.main()
