"""What a person does on a phone's page: pairing, the computers, clipboard, screen, figures, and what waits."""

import time
import unittest

import server
from browser import PATIENCE, PHONE, Browser

STUDIO = "9f0c6a1be2d34775a1c0ffee00d15ea5"


def of(tab, computer=STUDIO):
    return f"#/computers/{computer}/{tab}"


class PhoneTests(unittest.TestCase):
    arguments = []

    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser(cls.arguments, is_whole=bool(cls.arguments)))

    @classmethod
    def tearDownClass(cls):
        cls.site.shutdown()

    def open(self, hash, scenario="", **options):
        page = self.browser.page(self.site.url, hash, role="phone", scenario=scenario, **options)
        # A busy machine is slow, not wrong.
        page.set_default_timeout(60_000)
        self.addCleanup(self.browser.give_back, page)
        self.addCleanup(lambda: self.assertEqual(page.complaints, []))
        return page

    def calls(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    def until(self, page, condition, seconds=2 * PATIENCE):
        """Waits for a condition. Playwright's own way evaluates it in the page, which the policy forbids."""
        end = time.monotonic() + seconds
        while not page.evaluate(condition):
            self.assertLess(time.monotonic(), end, condition)
            page.wait_for_timeout(50)

    def button(self, page, name):
        return page.locator(".way:not([hidden]), .main, dialog").get_by_role("button", name=name, exact=True).locator("visible=true").first


class PairingTests(PhoneTests):
    def choose(self, page, size=100):
        picture = {"name": "code.png", "mimeType": "image/png", "buffer": b"x" * size}
        page.set_input_files(".way:not([hidden]) input[type=file]", files=[picture])

    def test_a_tab_that_could_not_be_loaded_comes_with_the_program(self):
        page = self.browser.page(self.site.url, of("system"), role="phone")
        self.addCleanup(self.browser.give_back, page)
        page.route("**/features/clipboard/tab.js", lambda route: route.abort())
        page.evaluate("fake.enter('lost')")
        page.click(".tab:has-text('Clipboard')")
        page.wait_for_selector(".tab-body .banner:has-text('Tandem does not run on this device')")
        self.assertNotIn("module", page.inner_text(".tab-body"))
        page.unroute("**/features/clipboard/tab.js")
        page.evaluate("fake.enter('live')")
        page.wait_for_selector(".tab-body:has-text('On the computer')")

    def test_a_picture_pairs(self):
        page = self.open("#/pair")
        self.choose(page)
        page.wait_for_selector("text=is paired")
        [params] = self.calls(page, "pair.scan")
        self.assertIn('"desktop-pairing"', params["text"])
        page.get_by_role("link", name="Open").click()
        self.until(page, "location.hash.startsWith('#/computers/9f0c')")

    def test_that_clocks_differ_is_said_where_pairing_works_all_the_same(self):
        for lang, words in (("en", "The clocks differ: the other device’s is 1 hour 30 minutes fast."), ("zh", "两台设备的时钟不一致")):
            page = self.open("#/pair", scenario="clocks", lang=lang)
            self.choose(page)
            page.wait_for_selector(".stage-symbol.good")
            self.assertIn(words, page.inner_text(".way:not([hidden]) .stage"))

    def test_too_large_a_picture_is_not_sent(self):
        page = self.open("#/pair")
        self.choose(page, size=(8 << 20) + 1)
        page.wait_for_selector("text=This picture is too large")
        self.assertEqual(self.calls(page, "pair.scan"), [])

    def test_what_is_wrong_with_a_picture_is_said_with_what_to_do(self):
        for reason, title, advice in (
            ("severalCodes", "There are several codes in this picture", "Crop it so that only the one to read is left"),
            ("otherCode", "The code in this picture is not of Tandem", "Choose a picture of the code that the other device shows"),
            ("notAPicture", "This file is not a picture that can be read", "Choose a JPEG, PNG or WebP"),
        ):
            page = self.open("#/pair", scenario=reason)
            self.choose(page)
            page.wait_for_selector(f"text={title}")
            self.assertTrue(page.get_by_text(advice).is_visible())
            self.assertTrue(self.button(page, "Choose a picture").is_visible())
            self.assertEqual(self.calls(page, "pair.scan"), [])

    def test_a_dropped_picture_pairs(self):
        page = self.open("#/pair")
        page.wait_for_selector(".way:not([hidden])")
        page.evaluate(
            """() => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File(['x'], 'code.png', { type: 'image/png' }));
                const way = document.querySelector('.way');
                way.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true, cancelable: true }));
                if (!way.classList.contains('is-over')) throw new Error('not marked');
                way.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
            }"""
        )
        page.wait_for_selector("text=is paired")

    def test_another_tab_loses_nothing(self):
        page = self.open("#/pair/show")
        self.button(page, "Show my code").click()
        page.wait_for_selector(".qr")
        page.get_by_text("Type a code", exact=True).first.click()
        page.fill(".code-field input", "4829")
        page.get_by_text("Show mine", exact=True).click()
        self.assertTrue(page.locator(".qr").is_visible())
        page.get_by_text("Type a code", exact=True).first.click()
        self.assertEqual(page.input_value(".code-field input"), "482 9")
        self.assertEqual(len(self.calls(page, "pair.watch")), 1)

    def test_this_phones_code_is_only_scanned(self):
        """A computer is found by digits, a phone is not: none are shown that could be typed nowhere."""
        page = self.open("#/pair/show")
        self.button(page, "Show my code").click()
        page.wait_for_selector(".way:not([hidden]) .qr")
        self.assertEqual(page.locator(".way:not([hidden]) .digits").count(), 0)
        self.assertNotIn("731", page.locator(".way:not([hidden]) .stage").inner_text())

    def test_a_phones_code_that_cannot_be_drawn_says_what_to_do(self):
        page = self.open("#/pair/show")
        page.evaluate("() => { fake.pictures.matrix = async () => fake.fail('internal', 'no'); }")
        self.button(page, "Show my code").click()
        page.wait_for_selector("text=Scan the computer’s code with this phone instead")

    LATER = "() => { const now = Date.now; Date.now = () => now() + 304_000; }"

    def test_a_code_whose_time_is_over_is_not_shown_any_more(self):
        for lang, make, over, new in (("en", "Show my code", "The code has expired", "Make a new one"), ("zh", "显示我的码", "码已过期", "生成新的码")):
            page = self.open("#/pair/show", lang=lang)
            self.button(page, make).click()
            page.wait_for_selector(".qr")
            # The program says nothing, as one that is not reached.
            page.evaluate(self.LATER)
            page.wait_for_selector(f"text={over}")
            self.assertEqual(page.locator(".qr").count(), 0)
            self.button(page, new).wait_for()

    def test_a_computers_code_that_is_over_is_said_to_be(self):
        for lang, title, advice in (
            ("en", "The computer’s code is over", "Make a new one on the computer"), ("zh", "电脑的码已失效", "请在电脑上生成新的"),
        ):
            page = self.open("#/pair/code", scenario="fails-shownCodeExpired", lang=lang)
            page.fill(".code-field input", "4829137306")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"text={title}")
            self.assertTrue(page.get_by_text(advice).is_visible())

    def test_cancel_takes_the_shown_code_back(self):
        page = self.open("#/pair/show")
        self.button(page, "Show my code").click()
        page.wait_for_selector(".qr")
        self.button(page, "Cancel").click()
        self.button(page, "Show my code").wait_for()
        self.assertEqual(self.calls(page, "pair.hide"), [{}])

    def test_a_code_that_was_taken_back_elsewhere_is_said_to_be_void(self):
        page = self.open("#/pair/show")
        self.button(page, "Show my code").click()
        page.wait_for_selector(".qr")
        # The fake listens a moment after its code is shown.
        page.wait_for_timeout(400)
        page.evaluate("async () => { await fake.call('pair.hide'); }")
        page.wait_for_selector("text=The code was taken back")
        self.button(page, "Make a new one").click()
        page.wait_for_selector(".qr")

    def test_only_a_whole_code_is_sent(self):
        page = self.open("#/pair/code")
        pair = self.button(page, "Pair")
        for digits, is_whole in (("48291", False), ("482913", True), ("4829137", False), ("482 913-7306", True)):
            page.fill(".code-field input", digits)
            self.assertEqual(pair.is_enabled(), is_whole, digits)
        pair.click()
        page.wait_for_selector("text=is paired")
        self.assertEqual(self.calls(page, "pair.code"), [{"digits": "4829137306"}])

    def test_six_digits_pair_by_the_persons_word_that_the_computer_took_the_number(self):
        for answer, shown in (("It did", "is paired"), ("It did not", "Nobody said that the computer asked for the number")):
            page = self.open("#/pair/code", scenario="compare")
            page.fill(".code-field input", "482913")
            page.keyboard.press("Enter")
            page.wait_for_selector("text=Did the computer ask for this number?")
            self.assertEqual(page.locator(".stage .digits").inner_text(), "604 281")
            self.button(page, answer).click()
            page.wait_for_selector(f"text={shown}")

    def test_a_server_goes_along(self):
        page = self.open("#/pair/code")
        page.click("summary")
        page.get_by_label("Address of its server").fill("ws://192.168.7.20:9001")
        page.fill(".code-field input", "482913")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=is paired")
        self.assertEqual(self.calls(page, "pair.code"), [{"digits": "482913", "url": "ws://192.168.7.20:9001"}])

    def test_a_failure_says_why_and_what_to_do(self):
        page = self.open("#/pair/code", scenario="fails-unreachable")
        page.fill(".code-field input", "482913")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=In the local network")
        self.assertTrue(page.locator("text=hub.example.net knows no such computer").is_visible())
        self.button(page, "Try again").click()
        self.assertEqual(page.input_value(".code-field input"), "482 913", "it need not be typed again")

    def test_what_is_the_persons_choice_is_asked(self):
        page = self.open("#/pair", scenario="fails-notEndToEnd")
        self.choose(page)
        self.button(page, "Pair without sealing").click()
        page.wait_for_selector("text=Not sealed")
        self.assertEqual([each.get("allowUnsealed") for each in self.calls(page, "pair.scan")], [None, True])

    def test_leaving_ends_what_runs(self):
        page = self.open("#/pair", scenario="sending")
        page.evaluate("const follow = fake.follow.bind(fake); fake.follow = (method, params, options) => { window.signal = options.signal; return follow(method, params, options); }; null")
        self.choose(page)
        page.wait_for_selector("text=Waiting for the computer")
        self.until(page, "/^4:5\\d/.test(document.querySelector('.stage-left')?.textContent ?? '')")
        self.button(page, "Cancel").click()
        self.assertTrue(page.evaluate("signal.aborted"))
        self.assertTrue(self.button(page, "Open the camera").is_visible())


class CameraTests(PhoneTests):
    arguments = ["--use-fake-device-for-media-stream"]

    def test_the_camera_reads(self):
        page = self.open("#/pair", scenario="slowcode", permissions=["camera"])
        self.button(page, "Open the camera").click()
        self.until(page, "document.querySelector('video')?.videoWidth > 0")
        page.evaluate(
            "window.frames_ = []; window.track = document.querySelector('video').srcObject.getTracks()[0];"
            "fake.pictures.read = async (frame) => { frames_.push([frame.width, frame.height, frame.data[0] === frame.data[1]]); return frames_.length > 2 ? '{}' : null; }; null"
        )
        page.wait_for_selector("text=is paired")
        self.assertEqual(page.evaluate("track.readyState"), "ended", "the camera is off")
        width, height, is_grey = page.evaluate("frames_[0]")
        self.assertLessEqual(max(width, height), 800)
        self.assertTrue(is_grey)

    def test_frames_with_several_codes_are_passed_over(self):
        page = self.open("#/pair", scenario="severalCodes slowcode", permissions=["camera"])
        page.evaluate("() => { const read = fake.pictures.read; window.looks = 0; fake.pictures.read = async () => { if (looks < 4 || window.goOn) window.looks += 1; else return null; return read(); }; }")
        self.button(page, "Open the camera").click()
        page.wait_for_selector("text=Several codes are in sight")
        self.until(page, "looks === 4")
        self.assertFalse(page.locator(".stage-symbol.bad").count(), "more than three in a row are no failure")
        page.evaluate("window.goOn = true")
        page.wait_for_selector("text=is paired")

    def test_cancel_and_leaving_turn_it_off(self):
        page = self.open("#/pair", scenario="slowcode", permissions=["camera"])
        for leave in (lambda: self.button(page, "Cancel").click(), lambda: page.evaluate("location.hash = '#/queue'")):
            self.button(page, "Open the camera").click()
            self.until(page, "document.querySelector('video')?.videoWidth > 0")
            page.evaluate("window.track = document.querySelector('video').srcObject.getTracks()[0]")
            leave()
            self.until(page, "track.readyState === 'ended'")

    def test_a_camera_that_is_not_allowed(self):
        page = self.open("#/pair")
        self.button(page, "Open the camera").click()
        page.wait_for_selector("text=The camera is not allowed")
        self.assertTrue(self.button(page, "Choose a picture").is_visible())


class ComputerTests(PhoneTests):
    def test_the_one_seen_last_comes_first(self):
        page = self.open("#/computers")
        self.assertEqual(page.locator(".computer-row .row-title > [data-peer]").all_inner_texts(), ["studio-pc", "Büro-Laptop", "客厅的 Mac mini"])

    def test_a_way_changes_in_its_row(self):
        page = self.open("#/computers")
        page.evaluate(f"fake.setPath('{STUDIO}', null)")
        page.wait_for_selector(".row >> nth=0 >> text=Not connected")
        self.assertEqual(page.locator(".is-online").count(), 1)

    def test_forget_asks_by_name(self):
        page = self.open("#/computers")
        page.locator(".row-actions .icon-button").first.click()
        page.get_by_role("menuitem", name="Forget").click()
        self.assertIn("studio-pc", page.locator("dialog h2").inner_text())
        page.locator("dialog").get_by_role("button", name="Forget").click()
        page.wait_for_selector("text=2 paired computers")
        self.assertEqual(self.calls(page, "devices.forget"), [{"id": STUDIO}])

    def test_forgetting_a_computer_that_is_away_says_what_is_left_to_do(self):
        page = self.open("#/computers", scenario="away")
        page.locator(".row-actions .icon-button").first.click()
        page.get_by_role("menuitem", name="Forget").click()
        page.locator("dialog").get_by_role("button", name="Forget").click()
        page.wait_for_selector(".toast:has-text('could not be told')")
        self.assertIn("studio-pc", page.locator(".toast").inner_text())

    def test_forget_all(self):
        page = self.open("#/computers")
        self.button(page, "Forget all").click()
        page.locator("dialog").get_by_role("button", name="Forget all").click()
        page.wait_for_selector("text=No computer yet")
        self.assertEqual(len(self.calls(page, "devices.forget")), 3)

    def test_rename(self):
        page = self.open(of("system"))
        page.get_by_label("More for this computer").click()
        page.get_by_role("menuitem", name="Rename").click()
        field = page.get_by_label("Name on this phone")
        field.fill("  ")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=A name needs at least one letter.")
        field.fill("Workbench")
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:has-text('Workbench')")
        self.assertEqual(self.calls(page, "devices.rename"), [{"id": STUDIO, "name": "Workbench"}])

    def test_the_last_tab_is_remembered(self):
        page = self.open(of("system"))
        page.evaluate("location.hash = '#/computers'")
        page.locator(".computer-row").first.click()
        self.until(page, "location.hash.endsWith('/system')")
        page.evaluate("location.hash = '#/computers'")
        page.locator(".computer-row").nth(1).click()
        self.until(page, "location.hash.endsWith('/threads')")

    def test_without_sealing_this_phones_person_decides(self):
        laptop = "41d7b9e07c8e4c7b9a2f00d15ea59f0c"
        page = self.open(of("screen", laptop), scenario="clear refused")
        self.button(page, "Take a picture").click()
        self.button(page, "Allow all the same").click()
        page.locator("dialog").get_by_role("button", name="Allow all the same").click()
        page.wait_for_selector("text=The computer’s screen")
        self.assertEqual(self.calls(page, "devices.allow"), [{"id": laptop, "skills": ["display"]}])
        page.get_by_label("More for this computer").click()
        page.get_by_role("menuitem", name="Details").click()
        page.get_by_role("switch", name="Screen").click()
        self.until(page, "fake.calls.some((call) => call.method === 'devices.deny')")
        self.assertEqual(self.calls(page, "devices.deny"), [{"id": laptop, "skills": ["display"]}])

    def test_one_that_could_not_be_asked_for_comes_when_it_can(self):
        page = self.open("#/computers")
        fail = "(code) => fake.answer('devices.show', () => fake.fail(code, 'The database is locked.'))"
        known = "fake.answer('devices.show', async ({ id }) => (await fake.call('devices.list')).devices.find((each) => each.id === id))"
        page.evaluate(fail, "internal")
        page.locator(".computer-row").first.click()
        page.wait_for_selector(".main .banner:has-text('The database is locked')")
        page.evaluate(known)
        page.click(".main .banner .button")
        page.wait_for_selector(".tab-body")
        page.evaluate("location.hash = '#/computers'")
        page.wait_for_selector(".computer-row")
        page.evaluate(fail, "gone")
        page.evaluate("fake.enter('lost')")
        page.locator(".computer-row").first.click()
        page.wait_for_selector(".main .banner:has-text('Tandem does not run on this device')")
        page.evaluate(known)
        page.evaluate("fake.enter('live')")
        page.wait_for_selector(".tab-body")

    def tabs(self, page):
        return page.evaluate("[...document.querySelectorAll('.tabs > .tab')].filter((tab) => !tab.hidden).map((tab) => tab.querySelector(':scope > span:not(.badge)').textContent)")

    def test_a_phone_shows_five_tabs_and_more(self):
        names = {"en": ["Threads", "Notifications", "Terminal", "Files", "Clipboard", "More"], "zh": ["会话", "通知", "终端", "文件", "剪贴板"]}
        for lang in ("en", "zh"):
            page = self.open(of("clipboard"), scenario="told many-notices", lang=lang, size=PHONE)
            page.wait_for_selector(".tab .badge")
            self.assertEqual(self.tabs(page)[:len(names[lang])], names[lang])
            wide = "[...document.querySelectorAll('.tabs')].every((strip) => strip.scrollWidth <= strip.clientWidth)"
            self.assertTrue(page.evaluate(wide), "nothing is out of sight")
        page = self.open(of("clipboard"), size=PHONE)
        page.locator(".tab-more").focus()
        page.keyboard.press("Enter")
        page.get_by_role("menuitem", name="System").press("Enter")
        page.wait_for_selector(".system-grid")
        self.assertEqual(page.get_attribute(".tab-more", "aria-current"), "true")
        self.assertIn("System", page.inner_text(".tab-more"))
        self.assertEqual(page.locator(".tab[aria-current=page]:visible").count(), 0)

    def test_where_there_is_room_all_tabs_stand_side_by_side(self):
        page = self.open(of("clipboard"), size=(1600, 900))
        self.assertEqual(len(self.tabs(page)), 9)
        page.set_viewport_size({"width": 320, "height": 568})
        self.until(page, "!document.querySelector('.tab-more').hidden")
        self.assertTrue(page.evaluate("document.querySelector('.tabs').scrollWidth <= document.querySelector('.tabs').clientWidth"))
        page.set_viewport_size({"width": 1440, "height": 900})
        self.until(page, "document.querySelector('.tab-more').hidden")

    def test_nothing_shines_through_the_head_and_its_tabs_do_not_jump(self):
        for size in (PHONE, (1440, 900)):
            page = self.open(of("notifications"), scenario="many-notices", size=size)
            page.wait_for_selector(".notice")
            see_through = "['.bar', '.computer-head'].filter((name) => !/^rgb\\(/.test(getComputedStyle(document.querySelector(name)).backgroundColor))"
            self.assertEqual(page.evaluate(see_through), [])
            top = "document.querySelector('.computer-head').getBoundingClientRect().top"
            before = page.evaluate(top)
            page.evaluate("window.scrollTo(0, 700)")
            page.wait_for_timeout(60)
            self.assertEqual(page.evaluate(top), before)

    def test_one_place_says_that_a_computer_is_away(self):
        page = self.open(of("system"), scenario="away")
        page.wait_for_selector(".refused.is-away:has-text('Last seen')")
        page.wait_for_timeout(1400)
        self.assertFalse(page.locator(".computer-strips .banner.offline").is_visible())
        page.evaluate("location.hash = location.hash.replace('/system', '/clipboard')")
        page.wait_for_selector(".computer-strips .banner.offline")

    def test_forgotten_meanwhile(self):
        page = self.open(of("clipboard"))
        page.evaluate(f"fake.call('devices.forget', {{ id: '{STUDIO}' }})")
        page.wait_for_selector("text=This computer is not paired any more")

    def test_no_name_is_ever_html(self):
        page = self.open("#/computers", scenario="hostile")
        self.assertEqual(page.locator(".main img").count(), 0)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))


class ClipboardTests(PhoneTests):
    def fetch(self, page):
        self.button(page, "Fetch").click()

    def test_nothing_is_asked_before_the_person_does(self):
        page = self.open(of("clipboard"))
        self.assertEqual(self.calls(page, "clipboard.get"), [])
        self.fetch(page)
        page.wait_for_selector(".clip-text")
        self.assertIn("第二行", page.locator(".clip-text").inner_text())
        self.button(page, "Hide").click()
        self.assertEqual(page.locator(".clip-text").count(), 0)

    def test_html_is_shown_as_text(self):
        page = self.open(of("clipboard"), scenario="html")
        self.fetch(page)
        page.get_by_text("HTML source").click()
        self.assertIn("<img src=x", page.locator(".clip-text").inner_text())
        self.assertEqual(page.locator(".clip-body img, .clip-body a, .clip-body b").count(), 0)
        self.assertIsNone(page.evaluate("window.hacked ?? null"))

    def test_a_picture_that_is_none_is_not_shown(self):
        page = self.open(of("clipboard"), scenario="picture")
        page.evaluate("fake.remote('clipboard.get', () => ({ type: 'image', content: btoa('<svg onload=alert(1)>') }))")
        self.fetch(page)
        page.wait_for_selector("text=cannot be shown")
        self.assertEqual(page.locator(".clip-body img").count(), 0)

    def test_it_follows(self):
        page = self.open(of("clipboard"))
        page.locator(".switch").click()
        page.wait_for_selector("text=copied a moment ago")

    def test_a_text_is_sent(self):
        page = self.open(of("clipboard"))
        self.assertFalse(self.button(page, "Send").is_enabled())
        page.fill("textarea", "héllo")
        page.wait_for_selector("text=6 bytes")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("text=It can be pasted at the computer now.")
        self.assertEqual(self.calls(page, "clipboard.set"), [{"type": "text", "content": "héllo"}])

    def test_too_long_a_text(self):
        page = self.open(of("clipboard"))
        page.fill("textarea", "x" * ((512 << 10) + 1))
        page.wait_for_selector("text=Too long")
        self.assertFalse(self.button(page, "Send").is_enabled())

    def test_a_picture_is_sent(self):
        page = self.open(of("clipboard"))
        buffer = bytes.fromhex(
            "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6364f8cf500f0003860180"
            "5a347d6a0000000049454e44ae426082"
        )
        page.set_input_files(".clip-card.way input[type=file]", files=[{"name": "dot.png", "mimeType": "image/png", "buffer": buffer}])
        page.wait_for_selector(".clip-preview img")
        self.button(page, "Send").click()
        page.wait_for_selector("text=It can be pasted at the computer now.")
        [params] = self.calls(page, "clipboard.set")
        self.assertEqual((params["type"], params["content"][:8]), ("image", "iVBORw0K"))

    def test_a_computer_that_is_away_gets_it_later(self):
        page = self.open(of("clipboard"), scenario="away")
        page.fill("textarea", "later")
        # Gone without a word: the page learns it by what it sends.
        page.evaluate(f"fake.setPath('{STUDIO}', 'lan')")
        self.button(page, "Send").click()
        page.wait_for_selector(".banner:has-text('The computer cannot be reached at the moment.')")
        self.assertEqual(page.locator(".banner-detail").count(), 0, "what the program says to who types commands")
        self.assertEqual(self.button(page, "Send").count(), 0, "two buttons for one thing")
        later = self.button(page, "Send when it is back")
        later.click()
        page.wait_for_selector("text=Waits until the computer is back.")
        [params] = self.calls(page, "queue.call")
        self.assertEqual((params["device"], params["method"], params["params"]), (STUDIO, "clipboard.set", {"type": "text", "content": "later"}))
        self.assertEqual(page.input_value("textarea"), "", "sent, so it is done with")

    def test_a_computer_that_goes_away_has_one_button(self):
        page = self.open(of("clipboard"), size=PHONE)
        page.fill("textarea", "later")
        page.evaluate(f"fake.setPath('{STUDIO}', null)")
        later = self.button(page, "Send when it is back")
        later.wait_for()
        self.assertEqual(self.button(page, "Send").count(), 0)
        [card, box] = [page.locator(".clip-card.way").bounding_box(), later.bounding_box()]
        self.assertLessEqual(box["x"] + box["width"], card["x"] + card["width"] - 8, "it stands out of its card")
        page.evaluate(f"fake.setPath('{STUDIO}', 'lan')")
        self.button(page, "Send").wait_for()
        self.assertEqual(self.button(page, "Send when it is back").count(), 0)

    def test_what_was_copied_lately_is_asked_for_and_taken_again(self):
        page = self.open(of("clipboard"), permissions=["clipboard-read", "clipboard-write"])
        self.assertEqual(self.calls(page, "clipboard.getHistory"), [])
        self.button(page, "Show").click()
        page.wait_for_selector(".clip-entries")
        self.assertEqual(page.locator(".clip-entries .row").count(), 4)
        code = page.locator(".clip-entries .row").last
        code.get_by_role("button", name="Copy to this device").click()
        page.wait_for_selector("text=Copied")
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), 'func page() {\n    print("Hello")\n}', "whole, not as its row shows it")
        page.locator(".clip-entries .row").nth(1).get_by_role("button", name="Put on the computer’s clipboard").click()
        page.wait_for_selector("text=It can be pasted at the computer now.")
        [params] = self.calls(page, "clipboard.set")
        self.assertEqual((params["type"], params["content"][:4]), ("html", "会议改到"))
        self.button(page, "Clear the list").click()
        page.locator("dialog").get_by_role("button", name="Clear the list").click()
        page.wait_for_selector("text=Nothing was copied since it is kept")
        self.assertEqual(len(self.calls(page, "clipboard.clearHistory")), 1)

    def test_a_list_that_is_not_kept_says_how_it_would_be(self):
        page = self.open(of("clipboard"), scenario="no-history")
        self.button(page, "Show").click()
        page.wait_for_selector("code:has-text('--clipboard-history')")

    def test_what_is_allowed_meanwhile_comes_back(self):
        page = self.open(of("clipboard"), scenario="refused")
        self.fetch(page)
        page.wait_for_selector("text=Not allowed yet")
        self.assertIn("tandem devices allow 'Ada’s phone' clipboard", page.locator(".refused code").inner_text())
        page.evaluate("fake.emit('devices', {})")
        page.wait_for_selector("text=Not fetched yet")

    def test_a_right_is_asked_for_and_the_yes_comes_back(self):
        page = self.open(of("clipboard"), scenario="refused")
        self.fetch(page)
        self.button(page, "Ask for it").click()
        page.wait_for_selector("text=Asked. The answer at the computer comes here by itself.")
        self.assertEqual([call["right"] for call in self.calls(page, "devices.ask")], ["clipboard"])
        page.evaluate("fake.allowAsked('clipboard')")
        page.wait_for_selector("text=Not fetched yet")

    def test_an_older_computer_asks_nobody_and_a_no_says_when_to_ask_again(self):
        for scenario, words in (("refused no-asking", "asks nobody"), ("refused ask-refused", "The owner said no. You can ask again in")):
            page = self.open(of("clipboard"), scenario=scenario)
            self.fetch(page)
            self.button(page, "Ask for it").click()
            page.wait_for_selector(f".refused-ask:has-text('{words}')")
            self.assertFalse(page.locator(".refused-ask button").is_visible())


class CommandTests(PhoneTests):
    def test_a_press_runs_one_and_one_that_asks_is_asked_about(self):
        page = self.open(of("commands"))
        page.click(".row-main:has-text('backup') >> nth=0")
        page.wait_for_selector(".run-output:has-text('snapshot 4f1c saved')")
        page.click(".row-main:has-text('deploy') >> nth=0")
        self.button(page, "Cancel").click()
        page.click(".row-main:has-text('deploy') >> nth=0")
        page.locator("dialog").get_by_role("button", name="Run").click()
        page.wait_for_selector(".run-card:has-text('deploy') .chip.good")
        self.assertEqual([call["confirmed"] for call in self.calls(page, "commands.run")], [False, True])

    def test_one_that_runs_is_stopped(self):
        page = self.open(of("commands"), scenario="running")
        page.click(".row-main:has-text('lamp-on')")
        self.button(page, "Stop").click()
        page.wait_for_selector(".run-card .chip:has-text('Stopped')")
        self.assertEqual(len(self.calls(page, "commands.stop")), 1)

    def test_sleep_asks_and_a_computer_that_is_away_is_woken_by_another(self):
        page = self.open(of("commands"))
        self.button(page, "Put to sleep").click()
        page.locator("dialog").get_by_role("button", name="Put to sleep").click()
        page.wait_for_selector(".toast:has-text('It goes to sleep')")
        self.assertEqual(len(self.calls(page, "power.sleep")), 1)
        page.evaluate(f"fake.setPath('{STUDIO}', null)")
        self.button(page, "Wake it").click()
        page.wait_for_selector(".toast:has-text('attic sent the packet')")
        self.assertEqual(self.calls(page, "power.wakeUp"), [{"device": STUDIO}])


class ScreenTests(PhoneTests):
    def asked(self, page):
        return self.calls(page, "screen")

    def test_live_slows_where_nothing_happens(self):
        counts = {}
        for scenario in ("", "still"):
            page = self.open(of("screen"), scenario=scenario)
            self.button(page, "Watch live").click()
            page.wait_for_selector(".screen-frame.is-live")
            page.wait_for_timeout(4000)
            counts[scenario] = len(self.asked(page))
        self.assertLess(counts["still"], counts[""] / 1.5)

    def test_live_ends_with_the_tab(self):
        page = self.open(of("screen"))
        self.button(page, "Watch live").click()
        page.wait_for_selector(".screen-frame.is-live")
        page.evaluate(f"location.hash = '{of('system')}'")
        page.wait_for_selector(".system-grid")
        before = len(self.asked(page))
        page.wait_for_timeout(600)
        self.assertLessEqual(len(self.asked(page)) - before, 1)

    def test_live_goes_on_when_the_computer_is_back(self):
        page = self.open(of("screen"))
        self.button(page, "Watch live").click()
        page.wait_for_selector(".screen-frame.is-live")
        page.evaluate(f"window.ask = fake.computerParts.screen; fake.computerParts.screen = async () => fake.fail('away', 'gone'); fake.setPath('{STUDIO}', null); null")
        page.wait_for_selector(".screen .banner")
        self.assertEqual(page.locator(".is-live").count(), 0)
        page.evaluate(f"fake.computerParts.screen = ask; fake.setPath('{STUDIO}', 'relay'); null")
        page.wait_for_selector(".screen-frame.is-live")
        page.wait_for_selector(".screen .banner", state="detached")

    def test_what_changes_comes_by_itself_and_ends_with_the_tab(self):
        page = self.open(of("screen"), scenario="follows")
        self.button(page, "Watch live").click()
        page.wait_for_selector(".screen-line:has-text('what changes is shown at once')")
        self.until(page, "fake.calls.filter((call) => call.method === 'live.shown').map((call) => call.params.picture).join() === '1,2,3'")
        self.assertEqual(len(self.asked(page)), 1, "only the first one is asked for")
        self.assertEqual([call["display"] for call in self.calls(page, "live")], [0])
        # Another display, one that has another size now, and the end: each view is closed.
        page.select_option("select", "1")
        self.until(page, "fake.calls.filter((call) => call.method === 'live').length === 2")
        page.wait_for_timeout(2100)
        page.evaluate("fake.endLive({ reason: 'changed' })")
        self.until(page, "fake.calls.filter((call) => call.method === 'live').length === 3")
        self.assertEqual([call["display"] for call in self.calls(page, "live")], [0, 1, 1])
        page.evaluate("fake.endLive({ error: Object.assign(new Error('no'), { code: 'not-allowed', detail: { right: 'display' } }) })")
        page.wait_for_selector(".refused")
        self.until(page, "fake.calls.filter((call) => call.method === 'live.close').length === 3")

    def test_another_display(self):
        page = self.open(of("screen"))
        self.button(page, "Take a picture").click()
        page.select_option("select", "1")
        self.until(page, "fake.calls.at(-1).params.display === 1")

    def test_zoom_by_pointer_and_keyboard(self):
        page = self.open(of("screen"), scenario="onedisplay", size=(1440, 900))
        self.button(page, "Take a picture").click()
        frame = page.locator(".screen-frame")
        scale = lambda: page.evaluate("new DOMMatrix(getComputedStyle(document.querySelector('.screen-picture')).transform).a")
        frame.dblclick()
        self.assertAlmostEqual(scale(), 2.5, places=2)
        box = frame.bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        place = lambda: page.evaluate("document.querySelector('.screen-picture').getBoundingClientRect().x")
        before = place()
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 80, middle[1], steps=4)
        page.mouse.up()
        self.assertAlmostEqual(place() - before, 80, delta=2)
        page.keyboard.down("Control")
        page.mouse.wheel(0, -50)
        page.keyboard.up("Control")
        self.assertGreater(scale(), 2.6)
        frame.focus()
        page.keyboard.press("0")
        self.assertEqual(scale(), 1)
        page.keyboard.press("+")
        self.assertAlmostEqual(scale(), 1.4, places=2)

    def test_saving(self):
        page = self.open(of("screen"))
        self.button(page, "Take a picture").click()
        with page.expect_download() as download:
            self.button(page, "Save").click()
        self.assertRegex(download.value.suggested_filename, r"^screen-[\d-]+\.png$")


class SystemTests(PhoneTests):
    def test_asked_for_only_while_looked_at(self):
        page = self.open(of("system"))
        page.wait_for_selector(".system-grid")
        asked = lambda: len(self.calls(page, "system.info"))
        self.until(page, "fake.calls.filter((call) => call.method === 'system.info').length === 2")
        page.evaluate(
            "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
        )
        before = asked()
        page.wait_for_timeout(5500)
        self.assertEqual(asked(), before)
        page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        self.until(page, f"fake.calls.filter((call) => call.method === 'system.info').length === {before + 1}")

    def test_charts_are_drawn_at_once_where_the_computer_kept_the_last_minutes(self):
        drawn = "[...document.querySelectorAll('.chart-line')].map((line) => (line.getAttribute('d') ?? '').split(/[ML]/).length - 1)"
        page = self.open(of("system"))
        page.wait_for_selector(".system-grid")
        self.assertTrue(all(count >= 59 for count in page.evaluate(drawn)), page.evaluate(drawn))
        self.assertEqual(page.get_attribute(".chart-line >> nth=0", "d").count("M"), 2, "what was not measured is a gap")
        self.assertEqual(self.calls(page, "system.info")[0], {"history": True})
        self.until(page, "fake.calls.filter((call) => call.method === 'system.info').length === 2")
        self.assertEqual(self.calls(page, "system.info")[1], {}, "only the first question asks for it")
        page = self.open(of("system"), scenario="old")
        page.wait_for_selector(".system-grid")
        self.assertEqual(set(page.evaluate(drawn)), {0}, "one point is no line")

    def test_what_is_not_known_is_a_dash(self):
        page = self.open(of("system"), scenario="bare")
        self.assertEqual(page.locator(".figure").first.inner_text(), "–")
        self.assertFalse(page.locator("text=Battery").is_visible())


class QueueTests(PhoneTests):
    def test_a_strip_leads_to_what_waits(self):
        page = self.open("#/computers")
        self.assertIn("3 commands wait", page.inner_text(".computers-queued"))
        page.get_by_role("link", name="Show").click()
        page.wait_for_selector("text=Rename a file")
        page.get_by_label("Back").click()
        page.wait_for_selector(".computers-queued .banner")
        page.evaluate("fake.call('queue.clear', {})")
        self.until(page, "document.querySelector('.computers-queued').childElementCount === 0")
        self.assertTrue(page.locator(".computers-queued").is_hidden())

    def test_retry_remove_and_clear(self):
        page = self.open("#/queue")
        page.get_by_label("Try again: Rename a file").click()
        page.wait_for_selector("text=Failed", state="detached")
        page.get_by_label("Remove: Rename a file").click()
        page.wait_for_selector("text=Rename a file", state="detached")
        self.button(page, "Clear everything").click()
        page.locator("dialog").get_by_role("button", name="Clear").click()
        page.wait_for_selector("text=Nothing waits")
        self.assertEqual(self.calls(page, "queue.clear"), [{}])

    def test_of_one_computer(self):
        page = self.open(of("clipboard", "c0ffee00d15ea59f0c6a1be2d34775a1"))
        page.get_by_role("link", name="Show").click()
        page.wait_for_selector("text=Only for")
        self.assertEqual(page.locator(".group").count(), 1)
        self.button(page, "Show all").click()
        self.until(page, "document.querySelectorAll('.group').length === 2")


class MovedTests(PhoneTests):
    def test_a_phone_whose_data_moved_says_where_and_is_taken_back_after_a_question(self):
        page = self.open("#/computers", "retired")
        notice = page.locator(".computers-waiting .banner")
        notice.filter(has_text="everything moved to Ada’s new phone").wait_for()
        notice.get_by_role("button", name="Go on with this phone").click()
        self.assertEqual(self.calls(page, "phone.keep"), [])
        page.get_by_role("dialog").get_by_role("button", name="Go on with this phone").click()
        notice.filter(has_text="Start the program again").wait_for()
        self.assertEqual(len(self.calls(page, "phone.keep")), 1)

    def test_that_it_is_too_late_is_said_where_it_was_asked(self):
        page = self.open("#/settings", "retired too-late")
        page.locator(".settings-parts").get_by_role("button", name="Go on with this phone").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Go on with this phone").click()
        dialog.get_by_text("The time to undo the move is over").wait_for()

    def test_one_that_never_moved_says_and_loads_nothing_of_it(self):
        page = self.open("#/computers")
        self.until(page, "fake.calls.some((call) => call.method === 'phone.standing')")
        page.locator(".computers-waiting > div[hidden]").first.wait_for(state="attached")
        self.assertEqual(page.locator(".computers-waiting .banner").count(), 0)
        loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        self.assertEqual([name for name in loaded if "moving/texts" in name], [])


if __name__ == "__main__":
    unittest.main()
