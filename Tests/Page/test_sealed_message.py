"""The vectors of docs/protocol.md 2.10, opened and made again by a reader that is not ours."""

import copy
import hashlib
import json
import unittest
from pathlib import Path

import sealed_message as sealed

FIXTURE = Path(__file__).resolve().parents[1] / "ChatSealingTests" / "Fixtures" / "sealed-vectors.json"


def changed(envelope, change):
    copied = copy.deepcopy(envelope)
    change(copied)
    return copied


class SealedMessageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = json.loads(FIXTURE.read_text())
        cls.message = cls.vectors["message"]

    def chain(self, name):
        entries = self.vectors["chains"][name]["entries"]
        return entries, sealed.read_chain(entries)

    def secret(self, device):
        return sealed.private_key(bytes.fromhex(self.vectors["keys"][device]["secret"]))

    def lists(self):
        (ada, ada_hashes), (bob, bob_hashes) = self.chain("ada"), self.chain("bob")
        return [(ada[:2], ada_hashes[:2]), (bob[:2], bob_hashes[:2])]

    def opened(self, envelope, device="bobPhone", message_id=None):
        return sealed.open_message(
            envelope, self.message["conversation"], message_id or self.message["clientMsgID"], self.lists(), self.secret(device)
        )

    def test_the_chains_are_believed_and_their_hashes_are_the_documented_ones(self):
        for name, chain in self.vectors["chains"].items():
            self.assertEqual([one.hex() for one in self.chain(name)[1]], chain["hashes"])

    def test_an_entry_of_a_device_that_is_not_listed_is_not_believed(self):
        entries = copy.deepcopy(self.vectors["chains"]["bob"]["entries"])
        with self.assertRaises(sealed.Refused):
            sealed.read_chain([entries[0], entries[2]])
        entries[1]["devices"][1]["name"] = "mine"
        with self.assertRaises(sealed.Refused):
            sealed.read_chain(entries)

    def test_every_device_but_the_sending_one_opens_the_message(self):
        for device in self.message["recipients"]:
            self.assertEqual(self.opened(self.message["envelope"], device), self.message["content"])
        with self.assertRaisesRegex(sealed.Refused, "not for this device"):
            self.opened(self.message["envelope"], "adaPhone")

    def test_the_same_keys_and_randomness_make_the_same_bytes(self):
        message = self.message
        device = sealed.signing_key(bytes.fromhex(self.vectors["devices"][message["sender"]]["seed"]))
        made = sealed.seal(
            message["content"], message["conversation"], message["clientMsgID"], device, self.lists(),
            [self.vectors["keys"][one]["bundle"] for one in message["recipients"]], bytes.fromhex(message["key"]),
            [sealed.private_key(bytes.fromhex(one)) for one in message["ephemerals"]],
        )
        self.assertEqual(made, message["envelope"])

    def test_nothing_that_was_changed_opens(self):
        envelope = self.message["envelope"]
        changes = [
            lambda one: one["to"].pop(),
            lambda one: one["to"].reverse(),
            lambda one: one.update(list=[1, 0]),
            lambda one: one.update({"from": self.vectors["devices"]["adaLaptop"]["did"]}),
            lambda one: one.update(body=sealed.b64u(bytes([1]) + sealed.unb64u(one["body"])[1:])),
        ]
        for change in changes:
            with self.assertRaises(sealed.Refused):
                self.opened(changed(envelope, change))
        with self.assertRaises(sealed.Refused):
            self.opened(envelope, message_id="another")

    def test_media_are_the_documented_bytes(self):
        media = self.vectors["media"]
        plain = bytes(index * 7 % 251 for index in range(media["length"]))
        key, prefix = bytes.fromhex(media["key"]), bytes.fromhex(media["prefix"])
        made = sealed.seal_media(plain, key, prefix)
        self.assertEqual(made[:64].hex(), media["header"])
        self.assertEqual(hashlib.sha256(made).hexdigest(), media["sha256"])
        self.assertEqual(sealed.open_media(made, key, bytes.fromhex(media["sha256"])), plain)
        self.assertEqual(sealed.seal_media(b"", key, prefix).hex(), media["empty"])

    def test_the_safety_number_is_the_same_for_both(self):
        ada, bob, again = ((uid, self.chain(name)[1][0]) for uid, name in ((7, "ada"), (9, "bob"), (9, "bobRestarted")))
        for name, (one, other) in {"first": (ada, bob), "restarted": (again, ada)}.items():
            groups, code = sealed.safety_number(one, other)
            self.assertEqual({"groups": groups, "code": code}, self.vectors["numbers"][name])


if __name__ == "__main__":
    unittest.main()
