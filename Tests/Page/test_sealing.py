"""Which devices read sealed conversations, in the browser, and the own picture."""

import unittest

import server
from browser import DESKTOP, PHONE, Browser
from states.sealing import HOME, adding, beginning, handing_over, removing, shown, wrong


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, scenario="", size=PHONE, hash=HOME):
        page = self.browser.page(self.site.url, hash, size=size, scenario=scenario)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        return page

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)


class SealingTests(PageCase):
    def test_a_device_is_added_by_the_words_that_it_shows_and_no_other(self):
        page = self.open()
        wrong(page)
        self.assertIn("not the words of this device", page.inner_text("dialog .field"))
        # They are nowhere on this screen: they are to be read from the device itself.
        self.assertNotIn("gomal", page.inner_text("body"))
        page.fill("dialog input:not([type=checkbox])", " Gomal tulip  savor-NIBUD ")
        page.click("dialog .button.primary")
        page.wait_for_selector(".toast")
        self.assertEqual([each["words"] for each in self.called(page, "chat.addDevice")], ["lusab-babad-gutih-tugad", "gomal-tulip-savor-nibud"])
        page.wait_for_function("document.querySelectorAll('.row-actions .icon-button').length === 4")
        self.assertEqual([each["history"] for each in self.called(page, "chat.addDevice")], [False, False])

    def test_a_history_is_handed_over_where_the_person_chose_so(self):
        page = self.open()
        adding(page)
        page.fill("dialog input:not([type=checkbox])", "gomal tulip savor nibud")
        page.click("dialog [role=switch]")
        page.click("dialog .button.primary")
        page.wait_for_selector(".sealing-handover [role=progressbar]")
        self.assertEqual(self.called(page, "chat.addDevice")[-1]["history"], True)

    def test_a_device_of_the_list_gets_the_history_after_a_question(self):
        page = self.open()
        handing_over(page)
        self.assertEqual(self.called(page, "chat.handOver"), [])
        page.click("dialog .button.primary")
        page.wait_for_selector(".sealing-handover")
        self.assertEqual(len(self.called(page, "chat.handOver")), 1)
        # While it goes on it is not begun again.
        self.assertEqual(page.locator(".row-actions .icon-button").count(), 1)

    def test_what_is_handed_over_and_taken_is_said_with_its_progress_and_its_failure(self):
        page = self.open("sealing-history")
        page.wait_for_selector(".sealing-handover")
        text = page.inner_text("body")
        for words in ("200 of 1,350 messages of another device are here", "400 of 1,350 messages are sealed", "wait at your hub", "were handed over", "within seven days", "oldest had no room"):
            self.assertIn(words, text)
        self.assertEqual(page.locator(".sealing-handover [role=progressbar]").count(), 2)
        self.assertEqual(page.locator(".sealing-failure").count(), 1)

    def test_a_device_is_taken_out_after_a_question(self):
        page = self.open(size=DESKTOP)
        removing(page)
        page.click("dialog .button.danger")
        page.wait_for_selector(".toast")
        self.assertEqual(len(self.called(page, "chat.removeDevice")), 1)
        self.assertEqual(page.locator(".row-actions .icon-button").count(), 0)

    def test_a_phone_that_is_not_in_the_list_shows_its_words_and_adds_nobody(self):
        page = self.open("sealing-waits")
        shown(page)
        self.assertEqual(page.inner_text(".sealing-words .key-words"), "lusab-babad-gutih-tugad")
        self.assertEqual(page.locator(".row-actions > *").count(), 0)
        beginning(page)
        page.click("dialog .button.danger")
        page.wait_for_selector(".toast")
        self.assertEqual(self.called(page, "chat.renewDevices"), [{"adopt": False}])
        page.wait_for_selector(".row .chip")

    def test_what_another_device_did_is_seen_when_one_comes_back(self):
        page = self.open()
        shown(page)
        before = len(self.called(page, "chat.devices"))
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("(count) => fake.calls.filter(({ method }) => method === 'chat.devices').length > count", arg=before)


class FaceTests(PageCase):
    """The picture that others see."""

    ACCOUNT = "#/account"

    def chosen(self, page, name, bytes="PNG"):
        with page.expect_file_chooser() as choosing:
            page.click(".account-face")
        choosing.value.set_files({"name": name, "mimeType": "image/png", "buffer": bytes.encode()})

    def test_it_is_chosen_given_to_the_program_and_shown(self):
        page = self.open(hash=self.ACCOUNT)
        page.wait_for_selector(".account-face")
        self.chosen(page, "me.png")
        page.wait_for_selector(".account-picture")
        self.assertEqual(self.called(page, "chat.setFace"), [{"file": "file-1"}])
        self.assertEqual(page.evaluate("fake.chat.attached.map(({ path, name }) => [path, name])"), [["chat/attachments", "me.png"]])

    def test_what_is_no_picture_is_said(self):
        page = self.open("no-picture", hash=self.ACCOUNT)
        page.wait_for_selector(".account-face")
        self.chosen(page, "me.txt")
        page.wait_for_selector(".toast:has-text('no picture')")
        self.assertEqual(page.locator(".account-picture").count(), 0)

    def test_it_is_taken_away_after_a_question(self):
        page = self.open("with-face", hash=self.ACCOUNT)
        page.click(".account-face")
        page.click(".menu [role=menuitem] >> nth=1")
        page.click("dialog .button.danger")
        page.wait_for_selector(".toast")
        self.assertEqual(self.called(page, "chat.setFace"), [{}])
        page.wait_for_function("!document.querySelector('.account-picture')")
