"""Pairing in every way, a phone's page and a computer's against each other: what both screens say, and what to do next."""

import json
import time
import unittest

from real import RealTests, film


class PairingTests(RealTests):
    IS_CALM = False

    @classmethod
    def options(cls):
        # All codes come from one address here, more in a minute than the servers let somebody who guesses try.
        return {"servers": {f"limit{whose}Aliases{burst}": 1000 for whose in ("Socket", "Address") for burst in ("", "Burst")}}

    @classmethod
    def arguments(cls):
        cls.film = cls.folder / "camera.y4m"
        cls.before_the_camera(None)
        return ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={cls.film}"]

    @classmethod
    def before_the_camera(cls, picture):
        film(picture or "xc:gray", cls.film)

    def setUp(self):
        self.addCleanup(self.unpaired)
        self.words = {role: self.household.said[role]["fingerprint"] for role in ("desktop", "phone")}

    def devices(self, role):
        return json.loads(self.household.run(role, "devices", "list", "--role", role, "--json"))["devices"]

    def unpaired(self):
        # One side forgets and the other is told: both at once would cross, and the second word reach the next test's pairing.
        was_paired = [self.household.run("desktop", "devices", "forget", device["id"]) for device in self.devices("desktop")]
        ends = time.monotonic() + 10
        while was_paired and self.devices("phone") and time.monotonic() < ends:
            time.sleep(0.05)
        for device in self.devices("phone"):
            self.household.run("phone", "devices", "forget", device["id"], "--role", "phone")
        # A request or a code that a test left is not the next one's.
        for request in json.loads(self.household.run("desktop", "pair", "requests", "--json"))["requests"]:
            self.household.run("desktop", "pair", "reject", request["id"])
        self.household.run("desktop", "pair", "show", "--text", "--no-wait")

    def computer_shows(self, **options):
        page = self.open("desktop", **options)
        self.press(page, "Pair", role="link", exact=False)
        self.sees(page, "Scan this with the phone", "Nobody asks yet")
        return page

    def phone_way(self, way, **options):
        page = self.open("phone", **options)
        self.press(page, "Pair", role="link", exact=False)
        self.sees(page, "Scan the computer’s code")
        if way != "Scan":
            page.get_by_text(way, exact=True).first.click()
        return page

    def digits(self, page):
        """The digits that stand on the screen, as a person reads them off."""
        element = page.locator(".digits").filter(visible=True).first
        self.act(page, "digits", element.wait_for)
        return element.inner_text()

    def type_digits(self, phone, digits):
        self.fill(phone, "Code", digits)
        self.press(phone, "Pair")

    def asks(self, computer, phone):
        """The phone's request on both screens, with the words that are to be compared."""
        self.sees(computer, "asks to be paired", "The phone must show the same words", self.words["phone"])
        self.sees(phone, "Say yes at the computer when it asks", "The computer shows these words of this phone’s key", self.words["phone"])

    def test_opening_and_loading_the_page_keeps_the_code(self):
        shown = json.loads(self.household.run("desktop", "pair", "show", "--json", "--no-wait"))["code"]
        page = self.computer_shows()
        read = lambda: "".join(self.digits(page).split())
        self.assertEqual(read(), shown, "what a terminal showed is good still")
        page.reload()
        self.assertEqual(read(), shown)
        self.press(page, "Phones", role="link")
        self.sees_no(page, "Scan this with the phone")
        self.press(page, "Pair", role="link", exact=False)
        self.assertEqual(read(), shown)
        self.press(page, "New code")
        self.until(lambda: page.locator(".digits").count() == 1 and read() != shown, page, "a press makes another")

    def is_paired(self, computer, phone):
        self.sees(phone, "is paired", self.words["desktop"], "What this phone may do there is decided at the computer")
        self.sees(computer, "is paired", self.words["phone"], "What it may do")

    # The computer shows, the phone reads

    def test_digits(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        self.type_digits(phone, self.digits(computer))
        self.asks(computer, phone)
        self.sees(phone, "left")
        self.press(computer, "Accept")
        self.is_paired(computer, phone)
        self.press(phone, "Open", role="link")
        self.tab(phone, "Terminal")
        self.sees(phone, "Not allowed yet", "turn on “Terminal”")
        self.press(computer, "What it may do", role="link")
        self.sees(computer, "Words of its key. The phone shows the same.", self.words["phone"])

    def test_picture(self):
        computer, phone = self.computer_shows(), self.phone_way("Scan")
        self.give(phone, "Choose a picture", self.picture_of(computer, "Code of this computer, to be scanned by a phone"))
        self.asks(computer, phone)
        self.switch(computer, "Clipboard", True)
        self.press(computer, "Accept")
        self.is_paired(computer, phone)
        self.press(phone, "Open", role="link")
        self.press(phone, "Clipboard", role="link")
        self.sees(phone, "Not fetched yet")

    def test_camera(self):
        computer = self.computer_shows()
        self.before_the_camera(self.picture_of(computer, "Code of this computer, to be scanned by a phone"))
        phone = self.phone_way("Scan", permissions=["camera"])
        self.press(phone, "Open the camera")
        self.asks(computer, phone)
        self.press(computer, "Accept")
        self.is_paired(computer, phone)

    # The phone shows, the computer reads

    def phone_shows(self):
        phone = self.phone_way("Show mine")
        self.press(phone, "Show my code")
        self.sees(phone, "Scan this at the computer", "choose “Pair”, then “Scan a phone”", self.words["phone"])
        return phone

    def computer_scans(self, **options):
        computer = self.open("desktop", **options)
        self.press(computer, "Pair", role="link", exact=False)
        computer.get_by_text("Scan a phone", exact=True).first.click()
        self.sees(computer, "Scan the phone’s code", "choose “Pair”, then “Show mine”")
        return computer

    def test_phones_code_by_picture(self):
        phone, computer = self.phone_shows(), self.computer_scans()
        self.give(computer, "Choose a picture", self.picture_of(phone, "Code of this phone, to be scanned by a computer"))
        self.sees(computer, self.household.said["phone"]["name"], "Choose what it may do from the start, then pair")
        self.switch(computer, "Terminal", True)
        self.press(computer, "Pair", within=computer.get_by_role("main"))
        self.is_paired(computer, phone)
        self.press(phone, "Open", role="link")
        self.tab(phone, "Terminal")
        self.sees(phone, "No terminal runs")

    def test_phones_code_by_camera(self):
        phone = self.phone_shows()
        self.before_the_camera(self.picture_of(phone, "Code of this phone, to be scanned by a computer"))
        computer = self.computer_scans(permissions=["camera"])
        self.press(computer, "Open the camera")
        self.sees(computer, "Choose what it may do from the start, then pair")
        self.press(computer, "Pair", within=computer.get_by_role("main"))
        self.is_paired(computer, phone)

    # What goes wrong

    def test_a_phone_that_gave_up_pairs_by_a_new_code(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        used = self.digits(computer)
        self.type_digits(phone, used)
        self.asks(computer, phone)
        self.press(phone, "Cancel")
        self.sees(phone, "Type the computer’s code")
        # The phone takes its request back: nobody has to decide about it.
        self.sees(computer, "took its request back", "Nobody asks yet")
        self.press(computer, "New code")
        self.until(lambda: self.digits(computer) != used, computer, "no new code")
        self.type_digits(phone, self.digits(computer))
        self.asks(computer, phone)
        self.press(computer, "Accept")
        self.is_paired(computer, phone)

    def test_six_digits_are_answered_with_a_number(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        computer.get_by_text("Other kinds of code").click()
        self.switch(computer, "Six digits", True)
        self.until(lambda: len(self.digits(computer)) == 7, computer, "no six digits")
        self.type_digits(phone, self.digits(computer))
        self.sees(phone, "Type this number at the computer, where it asks for it", self.words["phone"])
        number = self.digits(phone)
        self.sees(computer, "asks to be paired", "Number that the phone shows")
        self.press(computer, "Accept")
        self.sees(computer, "That is not a number of six digits")
        self.fill(computer, "Number that the phone shows", number)
        self.press(computer, "Accept")
        self.sees(phone, "Did the computer ask for this number?")
        self.press(phone, "It did")
        self.is_paired(computer, phone)

    def test_no(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        self.type_digits(phone, self.digits(computer))
        self.asks(computer, phone)
        self.press(computer, "Refuse")
        self.sees(computer, "was refused", "Nobody asks yet")
        self.sees(phone, "Try again", "declined")
        self.sees_no(phone, "Say yes at the computer")

    def test_digits_that_no_computer_shows(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        wrong = self.other(self.digits(computer), 0)
        self.type_digits(phone, wrong)
        self.sees(phone, "Try again", "computer")
        self.press(phone, "Try again")
        self.assertEqual(phone.get_by_label("Code", exact=True).input_value(), wrong, "what was typed is there to be mended")
        self.sees(computer, "Nobody asks yet")

    def test_one_wrong_digit(self):
        computer, phone = self.computer_shows(), self.phone_way("Type a code")
        digits = self.digits(computer)
        self.type_digits(phone, self.other(digits, -1))
        self.sees(phone, "Try again", "digits")
        self.sees(computer, "A wrong code was typed", "If nobody mistyped them, somebody may be interfering")
        self.assertNotEqual(self.digits(computer), digits, "a code is good for one try")
        self.press(phone, "Try again")
        self.type_digits(phone, self.digits(computer))
        self.asks(computer, phone)
        self.press(computer, "Accept")
        self.is_paired(computer, phone)

    @staticmethod
    def other(digits, at):
        letters = list(digits)
        letters[at] = str((int(letters[at]) + 1) % 10)
        return "".join(letters)

    def test_an_old_code(self):
        computer, phone = self.computer_shows(), self.phone_way("Scan")
        code = self.household.run("desktop", "pair", "show", "--text", "--no-wait")
        self.household.run("desktop", "pair", "show", "--text", "--no-wait")
        self.give(phone, "Choose a picture", self.code_picture(phone, code))
        self.sees(phone, "Try again", "expired")

    def test_a_code_that_was_altered(self):
        computer, phone = self.computer_shows(), self.phone_way("Scan")
        code = json.loads(self.household.run("desktop", "pair", "show", "--text", "--json-code", "--no-wait"))
        code["deviceInfo"]["name"] = "another"
        self.give(phone, "Choose a picture", self.code_picture(phone, json.dumps(code)))
        self.sees(phone, "Try again", "could not be verified")

    def test_a_code_whose_time_is_another(self):
        # Its computer ends a code by its own clock; what the phone reads there is only told to its person.
        computer, phone = self.computer_shows(), self.phone_way("Scan")
        code = json.loads(self.household.run("desktop", "pair", "show", "--text", "--json-code", "--no-wait"))
        code["timestamp"] -= 400_000
        self.give(phone, "Choose a picture", self.code_picture(phone, json.dumps(code)))
        self.sees(phone, "The clocks differ")
        self.asks(computer, phone)
        self.press(computer, "Accept")
        self.is_paired(computer, phone)

    def test_pictures_that_are_no_code_of_a_computer(self):
        phone = self.phone_way("Scan")
        blank = self.folder / "blank.png"
        blank.write_bytes(phone.screenshot())
        self.give(phone, "Choose a picture", blank)
        self.sees(phone, "There is no code in this picture", "Take it straight from the front")
        self.give(phone, "Choose a picture", self.code_picture(phone, "https://example.org"))
        self.sees(phone, "Try again")
        self.press(phone, "Try again")
        self.sees(phone, "Scan the computer’s code")

    def test_a_camera_that_is_denied(self):
        for page in (self.phone_way("Scan"), self.computer_scans()):
            self.press(page, "Open the camera")
            self.sees(page, "The camera is not allowed", "Allow it for this page at the symbol beside the address")
            page.get_by_role("button", name="Choose a picture").wait_for()

    # Forgetting

    def test_forgotten_on_the_phone(self):
        self.household.pair()
        phone, computer = self.open("phone"), self.open("desktop", "#/phones")
        self.sees(computer, "1 paired phone")
        self.menu(phone, "More for this computer", "Forget")
        self.sees(phone, "It can no longer be used from here")
        self.press(phone, "Forget", within=phone.get_by_role("dialog"))
        self.sees(phone, "No computer yet")
        self.sees(computer, "No phone yet")

    def test_forgotten_on_the_computer(self):
        self.household.pair("terminal")
        phone, computer = self.open("phone"), self.open("desktop", "#/phones")
        self.sees(phone, "1 paired computer")
        self.press(phone, self.household.said["desktop"]["name"], role="link", exact=False)
        self.tab(phone, "Terminal")
        self.sees(phone, "No terminal runs")
        self.press(computer, self.household.said["phone"]["name"], role="link", exact=False)
        self.press(computer, "Forget", exact=False)
        self.sees(computer, "It can do nothing here any more")
        self.press(computer, "Forget", within=computer.get_by_role("dialog"))
        self.sees(computer, "No phone yet")
        self.sees(phone, "This computer is not paired any more", "It was forgotten, here or at the computer")


if __name__ == "__main__":
    unittest.main()
