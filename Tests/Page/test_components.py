"""The components by themselves, in a gallery of all of them."""

import unittest

import checks
import server
from browser import DESKTOP, PATIENCE, PHONE, Browser


class ComponentTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start()
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, size=DESKTOP, **options):
        page = self.browser.blank(size=size, **options)
        self.addCleanup(page.context.close)
        page.goto(f"{self.site.url}/fake/gallery.html")
        page.wait_for_selector("[data-ready]")
        return page

    def pressed(self, page):
        return page.evaluate("window.pressed.splice(0)")

    def test_axe_finds_nothing(self):
        for size in (PHONE, DESKTOP):
            for theme in ("light", "dark"):
                with self.subTest(size=size, theme=theme):
                    page = self.open(size, theme=theme)
                    self.assertEqual(checks.axe(page), [])
                    self.assertEqual(page.complaints, [])
        self.assertEqual(checks.small_targets(self.open(PHONE)), [])

    def test_a_menu_by_keyboard(self):
        page = self.open()
        opener = page.locator(".icon-button[aria-haspopup=menu]")
        opener.focus()
        page.keyboard.press("Enter")
        # It opens in a turn of its own.
        page.wait_for_selector(".icon-button[aria-haspopup=menu][aria-expanded=true]")
        self.assertEqual(checks.axe(page), [])
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Forget", "the disabled one is passed over")
        page.keyboard.press("r")
        page.keyboard.press("Enter")
        self.assertEqual(self.pressed(page), ["rename"])
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.wait_for_selector(".menu", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.ariaExpanded"), "false", "the focus is back at the button")
        self.assertEqual(self.pressed(page), [])

    def test_a_dialog_keeps_the_focus_and_gives_it_back(self):
        page = self.open()
        page.get_by_role("button", name="Plain").focus()
        page.evaluate(
            """() => { window.answer = null; parts.confirm({ title: 'Forget studio-pc?', text: 'It must be scanned again.', action: 'Forget',
                work: async () => { pressed.push('work'); if (pressed.length < 2) throw { code: 'refused', message: 'Not yet.' }; } })
                .then((done) => { answer = done; }); }"""
        )
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Cancel", "what does no harm is chosen")
        self.assertEqual(checks.axe(page), [])
        for _ in range(6):
            page.keyboard.press("Tab")
            self.assertTrue(page.evaluate("document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)"))
        page.click("dialog .danger")
        page.wait_for_selector("dialog .banner.bad")
        page.click("dialog .danger.button")
        page.wait_for_selector("dialog", state="detached")
        self.assertIs(page.evaluate("answer"), True)
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Plain")

    def test_a_dialog_is_left_by_escape_by_a_press_beside_it_and_by_back(self):
        page = self.open(PHONE)
        leave = [lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(190, 30), lambda: page.evaluate("location.hash = '#elsewhere'")]
        for act in leave:
            page.evaluate("() => { window.answer = null; parts.confirm({ title: 'A', text: 'B', action: 'C' }).then((done) => { answer = done; }); }")
            box = page.locator("dialog").bounding_box()
            self.assertEqual([box["x"], box["width"]], [0, 390], "a sheet on a phone")
            act()
            page.wait_for_selector("dialog", state="detached")
            self.assertIs(page.evaluate("answer"), False)

    def test_a_switch_goes_back_when_it_fails(self):
        page = self.open()
        switch = page.get_by_role("switch")
        switch.click()
        page.wait_for_timeout(50)
        self.assertTrue(switch.is_checked())
        self.assertTrue(switch.is_enabled())

    def test_a_button_is_busy_while_its_work_lasts(self):
        page = self.open()
        button = page.get_by_role("button", name="Primary")
        width = button.bounding_box()["width"]
        button.click()
        self.assertEqual(button.get_attribute("aria-busy"), "true")
        self.assertEqual(button.bounding_box()["width"], width, "nothing jumps")
        page.evaluate("finishWork()")
        page.wait_for_selector("[aria-busy]", state="detached")

    def test_what_a_button_fails_with_is_said(self):
        page = self.open()
        page.evaluate(
            "() => document.querySelector('main').prepend(parts.button({ label: 'Fail', press: async () => { throw { code: 'full' }; } }))"
        )
        page.get_by_role("button", name="Fail").click()
        self.assertEqual(page.locator(".toast").text_content(), "The disk is full.")
        self.assertEqual(page.complaints, [])

    def test_a_code_takes_digits_only(self):
        page = self.open()
        field = page.get_by_label("Code", exact=True)
        field.press_sequentially("12a3-4５")
        self.assertEqual(page.evaluate("document.querySelector('.code-field').digits"), "12345")
        page.keyboard.press("Enter")
        self.assertEqual(self.pressed(page), [], "five are not enough")
        field.press_sequentially("6")
        page.keyboard.press("Enter")
        self.assertEqual([field.input_value(), self.pressed(page)], ["123 456", ["code"]])

    def test_a_choice_by_keyboard(self):
        page = self.open()
        page.get_by_role("radio", name="Show").focus()
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.pressed(page), ["segment"])
        page.locator(".tab").first.focus()
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Tab six")

    def test_ten_thousand_rows_scroll_without_being_drawn(self):
        page = self.open()
        self.assertLess(page.locator("#many .row").count(), 60)
        page.evaluate("document.querySelector('tandem-virtual-list').focusRow(7000)")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Row 7000A file")
        most = page.evaluate(
            """async () => {
                const start = scrollY;
                let most = 0;
                for (let step = 1; step <= 120; step += 1) {
                    scrollTo(0, start + step * 997);
                    await new Promise(requestAnimationFrame);
                    most = Math.max(most, document.querySelectorAll('#many .row').length);
                }
                return most;
            }"""
        )
        self.assertGreater(most, 0)
        self.assertLess(most, 70)
        page.evaluate("document.querySelector('tandem-virtual-list').show([])")
        self.assertEqual(page.locator("#many .row").count(), 0)

    def test_a_toast_goes_and_is_read_out(self):
        page = self.open()
        page.evaluate("parts.toast('Copied'); parts.errorToast({ code: 'cancelled' })")
        self.assertEqual(page.locator("[role=status] .toast").all_text_contents(), ["Copied"])
        self.assertEqual(checks.axe(page), [])
        page.wait_for_selector(".toast", state="detached", timeout=PATIENCE * 1000)


if __name__ == "__main__":
    unittest.main()
