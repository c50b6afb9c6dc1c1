"""The page's wire modules, as a phone in Node, against a real hub and a real computer."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))
from browserless import Pair, Refused  # noqa: E402


class PairingTests(unittest.TestCase):
    """Each test with a phone of a key of its own, at one hub and one computer."""

    @classmethod
    def setUpClass(cls):
        cls.pair = cls.enterClassContext(Pair())

    def setUp(self):
        self.phone = self.pair.phone = self.pair.new_phone()

    def ends(self, act, name):
        """What ends an order that was begun."""
        with self.assertRaises(Refused) as caught:
            self.phone(act, name=name)
        return caught.exception.code, caught.exception.reason

    def test_a_scanned_code_pairs_and_a_reload_stays_paired(self):
        record = self.pair.pair_phone()
        self.assertEqual([record["id"], record["did"], record["name"]], [self.pair.said["desktop"][name] for name in ("deviceId", "did", "name")])
        self.assertEqual(record["words"], self.pair.said["desktop"]["fingerprint"])
        self.assertTrue(self.phone("call", id=record["id"], method="system.ping")["pong"])
        self.assertTrue(self.phone("computers")[0]["isConfirmed"])
        self.assertEqual(self.phone("open", home=self.pair.said["hub"]["url"]), {**self.phone.opened, "computers": 1})
        self.assertTrue(self.phone("call", id=record["id"], method="system.ping")["pong"])

    def test_a_link_pairs_as_the_code_that_it_was_made_of(self):
        self.phone("scan", text=self.phone("linkOf", text=self.pair.code(), origin=self.pair.said["hub"]["url"].replace("ws", "http", 1)))
        self.pair.accept()
        self.assertEqual(self.phone("finish", name="scan")["id"], self.pair.said["desktop"]["deviceId"])

    def test_a_person_who_says_no(self):
        self.phone("scan", text=self.pair.code())
        request = self.pair.until(lambda: self.pair.json("desktop", "pair", "requests")["requests"])[0]
        self.pair.run("desktop", "pair", "reject", request["id"])
        self.assertEqual(self.ends("finish", "scan"), ("refused", "declined"))

    def test_a_code_is_good_for_one_use(self):
        code = self.pair.code()
        self.phone("scan", text=code)
        self.pair.accept()
        self.phone("finish", name="scan")
        self.phone = self.pair.new_phone()
        self.phone("scan", text=code)
        self.assertEqual(self.ends("finish", "scan"), ("expired", "shownCodeExpired"))

    def test_a_question_is_taken_back(self):
        self.phone("abortScan", text=self.pair.code())
        self.pair.until(lambda: self.pair.json("desktop", "pair", "requests")["requests"])
        self.phone("abort")
        self.assertEqual(self.ends("finish", "scan")[0], "cancelled")
        self.pair.until(lambda: not self.pair.json("desktop", "pair", "requests")["requests"])

    def test_ten_digits_pair(self):
        digits = self.pair.digits()
        self.phone("type", digits=digits)
        self.pair.accept()
        self.assertEqual(self.phone("finish", name="type")["id"], self.pair.said["desktop"]["deviceId"])
        self.phone("ready", id=self.pair.computer)
        self.assertEqual([item["state"] for item in self.phone("progress")], ["identified", "waiting", "waiting"])

    def test_six_digits_pair_once_the_number_is_compared(self):
        self.phone("type", digits=self.pair.digits("--six-digits"))
        number = self.pair.until(lambda: next((item["number"] for item in self.phone("progress") if item["state"] == "compare"), None))
        self.pair.accept("--number", number)
        self.assertEqual(self.phone("finish", name="type")["id"], self.pair.said["desktop"]["deviceId"])

    def test_wrong_digits_end_in_a_refusal(self):
        digits = self.pair.digits()
        self.phone("type", digits=digits[:9] + str((int(digits[9]) + 1) % 10))
        self.assertEqual(self.ends("finish", "type"), ("refused", "wrongCode"))

    def test_digits_that_nobody_shows(self):
        self.phone("type", digits="1000000000")
        self.assertEqual(self.ends("finish", "type"), ("not-found", "codeNotShown"))

    def test_a_code_of_the_phones_own(self):
        text = self.phone("show")
        self.pair.run("desktop", "pair", "scan", "--text", "-", input=text)
        record = self.phone("finish", name="show")
        self.phone("ready", id=record["id"])
        self.assertTrue(self.phone("computers")[0]["isConfirmed"])

    def test_a_code_of_the_phones_own_that_was_taken_back(self):
        text = self.phone("show")
        self.phone("hide")
        self.assertEqual(self.ends("finish", "show"), ("expired", "codeWithdrawn"))
        with self.assertRaisesRegex(Exception, "expired"):
            self.pair.run("desktop", "pair", "scan", "--text", "-", input=text)

    def test_a_computer_that_forgets_the_phone_ends_it_at_once(self):
        record = self.pair.pair_phone()
        self.pair.run("desktop", "devices", "forget", self.phone.opened["did"])
        self.assertEqual(self.phone("waitForEnd")["value"], {"id": record["id"], "reason": "forgotten"})
        self.assertEqual(self.phone("computers"), [])

    def test_a_computer_that_forgot_the_phone_while_it_was_away_says_so(self):
        record = self.pair.pair_phone()
        self.phone("pause")
        self.pair.run("desktop", "devices", "forget", self.phone.opened["did"])
        self.phone("resume")
        self.assertEqual(self.phone("waitForEnd")["value"], {"id": record["id"], "reason": "forgotten"})

    def test_a_phone_that_forgets_the_computer_tells_it(self):
        record = self.pair.pair_phone()
        self.assertTrue(self.phone("forget", id=record["id"]))
        listed = lambda: [device for device in self.pair.json("desktop", "devices", "list")["devices"] if device["id"] == self.phone.opened["did"]]  # noqa: E731
        self.pair.until(lambda: not listed())


if __name__ == "__main__":
    unittest.main()
