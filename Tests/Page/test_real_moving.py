"""Everything of a phone moves to a new one, on the pages of both: by PIN over a line that is slow and cut, with a pause and with programs that are killed and
started again; by the code; by a file. Then the way back."""

import re
import unittest

from browser import PHONE
from household import Household
from moving import PASSWORD, Wire, photo_folder, seeded
from real import RealTests
from rig import Home

# Bytes a second: what moves takes some seconds then, in which there is time for what is done to it.
RATE = 4_000_000
PHOTOS = 20
# A proof, a key of a password and a restore, on a machine that others use as well.
LONG = 90


class TwoPhones(Household):
    """A household with a second phone, which is named `new`."""

    def __enter__(self):
        super().__enter__()
        try:
            self.start("new")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, role):
        if role != "new":
            return super().start(role)
        page = self.page_of("new").removeprefix("http://") if "new" in self.said else "127.0.0.1:0"
        return Home.start(self, "new", "--log-level", "info", "--page", page, "--hub", self.said["hub"]["url"], "--no-discovery", "--name", "New phone", role="phone")

    def link(self, role):
        return self.json("new", "page", "--role", "phone")["url"] if role == "new" else super().link(role)


class MovingTests(RealTests):
    HOUSEHOLD = TwoPhones
    RIGHTS = ("system",)
    NEEDS_CHROMIUM = False
    # Programs are away while they are started again.
    IS_CALM = False

    @classmethod
    def options(cls):
        return {"phone": ("--name", "Old phone")}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # On ports that they are told: a program that starts itself again has the same arguments, and the browsers find it there.
        for role in ("phone", "new"):
            cls.household.restart(role)
        photos = photo_folder(cls.folder / "photos", seeded(1), PHOTOS)
        cls.household.run("phone", "journal", "add", "All photos of a week", "--title", "Above the lake", *(word for photo in photos for word in ("-f", photo)))
        cls.household.run("new", "journal", "add", "What the new phone had", "--title", "Mine alone")

    def setUp(self):
        self.old, self.new = self.open("phone", size=PHONE), self.open("new", size=PHONE)

    # What people do

    def chooses(self, page, way):
        self.go(page, "#/settings")
        self.press(page, "Move to a new phone", role="link", exact=False)
        self.press(page, way, role="link", exact=False)

    def shows_code(self):
        """The new phone shows its code: where it listens, and its PIN."""
        self.chooses(self.new, "This is my new phone")
        self.act(self.new, "where it listens", self.new.get_by_text("Where the phones meet").click)
        self.fill(self.new, "Address of this phone", "127.0.0.1")
        self.press(self.new, "Show the code")
        self.sees(self.new, "Waiting for the old phone", "127.0.0.1:")
        return self.new.locator(".moving-place .mono").first.inner_text(), "".join(self.new.locator("[data-pin]").inner_text().split())

    def sends_to(self, address, password=PASSWORD):
        self.chooses(self.old, "This is my old phone")
        self.fill(self.old, "Address and port, or hub and room", address)
        self.fill(self.old, "Password", password)
        self.fill(self.old, "The password once more", password)
        self.press(self.old, "Connect to the new phone")

    def types_pin(self, pin):
        self.sees(self.old, "Type the PIN", seconds=LONG)
        self.fill(self.old, "PIN", pin)
        self.press(self.old, "Go on")

    def agrees(self, password=PASSWORD):
        self.sees(self.new, "Old phone offers everything it has", seconds=LONG)
        if not self.new.get_by_role("switch", name="Replace what this phone has").is_checked():
            self.switch(self.new, "Replace what this phone has", True)
        self.fill(self.new, "Password", password)
        self.press(self.new, "Bring it here")

    def starts_again(self, role, page):
        self.household.restart(role)
        page.wait_for_selector("#app:not([aria-busy])")

    def part(self, page):
        return int(page.evaluate("document.querySelector('.moving-bar [role=progressbar]')?.getAttribute('aria-valuenow') ?? 0"))

    def passes(self, page, percent):
        self.until(lambda: self.part(page) >= percent, page, f"the move does not come to {percent} %", LONG)

    def has_story(self, page, title):
        self.go(page, "#/journal")
        self.sees(page, title)

    # What is so in the end

    def is_moved(self):
        """The new phone's program starts itself again, which puts it into place, and the old one hears it."""
        self.sees(self.new, "Everything of the old phone is here", seconds=LONG)
        self.sees(self.old, "Everything is on New phone", "Nothing was deleted here", "This phone is retired", seconds=LONG)
        self.has_story(self.new, "Above the lake")
        self.go(self.new, f"#/computers/{self.computer}/system")
        self.sees(self.new, "Processor", seconds=LONG)

    def goes_back(self):
        self.chooses_nothing(self.new)
        self.press(self.new, "Go back")
        self.press(self.new, "Go back", within=self.new.locator("dialog"))
        self.sees(self.new, "Going back to what this phone had")
        self.sees(self.new, "This phone went back to its earlier data", seconds=LONG)
        self.has_story(self.new, "Mine alone")
        self.chooses_nothing(self.old)
        self.press(self.old, "Go on with this phone")
        self.press(self.old, "Go on with this phone", within=self.old.locator("dialog"))
        self.sees_no(self.old, "This phone goes on after a restart", LONG)
        self.sees_no(self.old, "This phone is retired", LONG)
        self.has_story(self.old, "Above the lake")

    def chooses_nothing(self, page):
        self.go(page, "#/moving")
        page.wait_for_selector(".moving")

    # The walks

    def test_by_pin_over_a_bad_line_with_a_pause_and_programs_that_are_killed(self):
        address, pin = self.shows_code()
        host, port = address.rsplit(":", 1)
        with Wire((host, int(port)), RATE) as wire:
            self.sends_to(wire.address)
            self.types_pin(f"{(int(pin) + 1) % 1_000_000:06}")
            self.sees(self.old, "The PIN is another one", seconds=LONG)
            self.types_pin("".join(self.new.locator("[data-pin]").inner_text().split()))
            # The person of the new phone sees what comes, mistypes the password, and mends it.
            self.agrees("another sentence of words")
            self.sees(self.new, "The password is another one", seconds=LONG)
            self.assertLess(wire.carried, 1_000_000, "nothing of the package is sent before that")
            self.agrees()
            self.passes(self.new, 20)
            # A pause on one phone is said on the other.
            self.press(self.new, "Pause")
            self.sees(self.new, "The move waits")
            self.sees(self.old, "The other phone lets it wait: New phone")
            self.press(self.new, "Go on")
            self.sees_no(self.old, "The other phone lets it wait")
            # A line that is cut is taken up again by itself.
            at = self.part(self.new)
            wire.cut()
            self.passes(self.new, at + 5)
            # A program that was killed goes on once its person says so again: the new phone's without a PIN and with its password.
            self.household.kill("new")
            self.household.start("new")
            self.sees(self.new, "From phone to phone", seconds=LONG)
            self.chooses(self.new, "This is my new phone")
            self.press(self.new, "Show the code")
            self.sees(self.new, re.compile("Receiving from Old phone|Old phone offers"), seconds=LONG)
            # And the old one's with the same password.
            self.household.kill("phone")
            self.household.start("phone")
            self.sees(self.old, "This phone rests while its data moves to New phone", seconds=LONG)
            self.sends_to(wire.address)
            self.agrees()
            self.is_moved()
        self.goes_back()

    def test_by_the_code_with_a_password_that_is_made(self):
        self.shows_code()
        self.chooses(self.old, "This is my old phone")
        self.press(self.old, "Scan its code")
        self.give(self.old, "Choose a picture", self.picture_of(self.new, "Code of this phone, to be scanned by the old phone"))
        self.sees(self.old, "The code was read", "127.0.0.1:")
        self.press(self.old, "Make one for me")
        password = self.old.get_by_label("Password", exact=True).input_value()
        self.assertRegex(password, r"^(\d{5} ){5}\d{5}$")
        self.press(self.old, "Connect to the new phone")
        self.agrees(password)
        self.is_moved()
        self.goes_back()

    def test_through_the_hub_to_an_old_phone_that_listens_and_declined(self):
        self.chooses(self.old, "This is my old phone")
        self.press(self.old, "Let this phone listen")
        self.fill(self.old, "Password", PASSWORD)
        self.fill(self.old, "The password once more", PASSWORD)
        self.press(self.old, "Connect to the new phone")
        self.sees(self.old, "This phone is at", "#")
        room = self.old.locator(".moving-place .mono", has_text="#").inner_text()
        self.chooses(self.new, "This is my new phone")
        self.act(self.new, "where the phones meet", self.new.get_by_text("Where the phones meet").click)
        self.fill(self.new, "Where the old phone listens", room)
        self.press(self.new, "Show the code")
        self.sees(self.new, "Waiting for the old phone", "This phone goes to the old one")
        self.types_pin("".join(self.new.locator("[data-pin]").inner_text().split()))
        self.sees(self.new, "Old phone offers everything it has", seconds=LONG)
        self.press(self.new, "No, leave this phone as it is")
        self.press(self.new, "No, leave this phone as it is", within=self.new.locator("dialog"))
        for page in (self.new, self.old):
            self.sees(page, "The move was cancelled", "Nothing was changed on either phone", seconds=LONG)
        self.sees(self.old, "This phone goes on after a restart")
        self.press(self.old, "Start again now")
        self.sees_no(self.old, "This phone goes on after a restart", LONG)
        self.has_story(self.old, "Above the lake")
        self.has_story(self.new, "Mine alone")

    def test_by_a_file_which_is_read_before_anything_is_replaced(self):
        path = self.folder / "phone.enc"
        self.chooses(self.old, "Write a file")
        self.fill(self.old, "File", str(path))
        self.fill(self.old, "Password", PASSWORD)
        self.fill(self.old, "The password once more", PASSWORD)
        self.press(self.old, "Write the file")
        self.sees(self.old, "The file is written", "This phone rests", seconds=LONG)
        self.assertEqual(path.stat().st_mode & 0o077, 0, "nobody else reads it")
        self.chooses(self.new, "Bring a file in")
        self.fill(self.new, "File", str(path))
        self.fill(self.new, "Password", "another sentence of words")
        self.press(self.new, "Read the file")
        self.sees(self.new, "The password is another one", seconds=LONG)
        self.press(self.new, "Begin again")
        self.chooses(self.new, "Bring a file in")
        self.fill(self.new, "File", str(path))
        self.fill(self.new, "Password", PASSWORD)
        self.press(self.new, "Read the file")
        self.sees(self.new, "The file is whole", f"{PHOTOS} items", seconds=LONG)
        self.has_story(self.new, "Mine alone")
        # What it waits for is there when one comes back.
        self.chooses_nothing(self.new)
        self.press(self.new, "Replace this phone’s data")
        self.press(self.new, "Replace this phone’s data", within=self.new.locator("dialog"))
        self.sees(self.new, "Putting it into place")
        self.sees(self.new, "Everything of the old phone is here", seconds=LONG)
        self.has_story(self.new, "Above the lake")
        self.goes_back()


if __name__ == "__main__":
    unittest.main()
