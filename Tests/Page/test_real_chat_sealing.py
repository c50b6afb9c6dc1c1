"""People whose devices are a phone's program and the page's modules in Node, at a real hub: each opens what the other sealed."""

import base64
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))

from browserless import NodePhone, Refused  # noqa: E402
from rig import Home, until  # noqa: E402

PASSWORD = "correct horse battery"
# A picture of one point.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
TALK = "si_tb_1_tb_2"


class NodeDevice(NodePhone):
    """A device of an account, which is the page's modules."""

    DRIVER = Path(__file__).resolve().parent / "chat" / "driver.mjs"

    def texts(self):
        """What it reads of the conversation: the words, or why there are none."""
        return [row["trouble"] or row["content"] for row in self("read", conversation=TALK)]


class ChatSealingTests(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = self.enterContext(Home())
        said = self.home.start("hub", "--listen", "127.0.0.1:0", environment={"TANDEM_CHAT_STRANGERS_ASK": "false"})
        self.address = f"http://127.0.0.1:{said['port']}"
        self.home.start("phone", "--hub", said["url"], "--no-discovery")
        self.invitation = self.home.json("hub", "hub", "invite", "--uses", "2")
        self.home.json("phone", "account", "new", self.invitation["link"], "ada")
        self.bob = self.device("bob", invitation=self.invitation["code"])

    def device(self, name, **options):
        device = NodeDevice(self.home.folder / f"node-{len(list(self.home.folder.glob('node-*')))}.log")
        self.addCleanup(device.end)
        device.opened = device("open", address=self.address, name=name, password=PASSWORD, **options)
        self.assertIsNone(device.opened["waits"])
        return device

    def history(self):
        """What Ada's phone has of the conversation."""
        return self.home.json("phone", "chat", "history", "bob")["messages"]

    def sees(self, text):
        """Ada's phone, once it shows a text."""
        return until(lambda: next((row for row in self.history() if row.get("text") == text), None))

    def waiting(self, words):
        """The key of a device that waits to be added to Bob's list; None while there is none."""
        self.bob("changed", userID="tb_2")
        return next((device["did"] for device in self.bob("devices")["devices"] if device["words"] == words and device["state"] == "waiting"), None)

    def say(self, text):
        self.home.run("phone", "chat", "send", "bob", text)

    def test_both_read_and_compare_the_same_number(self):
        self.home.run("phone", "chat", "add", "bob", "hello 你好")
        self.assertTrue(self.bob("send", id="b-1", conversation=TALK, content="Grüße 😀\n\"quoted\""))
        self.assertIsNone(self.sees("Grüße 😀\n\"quoted\"")["trouble"])
        self.say("x" * 9000)
        self.assertEqual(self.bob.texts(), ["hello 你好", "Grüße 😀\n\"quoted\"", "x" * 9000])
        rows = self.bob("read", conversation=TALK)
        self.assertEqual([(row["isSealed"], row["isUnexpectedlyClear"], json.loads(row["came"])["type"]) for row in rows], [(True, False, "sealed")] * 3)
        mine, theirs = self.bob("safety", conversation=TALK), self.home.json("phone", "chat", "safety", "bob")
        self.assertEqual([mine[name] for name in ("number", "code", "isSealed")], [theirs[name] for name in ("number", "code", "isSealed")])

    def test_pictures(self):
        self.home.run("phone", "chat", "add", "bob", "hello")
        file = self.home.folder / "picture.png"
        file.write_bytes(PICTURE)
        self.home.run("phone", "chat", "image", "bob", file)
        payload = json.loads(self.bob("read", conversation=TALK)[1]["content"])
        fetched = self.bob("file", objectKey=payload["objectKey"])
        self.assertEqual(base64.b64decode(fetched["sealed"]), b"TNDMEDIA")
        opened = base64.b64decode(fetched["opened"])
        self.assertEqual([payload["type"], payload["sealed"]["size"], len(opened)], ["image", len(opened), len(opened)])
        self.assertIn(opened[:3], (b"\x89PN", b"\xff\xd8\xff"))

        self.assertTrue(self.bob("picture", id="p-1", conversation=TALK, base64=base64.b64encode(PICTURE).decode()))
        until(lambda: len(self.history()) == 3)
        shown = self.history()[2]
        saved = self.home.folder / "saved.png"
        self.home.run("phone", "chat", "save", "bob", shown["id"], "--output", saved)
        self.assertEqual(saved.read_bytes(), PICTURE)

    def test_devices_are_added_and_taken_out_by_both(self):
        self.home.run("phone", "chat", "add", "bob", "before")
        other = self.device("bob")
        with self.assertRaisesRegex(Refused, "deviceNotAdded"):
            other("send", id="o-1", conversation=TALK, content="not yet")
        with self.assertRaisesRegex(Refused, "notThatDevice"):
            self.bob("add", did=other.opened["did"], words="ligar-baluk-losun-zofas")
        added = self.bob("add", did=other.opened["did"], words=other.opened["words"])
        self.assertEqual([device["state"] for device in added["devices"]], ["this", "listed"])
        other("changed", userID="tb_2")
        # Ada's phone seals for both from now on, and hears of the device.
        self.say("for both")
        self.assertTrue(other("send", id="o-2", conversation=TALK, content="from the other"))
        self.sees("from the other")
        self.assertEqual([self.bob.texts(), other.texts()], [["before", "for both", "from the other"], ["otherDevice", "for both", "from the other"]])
        self.bob("remove", did=other.opened["did"])
        self.say("without the other")
        self.assertEqual([self.bob.texts()[-1], other.texts()[-1]], ["without the other", "otherDevice"])

        # A browser as another device of Ada's account, which her phone adds.
        self.home.run("phone", "account", "password", input=f"{PASSWORD}\n")
        browser = self.device("ada")
        self.home.run("phone", "chat", "devices", "--add", browser.opened["words"])
        browser("changed", userID="tb_1")
        self.assertTrue(browser("send", id="a-1", conversation=TALK, content="from Ada’s browser"))
        self.bob("changed", userID="tb_1")
        self.sees("from Ada’s browser")
        self.assertEqual(self.bob.texts()[-1], "from Ada’s browser")
        self.assertTrue(self.bob("send", id="b-9", conversation=TALK, content="to both of Ada’s"))
        self.sees("to both of Ada’s")
        self.assertEqual(browser.texts(), ["otherDevice"] * 4 + ["from Ada’s browser", "to both of Ada’s"])

    def test_history_is_handed_over_both_ways(self):
        self.home.run("phone", "chat", "add", "bob", "old news")
        self.assertTrue(self.bob("picture", id="p-1", conversation=TALK, base64=base64.b64encode(PICTURE).decode()))
        until(lambda: len(self.history()) == 2)
        self.home.run("phone", "account", "password", input=f"{PASSWORD}\n")
        browser = self.device("ada")
        self.assertEqual(browser.texts(), ["otherDevice"] * 2)
        self.home.run("phone", "chat", "devices", "--add", browser.opened["words"], "--history")
        browser("changed", userID="tb_1")
        taken = until(lambda: next((look for look in [browser("look")] if look["progress"].get(browser.opened["did"], {}).get("stage") == "done"), None))
        self.assertEqual([taken["texts"][0], json.loads(taken["texts"][1])["type"]], ["old news", "image"])
        self.assertEqual(base64.b64decode(browser("file", objectKey=json.loads(taken["texts"][1])["objectKey"])["opened"]), PICTURE)

        # Bob's browser hands over to a phone's program.
        self.assertEqual(self.bob.texts()[0], "old news")
        self.home.start("other", "--hub", self.home.said["hub"]["url"], "--no-discovery", role="phone")
        self.home.run("other", "account", "login", self.home.said["hub"]["url"], "--name", "bob", input=f"{PASSWORD}\n")
        words = until(lambda: next((device["words"] for device in self.home.json("other", "chat", "devices")["devices"] if device["state"] == "this"), None))
        did = until(lambda: self.waiting(words))
        self.bob("add", did=did, words=words)
        self.bob("handOver", did=did)
        until(lambda: self.bob("look")["progress"][did]["stage"] == "taken")
        rows = self.home.json("other", "chat", "history", "ada")["messages"]
        self.assertEqual([rows[0].get("text"), rows[0]["trouble"]], ["old news", None])

    def test_a_list_that_began_anew_stops_both_until_they_agree(self):
        self.home.run("phone", "chat", "add", "bob", "before")
        self.assertEqual(self.bob.texts(), ["before"])
        self.home.run("phone", "chat", "devices", "--begin")
        self.bob("changed", userID="tb_1")
        with self.assertRaisesRegex(Refused, "keysBeganAnew"):
            self.bob("send", id="b-1", conversation=TALK, content="stopped")
        self.assertEqual(self.bob("safety", conversation=TALK)["trouble"], "restarted")
        self.assertIsNone(self.bob("agree", conversation=TALK, kind="newKeys")["trouble"])
        self.say("after")
        self.assertEqual(self.bob.texts(), ["before", "after"])
        # The hub deleted the keys of the list before; Ada's phone published its own again.
        self.assertTrue(self.bob("send", id="b-2", conversation=TALK, content="back"))
        self.sees("back")


if __name__ == "__main__":
    unittest.main()
