"""A new feature's page half is one folder, and one line of one list: the page of `Tests/Whiteboard`, which lives here and in no program."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import checks
import contract
import server
from browser import DESKTOP, IS_BY_TURNS, PATIENCE, PHONE, Browser, settle
from test_screen_states import StateTests

FOLDER = server.TESTS / "whiteboard"
SOURCES = server.TESTS.parent / "Whiteboard"
STUDIO = "9f0c6a1be2d34775a1c0ffee00d15ea5"
BOARD = f"#/computers/{STUDIO}/whiteboard"
NAMES = {"en": "Whiteboard", "zh": "白板"}
LATER = ["/features/whiteboard/style.css", "/features/whiteboard/texts/"]


def stroke(number, shape="", artist="a"):
    return {"number": number, "artist": artist, "shape": shape or f"line {number}"}


class FolderTests(unittest.TestCase):
    """The folder in the page itself, before the checks that every feature has to pass."""

    def test_a_folder_and_a_line_are_all_that_it_takes(self):
        with tempfile.TemporaryDirectory() as folder:
            tests, sources = pathlib.Path(folder, "Tests", "Page"), pathlib.Path(folder, "Sources")
            shutil.copytree(server.TESTS, tests, ignore=shutil.ignore_patterns("__pycache__", "whiteboard"))
            shutil.copytree(server.PAGE, sources / "TandemWeb" / "Page")
            for module in server.PAGE.parent.parent.iterdir():
                if module.name != "TandemWeb":
                    (sources / module.name).symlink_to(module)
            features = sources / "TandemWeb" / "Page" / "features"
            shutil.copytree(FOLDER, features / "whiteboard", ignore=shutil.ignore_patterns("fake"))
            # Here it stands beside the page, and names the page's modules from its root.
            for file in (features / "whiteboard").glob("*.js"):
                file.write_text(re.sub(r"'/(kit|i18n|client)/", r"'../../\1/", file.read_text()))
            with (features / "index.js").open("a") as lines:
                lines.write(server.line_of(FOLDER))
            subprocess.run([sys.executable, "-B", "preloads.py"], cwd=tests, check=True, capture_output=True, timeout=60)
            done = subprocess.run([sys.executable, "-B", "-m", "unittest", "test_structure", "test_catalogue"], cwd=tests, capture_output=True, text=True, timeout=300)
        failed = set(re.findall(r"^(?:FAIL|ERROR): (\w+)", done.stderr, re.MULTILINE))
        self.assertRegex(done.stderr, r"Ran [1-9]\d tests")
        # It lists by name what stands where, on purpose.
        self.assertIn("test_places_and_tabs_stand_in_their_order", failed)
        # What a page begins with is bounded for the features that it has: whoever adds one to them may have to make something else smaller.
        self.assertLessEqual(failed, {"test_places_and_tabs_stand_in_their_order", "test_what_comes_first_is_small"}, done.stderr)

    def test_its_contract_is_what_the_program_declares(self):
        known = json.loads((FOLDER / "fake" / "contract.json").read_text())
        self.assertEqual((FOLDER / "fake" / "contract.d.ts").read_text(), contract.types(known), "run: python3 Tests/Page/contract.py")
        text = "\n".join(file.read_text() for file in SOURCES.rglob("*.swift"))
        self.assertEqual(set(known["methods"]), set(re.findall(r'\bMethod<[^()]*>\(\s*"(whiteboard\.\w+)"', text)))
        for name in [*known["methods"], *known["control"]]:
            self.assertIn(f'"{name}"', text)
        page = "\n".join(file.read_text() for file in FOLDER.glob("*.js"))
        for event in re.findall(r"'(whiteboard\.(?:stroke|wiped))'", page):
            self.assertIn(f'EventKind("{event}"', text)
        for member in ("number", "artist", "shape", "epoch", "after", "strokes", "isEnd"):
            self.assertIn(f'"{member}"', text)


class BoardStateTests(StateTests):
    module = FOLDER / "board-state.js"
    ASKED = {"kind": "asked"}

    def page(self, *numbers, turn=1, epoch="0", after=0, is_end=True):
        return {"kind": "answered", "turn": turn, "page": {"epoch": epoch, "after": after, "strokes": [stroke(number) for number in numbers], "isEnd": is_end}}

    def told(self, number, epoch="0"):
        return {"kind": "told", "epoch": epoch, "stroke": stroke(number)}

    def board(self, *events):
        said = self.after(self.ASKED, *events)
        return [each["number"] for each in said["state"]["strokes"]], said["effects"]

    def ask(self, turn, after, epoch="0"):
        return [{"do": "ask", "turn": turn, "epoch": epoch, "after": after}]

    def test_it_is_asked_for_until_its_end(self):
        self.assertEqual(self.board(), ([], self.ask(1, 0, None)))
        self.assertEqual(self.board(self.page(1, 2, is_end=False)), ([1, 2], self.ask(2, 2)))
        self.assertEqual(self.board(self.page(1, 2, is_end=False), self.page(3, turn=2, after=2)), ([1, 2, 3], []))
        self.assertEqual(self.board(self.page(is_end=False)), ([], []), "one that has nothing more to say is not asked for ever")

    def test_news_are_taken_and_not_asked_for(self):
        self.assertEqual(self.board(self.page(1), self.told(2), self.told(3)), ([1, 2, 3], []))
        self.assertEqual(self.board(self.page(1), self.told(1)), ([1], []), "it is known")

    def test_behind_a_gap_it_is_asked_for_once(self):
        self.assertEqual(self.board(self.page(1), self.told(3)), ([1], self.ask(2, 1)))
        self.assertEqual(self.board(self.page(1), self.told(3), self.told(4)), ([1], []), "it is under way")
        self.assertEqual(self.board(self.page(1), self.told(3), self.told(4), self.page(2, 3, 4, turn=2, after=1)), ([1, 2, 3, 4], []))
        self.assertEqual(self.board(self.page(1), self.told(3), self.told(4), self.page(2, 3, turn=2, after=1)), ([1, 2, 3], self.ask(3, 3)), "the answer is older than what was told")

    def test_what_is_told_before_the_first_answer_is_in_it_or_asked_for(self):
        self.assertEqual(self.board(self.told(1)), ([], []))
        self.assertEqual(self.board(self.told(1), self.page(1)), ([1], []))
        self.assertEqual(self.board(self.told(2), self.page(1)), ([1], self.ask(2, 1)))

    def test_a_wiped_board_begins_anew(self):
        wiped = {"kind": "wiped", "epoch": "1"}
        self.assertEqual(self.board(self.page(1, 2), wiped), ([1, 2], self.ask(2, 2)))
        self.assertEqual(self.board(self.page(1, 2), wiped, self.page(turn=2, epoch="1")), ([], []))
        self.assertEqual(self.board(self.page(1, epoch="1"), wiped), ([1], []), "it is that board already")
        self.assertEqual(self.board(self.page(1, 2), self.told(1, "1")), ([1, 2], self.ask(2, 2)), "the wiping is told later")
        self.assertEqual(self.board(self.page(1, epoch="2"), {"kind": "wiped", "epoch": "1"}, self.page(turn=2, epoch="2", after=1)), ([1], []), "an older wiping")

    def test_the_last_answer_counts(self):
        self.assertEqual(self.board(self.ASKED, self.page(1)), ([], []))
        self.assertEqual(self.board({"kind": "forbidden", "error": {"code": "not-allowed"}}, self.page(1)), ([], []))

    def test_a_failure_takes_nothing_away_that_is_shown(self):
        phase = lambda *events: self.after(self.ASKED, *events)["state"]["phase"]
        failed = lambda code, turn=1: {"kind": "failed", "turn": turn, "error": {"code": code}}
        self.assertEqual(phase(failed("away")), "refused")
        self.assertEqual(phase(failed("away"), self.ASKED), "loading")
        self.assertEqual(phase(failed("cancelled")), "loading")
        again = (self.page(1), self.ASKED)
        self.assertEqual(self.after(self.ASKED, *again, failed("away", 2))["state"]["trouble"], {"code": "away"})
        self.assertEqual(phase(*again, failed("away", 2)), "shown")
        self.assertEqual(phase(*again, failed("not-allowed", 2)), "refused")
        self.assertEqual(self.after(self.ASKED, *again, failed("away", 2), self.ASKED, self.page(turn=3, after=1))["state"]["trouble"], None)

    def test_a_line_is_written_once_and_cleared_when_it_stands(self):
        entered = {"kind": "entered", "shape": " a circle "}
        shown = (self.page(1),)
        self.assertEqual(self.board(*shown, entered)[1], [{"do": "write", "shape": "a circle"}])
        self.assertEqual(self.board(*shown, entered, entered)[1], [])
        for shape in ("  ", "x" * 201, "海" * 67):
            self.assertEqual(self.board(*shown, {"kind": "entered", "shape": shape})[1], [])
        written = {"kind": "written", "stroke": stroke(2)}
        self.assertEqual(self.board(*shown, entered, written), ([1, 2], [{"do": "clear"}]))
        self.assertEqual(self.board(*shown, entered, self.told(2), written), ([1, 2], [{"do": "clear"}]), "told before it was answered")
        self.assertEqual(self.board(*shown, entered, {"kind": "written", "stroke": stroke(4)}), ([1], [{"do": "clear"}, *self.ask(2, 1)]))

    def test_a_line_that_was_not_written_stays_to_be_tried_again(self):
        entered, full = {"kind": "entered", "shape": "a"}, {"kind": "unwritten", "error": {"code": "full"}}
        failed = self.after(self.ASKED, self.page(1), entered, full)
        self.assertEqual((failed["state"]["line"], failed["state"]["unwritten"], failed["effects"]), ("failed", {"code": "full"}, []))
        self.assertEqual(self.board(self.page(1), entered, full, entered)[1], [{"do": "write", "shape": "a"}])
        self.assertEqual(self.after(self.ASKED, self.page(1), entered, {"kind": "unwritten", "error": {"code": "not-allowed"}})["state"]["phase"], "refused")


def in_every_view(test):
    """Walks a test in each size and language; where things go by turns, in two of these four ways that share neither."""
    views = [(size, lang) for size in (PHONE, DESKTOP) for lang in NAMES]
    if IS_BY_TURNS:
        views = [views[0], views[3]] if int(os.environ["TANDEM_PAGE_TURN"]) % 2 == 0 else [views[1], views[2]]

    def walk(self):
        for size, lang in views:
            with self.subTest(size=size[0], lang=lang):
                test(self, size, lang)

    return walk


class WhiteboardTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(added=FOLDER)
        cls.browser = cls.enterClassContext(Browser())

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash=BOARD, role="phone", scenario="", **options):
        page = self.browser.page(self.site.url, hash, role, scenario, **options)
        page.set_default_timeout(60_000)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        return page

    def until(self, page, condition):
        end = time.monotonic() + 2 * PATIENCE
        while not page.evaluate(condition):
            self.assertLess(time.monotonic(), end, condition)
            page.wait_for_timeout(50)

    def calls(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def lines(self, page):
        return page.locator(".board-shape").all_inner_texts()

    def loaded(self, page):
        """What of the feature was fetched, without its fake."""
        return page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/features/whiteboard/') && !path.includes('/fake/'))")

    def test_the_list_has_one_line_more(self):
        page = self.open("#/settings")
        served = page.evaluate("fetch('/features/index.js').then((answer) => answer.text())").splitlines()
        lines = server.kept(server.PAGE / "features" / "index.js", 0).decode().splitlines()
        self.assertEqual(served, [*lines, "export { whiteboard } from './whiteboard/feature.js';"])

    @in_every_view
    def test_it_stands_among_places_in_its_order(self, size, lang):
        for role, home, place in (("phone", "#/computers", 3), ("desktop", "#/overview", 6)):
            page = self.open(home, role, size=size, lang=lang)
            names = page.locator(".nav-row[data-section] .nav-label").evaluate_all("(labels) => labels.map((label) => label.textContent)")
            self.assertEqual(names[place], NAMES[lang])
            # Of seven places and more a phone shows the first five beside “More”.
            if size == PHONE and place >= 5:
                page.click(".nav-more")
                page.get_by_role("menuitem", name=NAMES[lang]).click()
            else:
                page.click(".nav-row[data-section='/whiteboard']")
            page.wait_for_selector(f"h1:has-text('{NAMES[lang]}')")
            self.assertEqual(page.evaluate("location.hash"), "#/whiteboard")

    @in_every_view
    def test_it_stands_among_tabs_in_its_order(self, size, lang):
        page = self.open(f"#/computers/{STUDIO}/clipboard", size=size, lang=lang)
        ids = page.evaluate("[...document.querySelectorAll('.tab[href]')].map((tab) => tab.getAttribute('href').split('/').at(-1))")
        if size == DESKTOP:
            self.assertEqual(ids, ["threads", "notifications", "terminal", "files", "clipboard", "screen", "whiteboard", "commands", "system", "ports"])
        # Where there is room for it, which is more in Chinese.
        if page.locator(f".tab[href='{BOARD}']").is_visible():
            page.click(f".tab[href='{BOARD}']")
        else:
            page.click(".tab-more")
            page.get_by_role("menuitem", name=NAMES[lang]).click()
        page.wait_for_selector(".board-shape")
        self.assertEqual(page.evaluate("location.hash"), BOARD)

    @in_every_view
    def test_texts_and_style_come_when_it_is_first_opened(self, size, lang):
        page = self.open("#/computers", size=size, lang=lang, is_alone=True)
        self.assertEqual(sorted(self.loaded(page)), ["/features/whiteboard/feature.js", "/features/whiteboard/news.js"])
        page.evaluate(f"location.hash = '{BOARD}'")
        page.wait_for_selector(".board-shape")
        page.evaluate("location.hash = '#/whiteboard'")
        page.wait_for_selector(f".group-title:has-text('{'Boards' if lang == 'en' else '各台'}')")
        loaded = self.loaded(page)
        self.assertEqual(sorted(path for path in loaded if path.endswith(".css") or "/texts/" in path), sorted([LATER[0], f"{LATER[1]}{lang}.js"]), "each once")

    def test_another_language_brings_its_texts(self):
        page = self.open()
        page.fill(".board-line input", "half a line")
        page.evaluate("import('/i18n/index.js').then(({ setLanguage }) => setLanguage('zh'))")
        page.wait_for_selector(".board-line:has-text('要写的一行')")
        self.assertEqual(page.input_value(".board-line input"), "half a line", "what was typed stays")

    @in_every_view
    def test_it_shows_who_wrote_what_the_newest_first(self, size, lang):
        page = self.open(size=size, lang=lang)
        self.assertEqual(self.lines(page), ["会议改到周四下午三点", "Milk, bread"])
        own = {"en": "This phone", "zh": "此手机"}[lang]
        self.assertEqual(page.locator(".whiteboard .row-detail").all_inner_texts()[0], own)
        self.assertIn("v5T3Z", page.locator(".whiteboard .row-detail").all_inner_texts()[1].replace("\n", ""))
        self.assertEqual(self.calls(page, "whiteboard.strokes"), [{"after": 0}])

    @in_every_view
    def test_a_line_is_written(self, size, lang):
        page = self.open(size=size, lang=lang)
        page.fill(".board-line input", "  Eggs, 鸡蛋 ")
        page.click(".board-line .button")
        self.until(page, "document.querySelector('.board-shape')?.textContent === 'Eggs, 鸡蛋'")
        self.assertEqual(self.calls(page, "whiteboard.draw"), [{"shape": "Eggs, 鸡蛋"}])
        self.assertEqual(page.input_value(".board-line input"), "")
        page.fill(".board-line input", "second")
        page.press(".board-line input", "Enter")
        self.until(page, "document.querySelector('.board-shape')?.textContent === 'second'")
        self.assertEqual(len(self.lines(page)), 4, "what it was answered and told stands once")
        self.assertEqual(len(self.calls(page, "whiteboard.strokes")), 1, "nothing was asked again")
        page.fill(".board-line input", "海" * 67)
        page.press(".board-line input", "Enter")
        self.assertEqual(page.get_attribute(".board-line input", "aria-invalid"), "true")
        self.assertEqual(len(self.calls(page, "whiteboard.draw")), 2)

    @in_every_view
    def test_news_come_by_the_feed(self, size, lang):
        page = self.open(size=size, lang=lang)
        page.evaluate(f"for (const word of ['one', 'two', 'three']) board.draw('{STUDIO}', word)")
        self.until(page, "document.querySelector('.board-shape').textContent === 'three'")
        self.assertEqual(len(self.lines(page)), 5)
        self.assertEqual(len(self.calls(page, "whiteboard.strokes")), 1, "nothing was asked again")
        page.evaluate(f"board.draw('{STUDIO}', 'untold', false); board.draw('{STUDIO}', 'told')")
        self.until(page, "document.querySelectorAll('.board-shape')[1].textContent === 'untold'")
        self.assertEqual(self.calls(page, "whiteboard.strokes")[1:], [{"epoch": "0", "after": 5}], "only what is missing")
        page.evaluate(f"board.wipe('{STUDIO}')")
        page.wait_for_selector(".whiteboard .empty:visible")
        self.assertEqual(len(self.calls(page, "whiteboard.strokes")), 3)

    def test_a_long_board_comes_page_by_page(self):
        page = self.open(scenario="long-board")
        self.until(page, "document.querySelector('.board-shape')?.textContent === 'line 120'")
        self.assertEqual([each["after"] for each in self.calls(page, "whiteboard.strokes")], [0, 50, 100])
        self.assertLess(len(self.lines(page)), 60, "only rows in sight are drawn")

    @in_every_view
    def test_failures_are_said_and_gone_on_from(self, size, lang):
        page = self.open(scenario="away", size=size, lang=lang)
        page.wait_for_selector(".whiteboard .refused.is-away")
        page.evaluate(f"board.scenario.delete('away'); fake.setPath('{STUDIO}', 'lan')")
        page.wait_for_selector(".board-shape")
        page.evaluate("fake.remote('whiteboard.strokes', () => fake.fail('internal', 'The disk broke.')); fake.emit('reset', {})")
        page.wait_for_selector(".board-strip .banner.bad")
        self.assertEqual(len(self.lines(page)), 2, "what was shown stays")
        page.evaluate("fake.remote('whiteboard.draw', () => fake.fail('full', 'The disk is full.'))")
        page.fill(".board-line input", "Eggs")
        page.click(".board-line .button")
        page.wait_for_selector(".board-line .failed")
        self.assertEqual(page.input_value(".board-line input"), "Eggs")

    @in_every_view
    def test_without_the_right_it_says_what_helps_and_comes_back(self, size, lang):
        sentence = {"en": "has not allowed this phone to use the whiteboard", "zh": "尚未允许此手机使用白板"}
        page = self.open(scenario="refused", size=size, lang=lang)
        page.wait_for_selector(f".refused:has-text('{sentence[lang]}')")
        self.assertIn(NAMES[lang], page.inner_text(".refused-how"))
        page.evaluate("board.scenario.delete('refused'); fake.emit('devices', {})")
        page.wait_for_selector(".board-shape")

    def test_new_lines_are_a_number_until_they_are_looked_at(self):
        row = ".nav-row[data-section='/whiteboard']"
        for lang in NAMES:
            page = self.open("#/whiteboard", size=DESKTOP, lang=lang)
            page.evaluate(f"board.draw('{STUDIO}', 'one'); board.draw('{STUDIO}', 'two')")
            self.assertEqual(page.inner_text(f"{row} .badge"), "2")
            self.assertEqual(page.inner_text(f".main .row[href*='{STUDIO}'] .badge, .main .row:has([href*='{STUDIO}']) .badge"), "2")
            page.click(f".main [href='{BOARD}']")
            page.wait_for_selector(".board-shape")
            self.assertEqual(page.locator(f"{row} .badge").count(), 0)
            page.evaluate(f"board.draw('{STUDIO}', 'three')")
            self.until(page, "document.querySelector('.board-shape').textContent === 'three'")
            self.assertEqual(page.locator(f"{row} .badge").count(), 0, "it is looked at")

    @in_every_view
    def test_the_owner_wipes_it(self, size, lang):
        page = self.open("#/whiteboard", "desktop", size=size, lang=lang)
        page.click(".board-actions .button")
        page.click("dialog .button.danger")
        page.wait_for_selector(".toast")
        self.assertEqual(self.calls(page, "whiteboard.wipe"), [{}])

    @in_every_view
    def test_it_goes_away_on_sign_out(self, size, lang):
        page = self.open(size=size, lang=lang)
        page.fill(".board-line input", "a secret")
        self.assertEqual(page.evaluate(f"localStorage.getItem('tandem.whiteboard.{STUDIO}')"), "a secret")
        page.evaluate("fake.signOut()")
        page.wait_for_selector(".whiteboard", state="detached")
        self.until(page, f"localStorage.getItem('tandem.whiteboard.{STUDIO}') === null")
        self.assertNotIn(NAMES[lang], page.inner_text("body"))
        asked = page.evaluate("fake.calls.length")
        page.evaluate(f"board.draw('{STUDIO}', 'untold', false); board.draw('{STUDIO}', 'told'); fake.emit('reset', {{}}); fake.emitRemote('{STUDIO}', 'whiteboard.wiped', {{ epoch: '9' }})")
        settle(page)
        self.assertEqual(page.evaluate("fake.calls.length"), asked, "nothing of it goes on")
        # A draft of before, by who is signed out already when the page is opened.
        page.evaluate(f"localStorage.setItem('tandem.whiteboard.{STUDIO}', 'a secret')")
        page.goto(f"{self.site.url}/?role=phone&scenario=signed-out")
        self.until(page, f"localStorage.getItem('tandem.whiteboard.{STUDIO}') === null")
        self.assertEqual(self.loaded(page), ["/features/whiteboard/feature.js"], "though it was never opened")

    @in_every_view
    def test_every_state_passes_what_is_asked_of_all_screens(self, size, lang):
        states = [(BOARD, "phone", scenario) for scenario in ("", "empty-board", "hostile", "refused", "away", "slow-board")]
        states += [("#/whiteboard", "phone", ""), ("#/whiteboard", "phone", "empty"), ("#/whiteboard", "desktop", "")]
        for hash, role, scenario in states:
            with self.subTest(hash=hash, role=role, scenario=scenario):
                page = self.browser.page(self.site.url, hash, role, scenario, texts="marked", size=size, lang=lang)
                self.assertEqual(checks.untranslated(page), [])
                checks.unmark(page)
                self.assertEqual(checks.overflowing(page), [])
                self.assertEqual(checks.small_targets(page) if size == PHONE else [], [])
                self.assertEqual(checks.axe(page), [])
                self.assertEqual(checks.keyboard_walk(page) if size == DESKTOP else [], [])
                self.assertIsNone(page.evaluate("window.hacked ?? null"))
                self.assertEqual(page.complaints, [])
                self.browser.give_back(page)


if __name__ == "__main__":
    unittest.main()
