"""The protocol of docs/protocol.md as the page's modules speak it, in Node and without a network."""

import json
import pathlib
import subprocess
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
FIXTURES = TESTS.parent / "SealingTests" / "Fixtures"
DOCUMENT = (TESTS.parent.parent / "docs" / "protocol.md").read_text()


def run(script, *arguments, seconds=120):
    """What a script beside this file says, as JSON."""
    done = subprocess.run(["node", "--no-warnings", TESTS / "wire" / script, *map(str, arguments)], capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise AssertionError(f"{script}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


class VectorTests(unittest.TestCase):
    """What section 4 of the document and the vectors of others say."""

    @classmethod
    def setUpClass(cls):
        cls.said = run("vectors.mjs")

    def test_whole_handshakes_of_the_patterns_and_the_records_behind_them(self):
        vectors = json.loads((FIXTURES / "noise-vectors.json").read_text())["vectors"]
        for vector, said in zip(vectors, self.said["noise"], strict=True):
            self.assertEqual(said["said"], [message["ciphertext"] for message in vector["messages"]], vector["protocol_name"])
            self.assertEqual(said["read"], [message["payload"] for message in vector["messages"]], vector["protocol_name"])
            self.assertEqual([said["hash"], said["same"], said["exporter"]], [vector["handshake_hash"]] * 2 + [True])

    def test_one_run_of_cpace_and_the_points_that_are_refused(self):
        vector = json.loads((FIXTURES / "cpace-vectors.json").read_text())
        said = self.said["cpace"]
        self.assertEqual({name: said[name] for name in ("generator", "Ya", "ISK", "Ta")}, {name: vector[name] for name in ("generator", "Ya", "ISK", "Ta")})
        self.assertEqual([said["confirmed"], said["wrong"], said["points"]], [True, False, [True] * 12])

    def test_a_proof_a_device_id_and_words(self):
        said = self.said["proof"]
        self.assertEqual([said["length"], said["id"], said["words"]], [126, "bb41ae6236f76793634da2d3d11256fd", "ligar-baluk-losun-zofas"])
        for value in ("did", "signature", "http"):
            self.assertIn(said[value], DOCUMENT)
        self.assertEqual([said["holds"], said["other"], said["cut"]], [True, False, False])

    def test_what_a_code_hashes_and_derives(self):
        said = self.said["code"]
        self.assertTrue(said["canonical"])
        for value in ("hash", "psk"):
            self.assertIn(said[value], DOCUMENT)
        self.assertIn(said["channel"], DOCUMENT.replace(" ", ""))

    def test_the_canonical_form_and_texts_that_are_no_json(self):
        self.assertEqual(self.said["canonicals"], [
            '{"a":[1,1000,0.5,1e+20,5e-05,0,9007199254740993,9223372036854775807,9.223372036854776e+18],"b":1}', '"\\u0008\\u000c\\n\\r\\t\\u001f/é\\\\b"',
            '{"\uffee":2,"😀":1}', None, None, None, None, None, None, None, None, None, '{"__proto__":1}',
        ])

    def test_lengths_and_letters_have_one_form(self):
        self.assertEqual(self.said["lengths"], {"encoded": ["00", "7f0000", "800100", "808001"], "read": [0, None, None, None, None, None, None], "integers": ["000001a0c4506c00", 2**53 - 1, True]})
        self.assertEqual(self.said["base64urls"], ["", "00", None, None, "0000", "0001", None, None, "000000", None])
        self.assertTrue(self.said["field"])


if __name__ == "__main__":
    unittest.main()
