"""Every screen in every state: both sizes, both schemes, both languages."""

import fnmatch
import os
import unittest

import checks
import server
import states
from browser import DESKTOP, IS_BY_TURNS, PHONE, Browser, scheme, settle

# How many states of touched areas a run looks at beside those whose turn it is.
MOST_TOUCHED = 120


def first_of_each(states):
    """One state of each address: a longer or shorter text moves what belongs to the screen, not to its state."""
    return list({(state.role, state.hash): state for state in reversed(states)}.values())[::-1]


class ScreenTests(unittest.TestCase):
    """`TANDEM_PAGE_STATES='files*'` looks at some only, and at these on both sizes; else one state of each address is looked at on both and in both languages,
    and each other state in English on one of them, by turns; on a phone every state is measured. With `TANDEM_PAGE_TURN` a run looks at half of these addresses in
    Chinese, at one quarter of these others or as many as `TANDEM_PAGE_QUARTERS` says, and at all in the areas that `TANDEM_PAGE_TOUCHED` names, as long as these
    have at most 120 states; beyond that at every second or third of them."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        wanted = os.environ.get("TANDEM_PAGE_STATES", "*")
        cls.is_whole = wanted != "*"
        cls.states = [state for state in states.everything() if fnmatch.fnmatch(state.name, wanted)]
        if IS_BY_TURNS:
            cls.states = cls.its_turn(cls.states)
            print(f"looks at {len(cls.states)} states")
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    @staticmethod
    def touched(states):
        """The names of the states in touched areas. A change of the whole page would take a run beyond its time, so that what they are has a bound."""
        areas = set(os.environ.get("TANDEM_PAGE_TOUCHED", "").replace("-", "_").split())
        names = [state.name for state in states if state.area in areas]
        stride = max(1, -(-len(names) // MOST_TOUCHED))
        return set(names[int(os.environ["TANDEM_PAGE_TURN"]) % stride :: stride])

    @staticmethod
    def its_turn(states):
        """The first state of each address, those of touched areas, and of the others those whose turn it is."""
        always = {state.name for state in first_of_each(states)} | ScreenTests.touched(states)
        turn, quarters = int(os.environ["TANDEM_PAGE_TURN"]), int(os.environ.get("TANDEM_PAGE_QUARTERS", "1"))
        return [state for at, state in enumerate(states) if state.name in always or (at - turn) % 4 < quarters]

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def each(self, size, check, before=lambda page: None, states=None, texts="", latency=0, **options):
        """Draws every state in one page, one after the other, and checks it as a subtest of its own; `before` what prepares it."""
        page = self.browser.blank(size=size, **options)
        for state in states or self.states:
            if not (state.wide if size == DESKTOP else state.narrow):
                continue
            with self.subTest(state.name, size=size[0], **options):
                self.browser.show(page, self.site.url, state.hash, state.role, state.scenario, texts, latency)
                before(page)
                if state.prepare:
                    state.prepare(page)
                    settle(page)
                check(page, state)
                self.assertEqual(page.complaints, [], "the console holds errors")
        page.context.close()

    def screens(self):
        return first_of_each(self.states)

    def chinese(self):
        """The screens whose turn it is, and those of touched areas."""
        if not IS_BY_TURNS:
            return self.screens()
        turn, touched = int(os.environ["TANDEM_PAGE_TURN"]), self.touched(states.everything())
        return [state for at, state in enumerate(self.screens()) if (at - turn) % 2 == 0 or state.name in touched]

    def half(self, first):
        """What axe looks at on one size: the phone begins with the first state, the desktop with the second."""
        if self.is_whole:
            return self.states
        shared = {state.name for state in self.screens()} | {state.name for state in self.states if not (state.wide and state.narrow)}
        own = {state.name for state in [state for state in self.states if state.name not in shared][first::2]}
        return [state for state in self.states if state.name in shared | own]

    def check_texts(self, page):
        """Each text is drawn between marks, which are taken away before anything is measured."""
        self.assertEqual(checks.untranslated(page), [], "not from the catalogue")
        checks.unmark(page)

    def check_phone(self, page):
        self.assertEqual(checks.overflowing(page), [], "wider than the phone")
        self.assertEqual(checks.small_targets(page), [], "below 44 px")

    def test_phone_english(self):
        def jumps(page):
            # A tenth is the limit of a good page; the marks lengthen what pushes the rest down.
            self.assertLess(checks.shifts(page), 0.11, "layout shift while answers come")

        def check(page, state):
            self.check_texts(page)
            self.check_phone(page)
            self.assertEqual(checks.axe(page), [])
            if state.name in screens:
                scheme(page, "dark")
                self.assertEqual(checks.axe(page, only=["color-contrast"]), [], "in the dark")
                scheme(page, "light")

        # Contrast takes most of axe's time.
        screens = {state.name for state in self.screens() + [state for state in self.states if not state.wide]}
        # What prepares a state is a person's doing, after which things may move.
        self.each(PHONE, check, before=jumps, states=self.half(0), texts="marked", latency=40)

    def test_phone_chinese(self):
        # With what the English pass leaves out, so that every state is measured on a phone.
        english, chinese = ({state.name for state in states} for states in (self.half(0), self.chinese()))
        states = [state for state in self.states if state.name in chinese or state.name not in english]
        self.each(PHONE, lambda page, state: self.check_phone(page), states=states, lang="zh")

    def test_desktop_english_in_the_dark(self):
        def check(page, state):
            self.check_texts(page)
            self.assertEqual(checks.overflowing(page), [], "wider than the window")
            self.assertEqual(checks.axe(page), [])
            self.assertEqual(checks.keyboard_walk(page), [])

        self.each(DESKTOP, check, states=self.half(1), texts="marked", theme="dark")

    def test_desktop_chinese(self):
        def check(page, state):
            self.assertEqual(checks.overflowing(page), [], "wider than the window")

        self.each(DESKTOP, check, states=self.chinese(), lang="zh")


if __name__ == "__main__":
    unittest.main()
