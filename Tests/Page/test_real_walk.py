"""Every main screen of the real pages: both sizes, both languages, both schemes."""

import unittest

import checks
from browser import DESKTOP, LOOKS_AT_ALL, PHONE, scheme, settle
from real import PATIENCE, RealTests
from xscreen import Screen

# As long as this element is there, a screen is not whole yet.
WHOLE = "() => !document.querySelector('#app[aria-busy], main .skeleton, main .skeleton-row, main .spinner:not([hidden] .spinner)')"
# Every text of the catalogue in brackets, so that one from elsewhere can be told apart.
MARKED = "if (location.protocol === 'http:') import('/i18n/index.js').then(({ decorateTexts }) => decorateTexts((text) => `⟦${text}⟧`))"


class WalkTests(RealTests):
    NEEDS_CHROMIUM = False
    RIGHTS = ("terminal", "file", "clipboard", "display", "threads", "notification.all")

    @classmethod
    def options(cls):
        cls.screen = cls.enterClassContext(Screen())
        return {"environment": cls.screen.environment}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.household.shared / "Reisen 2026").mkdir()
        (cls.household.shared / "notes.txt").write_text("line one\n")
        # Something stands in the log too.
        cls.household.run("phone", "files", "ls", str(cls.household.shared))
        computer = f"/computers/{cls.computer}"
        cls.screens = {
            "phone": ["/computers", "/notifications", "/threads", *(f"{computer}/{tab}" for tab in ("threads", "terminal", "clipboard", "files", "screen", "system", "notifications")),
                      "/pair/scan", "/pair/show", "/pair/code", "/queue", "/settings"],
            "desktop": ["/overview", "/threads", "/notifications", "/phones", f"/phones/{cls.household.said['phone']['did']}", "/pair/show", "/pair/scan",
                        "/activity", "/audit", "/settings"],
            "hub": ["/load", "/peers", "/limits", "/settings"],
        }

    def walk(self, size, check, **options):
        for role, screens in self.screens.items():
            page = self.open(role, size=size, **options)
            for screen in screens:
                with self.subTest(f"{role} {screen}", size=size[0], lang=options.get("lang", "en")):
                    self.go(page, f"#{screen}")
                    page.wait_for_function("(screen) => location.hash.startsWith(`#${screen}`)", arg=screen, timeout=PATIENCE * 1000)
                    page.wait_for_function(WHOLE, timeout=PATIENCE * 1000)
                    settle(page)
                    check(page)
                    complaints, page.complaints[:] = page.complaints[:], []
                    self.assertEqual(complaints, [], "the console holds errors")

    def in_both_schemes(self, page):
        self.assertEqual(checks.overflowing(page), [], "wider than the window")
        # The tests of the screens ask axe of the same addresses with what the scripted client answers.
        if not LOOKS_AT_ALL:
            return
        self.assertEqual(checks.axe(page), [])
        scheme(page, "dark")
        self.assertEqual(checks.axe(page, only=["color-contrast"]), [], "in the dark")
        scheme(page, "light")

    def test_on_a_phone(self):
        self.walk(PHONE, self.in_both_schemes)

    def test_on_a_desktop(self):
        self.walk(DESKTOP, self.in_both_schemes)

    def test_in_chinese(self):
        for size in (PHONE, DESKTOP):
            self.walk(size, lambda page: self.assertEqual(checks.overflowing(page), []), lang="zh")

    def test_every_text_is_from_the_catalogue(self):
        self.walk(PHONE, lambda page: self.assertEqual(checks.untranslated(page), []), lang="zh", scripts=[MARKED])


if __name__ == "__main__":
    unittest.main()
