"""Notifications of a real desktop on two pages of a phone and on the computer's own: shown once, read, deleted, silenced, pressed, answered."""

import json
import signal
import subprocess
import unittest

from browser import DESKTOP, PHONE
from real import PATIENCE, RealTests
from sessionbus import SessionBus, displayed
from xscreen import Screen

UNREAD = "[...document.querySelectorAll('.is-unread .notice-title')].map((each) => each.textContent)"
TITLES = "[...document.querySelectorAll('.notice-title')].map((each) => each.textContent)"
BADGE = "document.querySelector('.tab[href*=notifications] .badge')?.firstChild.data ?? ''"
SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = await navigator.locks.request('tandem-banners', () => registration.getNotifications());
    return found.map(({ title, tag, data }) => ({ title, tag, go: data.go }));
}"""
# Each call of the browser's own, so that one that was replaced counts, too.
COUNTED = """window.banners = [];
if (window.ServiceWorkerRegistration) {
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) { banners.push(title); return show.call(this, title, options); };
}"""


class NotificationCase(RealTests):
    RIGHTS = ("notification.all",)
    IS_CALM = False

    @classmethod
    def options(cls):
        cls.bus = cls.enterClassContext(SessionBus())
        return {"environment": cls.bus.environment}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The program itself shows notifications where nothing else on this bus does.
        cls.household.until(cls.bus.has_service)

    def tearDown(self):
        if "desktop" not in self.household.processes:
            self.household.start("desktop")

    # Pages

    def tab_of(self, computer=None, **options):
        page = self.open("phone", f"#/computers/{computer or self.computer}/notifications", **options)
        page.wait_for_selector(".notice, .notice-list .empty, .refused", timeout=PATIENCE * 1000)
        return page

    def own(self, **options):
        page = self.open("desktop", "#/notifications", **options)
        page.wait_for_selector(".notice, .notice-list .empty", timeout=PATIENCE * 1000)
        return page

    def everywhere(self):
        """Two pages of the phone, each in a browser of its own, a small and a large one, and the computer's."""
        return self.tab_of(), self.tab_of(size=DESKTOP), self.own()

    def row(self, page, title):
        return page.locator(".notice").filter(has_text=title)

    def has(self, title, *pages):
        """Each page shows it, once."""
        for page in pages:
            self.until(lambda: self.row(page, title).count() > 0, page, f"not in the list: {title}")
            self.assertEqual(self.row(page, title).count(), 1, f"more than once: {title}")

    def has_not(self, title, *pages):
        for page in pages:
            self.until(lambda: self.row(page, title).count() == 0, page, f"still in the list: {title}")

    def is_unread(self, title, is_so, *pages):
        for page in pages:
            self.until(lambda: (title in page.evaluate(UNREAD)) == is_so, page, f"{title}: unread should be {is_so}")

    def opened(self, page, title):
        """The sheet of one."""
        self.act(page, f"row “{title}”", self.row(page, title).locator(".notice-main").click)
        self.act(page, "sheet", page.locator("dialog .notice-sheet").wait_for)
        return page.get_by_role("dialog")

    def reads(self, page, title):
        self.row(page, title).hover()
        self.press(page, f"Mark read: \u2068{title}\u2069")

    def closed_sheet(self, page):
        self.press(page, "Close", within=page.locator("dialog .dialog-actions"))
        self.until(lambda: page.locator("dialog").count() == 0, page, "the sheet stays")

    def menu_of(self, page, item):
        self.menu(page, "More for these notifications", item)

    # The phone

    def phone_name(self):
        return self.household.said["phone"]["name"]

    def phone_at(self, hash):
        return self.open("phone", hash)

    def phone_goes(self):
        self.household.stop("phone")

    def phone_comes(self):
        self.household.start("phone")

    def phone_reads_all(self):
        self.household.run("phone", "notifications", "read", "--all")

    def phone_has_all(self, count):
        """Waits until the phone has as many."""
        self.household.until(lambda: len(self.listed("phone")) == count)

    def phone_has_only(self, *titles):
        self.assertEqual([each["title"] for each in self.listed("phone")], list(titles))

    # Values

    def listed(self, role):
        return json.loads(self.household.run(role, "notifications", "list", "--limit", "500", "--json"))["notifications"]

    def cleared(self):
        """Nothing is left of a test before, on both sides."""
        self.household.run("desktop", "notifications", "clear")
        self.until(lambda: not self.listed("desktop") and not self.listed("phone"), what=lambda: f"something stays: {self.listed('desktop')}, on the phone: {self.listed('phone')}\n{self.household.log('phone')[-1000:]}\n{self.household.log('desktop')[-2000:]}")

    def picture(self):
        path = self.folder / "icon.png"
        subprocess.run(["convert", "-size", "64x64", "gradient:red-blue", str(path)], check=True, timeout=30)
        return path


class SharedTests(NotificationCase):
    """What one device does is so on all of them."""

    def setUp(self):
        self.cleared()

    def test_what_a_program_shows_is_everywhere_once_and_read_everywhere(self):
        first, second, own = pages = self.everywhere()
        computers = self.phone_at("#/computers")
        self.bus.notify("Mail", "Ada wrote", "Dinner at <b>eight</b>?", f"--icon={self.picture()}")
        self.has("Ada wrote", *pages)
        self.is_unread("Ada wrote", True, *pages)
        for page in pages:
            self.sees(page, "Dinner at eight?", "Mail", within=self.row(page, "Ada wrote"))
        name = self.household.said["desktop"]["name"]
        for page in (first, second):
            self.until(lambda: page.evaluate(BADGE) == "1", page, "the tab wears no number")
            self.until(lambda: page.title() == f"(1) {name} · Tandem", page, "the title has no number")
        self.until(lambda: own.title() == "(1) Notifications · Tandem", own, "the title has no number")
        self.until(lambda: computers.locator(".computer-unread .chip").all_text_contents() == ["1 unread notifications"], computers, "the computer's row has no number")
        sheet = self.opened(first, "Ada wrote")
        self.sees(first, "Dinner at eight?", "Mail", within=sheet)
        self.until(lambda: first.evaluate("document.querySelector('.notice-picture img')?.naturalWidth > 0"), first, "its picture is not shown")
        self.is_unread("Ada wrote", False, *pages)
        for page in (first, second):
            self.until(lambda: page.evaluate(BADGE) == "", page, "the number stays")
            self.until(lambda: page.title() == f"{name} · Tandem", page, "the title keeps its number")
        self.until(lambda: computers.locator(".computer-unread .chip").count() == 0, computers, "the computer's row keeps its number")
        # And the other way round.
        self.bus.notify("Mail", "Mei wrote")
        self.has("Mei wrote", second, own)
        # Under an open sheet nothing moves.
        self.sees(first, "1 new")
        self.closed_sheet(first)
        self.has("Mei wrote", first)
        self.row(own, "Mei wrote").hover()
        self.press(own, "Mark read: \u2068Mei wrote\u2069")
        self.is_unread("Mei wrote", False, *pages)

    def test_deleted_marked_and_cleared(self):
        first, second, own = pages = self.everywhere()
        for number in range(4):
            self.bus.notify("Mail", f"Letter {number}")
        for number in range(4):
            self.has(f"Letter {number}", *pages)
        self.row(first, "Letter 1").locator(".notice-main").focus()
        first.keyboard.press("Delete")
        self.has_not("Letter 1", *pages)
        self.menu_of(second, "Mark all read")
        for page in pages:
            self.until(lambda: page.evaluate(UNREAD) == [], page, "some stay unread")
        self.bus.notify("Mail", "Came later")
        self.has("Came later", second, own)
        # The keyboard is in the first one's list: nothing moves under it, and what is new is a button.
        self.press(first, "1 new")
        self.has("Came later", first)
        self.menu_of(first, "Delete all")
        self.sees(first, "Delete all 4 notifications?")
        self.press(first, "Delete all", within=first.get_by_role("dialog"))
        for page in pages:
            self.sees(page, "No notifications")

    def test_a_mark_of_all_leaves_what_the_person_has_not_seen(self):
        page = self.tab_of()
        self.bus.notify("Mail", "Seen")
        self.has("Seen", page)
        self.act(page, "menu", page.get_by_role("button", name="More for these notifications").click)
        page.context.set_offline(True)
        self.bus.notify("Mail", "Not seen")
        self.household.until(lambda: len(self.listed("phone")) == 2)
        self.assertEqual(page.evaluate(TITLES), ["Seen"])
        page.context.set_offline(False)
        self.press(page, "Mark all read", role="menuitem")
        self.is_unread("Seen", False, page)
        self.has("Not seen", page)
        self.is_unread("Not seen", True, page)

    def test_a_burst_costs_no_page_more_rows_than_it_has(self):
        pages = (self.tab_of(), self.own())
        for page in pages:
            # The first word of what it follows.
            page.wait_for_timeout(500)
        answers = [[], []]
        for page, said in zip(pages, answers):
            page.on("response", lambda response, said=said: said.append(response))
        for number in range(100):
            # Each program may say twenty at once.
            self.bus.notify(f"Program {number % 10}", f"Number {number}")
        for page in pages:
            self.until(lambda: page.evaluate(TITLES)[:1] == ["Number 99"], page, "the newest does not come")
            page.wait_for_timeout(500)
        for said in answers:
            calls = [(response, response.request.post_data_json) for response in said if response.url.endswith("/api/call")]
            lists = [response.json()["result"] for response, asked in calls if asked["method"] == "notifications.list" or asked["params"].get("method") == "notification.getHistory"]
            self.assertLessEqual(sum(len(each["notifications"]) for each in lists), 100, len(lists))
        own = pages[1]
        self.until(lambda: own.evaluate("(window.scrollTo(0, document.documentElement.scrollHeight), [...document.querySelectorAll('.notice-title')].at(-1)?.textContent)") == "Number 0", own, "the oldest never comes")

    def test_filtered_searched_and_loaded_page_by_page(self):
        for number in range(130):
            # Each program may say twenty at once.
            self.bus.notify(f"Program {number % 10}", f"Number {number}", "a needle" if number == 3 else "hay")
        self.phone_has_all(130)
        page, own = self.tab_of(size=DESKTOP), self.own()
        self.assertEqual(page.evaluate(TITLES)[0], "Number 129")
        for each in (page, own):
            self.until(lambda: each.evaluate("(window.scrollTo(0, document.documentElement.scrollHeight), [...document.querySelectorAll('.notice-title')].at(-1)?.textContent)") == "Number 0", each, "the oldest never comes")
            self.assertLess(each.locator(".notice").count(), 60, "all rows are drawn")
            each.evaluate("window.scrollTo(0, 0)")
            self.until(lambda: each.evaluate(TITLES)[:1] == ["Number 129"], each, "the newest does not come back")
        self.fill(page, "Search notifications", "NEEDLE")
        self.until(lambda: page.evaluate(TITLES) == ["Number 3"], page, "the search finds something else")
        self.fill(page, "Search notifications", "")
        self.until(lambda: page.evaluate(TITLES)[:1] == ["Number 129"], page, "the list does not come back")
        self.act(own, "filter", lambda timeout: own.get_by_label("Program", exact=True).first.select_option("Program 7", timeout=timeout))
        self.until(lambda: own.evaluate("document.querySelectorAll('.notice').length") == 13, own, "the filter by program shows others")
        self.phone_reads_all()
        self.bus.notify("Program 7", "Still unread")
        self.has("Still unread", own)
        self.act(page, "filter", page.locator(".notice-filters label").filter(has_text="Unread").click)
        self.until(lambda: page.evaluate(TITLES) == ["Still unread"], page, "the filter shows what is read")
        self.reads(page, "Still unread")
        self.sees(page, "Everything is read")

    def test_marks_made_while_the_computer_is_dead_wait_and_arrive(self):
        first, second = self.tab_of(size=DESKTOP), self.tab_of()
        for title in ("To read", "To delete", "To leave"):
            self.bus.notify("Mail", title)
            self.has(title, first, second)
        self.household.stop("desktop", signal.SIGKILL)
        self.sees(first, "Not reached at the moment", seconds=PATIENCE * 2)
        self.row(first, "To read").hover()
        self.press(first, "Mark read: \u2068To read\u2069")
        self.is_unread("To read", False, first, second)
        self.row(first, "To delete").locator(".notice-main").focus()
        first.keyboard.press("Delete")
        self.has_not("To delete", first, second)
        for page in (first, second):
            self.sees(page, "2 changes are queued", seconds=PATIENCE * 2)
        # What waits is on disk.
        self.household.restart("phone", signal.SIGKILL)
        self.household.start("desktop")
        own = self.own()
        self.is_unread("To read", False, own)
        self.has_not("To delete", own, first, second)
        self.is_unread("To leave", True, own, first, second)
        for page in (first, second):
            self.sees_no(page, "queued", seconds=PATIENCE * 2)

    def test_the_computer_says_which_phones_have_one_and_when(self):
        own = self.own()
        self.bus.notify("Mail", "For all phones")
        self.has("For all phones", own)
        phone = self.phone_name()
        sheet = self.opened(own, "For all phones")
        self.sees(own, phone, "Got it", within=sheet)
        self.closed_sheet(own)
        self.sees(own, phone, "Has everything", within=own.locator(".notice-aside"))
        self.phone_goes()
        self.bus.notify("Mail", "Nobody is there")
        self.has("Nobody is there", own)
        self.sees(own, "1 still to get", within=own.locator(".notice-aside"))
        self.sees(own, phone, "Not yet", within=self.opened(own, "Nobody is there"))
        self.closed_sheet(own)
        self.phone_comes()
        self.sees(own, "Has everything", within=own.locator(".notice-aside"), seconds=PATIENCE * 2)
        self.sees(own, "Got it", within=self.opened(own, "Nobody is there"))


class SettingsTests(NotificationCase):
    """What is set on one page holds at the computer, and stands on the others."""

    def setUp(self):
        self.cleared()

    def in_sight(self, page, label):
        self.act(page, label, page.get_by_role("switch", name=label, exact=True).first.scroll_into_view_if_needed)

    def time(self, page, label, text):
        self.fill(page, label, text)
        page.get_by_label(label, exact=True).first.blur()

    def test_quiet_hours_keep_and_silence(self):
        self.addCleanup(self.household.run, "desktop", "notifications", "settings", "--quiet", "off")
        phone, own = self.tab_of(), self.own()
        strip = own.locator(".quiet-day")
        self.until(lambda: strip.get_attribute("aria-label") == "No hour is quiet.", own, "quiet from the start")
        self.switch(own, "Quiet hours", True)
        self.until(lambda: strip.get_attribute("aria-label") == "Quiet from 22:00 to 08:00.", own, "the strip does not follow")
        self.time(own, "From", "07:30")
        self.time(own, "To", "07:30")
        self.until(lambda: strip.get_attribute("aria-label") == "Quiet all day.", own, "the strip does not follow")
        self.sees(own, "Saved")
        self.bus.notify("Mail", "While you slept")
        self.bus.notify("Mail", "The house burns", "", "--urgency=critical")
        for page in (phone, own):
            self.has("While you slept", page)
            self.sees(page, "Came in quiet hours", within=self.row(page, "While you slept").locator(".notice-flag.silenced"))
        self.is_unread("While you slept", True, phone)
        self.sees(phone, "Came in quiet hours", within=self.opened(phone, "While you slept"))
        self.closed_sheet(phone)
        self.menu_of(phone, "Settings")
        told = phone.locator("dialog .quiet-day")
        self.until(lambda: told.get_attribute("aria-label") == "Quiet all day.", phone, "the phone says something else")
        self.switch(phone, "Quiet hours", False)
        self.until(lambda: told.get_attribute("aria-label") == "No hour is quiet.", phone, "the change did not stand")
        self.assertIn("quiet hours: off", self.household.run("desktop", "notifications", "settings"))
        self.bus.notify("Mail", "Awake again")
        self.has("Awake again", own)
        self.assertEqual(self.row(own, "Awake again").locator(".notice-flag.silenced").count(), 0)

    def test_a_program_that_is_switched_off_is_not_heard(self):
        phone = self.tab_of()
        for title in ("First", "Second"):
            self.bus.notify("Chatter", title)
            self.has(title, phone)
        self.menu_of(phone, "Settings")
        self.in_sight(phone, "Chatter")
        self.switch(phone, "Chatter", False)
        self.household.until(lambda: any(not each["allowed"] for each in json.loads(self.household.run("desktop", "notifications", "sources", "--json"))["sources"]))
        self.press(phone, "Close", within=phone.locator("dialog"))
        self.bus.notify("Chatter", "Third")
        self.bus.notify("Mail", "From another")
        self.has("From another", phone)
        self.assertEqual(self.row(phone, "Third").count(), 0, "a program that is switched off was heard")
        own = self.own()
        self.in_sight(own, "Chatter")
        self.switch(own, "Chatter", True)
        self.household.until(lambda: all(each["allowed"] for each in json.loads(self.household.run("desktop", "notifications", "sources", "--json"))["sources"]))
        own.evaluate("window.scrollTo(0, 0)")
        self.bus.notify("Chatter", "Fourth")
        self.has("Fourth", phone, own)


class ActingTests(NotificationCase):
    """Buttons and answers, which have a right of their own."""

    def setUp(self):
        self.cleared()
        self.household.run("desktop", "devices", "deny", "notification.act")

    def test_a_button_needs_its_right_and_reaches_the_program(self):
        page = self.tab_of()
        program = self.bus.asks("Builds", "Deploy now?", "ok=Deploy", "no=Stop")
        self.has("Deploy now?", page)
        sheet = self.opened(page, "Deploy now?")
        phone = self.phone_name()
        self.sees(page, "has not allowed this phone to press its buttons", f"tandem devices allow '{phone}' notification.act", within=sheet)
        self.assertEqual(sheet.get_by_role("button", name="Deploy").count(), 0)
        # Given while the sheet is open: its buttons come.
        self.household.run("desktop", "devices", "allow", "notification.act")
        self.press(page, "Deploy", within=sheet)
        self.sees(page, "Pressed at the computer", within=sheet)
        self.assertEqual(program.communicate(timeout=PATIENCE)[0].strip(), "ok")

    def test_taken_back_while_it_is_looked_at(self):
        self.household.run("desktop", "devices", "allow", "notification.act")
        page = self.tab_of()
        self.bus.asks("Builds", "Deploy again?", "ok=Deploy")
        self.has("Deploy again?", page)
        sheet = self.opened(page, "Deploy again?")
        self.sees(page, "Deploy", exact=True, within=sheet)
        self.household.run("desktop", "devices", "deny", "notification.act")
        self.sees(page, "has not allowed this phone to press its buttons", within=sheet)
        self.assertEqual(sheet.get_by_role("button", name="Deploy", exact=True).count(), 0)

    def test_an_answer_reaches_the_program(self):
        self.household.run("desktop", "devices", "allow", "notification.act")
        said = self.folder / "bus.log"
        self.bus.monitor(said)
        page = self.tab_of()
        self.household.until(lambda: b"NameAcquired" in said.read_bytes())
        self.bus.asks("Chat", "Mei asks", "inline-reply=Reply")
        self.has("Mei asks", page)
        sheet = self.opened(page, "Mei asks")
        self.act(page, "answer", lambda timeout: sheet.get_by_label("Write an answer").fill("I come \u00fcber Rom", timeout=timeout))
        self.press(page, "Send", within=sheet)
        self.sees(page, "Answered", within=sheet)
        self.household.until(lambda: 'member=NotificationReplied' in said.read_text() and 'string "I come \u00fcber Rom"' in said.read_text())

    def test_a_button_whose_program_has_gone_is_said(self):
        self.household.run("desktop", "devices", "allow", "notification.act")
        page = self.tab_of()
        self.bus.asks("Builds", "Too late", "ok=Deploy")
        self.has("Too late", page)
        sheet = self.opened(page, "Too late")
        self.household.restart("desktop")
        self.household.until(self.bus.has_service)
        self.sees(page, "It takes no answer any more.", within=sheet)
        self.assertEqual(sheet.get_by_role("button", name="Deploy", exact=True).count(), 0)


class RightTests(NotificationCase):
    """What is taken away ends at once, on each page."""

    def setUp(self):
        self.cleared()

    def test_the_right_is_taken_away_and_given_back(self):
        first, second = self.tab_of(), self.tab_of()
        self.bus.notify("Mail", "Before")
        self.has("Before", first, second)
        self.household.run("desktop", "devices", "deny", "notification")
        try:
            for page in (first, second):
                self.sees(page, "not allowed")
                self.until(lambda: page.locator(".notice").count() == 0, page, "the list stays")
            self.bus.notify("Mail", "Meanwhile")
            self.household.until(lambda: len(self.listed("desktop")) == 2)
            self.phone_has_only("Before")
        finally:
            self.household.run("desktop", "devices", "allow", "notification.all")
        self.has("Before", first, second)
        self.has("Meanwhile", first, second)

    def test_forgotten_with_a_sheet_open(self):
        first, second = self.tab_of(), self.tab_of()
        self.bus.notify("Mail", "The last one")
        self.has("The last one", first, second)
        self.opened(second, "The last one")
        [device] = json.loads(self.household.run("desktop", "devices", "list", "--json"))["devices"]
        self.household.run("desktop", "devices", "forget", device["id"])
        try:
            for page in (first, second):
                self.sees(page, "This computer is not paired any more")
                self.until(lambda: page.get_by_text("The last one").count() == 0, page, "what it said stays")
                self.until(lambda: not page.title().startswith("("), page, "the title keeps its number")
        finally:
            self.household.until(lambda: not json.loads(self.household.run("phone", "devices", "list", "--role", "phone", "--json"))["devices"])
            self.household.pair("notification.all")
            type(self).computer = self.household.computer()
        page = self.tab_of()
        self.has("The last one", page)


class BrowserCase(NotificationCase):
    """The browser's own notifications, by a service worker."""

    def setUp(self):
        self.cleared()

    def allowed(self, hash="#/settings", context=None, scripts=()):
        """A page whose browser may show notifications; with a context another one in the same browser."""
        if context is None:
            page = self.open("phone", hash, service_workers="allow", permissions=["notifications"], scripts=[COUNTED, *scripts])
        else:
            page = context.new_page()
            page.complaints = []
            page.goto(f"{self.household.page_of('phone')}/{hash}", wait_until="domcontentloaded")
            page.wait_for_selector("#app:not([aria-busy])")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        return page

    def leads(self, page):
        """Waits until one page of this browser follows what comes."""
        self.until(lambda: page.evaluate("navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'tandem-notifications'))"), page, "no page leads")

    def shown(self, page, *titles):
        self.until(lambda: sorted(each["title"] for each in page.evaluate(SHOWN)) == sorted(titles), page, f"the browser does not show {titles}")
        return page.evaluate(SHOWN)

    def origin(self):
        return self.household.page_of("phone")

    def forget_phone(self):
        [device] = json.loads(self.household.run("desktop", "devices", "list", "--json"))["devices"]
        self.household.run("desktop", "devices", "forget", device["id"])
        self.household.until(lambda: not json.loads(self.household.run("phone", "devices", "list", "--role", "phone", "--json"))["devices"])

    def pair_again(self, _page):
        self.household.pair("notification.all")
        type(self).computer = self.household.computer()

    def pushed(self, page, **payload):
        """Delivers a push as the browser's push service would."""
        session = page.context.new_cdp_session(page)
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        self.until(lambda: found, page, "no service worker")
        session.send("ServiceWorker.deliverPushMessage", {"origin": self.origin(), "registrationId": found[0]["registrationId"], "data": json.dumps(payload)})


class BrowserTests(BrowserCase):
    def test_each_is_shown_once_by_one_page(self):
        first = self.allowed()
        self.leads(first)
        second = self.allowed(context=first.context)
        self.bus.notify("Mail", "Ada wrote", "Dinner?")
        [shown] = self.shown(first, "Ada wrote")
        [kept] = self.listed("phone")
        self.assertEqual(shown["tag"], f"{self.computer} {kept['id']}")
        # A push of the same one, as for a page that is closed: it replaces, and calls no second time.
        self.pushed(first, device=self.computer, id=kept["id"], title="Ada wrote", body="Dinner?", alert=kept["alert"])
        self.bus.notify("Mail", "Mei wrote")
        self.shown(first, "Ada wrote", "Mei wrote")
        self.assertEqual(first.evaluate("banners") + second.evaluate("window.banners ?? []"), ["Ada wrote", "Mei wrote"])
        # Read at the computer: it goes here.
        self.household.run("desktop", "notifications", "read", "--all")
        self.shown(first)

    def test_a_press_leads_to_its_sheet(self):
        page = self.allowed()
        self.leads(page)
        self.bus.notify("Mail", "Look here")
        [shown] = self.shown(page, "Look here")
        [worker] = page.context.service_workers
        worker.evaluate("async () => { const [notification] = await navigator.locks.request('tandem-banners', () => registration.getNotifications()); self.dispatchEvent(new NotificationEvent('notificationclick', { notification })); }")
        self.sees(page, "Mail", within=page.locator("dialog .notice-sheet"))
        self.assertIn("#" + shown["go"].removeprefix("#"), page.url)
        self.household.until(lambda: all(each["read"] for each in self.listed("desktop")))

    def test_in_quiet_hours_none_is_shown(self):
        self.addCleanup(self.household.run, "desktop", "notifications", "settings", "--quiet", "off")
        page = self.allowed()
        self.leads(page)
        self.household.run("desktop", "notifications", "settings", "--quiet", "00:00-00:00")
        self.bus.notify("Mail", "Quiet")
        self.phone_has_all(1)
        self.household.run("desktop", "notifications", "settings", "--quiet", "off")
        self.bus.notify("Mail", "Loud")
        self.shown(page, "Loud")

    def test_what_was_there_before_pairing_calls_nobody(self):
        self.forget_phone()
        for number in range(8):
            self.bus.notify("Mail", f"Old {number}")
        self.household.until(lambda: len(self.listed("desktop")) == 8)
        page = self.allowed("#/computers")
        self.leads(page)
        self.pair_again(page)
        self.until(lambda: page.locator(".computer-unread .chip").all_text_contents() == ["8 unread notifications"], page, "the old ones are not counted")
        self.bus.notify("Mail", "New")
        self.shown(page, "New")
        self.assertEqual(page.evaluate("banners"), ["New"])
        self.go(page, f"#/computers/{self.computer}/notifications")
        self.has("Old 0", page)
        self.is_unread("Old 0", True, page)


class ServiceTests(NotificationCase):
    """A desktop with a service of its own, which shows things on a screen."""

    @classmethod
    def options(cls):
        cls.screen = cls.enterClassContext(Screen())
        cls.bus = cls.enterClassContext(SessionBus(cls.screen.environment))
        cls.bus.start("dunst", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return {"environment": cls.bus.environment}

    def test_what_the_phone_sends_is_shown_on_the_desktop(self):
        page, own = self.tab_of(), self.own()
        self.menu_of(page, "Show a message there")
        self.fill(page, "Title", "Tea is ready")
        self.fill(page, "Text", "In the kitchen")
        self.press(page, "Send", within=page.get_by_role("dialog"))
        self.sees(page, "Shown at the computer")
        phone = self.phone_name()
        self.household.until(lambda: f"Tea is ready ({phone})" in displayed(self.bus))
        self.has("Tea is ready", own, page)

    def test_what_a_program_shows_there_is_on_the_phone_once(self):
        page = self.tab_of()
        self.bus.notify("Mail", "Ada wrote")
        self.has("Ada wrote", page)
        self.household.until(lambda: "Ada wrote" in displayed(self.bus))


if __name__ == "__main__":
    unittest.main()
