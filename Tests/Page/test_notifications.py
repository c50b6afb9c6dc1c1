"""Notifications in the browser: the list and what is done with it, settings, badges, banners, pushes, and hostile texts."""

import base64
import json
import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser, settle
from hostile import CANARY, SEEN
from states.notifications import ALL, COMPUTER, HOME, OWN, drawn, menu, of_sheet, own_settings, settings

TITLES = "[...document.querySelectorAll('.notice-title')].map((each) => each.textContent)"
UNREAD = "[...document.querySelectorAll('.is-unread .notice-title')].map((each) => each.textContent)"
BADGE = "document.querySelector('.tab[href*=notifications] .badge')?.firstChild.data ?? '0'"
SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = await navigator.locks.request('tandem-banners', () => registration.getNotifications());
    // The mark by which a computer on the same desktop knows them.
    const text = (body) => (body.endsWith('\\u2063\\u2064\\u2063') ? body.slice(0, -3) : `without a mark: ${body}`);
    return found.map(({ title, body, tag, silent, data }) => ({ title, body: text(body), tag, silent, go: data.go }));
}"""


class NotificationCase(unittest.TestCase):
    # Whether it needs the browser that people have.
    NEEDS_CHROMIUM = False

    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser(is_whole=cls.NEEDS_CHROMIUM))

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash=HOME, scenario="told", size=DESKTOP, **options):
        page = self.browser.page(self.site.url, hash, scenario=scenario, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        return page

    def list(self, scenario="told", **options):
        page = self.open(scenario=scenario, **options)
        drawn(page)
        return page

    def own(self, scenario="told", hash=OWN, **options):
        page = self.open(hash, scenario, role="desktop", **options)
        drawn(page)
        return page

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def asked(self, page, method):
        """What was asked of the computer itself."""
        return [each["params"] for each in self.called(page, "notifications.call") if each["method"] == f"notification.{method}"]


class ListTests(NotificationCase):
    def test_the_newest_stands_first_and_the_unread_are_counted_everywhere(self):
        page = self.list(size=PHONE)
        self.assertEqual(page.evaluate(TITLES)[:2], ["The disk is almost full", "Mei Lin"])
        self.assertEqual(len(page.evaluate(UNREAD)), 4)
        self.until(page, f"{BADGE} === '4'")
        self.assertEqual(page.title(), "(4) studio-pc · Tandem")
        page.evaluate("location.hash = '#/computers'")
        page.wait_for_selector(".computer-unread .chip")
        self.assertEqual(page.locator(".computer-unread .chip").all_text_contents(), ["4 unread notifications"])

    def test_the_app_wears_the_number(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.add_init_script("window.badges = []; navigator.setAppBadge = async (count) => { badges.push(count); }; navigator.clearAppBadge = async () => { badges.push(0); };")
        self.browser.show(page, self.site.url, HOME, scenario="told")
        self.until(page, "badges.at(-1) === 4")
        page.evaluate("for (const each of [...fake.notices.all()]) if (!each.read) fake.notices.change(each.id, { read: true })")
        self.until(page, "badges.at(-1) === 0")
        self.assertEqual(page.title(), "studio-pc · Tandem")

    def test_opening_one_marks_it_read_and_back_closes_it(self):
        page = self.list()
        page.click(".notice-main:has-text('Mei Lin')")
        of_sheet(page)
        self.assertIn("show=chat", page.url)
        self.assertEqual(self.called(page, "notifications.mark"), [{"device": COMPUTER, "ids": ["chat"]}])
        self.until(page, f"{BADGE} === '3'")
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        self.assertNotIn("Mei Lin", page.evaluate(UNREAD))
        self.assertEqual(page.evaluate("document.activeElement.dataset.id"), "chat", "the keyboard goes on where it was")
        page.keyboard.press("Enter")
        of_sheet(page)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.until(page, "!location.hash.includes('show=')")

    def test_deleting_one_from_its_sheet_leaves_the_list_where_it_is(self):
        page = self.list("many-notices")
        page.evaluate("window.scrollTo(0, 2400)")
        page.wait_for_selector(".notice-main[data-id=m31]")
        page.click(".notice-main[data-id=m31]")
        of_sheet(page)
        before = page.evaluate("scrollY")
        page.click("dialog .dialog-actions .button >> nth=0")
        page.wait_for_selector("dialog", state="detached")
        self.until(page, f"!{TITLES}.includes('Notification number 31')")
        self.until(page, "document.activeElement.dataset.id === 'm32'")
        self.assertEqual(page.evaluate("scrollY"), before)

    def test_closing_one_that_the_list_does_not_show_leaves_it_where_it_is(self):
        page = self.list("many-notices", hash=HOME + "?show=m400")
        of_sheet(page)
        page.evaluate("window.scrollTo(0, 900)")
        before = page.evaluate("scrollY")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.until(page, "!location.hash.includes('show=')")
        self.assertEqual(page.evaluate("scrollY"), before)

    def test_an_address_leads_to_one_that_is_gone(self):
        page = self.list(hash=HOME + "?show=nowhere")
        page.wait_for_selector(".toast:has-text('not there any more')")
        self.until(page, "!location.hash.includes('show=')")

    def test_an_address_leads_to_one_that_only_the_computer_has(self):
        page = self.open(HOME + "?show=n50001", "told notices-late")
        of_sheet(page)
        self.assertIn("Only the computer had it", page.inner_text("dialog"))

    def test_one_that_this_phone_has_not_got_is_waited_for_while_its_computer_is_away(self):
        page = self.list("told away", hash=HOME + "?show=late")
        self.until(page, "fake.calls.some(({ method }) => method === 'notifications.refresh') && fake.pending === 0")
        page.evaluate("fake.notices.add({ id: 'other', title: 'Another' })")
        self.until(page, f"{TITLES}[0] === 'Another'")
        settle(page)
        self.assertEqual(page.locator(".toast").count(), 0)
        self.assertIn("show=late", page.url)
        page.evaluate("fake.notices.add({ id: 'late', title: 'By push' })")
        of_sheet(page)
        self.assertIn("By push", page.inner_text("dialog"))
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.until(page, "!location.hash.includes('show=')")

    def test_one_that_is_opened_again_is_there_again(self):
        page = self.list()
        for _ in range(2):
            page.click(".notice-main:has-text('Mei Lin')")
            of_sheet(page)
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog", state="detached")
            self.until(page, "!location.hash.includes('show=')")

    def test_read_and_delete_by_buttons_and_keys(self):
        page = self.list()
        page.hover(".notice >> nth=0")
        page.click(".notice >> nth=0 >> [data-act=read]")
        self.until(page, f"!{UNREAD}.includes('The disk is almost full')")
        page.locator(".notice-main").nth(1).focus()
        page.keyboard.press("Delete")
        self.until(page, f"{TITLES}[1] === '测试已完成：make test'")
        self.assertEqual(self.called(page, "notifications.delete"), [{"device": COMPUTER, "ids": ["chat"]}])
        self.until(page, "document.activeElement.dataset.id === 'tests'")
        page.keyboard.press("ArrowDown")
        self.assertEqual(page.evaluate("document.activeElement.dataset.id"), "agent")

    def test_a_key_that_is_held_down_deletes_one(self):
        page = self.list()
        page.locator(".notice-main").nth(1).focus()
        page.keyboard.press("Control+Delete")
        for _ in range(4):
            page.keyboard.down("Delete")
        page.keyboard.up("Delete")
        self.until(page, f"{TITLES}.length === 10")
        settle(page)
        self.assertEqual(self.called(page, "notifications.delete"), [{"device": COMPUTER, "ids": ["chat"]}])

    def test_what_fails_is_put_back_and_can_be_tried_again(self):
        page = self.list()
        before = page.evaluate(TITLES)
        page.evaluate("fake.scenario.add('marks-fail')")
        page.locator(".notice-main").first.focus()
        page.keyboard.press("Delete")
        page.wait_for_selector(".notice-strips .banner.bad")
        self.assertEqual(page.evaluate(TITLES), before)
        page.evaluate("fake.notices.change('night', { body: 'Changed meanwhile' })")
        self.until(page, "document.querySelector('.notice-list').textContent.includes('Changed meanwhile')")
        settle(page)
        self.assertEqual(page.locator(".notice-strips .banner:has-text('put back')").count(), 1, "a refresh does not make it done")
        page.evaluate("fake.scenario.delete('marks-fail')")
        page.click(".notice-strips .banner .button")
        self.until(page, f"{TITLES}[0] === 'Mei Lin'")
        self.assertEqual(page.locator(".notice-strips .banner").count(), 0)

    def test_what_failed_and_was_dismissed_does_not_come_back(self):
        page = self.list("told marks-fail")
        page.locator(".notice-main").first.focus()
        page.keyboard.press("Delete")
        page.click(".notice-strips .banner:has-text('put back') .icon-button")
        page.evaluate("fake.scenario.add('notices-failed'); fake.emit('notifications', {})")
        page.wait_for_selector(".notice-strips .banner:has-text('not up to date')")
        self.assertEqual(page.locator(".notice-strips .banner").count(), 1)

    def test_a_mark_shows_before_it_is_answered(self):
        page = self.list()
        page.evaluate("fake.latency = 800")
        page.locator(".notice-main").first.focus()
        page.keyboard.press("Delete")
        self.assertEqual(page.evaluate(TITLES)[0], "Mei Lin")

    def test_marks_without_the_computer_wait_and_say_so(self):
        page = self.list("told away idle")
        page.click(".notice >> nth=0 >> [data-act=read]")
        page.wait_for_selector(".notice-strips .banner:has-text('1 change is queued')")
        self.assertNotIn("The disk is almost full", page.evaluate(UNREAD))
        self.assertEqual(page.locator(".computer-strips .banner:has-text('wait')").count(), 0, "it is said once")
        page.evaluate("location.hash = location.hash.replace('notifications', 'system')")
        page.wait_for_selector(".computer-strips .banner:has-text('1 command waits')")

    def test_all_are_marked_up_to_what_was_seen(self):
        page = self.list()
        menu(page)
        page.click(".menu-item:has-text('Mark all read')")
        self.until(page, f"{UNREAD}.length === 0")
        self.assertEqual(self.called(page, "notifications.mark"), [{"device": COMPUTER, "all": True, "upTo": 50000}])

    def test_what_is_told_under_an_open_menu_is_not_marked(self):
        page = self.list()
        menu(page)
        page.evaluate("fake.notices.add({ title: 'Not seen' })")
        page.wait_for_selector(".notice-newer:has-text('1 new')")
        page.click(".menu-item:has-text('Mark all read')")
        self.until(page, f"{UNREAD}.length === 1 && {TITLES}[0] === 'Not seen'")
        self.assertEqual(self.called(page, "notifications.mark"), [{"device": COMPUTER, "all": True, "upTo": 50000}])
        menu(page)
        page.evaluate("fake.notices.add({ title: 'Another' })")
        page.wait_for_selector(".notice-newer:has-text('1 new')")
        page.keyboard.press("Escape")
        self.until(page, f"{TITLES}[0] === 'Another'")

    def test_deleting_all_asks_with_the_number(self):
        page = self.list()
        menu(page)
        page.click(".menu-item.danger")
        page.wait_for_selector("dialog:has-text('Delete all 11 notifications?')")
        page.click("dialog .button.danger")
        page.wait_for_selector(".notice-list .empty")
        self.assertEqual(self.called(page, "notifications.clear"), [{"device": COMPUTER, "upTo": 50000}])

    def test_deleting_all_means_all_whatever_is_shown(self):
        page = self.list()
        page.click(".notice-filters label:has-text('Unread')")
        self.until(page, f"{TITLES}.length === 4")
        menu(page)
        page.click(".menu-item.danger")
        page.wait_for_selector("dialog:has-text('Delete all 11 notifications?')")
        page.click("dialog .button.danger")
        page.wait_for_selector(".notice-list .empty")
        self.assertEqual(page.evaluate("fake.notices.all().length"), 0)

    def test_deleting_all_that_fails_is_said_and_put_back(self):
        page = self.list("told marks-fail")
        menu(page)
        page.click(".menu-item.danger")
        page.click("dialog .button.danger")
        page.wait_for_selector("dialog .banner.bad")
        page.keyboard.press("Escape")
        self.until(page, f"{TITLES}.length === 11")

    def test_only_the_unread(self):
        page = self.list()
        page.click(".notice-filters label:has-text('Unread')")
        self.until(page, f"{TITLES}.length === 4")
        page.click(".notice >> nth=0 >> [data-act=read]")
        self.until(page, f"{TITLES}.length === 3")
        self.assertTrue(self.called(page, "notifications.list")[-1]["unread"])

    def test_a_search_and_a_filter_outlive_a_reload(self):
        page = self.list()
        page.click(".notice-filters .segmented label >> nth=1")
        page.fill(".notice-tools input", "disk")
        self.until(page, f"JSON.stringify({TITLES}) === '[\"The disk is almost full\"]'")
        page.click(".notice-main")
        of_sheet(page)
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.input_value(".notice-tools input"), "disk")
        page.reload()
        page.wait_for_selector(".notice")
        self.until(page, f"{TITLES}.length > 0 && {TITLES}.every((title) => /disk/i.test(title))")
        self.assertEqual(page.input_value(".notice-tools input"), "disk")
        self.assertTrue(page.locator(".notice-filters input").nth(1).is_checked())
        page.evaluate("location.hash = location.hash.split('?')[0]")
        self.until(page, f"{TITLES}.length > 2")
        self.assertEqual(page.input_value(".notice-tools input"), "")

    def test_the_settings_of_a_computer_outlive_a_reload(self):
        page = self.own(size=PHONE)
        own_settings(page)
        page.reload()
        page.wait_for_selector(".quiet-day")
        self.assertTrue(page.locator(".notice-list").is_hidden())

    def test_ten_thousand_scroll_and_come_page_by_page(self):
        page = self.list("many-notices", size=PHONE)
        for _ in range(8):
            page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_timeout(60)
        self.assertLess(page.locator(".notice").count(), 60)
        asked = self.called(page, "notifications.list")
        self.assertGreater(len(asked), 4)
        self.assertEqual(asked[1]["before"], "m49")
        self.until(page, f"{TITLES}.some((title) => /number [3-9]\\d\\d$/.test(title))")

    def test_new_ones_do_not_move_what_is_read(self):
        page = self.list("many-notices")
        page.evaluate("window.scrollTo(0, 900)")
        page.wait_for_timeout(80)
        place = "Math.round([...document.querySelectorAll('.notice')].find((each) => each.textContent.includes('number 9')).getBoundingClientRect().top)"
        before = page.evaluate(place)
        page.evaluate("fake.notices.add({ title: 'Fresh' }); fake.notices.add({ title: 'Fresher' })")
        page.wait_for_selector(".notice-newer:has-text('2 new')")
        self.assertEqual(page.evaluate(place), before)
        page.click(".notice-newer")
        self.until(page, f"{TITLES}[0] === 'Fresher' && {TITLES}[1] === 'Fresh'")

    def test_new_ones_come_at_the_top_and_the_focus_stays_on_its_row(self):
        page = self.list()
        page.evaluate("fake.notices.add({ title: 'Fresh' })")
        self.until(page, f"{TITLES}[0] === 'Fresh'")
        page.locator(".notice-main").nth(1).focus()
        page.evaluate("fake.notices.change('urgent', { read: true })")
        self.until(page, f"!{UNREAD}.includes('The disk is almost full')")
        self.assertEqual(page.evaluate("document.activeElement.dataset.id"), "urgent")

    def test_a_burst_asks_for_no_row_again(self):
        for hash, top in ((HOME, True), (HOME, False), (ALL, True)):
            page = self.list("many-notices", hash=hash)
            if not top:
                page.evaluate("window.scrollTo(0, 900)")
            settle(page)
            before = len(self.called(page, "notifications.list"))
            page.evaluate("(async () => { for (let at = 0; at < 100; at += 1) { fake.notices.add({ title: `Burst ${at}` }); if (at % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 20)); } })()")
            if top:
                self.until(page, f"{TITLES}[0] === 'Burst 99'")
            else:
                page.wait_for_selector(".notice-newer:has-text('100 new')")
            page.wait_for_timeout(300)
            settle(page)
            self.assertEqual(self.called(page, "notifications.list")[before:], [])
            self.until(page, "document.title.startsWith('(99+)')" if hash == ALL else f"{BADGE} === '141'")

    def test_what_was_read_or_deleted_elsewhere_is_so_here(self):
        page = self.list()
        page.evaluate("fake.notices.change('urgent', { read: true }); fake.notices.remove('chat')")
        self.until(page, f"!{UNREAD}.includes('The disk is almost full') && !{TITLES}.includes('Mei Lin')")

    def test_searching_asks_the_computer_and_else_looks_here(self):
        page = self.list()
        page.locator(".notice-tools input").press_sequentially("disk", delay=20)
        self.until(page, f"{TITLES}.length === 1")
        self.assertEqual([each.get("query") for each in self.asked(page, "getHistory")], ["disk"])
        page = self.list("told away")
        page.fill(".notice-tools input", "DISK")
        self.until(page, f"{TITLES}.length === 1")
        page.wait_for_selector(".notice-strips .banner:has-text('only what this phone has')")
        page.fill(".notice-tools input", "")
        self.until(page, f"{TITLES}.length === 11")
        self.assertEqual(page.locator(".notice-strips .banner:has-text('only what')").count(), 0)

    def test_a_list_that_failed_is_asked_for_again(self):
        page = self.open(scenario="told notices-failed")
        page.wait_for_selector(".notice-list .banner.bad")
        page.evaluate("fake.scenario.delete('notices-failed')")
        page.click(".notice-list .banner .button")
        page.wait_for_selector(".notice")

    def test_a_refresh_that_fails_keeps_what_is_shown(self):
        page = self.list()
        page.evaluate("fake.scenario.add('notices-failed')")
        page.click(".notice-tools .icon-button >> nth=0")
        page.wait_for_selector(".notice-strips .banner.bad:has-text('not up to date')")
        self.assertEqual(len(page.evaluate(TITLES)), 11)
        page.click(".notice-strips .icon-button")
        self.assertEqual(page.locator(".notice-strips .banner").count(), 0)

    def test_asking_again_asks_the_computer(self):
        page = self.list()
        page.evaluate("fake.scenario.add('notices-late')")
        page.click(".notice-tools .icon-button >> nth=0")
        self.until(page, f"{TITLES}.includes('Only the computer had it')")
        page.evaluate("fake.scenario.add('away')")
        # The row is there before the button is free again, and a busy one takes no press. The first that is not busy could be another.
        self.until(page, "!document.querySelector('.notice-tools .icon-button').hasAttribute('aria-busy')")
        page.click(".notice-tools .icon-button >> nth=0")
        page.wait_for_selector(".notice-strips .banner:has-text('not up to date')")
        self.assertEqual(len(page.evaluate(TITLES)), 12, "what is here stays")
        page.evaluate("fake.notices.add({ title: 'Told meanwhile' })")
        self.until(page, f"{TITLES}.includes('Told meanwhile')")
        page.wait_for_timeout(300)
        self.assertEqual(page.locator(".notice-strips .banner:has-text('not up to date')").count(), 1, "what is told does not make up for what was missed")

    def test_it_comes_back_when_it_is_allowed(self):
        page = self.open(scenario="told notices-refused")
        page.wait_for_selector(".refused:has-text('notification')")
        page.evaluate("() => { fake.answer('devices.show', ({ id }) => ({ id, name: 'studio-pc', path: 'lan', endToEnd: true, allowed: ['notification'] })); fake.emit('devices', {}); }")
        page.wait_for_selector(".notice")


class TouchTests(NotificationCase):
    def touch(self, page, points, hold=False):
        session = page.context.new_cdp_session(page)
        for kind, point in [("touchStart", points[0]), *[("touchMove", point) for point in points[1:]], *([] if hold else [("touchEnd", None)])]:
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}] if point else []})
            page.wait_for_timeout(16)

    def swipe(self, page, row, by):
        box = page.locator(".notice").nth(row).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.touch(page, [(x + by * part / 8, y) for part in range(9)])

    def test_a_swipe_reads_and_deletes(self):
        page = self.list(size=PHONE)
        self.swipe(page, 0, 140)
        self.until(page, f"!{UNREAD}.includes('The disk is almost full')")
        self.swipe(page, 1, -140)
        self.until(page, f"!{TITLES}.includes('Mei Lin')")
        self.assertEqual(page.locator("dialog").count(), 0, "the press that ends a swipe opens nothing")

    def test_a_short_swipe_does_nothing_and_a_press_opens(self):
        page = self.list(size=PHONE)
        self.swipe(page, 0, -60)
        page.wait_for_timeout(100)
        self.assertEqual(page.evaluate(TITLES)[0], "The disk is almost full")
        page.tap(".notice-main >> nth=0")
        of_sheet(page)

    def test_a_pull_asks_again(self):
        page = self.list(size=PHONE)
        before = len(self.called(page, "notifications.list"))
        self.touch(page, [(195, 300 + 26 * part) for part in range(11)])
        self.until(page, f"fake.calls.filter(({{ method }}) => method === 'notifications.list').length > {before}")
        self.until(page, "document.querySelector('.notice-pull').hidden")


class SendingTests(NotificationCase):
    def sent(self, scenario):
        page = self.list(scenario)
        menu(page)
        page.click(".menu-item:has-text('Show a message there')")
        self.assertEqual(page.locator("dialog select").count(), 0, "it goes to this computer")
        page.click("dialog .dialog-actions .primary")
        self.assertIn("at least one letter", page.inner_text("dialog"))
        page.fill("dialog input[type=text]", " Tea ")
        page.click("dialog label:has-text('Urgent')")
        page.click("dialog .dialog-actions .primary")
        return page

    def test_a_message_is_shown_at_the_computer(self):
        for scenario, words in (("told", "Shown at the computer"), ("told quiet-all", "was not shown")):
            page = self.sent(scenario)
            page.wait_for_selector(f".toast:has-text('{words}')")
            page.wait_for_selector("dialog", state="detached")
            self.assertEqual(self.asked(page, "send"), [{"title": "Tea", "body": "", "priority": "urgent"}])

    def test_one_goes_once_however_often_its_keys_are_pressed(self):
        page = self.list()
        menu(page)
        page.click(".menu-item:has-text('Show a message there')")
        page.fill("dialog input[type=text]", "Tea")
        page.fill("dialog textarea", "now")
        page.evaluate("""() => {
            const area = document.querySelector('dialog textarea');
            for (let at = 0; at < 3; at += 1) area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }));
        }""")
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(len(self.asked(page, "send")), 1)

    def test_one_that_is_not_taken_stays_written(self):
        page = self.sent("told send-fails")
        page.wait_for_selector("dialog .banner:has-text('switched off at this computer')")
        self.assertEqual(page.input_value("dialog input[type=text]"), " Tea ")


class SheetTests(NotificationCase):
    def test_it_says_everything(self):
        page = self.open(HOME + "?show=tests")
        of_sheet(page)
        text = page.inner_text("dialog")
        for words in ("用时 12 分 48 秒", "notify-when", "High", "make test", "768.2 s", "exit code"):
            self.assertIn(words, text)

    def test_a_button_is_pressed_at_the_computer(self):
        page = self.open(HOME + "?show=urgent")
        of_sheet(page)
        self.assertEqual(page.locator(".notice-act").all_inner_texts(), ["Open at the computer", "Look at it"])
        page.click(".notice-act >> nth=1")
        page.wait_for_selector(".notice-done")
        self.assertEqual(self.asked(page, "act"), [{"notificationId": "urgent", "action": "look"}])

    def test_an_answer_is_written(self):
        page = self.open(HOME + "?show=chat")
        of_sheet(page)
        page.click(".notice-reply .button")
        self.assertIn("at least one letter", page.inner_text(".notice-reply"))
        page.fill(".notice-reply textarea", "字" * 3000)
        page.click(".notice-reply .button")
        self.assertIn("too long", page.inner_text(".notice-reply"))
        page.fill(".notice-reply textarea", "I come")
        page.click(".notice-reply .button")
        page.wait_for_selector(".notice-done:has-text('Answered')")
        self.assertEqual(self.asked(page, "act"), [{"notificationId": "chat", "text": "I come"}])

    def test_a_press_that_fails_says_why(self):
        page = self.open(HOME + "?show=urgent", "told act-fails")
        of_sheet(page)
        page.click(".notice-act >> nth=1")
        page.wait_for_selector("dialog .banner.bad:has-text('takes no presses')")

    def test_it_follows_its_notification_and_takes_no_press_for_another_question(self):
        for query in ("?show=chat", "?show=chat&unread=1"):
            page = self.open(HOME + query)
            of_sheet(page)
            page.fill(".notice-reply textarea", "I come")
            page.evaluate("document.querySelector('.notice-act').dataset.former = ''")
            # Seen from inside of the page, which is sooner there than a second is over.
            seen = page.evaluate("""async () => {
                fake.notices.change('chat', { title: 'Delete B?', alert: 60000, body: 'All of it', actions: [{ id: 'default', label: 'Yes' }] });
                for (let at = 0; at < 1000 && !document.querySelector('.dialog-title').textContent.includes('Delete B?'); at += 1) await new Promise((resolve) => setTimeout(resolve, 10));
                const answer = document.querySelector('.notice-answer');
                return [[...answer.querySelectorAll('button')].map((each) => each.disabled), answer.innerText.includes('changed just now')];
            }""")
            self.assertEqual(seen, [[True, True], True])
            self.assertIn("All of it", page.inner_text(".notice-text"))
            self.assertEqual(page.locator(".notice-act").all_inner_texts(), ["Yes"])
            self.assertEqual(page.locator("[data-former]").count(), 0)
            self.assertEqual(page.evaluate("[document.activeElement.tagName, document.activeElement.value]"), ["TEXTAREA", "I come"])
            page.wait_for_selector(".notice-act:enabled")
            page.click(".notice-act")
            page.wait_for_selector(".notice-done")
            self.assertEqual(self.asked(page, "act"), [{"notificationId": "chat", "action": "default"}])

    def test_what_is_under_way_can_be_pressed_while_it_goes_on(self):
        page = self.open(HOME + "?show=copy")
        of_sheet(page)
        page.evaluate("fake.notices.change('copy', { progress: 41, actions: [{ id: 'stop', label: 'Stop' }] })")
        page.wait_for_selector(".notice-act:enabled")
        page.evaluate("fake.notices.change('copy', { progress: 42, body: '1,300 of 3,010 files' })")
        page.wait_for_selector(".notice-text:has-text('1,300')")
        self.assertTrue(page.locator(".notice-act").is_enabled())
        page.evaluate("fake.notices.change('copy', { actions: [] })")
        page.wait_for_selector(".notice-answer:has-text('takes no answer any more')")

    def test_a_press_goes_on_when_its_sheet_is_closed(self):
        for scenario, words in (("told", "Pressed at the computer"), ("told act-fails", "The disk is almost full\nThat did not reach the program.")):
            page = self.open(HOME + "?show=urgent", scenario)
            of_sheet(page)
            page.evaluate("fake.latency = 2000")
            page.click(".notice-act >> nth=1")
            page.keyboard.press("Escape")
            page.wait_for_selector("dialog", state="detached")
            page.wait_for_selector(".toast")
            self.assertTrue(page.inner_text(".toast").startswith(words), page.inner_text(".toast"))
            self.assertEqual(self.asked(page, "act"), [{"notificationId": "urgent", "action": "look"}])

    def test_without_the_right_it_says_how_to_get_it(self):
        page = self.open(HOME + "?show=chat", "told not-act")
        of_sheet(page)
        self.assertEqual(page.locator(".notice-act, .notice-reply").count(), 0)
        self.assertIn("tandem devices allow 'Ada’s phone' notification.act", page.inner_text("dialog"))

    def test_a_right_that_is_given_brings_the_buttons_and_keeps_what_is_written(self):
        page = self.open(HOME + "?show=chat", "told not-act")
        of_sheet(page)
        rights = "(allowed) => { fake.answer('devices.show', ({ id }) => ({ id, name: 'studio-pc', path: 'lan', endToEnd: true, allowed })); fake.emit('devices', {}); }"
        page.evaluate(rights, ["notification", "notification.act"])
        page.fill(".notice-reply textarea", "I come")
        page.evaluate(rights, ["notification", "notification.act", "file"])
        page.wait_for_timeout(300)
        self.assertEqual(page.input_value(".notice-reply textarea"), "I come")
        page.evaluate(rights, ["notification"])
        page.wait_for_selector(".notice-refused")
        page.evaluate(rights, [])
        page.wait_for_selector("dialog", state="detached")

    def test_its_picture_is_asked_for_and_given_back(self):
        page = self.browser.blank(size=DESKTOP)
        self.addCleanup(page.context.close)
        page.add_init_script("window.revoked = []; const revoke = URL.revokeObjectURL; URL.revokeObjectURL = (url) => { revoked.push(url); revoke.call(URL, url); };")
        self.browser.show(page, self.site.url, HOME + "?show=chat", scenario="told")
        page.wait_for_selector(".notice-picture img")
        url = page.get_attribute(".notice-picture img", "src")
        self.assertTrue(url.startswith("blob:"))
        page.keyboard.press("Escape")
        self.until(page, f"revoked.includes('{url}')")
        page.evaluate("() => { fake.answer('notifications.call', () => ({ image: btoa('<svg onload=__xss()>') })); location.hash += '?show=chat'; }")
        page.wait_for_selector(".notice-picture:has-text('cannot be shown')")


class SettingsTests(NotificationCase):
    def test_a_change_stands_once_the_computer_said_so(self):
        page = self.list()
        settings(page)
        page.evaluate("fake.latency = 400")
        page.locator("[data-setting=soundEnabled]").evaluate("(each) => each.click()")
        page.wait_for_selector(".notice-saved.pending:has-text('Saving')")
        self.assertTrue(page.locator("[data-setting=soundEnabled]").is_disabled())
        page.wait_for_selector(".notice-saved.good:has-text('Saved')")
        self.assertEqual(self.asked(page, "updateSettings"), [{"soundEnabled": False}])
        self.assertFalse(page.locator("[data-setting=soundEnabled]").is_checked())

    def test_what_fails_goes_back(self):
        page = self.list("told settings-fail quiet-night")
        settings(page)
        page.locator("[data-setting=mirrorDesktop]").evaluate("(each) => each.click()")
        page.wait_for_selector(".notice-saved.bad:has-text('disk is full')")
        self.assertTrue(page.locator("[data-setting=mirrorDesktop]").is_checked())
        page.fill(".quiet-times input >> nth=0", "05:00")
        page.locator(".quiet-times input").first.dispatch_event("change")
        self.until(page, "document.querySelectorAll('.notice-saved.bad').length === 2")
        self.assertEqual(page.input_value(".quiet-times input >> nth=0"), "22:00")
        page.locator("[data-local=sound]").evaluate("(each) => each.click()")
        page.wait_for_selector(".toast.bad")
        self.assertTrue(page.locator("[data-local=sound]").is_checked())

    def test_quiet_hours_are_seen_on_the_day(self):
        spans = "[...document.querySelectorAll('.quiet-span')].map((each) => [each.style.getPropertyValue('--from'), each.style.getPropertyValue('--part')].map((text) => Math.round(parseFloat(text))))"
        page = self.list()
        settings(page)
        self.assertEqual((page.evaluate(spans), page.get_attribute(".quiet-day", "aria-label")), ([], "No hour is quiet."))
        self.assertTrue(page.locator(".quiet-times input").first.is_disabled())
        page.locator("[data-setting=quietHoursEnabled]").evaluate("(each) => each.click()")
        self.until(page, "document.querySelectorAll('.quiet-span').length === 2")
        self.assertEqual(self.asked(page, "updateSettings"), [{"quietHoursEnabled": True, "quietHoursStart": "22:00", "quietHoursEnd": "08:00"}])
        self.assertEqual(page.evaluate(spans), [[92, 8], [0, 33]])
        for start, end, wanted, words in [("09:00", "18:00", [[38, 38]], "Quiet from 09:00 to 18:00."), ("18:00", "00:00", [[75, 25]], "Quiet from 18:00 to 00:00."), ("07:00", "07:00", [[0, 100]], "Quiet all day.")]:
            for at, text in enumerate((start, end)):
                page.fill(f".quiet-times input >> nth={at}", text)
                page.locator(".quiet-times input").nth(at).dispatch_event("change")
            self.until(page, f"document.querySelector('.quiet-day').getAttribute('aria-label') === '{words}'")
            self.assertEqual(page.evaluate(spans), wanted)

    def test_numbers_have_their_bounds(self):
        page = self.list()
        settings(page)
        page.fill(".notice-numbers input >> nth=0", "5")
        page.locator(".notice-numbers input").first.dispatch_event("change")
        page.wait_for_selector(".notice-numbers .failed:has-text('From 10 to 1,000,000')")
        self.assertEqual(self.asked(page, "updateSettings"), [])
        page.fill(".notice-numbers input >> nth=1", "30")
        page.locator(".notice-numbers input").nth(1).dispatch_event("change")
        self.until(page, "fake.calls.some(({ params }) => params.params?.historyDays === 30)")

    def test_what_is_saved_leaves_alone_what_is_typed(self):
        page = self.list()
        settings(page)
        days = page.locator(".notice-numbers input").nth(1)
        saved = "fake.calls.filter(({ params }) => params.method === 'notification.updateSettings').length"
        days.fill("45")
        page.locator("[data-setting=soundEnabled]").evaluate("(each) => each.click()")
        page.wait_for_selector(".notice-saved.good")
        self.assertEqual(days.input_value(), "45")
        days.press("Tab")
        self.until(page, "fake.calls.some(({ params }) => params.params?.historyDays === 45) && fake.pending === 0")
        days.focus()
        page.evaluate("fake.call('notifications.call', { device: '%s', method: 'notification.updateSettings', params: { historyDays: 60 } })" % COMPUTER)
        before = page.evaluate(saved)
        page.locator("[data-setting=soundEnabled]").evaluate("(each) => each.click()")
        self.until(page, f"{saved} === {before + 1} && fake.pending === 0 && document.querySelector('[data-setting=soundEnabled]').checked")
        self.assertEqual(days.input_value(), "45")
        days.press("Tab")
        self.assertEqual(days.input_value(), "60", "what was not typed in is drawn when it is left")

    def test_a_lower_number_asks_before_anything_is_deleted(self):
        page = self.list()
        settings(page)
        limit = page.locator(".notice-numbers input").first
        for action, left in ((".button:not(.danger)", "500"), (".button.danger", "100")):
            limit.fill("100")
            limit.press("Enter")
            page.wait_for_selector("dialog:has-text('Keep at most 100 notifications?')")
            page.click(f"dialog:has-text('Keep at most 100') .dialog-actions {action}")
            page.wait_for_selector("dialog:has-text('Keep at most 100')", state="detached")
            self.until(page, f"document.querySelector('.notice-numbers input').value === '{left}'")
            self.until(page, f"fake.calls.filter(({{ params }}) => params.params?.historyLimit === 100).length === {int(left == '100')}")
        limit.fill("200")
        limit.press("Enter")
        self.until(page, "fake.calls.some(({ params }) => params.params?.historyLimit === 200)")
        self.assertEqual(page.locator("dialog").count(), 1, "more is kept without a question")

    def test_a_program_is_left_out(self):
        page = self.list()
        settings(page)
        page.locator(".notice-programs .switch").first.evaluate("(each) => each.click()")
        self.until(page, "fake.calls.some(({ params }) => params.method === 'notification.setSource')")
        self.assertEqual(self.asked(page, "setSource"), [{"app": "Element", "allowed": False}])

    def test_of_many_programs_some_are_shown_and_all_can_be_found(self):
        page = self.list("told many-sources")
        settings(page)
        page.wait_for_selector(".notice-programs .switch")
        self.assertEqual(page.locator(".notice-programs .switch").count(), 12)
        page.fill(".notice-find input", "program 29")
        self.until(page, "document.querySelectorAll('.notice-programs .switch').length === 11")
        page.fill(".notice-find input", "")
        page.click(".notice-programs .button:has-text('288 more')")
        self.until(page, "document.querySelectorAll('.notice-programs .switch').length === 300")

    def test_where_the_desktop_cannot_be_read_it_says_why(self):
        page = self.list("told no-sources")
        settings(page)
        page.wait_for_selector(".notice-unavailable:has-text('no session bus')")

    def test_this_device_works_without_the_computer(self):
        page = self.list("told away")
        settings(page)
        page.wait_for_selector("dialog .banner:has-text('cannot be asked for')")
        page.locator("[data-local=preview]").evaluate("(each) => each.click()")
        self.until(page, "fake.calls.some(({ method, params }) => method === 'notifications.local' && params.preview === false)")

    def test_the_browser_is_asked_after_a_press_and_not_before(self):
        page = self.list("told permission-default")
        page.click(".notice-permission .button:has-text('Show them')")
        self.until(page, "document.querySelector('.notice-permission').childElementCount === 0 && Notification.permission === 'granted'")

    def test_not_now_is_kept(self):
        page = self.list("told permission-default")
        page.click(".notice-permission .button:has-text('Not now')")
        self.assertEqual(page.locator(".notice-permission .banner").count(), 0)
        page.reload()
        drawn(page)
        self.assertEqual(page.locator(".notice-permission .banner").count(), 0)

    def test_a_refusal_leads_to_the_settings_and_everything_else_works(self):
        page = self.list("told permission-denied")
        self.assertEqual(len(page.evaluate(TITLES)), 11)
        page.click(".notice-permission .button")
        page.wait_for_selector("dialog .notice-device .banner.warn")


class BannerTests(NotificationCase):
    """With the browser's own notifications, which need the service worker."""

    NEEDS_CHROMIUM = True

    def page(self, scenario="told real-permission", hash="#/settings", permitted=True, context=None):
        if context is None:
            page = self.browser.blank(service_workers="allow")
            self.addCleanup(page.context.close)
            if permitted:
                page.context.grant_permissions(["notifications"], origin=self.site.url)
        else:
            page = context.new_page()
        page.goto(f"{self.site.url}/?role=phone&scenario={scenario.replace(' ', '+')}{hash}")
        page.wait_for_selector("#app:not([aria-busy])")
        if permitted:
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        self.until(page, "typeof fake === 'object'")
        return page

    def leading(self, page):
        self.until(page, "fake.calls.some(({ method }) => method === 'notifications.follow') && fake.calls.some(({ method }) => method === 'notifications.local')")
        return page

    def shown(self, page, count, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while len(found := page.evaluate(SHOWN)) != count:
            self.assertLess(time.monotonic(), end, found)
            page.wait_for_timeout(30)
        return found

    def test_a_new_one_is_shown_by_the_browser_once(self):
        page = self.leading(self.page())
        one = page.evaluate("fake.notices.add({ id: 'one', title: 'Done \\u202efdp', body: 'It took\\n12 minutes' })")
        [shown] = self.shown(page, 1)
        self.assertEqual(shown["title"], "Done ⟨202E⟩fdp")
        self.assertEqual(shown["body"], "It took 12 minutes")
        self.assertEqual(shown["tag"], f"{COMPUTER} one")
        self.assertEqual(shown["go"], f"#/computers/{COMPUTER}/notifications?show=one")
        page.evaluate("(one) => { for (let at = 0; at < 3; at += 1) fake.notices.tell({ new: { ...one, device: '%s' }, banner: true }); }" % COMPUTER, one)
        page.wait_for_timeout(400)
        self.shown(page, 1)

    def test_what_a_push_showed_before_does_not_call_again(self):
        page = self.leading(self.page())
        page.evaluate("() => { window.calls = []; const show = ServiceWorkerRegistration.prototype.showNotification; ServiceWorkerRegistration.prototype.showNotification = function (title, options) { calls.push(options.renotify); return show.call(this, title, options); }; }")
        self.push(page, json.dumps({"device": COMPUTER, "id": "one", "title": "By the push", "alert": 70000}))
        self.shown(page, 1)
        page.evaluate("fake.notices.add({ id: 'one', title: 'By the page', alert: 70000 })")
        self.until(page, "calls.length === 1")
        page.evaluate("fake.notices.add({ id: 'one', title: 'Said again', alert: 70001 })")
        self.until(page, "calls.length === 2")
        self.assertEqual(page.evaluate("calls"), [False, True])
        [shown] = self.shown(page, 1)
        self.assertEqual(shown["title"], "Said again")

    def test_one_read_elsewhere_goes(self):
        page = self.leading(self.page())
        page.evaluate("fake.notices.add({ id: 'one' }); fake.notices.add({ id: 'two' })")
        self.shown(page, 2)
        page.evaluate("fake.notices.change('one', { read: true }); fake.notices.remove('two')")
        self.shown(page, 0)

    def test_one_that_is_shown_while_others_go_can_still_be_found_and_closed(self):
        page = self.leading(self.page())
        page.evaluate("""async () => {
            for (let at = 0; at < 15; at += 1) {
                fake.notices.add({ id: `n${at}` });
                for (let other = 0; other < 50; other += 1) {
                    fake.notices.tell({ removed: { device: '%s', id: `other${other}` } });
                    await new Promise((resolve) => setTimeout(resolve, 5));
                }
            }
        }""" % COMPUTER)
        self.shown(page, 15)
        page.evaluate("for (let at = 0; at < 15; at += 1) fake.notices.change(`n${at}`, { read: true })")
        self.shown(page, 0)

    def test_what_its_program_wants_no_banner_for_shows_none(self):
        page = self.leading(self.page())
        page.evaluate("fake.notices.tell({ new: { ...fake.notices.all()[0], device: '%s', id: 'old', alert: 1 }, banner: false }); fake.notices.add({ id: 'loud' })" % COMPUTER)
        self.assertEqual([each["tag"] for each in self.shown(page, 1)], [f"{COMPUTER} loud"])

    def test_silenced_and_read_ones_are_not_shown(self):
        page = self.leading(self.page())
        page.evaluate("fake.notices.add({ silenced: true }); fake.notices.add({ read: true }); fake.notices.add({ id: 'loud' })")
        self.assertEqual([each["tag"] for each in self.shown(page, 1)], [f"{COMPUTER} loud"])

    def test_many_at_once_become_one(self):
        page = self.leading(self.page())
        page.evaluate("for (let at = 0; at < 7; at += 1) fake.notices.add({ title: `Number ${at}` })")
        [shown] = self.shown(page, 1)
        self.assertEqual((shown["title"], shown["go"]), ("7 new notifications", f"#/computers/{COMPUTER}/notifications"))
        self.assertEqual(shown["body"], "Number 4\nNumber 5\nNumber 6")

    def test_what_this_device_does_is_the_persons(self):
        page = self.leading(self.page())
        page.evaluate("fake.call('notifications.local', { preview: false, sound: false }).then(() => fake.emit('notifications', { local: true }))")
        self.until(page, "fake.calls.filter(({ method }) => method === 'notifications.local').length === 3 && fake.pending === 0")
        page.evaluate("fake.notices.add({ title: 'Secret', body: 'The password', app: 'Mail' })")
        [shown] = self.shown(page, 1)
        self.assertEqual((shown["title"], shown["body"], shown["silent"]), ("Mail", "A new notification", True))
        page.evaluate("fake.call('notifications.local', { enabled: false }).then(() => fake.emit('notifications', { local: true }))")
        self.until(page, "fake.calls.filter(({ method }) => method === 'notifications.local').length === 5 && fake.pending === 0")
        page.evaluate("fake.notices.add({ title: 'Another' })")
        page.wait_for_timeout(400)
        self.shown(page, 1)

    def test_who_is_signed_out_is_told_nothing_more(self):
        page = self.leading(self.page())
        page.evaluate("() => { window.ended = 0; PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => { ended += 1; return true; } }); localStorage.setItem('tandem.draft.x', '1 words'); }")
        page.evaluate("fake.notices.add({ title: 'Secret' })")
        self.shown(page, 1)
        self.assertIn("(", page.title())
        page.evaluate("fake.enter('signed-out')")
        self.shown(page, 0)
        self.until(page, "ended === 1")
        self.assertEqual(page.title(), "Tandem")
        self.assertEqual(page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))"), [])

    def test_of_several_pages_one_shows(self):
        first = self.leading(self.page())
        second = self.page(context=first.context)
        second.wait_for_timeout(300)
        self.assertEqual(self.called(second, "notifications.follow"), [])
        first.evaluate("fake.notices.add({ id: 'one' })")
        # The second page has a list of its own, where that one is unread, too.
        second.evaluate("fake.notices.add({ id: 'one' }); fake.notices.add({ id: 'none' })")
        self.assertEqual([each["tag"] for each in self.shown(first, 1)], [f"{COMPUTER} one"])
        first.close()
        self.leading(second)
        second.evaluate("fake.notices.add({ id: 'two' })")
        self.assertEqual(sorted(each["tag"] for each in self.shown(second, 2)), [f"{COMPUTER} one", f"{COMPUTER} two"])

    def test_where_its_list_is_in_sight_nothing_is_said_twice(self):
        page = self.leading(self.page("told permission-denied", permitted=False, hash=HOME))
        drawn(page)
        page.evaluate("() => { window.told = []; window.banners = new BroadcastChannel('tandem-notifications'); banners.onmessage = ({ data }) => told.push(data.title); }")
        page.evaluate("fake.notices.add({ title: 'In the list' })")
        self.until(page, f"{TITLES}[0] === 'In the list'")
        # The list shows it before its banner is due: only then the page may leave.
        self.until(page, "told.at(-1) === 'In the list'")
        page.evaluate("location.hash = '#/settings'")
        page.wait_for_selector(".notices", state="detached")
        page.evaluate("fake.notices.add({ title: 'Elsewhere' })")
        page.wait_for_selector(".toast")
        self.assertEqual(page.locator(".toast").all_inner_texts(), ["Elsewhere\nSomething new"])

    def test_who_reads_along_in_a_thread_is_not_told_of_it(self):
        page = self.leading(self.page("told permission-denied", permitted=False, hash=f"#/computers/{COMPUTER}/threads?source=codex&thread=main"))
        page.wait_for_selector(".composer-box")
        page.evaluate("() => { window.told = []; window.banners = new BroadcastChannel('tandem-notifications'); banners.onmessage = ({ data }) => told.push(data.title); }")
        page.evaluate("fake.notices.add({ title: 'This one asks', data: { threadId: 'main', source: 'codex' } })")
        page.wait_for_timeout(300)
        page.evaluate("fake.notices.add({ id: 'other', title: 'Another asks', data: { threadId: 't3', source: 'codex' } })")
        page.wait_for_selector(".toast")
        self.assertEqual(page.locator(".toast").all_inner_texts(), ["Another asks\nSomething new"])
        box, composer = [page.locator(each).bounding_box() for each in (".toast", ".thread-foot")]
        self.assertLess(box["y"] + box["height"], composer["y"], "it lies over nothing that is pressed there")
        page.click(".toast")
        page.wait_for_selector("dialog .notice-sheet")
        self.assertEqual(page.locator(".toast").count(), 0)
        page.click("dialog a:has-text('Open the thread')")
        page.wait_for_selector(".thread-title:has-text('release notes')")
        self.assertEqual(page.locator("dialog").count(), 0)

    def test_one_that_the_browser_refuses_is_said_on_the_page(self):
        page = self.leading(self.page())
        page.evaluate("() => { ServiceWorkerRegistration.prototype.showNotification = async () => { throw new TypeError('No active registration available'); }; }")
        page.evaluate("fake.notices.add({ title: 'One' }); fake.notices.add({ title: 'Two' })")
        self.until(page, "document.querySelectorAll('.toast').length === 2")
        self.assertEqual(page.locator(".toast").all_inner_texts(), ["One\nSomething new", "Two\nSomething new"])

    def test_without_permission_one_page_says_it(self):
        first = self.leading(self.page("told permission-denied", permitted=False))
        second = self.page("told permission-denied", permitted=False, context=first.context)
        first.evaluate("fake.notices.add({ title: '<b>Done</b>', body: 'in time' })")
        end = time.monotonic() + 10
        while not (said := [text for page in (first, second) for text in page.locator(".toast").all_inner_texts()]):
            self.assertLess(time.monotonic(), end)
            first.wait_for_timeout(20)
        first.wait_for_timeout(300)
        said = [text for page in (first, second) for text in page.locator(".toast").all_inner_texts()]
        self.assertEqual(said, ["<b>Done</b>\nin time"])

    # Pushes

    def push(self, page, data):
        session = page.context.new_cdp_session(page)
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        end = time.monotonic() + 10
        while not found:
            self.assertLess(time.monotonic(), end)
            page.wait_for_timeout(20)
        session.send("ServiceWorker.deliverPushMessage", {"origin": self.site.url, "registrationId": found[0]["registrationId"], "data": data})

    def test_a_push_is_shown_under_the_same_tag(self):
        page = self.leading(self.page())
        page.evaluate("fake.notices.add({ id: 'one', title: 'By the page' })")
        self.shown(page, 1)
        self.push(page, json.dumps({"device": COMPUTER, "id": "one", "title": "By the push", "body": "12\nminutes"}))
        self.until(page, f"({SHOWN})().then(([{{ title }}]) => title === 'By the push')")
        [shown] = self.shown(page, 1)
        self.assertEqual((shown["title"], shown["body"], shown["go"]), ("By the push", "12 minutes", f"#/computers/{COMPUTER}/notifications?show=one"))

    def test_a_push_calls_again_where_the_program_did(self):
        page = self.leading(self.page())
        [worker] = page.context.service_workers
        worker.evaluate("() => { self.told = []; const show = registration.showNotification; registration.showNotification = function (title, options) { told.push([title, options.renotify, options.timestamp ?? 0]); return show.call(this, title, options); }; }")
        for said in ({"title": "One", "alert": 7, "timestamp": 1700000000000}, {"title": "The same", "alert": 7}, {"title": "Again", "alert": 8}, {"title": "Not numbered"}):
            self.push(page, json.dumps({"device": COMPUTER, "id": "one", **said}))
            self.until(page, f"({SHOWN})().then(([one]) => one?.title === '{said['title']}')")
        self.assertEqual(worker.evaluate("told"), [["One", False, 1700000000000], ["The same", False, 0], ["Again", True, 0], ["Not numbered", False, 0]])

    def test_what_was_read_or_deleted_unseen_goes(self):
        page = self.leading(self.page())
        for id, alert in (("chat", 11), ("night", 7), ("deleted", 100), ("later", 70000)):
            self.push(page, json.dumps({"device": COMPUTER, "id": id, "title": id, "alert": alert}))
        self.push(page, json.dumps({"title": "Several"}))
        self.shown(page, 5)
        page.evaluate("fake.enter('lost'); fake.enter('live')")
        self.assertEqual(sorted(each["tag"] for each in self.shown(page, 3)), [f"{COMPUTER} chat", f"{COMPUTER} later", "tandem"])
        page.evaluate("for (const each of [...fake.notices.all()]) Object.assign(each, { read: true }); fake.notices.tell({ missed: { device: '%s' } })" % COMPUTER)
        self.assertEqual([each["tag"] for each in self.shown(page, 1)], [f"{COMPUTER} later"], "this phone has not got that one yet")

    def test_what_is_missed_again_and_again_is_looked_after_together(self):
        page = self.leading(self.page("many-notices real-permission"))
        self.push(page, json.dumps({"device": COMPUTER, "id": "m1", "title": "Number 1", "alert": 9999}))
        self.shown(page, 1)
        settle(page)
        before = len(self.called(page, "notifications.list"))
        page.evaluate("for (let at = 0; at < 100; at += 1) fake.notices.tell({ missed: { device: '%s' } })" % COMPUTER)
        self.until(page, f"fake.calls.filter(({{ method }}) => method === 'notifications.list').length > {before}")
        page.wait_for_timeout(500)
        asked = self.called(page, "notifications.list")[before:]
        self.assertLessEqual(sum(each["limit"] for each in asked), 100, asked)
        self.assertEqual([each["tag"] for each in self.shown(page, 1)], [f"{COMPUTER} m1"])

    def test_what_was_read_before_a_page_was_opened_goes(self):
        first = self.leading(self.page())
        for id, alert in (("chat", 11), ("night", 7)):
            self.push(first, json.dumps({"device": COMPUTER, "id": id, "title": id, "alert": alert}))
        self.shown(first, 2)
        second = self.page(context=first.context)
        first.close()
        self.assertEqual([each["tag"] for each in self.shown(self.leading(second), 1)], [f"{COMPUTER} chat"])

    def told(self, page, preview, sound):
        """Waits until the service worker knows how this device shows notifications."""
        kept = "(async () => { const kept = await (await caches.open('tandem-showing')).match('/'); return kept ? kept.json() : {}; })()"
        self.until(page, f"({kept}).then(({{ preview, sound }}) => preview === {preview} && sound === {sound})")

    def test_a_push_is_shown_as_the_person_wants_it_here(self):
        page = self.leading(self.page())
        self.told(page, "true", "true")
        page.evaluate("fake.call('notifications.local', { preview: false, sound: false }).then(() => fake.emit('notifications', { local: true }))")
        self.told(page, "false", "false")
        self.push(page, json.dumps({"device": COMPUTER, "id": "one", "app": "Mail", "title": "Secret", "body": "The password"}))
        [shown] = self.shown(page, 1)
        self.assertEqual((shown["title"], shown["body"], shown["silent"]), ("Mail", "A new notification", True))
        for said, title in (({"app": {}, "title": "Secret", "body": "The password"}, "Tandem"), ({"title": "A program", "body": ""}, "A program")):
            self.push(page, json.dumps({"device": COMPUTER, "id": "one", **said}))
            self.until(page, f"({SHOWN})().then(([{{ title, body }}]) => title === '{title}' && body === 'A new notification')")

    def test_without_banners_here_a_push_ends(self):
        page = self.settings_of("""
            window.subscription = { unsubscribe: async () => { subscription.isOver = true; window.subscribed = null; return true; } };
            window.subscribed = subscription;
            PushManager.prototype.getSubscription = async () => subscribed;""")
        self.until(page, "document.querySelector('[data-local=push]').checked")
        page.locator("[data-local=enabled]").evaluate("(each) => each.click()")
        self.until(page, "!document.querySelector('[data-local=push]').checked && document.querySelector('[data-local=push]').disabled")
        self.assertTrue(page.evaluate("subscription.isOver"))
        self.assertEqual(self.called(page, "notifications.push"), [{"subscription": None}])
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.push')")
        self.assertEqual(self.called(page, "chat.push"), [{}])
        page.locator("[data-local=enabled]").evaluate("(each) => each.click()")
        self.until(page, "!document.querySelector('[data-local=push]').disabled")

    def test_a_message_of_a_conversation_is_one_banner_that_leads_there(self):
        page = self.leading(self.page())
        chat = {"type": "chat.message", "title": "Grace", "body": "Hello", "conversationID": "si_tb_7_tb_9", "seq": 4, "request": False, "timestamp": 5}
        self.push(page, json.dumps(chat))
        [shown] = self.shown(page, 1)
        self.assertEqual((shown["title"], shown["body"], shown["tag"], shown["go"]), ("Grace", "Hello", "chat si_tb_7_tb_9", "#/chats/si_tb_7_tb_9"))
        # A sealed one has no words, and takes the place of the one before.
        self.push(page, json.dumps({**chat, "body": "", "seq": 5}))
        self.until(page, f"({SHOWN})().then(([{{ title, body }}, ...more]) => more.length === 0 && title === 'Grace' && body === 'A new notification')")
        self.push(page, json.dumps({**chat, "conversationID": "si_tb_31_tb_7", "title": "x\u202ey", "request": True}))
        [other] = [each for each in self.shown(page, 2) if each["tag"] != "chat si_tb_7_tb_9"]
        self.assertEqual((other["title"], other["go"]), ("x y", "#/chats"))
        page.evaluate("fake.call('notifications.local', { preview: false, sound: false }).then(() => fake.emit('notifications', { local: true }))")
        self.told(page, "false", "false")
        self.push(page, json.dumps({**chat, "seq": 6}))
        self.until(page, f"({SHOWN})().then((all) => all.some(({{ title, body, tag, silent }}) => tag === 'chat si_tb_7_tb_9' && title === 'Tandem' && body === 'A new notification' && silent))")

    # Presses

    BUTTONS = [{"id": "default", "label": "Open"}, {"id": "yes", "label": "Allow"}, {"id": "no", "label": "Deny"}]

    def pressed(self, page, action, id="one"):
        """Presses a button of the browser's notification."""
        [worker] = page.context.service_workers
        worker.evaluate("""async ([tag, action]) => {
            const [notification] = await navigator.locks.request('tandem-banners', () => registration.getNotifications({ tag }));
            self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action }));
        }""", [f"{COMPUTER} {id}", action])

    def asking(self, page, **more):
        page.evaluate("(item) => { fake.notices.add(item); }", {"id": "one", "title": "May it run?", "actions": self.BUTTONS, **more})
        [shown] = self.shown(page, 1)
        return shown

    def none_waits(self, page):
        self.until(page, "caches.open('tandem-pressed').then((cache) => cache.keys()).then((kept) => kept.length === 0)")

    def acts(self, page):
        return [each["params"] for each in self.called(page, "notifications.call") if each["method"] == "notification.act"]

    def buttons(self, page):
        return page.evaluate("async () => (await (await navigator.serviceWorker.getRegistration()).getNotifications()).map(({ actions }) => actions.map(({ action, title }) => [action, title]))[0]")

    def test_a_button_is_pressed_at_the_computer_once_and_marks_as_read(self):
        page = self.leading(self.page())
        self.asking(page)
        self.assertEqual(self.buttons(page), [["act yes", "Allow"], ["act no", "Deny"]])
        self.pressed(page, "act yes")
        self.until(page, "document.querySelector('.toast')?.innerText === 'May it run?\\nPressed at the computer'")
        self.none_waits(page)
        self.assertEqual(self.acts(page), [{"notificationId": "one", "action": "yes"}])
        self.until(page, "fake.notices.all().find(({ id }) => id === 'one').read")
        self.assertTrue(page.url.endswith("#/settings"), "the page leads nowhere")

    def test_one_that_was_answered_elsewhere_is_not_pressed(self):
        page = self.leading(self.page())
        self.asking(page)
        page.evaluate("Object.assign(fake.notices.all().find(({ id }) => id === 'one'), { actions: [] })")
        self.pressed(page, "act no")
        self.until(page, "document.querySelector('.toast')?.innerText === 'May it run?\\nIt takes no answer any more.'")
        self.none_waits(page)
        self.assertEqual(self.acts(page), [])

    def test_one_that_asks_something_else_by_now_is_not_pressed(self):
        page = self.leading(self.page())
        self.asking(page)
        page.evaluate("Object.assign(fake.notices.all().find(({ id }) => id === 'one'), { title: 'May it delete?', alert: 99999 })")
        self.pressed(page, "act yes")
        self.until(page, "document.querySelector('.toast')?.innerText.includes('It takes no answer any more.')")
        self.assertEqual(self.acts(page), [])

    def test_a_refusal_is_said_in_its_sentence(self):
        page = self.leading(self.page("told act-fails"))
        self.asking(page)
        self.pressed(page, "act yes")
        self.until(page, "/^May it run\\?\\n./.test(document.querySelector('.toast.bad')?.innerText)")
        self.none_waits(page)

    def test_what_was_pressed_while_no_page_was_there_waits_for_one(self):
        page = self.leading(self.page())
        self.asking(page, actions=[])
        self.assertEqual(self.buttons(page), [["read", "Mark as read"]])
        page.goto("about:blank")
        self.pressed(page, "read")
        page = self.page(context=page.context)
        # This page has a list of its own: one that says the same under another number is not meant.
        page.evaluate("fake.notices.all().unshift({ ...fake.notices.all()[0], id: 'one', alert: 50001, read: false }); fake.enter('lost'); fake.enter('live')")
        self.none_waits(self.leading(page))

    def test_while_its_computer_is_away_a_press_waits(self):
        page = self.leading(self.page("told away"))
        self.asking(page)
        self.pressed(page, "act yes")
        self.until(page, "document.querySelector('.toast')?.innerText === 'May it run?\\nWaits until the computer is back.'")
        self.assertEqual(page.evaluate("caches.open('tandem-pressed').then((cache) => cache.keys()).then((kept) => kept.length)"), 1)
        self.assertEqual(self.acts(page), [])

    def test_hostile_buttons_are_bounded(self):
        page = self.leading(self.page())
        actions = [None, 7, {"id": "x" * 300, "label": "Long"}, {"id": "a", "label": "\u202eA" * 300}, *({"id": f"b{number}", "label": "B"} for number in range(99))]
        self.push(page, json.dumps({"device": COMPUTER, "id": "one", "title": "One", "alert": 7, "actions": actions}))
        self.shown(page, 1)
        found = self.buttons(page)
        self.assertEqual([action for action, _ in found], ["act a", "act b0"])
        self.assertLessEqual(len(found[0][1]), 40)
        self.assertNotIn("\u202e", found[0][1])
        # No address presses anything, and nothing that no notification had.
        page.evaluate("location.hash = '#/computers/%s/notifications?show=one&action=act%%20a&press=a'" % COMPUTER)
        page.evaluate("caches.open('tandem-pressed').then(async (cache) => { for (const each of ['{', 'null', '{\"device\": 7}', '{\"device\": \"x\", \"id\": \"y\", \"action\": \"act \", \"at\": 1}']) await cache.put(`/${each.length}`, new Response(each)); })")
        page.evaluate("fake.enter('lost'); fake.enter('live')")
        self.none_waits(page)
        self.assertEqual(self.acts(page), [])

    def test_a_push_that_is_none_of_ours_is_harmless(self):
        page = self.page()
        for data in ("", "{", "null", "[1]", '{"title": {"a": 1}, "id": 7}', json.dumps({"title": "x" * 20000})):
            self.push(page, data)
            [shown] = self.shown(page, 1)
            self.assertEqual((shown["title"], shown["body"], shown["tag"], shown["go"]), ("Tandem", "", "tandem", "#/computers"))
        self.push(page, json.dumps({"device": "../../x?y#z", "id": "a&b", "title": "t\u202e" * 300, "body": "b" * 9000}))
        shown = [each for each in self.shown(page, 2) if each["tag"] != "tandem"][0]
        self.assertEqual((len(shown["body"]), len(shown["title"]) <= 120, "\u202e" in shown["title"]), (300, True, False))
        self.assertEqual(shown["go"], "#/computers/..%2F..%2Fx%3Fy%23z/notifications?show=a%26b")

    def test_a_press_brings_the_page_there(self):
        page = self.leading(self.page())
        page.evaluate("fake.notices.add({ id: 'one', title: 'Look here' })")
        self.shown(page, 1)
        [worker] = page.context.service_workers
        worker.evaluate("async () => { const [notification] = await navigator.locks.request('tandem-banners', () => registration.getNotifications()); self.dispatchEvent(new NotificationEvent('notificationclick', { notification })); }")
        of_sheet(page)
        self.assertIn("Look here", page.inner_text("dialog"))
        self.shown(page, 0)

    def test_what_tells_the_page_where_to_go_leads_nowhere_else(self):
        page = self.leading(self.page())
        [worker] = page.context.service_workers
        worker.evaluate("async () => { for (const page of await clients.matchAll()) page.postMessage({ go: 'javascript:__xss()' }); }")
        page.wait_for_timeout(100)
        self.assertEqual(page.evaluate("location.hash"), "#/settings")

    def settings_of(self, prepare="", permitted=True):
        page = self.page(hash=HOME, permitted=permitted)
        drawn(page)
        page.evaluate(f"() => {{ {prepare} }}")
        settings(page)
        return page

    def test_a_subscription_goes_to_the_computers(self):
        page = self.settings_of("""
            window.asked = [];
            PushManager.prototype.subscribe = async (options) => {
                asked.push({ visible: options.userVisibleOnly, key: new Uint8Array(options.applicationServerKey).length });
                return { toJSON: () => ({ endpoint: 'https://push.example.net/1', keys: { p256dh: 'P', auth: 'A' } }), unsubscribe: async () => true };
            };""")
        page.locator("[data-local=push]").evaluate("(each) => each.click()")
        self.until(page, "fake.calls.some(({ method }) => method === 'notifications.push')")
        self.until(page, "fake.calls.some(({ method }) => method === 'chat.push')")
        [asked] = self.called(page, "notifications.push")
        # Messages of conversations wake it, too.
        self.assertEqual(self.called(page, "chat.push"), [{**asked, "previews": True}])
        subscription = asked.pop("subscription")
        self.assertEqual(asked, {})
        key = subscription.pop("applicationKey")
        self.assertEqual(len(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))), 32)
        self.assertEqual(subscription, {"endpoint": "https://push.example.net/1", "p256dh": "P", "auth": "A"})
        self.assertEqual(page.evaluate("asked"), [{"visible": True, "key": 65}])

    def test_a_push_service_that_refuses_or_hangs_is_said(self):
        page = self.settings_of()
        page.locator("[data-local=push]").evaluate("(each) => each.click()")
        page.wait_for_selector(".notice-trouble .banner:has-text('no push service')")
        self.assertFalse(page.locator("[data-local=push]").is_checked())
        page = self.settings_of("PushManager.prototype.subscribe = () => new Promise(() => {}); const wait = setTimeout; window.setTimeout = (work, time) => wait(work, time > 10000 ? 50 : time);")
        page.locator("[data-local=push]").evaluate("(each) => each.click()")
        page.wait_for_selector(".notice-trouble .banner:has-text('did not answer')")
        self.assertFalse(page.locator("[data-local=push]").is_checked())


class ComputerTests(NotificationCase):
    def test_its_history_is_its_own(self):
        page = self.own()
        self.until(page, "document.title === '(4) Notifications · Tandem'")
        self.assertEqual(page.locator(".nav-row[data-section='/notifications'] .badge").inner_text(), "4")
        page.select_option(".notice-filters select", "Software")
        self.until(page, f"{TITLES}.length === 4")
        self.assertEqual(self.asked(page, "getHistory")[-1]["app"], "Software")
        page.click(".notice >> nth=0 >> [data-act=remove]")
        self.until(page, f"{TITLES}.length === 3")
        self.assertEqual(self.asked(page, "delete"), [{"ids": ["old0"]}])

    def test_which_phones_got_one_and_when(self):
        page = self.own(hash=OWN + "?show=urgent")
        page.wait_for_selector(".notice-phones .fact")
        self.assertEqual([text.split() for text in page.locator(".notice-phones .fact").all_inner_texts()], [["Ada’s", "iPhone", "Got", "it", "2", "minutes", "ago"], ["书房平板", "Not", "yet"]])
        page.keyboard.press("Escape")
        self.assertIn("12 still to get", page.inner_text(".notice-aside"))

    def test_a_message_goes_to_a_phone_or_to_all(self):
        page = self.own()
        for phone, method, more in [("", "broadcast", {}), ("Ada’s iPhone", "sendToMobile", {"deviceId": page.evaluate("fake.call('devices.list').then(({ devices }) => devices[0].id)")})]:
            page.click(".bar-actions .primary")
            page.wait_for_selector("dialog option >> nth=1", state="attached")
            page.click("dialog .dialog-actions .primary")
            self.assertIn("at least one letter", page.inner_text("dialog"))
            page.fill("dialog input[type=text]", " Lunch ")
            page.fill("dialog textarea", "At twelve")
            page.click("dialog label:has-text('High')")
            if phone:
                page.select_option("dialog select", label=phone)
            page.click("dialog .dialog-actions .primary")
            page.wait_for_selector("dialog", state="detached")
            self.assertEqual(self.asked(page, method), [{"title": "Lunch", "body": "At twelve", "priority": "high", **more}])

    def test_a_message_that_went_nowhere_stays_written(self):
        page = self.own("told send-fails")
        page.click(".bar-actions .primary")
        page.fill("dialog input[type=text]", "字" * 200)
        page.click("dialog .dialog-actions .primary")
        self.assertIn("too long", page.inner_text("dialog"))
        page.fill("dialog input[type=text]", "Lunch")
        page.wait_for_selector("dialog option >> nth=1", state="attached")
        page.select_option("dialog select", index=1)
        page.click("dialog .dialog-actions .primary")
        page.wait_for_selector("dialog .banner:has-text('never here')")
        self.assertEqual(page.input_value("dialog input[type=text]"), "Lunch")

    def test_its_settings_fit_a_narrow_window(self):
        page = self.own(size=(320, 568))
        own_settings(page)
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 320)
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.notice-aside input')].filter((each) => each.getBoundingClientRect().right > 304).length"), 0)

    def test_its_settings_stand_beside_the_list(self):
        page = self.own("told quiet-night")
        own_settings(page)
        self.assertEqual(page.get_attribute(".quiet-day", "aria-label"), "Quiet from 22:00 to 07:30.")
        page = self.own("told quiet-night", size=PHONE)
        self.assertFalse(page.locator(".notice-aside").is_visible())
        own_settings(page)
        self.assertFalse(page.locator(".notice-list").is_visible())


LAPTOP = "41d7b9e07c8e4c7b9a2f00d15ea59f0c"


class RowTests(NotificationCase):
    def test_a_row_is_as_high_as_what_it_says(self):
        gaps = """[...document.querySelectorAll('.notice')].map((row) => {
            const words = [...row.querySelectorAll('.row-words > *')].filter((each) => each.getBoundingClientRect().height > 0);
            const [top, bottom] = [words[0].getBoundingClientRect().top, words.at(-1).getBoundingClientRect().bottom];
            const { top: own, bottom: end, height } = row.getBoundingClientRect();
            return { above: Math.round(top - own), below: Math.round(end - bottom), height: Math.round(height) };
        })"""
        for size in (PHONE, DESKTOP):
            page = self.list(size=size)
            rows = page.evaluate(gaps)
            self.assertTrue(all(max(row["above"], row["below"]) <= 16 for row in rows), rows)
            tops = page.evaluate("[...document.querySelectorAll('.notice-card .virtual-row')].map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [Math.round(top), Math.round(bottom)])")
            self.assertTrue(all(abs(one[1] - other[0]) <= 1 for one, other in zip(tops, tops[1:])), tops)
        self.assertGreater(len({row["height"] for row in rows}), 0)

    def test_rows_of_other_heights_above_do_not_move_what_is_read(self):
        page = self.list("many-notices", size=PHONE)
        page.evaluate("for (const [at, each] of fake.notices.all().entries()) if (at % 3 === 0) each.body = 'A long text. '.repeat(12)")
        page.evaluate("fake.emit('notifications', {})")
        page.wait_for_timeout(200)
        for _ in range(4):
            page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_timeout(60)
        place = "(() => { const row = [...document.querySelectorAll('.notice')].find((each) => each.getBoundingClientRect().top > 200); return [row.querySelector('.notice-title').textContent, Math.round(row.getBoundingClientRect().top)]; })()"
        title, before = page.evaluate(place)
        page.evaluate("window.scrollBy(0, -30)")
        page.wait_for_timeout(120)
        now = page.evaluate("(title) => Math.round([...document.querySelectorAll('.notice')].find((each) => each.querySelector('.notice-title').textContent === title).getBoundingClientRect().top)", title)
        self.assertAlmostEqual(now, before + 30, delta=2)

    def test_messages_of_one_conversation_are_one_row_that_opens(self):
        page = self.open(ALL, "told several-notices")
        drawn(page)
        stack = page.locator(".notice.is-stack:has-text('Jonas Weber')")
        self.assertEqual(stack.locator(".notice-count .number").inner_text(), "×12")
        self.assertEqual(page.locator(".notice:has-text('Jonas Weber')").count(), 1)
        self.assertEqual(page.locator(".notice:not(.is-stack):has-text('Familie')").count(), 1, "another conversation of the same program")
        stack.locator(".notice-main").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice.is-inside")
        self.assertEqual(page.locator(".notice.is-inside").count(), 12)
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-expanded')"), "true")
        page.keyboard.press("Enter")
        self.until(page, "document.querySelectorAll('.notice.is-inside').length === 0")

    def test_a_stack_is_read_and_deleted_as_a_whole(self):
        page = self.open(ALL, "several-notices")
        drawn(page)
        stack = page.locator(".notice.is-stack:has-text('Jonas Weber')")
        stack.hover()
        stack.locator("[data-act=read]").click()
        self.until(page, "!document.querySelector('.notice.is-stack.is-unread')")
        self.assertEqual(self.called(page, "notifications.mark"), [{"device": LAPTOP, "ids": [f"talk{at}" for at in range(5)]}])
        stack.locator(".notice-main").focus()
        page.keyboard.press("Delete")
        page.wait_for_selector("dialog[open]")
        self.assertIn("Delete all 12 notifications?", page.inner_text("dialog"))
        page.click("dialog .button.danger")
        self.until(page, "!document.querySelector('.notice.is-stack')")
        self.assertEqual(page.evaluate("(device) => fake.notices.all(device).length", LAPTOP), 2)

    def test_what_is_looked_for_is_shown_one_by_one(self):
        page = self.open(ALL, "told several-notices")
        drawn(page)
        page.fill(".notice-tools input", "jonas")
        self.until(page, "document.querySelectorAll('.notice').length === 12")

    def test_programs_are_told_apart_by_their_letters(self):
        page = self.open(ALL, "told several-notices")
        drawn(page)
        mark = lambda title: page.locator(f".notice:has-text('{title}') .notice-mark").first
        self.assertEqual([mark(title).inner_text() for title in ("Jonas Weber", "Mei Lin", "Build failed")], ["S", "E", "B"])
        self.assertEqual(mark("Codex waits").locator("svg").count(), 1)
        self.assertEqual(mark("Library").locator("svg").count(), 1, "its icon's name says what it is")

    def test_how_a_command_ended_is_said_in_the_pages_language(self):
        page = self.list(lang="zh")
        data = "{ duration: '1.0 s', 'exit code': '3' }"
        page.evaluate(f"fake.notices.add({{ title: 'make', body: 'Failed with status 3 after 1.0 s.', data: {data} }})")
        page.wait_for_selector(".notice:has-text('失败，状态 3，用时 1.0 秒。')")
        page.evaluate(f"fake.notices.add({{ title: 'other', body: 'Something else.', data: {data} }})")
        page.wait_for_selector(".notice:has-text('Something else.')")


class SeveralTests(NotificationCase):
    """All computers of a phone in one list."""

    def all(self, scenario="told several-notices", **options):
        page = self.open(ALL, scenario, **options)
        drawn(page)
        return page

    def test_the_newest_of_all_computers_stands_first_with_its_computers_name(self):
        page = self.all(size=PHONE)
        self.assertEqual(page.evaluate(TITLES)[:3], ["The disk is almost full", "Jonas Weber", "Mei Lin"])
        self.assertIn("studio-pc · Disks", page.inner_text(".notice >> nth=0"))
        self.assertIn("Büro-Laptop · Signal", page.inner_text(".notice >> nth=1"))

    def test_one_is_opened_and_read_at_its_own_computer(self):
        page = self.all()
        page.click(".notice-main:has-text('Familie')")
        of_sheet(page)
        self.assertIn("show=", page.url)
        self.assertEqual(self.called(page, "notifications.mark"), [{"device": LAPTOP, "ids": ["other"]}])
        page.click("dialog .notice-dialog .button.primary, dialog.notice-dialog .button.primary")
        self.until(page, "!location.hash.includes('show=')")
        self.assertEqual(page.evaluate("location.hash.split('?')[0]"), "#/notifications")

    def test_a_button_is_pressed_at_its_own_computer(self):
        page = self.all()
        page.click(".notice-main:has-text('The disk is almost full')")
        of_sheet(page)
        page.click(".notice-act >> nth=1")
        page.wait_for_selector(".notice-done")
        pressed = [each for each in self.called(page, "notifications.call") if each["method"] == "notification.act"]
        self.assertEqual(pressed, [{"method": "notification.act", "params": {"notificationId": "urgent", "action": "look"}, "device": COMPUTER}])

    def test_all_are_marked_read_at_each_computer_that_has_some(self):
        page = self.all()
        menu(page)
        page.click(".menu-item:has-text('Mark all read')")
        self.until(page, f"{UNREAD}.length === 0")
        self.assertEqual([each["device"] for each in self.called(page, "notifications.mark")], [COMPUTER, LAPTOP])
        menu(page)
        self.assertEqual(page.locator(".menu-item:has-text('Delete all')").count(), 0, "each computer has its own")

    def test_it_comes_page_by_page(self):
        page = self.all("many-notices", size=PHONE)
        for _ in range(4):
            page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_timeout(60)
        asked = self.called(page, "notifications.list")
        self.assertGreater(len(asked), 2)
        self.assertTrue(asked[1]["before"].endswith(f"{COMPUTER} m49"), asked[1])
        titles = page.evaluate(TITLES)
        self.assertEqual(len(set(titles)), len(titles))

    def test_new_ones_of_each_computer_come_by_themselves(self):
        page = self.all()
        page.evaluate("(device) => fake.notices.add({ title: 'Fresh' }, device)", LAPTOP)
        self.until(page, f"{TITLES}[0] === 'Fresh'")


class HostileTests(NotificationCase):
    def test_nothing_that_was_said_becomes_html_or_turns_words_round(self):
        for size, role, home in ((PHONE, "phone", HOME), (DESKTOP, "desktop", OWN)):
            page = self.browser.blank(size=size)
            self.addCleanup(page.context.close)
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            page.add_init_script(CANARY)
            for id in ("h1", "h2", "h3"):
                self.browser.show(page, self.site.url, f"{home}?show={id}", role, "hostile")
                of_sheet(page)
                self.assertEqual(page.evaluate("[...document.querySelectorAll('[data-peer]')].filter((each) => /[\\u202a-\\u202e\\u200b]/u.test(each.textContent)).length"), 0, "what hides is visible")
                page.keyboard.press("Escape")
            if role == "phone":
                settings(page)
                page.evaluate("fake.notices.tell({ new: { ...fake.notices.all()[0], device: '%s', alert: 99 }, banner: true })" % COMPUTER)
            settle(page)
            self.assertEqual(page.evaluate(SEEN), [])
            self.assertEqual([url for url in asked if not url.startswith((self.site.url, "blob:"))], [])
            self.assertEqual(page.complaints, [])


if __name__ == "__main__":
    unittest.main()
