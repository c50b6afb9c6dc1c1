"""Signing in by a link at each role, and out again, against the real programs."""

import unittest

from browser import PHONE
from household import ROLES
from real import RealTests

HOME = {"hub": "Load", "desktop": "Overview", "phone": "Computers"}
SETTINGS = {"hub": "Settings", "desktop": "Computer", "phone": "Settings"}


class SignInTests(RealTests):
    NEEDS_CHROMIUM = False
    IS_CALM = False

    def outside(self, address, **options):
        """A page of a browser that nobody signed in."""
        page = self.browser.blank(**options)
        self.addCleanup(self.closed, page)
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_selector("#app:not([aria-busy])")
        return page

    def test_a_link_signs_in_once(self):
        for role in ROLES:
            with self.subTest(role):
                link = self.household.link(role)
                page = self.outside(link)
                self.sees(page, HOME[role])
                self.assertNotIn("token", page.url, "the token stays in no address")
                self.assertEqual(page.evaluate("document.cookie"), "", "no script reads the cookie")
                page.reload()
                self.sees(page, HOME[role])
                other = self.outside(link)
                self.sees(other, "This link is no longer valid", f"tandem page --role {role}")
                # Whose link was used up is signed in still.
                page.reload()
                self.sees(page, HOME[role])

    def test_a_browser_that_was_here_before_comes_in_by_another_link(self):
        """The page's worker stands between by then: it must not ask a second time for what works once."""
        for role in ROLES:
            with self.subTest(role):
                page = self.outside(self.household.link(role), service_workers="allow")
                self.sees(page, HOME[role])
                page.evaluate("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = resolve; }))")
                address = self.household.page_of(role)

                def comes_in(why):
                    link = self.household.link(role)
                    page.goto(link, wait_until="domcontentloaded")
                    self.sees(page, HOME[role])
                    self.assertNotIn("sign-in", page.url, why)
                    return link

                used = comes_in("signed in still")
                page.goto("about:blank")
                page.goto(used, wait_until="domcontentloaded")
                self.sees(page, HOME[role])
                self.assertNotIn("sign-in", page.url, "an old link, and a cookie that counts")
                page.evaluate("fetch('/api/sign-out', { method: 'POST' })")
                self.sees(page, "This page opens only with a link")
                used = comes_in("signed out before")
                # As after thirty days: the browser has thrown the cookie away, and keeps the worker.
                page.context.clear_cookies()
                page.goto(address, wait_until="domcontentloaded")
                self.sees(page, "This page opens only with a link", f"tandem page --role {role}")
                used = comes_in("the cookie is gone")
                page.context.clear_cookies()
                page.goto("about:blank")
                page.goto(used, wait_until="domcontentloaded")
                self.sees(page, "This link is no longer valid", f"tandem page --role {role}")
                self.household.restart(role)
                comes_in("on another day, after the program began anew")

    def test_without_a_link_the_page_says_how_to_sign_in(self):
        for role in ROLES:
            with self.subTest(role):
                page = self.outside(self.household.page_of(role), size=PHONE)
                self.sees(page, "Sign in", f"tandem page --role {role}", "works once within two minutes")
                self.assertEqual(page.locator("nav").count(), 0, "nothing of the inside is shown")

    def test_signing_out_ends_it_here_and_in_every_tab(self):
        for role in ROLES:
            with self.subTest(role):
                page = self.outside(self.household.link(role))
                second = page.context.new_page()
                second.complaints = []
                second.goto(self.household.page_of(role), wait_until="domcontentloaded")
                self.sees(second, HOME[role])
                if role == "desktop":
                    # A narrow page has it behind “More”.
                    self.press(page, "More", within=page.get_by_role("navigation"))
                    self.press(page, SETTINGS[role], role="menuitem")
                else:
                    self.press(page, SETTINGS[role], role="link")
                self.press(page, "Sign out", exact=False)
                self.sees(page, "Sign this browser out?", f"run “tandem page --role {role}” on this device")
                self.press(page, "Sign out", within=page.get_by_role("dialog"))
                self.sees(page, "This page opens only with a link", f"tandem page --role {role}")
                self.sees(second, "This page opens only with a link")
                page.reload()
                self.sees(page, "This page opens only with a link")

    def test_a_signed_in_page_comes_back_after_a_restart(self):
        page = self.open("desktop")
        # Its name stands in the frame before the screen itself is loaded.
        self.sees(page, "Overview", "No phone yet")
        self.household.stop("desktop")
        self.sees(page, "Tandem does not run on this device", "This page comes back by itself")
        self.household.start("desktop")
        self.sees(page, "Connected again")
        self.sees_no(page, "Tandem does not run on this device")


if __name__ == "__main__":
    unittest.main()
