"""An account from its invitation to its end: the page of a hub's operator, a phone's page, and people who use other programs."""

import json
import unittest
import urllib.error
import urllib.request

from browser import PHONE
from real import RealTests

PASSWORD = "staple battery horse"


class Person:
    """Somebody who speaks to the hub with a program of their own."""

    def __init__(self, address, name, **login):
        self.address = address
        self.token = None
        answer = self.post("/account/register" if "invitation" in login else "/account/login",
                           {"name": name, "password": PASSWORD, "device": {"name": f"{name}’s client", "platformID": 7}, **login})
        self.id, self.token = answer["userID"], answer["accessToken"]

    def post(self, path, body):
        request = urllib.request.Request(self.address + path, method="POST", data=json.dumps(body).encode())
        if self.token:
            request.add_header("token", self.token)
        with urllib.request.urlopen(request, timeout=30) as answer:
            told = json.load(answer)
        if told["errCode"]:
            raise AssertionError(f"{path}: {told}")
        return told["data"]

    def is_refused(self):
        try:
            self.post("/account/me", {})
        except urllib.error.HTTPError as error:
            return error.code in (401, 403)
        return False


class AccountTests(RealTests):
    NEEDS_CHROMIUM = False
    # A camera that is not there is said on the console.
    IS_CALM = False

    def setUp(self):
        self.address = self.hub = self.household.said["hub"]["url"].replace("ws://", "http://").rstrip("/")

    # What is on the pages

    def invite(self, page, people):
        """Makes an invitation on the hub's page: its picture and its digits."""
        self.go(page, "#/people/invitations")
        self.press(page, "Invite")
        self.fill(page, "How many people", str(people))
        self.press(page, "Make it")
        self.sees(page, "Shown this once", "Link")
        code = page.locator(".invitation-code").inner_text()
        picture = self.picture_of(page, "Invitation to this hub, to be scanned by a phone")
        self.press(page, "Done")
        return picture, "".join(code.split())

    def come(self, page, picture, name, nickname):
        """Makes an account on the phone's page, by a picture of the invitation."""
        self.go(page, "#/settings")
        self.press(page, "No account yet", role="link", exact=False)
        self.press(page, "Scan")
        self.give(page, "Choose a picture", picture)
        self.sees(page, f"Invited to {self.hub}")
        self.fill(page, "Account name", name)
        self.fill(page, "Nickname", nickname)
        self.press(page, "Make the account")
        self.sees(page, f"Welcome, {nickname}", "This phone", f"{name} at {self.hub}")

    def leave(self, page, name):
        self.go(page, "#/account")
        self.press(page, "Delete the account", exact=False)
        self.fill(page, f"Type {name} to delete it", name)
        self.press(page, "Delete the account", within=page.locator("dialog"))
        self.sees(page, "is deleted")

    # The walks

    def test_an_invitation_becomes_an_account_with_devices_and_an_end(self):
        hub, phone = self.open("hub"), self.open("phone")
        picture, code = self.invite(hub, 2)
        self.sees(hub, "0 of 2 people came")
        self.come(phone, picture, "ada", "Ada")
        self.go(hub, "#/people")
        self.sees(hub, "Ada")

        # The nickname, and a second way in.
        self.press(phone, "Change the nickname")
        self.fill(phone, "Nickname", "Ada Lovelace")
        self.press(phone, "Save")
        self.sees(phone, "Your nickname was changed", "Ada Lovelace")
        self.press(phone, "Set a password", exact=False)
        self.fill(phone, "New password", PASSWORD)
        self.press(phone, "Save")
        self.sees(phone, "The password is set", "Change the password")

        # Another device signs in by it, is seen, and is signed out from the phone.
        other = Person(self.address, "ada")
        phone.reload()
        self.sees(phone, "ada’s client")
        self.press(phone, "Sign out ada’s client")
        self.press(phone, "Sign it out", within=phone.locator("dialog"))
        self.sees(phone, "ada’s client was signed out")
        self.assertTrue(other.is_refused())

        # Out and in again by the key; a wrong hub and an account that is there already are said where they belong.
        self.press(phone, "Sign out of the account", exact=False)
        self.press(phone, "Sign out of the account", within=phone.locator("dialog"))
        self.sees(phone, "Signed out at", "Your account is still there")
        self.fill(phone, "Link of the invitation", f"tandem-account://join?hub={self.household.said['hub']['url'].replace('://', '%3A%2F%2F')}&c={code}")
        self.fill(phone, "Account name", "grace")
        self.press(phone, "Make the account")
        self.sees(phone, "opens another account at this hub already")
        phone.get_by_text("Sign in", exact=True).first.click()
        self.press(phone, "Sign in")
        self.sees(phone, "Welcome, Ada Lovelace", "This phone")

        self.leave(phone, "ada")
        self.go(hub, "#/people")
        self.press(hub, "Look again")
        self.sees_no(hub, "Ada")

    def test_a_report_is_handled_and_its_person_suspended(self):
        hub = self.open("hub")
        _, code = self.invite(hub, 2)
        carl, bob = (Person(self.address, name, invitation=code) for name in ("carl", "bob"))
        conversation = "si_" + "_".join(sorted((carl.id, bob.id), key=lambda each: int(each.removeprefix("tb_"))))
        carl.post("/msg/send_msg", {"sendID": carl.id, "recvID": bob.id, "senderPlatformID": 7, "content": {"content": "Buy now!!!"}, "contentType": 101, "sessionType": 1, "clientMsgID": "m-1"})
        bob.post("/chat/report", {"conversation_id": conversation, "client_msg_id": "m-1", "reason": "He sells things."})
        self.go(hub, "#/load")
        self.sees(hub, "Messages a second", "1 in all", "Database of messages")
        self.go(hub, "#/people/reports")
        self.sees(hub, "Buy now!!!", "He sells things.", "carl", "By")
        self.press(hub, "Suspend")
        self.press(hub, "Suspend", within=hub.locator("dialog"))
        self.sees(hub, "carl is suspended", "Nothing was reported")
        self.assertTrue(carl.is_refused())
        hub.get_by_text("Looked at", exact=True).first.click()
        self.sees(hub, "Buy now!!!")
        self.go(hub, "#/people")
        self.sees(hub, "Suspended")
        hub.locator(".person-row", has_text="carl").first.click()
        self.press(hub, "Let it go on", exact=False)
        self.press(hub, "Let it go on", within=hub.locator("dialog"))
        self.sees(hub, "carl can sign in again")
        Person(self.address, "carl")

    def test_an_invitation_that_was_taken_back_is_good_for_nobody(self):
        hub, phone = self.open("hub", size=PHONE), self.open("phone")
        _, code = self.invite(hub, 1)
        self.press(hub, "Take it back")
        self.press(hub, "Take it back", within=hub.locator("dialog"))
        self.sees(hub, "The invitation is void")
        self.go(phone, "#/account")
        self.fill(phone, "Address of the hub", self.household.said["hub"]["url"])
        self.fill(phone, "Code of the invitation", code)
        self.fill(phone, "Account name", "eve")
        self.press(phone, "Make the account")
        self.sees(phone, "This invitation is not known there")


if __name__ == "__main__":
    unittest.main()
