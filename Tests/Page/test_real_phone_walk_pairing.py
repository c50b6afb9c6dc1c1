"""Pairing that goes wrong, on a browser that is the phone: what test_real_pairing has of a program's page, over a hub with a certificate and a name."""

import base64
import unittest

import own_network
from test_real_pairing import PairingTests
from test_real_phone_walk import WalkCase


def altered(link, change):
    """A link whose bytes are others. Source: `docs/protocol.md` 2.3.7."""
    address, _, fragment = link.partition("#")
    data = bytearray(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)))
    change(data)
    return f"{address}#{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


class PairingWalk(WalkCase):
    @classmethod
    def options(cls):
        # As many codes come from one address as in the program's walks.
        return super().options() | PairingTests.options()

    def setUp(self):
        super().setUp()
        for device in self.household.json("desktop", "devices", "list")["devices"]:
            self.household.run("desktop", "devices", "forget", device["id"])

    def requests(self):
        return self.household.json("desktop", "pair", "requests")["requests"]

    def digits(self, *options):
        return self.household.json("desktop", "pair", "show", "--no-wait", *options)["code"]

    def at_link(self, link):
        page = self.blank()
        page.goto(link)
        self.press(page, "Pair")
        return page

    def at_digits(self, digits):
        page = self.blank()
        page.goto(f"{self.household.server.url}#/pair/code")
        PairingTests.type_digits(self, page, digits)
        return page

    def test_a_phone_that_gave_up_pairs_by_a_new_code(self):
        page = self.at_digits(self.digits())
        self.until(self.requests, page)
        self.press(page, "Cancel")
        self.sees(page, "Type the computer’s code")
        self.until(lambda: not self.requests(), page, "the phone's request is still there")
        PairingTests.type_digits(self, page, self.digits())
        self.accept()
        self.sees(page, "is paired")

    def test_six_digits_are_answered_with_a_number(self):
        page = self.at_digits(self.digits("--six-digits"))
        self.sees(page, "Type this number at the computer, where it asks for it")
        number = "".join(PairingTests.digits(self, page).split())
        [request] = self.until(self.requests, page)
        self.household.run("desktop", "pair", "accept", request["id"], "--number", number)
        self.sees(page, "Did the computer ask for this number?")
        self.press(page, "It did")
        self.sees(page, "is paired")

    def test_no(self):
        page = self.at_link(self.link())
        [request] = self.until(self.requests, page)
        self.sees(page, "Say yes at the computer when it asks", request["fingerprint"])
        self.household.run("desktop", "pair", "reject", request["id"])
        self.sees(page, "Try again", "declined")

    def test_digits_that_no_computer_shows(self):
        wrong = PairingTests.other(self.digits(), 0)
        page = self.at_digits(wrong)
        self.sees(page, "Try again", "computer")
        self.press(page, "Try again")
        self.assertEqual(page.get_by_label("Code", exact=True).input_value().replace(" ", ""), wrong, "what was typed is there to be mended")
        self.assertEqual(self.requests(), [])

    def test_one_wrong_digit(self):
        page = self.at_digits(PairingTests.other(self.digits(), -1))
        self.sees(page, "Try again", "digits")
        self.press(page, "Try again")
        PairingTests.type_digits(self, page, self.digits())
        self.sees(page, "Say yes at the computer when it asks")
        self.accept()
        self.sees(page, "is paired")

    def test_an_old_code(self):
        link = self.link()
        self.link()
        self.sees(self.at_link(link), "Try again", "expired")

    def test_a_link_that_was_used(self):
        link = self.link()
        first = self.at_link(link)
        self.accept()
        self.sees(first, "is paired")
        self.sees(self.at_link(link), "Try again")
        self.assertEqual(len(self.household.json("desktop", "devices", "list")["devices"]), 1)

    def test_a_code_that_was_altered(self):
        name = self.household.said["desktop"]["name"].encode()

        def change(data):
            at = data.index(name)
            data[at] ^= 1

        self.sees(self.at_link(altered(self.link(), change)), "Try again", "could not be verified")
        self.assertEqual(self.requests(), [])

    def test_a_code_whose_time_is_another(self):
        def change(data):
            data[6:12] = (int.from_bytes(data[6:12], "big") - 400_000).to_bytes(6, "big")

        page = self.at_link(altered(self.link(), change))
        self.sees(page, "The clocks differ")
        self.accept()
        self.sees(page, "is paired")

    def test_forgotten_on_the_phone(self):
        page = self.paired()
        self.go(page, "#/computers")
        self.menu(page, "More for this computer", "Forget")
        self.sees(page, "It can no longer be used from here")
        self.press(page, "Forget", within=page.get_by_role("dialog"))
        self.sees(page, "No computer yet")
        self.until(lambda: not self.household.json("desktop", "devices", "list")["devices"], page, "the computer was not told")

    def test_forgotten_on_the_computer(self):
        page = self.paired("terminal")
        self.at(page, "terminal")
        self.sees(page, "No terminal runs")
        self.household.run("desktop", "devices", "forget", self.did)
        self.sees(page, "This computer is not paired any more", "It was forgotten, here or at the computer")

    def test_what_is_allowed_and_denied_is_seen_at_once(self):
        page = self.paired()
        for tab, right, name, shown in (("terminal", "terminal", "Terminal", "No terminal runs"), ("files", "file.read", "Read files", "folder"), ("clipboard", "clipboard", "Clipboard", "Not fetched yet")):
            self.at(page, tab)
            if tab == "clipboard":
                self.press(page, "Fetch")
            self.sees(page, "Not allowed yet", f"turn on “{name}”")
            self.household.run("desktop", "devices", "allow", self.did, right)
            self.sees_no(page, "Not allowed yet")
            self.household.run("desktop", "devices", "deny", self.did, right)
            self.sees(page, "Not allowed yet")


class NetworkTests(own_network.NetworkTests):
    CASES = (PairingWalk,)


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
