"""Takes README's five steps to a telephone that is a phone, and a picture of each: phone_steps.py FOLDER.

What the steps type is typed, at a hub that gets its certificate from an authority for tests, at a computer, and on a page of a telephone's size. All of it
runs in a network of its own, in which the names lead to this machine and nothing leaves it.
"""

import base64
import contextlib
import json
import os
import pathlib
import pty
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.request

from browser import PATIENCE, PHONE, Browser, settle
from household import ROOT, Home, until
from own_network import ENTER, INSIDE, entering, run
from phone_case import ROWS as TEXT
from server import ASSETS
from test_real_phone_walk import HUB

LIMIT = 150_000
COLUMNS, ROWS = 104, 60
# What draws on a terminal is not text.
ESCAPES = re.compile(rb"\x1b(\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[=>()][0-9A-B]?)")
DRAWS = """async ({ text, columns, rows }) => {
    const terminal = new Terminal({ cols: columns, rows, fontSize: 12, fontFamily: 'monospace', cursorBlink: false, theme: { background: '#15181c', foreground: '#e6e6e6', cursor: '#15181c' } });
    terminal.open(document.querySelector('main'));
    await new Promise((resolve) => terminal.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), resolve));
    const lines = Array.from({ length: rows }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
    return lines.findLastIndex((line) => line) + 1;
}"""


class Authority:
    """A pebble, which is Let's Encrypt's authority for tests, and the DNS by which it finds the hub."""

    def __init__(self, home, folder):
        key, certificate = folder / "authority.key", folder / "authority.pem"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
        (folder / "pebble.json").write_text(json.dumps({"pebble": {
            "listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000", "certificate": str(certificate), "privateKey": str(key),
            "httpPort": 80, "tlsPort": 443, "ocspResponderURL": "", "externalAccountBindingRequired": False}}))
        home.begin_program("pebble-challtestsrv", "-dns01", "127.0.0.1:8053", "-management", "127.0.0.1:8055", "-defaultIPv4", "127.0.0.1",
                           "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", "", stdout=subprocess.DEVNULL)
        home.begin_program("env", "PEBBLE_VA_NOSLEEP=1", "pebble", "-config", folder / "pebble.json", "-dnsserver", "127.0.0.1:8053", stdout=subprocess.DEVNULL)
        trust = ssl.create_default_context(cafile=certificate)

        def asked(address):
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(address, timeout=5, context=trust).read()

        until(lambda: asked("https://localhost:14000/dir"))
        self.root = folder / "root.pem"
        self.root.write_bytes(asked("https://localhost:15000/roots/0"))
        self.settings = {"TANDEM_ACME_DIRECTORY": "https://localhost:14000/dir", "TANDEM_ACME_CA": str(certificate)}


class Shell:
    """A person's terminal. Use as a context manager; `said` is all that was drawn on it."""

    def __init__(self, machine, environment):
        self.machine = machine
        self.environment = environment | {"PS1": f"{machine}$ ", "TERM": "xterm-256color", "LANG": "C.UTF-8", }
        self.said = b""
        # Where what the latest line brought begins.
        self.began = 0

    def __enter__(self):
        self.terminal, theirs = pty.openpty()
        run("stty", "rows", str(ROWS), "columns", str(COLUMNS), stdin=theirs)
        self.process = subprocess.Popen(["setsid", "--ctty", "bash", "--norc", "--noprofile", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=self.environment)
        os.close(theirs)
        threading.Thread(target=self.read, daemon=True).start()
        self.sees(f"{self.machine}$")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(10)

    def read(self):
        with contextlib.suppress(OSError):
            while piece := os.read(self.terminal, 1 << 16):
                self.said += piece

    def type(self, line):
        self.began = len(self.said)
        os.write(self.terminal, line.encode() + b"\n")

    def sees(self, text, since=0):
        try:
            until(lambda: text in ESCAPES.sub(b"", self.said[since:]).decode(errors="replace"), PATIENCE)
        except Exception:
            sys.exit(f"never on the terminal of the {self.machine}: {text}\n{ESCAPES.sub(b'', self.said).decode(errors='replace')}")

    def does(self, line, text):
        """Types a line, and waits for what comes of it."""
        self.type(line)
        self.sees(text, self.began)


def picture(page, path, size, quality):
    settle(page)
    clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": quality, "clip": clip})
    path.write_bytes(base64.b64decode(shot["data"]))


def draw(browser, path, said):
    """What a terminal shows, drawn by the terminal that the page has; what the codes in it say."""
    page = browser.blank(size=(COLUMNS * 8 + 60, ROWS * 20))
    page.set_content("<body style='margin:0'><main style='width:max-content;padding:12px;background:#15181c'></main>")
    page.add_style_tag(path=ASSETS / "xterm.css")
    page.evaluate("async (text) => { window.Terminal = (await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })))).Terminal; }", (ASSETS / "xterm.js").read_text())
    # As many rows as are used.
    rows = page.evaluate(DRAWS, {"text": base64.b64encode(said).decode(), "columns": COLUMNS, "rows": ROWS})
    box = page.locator(".xterm-screen").bounding_box()
    size = (box["x"] + box["width"] + 12, box["y"] + box["height"] / ROWS * rows + 12)
    # Letters alone are smaller without any loss.
    picture(page, path, size, 100)
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.screenshot(path=file.name)
        codes = subprocess.run(["zbarimg", "--quiet", "--raw", file.name], capture_output=True, text=True, timeout=30).stdout.split()
    page.context.close()
    return codes


def pressed(page, name, role="button"):
    page.get_by_role(role, name=name, exact=True).first.click(timeout=PATIENCE * 1000)


def walk(folder, browser, server, desktop, computer):
    """The steps, as README has them."""
    server.does(f"tandem hub --listen 0.0.0.0:443 --acme {HUB} --acme-agree", "certificates reloaded")
    draw(browser, folder / "phone-step-1.webp", server.said)

    desktop.does(f"tandem desktop --hub wss://{HUB}", "is ready")
    desktop.sees("For a new link")
    computer.does("tandem pair show", "It is good for five minutes")
    # Two terminals of one computer, one above the other.
    [link] = draw(browser, folder / "phone-step-2.webp", desktop.said.rstrip() + b"\r\n\r\n" + computer.said)
    if not link.startswith(f"https://{HUB}/phone/#"):
        sys.exit(f"the code is no link: {link}")

    page = browser.blank(size=PHONE, device_scale_factor=2)
    page.goto(link)
    pair = page.get_by_role("button", name="Pair", exact=True)
    pair.wait_for(timeout=PATIENCE * 1000)
    picture(page, folder / "phone-step-3.webp", PHONE, 80)
    pair.click()

    computer.sees("Accept?")
    words = page.locator("body").inner_text(timeout=PATIENCE * 1000).split("this phone’s key")[1].split()[0]
    computer.sees(f"its key: {words}")
    asked = computer.said.index(b"asks to be paired")
    computer.does("y terminal file clipboard", "Paired with")
    draw(browser, folder / "phone-step-4.webp", computer.said[computer.said.rindex(b"\n", 0, asked) + 1:])

    pressed(page, "Open", "link")
    pressed(page, "Terminal", "link")
    pressed(page, "New terminal")
    page.wait_for_function(f"() => ({TEXT}).trim()", timeout=PATIENCE * 1000)
    page.locator(".terminal-view:not([hidden]) .xterm-helper-textarea").focus()
    page.keyboard.type("uname -sn; uptime -p\n")
    page.wait_for_function(f"() => ({TEXT}).includes('up ')", timeout=PATIENCE * 1000)
    picture(page, folder / "phone-step-5.webp", PHONE, 80)
    taken = sum((folder / f"phone-step-{step}.webp").stat().st_size for step in range(1, 6))
    if taken > LIMIT:
        sys.exit(f"the pictures have {taken} bytes together; at most {LIMIT}")
    print(f"5 pictures in {folder}, {taken} bytes")


def inside(folder):
    run("ip", "link", "set", "lo", "up")
    run("hostname", "studio")
    program = pathlib.Path(os.environ.get("TANDEM") or ROOT / ".build/release/tandem")
    with contextlib.ExitStack() as stack:
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tandem-steps.")))
        home = stack.enter_context(Home())
        authority = Authority(home, place)
        hosts = place / "hosts"
        hosts.write_text(f"127.0.0.1 localhost studio {HUB}\n")
        for file, target in ((hosts, "/etc/hosts"), (authority.root, "/etc/ssl/certs/ca-certificates.crt")):
            run("mount", "--bind", file, target)
        settings = home.environment | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
        shells = []
        for machine in ("server", "computer", "computer"):
            (place / machine).mkdir(exist_ok=True)
            shells.append(stack.enter_context(Shell(machine, settings | {"HOME": str(place / machine)} | (authority.settings if machine == "server" else {}))))
        # Chromium believes what the person's own store of certificates has.
        store = place / "telephone/.pki/nssdb"
        store.mkdir(parents=True)
        run("certutil", "-d", f"sql:{store}", "-N", "--empty-password")
        run("certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "tests", "-i", authority.root)
        os.environ["HOME"] = str(place / "telephone")
        walk(folder, stack.enter_context(Browser(is_whole=True)), *shells)


def main(folder):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not os.environ.get(INSIDE):
        own = [ENTER[0], "--uts", *ENTER[1:]]
        sys.exit(subprocess.run([*own, sys.executable, __file__, str(folder)], env=entering()).returncode)
    inside(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
