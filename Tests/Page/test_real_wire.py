"""The page's wire modules, as a phone in Node, against a real hub and a real computer."""

import hashlib
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Rig"))
from browserless import Pair, Refused  # noqa: E402


class PairingTests(unittest.TestCase):
    """Each test with a phone of a key of its own, at one hub and one computer."""

    @classmethod
    def setUpClass(cls):
        cls.pair = cls.enterClassContext(Pair())

    def setUp(self):
        self.phone = self.pair.phone = self.pair.new_phone()

    def ends(self, act, name):
        """What ends an order that was begun."""
        with self.assertRaises(Refused) as caught:
            self.phone(act, name=name)
        return caught.exception.code, caught.exception.reason

    def test_a_scanned_code_pairs_and_a_reload_stays_paired(self):
        record = self.pair.pair_phone()
        self.assertEqual([record["id"], record["did"], record["name"]], [self.pair.said["desktop"][name] for name in ("deviceId", "did", "name")])
        self.assertEqual(record["words"], self.pair.said["desktop"]["fingerprint"])
        self.assertTrue(self.phone("call", id=record["id"], method="system.ping")["pong"])
        self.assertTrue(self.phone("computers")[0]["isConfirmed"])
        self.assertEqual(self.phone("open", home=self.pair.said["hub"]["url"]), {**self.phone.opened, "computers": 1})
        self.assertTrue(self.phone("call", id=record["id"], method="system.ping")["pong"])

    def test_a_link_pairs_as_the_code_that_it_was_made_of(self):
        self.phone("scan", text=self.phone("linkOf", text=self.pair.code(), origin=self.pair.said["hub"]["url"].replace("ws", "http", 1)))
        self.pair.accept()
        self.assertEqual(self.phone("finish", name="scan")["id"], self.pair.said["desktop"]["deviceId"])

    def test_a_person_who_says_no(self):
        self.phone("scan", text=self.pair.code())
        request = self.pair.until(lambda: self.pair.json("desktop", "pair", "requests")["requests"])[0]
        self.pair.run("desktop", "pair", "reject", request["id"])
        self.assertEqual(self.ends("finish", "scan"), ("refused", "declined"))

    def test_a_code_is_good_for_one_use(self):
        code = self.pair.code()
        self.phone("scan", text=code)
        self.pair.accept()
        self.phone("finish", name="scan")
        self.phone = self.pair.new_phone()
        self.phone("scan", text=code)
        self.assertEqual(self.ends("finish", "scan"), ("expired", "shownCodeExpired"))

    def test_a_question_is_taken_back(self):
        self.phone("abortScan", text=self.pair.code())
        self.pair.until(lambda: self.pair.json("desktop", "pair", "requests")["requests"])
        self.phone("abort")
        self.assertEqual(self.ends("finish", "scan")[0], "cancelled")
        self.pair.until(lambda: not self.pair.json("desktop", "pair", "requests")["requests"])

    def test_ten_digits_pair(self):
        digits = self.pair.digits()
        self.phone("type", digits=digits)
        self.pair.accept()
        self.assertEqual(self.phone("finish", name="type")["id"], self.pair.said["desktop"]["deviceId"])
        self.phone("ready", id=self.pair.computer)
        self.assertEqual([item["state"] for item in self.phone("progress")], ["identified", "waiting", "waiting"])

    def test_six_digits_pair_once_the_number_is_compared(self):
        self.phone("type", digits=self.pair.digits("--six-digits"))
        number = self.pair.until(lambda: next((item["number"] for item in self.phone("progress") if item["state"] == "compare"), None))
        self.pair.accept("--number", number)
        self.pair.until(lambda: any(item["state"] == "confirm" for item in self.phone("progress")))
        self.assertEqual(self.phone("computers"), [])
        self.phone("confirm", same=True)
        self.assertEqual(self.phone("finish", name="type")["id"], self.pair.said["desktop"]["deviceId"])

    def test_six_digits_without_the_phones_yes_leave_nothing_on_both_sides(self):
        paired = lambda: [each["did"] for each in self.pair.json("desktop", "devices", "list")["devices"]]
        before = paired()
        self.phone("type", digits=self.pair.digits("--six-digits"))
        number = self.pair.until(lambda: next((item["number"] for item in self.phone("progress") if item["state"] == "compare"), None))
        self.pair.until(lambda: self.pair.json("desktop", "pair", "requests")["requests"])
        self.pair.accept("--number", number)
        self.pair.until(lambda: any(item["state"] == "confirm" for item in self.phone("progress")))
        self.phone("confirm", same=False)
        self.assertEqual(self.ends("finish", "type"), ("refused", "numberUnconfirmed"))
        self.pair.until(lambda: paired() == before)
        self.assertEqual(self.phone("computers"), [])

    def test_wrong_digits_end_in_a_refusal(self):
        digits = self.pair.digits()
        self.phone("type", digits=digits[:9] + str((int(digits[9]) + 1) % 10))
        self.assertEqual(self.ends("finish", "type"), ("refused", "wrongCode"))

    def test_digits_that_nobody_shows(self):
        self.phone("type", digits="1000000000")
        self.assertEqual(self.ends("finish", "type"), ("not-found", "codeNotShown"))

    def test_a_code_of_the_phones_own(self):
        text = self.phone("show")
        self.pair.run("desktop", "pair", "scan", "--text", "-", input=text)
        record = self.phone("finish", name="show")
        self.phone("ready", id=record["id"])
        self.assertTrue(self.phone("computers")[0]["isConfirmed"])

    def test_a_code_of_the_phones_own_that_was_taken_back(self):
        text = self.phone("show")
        self.phone("hide")
        self.assertEqual(self.ends("finish", "show"), ("expired", "codeWithdrawn"))
        with self.assertRaisesRegex(Exception, "expired"):
            self.pair.run("desktop", "pair", "scan", "--text", "-", input=text)

    def test_a_computer_that_forgets_the_phone_ends_it_at_once(self):
        record = self.pair.pair_phone()
        self.pair.run("desktop", "devices", "forget", self.phone.opened["did"])
        self.assertEqual(self.phone("waitForEnd")["value"], {"id": record["id"], "reason": "forgotten"})
        self.assertEqual(self.phone("computers"), [])

    def test_a_computer_that_forgot_the_phone_while_it_was_away_says_so(self):
        record = self.pair.pair_phone()
        self.phone("pause")
        self.pair.run("desktop", "devices", "forget", self.phone.opened["did"])
        self.phone("resume")
        self.assertEqual(self.phone("waitForEnd")["value"], {"id": record["id"], "reason": "forgotten"})

    def test_a_phone_that_forgets_the_computer_tells_it(self):
        record = self.pair.pair_phone()
        self.assertTrue(self.phone("forget", id=record["id"]))
        listed = lambda: [device for device in self.pair.json("desktop", "devices", "list")["devices"] if device["id"] == self.phone.opened["did"]]  # noqa: E731
        self.pair.until(lambda: not listed())

    def test_what_was_not_allowed_is_refused_until_it_is(self):
        record = self.pair.pair_phone()
        for act, args, right in (("terminal", {"cols": 80, "rows": 24}, "terminal"), ("download", {"path": "shared/a"}, "file.read"), ("upload", {"folder": "shared", "name": "b", "size": 5}, "file.write")):
            with self.assertRaises(Refused) as caught:
                self.phone(act, id=record["id"], **args)
            refused = caught.exception
            self.assertEqual([refused.name, refused.code, refused.rpc, refused.right], ["WireError", "not-allowed", -32010, right])
        self.pair.allow("terminal", "file")
        given = self.pair.until(lambda: {"terminal", "file.read", "file.write"} & set(self.phone("computers")[0]["rights"] or []))
        self.assertEqual(given, {"terminal", "file.read", "file.write"})
        self.phone("terminal", id=record["id"], cols=80, rows=24)


class SessionTests(unittest.TestCase):
    """One phone that is paired, and what it does at the computer."""

    @classmethod
    def setUpClass(cls):
        cls.pair = cls.enterClassContext(Pair())
        cls.phone = cls.pair.phone
        cls.id = cls.pair.pair_phone("terminal", "file", "clipboard")["id"]

    def call(self, method, params=None, **options):
        return self.phone("call", id=self.id, method=method, params=params or {}, options=options)

    def refusal(self, act, **args):
        with self.assertRaises(Refused) as caught:
            self.phone(act, id=self.id, **args)
        return caught.exception

    def test_calls_and_their_failures(self):
        self.assertEqual(self.refusal("call", method="no.such", params={}).code, "unknown-method")
        self.assertEqual(self.refusal("call", method="terminal.stdin", params={"sessionId": "s-0", "data": "x"}).reason, "session_not_found")
        self.assertEqual({skill["namespace"] for skill in self.call("registry.list")["skills"]} & {"terminal", "file"}, {"terminal", "file"})

    def test_calls_side_by_side_while_connections_are_cut(self):
        self.assertEqual(self.phone("callsAcrossCuts", id=self.id, count=240, cuts=[50, 120]), 240)

    def test_a_terminal_gives_two_hundred_thousand_lines_in_order(self):
        self.phone("terminal", id=self.id, cols=80, rows=24, shell="bash")
        self.phone("type_keys", data="stty -echo; seq -f 'line %.0f' 200000; echo all''-done\n")
        self.phone("shows", text="all-done", seconds=60)
        self.assertEqual(self.phone("lines", count=200000), 200000)
        self.phone("type_keys", data="exit 3\n")
        self.assertEqual(self.phone("exits")["code"], 3)

    def test_a_terminal_loses_nothing_where_its_connection_is_cut(self):
        self.phone("terminal", id=self.id, cols=80, rows=24, shell="bash")
        self.phone("type_keys", data="stty -echo; for i in $(seq 4000); do echo line $i; done; echo it-is'-over'\n")
        self.phone("shows", text="line 100")
        self.phone("cut")
        self.phone("shows", text="it-is-over", seconds=30)
        self.assertEqual(self.phone("lines", count=4000), 4000)
        session = self.call("terminal.list")["sessions"][-1]["id"]
        self.phone("detach")
        self.phone("terminal", id=self.id, sessionId=session, cols=100, rows=30)
        self.phone("shows", text="line 4000")
        self.phone("type_keys", data="exit\n")
        self.assertEqual(self.phone("exits")["code"], 0)

    def test_a_terminal_that_there_is_not(self):
        refused = self.refusal("terminal", sessionId="no-such", cols=80, rows=24)
        self.assertEqual([refused.code, refused.reason], ["not-found", "session_not_found"])

    def test_a_file_comes_whole(self):
        contents = os.urandom(20 * 1024 * 1024 + 17)
        (self.pair.shared / "large.bin").write_bytes(contents)
        got = self.phone("download", id=self.id, path=str(self.pair.shared / "large.bin"))
        self.assertEqual([got["name"], got["size"], got["bytes"], got["sha256"]], ["large.bin", len(contents), len(contents), hashlib.sha256(contents).hexdigest()])
        part = self.phone("download", id=self.id, path=str(self.pair.shared / "large.bin"), options={"from": 1_000_001, "version": got["version"]})
        self.assertEqual([part["from"], part["sha256"]], [1_000_001, hashlib.sha256(contents[1_000_001:]).hexdigest()])
        self.assertEqual(self.phone("download", id=self.id, path=str(self.pair.shared / "large.bin"), options={"from": 5, "version": "another"})["from"], 0)

    def test_empty_files_go_both_ways(self):
        (self.pair.shared / "empty").write_bytes(b"")
        self.assertEqual(self.phone("download", id=self.id, path=str(self.pair.shared / "empty"))["bytes"], 0)
        self.phone("upload", id=self.id, folder=str(self.pair.shared), name="empty-too", size=0)
        self.assertEqual((self.pair.shared / "empty-too").read_bytes(), b"")

    def test_a_file_that_is_cut_twice_comes_whole(self):
        contents = os.urandom(20 * 1024 * 1024)
        (self.pair.shared / "cut.bin").write_bytes(contents)
        got = self.phone("downloadAcrossCuts", id=self.id, path=str(self.pair.shared / "cut.bin"), cuts=[4_000_000, 12_000_000])
        self.assertEqual(got["sha256"], hashlib.sha256(contents).hexdigest())

    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.refusal("download", path=str(self.pair.shared / "none")).code, "not-found")

    def test_a_file_arrives_whole_also_where_it_is_cut(self):
        contents = bytes(at * 7 % 251 for at in range(5_000_003))
        self.phone("upload", id=self.id, folder=str(self.pair.shared), name="up.bin", size=len(contents))
        self.assertEqual((self.pair.shared / "up.bin").read_bytes(), contents)
        self.phone("upload", id=self.id, folder=str(self.pair.shared), name="up-cut.bin", size=len(contents), cuts=[1_000_000, 3_000_000])
        self.assertEqual((self.pair.shared / "up-cut.bin").read_bytes(), contents)
        self.assertEqual(self.refusal("upload", folder=str(self.pair.shared), name="up.bin", size=3).code, "exists")
        self.phone("upload", id=self.id, folder=str(self.pair.shared), name="up.bin", size=3, options={"overwrite": True})
        self.assertEqual((self.pair.shared / "up.bin").read_bytes(), contents[:3])

    def test_commands_wait_for_a_computer_that_is_away_and_are_done_once(self):
        folder = self.pair.shared / "made"
        self.pair.kill("desktop")
        self.phone("waitFor", id=self.id, state="away")
        for name in ("made", "made/inner"):
            self.assertTrue(self.phone("queue", id=self.id, method="file.createDirectory", params={"path": str(self.pair.shared / name)})["queued"])
        self.assertEqual(self.phone("open", home=self.pair.said["hub"]["url"])["computers"], 1)
        self.assertEqual([command["status"] for command in self.phone("queued")], ["pending", "pending"])
        self.pair.start_desktop()
        self.phone("queueEmpties")
        self.assertTrue((folder / "inner").is_dir())
        done = self.phone("queue", id=self.id, method="file.createDirectory", params={"path": str(folder / "now")})
        self.assertEqual([done["queued"], (folder / "now").is_dir()], [False, True])

    def test_a_command_that_the_computer_refuses_is_kept_for_the_person(self):
        self.pair.kill("desktop")
        self.phone("waitFor", id=self.id, state="away")
        self.phone("queue", id=self.id, method="clipboard.set", params={"type": "nonsense", "content": "x"})
        self.pair.start_desktop()
        failed = self.pair.until(lambda: [command for command in self.phone("queued") if command["status"] == "failed"])
        self.assertEqual([failed[0]["method"], failed[0]["errorMessage"] != ""], ["clipboard.set", True])
        self.phone("unqueue", id=failed[0]["id"])
        self.assertEqual(self.phone("queued"), [])

    def test_what_cannot_wait_is_not_queued(self):
        self.assertEqual(self.refusal("queueLater", method="terminal.create", params={}).reason, "notQueueable")
        self.assertEqual(self.refusal("queueLater", method="clipboard.set", params={"content": "x" * 262_144}).reason, "commandTooLarge")

    def test_a_hub_that_is_killed_and_back(self):
        self.pair.kill("hub")
        self.phone("waitFor", id=self.id, state="offline")
        self.pair.start_hub()
        self.phone("waitFor", id=self.id, state="ready")
        self.assertTrue(self.call("system.ping")["pong"])

    def test_a_computer_that_is_started_anew_in_the_middle_of_a_file(self):
        contents = os.urandom(8 * 1024 * 1024)
        (self.pair.shared / "half.bin").write_bytes(contents)
        self.phone("downloadHalf", id=self.id, path=str(self.pair.shared / "half.bin"))
        self.pair.kill("desktop")
        self.phone("waitFor", id=self.id, state="away")
        self.assertEqual(self.refusal("call", method="system.ping", params={}).code, "away")
        self.pair.start_desktop()
        self.phone("goOn")
        self.assertEqual(self.phone("finish", name="download"), len(contents))


if __name__ == "__main__":
    unittest.main()
