"""The files of a computer: looking, changing, and transfers with pauses, cuts and reloads."""

import io
import pathlib
import tempfile
import time
import unittest
import zipfile

import server
from browser import DESKTOP, PATIENCE, Browser
from states.files import COMPUTER, HOME, at, by_field, listed, menu

KEPT = """() => new Promise((resolve) => {
    const request = indexedDB.open('tandem-transfers', 1);
    request.onsuccess = () => {
        const kept = request.result.transaction('jobs').objectStore('jobs').getAll();
        kept.onsuccess = () => { request.result.close(); resolve(kept.result.some(({ done }) => done > 0)); };
    };
})"""
NAMES = "[...document.querySelectorAll('.file-name')].map((each) => each.textContent)"
STATES = "[...document.querySelectorAll('.transfer')].map((each) => each.dataset.state).join(' ')"


class FileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = server.start(max_age=3600)
        cls.browser = cls.enterClassContext(Browser())

    def open(self, hash=HOME, size=DESKTOP, **options):
        page = self.browser.page(self.site.url, hash, size=size, **options)
        self.addCleanup(self.browser.give_back, page)
        listed(page)
        by_field(page)
        return page

    def until(self, page, script, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not page.evaluate(script):
            self.assertLess(time.monotonic(), end, f"never true: {script}")
            page.wait_for_timeout(20)

    def file(self, name, size, folder=None):
        path = (folder or pathlib.Path(tempfile.mkdtemp())) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(at & 0xFF for at in range(256)) * (size // 256) + b"x" * (size % 256))
        return path

    def upload(self, page, *paths):
        with page.expect_file_chooser() as chooser:
            menu(page, 0, 0)
        chooser.value.set_files([str(path) for path in paths])

    def called(self, page, method):
        return page.evaluate("(method) => fake.calls.filter((call) => call.method === method).map((call) => call.params)", method)

    # Looking

    def test_folders_come_first_and_lead_on(self):
        page = self.open()
        names = page.evaluate(NAMES)
        self.assertEqual(names[:3], ["Documents", "many", "Pictures"])
        page.click("a:has-text('Documents')")
        page.wait_for_selector(".crumb[aria-current]:has-text('Documents')")
        page.click(".crumb >> nth=0")
        self.until(page, f"{NAMES}[0] === 'Documents'")

    def test_windows_paths_keep_their_style(self):
        page = self.open(f"#/computers/41d7b9e07c8e4c7b9a2f00d15ea59f0c/files?path=C:\\Users\\Ada\\Documents")
        page.wait_for_selector(".crumb[aria-current]:has-text('Documents')")
        self.assertEqual([each.strip() for each in page.locator(".crumb").all_inner_texts()], ["", "Documents"])
        page.click(".crumb >> nth=0")
        page.wait_for_selector("text=notes.txt")
        self.assertIn({"path": "C:\\Users\\Ada\\Documents", "showHidden": False, "compact": True, "offset": 0}, self.called(page, "file.listDirectory"))

    def test_the_way_to_a_folder_begins_with_what_is_shared_also_after_a_reload(self):
        page = self.open(at("/home/ada/work"))
        crumbs = "[...document.querySelectorAll('.crumb')].map((each) => each.textContent).join(' › ')"
        self.until(page, f"{crumbs} === ' › work'")
        page.click("text=src")
        self.until(page, f"{crumbs} === ' › work › src'")
        page.reload()
        self.until(page, f"{crumbs} === ' › work › src'")
        page.click(".crumb:has-text('work')")
        page.wait_for_selector("text=README.md")

    def test_a_folder_that_is_not_shared_is_no_missing_right(self):
        for code in ("not-found", "not-allowed"):
            page = self.open()
            page.evaluate(
                """(code) => {
                    const list = fake.remoteMethod('file.listDirectory');
                    fake.remote('file.listDirectory', (params, device) => (params.path === '/etc' ? fake.fail(code, 'Outside.', { right: 'file.read' }) : list(params, device)));
                }""",
                code,
            )
            page.evaluate("(hash) => { location.hash = hash; }", at("/etc"))
            page.wait_for_selector("text=The computer does not share this folder")
            self.assertEqual(page.locator("text=Not allowed yet").count(), 0)
            page.click(".empty a:has-text('Home folder')")
            self.until(page, f"{NAMES}[0] === 'Documents'")

    def test_a_picture_fits_and_the_keys_and_a_swipe_lead_to_the_next(self):
        for size in (DESKTOP, (1440, 450), (390, 844)):
            page = self.open(at("/home/ada/Pictures", view="/home/ada/Pictures/Berge am Morgen.png"), size=size)
            page.wait_for_selector(".viewer-picture")
            self.until(page, "document.querySelector('.viewer-picture').naturalWidth > 0")
            fits = page.evaluate(
                """() => {
                    const [picture, frame] = ['.viewer-picture', '.viewer-frame'].map((each) => document.querySelector(each).getBoundingClientRect());
                    return picture.top >= frame.top && picture.bottom <= frame.bottom && picture.left >= frame.left && picture.right <= frame.right;
                }"""
            )
            self.assertTrue(fits, size)
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".dialog-title:has-text('broken.jpg')")
        self.assertEqual(page.locator("dialog").count(), 1)
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".dialog-title:has-text('broken.jpg')")
        page.evaluate(
            """() => {
                const body = document.querySelector('.viewer');
                const touch = (type, x) => {
                    const at = new Touch({ identifier: 1, target: body, clientX: x, clientY: 300 });
                    body.dispatchEvent(new TouchEvent(type, { bubbles: true, touches: type === 'touchend' ? [] : [at], changedTouches: [at] }));
                };
                touch('touchstart', 100);
                touch('touchend', 250);
            }"""
        )
        page.wait_for_selector(".dialog-title:has-text('Berge am Morgen.png')")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        self.until(page, f"{NAMES}.includes('broken.jpg')")

    def test_hidden_files_are_shown_on_demand(self):
        page = self.open()
        self.assertNotIn(".bashrc", page.evaluate(NAMES))
        menu(page, 2, 2)
        self.until(page, f"{NAMES}.includes('.config')")

    def test_sorts_by_size_and_turns_round(self):
        page = self.open()
        page.click(".file-head-cell.file-size")
        files = [name for name in page.evaluate(NAMES) if "." in name]
        self.assertEqual(files[0], "backup.tar.zst")
        page.click(".file-head-cell.file-size")
        self.until(page, f"!{NAMES}.filter((name) => name.includes('.')).slice(0, 1).includes('backup.tar.zst')")

    def test_filters_here_and_searches_below(self):
        page = self.open()
        page.fill(".files-tools input", "read")
        page.wait_for_selector(".empty")
        page.keyboard.press("Enter")
        page.wait_for_selector(".file-folder")
        self.assertEqual(self.called(page, "file.search")[0]["pattern"], "read")
        self.assertIn("README.md", page.evaluate(NAMES))

    def test_ten_thousand_scroll_in_few_rows(self):
        page = self.open(at("/home/ada/many"))
        self.until(page, "document.querySelector('.files-foot').textContent.includes('10,000')")
        most = page.evaluate(
            """() => new Promise((resolve) => {
                let [most, at] = [0, 0];
                const step = () => {
                    most = Math.max(most, document.querySelectorAll('.virtual-row').length);
                    at += 4000;
                    scrollTo(0, at);
                    if (at < 400_000) requestAnimationFrame(step); else resolve(most);
                };
                requestAnimationFrame(step);
            })"""
        )
        self.assertGreater(most, 0)
        self.assertLess(most, 60, "rows are used again")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_selector("text=item 10000.txt")

    def test_hostile_names_are_text(self):
        page = self.open()
        self.assertEqual(page.locator(".file-card img").count(), 0)
        names = page.evaluate(NAMES)
        self.assertIn("photo⟨202E⟩gpj.exe", names)
        self.assertIn("line⟨0A⟩break⟨07⟩bell.txt", names)
        self.assertIn("bytes ⟨80⟩⟨FF⟩.dat", names)
        cut = page.evaluate("""() => [...document.querySelectorAll('.file-name')].filter((name) => name.firstChild.scrollWidth > name.firstChild.clientWidth).map((name) => {
            const [box, end] = [name, name.lastChild].map((each) => each.getBoundingClientRect());
            return { end: name.lastChild.textContent, isInside: end.left >= box.left - 0.5 && end.right <= box.right + 0.5 };
        })""")
        self.assertTrue(cut and all(each["isInside"] and "." in each["end"] for each in cut), f"the middle of a very long one gives way: {cut}")

    def test_a_text_is_read_in_ranges_as_it_is_scrolled(self):
        page = self.open(at("/home/ada/Documents"))
        page.click("text=long.log")
        page.wait_for_selector(".viewer-text")
        page.wait_for_timeout(300)
        first = len(self.called(page, "file.readFile"))
        self.assertLess(first, 4, "no more than is in sight")
        for _ in range(100):
            page.evaluate("document.querySelector('.dialog-body').scrollTo(0, 1e9)")
            page.wait_for_timeout(60)
            if page.locator(".viewer-end .banner").count():
                break
        page.wait_for_selector(".viewer-end .banner")
        ranges = self.called(page, "file.readFile")
        self.assertEqual(sum(each["length"] for each in ranges), 1024 * 1024)
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        self.assertIn("path=", page.url)

    def test_marks_of_direction_in_code_are_shown(self):
        page = self.open(at(view="/home/ada/Documents/notes.md"))
        page.wait_for_selector(".viewer-markdown:has-text('⟨202E⟩')")
        page.click("text=As written")
        page.wait_for_selector(".viewer-text:has-text('⟨202E⟩')")

    def test_a_picture_is_shown(self):
        page = self.open(at(view="/home/ada/Pictures/Berge%20am%20Morgen.png"))
        self.until(page, "document.querySelector('.viewer-picture')?.naturalWidth === 640")
        # Chequers show what one sees through; nobody sees through a JPEG.
        chequered = """async (type) => {
            const { showPicture } = await import('/features/files/view-picture.js');
            const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
            canvas.getContext('2d').fillRect(0, 0, 8, 8);
            const blob = await new Promise((made) => canvas.toBlob(made, type));
            const body = document.body.appendChild(document.createElement('div'));
            await showPicture({ name: 'a', size: blob.size }, { body, life: { add() {} }, picture: async () => blob });
            const marks = ['.viewer-frame', '.viewer-picture'].map((each) => getComputedStyle(body.querySelector(each)).backgroundImage !== 'none');
            body.remove();
            return marks;
        }"""
        self.assertEqual(page.evaluate(chequered, "image/png"), [False, True])
        self.assertEqual(page.evaluate(chequered, "image/jpeg"), [False, False])

    # Changing

    def test_a_grid_shows_small_pictures_of_what_is_in_sight(self):
        page = self.open(at("/home/ada/Pictures"))
        page.click("[aria-label='Show as a grid']")
        self.until(page, "document.querySelectorAll('.tile-picture').length === 1 && document.querySelectorAll('.tile').length === 2")
        # One that is no picture keeps its symbol, and is not asked for again.
        self.assertEqual(page.locator(".tile:has-text('broken.jpg') .icon").count(), 2)
        self.assertEqual([len(call["paths"]) for call in self.called(page, "file.getThumbnails")], [2])
        page.reload()
        page.wait_for_selector(".tile-picture")
        page.evaluate("(hash) => { location.hash = hash; }", at("/home/ada/many"))
        self.until(page, "document.querySelectorAll('.tile').length > 20")
        self.assertLess(page.locator(".tile").count(), 400)
        self.assertEqual(page.locator(".tile-picture").count(), 0)
        page.focus(".tile-main >> nth=0")
        columns = page.evaluate("document.querySelector('.tiles').childElementCount")
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
            page.keyboard.press(key)
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.tile-main')].indexOf(document.activeElement)"), columns)
        page.keyboard.press("Enter")
        page.wait_for_selector(".dialog-title:has-text('item')")
        page.keyboard.press("Escape")
        menu(page, 2, 1)
        page.click(".tile-main >> nth=1")
        page.wait_for_selector(".tile.selected")
        page.click("[aria-label='End selecting']")
        page.click("[aria-label='Show as a list']")
        page.wait_for_selector(".file-row")

    def test_a_computer_that_makes_no_small_pictures_is_asked_once(self):
        page = self.open(at("/home/ada/Pictures"), scenario="old")
        page.click("[aria-label='Show as a grid']")
        page.wait_for_selector(".tile >> nth=1")
        self.until(page, "fake.calls.some(({ method }) => method === 'file.getThumbnails')")
        page.click("[aria-label='Show as a list']")
        page.click("[aria-label='Show as a grid']")
        page.wait_for_selector(".tile >> nth=1")
        self.assertEqual(len(self.called(page, "file.getThumbnails")), 1)
        self.assertEqual(page.locator(".tile .type-image .icon").count(), 2)

    def test_buttons_lead_to_the_next_picture_which_is_there_already(self):
        first, second = "/home/ada/Pictures/Berge am Morgen.png", "/home/ada/Pictures/broken.jpg"
        page = self.open(at("/home/ada/Pictures"))
        page.click("text=Berge am Morgen")
        page.wait_for_selector(".viewer-picture")
        page.wait_for_selector("text=1 of 2")
        self.until(page, f"fake.downloadedFrom.some(({{ path }}) => path === '{second}')")
        self.assertTrue(page.is_disabled("[aria-label='Picture before']"))
        page.click("[aria-label='Next picture']")
        page.wait_for_selector("text=2 of 2")
        page.click("[aria-label='Picture before']")
        page.wait_for_selector("text=1 of 2")
        self.assertEqual(page.evaluate("fake.downloadedFrom.map(({ path }) => path)"), [first, second])

    def test_markdown_is_shown_formatted_and_as_it_was_written(self):
        page = self.open(at(view="/home/ada/Documents/notes.md"))
        page.wait_for_selector(".viewer-markdown h3:has-text('Tandem')")
        self.assertEqual(page.locator(".viewer-markdown strong").inner_text(), "computer")
        self.assertEqual(page.locator(".viewer-markdown :is(img, b, script, a[href^=javascript])").count(), 0)
        page.wait_for_selector(".viewer-markdown:has-text('<b onclick=alert(1)>')")
        page.click("text=As written")
        page.wait_for_selector(".viewer-text:has-text('# Tandem')")
        page.reload()
        page.click("button:has-text('Formatted')")
        page.wait_for_selector(".viewer-markdown")

    def edit(self, page, name):
        page.click(f".row-main:has-text('{name}')")
        page.click("button:has-text('Edit')")
        page.wait_for_selector(".viewer-edit")

    def text_of(self, page, path):
        return page.evaluate("([id, path]) => fake.textOf(id, path)", [COMPUTER, path])

    def write(self, page, path, text):
        page.evaluate("([id, path, text]) => fake.write(id, path, text)", [COMPUTER, path, text])

    def test_a_text_is_edited_and_keeps_its_line_endings(self):
        page = self.open(at("/home/ada/Documents"))
        self.edit(page, "dos.txt")
        self.assertTrue(page.is_disabled("button:has-text('Save')"))
        page.fill(".viewer-edit", "one\n2\nnew\nend")
        page.wait_for_selector("text=Not saved yet")
        page.keyboard.press("Control+s")
        page.wait_for_selector(".toast:has-text('Saved')")
        self.assertEqual(self.text_of(page, "/home/ada/Documents/dos.txt"), "one\r\n2\r\nnew\r\nend")
        page.fill(".viewer-edit", "one\n")
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=As on the computer")
        self.assertEqual(self.text_of(page, "/home/ada/Documents/dos.txt"), "one\r\n")
        cases = [
            ("a\nb", "a\nb", "x\ny"), ("a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\r\nc\r\n"), ("a\nx\nc\n", "a\rx\r\nc\n", "a\rb\r\nc\n"),
            ("new\na\nb", "new\r\na\r\nb", "a\r\nb"), ("", "", "a\r\n"), ("a\nb\n", "a\r\nb\r\n", "a\r\nb"), ("a", "a", "a\r\n"),
        ]
        made = page.evaluate(
            "async (cases) => { const { withEndings } = await import('/features/files/line-endings.js'); return cases.map(([typed, , original]) => withEndings(typed, original)); }", cases
        )
        self.assertEqual(made, [expected for _, expected, _ in cases])

    def test_what_somebody_else_wrote_meanwhile_is_not_lost(self):
        path, page = "/home/ada/Documents/dos.txt", self.open(at("/home/ada/Documents"))
        self.edit(page, "dos.txt")
        page.fill(".viewer-edit", "mine")
        self.write(page, path, "theirs")
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=The file was changed on the computer meanwhile.")
        self.assertEqual(self.text_of(page, path), "theirs")
        page.click("button:has-text('See theirs')")
        page.wait_for_selector(".viewer-theirs:has-text('theirs')")
        # A third change is told again.
        self.write(page, path, "theirs again")
        page.click("button:has-text('Replace theirs')")
        page.wait_for_selector(".viewer-theirs:has-text('theirs again')", state="attached")
        page.click("button:has-text('Replace theirs')")
        page.wait_for_selector("text=As on the computer")
        self.assertEqual(self.text_of(page, path), "mine")
        page.fill(".viewer-edit", "mine 2")
        self.write(page, path, "theirs")
        page.click("button:has-text('Save')")
        page.click("button:has-text('Save as a copy')")
        page.wait_for_selector(".dialog-title:has-text('dos (2).txt')")
        page.wait_for_selector(".viewer-text:has-text('mine 2')")
        self.assertEqual([self.text_of(page, path), self.text_of(page, "/home/ada/Documents/dos (2).txt")], ["theirs", "mine 2"])
        page.click("button:has-text('Edit')")
        page.fill(".viewer-edit", "mine 3")
        self.write(page, "/home/ada/Documents/dos (2).txt", None)
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=The file is not there any more")
        page.click("button:has-text('Write it anew')")
        page.wait_for_selector("text=As on the computer")
        self.assertEqual(self.text_of(page, "/home/ada/Documents/dos (2).txt"), "mine 3")

    def test_what_was_typed_outlives_a_cut_and_a_reload(self):
        page = self.open(at("/home/ada/Documents"))
        self.edit(page, "dos.txt")
        page.fill(".viewer-edit", "mine")
        page.evaluate("fake.cut = 'away'")
        page.click("button:has-text('Save')")
        page.wait_for_selector(".viewer-said .banner")
        self.assertEqual(page.input_value(".viewer-edit"), "mine")
        page.reload()
        page.wait_for_selector("text=This is what you typed and did not save")
        self.assertEqual(page.input_value(".viewer-edit"), "mine")
        page.keyboard.press("Escape")
        page.wait_for_selector(".toast:has-text('Not saved.')")
        page.click(".row-main:has-text('dos.txt')")
        page.wait_for_selector(".viewer-edit")
        page.click("button:has-text('Discard changes')")
        page.click("dialog.normal button:has-text('Discard changes')")
        page.wait_for_selector("dialog", state="detached")
        page.click(".row-main:has-text('dos.txt')")
        page.wait_for_selector(".viewer-text:has-text('one')")

    def test_what_cannot_be_edited_is_not_offered_or_said(self):
        page = self.open(at("/home/ada/Documents"), scenario="read-only")
        page.click(".row-main:has-text('long.log')")
        page.wait_for_selector(".viewer-text:has-text('line 0')")
        self.assertEqual(page.locator("button:has-text('Edit'):visible").count(), 0)
        page.keyboard.press("Escape")
        self.edit(page, "dos.txt")
        page.fill(".viewer-edit", "mine")
        page.click("button:has-text('Save')")
        page.wait_for_selector("text=The owner of the computer has allowed reading files only.")
        self.assertEqual(page.input_value(".viewer-edit"), "mine")

    def test_makes_a_folder(self):
        page = self.open()
        menu(page, 2, 0)
        page.fill("dialog input", "a/b")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog .failed")
        page.fill("dialog input", "Documents")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog .field-hint:has-text('taken')")
        page.fill("dialog input", "Neu")
        page.keyboard.press("Enter")
        self.until(page, f"{NAMES}.includes('Neu')")

    def test_renames(self):
        page = self.open()
        page.click("button[aria-label*='Bewerbung']")
        page.click(".menu-item:has-text('Rename')")
        self.assertEqual(page.evaluate("document.querySelector('dialog input').selectionEnd"), len("Bewerbung_final_v2"))
        page.fill("dialog input", "cv.docx")
        page.keyboard.press("Enter")
        self.until(page, f"{NAMES}.includes('cv.docx')")

    def test_trash_asks_first(self):
        page = self.open()
        page.click("button[aria-label*='clip.mp4']")
        page.click(".menu-item.danger")
        self.assertEqual(self.called(page, "file.delete"), [])
        page.click("dialog .button.danger")
        self.until(page, f"!{NAMES}.includes('clip.mp4')")
        self.assertEqual(self.called(page, "file.delete")[0], {"path": "/home/ada/clip.mp4", "recursive": False})

    def test_several_are_chosen_by_keys_and_moved(self):
        page = self.open(at("/home/ada/many"))
        page.click(".file-row .row-main >> nth=0", modifiers=["Control"])
        page.click(".file-row .row-main >> nth=4", modifiers=["Shift"])
        self.assertIn("5", page.inner_text(".selection-count"))
        page.click(".selection-bar .danger")
        page.click("dialog .button.danger")
        self.until(page, "document.querySelector('.files-foot').textContent.includes('9,995')")

    # Transfers

    def test_uploads_and_shows_it(self):
        page = self.open()
        self.upload(page, self.file("neu.txt", 1000), self.file("zwei.txt", 10))
        self.until(page, f"{STATES} === 'done done' && {NAMES}.includes('neu.txt')")

    def test_a_doubled_name_is_asked_about(self):
        page = self.open()
        self.upload(page, self.file("song.flac", 10))
        page.click("dialog .button.primary")
        self.until(page, f"{NAMES}.includes('song (2).flac')")

    def test_a_cut_goes_on_when_the_computer_is_back(self):
        page = self.open()
        page.evaluate("fake.transferStep = 100_000")
        self.upload(page, self.file("cut.bin", 2_000_000))
        page.wait_for_timeout(150)
        page.evaluate("fake.cut = 'away'")
        self.until(page, f"{STATES} === 'away'")
        page.evaluate(f"fake.setPath('{COMPUTER}', 'relay')")
        self.until(page, f"{STATES} === 'done'")
        self.assertGreater(page.evaluate("fake.uploadedFrom.at(-1).from"), 0, "not from the beginning")

    def test_pause_and_go_on(self):
        page = self.open()
        page.evaluate("fake.transferStep = 100_000")
        self.upload(page, self.file("pause.bin", 3_000_000))
        page.click("[aria-label='Pause pause.bin']")
        self.until(page, f"{STATES} === 'paused'")
        before = page.evaluate("fake.uploadedFrom.length")
        page.wait_for_timeout(300)
        self.assertEqual(page.evaluate("fake.uploadedFrom.length"), before)
        page.click("[aria-label='Go on with pause.bin']")
        self.until(page, f"{STATES} === 'done'")

    def test_cancel_forgets_it(self):
        page = self.open()
        page.evaluate("fake.transferStep = 50_000")
        self.upload(page, self.file("weg.bin", 3_000_000))
        page.click("[aria-label='Cancel weg.bin']")
        self.until(page, "document.querySelector('.transfers').hidden")
        page.wait_for_timeout(300)
        self.assertNotIn("weg.bin", page.evaluate(NAMES))
        self.assertEqual(page.evaluate("fake.cancelledUploads.map(({ name, size }) => [name, size])"), [["weg.bin", 3_000_000]])

    def test_an_upload_goes_on_after_a_reload_with_the_same_file(self):
        page = self.open()
        page.evaluate("fake.transferStep = 20_000")
        path = self.file("reload.bin", 3_000_000)
        self.upload(page, path)
        self.until(page, "Number(document.querySelector('.transfer [role=progressbar], .transfers [role=progressbar]')?.getAttribute('aria-valuenow') ?? 0) > 10")
        # What the browser keeps of it comes a little later.
        self.until(page, KEPT)
        page.reload()
        self.until(page, f"{STATES} === 'asking'")
        self.assertGreater(page.evaluate("Number(document.querySelector('.transfer [role=progressbar], .transfers [role=progressbar]').getAttribute('aria-valuenow'))"), 0, "how far it came is known")
        by_field(page)
        with page.expect_file_chooser() as chooser:
            page.click(".transfer .button.primary")
        chooser.value.set_files(str(self.file("other.bin", 3_000_000)))
        page.wait_for_selector(".toast.bad")
        with page.expect_file_chooser() as chooser:
            page.click(".transfer .button.primary")
        chooser.value.set_files(str(path))
        self.until(page, f"{STATES} === 'done'")
        self.assertGreater(page.evaluate("fake.uploadedFrom[0].from"), 0)

    def test_an_upload_with_a_handle_goes_on_by_itself(self):
        page = self.open()
        page.evaluate("fake.transferStep = 100_000")
        # A handle of the browser's own file system stands for a picked one: its permission lasts.
        page.evaluate("""async () => {
            const root = await navigator.storage.getDirectory();
            const handle = await root.getFileHandle('handle.bin', { create: true });
            const writing = await handle.createWritable();
            await writing.write(new Uint8Array(3_000_000));
            await writing.close();
            FileSystemFileHandle.prototype.queryPermission ??= async () => 'granted';
            window.showOpenFilePicker = async () => [handle];
        }""")
        menu(page, 0, 0)
        self.until(page, f"{STATES} === 'running'")
        page.wait_for_timeout(250)
        page.reload()
        self.until(page, f"{STATES} === 'done'")
        self.assertGreater(page.evaluate("fake.uploadedFrom[0].from"), 0)

    def test_a_folder_is_uploaded_with_what_is_in_it(self):
        page = self.open()
        folder = pathlib.Path(tempfile.mkdtemp()) / "album"
        for name in ("one.txt", "sub/two.txt", "sub/deep/three.txt"):
            self.file(name, 10, folder)
        with page.expect_file_chooser() as chooser:
            menu(page, 0, 1)
        chooser.value.set_files(str(folder))
        self.until(page, f"{STATES} === 'done' && {NAMES}.includes('album')")
        self.assertIn("3 files", page.inner_text(".transfer"))
        made = {each["path"] for each in self.called(page, "file.createDirectory")}
        self.assertEqual(made, {"/home/ada/album", "/home/ada/album/sub", "/home/ada/album/sub/deep"})

    def test_files_are_dragged_in(self):
        page = self.open()
        page.evaluate("""() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(['hello'], 'dragged.txt'));
            for (const type of ['dragenter', 'dragover', 'drop']) {
                document.querySelector('.files').dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
                if (type === 'dragover') window.veil = !document.querySelector('.drop-veil').hidden;
            }
        }""")
        self.assertTrue(page.evaluate("window.veil"))
        self.until(page, f"{NAMES}.includes('dragged.txt')")

    def test_downloads_a_file(self):
        page = self.open()
        with page.expect_download() as download:
            page.click("button[aria-label*='big.bin']")
            page.click(".menu-item >> nth=0")
        content = pathlib.Path(download.value.path()).read_bytes()
        self.assertEqual(download.value.suggested_filename, "big.bin")
        self.assertEqual(content, bytes(range(256)) * (3_000_000 // 256) + bytes(range(3_000_000 % 256)))

    def test_a_download_goes_on_after_a_reload(self):
        page = self.open()
        page.evaluate("fake.transferStep = 400_000")
        page.click("button[aria-label*='song.flac']")
        page.click(".menu-item >> nth=0")
        self.until(page, f"{STATES} === 'running' && /[1-9].* MB of/.test(document.querySelector('.transfer').textContent)")
        page.reload()
        with page.expect_download() as download:
            listed(page)
        content = pathlib.Path(download.value.path()).read_bytes()
        self.assertEqual(content, bytes(range(256)) * (20_000_000 // 256))
        self.assertGreater(page.evaluate("fake.downloadedFrom[0].from"), 0)

    def test_a_folder_is_downloaded_as_a_zip_also_over_a_pause(self):
        page = self.open()
        page.evaluate("() => { fake.held = new Promise((resolve) => { fake.release = resolve; }); }")
        with page.expect_download() as download:
            page.click("button[aria-label*='for ⁨work']")
            page.click(".menu-item >> nth=0")
            page.click("[aria-label='Pause work']")
            page.wait_for_selector("[aria-label='Go on with work']")
            page.evaluate("() => { fake.release(); fake.held = null; }")
            page.click("[aria-label='Go on with work']")
        with zipfile.ZipFile(io.BytesIO(pathlib.Path(download.value.path()).read_bytes())) as whole:
            self.assertIsNone(whole.testzip())
            self.assertEqual(sorted(whole.namelist()), ["work/README.md", "work/src/empty/", "work/src/main.swift"])
            self.assertEqual(whole.read("work/src/main.swift"), b'print("hello")\n')
        self.assertEqual(download.value.suggested_filename, "work.zip")

    # Downloads that the browser makes itself

    def saves(self, page, name="clip.mp4"):
        page.click(f"button[aria-label*='{name}']")
        page.click(".menu-item >> nth=0")

    def part_of(self, page):
        """Returns once a part has come, and not all."""
        self.until(page, f"{STATES} === 'running' && /[1-9].* MB of/.test(document.querySelector('.transfer').textContent)")

    def test_a_large_file_is_downloaded_by_the_browser_itself(self):
        page = self.open()
        page.evaluate("fake.saveStep = 2_000_000")
        self.saves(page)
        self.part_of(page)
        self.until(page, "/MB\\/s/.test(document.querySelector('.transfer').textContent)")
        self.until(page, f"{STATES} === 'done'")
        self.assertIn("Downloaded", page.inner_text(".transfer"))
        self.assertEqual(page.locator("[aria-label='Save clip.mp4 again']").count(), 0, "it is not here to be handed over")
        self.assertEqual(page.evaluate("[fake.begunSaves.length, fake.downloadedFrom.length].join()"), "1,0")

    def test_a_large_download_is_paused_goes_on_and_is_cancelled(self):
        page = self.open()
        page.evaluate("fake.saveStep = 500_000")
        self.saves(page)
        self.part_of(page)
        page.click("[aria-label='Pause clip.mp4']")
        self.until(page, f"{STATES} === 'paused'")
        asked = page.evaluate("fake.savedAsked")
        done = page.evaluate("JSON.parse(sessionStorage.saves)[fake.begunSaves[0].name].done")
        page.wait_for_timeout(1200)
        self.assertEqual(page.evaluate("fake.savedAsked"), asked, "nothing is asked while it is paused")
        self.assertEqual(page.evaluate("JSON.parse(sessionStorage.saves)[fake.begunSaves[0].name].done"), done)
        page.click("[aria-label='Go on with clip.mp4']")
        self.part_of(page)
        page.click("[aria-label='Cancel clip.mp4']")
        self.until(page, "document.querySelector('.transfers').hidden")
        self.until(page, "JSON.parse(sessionStorage.saves)[fake.begunSaves[0].name].state === 'cancelled'")
        self.assertEqual(page.evaluate("fake.begunSaves.length"), 1)

    def test_a_large_download_is_taken_up_after_a_reload(self):
        page = self.open()
        page.evaluate("fake.saveStep = 500_000")
        self.saves(page)
        self.part_of(page)
        page.reload()
        self.until(page, f"{STATES} === 'done'")
        self.assertEqual(page.evaluate("fake.begunSaves.length"), 0, "it was not begun again")

    def test_a_large_download_that_never_began_begins_after_a_reload(self):
        page = self.open()
        page.evaluate("fake.browserComes = false")
        self.saves(page)
        self.until(page, "fake.begunSaves.length === 1")
        page.wait_for_timeout(1200)
        self.assertEqual(page.evaluate("fake.begunSaves.length"), 1, "the browser was told once")
        name = page.evaluate("fake.begunSaves[0].name")
        page.reload()
        self.until(page, f"{STATES} === 'done'")
        self.assertEqual(page.evaluate("fake.begunSaves.map((each) => each.name).join()"), name)

    def test_a_large_download_that_is_not_known_any_more_is_said(self):
        page = self.open()
        page.evaluate("fake.saveStep = 500_000")
        self.saves(page)
        self.part_of(page)
        page.evaluate("fake.forgetSaves()")
        page.wait_for_selector(".transfer-error:has-text('browser’s downloads')")
        page.evaluate("fake.saveStep = 40_000_000")
        page.click("[aria-label='Try clip.mp4 again']")
        self.until(page, f"{STATES} === 'done'")
        self.assertEqual(page.evaluate("new Set(fake.begunSaves.map((each) => each.name)).size"), 2, "another one")

    def test_a_large_download_waits_for_its_computer(self):
        page = self.open()
        page.evaluate("fake.saveStep = 500_000")
        self.saves(page)
        self.part_of(page)
        page.evaluate("fake.eachSave({ state: 'away' })")
        self.until(page, f"{STATES} === 'away'")
        self.assertIn("Goes on when the computer is back", page.inner_text(".transfer"))
        page.evaluate("fake.eachSave({ state: 'running' }); fake.saveStep = 40_000_000")
        self.until(page, f"{STATES} === 'done'")
        self.assertEqual(page.evaluate("fake.begunSaves.length"), 1)

    def test_what_ends_a_large_download_is_said(self):
        for change, said in (
            ("{ state: 'cancelled' }", "stopped in the browser’s downloads"),
            ("{ state: 'failed', error: { code: 'away', message: 'No.' } }", "away for too long"),
            ("{ state: 'failed', error: { code: 'refused', message: 'It was changed meanwhile.' } }", "It was changed meanwhile."),
            ("{ state: 'failed', error: { code: 'not-allowed', message: 'No.', detail: { right: 'file.read' } } }", "has not allowed reading"),
        ):
            with self.subTest(said):
                page = self.open()
                page.evaluate("fake.saveStep = 500_000")
                self.saves(page)
                self.part_of(page)
                page.evaluate(f"fake.eachSave({change})")
                page.wait_for_selector(f".transfer-trouble:has-text('{said}')")

    def test_more_than_the_browser_may_have_open_are_collected_by_the_page(self):
        page = self.open()
        page.evaluate("""() => {
            const open = Object.fromEntries([1, 2, 3].map((id) => [id, { state: 'paused', done: 0, size: 1 }]));
            sessionStorage.setItem('saves', JSON.stringify(open));
        }""")
        with page.expect_download() as download:
            self.saves(page)
        self.assertEqual(download.value.suggested_filename, "clip.mp4")
        self.assertEqual(page.evaluate("fake.begunSaves.length"), 0)

    def test_a_page_that_is_hidden_asks_for_nothing(self):
        page = self.open()
        page.evaluate("fake.saveStep = 500_000")
        self.saves(page)
        self.part_of(page)
        page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isHidden, configurable: true }); window.isHidden = true")
        page.wait_for_timeout(700)
        asked = page.evaluate("fake.savedAsked")
        page.wait_for_timeout(1200)
        self.assertEqual(page.evaluate("fake.savedAsked"), asked)
        page.evaluate("window.isHidden = false; fake.saveStep = 40_000_000; document.dispatchEvent(new Event('visibilitychange'))")
        self.until(page, f"{STATES} === 'done'")

    def test_a_full_disk_is_said(self):
        page = self.open(scenario="full")
        self.upload(page, self.file("x.bin", 10))
        page.wait_for_selector(".transfer-error:has-text('disk is full')")

    def test_reading_only_is_said(self):
        page = self.open(scenario="read-only")
        self.upload(page, self.file("x.bin", 10))
        page.wait_for_selector(".transfer-error:has-text('reading files only')")


if __name__ == "__main__":
    unittest.main()
