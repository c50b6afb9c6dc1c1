"""Conversations with a coding agent on a phone's page and on the computer's own: listed, read while they are written, answered, allowed."""

import json
import pathlib
import shutil
import unittest

from browser import DESKTOP, PHONE
from real import RealTests

AGENT = pathlib.Path(__file__).resolve().parents[1] / "Agents" / "codex"
THREAD = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def record(kind, payload):
    return json.dumps({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}) + "\n"


class ThreadTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("threads",)
    IS_CALM = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        home = cls.household.folder / "home"
        # The scripted agent stands where installers put programs.
        (home / ".local/bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(AGENT, home / ".local/bin/codex")
        folder = home / ".codex/sessions/2026/01/02"
        folder.mkdir(parents=True)
        cls.file = folder / f"rollout-2026-01-02T03-04-05-{THREAD}.jsonl"
        cls.file.write_text(
            record("session_meta", {"id": THREAD, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": str(cls.household.shared), "source": "cli"})
            + record("event_msg", {"type": "user_message", "message": "Build the analytical engine"})
            + record("event_msg", {"type": "agent_message", "message": "# Gears\n\nThey **turn**."}))

    def write(self, text):
        with self.file.open("a") as file:
            file.write(record("event_msg", {"type": "agent_message", "message": text}))

    def thread(self, role="phone", size=PHONE):
        at = f"#/computers/{self.computer}/threads" if role == "phone" else "#/threads"
        page = self.open(role, at, size=size)
        self.sees(page, "Build the analytical engine")
        page.get_by_text("Build the analytical engine").filter(visible=True).first.click()
        self.sees(page, "They turn.")
        return page

    def say(self, page, text):
        self.act(page, "composer", lambda timeout: page.locator("textarea").last.fill(text, timeout=timeout))
        self.press(page, "Send")

    def test_reads_and_follows(self):
        phone, computer = self.thread(), self.thread("desktop", DESKTOP)
        for number in range(3):
            self.write(f"Live message {number}")
            for page in (phone, computer):
                self.sees(page, f"Live message {number}")
                self.assertEqual(page.get_by_text(f"Live message {number}", exact=True).count(), 1)

    def test_goes_on_after_the_computer_began_anew(self):
        page = self.thread()
        self.household.stop("desktop")
        self.write("Written while it was away")
        self.household.start("desktop")
        self.sees(page, "Written while it was away")
        self.write("Written when it was back")
        self.sees(page, "Written when it was back")
        for text in ("Written while it was away", "Written when it was back"):
            self.assertEqual(page.get_by_text(text, exact=True).count(), 1)

    def test_answers_and_searches(self):
        page = self.thread()
        self.say(page, "turn them twice")
        self.sees(page, "You said: turn them twice")
        self.assertEqual(page.get_by_text("turn them twice", exact=True).count(), 1)

    def test_one_answer_from_two_pages(self):
        phone, computer = self.thread(), self.thread("desktop", DESKTOP)
        self.say(phone, "run make engine")
        for page in (phone, computer):
            self.sees(page, "make engine")
            page.get_by_role("button", name="Allow once").filter(visible=True).first.wait_for(timeout=30_000)
        # As nearly at once as two people can; a card that the other's answer took away takes no press.
        press = "(button) => { if (button.isConnected) button.click(); }"
        allow = phone.get_by_role("button", name="Allow once").filter(visible=True).first.element_handle()
        allow_too = computer.get_by_role("button", name="Allow for this session").filter(visible=True).first.element_handle()
        allow.evaluate(press)
        allow_too.evaluate(press)
        self.until(lambda: self.file.read_text().count("It is accept") == 1, phone, "no answer came")
        for page in (phone, computer):
            self.until(lambda: page.get_by_role("button", name="Allow once").filter(visible=True).count() == 0, page, "the card stays")

    def test_losing_the_right_ends_it(self):
        page = self.thread()
        self.household.run("desktop", "devices", "deny", "threads")
        try:
            self.write("Nobody may see this")
            self.sees(page, "not allowed")
            self.assertEqual(page.get_by_text("Nobody may see this").count(), 0)
        finally:
            self.household.run("desktop", "devices", "allow", "threads")


if __name__ == "__main__":
    unittest.main()
