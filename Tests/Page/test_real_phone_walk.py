"""The phone in a browser as people have it: a telephone's size and touch, at a real hub that has a certificate and a name, with every screen that a phone has.

Everything runs in a network of its own, in which the hub has port 443 and a name, and its certificate's authority is one that this system and the browser
vouch for. There is a push service, too. Nothing leaves it.
"""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import own_network
from own_network import ADDRESS
from phone_case import PhoneCase
from phone_network import HUB, SecurePlace, phone_network
from real import PATIENCE
from test_real_push import OPENED, SUBSCRIBES, PushService
from xscreen import Screen, typed

AGENT = pathlib.Path(__file__).resolve().parents[1] / "Agents" / "codex"
THREAD = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
# Large enough to be cut and left in its middle.
LARGE = 24 << 20
RATE = 4 << 20
PART = "() => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? 0) >= 30"
# What a page that was closed had of a subscription, for another one to open messages with.
TAKES_KEY = """async () => {
    const { pair, publicKey, auth } = window.subscribed;
    return { key: await crypto.subtle.exportKey('jwk', pair.privateKey), publicKey: [...publicKey], auth: [...auth] };
}"""
GIVES_KEY = """async ({ key, publicKey, auth }) => {
    const privateKey = await crypto.subtle.importKey('jwk', key, { name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
    window.subscribed = { pair: { privateKey }, publicKey: new Uint8Array(publicKey), auth: new Uint8Array(auth) };
}"""


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class WalkCase(PhoneCase):
    """Inside of a network of its own."""

    HOUSEHOLD = SecurePlace

    @classmethod
    def options(cls):
        cls.network = cls.enterClassContext(phone_network())
        cls.screen = cls.enterClassContext(Screen())
        return {"certificates": cls.network, "environment": cls.screen.environment}

    # What a person does

    def refresh(self, page):
        self.menu(page, "More for this folder", "Refresh")

    def entry(self, page, name, item):
        # Marks of direction stand around a name in a sentence.
        self.menu(page, re.compile(f"^More for .?{re.escape(name)}"), item)

    def terminal(self, page):
        self.at(page, "terminal")
        self.choose_terminal(page)
        self.fill(page, "Shell", "bash")
        self.fill(page, "Folder", str(self.household.shared))
        before = page.url
        self.press(page, "Start")
        self.until(lambda: "session=" in page.url and page.url != before, page, "no new terminal")
        self.reads(page, "shared")

    def send(self, page, text):
        self.fill(page, "Write a command", text)
        self.press(page, "Send with Return")


class PairingWalk(WalkCase):
    def test_by_the_link_over_tls(self):
        asked = []
        page = self.blank()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        link = self.link()
        page.goto(link)
        self.press(page, "Pair")
        self.accept()
        self.sees(page, "is paired")
        self.assertTrue(page.evaluate("isSecureContext"))
        self.assertIn(f"wss://{HUB}/", {url.rstrip("/") + "/" for url in asked})
        self.assertEqual([url for url in asked if not url.startswith((f"https://{HUB}/phone/", f"wss://{HUB}"))], [])
        self.assertEqual([url for url in asked if link.partition("#")[2] in url.partition("#")[0]], [])

    def test_by_ten_digits(self):
        self.pairs_by_digits()

    def test_by_the_phones_own_code(self):
        self.pairs_by_its_own_code()


class TerminalWalk(WalkCase):
    def tearDown(self):
        # What a test left running is not the next one's.
        self.household.run("desktop", "devices", "deny", self.did, "terminal")

    def test_keys_a_line_and_a_cut(self):
        page = self.paired("terminal")
        self.terminal(page)
        self.line(page, "echo typed-$((6*7))")
        self.reads(page, "typed-42")
        self.press(page, "Line to write in")
        self.send(page, "echo written-$((1+1)); sleep 300")
        self.reads(page, "written-2")
        self.press(page, "Control and C: interrupt")
        self.reads(page, "^C")
        self.household.server.cut()
        self.send(page, "echo after-$((2+2))")
        self.reads(page, "after-4")

    def test_several_are_taken_up_again_after_a_reload(self):
        page = self.paired("terminal")
        self.terminal(page)
        self.line(page, "kept=first-$((3*3)); echo $kept")
        self.reads(page, "first-9")
        self.at(page, "terminal")
        self.terminal(page)
        self.line(page, "echo second-$((4*4))")
        self.reads(page, "second-16")
        self.again(page)
        self.reads(page, "second-16")
        self.at(page, "terminal")
        self.sees(page, "2 terminals run")
        page.get_by_role("main").get_by_role("button", name=re.compile("^bash")).last.click()
        self.reads(page, "first-9")
        self.line(page, "echo again-$kept; exit 3")
        self.reads(page, "again-first-9")
        self.sees(page, "The shell has ended with code 3")

    def test_what_the_computers_person_takes_back_ends(self):
        page = self.paired("terminal")
        self.terminal(page)
        self.household.run("desktop", "devices", "deny", self.did, "terminal")
        self.sees(page, "Not allowed yet", "turn on “Terminal”")


class FileWalk(WalkCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = cls.household.shared
        cls.large = cls.folder / "large.bin"
        cls.large.write_bytes(os.urandom(LARGE))

    def files(self):
        page = self.paired("file")
        self.at(page, "files")
        return page

    def checksum(self, path):
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()

    @contextlib.contextmanager
    def slowly(self, page):
        """A transfer that begins here is in its middle at the end, and goes slowly until then."""
        session = page.context.new_cdp_session(page)
        limit = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", limit | {"downloadThroughput": RATE, "uploadThroughput": RATE})
        yield
        page.wait_for_function(PART, timeout=PATIENCE * 1000, polling=5)
        session.send("Network.emulateNetworkConditions", limit)

    def upload(self, page, path):
        self.press(page, "Upload")
        self.give(page, "Upload files", path, role="menuitem")

    def copy(self, name):
        path = self.folder / name
        path.write_bytes(name.encode() + self.large.read_bytes())
        return path

    def test_looking_and_changing(self):
        (self.shared / "notes.txt").write_text("line one\nzweite Zeile\n第三行\n")
        subprocess.run(["convert", "-size", "80x60", "xc:teal", str(self.shared / "picture.png")], check=True, timeout=30)
        page = self.files()
        self.press(page, "notes.txt", exact=False)
        self.sees(page, "line one", "第三行", within=page.get_by_role("dialog"))
        self.press(page, "Close")
        self.press(page, "picture.png", exact=False)
        image = page.get_by_role("dialog").get_by_role("img").first
        self.until(lambda: image.evaluate("(image) => image.naturalWidth") == 80, page, "no picture")
        page.go_back()
        self.menu(page, "More for this folder", "New folder")
        self.fill(page, "Name", "Reisen 2026")
        self.press(page, "Create")
        self.sees(page, "Reisen 2026")
        self.entry(page, "notes.txt", "Rename")
        self.fill(page, "New name", "Notizen.txt")
        self.press(page, "Rename")
        self.sees(page, "Notizen.txt")
        self.entry(page, "Notizen.txt", "Move to trash")
        self.press(page, "Move to trash")
        self.sees(page, "1 entry moved to the trash")
        self.assertFalse((self.shared / "Notizen.txt").exists())

    def test_a_folder_comes_as_a_zip(self):
        folder = self.shared / "album"
        (folder / "inner").mkdir(parents=True)
        (folder / "one.txt").write_text("one")
        (folder / "inner" / "zwei ü.txt").write_text("zwei")
        page = self.files()
        with page.expect_download(timeout=PATIENCE * 1000) as download:
            self.entry(page, "album", "Download as ZIP")
        said = subprocess.run(["python3", "-m", "zipfile", "--list", str(download.value.path())], capture_output=True, text=True, check=True, timeout=30).stdout
        self.assertIn("zwei ü.txt", said)

    def test_a_download_that_is_cut_twice(self):
        source = self.shared / "down.bin"
        source.write_bytes(self.large.read_bytes())
        page = self.files()
        self.sees(page, "down.bin")
        server = self.household.server
        server.cuts = [5_000_000, 7_000_000]
        with page.expect_download(timeout=3 * PATIENCE * 1000) as download:
            self.entry(page, "down.bin", "Download")
        self.assertEqual(server.cuts, [])
        self.assertEqual(self.checksum(download.value.path()), self.checksum(source))

    def test_an_upload_outlives_the_hub_and_the_computer(self):
        path = self.copy("sent.bin")
        page = self.files()
        with self.slowly(page):
            self.upload(page, path)
        self.household.restart("hub", signal.SIGKILL)
        self.household.restart("desktop", signal.SIGKILL)
        self.sees(page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(self.checksum(self.shared / "sent.bin"), self.checksum(path))

    def test_an_upload_goes_on_after_a_reload(self):
        path = self.copy("again.bin")
        page = self.files()
        with self.slowly(page):
            self.upload(page, path)
        self.again(page)
        self.sees(page, "Choose the same one; what was sent stays sent")
        self.give(page, "Choose again", path)
        self.sees(page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(self.checksum(self.shared / "again.bin"), self.checksum(path))


class ComputerWalk(WalkCase):
    """Its clipboard, its screen, its figures, and what waits while it is away."""

    def test_the_clipboard_both_ways(self):
        page = self.paired("clipboard")
        self.at(page, "clipboard")
        self.fill(page, "Text to send", "from the phone: grüße 你好")
        self.press(page, "Send")
        self.sees(page, "It can be pasted at the computer now")
        self.assertEqual(self.screen.copied(), "from the phone: grüße 你好")
        self.screen.copy("from the computer <b>bold</b>")
        self.until(lambda: self.screen.copied() == "from the computer <b>bold</b>", page, "was not copied")
        self.press(page, "Fetch")
        self.sees(page, "from the computer <b>bold</b>")
        self.switch(page, "Keep up to date", True)
        self.until(lambda: "clipboard" in self.household.run("desktop", "devices", "audit", "--json"), page, "the clipboard is not followed")
        for text in ("first news", "second news"):
            self.screen.copy(text)
            self.sees(page, text)

    def test_the_screen(self):
        page = self.paired("display", "screen.control")
        log = self.folder / "xev.log"
        self.screen.watched(log)
        self.at(page, "screen")
        self.press(page, "Take a picture")
        self.sees(page, "640 × 480")
        self.press(page, "Watch live")
        self.sees(page, "what changes is shown at once")
        self.press(page, "Stop")
        self.sees(page, "Watch live")
        # Its fingers and its keyboard are the computer's, until the right ends.
        self.press(page, "Control")
        self.sees(page, "You control", "There Ctrl+Alt+Escape ends it")
        box = page.locator(".control-surface").bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator(".control-typing").focus()
        page.keyboard.insert_text("Grüße 你好")
        said = lambda: log.read_text(errors="replace")  # noqa: E731
        self.until(lambda: "ButtonPress event" in said() and typed(said()) == "Grüße 你好", page, "nothing comes to the computer")
        self.household.run("desktop", "devices", "deny", self.did, "screen.control")
        self.sees(page, "Not allowed yet")

    def test_the_figures(self):
        page = self.paired()
        self.at(page, "system")
        self.sees(page, "Processor", "Memory", "Disk", "Network", "Running for")
        used = page.locator(".system").inner_text
        before = used()
        self.until(lambda: used() != before, page, "the figures stand still")

    def test_what_waits_is_done_once_the_computer_is_back(self):
        page = self.paired("clipboard")
        self.at(page, "clipboard")
        self.sees(page, "Not fetched yet")
        self.household.stop("desktop")
        self.sees(page, "Not reached at the moment", "Its tabs come back by themselves")
        self.fill(page, "Text to send", "waited for you")
        self.press(page, "Send when it is back")
        self.sees(page, "Waits until the computer is back", "1 command waits for this computer")
        # A page that was closed meanwhile has it still.
        self.again(page)
        self.go(page, "#/queue")
        self.sees(page, "waited for you")
        self.household.start("desktop")
        self.sees(page, "Nothing waits")
        self.assertEqual(self.screen.copied(), "waited for you")


class ThreadWalk(WalkCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        home = cls.household.folder / "home"
        (home / ".local/bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(AGENT, home / ".local/bin/codex")
        folder = home / ".codex/sessions/2026/01/02"
        folder.mkdir(parents=True)
        cls.file = folder / f"rollout-2026-01-02T03-04-05-{THREAD}.jsonl"
        cls.file.write_text(
            record("session_meta", {"id": THREAD, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": str(cls.household.shared), "source": "cli"})
            + record("event_msg", {"type": "user_message", "message": "Build the analytical engine"})
            + record("event_msg", {"type": "agent_message", "message": "They turn."}))

    def test_reads_answers_and_allows(self):
        page = self.paired("threads")
        self.at(page, "threads")
        self.sees(page, "Build the analytical engine")
        page.get_by_text("Build the analytical engine").filter(visible=True).first.click()
        self.sees(page, "They turn.")
        self.household.stop("desktop")
        with self.file.open("a") as file:
            file.write(record("event_msg", {"type": "agent_message", "message": "Written while it was away"}))
        self.household.start("desktop")
        self.sees(page, "Written while it was away")
        self.say(page, "turn them twice")
        self.sees(page, "You said: turn them twice")
        self.say(page, "run make engine")
        self.sees(page, "make engine")
        page.get_by_role("button", name="Allow once").filter(visible=True).first.click(timeout=PATIENCE * 1000)
        self.until(lambda: self.file.read_text().count("It is accept") == 1, page, "no answer came")

    def say(self, page, text):
        self.act(page, "composer", lambda timeout: page.locator("textarea").last.fill(text, timeout=timeout))
        self.press(page, "Send")


class InstalledWalk(WalkCase):
    """A page that the browser keeps, and what wakes it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service = cls.enterClassContext(PushService(cls.network, ADDRESS))

    def setUp(self):
        super().setUp()
        self.household.run("desktop", "notifications", "clear")

    def test_notifications_come_and_are_read_on_both(self):
        page = self.paired()
        self.at(page, "notifications")
        self.household.run("desktop", "notifications", "send", "Tea is ready", "In the kitchen")
        self.sees(page, "Tea is ready")
        self.again(page)
        page.get_by_text("Tea is ready").first.click(timeout=PATIENCE * 1000)
        self.until(lambda: self.household.json("desktop", "notifications", "list")["unreadCount"] == 0, page, "not read at the computer")

    def test_a_closed_page_is_woken_over_a_push_service(self):
        page = self.blank(service_workers="allow", permissions=["notifications"])
        page.add_init_script(SUBSCRIBES)
        page.goto(self.link())
        self.press(page, "Pair")
        self.accept()
        self.sees(page, "is paired")
        self.computer = self.household.said["desktop"]["deviceId"]
        self.is_kept(page)
        self.at(page, "notifications")
        self.menu(page, "More for these notifications", "Settings")
        self.switch(page, "Also when Tandem is closed", True)
        self.until(lambda: "registerPush" in self.household.run("desktop", "devices", "audit", "--json"), page, "the computer was not told")
        key = page.evaluate(TAKES_KEY)
        other = page.context.new_page()
        page.close()
        other.goto(f"{self.household.server.url}bundle.json")
        other.evaluate(GIVES_KEY, key)
        self.household.run("desktop", "notifications", "send", "Ada wrote", "Dinner at eight?")
        _, _, body = self.service.messages.get(timeout=2 * PATIENCE)
        said = other.evaluate(OPENED, base64.b64encode(body).decode())
        self.assertEqual((json.loads(said)["title"], json.loads(said)["device"]), ("Ada wrote", self.computer))
        session = other.context.new_cdp_session(other)
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        self.until(lambda: found, other, "no service worker")
        session.send("ServiceWorker.deliverPushMessage", {"origin": f"https://{HUB}", "registrationId": found[0]["registrationId"], "data": said})
        [worker] = other.context.service_workers
        shown = self.until(lambda: worker.evaluate("async () => (await registration.getNotifications()).map(({ title, body }) => [title, body])"), other, "no banner")
        # Behind it stands a mark that is not seen.
        self.assertEqual([(title, body[:16]) for title, body in shown], [("Ada wrote", "Dinner at eight?")])

    def change(self, *roles):
        """Another page is installed, which these programs read."""
        file = self.household.page / "features/computers/feature.js"
        before = file.read_bytes()
        self.addCleanup(self.household.restart, "desktop")
        self.addCleanup(self.household.restart, "hub")
        self.addCleanup(file.write_bytes, before)
        file.write_bytes(before.replace(b"'nav.computers': 'Computers'", b"'nav.computers': 'Machines'"))
        for role in roles:
            self.household.restart(role)

    def another(self, page, *words):
        self.go(page, "#/computers")
        self.again(page)
        self.sees(page, "Tandem was updated", *words, "Computers")
        self.press(page, "Reload")
        self.sees(page, "Machines", self.household.said["desktop"]["name"])

    def test_another_version_of_the_hub_is_taken_when_the_person_says_so(self):
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        self.change("hub")
        self.household.stop("desktop")
        self.another(page, "None of your computers could confirm it")

    def test_another_version_that_the_computer_has_is_confirmed_by_it(self):
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        self.change("hub", "desktop")
        self.another(page, "confirmed by it")

    def test_what_is_shared_goes_to_a_computer(self):
        page = self.paired("file", service_workers="allow")
        self.is_kept(page)
        page.evaluate("""() => {
            const given = new FormData();
            given.append('files', new File(['from the share sheet'], 'shared.txt', { type: 'text/plain' }));
            return fetch('share', { method: 'post', body: given }).then(() => {});
        }""")
        self.go(page, "#/share")
        self.sees(page, "shared.txt")
        self.press(page, self.household.said["desktop"]["name"], exact=False)
        there = self.household.shared / "shared.txt"
        self.until(lambda: there.exists() and there.read_text() == "from the share sheet", page, "what was shared did not arrive")

    def test_it_opens_without_the_hub_and_is_back_with_it(self):
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        self.at(page, "system")
        self.sees(page, "Processor")
        self.household.kill("hub")
        self.again(page)
        self.sees(page, "Not connected")
        self.household.start("hub")
        self.sees(page, "Over relay", "Processor")

    def test_two_tabs_are_one_phone(self):
        page = self.paired()
        other = page.context.new_page()
        other.goto(self.household.server.url)
        self.sees(other, "Tandem is open in another tab")
        self.press(other, "Use it here")
        self.sees(other, self.household.said["desktop"]["name"])
        self.sees(page, "Tandem is open in another tab")


class NetworkTests(own_network.NetworkTests):
    CASES = (PairingWalk, TerminalWalk, FileWalk, ComputerWalk, ThreadWalk, InstalledWalk)


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
