"""Every screen in every state: both sizes, both schemes, both languages."""

import fnmatch
import os
import unittest

import checks
import server
import states
from browser import DESKTOP, PHONE, Browser, settle


class ScreenTests(unittest.TestCase):
    """`TANDEM_PAGE_STATES='files*'` looks at some only, `TANDEM_PAGE_SHARE=0/2` at the first of two parts."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        wanted = os.environ.get("TANDEM_PAGE_STATES", "*")
        part, parts = map(int, os.environ.get("TANDEM_PAGE_SHARE", "0/1").split("/"))
        cls.states = [state for state in states.everything() if fnmatch.fnmatch(state.name, wanted)][part::parts]
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def each(self, size, check, before=lambda page: None, **options):
        """Draws every state in one page, one after the other, and checks it as a subtest of its own; `before` what prepares it."""
        show = {name: options.pop(name) for name in ("texts", "latency") if name in options}
        page = self.browser.blank(size=size, **options)
        for state in self.states:
            if not (state.wide if size == DESKTOP else state.narrow):
                continue
            with self.subTest(state.name, size=size[0]):
                self.browser.show(page, self.site.url, state.hash, state.role, state.scenario, **show)
                before(page)
                if state.prepare:
                    state.prepare(page)
                    settle(page, show.get("latency", 0))
                check(page)
                self.assertEqual(page.complaints, [], "the console holds errors")
        page.context.close()

    def axe_in_both_schemes(self, page):
        self.assertEqual(checks.axe(page), [])
        page.emulate_media(color_scheme="dark")
        page.wait_for_timeout(250)
        self.assertEqual(checks.axe(page, only=["color-contrast"]), [], "in the dark")
        page.emulate_media(color_scheme="light")

    def test_phone_size(self):
        def check(page):
            self.assertEqual(checks.overflowing(page), [], "wider than the phone")
            self.assertEqual(checks.small_targets(page), [], "below 44 px")
            self.axe_in_both_schemes(page)

        self.each(PHONE, check)

    def test_desktop_size(self):
        def check(page):
            self.assertEqual(checks.overflowing(page), [])
            self.axe_in_both_schemes(page)
            self.assertEqual(checks.keyboard_walk(page), [])

        self.each(DESKTOP, check)

    def test_every_text_is_from_the_catalogue(self):
        def check(page):
            self.assertEqual(checks.untranslated(page), [])
            self.assertEqual(checks.overflowing(page), [], "wider than the window with longer texts")

        self.each(PHONE, check, lang="zh", texts="marked")

    def test_nothing_jumps_while_answers_come(self):
        def check(page):
            self.assertLess(checks.shifts(page), 0.1, "layout shift")

        # What prepares a state is a person's doing, after which things may move.
        self.each(PHONE, lambda page: None, before=check, latency=60)


if __name__ == "__main__":
    unittest.main()
