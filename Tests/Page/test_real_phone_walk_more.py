"""Terminals, screens and transfers on a browser that is the phone: what a program's page has besides test_real_phone_walk, over a hub with a certificate and a name."""

import contextlib
import os
import signal
import unittest

import own_network
import test_real_screen
import test_real_terminal
from browser import PHONE
from phone_case import PhoneCase
from real import PATIENCE
from test_real_phone_walk import PART, FileWalk, WalkCase

# Large enough to be paused in its middle.
LARGE = 12 << 20


class OnePhoneWalk(WalkCase):
    """Goes before a class of the program's walks: its phone is a browser that pairs anew for each test, and the only one."""

    RIGHTS = None
    # What the program's walk allows its phone.
    ALLOWED = ()

    def setUp(self):
        super().setUp()
        for device in self.household.json("desktop", "devices", "list")["devices"]:
            self.household.run("desktop", "devices", "forget", device["id"])
        self.page = self.paired(*self.ALLOWED)
        [phone] = self.household.json("desktop", "devices", "list")["devices"]
        self.household.said["phone"] = {"did": self.did, "name": phone["name"]}
        # What the program's walk begins with.
        super(PhoneCase, self).setUp()

    def open(self, role, hash="", *, size=PHONE, **options):
        if role != "phone":
            return super().open(role, hash, size=size, **options)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.go(self.page, hash or f"#/computers/{self.computer}")
        return self.page


class TerminalWalk(OnePhoneWalk, test_real_terminal.TerminalTests):
    ALLOWED = test_real_terminal.TerminalTests.RIGHTS
    line = test_real_terminal.TerminalTests.line

    # test_real_phone_walk has them.
    test_the_keys_and_the_line_of_a_phone = None
    test_several_are_left_and_taken_up_again = None

    def columns(self, page, name):
        """What the shell says of its width from here on; the first may be from before a window's size has arrived."""
        self.line(f"clear; trap 'stty size | sed s/^/{name}-/' WINCH; kill -WINCH $$", page)
        found = f"[...({test_real_terminal.ROWS}).matchAll(/{name}-\\d+ (\\d+)/g)].map((match) => Number(match[1]))"
        return lambda: page.evaluate(found)

    def test_the_size_is_that_of_the_window_in_use(self):
        self.start()
        wide = self.columns(self.phone, "wide")
        self.until(lambda: any(count > 100 for count in wide()), self.phone, "not wide")
        other = self.phone.context.new_page()
        other.complaints = []
        other.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        other.goto(self.phone.url, wait_until="domcontentloaded")
        self.press(other, "Use it here")
        self.reads(other, "wide-")
        narrow = self.columns(other, "narrow")
        self.until(lambda: any(count < 70 for count in narrow()), other, "not narrow")
        self.press(self.phone, "Use it here")
        self.reads(self.phone, "narrow-")
        again = self.columns(self.phone, "again")
        self.until(lambda: any(count > 100 for count in again()), self.phone, "not wide again")


class RightsWalk(OnePhoneWalk, test_real_terminal.RightsTests):
    # test_real_phone_walk_pairing has it.
    test_allow_and_deny = None
    # A browser is no program that commands talk to.
    PHONE_IS_PROGRAM = False
    test_a_right_is_asked_for_and_answered_by_typing = None
    test_saved_commands_are_typed = None


class ScreenWalk(OnePhoneWalk, test_real_screen.ScreenTests):
    ALLOWED = test_real_screen.ScreenTests.RIGHTS

    # test_real_phone_walk has them.
    test_clipboard_both_ways = None
    test_clipboard_is_kept_up_to_date = None
    test_system = None
    test_what_waits_for_a_computer_is_done_once_it_is_back = None


class TransferWalk(WalkCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = cls.household.shared
        cls.large = cls.folder / "large.bin"
        cls.large.write_bytes(os.urandom(LARGE))

    files, checksum, copy, slowly, upload = FileWalk.files, FileWalk.checksum, FileWalk.copy, FileWalk.slowly, FileWalk.upload

    @contextlib.contextmanager
    def paused(self, page, name):
        """A transfer that begins here is paused in its middle at the end."""
        with self.slowly(page):
            yield
            page.wait_for_function(PART, timeout=PATIENCE * 1000, polling=5)
            self.press(page, f"Pause {name}")
            self.sees(page, "Paused")
        self.assertLess(self.part(page), 100)

    def part(self, page):
        return int(page.get_by_role("progressbar").first.get_attribute("aria-valuenow"))

    def test_an_upload_is_paused_and_goes_on(self):
        path = self.copy("sent.bin")
        page = self.files()
        with self.paused(page, "sent.bin"):
            self.upload(page, path)
        self.household.server.cut()
        self.press(page, "Go on with sent.bin")
        self.sees(page, "Uploaded")
        self.assertEqual(self.checksum(self.shared / "sent.bin"), self.checksum(path))

    def test_an_upload_is_cancelled(self):
        path = self.copy("dropped.bin")
        page = self.files()
        with self.paused(page, "dropped.bin"):
            self.upload(page, path)
        self.press(page, "Cancel dropped.bin")
        self.until(lambda: page.locator(".transfer").count() == 0, page, "it is still there")
        self.until(lambda: not [each for each in self.shared.iterdir() if "dropped" in each.name], page, lambda: f"left at the computer: {list(self.shared.iterdir())}")

    def test_a_paused_download_outlives_the_computer_and_a_reload(self):
        source = self.copy("held.bin").rename(self.shared / "held.bin")
        page = self.files()
        with self.paused(page, "held.bin"):
            self.entry(page, "held.bin", "Download")
        self.household.stop("desktop", signal.SIGKILL)
        self.again(page)
        self.sees(page, "Paused")
        self.assertGreaterEqual(self.part(page), 25, "what came is kept")
        self.household.start("desktop")
        with page.expect_download(timeout=3 * PATIENCE * 1000) as download:
            self.press(page, "Go on with held.bin")
        self.assertEqual(self.checksum(download.value.path()), self.checksum(source))
        self.sees(page, "Downloaded")

    def test_a_download_is_cancelled(self):
        self.copy("left.bin").rename(self.shared / "left.bin")
        page = self.files()
        with self.paused(page, "left.bin"):
            self.entry(page, "left.bin", "Download")
        self.press(page, "Cancel left.bin")
        self.until(lambda: page.locator(".transfer").count() == 0, page, "it is still there")
        self.again(page)
        self.sees(page, "left.bin")
        self.assertEqual(page.locator(".transfer").count(), 0)


class NetworkTests(own_network.NetworkTests):
    CASES = (TerminalWalk, RightsWalk, ScreenWalk, TransferWalk)


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
