"""The page for phones as `bin/page-bundle` makes it: the same each time, whole, and without what only people read."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from server import PAGE, TESTS

PROGRAM = TESTS.parents[1] / "bin/page-bundle"
COMMENT = re.compile(r"^\s*(?://|/?\*+)\s*(\S.{24,}?)(?:\s*\*/)?$", re.MULTILINE)
# What a page asks for when it is needed; of texts it names the folder.
LATER = re.compile(r"""["'`]/((?:styles|icons|features)/[\w/-]+(?:\.(?:css|svg|js)|/texts)|icons\.svg)["'`]""")


class PageBundleTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        work = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="tandem-bundle-test.")))
        cls.folders = [work / "one", work / "a folder with another name" / "two"]
        for folder in cls.folders:
            cls.make(folder)
        cls.files = {path: text for path, text in cls.read(cls.folders[0]).items() if path.endswith((".js", ".css", ".html"))}

    @staticmethod
    def make(folder):
        subprocess.run([PROGRAM, "--into", folder], check=True, timeout=60)

    @staticmethod
    def read(folder):
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_the_same_files_make_the_same_bytes_anywhere(self):
        one, two = map(self.read, self.folders)
        self.assertEqual(sorted(one), sorted(two))
        self.assertEqual([path for path in one if one[path] != two[path]], [])

    def test_what_is_made_already_is_not_made_again(self):
        before = (self.folders[0] / "phone.html").stat()
        self.make(self.folders[0])
        after = (self.folders[0] / "phone.html").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_no_comment_of_the_page_is_in_it(self):
        comments = {each for file in PAGE.rglob("*") if file.suffix in (".js", ".css") for each in COMMENT.findall(file.read_text())}
        self.assertGreater(len(comments), 1000)
        whole = "\n".join(text.decode() for text in self.files.values())
        self.assertEqual([each for each in sorted(comments) if each in whole], [])
        self.assertNotIn("<!--", self.files["phone.html"].decode())

    def test_every_file_that_it_names_is_in_it(self):
        present = set(self.read(self.folders[0]))
        document = self.files["phone.html"].decode()
        named = {(f"phone.html: {path}", path) for path in re.findall(r'(?:href|src)="([^"]+)"', document)}
        for file, text in self.files.items():
            text = text.decode()
            if file.startswith("code/"):
                named |= {(f"{file}: {path}", f"code/{path}") for path in re.findall(r'(?:from|import)\(?"\./([^"]+)"', text)}
            for path in LATER.findall(text):
                named |= {(f"{file}: {path}", each) for each in ([f"{path}/en.js", f"{path}/zh.js"] if path.endswith("/texts") else [path])}
        self.assertGreater(len(named), 150)
        self.assertEqual(sorted(name for name, path in named if path not in present), [])

    def test_what_the_program_compares_is_the_hash_of_the_pages_files(self):
        listed = subprocess.run(
            "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum", shell=True, cwd=PAGE, stdout=subprocess.PIPE, text=True, check=True, timeout=60
        ).stdout.split()[0]
        self.assertEqual((self.folders[0] / "made-of").read_text().splitlines()[0], listed)


if __name__ == "__main__":
    unittest.main()
