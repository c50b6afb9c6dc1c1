"""Devices of one person at a real hub: browsers that are phones and phone programs, which add each other, hand their history over and take each other out; and what
a browser exports."""

import json
import pathlib
import socket
import unittest
import zipfile

from browser import PATIENCE, PHONE
from chat_case import ChatCase
from household import Home
from test_real_chat import PICTURE, SEEN

PASSWORD = "correct horse battery"
WRONG = "ligar-baluk-losun-zofas"
DEVICES = "#/account/devices"
NO_PICKERS = "delete window.showSaveFilePicker"
# A place that a person chose, in the browser's own files.
CHOSEN = """() => {
    window.showSaveFilePicker = async ({ suggestedName }) => (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
}"""
READ = """async (name) => {
    const file = await (await (await navigator.storage.getDirectory()).getFileHandle(name)).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
}"""


class BrowserDevicesTests(ChatCase):
    # Further devices

    def program(self, name):
        """Another phone's program, without an account."""
        household = self.household
        Home.start(household, name, "--log-level", "info", "--hub", household.said["hub"]["url"], "--no-discovery", role="phone")
        self.addCleanup(household.stop, name)

    def signed_in(self, name):
        """A further browser of somebody's, signed in by the password."""
        page = self.browser.blank(size=PHONE, service_workers="allow")
        self.addCleanup(self.closed, page)
        page.goto(f"{self.household.server.url}#/account?way=login")
        page.get_by_text("A name and a password", exact=True).first.click()
        self.fill(page, "Account name", name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.press(page, "Sign in")
        self.sees(page, "Sign out of the account")
        self.go(page, DEVICES)
        self.sees(page, "This phone waits to be added")
        return page

    def words_of(self, page):
        return page.locator(".sealing-words .key-words").inner_text()

    def devices(self, name):
        return self.household.json(name, "chat", "devices")["devices"]

    def waiting(self, name, words):
        """Waits until a program knows of the device that shows these words."""
        self.until(lambda: any(device["words"] == words and device["state"] == "waiting" for device in self.devices(name)), None, "it does not wait there")

    def set_password(self, page):
        self.go(page, "#/account")
        self.press(page, "Set a password", exact=False)
        self.fill(page, "New password", PASSWORD)
        self.press(page, "Save")
        self.sees(page, "The password is set")

    def add(self, page, words, *, history=False):
        """Adds the one device that waits, on the screen of one that is in the list."""
        self.go(page, DEVICES)
        dialog = page.locator("dialog")
        self.press(page, "Add")
        self.fill(page, "Its four words", WRONG)
        self.press(page, "Add", within=dialog)
        self.sees(page, "These are not the words of this device")
        self.fill(page, "Its four words", words)
        if history:
            self.switch(page, "Hand over what was said before", True)
        self.press(page, "Add", within=dialog)
        self.sees(page, "was added")

    def shown(self, page):
        """The texts of the conversation on a page, in their order."""
        self.go(page, f"#/chats/{self.conversation}")
        return page.locator(".said-text").all_inner_texts()

    # The walks

    def test_a_browser_joins_a_phone_and_gets_its_history(self):
        self.program("ada")
        run = self.household.run
        self.household.json("ada", "account", "new", self.invitation, "ada")
        run("ada", "account", "password", input=f"{PASSWORD}\n")
        run("ada", "chat", "add", "bob", "old news")
        self.conversation = self.until(lambda: next((each for each in self.bob("list")["conversations"] if each["name"] == "ada"), None), None, "no request came")["id"]
        self.bob("accept", "ada")
        self.bob("send", self.conversation, "older than the browser")
        self.until(lambda: len(self.household.json("ada", "chat", "history", "bob")["messages"]) == 2, None, "it did not come")

        page = self.signed_in("ada")
        words = self.words_of(page)
        self.waiting("ada", words)
        with self.assertRaises(Exception):
            run("ada", "chat", "devices", "--add", WRONG)
        # What it was told before it is added it cannot read.
        self.go(page, f"#/chats/{self.conversation}")
        self.until(lambda: page.locator(".said").count() == 2, page, "the messages are not there")
        self.assertEqual(self.says(page, "older than the browser"), 0)
        self.go(page, DEVICES)
        run("ada", "chat", "devices", "--add", words, "--history")
        self.sees(page, "2 messages came from another device")
        self.go(page, f"#/chats/{self.conversation}")
        self.until(lambda: self.shown(page) == ["old news", "older than the browser"], page, "the history is not there")
        self.say(page, "from the browser")
        self.until(lambda: self.heard("from the browser") == 1, page, "it did not come")
        page.reload()
        self.until(lambda: self.shown(page) == ["old news", "older than the browser", "from the browser"], page, "the history is gone")

        # Taken out it reads nothing more, and its screen says so at once.
        self.go(page, DEVICES)
        self.sees(page, "This phone", "Your devices that read them")
        run("ada", "chat", "devices", "--remove", words)
        self.sees(page, "This phone waits to be added")
        self.bob("send", self.conversation, "without the browser")
        self.until(lambda: any(row.get("text") == "without the browser" for row in self.household.json("ada", "chat", "history", "bob")["messages"]), None, "it did not come")
        self.go(page, f"#/chats/{self.conversation}")
        self.until(lambda: page.locator(".said").count() == 4, page, "the message has no place")
        self.assertEqual(self.says(page, "without the browser"), 0)

    def test_a_phone_and_a_browser_join_a_browser(self):
        page = self.friends()
        page.evaluate(PICTURE, ["teal"])
        self.act(page, "the tray", page.locator(".tray-picture").first.wait_for)
        self.press(page, "Send")
        sent = self.until(lambda: next((each for each in self.history() if each["kind"] == "image" and each["status"] == "sent"), None), page, "it did not come")
        picture = self.folder / "taken.jpg"
        self.household.run("bob", "chat", "save", self.conversation, sent["id"], "--output", picture)
        self.household.run("bob", "chat", "flash", self.conversation, picture)
        self.bob("send", self.conversation, "news of before")
        self.bob("send", self.conversation, "taken back")
        self.sees(page, "taken back")
        self.bob("recall", self.conversation, next(each for each in self.history() if each["text"] == "taken back")["id"])
        self.sees_no(page, "taken back")
        self.set_password(page)

        # A phone's program, with the history of before.
        self.program("tablet")
        self.household.run("tablet", "account", "login", self.household.said["hub"]["url"], "--name", self.name, input=f"{PASSWORD}\n")
        words = self.until(lambda: next((device["words"] for device in self.devices("tablet") if device["state"] == "this"), None), None, "it has no words")
        self.add(page, words, history=True)
        self.sees(page, "messages were handed over")
        rows = self.household.json("tablet", "chat", "history", self.conversation)["messages"]
        self.assertEqual([row["text"] for row in rows if row["kind"] == "text" and not row["trouble"]], ["Hello Bob, this is Ada.", "news of before"])
        self.assertEqual([row["trouble"] for row in rows if row["kind"] == "image"], [None])
        self.assertEqual([row["kind"] for row in rows if row["flash"] == "closed" and not row["trouble"]], [])
        self.household.run("tablet", "chat", "save", self.conversation, sent["id"], "--output", self.folder / "handed.jpg")
        self.assertEqual((self.folder / "handed.jpg").read_bytes(), picture.read_bytes())

        # A browser, which gets its history later. Both pages are loaded anew in the middle, where nothing goes up or comes down.
        other = self.signed_in(self.name)
        self.add(page, self.words_of(other))
        self.sees(other, "Your devices that read them")
        page.route("**/chat/upload*", lambda route: route.abort())
        other.route("**/chat/media/sign", lambda route: route.abort())
        self.press(page, "Hand the history over to Chrome", exact=False)
        self.press(page, "Hand over", within=page.locator("dialog"))
        self.until(lambda: page.locator("dialog").count() == 0, page, "it is not begun")
        self.sees(page, "messages are sealed and uploaded")
        page.unroute("**/chat/upload*")
        page.reload()
        self.sees(other, "messages of another device are here")
        other.unroute("**/chat/media/sign")
        other.reload()
        self.sees(other, "came from another device")
        self.until(lambda: self.shown(other) == ["Hello Bob, this is Ada.", "news of before"], other, "the history is not there")
        self.until(lambda: other.evaluate(SEEN, 1), other, "the picture is not there")
        self.sees(page, "messages were handed over")

        # It takes the first one out, whose page says so at once.
        self.go(other, DEVICES)
        self.press(other, "Take out Chrome", exact=False)
        self.press(other, "Take out", within=other.locator("dialog"))
        self.sees(other, "was taken out")
        self.sees(page, "This phone waits to be added")

    def asked(self, name, method, **params):
        """What a phone's program answers to a method that its page has and its commands do not."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(PATIENCE)
            control.connect(str(self.household.state(name) / "control.sock"))
            control.sendall(f"{json.dumps({'id': 1, 'method': method, 'params': params})}\n".encode())
            with control.makefile("rb") as answers:
                return json.loads(answers.readline())["result"]

    def exported(self, data, name):
        """What an archive has: its lines, and its other files by their names."""
        path = self.folder / name
        path.write_bytes(data)
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            files = {each: archive.read(each) for each in archive.namelist()}
        lines = files.pop(f"tandem-export/{self.conversation}.jsonl").decode().splitlines()
        return [json.loads(line) for line in lines], files

    def test_everything_is_saved_as_one_file(self):
        page = self.friends(accept_downloads=True)
        page.evaluate(PICTURE, ["teal", "maroon"])
        self.act(page, "the tray", page.locator(".tray-picture").first.wait_for)
        self.press(page, "Send")
        self.bob("send", self.conversation, "Grüße 你好")
        self.sees(page, "Grüße 你好")
        self.until(lambda: any(each["kind"] == "image" and each["status"] == "sent" for each in self.history()), page, "they did not come")
        page.evaluate(NO_PICKERS)
        self.go(page, "#/account")
        self.press(page, "Export everything", exact=False)
        with page.expect_download(timeout=PATIENCE * 1000) as download:
            self.press(page, "Export", within=page.locator("dialog"))
        self.sees(page, "Everything is in this file:", "tandem-export.zip")
        lines, files = self.exported(pathlib.Path(download.value.path()).read_bytes(), "one.zip")
        # As a phone's program writes it.
        theirs = self.folder / "theirs"
        self.asked("bob", "chat.export", folder=str(theirs))
        other = [json.loads(line) for line in (theirs / f"{self.conversation}.jsonl").read_text().splitlines()]
        same = ("id", "conversation", "from", "kind", "text", "seq", "isSealed", "trouble")
        self.assertEqual([{name: line[name] for name in same} for line in lines], [{name: line[name] for name in same} for line in other])
        self.assertEqual([sorted(line) for line in lines], [sorted(line) for line in other])
        names = next(line["files"] for line in lines if line["kind"] == "image")
        self.assertEqual([f"tandem-export/{name}" for name in names], list(files))
        self.assertEqual({file[:3] for file in files.values()}, {b"\xff\xd8\xff"})

        # Where the browser lets the person choose a place, it is written there.
        self.press(page, "Done")
        page.evaluate(CHOSEN)
        self.press(page, "Export everything", exact=False)
        self.press(page, "Export", within=page.locator("dialog"))
        self.sees(page, "Everything is in this file:", "tandem-export.zip")
        self.assertEqual(self.exported(bytes(page.evaluate(READ, "tandem-export.zip")), "two.zip"), (lines, files))


if __name__ == "__main__":
    unittest.main()
