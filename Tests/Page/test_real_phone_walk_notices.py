"""Notifications on a browser that is the phone: what test_real_notifications has of a program's page, over a hub with a certificate and a name."""

import signal
import subprocess
import unittest

import own_network
import test_real_notifications as programs
from browser import PHONE
from phone_case import NO_PICKERS
from real import PATIENCE
from sessionbus import SessionBus
from test_real_phone_walk import WalkCase


class NoticeWalk(WalkCase):
    """Goes before a class of the program's walks: its phones are browsers, each paired once, and each has one page at a time."""

    RIGHTS = None

    @classmethod
    def options(cls):
        options = super().options()
        cls.bus = cls.enterClassContext(SessionBus(cls.screen.environment))
        cls.contexts = []
        return options | {"environment": cls.bus.environment}

    def setUp(self):
        super().setUp()
        self.open_pages = []
        self.cleared()
        self.phone(0).close()
        for context in self.contexts:
            self.household.run("desktop", "devices", "deny", context.did, "notification.act")

    def phone(self, number):
        """A page of this phone, which is paired the first time."""
        while number >= len(self.contexts):
            context = self.browser.context(size=PHONE, service_workers="allow", permissions=["notifications"])
            context.add_init_script(NO_PICKERS)
            context.add_init_script(programs.COUNTED)
            page = self.browser.opened(context)
            page.goto(self.link())
            self.press(page, "Pair")
            context.did = self.accept()["did"]
            self.sees(page, "is paired")
            self.household.run("desktop", "devices", "allow", context.did, "notification.all")
            type(self).computer = self.household.said["desktop"]["deviceId"]
            page.close()
            self.contexts.append(context)
        page = self.browser.opened(self.contexts[number])
        self.addCleanup(page.close)
        return page

    def tab_of(self, computer=None, size=PHONE):
        page = self.phone_at(f"#/computers/{computer or self.computer}/notifications")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_selector(".notice, .notice-list .empty, .refused", timeout=PATIENCE * 1000)
        self.open_pages.append(page)
        return page

    def phone_at(self, hash):
        page = self.phone(len(self.open_pages))
        page.goto(f"{self.household.server.url}{hash}", wait_until="domcontentloaded")
        return page

    def phone_goes(self):
        self.open_pages.pop().close()

    def phone_comes(self):
        self.tab_of()

    def reads(self, page, title):
        # Nothing hovers under a finger.
        self.opened(page, title)
        self.closed_sheet(page)

    def cleared(self):
        self.household.run("desktop", "notifications", "clear")
        self.household.until(lambda: not self.listed("desktop"))

    def phone_name(self):
        return self.household.json("desktop", "devices", "list")["devices"][0]["name"]

    def phone_reads_all(self):
        self.household.run("desktop", "notifications", "read", "--all")

    def phone_has_all(self, count):
        self.household.until(lambda: len(self.listed("desktop")) == count)

    def phone_has_only(self, *titles):
        """Its page shows none, which the walk looks at."""


class SharedWalk(NoticeWalk, programs.SharedTests):
    """Two phones and the computer's page."""

    # A page that is away has no program that goes on for it: below.
    test_a_mark_of_all_leaves_what_the_person_has_not_seen = None
    test_marks_made_while_the_computer_is_dead_wait_and_arrive = None
    # Counts requests to a program.
    test_a_burst_costs_no_page_more_rows_than_it_has = None
    # With one phone: below.
    test_the_computer_says_which_phones_have_one_and_when = None


class SettingsWalk(NoticeWalk, programs.SettingsTests):
    def test_the_computer_says_which_phones_have_one_and_when(self):
        self.tab_of()
        programs.SharedTests.test_the_computer_says_which_phones_have_one_and_when(self)


class ActingWalk(NoticeWalk, programs.ActingTests):
    pass


class RightWalk(NoticeWalk, programs.NotificationCase):
    def test_the_right_is_taken_away_and_given_back(self):
        page = self.tab_of()
        did = self.contexts[0].did
        self.bus.notify("Mail", "Before")
        self.has("Before", page)
        self.household.run("desktop", "devices", "deny", did, "notification")
        self.sees(page, "not allowed")
        self.has_not("Before", page)
        self.bus.notify("Mail", "Meanwhile")
        self.phone_has_all(2)
        self.household.run("desktop", "devices", "allow", did, "notification.all")
        self.has("Before", page)
        self.has("Meanwhile", page)

    def test_forgotten_with_a_sheet_open(self):
        page = self.tab_of()
        self.bus.notify("Mail", "The last one")
        self.has("The last one", page)
        self.opened(page, "The last one")
        self.household.run("desktop", "devices", "forget", self.contexts.pop().did)
        self.sees(page, "This computer is not paired any more")
        self.until(lambda: page.get_by_text("The last one").count() == 0, page, "what it said stays")
        self.until(lambda: not page.title().startswith("("), page, "the title keeps its number")


class AwayWalk(NoticeWalk, programs.NotificationCase):
    """What a person marks while nothing gets through."""

    def test_a_mark_of_all_leaves_what_the_person_has_not_seen(self):
        page = self.tab_of()
        self.bus.notify("Mail", "Seen")
        self.has("Seen", page)
        server = self.household.server
        self.addCleanup(setattr, server, "is_away", False)
        server.is_away = True
        server.cut()
        self.bus.notify("Mail", "Not seen")
        self.phone_has_all(2)
        self.menu_of(page, "Mark all read")
        self.is_unread("Seen", False, page)
        self.assertEqual(page.evaluate(programs.TITLES), ["Seen"])
        server.is_away = False
        self.has("Not seen", page)
        self.is_unread("Not seen", True, page)
        self.household.until(lambda: [(each["title"], each["read"]) for each in self.listed("desktop")] == [("Not seen", False), ("Seen", True)])

    def test_marks_made_while_the_computer_is_dead_wait_and_arrive(self):
        page = self.tab_of()
        for title in ("To read", "To delete", "To leave"):
            self.bus.notify("Mail", title)
            self.has(title, page)
        self.household.stop("desktop", signal.SIGKILL)
        self.sees(page, "Not reached at the moment", seconds=PATIENCE * 2)
        self.reads(page, "To read")
        self.row(page, "To delete").locator(".notice-main").focus()
        page.keyboard.press("Delete")
        self.sees(page, "2 changes are queued", seconds=PATIENCE * 2)
        # What waits is in the browser's database.
        self.phone_goes()
        page = self.tab_of()
        self.is_unread("To read", False, page)
        self.has_not("To delete", page)
        self.household.start("desktop")
        self.sees_no(page, "queued", seconds=PATIENCE * 2)
        self.is_unread("To leave", True, page)
        self.household.until(lambda: [(each["title"], each["read"]) for each in self.listed("desktop")] == [("To leave", False), ("To read", True)])


class ServiceWalk(NoticeWalk, programs.ServiceTests):
    @classmethod
    def options(cls):
        options = super().options()
        cls.bus.start("dunst", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return options


class NetworkTests(own_network.NetworkTests):
    CASES = (SharedWalk, SettingsWalk, ActingWalk, RightWalk, AwayWalk, ServiceWalk)


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
