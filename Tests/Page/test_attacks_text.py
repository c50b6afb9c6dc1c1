"""Texts that another device controls, hostile ones, seen in each role's page: none is ever read as HTML, run, followed or asked for."""

import base64
import contextlib
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from browser import DESKTOP, PHONE, Browser
from hostile import FILE_MARKUP, MARKUP, SEEN, Visitor, household

PHONE_NAME = f"phone {MARKUP}\u202egnp.exe"[:128]
COMPUTER_NAME = f"{MARKUP[:96]}\u202ecomputer\u200b"
# As long as a host's name may be.
HOST_NAME = "<img data-xss src=x onerror=__xss()>\u202egnp.exe\u200b\x1b[31m".encode()[:64].decode(errors="ignore")
# Longer than any field, without a place to break, and with what is not seen or changes the direction of what is.
LONG = f"\u202e\u2066\u200b\u200d\ufeff\x1b[31m{MARKUP}{'W' * 4000}\u0301\u0301\u202c"
# Of files and folders: markup, marks of direction, controls, a whole name's length, bytes that are no text.
NAMES = [
    FILE_MARKUP.encode(), b"javascript:__xss()", "\u202egnp.exe".encode(), b"new\nline\rand\ttab", b"\x1b]0;title\x07\x1b[31mred", b"x" * 255,
    "\U0001f469".encode() * 63, b"\xff\xfe<svg onload=__xss()>", b"%3Cimg src=x onerror=__xss()%3E", b"&lt;img src=x onerror=__xss()&gt;", b"..%2f..%2fx", b" ", b"-rf",
]
CONTENTS = {
    "page.html": f"<title>x</title><script>__xss()</script>{MARKUP}", "drawing.svg": f"<svg xmlns='http://www.w3.org/2000/svg' onload='__xss()'><script>__xss()</script></svg>",
    "data.xml": "<?xml version='1.0'?><?xml-stylesheet href='javascript:__xss()'?><x xmlns='http://www.w3.org/1999/xhtml'><script>__xss()</script></x>",
    "picture.png": f"<html>{MARKUP}", "text.txt": f"\ufeff{MARKUP}\u202e\x00\x1b[31m", "script.js": "__xss()", "notes.md": f"[x](javascript:__xss()) ![x](http://evil.test/x) {MARKUP}",
    "style.css": "*{background:url(http://evil.test/x)}", "page.xhtml": f"<html xmlns='http://www.w3.org/1999/xhtml'>{MARKUP}</html>",
}
# What a program in a terminal can send: titles, the clipboard, links, questions, pictures, and what xterm.js sets as styles.
SEQUENCES = "".join([
    f"\x1b]0;{MARKUP}\x07", f"\x1b]2;\u202e{MARKUP}\x07", f"\x1b]1;{MARKUP}\x07", f"\x1b]8;;javascript:__xss()\x07link\x1b]8;;\x07", f"\x1b]8;id={MARKUP};http://evil.test/{MARKUP}\x07link\x1b]8;;\x07",
    f"\x1b]52;c;{base64.b64encode(MARKUP.encode()).decode()}\x07", "\x1b]52;c;?\x07", f"\x1b]9;{MARKUP}\x07", f"\x1b]777;notify;{MARKUP};x\x07", f"\x1b]1337;File=name=x:{MARKUP}\x07",
    f"\x1b]7;file://evil.test/{MARKUP}\x07", f"\x1b]10;url(http://evil.test/x)\x07", f"\x1b]4;1;{MARKUP}\x07", f"\x1bP$q{MARKUP}\x1b\\", f"\x1bP+q{MARKUP}\x1b\\", f"\x1b_{MARKUP}\x1b\\", f"\x1b^{MARKUP}\x1b\\",
    "\x1b[21t\x1b[20t\x1b[c\x1b[>c\x1b[6n\x1b[?6n\x1b[5n\x1bP$q\"p\x1b\\\x1b[?1$p", f"http://evil.test/{MARKUP}", f"\r\n{MARKUP}\r\n", "\x9b\x9d0;x\x9c",
])


class TextTests(unittest.TestCase):
    """One hostile household for all; each test looks at one page, and nothing may have been caught."""

    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(cls.display())
        bin = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tandem-hostile.")))
        house = household({"DISPLAY": cls.name, "PATH": f"{bin}:{os.environ['PATH']}"}, phone=["--name", PHONE_NAME], desktop=["--name", COMPUTER_NAME])
        cls.isNamed = cls.name_host(house, bin)
        cls.house = cls.enterClassContext(house)
        cls.fill(cls.house.shared)
        cls.house.pair("file", "terminal", "clipboard", "display")
        cls.computer = cls.house.computer()
        # A request that waits, a queue that waits, and entries of the log.
        cls.house.run("desktop", "devices", "list")
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def name_host(cls, house, bin):
        """Gives the computer a host name of its own, a hostile one, where the system lets us; whether it did."""
        inside = ["unshare", "--uts", "sh", "-c", 'printf %s "$0" > /proc/sys/kernel/hostname && exec "$@"', HOST_NAME]
        if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL).returncode:
            return False
        wrapper = bin / "as-that-host"
        words = " ".join(map(shlex.quote, inside))
        wrapper.write_text(f'#!/bin/sh\ncase "$1 $2" in "desktop --state") exec {words} {shlex.quote(house.tandem)} "$@" ;; esac\nexec {shlex.quote(house.tandem)} "$@"\n')
        wrapper.chmod(0o700)
        house.tandem = str(wrapper)
        return True

    @classmethod
    @contextlib.contextmanager
    def display(cls):
        """A screen of its own, and a clipboard with it."""
        read, write = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL
        )
        os.close(write)
        try:
            with os.fdopen(read) as said:
                cls.name = f":{said.readline().strip()}"
            yield
        finally:
            server.terminate()
            server.wait(10)

    @staticmethod
    def fill(shared):
        for name in NAMES:
            with contextlib.suppress(OSError):  # a file system that takes no such name
                Path(os.fsdecode(os.fsencode(shared) + b"/" + name)).write_text("x")
        folder = shared / FILE_MARKUP.replace("img", "b")
        folder.mkdir()
        (folder / FILE_MARKUP).write_text(MARKUP)
        for name, text in CONTENTS.items():
            (shared / name).write_text(text)

    def visit(self, role, **options):
        visitor = Visitor(self.browser, self.house, role, size=DESKTOP, **options)
        self.addCleanup(visitor.page.context.close)
        self.addCleanup(lambda: self.assertEqual(visitor.seen(), []))
        return visitor

    def settle(self, page):
        page.wait_for_timeout(250)

    def text(self, page):
        return page.evaluate("document.body.innerText")

    # MARK: The canary

    def test_the_canary_sees_what_it_looks_for(self):
        visitor = Visitor(self.browser, self.house, "phone")
        self.addCleanup(visitor.page.context.close)
        visitor.page.evaluate("(markup) => { document.body.insertAdjacentHTML('beforeend', markup + '<a href=javascript:__xss()>x</a>'); }", MARKUP)
        self.settle(visitor.page)
        seen = " ".join(visitor.seen())
        for word in ("element <img", "policy script-src-attr", "request", "a javascript:"):
            self.assertIn(word, seen)

    # MARK: The phone's page, by a hostile computer

    def test_names_and_facts_of_a_computer(self):
        visitor = self.visit("phone")
        for hash in ["#/computers", f"#/computers/{self.computer}", f"#/computers/{self.computer}/system", f"#/computers/{self.computer}/screen", "#/queue", "#/settings", "#/pair/show"]:
            visitor.open(hash)
            self.settle(visitor.page)
            self.assertNotIn("\u202e", visitor.page.title())
        self.house.run("phone", "devices", "rename", "--role", "phone", self.computer, MARKUP[:128])
        visitor.open("#/computers")
        self.settle(visitor.page)
        self.assertIn(MARKUP[:40], self.text(visitor.page))
        visitor.page.locator(".main .menu-button, .main [aria-haspopup=menu]").first.click()
        for word in ("Rename", "Forget"):
            item = visitor.page.get_by_role("menuitem", name=word)
            if item.count():
                item.first.click()
                self.settle(visitor.page)
                visitor.page.keyboard.press("Escape")
                visitor.page.locator(".main [aria-haspopup=menu]").first.click()

    def test_the_name_of_a_hostile_host(self):
        if not self.isNamed:
            self.skipTest("this account may not name a host")
        visitor = Visitor(self.browser, self.house, "phone", size=PHONE)
        self.addCleanup(visitor.page.context.close)
        page = visitor.page
        visitor.open(f"#/computers/{self.computer}/system", ".figure-rows")
        page.wait_for_selector(".fact:has-text('onerror=__xss()')")
        name = page.locator(".fact:has-text('onerror=__xss()') dd").inner_text()
        self.assertIn("⟨202E⟩", name)
        self.assertNotRegex(name, "[\u202e\u200b\x1b]")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
        self.assertEqual(visitor.seen(), [])

    def test_names_and_contents_of_files(self):
        visitor = self.visit("phone")
        page = visitor.page
        base = f"#/computers/{self.computer}/files"
        visitor.open(base, "[role=row], .file-row, .virtual-row")
        self.settle(page)
        listed = json.loads(self.house.run("phone", "files", "ls", "--json", str(self.house.shared)))
        paths = [entry["path"] for entry in listed.get("entries", listed.get("items", []))]
        self.assertGreater(len(paths), 15)
        self.assertIn("onerror=__xss()", self.text(page))
        self.assertNotIn("\u202egnp", self.text(page))
        for path in paths:
            visitor.open(f"{base}?{self.query(path=str(self.house.shared), view=path)}")
            self.settle(page)
        folder = next(path for path in paths if "<b " in path)
        visitor.open(f"{base}?{self.query(path=folder)}", "[role=row], .file-row, .virtual-row")
        visitor.open(f"{base}?{self.query(path=str(self.house.shared), find='onerror')}")
        self.settle(page)
        # Answers of the other side, with the hostile path in them.
        visitor.open(f"{base}?{self.query(path=f'/none/{MARKUP}')}")
        self.settle(page)
        # Looked at and fetched as the browser does by itself: shown as nothing that runs.
        for name in CONTENTS:
            for view in ("&view=1", ""):
                address = f"{visitor.url}/api/files?{self.query(device=self.computer, path=str(self.house.shared / name))}{view}"
                tab = page.context.new_page()
                try:
                    tab.add_init_script("window.__xss = () => { document.title = 'ran'; }")
                    with contextlib.suppress(Exception):  # a download is no page
                        tab.goto(address, wait_until="load", timeout=5000)
                    self.assertNotEqual(tab.title(), "ran", name)
                    self.assertEqual(tab.locator("[data-xss]").count(), 0, name)
                finally:
                    tab.close()

    @staticmethod
    def query(**values):
        from urllib.parse import urlencode

        return urlencode(values, errors="surrogatepass")

    def test_what_is_on_the_clipboard(self):
        visitor = self.visit("phone")
        page = visitor.page
        environment = {**os.environ, "DISPLAY": self.name}
        for kind, content in [
            ("text/html", f"<b>bold</b>{MARKUP}<meta http-equiv=refresh content='0;url=http://evil.test/'>"), ("UTF8_STRING", MARKUP),
            ("image/png", f"<svg onload=__xss()>{MARKUP}"), ("image/svg+xml", CONTENTS["drawing.svg"]), ("text/rtf", MARKUP), ("UTF8_STRING", "\u202e\x1b[31m\x00" + MARKUP * 50),
            ("UTF8_STRING", "javascript:__xss()"),
        ]:
            holder = subprocess.run(["xclip", "-selection", "clipboard", "-t", kind], input=content.encode(), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10)
            self.assertEqual(holder.returncode, 0)
            visitor.open("#/computers")
            visitor.open(f"#/computers/{self.computer}/clipboard")
            page.get_by_role("button", name="Fetch").first.click()
            self.settle(page)
        self.assertIn("javascript:__xss()", self.text(page))

    def test_what_a_program_in_a_terminal_sends(self):
        visitor = self.visit("phone")
        page = visitor.page
        script = self.house.shared / "hostile.sh"
        script.write_text(f"printf '%s' '{SEQUENCES.replace(chr(39), chr(39) + chr(92) + chr(39) + chr(39))}'; sleep 300\n")
        shell = subprocess.Popen(
            [self.house.tandem, "terminal", "--state", str(self.house.state("phone"))], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.house.environment,
        )
        self.addCleanup(shell.wait, 10)
        self.addCleanup(shell.kill)
        shell.stdin.write(f"sh {script}\n".encode())
        shell.stdin.flush()
        sessions = self.house.until(lambda: json.loads(self.house.run("phone", "terminal", "list", "--json")).get("sessions"))
        visitor.open(f"#/computers/{self.computer}/terminal")
        self.settle(page)
        # First as history, then live.
        visitor.open(f"#/computers/{self.computer}/terminal?session={sessions[0]['id']}", ".xterm")
        page.wait_for_timeout(800)
        page.locator(".xterm").click()
        page.keyboard.press("Control+c")
        page.keyboard.type(f"sh {script}\n")
        page.wait_for_timeout(1200)
        self.assertNotIn("\u202e", page.title())
        # What is copied needs a yes, and links show their address before they open.
        for dialog in page.locator("dialog[open]").all():
            self.assertNotIn("\u202e", dialog.inner_text())
        said = page.evaluate("navigator.clipboard.readText().catch(() => '')")
        self.assertNotIn("data-xss", said)
        script.unlink()

    # MARK: The computer's page, by a hostile phone

    def test_names_of_a_phone_and_what_it_did(self):
        shared = str(self.house.shared)
        for arguments in (
            ["files", "ls", f"{shared}/{MARKUP}"], ["call", "system.info"], ["call", f"nothing{MARKUP}"], ["call", "file.list", json.dumps({"path": MARKUP})],
            ["files", "cat", f"{shared}/page.html"],
        ):
            with contextlib.suppress(Exception):  # refused ones are what the log is to show
                self.house.run("phone", *arguments)
        visitor = self.visit("desktop")
        page = visitor.page
        phone = json.loads(self.house.run("desktop", "devices", "list", "--role", "desktop", "--json"))["devices"][0]["id"]
        from urllib.parse import quote

        for hash in ["#/overview", "#/phones", f"#/phones/{quote(phone, safe='')}", "#/activity", "#/audit", "#/settings", "#/pair/show"]:
            visitor.open(hash)
            self.settle(page)
            self.assertNotIn("\u202e", page.title())
        visitor.open("#/phones")
        self.settle(page)
        self.assertIn("onerror=__xss()", self.text(page))

    def test_a_request_of_a_hostile_phone(self):
        visitor = self.visit("desktop")
        page = visitor.page
        other = household(phone=["--name", f"second {MARKUP}"[:128]])
        other.said["hub"] = self.house.said["hub"]
        self.addCleanup(other.__exit__)
        other.start("phone")
        visitor.open("#/pair/show")
        code = self.house.run("desktop", "pair", "show", "--text", "--no-wait")
        scan = other.begin("phone", "pair", "scan", "--text", "-", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        scan.stdin.write(code)
        scan.stdin.close()
        request = self.house.until(lambda: json.loads(self.house.run("desktop", "pair", "requests", "--json"))["requests"])
        page.wait_for_selector(".request")
        self.assertIn("onerror=__xss()", self.text(page))
        self.house.run("desktop", "pair", "reject", request[0]["id"])
        self.settle(page)
        visitor.open("#/overview")
        self.settle(page)

    def test_codes_that_are_hostile(self):
        code = json.loads(self.house.run("desktop", "pair", "show", "--text", "--json-code", "--no-wait"))
        visitor = self.visit("phone")
        page = visitor.page
        visitor.open("#/pair/scan")
        texts = [MARKUP, "javascript:__xss()", f"http://evil.test/{MARKUP}", json.dumps({key: MARKUP if isinstance(value, str) else value for key, value in code.items()})]
        texts += [json.dumps(code | {key: MARKUP}) for key in code]
        for text in texts:
            outcome = page.evaluate("""async (text) => {
                const { openClient } = await import('/client/local.js');
                const client = openClient();
                await client.start();
                const items = [];
                const follow = client.pairing.scan(text, {}, { onItem: (item) => items.push(item) });
                setTimeout(() => follow.cancel(), 1500);
                return await follow.result.then((value) => JSON.stringify(value), (error) => error.code);
            }""", text)
            self.assertNotIn('"paired"', outcome)
        self.settle(page)

    # MARK: Every text of every answer

    KEPT = {"id", "device", "deviceId", "path", "did", "type", "kind", "role", "state", "event", "method", "skills", "rights", "risk", "result", "code", "epoch", "session", "sessionId", "reason"}

    def spoil(self, value, key=None):
        """The same value with a hostile text behind every text but those that the page takes decisions by."""
        if isinstance(value, dict):
            return {name: self.spoil(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self.spoil(item, key) for item in value]
        if isinstance(value, str) and key not in self.KEPT:
            return value + self.hostile
        return value

    hostile = MARKUP

    def test_every_text_of_every_answer(self):
        """Each answer of the programs with markup in all of its texts: also fields that no honest program lets another device fill."""
        for page, hash in self.spoiled_screens(DESKTOP):
            for button in page.locator(".main [aria-haspopup=menu]:visible").all()[:1]:
                button.click(timeout=2000)
                page.keyboard.press("Escape")
            self.assertIn("onerror=__xss()", page.evaluate("document.body.textContent"))

    def test_long_and_hidden_texts_move_nothing_off_a_phone(self):
        self.hostile = LONG
        found = []
        for page, hash in self.spoiled_screens(PHONE):
            found += [f"{hash}: {each}" for each in page.evaluate("""() => {
                const wide = document.documentElement.scrollWidth <= innerWidth ? []
                    : [...document.querySelectorAll('.page *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).slice(0, 5);
                // What hides or turns around other letters is shown as its number, but for what is to be read letter by letter.
                const raw = [...document.querySelectorAll('body *')].filter((each) => !each.closest('textarea, pre, script')
                    && [...each.childNodes].some((node) => node.nodeType === 3 && /[\u202e\u200b\u001b]/.test(node.data)));
                return [...wide.map((each) => `wide ${each.outerHTML.slice(0, 120)}`), ...raw.map((each) => `raw ${each.outerHTML.slice(0, 120)}`)];
            }""")]
            self.assertRegex(page.evaluate("document.body.textContent"), "W{8}|⟨202E⟩")
            self.assertNotRegex(page.title(), "[\u202e\u200b\x1b]")
        self.assertFalse(found, "\n".join(found))

    def spoiled_screens(self, size):
        """Each screen of each role's page, as it is with hostile texts in all answers."""
        from urllib.parse import quote

        phone = json.loads(self.house.run("desktop", "devices", "list", "--role", "desktop", "--json"))["devices"][0]["id"]
        screens = {
            "phone": ["#/computers", *(f"#/computers/{self.computer}/{tab}" for tab in ("terminal", "clipboard", "files", "screen", "system")), "#/queue", "#/settings", "#/pair/show", "#/pair/code"],
            "desktop": ["#/overview", "#/phones", f"#/phones/{quote(phone, safe='')}", "#/pair/show", "#/activity", "#/audit", "#/settings"],
            "hub": ["#/load", "#/peers", "#/limits", "#/settings"],
        }
        for role, hashes in screens.items():
            visitor = Visitor(self.browser, self.house, role, size=size)
            self.addCleanup(visitor.page.context.close)
            page = visitor.page
            page.route(re.compile(r"/api/(call|hello|methods)$"), self.spoiled)
            page.route_web_socket(re.compile(r"/api/events"), self.spoiled_socket)
            page.reload()
            for hash in hashes:
                with self.subTest(role=role, hash=hash):
                    visitor.open(hash)
                    self.settle(page)
                    yield page, hash
                    self.assertEqual(visitor.seen(), [])

    def spoiled(self, route):
        answer = route.fetch()
        route.fulfill(response=answer, json=self.spoil(answer.json()))

    def spoiled_socket(self, route):
        server = route.connect_to_server()
        server.on_message(lambda text: route.send(json.dumps(self.spoil(json.loads(text)))))


if __name__ == "__main__":
    unittest.main()
