"""What the screen of the devices that read sealed conversations does, without a browser."""

import json

from server import PAGE
from test_catalogue import node
from test_screen_states import StateTests


def device(name, state):
    return {"did": f"did:key:{name}", "name": name, "words": "lusab-babad-gutih-tugad", "state": state, "handover": None}


def listing(*devices, is_listed=True, trouble=None):
    return {"devices": list(devices), "isListed": is_listed, "trouble": trouble}


class DevicesStateTests(StateTests):
    module = "features/sealing/devices-state.js"
    LIST = listing(device("phone", "this"))

    def test_only_the_last_question_is_answered(self):
        state = self.after({"kind": "asked"}, {"kind": "asked"}, {"kind": "answered", "turn": 1, "list": self.LIST})["state"]
        self.assertEqual(state["phase"], "asking")
        self.assertEqual(self.after({"kind": "asked"}, {"kind": "answered", "turn": 1, "list": self.LIST})["state"]["phase"], "shown")

    def test_what_a_change_answered_is_not_taken_back_by_an_older_answer(self):
        more = listing(device("phone", "this"), device("tablet", "listed"))
        state = self.after({"kind": "asked"}, {"kind": "changed", "list": more}, {"kind": "answered", "turn": 1, "list": self.LIST})["state"]
        self.assertEqual(len(state["list"]["devices"]), 2)

    def test_a_failure_takes_nothing_away_that_is_shown(self):
        failed = {"kind": "failed", "turn": 1, "error": {"code": "offline"}}
        self.assertEqual(self.after({"kind": "asked"}, failed)["state"]["phase"], "failed")
        state = self.after({"kind": "asked"}, {"kind": "answered", "turn": 1, "list": self.LIST}, {"kind": "asked"}, {**failed, "turn": 2})["state"]
        self.assertEqual((state["phase"], state["error"]), ("shown", {"code": "offline"}))


class DevicePartsTests(StateTests):
    def asked(self, call):
        return node(f"import * as module from '{(PAGE / 'features/sealing/devices-state.js').as_uri()}'; console.log(JSON.stringify({call}));")

    def parts(self, found):
        return self.asked(f"module.partsOf({json.dumps(found)})")

    def test_devices_stand_by_what_they_may(self):
        found = self.parts(listing(device("phone", "this"), device("tablet", "waiting"), device("laptop", "listed")))
        self.assertEqual((found["own"]["name"], [each["name"] for each in found["listed"]], [each["name"] for each in found["waiting"]]), ("phone", ["laptop"], ["tablet"]))
        self.assertEqual(found["standing"], "listed")

    def test_a_list_that_is_another_one_comes_before_waiting(self):
        self.assertEqual(self.parts(listing(is_listed=False))["standing"], "waits")
        self.assertEqual(self.parts(listing(is_listed=False, trouble="forked"))["standing"], "other")

    def test_words_are_taken_however_they_are_typed(self):
        for typed in ("lusab-babad-gutih-tugad", " Lusab babad  gutih tugad ", "LUSAB-babad - gutih\ttugad"):
            self.assertEqual(self.asked(f"module.typedWords({json.dumps(typed)})"), "lusab-babad-gutih-tugad")
        self.assertEqual(self.asked("module.typedWords(' - ')"), "")

    def test_a_history_moves_while_it_is_made_or_taken_and_one_of_an_unknown_stage_is_none(self):
        def state(stage, done=50, messages=200):
            return self.asked(f"module.handoverState({json.dumps({'stage': stage, 'done': done, 'messages': messages, 'isCut': False, 'failure': None})})")

        self.assertEqual([state("making"), state("taking", done=0, messages=0)], [{"stage": "making", "part": 0.25}, {"stage": "taking", "part": 0}])
        self.assertEqual(state("offered"), {"stage": "offered", "part": None})
        self.assertEqual([state("invented"), self.asked("module.handoverState(null)")], [None, None])

    def test_a_history_is_handed_over_to_a_device_of_the_list_that_gets_none_now(self):
        def can(state, stage=None):
            handover = stage and {"stage": stage}
            return self.asked(f"module.canHandOver({json.dumps({'state': state, 'handover': handover})})")

        self.assertEqual([can("listed"), can("listed", "taken"), can("listed", "lapsed")], [True, True, True])
        self.assertEqual([can("this"), can("waiting"), can("listed", "making"), can("listed", "offered")], [False] * 4)
