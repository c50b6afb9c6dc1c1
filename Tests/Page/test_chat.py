"""Conversations in the browser: the list, what is written and shown, what is held, spoken and scrolled, and people who are new."""

import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser, settle
from states.chat import GRACE, HOME, ONE, rows, said, tray

# A tone in the place of a microphone, which nobody is asked for.
MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
AT_END = "(() => { const flow = document.querySelector('.talk-flow'); return flow.scrollHeight - flow.scrollTop - flow.clientHeight < 3; })()"
# Where something stands that the reader looks at, by its text.
TOP_OF = "(text) => [...document.querySelectorAll('.said')].find((row) => row.querySelector('.said-text')?.textContent === text)?.getBoundingClientRect().top"
HIDDEN = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s }); document.dispatchEvent(new Event('visibilitychange'))"


class ChatTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser(MICROPHONE))

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash=HOME, size=DESKTOP, **options):
        page = self.browser.page(self.site.url, hash, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        return page

    def list(self, **options):
        page = self.open(**options)
        rows(page)
        return page

    def talk(self, scenario="", size=PHONE, hash=ONE, **options):
        page = self.open(hash, size, scenario=scenario, **options)
        said(page)
        return page

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def seek(self, page, selector):
        """Goes up until something is drawn, and brings it into sight."""
        end = time.monotonic() + PATIENCE
        while not page.locator(selector).count():
            self.assertLess(time.monotonic(), end, selector)
            page.evaluate("document.querySelector('.talk-flow').scrollTop -= 300")
            page.wait_for_timeout(60)
        page.locator(selector).first.scroll_into_view_if_needed()

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def names(self, page):
        return page.locator(".chat-row .chat-name").all_inner_texts()

    # The list

    def test_L1_the_list_stands_in_its_order_and_rows_that_are_told_move(self):
        page = self.list()
        self.assertEqual(self.names(page)[:3], ["Grace Hopper", "王小明", "Linus"])
        page.evaluate("fake.chat.come('tb_18', { text: 'Look at this' })")
        self.until(page, "document.querySelectorAll('.chat-name')[1].textContent === 'Margaret'")
        self.assertIn("Look at this", page.locator(".chat-preview").nth(1).inner_text())
        self.assertEqual(len(self.called(page, "chat.list")), 1, "what is told is not asked for")

    def test_the_number_stands_on_the_navigation_wherever_one_is(self):
        page = self.open("#/settings")
        self.until(page, "document.querySelector('.nav-row[data-section=\"/chats\"] .badge')?.textContent === '5'")
        page.evaluate("fake.chat.come('tb_12', { text: 'new' })")
        self.until(page, "document.querySelector('.nav-row[data-section=\"/chats\"] .badge').textContent === '6'")
        page.evaluate("fake.chat.come('tb_15', { text: 'muted' })")
        settle(page)
        self.assertEqual(page.inner_text(".nav-row[data-section='/chats'] .badge"), "6")

    def test_L6_what_fails_is_as_it_was_and_said(self):
        page = self.list()
        page.evaluate("fake.answer('chat.pin', () => fake.fail('internal', 'no')); fake.answer('chat.hide', () => fake.fail('internal', 'no'))")
        for label in ("Pin", "Hide"):
            page.locator(".chat-link").nth(2).click(button="right")
            page.get_by_role("menuitem", name=label, exact=True).click()
            page.wait_for_selector(".toast.bad")
            self.until(page, "document.querySelectorAll('.chat-name')[2].textContent === 'Linus'")
            self.assertEqual(page.locator(".chat-row.is-pinned").count(), 1)

    def swipe(self, page, row, by):
        page.evaluate("""([row, by]) => {
            const element = document.querySelectorAll('.chat-row')[row];
            const box = element.getBoundingClientRect();
            const tell = (type, x) => element.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', pointerId: 7, isPrimary: true, clientX: box.left + 150 + x, clientY: box.top + 20, bubbles: true }));
            element.setPointerCapture = () => {};
            tell('pointerdown', 0); tell('pointermove', by / 2); tell('pointermove', by); tell('pointerup', by);
        }""", [row, by])

    def test_a_swipe_pins_and_hides(self):
        page = self.list(size=PHONE)
        self.swipe(page, 2, 140)
        self.until(page, "document.querySelectorAll('.chat-name')[1].textContent === 'Linus'")
        self.assertEqual(self.called(page, "chat.pin"), [{"conversation": "si_tb_15_tb_7", "on": True}])
        self.swipe(page, 2, -140)
        self.until(page, "![...document.querySelectorAll('.chat-name')].some((each) => each.textContent === '王小明')")
        self.assertEqual(self.called(page, "chat.hide"), [{"conversation": "si_tb_12_tb_7"}])
        self.swipe(page, 1, 40)
        settle(page)
        self.assertEqual((len(self.called(page, "chat.pin")), page.evaluate("location.hash")), (1, "#/chats"))

    def test_the_keyboard_walks_hides_and_opens(self):
        page = self.list()
        page.locator(".chat-link").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Delete")
        self.until(page, "![...document.querySelectorAll('.chat-name')].some((each) => each.textContent === '王小明')")
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        page.wait_for_selector(".talk-name:has-text('Grace Hopper')")

    def test_L5_a_draft_stands_first_and_typing_above_it(self):
        page = self.list()
        self.assertEqual(page.locator(".chat-preview").nth(1).inner_text(), "[Draft] 明天下午三点可以吗？")
        page.evaluate("fake.chat.tell({ typing: { conversation: 'si_tb_12_tb_7', isTyping: true } })")
        page.wait_for_selector(".chat-preview.is-typing")
        page.evaluate("fake.chat.come('tb_12', { text: 'so' })")
        self.until(page, "!document.querySelector('.chat-preview.is-typing')")

    def test_a_search_finds_people_and_messages_and_opens_there(self):
        page = self.list(scenario="chat-long", size=PHONE)
        page.fill(".chat-search input", "message 5000")
        page.wait_for_selector(".found-row")
        page.locator(".found-row").first.click()
        page.wait_for_selector(".said.is-found")
        self.assertIn("Message 5000", page.inner_text(".said.is-found .said-text"))
        settle(page)
        asked = [each.get("before") for each in self.called(page, "chat.history")]
        self.assertEqual(asked[0], 5020)
        self.assertLess(len(asked), 5, "only what stands around it")
        page.click(".below")
        self.until(page, f"document.querySelector('.talk-flow')?.textContent.includes('Message 10000') && {AT_END}")

    def test_from_a_place_that_was_found_one_reads_on_to_newer_messages(self):
        page = self.talk("chat-long", hash=f"{ONE}?at=9900&item=m-9900")
        page.wait_for_selector(".said.is-found")
        for _ in range(12):
            page.evaluate("document.querySelector('.talk-flow').scrollTop = 1e9")
            page.wait_for_timeout(60)
        self.until(page, "document.querySelector('.talk-flow').textContent.includes('Message 10000')")

    def test_once_there_is_an_account_its_conversations_come_by_themselves(self):
        page = self.list(scenario="chat-signed-out")
        page.wait_for_selector(".empty a[href='#/account']")
        page.evaluate("fake.chat.state = 'live'; fake.chat.row('tb_50', { name: 'Hedy' }); fake.chat.put('tb_50', { text: 'Hello' }); fake.emit('account', {})")
        page.wait_for_selector(".chat-name:has-text('Hedy')")
        page.evaluate("fake.chat.come('tb_50', { text: 'and again' })")
        page.wait_for_selector(".chat-preview:has-text('and again')")

    # Messages

    def test_Q4_what_is_sent_stands_at_the_end_once_and_gets_its_marks(self):
        linus = "si_tb_15_tb_7"
        page = self.talk(hash=f"#/chats/{linus}")
        page.fill(".write-text", "  Hello there  ")
        page.keyboard.press("Control+Enter")
        self.until(page, "[...document.querySelectorAll('.said-text')].at(-1).textContent === 'Hello there'")
        self.assertEqual(page.input_value(".write-text"), "")
        sent = self.called(page, "chat.send")
        self.assertEqual((sent[0]["conversation"], sent[0]["text"], len(sent[0]["id"])), (linus, "Hello there", 36))
        sent_row = "[...document.querySelectorAll('.said')].find((row) => row.querySelector('.said-text')?.textContent === 'Hello there')"
        self.until(page, f"{sent_row}?.querySelector('.tick.is-sent')")
        page.evaluate("(id) => { const row = fake.chat.rows.get(id); row.receivedByPeer = row.newest; fake.chat.tellRow(row); }", linus)
        self.until(page, f"{sent_row}?.querySelector('.tick.is-received')")
        page.evaluate("(id) => { const row = fake.chat.rows.get(id); row.readByPeer = row.newest; fake.chat.tellRow(row); }", linus)
        self.until(page, f"{sent_row}?.querySelector('.tick.is-read')")
        self.assertEqual(page.locator(".said-text:text-is('Hello there')").count(), 1)
        self.assertTrue(page.evaluate(AT_END))

    def test_where_there_is_a_keyboard_return_sends_and_shift_begins_a_line(self):
        page = self.talk(size=DESKTOP)
        page.click(".write-text")
        page.keyboard.type("one")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("two")
        page.keyboard.press("Enter")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.send')")
        self.assertEqual(self.called(page, "chat.send")[0]["text"], "one\ntwo")

    def test_Q6_blank_and_too_long_texts_are_not_sent_and_stay(self):
        page = self.talk(size=DESKTOP)
        for text in ("   \n ", "海" * 6000):
            page.fill(".write-text", text)
            page.keyboard.press("Enter")
            settle(page)
            self.assertEqual((self.called(page, "chat.send"), page.input_value(".write-text")), ([], text))
        page.wait_for_selector(".write-trouble .banner")

    def test_what_was_not_taken_stays_to_be_sent_again(self):
        page = self.talk("chat-send-fails", size=DESKTOP)
        page.fill(".write-text", "Important")
        page.keyboard.press("Enter")
        page.wait_for_selector(".write-trouble .banner")
        self.assertEqual(page.input_value(".write-text"), "Important")

    def test_B24_a_message_that_failed_says_why_and_is_sent_again_under_its_id(self):
        page = self.talk()
        failed = page.locator(".said:has(.said-failed)")
        self.assertIn("not reached for a day", failed.inner_text())
        identifier = page.evaluate("(id) => fake.chat.messages.get(id).find(({ status }) => status === 'failed').id", GRACE)
        page.locator(".said-failed").click()
        self.until(page, "!document.querySelector('.said-failed')")
        self.assertEqual(self.called(page, "chat.resend"), [{"conversation": GRACE, "id": identifier}])

    def test_B21_a_draft_is_kept_and_comes_back(self):
        page = self.talk(size=DESKTOP)
        page.fill(".write-text", "half a thou")
        page.evaluate("location.hash = '#/chats/si_tb_12_tb_7'")
        self.until(page, "document.querySelector('.write-text')?.value === '明天下午三点可以吗？'")
        self.assertEqual(self.called(page, "chat.draft"), [{"conversation": GRACE, "text": "half a thou"}])

    def test_the_other_person_is_told_of_typing_once_and_that_it_ended(self):
        page = self.talk(size=DESKTOP)
        page.click(".write-text")
        page.keyboard.type("hello")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.typing')")
        page.fill(".write-text", "")
        settle(page)
        self.assertEqual([each["on"] for each in self.called(page, "chat.typing")], [True, False])

    def test_L8_it_is_noted_as_read_only_while_somebody_looks(self):
        page = self.talk()
        self.until(page, "fake.calls.filter(({ method }) => method === 'chat.read').length === 1")
        page.evaluate(HIDDEN % "true")
        page.evaluate("fake.chat.come('tb_9', { text: 'unseen' })")
        self.until(page, "[...document.querySelectorAll('.said-text')].some((each) => each.textContent === 'unseen')")
        self.assertEqual(len(self.called(page, "chat.read")), 1)
        page.evaluate(HIDDEN % "false")
        self.until(page, "fake.calls.filter(({ method }) => method === 'chat.read').length === 2")

    def test_C4_new_messages_below_are_counted_and_a_press_leads_there(self):
        page = self.talk("chat-long")
        page.evaluate("document.querySelector('.talk-flow').scrollTop -= 900")
        page.wait_for_selector(".below")
        for number in (1, 2):
            page.evaluate("(number) => fake.chat.come('tb_9', { text: `new ${number}` })", number)
        self.until(page, "document.querySelector('.below .button-label').textContent === '2 new messages'")
        self.assertEqual(len(self.called(page, "chat.read")), 0, "nobody saw them")
        page.click(".below")
        self.until(page, f"{AT_END} && document.querySelector('.below').hidden")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.read')")

    def test_R6_older_messages_move_nothing_that_is_read(self):
        page = self.talk("chat-long", size=DESKTOP)
        page.evaluate("document.querySelector('.talk-flow').scrollTop = 700")
        page.wait_for_timeout(100)
        text = page.evaluate("[...document.querySelectorAll('.said')].find((row) => row.getBoundingClientRect().top > 150).querySelector('.said-text').textContent")
        before = page.evaluate(TOP_OF, text)
        page.evaluate("document.querySelector('.talk-flow').scrollTop = 0")
        page.wait_for_timeout(50)
        shifted = page.evaluate(TOP_OF, text)
        self.until(page, "fake.calls.filter(({ method }) => method === 'chat.history').length >= 2 && fake.pending === 0")
        page.wait_for_timeout(100)
        self.assertAlmostEqual(page.evaluate(TOP_OF, text), shifted, delta=2)
        self.assertNotEqual(before, shifted)

    def test_ten_thousand_messages_are_drawn_a_few_at_a_time_and_opened_at_once(self):
        page = self.talk("chat-long", size=DESKTOP)
        self.assertEqual(len(self.called(page, "chat.history")), 1)
        spent = page.evaluate("""async () => {
            const before = document.querySelector('.talk');
            location.hash = '#/chats/si_tb_12_tb_7';
            await new Promise((resolve) => setTimeout(resolve, 300));
            const began = performance.now();
            location.hash = '#/chats/%s';
            while (!document.querySelector('.talk-flow')?.textContent.includes('Message 10000')) await new Promise((resolve) => requestAnimationFrame(resolve));
            return performance.now() - began;
        }""" % GRACE)
        self.assertLess(spent, 150 * 4, "four times what a free machine may take")
        page.evaluate("""async () => {
            const flow = document.querySelector('.talk-flow');
            for (let at = 0; at < 120 && fake.calls.filter(({ method }) => method === 'chat.history').length < 60; at += 1) {
                flow.scrollTop = 0;
                await new Promise((resolve) => requestAnimationFrame(resolve));
            }
        }""")
        self.assertLess(page.locator(".flow-row").count(), 120)

    def test_the_menu_of_a_message_has_what_can_be_done_with_it(self):
        page = self.talk(size=DESKTOP)
        names = lambda: page.get_by_role("menuitem").all_inner_texts()
        page.locator(".said.is-mine .bubble.is-text").first.click(button="right")
        self.assertEqual(names(), ["Copy", "Recall", "Delete for me"])
        page.keyboard.press("Escape")
        page.locator(".said.is-theirs .bubble.is-text").last.click(button="right")
        self.assertEqual(names(), ["Copy", "Delete for me", "Report"])
        page.get_by_role("menuitem", name="Report").click()
        page.fill("dialog textarea", "It is spam")
        page.locator("dialog .button.danger").click()
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.report')")
        self.assertEqual(self.called(page, "chat.report")[0]["reason"], "It is spam")
        self.assertIn("id", self.called(page, "chat.report")[0])

    def test_C5_a_recalled_message_is_a_line_and_comes_back_where_that_fails(self):
        for scenario, is_recalled in (("", True), ("chat-send-fails", False)):
            page = self.talk(scenario, size=DESKTOP)
            bubble = page.locator(".bubble.is-text:has-text('I look at it now.')")
            bubble.click(button="right")
            page.get_by_role("menuitem", name="Recall").click()
            if is_recalled:
                self.until(page, "[...document.querySelectorAll('.talk-line')].some((each) => each.textContent === 'You recalled a message')")
            else:
                page.wait_for_selector(".toast.bad")
                self.until(page, "[...document.querySelectorAll('.said-text')].some((each) => each.textContent === 'I look at it now.')")

    def test_deleted_for_oneself_and_discarded_messages_are_gone(self):
        page = self.talk(size=DESKTOP)
        page.locator(".bubble.is-text:has-text('I look at it now.')").click(button="right")
        page.get_by_role("menuitem", name="Delete for me").click()
        page.locator("dialog .button.danger").click()
        page.locator(".bubble.is-text:has-text('Not yet sent')").click(button="right")
        page.get_by_role("menuitem", name="Discard").click()
        self.until(page, "![...document.querySelectorAll('.said-text')].some((each) => ['I look at it now.', 'Not yet sent'].includes(each.textContent))")

    def test_a_finger_that_rests_opens_the_menu(self):
        page = self.talk()
        page.evaluate("""() => {
            const bubble = [...document.querySelectorAll('.said.is-theirs .bubble.is-text')].at(-1);
            const box = bubble.getBoundingClientRect();
            bubble.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', isPrimary: true, clientX: box.left + 20, clientY: box.top + 10, bubbles: true }));
        }""")
        page.wait_for_selector(".menu")

    # Pictures, view-once pictures and voice

    def test_pictures_are_chosen_dropped_and_sent_as_one_message(self):
        page = self.talk(size=DESKTOP)
        tray(page, 3)
        page.locator(".tray-picture .icon-button").first.click()
        page.click(".write-line .icon-button.primary")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.sendMedia')")
        sent = self.called(page, "chat.sendMedia")[0]
        self.assertEqual((sent["kind"], sent["files"]), ("image", ["file-1", "file-2"]))
        self.assertEqual([(each["path"], each["name"], each["type"]) for each in page.evaluate("fake.chat.attached")], [("chat/attachments", f"p{at}.png", "image/png") for at in (1, 2)])
        self.until(page, "document.querySelector('.tray').hidden")

    def test_a_single_picture_can_be_sent_to_be_viewed_once(self):
        page = self.talk(size=DESKTOP)
        tray(page)
        page.locator(".tray .switch").check()
        page.click(".write-line .icon-button.primary")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.sendMedia')")
        self.assertEqual(self.called(page, "chat.sendMedia")[0]["kind"], "flash")

    def test_C6_a_view_once_picture_is_shown_while_it_is_held_and_fetched_once(self):
        page = self.talk(size=DESKTOP)
        card = page.locator(".flash.is-closed")
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.wait_for_selector(".flash-shown img")
        page.mouse.move(box["x"] + 300, box["y"] - 50)
        self.assertEqual(page.locator(".flash-shown").count(), 1)
        page.mouse.up()
        self.until(page, "!document.querySelector('.flash-shown')")
        self.assertEqual(len(page.evaluate("fake.chat.opened")), 1)
        self.until(page, "!document.querySelector('.flash.is-closed')")

    def test_C6_it_is_gone_when_the_window_is_left(self):
        for leave in ("window.dispatchEvent(new Event('blur'))", HIDDEN % "true"):
            page = self.talk(size=DESKTOP)
            page.locator(".flash.is-closed").focus()
            page.keyboard.down("Enter")
            page.wait_for_selector(".flash-shown img")
            page.evaluate(leave)
            self.until(page, "!document.querySelector('.flash-shown')")
            page.keyboard.up("Enter")

    def test_one_voice_note_plays_at_a_time(self):
        page = self.talk(size=DESKTOP)
        page.evaluate("() => { HTMLMediaElement.prototype.play = async function () { window.played = [...window.played ?? [], this.src]; }; }")
        self.seek(page, ".voice .icon-button")
        page.locator(".voice .icon-button").first.click()
        page.wait_for_selector(".voice.is-playing")
        page.locator(".voice .icon-button").nth(1).click()
        self.until(page, "document.querySelectorAll('.voice.is-playing').length === 1 && window.played.length === 2")
        page.locator(".voice.is-playing .icon-button").click()
        self.until(page, "!document.querySelector('.voice.is-playing')")

    def test_C10_a_voice_note_is_held_recorded_and_sent_with_its_heights(self):
        page = self.talk(size=DESKTOP)
        box = page.locator(".talk-button").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.wait_for_selector(".recording:visible .recording-hint:has-text('Slide away')")
        page.wait_for_timeout(1200)
        page.mouse.up()
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.sendMedia')")
        sent = self.called(page, "chat.sendMedia")[0]
        self.assertEqual((sent["kind"], sent["seconds"]), ("voice", 1))
        self.assertTrue(4 <= len(sent["waveform"]) <= 64 and max(sent["waveform"]) == 100, sent)
        kept = page.evaluate("fake.chat.attached")[0]
        self.assertIn(kept["type"], ("audio/ogg", "audio/webm", "audio/mp4"))
        self.assertGreater(kept["size"], 200)

    def test_C10_slid_away_nothing_is_sent_and_by_keyboard_it_is_begun_and_ended(self):
        page = self.talk(size=DESKTOP)
        box = page.locator(".talk-button").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.wait_for_selector(".recording:visible")
        page.wait_for_timeout(700)
        page.mouse.move(box["x"] - 160, box["y"] + 20)
        page.wait_for_selector(".recording.will-cancel")
        page.mouse.up()
        self.until(page, "document.querySelector('.recording').hidden")
        self.assertEqual(self.called(page, "chat.sendMedia"), [])
        page.locator(".talk-button").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".recording-choices:visible")
        page.wait_for_timeout(900)
        page.get_by_role("button", name="Send", exact=True).last.click()
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.sendMedia')")

    def test_pictures_are_looked_at_one_after_the_other(self):
        page = self.talk(size=DESKTOP)
        page.evaluate("document.querySelector('.talk-flow').scrollTop = 0")
        page.wait_for_timeout(120)
        page.locator(".picture:not(.is-gone)").first.click()
        page.wait_for_selector(".show[open]")
        self.assertEqual(page.inner_text(".show-count"), "1 / 6")
        page.keyboard.press("ArrowRight")
        self.assertEqual(page.inner_text(".show-count"), "2 / 6")
        page.keyboard.press("+")
        page.wait_for_selector(".show-frame.is-zoomed")
        page.keyboard.press("ArrowRight")
        self.assertEqual(page.inner_text(".show-count"), "2 / 6", "what is zoomed is moved")
        page.keyboard.press("Escape")
        self.until(page, "!document.querySelector('.show')")

    # People

    def test_requests_are_accepted_and_declined(self):
        page = self.open("#/chats/requests")
        page.wait_for_selector(".request")
        page.locator(".request").nth(1).get_by_text("Decline").click()
        self.until(page, "document.querySelectorAll('.request').length === 1")
        page.locator(".request").get_by_text("Accept").click()
        page.wait_for_selector(".talk-name:has-text('Radia')")
        self.assertEqual([each["accept"] for each in self.called(page, "chat.answer")], [False, True])

    def test_a_request_that_was_not_accepted_is_not_noted_as_read(self):
        page = self.talk("chat-incoming", size=DESKTOP)
        settle(page)
        self.assertEqual(self.called(page, "chat.read"), [])
        page.get_by_role("button", name="Accept").click()
        page.wait_for_selector(".write-text")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.read')")

    def test_a_person_is_added_by_name_and_by_the_picture_of_a_code(self):
        page = self.open("#/chats/add", PHONE)
        page.fill(".add-line input", "barbara")
        page.press(".add-line input", "Enter")
        page.wait_for_selector(".talk-name:has-text('Barbara')")
        page.wait_for_selector(".write-text[placeholder='First message']")
        page = self.open("#/chats/add", PHONE)
        page.evaluate("fake.pictures.read = async () => 'tandem-account://chat?hub=ws%3A%2F%2Fhub&u=tb_40&n=Barbara'")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose a picture").click()
        chooser.value.set_files([{"name": "code.png", "mimeType": "image/png", "buffer": b"png"}])
        page.wait_for_selector(".talk-name:has-text('Barbara')")

    def test_the_safety_number_is_compared(self):
        page = self.open(f"{ONE}/safety")
        page.wait_for_selector(".safety-number")
        self.assertEqual(len(page.inner_text(".safety-number").split()), 12)
        page.get_by_role("button", name="They are the same").click()
        page.wait_for_selector(".safety-verified")
        self.assertEqual(self.called(page, "chat.verify"), [{"conversation": GRACE, "on": True}])

    def test_a_clear_conversation_says_who_can_read_it_and_no_screen_says_otherwise(self):
        clear = "#/chats/si_tb_12_tb_7"
        for address in (clear, f"{clear}/settings", f"{clear}/safety"):
            page = self.open(address)
            settle(page)
            text = page.inner_text("main")
            self.assertIn("Not sealed", text, address)
            self.assertNotIn("Only your devices", text)
        self.assertIn("Whoever runs the hub can read", text)

    def test_sealing_that_stops_is_gone_on_with_by_a_deliberate_act(self):
        page = self.talk("chat-restarted", size=DESKTOP)
        self.assertEqual(page.locator(".write-text").count(), 0)
        page.get_by_role("button", name="Go on").click()
        page.locator("dialog .button.primary").click()
        page.wait_for_selector(".write-text")
        self.assertEqual(self.called(page, "chat.agree"), [{"conversation": GRACE, "to": "newKeys"}])

    def test_a_change_of_devices_is_a_line_that_comes_at_once_and_stays(self):
        page = self.talk()
        page.evaluate("fake.chat.noticed('tb_9', { added: ['Laptop <b>', 'x\u202ey'], removed: ['Old phone'] })")
        self.until(page, "[...document.querySelectorAll('.talk-line')].some((line) => line.textContent.includes('Laptop <b>'))")
        line = page.locator(".talk-line").last.inner_text()
        self.assertIn("no longer reads on", line)
        self.assertNotIn("\u202e", line)
        page.evaluate("fake.chat.come('tb_9', { text: 'Is it you?' })")
        self.until(page, "[...document.querySelectorAll('.talk-line, .said')].at(-1)?.textContent.includes('Is it you?') || [...document.querySelectorAll('.said-text')].some((text) => text.textContent === 'Is it you?')")
        self.assertEqual(page.locator(".talk-line:has-text('Laptop')").count(), 1)

    def test_a_message_that_cannot_be_read_says_so(self):
        page = self.talk()
        self.seek(page, ".said-trouble:has-text('cannot read. Update Tandem')")

    def test_C9_the_history_is_cleared_after_asking(self):
        page = self.open(f"{ONE}/settings")
        page.wait_for_selector(".profile-acts .button")
        page.click(".profile-acts .button")
        self.assertEqual(self.called(page, "chat.clear"), [])
        page.locator("dialog .button.danger").click()
        page.wait_for_selector(".flow-begin:has-text('Nothing was said here yet')")
        self.assertEqual(self.called(page, "chat.clear"), [{"conversation": GRACE}])

    def test_what_others_write_is_text_and_turns_nothing_around(self):
        page = self.talk("hostile", size=DESKTOP)
        settle(page)
        self.assertFalse(page.evaluate("'hacked' in window"))
        self.assertIn("⟨202E⟩", page.inner_text(".talk-name"))
        self.assertIn("⟨202E⟩gpj.exe<img", page.locator(".said-text").all_inner_texts()[-3])


if __name__ == "__main__":
    unittest.main()
