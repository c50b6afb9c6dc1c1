"""A computer's files through the pages: looking, changing, and transfers whose bytes are right after a cut and after a reload."""

import hashlib
import os
import signal
import subprocess
import unittest

from browser import DESKTOP
from real import PATIENCE, RealTests

# Large enough to be cut in its middle.
LARGE = 64 << 20
PART = "Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? 0)"


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
        self.menu(self.page, f"More for {name}", item)

    def refresh(self):
        self.menu(self.page, "More for this folder", "Refresh")

    def upload(self, path):
        self.press(self.page, "Upload")
        self.give(self.page, "Upload files", path, role="menuitem")

    def is_on_its_way(self):
        """Waits for the middle of a transfer, and is quick about it."""
        self.page.wait_for_function(f"{PART} >= 10", timeout=PATIENCE * 1000, polling=5)

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

    def test_upload(self):
        self.upload(self.large)
        self.sees(self.page, "Uploaded")
        self.assertEqual(checksum(self.shared / "large.bin"), checksum(self.large))
        self.sees(self.page, "large.bin")

    def test_upload_goes_on_after_a_cut(self):
        path = self.copy("cut.bin")
        asked = self.offsets("PUT")
        self.upload(path)
        self.is_on_its_way()
        self.household.restart("desktop", signal.SIGKILL)
        self.sees(self.page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(checksum(self.shared / "cut.bin"), checksum(path))
        self.assertGreater(max(asked), 0, "it went on from what was there")

    def test_upload_goes_on_after_a_reload(self):
        path = self.copy("again.bin")
        asked = self.offsets("PUT")
        self.upload(path)
        self.is_on_its_way()
        self.page.reload()
        self.sees(self.page, "Choose the same one; what was sent stays sent")
        self.give(self.page, "Choose again", path)
        self.sees(self.page, "Uploaded", seconds=2 * PATIENCE)
        self.assertEqual(checksum(self.shared / "again.bin"), checksum(path))
        self.assertGreater(max(asked), 0, "it went on from what was there")

    def test_download_goes_on_after_a_cut(self):
        source = self.shared / "down.bin"
        source.write_bytes(self.large.read_bytes()[::-1])
        self.refresh()
        with self.page.expect_download(timeout=3 * PATIENCE * 1000) as download:
            self.entry("down.bin", "Download")
            self.is_on_its_way()
            self.household.restart("desktop", signal.SIGKILL)
        self.assertEqual(download.value.suggested_filename, "down.bin")
        self.assertEqual(checksum(download.value.path()), checksum(source))
        self.sees(self.page, "Downloaded")

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

    def copy(self, name):
        path = self.folder / name
        path.write_bytes(name.encode() + self.large.read_bytes())
        return path

    def offsets(self, method):
        """From where each request of a transfer began."""
        found = []

        def note(request):
            if request.method == method and "offset=" in request.url:
                found.append(int(request.url.split("offset=")[1].split("&")[0]))

        self.page.on("request", note)
        return found


if __name__ == "__main__":
    unittest.main()
