"""A hub's page while devices come and go, and a computer's log of what was done."""

import unittest

from household import Household
from real import RealTests


class HubTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("clipboard",)
    IS_CALM = False

    def figure(self, page, name):
        card = page.locator(".card", has=page.get_by_role("heading", name=name, exact=True)).first
        return card.inner_text()

    def test_figures_move_and_devices_are_listed(self):
        page = self.open("hub")
        self.sees(page, "Connections", "Frames a second", "Memory", "Processor")
        with_all = self.figure(page, "Connections")
        self.household.stop("phone")
        self.until(lambda: self.figure(page, "Connections") != with_all, page, "the connections stand still")
        self.household.start("phone")
        self.until(lambda: self.figure(page, "Connections") == with_all, page, "the phone does not come back")
        self.press(page, "Devices", role="link")
        self.sees(page, "2 connected")
        self.fill(page, "Search names, ids and addresses", self.household.said["desktop"]["deviceId"])
        self.sees(page, "1 of 2")
        self.menu(page, "More for this connection", "Disconnect")
        self.sees(page, "End this connection?")
        self.press(page, "Disconnect")
        self.sees(page, "Disconnected")
        self.fill(page, "Search names, ids and addresses", "")
        # It connects again by itself.
        self.until(lambda: self.again(page), page, "the computer does not come back")
        self.press(page, "Limits", role="link")
        self.fill(page, "Search limits", "limitConnections")
        self.sees(page, "Open connections")

    def again(self, page):
        self.press(page, "Look again")
        return page.get_by_text("2 connected").filter(visible=True).count() > 0

    def test_the_log_says_what_a_phone_did_and_what_its_owner_did(self):
        page = self.open("desktop", "#/audit")
        self.household.run("phone", "call", "system.ping")
        with self.assertRaises(Exception):
            self.household.run("phone", "call", "terminal.list")
        self.household.run("desktop", "devices", "allow", "display")
        self.household.run("desktop", "devices", "deny", "display")
        page.reload()
        self.sees(page, "Listed terminals", "not allowed", "Took back", "Accepted a phone")
        page.get_by_text("Refused", exact=True).first.click()
        self.sees_no(page, "Took back")
        self.sees(page, "Listed terminals")
        page.reload()
        self.sees(page, "Listed terminals")
        self.sees_no(page, "Took back")


if __name__ == "__main__":
    unittest.main()
