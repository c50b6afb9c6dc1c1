"""Two people at a real hub: one in a browser that is the phone, with a telephone's size and touch, the other with a phone's program."""

import re
import unittest

from browser import PHONE
from household import Home, Household
from phone_server import PhoneServer
from real import RealTests
from test_real_chat import PICTURE, SEEN

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


class BrowserChatTests(RealTests):
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

    # The walks

    def test_texts_go_both_ways(self):
        page = self.friends()
        self.bob("send", self.conversation, "Hello Ada! 你好")
        self.sees(page, "Hello Ada! 你好")
        self.say(page, "How are you?")
        self.until(lambda: self.heard("How are you?") == 1, page, "it did not come")
        self.until(lambda: page.locator(".said:has-text('How are you?') .tick").count() == 1, page, "it is not sent")
        self.assertEqual(self.says(page, "How are you?"), 1)


    def test_a_conversation_is_sealed_and_both_have_the_same_number(self):
        page = self.friends()
        self.say(page, "Only for you")
        self.until(lambda: self.heard("Only for you") == 1, page, "it did not come")
        message = next(each for each in self.history() if each["text"] == "Only for you")
        self.assertTrue(message["isSealed"])
        self.go(page, f"#/chats/{self.conversation}/safety")
        number = self.bob("safety", self.conversation)["number"]
        self.sees(page, *number[:3])

    def test_pictures_go_both_ways(self):
        page = self.friends()
        page.evaluate(PICTURE, ["teal", "maroon"])
        self.act(page, "the tray", page.locator(".tray-picture").first.wait_for)
        self.press(page, "Send")
        self.until(lambda: page.evaluate(SEEN, 2), page, "the own pictures are not there")
        sent = self.until(lambda: next((each for each in self.history() if each["kind"] == "image" and each["status"] == "sent"), None), page, "they did not come")
        self.assertEqual(len(sent["pictures"]), 2)
        saved = self.folder / "sent.jpg"
        self.household.run("bob", "chat", "save", self.conversation, sent["id"], "--output", saved)
        self.assertEqual(saved.read_bytes()[:3], b"\xff\xd8\xff")
        self.household.run("bob", "chat", "image", self.conversation, saved)
        self.until(lambda: page.evaluate(SEEN, 3), page, "Bob's picture is not there")
        page.locator(".picture").last.click()
        self.act(page, "the viewer", page.locator(".show[open] .show-image").wait_for)
        page.keyboard.press("Escape")
        # What was sent is kept.
        page.reload()
        self.until(lambda: page.evaluate(SEEN, 3), page, "the pictures are gone")

    def test_a_picture_that_can_be_seen_once(self):
        page = self.friends()
        page.evaluate(PICTURE, ["navy"])
        self.act(page, "the tray", page.locator(".tray-picture").first.wait_for)
        self.switch(page, "View once", True)
        self.press(page, "Send")
        sent = self.until(lambda: next((each for each in self.history() if each["kind"] == "flash"), None), page, "it did not come")
        self.household.run("bob", "chat", "view", self.conversation, sent["id"], "--output", self.folder / "seen.jpg")
        self.sees(page, "It was viewed")
        self.household.run("bob", "chat", "flash", self.conversation, self.folder / "seen.jpg")
        card = page.locator(".flash.is-closed:not(:disabled)").last
        self.act(page, "the card", card.wait_for)
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        self.until(lambda: page.evaluate("() => document.querySelector('.flash-shown img')?.naturalWidth > 0"), page, "the picture is not shown")
        page.mouse.up()
        self.until(lambda: page.locator(".flash-shown").count() == 0, page, "the picture is still there")
        self.until(lambda: any(each["flash"] == "viewedByPeer" for each in self.history() if each["isMine"]), page, "Bob does not know")
        page.reload()
        self.until(lambda: page.locator(".flash").count() > 1, page, "the conversation is not there")
        self.assertEqual(page.locator(".flash.is-closed").count(), 0)

    def test_a_voice_note_goes_out_and_plays(self):
        page = self.friends()
        talk = page.locator(".talk-button").bounding_box()
        page.mouse.move(talk["x"] + 20, talk["y"] + 20)
        page.mouse.down()
        self.act(page, "the recording", page.locator(".recording:visible").wait_for)
        page.wait_for_timeout(1500)
        page.mouse.up()
        self.until(lambda: any(each["kind"] == "voice" for each in self.history()), page, "it did not come")
        page.evaluate("() => { const play = HTMLMediaElement.prototype.play; HTMLMediaElement.prototype.play = function () { window.played = this; return play.call(this); }; }")
        page.locator(".voice .icon-button").last.click()
        self.until(lambda: page.evaluate("() => window.played?.currentTime > 0.2"), page, "it does not play")

    def test_what_is_taken_back_is_gone_on_both(self):
        page = self.friends()
        self.say(page, "A slip of the pen")
        self.until(lambda: self.heard("A slip of the pen") == 1, page, "it did not come")
        page.locator(".bubble:has-text('A slip of the pen')").click(button="right")
        self.press(page, "Recall", role="menuitem")
        self.sees(page, "You recalled a message")
        self.until(lambda: self.heard("A slip of the pen") == 0, page, "Bob still has it")
        self.bob("send", self.conversation, "And one of mine")
        self.sees(page, "And one of mine")
        mine = next(each for each in self.history() if each["text"] == "And one of mine")
        self.bob("recall", self.conversation, mine["id"])
        self.sees_no(page, "And one of mine")
        page.reload()
        self.sees(page, "You recalled a message")
        self.assertEqual(self.says(page, "A slip of the pen"), 0)

    def test_what_is_written_without_a_network_is_sent_once_it_is_back(self):
        page = self.friends()
        server = self.household.server
        server.is_away = True
        server.cut()
        self.sees(page, "The hub cannot be reached")
        for text in ("one", "two", "three"):
            self.say(page, text)
        self.bob("send", self.conversation, "meanwhile")
        # The page is loaded anew in between: nothing of it is lost.
        page.reload()
        self.until(lambda: self.says(page, "three") == 1, page, "what waits is gone")
        server.is_away = False
        self.until(lambda: [each["text"] for each in self.history() if each["text"] in ("one", "two", "three")] == ["one", "two", "three"], page, "they did not come in their order")
        self.sees(page, "meanwhile")
        for text in ("one", "two", "three", "meanwhile"):
            self.assertEqual(self.says(page, text), 1)

    def test_a_killed_hub_loses_nothing(self):
        page = self.friends()
        self.say(page, "before")
        self.until(lambda: self.heard("before") == 1, page, "it did not come")
        self.household.kill("hub")
        self.say(page, "while it is gone")
        self.household.start("hub")
        self.household.server.hub = self.household.said["hub"]["port"]
        self.until(lambda: self.heard("while it is gone") == 1, page, "it did not come")
        self.say(page, "after")
        self.until(lambda: self.heard("after") == 1, page, "it did not come")
        self.assertEqual([self.heard(text) for text in ("before", "while it is gone", "after")], [1, 1, 1])

    def test_another_phone_that_was_away_has_everything(self):
        page = self.friends()
        self.household.stop("bob")
        for count in range(30):
            self.say(page, f"line {count}")
        self.until(lambda: page.locator(".said:has-text('line 29') .tick.is-sent").count() == 1, page, "it is not sent")
        self.household.begin()
        self.until(lambda: self.heard("line 29") == 1, page, "it did not come")
        page.reload()
        self.until(lambda: self.says(page, "line 29") == 1, page, "the newest page is not there")

    def test_signed_out_and_in_again_by_the_key(self):
        page = self.friends()
        self.say(page, "kept")
        self.until(lambda: self.heard("kept") == 1, page, "it did not come")
        self.go(page, "#/account")
        self.press(page, "Sign out of the account", exact=False)
        self.press(page, "Sign out of the account", within=page.locator("dialog"))
        self.sees(page, "Signed out at")
        self.go(page, "#/chats")
        self.sees(page, "No account on this phone")
        self.bob("send", self.conversation, "while you were out")
        self.go(page, "#/account?way=login")
        self.press(page, "Sign in")
        self.sees(page, "Sign out of the account")
        self.go(page, f"#/chats/{self.conversation}")
        self.sees(page, "kept", "while you were out")

    def test_a_hub_that_is_not_the_pages_own(self):
        page = self.browser.blank(size=PHONE)
        self.addCleanup(self.closed, page)
        page.goto(f"{self.household.server.url}#/account?way=login")
        self.fill(page, "Address of the hub", "wss://another.example")
        self.press(page, "Sign in")
        self.sees(page, "This page comes from")

    def test_the_devices_that_read_along(self):
        page = self.person()
        self.go(page, "#/account/devices")
        self.sees(page, "This phone")


if __name__ == "__main__":
    unittest.main()
