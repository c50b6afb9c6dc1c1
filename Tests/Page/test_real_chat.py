"""Two people with a phone each, and their pages, at a real hub: a request, texts, pictures, one that can be viewed once, a voice note, a recall, and an absence."""

import re
import unittest

from browser import DESKTOP, PHONE
from household import Home
from real import RealTests

NAMES = {"phone": "ada", "other": "bob"}
PICTURE = """async (colours) => {
    const canvas = new OffscreenCanvas(640, 480);
    const pen = canvas.getContext('2d');
    const files = [];
    for (const colour of colours) {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 640, 480);
        pen.fillStyle = '#fff';
        pen.fillText(colour, 40, 60);
        files.push(new File([await canvas.convertToBlob({ type: 'image/png' })], `${colour}.png`, { type: 'image/png' }));
    }
    const data = new DataTransfer();
    for (const file of files) data.items.add(file);
    document.querySelector('.talk').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
# Pictures that are there and not only asked for.
SEEN = "(count) => [...document.querySelectorAll('.picture-image')].filter((image) => image.naturalWidth > 0).length >= count"


class ChatTests(RealTests):
    NEEDS_CHROMIUM = False
    # The other phone's program is ended on purpose.
    IS_CALM = False
    CHROMIUM = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.people()

    @classmethod
    def people(cls):
        cls.begin("other")
        invitation = cls.household.json("hub", "hub", "invite", "--uses", "2")["link"]
        for role, name in NAMES.items():
            cls.household.json(role, "account", "new", invitation, name)
        cls.household.link = lambda role: cls.household.json(role, "page", "--role", "phone" if role == "other" else role)["url"]

    @classmethod
    def begin(cls, role):
        """Starts the phone of the second person; the second time with its page where it was."""
        said = cls.household.said
        page = cls.household.page_of(role).removeprefix("http://") if role in said else "127.0.0.1:0"
        Home.start(cls.household, role, "--log-level", "info", "--page", page, "--hub", said["hub"]["url"], "--no-discovery", role="phone")

    def goes(self, _page):
        self.household.stop("other")

    def comes(self, page):
        """The page of the second person, who is back."""
        self.begin("other")
        return page

    def entry(self, _page):
        """The conversation of the first person, as the phone has it."""
        return self.household.json("phone", "chat", "list")["conversations"][0]

    # What people do

    def conversations(self):
        """The pages of both, in one conversation that both have accepted."""
        ada, bob = self.open("phone", "#/chats/add", size=DESKTOP), self.open("other", "#/chats", size=PHONE)
        self.fill(ada, "Name or link", "bob")
        self.press(ada, "Open")
        self.until(lambda: ada.locator(".talk-foot > *").count(), ada, "the conversation is not there")
        if ada.locator(".write-text[placeholder='First message']").count():
            self.say(ada, "Hello Bob, this is Ada.")
            self.sees(ada, "accepts your message")
            self.press(bob, re.compile("^Requests"), role="link", exact=False)
            self.sees(bob, "Hello Bob, this is Ada.")
            self.press(bob, re.compile("^Accept"), exact=False)
        else:
            bob.locator(".chat-link").first.click()
        for page in (ada, bob):
            self.until(lambda page=page: page.locator(".write-text").count(), page, "nothing can be written")
        return ada, bob

    def say(self, page, text):
        self.act(page, "what to write in", lambda timeout: page.locator(".write-text").fill(text, timeout=timeout))
        self.press(page, "Send")

    def give_pictures(self, page, *colours):
        page.evaluate(PICTURE, list(colours))
        self.act(page, "the tray", page.locator(".tray-picture").first.wait_for)

    # The walks

    def test_two_people_write_to_each_other(self):
        ada, bob = self.conversations()
        self.say(bob, "Hello Ada! 你好")
        self.sees(ada, "Hello Ada! 你好")
        ada.locator(".write-text").press_sequentially("How are")
        self.sees(bob, "Typing…")
        self.say(ada, "How are you?")
        self.sees(bob, "How are you?")
        self.until(lambda: ada.locator(".said:has-text('How are you?') .tick.is-read").count() == 1, ada, "it is not said to be read")
        self.assertEqual(bob.locator(".said-text:text-is('How are you?')").count(), 1)

        # Taken back on both sides.
        self.say(ada, "A slip of the pen")
        self.sees(bob, "A slip of the pen")
        ada.locator(".bubble:has-text('A slip of the pen')").click(button="right")
        self.press(ada, "Recall", role="menuitem")
        self.sees(ada, "You recalled a message")
        self.sees(bob, "Message recalled")
        self.sees_no(bob, "A slip of the pen")

    def test_pictures_and_a_voice_note_arrive(self):
        ada, bob = self.conversations()
        self.give_pictures(ada, "teal", "maroon")
        self.press(ada, "Send")
        self.until(lambda: bob.evaluate(SEEN, 2), bob, "the pictures are not there")
        bob.locator(".picture").last.click()
        self.act(bob, "the viewer", bob.locator(".show[open] .show-image").wait_for)
        bob.keyboard.press("Escape")

        before = ada.locator(".voice").count()
        talk = bob.locator(".talk-button").bounding_box()
        bob.mouse.move(talk["x"] + 20, talk["y"] + 20)
        bob.mouse.down()
        self.act(bob, "the recording", bob.locator(".recording:visible").wait_for)
        bob.wait_for_timeout(1500)
        bob.mouse.up()
        self.until(lambda: ada.locator(".voice").count() == before + 1, ada, "the voice note is not there")
        ada.evaluate("() => { const play = HTMLMediaElement.prototype.play; HTMLMediaElement.prototype.play = function () { window.played = this; return play.call(this); }; }")
        ada.locator(".voice .icon-button").last.click()
        self.until(lambda: ada.evaluate("() => window.played?.currentTime > 0.2"), ada, "the voice note does not play")

    def test_a_picture_that_can_be_viewed_once_is_gone_when_it_was_let_go(self):
        ada, bob = self.conversations()
        self.give_pictures(ada, "navy")
        self.switch(ada, "View once", True)
        self.press(ada, "Send")
        card = bob.locator(".flash.is-closed:not(:disabled)").last
        self.act(bob, "the card", card.wait_for)
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        bob.mouse.move(box["x"] + 20, box["y"] + 20)
        bob.mouse.down()
        self.until(lambda: bob.evaluate("() => document.querySelector('.flash-shown img')?.naturalWidth > 0"), bob, "the picture is not shown")
        bob.mouse.up()
        self.until(lambda: bob.locator(".flash-shown").count() == 0, bob, "the picture is still there")
        self.sees(ada, "It was viewed")
        bob.reload()
        self.until(lambda: bob.locator(".flash").count() > 0, bob, "the conversation is not there")
        self.assertEqual(bob.locator(".flash.is-closed").count(), 0)

    def test_what_is_written_meanwhile_comes_when_a_phone_is_back(self):
        ada, bob = self.conversations()
        self.goes(bob)
        self.say(ada, "Are you away?")
        self.until(lambda: ada.locator(".said:has-text('Are you away?') .tick.is-sent").count() == 1, ada, "it is not sent")
        bob = self.comes(bob)
        self.sees(bob, "Are you away?")
        self.assertEqual(bob.locator(".said-text:text-is('Are you away?')").count(), 1)

    def test_the_conversation_is_found_and_says_who_can_read_it(self):
        ada, bob = self.conversations()
        self.say(ada, "The word is rhubarb")
        self.sees(bob, "The word is rhubarb")
        self.go(bob, "#/chats?find=rhubarb")
        self.act(bob, "what was found", bob.locator(".found-row").first.click)
        self.act(bob, "the place", bob.locator(".said.is-found").wait_for)
        entry = self.entry(ada)
        self.go(ada, f"#/chats/{entry['id']}/safety")
        self.sees(ada, "Sealed" if entry["isSealed"] else "Whoever runs the hub can read these messages.")


if __name__ == "__main__":
    unittest.main()
