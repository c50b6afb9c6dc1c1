"""The journal in the browser: its timeline, search and categories, how a story is read, written and kept, and the way in and out."""

import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser, settle
from states.journal import DELETED, HOME, ONE, WALK, draft, editor, rows, story, tree, written

TITLES = "[...document.querySelectorAll('.story-title')].map((each) => each.textContent)"
HACKED = "window.hacked === undefined && document.querySelectorAll('.main img[onerror], .main script').length === 0"


class JournalTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash=HOME, prepare=rows, size=DESKTOP, **options):
        page = self.browser.page(self.site.url, hash, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        prepare(page)
        return page

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def save(self, page):
        page.click(".bar-actions .button.primary")

    # The list

    def test_stories_stand_by_month_the_newest_first(self):
        page = self.open()
        self.assertEqual(page.evaluate(TITLES)[:2], ["A walk above the lake", "Only words. The day was too full for mor"])
        months = page.locator(".story-month").all_inner_texts()
        self.assertGreaterEqual(len(months), 3)
        self.assertEqual(len(set(months)), len(months))

    def test_a_long_journal_comes_in_pages_as_one_scrolls(self):
        page = self.open(scenario="many-stories", size=PHONE)
        self.assertEqual(len(self.called(page, "journal.list")), 1)
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        self.until(page, "fake.calls.filter(({ method, params }) => method === 'journal.list' && params.before).length > 0")
        settle(page)
        self.assertLess(page.locator(".virtual-row").count(), 60, "only what is in sight is drawn")

    def test_the_search_answers_as_one_types_marks_the_words_and_stands_in_the_address(self):
        page = self.open()
        field = page.locator(".journal-head input[type=search]")
        field.press_sequentially("lake", delay=20)
        self.until(page, f"{TITLES}.length === 1")
        self.assertEqual(page.locator(".story-row mark").first.inner_text(), "lake")
        self.assertLessEqual(len(self.called(page, "journal.search")), 2, "not for every letter")
        self.until(page, "location.hash === '#/journal?find=lake'")
        self.assertEqual(page.evaluate("document.activeElement.type"), "search", "what is typed in stays")
        field.fill("")
        self.until(page, f"{TITLES}.length > 4 && location.hash === '#/journal'")

    def test_chinese_is_found_and_marked(self):
        page = self.open("#/journal?find=生日")
        self.until(page, f"{TITLES}.join() === '外婆的生日'")
        self.assertIn("生日", page.locator(".story-row mark").first.inner_text())

    def test_a_category_shows_what_is_inside_of_it_too(self):
        page = self.open()
        page.select_option(".journal-filters select", label="Travel")
        self.until(page, f"{TITLES}.join() === 'A walk above the lake,Rain on the roof of the train'")
        self.until(page, "location.hash.startsWith('#/journal?in=')")

    def test_nothing_found_leads_back_to_all(self):
        page = self.open("#/journal?find=zzzz", lambda page: page.wait_for_selector(".journal-rows .empty"))
        page.click(".journal-rows .empty .button")
        self.until(page, f"{TITLES}.length > 4")
        self.assertEqual(page.input_value(".journal-head input[type=search]"), "")

    def test_what_changes_elsewhere_is_shown(self):
        page = self.open()
        page.evaluate("fake.journal.put({ title: 'From the command line', content: 'x', timestamp: Date.now() + 1000 }); fake.journal.tell()")
        self.until(page, f"{TITLES}[0] === 'From the command line'")
        page.evaluate("id => fake.journal.change(id, { title: 'Another name' })", WALK)
        self.until(page, f"{TITLES}[1] === 'Another name'")

    def test_arrows_walk_from_story_to_story(self):
        page = self.open()
        page.locator(".story-row").first.focus()
        for _ in range(5):
            page.keyboard.press("ArrowDown")
        self.assertTrue(page.evaluate("document.activeElement.classList.contains('story-row')"))
        page.keyboard.press("Home")
        self.assertIn("A walk above the lake", page.evaluate("document.activeElement.textContent"))

    def test_an_empty_journal_leads_to_writing_and_to_an_import(self):
        page = self.open(scenario="no-journal")
        self.assertFalse(page.locator(".journal-head").is_visible())
        self.assertEqual(page.locator(".empty a").evaluate_all("all => all.map((each) => each.getAttribute('href'))"), ["#/journal/new", "#/journal/exchange"])

    # A story

    def test_a_story_opens_beside_the_list_where_there_is_room_and_in_its_place_elsewhere(self):
        for size, is_beside in ((DESKTOP, True), (PHONE, False)):
            page = self.open(size=size)
            page.locator(".story-row").first.click()
            story(page)
            self.assertEqual(page.locator(".story-row").first.is_visible(), is_beside)
            if not is_beside:
                page.click(".bar-back a, .bar-back button")
                rows(page)

    def test_media_stand_where_the_text_names_them_and_the_others_below(self):
        page = self.open(ONE, story)
        self.assertEqual(page.locator(".story-md img").evaluate_all("all => all.map((each) => each.alt)"), ["The lake below"])
        self.assertEqual(page.locator(".story-md .medium-file").count(), 1)
        self.assertEqual(page.locator(".media-grid img").count(), 2)
        self.assertIn("The file is missing.", page.inner_text(".media-grid .medium-broken"))
        self.until(page, "[...document.querySelectorAll('.story-md img')].every((each) => each.naturalWidth > 0)")

    def test_a_picture_is_looked_at_whole_and_the_others_are_next_to_it(self):
        page = self.open(ONE, story)
        page.locator(".media-grid .medium-picture").first.click()
        page.wait_for_selector(".show[open]")
        self.assertEqual(page.inner_text(".show-count"), "2 / 3")
        page.keyboard.press("ArrowRight")
        self.until(page, "document.querySelector('.show-count').textContent === '3 / 3'")
        page.keyboard.press("Escape")
        self.until(page, "!document.querySelector('.show')")

    def test_a_picture_that_cannot_be_had_says_so(self):
        page = self.open(ONE, story, scenario="journal-no-media")
        self.until(page, "document.querySelectorAll('.medium-broken').length >= 3")

    def test_what_is_written_is_never_run(self):
        for hash, prepare in ((HOME, rows), (ONE, story), (f"{ONE}/edit", editor), (f"{HOME}/categories", tree)):
            page = self.open(hash, prepare, scenario="hostile")
            settle(page)
            self.assertTrue(page.evaluate(HACKED), hash)

    def test_a_story_that_is_deleted_waits_and_is_restored(self):
        page = self.open(ONE, story)
        page.click(".story-acts .icon-button")
        page.get_by_role("menuitem", name="Delete", exact=True).click()
        self.until(page, f"!{TITLES}.includes('A walk above the lake') && location.hash === '#/journal'")
        page.evaluate("location.hash = '#/journal/deleted'")
        self.until(page, f"{TITLES}.includes('A walk above the lake')")
        page.locator(".story-row", has_text="A walk above the lake").click()
        page.wait_for_selector(".story .banner")
        self.assertEqual(page.locator(".story-acts").count(), 0)
        page.click(".story .banner .button")
        page.wait_for_selector(".story-acts")
        self.assertEqual(self.called(page, "journal.restore"), [{"id": WALK}])

    def test_a_deleted_story_is_found_by_no_search(self):
        page = self.open("#/journal?find=shopping", lambda page: page.wait_for_selector(".journal-rows .empty"))
        page.evaluate("id => { location.hash = '#/journal/' + id; }", DELETED)
        page.wait_for_selector(".story .banner")

    def test_deleted_stories_are_removed_for_good_after_a_question(self):
        page = self.open(f"{HOME}/deleted", rows)
        page.click(".deleted-foot .button")
        page.click("dialog[open] .button.danger")
        page.wait_for_selector(".journal-rows .empty")
        self.assertEqual(self.called(page, "journal.purge"), [{}])
        self.assertFalse(page.locator(".deleted-foot").is_visible())

    # Writing

    def test_a_new_story_is_written_and_shown(self):
        page = self.open(f"{HOME}/new", editor)
        self.assertTrue(page.locator(".bar-actions .button.primary").is_disabled(), "there is nothing to keep")
        written(page)
        page.locator(".category-choice input").nth(1).check()
        self.save(page)
        story(page)
        self.assertEqual(page.inner_text(".story-heading"), "The second day")
        self.assertEqual(page.locator(".story-md li").all_inner_texts(), ["bread", "coffee"])
        added = self.called(page, "journal.add")
        self.assertEqual((len(added), len(added[0]["categories"])), (1, 1))
        page.evaluate("location.hash = '#/journal/new'")
        editor(page)
        self.assertEqual(page.input_value(".editor-words input"), "", "what was kept is no draft")

    def test_only_what_was_changed_is_sent(self):
        page = self.open(f"{ONE}/edit", editor)
        page.locator(".editor-about input:not([type])").or_(page.locator(".editor-about input[type=text]")).first.fill("Vitznau")
        page.keyboard.press("Control+s")
        story(page)
        self.assertEqual(self.called(page, "journal.edit"), [{"id": WALK, "change": {"location": "Vitznau"}}])

    def test_what_was_not_kept_is_back_at_the_next_visit_and_can_be_thrown_away(self):
        page = self.open(f"{HOME}/new", editor)
        draft(page)
        self.assertEqual(page.input_value(".editor-words input"), "The second day")
        page.click(".editor-notes .banner .button")
        self.assertEqual(page.input_value(".editor-words input"), "")

    def test_what_cannot_be_kept_stays_on_the_page(self):
        page = self.open(f"{HOME}/new", editor, scenario="journal-fails")
        written(page)
        self.save(page)
        page.wait_for_selector(".editor-notes .banner")
        self.assertEqual(page.input_value(".editor-words input"), "The second day")
        self.assertFalse(page.locator(".bar-actions .button.primary").is_disabled())

    def test_a_change_from_elsewhere_replaces_nothing_that_was_typed(self):
        page = self.open(f"{ONE}/edit", editor)
        page.fill(".editor-words input", "Mine")
        page.evaluate("id => fake.journal.change(id, { title: 'Theirs' })", WALK)
        page.wait_for_selector(".editor-notes .banner.warn")
        self.assertEqual(page.input_value(".editor-words input"), "Mine")
        page.get_by_role("button", name="Take that version").click()
        self.assertEqual(page.input_value(".editor-words input"), "Theirs")

    def test_a_file_keeps_a_new_story_first_and_stands_where_one_wrote(self):
        page = self.open(f"{HOME}/new", editor)
        page.evaluate("""() => {
            const data = new DataTransfer();
            data.items.add(new File(['x'], 'sun.png', { type: 'image/png' }));
            document.querySelector('.editor-text').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }""")
        self.until(page, "document.querySelector('.editor-text textarea').value.startsWith('![](media://')")
        self.assertEqual(page.evaluate("fake.journal.attached.map(({ name, type }) => [name, type])"), [["sun.png", "image/png"]])
        self.assertNotEqual(page.input_value(".editor-words input"), "", "a story has a word at least")
        self.save(page)
        story(page)
        self.assertEqual(page.locator(".story-md img").count(), 1)
        self.assertEqual((len(self.called(page, "journal.add")), len(self.called(page, "journal.edit"))), (1, 1))

    def test_a_file_that_cannot_be_added_is_said_and_the_text_stays(self):
        page = self.open(f"{ONE}/edit", editor, scenario="journal-fails")
        before = page.input_value(".editor-text textarea")
        page.evaluate("""() => {
            const data = new DataTransfer();
            data.items.add(new File(['x'], 'sun.png', { type: 'image/png' }));
            document.querySelector('.editor-text').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }""")
        page.wait_for_selector(".toast.bad")
        self.assertEqual(page.input_value(".editor-text textarea"), before)

    def test_the_preview_shows_what_is_typed(self):
        page = self.open(f"{HOME}/new", editor)
        written(page)
        page.locator(".editor-tools .segmented label").nth(1).click()
        self.assertEqual(page.inner_text(".editor-preview strong"), "good")
        self.assertFalse(page.locator(".editor-text textarea").is_visible())

    def test_a_text_that_is_not_whole_here_cannot_be_changed_here(self):
        page = self.open(f"{ONE}/edit", editor, scenario="journal-cut")
        self.assertFalse(page.locator(".editor-text").is_visible())
        page.fill(".editor-words input", "New name")
        self.save(page)
        story(page)
        self.assertEqual(self.called(page, "journal.edit")[0]["change"], {"title": "New name"})

    # Categories, and in and out

    def test_categories_are_made_moved_and_not_deleted_while_others_are_inside(self):
        page = self.open(f"{HOME}/categories", tree)
        self.assertEqual(page.locator(".category-row .row-title").all_inner_texts(), ["Travel", "Italy", "Lago Maggiore", "家人", "Work"])
        page.locator(".main .button.primary").first.click()
        page.locator("dialog[open] input").first.fill("Spain")
        page.select_option("dialog[open] select", label="Travel")
        page.click("dialog[open] .button.primary")
        self.until(page, "[...document.querySelectorAll('.category-row .row-title')].some((each) => each.textContent === 'Spain')")
        self.assertEqual(self.called(page, "journal.addCategory")[0]["parent"], "2b1e0c5f-0001-4000-8000-000000000000")
        page.locator(".category-row .icon-button").first.click()
        page.get_by_role("menuitem", name="Delete category").click()
        page.click("dialog[open] .button.danger")
        page.wait_for_selector("dialog[open] .banner")
        self.assertIn("Other categories are inside of it.", page.inner_text("dialog[open] .banner"))
        page.keyboard.press("Escape")

    def test_a_category_cannot_be_put_into_itself(self):
        page = self.open(f"{HOME}/categories", tree)
        page.locator(".category-row .icon-button").first.click()
        page.get_by_role("menuitem", name="Change category").click()
        offered = page.locator("dialog[open] option").all_inner_texts()
        self.assertEqual(offered, ["At the top", "家人", "Work"])

    def test_an_import_says_what_came_and_what_was_left_out(self):
        page = self.open(f"{HOME}/exchange", lambda page: page.wait_for_selector(".main .card"), scenario="journal-problems")
        card = page.locator(".main .card").first
        card.locator("input").fill("/home/ada/export.zip")
        card.locator("select").select_option("dayOne")
        card.locator(".button.primary").click()
        page.wait_for_selector(".exchange-problem")
        self.assertEqual(self.called(page, "journal.import"), [{"path": "/home/ada/export.zip", "format": "dayOne"}])
        self.assertEqual(page.locator(".exchange-problem").count(), 20)
        card.locator(".exchange-outcome .button").click()
        self.assertEqual(page.locator(".exchange-problem").count(), 31)

    def test_a_path_that_is_not_whole_is_not_asked_for(self):
        page = self.open(f"{HOME}/exchange", lambda page: page.wait_for_selector(".main .card"))
        for at, method in ((0, "journal.import"), (1, "journal.export")):
            card = page.locator(".main .card").nth(at)
            card.locator("input").fill("journal")
            card.locator(".button.primary").click()
            page.wait_for_selector(".field.failed")
            self.assertEqual(self.called(page, method), [])


if __name__ == "__main__":
    unittest.main()
