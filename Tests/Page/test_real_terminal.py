"""A phone's terminal at a computer, and what the computer's person allows and takes back while it is in use."""

import contextlib
import json
import pathlib
import re
import sqlite3
import subprocess
import time
import unittest

from browser import DESKTOP, PHONE
from real import PATIENCE, RealTests

ROWS = "document.querySelector('.terminal-view:not([hidden]) .xterm-rows')?.textContent ?? ''"


class TerminalTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("terminal",)

    def setUp(self):
        self.phone = self.open("phone", size=DESKTOP)
        self.tab(self.phone, "Terminal")

    def tearDown(self):
        # What a test left running is not the next one's.
        self.household.run("desktop", "devices", "deny", self.household.said["phone"]["did"], "terminal")
        self.household.run("desktop", "devices", "allow", self.household.said["phone"]["did"], "terminal")

    def start(self, page=None):
        page = page or self.phone
        self.choose_terminal(page)
        self.fill(page, "Shell", "bash")
        self.fill(page, "Folder", str(self.household.shared))
        before = page.url
        self.press(page, "Start")
        # The one before is in sight until then.
        self.until(lambda: "session=" in page.url and page.url != before, page, "no new terminal")
        self.reads(page, "shared")

    def line(self, text, page=None):
        page = page or self.phone
        page.locator(".terminal-view:not([hidden]) textarea").focus()
        page.keyboard.type(text)
        page.keyboard.press("Enter")

    def reads(self, page, text):
        self.until(lambda: text in page.evaluate(ROWS).replace("\xa0", " "), page, f"not in the terminal: {text}")

    def test_typing_output_and_size(self):
        self.start()
        self.line("echo answer-$((6*7)); pwd")
        self.reads(self.phone, "answer-42")
        self.reads(self.phone, str(self.household.shared))
        self.line("stty size | sed 's/^/size-/; s/ /x/'")
        size = self.until(lambda: self.phone.evaluate(f"({ROWS}).match(/size-(\\d+)x(\\d+)/)?.slice(1).map(Number)"), self.phone, "no size")
        self.assertGreater(size[1], 100)
        self.phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        self.line("clear; trap 'stty size | sed s/^/narrow-/' WINCH; kill -WINCH $$")
        # The first may be from before the window's new size has arrived.
        columns = f"[...({ROWS}).matchAll(/narrow-\\d+ (\\d+)/g)].map((match) => Number(match[1]))"
        self.until(lambda: any(count < 70 for count in self.phone.evaluate(columns)), self.phone, "not narrow")

    def test_the_keys_and_the_line_of_a_phone(self):
        page = self.open("phone", f"#/computers/{self.computer}/terminal", size=PHONE)
        self.start(page)
        self.press(page, "Line to write in")
        self.fill(page, "Write a command", "echo written-$((1+1)); sleep 300")
        self.press(page, "Send with Return")
        self.reads(page, "written-2")
        self.press(page, "Control and C: interrupt")
        self.reads(page, "^C")
        self.fill(page, "Write a command", "echo after-$((2+2))")
        self.press(page, "Send with Return")
        self.reads(page, "after-4")

    def test_several_are_left_and_taken_up_again(self):
        self.start()
        self.line("kept=first-$((3*3)); echo $kept")
        self.reads(self.phone, "first-9")
        self.start()
        self.line("echo second-$((4*4))")
        self.reads(self.phone, "second-16")
        tabs = self.phone.get_by_role("navigation", name="Terminals").get_by_role("link")
        self.until(lambda: tabs.count() == 2, self.phone, "not two terminals")
        self.press(self.phone, "All terminals", role="link")
        self.sees(self.phone, "2 terminals run")
        # Another browser of the same phone sees them, with all that they wrote.
        other = self.open("phone", f"#/computers/{self.computer}/terminal", size=PHONE)
        self.sees(other, "2 terminals run")
        other.get_by_role("main").get_by_role("button", name=re.compile("^bash")).last.click()
        self.reads(other, "first-9")
        other.reload()
        self.reads(other, "first-9")
        other.get_by_role("button", name="Line to write in").click()
        self.fill(other, "Write a command", "echo again-$kept; exit 3")
        self.press(other, "Send with Return")
        self.reads(other, "again-first-9")
        self.sees(other, "The shell has ended with code 3")
        self.sees(self.phone, "1 terminal runs")

    def test_the_computers_person_ends_one(self):
        self.start()
        computer = self.open("desktop", "#/activity")
        self.sees(computer, "Has a shell open", self.household.said["phone"]["name"])
        self.press(computer, "End")
        self.sees(computer, "Its programs end with it")
        self.press(computer, "End", within=computer.get_by_role("dialog"))
        # By its signal where that is still told, else by its being gone.
        self.sees(self.phone, re.compile("The shell (was|has) ended|The shell was ended by signal|This terminal was ended at the computer"))
        self.sees(computer, "Nothing runs for a phone")

    def test_closed_by_the_phone(self):
        self.start()
        self.menu(self.phone, "More for this terminal", "Close terminal")
        self.sees(self.phone, "The shell and the programs that run in it end")
        self.press(self.phone, "Close terminal")
        self.sees(self.phone, "No terminal runs")


class RightsTests(RealTests):
    """What is switched at the computer is seen on the phone at once, whichever tab is open."""

    NEEDS_CHROMIUM = False
    RIGHTS = ()
    IS_CALM = False
    # Whether commands talk to the phone, too.
    PHONE_IS_PROGRAM = True
    TABS = {"Terminal": ("Terminal", "No terminal runs"), "Clipboard": ("Clipboard", "Not fetched yet"), "Files": ("Read files", "This folder is empty")}

    def test_allow_and_deny(self):
        phone = self.open("phone")
        computer = self.open("desktop", "#/phones")
        self.press(computer, self.household.said["phone"]["name"], role="link", exact=False)
        is_asked = True
        for name, (right, shown) in self.TABS.items():
            self.tab(phone, name)
            if name == "Clipboard":
                self.press(phone, "Fetch")
            self.sees(phone, "Not allowed yet", f"turn on “{right}”", "This page goes on by itself once it is allowed")
            self.switch(computer, right, True)
            if name != "Clipboard" and is_asked:
                # What can do much harm is asked about once more, and once for all that is given now.
                self.press(computer, "Allow", within=computer.get_by_role("dialog"))
                is_asked = False
            self.sees(phone, shown)
            self.switch(computer, right, False)
            self.sees(computer, "Taken back")
            self.sees(phone, "Not allowed yet")

    def test_a_terminal_in_use_ends_with_its_right(self):
        self.household.run("desktop", "devices", "allow", "terminal")
        self.addCleanup(self.household.run, "desktop", "devices", "deny", "terminal")
        phone = self.open("phone", f"#/computers/{self.computer}/terminal", size=DESKTOP)
        TerminalTests.start(self, phone)
        computer = self.open("desktop", "#/phones")
        self.press(computer, self.household.said["phone"]["name"], role="link", exact=False)
        self.sees(computer, "Running now", "Has a shell open")
        self.switch(computer, "Terminal", False)
        self.sees(computer, "Take this right back?", "This ends now")
        self.press(computer, "Take back")
        self.sees(computer, "One thing ended with it")
        self.sees(phone, "Not allowed yet", "turn on “Terminal”")

    reads = TerminalTests.reads

    def typed(self, role, *words):
        """A command at a program, whose own words may end with another command: what it said, and its status."""
        command, rest = words[:2], words[2:]
        return subprocess.run([self.household.tandem, *command, "--state", str(self.household.state(role)), *rest], env=self.household.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)

    # Asked for, and given for a time

    def shorten(self, right, seconds):
        """Ends the computer's program and begins it anew, as on another day, and `seconds` later the hour is over: a term has five minutes at least."""
        self.household.stop("desktop")
        ends = int((time.time() + seconds) * 1000)
        database, = self.household.state("desktop").glob("*.sqlite")
        with contextlib.closing(sqlite3.connect(database)) as opened, opened:
            (terms,), = opened.execute("SELECT termsJson FROM pairedPhone")
            terms = json.loads(terms)
            self.assertIn(right, terms)
            opened.execute("UPDATE pairedPhone SET termsJson = ?", [json.dumps({**terms, right: {"endsAt": ends, "checkedAt": ends - 60_000}})])
        self.household.start("desktop")
        return ends / 1000

    def test_a_right_asked_for_is_given_for_an_hour_and_ends_while_it_is_in_use(self):
        self.addCleanup(self.household.run, "desktop", "devices", "deny", "terminal")
        computer = self.open("desktop", "#/overview")
        phone = self.open("phone", f"#/computers/{self.computer}/terminal", size=DESKTOP)
        self.sees(phone, "Not allowed yet")
        self.press(phone, "Ask for it")
        self.sees(phone, "Asked. The answer at the computer comes here by itself")
        card = computer.get_by_role("group", name="A phone asks for a right")
        self.sees(computer, self.household.said["phone"]["name"], "asks that it may do more", "Terminal", "Who holds the unlocked phone can do everything", within=card)
        self.press(computer, "For an hour", within=card)
        TerminalTests.start(self, phone)
        if self.PHONE_IS_PROGRAM:
            self.assertIn("(1 hour more)", self.household.run("phone", "devices", "--role", "phone").replace("60 minutes", "1 hour"))
        ends = self.shorten("terminal", 15)
        self.go(phone, f"#/computers/{self.computer}/terminal")
        TerminalTests.start(self, phone)
        TerminalTests.line(self, "sleep 600 & echo child-$!", phone)
        self.until(lambda: re.search(r"child-(\d+)", phone.evaluate(ROWS)), phone, "no child")
        child = re.search(r"child-(\d+)", phone.evaluate(ROWS))[1]
        self.assertTrue(runs(child))
        self.assertLess(time.time(), ends, "this machine was too slow")
        self.sees(phone, "Not allowed yet", "Ask for it", seconds=40)
        self.assertLess(time.time() - ends, 10)
        self.until(lambda: not runs(child), phone, "the shell's child goes on")
        log = self.household.json("desktop", "devices", "audit")["entries"]
        self.assertTrue(any(each.get("detail") == "terminal, the time was up" for each in log), log)
        self.assertEqual(self.household.json("desktop", "devices", "asks")["asks"], [])

    def test_a_right_is_asked_for_and_answered_by_typing(self):
        self.addCleanup(self.household.run, "desktop", "devices", "deny", "clipboard")
        refused = self.typed("phone", "call", "clipboard.get")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is asked for clipboard", self.household.run("phone", "devices", "ask", "clipboard"))
        asks = self.household.run("desktop", "devices", "asks")
        self.assertIn(f"{self.household.said['phone']['name']} asks to read and replace what you copy", asks)
        self.assertEqual([each["right"] for each in self.household.json("desktop", "devices", "asks")["asks"]], ["clipboard"])
        # A line as it stands there is what a person types, in a window of 80 columns, where sentences may go on in the next line.
        self.assertLessEqual(max(len(line) for line in asks.splitlines() if line.startswith("  ")), 80, asks)
        words = re.search(r"for an hour +tandem (.*)", asks)[1].split()
        self.assertIn("clipboard", self.household.run("desktop", *words))
        self.assertIn("No phone asks for anything", self.household.run("desktop", "devices", "asks"))
        self.assertIn("may do that already", self.until(lambda: self.household.run("phone", "devices", "ask", "clipboard")))
        self.assertIn("clipboard", json.dumps(self.household.json("desktop", "devices")["devices"][0]["ends"]))
        self.household.run("phone", "devices", "ask", "terminal")
        words = re.search(r"no +tandem (.*)", self.household.run("desktop", "devices", "asks"))[1].split()
        self.assertIn("Refused", self.household.run("desktop", *words))
        self.assertIn("said no to terminal", self.household.run("phone", "devices", "ask", "terminal"))
        for wrong in (["ask", "nonsense"], ["refuse", "terminal"]):
            ended = self.typed("phone" if wrong[0] == "ask" else "desktop", "devices", *wrong)
            self.assertEqual(ended.returncode, 1, wrong)
            self.assertNotEqual(ended.stderr, "")

    def test_a_preset_is_one_choice(self):
        phone = self.open("phone", f"#/computers/{self.computer}/files", size=DESKTOP)
        self.sees(phone, "Not allowed yet")
        computer = self.open("desktop", "#/phones")
        self.press(computer, self.household.said["phone"]["name"], role="link", exact=False)
        self.press(computer, "Look only", role="radio", exact=False)
        self.sees(computer, "It gets:")
        self.press(computer, "Allow", within=computer.get_by_role("dialog"))
        self.sees(computer, "Done")
        self.sees(phone, "This folder is empty")
        self.tab(phone, "Terminal")
        self.sees(phone, "Not allowed yet")
        given = set(self.household.json("desktop", "devices")["devices"][0]["skills"]) - {"system.info", "notification"}
        self.assertEqual(given, {"display", "threads.read", "file.read"})
        self.household.run("desktop", "devices", "deny", *given)

    def test_a_saved_command_in_use_ends_with_its_right(self):
        self.typed("desktop", "commands", "add", "greet", "--confirm", "--", "echo", "hello from $HOME")
        self.typed("desktop", "commands", "add", "count", "--shell", "--", "sleep 600 & echo child $!; wait")
        for name in ("greet", "count"):
            self.addCleanup(self.household.run, "desktop", "commands", "remove", name)
            self.household.run("desktop", "commands", "allow", name, self.household.said["phone"]["did"])
        phone = self.open("phone", f"#/computers/{self.computer}/commands", size=DESKTOP)
        self.sees(phone, "Not allowed yet", "turn on “Saved commands”")
        self.household.run("desktop", "devices", "allow", "commands")
        self.press(phone, "greet", exact=False)
        self.sees(phone, "Run greet?")
        self.press(phone, "Run", within=phone.get_by_role("dialog"))
        self.sees(phone, "hello from $HOME", "Done")
        self.press(phone, "count", exact=False)
        shown = phone.locator(".run-output:has-text('child')")
        self.act(phone, "what it prints", shown.wait_for)
        child = re.search(r"child (\d+)", shown.inner_text()).group(1)
        self.assertTrue(runs(child))
        computer = self.open("desktop", "#/commands")
        self.sees(computer, "count", "greet", "Last runs", "Runs")
        self.household.run("desktop", "devices", "deny", "commands")
        self.sees(phone, "Not allowed yet")
        self.until(lambda: not runs(child), phone, "the command's child goes on")
        self.sees(computer, "Ended with the right to it")
        self.press(computer, "greet", exact=False)
        self.sees(computer, "Change the command", "echo 'hello from $HOME'", "Lacks the right to saved commands")

    def test_saved_commands_are_typed(self):
        """As a script does: what is printed and the status are the command's, also where it fails, is refused, or has nobody to say yes."""
        self.typed("desktop", "commands", "add", "fail", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
        self.addCleanup(self.household.run, "desktop", "commands", "remove", "fail")
        self.household.run("desktop", "commands", "allow", "fail", self.household.said["phone"]["did"])
        self.household.run("desktop", "devices", "allow", "commands")
        self.addCleanup(self.household.run, "desktop", "devices", "deny", "commands")
        ended = self.typed("phone", "commands", "run", "fail")
        self.assertEqual((ended.returncode, ended.stdout), (3, "out\nerr\n"))
        ended = self.typed("phone", "commands", "run", "fail", "--json")
        told = json.loads(ended.stdout)
        self.assertEqual((ended.returncode, told["end"], told["output"]), (3, {"how": "exited", "number": 3}, "out\nerr\n"))
        self.household.run("desktop", "commands", "edit", "fail", "--confirm")
        self.assertIn("give --yes", self.typed("phone", "commands", "run", "fail").stderr)
        self.assertEqual(self.typed("phone", "commands", "run", "fail", "--yes").returncode, 3)
        self.assertIn("fail", self.household.run("phone", "commands", "runs", "--role", "phone"))
        self.household.run("desktop", "commands", "deny", "fail", self.household.said["phone"]["did"])
        ended = self.typed("phone", "commands", "run", "fail", "--yes")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("lets this phone run no command fail", ended.stderr)


def runs(process):
    """Whether a process of this machine goes on; one that ended and is not waited for does not."""
    try:
        facts = pathlib.Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return facts.rpartition(")")[2].split()[0] != "Z"


if __name__ == "__main__":
    unittest.main()
