"""The page's own reader of QR codes, in Node: pictures that the test draws, of codes that other writers made (`qr/codes.json`) and of the page's own."""

import json
import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "qr" / "reading.mjs"


def read(name, *arguments):
    done = subprocess.run(["node", "--no-warnings", SCRIPT, name, *map(json.dumps, arguments)], capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise AssertionError(f"{name}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


class CodeReaderTests(unittest.TestCase):
    def test_codes_of_others_are_read_in_every_way_that_they_are_seen(self):
        """All levels, versions from 1 to 40, digits, letters, bytes, kanji and named character sets."""
        self.assertEqual(read("others"), [])

    def test_the_pages_own_codes_are_read(self):
        self.assertEqual(read("own"), [])

    def test_a_code_with_a_spot_is_read_while_it_can_be_corrected(self):
        *read_all, none = read("spotted", [5, 15, 25, 60])
        self.assertEqual(read_all, [["b" * 300]] * 3)
        self.assertEqual(none, [])

    def test_several_codes_are_all_read_and_a_small_one_in_a_large_picture(self):
        several, small = read("scattered")
        link = "https://hub.example:9443/phone/#" + "AbC-_9" * 33
        self.assertEqual(sorted(several), sorted(["Привет", "héllo, wörld — 你好", link]))
        self.assertEqual(small, [link])

    def test_what_is_no_code_has_no_text(self):
        self.assertEqual(read("nothing"), [[]] * 6)

    def test_without_time_one_try_is_made(self):
        self.assertEqual(read("hurried"), {"texts": [], "asked": 1})

    def test_blocks_are_corrected_up_to_their_bound_and_refused_beyond(self):
        for wrong in (0, 1, 9, 10):
            self.assertEqual(read("corrected", wrong), {"right": 100, "refused": 0, "other": 0})
        self.assertEqual(read("corrected", 11)["right"], 0)

    def test_segments_that_are_cut_or_not_known_are_no_text(self):
        whole = ["0100 00000001 01000001 0000", "0010 000000001 001010", "0001 0000000010 0101010", "0000", ""]
        self.assertEqual(read("segments", *whole), ["A", "A", "42", "", ""])
        broken = [
            # Longer than the code, a part of a text on several codes, a character set and a letter that there are not.
            "0001 0000001000 0001100", "0100 11111111 01000001", "0011 0000", "0111 01111111 0100 00000001 01000001", "0010 000000001 111111",
        ]
        self.assertEqual(read("segments", *broken), [None] * len(broken))


if __name__ == "__main__":
    unittest.main()
