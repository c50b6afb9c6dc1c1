"""A computer's clipboard, screen and figures on a phone's page, its pointer and keyboard, and what waits while the computer is away."""

import re
import unittest

from browser import DESKTOP
from real import RealTests
from xscreen import Screen, Sway, typed

# How many pixels of the picture on the page are yellow.
YELLOW = """() => {
    const canvas = document.querySelector('canvas.screen-picture');
    if (!canvas?.width) return 0;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] > 200 && data[at + 1] > 200 && data[at + 2] < 100) count += 1;
    return count;
}"""


class ScreenTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("clipboard", "display", "screen.control")
    IS_CALM = False

    @classmethod
    def options(cls):
        cls.screen = cls.enterClassContext(Screen())
        return {"environment": cls.screen.environment}

    def setUp(self):
        self.phone = self.open("phone", f"#/computers/{self.computer}/clipboard", size=DESKTOP)

    def test_clipboard_both_ways(self):
        self.sees(self.phone, "Not fetched yet", "It is shown only when you ask")
        self.fill(self.phone, "Text to send", "from the phone: grüße 你好\nsecond line")
        self.press(self.phone, "Send")
        self.sees(self.phone, "It can be pasted at the computer now")
        self.assertEqual(self.screen.copied(), "from the phone: grüße 你好\nsecond line")
        self.screen.copy("from the computer <b>bold</b>")
        self.until(lambda: self.screen.copied() == "from the computer <b>bold</b>", self.phone, "was not copied")
        self.press(self.phone, "Fetch")
        self.sees(self.phone, "from the computer <b>bold</b>")

    def test_clipboard_is_kept_up_to_date(self):
        self.switch(self.phone, "Keep up to date", True)
        computer = self.open("desktop", "#/activity")
        self.sees(computer, "Watches the clipboard")
        for text in ("first news", "second news"):
            self.screen.copy(text)
            self.sees(self.phone, text)
        self.switch(self.phone, "Keep up to date", False)
        self.sees(computer, "Nothing runs for a phone")

    def test_screen(self):
        self.tab(self.phone, "Screen")
        self.sees(self.phone, "Pictures show everything that is open there")
        self.press(self.phone, "Take a picture")
        self.sees(self.phone, "1024 × 768")
        self.press(self.phone, "Watch live")
        self.sees(self.phone, "what changes is shown at once")
        window = self.screen.show("xlogo", "-geometry", "400x400+50+50", "-bg", "yellow", "-fg", "red")
        self.until(lambda: self.phone.evaluate(YELLOW) > 50_000, self.phone, "the window does not come")
        computer = self.open("desktop", "#/activity")
        self.sees(computer, "Takes pictures of the screen")
        window.kill()
        self.until(lambda: self.phone.evaluate(YELLOW) == 0, self.phone, "the window does not go")
        self.press(self.phone, "Stop")
        self.sees(self.phone, "Watch live")
        # The right is taken back while it is watched.
        self.press(self.phone, "Watch live")
        self.sees(self.phone, "what changes is shown at once")
        self.press(computer, "What it may do", role="link")
        self.switch(computer, "Screen", False)
        self.press(computer, "Take back")
        self.sees(self.phone, "Not allowed yet", "turn on “Screen”")
        self.switch(computer, "Screen", True)
        self.sees(self.phone, "Pictures show everything that is open there")

    def watched(self):
        """What a window over the whole screen was told until now."""
        log = self.folder / "xev.log"
        window = self.screen.watched(log)
        self.addCleanup(lambda: (window.kill(), window.wait()))
        self.until(lambda: "VisibilityNotify" in log.read_text(errors="replace"), self.phone, "the window does not come")
        return lambda: log.read_text(errors="replace")

    def test_control(self):
        said = self.watched()
        self.tab(self.phone, "Screen")
        self.press(self.phone, "Take a picture")
        self.press(self.phone, "Control")
        self.sees(self.phone, "You control", "There Ctrl+Alt+Escape ends it")
        computer = self.open("desktop", "#/activity")
        self.sees(computer, "Controls the pointer and the keyboard")
        # A mouse on the picture is where it points to.
        box = self.phone.locator(".screen-picture").bounding_box()
        self.phone.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        self.until(lambda: re.search(r"ButtonPress event(?:(?!\n\n).)*?root:\((255|256|257),(383|384|385)\)(?:(?!\n\n).)*?button 1", said(), re.DOTALL), self.phone, "no click comes")
        self.phone.keyboard.type("Hi You!")
        self.phone.keyboard.press("Control+a")
        self.until(lambda: typed(said()) == "Hi You!", self.phone, "the keys do not come")
        # A phone's keyboard, and what its input methods compose.
        self.phone.locator(".control-typing").focus()
        self.phone.keyboard.insert_text("Grüße 你好 😀")
        self.phone.keyboard.press("Enter")
        self.until(lambda: typed(said()) == "Hi You!Grüße 你好 😀", self.phone, "the text does not come")
        self.press(self.phone, "Ctrl, held for the next key")
        self.press(self.phone, "Left")
        self.press(self.phone, "Play or pause")
        self.until(lambda: "XF86AudioPlay" in said() and "Control_L" in said().rsplit("Left", 1)[0], self.phone, "the keys do not come")
        # At the computer it is ended, and the phone is told by whom.
        self.assertIn("controls this computer. End it with", self.household.run("desktop", "input", "state"))
        self.assertIn("controls pointer and keyboard: tandem input stop", self.household.run("desktop", "status"))
        self.household.run("desktop", "input", "stop")
        self.sees(self.phone, "The person at the computer ended the control")
        self.until(lambda: "Controls the pointer" not in computer.locator("main").inner_text(), computer, "it is said to go on")
        # The right is taken back while a key is held down.
        self.press(self.phone, "Control")
        self.sees(self.phone, "You control")
        self.phone.keyboard.down("Shift")
        self.until(lambda: re.search(r"KeyPress event(?:(?!\n\n).)*Shift_L[^K]*$", said(), re.DOTALL), self.phone, "the key does not come")
        self.household.run("desktop", "devices", "deny", "screen.control")
        self.until(lambda: re.search(r"KeyRelease event(?:(?!\n\n).)*Shift_L[^K]*$", said(), re.DOTALL), self.phone, "the key stays down")
        self.sees(self.phone, "Not allowed yet", "turn on “Pointer and keyboard”")
        self.phone.keyboard.up("Shift")
        # A phone that may not see the screen has a trackpad and a keyboard all the same.
        self.household.run("desktop", "devices", "allow", "screen.control")
        self.household.run("desktop", "devices", "deny", "display")
        self.sees(self.phone, "turn on “Screen”", "without a picture")
        before = len(said())
        self.press(self.phone, "Control")
        self.sees(self.phone, "You control")
        box = self.phone.locator(".control-pad .control-surface").bounding_box()
        self.phone.mouse.move(box["x"] + 40, box["y"] + 40)
        self.phone.mouse.move(box["x"] + 60, box["y"] + 50, steps=4)
        self.phone.mouse.click(box["x"] + 60, box["y"] + 50)
        self.until(lambda: "MotionNotify" in said()[before:] and "ButtonRelease" in said()[before:], self.phone, "the pointer does not move")
        self.household.run("desktop", "devices", "allow", "display")
        self.sees(self.phone, "Pictures show everything that is open there")
        self.until(lambda: self.household.json("desktop", "input", "state")["phone"] is None, self.phone, "a control is left over that nobody holds")

    def test_system(self):
        self.tab(self.phone, "System")
        self.sees(self.phone, "Processor", "Memory", "Disk", "Network", "Running for")
        used = self.phone.locator(".system").inner_text
        before = used()
        self.until(lambda: used() != before, self.phone, "the figures stand still")

    def test_what_waits_for_a_computer_is_done_once_it_is_back(self):
        self.household.stop("desktop")
        self.sees(self.phone, "Not reached at the moment", "Its tabs come back by themselves")
        self.fill(self.phone, "Text to send", "waited for you")
        self.press(self.phone, "Send when it is back")
        self.sees(self.phone, "Waits until the computer is back", "1 command waits for this computer")
        self.press(self.phone, "Show", role="link")
        self.sees(self.phone, "Put on the clipboard", "waited for you", "Sent by itself as soon as the computer is back")
        self.household.start("desktop")
        self.sees(self.phone, "Nothing waits")
        self.assertEqual(self.screen.copied(), "waited for you")


class WaylandTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("display", "screen.control")
    IS_CALM = False

    @classmethod
    def options(cls):
        cls.screen = cls.enterClassContext(Sway())
        return {"environment": cls.screen.environment}

    def test_control(self):
        log = self.folder / "wev.log"
        self.screen.watched(log)
        page = self.open("phone", f"#/computers/{self.computer}/screen", size=DESKTOP)
        self.press(page, "Take a picture")
        self.sees(page, "1280 × 720")
        self.press(page, "Control")
        self.sees(page, "You control")
        box = page.locator(".screen-picture").bounding_box()
        at = (box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        page.mouse.move(box["x"] + 2, box["y"] + 2)
        page.mouse.click(*at)
        said = lambda: log.read_text(errors="replace")  # noqa: E731
        self.until(lambda: "button: 272 (left), state: 1 (pressed)" in said(), page, "no click comes")
        self.assertRegex(said(), r"motion:.*x, y: 3[0-9]{2}\.")
        page.mouse.wheel(0, 100)
        self.until(lambda: re.search(r"axis_source: 0 \(wheel\)|axis_discrete|discrete: 1", said()), page, "the wheel has no notches")
        page.keyboard.type("Hi")
        page.locator(".control-typing").focus()
        page.keyboard.insert_text("Grüße 你")
        self.until(lambda: all(f"utf8: '{letter}'" in said() for letter in "HiGrüße你"), page, "the text does not come")
        page.locator(".control-surface").focus()
        page.keyboard.down("Shift")
        self.until(lambda: re.search(r"state: 1 \(pressed\)\s+sym: Shift_L", said()), page, "the key does not come")
        self.household.run("desktop", "devices", "deny", "screen.control")
        self.until(lambda: re.search(r"state: 0 \(released\)\s+sym: Shift_L", said()), page, "the key stays down")
        self.sees(page, "Not allowed yet", "turn on “Pointer and keyboard”")


if __name__ == "__main__":
    unittest.main()
