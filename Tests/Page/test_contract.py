"""The contract of the program's methods: what is made from it is current, and the fakes and the page's document keep to it."""

import json
import re
import subprocess
import unittest

import contract
from server import PAGE, TESTS

DOCUMENT = TESTS.parent.parent / "docs" / "page.md"
SOURCES = PAGE.parent.parent
# What a computer tells by itself is no method, and so is named where it is declared.
EVENT = re.compile(r'\bEventKind\(\s*"([\w.]+)"')
# A name in full as the document writes it, with what it takes or answers; a file's name is none.
NAMED = re.compile(r"`([a-z]\w*(?:\.[a-z]\w*)+)(?: [^`]*)?`")
FILES = ("js", "css", "html", "svg", "py", "md", "json", "mjs", "swift", "sh")


def named(text):
    """The names of methods that a text has in backticks: those that begin as the contract's do."""
    known = contract.contract()
    spaces = {name.split(".")[0] for table in known.values() for name in table if "." in name}
    found = {name for name in NAMED.findall(text) if name.split(".")[0] in spaces and name.split(".")[-1] not in FILES}
    # Several that differ in their last word: `notifications.list|mark`.
    for first, rest in re.findall(r"`([a-z]\w*\.\w+)((?:\|\w+)+)`", text):
        if first.split(".")[0] in spaces:
            found |= {first, *(f"{first.rsplit('.', 1)[0]}.{word}" for word in rest.strip("|").split("|"))}
    return found


def events():
    return {name for file in SOURCES.rglob("Wire/*.swift") for name in EVENT.findall(file.read_text())}


def members(shape):
    """Every name in a shape, however far inside."""
    if isinstance(shape, list):
        return members(shape[0])
    if not isinstance(shape, dict):
        return set()
    return {name.removesuffix("?") for name in shape if name not in ("*", "|")} | {
        name for inner in shape.values() for each in (inner if isinstance(inner, list) else [inner]) for name in members(each)
    }


class ContractTests(unittest.TestCase):
    def test_the_types_are_current(self):
        self.assertEqual(contract.TYPES.read_text(), contract.types(), "run: python3 Tests/Page/contract.py")

    def test_every_method_has_what_it_takes_and_answers(self):
        for table in contract.contract().values():
            for name, method in table.items():
                self.assertLessEqual({"params", "answer", "recorded"}, set(method), name)
                self.assertIsInstance(method["params"], dict, name)

    def test_the_fakes_keep_to_the_contract(self):
        done = subprocess.run(["node", str(TESTS / "conform.mjs")], capture_output=True, text=True, check=True, timeout=120)
        self.assertEqual(json.loads(done.stdout), [])

    def test_the_document_names_methods_that_there_are(self):
        known = {name for table in contract.contract().values() for name in table} | events()
        self.assertGreater(len(events()), 5, "events are declared otherwise now")
        names = named(DOCUMENT.read_text())
        self.assertGreater(len(names), 20)
        self.assertEqual(sorted(names - known), [])

    def test_what_the_document_says_that_a_method_answers_is_in_its_answer(self):
        methods = {name: method for table in contract.contract().values() for name, method in table.items()}
        said = re.findall(r"`([a-z]\w*(?:\.\w+)+)(?: \{[^`]*\})?` → `(\{[^`]*\})`", DOCUMENT.read_text())
        self.assertGreater(len(said), 1)
        for name, answer in said:
            self.assertEqual(set(re.findall(r"\w+", answer)) - members(methods[name]["answer"]), set(), name)


if __name__ == "__main__":
    unittest.main()
