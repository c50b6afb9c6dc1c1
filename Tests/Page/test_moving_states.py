"""Moving to a new phone: what its screen shows when, its rate, its passwords and codes, and a sentence for every reason; without a browser."""

import json
import math
import pathlib
import re
import unittest

from server import PAGE
from test_catalogue import catalogue, node
from test_screen_states import StateTests

SOURCES = PAGE.parent.parent
FOLDER = PAGE / "features" / "moving"
IDLE = {
    "role": None, "step": "idle", "path": None, "peer": None, "pin": None, "code": None, "addresses": [], "isLinked": False, "fraction": 0, "doneBytes": 0, "totalBytes": 0,
    "timeLeft": None, "pausedHere": None, "pausedThere": None, "trouble": None, "offer": None, "dials": False, "isAgreed": False, "canStartAgain": False, "own": None, "failure": None, "report": None, "undo": None, "lastStart": None,
}
SOMETHING = {"reason": "linkLost", "message": "", "values": {}}


def flow(step, role="new", **members):
    return {**IDLE, "role": role, "step": step, **members}


def asked(module, call):
    """What an expression over a module's functions answers."""
    return node(f"import * as module from '{(FOLDER / module).as_uri()}'; console.log(JSON.stringify({call}));")


class FlowStateTests(StateTests):
    module = "features/moving/flow-state.js"
    TOLD = {"kind": "told"}
    RESTED = {"kind": "rested"}

    @staticmethod
    def answered(turn, step="idle", at=0, **members):
        return {"kind": "answered", "turn": turn, "at": at, "flow": flow(step, **members)}

    def stand(self, after):
        return asked("flow-state.js", f"module.standOf({json.dumps(after['state'])}, null)")

    def test_what_is_told_while_a_question_is_open_is_asked_for_after_a_rest(self):
        first = self.after(self.TOLD)
        self.assertEqual(first["effects"], [{"do": "ask", "turn": 1}])
        self.assertEqual(self.after(self.TOLD, self.TOLD, self.TOLD)["effects"], [])
        answered = self.after(self.TOLD, self.TOLD, self.answered(1))
        self.assertEqual(answered["effects"], [{"do": "rest"}])
        self.assertEqual(self.after(self.TOLD, self.TOLD, self.answered(1), self.RESTED)["effects"], [{"do": "ask", "turn": 2}])

    def test_without_news_nothing_is_asked_after_the_rest_and_news_then_at_once(self):
        self.assertEqual(self.after(self.TOLD, self.answered(1), self.RESTED)["effects"], [])
        self.assertEqual(self.after(self.TOLD, self.answered(1), self.RESTED, self.TOLD)["effects"], [{"do": "ask", "turn": 2}])

    def test_what_a_button_answered_is_not_taken_back_by_an_older_answer_and_is_asked_for_again(self):
        changed = {"kind": "changed", "at": 0, "flow": flow("showing", pin="482913")}
        late = self.after(self.TOLD, changed, self.answered(1))
        self.assertEqual(late["state"]["flow"]["step"], "showing")
        self.assertEqual(self.after(self.TOLD, changed, self.answered(1), self.RESTED)["effects"], [{"do": "ask", "turn": 3}])

    def test_a_failure_takes_nothing_away_that_is_shown(self):
        failed = {"kind": "failed", "turn": 1, "error": {"code": "lost"}}
        self.assertEqual(self.after(self.TOLD, failed)["state"]["phase"], "failed")
        state = self.after(self.TOLD, self.answered(1), self.RESTED, self.TOLD, {**failed, "turn": 2})["state"]
        self.assertEqual((state["phase"], state["flow"]["step"]), ("shown", "idle"))

    def test_an_end_that_was_put_away_comes_back_with_the_next_move_only(self):
        away = [self.TOLD, self.answered(1, "done"), {"kind": "putAway"}]
        self.assertEqual(self.stand(self.after(*away, self.RESTED, self.TOLD, self.answered(2, "done"))), "choose")
        begun = [*away, {"kind": "changed", "at": 0, "flow": flow("showing")}]
        for end in ("failed", "done"):
            self.assertEqual(self.stand(self.after(*begun, {"kind": "changed", "at": 0, "flow": flow(end)})), end, "as often as it ends")
        self.assertEqual(self.stand(self.after(*away, self.RESTED, self.TOLD, self.answered(2, "done", path="/another"))), "done")

    def test_how_a_start_ended_that_was_waited_for_is_said_until_it_is_put_away(self):
        start = {"lastStart": {"change": "restore", "failure": None}}
        ready = [self.TOLD, self.answered(1, "ready", isAgreed=True, canStartAgain=True)]
        self.assertEqual(self.stand(self.after(*ready)), "placing")
        # The socket is gone for a moment, and what was known stays.
        away = [*ready, self.RESTED, self.TOLD, {"kind": "failed", "turn": 2, "error": {"code": "lost"}}]
        self.assertEqual(self.stand(self.after(*away)), "placing")
        placed = [*away, self.RESTED, self.TOLD, self.answered(3, **start)]
        self.assertEqual(self.stand(self.after(*placed)), "placed")
        self.assertEqual(self.stand(self.after(*placed, self.RESTED, self.TOLD, self.answered(4, **start))), "placed")
        self.assertEqual(self.stand(self.after(*placed, {"kind": "putAway"})), "choose")
        self.assertEqual(self.stand(self.after(*placed, {"kind": "changed", "at": 0, "flow": flow("showing", pin="482913")})), "showing")
        # Whoever opens the page behind it, or takes the word back, is told nothing of a start.
        self.assertEqual(self.stand(self.after(self.TOLD, self.answered(1, **start))), "choose")
        self.assertEqual(self.stand(self.after(*ready, {"kind": "changed", "at": 0, "flow": flow("idle")})), "choose")

    def test_the_password_is_looked_at_until_the_program_says_more(self):
        agreed = [self.TOLD, self.answered(1, "agreeing"), {"kind": "changed", "at": 0, "flow": flow("agreeing")}, {"kind": "agreed"}]
        self.assertTrue(self.after(*agreed)["state"]["isAnswered"])
        self.assertTrue(self.after(*agreed, self.RESTED, self.TOLD, self.answered(3, "agreeing"))["state"]["isAnswered"])
        wrong = {"reason": "wrongPassword", "message": "", "values": {}}
        self.assertFalse(self.after(*agreed, self.RESTED, self.TOLD, self.answered(3, "agreeing", trouble=wrong))["state"]["isAnswered"])
        self.assertFalse(self.after(*agreed, self.RESTED, self.TOLD, self.answered(3, "receiving"))["state"]["isAnswered"])
        anew = self.answered(3, "agreeing", offer={"counts": {}})
        self.assertFalse(self.after(*agreed, self.RESTED, self.TOLD, anew)["state"]["isAnswered"])


class StandTests(unittest.TestCase):
    def stand(self, shown, way=None, **state):
        value = {"phase": "shown", "flow": shown, "seen": None, **state}
        return asked("flow-state.js", f"module.standOf({json.dumps(value)}, {json.dumps(way)})")

    def test_where_nothing_is_under_way_the_address_chooses(self):
        self.assertEqual([self.stand(IDLE), self.stand(IDLE, "send"), self.stand(IDLE, "export"), self.stand(IDLE, "constructor")], ["choose", "send", "export", "choose"])

    def test_what_is_under_way_comes_before_the_address(self):
        self.assertEqual(self.stand(flow("sending", "old"), "receive"), "progress")
        self.assertEqual(self.stand(flow("done", "old"), "receive"), "done")

    def test_each_step_has_its_view_on_either_phone(self):
        self.assertEqual(
            [self.stand(flow(step, role, **more)) for step, role, more in (
                ("showing", "new", {"pin": "482913"}), ("showing", "new", {}), ("connecting", "old", {}), ("entering", "old", {}), ("preparing", "new", {}), ("agreeing", "old", {}),
                ("agreeing", "new", {}), ("receiving", "new", {}), ("writing", "old", {}), ("restoring", "new", {}), ("ready", "new", {}), ("ready", "new", {"isAgreed": True}), ("ready", "new", {"isAgreed": True, "canStartAgain": True}), ("failed", "new", {}),
                ("a step of a later version", "new", {}),
            )],
            ["showing", "progress", "progress", "entering", "progress", "progress", "agreeing", "progress", "progress", "progress", "offered", "restart", "placing", "failed", "progress"],
        )

    def test_before_the_first_answer_nothing_is_claimed(self):
        self.assertEqual([self.stand(None, phase="asking"), self.stand(None, phase="failed")], ["asking", "failedToAsk"])

    def test_phases_say_what_is_behind_and_what_comes(self):
        def phases(shown):
            return [f"{each['id']} {each['state']}" for each in asked("flow-state.js", f"module.phasesOf({json.dumps(shown)})")]

        self.assertEqual(phases(flow("entering", "old")), ["connecting now", "preparing next", "agreeing next", "sending next", "restoring next"])
        self.assertEqual(phases(flow("receiving")), ["connecting done", "preparing done", "agreeing done", "receiving now", "restoring next", "ready next"])
        self.assertEqual(phases(flow("writing", "old", path="/a")), ["preparing done", "writing now"])
        self.assertEqual(phases(flow("restoring", path="/a")), ["restoring now", "ready next"])

    def test_the_bar_stands_for_what_is_known(self):
        def part(shown):
            return asked("flow-state.js", f"module.partOf({json.dumps(shown)})")

        self.assertEqual(part(flow("sending", "old", fraction=0.4, totalBytes=10)), 0.4)
        self.assertEqual(part(flow("writing", "old", path="/a", fraction=0)), 0)
        self.assertEqual([part(flow("preparing", "old", fraction=0.2, doneBytes=7)), part(flow("connecting", "old")), part(flow("sending", "old"))], [None, None, None])

    def test_only_a_transfer_waits_and_what_waits_here_goes_on_here(self):
        def can(name, *shown):
            return [asked("flow-state.js", f"module.{name}({json.dumps(each)})") for each in shown]

        self.assertEqual(can("canPause", flow("sending"), flow("receiving", pausedThere="user"), flow("sending", pausedHere="user"), flow("writing", path="/a"), flow("agreeing")), [True, True, False, False, False])
        self.assertEqual(can("canResume", flow("sending", pausedHere="diskFull"), flow("sending", pausedThere="user"), flow("sending")), [True, False, False])


class RateTests(unittest.TestCase):
    def rate(self, *looks):
        """The rate after looks `(milliseconds, bytes)`, and what else they saw."""
        seen = [[at, flow("sending", doneBytes=done) | dict(more)] for at, done, *more in ((at, done, *more) for at, done, *more in looks)]
        return asked("flow-state.js", f"{json.dumps(seen)}.reduce((rate, [at, flow]) => module.rated(rate, flow, at), null)")

    def test_it_is_known_from_the_second_look_on_and_forgets(self):
        self.assertIsNone(self.rate((0, 0))["perSecond"])
        self.assertEqual(self.rate((0, 0), (1000, 1_000_000))["perSecond"], 1_000_000)
        slower = self.rate((0, 0), (1000, 1_000_000), (2000, 1_000_000 + 100_000))["perSecond"]
        self.assertTrue(100_000 < slower < 1_000_000, slower)
        settled = self.rate((0, 0), *((1000 * second, 1_000_000 + 100_000 * second) for second in range(1, 60)))["perSecond"]
        self.assertTrue(math.isclose(settled, 100_000, rel_tol=0.1), settled)

    def test_two_looks_at_one_moment_and_a_piece_that_is_not_there_yet_say_nothing(self):
        self.assertEqual(self.rate((0, 0), (1000, 1000), (1001, 9000), (2000, 2000))["perSecond"], 1000)
        self.assertEqual(self.rate((0, 0), (1000, 1000), (2000, 1000))["perSecond"], 1000)
        self.assertLess(self.rate((0, 0), (1000, 1000), (5000, 1000))["perSecond"], 1000)

    def test_a_pause_another_step_and_less_than_before_begin_anew(self):
        self.assertIsNone(self.rate((0, 0), (1000, 1000), (2000, 1000, ("pausedHere", "user"))))
        self.assertIsNone(self.rate((0, 0), (1000, 1000), (2000, 0))["perSecond"])
        self.assertIsNone(self.rate((0, 0), (1000, 1000), (2000, 2000, ("step", "restoring")))["perSecond"])


class PasswordTests(unittest.TestCase):
    def strength(self, *texts):
        return asked("password-rules.js", f"{json.dumps(texts)}.map((text) => module.strengthOf(text))")

    def test_what_the_program_refuses_is_refused_here_by_the_same_rule(self):
        """The cases of the program's own test, and its numbers."""
        source = (SOURCES / "Migration/Container/Password/MigrationPassword.swift").read_text()
        rules = asked("password-rules.js", "module.RULES")
        for name, value in (("minimumLength", rules["letters"]), ("maximumByteCount", rules["bytes"]), ("minimumBits", float(rules["bits"]))):
            self.assertIn(f"let {name} = {value}\n", source)
        good = ["correct horse", "aaaaaaaaaa", "密码很长的", "Xk9#mQ2v", "１２３４５６７８９０"]
        weak = ["", "short", "12345678", "aaaaaaaaa", "密码"]
        self.assertEqual([each["isGood"] for each in self.strength(*good)], [True] * len(good))
        self.assertEqual([each["isGood"] for each in self.strength(*weak)], [False] * len(weak))

    def test_letters_are_those_that_a_person_sees(self):
        self.assertEqual([each["letters"] for each in self.strength("e\u0301" * 9, "🏔️👩‍👩‍👧")], [9, 2])

    def test_one_beyond_the_bound_is_said_to_be_too_long(self):
        self.assertEqual([each["level"] for each in self.strength("a b" * 342, "密" * 341, "密" * 342)], ["long", "good", "long"])

    def test_one_that_is_made_is_good_and_drawn_evenly(self):
        made = asked("password-rules.js", "Array.from({ length: 200 }, () => module.randomDigits())")
        for each in made:
            self.assertRegex(each, r"^\d{5}( \d{5}){5}$")
        self.assertEqual(len(set(made)), 200)
        self.assertEqual(self.strength(made[0])[0]["level"], "good")
        digits = "".join(made).replace(" ", "")
        for digit in "0123456789":
            # 600 of each are expected, with a deviation of 23.
            self.assertTrue(450 < digits.count(digit) < 750, f"{digit}: {digits.count(digit)}")

    def test_bytes_that_would_make_some_digits_likelier_are_passed_over(self):
        made = asked("password-rules.js", "module.randomDigits((bytes) => bytes.map((_, at) => (at % 2 ? 255 : 7)))")
        self.assertEqual(made.replace(" ", ""), "7" * 30)


class CodeTests(unittest.TestCase):
    CODE = "mystory-mig:v2?pk=abc&addr=192.168.1.7:40123&addr=%5Bfe80::1%5D:40123&hub=wss://hub.example%237kq2m-x94fd&psk=def"

    def test_a_code_is_told_from_other_texts_and_says_its_addresses(self):
        texts = [self.CODE, "mystory-mig:v3?pk=a", "tandem-account://join?hub=a", "", "mystory-mig:v2", f"{self.CODE} and more", "mystory-mig:v2?" + "a" * 1001]
        self.assertEqual(asked("code.js", f"{json.dumps(texts)}.map(module.isMovingCode)"), [True, True, False, False, False, False, False])
        self.assertEqual(asked("code.js", f"module.addressesIn({json.dumps(self.CODE)})"), ["192.168.1.7:40123", "[fe80::1]:40123", "wss://hub.example#7kq2m-x94fd"])

    def test_addresses_are_taken_as_people_type_them(self):
        typed = [" 192.168.1.7:40123 ", "192.168.1.7：40123", "[fe80::1%eth0]:40123", "phone.local:40123", "192.168.1.7", "fe80::1:40123", "http://a:1", ":40123", "a:b", "wss://hub.example.net#7kq2m-x94fd", "wss://hub.example.net"]
        self.assertEqual(asked("code.js", f"{json.dumps(typed)}.map(module.typedAddress)"), ["192.168.1.7:40123", "192.168.1.7:40123", "[fe80::1%eth0]:40123", "phone.local:40123", None, None, None, None, None, "wss://hub.example.net#7kq2m-x94fd", None])


class SentenceTests(unittest.TestCase):
    """Every reason that a move can stop for has a sentence, and what to do."""

    FACTS = ["Migration/Client/MigrationClientError+Facts.swift", "Migration/Container/ContainerError+Facts.swift", "Migration/Transfer/MigrationTransferError+Facts.swift",
             "Migration/Restore/RestoreError+Facts.swift", "Generations/GenerationsError+Facts.swift", "Archives/ArchiveError+Facts.swift", "Sections/Model/SectionError.swift"]

    @classmethod
    def setUpClass(cls):
        cls.reasons = {file: re.findall(r'reason: "(\w+)"', (SOURCES / file).read_text()) for file in cls.FACTS}
        cls.same = dict(re.findall(r"(\w+): '(\w+)'", re.search(r"const SAME = \{(.*?)\};", (FOLDER / "failure.js").read_text(), re.DOTALL)[1]))

    def test_in_both_languages(self):
        for language in ("en", "zh"):
            texts = catalogue(language, ["moving", "/features/moving/texts"])
            for file, reasons in self.reasons.items():
                self.assertTrue(reasons, f"{file} looks different now")
                lacking = [reason for reason in reasons
                           if f"reason.{reason}" not in texts and not {f"moving.reason.{self.same.get(reason, reason)}", f"moving.reason.{self.same.get(reason, reason)}.do"} <= set(texts)]
                self.assertEqual(lacking, [], f"{language}: {file}")

    def test_none_is_for_a_reason_that_nobody_has(self):
        known = {reason for reasons in self.reasons.values() for reason in reasons}
        shown = {key.split(".")[2] for key in catalogue("en", ["moving"]) if key.startswith("moving.reason.")}
        targets = set(self.same.values())
        self.assertEqual(sorted(shown - known - targets), [])
        self.assertEqual(sorted(targets - shown), [], "an alias leads nowhere")

    def test_what_the_phones_wait_for_has_words(self):
        """The words of a hold, as the program writes them."""
        words = set()
        for path in pathlib.Path(SOURCES / "Migration/Transfer").rglob("*.swift"):
            words |= set(re.findall(r'\bpause\("(\w+)"\)', path.read_text()))
        self.assertEqual(words, {"user", "diskFull"}, "progress.js has words for these")


if __name__ == "__main__":
    unittest.main()
