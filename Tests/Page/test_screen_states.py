"""The states of screens, which are values that events change: what a screen does, without a browser."""

import json
import unittest

from server import PAGE
from test_catalogue import node


class StoreTests(unittest.TestCase):
    def said(self, script):
        return node(f"import {{ Store }} from '{(PAGE / 'kit' / 'store.js').as_uri()}'; const said = []; {script} console.log(JSON.stringify(said));")

    def test_events_of_effects_wait_their_turn_and_are_drawn_together(self):
        self.assertEqual(self.said("""
            const change = (state, event) => (event.add ? [{ sum: state.sum + event.add }, { tell: event.add }, event.then && { send: event.then }] : [state]);
            const run = (effect) => { if (effect.send) { store.send({ add: effect.send }); said.push('sent'); } else said.push(`add ${effect.tell} of ${store.state.sum}`); };
            const store = new Store({ initial: { sum: 0 }, change, run });
            const stop = store.watch((state, before) => said.push([before.sum, state.sum]));
            store.send({ add: 1, then: 2 });
            store.send({});
            stop();
            store.send({ add: 3 });
        """), ["add 1 of 1", "sent", "add 2 of 3", [0, 3], "add 3 of 6"])

    def test_an_effect_that_fails_does_not_hold_up_what_comes_later(self):
        self.assertEqual(self.said("""
            const store = new Store({ initial: 0, change: (state, event) => [state + 1, event], run: (effect) => { if (effect === 'bad') throw new Error('not now'); } });
            try { store.send('bad'); } catch (error) { said.push(error.message); }
            store.send('good');
            said.push(store.state);
        """), ["not now", 2])


class StateTests(unittest.TestCase):
    """A module has `change`, and `initial` or `initialOf`; `after` sends events, and says the state and the effects of the last one."""

    module = None

    def after(self, *events, start="initial"):
        return node(
            f"import * as module from '{(PAGE / self.module).as_uri()}'; const {{ initial, initialOf }} = module; let state = {start}; let effects = [];"
            f"for (const event of {json.dumps(events)}) [state, ...effects] = module.change(state, event);"
            "console.log(JSON.stringify({ state, effects: effects.filter(Boolean) }));"
        )


class RunOutputTests(StateTests):
    module = "features/commands/run-state.js"
    START = "initialOf({ run: 'r1', end: null })"

    def part(self, offset, text, complete=False, end=None):
        return {"kind": "part", "part": {"offset": offset, "next": offset + len(text), "text": text, "complete": complete, "state": {"run": "r1", "end": end}}}

    def after(self, *events, start=None):
        return super().after(*events, start=start or self.START)

    def test_it_is_asked_for_once_at_a_time_until_the_run_has_ended(self):
        self.assertEqual(self.after({"kind": "look"})["effects"], [{"do": "ask", "offset": 0}])
        self.assertEqual(self.after({"kind": "look"}, {"kind": "look"})["effects"], [])
        more = self.after({"kind": "look"}, self.part(0, "abc"))
        self.assertEqual((more["state"]["text"], more["effects"]), ("abc", [{"do": "ask", "offset": 3}]))
        waiting = self.after({"kind": "look"}, self.part(0, "abc"), self.part(3, ""))
        self.assertEqual((waiting["state"]["isAsking"], waiting["effects"]), (False, []))
        over = self.after({"kind": "look"}, self.part(0, "abc", complete=True, end={"how": "stopped"}), {"kind": "look"})
        self.assertEqual((over["state"]["isOver"], over["state"]["run"]["end"], over["effects"]), (True, {"how": "stopped"}, []))

    def test_what_is_told_while_it_is_asked_is_asked_for_afterwards(self):
        self.assertEqual(self.after({"kind": "look"}, {"kind": "look"}, self.part(0, ""))["effects"], [{"do": "ask", "offset": 0}])

    def test_what_the_computer_had_no_more_is_said_to_be_missing(self):
        self.assertTrue(self.after({"kind": "look"}, self.part(500, "end", complete=True))["state"]["isCut"])
        self.assertFalse(self.after({"kind": "look"}, self.part(0, "all", complete=True))["state"]["isCut"])

    def test_a_failure_is_shown_until_the_next_look_and_an_odd_answer_breaks_nothing(self):
        failed = self.after({"kind": "look"}, {"kind": "failed", "error": {"code": "away"}})
        self.assertEqual((failed["state"]["error"], failed["state"]["isAsking"]), ({"code": "away"}, False))
        self.assertEqual(self.after({"kind": "failed", "error": 1}, {"kind": "look"})["state"]["error"], None)
        odd = self.after({"kind": "look"}, {"kind": "part", "part": {"next": "x", "text": 7}})
        self.assertEqual((odd["state"]["text"], odd["state"]["next"], odd["state"]["isAsking"]), ("", 0, False))


class ShownNoticeTests(StateTests):
    module = "features/notifications/shown-state.js"
    OPEN = ({"kind": "addressed", "id": "a"}, {"kind": "sought", "id": "a", "item": {"id": "a"}})

    def test_what_the_address_names_is_sought_once_and_shown(self):
        asked = self.after({"kind": "addressed", "id": "a"})
        self.assertEqual(asked["effects"], [{"do": "seek", "id": "a"}])
        self.assertEqual(self.after({"kind": "addressed", "id": "a"}, {"kind": "addressed", "id": "a"})["effects"], [])
        shown = self.after(*self.OPEN)
        self.assertEqual(shown["effects"], [{"do": "show", "item": {"id": "a"}, "sheet": 1}])
        self.assertEqual((shown["state"]["wanted"], shown["state"]["sheet"]), ("a", 1))

    def test_what_was_found_too_late_is_not_shown(self):
        for now in ("b", None):
            late = self.after({"kind": "addressed", "id": "a"}, {"kind": "addressed", "id": now}, {"kind": "sought", "id": "a", "item": {"id": "a"}})
            self.assertEqual((late["effects"], late["state"]["wanted"], late["state"]["sheet"]), ([], now, 0))

    def test_one_that_is_nowhere_is_said_to_be_gone_and_can_be_asked_for_again(self):
        gone = self.after({"kind": "addressed", "id": "a"}, {"kind": "sought", "id": "a", "item": None})
        self.assertEqual((gone["effects"], gone["state"]["wanted"]), ([{"do": "sayGone"}, {"do": "leave"}], None))
        again = self.after({"kind": "addressed", "id": "a"}, {"kind": "sought", "id": "a", "item": None}, {"kind": "addressed", "id": "a"})
        self.assertEqual(again["effects"], [{"do": "seek", "id": "a"}])

    def test_a_sheet_that_was_pressed_open_goes_back_and_another_leaves_its_address(self):
        closed = {"kind": "closed", "id": "a", "sheet": 1, "isNamed": True}
        self.assertEqual(self.after({"kind": "pressed", "id": "a"}, *self.OPEN, closed)["effects"], [{"do": "back"}])
        left = self.after(*self.OPEN, closed)
        self.assertEqual((left["effects"], left["state"]["wanted"], left["state"]["sheet"]), ([{"do": "leave"}], None, 0))
        # The address changed already: by the browser's own back, for example.
        self.assertEqual(self.after({"kind": "pressed", "id": "a"}, *self.OPEN, {**closed, "isNamed": False})["effects"], [])

    def test_a_press_counts_for_one_sheet(self):
        closed = {"kind": "closed", "id": "a", "sheet": 1, "isNamed": True}
        again = self.after({"kind": "pressed", "id": "a"}, *self.OPEN, closed, *self.OPEN, {**closed, "sheet": 2})
        self.assertEqual(again["effects"], [{"do": "leave"}])

    def test_a_sheet_that_closes_late_takes_no_other_away(self):
        other = ({"kind": "addressed", "id": "b"}, {"kind": "sought", "id": "b", "item": {"id": "b"}})
        late = self.after(*self.OPEN, *other, {"kind": "closed", "id": "a", "sheet": 1, "isNamed": False})
        self.assertEqual((late["state"]["wanted"], late["state"]["sheet"], late["effects"]), ("b", 2, []))

    def test_an_open_sheet_follows_what_is_said_last(self):
        self.assertEqual(self.after({"kind": "drawn"})["effects"], [], "none is open")
        self.assertEqual(self.after(*self.OPEN, {"kind": "drawn"})["effects"], [{"do": "look", "id": "a", "turn": 1, "sheet": 1}])
        first, last = ({"kind": "looked", "turn": turn, "sheet": 1, "item": {"id": "a", "body": f"said {turn}"}} for turn in (1, 2))
        drawn = (*self.OPEN, {"kind": "drawn"}, {"kind": "drawn"})
        self.assertEqual(self.after(*drawn, last)["effects"], [{"do": "follow", "item": last["item"]}])
        self.assertEqual(self.after(*drawn, first)["effects"], [], "another look began")
        self.assertEqual(self.after(*drawn, {**last, "item": None})["effects"], [], "it is there no more")
        self.assertEqual(self.after(*drawn, {**last, "sheet": 2})["effects"], [])


class NoticeListTests(StateTests):
    module = "features/notifications/list-state.js"
    ALL = {"unread": False, "words": "", "app": ""}
    OPEN = ({"kind": "asked"}, {"kind": "answered", "turn": 1})

    def list(self, *events):
        return self.after(*events, start=f"initialOf({json.dumps(self.ALL)})")

    def effects(self, *events):
        return self.list(*events)["effects"]

    def test_the_last_answer_counts(self):
        asked = ({"kind": "asked"}, {"kind": "narrowed", "filter": {"words": "pho"}})
        self.assertEqual(self.list(*asked)["effects"], [{"do": "goTo"}, {"do": "ask", "turn": 2}])
        late = self.list(*asked, {"kind": "answered", "turn": 1})
        self.assertEqual((late["state"]["isOpen"], late["effects"]), (False, []))
        last = self.list(*asked, {"kind": "answered", "turn": 2})
        self.assertEqual((last["state"]["isOpen"], last["effects"]), (True, [{"do": "sayUpToDate"}, {"do": "draw", "isNews": False}]))

    def test_only_another_filter_of_the_address_asks_again(self):
        narrowed = ({"kind": "asked"}, {"kind": "narrowed", "filter": {"unread": True}})
        self.assertEqual(self.effects(*narrowed, {"kind": "addressed", "filter": {**self.ALL, "unread": True}}), [], "the person's own")
        self.assertEqual(self.effects(*narrowed, {"kind": "addressed", "filter": self.ALL}), [{"do": "showFilter"}, {"do": "ask", "turn": 3}])

    def test_changes_are_drawn_once_something_is_there(self):
        changed = {"kind": "changed"}
        self.assertEqual(self.effects({"kind": "asked"}, changed), [])
        self.assertEqual(self.effects(*self.OPEN, changed), [{"do": "draw", "isNews": True}])
        self.assertEqual(self.effects(*self.OPEN, {"kind": "refused"}, changed), [])

    def test_a_failure_refuses_only_what_may_not_be_seen(self):
        error = {"code": "away"}
        failed = {"kind": "failed", "error": error, "turn": 1}
        self.assertEqual(self.effects({"kind": "asked"}, failed), [{"do": "refuse", "error": error}])
        self.assertEqual(self.effects({"kind": "asked"}, {**failed, "error": {"code": "cancelled"}}), [])
        self.assertEqual(self.effects(*self.OPEN, {"kind": "asked"}, failed), [], "another question was asked since")
        self.assertEqual(self.effects(*self.OPEN, {"kind": "failed", "error": error}), [{"do": "sayStale", "error": error}])
        self.assertEqual(self.effects(*self.OPEN, {"kind": "refused"}, {"kind": "asked"}, {**failed, "turn": 2}), [{"do": "refuse", "error": error}])


class WatchingTests(StateTests):
    module = "features/screen/tab-state.js"
    AWAY = {"kind": "failed", "error": {"code": "away"}, "hasPicture": True}
    ON = {"kind": "switched", "isOn": True}

    def test_what_was_live_when_the_computer_went_goes_on_by_itself(self):
        gone = self.after(self.ON, self.AWAY)
        self.assertEqual((gone["state"]["live"], gone["effects"]), ("waits", [{"do": "showLive", "isOn": False}, {"do": "sayFailed", "error": {"code": "away"}}]))
        back = self.after(self.ON, self.AWAY, {"kind": "reached"})
        self.assertEqual((back["state"]["live"], back["effects"]), ("on", [{"do": "showLive", "isOn": True}]))
        for events in ((self.AWAY,), (self.ON, {**self.AWAY, "error": {"code": "internal"}}), (self.ON, self.AWAY, self.AWAY), (self.ON, {"kind": "left"})):
            self.assertEqual(self.after(*events, {"kind": "reached"})["effects"], [])

    def test_what_is_refused_begins_again(self):
        denied = {"kind": "failed", "error": {"code": "not-allowed"}, "hasPicture": True}
        self.assertEqual(self.after(denied)["effects"], [{"do": "refuse", "error": {"code": "not-allowed"}}])
        self.assertEqual(self.after({**self.AWAY, "hasPicture": False})["effects"], [{"do": "refuse", "error": {"code": "away"}}], "nothing was seen yet")
        for now in ("allowed", "reached"):
            begun = self.after(denied, {"kind": now})
            self.assertEqual((begun["state"]["isRefused"], begun["effects"]), (False, [{"do": "offer"}]))
            self.assertEqual(self.after({"kind": now})["effects"], [])

    def test_what_changes_nothing_does_nothing(self):
        self.assertEqual(self.after(self.ON, self.ON)["effects"], [])
        self.assertEqual(self.after({"kind": "switched", "isOn": False})["effects"], [])
        self.assertEqual(self.after(self.ON, {"kind": "failed", "error": {"code": "cancelled"}, "hasPicture": True})["state"]["live"], "on")


class ControllingTests(StateTests):
    module = "features/screen/control-state.js"
    ON = ({"kind": "switched", "isOn": True}, {"kind": "opened", "answer": {"sessionId": "s1"}})

    def test_a_control_is_opened_and_ends_by_whoever_ends_it(self):
        self.assertEqual(self.after(self.ON[0])["effects"], [{"do": "open", "takeOver": False}])
        self.assertEqual(self.after(*self.ON), {"state": {"phase": "on", "session": "s1"}, "effects": [{"do": "begin", "facts": {"sessionId": "s1"}}]})
        self.assertEqual(self.after(*self.ON, {"kind": "switched", "isOn": False})["effects"], [{"do": "end"}, {"do": "close", "session": "s1"}])
        ended = self.after(*self.ON, {"kind": "ended", "session": "s1", "cause": "key"})
        self.assertEqual((ended["state"]["phase"], ended["effects"]), ("off", [{"do": "end"}, {"do": "sayEnded", "cause": "key"}]))
        self.assertEqual(self.after(*self.ON, {"kind": "ended", "session": "s0", "cause": "key"})["state"]["phase"], "on", "that was another one")
        lost = {"kind": "lost", "error": {"code": "not-allowed"}}
        self.assertEqual(self.after(*self.ON, lost)["effects"], [{"do": "end"}, {"do": "sayFailed", "error": lost["error"]}])
        self.assertEqual(self.after(lost)["effects"], [])
        self.assertEqual(self.after(*self.ON, {"kind": "left"})["effects"], [{"do": "close", "session": "s1"}])

    def test_a_person_who_is_asked_at_the_computer_is_told_of_while_it_opens(self):
        asked = {"kind": "asked", "seconds": 60}
        self.assertEqual(self.after(self.ON[0], asked)["effects"], [{"do": "sayAsked", "seconds": 60}])
        self.assertEqual(self.after(asked)["effects"], [])
        self.assertEqual(self.after(*self.ON, asked)["effects"], [], "it is open already")

    def test_one_that_another_phone_has_is_offered(self):
        held = self.after(self.ON[0], {"kind": "opened", "answer": {"state": "held", "by": "Bo"}})
        self.assertEqual((held["state"]["phase"], held["effects"]), ("off", [{"do": "end"}, {"do": "offerTakeOver", "by": "Bo"}]))

    def test_one_that_came_too_late_is_closed(self):
        late = self.after(self.ON[0], {"kind": "switched", "isOn": False}, self.ON[1])
        self.assertEqual((late["state"]["phase"], late["effects"]), ("off", [{"do": "close", "session": "s1"}]))


class GestureTests(unittest.TestCase):
    """What fingers mean, as events: on a trackpad, and with direct touch, where a point of the window is a place of a tenth."""

    def events(self, script, is_direct=False):
        return node(
            f"import {{ Gesture }} from '{(PAGE / 'features/screen/gesture.js').as_uri()}'; const said = [];"
            "const place = ({ x, y }) => (x < 1000 ? { type: 'position', x: x / 10, y: y / 10 } : null);"
            f"const g = new Gesture({{ isDirect: {json.dumps(is_direct)}, place }}); const at = (x, y) => ({{ x, y }});"
            "const say = (events) => said.push(...events.map(({ type, button, press, dx, dy, x, y }) => [type, button ?? dx ?? x, press ?? dy ?? y]));"
            f"{script} console.log(JSON.stringify(said));"
        )

    CLICK, RIGHT = ["button", "left", "tap"], ["button", "right", "tap"]
    DOWN, UP = ["button", "left", "down"], ["button", "left", "up"]

    def test_a_tap_is_a_click_where_the_finger_is_or_where_the_pointer_is(self):
        tap = "say(g.down(1, at(100, 50), 0)); say(g.move(1, at(103, 50))); say(g.up(1, 120));"
        self.assertEqual(self.events(tap), [self.CLICK])
        self.assertEqual(self.events(tap, is_direct=True), [["position", 10, 5], self.CLICK])
        self.assertEqual(self.events("say(g.down(1, at(100, 50), 0)); say(g.up(1, 400));"), [], "neither a tap nor a long press")

    def test_a_finger_that_rests_and_two_that_tap_are_the_right_button(self):
        rest = "say(g.down(1, at(100, 50), 0)); say(g.rest()); say(g.move(1, at(300, 50))); say(g.up(1, 700));"
        self.assertEqual(self.events(rest), [self.RIGHT])
        self.assertEqual(self.events(rest, is_direct=True), [["position", 10, 5], self.RIGHT])
        self.assertEqual(self.events("say(g.down(1, at(0, 0), 0)); say(g.down(2, at(80, 0), 20)); say(g.up(1, 90)); say(g.up(2, 95));"), [self.RIGHT])

    def test_a_trackpad_moves_and_a_tap_before_it_drags(self):
        slide = "say(g.down(1, at(0, 0), {0})); say(g.move(1, at(12, 0))); say(g.up(1, {0} + 300));"
        self.assertEqual(self.events(slide.replace("{0}", "0")), [["move", 24, 0]])
        drag = "say(g.down(1, at(0, 0), 0)); say(g.up(1, 60));" + slide.replace("{0}", "150")
        self.assertEqual(self.events(drag), [self.CLICK, self.DOWN, ["move", 24, 0], self.UP])

    def test_direct_touch_drags_and_lets_go_of_it_when_a_second_finger_comes(self):
        drag = "say(g.down(1, at(100, 100), 0)); say(g.move(1, at(200, 100))); say(g.move(1, at(300, 100)));"
        begun = [["position", 10, 10], self.DOWN, ["position", 20, 10], ["position", 30, 10]]
        self.assertEqual(self.events(drag + "say(g.up(1, 500));", is_direct=True), [*begun, self.UP])
        self.assertEqual(self.events(drag + "say(g.down(2, at(0, 0), 300)); say(g.move(1, at(400, 100))); say(g.up(1, 500)); say(g.up(2, 500));", is_direct=True), [*begun, self.UP])
        self.assertEqual(self.events(drag + "say(g.cancel());", is_direct=True), [*begun, self.UP])

    def test_two_fingers_turn_the_wheel_the_way_the_content_goes(self):
        scroll = "say(g.down(1, at(0, 0), 0)); say(g.down(2, at(80, 0), 0)); say(g.move(1, at(0, -72))); say(g.move(2, at(80, -72))); say(g.up(1, 100)); say(g.up(2, 100));"
        said = self.events(scroll)
        self.assertEqual({kind for kind, *_ in said}, {"wheel"})
        self.assertGreater(sum(dy for _, _, dy in said), 1)


class SenderTests(unittest.TestCase):
    def test_batches_go_one_after_the_other_and_moves_become_one(self):
        said = node(f"""
            import {{ Sender }} from '{(PAGE / 'features/screen/sender.js').as_uri()}';
            const said = []; const waits = [];
            const sender = new Sender({{ call: (batch) => {{ said.push(batch); return new Promise((done, fail) => waits.push({{ done, fail }})); }}, failed: (error) => said.push(error) }});
            const move = {{ type: 'move', dx: 1, dy: 2 }}; const tap = {{ type: 'key', key: 'a', press: 'tap' }};
            sender.push(move); sender.push(move, move); sender.push(tap); sender.push(move);
            waits[0].done(); await new Promise(setImmediate);
            sender.push(tap);
            waits[1].fail('gone'); await new Promise(setImmediate);
            sender.push(tap);
            console.log(JSON.stringify(said));
        """)
        move, tap = {"type": "move", "dx": 1, "dy": 2}, {"type": "key", "key": "a", "press": "tap"}
        self.assertEqual(said, [{"first": 1, "events": [move]}, {"first": 2, "events": [{**move, "dx": 2, "dy": 4}, tap, move]}, "gone"])


class OutgoingTests(StateTests):
    module = "features/clipboard/outgoing-state.js"
    PASTED = {"kind": "filled", "text": "bold", "html": "<b>bold</b>"}

    def sent(self, *events):
        return node(
            f"import {{ change, contentOf, initial }} from '{(PAGE / self.module).as_uri()}'; let state = initial;"
            f"for (const event of {json.dumps(events)}) [state] = change(state, event); console.log(JSON.stringify(contentOf(state)));"
        )

    def test_formatting_stays_with_what_was_pasted(self):
        html, text = ({"type": "html", "content": "<b>bold</b>"}, {"type": "text", "content": "bold"})
        self.assertEqual(self.sent(self.PASTED), html)
        self.assertEqual(self.sent(self.PASTED, {"kind": "kept", "keepsFormat": False}), text)
        self.assertEqual(self.sent(self.PASTED, {"kind": "typed", "text": "bold"}), html, "it is still what was pasted")
        self.assertEqual(self.sent(self.PASTED, {"kind": "typed", "text": "bol"}, {"kind": "typed", "text": "bold"}), text)

    def test_what_may_wait_is_a_text_that_can_be_sealed(self):
        def standing(events, is_sealed):
            return node(
                f"import {{ change, initial, standingOf }} from '{(PAGE / self.module).as_uri()}'; let state = initial;"
                f"for (const event of {json.dumps(events)}) [state] = change(state, event); console.log(JSON.stringify(standingOf(state, {json.dumps(is_sealed)})));"
            )
        away = [{"kind": "typed", "text": "é"}, {"kind": "failed", "error": {"code": "away"}}]
        self.assertEqual(standing(away, True), {"size": 2, "limit": 512 << 10, "isTooLarge": False, "mayWait": True})
        self.assertFalse(standing(away, False)["mayWait"])
        self.assertFalse(standing([*away, {"kind": "reached", "isAway": False}], True)["mayWait"])
        picture = [*away, {"kind": "pictured", "picture": {"size": (5 << 20) + 1}}]
        self.assertEqual(standing(picture, True), {"size": (5 << 20) + 1, "limit": 5 << 20, "isTooLarge": True, "mayWait": False})


class ThreadListTests(StateTests):
    module = "features/threads/list-state.js"

    def list(self, *events, **query):
        return self.after(*events, start=f"initialOf({json.dumps(query)})")

    def asked(self, **query):
        return self.list({"kind": "asked"}, **query)["effects"]

    def lists(self, *events, **query):
        said = self.list(*events, **query)
        return said["state"]["lists"], said["effects"]

    def test_the_address_says_what_is_asked_for(self):
        self.assertEqual(self.asked(), [{"do": "ask", "lists": "threads", "turn": 1}])
        self.assertEqual(self.asked(view="folders"), [{"do": "ask", "lists": "folders", "turn": 1}])
        self.assertEqual(self.asked(view="folders", folder="/a"), [{"do": "ask", "lists": "threads", "turn": 1}])
        self.assertEqual(self.asked(view="folders", find="x"), [{"do": "ask", "lists": "found", "turn": 1}])

    def test_the_last_answer_counts(self):
        asked = ({"kind": "asked"}, {"kind": "addressed", "query": {"find": "pho"}}, {"kind": "addressed", "query": {"find": "phones"}})
        late, last = ({"kind": "answered", "turn": turn, "lists": "found", "answer": {"items": [turn]}} for turn in (2, 3))
        self.assertEqual(self.lists(*asked, late), ("threads", []))
        self.assertEqual(self.lists(*asked, last), ("found", [{"do": "draw", "lists": "found", "answer": {"items": [3]}}]))
        self.assertEqual(self.lists(*asked, last, late), ("found", []))

    def test_another_thread_that_is_read_asks_nothing(self):
        before = {"find": "x", "thread": "a", "source": "codex"}
        said = self.list({"kind": "asked"}, {"kind": "addressed", "query": {**before, "thread": "b"}}, **before)
        self.assertEqual((said["effects"], said["state"]["query"]["thread"], said["state"]["turn"]), ([{"do": "mark"}], "b", 1))

    def test_changes_are_drawn_only_where_threads_are_listed(self):
        opened = ({"kind": "asked"}, {"kind": "answered", "turn": 1, "lists": "threads"})
        drawn = [{"do": "draw", "lists": "threads"}]
        changed = {"kind": "changed"}
        self.assertEqual(self.lists({"kind": "asked"}, changed)[1], [], "nothing is there yet")
        self.assertEqual(self.lists(*opened, changed)[1], drawn)
        searched = (*opened, {"kind": "addressed", "query": {"find": "x"}})
        self.assertEqual(self.lists(*searched, changed)[1], drawn, "until the search is answered")
        found = (*searched, {"kind": "answered", "turn": 2, "lists": "found", "answer": {}})
        self.assertEqual(self.lists(*found, changed)[1], [])
        self.assertEqual(self.lists(*found, {"kind": "addressed", "query": {}}, changed)[1], drawn)
        self.assertEqual(self.lists(*opened, {"kind": "addressed", "query": {"view": "folders"}}, changed)[1], [])

    def test_a_failure_is_said_once_and_refuses_only_what_was_never_seen(self):
        failed = {"kind": "failed", "turn": 1, "error": {"code": "not-allowed"}}
        self.assertEqual(self.lists({"kind": "asked"}, failed)[1], [{"do": "sayFailed", "error": failed["error"], "isRefused": True}])
        opened = ({"kind": "asked"}, {"kind": "answered", "turn": 1, "lists": "threads"}, {"kind": "asked"})
        self.assertEqual(self.lists(*opened, {**failed, "turn": 2})[1], [{"do": "sayFailed", "error": failed["error"], "isRefused": False}])
        self.assertEqual(self.lists(*opened, failed)[1], [], "another question was asked since")
        self.assertEqual(self.lists({"kind": "asked"}, {**failed, "error": {"code": "cancelled"}})[1], [])

    def test_a_connection_that_comes_back_asks_for_what_may_have_changed(self):
        again = {"kind": "reconnected"}
        self.assertEqual(self.lists({"kind": "asked"}, again)[1], [{"do": "ask", "lists": "threads", "turn": 2}])
        opened = ({"kind": "asked"}, {"kind": "answered", "turn": 1, "lists": "threads"})
        self.assertEqual(self.lists(*opened, again)[1], [{"do": "refresh"}])
        folders = (*opened, {"kind": "addressed", "query": {"view": "folders"}}, {"kind": "answered", "turn": 2, "lists": "folders", "answer": {}})
        self.assertEqual(self.lists(*folders, again)[1], [])

    def test_what_narrows_the_list_stays_with_the_threads_that_it_leads_to(self):
        said = node(
            f"import {{ filterOf, keptOf }} from '{(PAGE / self.module).as_uri()}'; const query = {{ agent: 'codex', folder: '/a', all: '1', find: 'x', thread: 't', item: 'i' }};"
            "console.log(JSON.stringify([filterOf(query), filterOf({ archived: '1' }), filterOf({}), keptOf(query)]));"
        )
        self.assertEqual(said, [
            {"source": "codex", "cwd": "/a", "all": True}, {"archived": True}, {}, {"agent": "codex", "folder": "/a", "all": "1", "find": "x"},
        ])


class WorkspaceTests(StateTests):
    module = "features/threads/workspace-state.js"
    A = {"thread": "a", "source": "codex"}
    B = {"thread": "b", "source": "codex"}

    def drawn(self, *events):
        """What the last of some events does, by name, and the state. An event is a query, with whether there is room and how far the page was scrolled."""
        said = self.after(*({"kind": "addressed", "query": query, "isRoomy": room, "scrolledTo": at} for query, room, at in events))
        return {effect["do"]: effect for effect in said["effects"]}, said["state"]

    def test_where_there_is_room_the_list_stands_beside_the_thread(self):
        done, _ = self.drawn((self.A, True, 0))
        self.assertEqual(done["layOut"], {"do": "layOut", "hasBoth": True, "hasThread": True, "showsList": True, "showsMain": True, "isNarrowed": False})
        self.assertEqual(list(done), ["layOut", "makeList", "open"])
        self.assertEqual(done["open"], {"do": "open", "thread": {"id": "a", "source": "codex"}, "takesFocus": False})

    def test_where_there_is_none_a_thread_stands_in_the_place_of_the_list(self):
        done, _ = self.drawn(({}, False, 0))
        self.assertEqual((list(done), done["layOut"]["showsList"], done["layOut"]["showsMain"]), (["layOut", "makeList", "comeBack", "choose"], True, False))
        done, _ = self.drawn(({}, False, 0), (self.A, False, 300))
        self.assertEqual((list(done), done["layOut"]["showsList"], done["layOut"]["showsMain"]), (["layOut", "updateList", "open"], False, True))
        self.assertTrue(done["open"]["takesFocus"], "the list is gone, and with it what had the focus")

    def test_the_list_comes_back_where_it_was_left(self):
        done, state = self.drawn(({}, False, 0), (self.A, False, 300), ({}, False, 40))
        self.assertEqual((list(done), done["comeBack"]["thread"], state["scrolled"]), (["layOut", "updateList", "comeBack", "choose"], {"id": "a", "source": "codex"}, 300))
        # Beside a thread it scrolls by itself, and the page does not.
        _, state = self.drawn(({}, True, 0), (self.A, True, 300), ({}, False, 0))
        self.assertEqual(state["scrolled"], 0)

    def test_the_list_is_made_once_it_can_be_seen(self):
        done, _ = self.drawn((self.A, False, 0))
        self.assertEqual(list(done), ["layOut", "updateList", "open"])
        self.assertFalse(done["open"]["takesFocus"], "the page just began")
        done, _ = self.drawn((self.A, False, 0), (self.A, True, 0))
        self.assertEqual(list(done), ["layOut", "makeList"])

    def test_a_thread_is_opened_once_and_anew_at_another_place(self):
        self.assertNotIn("open", self.drawn((self.A, True, 0), ({**self.A, "agent": "codex"}, True, 0))[0])
        self.assertEqual(self.drawn((self.A, True, 0), (self.B, True, 0))[0]["open"]["thread"], {"id": "b", "source": "codex"})
        self.assertIn("open", self.drawn((self.A, True, 0), ({**self.A, "at": "7"}, True, 0))[0])

    def test_more_or_less_room_changes_no_thread(self):
        said = self.after(
            {"kind": "addressed", "query": self.A, "isRoomy": True, "scrolledTo": 0}, {"kind": "resized", "isRoomy": False, "scrolledTo": 0},
        )
        self.assertEqual([effect["do"] for effect in said["effects"]], ["layOut", "updateList"])
        self.assertEqual((said["state"]["query"], said["state"]["shown"]["key"]), (self.A, "a codex "))

    def test_a_search_hides_what_waits(self):
        for query, is_narrowed in (({"find": "x"}, True), ({"folder": "/a"}, True), ({"agent": "codex"}, False)):
            self.assertEqual(self.drawn((query, True, 0))[0]["layOut"]["isNarrowed"], is_narrowed)


if __name__ == "__main__":
    unittest.main()
