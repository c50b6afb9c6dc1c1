"""A browser that is the phone, at a real hub and a real computer: paired by a link, with a telephone's size and touch."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from household import ROOT, Household
from phone_case import PhoneCase
from phone_server import PhoneServer, link_of
from real import PATIENCE, film
from server import PAGE
from sessionbus import SessionBus
from test_real_push import SUBSCRIBES

AGENT = pathlib.Path(__file__).resolve().parents[1] / "Agents" / "codex"
THREAD = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
NAMED = re.compile(rb"""('nav.computers': ?'|"nav.computers": ?")Computers(['"])""")


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class Place(Household):
    """A hub with the page for phones before it, and a computer. The hub answers to any port of this machine, as it does behind forwarding."""

    def __enter__(self):
        try:
            self.options["hub"] = ("--server-name", "127.0.0.1")
            self.start("hub")
            self.start("desktop")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, role):
        said = super().start(role)
        if role == "hub":
            if not hasattr(self, "server"):
                self.server = PhoneServer(said["port"])
                self.server.__enter__()
            said["url"] = f"ws://{self.server.host}"
        return said

    def __exit__(self, *arguments):
        if hasattr(self, "server"):
            self.server.__exit__()
        super().__exit__(*arguments)


class BrowserPhoneTests(PhoneCase):
    HOUSEHOLD = Place

    @classmethod
    def arguments(cls):
        cls.film = cls.folder / "camera.y4m"
        film("xc:gray", cls.film)
        return ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={cls.film}"]

    # Pairing

    def test_a_link_pairs_and_leaves_no_trace_in_the_address(self):
        page = self.blank()
        link = self.link()
        page.goto(link)
        self.sees(page, "Pair with")
        self.assertEqual(page.url, f"{self.household.server.url}#/pair/scan")
        self.press(page, "Pair")
        request = self.accept()
        self.sees(page, "is paired")
        kept = {device["did"]: device["fingerprint"] for device in self.household.json("desktop", "devices", "list")["devices"]}
        self.assertEqual(kept[request["did"]], request["fingerprint"])
        self.press(page, "Open", role="link")
        self.until(lambda: "/computers/" in page.url, page, "the computer did not open")
        page.go_back()
        self.assertNotIn(link.partition("#")[2], page.url)

    def test_the_first_screen_says_what_is_trusted(self):
        page = self.blank()
        page.goto(self.household.server.url)
        self.sees(page, "What you trust", "cannot read it", self.household.server.host)

    def test_a_link_that_is_cut(self):
        page = self.blank()
        page.goto(self.link()[:-9])
        self.press(page, "Pair")
        self.sees(page, "A part of the code is damaged")

    def test_a_link_of_another_hub(self):
        page = self.blank()
        page.goto(link_of(self.code() | {"signalingUrl": None, "relayUrl": "wss://another.example"}, self.household.server.host))
        self.press(page, "Pair")
        self.sees(page, "another.example")

    def test_ten_digits(self):
        self.pairs_by_digits()

    def test_a_code_that_the_phone_shows(self):
        self.pairs_by_its_own_code()

    def test_forgotten_at_the_computer(self):
        page = self.paired()
        self.go(page, "#/computers")
        self.household.run("desktop", "devices", "forget", self.did)
        self.sees(page, "No computer yet")

    # What a computer does

    def test_a_terminal_types_and_goes_on_after_a_cut(self):
        page = self.paired("terminal")
        self.at(page, "terminal")
        self.choose_terminal(page)
        self.fill(page, "Shell", "bash")
        self.fill(page, "Folder", str(self.household.shared))
        self.press(page, "Start")
        self.reads(page, "shared")
        self.line(page, "echo answer-$((6*7))")
        self.reads(page, "answer-42")
        self.household.server.cut()
        self.line(page, "echo after-$((7*7))")
        self.reads(page, "after-49")

    def test_a_file_comes_whole_after_two_cuts(self):
        page = self.paired("file")
        whole = bytes(range(256)) * 30_000
        (self.household.shared / "large.bin").write_bytes(whole)
        self.at(page, "files")
        self.sees(page, "large.bin")
        server = self.household.server
        server.cuts = [2_000_000, 3_000_000]
        with page.expect_download(timeout=PATIENCE * 1000) as download:
            self.menu(page, re.compile("^More for .?large.bin"), "Download")
        self.assertEqual(server.cuts, [])
        self.assertEqual(pathlib.Path(download.value.path()).read_bytes(), whole)

    def test_a_large_file_is_collected_by_the_page(self):
        page = self.paired("file")
        whole = bytes(range(256)) * 140_000
        (self.household.shared / "huge.bin").write_bytes(whole)
        self.at(page, "files")
        with page.expect_download(timeout=PATIENCE * 1000) as download:
            self.menu(page, re.compile("^More for .?huge.bin"), "Download")
        self.assertEqual(pathlib.Path(download.value.path()).read_bytes(), whole)

    def test_a_file_is_sent(self):
        page = self.paired("file")
        self.at(page, "files")
        small = self.folder / "sent.bin"
        small.write_bytes(bytes(range(256)) * 12_000)
        self.press(page, "Upload")
        self.give(page, "Upload files", small, role="menuitem")
        there = self.household.shared / "sent.bin"
        self.until(lambda: there.exists() and there.read_bytes() == small.read_bytes(), page, "the file did not arrive")
        # Small pictures, and a text that is edited, come through the same session.
        subprocess.run(["convert", "-size", "900x600", "gradient:teal-white", str(there.with_name("hills.jpg"))], check=True, timeout=30)
        notes = there.with_name("notes.txt")
        notes.write_bytes(b"one\r\ntwo")
        self.menu(page, "More for this folder", "Refresh")
        self.press(page, "Show as a grid")
        self.until(lambda: page.evaluate("document.querySelector('.tile-picture')?.naturalWidth > 0"), page, "no small picture")
        self.press(page, "notes.txt", exact=False)
        self.press(page, "Edit")
        page.get_by_role("textbox", name="Text of notes.txt").fill("one\n2")
        self.press(page, "Save")
        self.until(lambda: notes.read_bytes() == b"one\r\n2", page, "the text was not saved")

    def test_notifications_come_and_are_read_on_both(self):
        page = self.paired()
        self.at(page, "notifications")
        self.household.run("desktop", "notifications", "send", "Tea is ready", "In the kitchen")
        self.sees(page, "Tea is ready")
        self.again(page)
        self.sees(page, "Tea is ready")
        page.get_by_text("Tea is ready").first.click()
        self.until(lambda: self.household.json("desktop", "notifications", "list")["unreadCount"] == 0, page, "not read at the computer")

    def test_a_mark_waits_while_the_computer_is_away(self):
        page = self.paired()
        self.at(page, "notifications")
        self.household.run("desktop", "notifications", "send", "Wash the cups", "All of them")
        self.sees(page, "Wash the cups")
        self.household.stop("desktop")
        self.sees(page, "Not reached at the moment")
        page.get_by_text("Wash the cups").first.click()
        self.household.start("desktop")
        self.until(lambda: self.household.json("desktop", "notifications", "list")["unreadCount"] == 0, page, "the mark did not go through")

    def test_threads_are_listed_and_followed(self):
        home = self.household.folder / "home"
        (home / ".local/bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(AGENT, home / ".local/bin/codex")
        folder = home / ".codex/sessions/2026/01/02"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"rollout-2026-01-02T03-04-05-{THREAD}.jsonl"
        file.write_text(
            record("session_meta", {"id": THREAD, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": str(self.household.shared), "source": "cli"})
            + record("event_msg", {"type": "user_message", "message": "Build the analytical engine"})
            + record("event_msg", {"type": "agent_message", "message": "They turn."}))
        page = self.paired("threads")
        self.at(page, "threads")
        self.sees(page, "Build the analytical engine")
        page.get_by_text("Build the analytical engine").filter(visible=True).first.click()
        self.sees(page, "They turn.")
        with file.open("a") as more:
            more.write(record("event_msg", {"type": "agent_message", "message": "And turn again."}))
        self.sees(page, "And turn again.")
        self.household.server.cut()
        with file.open("a") as more:
            more.write(record("event_msg", {"type": "agent_message", "message": "Once more."}))
        self.sees(page, "Once more.")

    def test_what_is_not_allowed_says_so_until_it_is(self):
        page = self.paired()
        self.at(page, "files")
        self.sees(page, "not allowed")
        self.household.run("desktop", "devices", "allow", self.did, "file")
        self.sees_no(page, "not allowed")

    # What a browser lacks

    def at_first(self, *scripts, **options):
        page = self.blank(**options)
        for script in scripts:
            page.add_init_script(script)
        page.goto(self.household.server.url)
        return page

    def test_a_browser_without_the_keys(self):
        page = self.at_first("""
            const generate = SubtleCrypto.prototype.generateKey;
            SubtleCrypto.prototype.generateKey = function (algorithm, ...rest) {
                if ((algorithm.name ?? algorithm) === 'Ed25519') return Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
                return generate.call(this, algorithm, ...rest);
            };
        """)
        self.sees(page, "This browser is too old", "Firefox from 130", "Safari from 17")
        self.complains(page, "Ed25519")

    def test_a_browser_that_keeps_nothing(self):
        page = self.at_first("IDBFactory.prototype.open = () => { throw new DOMException('Denied.', 'SecurityError'); }")
        self.sees(page, "This browser keeps nothing")
        self.complains(page, "")

    def test_an_address_without_cryptography(self):
        page = self.at_first("Object.defineProperty(window, 'isSecureContext', { value: false })")
        self.sees(page, "This browser cannot seal here")
        self.complains(page, "no cryptography")

    # A browser that reads no codes: the page does

    def reads_no_codes(self, *scripts, **options):
        page = self.at_first("delete window.BarcodeDetector", *scripts, **options)
        self.go(page, "#/pair/scan")
        return page

    def drawn(self):
        """A picture of the computer's code."""
        picture = self.folder / "shown.png"
        self.household.run("desktop", "pair", "show", "--png", picture, "--no-wait")
        return picture

    def test_a_chosen_picture_pairs(self):
        page = self.reads_no_codes()
        empty = self.folder / "empty.png"
        subprocess.run(["convert", "-size", "40x40", "xc:white", empty], check=True, timeout=30)
        self.give(page, "Choose a picture", empty)
        self.sees(page, "There is no code in this picture")
        empty.write_bytes(empty.read_bytes()[:40])
        self.give(page, "Choose a picture", empty)
        self.sees(page, "This picture is damaged")
        # As a photograph has it: large, turned, grey and not sharp.
        photograph = self.folder / "photograph.jpg"
        shape = ["-bordercolor", "white", "-border", "20", "-background", "gray", "-rotate", "17", "-blur", "0x1", "-gravity", "center", "-extent", "4000x3000", "-level", "-60%,130%"]
        subprocess.run(["convert", self.drawn(), *shape, "-quality", "80", photograph], check=True, timeout=60)
        self.give(page, "Choose a picture", photograph)
        self.accept()
        self.sees(page, "is paired")

    def test_the_camera_pairs(self):
        film(self.drawn(), self.film)
        page = self.reads_no_codes(permissions=["camera"])
        self.press(page, "Open the camera")
        self.accept()
        self.sees(page, "is paired")

    def test_a_camera_that_shows_nothing_says_why(self):
        page = self.reads_no_codes("navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', window.refusal));")
        for refusal, words in [("NotAllowedError", "The camera is not allowed"), ("NotFoundError", "There is no camera here"), ("NotReadableError", "The camera is in use")]:
            page.evaluate("(refusal) => { window.refusal = refusal; }", refusal)
            self.press(page, "Open the camera" if refusal == "NotAllowedError" else "Try again")
            self.sees(page, words)

    def test_a_page_that_cannot_read_codes_either(self):
        page = self.reads_no_codes()
        page.route("**/qr-reader/worker.js", lambda route: route.abort())
        self.give(page, "Choose a picture", self.drawn())
        self.sees(page, "This browser reads no codes", "own camera app")

    def complains(self, page, words):
        """What is said on the screen stands in the console, too."""
        said, page.complaints[:] = page.complaints[:], []
        self.assertTrue(any(words in each for each in said), said)

    # The page

    def test_a_reload_is_the_same_phone(self):
        page = self.paired("file")
        (self.household.shared / "stays.txt").write_text("here")
        self.at(page, "files")
        self.sees(page, "stays.txt")
        self.again(page)
        self.sees(page, "stays.txt", "Over relay")
        self.household.restart("hub")
        self.again(page)
        self.sees(page, "stays.txt")

    def test_a_hub_that_is_killed_and_a_computer_that_was_away_come_back(self):
        page = self.paired("file")
        (self.household.shared / "back.txt").write_text("here")
        self.at(page, "files")
        self.sees(page, "back.txt", "Over relay")
        self.household.kill("hub")
        self.sees(page, "Not connected")
        self.household.start("hub")
        self.sees(page, "Over relay")
        self.household.kill("desktop")
        self.sees(page, "Not connected")
        self.household.start("desktop")
        self.sees(page, "Over relay")
        (self.household.shared / "after.txt").write_text("here")
        self.menu(page, "More for this folder", "Refresh")
        self.sees(page, "after.txt")

    def test_a_page_that_was_hidden_is_back_at_once(self):
        page = self.paired("file")
        (self.household.shared / "seen.txt").write_text("here")
        self.at(page, "files")
        self.sees(page, "seen.txt", "Over relay")
        # As a browser does it: what is hidden is frozen, and loses its connection.
        page.evaluate("document.dispatchEvent(new Event('freeze'))")
        self.sees(page, "Not connected")
        page.evaluate("document.dispatchEvent(new Event('resume'))")
        self.sees(page, "Over relay", seconds=2)

    def test_two_tabs_are_one_phone(self):
        page = self.paired("file")
        (self.household.shared / "one.txt").write_text("1")
        other = page.context.new_page()
        other.goto(f"{self.household.server.url}#/computers/{self.computer}/files")
        self.sees(other, "Tandem is open in another tab")
        self.press(other, "Use it here")
        self.sees(other, "one.txt")
        self.sees(page, "Tandem is open in another tab")
        self.press(page, "Use it here")
        self.sees(page, "Pair a computer")
        self.at(page, "files")
        self.sees(page, "one.txt")
        self.sees(other, "Tandem is open in another tab")

    def test_the_settings_say_what_stays_with_programs_and_erase(self):
        page = self.paired()
        self.go(page, "#/settings")
        self.sees(page, "The journal and moving", "What you trust")
        self.press(page, re.compile("^Erase this phone"), exact=False)
        self.press(page, "Erase this phone", within=page.get_by_role("dialog"))
        self.sees(page, "No computer yet")
        self.until(lambda: self.did not in json.dumps(self.household.json("desktop", "devices", "list")), page, "the computer was not told")

    def test_the_version_that_is_there_stays_until_the_person_takes_another(self):
        server = self.household.server
        self.addCleanup(server.changed.clear)
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        # The name is said by the feature itself, wherever its module is.
        paths = [file["path"] for file in server.bundle()["files"] if file["path"].endswith(".js")]
        path = next(path for path in paths if NAMED.search(server.bytes_of(path)))
        server.changed[path] = NAMED.sub(rb"\1Machines\2", server.bytes_of(path))
        self.go(page, "#/computers")
        self.again(page)
        self.sees(page, "Tandem was updated", "None of your computers could confirm it", "Computers")
        self.press(page, "Reload")
        self.sees(page, "Machines")

    def test_a_version_of_modules_becomes_one_of_a_bundle_and_back(self):
        bundle = self.folder / "bundle"
        subprocess.run([ROOT / "bin/page-bundle", "--into", bundle], check=True, timeout=60)
        server = self.household.server
        self.addCleanup(setattr, server, "folder", server.folder)
        server.folder = PAGE
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        for folder, part in ((bundle, "code/phone-app.js"), (PAGE, "phone-app.js")):
            server.folder = folder
            self.go(page, "#/computers")
            self.again(page)
            self.sees(page, "Tandem was updated")
            # The worker that was asked is not there any more: another version brings its own.
            page.evaluate("async () => { await (await navigator.serviceWorker.ready).update(); }")
            self.until(lambda: page.evaluate("async () => { const { installing, waiting, active } = await navigator.serviceWorker.ready; return !installing && !waiting && active.state === 'activated'; }"), page, "the other version's worker did not begin")
            self.press(page, "Reload")
            page.wait_for_selector(f"script[type=module][src='{part}']", state="attached", timeout=PATIENCE * 1000)
            page.wait_for_selector("#app:not([aria-busy])")
            self.sees(page, self.household.said["desktop"]["name"])
            # One version whole: nothing of the other is left in the browser.
            kept = page.evaluate("async () => { const names = (await caches.keys()).filter((name) => name.startsWith('tandem-phone-files-')); return [names.length, (await (await caches.open(names[0])).keys()).length]; }")
            self.assertEqual(kept, [1, len(server.bundle()["files"])])

    def test_a_closed_page_is_woken_by_the_computers_own_push(self):
        page = self.blank(service_workers="allow", permissions=["notifications"])
        page.add_init_script(SUBSCRIBES)
        page.goto(self.link())
        self.press(page, "Pair")
        self.did = self.accept()["did"]
        self.sees(page, "is paired")
        self.computer = self.household.said["desktop"]["deviceId"]
        self.is_kept(page)
        self.at(page, "notifications")
        self.menu(page, "More for these notifications", "Settings")
        self.switch(page, "Also when Tandem is closed", True)
        self.until(lambda: "registerPush" in self.household.run("desktop", "devices", "audit", "--json"), page, "the computer was not told")
        page.close()
        # The push service's part is the browser's own; what it hands to the worker is what a computer sealed for this phone.
        other = page.context.new_page()
        other.goto(f"{self.household.server.url}bundle.json")
        session = other.context.new_cdp_session(other)
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        self.until(lambda: found, other, "no service worker")
        payload = {"device": self.computer, "id": "n1", "app": "Mail", "title": "Ada wrote", "body": "Dinner at eight?", "alert": 7}
        session.send("ServiceWorker.deliverPushMessage", {"origin": f"http://{self.household.server.host}", "registrationId": found[0]["registrationId"], "data": json.dumps(payload)})
        [worker] = other.context.service_workers
        shown = self.until(lambda: worker.evaluate("async () => (await registration.getNotifications()).map(({ title, tag, icon, data }) => [title, tag, icon, data.go])"), other, "no banner")
        self.assertEqual(shown, [["Ada wrote", f"{self.computer} n1", f"{self.household.server.url}icons/tandem-192.png", f"#/computers/{self.computer}/notifications?show=n1"]])

    def test_the_page_opens_without_the_server(self):
        page = self.paired(service_workers="allow")
        self.is_kept(page)
        self.go(page, "#/computers")
        page.context.set_offline(True)
        self.again(page)
        self.sees(page, "Computers", self.household.said["desktop"]["name"])
        page.context.set_offline(False)
        self.sees(page, "Over relay")

    def test_what_another_app_shares_goes_to_a_computer(self):
        page = self.paired("file", service_workers="allow")
        self.is_kept(page)
        page.evaluate("""() => {
            const form = document.createElement('form');
            form.method = 'post'; form.enctype = 'multipart/form-data'; form.action = 'share';
            const field = document.createElement('input');
            field.type = 'file'; field.name = 'files';
            const given = new DataTransfer();
            given.items.add(new File(['from the share sheet'], 'shared.txt', { type: 'text/plain' }));
            field.files = given.files;
            form.append(field);
            return fetch('share', { method: 'post', body: new FormData(form) }).then(() => {});
        }""")
        self.go(page, "#/share")
        self.sees(page, "shared.txt")
        self.press(page, self.household.said["desktop"]["name"], exact=False)
        there = self.household.shared / "shared.txt"
        self.until(lambda: there.exists() and there.read_text() == "from the share sheet", page, "what was shared did not arrive")


class PressTests(PhoneCase):
    """Buttons of a desktop's notification, pressed where the page is closed: the computer's program hears each once."""

    HOUSEHOLD = Place
    KEPT = "caches.open('tandem-pressed').then((cache) => cache.keys()).then(({ length }) => length)"

    @classmethod
    def options(cls):
        cls.bus = cls.enterClassContext(SessionBus())
        return {"environment": cls.bus.environment}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.household.until(cls.bus.has_service)

    def setUp(self):
        super().setUp()
        self.household.run("desktop", "notifications", "clear")

    def asked(self):
        """A program asks; this browser, whose page is closed, is told so by a push. The program, its page's browser, and the notification."""
        page = self.paired("notification", "notification.all", "notification.act", service_workers="allow", permissions=["notifications"])
        self.is_kept(page)
        self.at(page, "notifications")
        self.sees(page, "Over relay")
        other = page.context.new_page()
        other.goto(f"{self.household.server.url}bundle.json")
        page.close()
        program = self.bus.asks("Builds", "Deploy now?", "ok=Deploy", "no=Wait")
        self.addCleanup(program.kill)
        [item] = self.until(lambda: self.household.json("desktop", "notifications", "list")["notifications"], other, "nothing is asked")
        session = other.context.new_cdp_session(other)
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        self.until(lambda: found, other, "no service worker")
        payload = {"device": self.computer, **{name: item[name] for name in ("id", "title", "body", "alert", "actions")}, "timestamp": item["createdAt"]}
        session.send("ServiceWorker.deliverPushMessage", {"origin": f"http://{self.household.server.host}", "registrationId": found[0]["registrationId"], "data": json.dumps(payload)})
        [worker] = other.context.service_workers
        shown = self.until(lambda: worker.evaluate("async () => (await registration.getNotifications()).map(({ actions }) => actions.map(({ title }) => title))"), other, "no banner")
        self.assertEqual(shown, [["Deploy", "Wait"]])
        return program, other, worker

    def press_there(self, worker, action):
        """As a person presses a button; the window that the worker would open is opened by the test."""
        worker.evaluate("""async (action) => {
            self.clients.openWindow = async () => null;
            const [notification] = await registration.getNotifications();
            self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action }));
        }""", action)

    def opened(self, other):
        page = other.context.new_page()
        self.addCleanup(page.close)
        page.goto(f"{self.household.server.url}#/computers/{self.computer}/system", wait_until="domcontentloaded")
        return page

    def test_it_is_done_once_by_the_page_that_is_opened(self):
        program, other, worker = self.asked()
        self.press_there(worker, "act ok")
        self.until(lambda: other.evaluate(self.KEPT) == 1, other, "the press is not kept")
        page = self.opened(other)
        self.sees(page, "Pressed at the computer")
        self.assertEqual(program.communicate(timeout=PATIENCE)[0].strip(), "ok")
        self.until(lambda: other.evaluate(self.KEPT) == 0, page, "the press is kept")
        self.until(lambda: self.household.json("desktop", "notifications", "list")["unreadCount"] == 0, page, "it is not read")

    def test_it_outlives_pages_that_are_killed_before_it_is_done(self):
        program, other, worker = self.asked()
        other.context.set_offline(True)
        self.press_there(worker, "act no")
        page = self.opened(other)
        self.sees(page, "Waits until the computer is back")
        page.close(run_before_unload=False)
        again = self.opened(other)
        self.sees(again, "Waits until the computer is back")
        other.context.set_offline(False)
        self.sees(again, "Pressed at the computer")
        self.assertEqual(program.communicate(timeout=PATIENCE)[0].strip(), "no")

    def test_where_it_is_not_there_any_more_that_is_said(self):
        program, other, worker = self.asked()
        self.household.run("desktop", "notifications", "clear")
        self.press_there(worker, "act ok")
        page = self.opened(other)
        self.sees(page, "Deploy now?", "It takes no answer any more")
        self.until(lambda: other.evaluate(self.KEPT) == 0, page, "the press is kept")
        self.assertEqual((program.communicate(timeout=PATIENCE)[0] or "").strip(), "")

    def test_without_the_right_nothing_is_pressed_and_that_is_said(self):
        program, other, worker = self.asked()
        self.household.run("desktop", "devices", "deny", self.did, "notification.act")
        self.press_there(worker, "act ok")
        page = self.opened(other)
        self.sees(page, "has not allowed this phone to press its buttons")
        self.assertIsNone(program.poll())


if __name__ == "__main__":
    unittest.main()
