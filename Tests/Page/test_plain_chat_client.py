"""Two people at a real hub, each with the client that was written from docs/protocol.md alone."""

import os
import struct
import sys
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))

from plain_chat_client import CUSTOM, TYPING, Key, PlainClient, Refused, Unreached, b64u, conversation, pushed  # noqa: E402
from rig import Home  # noqa: E402

PASSWORD = "correct horse battery"
SETTINGS = {"TANDEM_CHAT_STRANGERS_ASK": "false"}


def picture(side):
    """A PNG of noise, so that nothing makes it shorter."""
    rows = b"".join(b"\0" + os.urandom(side * 3) for _ in range(side))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


class DocumentTests(unittest.TestCase):
    def test_a_proof_is_that_of_the_worked_example(self):
        key = Key(bytes(31) + b"\1")
        self.assertEqual(key.did, "did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG")
        members = {"name": "ada", "device": {"name": "phone", "platformID": 2}, "invitation": "482913730655"}
        proof = key.proof("register", b64u(b"\x08" * 32), "hub.example:9001", members)
        self.assertEqual(proof["signature"], "szZLKDBqMFmZhiuv6jcWo_5GXUGF-E-55qW4avygsX0YGtfoCBbnPa1E5bgJ-Ynd21sxK42yexEK5nee-3MDCw")


class PlainChatClientTests(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(Home())
        said = self.home.start("hub", "--page", "off", "--listen", "127.0.0.1:0", environment=SETTINGS)
        self.address = f"http://127.0.0.1:{said['port']}"
        self.ada, self.bob = self.person("ada"), self.person("bob")
        self.chat = conversation(self.ada.id, self.bob.id)

    def invitation(self):
        return self.home.json("hub", "hub", "invite")["code"]

    def person(self, name, key=None):
        client = PlainClient(self.address)
        client.register(name, None if key else PASSWORD, key, self.invitation())
        return client

    def socket(self, client):
        socket = client.socket()
        self.addCleanup(socket.close)
        return socket

    def refused(self, code, ask, *arguments):
        with self.assertRaises(Refused) as refused:
            ask(*arguments)
        self.assertEqual(refused.exception.code, code)

    def event(self, socket, name):
        """The next event of a name."""
        for _ in range(20):
            for event in socket.push().get("events", []):
                if event["event"] == name:
                    return event
        self.fail(f"no event {name}")

    # Accounts

    def test_a_person_signs_in_by_password_and_renews_the_token(self):
        again = PlainClient(self.address)
        session = again.login("ada", PASSWORD)
        self.assertEqual((session["userID"], session["expiresIn"]), (self.ada.id, 900))
        self.assertNotEqual(again.device, self.ada.device)
        self.assertEqual(again.renew()["userID"], self.ada.id)
        self.assertEqual(again.sync()["seqs"], {})
        self.refused(1501 if again.token is None else 1507, PlainClient(self.address).sync)
        self.refused(1002, PlainClient(self.address).login, "ada", "wrong horse battery")

    def test_a_person_signs_in_by_a_key(self):
        key = Key()
        made = self.person("cleo", key)
        again = PlainClient(self.address)
        self.assertEqual(again.login(key=key)["userID"], made.id)
        self.assertEqual(again.post("/account/me", {})["keys"], 1)
        self.refused(1101, lambda: PlainClient(self.address).login(key=Key()))

    # Messages

    def test_what_is_sent_is_pushed_once_to_all_other_devices_and_stored_once(self):
        tablet = PlainClient(self.address)
        tablet.login("ada", PASSWORD)
        hers, his = self.socket(tablet), self.socket(self.bob)
        sent = self.ada.send(self.bob.id, "hello 你好", id="m-1")
        self.assertEqual((sent["clientMsgID"], sent["seq"]), ("m-1", 1))
        for socket in (hers, his):
            (message,) = pushed(socket.push())
            self.assertEqual((message.text, message.id, message.seq, message.sender), ("hello 你好", "m-1", 1, self.ada.id))
        self.assertEqual(self.ada.send(self.bob.id, "hello 你好", id="m-1"), sent)
        self.refused(1003, self.ada.send, self.bob.id, "other", 101, "m-1")
        answered = his.send(self.ada.id, "hi", "m-2")
        self.assertEqual(answered["seq"], 2)
        (message,) = pushed(hers.push())
        self.assertEqual((message.text, message.sender), ("hi", self.bob.id))
        self.assertEqual([one.text for one in self.bob.history(self.chat)], ["hello 你好", "hi"])

    def test_history_comes_in_pages_and_a_device_that_was_away_asks_once(self):
        for number in range(1, 46):
            self.ada.send(self.bob.id, f"message {number}")
        newest, is_end = self.bob.pull(self.chat, 1, (1 << 53) - 1, 40, newest_first=True)
        self.assertEqual(([one.seq for one in newest], is_end), (list(range(6, 46)), False))
        rest, is_end = self.bob.pull(self.chat, 1, 5, 40, newest_first=True)
        self.assertEqual(([one.text for one in rest], is_end), ([f"message {number}" for number in range(1, 6)], True))
        self.assertEqual([one.seq for one in self.bob.history(self.chat, 7)], list(range(1, 46)))
        missed = self.bob.sync(0, {self.chat: 42})
        self.assertEqual([one.seq for one in pushed(missed)], [43, 44, 45])
        self.assertEqual(missed["seqs"][self.chat]["maxSeq"], 45)

    def test_the_hub_dies_and_what_it_acknowledged_is_there(self):
        sent = self.ada.send(self.bob.id, "before", id="m-1")
        self.home.kill("hub")
        with self.assertRaises(Unreached):
            self.ada.send(self.bob.id, "meanwhile", id="m-2")
        self.home.start("hub", "--page", "off", "--listen", self.home.listen("hub"), environment=SETTINGS)
        self.assertEqual(self.ada.send(self.bob.id, "before", id="m-1"), sent)
        self.assertEqual(self.ada.send(self.bob.id, "meanwhile", id="m-2")["seq"], 2)
        self.assertEqual([one.text for one in self.bob.history(self.chat)], ["before", "meanwhile"])

    def test_a_message_is_taken_back_and_both_sides_are_told(self):
        hers, his = self.socket(self.ada), self.socket(self.bob)
        self.ada.send(self.bob.id, "oh no", id="m-1")
        self.refused(1004, self.bob.recall, self.chat, "m-1")
        self.ada.recall(self.chat, "m-1")
        for socket in (hers, his):
            event = self.event(socket, "recalled")
            self.assertEqual((event["seq"], event["clientMsgID"], event["userID"]), (1, "m-1", self.ada.id))
        self.refused(1404, self.ada.recall, self.chat, "m-1")
        (row,) = self.bob.history(self.chat)
        self.assertTrue(row.is_recalled)
        self.assertNotIn("oh no", str(row.element))

    def test_typing_is_shown_and_reading_counts_and_is_told(self):
        hers, his = self.socket(self.ada), self.socket(self.bob)
        for number in range(3):
            self.ada.send(self.bob.id, f"{number}")
        self.assertIsNone(self.ada.type(self.bob.id).get("seq"))
        self.assertEqual(self.event(his, "typing")["conversationID"], self.chat)
        self.assertEqual(self.bob.rows()[self.chat]["unreadCount"], 3)
        self.bob.read(self.chat, 2)
        self.assertEqual(self.event(hers, "peerRead")["seq"], 2)
        self.assertEqual(self.bob.rows()[self.chat]["unreadCount"], 1)
        self.assertEqual(self.ada.rows()[self.chat]["standing"]["peerReadSeq"], 2)
        self.bob.read(self.chat, 1)
        self.assertEqual(self.bob.sync(0)["seqs"][self.chat]["hasReadSeq"], 2)
        self.assertEqual([one.type for one in self.bob.history(self.chat) if one.type == TYPING], [])

    # Media

    def test_pictures_come_in_one_request_and_in_parts_and_leave_by_signed_addresses(self):
        small, large = picture(64), picture(256)
        one = self.ada.upload("chat_image", small)
        several = self.ada.upload_in_parts("chat_image", large)
        self.assertEqual((one["size"], one["contentType"], one["width"]), (len(small), "image/png", 64))
        self.assertEqual(several["size"], len(large))
        keys = [one["objectKey"], several["objectKey"]]
        self.assertEqual(self.bob.sign(keys), {})
        self.ada.send(self.bob.id, {"type": "multi_image", "multiObjectKeys": keys}, CUSTOM)
        (row,) = self.bob.history(self.chat)
        self.assertEqual(row.payload["multiObjectKeys"], keys)
        addresses = self.bob.sign(keys)
        for key, data in zip(keys, (small, large)):
            status, fields, body = self.bob.fetch(addresses[key])
            self.assertEqual((status, fields["content-type"], body), (200, "image/png", data))
        status, fields, body = self.bob.fetch(addresses[keys[1]], {"Range": "bytes=100-199"})
        self.assertEqual((status, body), (206, large[100:200]))
        self.assertEqual(self.bob.fetch(addresses[keys[0]][:-1] + "!")[0], 403)
        status, fields, _ = self.bob.request("GET", f"/object/{keys[0]}")
        self.assertEqual((status, self.bob.fetch(fields["location"])[2]), (302, small))
        with self.assertRaises(Refused) as refused:
            self.ada.upload("chat_image", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
        self.assertEqual(refused.exception.status, 415)

    def test_a_view_once_picture_is_seen_once_on_one_device(self):
        data = picture(128)
        key = self.ada.upload("chat_flash", data)["objectKey"]
        self.ada.send(self.bob.id, {"type": "flash_image", "objectKey": key}, CUSTOM, "f-1")
        self.assertEqual(self.bob.sign([key]) | self.ada.sign([key]), {})
        (row,) = self.bob.history(self.chat)
        self.assertEqual((row.payload["type"], row.payload["objectKey"]), ("flash_image", ""))
        tablet = PlainClient(self.address)
        tablet.login("bob", PASSWORD)
        hers = self.socket(self.ada)
        address = self.bob.open_flash(self.chat, "f-1")
        self.refused(410, tablet.open_flash, self.chat, "f-1")
        self.refused(410, self.bob.open_flash, self.chat, "f-1")
        self.assertEqual(tablet.request("GET", address)[0], 410)
        status, fields, body = self.bob.request("GET", address)
        self.assertEqual((status, fields["cache-control"], body), (200, "no-store", data))
        self.assertEqual(self.event(hers, "destroyed")["clientMsgID"], "f-1")
        self.assertEqual(self.bob.request("GET", address)[0], 410)
        self.bob.send(self.ada.id, {"type": "flash_viewed", "msgId": "f-1"}, CUSTOM)
        gone, control = self.ada.history(self.chat)
        self.assertTrue(gone.payload["destroyed"])
        self.assertTrue(control.is_control)
        self.assertEqual(self.ada.rows()[self.chat]["unreadCount"], 0)


if __name__ == "__main__":
    unittest.main()
