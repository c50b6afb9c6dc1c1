"""A computer's files through the pages: looking, changing, and transfers whose bytes are right after a cut and after a reload."""

import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from browser import DESKTOP
from real import PATIENCE, RealTests
from rig import Trouble

# Large enough to be cut in its middle.
LARGE = 64 << 20
# Large enough that it is not over before a browser on a busy machine has asked for its pause. The end is a hole.
HELD = 256 << 20
RATE = 6 << 20
PART = "() => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? 0) >= 60"


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FileTests(RealTests):
    RIGHTS = ("file",)
    IS_CALM = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = cls.household.shared
        cls.large = cls.folder / "large.bin"
        cls.large.write_bytes(os.urandom(LARGE))

    def setUp(self):
        self.page = self.open("phone", size=DESKTOP, accept_downloads=True)
        # A test cannot press the browser's own pickers; without them the page asks by a field.
        self.page.add_init_script("delete window.showOpenFilePicker; delete window.showDirectoryPicker; delete window.showSaveFilePicker")
        self.page.reload()
        self.tab(self.page, "Files")

    def entry(self, name, item):
        # Marks of direction stand around a name in a sentence.
        self.menu(self.page, re.compile(f"^More for .?{re.escape(name)}"), item)

    def refresh(self):
        self.menu(self.page, "More for this folder", "Refresh")

    def upload(self, path):
        self.press(self.page, "Upload")
        self.give(self.page, "Upload files", path, role="menuitem")

    @contextlib.contextmanager
    def in_its_middle(self, cut=lambda: None):
        """What is done in the middle of a transfer, where `cut` ends it. Until then it goes slowly enough that a part of it is safe on a disk."""
        session = self.page.context.new_cdp_session(self.page)
        limit = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", limit | {"downloadThroughput": RATE, "uploadThroughput": RATE})
        yield
        self.page.wait_for_function(PART, timeout=PATIENCE * 1000, polling=5)
        cut()
        session.send("Network.emulateNetworkConditions", limit)

    def test_looking_and_changing(self):
        (self.shared / "notes.txt").write_text("line one\nzweite Zeile\n第三行\n")
        subprocess.run(["convert", "-size", "80x60", "xc:teal", str(self.shared / "picture.png")], check=True, timeout=30)
        self.refresh()
        self.sees(self.page, "notes.txt", "picture.png")
        self.press(self.page, "notes.txt", exact=False)
        self.sees(self.page, "line one", "第三行", within=self.page.get_by_role("dialog"))
        self.press(self.page, "Close")
        self.press(self.page, "picture.png", exact=False)
        image = self.page.get_by_role("dialog").get_by_role("img").first
        self.until(lambda: image.evaluate("(image) => image.naturalWidth") == 80, self.page, "no picture")
        self.page.go_back()
        self.sees_no(self.page, "Fit to the window")

        self.menu(self.page, "More for this folder", "New folder")
        self.fill(self.page, "Name", "Reisen 2026")
        self.press(self.page, "Create")
        self.sees(self.page, "Reisen 2026")
        self.assertTrue((self.shared / "Reisen 2026").is_dir())
        self.entry("notes.txt", "Rename")
        self.fill(self.page, "New name", "Notizen.txt")
        self.press(self.page, "Rename")
        self.sees(self.page, "Notizen.txt")
        self.assertEqual(sorted(each.name for each in self.shared.iterdir() if each.suffix == ".txt"), ["Notizen.txt"])
        self.press(self.page, "Reisen 2026", role="link", exact=False)
        self.sees(self.page, "This folder is empty")
        self.page.go_back()
        self.entry("Notizen.txt", "Move to trash")
        self.sees(self.page, "It can be taken out of the computer’s trash again")
        self.press(self.page, "Move to trash")
        self.sees(self.page, "1 entry moved to the trash")
        self.assertFalse((self.shared / "Notizen.txt").exists())
        trash = list(self.household.folder.rglob("Trash/files/Notizen.txt")) or list(self.household.folder.rglob("files/Notizen.txt"))
        self.assertEqual(len(trash), 1, "it lies in the computer's trash")

    def test_small_pictures_come_and_a_text_is_edited(self):
        folder = self.shared / "desk"
        folder.mkdir()
        for name, colour in (("hills.jpg", "teal"), ("lake.png", "navy")):
            subprocess.run(["convert", "-size", "1200x800", f"gradient:{colour}-white", str(folder / name)], check=True, timeout=30)
        (folder / "broken.jpg").write_text("no picture")
        notes = folder / "notes.md"
        notes.write_bytes(b"# Plans\r\n\r\n- swim\r\n")
        notes.chmod(0o640)
        page = self.page
        self.refresh()
        self.press(page, "desk", role="link", exact=False)
        self.press(page, "Show as a grid")
        small = "[...document.querySelectorAll('.tile-picture')].map((each) => Math.max(each.naturalWidth, each.naturalHeight))"
        self.until(lambda: len(page.evaluate(small)) == 2, page, "no small pictures")
        self.assertLessEqual(max(page.evaluate(small)), 512)

        self.press(page, "notes.md", exact=False)
        self.sees(page.get_by_role("dialog"), "Plans")
        self.press(page, "Edit")
        text = page.get_by_role("textbox", name="Text of notes.md")
        text.fill("# Plans\n\n- swim\n- walk\n")
        notes.write_text("# Theirs\n")
        self.press(page, "Save")
        self.sees(page, "The file was changed on the computer meanwhile")
        self.assertEqual(notes.read_text(), "# Theirs\n")
        self.press(page, "Replace theirs")
        self.sees(page, "As on the computer")
        self.assertEqual(notes.read_bytes(), b"# Plans\r\n\r\n- swim\r\n- walk\r\n")
        self.assertEqual(notes.stat().st_mode & 0o777, 0o640)
        # The right is taken while it is edited: nothing is lost, and it is saved once it is back.
        device = self.household.json("desktop", "devices", "list", "--role", "desktop")["devices"][0]["id"]
        text.fill("# Plans\n")
        self.household.run("desktop", "devices", "deny", device, "file.write")
        self.press(page, "Save")
        self.sees(page, "has allowed reading files only")
        self.assertEqual(notes.read_bytes(), b"# Plans\r\n\r\n- swim\r\n- walk\r\n")
        self.household.run("desktop", "devices", "allow", device, "file.write")
        self.press(page, "Save")
        self.until(lambda: notes.read_bytes() == b"# Plans\r\n", page, "it was not saved")
        self.assertEqual(sorted(each.name for each in folder.iterdir()), ["broken.jpg", "hills.jpg", "lake.png", "notes.md"])

    def test_a_text_is_edited_by_its_own_editor(self):
        notes = self.shared / "typed.txt"
        self.addCleanup(notes.unlink)
        notes.write_bytes(b"one\r\ntwo")
        notes.chmod(0o600)
        self.household.environment["EDITOR"] = "sed -i s/two/2/"
        self.assertIn("Saved", self.household.run("phone", "files", "edit", "typed.txt"))
        self.assertEqual((notes.read_bytes(), notes.stat().st_mode & 0o777), (b"one\r\n2", 0o600))
        self.assertIn("Nothing was changed", self.household.run("phone", "files", "edit", "typed.txt"))
        # Somebody else writes while the editor is open, and nobody is there to be asked: both texts are kept.
        self.household.environment["EDITOR"] = f"sh -c 'printf theirs > {notes}; sed -i s/one/mine/ \"$0\"'"
        with self.assertRaises(Trouble) as failed:
            self.household.run("phone", "files", "edit", "typed.txt")
        said = str(failed.exception)
        self.assertIn("was changed at the computer meanwhile", said)
        kept = pathlib.Path(re.search("kept in (\\S+)\\.\\n", said)[1])
        self.addCleanup(shutil.rmtree, kept.parent)
        self.assertEqual((notes.read_bytes(), kept.read_bytes()), (b"theirs", b"mine\r\n2"))
        self.assertEqual(kept.parent.stat().st_mode & 0o777, 0o700)

    def test_upload(self):
        self.upload(self.large)
        self.sees(self.page, "Uploaded")
        self.assertEqual(checksum(self.shared / "large.bin"), checksum(self.large))
        self.sees(self.page, "large.bin")

    def test_upload_goes_on_after_a_cut(self):
        path = self.copy("cut.bin")
        asked = self.offsets("PUT")
        with self.in_its_middle():
            self.upload(path)
        self.household.restart("desktop", signal.SIGKILL)
        self.sees(self.page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(checksum(self.shared / "cut.bin"), checksum(path))
        self.assertGreater(max(asked), 0, "it went on from what was there")

    def test_upload_goes_on_after_a_reload(self):
        path = self.copy("again.bin")
        asked = self.offsets("PUT")
        with self.in_its_middle():
            self.upload(path)
        self.page.reload()
        self.sees(self.page, "Choose the same one; what was sent stays sent")
        self.give(self.page, "Choose again", path)
        self.sees(self.page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(checksum(self.shared / "again.bin"), checksum(path))
        self.assertGreater(max(asked), 0, "it went on from what was there")

    def test_download_goes_on_after_a_cut(self):
        source = self.shared / "down.bin"
        # A larger one is downloaded by the browser itself.
        source.write_bytes(self.large.read_bytes()[: 30 << 20])
        self.refresh()
        asked = self.offsets("GET")
        with self.page.expect_download(timeout=3 * PATIENCE * 1000) as download:
            with self.in_its_middle(cut=lambda: self.household.stop("desktop", signal.SIGKILL)):
                self.entry("down.bin", "Download")
            self.household.start("desktop")
        self.assertEqual(download.value.suggested_filename, "down.bin")
        self.assertEqual(checksum(download.value.path()), checksum(source))
        self.sees(self.page, "Downloaded")
        self.assertGreater(max(asked), 0, "it went on from what was there")

    def test_a_large_download_is_held_over_a_pause_and_a_cut(self):
        source = self.shared / "held.bin"
        self.fill_held(source)
        self.refresh()
        self.hold_in_its_middle()
        with self.page.expect_download(timeout=3 * PATIENCE * 1000) as download:
            self.entry("held.bin", "Download")
        self.sees(self.page, "Paused")
        held = self.held()
        self.assertEqual(held["size"], HELD)
        self.assertGreater(held["done"], 0)
        self.assertLess(held["done"], HELD)
        # A slow machine may have little of it when it is paused.
        self.assertRegex(self.page.text_content(".transfer"), r"[kM]B of 26\d", "how far it is stands there")
        self.household.stop("desktop", signal.SIGKILL)
        self.press(self.page, "Go on with held.bin")
        self.sees(self.page, "Goes on when the computer is back")
        # Over a reload, too.
        self.page.reload()
        self.sees(self.page, "Goes on when the computer is back")
        self.household.start("desktop")
        self.sees(self.page, "Downloaded", seconds=2 * PATIENCE)
        self.assertEqual(download.value.suggested_filename, "held.bin")
        self.assertEqual(checksum(download.value.path()), checksum(source))
        self.sees_no(self.page, "Save held.bin again")

    def test_a_large_download_is_cancelled(self):
        source = self.shared / "dropped.bin"
        self.fill_held(source)
        self.refresh()
        self.hold_in_its_middle()
        with self.page.expect_download(timeout=PATIENCE * 1000) as download:
            self.entry("dropped.bin", "Download")
        self.sees(self.page, "Paused")
        self.press(self.page, "Cancel dropped.bin")
        self.assertIsNotNone(download.value.failure(), "the browser ended it too")
        self.assertEqual(self.held()["state"], "cancelled")

    def test_a_large_download_that_ends_in_the_browser_is_said(self):
        source = self.shared / "left.bin"
        self.fill_held(source)
        self.refresh()
        self.hold_in_its_middle()
        with self.page.expect_download(timeout=PATIENCE * 1000) as download:
            self.entry("left.bin", "Download")
        self.sees(self.page, "Paused")
        download.value.cancel()
        self.until(lambda: self.held()["state"] == "cancelled", self.page, "the program heard nothing of it")
        self.press(self.page, "Go on with left.bin")
        self.sees(self.page, "It was stopped in the browser’s downloads")

    def test_a_folder_comes_as_a_zip(self):
        folder = self.shared / "album"
        (folder / "inner").mkdir(parents=True)
        (folder / "one.txt").write_text("one")
        (folder / "inner" / "zwei ü.txt").write_text("zwei")
        self.refresh()
        with self.page.expect_download(timeout=PATIENCE * 1000) as download:
            self.entry("album", "Download as ZIP")
        said = subprocess.run(
            ["python3", "-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), sorted(z.namelist()))", str(download.value.path())],
            capture_output=True, text=True, check=True, timeout=30,
        ).stdout
        self.assertIn("None", said)
        self.assertIn("zwei ü.txt", said)

    def fill_held(self, path):
        with open(path, "wb") as file:
            file.write(self.large.read_bytes())
            file.truncate(HELD)

    def hold_in_its_middle(self):
        """Pauses the next download of the browser itself as soon as a part of it came: sooner than a person could press."""
        self.page.evaluate(
            """() => {
                const ask = window.fetch;
                const pause = async (id) => {
                    for (;;) {
                        const { done, state } = await (await ask(`/api/downloads?id=${id}`)).json();
                        if (done > 0 || state === 'failed') break;
                    }
                    await ask(`/api/downloads?id=${id}&state=paused`, { method: 'POST' });
                };
                window.fetch = async (address, options) => {
                    const answer = await ask(address, options);
                    if (String(address).startsWith('/api/downloads') && options?.method === 'POST' && !window.heldID) {
                        window.heldID = new URL(address, location.href).searchParams.get('id');
                        pause(window.heldID);
                    }
                    return answer;
                };
            }"""
        )

    def held(self):
        """What the program says of that download."""
        self.held_id = self.page.evaluate("window.heldID") or self.held_id
        return self.page.evaluate("async (id) => (await fetch(`/api/downloads?id=${id}`)).json()", self.held_id)

    def copy(self, name):
        path = self.folder / name
        path.write_bytes(name.encode() + self.large.read_bytes())
        return path

    def offsets(self, method):
        """From where each request of a transfer began."""
        found = []

        def note(request):
            if request.method != method or "/api/files" not in request.url:
                return
            said = re.search(r"offset=(\d+)", request.url) or re.search(r"bytes=(\d+)", request.headers.get("range", ""))
            found.append(int(said[1]) if said else 0)

        self.page.on("request", note)
        return found


if __name__ == "__main__":
    unittest.main()
