"""Moving to a new phone in the browser: what each phone's person is asked, what is sent for it, and what is said on the way and in the end."""

import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser
from states.moving import HOME, at, drawn, shown

PASSWORD = "correct horse battery"
CODE = "mystory-mig:v2?pk=GhgXK2v0z6u0s0Q8z4q5d1r7s8t9u0v1w2x3y4z5A6E&addr=192.168.1.7:40123&psk=q83vEjRWeJCrze8SNFZ4kA"
FILE = "/home/ada/phone.enc"


class MovingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, scenario="", way="", size=PHONE, prepare=shown):
        page = self.browser.page(self.site.url, f"{HOME}?way={way}" if way else HOME, size=size, scenario=scenario)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        prepare(page)
        return page

    def stand(self, stand, **options):
        return self.open(at(stand).scenario, **options)

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def goes_on(self, page, **change):
        page.evaluate("(change) => { fake.moving.to(change); }", change)

    def button(self, page, name, within=".moving-body"):
        return page.locator(within).get_by_role("button", name=name, exact=True)

    def says(self, page, text, within="body"):
        page.locator(within).get_by_text(text).first.wait_for()

    def type_password(self, page, text, again=None):
        page.fill(".moving-line .input", text)
        page.fill(".moving-fields > .field .input", text if again is None else again)

    # The way there

    def test_it_is_found_in_the_settings_and_back_leads_there(self):
        page = self.browser.page(self.site.url, "#/settings", size=PHONE)
        self.addCleanup(self.browser.give_back, page)
        page.click("a[href='#/moving']")
        shown(page)
        page.get_by_role("link", name="This is my new phone").click()
        page.wait_for_selector(".moving-form")
        self.assertEqual(page.evaluate("location.hash"), "#/moving?way=receive")
        page.go_back()
        self.says(page, "From phone to phone")
        page.locator(".bar a, .bar button").first.click()
        page.wait_for_selector(".settings-parts")

    def test_what_cannot_be_asked_is_asked_again(self):
        page = self.open("moving-broken")
        page.get_by_role("button", name="Try again").click()
        self.until(page, "fake.calls.filter(({ method }) => method === 'migrate.state').length > 1")

    # The new phone

    def test_the_new_phone_shows_its_code_and_takes_what_comes_after_a_yes(self):
        page = self.open(way="receive")
        self.button(page, "Show the code").click()
        drawn(page)
        self.assertEqual(self.called(page, "migrate.receive"), [{}])
        self.assertEqual(page.evaluate("location.hash"), "#/moving", "a form that was sent is nothing to come back to")
        self.assertEqual("".join(page.inner_text("[data-pin]").split()), "482913")
        self.says(page, "192.168.1.7:40123")
        # Another pair follows after two minutes.
        self.goes_on(page, pin="111222", code=CODE.replace("pk=G", "pk=H"))
        self.until(page, "document.querySelector('[data-pin]').textContent === '111 222'")
        page.evaluate("(flow) => fake.moving.to(flow)", {"step": "agreeing", "pin": None, "code": None, "addresses": [], "peer": "Ada’s old phone", "isLinked": True, "totalBytes": 5_000_000,
                                                      "offer": {"counts": {"stories": 12}, "mediaFiles": 3, "mediaBytes": 4_000_000, "brokenMedia": 1, "neededBytes": 9_000_000, "freeBytes": 80_000_000}})
        self.says(page, "Ada’s old phone offers everything it has")
        for text in ("12", "3 items, 4 MB", "9 MB needed, 80 MB free"):
            self.says(page, text, ".stage-facts")
        # Nothing happens without the yes, whatever is pressed.
        accept = self.button(page, "Bring it here")
        self.assertTrue(accept.is_disabled())
        page.fill(".moving-line .input", "correct horse")
        page.press(".moving-line .input", "Enter")
        self.assertEqual(self.called(page, "migrate.agree"), [])
        page.get_by_role("switch", name="Replace what this phone has").click()
        accept.click()
        self.says(page, "The password is another one")
        self.assertEqual(page.evaluate("document.activeElement.className"), "input")
        self.assertEqual(page.input_value(".moving-line .input"), "correct horse", "what was typed is there to be mended")
        page.fill(".moving-line .input", PASSWORD)
        accept.click()
        self.says(page, "Receiving from Ada’s old phone")
        self.assertEqual(self.called(page, "migrate.agree"), [{"password": "correct horse"}, {"password": PASSWORD}])

    def test_while_the_password_is_looked_at_it_is_said_and_not_given_twice(self):
        page = self.stand("agreeing")
        page.evaluate("fake.moving.tellLater = () => {}")
        page.get_by_role("switch", name="Replace what this phone has").click()
        page.fill(".moving-line .input", PASSWORD)
        self.button(page, "Bring it here").click()
        self.says(page, "Looking at the password")
        page.press(".moving-line .input", "Enter")
        self.assertEqual(len(self.called(page, "migrate.agree")), 1)

    def test_an_offer_is_declined_after_a_question(self):
        page = self.stand("agreeing")
        self.button(page, "No, leave this phone as it is").click()
        self.assertEqual(self.called(page, "migrate.cancel"), [])
        self.button(page, "No, leave this phone as it is", "dialog").click()
        self.says(page, "The move was cancelled")
        self.button(page, "Begin again").click()
        self.says(page, "From phone to phone")
        # It is not said again to who comes back.
        page.evaluate("location.hash = '#/settings'")
        page.click("a[href='#/moving']")
        self.says(page, "From phone to phone")

    def test_where_it_listens_can_be_said(self):
        page = self.open(way="receive")
        page.click("summary")
        page.get_by_label("Address of this phone").fill("192.168.1.7")
        page.get_by_label("Port").fill("40123")
        self.button(page, "Show the code").click()
        drawn(page)
        self.assertEqual(self.called(page, "migrate.receive"), [{"host": "192.168.1.7", "port": 40123}])

    # The old phone

    def test_the_old_phone_connects_by_address_and_is_asked_for_the_pin(self):
        page = self.open(way="send")
        send = self.button(page, "Connect to the new phone")
        send.click()
        self.says(page, "type an address with its port", ".field.failed")
        page.fill(".moving-where .input", "192.168.1.7：40123")
        self.type_password(page, "short")
        send.click()
        self.says(page, "Too easy to guess", ".field.failed")
        self.type_password(page, PASSWORD, "correct horse batery")
        send.click()
        self.says(page, "another password than above", ".field.failed")
        self.assertEqual(self.called(page, "migrate.send"), [])
        self.type_password(page, PASSWORD)
        send.click()
        self.says(page, "Type the PIN")
        self.assertEqual(self.called(page, "migrate.send"), [{"addresses": ["192.168.1.7:40123"], "password": PASSWORD}])
        self.button(page, "Go on").click()
        self.says(page, "The PIN has six digits")
        page.fill(".code-field .input", "111222")
        page.press(".code-field .input", "Enter")
        self.says(page, "2 tries left")
        page.fill(".code-field .input", "４８２ ９１３")
        self.button(page, "Go on").click()
        self.says(page, "Connecting")
        self.assertEqual(self.called(page, "migrate.enter"), [{"pin": "111222"}, {"pin": "482913"}])

    def test_a_room_at_a_hub_is_an_address_and_what_is_none_is_said(self):
        page = self.open(way="send")
        self.type_password(page, PASSWORD)
        for text in ("wss://hub.example.net", "wss://hub.example.net#7kq2m", "hub.example.net#7kq2m-x94fd"):
            page.fill(".moving-where .input", text)
            self.button(page, "Connect to the new phone").click()
            self.says(page, "or a hub with its room", ".moving-where .field.failed")
        self.assertEqual(self.called(page, "migrate.send"), [])
        page.fill(".moving-where .input", " wss://hub.example.net#7kq2m-x94fd ")
        self.button(page, "Connect to the new phone").click()
        self.says(page, "Type the PIN")
        self.assertEqual(self.called(page, "migrate.send"), [{"addresses": ["wss://hub.example.net#7kq2m-x94fd"], "password": PASSWORD}])

    def test_the_old_phone_may_listen_and_the_new_one_comes_to_it(self):
        page = self.open(way="send")
        self.button(page, "Let this phone listen").click()
        self.says(page, "The new phone comes to this one", ".banner")
        self.assertFalse(page.is_visible(".moving-where"))
        self.type_password(page, PASSWORD)
        self.button(page, "Connect to the new phone").click()
        self.says(page, "wss://hub.example.net#7kq2m-x94fd", ".moving-places")
        self.assertEqual(self.called(page, "migrate.send"), [{"addresses": [], "password": PASSWORD}])
        page = self.open(way="receive")
        page.click("summary")
        page.get_by_label("Where the old phone listens").fill("nowhere")
        self.button(page, "Show the code").click()
        self.says(page, "type an address with its port", ".field.failed")
        page.get_by_label("Where the old phone listens").fill("192.168.1.9:40123")
        self.button(page, "Show the code").click()
        drawn(page)
        self.says(page, "This phone goes to the old one", ".moving-places")
        self.assertEqual(self.called(page, "migrate.receive"), [{"addresses": ["192.168.1.9:40123"]}])

    def test_a_code_takes_the_place_of_address_and_pin(self):
        page = self.open(way="send")
        page.evaluate("(codes) => { fake.pictures.read = async () => codes.shift(); }", ["tandem-account://join?hub=a", CODE])
        with page.expect_file_chooser() as choosing:
            self.button(page, "Scan its code").click()
            self.button(page, "Choose a picture", "dialog").click()
        picture = {"name": "code.png", "mimeType": "image/png", "buffer": b"PNG"}
        choosing.value.set_files(picture)
        self.says(page, "This is no code for a move", "dialog")
        with page.expect_file_chooser() as choosing:
            self.button(page, "Choose a picture", "dialog").click()
        choosing.value.set_files(picture)
        self.says(page, "The code was read")
        self.says(page, "192.168.1.7:40123", ".banner")
        self.assertFalse(page.is_visible(".moving-where"))
        self.button(page, "Make one for me").click()
        made = page.input_value(".moving-line .input")
        self.assertRegex(made, r"^(\d{5} ){5}\d{5}$")
        # It is narrower than what was made, so that it stands below as well.
        self.says(page, made, ".moving-made")
        self.assertFalse(page.is_visible(".moving-fields > .field"), "what is seen is not typed again")
        self.button(page, "Connect to the new phone").click()
        self.says(page, "Reading this phone’s data")
        self.assertEqual(self.called(page, "migrate.send"), [{"addresses": [], "password": made, "code": CODE}])

    def test_a_refused_address_is_said_at_its_field(self):
        page = self.open(way="send")
        page.fill(".moving-where .input", "0.0.0.0:1")
        self.type_password(page, PASSWORD)
        self.button(page, "Connect to the new phone").click()
        self.says(page, "No phone can be at this address", ".moving-where .field.failed")

    def test_a_password_is_hidden_until_one_wants_to_see_it(self):
        page = self.open(way="send")
        self.type_password(page, PASSWORD)
        self.assertEqual(page.get_attribute(".moving-line .input", "type"), "password")
        eye = page.get_by_role("button", name="Show the password")
        eye.click()
        self.assertEqual((page.get_attribute(".moving-line .input", "type"), eye.get_attribute("aria-pressed")), ("text", "true"))
        eye.click()
        self.assertTrue(page.is_visible(".moving-fields > .field"))

    # How far it is

    def test_progress_moves_with_the_program_and_says_rate_and_time_left(self):
        page = self.stand("sending")
        self.assertEqual(page.get_attribute("[role=progressbar]", "aria-valuenow"), "37")
        self.says(page, "1 minute 35 seconds")
        page.wait_for_timeout(300)
        self.goes_on(page, fraction=0.5, doneBytes=600_000_000, timeLeft=60)
        self.until(page, "document.querySelector('[role=progressbar]').getAttribute('aria-valuenow') === '50'")
        self.says(page, "/s", ".stage-facts")
        self.says(page, "1 minute", ".stage-facts")

    def test_a_flood_of_news_is_asked_for_a_few_times_only(self):
        page = self.stand("sending")
        before = len(self.called(page, "migrate.state"))
        page.evaluate("for (let at = 0; at < 500; at += 1) fake.moving.to({ fraction: 0.37 + at / 1000 })")
        self.until(page, "document.querySelector('[role=progressbar]').getAttribute('aria-valuenow') === '87'")
        self.assertLessEqual(len(self.called(page, "migrate.state")) - before, 3)

    def test_it_waits_and_goes_on(self):
        page = self.stand("receiving")
        self.button(page, "Pause").click()
        self.says(page, "The move waits")
        self.assertEqual(page.locator(".stage-facts").get_by_text("Time left").count(), 0)
        self.button(page, "Go on").click()
        self.button(page, "Pause").wait_for()
        self.assertEqual((len(self.called(page, "migrate.pause")), len(self.called(page, "migrate.resume"))), (1, 1))

    def test_a_full_disk_is_said_once_with_what_is_needed(self):
        page = self.stand("full")
        self.assertEqual(page.locator(".moving-panel .banner").count(), 1)
        self.says(page, "300 MB more are needed", ".banner")

    def test_a_line_that_breaks_is_said_and_the_move_stays(self):
        page = self.stand("sending")
        self.goes_on(page, isLinked=False, trouble={"reason": "linkLost", "message": "gone", "values": {}})
        self.says(page, "The other phone is not reached", ".banner.offline")
        self.goes_on(page, isLinked=True, trouble=None)
        self.until(page, "document.querySelector('.moving-panel .banner') === null")

    def test_the_focus_stays_where_something_can_be_read(self):
        page = self.stand("entering")
        page.focus(".code-field .input")
        self.goes_on(page, step="preparing", peer="Ada’s new phone")
        self.says(page, "Reading this phone’s data")
        self.assertEqual(page.evaluate("document.activeElement.className"), "stage-title")

    # How it ends

    def test_a_file_is_read_and_replaces_only_after_a_yes(self):
        page = self.open(way="restore")
        page.fill(".moving-form > .field .input", "phone.enc")
        self.button(page, "Read the file").click()
        self.says(page, "The whole path", ".field.failed")
        page.fill(".moving-form > .field .input", FILE)
        page.fill(".moving-line .input", PASSWORD)
        page.press(".moving-line .input", "Enter")
        self.says(page, "Proving it")
        self.goes_on(page, step="ready", report={"backupId": "b", "finishedAtMilliseconds": 1, "counts": {"stories": 7}, "mediaFiles": 1, "mediaBytes": 10, "proof": "checksums", "lostCount": 1,
                                                 "lost": [{"mediaId": "m", "fileName": "a.heic", "reason": "EMPTY", "storyId": "s"}], "orphanCount": 0, "orphans": [], "leftOut": {}})
        self.says(page, "The file is whole")
        self.says(page, "It was empty on the old phone")
        self.assertEqual(page.locator(".moving-lost a").count(), 0, "its story is not here yet")
        self.button(page, "Replace this phone’s data").click()
        self.assertEqual(self.called(page, "migrate.agree"), [])
        self.button(page, "Replace this phone’s data", "dialog").click()
        self.says(page, "Start this phone’s program again")
        self.assertEqual(self.called(page, "migrate.agree"), [{}])
        # The program was started again.
        page.evaluate("(flow) => fake.moving.begin(flow)", {"undo": {"since": 1, "until": 2_000_000_000_000, "changes": 0}, "lastStart": {"change": "restore", "failure": None}})
        self.says(page, "Everything of the old phone is here")

    def test_a_wrong_password_of_a_file_ends_it_and_says_what_to_do(self):
        page = self.open(way="restore")
        page.fill(".moving-form > .field .input", FILE)
        page.fill(".moving-line .input", "another one")
        self.button(page, "Read the file").click()
        self.says(page, "The move did not work")
        self.says(page, "The password is another one", ".banner")
        self.says(page, "Nothing was replaced")

    def test_a_file_is_written_of_the_journal_alone_too(self):
        page = self.open(way="export")
        page.fill(".moving-form > .field .input", "/home/ada/there.enc")
        self.type_password(page, PASSWORD)
        self.button(page, "Write the file").click()
        self.says(page, "There is a file of this name already", ".field.failed")
        page.fill(".moving-form > .field .input", FILE)
        page.get_by_role("switch", name="The journal alone").click()
        self.assertFalse(page.is_visible(".moving-form > .banner"), "a phone that goes on does not rest")
        self.button(page, "Write the file").click()
        self.says(page, "Reading this phone’s data")
        self.assertEqual(self.called(page, "migrate.export")[-1], {"path": FILE, "password": PASSWORD, "journalOnly": True})

    def test_it_is_undone_after_a_question_and_stays_after_another(self):
        page = self.stand("moved")
        self.button(page, "Go back").click()
        self.assertEqual(self.called(page, "migrate.rollback"), [])
        self.button(page, "Go back", "dialog").click()
        self.says(page, "The next start goes back to what this phone had")
        self.button(page, "Stay with what is here").click()
        self.button(page, "Stay with what is here", "dialog").click()
        self.says(page, "From phone to phone")
        self.assertEqual(len(self.called(page, "migrate.cancel")), 1)

    def test_media_that_did_not_come_lead_to_their_stories(self):
        page = self.open("move-moved lost", size=DESKTOP)
        page.click("summary")
        self.says(page, "14 pictures and recordings did not come")
        self.assertEqual(page.locator(".moving-lost > li").count(), 10)
        self.button(page, "Show all 14").click()
        self.assertEqual(page.locator(".moving-lost > li").count(), 14)
        self.assertEqual(page.locator(".moving-lost a").first.get_attribute("href"), "#/journal/s0")

    def test_a_retired_phone_says_that_nothing_was_deleted_and_is_taken_back_there(self):
        page = self.open("move-done retired")
        self.says(page, "Everything is on Ada’s new phone")
        self.button(page, "Go on with this phone", ".moving").click()
        self.button(page, "Go on with this phone", "dialog").click()
        self.says(page, "Start the program again", ".moving > * .banner")
        self.assertEqual(len(self.called(page, "phone.keep")), 1)

    def test_a_program_that_starts_itself_again_is_waited_for_and_then_it_is_said_how_it_ended(self):
        page = self.stand("placing")
        self.says(page, "Putting it into place")
        self.says(page, "There is nothing to do")
        self.assertEqual(page.locator(".stage-actions").count(), 0)
        page.evaluate("fake.moving.startedAgain('restore')")
        self.says(page, "Everything of the old phone is here")
        self.says(page, "1,204", ".moving-report")
        self.button(page, "Done").click()
        self.says(page, "From phone to phone")
        page.evaluate("fake.moving.to({ role: 'new', step: 'ready', isAgreed: true, report: null })")
        self.says(page, "Going back to what this phone had")
        page.evaluate("fake.moving.startedAgain('undo', 'The disk is full.')")
        self.says(page, "This phone did not go back; it has what it had")
        self.says(page, "The disk is full.", ".banner")

    def test_what_is_replaced_is_counted_beside_what_comes(self):
        for stand in ("agreeing", "offered"):
            page = self.stand(stand)
            self.says(page, "2 stories, 1 picture or recording, 1 computer", ".stage-facts")

    def test_a_phone_that_rested_starts_again_by_a_button_where_it_can(self):
        page = self.open("move-done kept starts-itself")
        self.button(page, "Start again now", ".moving").click()
        self.until(page, "fake.calls.filter((call) => call.method === 'migrate.restart').length === 1")
        page = self.open("move-done kept")
        self.says(page, "Start the program again", ".moving > * .banner")
        self.assertEqual(self.button(page, "Start again now", ".moving").count(), 0)

    def test_a_reason_of_the_other_phone_is_said_with_what_it_had(self):
        page = self.stand("failed-migrateNotRestored")
        page.evaluate("fake.moving.to({ failure: { reason: 'migrateNotRestored', message: '', values: { code: 'wrongPassword' } } })")
        self.says(page, "The password is another one", ".banner")

    def test_nothing_of_a_peer_is_more_than_text(self):
        for stand in ("agreeing", "sending", "offered", "written", "not-in-place", "failed-other"):
            page = self.open(f"move-{stand} hostile")
            self.assertTrue(page.evaluate("window.hacked === undefined && document.querySelectorAll('.main img, .main script').length === 0"), stand)


if __name__ == "__main__":
    unittest.main()
