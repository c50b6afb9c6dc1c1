"""What walks of people have in common who write to each other, one in a browser that is the phone, with a telephone's size and touch, the other with a phone's
program."""

import re

from browser import PHONE
from household import Home, Household
from phone_server import PhoneServer
from real import RealTests

BROWSER = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


class Town(Household):
    """A hub with the page for phones before it, and the phone of somebody who uses a program. The hub answers to any port of this machine, as it does behind forwarding."""

    def __enter__(self):
        try:
            self.options["hub"] = ("--server-name", "127.0.0.1")
            self.start("hub")
            self.server = PhoneServer(self.said["hub"]["port"])
            self.server.__enter__()
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        """Starts Bob's phone."""
        Home.start(self, "bob", "--log-level", "info", "--hub", self.said["hub"]["url"], "--no-discovery", role="phone")

    def __exit__(self, *arguments):
        if hasattr(self, "server"):
            self.server.__exit__()
        super().__exit__(*arguments)


class ChatCase(RealTests):
    HOUSEHOLD = Town
    CHROMIUM = BROWSER
    # The hub and the other phone are ended on purpose.
    IS_CALM = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.invitation = cls.household.json("hub", "hub", "invite", "--uses", "20")["link"]
        cls.household.json("bob", "account", "new", cls.invitation, "bob")
        cls.count = 0

    def setUp(self):
        if "bob" not in self.household.processes:
            self.household.begin()

    # A person in a browser

    def person(self, **options):
        """A page whose person has an account, by an invitation."""
        page = self.browser.blank(size=PHONE, service_workers="allow", **options)
        self.addCleanup(self.closed, page)
        page.goto(f"{self.household.server.url}#/account")
        type(self).count += 1
        self.name = f"ada{self.count}"
        self.fill(page, "Code of the invitation", re.search(r"c=(\d+)", self.invitation)[1])
        self.fill(page, "Account name", self.name)
        self.fill(page, "Nickname", f"Ada {self.count}")
        self.press(page, "Make the account")
        self.sees(page, f"Welcome, Ada {self.count}", "This phone")
        self.until(lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"), page, "no worker")
        return page

    def friends(self, **options):
        """A page in an accepted conversation with Bob."""
        page = self.person(**options)
        self.go(page, "#/chats/add")
        self.fill(page, "Name or link", "bob")
        self.press(page, "Open")
        self.until(lambda: page.locator(".write-text").count(), page, "the conversation is not there")
        self.say(page, "Hello Bob, this is Ada.")
        self.sees(page, "accepts your message")
        self.conversation = self.until(lambda: self.bobs(), page, "no request came")["id"]
        self.bob("accept", self.name)
        self.until(lambda: page.locator(".write-text:not([placeholder='First message'])").count(), page, "nothing can be written")
        return page

    def bobs(self):
        """Bob's conversation with this test's person."""
        return next((each for each in self.bob("list")["conversations"] if each["name"].startswith(f"Ada {self.count}")), None)

    def bob(self, *words):
        return self.household.json("bob", "chat", *words)

    def history(self):
        return self.bob("history", self.conversation)["messages"]

    def heard(self, text):
        """How often Bob has a text."""
        return [each.get("text") for each in self.history()].count(text)

    def say(self, page, text):
        self.act(page, "what to write in", lambda timeout: page.locator(".write-text").fill(text, timeout=timeout))
        self.press(page, "Send")

    def says(self, page, text):
        """How often the page shows a text."""
        return page.locator(f".said-text:text-is('{text}')").count()

    def choose(self, page, text, item):
        """Chooses what to do with a message."""
        page.locator(f".bubble:has-text('{text}')").click(button="right")
        self.press(page, item, role="menuitem")
