"""Conversations on a browser that is the phone, over a hub with a certificate and a name: with a coding agent, and with people, whose accounts begin and end there;
and the browser's own notifications. They are the walks of a program's page."""

import unittest

import own_network
import test_real_account
import test_real_chat
import test_real_notifications
import test_real_threads
from browser import PHONE
from phone_network import HUB, SecurePlace
from test_real_phone_walk import WalkCase
from test_real_phone_walk_notices import NoticeWalk


class ThreadTalk(WalkCase, test_real_threads.ThreadTests):
    """A browser and the computer's own page."""

    NEEDS_CHROMIUM = True
    RIGHTS = None

    # In test_real_phone_walk, in one.
    test_goes_on_after_the_computer_began_anew = None
    test_answers_and_searches = None

    def setUp(self):
        super().setUp()
        self.computer = self.household.said["desktop"]["deviceId"]

    def open(self, role, hash="", **options):
        if role != "phone":
            return super().open(role, hash, **options)
        page = self.paired("threads")
        self.addCleanup(self.household.run, "desktop", "devices", "forget", self.did)
        self.go(page, hash)
        return page


class BannerTalk(NoticeWalk, test_real_notifications.BrowserTests):
    """The browser's own notifications."""

    def origin(self):
        return f"https://{HUB}"

    def listed(self, _role):
        return super().listed("desktop")

    def allowed(self, hash="#/settings", context=None, scripts=()):
        if context:
            # A second page in the same browser is not the phone.
            page = self.browser.opened(context)
            self.addCleanup(page.close)
            page.goto(f"{self.household.server.url}{hash}", wait_until="domcontentloaded")
            self.sees(page, "Tandem is open in another tab")
            return page
        page = self.phone_at(hash)
        page.wait_for_selector("#app:not([aria-busy])")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        return page

    def forget_phone(self):
        self.household.run("desktop", "devices", "forget", self.contexts[0].did)

    def pair_again(self, page):
        self.go(page, "#" + self.link().partition("#")[2])
        self.press(page, "Pair")
        self.contexts[0].did = self.accept()["did"]
        self.sees(page, "is paired")
        self.household.run("desktop", "devices", "allow", self.contexts[0].did, "notification.all")
        self.go(page, "#/computers")


class NamedPlace(SecurePlace):
    """Its invitations name the port at which the page is."""

    def __init__(self, **options):
        super().__init__(**options)
        self.options["hub"] = tuple(f"{HUB}:443" if each == HUB else each for each in self.options["hub"])


class AccountTalk(WalkCase, test_real_account.AccountTests):
    """The hub's page, and a browser that comes to an account there."""

    HOUSEHOLD = NamedPlace
    NEEDS_CHROMIUM = True

    # No phone has a part in it.
    test_a_report_is_handled_and_its_person_suspended = None

    def setUp(self):
        super().setUp()
        # The second as a page says it.
        self.address, self.hub = f"https://{HUB}", HUB

    def open(self, role, hash="", **options):
        if role != "phone":
            return super().open(role, hash, **options)
        page = self.blank()
        page.goto(f"{self.household.server.url}{hash}")
        return page

    def invite(self, page, people):
        picture, self.code = super().invite(page, people)
        return picture, self.code

    def come(self, page, picture, name, nickname):
        """Opens the invitation as a telephone's camera does, whose code is gone from the address before anything is typed."""
        page.goto(f"{self.household.server.url}#join={self.code}")
        self.sees(page, f"Invited to {self.hub}")
        self.assertNotIn(self.code, page.url)
        self.fill(page, "Account name", name)
        self.fill(page, "Nickname", nickname)
        self.press(page, "Make the account")
        self.sees(page, f"Welcome, {nickname}", "This phone", f"{name} at {self.hub}")


class ChatTalk(WalkCase, test_real_chat.ChatTests):
    """Two people, each in a browser that is their phone."""

    NEEDS_CHROMIUM = True

    # With a program on the other side in test_real_browser_chat.
    test_pictures_and_a_voice_note_arrive = None
    test_a_picture_that_can_be_viewed_once_is_gone_when_it_was_let_go = None

    @classmethod
    def people(cls):
        cls.invitation = cls.household.json("hub", "hub", "invite", "--uses", "2")["code"]
        cls.contexts = {}

    def open(self, role, hash="", **_options):
        if role not in self.contexts:
            self.contexts[role] = self.browser.context(size=PHONE, service_workers="allow")
            page = self.page_at(role, "#/account")
            self.fill(page, "Code of the invitation", self.invitation)
            self.fill(page, "Account name", test_real_chat.NAMES[role])
            self.press(page, "Make the account")
            self.sees(page, "Welcome, ")
            page.close()
        return self.page_at(role, hash)

    def page_at(self, role, hash):
        page = self.browser.opened(self.contexts[role])
        self.addCleanup(page.close)
        page.goto(f"{self.household.server.url}{hash}", wait_until="domcontentloaded")
        return page

    def goes(self, page):
        self.left = page.url.partition("#")[2]
        page.close()

    def comes(self, _page):
        return self.page_at("other", f"#{self.left}")

    def entry(self, page):
        return {"id": page.url.partition("#/chats/")[2].partition("?")[0], "isSealed": True}


class NetworkTests(own_network.NetworkTests):
    CASES = (ThreadTalk, BannerTalk, AccountTalk, ChatTalk)


load_tests = NetworkTests.load_tests


if __name__ == "__main__":
    unittest.main()
