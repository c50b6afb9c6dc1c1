"""The frame around the screens: addresses, focus, languages, colours, and the shell that opens without the program."""

import time
import unittest

import checks
import server
from browser import DESKTOP, PHONE, Browser, settle


class FrameTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start()
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash="#/settings", role="phone", scenario="", **options):
        page = self.browser.page(self.site.url, hash, role, scenario, **options)
        self.addCleanup(page.context.close)
        return page

    def title(self, page):
        return page.evaluate("[document.querySelector('h1').textContent, document.title]")

    def test_back_works_and_the_focus_goes_to_the_title(self):
        page = self.open()
        self.assertEqual(self.title(page), ["Settings", "Settings · Tandem"])
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "BODY", "the first screen takes no focus")
        page.click(".nav-row[data-section='/computers']")
        settle(page)
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        self.assertEqual(page.locator("[aria-current=page]").get_attribute("data-section"), "/computers")
        page.go_back()
        settle(page)
        self.assertEqual(self.title(page), ["Settings", "Settings · Tandem"])

    def places(self, page):
        """The names of the places below, as they are seen, and which of them touch or cut a name."""
        return page.evaluate("""() => {
            const rows = [...document.querySelectorAll('.nav-row')].filter((row) => row.checkVisibility());
            const boxes = (row) => [row.querySelector('.nav-label'), row.querySelector('.badge')].filter(Boolean).map((each) => each.getBoundingClientRect());
            const isCut = (row) => { const label = row.querySelector('.nav-label'); return label.scrollWidth > label.clientWidth; };
            const isOut = (row) => { const own = row.getBoundingClientRect(); return boxes(row).some((box) => box.left < own.left - 0.5 || box.right > own.right + 0.5); };
            return { names: rows.map((row) => row.querySelector('.nav-label').textContent), wrong: rows.filter((row) => isCut(row) || isOut(row)).map((row) => row.textContent) };
        }""")

    def test_a_phone_has_six_places_below(self):
        for lang, names in (("en", ["Computers", "Notifications", "Threads", "Chats", "Journal", "Settings"]), ("zh", ["电脑", "通知", "会话", "聊天", "日记", "设置"])):
            for size in (PHONE, (320, 568)):
                page = self.open("#/computers", scenario="told many-notices", lang=lang, size=size)
                page.wait_for_selector(".nav .badge")
                self.assertEqual(self.places(page), {"names": names, "wrong": []})

    def test_addresses_that_have_no_place_below_any_more_stay(self):
        for hash, title in (("#/pair", "Pair a computer"), ("#/pair/code", "Pair a computer"), ("#/queue", "Waiting")):
            page = self.open(hash)
            self.assertEqual(self.title(page)[0], title)
            page.click(".bar-back a")
            settle(page)
            self.assertEqual(page.evaluate("location.hash"), "#/computers")

    def test_a_computers_page_has_five_places_and_more(self):
        more = {"en": ["Overview", "Threads", "Notifications", "Phones", "Pair", "More"], "zh": ["概览", "会话", "通知", "手机", "配对", "更多"]}
        for lang, names in more.items():
            for size in (PHONE, (320, 568)):
                page = self.open("#/overview", role="desktop", scenario="asks told many-notices", lang=lang, size=size)
                page.wait_for_selector(".nav-row[data-section='/notifications'] .badge")
                self.assertEqual(self.places(page), {"names": names, "wrong": []})
        page = self.open("#/overview", role="desktop")
        page.click(".nav-more")
        page.get_by_role("menuitem", name="Log").click()
        settle(page)
        self.assertEqual(page.evaluate("location.hash"), "#/audit")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        self.assertEqual(page.get_attribute(".nav-more", "aria-current"), "true")
        page = self.open("#/overview", role="desktop", size=DESKTOP)
        self.assertEqual(len(self.places(page)["names"]), 10, "all of them where there is room")

    def test_all_screens_stand_in_one_column(self):
        studio = "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5"
        screens = [
            ("phone", ["#/computers", "#/notifications", "#/threads", "#/settings", "#/pair", "#/queue", "#/account", f"{studio}/notifications", f"{studio}/files"]),
            ("desktop", ["#/overview", "#/phones", "#/pair", "#/activity", "#/audit", "#/settings", "#/notifications"]), ("hub", ["#/load", "#/people", "#/peers", "#/limits"]),
        ]
        for size, bar in ((PHONE, 56), (DESKTOP, 68)):
            seen = set()
            for role, hashes in screens:
                page = self.open(hashes[0], role, size=size)
                for hash in hashes:
                    page.evaluate("(hash) => { location.hash = hash; }", hash)
                    settle(page)
                    seen.add(page.evaluate("""() => {
                        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                        const { paddingLeft, paddingRight } = getComputedStyle(document.querySelector('.main'));
                        const main = box('.main');
                        return [main.left + parseFloat(paddingLeft), main.right - parseFloat(paddingRight), box('.bar').height].map(Math.round).join(' ');
                    }"""))
            self.assertEqual(len(seen), 1, seen)
            self.assertEqual(seen.pop().split()[-1], str(bar))

    def test_what_sticks_is_opaque_and_the_title_stands_on_the_brands_line(self):
        page = self.open("#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/notifications", scenario="told many-notices")
        page.wait_for_selector(".notice")
        colours = page.evaluate("['.bar', '.computer-head', '.nav'].map((each) => getComputedStyle(document.querySelector(each)).backgroundColor)")
        self.assertEqual([colour for colour in colours if not colour.startswith("rgb(")], [])
        tabs = "document.querySelector('.computer-head').getBoundingClientRect().top"
        before = page.evaluate(tabs)
        page.evaluate("scrollTo(0, 600)")
        self.assertEqual(page.evaluate(tabs), before, "it stands where it sticks")
        page = self.open("#/computers", size=DESKTOP)
        middles = page.evaluate("['.nav-head img', '.bar-title'].map((each) => document.querySelector(each).getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2))")
        self.assertLessEqual(abs(middles[0] - middles[1]), 1, middles)

    def test_a_name_loses_its_middle_whichever_way_it_runs(self):
        page = self.open("#/computers")
        cut = page.evaluate("""async () => {
            const { fileName } = await import('/kit/file-name.js');
            return ['A very long file name that goes on and on and on.pdf', 'تقرير طويل جدا عن المشروع في هذا العام الجديد والسنوات القادمة.pdf', 'short.txt'].map((name) => {
                const line = document.createElement('div');
                Object.assign(line.style, { width: '160px', overflow: 'hidden' });
                const element = fileName(name);
                line.append(element);
                document.querySelector('.main').append(line);
                const [box, first, last] = [line, element.firstChild, element.lastChild].map((each) => each.getBoundingClientRect());
                return {
                    text: element.textContent === name, isCut: element.firstChild.scrollWidth > element.firstChild.clientWidth, way: getComputedStyle(element).direction,
                    endsInside: last.left >= box.left - 0.5 && last.right <= box.right + 0.5, inOrder: first.left < last.left,
                };
            });
        }""")
        self.assertEqual(cut, [
            {"text": True, "isCut": True, "way": "ltr", "endsInside": True, "inOrder": True}, {"text": True, "isCut": True, "way": "rtl", "endsInside": True, "inOrder": False},
            {"text": True, "isCut": False, "way": "ltr", "endsInside": True, "inOrder": True},
        ])
        # The title of a screen that a peer named: its beginning stays in sight.
        page.evaluate("fake.answer('devices.show', () => ({ id: 'x', name: 'حاسوب المكتب الكبير في الطابق الثالث من المبنى الرئيسي', path: 'direct', platform: 'linux', endToEnd: true })); location.hash = '#/computers/x/clipboard'")
        page.wait_for_selector(".computer")
        title = page.evaluate("(({ dir, scrollWidth, clientWidth }) => ({ dir, isCut: scrollWidth > clientWidth, way: getComputedStyle(document.querySelector('.bar-title')).direction }))(document.querySelector('.bar-title'))")
        self.assertEqual(title, {"dir": "auto", "isCut": True, "way": "rtl"})

    def test_nothing_lies_on_code_and_no_computer_talks_to_itself_over_a_network(self):
        page = self.open("#/threads", "desktop")
        page.wait_for_selector(".thread-row")
        said = page.evaluate("""async () => {
            const [{ codeBlock }, { figures }] = await Promise.all([import('/kit/markdown/code.js'), import('/features/system/figures.js')]);
            const block = codeBlock({ text: 'for attempt in range(attempts, ' + 'x'.repeat(200), language: 'python' });
            block.style.width = '300px';
            document.querySelector('.main').append(block);
            const [code, tools] = ['.code', '.code-tools button'].map((each) => block.querySelector(each).getBoundingClientRect());
            const networks = ['lo', 'eth0'].map((name) => ({ interface: name, bytesReceived: 12e9, up: true }));
            return [code.right <= tools.left + 0.5, figures({ networks }).networks.map(({ name }) => name)];
        }""")
        self.assertEqual(said, [True, ["eth0"]])

    def test_an_unknown_address_leads_home_and_leaves_no_step(self):
        for role, home in [("phone", "#/computers"), ("hub", "#/load")]:
            page = self.open("#/nothing/of/that", role)
            self.assertEqual(page.evaluate("location.hash"), home)
            self.assertEqual(page.evaluate("history.length"), 2, "the blank page and this one")

    def test_the_skip_link_leads_to_the_title(self):
        page = self.open(size=DESKTOP)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")
        self.assertEqual(page.evaluate("location.hash"), "#/settings")

    def test_another_language_is_kept(self):
        page = self.open()
        page.get_by_text("简体中文").click()
        page.get_by_role("heading", name="设置").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "zh-Hans")
        page.reload()
        page.get_by_role("heading", name="设置").wait_for()
        page.get_by_text("自动").first.click()
        page.get_by_role("heading", name="Settings").wait_for()

    def test_the_browsers_language_is_taken(self):
        self.assertEqual(self.title(self.open(lang="zh"))[0], "设置")

    def test_other_colours_are_kept_from_the_first_picture_on(self):
        page = self.open()
        ground = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(ground)
        page.get_by_text("Dark").click()
        dark = page.evaluate(ground)
        self.assertNotEqual(light, dark)
        page.route("**/app.js", lambda route: route.abort())
        page.reload()
        page.wait_for_selector(".frame")
        self.assertEqual(page.evaluate(ground), dark, "before the modules run")

    def test_a_lost_connection_is_said_after_a_second(self):
        page = self.open()
        page.evaluate("fake.enter('lost')")
        page.wait_for_timeout(300)
        self.assertEqual(page.locator(".strips .banner").count(), 0)
        page.wait_for_selector(".strips .banner")
        self.assertLess(checks.shifts(page), 0.01, "nothing moves")
        page.evaluate("fake.enter('live')")
        self.assertEqual(page.locator(".strips .banner").count(), 0)
        page.wait_for_selector(".toast")

    def test_while_the_connection_is_lost_no_way_is_told(self):
        page = self.open("#/computers")
        ways = "[...document.querySelectorAll('.path-chip, .presence-dot')].map((each) => getComputedStyle(each).visibility)"
        page.wait_for_selector(".path-chip")
        page.wait_for_selector(".presence-dot")
        self.assertEqual(set(page.evaluate(ways)), {"visible"})
        page.evaluate("fake.enter('lost')")
        page.wait_for_selector(".strips .banner")
        self.assertEqual(set(page.evaluate(ways)), {"hidden"}, "nothing is known of them")
        page.evaluate("fake.enter('live')")
        self.assertEqual(set(page.evaluate(ways)), {"visible"})

    def test_what_was_shown_stays_while_the_connection_is_lost(self):
        for role, hash, kept in (("desktop", "#/overview", ".row:has-text('Ada’s iPhone')"), ("desktop", "#/phones", ".row:has-text('Ada’s iPhone')"), ("phone", "#/computers", ".computer-row")):
            page = self.open(hash, role)
            shown = page.locator(kept).count()
            self.assertGreater(shown, 0)
            page.evaluate("fake.answer('devices.list', () => fake.fail('gone', '')); fake.answer('activity.list', () => fake.fail('gone', '')); fake.enter('lost'); fake.emit('reset', {})")
            page.wait_for_selector(".strips .banner")
            settle(page)
            self.assertEqual([page.locator(kept).count(), page.locator(".main .banner.bad").count()], [shown, 0])

    def test_signing_out_leaves_nothing_on_the_page(self):
        page = self.open()
        page.get_by_role("button", name="Sign out").click()
        page.locator("dialog").get_by_role("button", name="Sign out").click()
        page.get_by_role("heading", name="Sign in").wait_for()
        page.wait_for_selector("dialog", state="detached")
        self.assertEqual(page.locator(".nav").count(), 0)

    def test_a_screen_that_fails_to_load_says_so(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.route("**/features/settings/screen.js", lambda route: route.abort())
        self.browser.show(page, self.site.url, "#/settings")
        page.wait_for_selector(".main .banner.bad")

    def test_the_shell_opens_without_the_program(self):
        site = server.start()
        page = self.browser.blank(service_workers="allow")
        self.addCleanup(page.context.close)
        page.goto(f"{site.url}/#/settings")
        page.get_by_role("heading", name="Settings").wait_for()
        # What the first visit loaded came before the worker was there.
        missing = """async () => {
            const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
            const cache = await caches.open('tandem-page');
            const found = await Promise.all(['/', ...loaded].map(async (path) => (await cache.match(path) ? null : path)));
            return found.filter(Boolean);
        }"""
        end = time.monotonic() + 30
        while left := page.evaluate(missing):
            self.assertLess(time.monotonic(), end, left)
            page.wait_for_timeout(50)
        stored = page.evaluate("caches.open('tandem-page').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))")
        self.assertIn("/app.js", stored)
        self.assertEqual([path for path in stored if path.startswith(("/api", "/sign-in"))], [])
        site.shutdown()
        site.server_close()
        page.reload()
        page.get_by_role("heading", name="Settings").wait_for()

    def test_symbols_are_asked_for_once_and_stay_without_the_program(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        asked = []
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/icons.svg") else None)
        self.browser.show(page, self.site.url, "#/settings")
        page.click(".nav-row[data-section='/computers']")
        settle(page)
        self.assertEqual(len(asked), 1)
        page.context.set_offline(True)
        width = page.evaluate("""async () => {
            const { icon } = await import('/kit/icon.js');
            document.body.append(icon('camera'));
            return document.body.lastElementChild.getBBox().width;
        }""")
        self.assertGreater(width, 10, "a symbol that was not shown before")
        self.assertEqual(len(asked), 1)

    def test_behind_a_dialog_nothing_scrolls_and_the_gutter_is_dark_too(self):
        page = self.open(size=DESKTOP)
        before = page.evaluate("[innerWidth, document.documentElement.clientWidth, document.querySelector('h1').getBoundingClientRect().x]")
        page.click("button.row-main")
        page.wait_for_selector("dialog[open]")
        root = page.evaluate("(({ backgroundColor, overflowY }) => [backgroundColor, overflowY])(getComputedStyle(document.documentElement))")
        self.assertEqual(root[1], "hidden")
        self.assertNotEqual(root[0], page.evaluate("getComputedStyle(document.body).backgroundColor"))
        after = page.evaluate("[innerWidth, document.documentElement.clientWidth, document.querySelector('h1').getBoundingClientRect().x]")
        self.assertEqual(before, after, "nothing moves")

    def test_it_can_be_installed(self):
        page = self.open()
        manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
        self.assertEqual({icon["purpose"] for icon in manifest["icons"]}, {"any", "maskable"})
        for icon in manifest["icons"]:
            side = page.evaluate(
                "async (src) => { const image = new Image(); image.src = src; await image.decode(); return image.naturalWidth; }", icon["src"]
            )
            self.assertIn(icon["sizes"], ("any", f"{side}x{side}"))
        # What Chromium itself would object to; tests' windows keep nothing, which alone forbids it there.
        errors = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
        self.assertEqual([each["errorId"] for each in errors if each["errorId"] != "in-incognito"], [])

    def test_what_moves_stands_still_for_who_wants_that(self):
        page = self.browser.page(self.site.url, "#/computers", reduced_motion="reduce")
        self.addCleanup(page.context.close)
        page.locator(".row-actions .icon-button").first.click()
        page.get_by_role("menuitem", name="Forget").click()
        page.wait_for_selector("dialog[open]")
        moving = page.evaluate("document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1 && !each.effect.target.closest('.spinner')).length")
        self.assertEqual(moving, 0)


if __name__ == "__main__":
    unittest.main()
