"""The protocol of docs/protocol.md as the page's modules speak it, in Node and without a network."""

import json
import pathlib
import subprocess
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
FIXTURES = TESTS.parent / "SealingTests" / "Fixtures"
DOCUMENT = (TESTS.parent.parent / "docs" / "protocol.md").read_text()


def run(script, *arguments, seconds=120):
    """What a script of the folder `wire` answers in Node."""
    done = subprocess.run(["node", "--no-warnings", TESTS / "wire" / "run.mjs", script, *map(json.dumps, arguments)], capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise AssertionError(f"{script}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


class WireTests(unittest.TestCase):
    """Tests that are the same wherever the modules run. `play` says what a script answers there."""

    play = staticmethod(run)
    SCRIPT = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if cls.SCRIPT:
            cls.said = cls.play(*cls.SCRIPT)


class VectorTests(WireTests):
    """What section 4 of the document and the vectors of others say."""

    SCRIPT = ("vectors.mjs",)

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


class HostileTests(WireTests):
    """What parsers make of input that nobody writes but an attacker, and of the examples in the document."""

    SCRIPT = ("hostile.mjs",)

    def test_codes(self):
        said = self.said["codes"]
        self.assertEqual([said["good"], said["same"]], ["bb41ae6236f76793634da2d3d11256fd", True])
        self.assertEqual(said["refused"], [
            *["notAPairingCode"] * 5, "wrongKindOfCode", *["notAPairingCode"] * 2, *["codeNotSixDigits"] * 4, *["missingDesktopID"] * 3, "notEndToEnd", *["damagedCode"] * 4,
        ])
        self.assertEqual(said["doubts"], [None, "codeExpired", "codeFromTheFuture", "codeExpired"])
        self.assertEqual(said["digits"], [None, None, *["wrongDigitCount"] * 3, None, *["codeHasOtherCharacters"] * 2])

    def test_links(self):
        said = self.said["links"]
        self.assertEqual([said["shorter"], said["untyped"]], [said["length"], []])
        self.assertEqual(said["reasons"], ["damagedCode", "codeOfNewerProgram", "damagedCode", "damagedCode", "codeNotSixDigits", *["damagedCode"] * 8, "notAPairingCode"])
        self.assertEqual([said["forms"], said["variants"]], [[True] * 3, [True] * 5])

    def test_the_link_of_the_document(self):
        self.assertIn(self.said["codes"]["link"], DOCUMENT)
        self.assertIn(self.said["codes"]["bytes"], DOCUMENT.replace(" ", ""))

    def test_envelopes_answers_and_events(self):
        said = self.said["envelopes"]
        self.assertEqual([said["none"], said["invalid"], said["empty"], said["refused"]], [[None] * 6, None, [{}, {}, 5], "refused"])
        self.assertEqual([each and each["event"] for each in said["events"]], ["a", "a", None, "n", "notification.received", "notification.received", None])
        self.assertEqual([each[0] for each in said["answers"]], ["not-allowed", "unknown-method", "internal", "bad-request", "internal"])
        self.assertEqual([said["answers"][0][2]["right"], said["answers"][3][2]["reason"]], ["terminal", "session_not_found"])
        self.assertEqual(self.said["rights"], ["system.info", "system.logs", "notification", "notification.act", "notification.all", "file.read", "file.write", "display", "threads.write", "threads.read", None, None])

    def test_results_in_pieces(self):
        said = self.said["streams"]
        self.assertEqual([said["example"], said["found"]], [None, ["S1", None, None, None, None]])
        self.assertEqual(said["refused"], ["too-large", *["internal"] * 14, "cancelled"])

    def test_frames_of_files(self):
        said, examples = self.said["frames"], DOCUMENT.replace(" ", "")
        self.assertIn(said["want"], examples)
        self.assertEqual(said["data"], [1, "4" * 32, 0, "Quarterly figures\n"])
        self.assertEqual(said["refused"], {"kind": 4, "transfer": "4" * 32, "offset": 0, "code": -32020, "sentence": "No such transfer."})
        self.assertEqual(said["taken"], {"kind": 2, "transfer": "1" * 32, "offset": 0, "count": 5})
        self.assertEqual(said["sent"], "010101" + "1" * 32 + "0000010000000000" + "0908")
        self.assertEqual([said["none"], said["large"], said["ids"], said["part"]], [[None] * 10, None, [None] * 5, None])
        self.assertIn(said["digest"], DOCUMENT)

    def test_records(self):
        said, examples = self.said["records"], DOCUMENT.replace(" ", "")
        body = "01" + "0000000000000102" + "0000000000000003" + "0000000000000004" + "0908"
        self.assertIn(said["compact"][28:], examples.replace("\ntag", ""))
        self.assertEqual(said["compact"][:28], "0100" + "00000005" + "0000000000000001")
        self.assertIn(json.dumps(said["json"], separators=(",", ":")), DOCUMENT)
        self.assertIn(said["next"], DOCUMENT)
        self.assertEqual([said["opened"], said["generations"], said["farFound"]], [[body, None, None], [1, body], None])
        self.assertEqual([said["window"], said["sizes"], said["unpadded"]], [[None, 1, None], [64, 128, 1024, 1280], [None, None, None, 1]])
        self.assertEqual(said["bodies"], [None, None, None, 1, None, None, 2, None, 4, 5, None, None])

    def test_names_addresses_and_what_a_computer_tells(self):
        said = self.said["texts"]
        self.assertEqual(said["names"], ["Unnamed device", "5", "Unnamed device", "Adabx", "x" * 128, "😀" * 128, "ok"])
        unsafe = "unsafeAddress"
        self.assertEqual(said["addresses"], [None, unsafe, None, unsafe, None, None, None, *[unsafe] * 7, None, unsafe, unsafe])
        self.assertEqual(said["keys"], [32, 32, *[None] * 5])
        self.assertEqual(said["rights"], [
            {"rights": ["a"], "rightsAt": 1, "ends": {}, "asks": {}}, None, None, 256,
            {"rights": [], "rightsAt": 1, "ends": {"b": 2}, "asks": {"d": {"state": "waiting", "until": 3}}},
        ])
        self.assertEqual(said["told"], [{"lan": "y", "relay": None}, {"lan": None, "relay": None}])


class SessionTests(WireTests):
    """The page's end of a session and a computer's in one process, with a clock and a network of the test's own."""

    MESSAGES = 10_000

    def test_each_of_many_messages_comes_once_and_in_order_over_a_bad_network(self):
        found = self.play("session.mjs", "lossy", 1, self.MESSAGES)
        self.assertEqual([found["phone"], found["computer"]], [True, True])

    def test_nothing_is_lost_or_doubled_where_connections_are_cut_and_no_handshake_is_needed(self):
        self.assertEqual(self.play("session.mjs", "cuts"), {"phone": True, "computer": True, "handshakes": 1})

    def test_a_computer_that_is_started_anew_gets_what_it_had_not_acknowledged(self):
        self.assertEqual(self.play("session.mjs", "restart"), {"computer": [0, 1, 2, 3, 4, 5], "phone": [0], "restarted": 1, "patterns": ["IK", "IKpsk2"]})

    def test_a_reload_resumes_and_begins_anew_where_the_computer_kept_nothing(self):
        self.assertEqual(self.play("session.mjs", "reload"), ["IKpsk2", "IKpsk2 IK"])

    def test_replays_forgeries_and_nonsense_change_nothing(self):
        self.assertEqual(self.play("session.mjs", "forgeries"), {"got": [0, 1], "state": "ready", "ended": 0, "handshakes": 1})

    def test_a_computers_own_word_ends_a_session(self):
        self.assertEqual(self.play("session.mjs", "notPaired"), {"states": ["connecting", "ended"], "ended": 1})

    def test_answers_of_others_open_nothing(self):
        self.assertEqual(self.play("session.mjs", "otherAnswers"), [["connecting", 0]] * 4 + [["ready", 0], ["connecting", 0]])

    def test_an_answer_that_comes_while_the_next_try_goes_out_leaves_both_ends_with_one_session(self):
        self.assertEqual(self.play("session.mjs", "overlap"), [[0], [0], 2])

    def test_kept_messages_are_handled_once_also_by_the_next_page(self):
        self.assertEqual(self.play("session.mjs", "kept"), {"before": {"done": [10], "kept": 0}, "after": {"done": [10, 11], "kept": 1}, "next": [12]})

    def test_counters_grow_though_the_clock_goes_back(self):
        self.assertEqual(self.play("session.mjs", "clocks"), 1_800_000_000_001)


class PairingTests(WireTests):
    """Pairing with a relay in between that does what it likes."""

    SCRIPT = ("pairings.mjs", 1000)

    def test_of_a_thousand_pairings_none_is_with_another_key(self):
        self.assertEqual(self.said["scans"], {"right": 445, "none": 555, "wrong": 0, "untyped": 0})

    def test_of_a_thousand_pairings_under_every_attack_of_the_hostile_relay_none_is_with_another_key(self):
        said = self.said["relayed"]
        self.assertEqual([said[name] for name in ("wrong", "alone", "untyped", "never")], [0, 0, [], []])
        # Where the relay lets enough through they pair: the other checks are about something.
        for way in ("scan", "show", "tenDigits", "sixDigits"):
            self.assertGreater(said["paired"][way], 25, way)

    def test_an_honest_relay_pairs_both(self):
        for way, outcome in self.said["carried"]["honest"].items():
            self.assertEqual(outcome, {"phone": "right", "computer": "right", "isEqual": way == "sixDigits", "untyped": None}, way)

    def test_a_relay_that_is_the_computer_for_the_phone(self):
        said = self.said["carried"]["impersonated"]
        # The relay knows six digits, and the phone cannot tell: only the person can, whose computer has no such number, and says so on the phone.
        for way in ("scan", "show", "tenDigits", "sixDigits"):
            self.assertEqual(said[way], {"phone": None, "computer": None, "isEqual": False, "untyped": None}, way)

    def test_a_code_of_the_phones_own_is_used_once_and_by_who_saw_it(self):
        self.assertEqual(self.said["shown"], [*["handshake-failed"] * 5, None, None, "e2e-required", True, True, None, "expired"])

    def test_typed_digits_are_one_guess(self):
        self.assertEqual(self.said["typed"], [
            "send  send wrongCode ", "handshakeFailed ", "send handshakeFailed ", "send  handshakeFailed", "   send", " ", "locked", "refused",
        ])


if __name__ == "__main__":
    unittest.main()
