"""Two people at a real hub: one in a browser that is the phone, with a telephone's size and touch, the other with a phone's program."""

import contextlib
import re
import unittest

from playwright.sync_api import Error

from browser import PHONE
from chat_case import ChatCase
from test_real_account import Person
from test_real_chat import PICTURE, SEEN

# Where a browser is woken: the hub looks at its form alone, until there is something to tell.
PUSH = {
    "subscription": {
        "endpoint": "https://push.example.net/1", "auth": "AAAAAAAAAAAAAAAAAAAAAA",
        "p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
    },
    "previews": True,
}
# As the page notes it where the person turns notifications on: a browser without a push service of its own cannot.
SUBSCRIBE = """(value) => new Promise((resolve, reject) => {
    const opening = indexedDB.open('tandem-phone');
    opening.onerror = reject;
    opening.onsuccess = () => {
        const transaction = opening.result.transaction('settings', 'readwrite');
        transaction.objectStore('settings').put(value, 'chatPush');
        transaction.oncomplete = () => { opening.result.close(); resolve(); };
        transaction.onabort = reject;
    };
})"""


class BrowserChatTests(ChatCase):
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
        self.choose(page, "A slip of the pen", "Recall")
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

    def test_a_refused_message_is_sent_again_or_thrown_away(self):
        page = self.friends()
        self.household.run("bob", "chat", "block", self.conversation)
        for text in ("worth another try", "better not"):
            self.say(page, text)
            self.until(lambda text=text: page.locator(f".said:has-text('{text}') .tick.is-failed").count() == 1, page, "it is not said that it was refused")
        self.choose(page, "better not", "Discard")
        self.until(lambda: self.says(page, "better not") == 0, page, "it is still there")
        self.household.run("bob", "chat", "block", self.conversation, "--off")
        self.choose(page, "worth another try", "Send again")
        self.until(lambda: self.heard("worth another try") == 1, page, "it did not come")
        page.reload()
        self.until(lambda: page.locator(".said:has-text('worth another try') .tick:not(.is-sending, .is-failed)").count() == 1, page, "it is not sent")
        self.assertEqual([self.heard("better not"), self.says(page, "better not")], [0, 0])

    def test_ones_own_picture(self):
        page = self.person()
        self.go(page, "#/account")
        picture = self.folder / "face.png"
        page.locator(".account-letter").first.screenshot(path=picture)
        self.give(page, "Your picture", picture)
        self.sees(page, "Your picture was changed")
        shown = "() => document.querySelector('.account-picture')?.naturalWidth > 0"
        self.until(lambda: page.evaluate(shown), page, "it is not shown")
        page.reload()
        self.until(lambda: page.evaluate(shown), page, "it is gone")
        self.menu(page, "Your picture", "Take the picture away")
        self.press(page, "Take the picture away", within=page.locator("dialog"))
        self.sees(page, "Your picture was taken away")
        self.until(lambda: page.locator(".account-picture").count() == 0, page, "it is still there")

    def test_the_hub_is_told_where_the_page_is_woken(self):
        page = self.person()
        page.evaluate(SUBSCRIBE, PUSH)
        told = []

        def pass_on(route):
            # Asked for here: a browser forgets the body of an answer whose page is loaded anew.
            answer = route.fetch()
            told.append((route.request.post_data_json, answer.json()["errCode"]))
            with contextlib.suppress(Error):
                route.fulfill(response=answer)

        page.route("**/chat/push", pass_on)
        page.reload()
        self.until(lambda: told, page, "the hub is not told")
        self.assertEqual(told[0], (PUSH, 0))

    def test_somebody_whose_program_seals_nothing(self):
        page = self.person()
        server = self.household.server
        carl = Person(f"http://{server.host}", f"carl{self.count}", invitation=re.search(r"c=(\d+)", self.invitation)[1])
        me = carl.post("/account/find", {"name": self.name})["userID"]
        tell = {"sendID": carl.id, "recvID": me, "senderPlatformID": 7, "contentType": 101, "sessionType": 1}
        carl.post("/msg/send_msg", {**tell, "content": {"content": "Hello from elsewhere"}, "clientMsgID": "c-1"})
        self.go(page, "#/chats")
        self.press(page, re.compile("^Requests"), role="link", exact=False)
        self.sees(page, "Hello from elsewhere")
        self.press(page, re.compile("^Accept"), exact=False)
        self.until(lambda: page.locator(".write-text").count(), page, "nothing can be written")
        conversation = page.url.partition("#/chats/")[2].partition("?")[0]
        self.say(page, "I hear you")
        self.until(lambda: page.locator(".said:has-text('I hear you') .tick.is-sent").count() == 1, page, "it is not sent")
        carl.post("/msg/send_msg", {**tell, "content": {"content": "Buy now!!!"}, "clientMsgID": "c-2"})
        self.sees(page, "Buy now!!!")
        self.go(page, f"#/chats/{conversation}/safety")
        self.sees(page, "Whoever runs the hub can read these messages.")

        # Who runs the hub is told of it.
        self.go(page, f"#/chats/{conversation}")
        self.choose(page, "Buy now!!!", "Report")
        self.fill(page, "What is wrong", "He sells things.")
        self.press(page, "Report", within=page.locator("dialog"))
        hub = self.open("hub", "#/people/reports")
        self.sees(hub, "Buy now!!!", "He sells things.")

    def test_the_devices_that_read_along(self):
        page = self.person()
        self.go(page, "#/account/devices")
        self.sees(page, "This phone")


if __name__ == "__main__":
    unittest.main()
