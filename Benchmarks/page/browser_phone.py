"""A browser that is the phone, over a real hub with a certificate: how soon it is drawn, paired and sealed again, what it is made of, and how fast files and
a terminal's output come. All of it is in a network of its own (`Tests/Page/phone_network.py`)."""

import contextlib
import gzip
import json
import os
import re
import statistics
import time
import urllib.request

from browser import PHONE
from phone_network import SecurePlace

LINES = 20_000_000
FILE = 64_000_000
# When the page first sent a record: a session's records are the only binary frames that it sends.
SEALED = """(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        if (typeof data !== 'string') window.__sealed ??= performance.now();
        send.call(this, data);
    };
})()"""
# A page that nobody looks at for a while, as its own code sees it: it hears that it is hidden, is frozen, and is looked at again. What comes first after that is
# noted: the first record that comes after the first that went, and the first answer of a program.
LOOKED_AT = """(() => {
    let isHidden = false;
    Object.defineProperty(document, 'hidden', { get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
    window.__look = (isSeen) => {
        isHidden = !isSeen;
        window.__back = performance.now();
        window.__sent = window.__answered = undefined;
        if (isSeen) document.dispatchEvent(new Event('resume'));
        document.dispatchEvent(new Event('visibilitychange'));
        if (!isSeen) document.dispatchEvent(new Event('freeze'));
    };
    const heard = new WeakSet();
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
        if (typeof data !== 'string') window.__sent ??= performance.now();
        if (!heard.has(this)) {
            heard.add(this);
            window.__sockets = (window.__sockets ?? 0) + 1;
            this.addEventListener('message', (event) => { if (typeof event.data !== 'string' && window.__sent !== undefined) window.__answered ??= performance.now(); });
        }
        send.call(this, data);
    };
    const ask = window.fetch;
    window.fetch = async (...asked) => {
        const answer = await ask(...asked);
        if (new URL(answer.url).pathname.startsWith('/api/')) window.__answered ??= performance.now();
        return answer;
    };
})()"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
KEPT = "async () => Boolean(navigator.serviceWorker.controller) && (await (await caches.open('tandem-phone')).keys()).length > 0"


class Place(SecurePlace):
    """The hub has its port itself: nothing stands before it."""

    server = contextlib.nullcontext()

    def listen(self, role):
        return "127.0.0.1:443" if role == "hub" else super().listen(role)


def until(page, condition, seconds=30):
    """Waits until a script, or a function, says yes."""
    end = time.monotonic() + seconds
    while not (condition() if callable(condition) else page.evaluate(condition)):
        if time.monotonic() > end:
            raise TimeoutError(str(condition))
        page.wait_for_timeout(5)


def paired(house, browser, report):
    """A page that is a phone of the computer, and which its browser keeps."""
    page = browser.blank(size=PHONE, service_workers="allow", accept_downloads=True)
    page.add_init_script(SEALED)
    # Without the system's own picker, which a script cannot answer, the page asks by a field.
    page.add_init_script("delete window.showOpenFilePicker; delete window.showSaveFilePicker")
    page.goto(house.run("desktop", "pair", "show", "--text", "--no-wait").strip())
    until(page, f"{PAINT} !== undefined")
    paint = page.evaluate(PAINT)
    page.get_by_role("button", name="Pair", exact=True).click()
    request = house.until(lambda: house.json("desktop", "pair", "requests")["requests"])[0]
    began = time.monotonic()
    house.run("desktop", "pair", "accept", request["id"])
    page.get_by_text("is paired").first.wait_for()
    report.say("browser phone, first visit: first contentful paint", paint, "ms", 300)
    report.say("… from the computer's yes, typed, to paired on the telephone", 1000 * (time.monotonic() - began), "ms", 1500)
    house.run("desktop", "devices", "allow", request["did"], "terminal", "system", "file")
    until(page, KEPT)
    return page


def size(report, address):
    """What is fetched before anything is drawn, and all that a telephone keeps."""
    def asked(path):
        return urllib.request.urlopen(f"{address}{path}", timeout=30).read()

    document = asked("").decode()
    files = {path: asked(path) for path in ["", *re.findall(r'<(?:script|link)[^>]*? (?:src|href)="([^"]+\.(?:js|css))"', document)]}
    compressed = {path: len(gzip.compress(body, 9)) for path, body in files.items()}
    report.say("browser phone: files before the first screen", len(files), "")
    report.say("… compressed", sum(compressed.values()) / 1024, "KiB", 170)
    everything = json.loads(asked("bundle.json"))["files"]
    report.say("… all that it keeps, as served", sum(file["bytes"] for file in everything) / 1024, "KiB", more=f"{len(everything)} files")


def reloads(report, page, address, rounds):
    paints, sealed = [], []
    for _ in range(max(7, rounds)):
        page.goto("about:blank")
        page.goto(address, wait_until="domcontentloaded")
        until(page, f"window.__sealed !== undefined && {PAINT} !== undefined")
        paints.append(page.evaluate(PAINT))
        sealed.append(page.evaluate("window.__sealed"))
    report.say("browser phone, again: first contentful paint, median", statistics.median(paints), "ms", 300)
    report.say("… sealed, median", statistics.median(sealed), "ms", 250, more=f"all: {', '.join(f'{each:.0f}' for each in sealed)}")


def returns(report, page, who, rounds, limit=None):
    """How soon a page that was hidden has an answer of its computer again."""
    times = []
    before = page.evaluate("window.__sockets ?? 0")
    for _ in range(max(9, rounds)):
        page.evaluate("__look(false)")
        page.wait_for_timeout(1500)
        page.evaluate("__look(true)")
        until(page, "window.__answered !== undefined")
        times.append(page.evaluate("__answered - __back"))
    dialled = page.evaluate("window.__sockets ?? 0") - before
    report.say(f"{who}, looked at again: answered, median", statistics.median(times), "ms", limit, more=f"{dialled} connections were dialled; all: {', '.join(f'{each:.0f}' for each in times)}")


def terminal(report, page, rounds):
    page.get_by_role("button", name="New terminal").first.click()
    page.wait_for_selector(".xterm-rows")
    page.locator(".xterm").last.click()
    page.keyboard.type("PS1='rea''dy> '; clear\n")
    rates = []
    for number in range(rounds):
        until(page, "document.querySelector('.xterm-rows')?.textContent.includes('ready>')")
        begun = time.monotonic()
        page.keyboard.type(f"clear; head -c {LINES} /dev/zero | tr '\\0' x | fold; echo do''ne-{number}\n")
        until(page, f"document.querySelector('.xterm-rows')?.textContent.includes('done-{number}')", 120)
        rates.append(LINES / 1e6 / (time.monotonic() - begun))
    report.say("browser phone: terminal output over a hub", max(rates), "MB/s", 5, least=True, more=f"all: {', '.join(f'{rate:.1f}' for rate in rates)}")


def files(house, report, page, rounds):
    """To the computer, durable there, and from it, until the browser has the download; beside a phone's program, which comes over a port of its own."""
    up, down, program = [], [], {"put": [], "get": []}
    for number in range(rounds):
        source, there = house.folder / f"up-{number}.bin", house.shared / f"up-{number}.bin"
        source.write_bytes(os.urandom(FILE))
        page.get_by_role("button", name="Upload", exact=True).first.click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("menuitem", name="Upload files").click()
        began = time.monotonic()
        chooser.value.set_files(source)
        until(page, lambda: there.exists() and there.stat().st_size == FILE, 120)
        up.append(FILE / 1e6 / (time.monotonic() - began))
        page.get_by_role("button", name=re.compile(f"^More for .?up-{number}.bin")).first.click()
        began = time.monotonic()
        with page.expect_download(timeout=120_000) as download:
            page.get_by_role("menuitem", name="Download").click()
        if os.stat(download.value.path()).st_size != FILE:
            raise ValueError("another file came")
        down.append(FILE / 1e6 / (time.monotonic() - began))
        there.unlink()
        for method, paths in (("put", (source, house.shared)), ("get", (there, house.folder / "back.bin"))):
            began = time.monotonic()
            house.run("phone", "files", method, *map(str, paths))
            program[method].append(FILE / 1e6 / (time.monotonic() - began))
        for path in (source, there, house.folder / "back.bin"):
            path.unlink()
    for way, rates, goal, method in (("to", up, 40, "put"), ("from", down, 50, "get")):
        report.say(f"browser phone: {FILE // 1_000_000} MB {way} the computer", max(rates), "MB/s", goal, least=True, more=f"all: {', '.join(f'{rate:.0f}' for rate in rates)}")
        report.say(f"… tandem files {method}; ratio", max(program[method]), "MB/s", more=f"{max(rates) / max(program[method]):.2f}")


def measure(house, browser, report, rounds):
    page = paired(house, browser, report)
    address, computer = page.url.partition("#")[0], house.said["desktop"]["deviceId"]
    size(report, address)
    reloads(report, page, f"{address}#/computers/{computer}/system", rounds)
    page.goto("about:blank")
    page.add_init_script(LOOKED_AT)
    page.goto(f"{address}#/computers/{computer}/system")
    until(page, "window.__answered !== undefined")
    returns(report, page, "browser phone", rounds, 300)
    house.start("phone")
    house.pair("system", "file")
    peer = browser.blank(size=PHONE)
    peer.add_init_script(LOOKED_AT)
    peer.goto(house.link("phone"))
    peer.goto(f"{house.page_of('phone')}/#/computers/{computer}/system")
    until(peer, "window.__answered !== undefined")
    returns(report, peer, "a program's page", rounds)
    peer.context.close()
    page.goto("about:blank")
    page.goto(f"{address}#/computers/{computer}/terminal")
    terminal(report, page, rounds)
    page.goto("about:blank")
    page.goto(f"{address}#/computers/{computer}/files")
    files(house, report, page, rounds)
    page.context.close()
