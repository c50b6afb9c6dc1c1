"""The account and the conversations of a browser that is the phone, in Node and over a hub in memory."""

import base64
import io
import json
import pathlib
import subprocess
import unittest
import zipfile

TESTS = pathlib.Path(__file__).resolve().parent
ROUNDS = 40
CONTRACT = json.loads((TESTS / "contract.json").read_text())["control"]
# What a browser does not serve: paths of a program's machine.
NOT_SERVED = {"chat.media", "chat.flash"}
# What needs devices that seal: `test_chat_sealing.py`, `test_real_browser_chat.py` and `test_real_browser_devices.py`.
SEALED = {"chat.verify", "chat.agree", "chat.devices", "chat.addDevice", "chat.handOver", "chat.removeDevice", "chat.renewDevices"}
# What is asked in a walk over real programs.
WALKED = {"account.login", "chat.resend", "chat.discard", "chat.setFace", "chat.push"}


def run(script, *arguments, seconds=120):
    done = subprocess.run(["node", "--no-warnings", TESTS / "chat-client" / script, *arguments], capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        raise AssertionError(f"{script}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


class MethodTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.said = run("methods.mjs")

    def says(self, **expected):
        self.assertEqual({name: self.said[name] for name in expected}, expected)

    def test_what_is_answered_and_told_fits_the_contract(self):
        self.assertEqual(self.said["misfits"], [])

    def test_every_method_of_a_phone_is_asked(self):
        methods = {name for name, method in CONTRACT.items() if name.startswith(("account.", "chat.")) and "phone" in method["roles"]}
        self.assertEqual(methods - set(self.said["asked"]) - NOT_SERVED - SEALED - WALKED, set())

    def test_the_account_shows_what_the_hub_says_and_no_more(self):
        self.says(account="https://hub.example", profile="ada", devices=1, renamed="Ada L")

    def test_a_message_that_is_sent_again_is_the_same(self):
        self.says(again="m-1", here=["text sent", "quote sent", "image sent", "voice sent", "flash sent"], there=["m-1 text hello", "sq- quote Yes", "p-1 image", "v-1 voice", "f-1 flash closed"])

    def test_files_are_what_their_bytes_say(self):
        self.says(picture="image/jpeg", voice="audio/ogg", wrongFile="bad-request notARecording", goneFile="expired attachmentGone")

    def test_a_view_once_picture_is_given_once_and_kept_nowhere(self):
        self.says(flash=44, flashAgain="expired flashGone", flashKept=0)

    def test_what_was_taken_back_leaves_nothing(self):
        self.says(recalled="recalled", kept=0, cleared=0, left=0)

    def test_everything_is_exported_into_one_archive(self):
        self.assertEqual(self.said["exported"], {"folder": "my chats.zip", "conversations": 1, "messages": 5, "files": 3})
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(self.said["archive"]))) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            talk = self.said["conversation"]
            self.assertEqual(names, [f"my chats/{talk}-{place}.{suffix}" for place, suffix in (("3-1", "jpg"), ("3-2", "jpg"), ("4-1", "ogg"))] + [f"my chats/{talk}.jsonl"])
            lines = [json.loads(line) for line in archive.read(names[-1]).splitlines()]
        self.assertEqual([(line["kind"], len(line.get("files", []))) for line in lines], [("text", 0), ("quote", 0), ("image", 2), ("voice", 1), ("flash", 0)])
        # Without the hub what is missing cannot be had: it is no export.
        self.assertEqual(self.said["brokenExport"], ["offline unreachable", None])

    def test_failures_are_typed(self):
        self.assertEqual(self.said["refused"], {
            "notYours": "not-allowed notYours", "blank": "bad-request blank", "tooLong": "too-large tooLong", "id": "bad-request malformed", "nobody": "not-found refused",
            "oneself": "not-allowed notYours", "otherHub": "bad-request otherHub", "unknown": "not-found unknownMessage", "verify": "refused notSealed", "media": "unknown-method",
            "handOver": "refused notSealed", "again": "exists account.alreadySignedIn",
        })

    def test_without_an_account_there_is_nothing(self):
        self.says(out={"hubWasTold": True}, signedOut=["signedOut", "signed-out noAccount", None, "not-found account.notSignedIn"], elsewhere="bad-request account.otherServer")


class HostileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.said = run("hostile.mjs")

    def test_a_row_that_cannot_be_read_spoils_no_other(self):
        self.assertEqual(self.said["amongOthers"], ["one", "unreadable", "three"])

    def test_what_is_none_changes_nothing(self):
        self.assertEqual([self.said[name] for name in ("count", "conversations", "leap", "lies", "last")], [3, 1, False, [4] * 6, True])

    def test_a_receiver_burns_no_picture_of_another(self):
        self.assertEqual(self.said["flash"], "closed")

    def test_places_between_are_asked_for_in_bounded_parts(self):
        self.assertLessEqual(self.said["far"], 26)

    def test_a_session_that_is_over(self):
        self.assertEqual([self.said["over"], self.said["account"], self.said["waits"]], ["expired signedOut", None, ["k-1 false"]])


class HandedTests(unittest.TestCase):
    """What another device hands over, against what the hub says."""

    @classmethod
    def setUpClass(cls):
        cls.said = run("handed.mjs")

    def test_a_message_that_could_not_be_opened_gets_its_words(self):
        self.assertEqual(self.said["filled"], ["text one", "image", "text three"])

    def test_one_that_did_not_hold_stays_closed(self):
        self.assertEqual(self.said["closed"], ["badSignature", "unknownList", "damaged"])

    def test_words_wait_for_a_message_of_the_same_sender_id_and_place(self):
        self.assertEqual(self.said["waited"], ["text waits", "otherDevice", "otherDevice", "otherDevice"])
        self.assertEqual(self.said["waiting"], 0)

    def test_the_first_of_two_that_name_a_place_stays(self):
        self.assertEqual(self.said["doubled"], "text first")

    def test_nothing_is_shown_that_was_recalled_deleted_or_cleared(self):
        self.assertEqual(self.said["recalled"], ["recalled", "recalled", 0])
        self.assertEqual(self.said["deleted"], [0, 0])
        self.assertEqual(self.said["cleared"], [0, 0])

    def test_no_row_and_no_conversation_is_made_of_it(self):
        self.assertEqual(self.said["made"], {"rows": 0, "conversations": 0, "listed": 0})

    def test_a_page_and_how_far_it_came_are_one_write(self):
        self.assertEqual(self.said["broken"], {"row": "otherDevice", "place": None})

    def test_all_conversations_go_out_the_newest_first_and_from_each_place_on(self):
        self.assertEqual(self.said["out"], self.said["sent"])
        self.assertEqual(self.said["count"], len(self.said["sent"]))
        self.assertEqual(self.said["rest"], self.said["sent"][3:])

    def test_what_is_larger_than_it_was_said_is_another_file(self):
        self.assertEqual(self.said["objects"], ["otherFile", "refused", "malformed"])


class ConvergenceTests(unittest.TestCase):
    def test_nothing_is_lost_or_doubled_whatever_the_network_does(self):
        said = run("convergence.mjs", str(ROUNDS))
        self.assertEqual((said["wrong"], said["rounds"]), ([], ROUNDS))
        self.assertGreater(said["kills"], ROUNDS)


if __name__ == "__main__":
    unittest.main()
