"""Sealed conversations as the page's modules seal and open them, in Node and without a network. Source: docs/protocol.md 2.10."""

import json
import pathlib
import unittest

import test_wire
from test_wire import DOCUMENT

VECTORS = json.loads((pathlib.Path(__file__).resolve().parents[1] / "ChatSealingTests" / "Fixtures" / "sealed-vectors.json").read_text())


class VectorTests(test_wire.WireTests):
    """What 4.9 of the document and the vectors of the Swift client say."""

    SCRIPT = ("../chat/sealing-vectors.mjs",)

    def test_the_lists_of_devices_and_their_hashes(self):
        for name, chain in VECTORS["chains"].items():
            self.assertEqual(self.said["chains"][name], {"hashes": chain["hashes"], "made": chain["entries"]})
        self.assertIn(self.said["chains"]["bob"]["hashes"][1], DOCUMENT)

    def test_the_bundles(self):
        self.assertEqual(self.said["bundles"], {name: key["bundle"] for name, key in VECTORS["keys"].items()})

    def test_the_same_keys_and_randomness_make_the_same_message(self):
        said, message = self.said["message"], VECTORS["message"]
        self.assertEqual({name: said[name] for name in ("envelope", "inner", "aad", "digest")}, {name: message[name] for name in ("envelope", "inner", "aad", "digest")})
        for value in (said["aad"], said["digest"], said["envelope"]["body"], said["envelope"]["sig"]):
            self.assertIn(value, DOCUMENT)

    def test_every_device_but_the_sending_one_opens_it(self):
        content = {"contentType": 101, "content": "Grüße, Bob", "count": 1}
        self.assertEqual(self.said["message"]["opened"], {"adaPhone": "otherDevice", "adaLaptop": content, "bobPhone": content, "bobLaptop": content})

    def test_nothing_that_was_changed_opens(self):
        bad = "badSignature"
        self.assertEqual(self.said["changes"], [bad, "unknownList", bad, bad, bad, "unknownList", bad, "notListed", *[bad] * 5])

    def test_media(self):
        self.assertEqual(self.said["media"], {**{name: VECTORS["media"][name] for name in ("header", "sha256", "empty")}, "size": 70096, "isSame": True, "none": 0})

    def test_the_safety_number_is_the_same_for_both(self):
        said = self.said["numbers"]
        self.assertEqual({name: said[name] for name in ("first", "restarted")}, VECTORS["numbers"])
        self.assertEqual([said["matches"], said["news"]], [[True, False], ["restarted", "forked", "same"]])
        self.assertIn(" ".join(said["first"]["groups"]), DOCUMENT)


class DeviceTests(test_wire.WireTests):
    """Devices of two people at a hub in memory."""

    SCRIPT = ("../chat/sealing-devices.mjs",)

    def test_two_people_write_and_read_and_compare(self):
        said, read = self.said["talk"], ["hello", "hi"]
        self.assertEqual([said["isSealed"], said["isSame"], said["isHidden"], said["told"], said["own"]], [True] * 5)
        self.assertEqual([said["read"], said["findings"]], [[read] * 3, [[], []]])
        self.assertEqual([said["standing"], said["verified"], said["kept"]], [[[True, False, None], [True, False, None], 12, True], [True, True, None], [True, True, None]])

    def test_what_was_sealed_is_clear_by_a_deliberate_act_alone(self):
        said = self.said["clearness"]
        self.assertEqual([said["clear"], said["sealed"], said["unexpected"]], [False, True, [False, False, True]])
        self.assertEqual([said["stopped"], said["standing"], said["agreed"], said["after"]], ["onlyClear", [True, False, "clear"], [False, False, None], False])
        self.assertEqual([said["back"], said["end"], said["nothing"]], [True, [True, False, None], "nothingToAgree"])

    def test_a_device_comes_and_goes(self):
        said = self.said["devices"]
        self.assertEqual([said["waiting"], said["alone"], said["wrong"]], [[["Bob’s phone", "this"], ["Bob’s laptop", "waiting"]], ["deviceNotAdded", False], "notThatDevice"])
        self.assertEqual([said["list"], said["changes"]], [[["Bob’s phone", "this"], ["Bob’s laptop", "listed"]], [{"added": ["Bob’s laptop"], "removed": [], "isAnew": False}]])
        read = ["for both", "from the laptop"]
        self.assertEqual(said["read"], {"ada": ["before", *read], "bob": ["before", *read], "laptop": ["otherDevice", *read]})
        self.assertEqual([said["last"], said["keys"], said["out"], said["unknown"]], ["otherDevice", 2, "deviceNotAdded", "notThatDevice"])

    def test_a_list_that_began_anew_waits_for_the_person(self):
        said = self.said["anew"]
        self.assertEqual([said["warned"], said["unread"], said["stopped"]], [[True, True, "restarted"], ["before", "badSignature"], "keysBeganAnew"])
        self.assertEqual([said["agreed"], said["changes"]], [[True, False, None], [{"added": ["new phone"], "removed": [], "isAnew": True}]])
        later = ["I lost everything", "welcome back"]
        self.assertEqual([said["read"], said["own"], said["adopted"], said["nothing"]], [[["before", *later], ["otherDevice", *later]], "restarted", [None, False], "nothingToAgree"])

    def test_a_link_names_the_first_list(self):
        said = self.said["links"]
        self.assertEqual([said["right"], said["wrong"]], [[True, False, None], [[False, False, "forked"], "keysForked"]])
        self.assertEqual([said["known"], said["form"]], ["keysForked", "malformed"])

    def test_keys_are_made_weekly_and_deleted_by_the_rule(self):
        said = self.said["weeks"]
        self.assertEqual(said["counts"], [[1, 1], [1, 1], [2, 2], [2, 2], [2, 1], [3, 1]])
        self.assertEqual([said["read"], said["late"]], [["keyGone", "second week"], ["keyGone", "keyGone"]])
        self.assertCountEqual(said["canBeExported"], [None, None, False])

    def test_a_hub_that_is_away_goes_back_or_lost_everything(self):
        said = self.said["troubles"]
        self.assertEqual([said["down"], said["unknown"]], [["unreachable", "unreachable", [True, False, None]], "unreachable"])
        self.assertEqual([said["rolled"], said["healed"], said["given"]], [[[True, False, "forked"], "keysForked"], [1, [True, False, None]], 1])
        self.assertEqual([said["full"], said["again"], said["race"]], [["unknownList"], ["x"], [True, False, 1]])

    def test_files_are_opened_by_what_their_messages_say(self):
        said, key = self.said["files"], "chat/sealed/2026/"
        self.assertEqual(said["hubs"], [["sealed", [f"{key}1"], None], ["sealed", [f"{key}1", f"{key}3"], None], ["sealed", None, "chat/flash/sealed/2026/2"], ["sealed", [f"{key}4"], None], ["flash_viewed", None, None]])
        self.assertEqual([said["inside"], said["isViewed"]], [["h", "objectKey", "sealed", "type", "w"], False])
        self.assertEqual([said["opened"], said["unknown"], said["damaged"]], [[*["a picture"] * 3, True], ["unknownMessage"] * 2, "otherFile"])
        self.assertEqual([said["flash"], said["clear"], said["forgotten"]], [["a picture", False], None, [None, 0, 0]])

    def test_a_message_has_one_form_however_often_it_is_tried(self):
        said = self.said["repeats"]
        self.assertEqual([said["isSame"], said["counts"], said["isAnew"]], [True, [1, 2, 3, 4], True])
        self.assertEqual([said["endless"], said["tries"], said["read"]], ["refused", 3, ["a-2", "a-3", "a-4"]])


class HandoverTests(test_wire.WireTests):
    """History from one device of an account to another."""

    SCRIPT = ("../chat/handing-over.mjs",)

    def test_what_was_read_arrives_but_for_view_once_pictures(self):
        counts = {"done": 251, "messages": 251, "isCut": False, "failure": None}
        expected = {
            "offered": {"stage": "offered", **counts}, "taken": "taken", "done": [{"stage": "done", **counts}], "offers": 0, "texts": [252, "message 0", "message 249", "otherDevice"],
            "picture": "image", "opens": "image/png", "flash": None, "waiting": 0,
        }
        # Whether the hub's rows or the words come first.
        self.assertEqual([self.said["read"], self.said["waiting"]], [expected, expected])

    def test_it_goes_on_where_it_was_cut(self):
        said = self.said["cut"]
        self.assertEqual([said["before"], said["missing"]], [["taking", 199, True], 1])
        self.assertEqual(said["after"], {"stage": "done", "done": 451, "messages": 451, "isCut": False, "failure": None})

    def test_what_cannot_be_handed_over_is_said(self):
        other = "notThatDevice"
        self.assertEqual(self.said["asked"], [other, other, other, "deviceNotAdded", other, "nothingToHandOver", "keyNotInUse"])

    def test_nothing_of_a_lie_is_taken(self):
        said = self.said["lies"]
        self.assertEqual([said["unread"], said["said"], said["nothing"], said["honest"]], [0, ["The history that another device of yours"] * 3, 5, [None, 1]])
        self.assertEqual(said["bounds"], [None, "keyNotInUse", "keyNotInUse", "unknownList", "unknownList", "notListed"])

    def test_forms(self):
        said, bad, large = self.said["forms"], "malformed", "tooLarge"
        self.assertEqual(said["indexes"], [*[bad] * 5, large, bad, bad, large, None])
        self.assertEqual(said["pages"], [*[bad] * 11, large, bad, bad, None])
        self.assertEqual([said["unknown"], said["packed"]], [0, [200, 17, 17, None]])


class HostileTests(test_wire.WireTests):
    SCRIPT = ("../chat/sealing-hostile.mjs",)

    def test_lists(self):
        said, none = self.said["entries"], "notContinuation"
        self.assertEqual([said["shapes"], said["devices"], said["names"]], [[], [], ["malformed", "malformed", "tooLarge"]])
        self.assertEqual(said["changes"], [*[none] * 5, "malformed", "malformed", "tooLarge", *[none] * 3, "malformed", "malformed", None])
        self.assertEqual([said["starts"], said["listed"]], [["malformed", none, *["malformed"] * 4], ["device", "device", 32, "ab", 32]])

    def test_keys(self):
        said = self.said["bundles"]
        self.assertEqual([said["shapes"], said["low"], said["times"]], [[], "malformed", [True, False, True, False, False]])
        self.assertEqual([said["due"], said["over"]], [[True, False, True, True], [False, True, False, True]])

    def test_envelopes(self):
        said, bad, large = self.said["envelopes"], "malformed", "tooLarge"
        # What is as long as a body may be is read: its signature is looked at before anything is opened.
        self.assertEqual([said["shapes"], said["wrapped"]], [["body with A: null"], []])
        self.assertEqual(said["more"], [bad, large, bad, bad, bad, large, bad, bad, bad, large, bad, bad, bad, large])

    def test_contents(self):
        said = self.said["contents"]
        self.assertEqual(said["texts"], ["x", "x", *["damaged"] * 12, "é"])
        self.assertEqual(said["forms"], [1, *["damaged"] * 7, 5000])
        self.assertEqual([said["sizes"], said["large"]], [[256, 256, 1024, 4096, 8192, 65536], "tooLarge"])

    def test_media(self):
        said, other, length = self.said["media"], "otherFile", "wrongLength"
        self.assertEqual(said["hash"], [None, other, "tooLarge", other])
        self.assertEqual(said["told"], ["damaged", length, length, "tooLarge", "tooLarge", "malformed", length, other, other, length])
        self.assertEqual({each.split()[0] for each in said["objects"]}, {"size", "type", "preview", "without"})

    def test_ids_and_counts(self):
        said = self.said["ids"]
        self.assertEqual([said["numbers"], said["peers"], said["id"]], [[7, None, None, 2**53 - 1, *[None] * 6], [10, *[None] * 6], "si_tb_10_tb_9"])
        self.assertEqual(said["counts"], {"found": [None, None, "missing", "late", "repeated", "repeated", "missing", "repeated"], "kept": 256})

    def test_answers_of_the_hub(self):
        said, wrong = self.said["answers"], "wrongAnswer"
        self.assertEqual(said["said"], {"/chat/chain/get": [*[wrong] * 5, None, *[wrong] * 3, "keysForked"], "/chat/keys/bundles": [*[wrong] * 5, "onlyClear", wrong, wrong, "onlyClear", "onlyClear"]})
        self.assertEqual([said["sent"], said["opened"]], [True, [None, None, "damaged", None, None, None, None]])
        self.assertEqual(said["places"], ["damaged", "damaged", "unknownList", "unknownList", None, None])


class LyingHubTests(test_wire.WireTests):
    """What a hub can do to two people who seal."""

    SCRIPT = ("../chat/lying-hub.mjs", 12, 290)

    def test_nothing_is_read_by_another_nothing_false_is_shown_and_each_lie_is_said(self):
        self.assertEqual({name: self.said[name] for name in ("runs", "unsaid", "false", "read", "honest")}, {"runs": 3480, "unsaid": [], "false": [], "read": [], "honest": []})

    def test_each_lie_is_said_by_its_name(self):
        bad, out, forked = {"badSignature"}, ["left out"], ["keysForked"]
        reasons = self.said["reasons"]
        self.assertEqual([len(reasons), reasons["introduced"]], [29, ["forked", "unknownList"]])
        for lie in ("renamed", "mixedKeys", "swappedKeys", "cutKeys", "moreKeys", "otherBody", "turnedRound", "forgedMessage"):
            self.assertEqual(set(reasons[lie]), bad | {"missing"}, lie)
        self.assertEqual([reasons[lie] for lie in ("withheld", "replayed", "reordered", "inTheClear")], [["missing"], ["repeated"], ["late", "missing"], ["clear", "missing"]])
        self.assertEqual([reasons[lie] for lie in ("otherKey", "strangersKey", "othersBundle", "nonsense", "onlyOwnKey", "noKeys")], [out] * 4 + [["onlyClear"]] * 2)
        self.assertEqual([reasons[lie] for lie in ("addedDevice", "forgedEntry", "another", "forked", "rolledBack", "somebodyElses", "restarted")], [forked] * 6 + [["keysBeganAnew"]])


if __name__ == "__main__":
    unittest.main()
