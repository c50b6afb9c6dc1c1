"""Threads in the browser: the list, a conversation that grows, what waits for the person, and hostile texts."""

import json
import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser, settle
from hostile import CANARY, SEEN
from states.threads import COMPUTER, HOME, MAIN, OWN, drawn, opened

PLACE = f"const place = fake.threadParts(fake.role === 'phone' ? '{COMPUTER}' : null); const main = place.threads[0];"
TITLES = "[...document.querySelectorAll('.thread-row-title')].map((each) => each.textContent)"
AT_END = "(() => { const flow = document.querySelector('.flow'); return flow.scrollHeight - flow.scrollTop - flow.clientHeight < 3; })()"
# Where something stands that the reader looks at, by its text.
TOP_OF = "(text) => [...document.querySelectorAll('.flow-row')].find((row) => row.textContent.includes(text))?.getBoundingClientRect().top"


class ThreadTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    def open(self, hash=HOME, size=DESKTOP, **options):
        page = self.browser.page(self.site.url, hash, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        return page

    def thread(self, scenario="no-waits", query=MAIN, role="phone", **options):
        page = self.open(f"{HOME if role == 'phone' else OWN}?{query}", scenario=scenario, role=role, **options)
        opened(page)
        return page

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def play(self, page, script):
        page.evaluate(f"() => {{ {PLACE} {script} }}")

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    # All computers of a phone

    def everywhere(self, scenario="", **options):
        page = self.open("#/threads", scenario=scenario, **options)
        page.wait_for_selector(".all-threads .group")
        return page

    def test_the_latest_threads_of_all_computers_stand_together(self):
        page = self.everywhere(size=PHONE)
        self.assertEqual(page.evaluate(TITLES)[:2], ["Why does the index read files twice?", "Spread the relay’s reconnects"])
        self.assertIn("Büro-Laptop", page.inner_text(".thread-row:has-text('Tidy the photo folder')"))
        self.assertGreater(page.locator(".waiting .waiting-row").count(), 0)
        away = page.locator(".row:has-text('客厅的 Mac mini')").last
        self.assertIn("Not connected", away.inner_text())
        page.click(".thread-row:has-text('Tidy the photo folder')")
        self.until(page, "location.hash.startsWith('#/computers/41d7b9e07c8e4c7b9a2f00d15ea59f0c/threads') && location.hash.includes('thread=laptop')")
        page.go_back()
        page.wait_for_selector(".all-threads .group")

    def test_the_latest_thread_of_any_computer_comes_first_by_itself(self):
        page = self.everywhere("no-waits")
        self.play(page, "place.change(place.threads[5], { last_message_ts: Date.now() + 1000, title: 'Now first' })")
        self.until(page, f"{TITLES}[0] === 'Now first'")
        page.evaluate("fake.call('devices.forget', { id: '9f0c6a1be2d34775a1c0ffee00d15ea5' })")
        self.until(page, f"{TITLES}.length === 1")

    def test_each_computer_leads_to_all_of_its_threads(self):
        page = self.everywhere("no-waits")
        page.click(".row-main:has-text('studio-pc'):not(.thread-row)")
        drawn(page)
        self.assertEqual(page.evaluate("location.hash"), "#/computers/9f0c6a1be2d34775a1c0ffee00d15ea5/threads")

    # The list

    def test_threads_stand_by_date_with_their_states(self):
        page = self.open(size=PHONE)
        drawn(page)
        self.assertEqual(page.evaluate(TITLES)[:2], ["Why does the index read files twice?", "Spread the relay’s reconnects"])
        self.assertEqual(page.locator(".thread-row").nth(1).locator(".state-word").inner_text(), "Needs approval")
        self.assertEqual(page.locator(".tab .badge").inner_text().split()[0], "2")

    def test_a_change_moves_a_thread_only_where_nobody_reads(self):
        page = self.open(scenario="many-threads no-waits")
        drawn(page)
        self.play(page, "place.change(place.threads[5], { last_message_ts: Date.now() + 1000, title: 'Now first' })")
        self.until(page, f"{TITLES}[0] === 'Now first'")
        page.evaluate("document.querySelector('.thread-pane').scrollTop = 900")
        page.wait_for_timeout(100)
        row = page.evaluate("[...document.querySelectorAll('.thread-row')].map((row) => [row.textContent, Math.round(row.getBoundingClientRect().top)]).find(([, top]) => top > 300)")
        self.play(page, "const one = place.add({ id: 'fresh', title: 'Fresh', cwd: '/x', last_message_ts: Date.now() + 5000 }); place.change(one, {}); place.change(place.threads[7], { last_message_ts: Date.now() + 6000, state: 'running' });")
        self.until(page, "!document.querySelector('.newer-above').hidden")
        now = page.evaluate("[...document.querySelectorAll('.thread-row')].map((row) => [row.textContent, Math.round(row.getBoundingClientRect().top)])")
        self.assertIn(row, now, "nothing moved under the reader")
        page.click(".newer-above")
        self.until(page, f"{TITLES}[1] === 'Fresh'")

    def test_a_removed_thread_goes(self):
        page = self.open(scenario="no-waits")
        drawn(page)
        self.play(page, "place.tell({ event: 'threads.removed', id: 't3', source: 'codex' }, { id: 't3', source: 'codex' })")
        self.until(page, f"!{TITLES}.some((title) => title.startsWith('Write the release'))")

    def test_ten_thousand_threads_scroll_and_come_page_by_page(self):
        page = self.open(scenario="many-threads no-waits", size=PHONE)
        drawn(page)
        self.assertLess(page.locator(".thread-row").count(), 60)
        for _ in range(12):
            page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_timeout(60)
        self.assertGreater(len(self.called(page, "threads.list")), 6)
        self.until(page, f"{TITLES}.some((title) => /^Thread number ([5-9]\\d\\d|\\d{{4}})$/.test(title))")
        self.assertLess(page.locator(".thread-row").count(), 60)

    def test_the_search_stands_where_it_was_while_it_finds(self):
        for size in (PHONE, DESKTOP):
            page = self.open(size=size)
            drawn(page)
            page.wait_for_selector(".waiting-row")
            top = "document.querySelector('.list-tools input').getBoundingClientRect().top"
            before = page.evaluate(top)
            page.fill(".list-tools input", "relay")
            page.wait_for_selector(".is-found-row")
            self.assertEqual(page.evaluate(top), before)

    def test_search_asks_once_when_the_typing_rests_and_marks_what_it_found(self):
        page = self.open()
        drawn(page)
        page.fill(".list-tools input", "pho")
        page.locator(".list-tools input").press_sequentially("nes", delay=30)
        page.wait_for_selector("mark")
        self.assertEqual([each["query"] for each in self.called(page, "threads.search")], ["phones"])
        self.assertEqual({text.lower() for text in page.locator("mark").all_inner_texts()}, {"phones"})
        self.assertTrue(page.evaluate("document.activeElement === document.querySelector('.list-tools input')"))

    def test_the_last_answer_counts(self):
        page = self.open()
        drawn(page)
        page.evaluate(f"() => {{ {PLACE} const search = place.search.bind(place); place.search = async (params) => {{ if (params.query === 'pho') await fake.wait(600); return search(params); }}; }}")
        page.fill(".list-tools input", "pho")
        self.until(page, "fake.calls.some(({ method }) => method === 'threads.search')")
        page.fill(".list-tools input", "release")
        page.wait_for_selector(".found-text mark:has-text('release')")
        page.wait_for_timeout(700)
        self.assertEqual({text.lower() for text in page.locator("mark").all_inner_texts()}, {"release"})

    def test_a_hit_opens_at_its_place_with_the_hit_marked(self):
        page = self.open(HOME + "?find=flood of 10,000", scenario="no-waits huge-thread")
        page.wait_for_selector(".found-text mark")
        page.click(".found-text >> nth=0")
        page.wait_for_selector(".entry.is-found")
        self.assertIn("flood of 10,000", page.inner_text(".entry.is-found"))
        self.assertGreaterEqual(page.evaluate("CSS.highlights.get('thread-found')?.size ?? 0"), 1)
        box = page.locator(".entry.is-found").bounding_box()
        self.assertTrue(0 < box["y"] < 900)

    def test_filters_stay_in_the_address(self):
        page = self.open()
        drawn(page)
        page.click(".list-tools [aria-haspopup=menu]")
        page.click(".menu-item:has-text('Claude Code')")
        self.until(page, "location.hash.includes('agent=claude_code')")
        self.until(page, f"{TITLES}.length === 3")
        page.click(".chosen-one")
        self.until(page, f"{TITLES}.length > 4")
        page.click(".list-tools [aria-haspopup=menu]")
        page.click(".menu-item:has-text('Archived')")
        self.until(page, f"JSON.stringify({TITLES}) === '[\"An archived thread\"]'")

    def test_folders_lead_to_their_threads(self):
        page = self.open()
        drawn(page)
        page.click(".segmented label >> nth=1")
        page.click(".folder-row:has-text('pairing')")
        self.until(page, f"JSON.stringify({TITLES}) === '[\"Flaky test in PairingTests\"]'")

    def test_a_folder_has_all_of_its_threads_live_and_back_leads_to_the_folders(self):
        page = self.open(scenario="no-waits")
        drawn(page)
        self.play(page, "for (let at = 0; at < 250; at += 1) place.add({ id: `f${at}`, title: `In it ${at}`, cwd: '/large', last_message_ts: Date.now() - at * 1000 });")
        page.click(".segmented label >> nth=1")
        page.click(".folder-row:has-text('/large')")
        self.until(page, f"{TITLES}[0] === 'In it 0'")
        for _ in range(4):
            page.evaluate("document.querySelector('.thread-pane').scrollTop = 1e6")
            page.wait_for_timeout(60)
        self.until(page, f"{TITLES}.includes('In it 249')")
        page.evaluate("document.querySelector('.thread-pane').scrollTop = 0")
        self.until(page, f"{TITLES}[0] === 'In it 0'")
        self.play(page, "place.change(place.find({ id: 'f30', source: 'codex' }), { title: 'Changed', last_message_ts: Date.now() + 1000 })")
        self.until(page, f"{TITLES}[0] === 'Changed'")
        page.go_back()
        page.wait_for_selector(".folder-row:has-text('/large')")
        page.reload()
        page.wait_for_selector(".folder-row:has-text('pairing')")

    def test_what_waits_stands_on_top_for_all_computers_and_goes_when_it_is_answered(self):
        page = self.open("#/computers", size=PHONE)
        page.wait_for_selector(".waiting-row")
        self.assertEqual(page.locator(".waiting-row").count(), 3)
        self.assertIn("Büro-Laptop", page.inner_text(".waiting"))
        self.assertEqual([each.split()[0] for each in page.locator(".computer-row .badge").all_inner_texts()], ["2", "1"])
        self.play(page, "place.closed(place.approvals[0], 'accept', 'somebody')")
        self.until(page, "document.querySelectorAll('.waiting-row').length === 2")
        page.click(".waiting-row:has-text('mkdir')")
        page.wait_for_selector(".approval:has-text('mkdir 2024')")

    def test_a_computers_own_page_says_everywhere_what_waits(self):
        page = self.open("#/overview", role="desktop")
        page.wait_for_selector(".waiting-row:has-text('bin/flood')")
        number = "document.querySelector('.nav-row[href$=threads] .badge')?.textContent ?? '0'"
        self.until(page, f"({number}) === '2'")
        page.evaluate("location.hash = '#/threads'")
        drawn(page)
        page.evaluate("location.hash = '#/settings'")
        page.wait_for_selector(".threads", state="detached")
        self.play(page, "place.closed(place.approvals[0], 'accept', 'somebody')")
        self.until(page, f"({number}) === '1'")

    def test_the_list_comes_back_where_it_was_left(self):
        page = self.open(scenario="many-threads no-waits", size=PHONE)
        drawn(page)
        page.evaluate("window.scrollTo(0, 2100)")
        page.wait_for_selector(".thread-row:has-text('Thread number 20')")
        page.wait_for_timeout(100)
        page.locator(".thread-row:has-text('Thread number 20')").scroll_into_view_if_needed()
        left = page.evaluate("window.scrollY")
        page.click(".thread-row:has-text('Thread number 20')")
        opened(page)
        page.click(".thread-back")
        page.wait_for_selector(".thread-row:has-text('Thread number 20')")
        self.until(page, f"window.scrollY === {left}")
        self.until(page, "document.activeElement.textContent.includes('Thread number 20')")

    def test_a_pressed_row_keeps_the_focus_beside_its_thread(self):
        page = self.open(scenario="no-waits")
        drawn(page)
        page.focus(".thread-row:has-text('release notes')")
        page.keyboard.press("Enter")
        page.wait_for_selector(".thread-title:has-text('release notes')")
        self.assertIn("release notes", page.evaluate("document.activeElement.textContent"))
        self.assertEqual(page.locator(".thread-row[aria-current]").count(), 1)

    def test_arrows_walk_in_the_list(self):
        page = self.open(scenario="many-threads no-waits")
        drawn(page)
        page.focus("tandem-virtual-list")
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
        self.assertEqual(page.evaluate("document.activeElement.closest('.virtual-row').getAttribute('aria-posinset')"), "2")

    # A conversation

    def test_it_opens_at_its_end(self):
        for size in (PHONE, DESKTOP):
            page = self.thread(size=size)
            self.until(page, AT_END)
            self.assertTrue(page.locator(".below").is_hidden())

    def test_only_the_conversation_and_the_list_scroll(self):
        for size, role in ((PHONE, "phone"), (DESKTOP, "phone"), (PHONE, "desktop"), (DESKTOP, "desktop"), ((1000, 700), "phone")):
            page = self.thread("", size=size, role=role)
            heights = page.evaluate("['.page', '.main', '.threads', '.thread'].map((each) => document.querySelector(each)).map((each) => each.scrollHeight - each.clientHeight)")
            self.assertEqual([height for height in heights if height > 1], [], (size, role))
            foot = page.locator(".thread-foot").bounding_box()
            self.assertLessEqual(foot["y"] + foot["height"], size[1] + 1, (size, role))

    def test_it_stays_at_the_end_while_it_is_written(self):
        page = self.thread()
        self.play(page, "let text = ''; for (let at = 0; at < 40; at += 1) { const more = `Line ${at}\\n\\n`; place.delta(main, 'w', text.length, more); text += more; }")
        page.wait_for_selector(".is-writing:has-text('Line 39')")
        self.until(page, AT_END)
        self.play(page, "place.append(main, [{ id: 'w', kind: 'agent', text: 'Line 0, and all of it' }])")
        page.wait_for_selector(".agent-text:has-text('and all of it')")
        self.assertEqual(page.locator(".is-writing").count(), 0)
        self.until(page, AT_END)

    def test_what_is_read_on_from_a_hit_is_not_new(self):
        page = self.thread("huge-thread no-waits", "source=codex&thread=huge&at=500&item=i50")
        for _ in range(5):
            page.evaluate("document.querySelector('.flow').scrollTop += 3000")
            page.wait_for_timeout(80)
        self.assertGreater(len(self.called(page, "threads.get")), 2)
        self.assertEqual(page.inner_text(".below"), "To the newest")
        self.assertEqual(page.inner_text("[role=log]"), "")

    def test_who_reads_above_is_not_moved_and_is_told(self):
        page = self.thread()
        page.hover(".flow")
        page.mouse.wheel(0, -500)
        self.until(page, f"!{AT_END}")
        page.wait_for_timeout(200)
        before = page.evaluate(TOP_OF, "What I changed")
        self.play(page, "for (let at = 0; at < 30; at += 1) place.append(main, [{ kind: 'agent', text: `More ${at}\\n\\n`.repeat(5) }]); place.delta(main, 'z', 0, 'writing')")
        page.wait_for_selector(".below.primary:has-text('30')")
        self.assertAlmostEqual(page.evaluate(TOP_OF, "What I changed"), before, delta=1)
        page.click(".below")
        self.until(page, AT_END)
        self.assertTrue(page.locator(".below").is_hidden())

    def test_the_button_to_the_newest_stays_while_it_has_the_focus(self):
        page = self.thread()
        page.hover(".flow")
        page.mouse.wheel(0, -600)
        self.until(page, f"!{AT_END}")
        page.wait_for_selector(".below:not([hidden])")
        page.focus(".below")
        page.evaluate("() => { const flow = document.querySelector('.flow'); flow.scrollTop = flow.scrollHeight; }")
        self.until(page, AT_END)
        page.wait_for_timeout(200)
        self.assertTrue(page.locator(".below").is_visible())
        self.assertTrue(page.evaluate("document.activeElement === document.querySelector('.below')"), "the keyboard is not thrown out of the page")
        page.focus(".composer-text")
        self.until(page, "document.querySelector('.below').hidden")

    def test_no_strip_of_the_page_lies_over_what_is_written(self):
        for size in (PHONE, DESKTOP):
            page = self.thread(size=size)
            page.evaluate("fake.emit('updated', {})")
            page.wait_for_selector(".strips .banner")
            self.until(page, "document.querySelector('.strips .banner').getAnimations().length === 0")
            strip, foot, head = [page.locator(each).bounding_box() for each in (".strips .banner", ".thread-foot", ".thread-head")]
            self.assertLessEqual(strip["y"] + strip["height"], head["y"] + 1, size)
            self.assertLessEqual(foot["y"] + foot["height"], size[1] + 1, size)
            self.until(page, AT_END)

    def test_older_items_come_without_a_jump(self):
        page = self.thread("huge-thread no-waits", "source=codex&thread=huge")
        self.until(page, AT_END)
        page.hover(".flow")
        # A row that was in sight stands where the wheel brought it, whatever came above.
        for _ in range(12):
            before = page.evaluate("(() => { const rows = [...document.querySelectorAll('.flow-row')]; const edge = document.querySelector('.flow').getBoundingClientRect().top; const row = rows.find((each) => each.getBoundingClientRect().top > edge + 60); window.seen = row; return row.getBoundingClientRect().top; })()")
            page.mouse.wheel(0, -300)
            page.wait_for_timeout(120)
            after = page.evaluate("window.seen.isConnected ? window.seen.getBoundingClientRect().top : null")
            self.assertIsNotNone(after)
            self.assertAlmostEqual(after - before, 300, delta=4)
        self.assertGreater(len([each for each in self.called(page, "threads.get") if "before" in each]), 0)

    def test_twenty_thousand_items_scroll_in_few_rows(self):
        page = self.thread("huge-thread no-waits", "source=codex&thread=huge")
        self.until(page, AT_END)
        found = page.evaluate("""async () => {
            const flow = document.querySelector('.flow');
            let [longest, last, most, isOver] = [0, performance.now(), 0, false];
            const start = last;
            const watch = () => {
                const now = performance.now();
                longest = Math.max(longest, now - last);
                last = now;
                most = Math.max(most, document.querySelectorAll('.flow-row').length);
                if (!isOver) requestAnimationFrame(watch);
            };
            requestAnimationFrame(watch);
            const end = start + 120000;
            while (performance.now() < end && !document.querySelector('.flow-begin')) {
                flow.scrollTop = 0;
                await new Promise((resolve) => requestAnimationFrame(resolve));
            }
            // Up and down through all of it.
            for (let part = 0; part <= 40; part += 1) {
                flow.scrollTop = flow.scrollHeight * (part % 2 ? part / 40 : 1 - part / 40);
                await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            }
            isOver = true;
            return { part: longest / (performance.now() - start), most, hasBegun: document.querySelector('.flow-begin') !== null };
        }""")
        self.assertTrue(found["hasBegun"], "all of it was loaded")
        self.assertLess(found["part"], 0.25, "the page stood still for a quarter of the time")
        self.assertLess(found["most"], 200)
        first = page.evaluate("(async () => { const flow = document.querySelector('.flow'); flow.scrollTop = 0; await new Promise((resolve) => setTimeout(resolve, 200)); return document.querySelector('.flow-row').textContent; })()")
        self.assertIn("Question 0", first)

    def test_lost_events_are_asked_for(self):
        page = self.thread()
        self.play(page, "place.drops = 4; place.append(main, [{ kind: 'agent', text: 'Lost one' }]); place.append(main, [{ kind: 'agent', text: 'Lost two' }]); place.append(main, [{ kind: 'agent', text: 'Heard' }]);")
        page.wait_for_selector(".agent-text:has-text('Heard')")
        texts = page.locator(".agent-text").all_inner_texts()[-3:]
        self.assertEqual(texts, ["Lost one", "Lost two", "Heard"])

    def test_a_cut_connection_comes_back_with_what_was_missed(self):
        page = self.thread()
        self.play(page, "place.cut(); place.append(main, [{ kind: 'agent', text: 'While it was away' }]);")
        page.wait_for_selector(".agent-text:has-text('While it was away')")
        self.play(page, "place.append(main, [{ kind: 'agent', text: 'And live again' }])")
        page.wait_for_selector(".agent-text:has-text('And live again')")
        self.assertEqual(page.locator(".agent-text:has-text('While it was away')").count(), 1)

    def test_a_thread_that_went_back_is_read_anew(self):
        page = self.thread()
        self.play(page, "main.items = main.items.slice(0, 3); place.append(main, [{ kind: 'agent', text: 'Another way' }], { replaces: true });")
        page.wait_for_selector(".agent-text:has-text('Another way')")
        self.until(page, "!document.querySelector('.flow').textContent.includes('Go on, with less memory')")

    def test_tools_are_one_line_with_their_outcome_and_open(self):
        page = self.thread(query=f"{MAIN}&at=100&item=i10")
        page.wait_for_selector(".fold.tool.is-failed")
        failed = page.locator(".fold.tool.is-failed")
        self.assertIn("Exit 137", failed.inner_text())
        failed.locator(".fold-head").click()
        self.assertIn("Killed: out of memory", failed.inner_text())
        self.assertEqual(failed.locator(".fold-head").get_attribute("aria-expanded"), "true")
        # What was opened stays open when it is drawn again.
        self.play(page, "for (let at = 0; at < 60; at += 1) place.append(main, [{ kind: 'agent', text: `More ${at}\\n\\n`.repeat(9) }]);")
        page.click(".below")
        self.until(page, "document.querySelector('.fold.tool.is-failed') === null")
        self.until(page, "(() => { document.querySelector('.flow').scrollTop -= 400; return document.querySelector('.fold.tool.is-failed')?.classList.contains('is-open'); })()")

    def test_long_outputs_are_cut_and_more_is_asked_for(self):
        page = self.thread(query=f"{MAIN}&at=100&item=i10")
        page.wait_for_selector(".is-output")
        self.assertNotIn("60 tests passed", page.inner_text(".is-output"))
        page.click(".is-output .more-lines")
        self.assertIn("60 tests passed", page.inner_text(".is-output"))
        page.click(".text-foot .button")
        page.wait_for_selector(".text-foot:has-text('at the computer only')")
        self.assertEqual(self.called(page, "threads.item"), [{"id": "main", "source": "codex", "at": "110", "item": "i11"}])

    def test_pictures_come_when_they_are_wanted(self):
        page = self.thread(query=f"{MAIN}&at=50&item=i5")
        page.click(".picture-place .button")
        page.wait_for_selector(".picture img")
        self.assertTrue(page.evaluate("document.querySelector('.picture img').src.startsWith('blob:')"))
        self.assertEqual(self.called(page, "threads.item")[0]["image"], True)

    def test_changes_stand_side_by_side_where_there_is_room(self):
        for size, kind in ((DESKTOP, ".diff-pair"), ((1000, 800), ".diff-pair"), ((1210, 800), ".diff-line"), (PHONE, ".diff-line")):
            page = self.thread(query=f"{MAIN}&at=80&item=i8", size=size)
            page.wait_for_selector(kind)
            self.assertGreater(page.locator(".diff-word").count(), 0)
            self.assertEqual(page.locator(".diff-pair").count() > 0, kind == ".diff-pair")

    # Writing

    def test_return_sends_on_a_desktop_and_shift_begins_a_line(self):
        page = self.thread()
        page.fill(".composer-text", "First line")
        page.press(".composer-text", "Shift+Enter")
        page.locator(".composer-text").press_sequentially("second")
        page.press(".composer-text", "Enter")
        page.wait_for_selector(".user-text:has-text('second')")
        self.until(page, "document.querySelectorAll('.is-sending').length === 0")
        self.assertEqual(self.called(page, "threads.post")[0]["text"], "First line\nsecond")
        self.assertEqual(page.input_value(".composer-text"), "")
        self.assertEqual(page.locator(".user-text:has-text('second')").count(), 1)

    def test_on_a_phone_return_begins_a_line_and_the_button_sends(self):
        page = self.browser.page(self.site.url, f"{HOME}?{MAIN}", size=PHONE, scenario="no-waits", is_mobile=True)
        self.addCleanup(self.browser.give_back, page)
        opened(page)
        page.fill(".composer-text", "Hello")
        page.press(".composer-text", "Enter")
        self.assertEqual(self.called(page, "threads.post"), [])
        page.click(".composer-row .primary")
        self.until(page, "fake.calls.some(({ method }) => method === 'threads.post')")

    def test_each_message_that_was_sent_stays_until_it_stands_in_the_thread(self):
        page = self.thread()
        self.play(page, "place.post = async ({ text }) => { if (text === 'slow one') await fake.wait(300); return { state: 'running', id: 'main', source: 'codex', delivery: text === 'queued one' ? 'queued' : 'started' }; }")
        said = ".user-text.is-sending"
        page.fill(".composer-text", "slow one")
        page.press(".composer-text", "Enter")
        page.wait_for_selector(f"{said}:has-text('Sending')")
        page.wait_for_selector(f"{said}:has-text('Sent')")
        page.fill(".composer-text", "queued one")
        page.press(".composer-text", "Enter")
        page.wait_for_selector(f"{said}:has-text('Waits until the agent')")
        self.play(page, "place.append(main, [{ kind: 'user', text: 'slow one' }])")
        self.until(page, f"document.querySelectorAll('{said}').length === 1")
        self.assertIn("queued one", page.inner_text(said))
        self.play(page, "place.append(main, [{ kind: 'user', text: 'queued one' }])")
        self.until(page, f"document.querySelector('{said}') === null")

    def test_where_the_agent_goes_on_in_a_copy_the_page_follows(self):
        page = self.thread()
        self.play(page, "place.add({ id: 'copy', title: 'The copy', cwd: '/x', last_message_ts: Date.now() }, [{ kind: 'user', text: 'go on' }]); place.post = () => ({ state: 'running', id: 'copy', source: 'codex', delivery: 'started' });")
        page.fill(".composer-text", "go on")
        page.press(".composer-text", "Enter")
        page.wait_for_selector(".thread-title:has-text('The copy')")
        self.assertEqual(page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('tandem.draft'))"), [])

    def test_a_draft_stays_with_its_thread(self):
        page = self.thread()
        page.fill(".composer-text", "Half a thought")
        page.click(".thread-row:has-text('release notes')")
        page.wait_for_selector(".thread-title:has-text('release notes')")
        self.assertEqual(page.input_value(".composer-text"), "")
        page.reload()
        opened(page)
        page.click(".thread-row:has-text('Spread the')")
        page.wait_for_selector(".thread-title:has-text('Spread the')")
        self.assertEqual(page.input_value(".composer-text"), "Half a thought")

    def test_what_could_not_be_sent_stays(self):
        page = self.thread("no-waits post-fails")
        page.fill(".composer-text", "Go on")
        page.press(".composer-text", "Enter")
        page.wait_for_selector(".composer .banner")
        self.assertEqual(page.input_value(".composer-text"), "Go on")
        self.assertEqual(page.locator(".is-sending").count(), 0)

    def test_what_was_not_sent_says_why_in_the_pages_words(self):
        page = self.thread()
        for code, words in (("away", "cannot be reached at the moment"), ("gone", "Tandem does not run on this device")):
            self.play(page, f"place.post = () => fake.fail('{code}', 'Turn it on, with: tandem call --queue');")
            page.fill(".composer-text", "Go on")
            page.press(".composer-text", "Enter")
            page.wait_for_selector(f".composer .banner:has-text('{words}')")
            self.assertNotIn("tandem call", page.inner_text(".composer .banner"))

    def test_files_go_along_and_too_large_ones_are_said(self):
        page = self.thread()
        files = [
            {"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"},
            {"name": "big.log", "mimeType": "text/plain", "buffer": b"x" * 600_000},
        ]
        for file in files:
            with page.expect_file_chooser() as chooser:
                page.click(".composer-row .icon-button >> nth=0")
            chooser.value.set_files([file])
        page.wait_for_selector(".attachment-trouble:has-text('too large')")
        page.fill(".composer-text", "See")
        page.press(".composer-text", "Enter")
        self.until(page, "fake.calls.some(({ method }) => method === 'threads.post')")
        self.assertEqual(self.called(page, "threads.post")[0]["attachments"], [{"name": "a.txt", "type": "text/plain", "data": "aGVsbG8="}])
        self.until(page, "document.querySelectorAll('.attachment').length === 0")

    def test_a_file_that_is_let_go_over_the_conversation_goes_along(self):
        drop = """(place) => {
            const data = new DataTransfer();
            data.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }));
            const over = new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true });
            const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
            return [over, drop].map((event) => { document.querySelector(place).dispatchEvent(event); return event.defaultPrevented; });
        }"""
        page = self.thread()
        self.assertEqual(page.evaluate(drop, ".flow"), [True, True])
        page.wait_for_selector(".attachment:has-text('notes.txt')")
        page = self.thread("threads-read-only")
        self.assertEqual(page.evaluate(drop, ".flow"), [True, True], "the page is not left for the file")

    def test_a_large_picture_is_scaled_down_until_it_fits(self):
        page = self.thread()
        page.evaluate("""async () => {
            const canvas = new OffscreenCanvas(1600, 1200);
            const context = canvas.getContext('2d');
            const image = context.createImageData(1600, 1200);
            for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, Math.min(image.data.length, at + 65536)));
            context.putImageData(image, 0, 0);
            const blob = await canvas.convertToBlob({ type: 'image/png' });
            const transfer = new DataTransfer();
            transfer.items.add(new File([blob], 'noise.png', { type: 'image/png' }));
            document.querySelector('.composer-text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
        }""")
        page.wait_for_selector(".attachment img")
        page.fill(".composer-text", "See")
        page.press(".composer-text", "Enter")
        self.until(page, "fake.calls.some(({ method }) => method === 'threads.post')")
        (sent,) = self.called(page, "threads.post")[0]["attachments"]
        self.assertLessEqual(len(sent["data"]) * 3 / 4, 512 * 1024)
        self.assertTrue(sent["type"].startswith("image/"))

    def test_stop_ends_a_turn(self):
        page = self.thread(query="source=claude_code&thread=t1")
        page.click(".icon-button.stop")
        page.wait_for_selector(".notice:has-text('Interrupted')")
        self.until(page, "document.querySelector('.icon-button.stop').hidden")

    def test_an_agent_that_is_found_later_can_be_written_to(self):
        page = self.open(f"{HOME}?{MAIN}", scenario="no-waits no-agents", is_alone=True)
        page.clock.install()
        opened(page)
        self.play(page, "place.change(main, { can_post: false })")
        page.wait_for_selector(".composer-note")
        page.clock.run_for(11_000)
        page.wait_for_selector(".missing-agent:has-text('codex is not in the PATH')")
        self.play(page, "place.scenario = new Set()")
        page.clock.run_for(11_000)
        page.wait_for_selector(".composer-text")

    def test_how_an_agent_is_installed_is_said_in_the_pages_language(self):
        for lang, words in (("en", ["Install it there:", "Then sign in with it:"]), ("zh", ["在那台电脑上安装：", "然后用它登录："])):
            page = self.open(scenario="no-waits no-agents", lang=lang)
            drawn(page)
            page.click(".list-tools .icon-button.primary")
            page.wait_for_selector("dialog .missing-agent")
            agent = page.locator("dialog .missing-agent:has-text('Claude Code')")
            agent.locator("summary").click()
            shown = agent.inner_text()
            for each in words:
                self.assertIn(each, shown)
            self.assertEqual(agent.locator("code").all_inner_texts(), ["npm install -g @anthropic-ai/claude-code", "claude"])
            self.assertNotIn("is not in the PATH", shown)

    def test_a_turn_that_waits_for_an_answer_can_be_stopped(self):
        page = self.thread()
        self.assertTrue(page.locator(".icon-button.stop").is_hidden())
        for state in ("running", "approval", "input"):
            self.play(page, f"place.change(main, {{ state: '{state}' }})")
            self.until(page, "!document.querySelector('.icon-button.stop').hidden")
            self.play(page, "place.change(main, { state: 'done' })")
            self.until(page, "document.querySelector('.icon-button.stop').hidden")

    def test_a_turn_that_another_program_runs_is_said_to_go_on(self):
        page = self.thread(is_alone=True)
        page.clock.install()
        self.play(page, "place.cancel = () => ({ state: 'running' }); place.change(main, { state: 'running' });")
        page.click(".icon-button.stop")
        page.clock.run_for(5000)
        page.wait_for_selector(".toast:has-text('stop it there')")
        page.clock.run_for(5000)
        # Another turn that began meanwhile is none that went on.
        page.click(".icon-button.stop")
        self.play(page, "place.change(main, { state: 'done' }); place.change(main, { state: 'running' });")
        page.clock.run_for(5000)
        self.assertEqual(page.locator(".toast").count(), 0)

    def test_why_a_turn_failed_is_said_until_the_next_one(self):
        page = self.thread()
        self.play(page, "place.change(main, { state: 'failed', reason: 'Codex is not signed in.\\u202e Run codex login.' })")
        page.wait_for_selector(".ended:has-text('not signed in.⟨202E⟩ Run')")
        self.until(page, AT_END)
        self.play(page, "place.change(main, { state: 'running', reason: undefined })")
        self.until(page, "document.querySelector('.ended').hidden")

    def test_who_may_only_read_sees_why(self):
        page = self.thread("threads-read-only", size=PHONE)
        self.assertIn("may read, not write", page.inner_text(".composer"))
        self.assertIn("threads.write", page.inner_text(".composer"))
        self.assertEqual(page.locator(".approval-buttons").count(), 0)

    def test_a_row_of_the_list_has_room_for_its_title(self):
        page = self.browser.page(self.site.url, "#/threads", role="desktop", size=(1440, 900))
        self.addCleanup(page.context.close)
        drawn(page)
        self.assertEqual(page.evaluate("document.querySelector('.thread-pane').clientWidth"), 420)
        rows = page.evaluate(
            """() => [...document.querySelectorAll('.thread-row')].slice(0, 3).map((row) => ({
                title: row.querySelector('.thread-row-title').textContent, branches: row.querySelectorAll('.thread-row-facts > .dotted-part').length - 1,
                time: row.querySelector('.thread-row-low .thread-row-time') !== null,
                lines: getComputedStyle(row.querySelector('.thread-row-title')).webkitLineClamp,
            }))"""
        )
        self.assertEqual([(row["branches"], row["time"], row["lines"]) for row in rows], [(0, True, "2"), (1, True, "2"), (0, True, "2")], rows)

    def test_a_new_thread_begins(self):
        page = self.open()
        drawn(page)
        page.click(".list-tools .icon-button.primary")
        page.wait_for_selector(".agent-choice")
        self.assertEqual(page.locator(".agent-choice input").count(), 2)
        self.assertEqual(page.inner_text(".missing-agent .missing-words"), "Gemini CLI is not on this computer")
        self.assertFalse(page.is_visible("text=gemini is not in the PATH"))
        page.click(".missing-agent >> text=How")
        self.assertTrue(page.is_visible("text=gemini is not in the PATH"))
        self.assertEqual(page.inner_text(".missing-agent code"), "npm install -g gemini")
        self.assertEqual(page.locator(".missing-agent .command button").count(), 1)
        page.click("dialog .button.primary")
        self.assertIn("Say what the agent should do", page.inner_text("dialog"))
        page.click(".agent-choice >> nth=1")
        page.fill("dialog textarea", "Write a poem")
        page.fill("dialog input.mono", "/home/ada/src/nope")
        page.click("dialog .button.primary")
        page.wait_for_selector("dialog .banner")
        page.fill("dialog input.mono", "/home/ada/work")
        page.click("dialog .button.primary")
        page.wait_for_selector(".thread-title:has-text('Write a poem')")
        self.assertEqual(self.called(page, "threads.start")[-1], {"source": "claude_code", "cwd": "/home/ada/work", "text": "Write a poem"})

    # Approvals

    def test_what_was_typed_for_a_new_thread_outlives_its_dialog(self):
        page = self.open(scenario="no-waits")
        drawn(page)
        page.click(".list-tools .icon-button.primary")
        page.fill("dialog textarea", "A long story")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        page.click(".list-tools .icon-button.primary")
        page.wait_for_selector("dialog textarea")
        self.assertEqual(page.input_value("dialog textarea"), "A long story")
        page.click("dialog .dialog-actions .primary")
        page.wait_for_selector(".thread-title:has-text('A long story')")
        self.assertEqual(page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))"), [])

    def test_start_pressed_twice_starts_one_thread(self):
        for key in ("Enter", "Control+Enter"):
            page = self.open(scenario="no-waits")
            drawn(page)
            self.play(page, "const start = place.start.bind(place); place.start = async (asked) => { await fake.wait(300); return start(asked); };")
            page.click(".list-tools .icon-button.primary")
            page.fill("dialog textarea", "Do it")
            page.focus("dialog .primary" if key == "Enter" else "dialog textarea")
            for _ in range(3):
                page.keyboard.press(key)
            page.wait_for_selector(".thread-title:has-text('Do it')")
            self.assertEqual(len(self.called(page, "threads.start")), 1, key)

    def test_an_approval_shows_the_whole_command_and_is_answered(self):
        page = self.thread("")
        card = page.locator(".approval")
        self.assertIn("bin/flood --phones 10000 --frugal --report /tmp/flood.json", card.inner_text())
        self.assertIn("/home/ada/src/tandem", card.inner_text())
        card.locator("text=Allow for this session").click()
        page.wait_for_selector(".approval.is-over:has-text('by you')")
        self.assertEqual(self.called(page, "threads.approve"), [{"approval": "a1", "option": "acceptForSession"}])

    def test_all_of_what_a_tool_gets_and_of_what_an_answer_grants_is_seen(self):
        page = self.thread()
        rules = "Allow for this session: " + ", ".join(f"Bash(tool-{number}:*)" for number in range(20))
        self.play(page, "place.ask(" + json.dumps({
            "id": "tool", "thread_id": "main", "source": "codex", "kind": "tool", "name": "mcp__db__execute", "at": 1,
            "text": '{"big":12345678901234567890,"command":"SELECT 1","sql":"DROP TABLE users"}',
            "options": [{"id": "allow", "kind": "allow_once"}, {"id": "session", "kind": "allow_session", "name": rules}, {"id": "deny", "kind": "decline"}],
        }) + ")")
        page.wait_for_selector(".approval:has-text('mcp__db__execute')")
        card = page.locator(".approval:has-text('mcp__db__execute')")
        for text in ("DROP TABLE users", "12345678901234567890", "SELECT 1"):
            self.assertIn(text, card.inner_text())
        for size in (PHONE, DESKTOP):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            settle(page)
            label = card.locator(".button-label:has-text('Bash(tool-19:*)')")
            self.assertEqual(label.inner_text(), rules)
            box, button = label.bounding_box(), card.locator(".button:has-text('Bash(tool-19:*)')").bounding_box()
            self.assertGreaterEqual(button["height"], box["height"])
            self.assertLessEqual(box["x"] + box["width"], size[0])
        card.locator(".button:has-text('Bash(tool-19:*)')").click()
        page.wait_for_selector(".approval.is-over:has-text('Bash(tool-19:*)')")

    def test_a_long_command_can_be_read_to_its_end_with_the_answers_in_sight(self):
        for size in (PHONE, DESKTOP, (320, 568), (844, 390)):
            page = self.thread(size=size)
            self.play(page, "place.ask({ id: 'long', thread_id: 'main', source: 'codex', kind: 'command', cwd: '/x', reason: 'Because.', command: `${'echo ok\\n'.repeat(60)}rm -rf ~` })")
            page.wait_for_selector(".approval-buttons")
            self.assertIn("61 lines", page.inner_text(".approval"))
            self.assertTrue(page.evaluate("[...document.querySelectorAll('.approval-buttons .button')].every((each) => { const box = each.getBoundingClientRect(); return box.bottom <= innerHeight && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('.button') === each; })"), size)
            # Whatever scrolls, the last line comes into sight.
            self.assertTrue(page.evaluate("""() => {
                const code = document.querySelector('.approval .code-block code');
                for (const each of [document.querySelector('.approvals'), ...document.querySelectorAll('.approval, .approval *')]) each.scrollTop = 1e6;
                const range = document.createRange();
                range.setStart(code.lastChild, code.lastChild.length - 1);
                range.setEnd(code.lastChild, code.lastChild.length);
                const box = range.getBoundingClientRect();
                return document.elementFromPoint(box.x + 1, box.y + box.height / 2)?.closest('code') === code;
            }"""), size)

    def test_what_is_asked_is_answered_once_however_often_it_is_pressed(self):
        page = self.thread("")
        self.play(page, "const approve = place.approve.bind(place); place.approve = async (answer) => { await fake.wait(300); return approve(answer); };")
        page.focus(".approval-buttons .primary")
        for _ in range(3):
            page.keyboard.press("Enter")
        page.evaluate("document.querySelectorAll('.approval-buttons .button')[2].click()")
        page.evaluate("document.querySelectorAll('.approval-buttons .button')[3].click()")
        page.wait_for_selector(".approval.is-over:has-text('Allowed once')")
        self.assertEqual(self.called(page, "threads.approve"), [{"approval": "a1", "option": "accept"}])

    def test_an_answered_card_goes_by_itself_but_not_from_under_the_keyboard(self):
        page = self.thread("", is_alone=True)
        page.clock.install()
        page.click(".approval-buttons .primary")
        page.wait_for_selector(".approval.is-over")
        page.clock.run_for(9000)
        page.wait_for_selector(".approval", state="detached")
        self.assertEqual(page.evaluate("document.activeElement.className"), "flow")
        self.play(page, "place.ask({ id: 'b1', thread_id: 'main', source: 'codex', kind: 'command', command: 'ls' })")
        page.focus(".approval-buttons .primary")
        page.keyboard.press("Enter")
        page.wait_for_selector(".approval.is-over")
        page.clock.run_for(9000)
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "Dismiss")
        page.keyboard.press("Tab")
        page.wait_for_selector(".approval", state="detached")

    def test_a_change_names_its_files_as_agents_tell_them(self):
        page = self.thread(size=PHONE)
        self.play(page, "place.ask({ id: 'c', thread_id: 'main', source: 'codex', kind: 'change', files: [{ path: '/x/a.txt', kind: 'updated' }, { path: '/x/b.txt', kind: 'added' }], text: '*** /x/a.txt\\n@@ -1 +1 @@\\n-two\\n+three\\n\\n*** /x/b.txt\\nnew\\n' })")
        page.wait_for_selector(".approval .diff-line")
        self.assertEqual(page.locator(".approval .diff-path").all_inner_texts(), ["/x/a.txt", "/x/b.txt"])
        self.assertEqual(page.locator(".approval .diff-text").all_inner_texts(), ["two", "three", "new"])

    def test_nothing_of_what_is_allowed_is_left_out_unsaid(self):
        page = self.thread()
        self.play(page, "place.ask({ id: 'p', thread_id: 'main', source: 'codex', kind: 'permissions', lines: Array.from({ length: 99 }, (_, at) => `Write below /${at}`), options: [...Array.from({ length: 18 }, (_, at) => ({ id: `o${at}`, name: `Option ${at}`, kind: 'other' })), { id: 'no', kind: 'decline' }] })")
        page.wait_for_selector(".approval li:has-text('Write below /98')")
        self.assertEqual(page.locator(".approval-buttons .button").last.inner_text(), "Decline")
        self.play(page, "place.closed(place.approvals[0], 'no', null); place.ask({ id: 'c', thread_id: 'main', source: 'codex', kind: 'change', files: [{ path: '/a', kind: 'updated' }], text: '@@ -1 +1 @@\\n-a\\n+b', is_cut: true, length: 300000, folded: 2 })")
        page.wait_for_selector(".approval .banner:has-text('300 kB in all')")
        self.assertIn("2 secrets", page.inner_text(".approval[data-approval=c]"))

    def test_one_answer_is_either_chosen_or_typed(self):
        page = self.thread("asks-questions")
        page.locator(".question input[type=radio]").first.check()
        page.locator(".question input[type=text]").first.fill("Elsewhere")
        self.assertEqual(page.locator(".question input[type=radio]:checked").count(), 0)
        page.locator(".question input[type=radio]").last.check()
        self.assertEqual(page.locator(".question input[type=text]").first.input_value(), "")

    def test_declining_takes_a_reason(self):
        page = self.thread("")
        page.click(".approval-buttons .button:has-text('Decline') >> nth=0")
        page.locator(".approval-reason input").press_sequentially("Use less")
        page.keyboard.press("Enter")
        page.wait_for_selector(".approval.is-over:has-text('Declined')")
        self.assertEqual(self.called(page, "threads.approve"), [{"approval": "a1", "option": "decline", "reason": "Use less"}])

    def test_a_question_shows_what_is_said_about_its_choices(self):
        page = self.thread("asks-questions")
        first = page.locator(".question").first
        self.assertIn("Figures", first.inner_text())
        self.assertIn("Kept with the code", first.locator(".question-choice").first.inner_text())
        self.assertFalse(first.locator(".disclosure pre").is_visible())
        first.locator(".disclosure summary").click()
        self.assertIn("performance.md", first.locator(".disclosure pre").inner_text())
        self.assertEqual(page.locator(".disclosure").count(), 1)

    def test_questions_are_a_form(self):
        page = self.thread("asks-questions")
        page.click(".approval-buttons .primary")
        self.assertIn("An answer is needed", page.inner_text(".question >> nth=0"))
        page.click(".question-choice:has-text('The issue')")
        page.click(".question-choice:has-text('slow')")
        page.click(".question-choice:has-text('the laptop')")
        self.assertEqual(page.locator(".question >> nth=2 >> input").get_attribute("type"), "password")
        page.fill(".question >> nth=2 >> input", "s3cret")
        page.click(".approval-buttons .primary")
        page.wait_for_selector(".approval.is-over")
        self.assertEqual(self.called(page, "threads.approve")[0]["answers"], {"where": ["The issue"], "which": ["slow", "the laptop"], "token": ["s3cret"]})

    def test_an_unknown_kind_is_shown_raw_and_can_be_declined(self):
        page = self.thread("asks-unknown")
        text = page.inner_text(".approval")
        self.assertIn("item/teleport/requestApproval", text)
        self.assertIn("the moon", text)
        self.assertEqual(page.locator(".approval-buttons .button").all_inner_texts(), ["Teleport now", "Decline"])

    def test_two_pages_at_once_end_with_one_answer(self):
        one = self.thread("", role="desktop")
        two = one.context.new_page()
        two.goto(one.url.replace("visit=", "visit=9"))
        opened(two)
        two.wait_for_selector(".approval-buttons")
        # Found before either is pressed: the first answer may take the other's buttons away.
        presses = [one.locator(".approval-buttons .button").first.element_handle(), two.locator(".approval-buttons .button").nth(1).element_handle()]
        for press in presses:
            press.evaluate("(button) => button.click()")
        for page in (one, two):
            page.wait_for_selector(".approval.is-over .approval-by:not(:empty)")
        told = [page.inner_text(".approval.is-over") for page in (one, two)]
        self.assertEqual(sum("by you" in text for text in told), 1, told)
        self.assertEqual(len({text.split("\n")[1] if "\n" in text else text for text in (page.inner_text(".approval-what") for page in (one, two))}), 1, "both say the same answer")
        self.assertEqual([page.locator(".approval-buttons").count() for page in (one, two)], [0, 0])

    def test_an_answer_from_elsewhere_closes_the_card_and_says_whose(self):
        page = self.thread("")
        self.play(page, f"place.closed(place.approvals[0], 'decline', '{COMPUTER}')")
        page.wait_for_selector(".approval.is-over:has-text('Declined')")
        self.assertIn("studio-pc", page.inner_text(".approval.is-over"))

    def test_what_is_new_is_read_out_once_and_deltas_are_not(self):
        page = self.thread()
        self.play(page, "place.delta(main, 'w', 0, 'Being written'); place.delta(main, 'w', 13, ' more');")
        page.wait_for_selector(".is-writing")
        self.assertEqual(page.inner_text("[role=log]").strip(), "")
        self.play(page, "place.append(main, [{ id: 'w', kind: 'agent', text: 'Being written more' }])")
        self.until(page, "document.querySelector('[role=log]').textContent.includes('Being written more')")

    def test_it_comes_back_when_it_is_allowed_and_when_the_computer_is_back(self):
        page = self.open(scenario="threads-refused", size=PHONE)
        page.wait_for_selector(".refused")
        page.evaluate("() => { fake.scenario.delete('threads-refused'); fake.emit('devices', {}); }")
        page.wait_for_selector(".thread-row")

    # Hostile

    def test_nothing_an_agent_wrote_becomes_html_runs_or_leads_elsewhere(self):
        for size in (PHONE, DESKTOP):
            page = self.browser.blank(size=size)
            self.addCleanup(page.context.close)
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            page.add_init_script(CANARY)
            self.browser.show(page, self.site.url, f"{HOME}?{MAIN}", "phone", "hostile")
            opened(page)
            for part in (0, 0.3, 0.6, 1):
                page.evaluate("(part) => { const flow = document.querySelector('.flow'); flow.scrollTop = flow.scrollHeight * part; }", part)
                page.wait_for_timeout(150)
                page.evaluate("document.querySelectorAll('.fold:not(.is-open) > .fold-head').forEach((each) => each.click())")
                page.wait_for_timeout(150)
                self.assertEqual([each for each in page.evaluate(SEEN) if "mailto:" not in each], [])
                self.assertEqual(page.evaluate("[...document.querySelectorAll('.flow [data-peer]')].filter((each) => /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u001b]/u.test(each.textContent)).length"), 0, "what hides is visible")
            self.browser.show(page, self.site.url, HOME + "?find=script", "phone", "hostile")
            drawn(page)
            settle(page)
            self.assertEqual(page.evaluate(SEEN), [])
            self.assertEqual([url for url in asked if not url.startswith((self.site.url, "blob:"))], [])
            self.assertEqual(page.complaints, [])

    def test_links_say_their_host_and_give_nothing_away(self):
        page = self.thread(query=f"{MAIN}&at=160&item=i16")
        link = page.locator(".md-link")
        self.assertEqual(link.inner_text(), "the notes on backoff (aws.amazon.com)")
        self.assertEqual((link.get_attribute("rel"), link.get_attribute("target")), ("noopener noreferrer", "_blank"))


if __name__ == "__main__":
    unittest.main()
